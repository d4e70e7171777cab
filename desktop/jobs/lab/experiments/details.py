"""What the window shows of an experiment beside its tables: who predicted, confusions, and misread rows of files."""

from __future__ import annotations

import struct
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from desktop.jobs.lab.experiments.results import ExperimentTables, predicted_classes, read_tables, tested_part
from desktop.jobs.transactions import read_job
from desktop.translation import tr
from miner.errors import UserError
from miner.lab.experiments.experiment import TableAxis
from miner.lab.experiments.experiment_file import experiment_of
from miner.lab.experiments.scored_cells import class_counts, groups_of_pair
from miner.libraries import np
from miner.progress import Job, Progress
from storage.errors import translate_decoding_errors
from storage.lab.experiments import StoredCell
from storage.models.predictions import PredictorInfo
from storage.project import Project
from storage.stores import Stores

MAX_ROWS = 2_000


class TestSet(NamedTuple):
    """The test part of a set. outside: how many of its pairs are not in the project; removed: these were once.

    The others of those outside were never in it, such as pairs of files.
    """

    name: str
    pairs: int
    outside: int
    removed: int


@dataclass(frozen=True, slots=True)
class ExperimentDetails:
    """An experiment's tables and what the window shows beside them.

    predictors: of its finished cells, in the order of its runs. tests: what each cell is tested on, by the cell's key.
    refused: the reasons why cells are not computed or have failed, each once.
    """

    tables: ExperimentTables
    predictors: tuple[PredictorInfo, ...]
    tests: Mapping[str, TestSet]
    refused: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ConfusionMatrix:
    """How often pairs of each class (rows) are predicted as each class (columns); the last column: no answer.

    counts: the sums over all runs. runs: the number of runs.
    """

    classes: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]
    runs: int


class MisreadRow(NamedTuple):
    """A pair of a file that a run misread. probability: of the predicted class; None without an answer."""

    key: str
    premise: str
    hypothesis: str
    label: str
    predicted: str
    probability: float | None


class MisreadRows(NamedTuple):
    """The first misread pairs that are not in the project, and how many there are in all."""

    rows: tuple[MisreadRow, ...]
    total: int


@read_job("Reading an experiment")
def load_details(stores: Stores, id: int) -> ExperimentDetails:
    """The tables and details of an experiment; `UserError` if there is none with this number."""
    tables = read_tables(stores, id, with_direction=True)
    cells = stores.experiments.cells(id)
    parts = {cell.part: cell.test for cell in cells}
    test_parts = stores.test_parts
    sets = {part: TestSet(name, test_parts.size(part), *test_parts.outside(part)) for part, name in parts.items()}
    tests = {cell.key: sets[cell.part]._replace(name=cell.test) for cell in cells}
    finished = stores.cell_predictions.finished(cell.key for cell in cells)
    refused = dict.fromkeys(
        _refused_text(cell) if cell.problem else tr("Not computed: {failure}", failure=cell.failure)
        for cell in cells
        if cell.problem or (cell.failure and cell.key not in finished)
    )
    return ExperimentDetails(tables, tuple(stores.cell_predictions.predictors(id)), tests, tuple(refused))


def load_confusion(
    project: Project, id: int, keys: Collection[str], axis: TableAxis | None = None, group: str = ""
) -> Job[ConfusionMatrix]:
    """The confusion matrix of the finished cells among these, over the pairs of a group; "" stands for all pairs."""

    def work(progress: Progress) -> ConfusionMatrix:
        with project.read_transaction() as stores, translate_decoding_errors():
            experiment = experiment_of(_recipe(stores, id))
            cells = _cells(stores, id, keys)
            size = len(experiment.class_names)
            counts = np.zeros((size, size + 1), np.int64)
            runs = 0
            parts = {}
            for cell, packed in stores.cell_predictions.packed(cells):
                if cell.part not in parts:
                    parts[cell.part] = tested_part(stores.test_parts.pairs(cell.part))
                part = parts[cell.part]
                members = np.ones(len(part.classes), bool)
                if axis is not None and group and axis in part.groups:
                    members = np.array([group in groups_of_pair(axis, name) for name in part.groups[axis]], bool)
                predicted = predicted_classes(packed, size)
                counts += class_counts(part.classes[members], predicted[members], size)
                runs += 1
        return ConfusionMatrix(experiment.class_names, tuple(map(tuple, counts.tolist())), runs)

    return Job(tr("Counting confusions"), work)


def load_misread_rows(project: Project, id: int, keys: Collection[str]) -> Job[MisreadRows]:
    """The pairs that the first of these cells misread and the project lacks, the most confident errors first."""

    def work(progress: Progress) -> MisreadRows:
        with project.read_transaction() as stores, translate_decoding_errors():
            names = experiment_of(_recipe(stores, id)).class_names
            finished = stores.cell_predictions.finished(keys)
            cells = [cell for cell in _cells(stores, id, keys) if cell.key in finished]
            found = []
            for row in stores.cell_predictions.tested_rows(cells[0]) if cells else ():
                if row.in_project or row.predicted == row.label or row.packed is None:
                    continue
                predicted = names[row.predicted] if row.predicted >= 0 else tr("no answer")
                values = struct.unpack(f"<{len(row.packed) // 4}f", row.packed)
                probability = values[row.predicted] if row.predicted >= 0 else None
                found.append(MisreadRow(row.key, row.premise, row.hypothesis, names[row.label], predicted, probability))
        found.sort(key=lambda row: -(row.probability or 0))
        return MisreadRows(tuple(found[:MAX_ROWS]), len(found))

    return Job(tr("Reading misread rows"), work)


def _refused_text(cell: StoredCell) -> str:
    trained = tr("trained on {train}, ", train=cell.train) if cell.train else ""
    return tr(
        "Not computed: {trained}tested on {test}. {problem}", trained=trained, test=cell.test, problem=cell.problem
    )


def _recipe(stores: Stores, id: int) -> Mapping[str, object]:
    try:
        return stores.experiments.get(id).recipe
    except KeyError as exc:
        raise UserError(tr("There is no experiment {id}.", id=id), hint=tr("It may have been forgotten.")) from exc


def _cells(stores: Stores, id: int, keys: Collection[str]) -> Sequence[StoredCell]:
    wanted = frozenset(keys)
    return [cell for cell in stores.experiments.cells(id) if cell.key in wanted]
