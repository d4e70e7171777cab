"""The layout of a paper: size and weight of its prose, distance of its lines, columns of its pages.

A few pages, such as a section of methods, may be set in another size; they have a style of their own.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, zip_longest
from typing import NamedTuple

from miner.parsing.embedded.characters import count_letters
from miner.parsing.embedded.lines import ALL_OF_LINE, SAME_SIZE, TextLine

_REFERENCES = re.compile(r"\W*(?:\d+\.?\s*)?(?:references|bibliography|literature cited)\W*", re.I)
WORD = re.compile(r"[^\W\d_]{2,}")
_CITATION = re.compile(r"\b(?:19|20)\d\d\b|https?:|\b[A-Z]\.,")

# Prose, by which body size, line distance and columns are measured.
_MIN_BODY = 2 / 5  # of a paper's lines, before which "References" is no heading: as in contents (±20 %: same)
_MIN_WORDY, _MIN_WORDY_LETTERS = 30, 0.7  # characters of a line of prose; the share of them that are letters
_MIN_BOLD_LINES = 0.4  # of the lines of prose: with more in bold, bold marks no heading (±20 %: same)
_NEAR_BODY = 0.6  # points around the body size; type this close counts as the body's
_OTHER_BODY = 0.75, 1.3  # of the body size; a second size of prose, as for methods in PLOS and Nature, is between
_MIN_OTHER_SHARE = 0.2  # of the characters of prose in a second size
_MIN_PAGES, _MIN_PAGE_LINES = 3, 10  # pages with a second size of prose; lines of it on each
LARGER = 0.7  # points above the largest size of prose: of headings, titles (±20 %: same)
_MAX_PITCH, _USUAL_PITCH = 4, 1.2  # of the body size: steps that count; the line distance if none does (±20 %: same)

# Pages whose prose is in another size.
_OTHER_PAGE = 0.72, 1.4  # of the body size; what is smaller are notes, what is larger titles (±20 %: same)
_MIN_PAGE_SHARE = 0.6  # of a page's characters in paragraphs of the other size (±20 %: same)

# A block of lines that is prose.
_NEXT_IN_BLOCK = 1.8  # of the type size; a larger step to the next line ends a block (±20 %: same)
_MIN_BLOCK_LINES, _MIN_LINE_LENGTH = 5, 35  # lines; mean characters: names and notices are shorter (±20 %: same)
_MIN_LOW_WORDS = 0.75  # of the words begin in lower case; in lists of names, addresses and headings fewer do
_MIN_PLAIN_LINES = 0.8  # of the lines have no wide space; in a table fewer
FULL_LINE = 0.15  # of the column's width; a line that ends farther from the right edge is a short one
_MIN_FULL_LINES = 0.6  # of the lines reach the right edge; in a list or a poem fewer (±20 %: same)

# Columns.
_MIN_COLUMN_TEXT = 20  # characters of a line that tells the edges of a column
_EDGE = 3  # points by which lines of a column begin before its left edge or end behind its right one
_MIN_COLUMN_LINES, _MIN_COLUMN_SHARE = 3, 0.04  # lines with the same left edge; share of the page's lines
_MIN_COLUMN_WIDTH = 40  # points; an edge closer to the one before is that of indented lines
_RIGHT_EDGE = 0.9  # quantile of the lines' right edges: the longest ones stand out, as formulas do
_NARROW_FULL = 0.1  # of the width of a narrow column; its full lines end this close to its edge (±20 %: same)


@dataclass(frozen=True, slots=True)
class Style:
    """`sizes`: of running prose, in points; `body`: the most frequent one; `pitch`: usual distance of baselines."""

    body: float
    sizes: frozenset[float]
    pitch: float
    bold: bool

    def is_larger(self, line: TextLine) -> bool:
        """Whether the line is in larger type than all prose, as headings may be."""
        return line.size > max(self.sizes) + LARGER

    @classmethod
    def of(cls, lines: Sequence[TextLine]) -> Style:
        prose = [line for line in _before_references(lines) if _is_wordy(line)] or [line for line in lines if line.text]
        characters_by_size: Counter[float] = Counter()
        for line in prose:
            characters_by_size[line.size] += len(line.text)
        body = max(characters_by_size, key=lambda size: (characters_by_size[size], size))
        sizes = _prose_sizes(prose, characters_by_size, body)
        prose_lines = [line for line in prose if line.size in sizes]
        return cls(
            body,
            sizes,
            _pitch(prose_lines, body),
            sum(line.bold > ALL_OF_LINE for line in prose_lines) > _MIN_BOLD_LINES * len(prose_lines),
        )


def _prose_sizes(prose: Sequence[TextLine], characters_by_size: Counter[float], body: float) -> frozenset[float]:
    """Sizes close to the body size, and other frequent sizes of prose on several pages."""
    similar = {size for size in characters_by_size if abs(size - body) <= _NEAR_BODY}
    smallest, largest = _OTHER_BODY
    frequent = [
        size
        for size, count in characters_by_size.items()
        if smallest * body < size < largest * body and count > _MIN_OTHER_SHARE * characters_by_size.total()
    ]
    return frozenset(similar | {size for size in frequent if _pages(prose, size) >= _MIN_PAGES})


def _pitch(lines: Sequence[TextLine], body: float) -> float:
    """The most frequent distance of baselines."""
    steps = Counter(
        round(below.baseline - above.baseline)
        for above, below in pairwise(lines)
        if above.page == below.page and 0 < below.baseline - above.baseline < _MAX_PITCH * body
    )
    return float(min(steps, key=lambda step: (-steps[step], step)) if steps else _USUAL_PITCH * body)


def _before_references(lines: Sequence[TextLine]) -> Sequence[TextLine]:
    for index in range(len(lines) - 1, int(_MIN_BODY * len(lines)), -1):
        if _REFERENCES.fullmatch(lines[index].text):
            return lines[:index]
    return lines


def _is_wordy(line: TextLine) -> bool:
    return (
        len(line.text) > _MIN_WORDY
        and line.gaps == 0
        and count_letters(line.text) > _MIN_WORDY_LETTERS * len(line.text)
        and not _cites(line.text)
    )


def _cites(text: str) -> bool:
    may_cite = "19" in text or "20" in text or ".," in text or "http" in text  # which is faster to find
    return may_cite and _CITATION.search(text) is not None


def _pages(lines: Sequence[TextLine], size: float) -> int:
    """The number of pages with several lines of this size."""
    lines_by_page = Counter(line.page for line in lines if line.size == size)
    return sum(count >= _MIN_PAGE_LINES for count in lines_by_page.values())


class PageStyles:
    """The style of the paper, `main`, and of the pages whose prose is in another size."""

    def __init__(self, lines: Sequence[TextLine]) -> None:
        self.main = Style.of(lines)
        self._of_page = dict(_other_styles(lines, self.main))

    def of(self, line: TextLine) -> Style:
        """The style of the line's page."""
        return self._of_page.get(line.page, self.main) if self._of_page else self.main


