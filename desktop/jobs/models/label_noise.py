"""Doubtful labels: how often distant labels are wrong (the noise matrix), and why a model doubts one, as a sentence.

It imports numpy, so it is not imported in the window's thread.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from desktop.text import chance
from miner.classifier.doubt import DoubtKind, DoubtReason, find_doubt_reason, noise_matrix
from miner.classifier.examples import LABELS
from miner.records import Label, Suggestion
from storage.models.suggestions import SuggestionRun
from storage.project import Project, Stores
from storage.settings import LABEL_NOISE, LabelNoise


def estimate_label_noise(project: Project, run: SuggestionRun) -> None:
    """Estimate the noise matrix from the suggestions of `run`, the current one, and store it in the project."""
    labels: list[NDArray[np.int8]] = []
    shares: list[NDArray[np.uint16]] = []
    with project.read_transaction() as stores:
        for piece in stores.suggestion_statistics.doubted_batches():
            labels.append(np.array([LABELS.index(row[0]) for row in piece], np.int8))
            shares.append(np.array([row[1:] for row in piece], np.uint16))
    if labels:
        matrix = noise_matrix(np.concatenate(shares) / 10_000, np.concatenate(labels))
        with project.transaction(bulk=True) as stores:
            stores.settings.put(LABEL_NOISE, LabelNoise(run.id, tuple(map(tuple, matrix.round(2).tolist()))))


def known_label_noise(stores: Stores) -> NDArray[Any] | None:
    """The noise matrix, (4, 4): estimated pairs with distant label i (row), true class j (column); None if unknown."""
    kept, shown = stores.settings.get(LABEL_NOISE), stores.suggestions.current_run()
    return np.array(kept.matrix) if kept and shown and kept.run == shown.id else None


def doubt_reason(suggestion: Suggestion, label: Label | None, noise: Any = None) -> str:
    """Why the label is doubted, as a sentence; "" without a label or a doubt. noise: the noise matrix, if known."""
    if label is None or suggestion.doubt is None:
        return ""
    return _sentence(find_doubt_reason(suggestion.probabilities, label, noise))


def _sentence(reason: DoubtReason) -> str:
    own, its = _percent(reason.label_probability), _percent(reason.suggested_probability)
    often = ""
    if reason.often:
        often = f"; about {_percent(reason.often)} of the pairs labelled {reason.label} seem to be {reason.suggested}"
    match reason.kind:
        case DoubtKind.SURE:
            return f"The model is sure it is {reason.suggested} ({its}), not {reason.label} ({own}){often}."
        case DoubtKind.CONFUSED | DoubtKind.PREFERS:
            return f"The model suggests {reason.suggested} ({its}) rather than {reason.label} ({own}){often}."
        case DoubtKind.TORN:
            return f"The model cannot decide between {reason.label} ({own}) and {reason.suggested} ({its})."
        case DoubtKind.WEAK:
            return f"{reason.label.capitalize()} is most likely ({own}), but {reason.suggested} is close ({its})."
        case DoubtKind.NONE:
            return f"The model also suggests {reason.label} ({own})."


def _percent(share: float) -> str:
    """As `chance`, with a no-break space before the sign."""
    return chance(share).replace(" ", "\N{NO-BREAK SPACE}")
