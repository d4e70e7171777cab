"""Scores predictions in a column of imported files, for comparison with models."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from desktop.text import count
from desktop.translation import tr
from miner.classifier.evaluation import EvaluatedModel, EvaluatedPair, ModelResult, evaluate_predictions
from miner.classifier.examples import LABELS
from miner.errors import UserError
from miner.libraries import np
from miner.mining.identity import text_hash
from storage.exchange.import_rows import find_label
from storage.exchange.prediction_files import prediction_label
from storage.project import Project

PREFIX = "column:"
"""What begins the name of a column where a model can be named."""
_SURE = 0.97  # in place of 1, as there are no probabilities; no score depends on it


def evaluate_column(project: Project | None, reference: str, items: Sequence[EvaluatedPair]) -> ModelResult:
    """The scores of a column's predictions on the pairs that have one, without those that depend on probabilities.

    `UserError` where there is no such column, or it has no prediction for these pairs.
    """
    column = reference.removeprefix(PREFIX)
    if project is None:
        raise UserError(
            tr("{reference} is a column of a project, and none is named.", reference=reference),
            hint=tr("Name it: --project FILE"),
        )
    said: dict[bytes, int] = {}
    with project.read_transaction() as stores:
        for hash, value in stores.predictions.of_column(column):
            if label := find_label(prediction_label(value)):
                said.setdefault(hash, LABELS.index(label))
        known = stores.predictions.columns()
    found = [said.get(text_hash(item.premise, item.hypothesis)) for item in items]
    counted = np.array([number is not None for number in found], bool)
    if not counted.any():
        hint = (
            tr("There are {known}.", known=", ".join(known[:20]))
            if known
            else tr("Import a file that has it: pairwright import FILE")
        )
        raise UserError(tr("No column {column} has a prediction for these pairs.", column=column), hint=hint)
    probabilities = np.full((len(items), len(LABELS)), (1 - _SURE) / (len(LABELS) - 1), np.float32)
    for place, number in enumerate(found):
        if number is not None:
            probabilities[place, number] = _SURE
    missing = int((~counted).sum())
    without = count(missing, "of these pairs has", "of these pairs have")
    notes = (
        (tr("{without} no prediction in the column {column}: left out of its scores.", without=without, column=column),)
        if missing
        else ()
    )
    result = evaluate_predictions(EvaluatedModel(reference, column, ""), items, probabilities, counted, notes=notes)
    scores = replace(result.scores, ece=None)
    return replace(result, scores=scores, left_out=0, reliability=(), best_temperature=1.0)
