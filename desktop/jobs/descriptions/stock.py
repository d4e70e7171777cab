"""The stock of papers in words: the names of the properties that papers are counted by, and of their values."""

from __future__ import annotations

from desktop.jobs.descriptions.drop_reasons import drop_reason_meaning
from desktop.jobs.papers.edits import FIELD_NAMES
from desktop.text import count
from desktop.translation import tr
from miner.parsing.language import language_name
from miner.parsing.parse_ranks import EMBEDDED, GROBID, JATS, JSON_LINES
from storage.papers.stock import SHORT, NoPairsReason, PaperGroup, PaperProperty

PROPERTY_NAMES = {
    PaperProperty.NO_PAIRS: tr("No pairs"),
    PaperProperty.FAILED: tr("Not read"),
    PaperProperty.TO_CHECK: tr("To check"),
    PaperProperty.DOMAIN: tr("Domain"),
    PaperProperty.YEAR: tr("Year"),
    PaperProperty.LANGUAGE: tr("Language"),
    PaperProperty.JOURNAL: tr("Journal"),
    PaperProperty.LICENCE: tr("Licence"),
    PaperProperty.PARSER: tr("Parser"),
}
"""In the order in which they are shown."""
PARSER_NAMES = {
    EMBEDDED: tr("Built-in parser"),
    GROBID: "GROBID",
    JSON_LINES: tr("JSON lines"),
    JATS: tr("Publisher’s XML"),
}
FAILURES = {
    "scan": tr("no text layer"),
    "no_text": tr("no text found"),
    "encrypted": tr("encrypted"),
    "damaged": tr("damaged"),
    "empty": tr("empty file"),
    "not_a_paper": tr("not a paper"),
    "not_a_file": tr("not a file"),
    "too_large": tr("too large"),
    "too_many_pages": tr("too many pages"),
    "timeout": tr("took too long"),
    "memory": tr("too much memory"),
    "crash": tr("crashed the parser"),
    "error": tr("met a bug"),
    "missing": tr("file missing"),
    "unreadable": tr("cannot be read"),
    "clash": tr("forged copy"),
    "not_jats": tr("other XML"),
    "not_tei": tr("other XML"),
    "doctype": tr("unsafe XML"),
    "too_deep": tr("nested too deep"),
    "hidden_text": tr("hidden text"),
    "not_pdf": tr("not a PDF"),
    "changed": tr("file changed"),
    "bad_line": tr("unreadable line"),
}
_NO_PAIRS: dict[str, str] = {
    NoPairsReason.OTHER_LANGUAGE: tr("Other language"),
    NoPairsReason.ONLY_ABSTRACT: tr("Only an abstract"),
    NoPairsReason.TOO_SHORT: tr("Too short"),
    NoPairsReason.NO_PHRASE: tr("No phrase"),
}
_WHY: dict[str, str] = {
    NoPairsReason.OTHER_LANGUAGE: tr("It is not in English, and linking phrases are."),
    NoPairsReason.ONLY_ABSTRACT: tr("No sentence starts with a linking phrase; there is only an abstract."),
    NoPairsReason.TOO_SHORT: tr(
        "No sentence starts with a linking phrase; there are fewer than {short} sentences.", short=SHORT
    ),
    NoPairsReason.NO_PHRASE: tr("No sentence starts with a linking phrase that is switched on."),
}


def failure_name(code: str) -> str:
    """Why a file is not a paper, in a few words. code: as in `UnreadableFile`."""
    return FAILURES.get(code, code.replace("_", " "))


def value_name(group: PaperGroup) -> str:
    """The name of the group's value, such as "German" or "no year"."""
    match group.property:
        case PaperProperty.NO_PAIRS:
            return _NO_PAIRS.get(group.value, tr("Dropped: {value}", value=group.value.replace("_", " ")))
        case PaperProperty.FAILED:
            name = failure_name(group.value)
            return name[:1].upper() + name[1:]
        case PaperProperty.TO_CHECK:
            return FIELD_NAMES.get(group.value, group.value)
        case PaperProperty.LANGUAGE if group.value:
            return language_name(group.value)
        case PaperProperty.PARSER if group.value:
            return PARSER_NAMES.get(group.value, group.value)
    return group.value or (
        tr("not known") if group.property is PaperProperty.LANGUAGE else tr("no {property}", property=group.property)
    )


def group_note(group: PaperGroup, number: int) -> str:
    """How many papers or files are in the group, and what the group means, in one or two sentences."""
    if group.property is PaperProperty.FAILED:
        return tr(
            "{were} not read: {value_name}.",
            were=count(number, "file was", "files were"),
            value_name=value_name(group).lower(),
        )
    papers = count(number, "paper")
    if group.property is PaperProperty.NO_PAIRS:
        return tr("{papers} without pairs. {why_no_pairs}", papers=papers, why_no_pairs=why_no_pairs(group.value))
    if group.property is PaperProperty.TO_CHECK:
        verb = "has" if number == 1 else "have"
        return tr(
            "{papers} {verb} something to check: {value_name}.", papers=papers, verb=verb, value_name=value_name(group)
        )
    return f"{papers}. {PROPERTY_NAMES[group.property]}: {value_name(group)}."


def why_no_pairs(value: str) -> str:
    """Why a mined paper has no pairs, in a sentence. value: the value of the group."""
    if value in _WHY:
        return _WHY[value]
    return tr(
        "Most sentences with a linking phrase were dropped for one reason. {value}",
        value=drop_reason_meaning(value) or value,
    )
