"""The sources of metadata, as users are shown them, and the choice between their values."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from enum import StrEnum
from typing import Generic, NamedTuple, TypeVar

Value = TypeVar("Value")


class Source(StrEnum):
    """A place that metadata is read from; the values are shown to users."""

    FIRST_PAGE = "first page"
    COVER = "cover page"
    LAST_PAGE = "last page"
    CITATION = "citation box"
    HEAD = "running head"
    DATE = "date of publication"
    HISTORY = "dates of receipt and acceptance"
    COPYRIGHT = "copyright line"
    ARXIV = "arXiv stamp"
    XMP = "XMP"
    INFO = "document information"
    CREATION = "date of the file"


class WeighedValue(NamedTuple, Generic[Value]):
    """One source's value and its weight; a sure value weighs `SURE` or more."""

    value: Value
    source: Source
    weight: float


class ChosenValue(NamedTuple, Generic[Value]):
    """The value that was chosen, where it comes from, and whether it is sure."""

    value: Value
    source: Source
    is_sure: bool


SURE = 3.0
_MARGIN = 1.5  # times the weight of the next value
_UNDISPUTED, _UNDISPUTED_MARGIN = 1.0, 3.0  # less weight is enough where other values have hardly any


def weigh(evidence: Iterable[WeighedValue[Value]], *, least: float) -> ChosenValue[Value] | None:
    """The value with the most weight, if that is at least `least`; otherwise None.

    It is sure if it weighs `SURE` and no other value weighs nearly as much, or if no other weighs a third of it.
    """
    weights: defaultdict[Value, float] = defaultdict(float)
    best: dict[Value, WeighedValue[Value]] = {}
    for item in evidence:
        weights[item.value] += item.weight
        if item.value not in best or item.weight > best[item.value].weight:
            best[item.value] = item
    if not weights:
        return None
    order = {value: at for at, value in enumerate(weights)}
    first, *others = sorted(weights, key=lambda value: (-weights[value], order[value]))
    if weights[first] < least:
        return None
    most_other = max((weights[other] for other in others), default=0.0)
    is_sure = (weights[first] >= SURE and weights[first] >= _MARGIN * most_other) or (
        weights[first] >= _UNDISPUTED and weights[first] >= _UNDISPUTED_MARGIN * most_other
    )
    return ChosenValue(first, best[first].source, is_sure)
