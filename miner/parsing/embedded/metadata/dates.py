"""Weighs what a paper's pages say of its year of publication."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from miner.parsing.embedded.metadata.rows import Row
from miner.parsing.embedded.metadata.sources import Source, WeighedValue

_Y = r"(?<![\d./@-])((?:19[5-9]|20[0-4])\d)(?![\d@])"
_GAP = r"[^\d;]{0,40}?(?:\d{1,2}(?:st|nd|rd|th)?[\s./-]{1,3}(?:\d{1,2}[\s./-])?)?[^\d;]{0,25}?"
_PUBLISHED = re.compile(
    rf"\b(?:e?published|publication\s+date|date\s+of\s+publication|available\s+online|first\s+online|posted|"
    rf"issued?)\b(?!\s+(?:(?:in|by)\s+(?!final)|between|from|since|until|before|after|during|prior|within|over|up\s+to|studies|data|literature)){_GAP}{_Y}",
    re.I,
)
_PUBLISHED_BEHIND = re.compile(rf"\b(?:published)\b[^.]{{0,30}}?:?\s*(?:\d{{1,2}}[./-]){{2}}{_Y}", re.I)
_RECEIVED = re.compile(rf"\b(?:received|submitted|submission)\b{_GAP}{_Y}", re.I)
_ACCEPTED = re.compile(rf"\b(?:accepted|revised|revision)\b{_GAP}{_Y}", re.I)
_COPYRIGHT = re.compile(rf"(?:©|\(c\)|\bcopyright\b|^#|^c\s(?=The Author))[^\d]{{0,60}}?{_Y}", re.I)
_ARXIV = re.compile(
    r"arXiv:\s?\d{4}\.\d{4,5}(?:v\d+)?\s+\[[\w.-]+\]\s+\d{1,2}\s+\w{3}\s+(\d{4})|arXiv:\s?(\d{2})\d{2}\.\d{4,5}"
)
# "Int. J. Mol. Sci. 2022, 23, 2324", "2020;21(2)", "10 (2019)", "(2015) 69:1383", "Vol. 8 February 2021"
_VOLUME = (
    re.compile(
        rf"{_Y}\s?[;,·:]?\s?(?:[A-Z][a-z]{{2,8}}\s?\d{{0,2}}[;,]\s?)?(?:vol(?:ume)?\.?\s?)?\d{{1,4}}"
        rf"\s?(?:[(:,]\s?[\w]|[(]\s?\d)",
        re.I,
    ),
    re.compile(rf"\b\d{{1,4}}\s?(?:\([\w–-]{{1,7}}\)\s?)?,?\s?\({_Y}\)"),
    re.compile(rf"\({_Y}\)\s?\d{{1,4}}\s?(?:[:,(]\s?\w|$)"),
    re.compile(rf"\bvol(?:ume|\.|\b)\s?\.?(?:no\.\s?)?(?:\d{{1,4}}|[IVXLC]+)\b.{{0,50}}?{_Y}", re.I),
    re.compile(rf"{_Y}.{{0,20}}?\bvol(?:ume|\.|\b)\s?\.?(?:\d{{1,4}}|[IVXLC]+)\b", re.I),
)
_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|spring|summer|autumn|fall|winter)[a-z]*\.?"
_HEAD_DATE = re.compile(rf"\b{_MONTH}\s(?:\d{{1,2}},?\s)?{_Y}|\b\d{{1,2}}\s{_MONTH}\s{_Y}", re.I)
_MEETING = re.compile(
    rf"\b(?:proceedings|conference|workshop|symposium|annual meeting|congress)\b[^@]{{0,80}}?{_Y}|"
    rf"{_Y}[^@]{{0,40}}\b(?:conference|workshop|symposium)\b",
    re.I,
)
_DATED = re.compile(
    rf"^\W*(?:dated?|date)\s?:?\s.{{0,20}}?{_Y}|^{_MONTH},?\s(?:\d{{1,2}},?\s)?{_Y}$|^\d{{1,2}}\s{_MONTH},?\s{_Y}$",
    re.I,
)
_NO_DATE = re.compile(r"(?<!\S)\S+@\S+|https?://\S+|\b10\.\d{4,9}/\S+|\bdoi:\s?\S+", re.I)
_CREATED = re.compile(r"D:((?:19|20)\d\d)")
_IMPRINT = re.compile(r"\b(?:journal|vol|issn|doi|issue|bulletin|review)\b", re.I)
_BARE = re.compile(_Y)
_HISTORY = re.compile(r"\b(?:received|submitted|accepted|revised)\b", re.I)
_ANY_YEAR = re.compile(r"(?:19|20)\d\d")
_IN_DOI = re.compile(r"[./-]((?:19[89]|20[0-4])\d)[./-]")
_STATEMENT = re.compile(
    r"publi(?:shed|cation)|available|online|posted|issue|copyright|©|\(c\)|^#|^c\s|accepted|revis|received|submi", re.I
)
_STATEMENTS = (
    (_PUBLISHED, 4.0, Source.DATE),
    (_PUBLISHED_BEHIND, 4.0, Source.DATE),
    (_COPYRIGHT, 2.5, Source.COPYRIGHT),
    (_ACCEPTED, 1.5, Source.HISTORY),
    (_RECEIVED, 0.2, Source.HISTORY),
)
_STAMPED, _HEADED, _IN_TEXT, _NAMED, _BESIDE_JOURNAL = 4.0, 3.0, 1.5, 2.0, 1.0
"""Weights of years: of arXiv's stamp; beside a volume in a head, or elsewhere; of a date; of a year alone in a head."""
_CREATION_WEIGHT, _DOI_WEIGHT = 0.7, 0.5  # of the file's date; of a year in the DOI
_HEAD_END, _FOOT_START = 0.16, 0.88  # of the page's height
_SMALL = 0.95  # of the body size: smaller rows are no prose
_UPPER_PART, _MAX_UPPER = 0.35, 90  # of the page, where a short row in the body's size may be an imprint; characters
_BELOW, _SAME_EDGE, _SAME_SIZE = 0.5, 20, 0.1  # type sizes at least to the next row; points; of the size
_MAX_COMMAS = 6  # before a volume; more are of the authors of a cited work
_MAX_HEAD = 140  # characters
_NEXT = 7  # rows behind one in which the next of its block is
_MAX_ROW = 260  # characters; a longer row is prose


