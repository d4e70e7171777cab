"""What models, columns of predictions and systems of experiments predict for pairs with kinds of reasoning."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from desktop.jobs.kinds.experiment_systems import EXPERIMENT, PredictedLabels, read_systems
from desktop.jobs.models.evaluation import measure_model
from desktop.jobs.models.evaluation_data import EvaluateOptions
from desktop.translation import tr
from miner.classifier.evaluation import EvaluatedPair
from miner.classifier.examples import LABELS
from miner.progress import Progress
from storage.project import Project


def read_predictions(
    project: Project, references: Iterable[str], pairs: Sequence[EvaluatedPair], progress: Progress, *, device: str
) -> list[PredictedLabels]:
    """The labels that these models predict, kept ones or computed and kept now; the models' names are unique.

    references: as for `evaluate`, or `EXPERIMENT` and a number. `UserError` if a model cannot be used.
    """
    found: list[PredictedLabels] = []
    for reference in dict.fromkeys(references):
        if reference.startswith(EXPERIMENT):
            with project.read_transaction() as stores:
                found += read_systems(stores, reference.removeprefix(EXPERIMENT), pairs)
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
