"""Finds a sentence on the pages of a PDF by its letters, whatever hyphens, ligatures and line ends do to them."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import lru_cache
from itertools import islice
from typing import Any, NamedTuple, Protocol

import numpy as np
import pypdfium2 as pdfium

from miner.parsing.embedded.pdfium import char_boxes, page_text
from miner.records import Box

_GAP = 40  # letters of the page within a sentence: a citation's number, not a float
_SURE = 12  # letters that hardly occur twice by chance
_LONG = 24
_FURNITURE = 400  # letters of running heads, feet and notes before or after a page's prose
_STUB = 5
_ENOUGH = 0.6  # share of a sentence's letters that must be found
_CLOSING = frozenset(".,;:!?)]\"'”’»")


class FoundSentence(NamedTuple):
    """Where a sentence stands, a box a line, and its head alone (nothing where not all of that was found).

    `lines`: all of the line, as wide as its column, that each box is in. `whole`: every letter was found, in one piece.
    """

    boxes: tuple[Box, ...]
    lines: tuple[Box, ...]
    head: tuple[Box, ...]
    whole: bool


class PageLetters(NamedTuple):
    """The letters and digits of a page, folded, and which of the page's characters each is of."""

    number: int
    folded: str
    at: np.ndarray
    text: str


NO_LETTERS = PageLetters(0, "", np.zeros(0, dtype=np.int32), "")


class _Characters(NamedTuple):
    """All of a page's characters and where they stand."""

    number: int
    text: str
    boxes: np.ndarray


class _Block(NamedTuple):
    """PageLetters that agree: where in the sentence, where on the page, how many."""

    sentence: int
    page: int
    size: int


@lru_cache(maxsize=4096)
def _folded(character: str) -> str:
    """The letters and digits in a character, without accents, case and typography."""
    return "".join(c for c in unicodedata.normalize("NFKD", character).casefold() if c.isalnum())


def fold(text: str) -> str:
    return "".join(map(_folded, text))


class Pages(Protocol):
    """A document as it is searched."""

    def letters(self, number: int) -> PageLetters:
        """Of the page with this number, from 1; none where there is no such page."""

    def boxes(self, number: int) -> np.ndarray:
        """(characters, 4): x0, y0, x1, y1 of each, from the page's top left corner as shown."""


def read_letters(page: pdfium.PdfPage, number: int) -> PageLetters:
    with _text(page) as textpage:
        text = page_text(textpage.raw, textpage.count_chars()) if textpage else ""
    pieces = list(map(_folded, text))
    at = np.repeat(np.arange(len(pieces), dtype=np.int32), list(map(len, pieces)))
    return PageLetters(number, "".join(pieces), at, text)


def read_boxes(page: pdfium.PdfPage) -> np.ndarray:
    with _text(page) as textpage:
        return char_boxes(page, textpage.raw, textpage.count_chars()) if textpage else np.zeros((0, 4))


@contextmanager
def _text(page: pdfium.PdfPage) -> Iterator[Any]:
    """The page's text, None where there is none."""
    try:
        textpage = page.get_textpage()
    except pdfium.PdfiumError:
        yield None
        return
    with closing(textpage):
        yield textpage if textpage.count_chars() > 0 else None


def find_sentence(
    document: Pages, pages: Iterable[int], sentence: str, *, head: int = 0, near: Sequence[Box] = ()
) -> FoundSentence | None:
    """The sentence on one of `pages` or across two of them; None when too little of it is there.

    `pages` are tried in their order, all for the whole sentence before any for most of it. Of several places on a page
    the one at `near` counts. `head` is how many of the sentence's characters `FoundSentence.head` covers.
    """
    wanted, head_letters = fold(sentence), len(fold(sentence[:head]))
    if not wanted:
        return None
    pages = list(dict.fromkeys(pages))
    for number in pages:
        letters = document.letters(number)
        if places := list(_occurrences(letters.folded, wanted)):
            place = _nearest(document, letters, places, len(wanted), near)
            return _found(document, [(letters, [_Block(0, place, len(wanted))])], head_letters, whole=True)
    best: list[tuple[PageLetters, list[_Block]]] = []
    share = _ENOUGH
    for number in pages:
        letters = document.letters(number)
        blocks = _alike(wanted, letters.folded)
        if not blocks:
            continue
        last = blocks[-1].sentence + blocks[-1].size
        parts = [
            *_from_before(document.letters(number - 1), wanted[: blocks[0].sentence]),
            (letters, blocks),
            *_carried_over(document.letters(number + 1), wanted[last:], last),
        ]
        covered = sum(block.size for _, found in parts for block in found) / len(wanted)
        if covered > share:
            best, share = parts, covered
    return _found(document, best, head_letters, whole=False) if best else None


