"""Reads filters of pairs from text: conditions such as domain=psychology or year=2015..2020."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from typing import assert_never

from desktop.translation import tr
from miner.errors import UserError
from storage.pairs.filters import (
    CONDITIONS,
    MAX_RANGE_VALUE,
    ConditionKind,
    PairCondition,
    PairFilter,
    Range,
    set_fields,
    with_value,
)

_SYNTAX_HINT = tr("Write domain=psychology, label=reasoning,neutral, year=2015..2020 or flagged=yes.")
_YES_NO = {"yes": True, "no": False}
_FIELDS = {condition.typed: field for field, condition in CONDITIONS.items()}


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
        field = _FIELDS[name]
        if field in set_fields(filter):
            raise UserError(
                tr("“{name}” is given twice.", name=name), hint=tr("Name all values at once: {name}=A,B", name=name)
            )
        filter = with_value(filter, field, _read_value(value.strip(), name, CONDITIONS[field]))
    return filter


def _read_value(value: str, name: str, condition: PairCondition) -> object:
    match condition.kind:
        case ConditionKind.TEXT:
            return value
        case ConditionKind.ONE_OF:
            return _any_of(value, name, condition.values)
        case ConditionKind.RANGE:
            return _number(value, name)
        case ConditionKind.YES_NO:
            return _yes_no(value, name)
    assert_never(condition.kind)


def _any_of(value: str, name: str, known: Sequence[str]) -> frozenset[str]:
    """The set of the values; "" stands for pairs without a value and is refused for an enumeration."""
    kind = type(known[0]) if known else str
    parts = [part.strip() for part in value.split(",")]
    for part in parts:
        if known and part not in known and (part or kind is not str):
            raise UserError(
                tr("No {name} is called “{part}”.", name=name, part=part),
                hint=tr("There are {known}.", known=", ".join(filter(None, known))),
            )
    return frozenset(map(kind, parts))


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
