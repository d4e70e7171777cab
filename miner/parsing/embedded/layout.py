"""The layout of a paper: size and weight of its prose, distance of its lines, columns of its pages.

A few pages may be set in another size than the others, such as a section of methods; they have a style of their own.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, zip_longest
from typing import NamedTuple

from miner.parsing.embedded.characters import count_letters
from miner.parsing.embedded.lines import TextLine

_REFERENCES = re.compile(r"\W*(?:\d+\.?\s*)?(?:references|bibliography|literature cited)\W*", re.I)
_WORD = re.compile(r"[^\W\d_]{2,}")
_CITATION = re.compile(r"\b(?:19|20)\d\d\b|https?:|\b[A-Z]\.,")


@dataclass(frozen=True, slots=True)
class Style:
    """`sizes`: of running prose, in points; `body`: the most frequent one; `pitch`: usual distance of baselines."""

    body: float
    sizes: frozenset[float]
    pitch: float
    bold: bool

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
            sum(line.bold > 0.9 for line in prose_lines) > 0.4 * len(prose_lines),
        )


def _prose_sizes(prose: Sequence[TextLine], characters_by_size: Counter[float], body: float) -> frozenset[float]:
    """Sizes close to the body size, and other frequent sizes of prose on several pages."""
    similar = {size for size in characters_by_size if abs(size - body) <= 0.6}
    frequent = [
        size
        for size in characters_by_size
        if 0.75 * body < size < 1.3 * body and characters_by_size[size] > 0.2 * characters_by_size.total()
    ]
    return frozenset(similar | {size for size in frequent if _pages(prose, size) >= 3})


def _pitch(lines: Sequence[TextLine], body: float) -> float:
    """The most frequent distance of baselines."""
    steps = Counter(
        round(below.baseline - above.baseline)
        for above, below in pairwise(lines)
        if above.page == below.page and 0 < below.baseline - above.baseline < 4 * body
    )
    return float(min(steps, key=lambda step: (-steps[step], step)) if steps else 1.2 * body)


def _before_references(lines: Sequence[TextLine]) -> Sequence[TextLine]:
    for index in range(len(lines) - 1, len(lines) * 2 // 5, -1):
        if _REFERENCES.fullmatch(lines[index].text):
            return lines[:index]
    return lines


def _is_wordy(line: TextLine) -> bool:
    return (
        len(line.text) > 30
        and line.gaps == 0
        and count_letters(line.text) > 0.7 * len(line.text)
        and not _cites(line.text)
    )


def _cites(text: str) -> bool:
    may_cite = "19" in text or "20" in text or ".," in text or "http" in text  # which is faster to find
    return may_cite and _CITATION.search(text) is not None


def _pages(lines: Sequence[TextLine], size: float) -> int:
    """Pages with at least 10 lines of this size."""
    lines_by_page = Counter(line.page for line in lines if line.size == size)
    return sum(count >= 10 for count in lines_by_page.values())


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
    for page, page_lines in lines_of_page.items():
        characters_by_size: Counter[float] = Counter()
        for line in page_lines:
            characters_by_size[line.size] += len(line.text)
        size = max(characters_by_size, key=lambda size: (characters_by_size[size], size))
        if size in main.sizes or not 0.72 * main.body < size < 1.4 * main.body:
            continue
        if prose_in_size(page_lines, size) > 0.6 * characters_by_size.total():
            style = Style.of(page_lines)
            yield page, replace(style, sizes=style.sizes | main.sizes)


def prose_in_size(lines: Sequence[TextLine], size: float) -> int:
    """The number of characters in paragraphs of this size."""
    return sum(len(line.text) for block in _blocks(lines, size) if _is_prose_block(block) for line in block)


def _blocks(lines: Sequence[TextLine], size: float) -> Iterator[list[TextLine]]:
    """Lines in this size that follow one another in a column."""
    block: list[TextLine] = []
    for line in lines:
        same = abs(line.size - size) <= 0.3
        if block and not (same and _is_next(block[-1], line)):
            yield block
            block = []
        if same:
            block.append(line)
    if block:
        yield block


def _is_next(above: TextLine, line: TextLine) -> bool:
    return 0 < line.baseline - above.baseline < 1.8 * line.size and line.x0 < above.x1 and above.x0 < line.x1


def _is_prose_block(lines: Sequence[TextLine]) -> bool:
    """Whether these lines, one below the other, are sentences that fill a column, not names, notices or a table."""
    text = " ".join(line.text for line in lines)
    words = _WORD.findall(text)
    left, right = min(line.x0 for line in lines), max(line.x1 for line in lines)
    return (
        len(lines) >= 5
        and len(text) >= 35 * len(lines)
        and "@" not in text
        and sum(word[0].islower() for word in words) >= 0.75 * len(words)
        and sum(line.gaps == 0 for line in lines) >= 0.8 * len(lines)
        and sum(line.x1 > right - 0.15 * (right - left) for line in lines) >= 0.6 * len(lines)
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
            if line.size in styles.of(line).sizes and len(line.text) > 20:
                pages[line.page].append(line)
        self._pages = {page: _find_columns(page_lines) for page, page_lines in pages.items()}

    def of(self, line: TextLine) -> PageColumn | None:
        """The column that contains the line's left edge, the narrower one of two; None outside of columns."""
        containing = None
        for column in self._pages.get(line.page, ()):
            is_inside = column.left - 3 <= line.x0 < column.right
            if is_inside and (containing is None or column.left > containing.left or line.x1 < column.right + 3):
                containing = column
        return containing


def _find_columns(lines: Sequence[TextLine]) -> list[PageColumn]:
    """The columns by their left edges, each wide one before the narrower one that begins at the same edge."""
    right_edges: defaultdict[int, list[float]] = defaultdict(list)
    for line in lines:
        right_edges[round(line.x0)].append(line.x1)
    least = max(3, 0.04 * len(lines))
    columns: list[tuple[int, list[float]]] = []  # left edge, and right edges in order
    for left in sorted(right_edges):
        edges_here = sorted(x1 for near in (left, left + 1, left + 2) for x1 in right_edges.get(near, ()))
        if len(edges_here) >= least and (not columns or left - columns[-1][0] > 40):
            columns.append((left, edges_here))
    found: list[PageColumn] = []
    for (left, edges), following in zip_longest(columns, columns[1:]):
        right = edges[int(0.9 * (len(edges) - 1))]
        found.append(PageColumn(left, right))
        if following is not None and right > following[0]:  # below a wide abstract, say
            narrow = [edge for edge in edges if edge < following[0]]
            full = sum(edge > narrow[-1] - 0.1 * (narrow[-1] - left) for edge in narrow)
            if full >= max(least, 0.6 * len(narrow)):
                found.append(PageColumn(left, narrow[int(0.9 * (len(narrow) - 1))]))
    return found
