"""Why a model doubts a label, as a sentence. It imports numpy: not for the window's thread."""

from __future__ import annotations

from typing import Any

from desktop.text import chance
from miner.classifier.doubt import DoubtKind, DoubtReason, find_doubt_reason
from miner.records import Label, Suggestion


def doubt_reason(suggestion: Suggestion, label: Label | None, noise: Any = None) -> str:
    """Why the label is doubted; "" without a label or a doubt. `noise`: the noise matrix (4, 4), where it is known."""
    if label is None or suggestion.doubt is None:
        return ""
    return _sentence(find_doubt_reason(suggestion.probabilities, label, noise))


def _sentence(reason: DoubtReason) -> str:
    own, its = _percent(reason.label_probability), _percent(reason.suggested_probability)
    often = ""
    if reason.often:
        often = f"; {_percent(reason.often)} of what is labelled {reason.label} seems to be {reason.suggested}"
    match reason.kind:
        case DoubtKind.SURE:
            return f"The model is sure it is {reason.suggested} ({its}), not {reason.label} ({own}){often}."
        case DoubtKind.CONFUSED | DoubtKind.PREFERS:
            return f"The model takes it for {reason.suggested} ({its}) rather than {reason.label} ({own}){often}."
        case DoubtKind.TORN:
            return f"The model cannot tell {reason.label} ({own}) from {reason.suggested} ({its}) here."
        case DoubtKind.WEAK:
            return f"{reason.label.capitalize()} is likeliest ({own}), but {reason.suggested} is not far off ({its})."
        case DoubtKind.NONE:
            return f"The model says {reason.label} too ({own})."


def _percent(share: float) -> str:
    """As `chance`, with a no-break space before the sign."""
    return chance(share).replace(" ", "\N{NO-BREAK SPACE}")
