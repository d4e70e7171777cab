"""Sentences on pages, cut where a column or a page ends."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from desktop.jobs.papers.evidence import SentenceRole
from desktop.jobs.papers.sentence_locations import PdfLocations
from miner.records import Box


class Strip(NamedTuple):
    """A stretch of a sentence on a page, and the column's edges beside it, in points."""

    role: SentenceRole
    page: int
    boxes: tuple[Box, ...]
    left: float
    right: float

    @property
    def top(self) -> float:
        return min(box.y0 for box in self.boxes)

    @property
    def bottom(self) -> float:
        return max(box.y1 for box in self.boxes)


def strips_of(locations: PdfLocations) -> Iterator[Strip]:
    """The sentences by column and page, each with one bar beside it."""
    for role in SentenceRole:
        boxes, lines = locations.boxes.get(role, ()), locations.lines.get(role, ())
        starts = [at for at in range(len(boxes)) if at == 0 or not _below(boxes[at - 1], boxes[at])]
        for start, end in pairwise([*starts, len(boxes)]):
            left, right = min(line.x0 for line in lines[start:end]), max(line.x1 for line in lines[start:end])
            yield Strip(role, boxes[start].page, boxes[start:end], left, right)


def _below(box: Box, after: Box) -> bool:
    """Whether a line goes on in the same column, near enough for one bar."""
    height = box.y1 - box.y0
    return box.page == after.page and -height < after.y0 - box.y0 < 4 * height
