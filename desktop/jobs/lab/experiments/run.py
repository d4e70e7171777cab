"""The job that runs an experiment: it computes the cells that are missing, one run after the other."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from desktop.jobs.lab.experiments.data import read_data
from desktop.jobs.lab.experiments.drawing import ExperimentText
from desktop.jobs.lab.experiments.estimates import estimate_missing
from desktop.jobs.lab.experiments.events import (
    ExperimentEvent,
    ExperimentListener,
    ExperimentStarted,
    RunEnded,
    RunStarted,
    TimeEstimated,
)
from desktop.jobs.lab.experiments.given_answers import read_given
from desktop.jobs.lab.experiments.map_files import is_map, map_path
from desktop.jobs.lab.experiments.planning import plan_cells, run_problems
from desktop.jobs.lab.experiments.prompt_models import forget_replies, sent_elsewhere
from desktop.jobs.lab.experiments.results import ExperimentTables, read_tables
from desktop.jobs.lab.experiments.run_computation import RunComputer, run_folder, run_title
from desktop.jobs.lab.experiments.running import experiment_lock
from desktop.jobs.lab.experiments.sources import find_sources
from desktop.translation import tr
from miner.errors import UserError
from miner.lab.experiments.experiment import Experiment
from miner.lab.experiments.experiment_file import to_data
from miner.lab.experiments.plan import ExperimentCell, Plan
from miner.mining.identity import text_hash
from miner.progress import Cancelled, Job, Progress
from storage.changes import Changes
from storage.lab.experiments import ExperimentState, StoredCell
from storage.lab.tested_pairs import TestedPair, TestedText
from storage.project import Project

_IF_STOPPED = tr("What is computed is kept; run the experiment again to compute the rest.")
_REPLACES = tr(
    "The data have changed since this experiment was run: these results replace its earlier ones. Its predictions on "
    "the earlier data are kept; run on that data again, the experiment shows them at once."
)


@dataclass(frozen=True, slots=True)
class ExperimentResult:
    """The result of running an experiment. computed: how many cells were computed now; the others were known.

    problems: why some systems could not be run and some cells were not computed.
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
    """Compute all cells that are not known yet, and store them run by run. folder, text: of the experiment's file.

    When it is cancelled or killed, what is computed is kept. `UserError` where the data cannot be read, or no system
    could be run.
    """

    def work(progress: Progress) -> ExperimentResult:
        with experiment_lock(project):
            return _ExperimentRun(project, experiment, folder, device, progress, text, listener).run()

    return Job(tr("Running the experiment {name}", name=experiment.name), work, _IF_STOPPED)


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
        self._failures: dict[str, None] = {}  # of runs, as they are stored with their cells
        self._notes: list[str] = []

    def run(self) -> ExperimentResult:
        self._sources = find_sources(self._project, self._given, self._folder, self._progress)
        self._problems |= dict.fromkeys(self._sources.problems.values())
        for system in self._given.systems:
            self._notes += sent_elsewhere(system)
        self._data = read_data(self._project, self._given, self._folder, self._progress)
        self._experiment = self._data.experiment
        self._given_systems = read_given(self._project, self._data, self._folder, self._progress)
        for index, text in self._given_systems.problems.items():
            self._problems[f"{self._experiment.systems[index].title}: {text}"] = None
        self._notes += self._given_systems.notes
        planned = plan_cells(self._project, self._data, self._sources.digests, self._given_systems)
        estimate = estimate_missing(
            self._project, self._data, planned, self._sources.models, self._sources.hindrances, self._device
        )
        self._emit(TimeEstimated(estimate))
        forget_replies(self._project)
        id = self._enter(planned)
        computer = RunComputer(
            self._project,
            self._data,
            self._sources,
            self._given_systems,
            run_problems(self._project, planned, self._sources.hindrances),
            self._device,
            self._progress,
            self._emit,
        )
        state, problem = ExperimentState.FAILED, ""
        try:
            self._compute(id, planned, computer)
            finished = self._finished(planned.cells)
            if all(cell.problem or cell.key in finished for cell in planned.cells):
                state = ExperimentState.DONE
            else:
                problem = next(iter(self._failures), "")
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
        if self._problems and not computer.computed and not self._finished(planned.cells):
            raise UserError("\n".join(self._problems))
        with self._project.read_transaction() as stores:
            tables = read_tables(stores, id, with_direction=True)
        problems = tuple(self._problems | refused)
        notes = (*self._data.notes, *self._notes, *computer.notes)
        return ExperimentResult(id, tables, computer.computed, problems, notes)

    def _enter(self, planned: Plan) -> int:
        """Store the experiment with its cells and test parts; returns its id."""
        now = datetime.now(UTC)
        recipe = to_data(self._experiment)
        with self._project.transaction(bulk=True) as stores:
            sources = {**stores.experiments.source_digests(recipe), **self._sources.digests}
            id = stores.experiments.start(
                self._experiment.name,
                recipe,
                f"pairwright {version('pairwright')}",
                now,
                text=self._text,
                folder=str(self._folder.absolute()),
                sources=sources,
            )
            parts = {}
            for test in dict.fromkeys(cell.test for cell in planned.cells):
                pairs = self._data.parts[test]["test"]
                parts[test] = stores.test_parts.enter(_tested_pair(self._experiment, pair) for pair in pairs)
                stores.test_parts.enter_texts(map(_tested_text, pairs))
            cells = [_stored(cell, parts[cell.test]) for cell in planned.cells]
            before = set(stores.cell_predictions.finished(cell.key for cell in stores.experiments.cells(id)))
            if before and before.isdisjoint(cell.key for cell in cells):
                self._notes.append(_REPLACES)
            stores.experiments.set_cells(id, cells)
        return id

    def _compute(self, id: int, planned: Plan, computer: RunComputer) -> None:
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
                shutil.rmtree(run_folder(self._project, run), ignore_errors=True)
        self._emit(ExperimentStarted(id, tuple(run.key for run in missing)))
        for number, run in enumerate(missing):
            title = run_title(self._experiment, run)
            self._emit(RunStarted(run.key, title))
            failure = ""
            with _Noted(title, self._problems) as noted:
                failure = computer.compute(
                    run,
                    by_run[run.key],
                    tr("{number} of {missing}: {title}", number=number + 1, missing=len(missing), title=title),
                )
            if failure:
                self._problems[failure] = None
            if noted.problem:
                failure = f"{self._experiment.systems[run.system].title}: {noted.problem}"
            if failure:
                self._failures[failure] = None
                with self._project.transaction() as stores:
                    stores.experiments.note_failure(id, run.key, failure)
            self._emit(RunEnded(run.key, failure))

    def _emit(self, event: ExperimentEvent) -> None:
        if self._listener is not None:
            self._listener(event)

    def _finished(self, cells: Sequence[ExperimentCell]) -> dict[str, int]:
        with self._project.read_transaction() as stores:
            return stores.cell_predictions.finished(cell.key for cell in cells)


class _Noted:
    """A context in which a `UserError` is noted as a problem, so that the experiment goes on with other systems."""

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


def _tested_pair(experiment: Experiment, pair: ExperimentText) -> TestedPair:
    label = experiment.class_of(pair.label)
    assert label is not None
    hash = text_hash(pair.premise, pair.hypothesis)
    return TestedPair(pair.key, hash, label, pair.domain, pair.strategy, pair.phrase, pair.words, pair.kinds)
