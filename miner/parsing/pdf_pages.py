"""What can be asked of the pages of a PDF that another process reads, and what it answers."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

MAX_PIXELS = 16_000_000
"""Of an image, which has 4 bytes a pixel; a larger one is drawn at a smaller scale."""


class Asked(Enum):
    """What is asked of a document: the sizes of all its pages; or of one page its letters, their boxes, its image."""

    SIZES = "sizes"
    LETTERS = "letters"
    BOXES = "boxes"
    IMAGE = "image"


class PageRequest(NamedTuple):
    """A question about a document. `document`: the same for the same content, which comes along when it is not known.

    page: by number from 1. scale: of an image, in pixels per point.
    """

    document: str
    asked: Asked
    page: int = 1
    scale: float = 1.0
    content: bytes | None = None


class Absent(Enum):
    """Why there is no answer: the content must come along; there is no such page; it is damaged."""

    CONTENT = "content"
    PAGE = "page"
    DAMAGED = "damaged"


class DrawnPage(NamedTuple):
    """A page as rows of `stride` bytes, 4 a pixel: blue, green, red, unused.

    pixels: None where they are on the canvas.
    """

    width: int
    height: int
    stride: int
    pixels: bytes | None