def stamped_years(lines: Iterable[str]) -> Iterator[WeighedValue[int]]:
    for text in lines:
        if match := _ARXIV.search(text):
            yield WeighedValue(int(match[1] or f"20{match[2]}"), Source.ARXIV, _STAMPED)
            return


def printed_years(rows: Sequence[Row], body: float) -> Iterator[WeighedValue[int]]:
    """The years in the rows of an opening page: dates, volumes, copyright. Prose in the body's size is ignored."""
    bottom = max((row.y1 for row in rows), default=1.0)
    years = [_ANY_YEAR.search(row.text) is not None for row in rows]
    for at, row in enumerate(rows):
        has_year = years[at]
        has_word = any(years[at : at + 1 + _NEXT]) and _STATEMENT.search(row.text) is not None
        if not (has_year or has_word) or len(row.text) > _MAX_ROW:
            continue
        text = _without_addresses(row.text)
        is_edge = row.y0 < _HEAD_END * bottom or row.y0 > _FOOT_START * bottom
        is_apart = is_edge or row.size < _SMALL * body
        if has_word and (has_year or _ANY_YEAR.search(_next_text(rows, at))):
            yield from _dates(text, _next_text(rows, at), is_prose=not is_apart)
        if has_year and (is_apart or (row.y0 < _UPPER_PART * bottom and len(text) < _MAX_UPPER)):
            yield from _imprint_years(text, row, is_edge=is_edge)
        if has_year and (match := _DATED.search(text)):
            yield WeighedValue(int(next(filter(None, match.groups()))), Source.FIRST_PAGE, _NAMED)
        if has_year and is_apart and (match := _MEETING.search(text)):
            yield WeighedValue(int(match[1] or match[2]), Source.FIRST_PAGE, _NAMED)


def _dates(text: str, following: str, *, is_prose: bool) -> Iterator[WeighedValue[int]]:
    """The years of "Published", "Accepted" and the like; in prose only where they begin a statement."""
    both = f"{text} {_without_addresses(following)}"
    for pattern, weight, source in _STATEMENTS:
        for match in pattern.finditer(both):
            if match.start() < len(text) and not (is_prose and re.search(r"[\w.]\W{0,2}$", text[: match.start()])):
                yield WeighedValue(int(match[1]), source, weight)


def _imprint_years(text: str, row: Row, *, is_edge: bool) -> Iterator[WeighedValue[int]]:
    """The years beside a volume, of a head, or alone beside the name of a journal."""
    for pattern in _VOLUME:
        if (match := pattern.search(text)) and not _is_citation(text, match.start()):
            yield WeighedValue(int(match[1]), Source.HEAD, _HEADED if is_edge else _IN_TEXT)
            break
    if not is_edge or len(text) > _MAX_HEAD or _HISTORY.search(text):
        return
    if match := _HEAD_DATE.search(text):
        yield WeighedValue(int(match[1] or match[2]), Source.HEAD, _NAMED)
    elif _IMPRINT.search(row.text) and (match := _BARE.search(text)) and not _is_citation(text, match.start()):
        yield WeighedValue(int(match[1]), Source.HEAD, _BESIDE_JOURNAL)


def _next_text(rows: Sequence[Row], at: int) -> str:
    """The text of the next row of the same block."""
    row = rows[at]
    for other in rows[at + 1 : at + 1 + _NEXT]:
        step = other.baseline - row.baseline
        if step > 2 * row.size:
            break
        is_aligned = abs(other.x0 - row.x0) < _SAME_EDGE and abs(other.size - row.size) < _SAME_SIZE * row.size
        if step > _BELOW * row.size and is_aligned:
            return other.text
    return ""


def _without_addresses(text: str) -> str:
    """The text without e-mail addresses, links and DOIs, whose digits are no years."""
    return _NO_DATE.sub(" ", text) if re.search(r"@|http|10\.|doi", text) else text


def _is_citation(text: str, at: int) -> bool:
    """Whether a volume is one of a work that is cited, as in a list of references or a note."""
    before = text[:at]
    return (
        bool(re.match(r"\W*(?:\[?\d{1,3}[\].]\s)", text))
        or before.count(",") > _MAX_COMMAS
        or bool(re.search(r"\(\s?(?:see|e\.g\.)", before))
    )


def created_year(document_info: str) -> Iterator[WeighedValue[int]]:
    if match := _CREATED.match(document_info):
        yield WeighedValue(int(match[1]), Source.CREATION, _CREATION_WEIGHT)


def cited_year(before: str, behind: str) -> int | None:
    """The year in a statement of how to cite the paper, given what stands before and behind its title."""
    found = re.findall(_Y, _without_addresses(before)[-60:]) or re.findall(_Y, _without_addresses(behind)[:160])
    return int(found[-1]) if found else None


def years_in_doi(doi: str) -> Iterator[WeighedValue[int]]:
    if match := _IN_DOI.search(doi):
        yield WeighedValue(int(match[1]), Source.FIRST_PAGE, _DOI_WEIGHT)
