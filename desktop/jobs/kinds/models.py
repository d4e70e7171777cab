"""What models, columns of predictions and systems of experiments predict of pairs with kinds of reasoning."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from desktop.jobs.experiments.results import predicted_classes
from desktop.jobs.models.evaluation import measure_model
from desktop.jobs.models.evaluation_data import EvaluateOptions
from desktop.translation import tr
from miner.classifier.evaluation import EvaluatedPair
from miner.classifier.examples import LABELS
from miner.errors import UserError
from miner.lab.experiments.experiment import FOUR_CLASSES
from miner.lab.experiments.experiment_file import experiment_of
from miner.lab.experiments.scored_cells import NOT_ASKED
from miner.mining.identity import text_hash
from miner.progress import Progress
from storage.lab.experiments import StoredCell
from storage.project import Project, Stores

EXPERIMENT = "experiment:"
"""What begins an experiment's number where a model can be named: it stands for all its systems.

Behind another colon, the number of one system, from 1.
"""


class PredictedLabels(NamedTuple):
    """What a model says, by the pair's key; "" where it gave no answer. notes: what is left out, in sentences."""

    name: str
    by_key: Mapping[str, str]
    notes: tuple[str, ...] = ()


def read_predictions(
    project: Project, references: Iterable[str], pairs: Sequence[EvaluatedPair], progress: Progress, *, device: str
) -> list[PredictedLabels]:
    """What these models predict: kept predictions, and others computed and kept. Names are unique.

    references: as for `evaluate`, or `EXPERIMENT` and a number. `UserError` if one cannot be used.
    """
    found: list[PredictedLabels] = []
    for reference in dict.fromkeys(references):
        if reference.startswith(EXPERIMENT):
            with project.read_transaction() as stores:
                found += _of_experiment(stores, reference.removeprefix(EXPERIMENT), pairs)
        else:
            found.append(_of_model(project, reference, pairs, device, progress))
    names = [one.name for one in found]
    return [
        one._replace(name=f"{one.name} {names[: place + 1].count(one.name)}") if names.count(one.name) > 1 else one
        for place, one in enumerate(found)
    ]


def _of_model(
    project: Project, reference: str, pairs: Sequence[EvaluatedPair], device: str, progress: Progress
) -> PredictedLabels:
    result = measure_model(project, reference, pairs, EvaluateOptions(device=device), progress)
    said = {
        pair.key: LABELS[number].value
        for pair, number in zip(pairs, result.predicted.tolist(), strict=True)
        if number >= 0
    }
    notes = list(result.notes)
    if result.left_out:
        notes.append(
            tr(
                "{name} has learned {left_out:,} of these pairs: left out.",
                name=result.subject.name,
                left_out=result.left_out,
            )
        )
    return PredictedLabels(result.subject.name, said, tuple(notes))


def _of_experiment(stores: Stores, reference: str, pairs: Sequence[EvaluatedPair]) -> list[PredictedLabels]:
    """Of each system that is finished, by the training set and the first seed."""
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
    packed: dict[bytes, bytes] = {}
    for predictor in sorted(predictors):
        packed |= stores.predictions.packed(predictor, hashes.values())
    numbers = predicted_classes([packed.get(hash) for hash in hashes.values()], len(classes)).tolist()
    return {
        key: classes[number] if number >= 0 else ""
        for key, number in zip(hashes, numbers, strict=True)
        if number != NOT_ASKED
    }
