"""Names on screen: of filter fields and their values, and of the reasons why candidates are dropped."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from typing import NamedTuple

from desktop.text import DIRECTIONS, count, shortened
from miner.records import HypothesisTrait, Label, PairFlag, Strategy
from storage.pairs.filters import ANY_KIND, PairFilter, PairStatus, Range

NO_LABEL = "no label"
NO_DOMAIN = "No domain"
_MAX_TITLE_LENGTH = 40  # of a paper, in a chip
_MAX_CELLS_LENGTH = 80  # of cells of experiments, in a chip
_SEED = re.compile(r", seed \d+")


class FilterField(NamedTuple):
    """The name of a filter field on screen, the names of its values where they differ from these, and its unit."""

    name: str
    members: Mapping[str, str] = {}
    unit: str = ""


STATUSES: dict[str, str] = {
    PairStatus.OPEN: "not annotated yet",
    PairStatus.SETTLED: "annotated",
    PairStatus.UNSETTLED: "no majority",
    PairStatus.DISCARDED: "discarded",
    PairStatus.BAD: "bad",
    PairStatus.GONE: "no longer mined",
}
STRATEGIES: dict[str, str] = {
    Strategy.LINKED: "linked by a phrase",
    Strategy.BOTH_RANDOM: "two random sentences",
    Strategy.FIRST_RANDOM: "random premise",
    Strategy.SECOND_RANDOM: "random hypothesis",
    Strategy.IMPLICIT: "adjacent, no phrase",
    Strategy.IMPORTED: "imported",
}
FLAGS: dict[str, str] = {
    PairFlag.CROSSES_PARAGRAPH: "premise in the paragraph before",
    PairFlag.PREMISE_HAS_PHRASE: "premise begins with a phrase",
    PairFlag.NO_COMMA: "no comma after the phrase",
}
TRAITS: dict[str, str] = {
    HypothesisTrait.CAPITAL: "begins with a capital",
    HypothesisTrait.PHRASE_START: "begins with a linking phrase",
    HypothesisTrait.PHRASE_NEAR: "a linking phrase near the start",
    HypothesisTrait.CITATION: "has a citation",
    HypothesisTrait.DIGIT: "has a digit",
    HypothesisTrait.NO_STOP: "no full stop at the end",
}
DROP_REASON_NAMES: dict[str, str] = {  # as whole sentences: `miner.mining.paper_mining.REASONS`
    "fragment": "Incomplete beginnings",
    "open_end": "Formula or “:” at end",
    "no_final_punctuation": "No final punctuation",
    "unreadable": "Unreadable characters",
    "brackets": "Unmatched brackets",
    "too_short": "Too short",
    "too_long": "Too long",
    "math": "Formulas",
    "citation_only": "Only citations",
    "heading_glued": "Headings in the sentence",
    "second_phrase": "A second linking phrase",
    "not_english": "Not English",
    "no_verb": "No verb",
    "duplicate": "Duplicates",
    "no_premise": "No sentence before it",
    "after_break": "Formula or list between",
    "crosses_paragraph": "In another paragraph",
    "too_near": "Too close in the paper",
    "same_paragraph": "Both in one paragraph",
    "shared_words": "Shared topic",
    "little_shared": "Too few shared words",
    "linking_phrase": "With a linking phrase",
    "connective": "With a connective",
    "over_quota": "Enough neutral pairs",
    "trap_in_contrast_to": "“In contrast to …”",
    "trap_as_a_result_of": "“As a result of …”",
    "trap_thus_far": "“Thus far”",
    "trap_that_is": "“That is why …”",
    "trap_however_degree": "“However small …”",
    "trap_particularly": "“Particularly in …”",
    "trap_precisely": "“Precisely the …”",
    "trap_yet": "“Yet another …”",
    "trap_no_comma": "No comma after phrase",
}
_LABELS = {**{label.value: label.value for label in Label}, "": NO_LABEL}

FIELDS = {  # in the order of the chips
    "labels": FilterField("Class", _LABELS),
    "distant": FilterField("Distant label", _LABELS),
    "gold": FilterField("Gold label", {**_LABELS, "": "no gold label"}),
    "statuses": FilterField("Status", STATUSES),
    "disagrees": FilterField("Annotators and distant label", {"True": "disagree", "False": "agree"}),
    "contested": FilterField("Annotators", {"True": "differ", "False": "do not differ"}),
    "annotators": FilterField("Answered by"),
    "differing": FilterField("Different answer from"),
    "rounds": FilterField("Annotation round", {"": "in no round"}),
    "lists": FilterField("List", {"": "in no list"}),
    "outside_lists": FilterField("Not in the list", {"": "no list"}),
    "cells": FilterField("Experiment"),
    "misread": FilterField("Predicted", {"True": "wrongly", "False": "correctly"}),
    "predicted": FilterField("Predicted class", {"": "no answer"}),
    "tags": FilterField("Error tag", {"": "no tag"}),
    "flagged": FilterField("Flag", {"True": "flagged", "False": "not flagged"}),
    "noted": FilterField("Note", {"True": "has a note", "False": "no note"}),
    "edited": FilterField("Text", {"True": "corrected by hand", "False": "as mined"}),
    "suggested": FilterField("Suggested class", {**_LABELS, "": "no suggestion"}),
    "confidence": FilterField("Model’s confidence", unit="%"),
    "doubt": FilterField("Model’s doubt", unit="%"),
    "suggestion_agrees": FilterField("Model and label", {"True": "agree", "False": "differ"}),
    "accepted": FilterField("Accepted suggestion", {"True": "yes", "False": "no"}),
    "strategies": FilterField("How it was mined", STRATEGIES),
    "phrases": FilterField("Linking phrase", {"": "no phrase"}),
    "flags": FilterField("Mining note", FLAGS),
    "domains": FilterField("Domain", {"": "no domain"}),
    "journals": FilterField("Journal", {"": "no journal"}),
    "years": FilterField("Year"),
    "papers": FilterField("Paper"),
    "splits": FilterField("Split", {"": "no split"}),
    "words": FilterField("Length of both sentences", unit="words"),
    "premise_words": FilterField("Length of the premise", unit="words"),
    "hypothesis_words": FilterField("Length of the hypothesis", unit="words"),
    "overlap": FilterField("Word overlap", unit="%"),
    "traits": FilterField("Form of the hypothesis", TRAITS),
    "kinds": FilterField("Kind of reasoning", {"": "no kind"}),
    "direction": FilterField("Direction", DIRECTIONS),
    "kinds_differ": FilterField("Annotators disagree on", {ANY_KIND: "any kind"}),
    "kinds_answered": FilterField("Questions about kinds of reasoning", {"True": "answered", "False": "not answered"}),
}
RANGE_LIMITS = {"years": (1900, 2100), "words": (0, 1000), "premise_words": (0, 500), "hypothesis_words": (0, 500)}
RANGE_LIMITS |= dict.fromkeys(("overlap", "confidence", "doubt"), (0, 100))
YES_NO = frozenset(
    (
        "disagrees",
        "misread",
        "contested",
        "flagged",
        "noted",
        "suggestion_agrees",
        "accepted",
        "edited",
        "kinds_answered",
    )
)
COMMON_FIELDS = (  # what people filter by most: at the top of the menu
    "labels",
    "statuses",
    "flagged",
    "noted",
    "suggested",
    "confidence",
    "phrases",
    "domains",
    "papers",
    "splits",
)
FIELD_GROUPS: Mapping[str, tuple[str, ...]] = {  # the others, under headings
    "Annotation": ("distant", "gold", "disagrees", "contested", "annotators", "differing"),
    "Rounds and lists": ("rounds", "lists", "outside_lists"),
    "Model and experiments": ("doubt", "suggestion_agrees", "accepted", "cells", "misread", "predicted", "tags"),
    "Mining and papers": ("strategies", "flags", "journals", "years"),
    "Sentences": ("edited", "words", "premise_words", "hypothesis_words", "overlap", "traits"),
    "Kinds of reasoning": ("kinds", "direction", "kinds_differ", "kinds_answered"),
}


def member_name(field: str, member: object) -> str:
    """The name of a value of a filter field."""
    if member is None:
        return "not known"
    return FIELDS[field].members.get(str(member), str(member))


def active_fields(filter: PairFilter) -> list[str]:
    """The fields that a filter restricts, without its text."""
    empty = PairFilter()
    return [field for field in FIELDS if getattr(filter, field) != getattr(empty, field)]


def chip_text(filter: PairFilter, field: str, titles: Mapping[str, str] | None = None) -> str:
    """The text of a filter chip, such as "Class: reasoning or neutral".

    titles: of papers, by MD5, and names of annotators and of cells of experiments, by key.
    """
    value = getattr(filter, field)
    name, unit = FIELDS[field].name, FIELDS[field].unit
    if field in RANGE_LIMITS:
        return f"{name}: {range_text(value, unit)}"
    if isinstance(value, bool):
        return f"{name}: {member_name(field, value)}"
    if field == "papers":
        papers = [(titles or {}).get(md5) or "one paper" for md5 in sorted(value)]
        return f"Paper: {shortened(papers[0], _MAX_TITLE_LENGTH)}" if len(papers) == 1 else f"{len(papers):,} papers"
    if field == "cells":
        return f"{name}: {shortened(_cells_text(value, titles or {}), _MAX_CELLS_LENGTH)}"
    known = (titles or {}) if field in ("annotators", "differing") else {}
    names = [known.get(member) or member_name(field, member) for member in sorted(value, key=_sort_key(field))]
    return f"{name}: {_or_list(names)}"


def filter_text(filter: PairFilter) -> str:
    """A filter in one line; "" for one that restricts nothing."""
    text = filter.text.strip()
    return " · ".join(([f"“{text}”"] if text else []) + [chip_text(filter, field) for field in active_fields(filter)])


def capitalized(text: str) -> str:
    """The text with a capital first letter."""
    return text[:1].upper() + text[1:]


def drop_reason_name(reason: str) -> str:
    """The name of a reason why a candidate is dropped."""
    return DROP_REASON_NAMES.get(reason) or capitalized(reason.replace("_", " "))


def range_text(limits: Range | None, unit: str = "") -> str:
    """A range of numbers, such as "5–20 words" or "from 2015"."""
    low, high = limits or (None, None)
    suffix = f" {unit}" if unit else ""
    if low is not None and low == high:
        return f"{low}{suffix}"
    if low is not None and high is not None:
        return f"{low}–{high}{suffix}"
    return f"from {low}{suffix}" if low is not None else f"to {high}{suffix}"


def _sort_key(field: str) -> Callable[[object], tuple[int, str]]:
    order = {str(member): position for position, member in enumerate(FIELDS[field].members)}
    return lambda member: (order.get(str(member), len(order)), str(member))


def _cells_text(keys: Collection[str], names: Mapping[str, str]) -> str:
    """Names of cells; runs with different seeds of the same system are one name. Cells without names are counted."""
    if not all(key in names for key in keys):
        return count(len(keys), "cell")
    systems = list(dict.fromkeys(_SEED.sub("", names[key]) for key in sorted(keys, key=lambda key: names[key])))
    if len(systems) == 1 < len(keys):
        return f"{systems[0]}, {len(keys)} seeds"
    return _or_list([names[key] for key in keys] if len(keys) == 1 else systems)


def _or_list(names: list[str]) -> str:
    if len(names) > 3:
        return f"{names[0]} or {len(names) - 1} others"
    return " or ".join(filter(None, (", ".join(names[:-1]), names[-1])))
