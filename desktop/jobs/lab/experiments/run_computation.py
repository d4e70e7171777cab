"""Computes one run of an experiment, in a separate process or from predictions that are known already."""

from __future__ import annotations

import logging
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from desktop.jobs.lab.experiments.data import ExperimentData
from desktop.jobs.lab.experiments.estimates import work_of
from desktop.jobs.lab.experiments.events import ExperimentListener, RunProgressed
from desktop.jobs.lab.experiments.given_answers import GivenSystems
from desktop.jobs.lab.experiments.map_files import map_path, write_map
from desktop.jobs.lab.experiments.planning import predicting_model
from desktop.jobs.lab.experiments.prompt_models import replies_path
from desktop.jobs.lab.experiments.run_examples import RunExamples
from desktop.jobs.lab.experiments.sources import SystemSources
from desktop.jobs.models.kept_predictions import (
    NOTHING_KEPT,
    KeptPredictions,
    PredictingModel,
    package_versions,
    predictor_info,
    read_kept,
)
from desktop.jobs.models.registry import models_folder
from desktop.jobs.writing import writing
from desktop.text import count
from desktop.translation import tr
from miner.classifier.examples import write_examples
from miner.errors import UserError
from miner.lab.experiments.experiment import Experiment
from miner.lab.experiments.plan import ExperimentCell, SystemRun
from miner.lab.experiments.prompting.templates import definitions_of
from miner.lab.experiments.system_kinds import ModelSystem, PeopleSystem, PromptSystem
from miner.lab.experiments.systems.prompt_run import PromptTask
from miner.lab.experiments.systems.system_run import (
    EXAMPLES,
    NEEDED_EXAMPLES,
    RunProgress,
    SystemRunResult,
    SystemRunTask,
    read_predictions,
    run_system,
)
from miner.mining.identity import text_hash
from miner.processes.isolated import run_isolated
from miner.progress import Cancelled, Progress
from storage.models.predictions import PredictorInfo
from storage.project import Project

log = logging.getLogger(__name__)


def run_title(experiment: Experiment, run: SystemRun) -> str:
    """The title of a run: system, train set and seed; for people, the person."""
    system = experiment.systems[run.system]
    if isinstance(system, PeopleSystem):
        return f"{system.title}, person {run.seed + 1}"
    parts = [
        system.title,
        *[f"trained on {run.train}"] * bool(run.train),
        *[f"seed {run.seed}"] * system.varies,
    ]
    return ", ".join(parts)


def run_folder(project: Project, run: SystemRun) -> Path:
    """The folder of a run's files while it is computed."""
    return models_folder(project) / "experiments" / run.key


