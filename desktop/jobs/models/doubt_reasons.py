"""Why a label is doubted, in a line. Imported where work is done: what it computes with takes long to import."""

from __future__ import annotations

from typing import Any

from desktop.text import chance
from miner.classifier.doubt import Kind, Reason, reason
from miner.records import Label, Suggestion


def doubt_reason(suggestion: Suggestion, label: Label | None, noise: Any = None) -> str:
    """A line on why the label is doubted; `noise`: the noise matrix, where it is known."""
    if label is None or suggestion.doubt is None:
        return ""
    return _sentence(reason(suggestion.probabilities, label, noise))


def _sentence(why: Reason) -> str:
    own, its = _percent(why.label_probability), _percent(why.suggested_probability)
    often = f"; {_percent(why.often)} of what is labelled {why.label} seems to be {why.suggested}" if why.often else ""
    match why.kind:
        case Kind.SURE:
            return f"The model is sure it is {why.suggested} ({its}), not {why.label} ({own}){often}."
        case Kind.CONFUSED | Kind.PREFERS:
            return f"The model takes it for {why.suggested} ({its}) rather than {why.label} ({own}){often}."
        case Kind.TORN:
            return f"The model cannot tell {why.label} ({own}) from {why.suggested} ({its}) here."
        case Kind.WEAK:
            return f"{why.label.capitalize()} is likeliest ({own}), but {why.suggested} is not far off ({its})."
        case Kind.NONE:
            return f"The model says {why.label} too ({own})."


def _percent(share: float) -> str:
    """`chance`, its number and sign on one line."""
    return chance(share).replace(" ", "\N{NO-BREAK SPACE}")
