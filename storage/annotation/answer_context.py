"""What an annotator had before them when they answered, kept with each answer in the history."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields
from typing import Any

from miner import codec
from miner.records import Label

_EARLIER_NAMES = {"in": "page", "from": "origin"}


@dataclass(frozen=True, slots=True)
class AnswerContext:
    """None: it is not known, or it was not so. The sentences are those that were on the screen."""

    premise: str | None = None
    hypothesis: str | None = None
    blind: bool | None = None
    hidden: tuple[str, ...] | None = None
    """What was not shown: phrase, distant_label, suggestion."""
    distant: Label | None = None
    suggestion: Label | None = None
    confidence: float | None = None
    probabilities: tuple[float, ...] | None = None
    """In the order of `Label`."""
    model: str | None = None
    """Whose suggestion: the name where it was shown, the digest where it was accepted."""
    seconds: float | None = None
    """How long the pair was on the screen."""
    round: int | None = None
    order: str | None = None
    """How the round's pairs were chosen."""
    chosen: bool | None = None
    """Whether the pairs were chosen in the table instead of by a round."""
    context: bool | None = None
    """Whether the paragraph was open beside the pair."""
    page: str | None = None
    origin: str | None = None
    together: dict[str, Any] | bool | None = None
    """The filter (`PairFilter.to_data`) whose pairs were all answered at once; True where it was not kept."""
    at_least: float | None = None
    """The confidence from which on all suggestions were accepted."""
    undo: int | None = None
    """The action that this takes back."""
    redo: int | None = None
    """The action that this does again."""

    def to_json(self) -> str:
        """Only what is known."""
        return codec.encode({name: value for name, value in codec.to_data(self).items() if value is not None})

    @classmethod
    def from_json(cls, text: str) -> AnswerContext:
        """What `to_json` wrote, in any version of the program; `ValueError` for what is none."""
        known = {field.name for field in fields(cls)}
        named = {_EARLIER_NAMES.get(name, name): value for name, value in dict(json.loads(text)).items()}
        return codec.from_data(cls, {name: value for name, value in named.items() if name in known})


NO_CONTEXT = AnswerContext()
