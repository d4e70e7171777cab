"""The systems of experiments whose classes are the four relations, and what they predict of pairs.

Of all jobs outside the lab, only these read results of the lab: how well its systems predict each kind of reasoning.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from desktop.translation import tr
from miner.errors import UserError
from miner.lab.experiments.experiment import FOUR_CLASSES, Experiment
from miner.lab.experiments.experiment_file import experiment_of
from miner.mining.identity import text_hash
from storage.lab.experiments import StoredCell, StoredExperiment
from storage.stores import Stores

if TYPE_CHECKING:
    from miner.classifier.evaluation import EvaluatedPair

EXPERIMENT = "experiment:"
"""What begins an experiment's number where a model can be named: it stands for all its systems.

Behind another colon, the number of one system, from 1.
"""


class PredictedLabels(NamedTuple):
    """The labels that a model predicts, by the pair's key; "" where it gave no answer.

    notes: sentences on what is left out.
    """

    name: str
    by_key: Mapping[str, str]
    notes: tuple[str, ...] = ()


class ExperimentSystem(NamedTuple):
    """A system of an experiment.

    reference: the numbers of the experiment and of the system, as `read_systems` takes them.
    """

    experiment: StoredExperiment
    reference: str
    title: str


def find_systems(stores: Stores) -> Iterator[ExperimentSystem]:
    """The systems of all experiments that have results and the four relations as classes, the newest first."""
    for stored in stores.experiments.all():
        experiment = _four_classes(stored.recipe)
        if experiment is not None and stored.finished:
            for number, system in enumerate(experiment.systems, 1):
                yield ExperimentSystem(stored, f"{stored.id}:{number}", system.title)


def read_systems(stores: Stores, reference: str, pairs: Sequence[EvaluatedPair]) -> list[PredictedLabels]:
    """What each finished system predicts for these pairs, for each training set with the first seed.

    reference: an experiment's number, and after a colon the number of one of its systems, if only that one is wanted.
    `UserError` without predictions.
    """
    number, _, one_system = reference.partition(":")
    try:
        stored = stores.experiments.get(int(number))
    except (KeyError, ValueError) as exc:
        raise UserError(
            tr("There is no experiment {number}.", number=number), hint=tr("See: pairwright experiment --list")
        ) from exc
    experiment = experiment_of(stored.recipe)
    if dict(experiment.classes) != FOUR_CLASSES:
        what = tr(
            "Experiment {number} has the classes {classes}, not the four relations.",
            number=number,
            classes=", ".join(experiment.classes),
        )
        raise UserError(what, hint=tr('Its tables can have a column for each kind: columns = "kind".'))
    cells = stores.experiments.cells(stored.id)
    finished = stores.cell_predictions.finished(cell.key for cell in cells)
    groups: dict[tuple[int, str], list[StoredCell]] = {}
    for cell in cells:
        if cell.key in finished and one_system in ("", str(cell.system + 1)):
            groups.setdefault((cell.system, cell.train), []).append(cell)
    hashes = {pair.key: text_hash(pair.premise, pair.hypothesis) for pair in pairs}
    trains = {train for _, train in groups}
    found = []
    for (system, train), runs in sorted(groups.items()):
        seed = min(cell.seed for cell in runs)
        predictors = {finished[cell.key] for cell in runs if cell.seed == seed}
        said = _labels(stores, predictors, hashes, experiment.class_names)
        title = experiment.systems[system].title
        name = (
            tr("{title}, trained on {train}", title=title, train=train) if train and len(trains - {""}) > 1 else title
        )
        seeds = len({cell.seed for cell in runs})
        notes = [tr("{name}: its first run of {seeds}.", name=name, seeds=seeds)] if seeds > 1 else []
        if said:
            found.append(PredictedLabels(name, said, tuple(notes)))
    if not found:
        what = tr(
            "Experiment {number} has predicted none of the pairs with answers about kinds of reasoning.", number=number
        )
        raise UserError(what, hint=tr("Run one that is tested on them: pairwright experiment kinds"))
    return found


def _labels(
    stores: Stores, predictors: Iterable[int], hashes: Mapping[str, bytes], classes: Sequence[str]
) -> dict[str, str]:
    said: dict[bytes, int] = {}
    for predictor in sorted(predictors):
        said |= stores.predictions.classes(predictor, hashes.values())
    numbers = {key: said[hash] for key, hash in hashes.items() if hash in said}
    return {key: classes[number] if 0 <= number < len(classes) else "" for key, number in numbers.items()}


def _four_classes(recipe: Mapping[str, Any]) -> Experiment | None:
    """The experiment, if its classes are the four relations and this version knows its systems; else None."""
    try:
        experiment = experiment_of(recipe)
    except UserError:
        return None
    return experiment if dict(experiment.classes) == FOUR_CLASSES else None
