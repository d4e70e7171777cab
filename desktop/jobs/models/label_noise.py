"""Doubtful labels: how often distant labels are wrong (the noise matrix), and why a model doubts a label, in words.

It imports numpy, so it is not imported in the window's thread.
"""

from __future__ import annotations

from typing import Any

from desktop.text import chance
from desktop.translation import tr
from miner.classifier.doubt import DoubtKind, DoubtReason, find_doubt_reason, finds_too_few, noise_matrix
from miner.classifier.examples import LABELS
from miner.libraries import NDArray, np
from miner.records import Label, Suggestion
from storage.models.suggestions import SuggestionRun
from storage.project import Project
from storage.settings import LABEL_NOISE, LabelNoise
from storage.stores import Stores


def estimate_label_noise(project: Project, run: SuggestionRun) -> None:
    """Estimate, from the suggestions of `run`, the current one, the noise matrix, and the classes it finds too rarely.

    Both are stored in the project.
    """
    labels: list[NDArray[np.int8]] = []
    shares: list[NDArray[np.uint16]] = []
    with project.read_transaction() as stores:
        for piece in stores.suggestion_statistics.doubted_batches():
            labels.append(np.array([LABELS.index(row[0]) for row in piece], np.int8))
            shares.append(np.array([row[1:] for row in piece], np.uint16))
    if labels:
        distant, rows = np.concatenate(labels), np.concatenate(shares)
        matrix = noise_matrix(rows / 10_000, distant)
        pairs = np.bincount(distant, minlength=len(LABELS)).tolist()
        found = np.bincount(distant[rows.argmax(1) == distant], minlength=len(LABELS)).tolist()
        rarely = tuple(label for label, some, all in zip(LABELS, found, pairs, strict=True) if finds_too_few(some, all))
        with project.transaction(bulk=True) as stores:
            stores.settings.put(LABEL_NOISE, LabelNoise(run.id, tuple(map(tuple, matrix.round(2).tolist())), rarely))


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
        often = tr(
            "; about {percent} of the pairs labelled {label} seem to be {suggested}",
            percent=_percent(reason.often),
            label=reason.label,
            suggested=reason.suggested,
        )
    match reason.kind:
        case DoubtKind.SURE:
            return tr(
                "The model is sure it is {suggested} ({its}), not {label} ({own}){often}.",
                suggested=reason.suggested,
                its=its,
                label=reason.label,
                own=own,
                often=often,
            )
        case DoubtKind.CONFUSED | DoubtKind.PREFERS:
            return tr(
                "The model suggests {suggested} ({its}) rather than {label} ({own}){often}.",
                suggested=reason.suggested,
                its=its,
                label=reason.label,
                own=own,
                often=often,
            )
        case DoubtKind.TORN:
            return tr(
                "The model cannot decide between {label} ({own}) and {suggested} ({its}).",
                label=reason.label,
                own=own,
                suggested=reason.suggested,
                its=its,
            )
        case DoubtKind.WEAK:
            return tr(
                "{label} is most likely ({own}), but {suggested} is close ({its}).",
                label=reason.label.capitalize(),
                own=own,
                suggested=reason.suggested,
                its=its,
            )
        case DoubtKind.NONE:
            return tr("The model also suggests {label} ({own}).", label=reason.label, own=own)


def _percent(share: float) -> str:
    """The same as `chance`, with a no-break space before the percent sign."""
    return chance(share).replace(" ", "\N{NO-BREAK SPACE}")
