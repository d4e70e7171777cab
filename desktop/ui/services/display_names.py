"""Names on screen of filter fields, of their values, and of the reasons why candidates are dropped."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from typing import NamedTuple

from desktop.text import DIRECTIONS, count, shortened
from desktop.translation import tr
from miner.mining.drop_reasons import DROP_TEXTS
from miner.records import HypothesisTrait, Label, PairFlag, Strategy
from storage.pairs.filters import ANY_KIND, CONDITIONS, ConditionKind, PairFilter, PairStatus, Range, set_fields

NO_LABEL = tr("no label")
NO_DOMAIN = tr("No domain")
_MAX_TITLE_LENGTH = 40  # of a paper, in a chip
_MAX_CELLS_LENGTH = 80  # of cells of experiments, in a chip
_SEED = re.compile(r", seed \d+")


class FilterField(NamedTuple):
    """The name of a filter field on screen, and how it is chosen there.

    group: the heading in the menu; "" for the most used fields, at the top. members: the names of values, where they
    differ from the values. unit, limits: of a range. tells_label: whether the field is hidden where labels are hidden.
    """

    name: str
    group: str
    members: Mapping[str, str] = {}
    unit: str = ""
    limits: tuple[int, int] = (0, 100)
    tells_label: bool = True


STATUSES: dict[str, str] = {
    PairStatus.OPEN: tr("not annotated yet"),
    PairStatus.SETTLED: tr("annotated"),
    PairStatus.UNSETTLED: tr("no majority"),
    PairStatus.DISCARDED: tr("discarded"),
    PairStatus.BAD: tr("bad"),
    PairStatus.GONE: tr("no longer mined"),
}
STRATEGIES: dict[str, str] = {
    Strategy.LINKED: tr("linked by a phrase"),
    Strategy.BOTH_RANDOM: tr("two random sentences"),
    Strategy.FIRST_RANDOM: tr("random premise"),
    Strategy.SECOND_RANDOM: tr("random hypothesis"),
    Strategy.IMPLICIT: tr("adjacent, no phrase"),
    Strategy.IMPORTED: tr("imported"),
}
FLAGS: dict[str, str] = {
    PairFlag.CROSSES_PARAGRAPH: tr("premise in the paragraph before"),
    PairFlag.PREMISE_HAS_PHRASE: tr("premise begins with a phrase"),
    PairFlag.NO_COMMA: tr("no comma after the phrase"),
}
TRAITS: dict[str, str] = {
    HypothesisTrait.CAPITAL: tr("begins with a capital"),
    HypothesisTrait.PHRASE_START: tr("begins with a linking phrase"),
    HypothesisTrait.PHRASE_NEAR: tr("a linking phrase near the start"),
    HypothesisTrait.CITATION: tr("has a citation"),
    HypothesisTrait.DIGIT: tr("has a digit"),
    HypothesisTrait.NO_STOP: tr("no full stop at the end"),
}
DEVICE_NAMES = {
    "auto": tr("Graphics card if there is one"),
    "cpu": tr("Processor"),
    "cuda": tr("Graphics card (NVIDIA)"),
    "mps": tr("Apple GPU"),
}
_LABELS = {**{label.value: label.value for label in Label}, "": NO_LABEL}

_OFTEN, _ANNOTATION, _ROUNDS, _MODEL = "", tr("Annotation"), tr("Rounds and lists"), tr("Model and experiments")
_MINING, _SENTENCES, _KINDS = tr("Mining and papers"), tr("Sentences"), tr("Kinds of reasoning")
_WORDS, _PERCENT = tr("words"), "%"

FIELDS = {  # in the order of the chips, and of the menu under each heading
    "labels": FilterField(tr("Class"), _OFTEN, _LABELS),
    "distant": FilterField(tr("Distant label"), _ANNOTATION, _LABELS),
    "gold": FilterField(tr("Gold label"), _ANNOTATION, {**_LABELS, "": tr("no gold label")}),
    "statuses": FilterField(tr("Status"), _OFTEN, STATUSES),
    "disagrees": FilterField(
        tr("Annotators and distant label"), _ANNOTATION, {"True": tr("disagree"), "False": tr("agree")}
    ),
    "contested": FilterField(tr("Annotators"), _ANNOTATION, {"True": tr("differ"), "False": tr("do not differ")}),
    "annotators": FilterField(tr("Answered by"), _ANNOTATION, tells_label=False),
    "differing": FilterField(tr("Different answer from"), _ANNOTATION),
    "rounds": FilterField(tr("Annotation round"), _ROUNDS, {"": tr("in no round")}, tells_label=False),
    "lists": FilterField(tr("List"), _ROUNDS, {"": tr("in no list")}),
    "outside_lists": FilterField(tr("Not in the list"), _ROUNDS, {"": tr("no list")}),
    "flagged": FilterField(tr("Flag"), _OFTEN, {"True": tr("flagged"), "False": tr("not flagged")}, tells_label=False),
    "noted": FilterField(tr("Note"), _OFTEN, {"True": tr("has a note"), "False": tr("no note")}, tells_label=False),
    "edited": FilterField(
        tr("Text"), _SENTENCES, {"True": tr("corrected by hand"), "False": tr("as mined")}, tells_label=False
    ),
    "suggested": FilterField(tr("Suggested class"), _OFTEN, {**_LABELS, "": tr("no suggestion")}),
    "confidence": FilterField(tr("Model’s confidence"), _OFTEN, unit=_PERCENT),
    "doubt": FilterField(tr("Model’s doubt"), _MODEL, unit=_PERCENT),
    "suggestion_agrees": FilterField(tr("Model and label"), _MODEL, {"True": tr("agree"), "False": tr("differ")}),
    "accepted": FilterField(tr("Accepted suggestion"), _MODEL, {"True": tr("yes"), "False": tr("no")}),
    "cells": FilterField(tr("Experiment"), _MODEL),
    "misread": FilterField(tr("Predicted"), _MODEL, {"True": tr("wrongly"), "False": tr("correctly")}),
    "predicted": FilterField(tr("Predicted class"), _MODEL, {"": tr("no answer")}),
    "tags": FilterField(tr("Error tag"), _MODEL, {"": tr("no tag")}),
    "strategies": FilterField(tr("How it was mined"), _MINING, STRATEGIES),
    "phrases": FilterField(tr("Linking phrase"), _OFTEN, {"": tr("no phrase")}),
    "flags": FilterField(tr("Mining note"), _MINING, FLAGS),
    "domains": FilterField(tr("Domain"), _OFTEN, {"": tr("no domain")}, tells_label=False),
    "journals": FilterField(tr("Journal"), _MINING, {"": tr("no journal")}, tells_label=False),
    "years": FilterField(tr("Year"), _MINING, limits=(1900, 2100), tells_label=False),
    "papers": FilterField(tr("Paper"), _OFTEN, tells_label=False),
    "splits": FilterField(tr("Split"), _OFTEN, {"": tr("no split")}, tells_label=False),
    "words": FilterField(tr("Length of both sentences"), _SENTENCES, unit=_WORDS, limits=(0, 1000), tells_label=False),
    "premise_words": FilterField(
        tr("Length of the premise"), _SENTENCES, unit=_WORDS, limits=(0, 500), tells_label=False
    ),
    "hypothesis_words": FilterField(
        tr("Length of the hypothesis"), _SENTENCES, unit=_WORDS, limits=(0, 500), tells_label=False
    ),
    "overlap": FilterField(tr("Word overlap"), _SENTENCES, unit=_PERCENT, tells_label=False),
    "traits": FilterField(tr("Form of the hypothesis"), _SENTENCES, TRAITS),
    "kinds": FilterField(tr("Kind of reasoning"), _KINDS, {"": tr("no kind")}),
    "direction": FilterField(tr("Direction"), _KINDS, DIRECTIONS),
    "kinds_differ": FilterField(tr("Annotators disagree on"), _KINDS, {ANY_KIND: tr("any kind")}),
    "kinds_answered": FilterField(
        tr("Questions about kinds of reasoning"), _KINDS, {"True": tr("answered"), "False": tr("not answered")}
    ),
}
GROUPS = (_OFTEN, _ANNOTATION, _ROUNDS, _MODEL, _MINING, _SENTENCES, _KINDS)
"""The headings of the menu, in its order."""


def member_name(field: str, member: object) -> str:
    """The name of a value of a filter field."""
    if member is None:
        return tr("not known")
    return FIELDS[field].members.get(str(member), str(member))


def active_fields(filter: PairFilter) -> list[str]:
    """The fields that a filter restricts, except its text."""
    restricted = set_fields(filter)
    return [field for field in FIELDS if field in restricted]


def chip_text(filter: PairFilter, field: str, titles: Mapping[str, str] | None = None) -> str:
    """The text of a filter chip, such as "Class: reasoning or neutral".

    titles: of papers, by MD5, and names of annotators and of cells of experiments, by key.
    """
    value = getattr(filter, field)
    name, unit = FIELDS[field].name, FIELDS[field].unit
    if CONDITIONS[field].kind is ConditionKind.RANGE:
        return f"{name}: {range_text(value, unit)}"
    if isinstance(value, bool):
        return f"{name}: {member_name(field, value)}"
    if field == "papers":
        papers = [(titles or {}).get(md5) or tr("one paper") for md5 in sorted(value)]
        return (
            tr("Paper: {paper}", paper=shortened(papers[0], _MAX_TITLE_LENGTH))
            if len(papers) == 1
            else tr("{papers:,} papers", papers=len(papers))
        )
    if field == "cells":
        return f"{name}: {shortened(_cells_text(value, titles or {}), _MAX_CELLS_LENGTH)}"
    known = (titles or {}) if field in ("annotators", "differing") else {}
    names = [known.get(member) or member_name(field, member) for member in sorted(value, key=_sort_key(field))]
    return f"{name}: {_or_list(names)}"


def filter_text(filter: PairFilter) -> str:
    """A filter in one line; "" if it restricts nothing."""
    text = filter.text.strip()
    return " · ".join(([f"“{text}”"] if text else []) + [chip_text(filter, field) for field in active_fields(filter)])


def capitalized(text: str) -> str:
    """The text with a capital first letter."""
    return text[:1].upper() + text[1:]


def drop_reason_name(reason: str) -> str:
    """The name of a reason why a candidate is dropped."""
    return tr(DROP_TEXTS[reason].name) if reason in DROP_TEXTS else capitalized(reason.replace("_", " "))


def range_text(limits: Range | None, unit: str = "") -> str:
    """A range of numbers, such as "5–20 words" or "from 2015"."""
    low, high = limits or (None, None)
    suffix = f" {unit}" if unit else ""
    if low is not None and low == high:
        return f"{low}{suffix}"
    if low is not None and high is not None:
        return f"{low}–{high}{suffix}"
    return (
        tr("from {low}{suffix}", low=low, suffix=suffix)
        if low is not None
        else tr("to {high}{suffix}", high=high, suffix=suffix)
    )


def _sort_key(field: str) -> Callable[[object], tuple[int, str]]:
    order = {str(member): position for position, member in enumerate(FIELDS[field].members)}
    return lambda member: (order.get(str(member), len(order)), str(member))


def _cells_text(keys: Collection[str], names: Mapping[str, str]) -> str:
    """The names of cells; runs of a system with different seeds share a name. Cells without names are counted."""
    if not all(key in names for key in keys):
        return count(len(keys), "cell")
    systems = list(dict.fromkeys(_SEED.sub("", names[key]) for key in sorted(keys, key=lambda key: names[key])))
    if len(systems) == 1 < len(keys):
        return tr("{system}, {keys} seeds", system=systems[0], keys=len(keys))
    return _or_list([names[key] for key in keys] if len(keys) == 1 else systems)


def _or_list(names: list[str]) -> str:
    if len(names) > 3:
        return tr("{name} or {names} others", name=names[0], names=len(names) - 1)
    return " or ".join(filter(None, (", ".join(names[:-1]), names[-1])))
