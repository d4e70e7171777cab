"""The cells of an experiment as a grid: the state of each, and its macro F1."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from desktop.jobs.lab.experiments.results import load_experiments, predicted_classes
from desktop.translation import tr
from miner.classifier.metrics import macro_f1
from miner.errors import UserError
from miner.lab.experiments.experiment import Experiment, Table, TableAxis
from miner.lab.experiments.experiment_file import experiment_of
from miner.lab.experiments.scored_cells import class_counts
from miner.lab.experiments.table_captions import score_name
from miner.lab.experiments.table_values import TableView
from miner.libraries import np
from miner.progress import Job, Progress
from storage.errors import translate_decoding_errors
from storage.lab.experiments import StoredCell, StoredExperiment
from storage.project import Project
from storage.stores import Stores
from storage.verification import require_whole_results


class CellState(StrEnum):
    """The state of a cell. REFUSED: it is not to be computed. FAILED: its last run failed."""

    WAITING = "waiting"
    DONE = "done"
    REFUSED = "refused"
    FAILED = "failed"


class GridCell(NamedTuple):
    """A cell. system: its index. score: macro F1 from 0 to 1, None until it is done. problem: why it never will be."""

    key: str
    run: str
    system: int
    train: str
    test: str
    seed: int
    state: CellState
    score: float | None = None
    problem: str = ""


@dataclass(frozen=True, slots=True)
class ExperimentGrid:
    """All cells of an experiment, in the order of systems, train sets, test sets and seeds."""

    stored: StoredExperiment
    experiment: Experiment
    cells: tuple[GridCell, ...]

    @property
    def scores(self) -> dict[str, float]:
        """The macro F1 of the finished cells, by their keys."""
        return {cell.key: cell.score for cell in self.cells if cell.score is not None}


class Headline(NamedTuple):
    """The best number of an experiment's first table, in percent, and what it measures, such as "macro F1"."""

    score: float
    measure: str


def load_grid(project: Project, id: int, known: Mapping[str, float] | None = None) -> Job[ExperimentGrid]:
    """The grid of an experiment. known: scores that need not be computed, by the keys of their cells.

    `UserError` if no experiment has this number.
    """

    def work(progress: Progress) -> ExperimentGrid:
        stored = next((one for one in load_experiments(project).work(progress) if one.id == id), None)
        if stored is None:
            raise UserError(tr("There is no experiment {id}.", id=id))
        experiment = experiment_of(stored.recipe)
        with project.read_transaction() as stores, translate_decoding_errors():
            cells = stores.experiments.cells(id)
            scores = dict(known or {})
            finished = stores.cell_predictions.finished(cell.key for cell in cells)
            missing = [cell for cell in cells if cell.key in finished and cell.key not in scores]
            scores |= _scores(stores, missing, len(experiment.classes))
        return ExperimentGrid(
            stored, experiment, tuple(_grid_cell(cell, scores, finished) for cell in cells)
        )  # fmt: skip

    return Job(tr("Reading the cells of an experiment"), work)


def load_headlines(project: Project, ids: tuple[int, ...]) -> Job[dict[int, Headline]]:
    """The headline of each experiment that has one, by its id."""

    def work(progress: Progress) -> dict[int, Headline]:
        from desktop.jobs.lab.experiments.results import read_tables

        found = {}
        if ids:
            with project.read_transaction() as stores:
                require_whole_results(stores)
        for number, id in enumerate(ids):
            progress.tick(number, len(ids))
            with project.read_transaction() as stores:
                read = read_tables(stores, id, is_verified=True)
            if read.tables and (headline := _headline(read.experiment.tables[0], read.tables[0])) is not None:
                found[id] = headline
        return found

    return Job(tr("Reading the results of experiments"), work)


def _headline(table: Table, view: TableView) -> Headline | None:
    """The best number of a table; where the columns are scores, the best of the score that the table is about."""
    measure = score_name(table)
    columns = [place for place, name in enumerate(view.columns) if name == measure] or range(len(view.columns))
    values = [value.mean for row in view.values for place in columns if (value := row[place]) is not None]
    of_class = tr(" of a class") if table.columns is TableAxis.CLASS else ""
    return Headline(max(values), measure + of_class) if values else None


def _scores(stores: Stores, cells: list[StoredCell], classes: int) -> dict[str, float]:

    parts: dict[int, np.ndarray[tuple[int], np.dtype[np.int64]]] = {}
    found = {}
    for cell, packed in stores.cell_predictions.packed(cells):
        if cell.part not in parts:
            parts[cell.part] = np.array([item.label for item in stores.test_parts.pairs(cell.part)], np.int64)
        predicted = predicted_classes(packed, classes)
        found[cell.key] = float(macro_f1(class_counts(parts[cell.part], predicted, classes)))
    return found


def _grid_cell(cell: StoredCell, scores: Mapping[str, float], finished: Mapping[str, int]) -> GridCell:
    if cell.problem:
        state = CellState.REFUSED
    elif cell.key in finished:
        state = CellState.DONE
    else:
        state = CellState.FAILED if cell.failure else CellState.WAITING
    score = scores.get(cell.key) if state is CellState.DONE else None
    problem = cell.problem or (cell.failure if state is CellState.FAILED else "")
    return GridCell(cell.key, cell.run, cell.system, cell.train, cell.test, cell.seed, state, score, problem)
