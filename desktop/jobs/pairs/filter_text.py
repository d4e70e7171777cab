"""Reads filters of pairs from text: conditions such as domain=psychology or year=2015..2020."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from difflib import get_close_matches
from enum import StrEnum
from typing import Any

from desktop.translation import tr
from miner.errors import UserError
from miner.records import HypothesisTrait, Label, PairFlag, Strategy
from miner.splits import SPLITS
from storage.pairs.filters import MAX_RANGE_VALUE, PairFilter, PairStatus, Range
from storage.pairs.pair_kinds import DIRECTIONS

_SYNTAX_HINT = tr("Write domain=psychology, label=reasoning,neutral, year=2015..2020 or flagged=yes.")
_YES_NO = {"yes": True, "no": False}


def read_filter(conditions: Sequence[str]) -> PairFilter:
    """The filter of pairs that match all conditions; `UserError` if one cannot be understood.

    FIELD=VALUE,VALUE matches any of the values (an empty one: pairs without a value). FIELD=LOW..HIGH matches numbers,
    both ends included; either may be left out. FIELD=yes or FIELD=no: with or without. text=... is one value.
    """
    filter = PairFilter()
    for condition in conditions:
        name, equals, value = condition.partition("=")
        name = name.strip().lower()
        if not equals:
            raise UserError(tr("“{condition}” is not a condition.", condition=condition), hint=_SYNTAX_HINT)
        if name not in _FIELDS:
            near = get_close_matches(name, _FIELDS, 1)
            hint = (
                tr("Did you mean {near}?", near=near[0])
                if near
                else tr("There are {fields}.", fields=", ".join(_FIELDS))
            )
            raise UserError(tr("Pairs have no “{name}”.", name=name), hint=hint)
        field, read_value = _FIELDS[name]
        if getattr(filter, field) != getattr(PairFilter(), field):
            raise UserError(
                tr("“{name}” is given twice.", name=name), hint=tr("Name all values at once: {name}=A,B", name=name)
            )
        changed: dict[str, Any] = {field: read_value(value.strip(), name)}
        filter = replace(filter, **changed)
    return filter


def _any_of(members: Sequence[str] = (), kind: type[StrEnum] | None = None) -> Callable[[str, str], frozenset[Any]]:
    known = tuple(kind) if kind else members

    def read(value: str, name: str) -> frozenset[Any]:
        parts = [part.strip() for part in value.split(",")]
        for part in parts:
            if known and part not in known and not (part == "" and kind is None):
                raise UserError(
                    tr("No {name} is called “{part}”.", name=name, part=part),
                    hint=tr("There are {known}.", known=", ".join(known)),
                )
        return frozenset(map(kind, parts)) if kind else frozenset(parts)

    return read


def _number(value: str, name: str) -> Range:
    low, dots, high = value.partition("..")
    try:
        ends = [int(part) if part.strip() else None for part in (low, high if dots else low)]
    except ValueError:
        ends = []
    if ends in ([], [None, None]) or any(end is not None and abs(end) > MAX_RANGE_VALUE for end in ends):
        raise UserError(
            tr("{name} must be a whole number or a range, not “{value}”.", name=name, value=value),
            hint=tr("For example {name}=80..", name=name),
        )
    return ends[0], ends[1]


def _yes_no(value: str, name: str) -> bool:
    if value.lower() not in _YES_NO:
        raise UserError(
            tr("{name} is yes or no, not “{value}”.", name=name, value=value),
            hint=tr("For example {name}=yes", name=name),
        )
    return _YES_NO[value.lower()]


_LABELS = _any_of(tuple(label.value for label in Label))
_FIELDS: dict[
    str, tuple[str, Callable[[str, str], Any]]
] = {  # typed name: the filter's field, and the function that reads its value
    "label": ("labels", _LABELS),
    "distant": ("distant", _LABELS),
    "gold": ("gold", _LABELS),
    "suggested": ("suggested", _LABELS),
    "status": ("statuses", _any_of(kind=PairStatus)),
    "strategy": ("strategies", _any_of(kind=Strategy)),
    "flag": ("flags", _any_of(kind=PairFlag)),
    "trait": ("traits", _any_of(kind=HypothesisTrait)),
    "split": ("splits", _any_of(SPLITS)),
    "phrase": ("phrases", _any_of()),
    "domain": ("domains", _any_of()),
    "journal": ("journals", _any_of()),
    "paper": ("papers", _any_of()),
    "annotator": ("annotators", _any_of()),
    "differing": ("differing", _any_of()),
    "round": ("rounds", _any_of()),
    "list": ("lists", _any_of()),
    "outside_list": ("outside_lists", _any_of()),
    "cell": ("cells", _any_of()),
    "year": ("years", _number),
    "words": ("words", _number),
    "premise_words": ("premise_words", _number),
    "hypothesis_words": ("hypothesis_words", _number),
    "overlap": ("overlap", _number),
    "confidence": ("confidence", _number),
    "doubt": ("doubt", _number),
    "predicted": ("predicted", _any_of()),
    "misread": ("misread", _yes_no),
    "tag": ("tags", _any_of()),
    "kind": ("kinds", _any_of()),
    "kinds_differ": ("kinds_differ", _any_of()),
    "kinds_answered": ("kinds_answered", _yes_no),
    "direction": ("direction", _any_of(DIRECTIONS)),
    "flagged": ("flagged", _yes_no),
    "noted": ("noted", _yes_no),
    "contested": ("contested", _yes_no),
    "accepted": ("accepted", _yes_no),
    "edited": ("edited", _yes_no),
    "disagrees": ("disagrees", _yes_no),
    "agrees": ("suggestion_agrees", _yes_no),
    "text": ("text", lambda value, _: value),
}
