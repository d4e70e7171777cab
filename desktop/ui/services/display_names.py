"""What the window calls things: fields of a filter and their members, and why candidates are dropped."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from miner.records import Label, PairFlag, Strategy
from storage.pairs.filters import PairFilter, PairStatus, Range

NONE = "none"
NO_LABEL = "no label"
NO_DOMAIN = "No domain"


class Field(NamedTuple):
    """A field of the filter: its name for people, and what its members are called where that is not themselves."""

    name: str
    members: Mapping[str, str] = {}
    unit: str = ""


STATUSES: dict[str, str] = {
    PairStatus.OPEN: "unanswered",
    PairStatus.SETTLED: "settled",
    PairStatus.UNSETTLED: "no majority",
    PairStatus.BAD: "bad",
    PairStatus.GONE: "no longer mined",
}
STRATEGIES: dict[str, str] = {
    Strategy.LINKED: "linked by a phrase",
    Strategy.BOTH_RANDOM: "both drawn",
    Strategy.FIRST_RANDOM: "premise drawn",
    Strategy.SECOND_RANDOM: "hypothesis drawn",
    Strategy.IMPLICIT: "neighbours, no phrase",
    Strategy.IMPORTED: "imported",
}
FLAGS: dict[str, str] = {
    PairFlag.CROSSES_PARAGRAPH: "crosses a paragraph",
    PairFlag.PREMISE_HAS_PHRASE: "premise begins with a phrase",
    PairFlag.NO_COMMA: "no comma after the phrase",
}
DROPPED: dict[str, str] = {  # the whole sentence: `miner.mining.paper_mining.REASONS`
    "fragment": "Broken beginnings",
    "no_final_punctuation": "Unfinished sentences",
    "brackets": "Unmatched brackets",
    "too_short": "Too short",
    "too_long": "Too long",
    "math": "Formulas",
    "citation_only": "Citations alone",
    "heading_glued": "Headings in the sentence",
    "second_phrase": "A second phrase",
    "not_english": "Not English",
    "no_verb": "No verb",
    "duplicate": "Duplicates",
    "no_premise": "Nothing before it",
    "after_break": "Formula or list between",
    "crosses_paragraph": "In another paragraph",
    "too_near": "Drawn too near",
    "same_paragraph": "Drawn in one paragraph",
    "linking_phrase": "Drawn with a phrase",
    "connective": "Drawn with a connective",
    "over_quota": "More neutral than wanted",
    "trap_in_contrast_to": "“In contrast to …”",
    "trap_as_a_result_of": "“As a result of …”",
    "trap_thus_far": "“Thus far”",
    "trap_that_is": "“That is why …”",
    "trap_however_degree": "“However small …”",
    "trap_particularly": "“Particularly in …”",
    "trap_precisely": "“Precisely the …”",
    "trap_yet": "“Yet another …”",
    "trap_no_comma": "No comma after it",
}
_LABELS = {**{label.value: label.value for label in Label}, "": NO_LABEL}

FIELDS = {  # in the order of the menu
    "labels": Field("Class", _LABELS),
    "distant": Field("Distant label", _LABELS),
    "gold": Field("Gold label", {**_LABELS, "": "no gold label"}),
    "statuses": Field("Status", STATUSES),
    "disagrees": Field("People and phrase", {"True": "disagree", "False": "agree"}),
    "contested": Field("Annotators", {"True": "differ", "False": "do not differ"}),
    "annotators": Field("Answered by"),
    "flagged": Field("Flag", {"True": "flagged", "False": "not flagged"}),
    "noted": Field("Note", {"True": "has a note", "False": "no note"}),
    "suggested": Field("Suggested class", {**_LABELS, "": "no suggestion"}),
    "confidence": Field("Model’s confidence", unit="%"),
    "doubt": Field("Model’s doubt", unit="%"),
    "suggestion_agrees": Field("Model and label", {"True": "agree", "False": "differ"}),
    "accepted": Field("Accepted", {"True": "an accepted suggestion", "False": "not an accepted suggestion"}),
    "strategies": Field("Strategy", STRATEGIES),
    "phrases": Field("Linking phrase", {"": "no phrase"}),
    "flags": Field("Mining found", FLAGS),
    "domains": Field("Domain", {"": "no domain"}),
    "years": Field("Year"),
    "papers": Field("Paper"),
    "splits": Field("Split", {"": "no split"}),
    "premise_words": Field("Premise", unit="words"),
    "hypothesis_words": Field("Hypothesis", unit="words"),
    "overlap": Field("Word overlap", unit="%"),
}
RANGES = {"years": (1900, 2100), "premise_words": (0, 500), "hypothesis_words": (0, 500), "overlap": (0, 100)}
RANGES |= dict.fromkeys(("confidence", "doubt"), (0, 100))
YES_NO = frozenset(("disagrees", "contested", "flagged", "noted", "suggestion_agrees", "accepted"))
GROUPS = (7, 9, 14, 17, 21)  # a line in the menu before these


def member_name(field: str, member: object) -> str:
    if member is None:
        return "not known"
    return FIELDS[field].members.get(str(member), str(member))


def asked(filter: PairFilter) -> list[str]:
    """The fields a filter asks something of, the text apart."""
    empty = PairFilter()
    return [field for field in FIELDS if getattr(filter, field) != getattr(empty, field)]


def chip_text(filter: PairFilter, field: str, titles: Mapping[str, str] | None = None) -> str:
    """What a chip says: "Class: reasoning or neutral". `titles`: of papers, by MD5."""
    value = getattr(filter, field)
    name, unit = FIELDS[field].name, FIELDS[field].unit
    if field in RANGES:
        return f"{name}: {range_text(value, unit)}"
    if isinstance(value, bool):
        return f"{name}: {member_name(field, value)}"
    if field == "papers":
        known = [(titles or {}).get(md5) or "one paper" for md5 in sorted(value)]
        return f"Paper: {_short(known[0])}" if len(known) == 1 else f"{len(known):,} papers"
    names = [member_name(field, member) for member in sorted(value, key=_place(field))]
    return f"{name}: {_either(names)}"


def describe(filter: PairFilter) -> str:
    """What a filter asks, in a line; "" when it asks nothing."""
    text = filter.text.strip()
    return " · ".join(([f"“{text}”"] if text else []) + [chip_text(filter, field) for field in asked(filter)])


def capital(text: str) -> str:
    """The text as a label that stands alone."""
    return text[:1].upper() + text[1:]


def dropped(reason: str) -> str:
    """A few words for the reason a candidate was dropped for."""
    return DROPPED.get(reason) or capital(reason.replace("_", " "))


def range_text(limits: Range | None, unit: str = "") -> str:
    low, high = limits or (None, None)
    after = f" {unit}" if unit else ""
    if low is not None and low == high:
        return f"{low}{after}"
    if low is not None and high is not None:
        return f"{low}–{high}{after}"
    return f"from {low}{after}" if low is not None else f"to {high}{after}"


def _place(field: str) -> Callable[[object], tuple[int, str]]:
    order = {str(member): place for place, member in enumerate(FIELDS[field].members)}
    return lambda member: (order.get(str(member), len(order)), str(member))


def _either(names: list[str]) -> str:
    if len(names) > 3:
        return f"{names[0]} or {len(names) - 1} others"
    return " or ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def _short(title: str, most: int = 40) -> str:
    return title if len(title) <= most else title[: most - 1].rstrip() + "…"
