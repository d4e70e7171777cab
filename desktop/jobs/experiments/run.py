"""The job that runs an experiment: it computes the cells that are missing, each run in a process of its own."""

from __future__ import annotations

import logging
import shutil
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from desktop.jobs.experiments.data import ExperimentText, read_data
from desktop.jobs.experiments.estimates import estimate_missing, work_of
from desktop.jobs.experiments.events import (
    ExperimentEvent,
    ExperimentListener,
    ExperimentStarted,
    RunEnded,
    RunProgressed,
    RunStarted,
    TimeEstimated,
)
from desktop.jobs.experiments.given_answers import read_given, refuse_unanswered
from desktop.jobs.experiments.map_files import is_map, map_path, read_map, write_map
from desktop.jobs.experiments.prompt_models import (
    forget_replies,
    replies_path,
    sent_elsewhere,
)
from desktop.jobs.experiments.report_text import LEARNED
from desktop.jobs.experiments.results import ExperimentTables, read_tables
from desktop.jobs.experiments.running import experiment_lock
from desktop.jobs.experiments.sources import find_sources
from desktop.jobs.models.kept_predictions import (
    NOTHING_KEPT,
    KeptPredictions,
    PredictingModel,
    package_versions,
    predictor_info,
    read_kept,
)
from desktop.jobs.models.registry import models_folder
from desktop.text import count
from miner.classifier.examples import TrainingExample, write_examples
from miner.errors import UserError
from miner.experiments.cartography import data_map, select_subset
from miner.experiments.experiment import (
    Experiment,
)
from miner.experiments.experiment_file import to_data
from miner.experiments.plan import ExperimentCell, Plan, SetDigests, SystemRun, plan, text_hash
from miner.experiments.prompting.templates import definitions_of
from miner.experiments.system_kinds import (
    ModelSystem,
    PeopleSystem,
    PromptSystem,
    System,
)
from miner.experiments.systems.prompt_run import PromptTask
from miner.experiments.systems.system_run import (
    EXAMPLES,
    NEEDED_EXAMPLES,
    RunProgress,
    SystemRunResult,
    SystemRunTask,
    read_predictions,
    run_system,
)
from miner.paths import write_hint
from miner.processes.isolated import run_isolated
from miner.progress import Cancelled, Job, Progress
from storage.changes import Changes
from storage.models.experiments import ExperimentState, PredictorInfo, StoredCell, TestedPair, TestedText
from storage.project import Project

log = logging.getLogger(__name__)

_IF_STOPPED = "What is computed is kept; run the experiment again to compute the rest."


@dataclass(frozen=True, slots=True)
class ExperimentResult:
    """What a run of an experiment came to. computed: cells that were computed now; the others were known.

    problems: why systems could not be run, and cells were not computed; the others were.
    """

    id: int
    tables: ExperimentTables
    computed: int
    problems: tuple[str, ...]
    notes: tuple[str, ...]

    @property
    def changes(self) -> Changes:
        return Changes(experiments=True)


def run_experiment(
    project: Project,
    experiment: Experiment,
    folder: Path,
    device: str = "auto",
    *,
    text: str = "",
    listener: ExperimentListener | None = None,
) -> Job[ExperimentResult]:
    """Compute all cells that are not known yet, and store them one run after the other. folder, text: of the file.

    When it is cancelled or killed, what is computed is kept. `UserError` where the data cannot be read, or no system
    could be run.
    """

    def work(progress: Progress) -> ExperimentResult:
        with experiment_lock(project):
            return _ExperimentRun(project, experiment, folder, device, progress, text, listener).run()

    return Job(f"Running the experiment {experiment.name}", work, _IF_STOPPED)