def _other_styles(lines: Sequence[TextLine], main: Style) -> Iterator[tuple[int, Style]]:
    """The pages that paragraphs in a size other than the main ones fill, before the references and after page 1.

    The first page has an abstract and a licence in small type.
    """
    lines_of_page: defaultdict[int, list[TextLine]] = defaultdict(list)
    for line in _before_references(lines):
        if line.page > 1:
            lines_of_page[line.page].append(line)
    smallest, largest = (share * main.body for share in _OTHER_PAGE)
    for page, page_lines in lines_of_page.items():
        characters_by_size: Counter[float] = Counter()
        for line in page_lines:
            characters_by_size[line.size] += len(line.text)
        size = max(characters_by_size, key=lambda size: (characters_by_size[size], size))
        if size in main.sizes or not smallest < size < largest:
            continue
        if prose_in_size(page_lines, size) > _MIN_PAGE_SHARE * characters_by_size.total():
            style = Style.of(page_lines)
            yield page, replace(style, sizes=style.sizes | main.sizes)


def prose_in_size(lines: Sequence[TextLine], size: float) -> int:
    """The number of characters in paragraphs of this size."""
    return sum(len(line.text) for block in _blocks(lines, size) if _is_prose_block(block) for line in block)


def _blocks(lines: Sequence[TextLine], size: float) -> Iterator[list[TextLine]]:
    """Lines in this size that follow one another in a column."""
    block: list[TextLine] = []
    for line in lines:
        same = abs(line.size - size) <= SAME_SIZE
        if block and not (same and _is_next(block[-1], line)):
            yield block
            block = []
        if same:
            block.append(line)
    if block:
        yield block


