"""Finds a sentence on the pages of a PDF by its letters, whatever hyphens, ligatures and line ends do to them."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from difflib import SequenceMatcher
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import pypdfium2 as pdfium

from miner.parsing.embedded.pdfium import char_boxes, page_text
from miner.records import Box

_GAP = 40  # letters of the page within a sentence: a citation's number, not a float
_SURE = 12  # letters that hardly occur twice by chance
_STUB = 4
_ENOUGH = 0.6  # share of a sentence's letters that must be found
_CLOSING = frozenset(".,;:!?)]\"'”’»")


class Found(NamedTuple):
    """Where a sentence stands, a box a line, and its head alone. `whole`: every letter was found, in one piece.

    `lefts`: where the line of each box begins.
    """

    boxes: tuple[Box, ...]
    lefts: tuple[float, ...]
    head: tuple[Box, ...]
    whole: bool


class Letters(NamedTuple):
    """The letters and digits of a page, folded, and which of the page's characters each is of."""

    number: int
    folded: str
    at: list[int]
    text: str
    boxes: np.ndarray  # (characters, 4) x0, y0, x1, y1 from the page's top left corner as shown


NO_LETTERS = Letters(0, "", [], "", np.zeros((0, 4)))


class _Block(NamedTuple):
    """Letters that agree: where in the sentence, where on the page, how many."""

    sentence: int
    page: int
    size: int


@lru_cache(maxsize=4096)
def _folded(character: str) -> str:
    """The letters and digits in a character, without accents, case and typography."""
    return "".join(c for c in unicodedata.normalize("NFKD", character).casefold() if c.isalnum())


def fold(text: str) -> str:
    return "".join(map(_folded, text))


def read_letters(page: pdfium.PdfPage, number: int) -> Letters:
    """The letters of one page; none of a page that PDFium finds no text on."""
    try:
        textpage = page.get_textpage()
    except pdfium.PdfiumError:
        return NO_LETTERS
    with closing(textpage):
        count = textpage.count_chars()
        if count <= 0:
            return NO_LETTERS
        text = page_text(textpage.raw, count)
        boxes = char_boxes(page, textpage.raw, count)
    pieces, at = [], []
    for index, character in enumerate(text):
        if piece := _folded(character):
            pieces.append(piece)
            at += [index] * len(piece)
    return Letters(number, "".join(pieces), at, text, boxes)


def find_sentence(
    read: Callable[[int], Letters], pages: Iterable[int], sentence: str, *, head: int = 0, near: Sequence[Box] = ()
) -> Found | None:
    """The sentence on one of `pages` or across two of them; None when too little of it is there.

    `pages` are tried in their order, all for the whole sentence before any for most of it. Of several places on a page
    the one at `near` counts. `head` is how many of the sentence's characters `Found.head` covers.
    """
    wanted, head_letters = fold(sentence), len(fold(sentence[:head]))
    if not wanted:
        return None
    pages = list(dict.fromkeys(pages))
    for number in pages:
        letters = read(number)
        if places := list(_occurrences(letters.folded, wanted)):
            place = _nearest(letters, places, len(wanted), near)
            return _found([(letters, [_Block(0, place, len(wanted))])], head_letters, whole=True)
    best: list[tuple[Letters, list[_Block]]] = []
    share = _ENOUGH
    for number in pages:
        letters = read(number)
        if not _promising(letters.folded, wanted):
            continue
        blocks = _alike(wanted, letters.folded)
        parts = [(letters, blocks)]
        if blocks and (rest := wanted[blocks[-1].sentence + blocks[-1].size :]) and len(rest) >= _STUB:
            parts += _carried_over(read(number + 1), rest, len(wanted) - len(rest))
        covered = sum(block.size for _, found in parts for block in found) / len(wanted)
        if covered > share:
            best, share = parts, covered
    return _found(best, head_letters, whole=False) if best else None


def _occurrences(folded: str, wanted: str) -> Iterator[int]:
    place = folded.find(wanted)
    while place >= 0:
        yield place
        place = folded.find(wanted, place + 1)


