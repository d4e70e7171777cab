"""How a paper is set: its body size, whether its body is bold, and how far apart its lines stand."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from miner.parsing.embedded.lines import Line

_REFERENCES = re.compile(r"\W*(?:\d+\.?\s*)?(?:references|bibliography|literature cited)\W*", re.I)
_CITES = re.compile(r"\b(?:19|20)\d\d\b|https?:|\b[A-Z]\.,")


@dataclass(frozen=True, slots=True)
class Style:
    """`sizes` of running prose, `body` the most frequent; `pitch`, the usual distance of baselines. In points."""

    body: float
    sizes: frozenset[float]
    pitch: float
    bold: bool

    @classmethod
    def of(cls, lines: Sequence[Line]) -> Style:
        prose = [line for line in _before_references(lines) if _is_wordy(line)] or [line for line in lines if line.text]
        count: Counter[float] = Counter()
        for line in prose:
            count[line.size] += len(line.text)
        body = max(count, key=lambda size: (count[size], size))
        sizes = _prose_sizes(prose, count, body)
        mine = [line for line in prose if line.size in sizes]
        return cls(body, sizes, _pitch(mine, body), sum(line.bold > 0.9 for line in mine) > 0.4 * len(mine))


def _prose_sizes(prose: Sequence[Line], count: Counter[float], body: float) -> frozenset[float]:
    """Sizes almost the body's, and others that much of the prose is set in, on several pages."""
    near = {size for size in count if abs(size - body) <= 0.6}
    much = [size for size in count if 0.75 * body < size < 1.3 * body and count[size] > 0.2 * count.total()]
    return frozenset(near | {size for size in much if _pages(prose, size) >= 3})


def _pitch(lines: Sequence[Line], body: float) -> float:
    """The most frequent distance of baselines."""
    steps = Counter(
        round(below.baseline - above.baseline)
        for above, below in pairwise(lines)
        if above.page == below.page and 0 < below.baseline - above.baseline < 4 * body
    )
    return float(min(steps, key=lambda step: (-steps[step], step)) if steps else 1.2 * body)


def _before_references(lines: Sequence[Line]) -> Sequence[Line]:
    for index in range(len(lines) - 1, len(lines) * 2 // 5, -1):
        if _REFERENCES.fullmatch(lines[index].text):
            return lines[:index]
    return lines


def _is_wordy(line: Line) -> bool:
    return (
        len(line.text) > 30
        and line.gaps == 0
        and sum(map(str.isalpha, line.text)) > 0.7 * len(line.text)
        and not _CITES.search(line.text)
    )


def _pages(lines: Sequence[Line], size: float) -> int:
    return sum(count >= 10 for count in Counter(line.page for line in lines if line.size == size).values())