def _is_next(above: TextLine, line: TextLine) -> bool:
    return 0 < line.baseline - above.baseline < _NEXT_IN_BLOCK * line.size and line.x0 < above.x1 and above.x0 < line.x1


def _is_prose_block(lines: Sequence[TextLine]) -> bool:
    """Whether these lines, one below the other, are sentences that fill a column, not names, notices or a table."""
    text = " ".join(line.text for line in lines)
    words = WORD.findall(text)
    left, right = min(line.x0 for line in lines), max(line.x1 for line in lines)
    return (
        len(lines) >= _MIN_BLOCK_LINES
        and len(text) >= _MIN_LINE_LENGTH * len(lines)
        and "@" not in text
        and sum(word[0].islower() for word in words) >= _MIN_LOW_WORDS * len(words)
        and sum(line.gaps == 0 for line in lines) >= _MIN_PLAIN_LINES * len(lines)
        and sum(line.x1 > right - FULL_LINE * (right - left) for line in lines) >= _MIN_FULL_LINES * len(lines)
    )


class PageColumn(NamedTuple):
    """Left and right edge of a column of a page."""

    left: float
    right: float

    @property
    def width(self) -> float:
        return self.right - self.left


class PageColumns:
    """The columns of each page, found by the left edges that prose lines share."""

    def __init__(self, lines: Sequence[TextLine], styles: PageStyles) -> None:
        pages: defaultdict[int, list[TextLine]] = defaultdict(list)
        for line in lines:
            if line.size in styles.of(line).sizes and len(line.text) > _MIN_COLUMN_TEXT:
                pages[line.page].append(line)
        self._pages = {page: _find_columns(page_lines) for page, page_lines in pages.items()}

    def of(self, line: TextLine) -> PageColumn | None:
        """The column that contains the line's left edge, the narrower one of two; None outside of columns."""
        containing = None
        for column in self._pages.get(line.page, ()):
            is_inside = column.left - _EDGE <= line.x0 < column.right
            if is_inside and (containing is None or column.left > containing.left or line.x1 < column.right + _EDGE):
                containing = column
        return containing


def _find_columns(lines: Sequence[TextLine]) -> list[PageColumn]:
    """The columns by their left edges, each wide one before the narrower one that begins at the same edge."""
    right_edges: defaultdict[int, list[float]] = defaultdict(list)
    for line in lines:
        right_edges[round(line.x0)].append(line.x1)
    least = max(_MIN_COLUMN_LINES, _MIN_COLUMN_SHARE * len(lines))
    columns: list[tuple[int, list[float]]] = []  # left edge, and right edges in order
    for left in sorted(right_edges):
        edges_here = sorted(x1 for near in (left, left + 1, left + 2) for x1 in right_edges.get(near, ()))
        if len(edges_here) >= least and (not columns or left - columns[-1][0] > _MIN_COLUMN_WIDTH):
            columns.append((left, edges_here))
    found: list[PageColumn] = []
    for (left, edges), following in zip_longest(columns, columns[1:]):
        right = edges[int(_RIGHT_EDGE * (len(edges) - 1))]
        found.append(PageColumn(left, right))
        if following is not None and right > following[0]:  # below a wide abstract, say
            narrow = [edge for edge in edges if edge < following[0]]
            full = sum(edge > narrow[-1] - _NARROW_FULL * (narrow[-1] - left) for edge in narrow)
            if full >= max(least, _MIN_FULL_LINES * len(narrow)):
                found.append(PageColumn(left, narrow[int(_RIGHT_EDGE * (len(narrow) - 1))]))
    return found
