"""Jobs about data maps: the map of an experiment, one pair of it, and the map as a file of figures."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from desktop.jobs.lab.experiments.data_map_svg import svg_map
from desktop.jobs.lab.experiments.experiment_map import ExperimentMap, MappedSet
from desktop.jobs.lab.experiments.map_files import map_path, read_map
from desktop.jobs.lab.experiments.results import load_experiments
from desktop.jobs.transactions import read_job
from desktop.jobs.writing import write_lines
from desktop.translation import tr
from miner.errors import UserError
from miner.lab.experiments.cartography import data_map
from miner.lab.experiments.experiment import Experiment
from miner.lab.experiments.experiment_file import experiment_of
from miner.libraries import np
from miner.progress import Job, Progress
from storage.lab.experiments import ExperimentState, StoredExperiment
from storage.pairs.table import PairTableRow
from storage.project import Project
from storage.stores import Stores

_NO_MAP = tr("Experiment {id}, {name}, maps no pairs.")
_NO_MAP_HINT = tr("The ready experiment cartography, “Which training pairs teach a model most?”, makes one.")
_NOT_YET = tr("The map of experiment {id}, {name}, is not there: {why}")
_AGAIN = tr("Run the experiment again: it makes the map and keeps what is computed.")
_DECIMALS = 6


def load_data_map(project: Project, id: int, set: str = "") -> Job[ExperimentMap]:
    """The data map of one of an experiment's mapped sets; "" for the first.

    `UserError` where the experiment maps no set, the map was not made yet, or its file is missing or damaged.
    """

    def work(progress: Progress) -> ExperimentMap:
        stored = _experiment(project, id, progress)
        with project.read_transaction() as stores:
            cells = stores.experiments.cells(id)
        experiment = experiment_of(stored.recipe)
        runs = {experiment.data[cell.train].of: cell.mapping for cell in cells if cell.mapping}
        sets = tuple(MappedSet(name, run) for name, run in runs.items())
        if not sets or experiment.cartography is None:
            raise UserError(_NO_MAP.format(id=id, name=stored.name), hint=_NO_MAP_HINT)
        chosen = next((one for one in sets if one.name == set), sets[0])
        return _read(project, stored, experiment, sets, chosen)

    return Job(tr("Reading a data map"), work)


@read_job("Reading a pair")
def load_mapped_pair(stores: Stores, key: str) -> PairTableRow | None:
    """A pair of a map as a row of the table of pairs; None if it is not in the project."""
    rows = stores.pair_table.rows(stores.pair_table.ids_of([key]))
    return rows[0] if rows else None


def save_data_map(project: Project, id: int, path: Path, set: str = "") -> Job[int]:
    """Write a map as .jsonl, .tsv or .svg; the job's result is its number of pairs.

    `UserError` where it cannot be written.
    """

    def work(progress: Progress) -> int:
        kinds = {".jsonl": _json_lines, ".tsv": _tsv_lines, ".svg": svg_map}
        if path.suffix.lower() not in kinds:
            raise UserError(
                tr("A map cannot be written as {name}.", name=path.name),
                hint=tr("Name it with {kinds}.", kinds=", ".join(kinds)),
            )
        found = load_data_map(project, id, set).work(progress)
        write_lines(path, kinds[path.suffix.lower()](found))
        return len(found)

    return Job(tr("Saving a data map"), work)


def _experiment(project: Project, id: int, progress: Progress) -> StoredExperiment:
    found = {one.id: one for one in load_experiments(project).work(progress)}
    if id not in found:
        raise UserError(tr("There is no experiment {id}.", id=id), hint=tr("See: pairwright experiment --list"))
    return found[id]


def _read(
    project: Project,
    stored: StoredExperiment,
    experiment: Experiment,
    sets: tuple[MappedSet, ...],
    chosen: MappedSet,
) -> ExperimentMap:

    try:
        path = map_path(project, chosen.run)
        dynamics = read_map(path)
        keys = tuple(key.decode("utf-8", "surrogatepass") for key in dynamics.keys.tolist())
        if int(dynamics.classes.max()) >= len(experiment.class_names):
            raise ValueError("a class that the experiment does not have")
    except FileNotFoundError as exc:
        raise UserError(_NOT_YET.format(id=stored.id, name=stored.name, why=_why(stored)), hint=_AGAIN) from exc
    except ValueError as exc:
        what = tr("The map of experiment {id}, {name}, is damaged: {exc}.", id=stored.id, name=stored.name, exc=exc)
        raise UserError(what, hint=_AGAIN) from exc
    except OSError as exc:
        raise UserError(tr("{path} cannot be read: {strerror}.", path=path, strerror=exc.strerror)) from exc
    with project.read_transaction() as stores:
        here = frozenset(stores.pairs.present(keys))
    return ExperimentMap(
        stored.id,
        experiment,
        chosen.name,
        sets,
        len(dynamics.probabilities),
        data_map(dynamics.probabilities, dynamics.correct),
        keys,
        experiment.class_names,
        dynamics.classes,
        np.fromiter((key in here for key in keys), np.bool_, len(keys)),
    )


def _why(stored: StoredExperiment) -> str:
    match stored.state:
        case ExperimentState.RUNNING:
            return tr("the experiment is still running.")
        case ExperimentState.STOPPED:
            return tr("the experiment was stopped before it had one.")
        case ExperimentState.FAILED:
            return tr("the experiment failed before it had one.")
        case ExperimentState.DONE:
            return tr("its file was deleted, or belongs to a copy of the project.")


def _rows(found: ExperimentMap) -> Iterator[tuple[str, str, float, float, float]]:
    """Key, label, confidence, variability and correctness of each pair."""
    data = found.data
    columns = (data.confidence, data.variability, data.correctness)
    figures = zip(*(column.round(_DECIMALS).tolist() for column in columns), strict=True)
    for key, label, (confidence, variability, correctness) in zip(
        found.keys, found.labels.tolist(), figures, strict=True
    ):
        yield key, found.classes[label], confidence, variability, correctness


_COLUMNS = ("key", "label", "confidence", "variability", "correctness")


def _json_lines(found: ExperimentMap) -> Iterator[str]:
    for row in _rows(found):
        yield json.dumps(dict(zip(_COLUMNS, row, strict=True)), ensure_ascii=False)


def _tsv_lines(found: ExperimentMap) -> Iterator[str]:
    yield "\t".join(_COLUMNS)
    for key, label, *figures in _rows(found):
        texts = (" ".join(text.split()) for text in (key, label))
        yield "\t".join([*texts, *map(str, figures)])
