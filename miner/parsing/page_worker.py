"""The `setup` of a process that reads and draws pages of PDFs."""

from __future__ import annotations

from collections.abc import Callable
from multiprocessing.heap import Arena

from miner.parsing.pdf_pages import PageRequest


def page_reader(canvas: Arena | None = None) -> Callable[[PageRequest], object]:
    """A function that answers requests: sizes in points, `PageLetters`, boxes, a `DrawnPage`, or `Absent`.

    It raises `UnreadableFile` where the document does not open. canvas: memory shared with the program, where images
    that fit are put; large ones are several times faster there than in a pipe.
    """
    from miner.parsing.page_reading import PageReader  # PDFium, which the program that asks does without

    return PageReader(canvas).answer
