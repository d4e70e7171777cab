"""Finds a sentence on the pages of a PDF by its letters and digits alone, despite hyphens, ligatures and line ends."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import lru_cache
from itertools import islice
from typing import Any, NamedTuple, Protocol

import pypdfium2 as pdfium

from miner.libraries import np
from miner.parsing.embedded.pdfium import char_boxes, page_text
from miner.records import Box

_MAX_GAP = 40  # letters on the page between two parts of a sentence: the number of a citation, not a float
_ANCHOR_LENGTH = 12  # letters; so many hardly occur twice by chance
_LONG_MATCH = 24  # letters
_MAX_FURNITURE = 400  # letters of running heads, feet and notes on a page
_MIN_MATCH = 5  # letters
_MIN_SHARE_FOUND = 0.6  # share of a sentence's letters that must be found
_SAME_LINE = 0.3  # of the smaller height: so much of it characters of one line share
_MAX_SPACE = 3  # heights between characters of one line; columns are as far apart
_CLOSING = frozenset(".,;:!?)]\"'”’»")


class FoundSentence(NamedTuple):
    """Where a sentence is on the pages: `boxes`, one per line.

    `lines`: the boxes extended to whole lines of the column. `head`: boxes of the sentence's first words, () if they
    were not found completely. `whole`: all letters were found in one piece.
    """

    boxes: tuple[Box, ...]
    lines: tuple[Box, ...]
    head: tuple[Box, ...]
    whole: bool


class PageLetters(NamedTuple):
    """The letters and digits of a page, folded, and the index of the page's character that each one comes from."""

    number: int
    folded: str
    at: np.ndarray
    text: str


NO_LETTERS = PageLetters(0, "", np.zeros(0, dtype=np.int32), "")


class _Characters(NamedTuple):
    """All characters of a page and their boxes."""

    number: int
    text: str
    boxes: np.ndarray


class _Match(NamedTuple):
    """Equal letters: their start in the sentence, their start on the page, and their number."""

    sentence: int
    page: int
    size: int


@lru_cache(maxsize=4096)
def _folded(character: str) -> str:
    """The letters and digits of a character without accents, case and ligatures."""
    return "".join(c for c in unicodedata.normalize("NFKD", character).casefold() if c.isalnum())


def fold(text: str) -> str:
    """The letters and digits of a text, without accents, case and ligatures.

    >>> fold("Re-use of ﬁlms, 2 nm")
    'reuseoffilms2nm'
    """
    return "".join(map(_folded, text))


class Pages(Protocol):
    """The pages of a document to search."""

    def letters(self, number: int) -> PageLetters:
        """The letters of the page with this number, from 1; `NO_LETTERS` if there is no such page."""

    def boxes(self, number: int) -> np.ndarray:
        """The boxes of its characters, (characters, 4): x0, y0, x1, y1 from the top left corner as shown."""


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
    """The sentence on one of `pages` or across two of them; None when too little of it is found.

    All `pages` are searched, in order, for the whole sentence first, then for most of it. If it occurs several times on
    a page, the occurrence closest to `near` is taken. `head`: number of the sentence's first characters for
    `FoundSentence.head`.
    """
    letters_to_find, head_letters = fold(sentence), len(fold(sentence[:head]))
    if not letters_to_find:
        return None
    pages = list(dict.fromkeys(pages))
    for number in pages:
        letters = document.letters(number)
        if positions := list(_occurrences(letters.folded, letters_to_find)):
            position = _nearest(document, letters, positions, len(letters_to_find), near)
            return _locate(document, [(letters, [_Match(0, position, len(letters_to_find))])], head_letters, whole=True)
    best: list[tuple[PageLetters, list[_Match]]] = []
    share = _MIN_SHARE_FOUND
    for number in pages:
        letters = document.letters(number)
        blocks = _matching_blocks(letters_to_find, letters.folded)
        if not blocks:
            continue
        last = blocks[-1].sentence + blocks[-1].size
        parts = [
            *_on_page_before(document.letters(number - 1), letters_to_find[: blocks[0].sentence]),
            (letters, blocks),
            *_on_page_after(document.letters(number + 1), letters_to_find[last:], last),
        ]
        covered = sum(block.size for _, found in parts for block in found) / len(letters_to_find)
        if covered > share:
            best, share = parts, covered
    return _locate(document, best, head_letters, whole=False) if best else None


def _occurrences(folded: str, letters_to_find: str, start: int = 0) -> Iterator[int]:
    position = folded.find(letters_to_find, start)
    while position >= 0:
        yield position
        position = folded.find(letters_to_find, position + 1)


