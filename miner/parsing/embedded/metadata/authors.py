"""Reads the authors' names from the rows below a title, or above it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from miner.parsing.embedded.metadata.letters import letters
from miner.parsing.embedded.metadata.names import is_name, is_place, names_in, split_names, surname, turn
from miner.parsing.embedded.metadata.rows import MARK, Row
from miner.parsing.embedded.metadata.title import TitleBlock

_END = re.compile(
    r"^\W*(?:\d\.?\s+|i\.?\s+)?(?:a\s?b\s?s\s?t\s?r\s?a\s?c\s?t|introduction|summary|background|key\s?words|"
    r"objectives?|received|significance|resumen?|zusammenfassung|"
    r"résumé|highlights|article\s+info|a\s?r\s?t\s?i\s?c\s?l\s?e\s+i\s?n\s?f\s?o|publication\s+history|"
    r"contents|synopsis|plain\s+language|graphical)\b",
    re.I,
)
_LABEL = re.compile(r"^\W*(?:authors?|by|written\s+by|author\(s\))\s*:?\s*(?:details)?\W*$", re.I)
_CLOSED = re.compile(rf"[,;|·•&{MARK}\d*†‡]\s*$|\band\s*$")
_CITED_NAME = re.compile(
    r"((?:(?:van|von|de|da|del|der|den|di|la|le|el|al|dos|ter|ten|bin|Van|"
    r"De)\s)*(?!and\b)[^\W\d_][^\W\d_'’‐-]+(?:[\s‐-](?!and\b)[^\W\d_][^\W\d_'’‐-]+){0,2})"
    r",?\s((?:[A-Z]\.?[\s-]?){1,4})(?=[,;.&)(:]|\s?(?:and|&)\s|\s?$)"
)
_MAX_ROWS = 60
_REACH = 22  # sizes of the title below it
_FAR = 8  # sizes of the title below it: a single name there may be no author's
_MIN_SHARE = 0.6  # of a row's pieces that are names
_BESIDE = 0.3  # of the title's size above its last baseline, where names beside it may begin
_MARGIN = 30  # points left and right of the title in which names below it stand
_ABOVE = 160  # points above the title in which names stand, where there are none below
_BELOW_LABEL, _SAME_EDGE = 3, 8  # type sizes between names below "Authors:"; points by which they are off its edge
_MAX_STEP, _MAX_STEP_OF_MANY, _MANY = 12, 4, 6  # type sizes to the next row of names; behind so many names
_SAME_SIZE = 0.07  # of the size of the first row of names, by which the others differ
_MIN_SINGLE = 4  # letters of the only name that a person has


class PrintedNames(NamedTuple):
    """Names as a page has them. `is_plain`: one name alone, without a raised mark, or far from the title."""

    names: tuple[str, ...]
    is_plain: bool


def find_authors(rows: Sequence[Row], title: TitleBlock) -> PrintedNames:
    """The names in the rows below the title, in order; if there are none, in those above it."""
    last = max(title.rows, key=lambda row: row.baseline)
    used = set(map(id, title.rows))
    below = [row for row in rows if row.baseline > last.baseline - _BESIDE * last.size and id(row) not in used]
    if names := _labelled_names(below):
        return PrintedNames(tuple(names), is_plain=False)
    left, right = min(row.x0 for row in title.rows) - _MARGIN, max(row.x1 for row in title.rows) + _MARGIN
    found = _read_names([row for row in below if row.x1 > left and row.x0 < right][:_MAX_ROWS], title, downwards=True)
    if found.names:
        return found
    top = title.rows[0].baseline
    above = [row for row in rows if top - _ABOVE < row.baseline < top and id(row) not in used]
    return _read_names(above, title, downwards=False)


def stated_names(values: Sequence[str]) -> tuple[str, ...]:
    """The names that an embedded source states, one or several in each value; () if any part is not a name.

    >>> stated_names(["Lovelace, Ada B."]), stated_names(["Ada Lovelace; Grace Hopper"]), stated_names(["Admin"])
    (('Ada B. Lovelace',), ('Ada Lovelace', 'Grace Hopper'), ())
    """
    names: list[str] = []
    for value in values:
        parts = value.split(";") if ";" in value else [value]
        for part in parts:
            turned = turn(part.strip())
            names += [turned] if turned != part.strip() and is_name(turned) else split_names(part)
    return tuple(dict.fromkeys(names)) if all(map(is_name, names)) else ()


def cited_names(before: str) -> tuple[str, ...]:
    """The authors in a statement of how to cite the paper, given the text before its title.

    >>> cited_names("Zhang G, Sun W, et al. (2026)"), cited_names("Novak, J., & Li, X.Y. (2020).")
    (('G. Zhang', 'W. Sun'), ('J. Novak', 'X.Y. Li'))
    """
    text = re.split(r"\bet al\b|\(?(?:19|20)\d\d", before)[0]
    found = _CITED_NAME.findall(text) if _CITED_NAME.match(text.lstrip()) else []
    names = [f"{_with_stops(initials)} {surname}" for surname, initials in found]
    return tuple(names) or tuple(name for name in split_names(text) if is_name(name))


def _with_stops(initials: str) -> str:
    return initials.strip() if "." in initials else "".join(f"{letter}." for letter in initials if letter.isalpha())


def _labelled_names(rows: Sequence[Row]) -> list[str]:
    """The names in the rows below "Authors:", one each or several."""
    for at, row in enumerate(rows):
        if not _LABEL.match(row.text):
            continue
        names: list[str] = []
        last = row
        for other in rows[at + 1 :]:
            if other.baseline - last.baseline > _BELOW_LABEL * row.size:
                break
            if abs(other.x0 - row.x0) < _SAME_EDGE:
                good = [piece for piece in names_in(other.marked) if is_name(piece)]
                if not good:
                    break
                names += good
                last = other
        if names and len(names) >= 1 and not any("," in other for other in names):
            return names
    return []


def _read_names(rows: Sequence[Row], title: TitleBlock, *, downwards: bool) -> PrintedNames:
    first = last = None
    names: list[str] = []
    ends: list[Row] = []  # rows that begin what is no list of names, in their columns
    own = letters(title.text)  # a part of the title is no name
    was_place = False  # whether the row above is of an affiliation
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
            if row.baseline - last.baseline > (_MAX_STEP_OF_MANY if len(names) >= _MANY else _MAX_STEP) * first.size:
                break
        pieces = list(names_in(row.marked))
        if rest and pieces and last is not None and row.baseline - last.baseline < 2 * row.size:
            is_broken = not is_name(pieces[0]) or not is_name(rest) or (is_list and len(pieces) > 1)
            if is_broken and is_name(whole := f"{rest} {pieces[0]}"):
                pieces[0] = whole
                if names and names[-1] == rest:
                    names.pop()
        rest = ""
        has_commas = len(pieces) > 2 and row.marked.count(",") >= len(pieces) - 1
        is_list = has_commas and not re.search(r"\band\s", row.marked)
        if (
            first is None
            and len(pieces) > 2
            and _is_single_name(row.marked, pieces[0])
            and all(map(is_name, pieces[1:]))
        ):
            names.append(pieces[0])
        good = [piece for piece in pieces if is_name(piece)]
        good = [piece for piece in good if letters(piece) not in own]
        below_place, was_place = was_place, is_place(row.marked)
        if below_place and len(good) < len(pieces):
            continue
        is_open = bool(pieces) and not _CLOSED.search(row.marked)
        if not good or len(good) + (is_open and not is_name(pieces[-1])) < _MIN_SHARE * len(pieces):
            continue
        if is_open:
            rest = pieces[-1]
        first = first or row
        last = row
        names += good
    is_far = first is not None and downwards and first.baseline - title.rows[-1].baseline > _FAR * title.size
    is_plain = is_far or (first is not None and len(names) == 1 and MARK not in first.marked)
    return PrintedNames(tuple(dict.fromkeys(names)), is_plain)


def _is_single_name(marked: str, piece: str) -> bool:
    """Whether a row begins with one word and a raised mark, as the only name that some people have."""
    return (
        re.match(rf"{re.escape(piece)}\s?{MARK}", marked) is not None and piece.isalpha() and len(piece) >= _MIN_SINGLE
    )


def _has_type(row: Row, first: Row) -> bool:
    return abs(row.size - first.size) < _SAME_SIZE * first.size and row.is_bold == first.is_bold


def complete(names: Sequence[str], page: str) -> bool:
    """Whether the surnames of all names are on the page with these letters."""
    return bool(names) and all(letters(surname(name)) in page for name in names)
