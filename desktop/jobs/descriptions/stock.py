"""What people read of the stock of papers: the names of what papers are counted by, and of its values."""

from __future__ import annotations

from desktop.jobs.papers.edits import FIELD_NAMES
from desktop.text import count
from miner.parsing.language import language_name
from storage.papers.stock import SHORT, NoPairsReason, PaperGroup, PaperProperty

PROPERTY_NAMES = {
    PaperProperty.NO_PAIRS: "No pairs",
    PaperProperty.FAILED: "Not read",
    PaperProperty.TO_CHECK: "To check",
    PaperProperty.DOMAIN: "Domain",
    PaperProperty.YEAR: "Year",
    PaperProperty.LANGUAGE: "Language",
    PaperProperty.JOURNAL: "Journal",
    PaperProperty.LICENCE: "Licence",
    PaperProperty.PARSER: "Parser",
}
"""In the order in which they are shown."""
PARSERS = {"embedded": "Built-in parser", "grobid": "GROBID", "structured": "JSON lines", "jats": "Publisher’s XML"}
FAILURES = {
    "scan": "no text layer",
    "no_text": "no text found",
    "encrypted": "encrypted",
    "damaged": "damaged",
    "empty": "empty file",
    "not_a_paper": "not a paper",
    "not_a_file": "not a file",
    "too_large": "too large",
    "too_many_pages": "too many pages",
    "timeout": "took too long",
    "memory": "too much memory",
    "crash": "crashed the parser",
    "error": "met a bug",
    "missing": "file missing",
    "unreadable": "cannot be read",
    "clash": "forged copy",
    "not_jats": "other XML",
    "not_tei": "other XML",
    "doctype": "unsafe XML",
    "too_deep": "nested too deep",
}
_NO_PAIRS: dict[str, str] = {
    NoPairsReason.OTHER_LANGUAGE: "Other language",
    NoPairsReason.ONLY_ABSTRACT: "Only an abstract",
    NoPairsReason.TOO_SHORT: "Too short",
    NoPairsReason.NO_PHRASE: "No phrase",
}
_WHY: dict[str, str] = {
    NoPairsReason.OTHER_LANGUAGE: "It is not in English, and linking phrases are.",
    NoPairsReason.ONLY_ABSTRACT: "No sentence starts with a linking phrase; there is only an abstract.",
    NoPairsReason.TOO_SHORT: f"No sentence starts with a linking phrase; there are fewer than {SHORT} sentences.",
    NoPairsReason.NO_PHRASE: "No sentence starts with a linking phrase that is switched on.",
}


def value_name(group: PaperGroup) -> str:
    """The name of the group's value, such as "German" or "no year"."""
    match group.property:
        case PaperProperty.NO_PAIRS:
            return _NO_PAIRS.get(group.value, f"Dropped: {group.value.replace('_', ' ')}")
        case PaperProperty.FAILED:
            name = FAILURES.get(group.value, group.value.replace("_", " "))
            return name[:1].upper() + name[1:]
        case PaperProperty.TO_CHECK:
            return FIELD_NAMES.get(group.value, group.value)
        case PaperProperty.LANGUAGE if group.value:
            return language_name(group.value)
        case PaperProperty.PARSER if group.value:
            return PARSERS.get(group.value, group.value)
    return group.value or ("not known" if group.property is PaperProperty.LANGUAGE else f"no {group.property}")


def group_note(group: PaperGroup, number: int) -> str:
    """How many papers or files are in the group, and what it is, in a sentence or two."""
    if group.property is PaperProperty.FAILED:
        return f"{count(number, 'file was', 'files were')} not read: {value_name(group).lower()}."
    papers = count(number, "paper")
    if group.property is PaperProperty.NO_PAIRS:
        return f"{papers} without pairs. {why_no_pairs(group.value)}"
    if group.property is PaperProperty.TO_CHECK:
        verb = "has" if number == 1 else "have"
        return f"{papers} {verb} something to check: {value_name(group)}."
    return f"{papers}. {PROPERTY_NAMES[group.property]}: {value_name(group)}."


def why_no_pairs(value: str) -> str:
    """Why a mined paper has no pairs, in a sentence; `value`: as of the group."""
    if value in _WHY:
        return _WHY[value]
    from desktop.jobs.pairs.statistics import DROP_REASONS  # the window starts without mining

    return f"Most sentences with a linking phrase were dropped for one reason. {DROP_REASONS.get(value, value)}"