def _occurrences(folded: str, wanted: str, start: int = 0) -> Iterator[int]:
    place = folded.find(wanted, start)
    while place >= 0:
        yield place
        place = folded.find(wanted, place + 1)


def _nearest(document: Pages, letters: PageLetters, places: Sequence[int], length: int, near: Sequence[Box]) -> int:
    here = [box for box in near if box.page == letters.number]
    if len(places) == 1 or not here:
        return places[0]

    def distance(place: int) -> float:
        x0, y0, x1, y1 = document.boxes(letters.number)[letters.at[place + length // 2]].tolist()
        x, y = (x0 + x1) / 2, (y0 + y1) / 2
        return min(float(max(box.x0 - x, 0, x - box.x1) + max(box.y0 - y, 0, y - box.y1)) for box in here)

    return min(places, key=distance)


def _alike(wanted: str, folded: str) -> list[_Block]:
    """Stretches of the sentence that stand on the page, in its order.

    At a float or a column's end they jump, back as well: PDFium gives some pages' lines in an order of its own. What
    comes after a jump must be long, since a few words of a sentence may stand elsewhere by chance.
    """
    blocks: list[_Block] = []
    sentence = page = 0
    while (start := _start(wanted, sentence, folded, page) or _start(wanted, sentence, folded, 0)) is not None:
        run = list(_run(wanted, folded, *start))
        if blocks and not _counts(run, len(wanted) - sentence):
            break
        blocks += run
        sentence, page = run[-1].sentence + run[-1].size, run[-1].page + run[-1].size
    if blocks and (missing := blocks[0].sentence) >= _LONG:
        head = _alike(wanted[:missing], folded)
        return head + blocks if _counts(head, missing) else blocks
    return blocks


def _counts(blocks: Sequence[_Block], length: int) -> bool:
    """Whether they hold a stretch that is long, for a part of the sentence of `length` letters."""
    return max((block.size for block in blocks), default=0) >= min(_LONG, length)


def _run(wanted: str, folded: str, sentence: int, page: int) -> Iterator[_Block]:
    """From a place where they agree, stretches with no more than a citation's number between them."""
    while len(wanted) - sentence >= _STUB:
        place = folded.find(wanted[sentence : sentence + _STUB], page, page + _GAP + _STUB)
        if place < 0:
            sentence += 1
            continue
        size = _common(wanted, sentence, folded, place)
        yield _Block(sentence, place, size)
        sentence, page = sentence + size, place + size


def _start(wanted: str, sentence: int, folded: str, page: int) -> tuple[int, int] | None:
    """Where, from `sentence` and `page` on, the two run alike: at the distance at which most samples agree."""
    samples = [
        (at, place)
        for at in range(sentence, len(wanted) - _SURE + 1, _STUB)
        for place in _occurrences(folded, wanted[at : at + _SURE], page)
    ]
    if not samples:
        return None
    votes = Counter((place - at) // _GAP for at, place in samples)
    best = max(votes, key=lambda slot: (votes[slot] + votes[slot + 1], -slot))
    at, place = min(sample for sample in samples if (sample[1] - sample[0]) // _GAP in (best, best + 1))
    while at > sentence and place > page and wanted[at - 1] == folded[place - 1]:
        at, place = at - 1, place - 1
    return at, place


def _common(wanted: str, sentence: int, folded: str, page: int) -> int:
    """How many letters agree from there."""
    size = 0
    for letter, other in zip(islice(wanted, sentence, None), islice(folded, page, None), strict=False):
        if letter != other:
            break
        size += 1
    return size


def _from_before(letters: PageLetters, head: str) -> list[tuple[PageLetters, list[_Block]]]:
    """The beginning of a sentence at the foot of the page before."""
    place = letters.folded.rfind(head) if len(head) >= _STUB else -1
    if place < 0 or len(letters.folded) - place - len(head) > _FURNITURE:
        return []
    return [(letters, [_Block(0, place, len(head))])]


def _carried_over(letters: PageLetters, rest: str, offset: int) -> list[tuple[PageLetters, list[_Block]]]:
    """The rest of a sentence on the page after, a short one only at its head."""
    place = letters.folded.find(rest) if len(rest) >= _STUB else -1
    if place >= 0 and (place < _FURNITURE or len(rest) >= _LONG):
        return [(letters, [_Block(offset, place, len(rest))])]
    blocks = [block._replace(sentence=block.sentence + offset) for block in _alike(rest, letters.folded)]
    return [(letters, blocks)] if _counts(blocks, len(rest)) and blocks else []


def _found(
    document: Pages, parts: Sequence[tuple[PageLetters, list[_Block]]], head: int, *, whole: bool
) -> FoundSentence | None:
    boxes: list[Box] = []
    lines: list[Box] = []
    first: list[Box] = []
    left = head
    for letters, blocks in parts:
        page = _Characters(letters.number, letters.text, document.boxes(letters.number))
        ranges: list[list[int]] = []
        last = 0
        for block in blocks:
            start, end = int(letters.at[block.page]), int(letters.at[block.page + block.size - 1]) + 1
            if ranges and 0 <= block.page - last <= _GAP:
                ranges[-1][1] = end
            else:
                ranges.append([start, end])
            last = block.page + block.size
            if block.sentence < head:
                size = min(block.size, head - block.sentence)
                left -= size
                first += _boxes(page, start, int(letters.at[block.page + size - 1]) + 1)
        for start, end in ranges:
            found = list(_boxes(page, start, end))
            boxes += found
            lines += _lines(page, start, end, found)
    return FoundSentence(tuple(boxes), tuple(lines), () if left else tuple(first), whole) if boxes else None


def _boxes(page: _Characters, start: int, end: int) -> Iterator[Box]:
    """A box for each line that the characters stand in, closing marks included."""
    while end < len(page.text) and page.text[end] in _CLOSING:
        end += 1
    line: Box | None = None
    for index in range(start, end):
        box = _box(page, index)
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


def _lines(page: _Characters, start: int, end: int, boxes: Sequence[Box]) -> list[Box]:
    """The boxes of consecutive lines, the first drawn out to where its line begins, the last to where it ends."""
    lines = list(boxes)
    if not lines:
        return lines
    edge = lines[0]
    for box in filter(None, (_box(page, index) for index in range(start - 1, -1, -1))):
        if not _follows(box, edge):
            break
        edge = box
    lines[0] = lines[0]._replace(x0=min(edge.x0, lines[0].x0))
    edge = lines[-1]
    for box in filter(None, (_box(page, index) for index in range(end, len(page.text)))):
        if not _follows(edge, box):
            break
        edge = box
    lines[-1] = lines[-1]._replace(x1=max(edge.x1, lines[-1].x1))
    return lines


def _box(page: _Characters, index: int) -> Box | None:
    """Where a character shows; None of white space and of what has no extent."""
    x0, y0, x1, y1 = page.boxes[index].tolist()
    return None if page.text[index].isspace() or x1 <= x0 or y1 <= y0 else Box(page.number, x0, y0, x1, y1)


def _follows(line: Box, box: Box) -> bool:
    """Whether a character goes on with a line, and not with the next one or the one of another column."""
    shared = min(line.y1, box.y1) - max(line.y0, box.y0)
    height = max(line.y1 - line.y0, box.y1 - box.y0)
    return shared >= 0.3 * min(line.y1 - line.y0, box.y1 - box.y0) and -height <= box.x0 - line.x1 <= 3 * height