def _nearest(document: Pages, letters: PageLetters, positions: Sequence[int], length: int, near: Sequence[Box]) -> int:
    here = [box for box in near if box.page == letters.number]
    if len(positions) == 1 or not here:
        return positions[0]

    def distance(position: int) -> float:
        x0, y0, x1, y1 = document.boxes(letters.number)[letters.at[position + length // 2]].tolist()
        x, y = (x0 + x1) / 2, (y0 + y1) / 2
        return min(float(max(box.x0 - x, 0, x - box.x1) + max(box.y0 - y, 0, y - box.y1)) for box in here)

    return min(positions, key=distance)


def _matching_blocks(letters_to_find: str, folded: str) -> list[_Match]:
    """Parts of the sentence that are on the page, in the order of the sentence.

    At floats and column ends the next part may be anywhere on the page, since PDFium orders the lines of some pages
    otherwise. It must be long then, because a few words of a sentence may occur elsewhere by chance.
    """
    blocks: list[_Match] = []
    sentence = page = 0
    while (
        start := _best_start(letters_to_find, sentence, folded, page)
        or _best_start(letters_to_find, sentence, folded, 0)
    ) is not None:
        run = list(_following_matches(letters_to_find, folded, *start))
        if blocks and not _has_long_match(run, len(letters_to_find) - sentence):
            break
        blocks += run
        sentence, page = run[-1].sentence + run[-1].size, run[-1].page + run[-1].size
    if blocks and (missing := blocks[0].sentence) >= _LONG_MATCH:
        head = _matching_blocks(letters_to_find[:missing], folded)
        return head + blocks if _has_long_match(head, missing) else blocks
    return blocks


def _has_long_match(blocks: Sequence[_Match], length: int) -> bool:
    """Whether one of the matches is long, for a part of the sentence of `length` letters."""
    return max((block.size for block in blocks), default=0) >= min(_LONG_MATCH, length)


def _following_matches(letters_to_find: str, folded: str, sentence: int, page: int) -> Iterator[_Match]:
    """Matches from this start on, with no more than the number of a citation between them."""
    while len(letters_to_find) - sentence >= _MIN_MATCH:
        position = folded.find(letters_to_find[sentence : sentence + _MIN_MATCH], page, page + _MAX_GAP + _MIN_MATCH)
        if position < 0:
            sentence += 1
            continue
        size = _common_length(letters_to_find, sentence, folded, position)
        yield _Match(sentence, position, size)
        sentence, page = sentence + size, position + size


def _best_start(letters_to_find: str, sentence: int, folded: str, page: int) -> tuple[int, int] | None:
    """Where sentence and page agree, from these starts on: at the offset at which most samples agree."""
    samples = [
        (at, position)
        for at in range(sentence, len(letters_to_find) - _ANCHOR_LENGTH + 1, _MIN_MATCH)
        for position in _occurrences(folded, letters_to_find[at : at + _ANCHOR_LENGTH], page)
    ]
    if not samples:
        return None
    votes = Counter((position - at) // _MAX_GAP for at, position in samples)
    best = max(votes, key=lambda slot: (votes[slot] + votes[slot + 1], -slot))
    at, position = min(sample for sample in samples if (sample[1] - sample[0]) // _MAX_GAP in (best, best + 1))
    while at > sentence and position > page and letters_to_find[at - 1] == folded[position - 1]:
        at, position = at - 1, position - 1
    return at, position


def _common_length(letters_to_find: str, sentence: int, folded: str, page: int) -> int:
    """Number of equal letters from these starts on."""
    size = 0
    for letter, other in zip(islice(letters_to_find, sentence, None), islice(folded, page, None), strict=False):
        if letter != other:
            break
        size += 1
    return size


def _on_page_before(letters: PageLetters, head: str) -> list[tuple[PageLetters, list[_Match]]]:
    """The beginning of a sentence at the end of the previous page."""
    position = letters.folded.rfind(head) if len(head) >= _MIN_MATCH else -1
    if position < 0 or len(letters.folded) - position - len(head) > _MAX_FURNITURE:
        return []
    return [(letters, [_Match(0, position, len(head))])]


def _on_page_after(letters: PageLetters, rest: str, offset: int) -> list[tuple[PageLetters, list[_Match]]]:
    """The rest of a sentence on the next page; a short rest only at its beginning."""
    position = letters.folded.find(rest) if len(rest) >= _MIN_MATCH else -1
    if position >= 0 and (position < _MAX_FURNITURE or len(rest) >= _LONG_MATCH):
        return [(letters, [_Match(offset, position, len(rest))])]
    blocks = [block._replace(sentence=block.sentence + offset) for block in _matching_blocks(rest, letters.folded)]
    return [(letters, blocks)] if _has_long_match(blocks, len(rest)) and blocks else []


def _locate(
    document: Pages, parts: Sequence[tuple[PageLetters, list[_Match]]], head: int, *, whole: bool
) -> FoundSentence | None:
    boxes: list[Box] = []
    lines: list[Box] = []
    first: list[Box] = []
    head_letters_left = head
    for letters, blocks in parts:
        page = _Characters(letters.number, letters.text, document.boxes(letters.number))
        ranges: list[list[int]] = []
        last = 0
        for block in blocks:
            start, end = int(letters.at[block.page]), int(letters.at[block.page + block.size - 1]) + 1
            if ranges and 0 <= block.page - last <= _MAX_GAP:
                ranges[-1][1] = end
            else:
                ranges.append([start, end])
            last = block.page + block.size
            if block.sentence < head:
                size = min(block.size, head - block.sentence)
                head_letters_left -= size
                first += _boxes(page, start, int(letters.at[block.page + size - 1]) + 1)
        for start, end in ranges:
            found = list(_boxes(page, start, end))
            boxes += found
            lines += _lines(page, start, end, found)
    return (
        FoundSentence(tuple(boxes), tuple(lines), () if head_letters_left else tuple(first), whole) if boxes else None
    )


def _boxes(page: _Characters, start: int, end: int) -> Iterator[Box]:
    """A box for each line of the characters, with closing marks."""
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
    """The boxes of consecutive lines, the first extended to the start of its line, the last to the end of its line."""
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
    """The box of a character; None for white space and characters without extent."""
    x0, y0, x1, y1 = page.boxes[index].tolist()
    return None if page.text[index].isspace() or x1 <= x0 or y1 <= y0 else Box(page.number, x0, y0, x1, y1)


def _follows(line: Box, box: Box) -> bool:
    """Whether a character continues a line, instead of the next line or a line of another column."""
    shared = min(line.y1, box.y1) - max(line.y0, box.y0)
    heights = line.y1 - line.y0, box.y1 - box.y0
    is_beside = -max(heights) <= box.x0 - line.x1 <= _MAX_SPACE * max(heights)
    return shared >= _SAME_LINE * min(heights) and is_beside