class _ExperimentRun:
    def __init__(
        self,
        project: Project,
        experiment: Experiment,
        folder: Path,
        device: str,
        progress: Progress,
        text: str,
        listener: ExperimentListener | None,
    ) -> None:
        self._project, self._given, self._folder = project, experiment, folder
        self._device, self._progress = device, progress
        self._text, self._listener = text, listener
        self._problems: dict[str, None] = {}
        self._computed = 0
        self._notes: list[str] = []

    def run(self) -> ExperimentResult:
        self._sources = find_sources(self._project, self._given, self._folder, self._progress)
        self._problems |= dict.fromkeys(self._sources.problems.values())
        self._models = self._sources.models
        for system in self._given.systems:
            self._notes += sent_elsewhere(system)
        self._data = read_data(self._project, self._given, self._folder, self._progress)
        self._experiment = self._data.experiment
        self._given_systems = read_given(self._project, self._data, self._folder, self._progress)
        for index, text in self._given_systems.problems.items():
            self._problems[f"{self._experiment.systems[index].title}: {text}"] = None
        self._notes += self._given_systems.notes
        digests = self._data.digests()
        sources = self._source_digests()
        planned = self._plan(digests, sources)
        self._emit(TimeEstimated(estimate_missing(self._project, self._data, planned, self._models, self._device)))
        forget_replies(self._project)
        id = self._enter(planned, sources)
        state, problem = ExperimentState.FAILED, ""
        try:
            self._compute(id, planned)
            state = ExperimentState.DONE
        except Cancelled:
            state = ExperimentState.STOPPED
            raise
        except UserError as exc:
            problem = str(exc)
            raise
        finally:
            with suppress(UserError), self._project.transaction() as stores:
                stores.experiments.end(id, state, datetime.now(UTC), problem)
        refused = dict.fromkeys(cell.problem for cell in planned.cells if cell.problem)
        if self._problems and not self._computed and not self._finished(planned.cells):
            raise UserError("\n".join(self._problems))
        with self._project.read_transaction() as stores:
            tables = read_tables(stores, id)
        problems = tuple(self._problems | refused)
        return ExperimentResult(id, tables, self._computed, problems, (*self._data.notes, *self._notes))

    def _source_digests(self) -> dict[int, str]:
        """By the system's index; of a model that has gone, what it was when this experiment ran last."""
        with self._project.read_transaction() as stores:
            before = stores.experiments.source_digests(to_data(self._experiment))
        gone = {index: before[index] for index in self._sources.problems if index in before}
        return {**gone, **self._sources.digests}

    def _plan(self, digests: Mapping[str, SetDigests], sources: Mapping[int, str]) -> Plan:
        given = self._given_systems
        overlaps = self._data.overlaps()
        planned = plan(
            self._experiment, digests, system_digests=sources, overlaps=overlaps, given_answers=given.digests()
        )
        return refuse_unanswered(planned, self._data, given)

    def _enter(self, planned: Plan, sources: Mapping[int, str]) -> int:
        """Store the experiment with its cells and test parts; its id."""
        now = datetime.now(UTC)
        with self._project.transaction(bulk=True) as stores:
            id = stores.experiments.start(
                self._experiment.name,
                to_data(self._experiment),
                f"pairwright {version('pairwright')}",
                now,
                text=self._text,
                folder=str(self._folder.absolute()),
                sources=sources,
            )
            parts = {}
            for test in dict.fromkeys(cell.test for cell in planned.cells):
                pairs = self._data.parts[test]["test"]
                parts[test] = stores.experiments.enter_part(map(self._tested, pairs))
                stores.experiments.enter_texts(map(_tested_text, pairs))
            stores.experiments.set_cells(id, [_stored(cell, parts[cell.test]) for cell in planned.cells])
        return id

    def _compute(self, id: int, planned: Plan) -> None:
        finished = self._finished(planned.cells)
        by_run: dict[str, list[ExperimentCell]] = {run.key: [] for run in planned.runs}
        for cell in planned.cells:
            if not cell.problem and cell.key not in finished:
                by_run[cell.run.key].append(cell)
        mapped = {run.mapping for run in planned.runs}
        missing = [
            run
            for run in planned.runs
            if by_run[run.key] or (run.key in mapped and not is_map(map_path(self._project, run.key)))
        ]
        for run in planned.runs:
            if run not in missing:  # its program may have been killed after its predictions were stored
                shutil.rmtree(self._run_folder(run), ignore_errors=True)
        self._emit(ExperimentStarted(id, tuple(run.key for run in missing)))
        for number, run in enumerate(missing):
            title = f"{number + 1} of {len(missing)}: {self._title(run)}"
            self._emit(RunStarted(run.key, self._title(run)))
            with self._noted(self._title(run)) as noted:
                self._run(run, by_run[run.key], title)
            failure = noted.problem or self._sources.problems.get(run.system, "")
            if failure:
                with self._project.transaction() as stores:
                    stores.experiments.note_failure(id, run.key, failure)
            self._emit(RunEnded(run.key, failure))

    def _emit(self, event: ExperimentEvent) -> None:
        if self._listener is not None:
            self._listener(event)

    def _run(self, run: SystemRun, cells: Sequence[ExperimentCell], title: str, arithmetic: str = "") -> None:
        """Compute the cells of a run. arithmetic: take no other kept predictions of a model than those by this one."""
        system = self._experiment.systems[run.system]
        if run.system in self._sources.problems:
            return  # it is among the problems
        if run.system in self._given_systems.answers:
            self._save_answers(run, cells)
            return
        kept = self._read_kept(run, cells, arithmetic)
        if kept.predictor and all(hash in kept.by_text for cell in cells for hash in self._hashes(cell)):
            self._finish_kept(run, cells, kept)
            return
        folder = self._run_folder(run)
        tests = {cell.test: f"test-{number}.jsonl" for number, cell in enumerate(cells)}
        is_mapping = not cells
        task = self._task(run, folder, tuple(tests.values()), is_mapping=is_mapping)

        def on_event(event: RunProgress) -> None:
            with suppress(Cancelled):
                self._progress.tick(event.done, event.total, f"{title}, {event.what}", may_wait=False)
            self._emit(RunProgressed(run.key, event.done, event.total, event.what))

        try:
            folder.mkdir(parents=True, exist_ok=True)
            if run.train:
                write_examples(folder / EXAMPLES, self._examples(run))
            if system.needed_sets:
                write_examples(folder / NEEDED_EXAMPLES, self._needed(system, task.needed_classes))
            for test, file in tests.items():
                write_examples(folder / file, map(self._example, self._missing(test, kept)))
        except OSError as exc:
            raise UserError(f"{folder} cannot be written: {exc.strerror}.", hint=write_hint(exc)) from exc
        self._progress.tick(0, None, title)
        try:
            result = run_isolated(run_system, task, self._progress, on_event, subject="The run")
        except UserError:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        if is_mapping:
            self._keep_map(run, folder)
        else:
            self._save(run, cells, tests, folder, result, kept)
        shutil.rmtree(folder, ignore_errors=True)
        if kept.predictor and kept.arithmetic != result.arithmetic:  # what was kept does not go with it
            self._run(run, cells, title, result.arithmetic)

    def _task(self, run: SystemRun, folder: Path, tests: tuple[str, ...], *, is_mapping: bool) -> SystemRunTask:
        system = self._experiment.systems[run.system]
        model = self._models.get(run.system)
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
            for pair, row in zip(self._missing(cell.test, kept), rows, strict=True):
                packed[text_hash(pair.premise, pair.hypothesis)] = row.tobytes()
        work = work_of(self._data, run, cells, self._models.get(run.system))
        device, seconds, notes = result.device, result.seconds, (*result.notes, *self._learned(run))
        goes_with_kept = kept.arithmetic in ("", result.arithmetic)
        if isinstance(self._experiment.systems[run.system], ModelSystem):
            info = predictor_info(self._predicting_model(run), result.arithmetic, device, seconds, notes)
            if goes_with_kept:
                self._note_reuse(run, kept)
        else:
            info = PredictorInfo(run.key, self._title(run), device, seconds, notes, package_versions())
        if not kept.by_text:
            info = info._replace(kind=work.kind, work=work.amount)
        self._store(info, packed, cells if goes_with_kept else ())
        if result.device_note and result.device_note not in self._notes:
            self._notes.append(result.device_note)
        if isinstance(self._experiment.systems[run.system], PromptSystem):  # how many answers could not be read
            self._notes.append(f"{info.title}: {' '.join(result.notes)}")
        log.info("%s took %.0f s on %s", info.title, result.seconds, result.device)

    def _read_kept(self, run: SystemRun, cells: Sequence[ExperimentCell], arithmetic: str) -> KeptPredictions:
        """What is kept of the predictions of a model as it is; of other systems nothing."""
        if not isinstance(self._experiment.systems[run.system], ModelSystem):
            return NOTHING_KEPT
        hashes = {hash for cell in cells for hash in self._hashes(cell)}
        return read_kept(self._project, self._predicting_model(run), hashes, self._device, arithmetic)

    def _predicting_model(self, run: SystemRun) -> PredictingModel:
        model, system = self._models[run.system], self._experiment.systems[run.system]
        return PredictingModel(model.digest, model.name, system.input.value, self._experiment.class_names)

    def _finish_kept(self, run: SystemRun, cells: Sequence[ExperimentCell], kept: KeptPredictions) -> None:
        """Finish cells all of whose predictions are kept."""
        self._note_reuse(run, kept)
        self._store(predictor_info(self._predicting_model(run), kept.arithmetic, kept.device, 0.0, ()), {}, cells)

    def _note_reuse(self, run: SystemRun, kept: KeptPredictions) -> None:
        if kept.by_text:
            what = count(len(kept.by_text), "prediction")
            self._notes.append(f"{self._title(run)}: {what} of the same model taken from before ({kept.device}).")

    def _hashes(self, cell: ExperimentCell) -> Iterator[bytes]:
        return (text_hash(pair.premise, pair.hypothesis) for pair in self._data.parts[cell.test]["test"])

    def _missing(self, test: str, kept: KeptPredictions) -> list[ExperimentText]:
        """The pairs of a test part without a kept prediction."""
        pairs = self._data.parts[test]["test"]
        return [pair for pair in pairs if text_hash(pair.premise, pair.hypothesis) not in kept.by_text]

    def _save_answers(self, run: SystemRun, cells: Sequence[ExperimentCell]) -> None:
        given = self._given_systems.answers[run.system][run.seed]
        packed: dict[bytes, bytes] = {}
        for cell in cells:
            packed |= given.of_part(self._data, cell.test)
        self._store(
            PredictorInfo(run.key, self._title(run), given.source, 0.0, given.notes, package_versions()), packed, cells
        )

    def _store(self, info: PredictorInfo, packed: Mapping[bytes, bytes], cells: Sequence[ExperimentCell]) -> None:
        with self._project.transaction(bulk=True) as stores:
            keys = [cell.key for cell in cells]
            stores.experiments.save_predictions(info, packed.items(), keys, datetime.now(UTC))
        self._computed += len(cells)

    def _learned(self, run: SystemRun) -> tuple[str, ...]:
        """What a run learned from, for reports; () for a system that does not learn."""
        if not run.train:
            return ()
        names = self._experiment.class_names
        examples = list(self._examples(run))
        labels = Counter(one.label for one in examples if not one.dev)
        classes = ", ".join(f"{labels[number]:,} {name}" for number, name in enumerate(names))
        dev = sum(one.dev for one in examples)
        kept = f"; {count(dev, 'dev pair')}" if dev else ""
        return (f"{LEARNED}{count(labels.total(), 'pair')}: {classes}{kept}.",)

    def _examples(self, run: SystemRun) -> Iterable[TrainingExample]:
        """The train and dev part; of a subset, the pairs that its map chooses."""
        one = self._experiment.data[run.train]
        parts = self._data.parts[one.of or run.train]
        train: Sequence[ExperimentText] = parts["train"]
        if run.mapping and one.subset is not None:
            try:
                stored = read_map(map_path(self._project, run.mapping))
            except (OSError, ValueError) as exc:
                raise UserError("The training dynamics are missing, so no subset can be taken.") from exc
            found = data_map(stored.probabilities, stored.correct)
            if len(found) != len(train):
                raise UserError("The training dynamics are of other pairs, so no subset can be taken.")
            train = [train[place] for place in select_subset(found, one.subset, one.share)]
        yield from map(self._example, train)
        for pair in parts.get("dev", ()):
            example = self._example(pair)
            yield TrainingExample(
                example.key, example.paper, example.premise, example.hypothesis, example.label, dev=True
            )

    def _needed(self, system: System, classes: Sequence[str]) -> Iterable[TrainingExample]:
        """Of exemplars, labels are classes of the experiment; of an intermediate set, these ones."""
        for pair in self._data.parts[system.needed_sets[0]]["train"]:
            if isinstance(system, PromptSystem):
                if self._experiment.class_of(pair.label) is not None:
                    yield self._example(pair)
            else:
                yield TrainingExample(pair.key, pair.paper, pair.premise, pair.hypothesis, classes.index(pair.label))

    def _example(self, pair: ExperimentText) -> TrainingExample:
        label = self._experiment.class_of(pair.label)
        assert label is not None
        return TrainingExample(pair.key, pair.paper, pair.premise, pair.hypothesis, label)

    def _tested(self, pair: ExperimentText) -> TestedPair:
        label = self._experiment.class_of(pair.label)
        assert label is not None
        hash = text_hash(pair.premise, pair.hypothesis)
        return TestedPair(pair.key, hash, label, pair.domain, pair.strategy, pair.phrase, pair.words)

    def _finished(self, cells: Sequence[ExperimentCell]) -> dict[str, int]:
        with self._project.read_transaction() as stores:
            return stores.experiments.finished(cell.key for cell in cells)

    def _keep_map(self, run: SystemRun, folder: Path) -> None:
        from miner.classifier.training_dynamics import read_dynamics

        pairs = self._data.parts[run.train]["train"]
        classes = [self._example(pair).label for pair in pairs]
        write_map(map_path(self._project, run.key), *read_dynamics(folder), [pair.key for pair in pairs], classes)

    def _noted(self, title: str) -> _Noted:
        return _Noted(title, self._problems)

    def _title(self, run: SystemRun) -> str:
        system = self._experiment.systems[run.system]
        if isinstance(system, PeopleSystem):
            return f"{system.title}, person {run.seed + 1}"
        parts = [system.title, *[f"trained on {run.train}"] * bool(run.train), *[f"seed {run.seed}"] * system.varies]
        return ", ".join(parts)

    def _run_folder(self, run: SystemRun) -> Path:
        return models_folder(self._project) / "experiments" / run.key


class _Noted:
    """A context in which a `UserError` becomes a problem of the experiment, which goes on with other systems."""

    def __init__(self, title: str, problems: dict[str, None]) -> None:
        self._title, self._problems = title, problems
        self.problem = ""
        """What was noted; "" for nothing."""

    def __enter__(self) -> _Noted:
        return self

    def __exit__(self, kind: object, exc: BaseException | None, trace: object) -> bool:
        if not isinstance(exc, UserError):
            return False
        self.problem = f"{exc} {exc.hint}".rstrip()
        self._problems[f"{self._title}: {self.problem}"] = None
        return True


def _stored(cell: ExperimentCell, part: int) -> StoredCell:
    run = cell.run
    return StoredCell(cell.key, run.key, run.mapping, run.system, run.train, cell.test, run.seed, part, cell.problem)


def _tested_text(pair: ExperimentText) -> TestedText:
    return TestedText(pair.key, text_hash(pair.premise, pair.hypothesis), pair.premise, pair.hypothesis)