class RunComputer:
    """Computes runs of an experiment, and stores their predictions.

    problems: why runs cannot be computed, by the run's key. computed: how many cells were computed. notes: sentences
    for users.
    """

    def __init__(
        self,
        project: Project,
        data: ExperimentData,
        sources: SystemSources,
        given: GivenSystems,
        problems: Mapping[str, str],
        device: str,
        progress: Progress,
        listener: ExperimentListener,
    ) -> None:
        self._project, self._data, self._experiment = project, data, data.experiment
        self._sources, self._given, self._problems, self._device = sources, given, problems, device
        self._progress, self._listener = progress, listener
        self._examples = RunExamples(project, data)
        self.computed = 0
        self.notes: list[str] = []

    def compute(self, run: SystemRun, cells: Sequence[ExperimentCell], title: str, arithmetic: str = "") -> str:
        """Compute the cells of a run; returns why some cannot be computed, "" if all were.

        arithmetic: use only kept predictions that were computed with this arithmetic; "" for any.
        """
        system = self._experiment.systems[run.system]
        if run.system in self._given.answers:
            self._save_answers(run, cells)
            return ""
        kept, problem = self._read_kept(run, cells, arithmetic), self._problems.get(run.key, "")
        known = [cell for cell in cells if kept.predictor and all(hash in kept.by_text for hash in self._hashes(cell))]
        is_known = bool(known) and len(known) == len(cells)
        if is_known or (known and problem):
            self._finish_kept(run, known, kept)
        if is_known:
            return ""
        if problem:
            return problem
        folder = run_folder(self._project, run)
        tests = {cell.test: f"test-{number}.jsonl" for number, cell in enumerate(cells)}
        is_mapping = not cells
        task = self._task(run, folder, tuple(tests.values()), is_mapping=is_mapping)

        def on_event(event: RunProgress) -> None:
            with suppress(Cancelled):
                self._progress.tick(event.done, event.total, f"{title}, {event.what}", may_wait=False)
            self._listener(RunProgressed(run.key, event.done, event.total, event.what))

        with writing(folder):
            folder.mkdir(parents=True, exist_ok=True)
            if run.train:
                write_examples(folder / EXAMPLES, self._examples.to_learn(run))
            if system.needed_sets:
                write_examples(folder / NEEDED_EXAMPLES, self._examples.needed(system, task.needed_classes))
            for test, file in tests.items():
                pairs = self._examples.to_predict(test, kept.by_text)
                write_examples(folder / file, map(self._examples.example, pairs))
        self._progress.tick(0, None, title)
        try:
            result = run_isolated(run_system, task, self._progress, on_event, subject=tr("The run"))
        except UserError:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        if is_mapping:
            self._keep_map(run, folder)
        else:
            self._save(run, cells, tests, folder, result, kept)
        shutil.rmtree(folder, ignore_errors=True)
        if kept.predictor and kept.arithmetic != result.arithmetic:  # what was kept does not go with it
            return self.compute(run, cells, title, result.arithmetic)
        return ""

    def _task(self, run: SystemRun, folder: Path, tests: tuple[str, ...], *, is_mapping: bool) -> SystemRunTask:
        system = self._experiment.systems[run.system]
        model = self._sources.models.get(run.system)
        needed = system.needed_sets[0] if system.needed_sets else ""
        labels = sorted({pair.label for pair in self._data.parts[needed]["train"]}) if needed else []
        cartography = self._experiment.cartography
        return SystemRunTask(
            system,
            self._experiment.class_names,
            run.seed,
            folder,
            tests,
            model.path if model else self._sources.vectors.get(run.system),
            model.name if model else "",
            self._device,
            tuple(labels),
            cartography.epochs if is_mapping and cartography else 0,
            self._prompt_task(run, system) if isinstance(system, PromptSystem) else None,
            tuple(self._experiment.classes.values()),
        )

    def _prompt_task(self, run: SystemRun, system: PromptSystem) -> PromptTask:
        models = self._sources.prompts[run.system]
        definitions = definitions_of(self._experiment.classes, system.definitions)
        return PromptTask(definitions, replies_path(self._project, run.key), models.chat, models.similarity)

    def _save(
        self,
        run: SystemRun,
        cells: Sequence[ExperimentCell],
        tests: Mapping[str, str],
        folder: Path,
        result: SystemRunResult,
        kept: KeptPredictions,
    ) -> None:
        packed: dict[bytes, bytes] = {}
        for cell in cells:
            rows = read_predictions(folder, tests[cell.test]).astype("<f4")
            for pair, row in zip(self._examples.to_predict(cell.test, kept.by_text), rows, strict=True):
                packed[text_hash(pair.premise, pair.hypothesis)] = row.tobytes()
        work = work_of(self._data, run, cells, self._sources.models.get(run.system))
        device, seconds, notes = result.device, result.seconds, (*result.notes, *self._examples.describe_learned(run))
        goes_with_kept = kept.arithmetic in ("", result.arithmetic)
        if isinstance(self._experiment.systems[run.system], ModelSystem):
            info = predictor_info(self._predicting_model(run), result.arithmetic, device, seconds, notes)
            if goes_with_kept:
                self._note_reuse(run, kept)
        else:
            info = PredictorInfo(run.key, run_title(self._experiment, run), device, seconds, notes, package_versions())
        if not kept.by_text:
            info = info._replace(kind=work.kind, work=work.amount)
        self._store(info, packed, cells if goes_with_kept else ())
        if result.device_note and result.device_note not in self.notes:
            self.notes.append(result.device_note)
        if isinstance(self._experiment.systems[run.system], PromptSystem):  # how many answers could not be read
            self.notes.append(f"{info.title}: {' '.join(result.notes)}")
        log.info("%s took %.0f s on %s", info.title, result.seconds, result.device)

    def _read_kept(self, run: SystemRun, cells: Sequence[ExperimentCell], arithmetic: str) -> KeptPredictions:
        """The kept predictions of a model that is used without training; empty for other systems."""
        system = self._experiment.systems[run.system]
        if not isinstance(system, ModelSystem) or run.system not in self._sources.models:
            return NOTHING_KEPT
        hashes = {hash for cell in cells for hash in self._hashes(cell)}
        return read_kept(self._project, self._predicting_model(run), hashes, self._device, arithmetic)

    def _predicting_model(self, run: SystemRun) -> PredictingModel:
        return predicting_model(self._data, run, self._sources.models[run.system])

    def _finish_kept(self, run: SystemRun, cells: Sequence[ExperimentCell], kept: KeptPredictions) -> None:
        """Finish cells all of whose predictions are kept."""
        self._note_reuse(run, kept)
        self._store(predictor_info(self._predicting_model(run), kept.arithmetic, kept.device, 0.0, ()), {}, cells)

    def _note_reuse(self, run: SystemRun, kept: KeptPredictions) -> None:
        if kept.by_text:
            title, what = run_title(self._experiment, run), count(len(kept.by_text), "prediction")
            verb = "was" if len(kept.by_text) == 1 else "were"
            self.notes.append(
                tr(
                    "{title}: {what} of the same model {verb} made earlier ({device}).",
                    title=title,
                    what=what,
                    verb=verb,
                    device=kept.device,
                )
            )

    def _hashes(self, cell: ExperimentCell) -> Iterator[bytes]:
        return (text_hash(pair.premise, pair.hypothesis) for pair in self._data.parts[cell.test]["test"])

    def _save_answers(self, run: SystemRun, cells: Sequence[ExperimentCell]) -> None:
        given = self._given.answers[run.system][run.seed]
        packed: dict[bytes, bytes] = {}
        for cell in cells:
            packed |= given.of_part(self._data, cell.test)
        title = run_title(self._experiment, run)
        self._store(PredictorInfo(run.key, title, given.source, 0.0, given.notes, package_versions()), packed, cells)

    def _store(self, info: PredictorInfo, packed: Mapping[bytes, bytes], cells: Sequence[ExperimentCell]) -> None:
        with self._project.transaction(bulk=True) as stores:
            keys = [cell.key for cell in cells]
            stores.cell_predictions.save(info, packed.items(), keys, datetime.now(UTC))
        self.computed += len(cells)

    def _keep_map(self, run: SystemRun, folder: Path) -> None:
        from miner.classifier.training_dynamics import read_dynamics

        pairs = self._data.parts[run.train]["train"]
        classes = [self._examples.example(pair).label for pair in pairs]
        write_map(map_path(self._project, run.key), *read_dynamics(folder), [pair.key for pair in pairs], classes)