def _nearest(letters: Letters, places: Sequence[int], length: int, near: Sequence[Box]) -> int:
    here = [box for box in near if box.page == letters.number]
    if len(places) == 1 or not here:
        return places[0]

    def distance(place: int) -> float:
        x0, y0, x1, y1 = letters.boxes[letters.at[place + length // 2]].tolist()
        x, y = (x0 + x1) / 2, (y0 + y1) / 2
        return min(float(max(box.x0 - x, 0, x - box.x1) + max(box.y0 - y, 0, y - box.y1)) for box in here)

    return min(places, key=distance)


def _promising(folded: str, wanted: str) -> bool:
    """Whether some stretch of the sentence stands on the page letter for letter."""
    return any(wanted[at : at + _SURE] in folded for at in range(0, max(1, len(wanted) - _SURE + 1), 5))


def _alike(wanted: str, folded: str) -> list[_Block]:
    """Stretches of the sentence on the page, in order; short ones only next to long ones."""
    matches = SequenceMatcher(None, wanted, folded, autojunk=False).get_matching_blocks()
    blocks = [_Block(*match) for match in matches if match.size]
    sure = [block for block in blocks if block.size >= min(_SURE, len(wanted))]
    return [
        block
        for block in blocks
        if block in sure
        or (
            block.size >= _STUB
            and any(
                abs(block.page - other.page - other.size) <= _GAP or abs(other.page - block.page - block.size) <= _GAP
                for other in sure
            )
        )
    ]


def _carried_over(letters: Letters, rest: str, offset: int) -> list[tuple[Letters, list[_Block]]]:
    """The rest of a sentence on the page after."""
    place = letters.folded.find(rest)
    if place >= 0:
        blocks = [_Block(0, place, len(rest))]
    else:
        blocks = _alike(rest, letters.folded) if _promising(letters.folded, rest) else []
    return [(letters, [block._replace(sentence=block.sentence + offset) for block in blocks])] if blocks else []


def _found(parts: Sequence[tuple[Letters, list[_Block]]], head: int, *, whole: bool) -> Found | None:
    boxes: list[Box] = []
    lefts: list[float] = []
    first: list[Box] = []
    for letters, blocks in parts:
        ranges: list[list[int]] = []
        last = 0
        for block in blocks:
            start, end = letters.at[block.page], letters.at[block.page + block.size - 1] + 1
            if ranges and block.page - last <= _GAP:
                ranges[-1][1] = end
            else:
                ranges.append([start, end])
            last = block.page + block.size
            if block.sentence < head:
                size = min(block.size, head - block.sentence)
                first += _boxes(letters, start, letters.at[block.page + size - 1] + 1)
        for start, end in ranges:
            lines = list(_boxes(letters, start, end))
            boxes += lines
            lefts += [_left(letters, start, lines[0]), *(line.x0 for line in lines[1:])] if lines else []
    return Found(tuple(boxes), tuple(lefts), tuple(first), whole) if boxes else None


def _boxes(letters: Letters, start: int, end: int) -> Iterator[Box]:
    """A box for each line that the characters stand in, closing marks included."""
    while end < len(letters.text) and letters.text[end] in _CLOSING:
        end += 1
    line: Box | None = None
    for index in range(start, end):
        box = _box(letters, index)
        if box is None:
            continue
        if line is not None and _follows(line, box):
            line = Box(
                line.page,
                min(line.x0, box.x0),
                min(line.y0, box.y0),
                max(line.x1, box.x1),
                max(line.y1, box.y1),
            )
            continue
        if line is not None:
            yield line
        line = box
    if line is not None:
        yield line


def _left(letters: Letters, start: int, line: Box) -> float:
    """Where the line begins in which `start` stands."""
    for index in range(start - 1, -1, -1):
        box = _box(letters, index)
        if box is not None:
            if not _follows(box, line):
                break
            line = box
    return line.x0


def _box(letters: Letters, index: int) -> Box | None:
    """Where a character shows; None of white space and of what has no extent."""
    x0, y0, x1, y1 = letters.boxes[index].tolist()
    return None if letters.text[index].isspace() or x1 <= x0 or y1 <= y0 else Box(letters.number, x0, y0, x1, y1)


def _follows(line: Box, box: Box) -> bool:
    """Whether a character goes on with a line, and not with the next one or the one of another column."""
    shared = min(line.y1, box.y1) - max(line.y0, box.y0)
    height = max(line.y1 - line.y0, box.y1 - box.y0)
    return shared >= 0.3 * min(line.y1 - line.y0, box.y1 - box.y0) and -height <= box.x0 - line.x1 <= 3 * height
