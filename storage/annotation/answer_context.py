"""What an annotator saw when they answered, stored with each answer (column `label_events.seen`)."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields
from typing import Any

from miner import codec
from miner.records import Label

_EARLIER_NAMES = {"in": "page", "from": "origin"}


@dataclass(frozen=True, slots=True)
class AnswerContext:
    """The circumstances of an answer; None where they are not known or do not apply.

    The names of the fields are stored, so they do not change.
    """

    premise: str | None = None
    hypothesis: str | None = None
    """Premise and hypothesis as they were on the screen."""
    blind: bool | None = None
    """Whether labels and suggestions were hidden."""
    hidden: tuple[str, ...] | None = None
    """What was hidden: phrase, distant_label or suggestion."""
    distant: Label | None = None
    suggestion: Label | None = None
    confidence: float | None = None
    probabilities: tuple[float, ...] | None = None
    """In the order of `Label`."""
    model: str | None = None
    """The model of the suggestion: its name if the suggestion was on the screen, its digest if it was accepted."""
    seconds: float | None = None
    """How long the pair was on the screen."""
    round: int | None = None
    order: str | None = None
    """The round's order: a `RoundOrder`."""
    chosen: bool | None = None
    """Whether the annotator selected the pairs in the table."""
    context: bool | None = None
    """Whether the paragraph was shown next to the pair."""
    page: str | None = None
    """The page of the window."""
    origin: str | None = None
    """Where an imported answer comes from."""
    together: dict[str, Any] | bool | None = None
    """The filter (`PairFilter.to_data`) of a bulk action; True if the filter is not known."""
    at_least: float | None = None
    """The lowest confidence of accepted suggestions, 0 to 1."""
    undo: int | None = None
    """The id of the action that was undone."""
    redo: int | None = None
    """The id of the action that was redone."""

    def to_json(self) -> str:
        """The fields that are known, as JSON."""
        return codec.encode({name: value for name, value in codec.to_data(self).items() if value is not None})

    @classmethod
    def from_json(cls, text: str) -> AnswerContext:
        """The context that `to_json` wrote, in this or another version. `ValueError` if the text holds no context."""
        known = {field.name for field in fields(cls)}
        values = {_EARLIER_NAMES.get(name, name): value for name, value in dict(json.loads(text)).items()}
        return codec.from_data(cls, {name: value for name, value in values.items() if name in known})


NO_CONTEXT = AnswerContext()
