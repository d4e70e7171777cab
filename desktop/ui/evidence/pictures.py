"""Pages drawn lately, as many as fit into a bounded memory."""

from __future__ import annotations

from collections import OrderedDict
from pathlib import Path
from typing import NamedTuple

from PySide6.QtGui import QImage

from desktop.jobs.papers.pdfs import PageImage

_BYTES = 96_000_000
_COUNT = 6


class Drawn(NamedTuple):
    """An image, the picture whose pixels it shows, which must live as long, and how many pixels a point has."""

    image: QImage
    picture: PageImage
    scale: float


class Pictures:
    def __init__(self) -> None:
        self._drawn: OrderedDict[tuple[Path, int], Drawn] = OrderedDict()

    def get(self, path: Path, page: int) -> Drawn | None:
        key = (path, page)
        if key in self._drawn:
            self._drawn.move_to_end(key)
        return self._drawn.get(key)

    def put(self, picture: PageImage) -> None:
        """Keep a picture instead of an earlier one of its page; the least lately used go when there are too many."""
        image = QImage(picture.pixels, picture.width, picture.height, picture.stride, QImage.Format.Format_RGB32)
        key = (picture.path, picture.page)
        self._drawn[key] = Drawn(image, picture, picture.scale)
        self._drawn.move_to_end(key)
        while len(self._drawn) > 1 and (len(self._drawn) > _COUNT or self.bytes > _BYTES):
            self._drawn.popitem(last=False)

    def forget(self, path: Path) -> None:
        """Drop the pages of a file, whose content may be another now."""
        for key in [key for key in self._drawn if key[0] == path]:
            del self._drawn[key]

    @property
    def bytes(self) -> int:
        return sum(len(drawn.picture.pixels) for drawn in self._drawn.values())

    def __len__(self) -> int:
        return len(self._drawn)
