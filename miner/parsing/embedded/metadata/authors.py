"""Reads the authors' names from the rows below a title, or above it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from miner.parsing.embedded.metadata.letters import letters
from miner.parsing.embedded.metadata.names import is_name, names_in, surname
from miner.parsing.embedded.metadata.rows import MARK, Row
from miner.parsing.embedded.metadata.title import TitleBlock

_END = re.compile(
    r"^\W*(?:\d\.?\s+|i\.?\s+)?(?:a\s?b\s?s\s?t\s?r\s?a\s?c\s?t|introduction|summary|background|key\s?words|objectives?|received|significance|resumen?|zusammenfassung|"
    r"résumé|highlights|article\s+info|a\s?r\s?t\s?i\s?c\s?l\s?e\s+i\s?n\s?f\s?o|publication\s+history|contents|synopsis|plain\s+language|graphical)\b",
    re.I,
)
_LABEL = re.compile(r"^\W*(?:authors?|by|written\s+by|author\(s\))\s*:?\s*(?:details)?\W*$", re.I)
_CLOSED = re.compile(rf"[,;|·•&{MARK}\d*†‡]\s*$|\band\s*$")
_MAX_ROWS = 60
_REACH = 22  # sizes of the title below it
_MIN_SHARE = 0.6  # of a row's pieces that are names


def find_authors(rows: Sequence[Row], title: TitleBlock) -> list[str]:
    """The names in the rows below the title, in order; if there are none, in those above it."""
    last = max(title.rows, key=lambda row: row.baseline)
    used = set(map(id, title.rows))
    below = [row for row in rows if row.baseline > last.baseline - 0.3 * last.size and id(row) not in used]
    if names := _labelled_names(below):
        return names
    left, right = min(row.x0 for row in title.rows) - 30, max(row.x1 for row in title.rows) + 30
    names = _read_names([row for row in below if row.x1 > left and row.x0 < right][:_MAX_ROWS], title, downwards=True)
    if names:
        return names
    top = title.rows[0].baseline
    above = [row for row in rows if top - 160 < row.baseline < top and id(row) not in used]
    return _read_names(above, title, downwards=False)


def _labelled_names(rows: Sequence[Row]) -> list[str]:
    """The names in the rows below "Authors:", one each or several."""
    for at, row in enumerate(rows):
        if not _LABEL.match(row.text):
            continue
        names: list[str] = []
        last = row
        for other in rows[at + 1 :]:
            if other.baseline - last.baseline > 3 * row.size:
                break
            if abs(other.x0 - row.x0) < 8:
                good = [piece for piece in names_in(other.marked) if is_name(piece)]
                if not good:
                    break
                names += good
                last = other
        if names and len(names) >= 1 and not any("," in other for other in names):
            return names
    return []


def _read_names(rows: Sequence[Row], title: TitleBlock, *, downwards: bool) -> list[str]:
    first = last = None
    names: list[str] = []
    ends: list[Row] = []  # rows that begin what is no list of names, in their columns
    is_list = False  # whether the row above has commas between its names, so that one would end a name
    rest = ""  # the end of the row above, where a name may be broken
    for row in rows:
        if downwards and _END.match(row.text):
            ends.append(row)
        if any(row.x1 > end.x0 and row.x0 < end.x1 for end in ends):
            continue
        if first is None and downwards and row.baseline - title.rows[-1].baseline > _REACH * title.size:
            break
        if first is not None and last is not None:
            if not _has_type(row, first):
                continue
            if row.baseline - last.baseline > (4 if len(names) > 5 else 12) * first.size:
                break
        pieces = list(names_in(row.marked))
        if rest and pieces and last is not None and row.baseline - last.baseline < 2 * row.size:
            is_broken = not is_name(pieces[0]) or not is_name(rest) or (is_list and len(pieces) > 1)
            if is_broken and is_name(whole := f"{rest} {pieces[0]}"):
                pieces[0] = whole
                if names and names[-1] == rest:
                    names.pop()
        rest = ""
        is_list = len(pieces) > 2 and row.marked.count(",") >= len(pieces) - 1 and not re.search(r"\band\s", row.marked)
        good = [piece for piece in pieces if is_name(piece)]
        is_open = bool(pieces) and not _CLOSED.search(row.marked)
        if not good or len(good) + (is_open and not is_name(pieces[-1])) < _MIN_SHARE * len(pieces):
            continue
        if is_open:
            rest = pieces[-1]
        first = first or row
        last = row
        names += good
    return list(dict.fromkeys(names))


def is_only_names(row: Row) -> bool:
    pieces = names_in(row.marked)
    return bool(pieces) and all(map(is_name, pieces))


def _has_type(row: Row, first: Row) -> bool:
    return abs(row.size - first.size) < 0.07 * first.size and (row.bold > 0.5) == (first.bold > 0.5)


def complete(names: Sequence[str], page: str) -> bool:
    """Whether the surnames of all names are on the page."""
    text = letters(page)
    return bool(names) and all(letters(surname(name)) in text for name in names)
