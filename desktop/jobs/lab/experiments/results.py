"""The results of experiments: their tables, made from stored predictions."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from desktop.jobs.lab.experiments.running import running_id
from desktop.jobs.transactions import read_job
from desktop.translation import tr
from miner.errors import UserError
from miner.lab.experiments.direction import DirectionFinding, direction_findings
from miner.lab.experiments.direction_tables import direction_tables
from miner.lab.experiments.experiment import (
    Experiment,
    TableAxis,
)
from miner.lab.experiments.experiment_file import experiment_of
from miner.lab.experiments.plan import ExperimentCell, SystemRun
from miner.lab.experiments.scored_cells import NOT_ASKED, UNREADABLE, ScoredCell, TestPart, length_group
from miner.lab.experiments.table_values import TableView
from miner.lab.experiments.tables import view_tables
from miner.libraries import np
from miner.progress import Job, Progress
from storage.errors import translate_decoding_errors
from storage.lab.experiments import ExperimentState, StoredCell, StoredExperiment
from storage.lab.tested_pairs import TestedPair
from storage.project import Project
from storage.stores import Stores
from storage.verification import require_whole_results


@dataclass(frozen=True, slots=True)
class ExperimentTables:
    """An experiment's tables over its finished cells. problems: why other cells are not finished, each reason once.

    direction: how its systems treat the direction of pairs, if it tests that; () also where `read_tables` is not asked
    for it.
    """

    stored: StoredExperiment
    experiment: Experiment
    tables: tuple[TableView, ...]
    problems: tuple[str, ...]
    direction: tuple[DirectionFinding, ...] = ()


@read_job("Reading an experiment")
def load_tables(stores: Stores, id: int) -> ExperimentTables:
    """The tables of an experiment; `UserError` if there is none with this number."""
    return read_tables(stores, id, with_direction=True)


@read_job("Reading the experiments")
def load_problems(stores: Stores) -> dict[int, tuple[str, ...]]:
    """Why cells of experiments are not computed, each reason once, by the experiment's id."""
    found = {}
    for one in stores.experiments.all():
        cells = stores.experiments.cells(one.id)
        finished = stores.cell_predictions.finished(cell.key for cell in cells)
        found[one.id] = _problems(one, cells, finished)
    return {id: texts for id, texts in found.items() if texts}


def load_experiments(project: Project) -> Job[list[StoredExperiment]]:
    """All experiments, the newest first. An experiment whose program was killed is given as STOPPED."""

    def work(progress: Progress) -> list[StoredExperiment]:
        with project.read_transaction() as stores:
            found = stores.experiments.all()
        live = running_id(project, found)
        return [
            replace(one, state=ExperimentState.STOPPED)
            if one.state is ExperimentState.RUNNING and one.id != live
            else one
            for one in found
        ]

    return Job(tr("Reading the experiments"), work)


@dataclass(frozen=True, slots=True)
class ExperimentCells:
    """An experiment's stored cells, the predictions of the finished ones, and its test parts."""

    stored: StoredExperiment
    experiment: Experiment
    cells: tuple[StoredCell, ...]
    scored: tuple[ScoredCell, ...]
    parts: Mapping[str, TestPart]

    def tables(self) -> ExperimentTables:
        finished = {one.cell.key for one in self.scored}
        views = view_tables(self.experiment, self.scored, self.parts, list(map(_planned, self.cells)))
        views += direction_tables(self.experiment, self.scored, self.parts)
        return ExperimentTables(
            self.stored, self.experiment, tuple(views), _problems(self.stored, self.cells, finished)
        )

    def tables_with_direction(self) -> ExperimentTables:
        """The tables, with how systems treat the direction of pairs; its intervals take one or two seconds."""
        found = direction_findings(self.experiment, self.scored, self.parts)
        return replace(self.tables(), direction=tuple(found))


def _problems(stored: StoredExperiment, cells: Iterable[StoredCell], finished: Container[str]) -> tuple[str, ...]:
    """Why cells are not computed and, if the whole run ended early, why; each reason once."""
    texts = [cell.problem or cell.failure for cell in cells if cell.key not in finished]
    return tuple(dict.fromkeys(filter(None, (*texts, stored.problem))))


def read_tables(
    stores: Stores, id: int, *, with_direction: bool = False, is_verified: bool = False
) -> ExperimentTables:
    """The tables of an experiment; raises as `read_cells`."""
    cells = read_cells(stores, id, is_verified=is_verified)
    return cells.tables_with_direction() if with_direction else cells.tables()


def read_cells(stores: Stores, id: int, *, is_verified: bool = False) -> ExperimentCells:
    """The cells of an experiment; `UserError` if there is none with this number, or results are not what was stored.

    is_verified: the latter has been looked at.
    """
    stored = _get(stores, id)
    if not is_verified:
        require_whole_results(stores)
    experiment = experiment_of(stored.recipe)
    with translate_decoding_errors():
        cells = stores.experiments.cells(id)
        parts: dict[str, TestPart] = {}
        scored = []
        for cell, packed in stores.cell_predictions.packed(cells):
            if cell.test not in parts:
                part = tested_part(stores.test_parts.pairs(cell.part))
                parts[cell.test] = replace(part, gold=stores.test_parts.count_gold(cell.part))
            number = len(experiment.classes)
            first = _first_probabilities(packed, number) if number == 2 else None
            scored.append(ScoredCell(_planned(cell), predicted_classes(packed, number), first))
    return ExperimentCells(stored, experiment, tuple(cells), tuple(scored), parts)


def predicted_classes(packed: Sequence[bytes | None], classes: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """The class of each packed row of probabilities; `UNREADABLE` for a row of zeros, `NOT_ASKED` for none."""
    empty = bytes(4 * classes)
    values = np.frombuffer(b"".join(row or empty for row in packed), "<f4").reshape(len(packed), classes)
    found = np.where(values.any(1), values.argmax(1), UNREADABLE).astype(np.int64)
    found[[row is None for row in packed]] = NOT_ASKED
    return found


def _first_probabilities(packed: Sequence[bytes | None], classes: int) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
    """The probability of the first class by each packed row; 0 where there is none."""
    empty = bytes(4 * classes)
    return np.frombuffer(b"".join(row or empty for row in packed), "<f4").reshape(len(packed), classes)[:, 0]


def tested_part(items: Sequence[TestedPair]) -> TestPart:
    """The classes and groups of the pairs that a cell is tested on."""
    return TestPart(
        np.array([item.label for item in items], np.int64),
        {
            TableAxis.DOMAIN: [item.domain for item in items],
            TableAxis.STRATEGY: [item.strategy for item in items],
            TableAxis.PHRASE: [item.phrase for item in items],
            TableAxis.LENGTH: [length_group(item.words) for item in items],
            TableAxis.KIND: [item.kinds for item in items],
        },
        [item.key for item in items],
    )


def _get(stores: Stores, id: int) -> StoredExperiment:
    try:
        return stores.experiments.get(id)
    except KeyError as exc:
        raise UserError(
            tr("There is no experiment {id}.", id=id), hint=tr("See: pairwright experiment --list")
        ) from exc


def _planned(cell: StoredCell) -> ExperimentCell:
    run = SystemRun(cell.run, cell.system, cell.train, cell.seed, cell.mapping)
    return ExperimentCell(cell.key, run, cell.test, cell.problem, cell.failure)
