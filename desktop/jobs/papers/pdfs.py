"""PDF files whose pages are shown: read and hashed once, opened for one job at a time.

PDFium and numpy are imported when the first job needs them, so that the window need not wait for them.
"""

from __future__ import annotations

import ctypes
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from miner.errors import Unreadable
from miner.parsing.files import FileKind, Hashes, hash_content, read_bytes, unreadable_error
from miner.progress import Job, Progress

if TYPE_CHECKING:
    import numpy as np
    import pypdfium2 as pdfium

    from miner.parsing.embedded.sentence_search import PageLetters

_PAGES = 500  # whose letters are kept, some 10 MB
_MAX_PIXELS = 16_000_000  # of a picture; what is larger is drawn coarser


class _Stamp(NamedTuple):
    """A file that has these is taken not to have changed."""

    path: Path
    size: int
    changed: int


@dataclass(frozen=True, slots=True)
class PageImage:
    """A page, drawn: rows of 4 bytes a pixel (blue, green, red, nothing). `scale` as asked for, pixels a point."""

    path: Path
    page: int
    scale: float
    width: int
    height: int
    stride: int
    pixels: memoryview


class PdfCache:
    """PDF files lately looked at: the content of the last one, the hashes of all.

    Like PDFium it is for one thread at a time.
    """

    def __init__(self) -> None:
        self._hashes: dict[_Stamp, Hashes] = {}
        self._last: tuple[_Stamp, bytes] | None = None
        self._letters: OrderedDict[tuple[_Stamp, int], PageLetters] = OrderedDict()

    def hashes(self, path: Path) -> Hashes:
        """Of the file; `Unreadable` where it is missing or cannot be read."""
        stamp = _stamp(path)
        if stamp not in self._hashes:
            self._hashes[stamp] = hash_content(self._content(stamp))
        return self._hashes[stamp]

    @contextmanager
    def open(self, path: Path, progress: Progress) -> Iterator[OpenPdf]:
        """The document, which ticks with each page; `Unreadable` where it is missing, encrypted or damaged."""
        from miner.parsing.embedded.pdfium import open_pdf

        stamp = _stamp(path)
        with open_pdf(self._content(stamp)) as document:
            yield OpenPdf(document, stamp, self._letters, progress)

    def _content(self, stamp: _Stamp) -> bytes:
        if self._last is None or self._last[0] != stamp:
            self._last = None  # two files at a time would be too many
            self._last = stamp, read_bytes(stamp.path, FileKind.PDF)
        return self._last[1]


class OpenPdf:
    """A document, and the letters of its pages, which are kept for the next job."""

    def __init__(
        self,
        document: pdfium.PdfDocument,
        stamp: _Stamp,
        letters: OrderedDict[tuple[_Stamp, int], PageLetters],
        progress: Progress,
    ) -> None:
        self.document = document
        self._stamp = stamp
        self._letters = letters
        self._boxes: dict[int, np.ndarray] = {}
        self._progress = progress

    def sizes(self) -> tuple[tuple[float, float], ...]:
        """Width and height of each page as shown, in points."""
        return tuple(self.document.get_page_size(index) for index in range(len(self.document)))

    def letters(self, number: int) -> PageLetters:
        """What stands on a page, by number from 1; no letters where there is no such page, or a broken one."""
        from miner.parsing.embedded.sentence_search import NO_LETTERS, read_letters

        self._progress.tick(number, len(self.document))
        key = (self._stamp, number)
        if key not in self._letters:
            try:
                with closing(self.page(number)) as page:
                    self._letters[key] = read_letters(page, number)
            except Unreadable:
                return NO_LETTERS
            if len(self._letters) > _PAGES:
                self._letters.popitem(last=False)
        self._letters.move_to_end(key)
        return self._letters[key]

    def boxes(self, number: int) -> np.ndarray:
        """Where each character of a page stands, as `miner.parsing.embedded.sentence_search.Pages` says."""
        from miner.parsing.embedded.sentence_search import read_boxes

        if number not in self._boxes:
            with closing(self.page(number)) as page:
                self._boxes[number] = read_boxes(page)
        return self._boxes[number]

    def page(self, number: int) -> pdfium.PdfPage:
        import pypdfium2 as pdfium

        if not 1 <= number <= len(self.document):
            raise Unreadable("damaged", f"{self._stamp.path.name} has no page {number:,}.", hint="Fetch it again.")
        try:
            return self.document[number - 1]
        except pdfium.PdfiumError as error:
            what = f"Page {number:,} of {self._stamp.path.name} is damaged."
            raise Unreadable("damaged", what, hint="Fetch it again.") from error


def render_page(cache: PdfCache, path: Path, number: int, scale: float) -> Job[PageImage]:
    """A page at `scale` pixels a point; given up in the middle when cancelled."""

    def work(progress: Progress) -> PageImage:
        progress.tick(0, 1)
        with cache.open(path, progress) as opened, closing(opened.page(number)) as page:
            return _draw(page, path, number, scale, progress)

    return Job(f"Drawing page {number:,} of {path.name}", work)


def _draw(page: pdfium.PdfPage, path: Path, number: int, scale: float, progress: Progress) -> PageImage:
    import pypdfium2 as pdfium
    import pypdfium2.raw as raw

    across, down = page.get_size()
    finest = min(scale, (_MAX_PIXELS / max(across * down, 1.0)) ** 0.5)
    width, height = max(1, round(across * finest)), max(1, round(down * finest))
    with closing(pdfium.PdfBitmap.new_native(width, height, raw.FPDFBitmap_BGRx)) as bitmap:
        bitmap.fill_rect((255, 255, 255, 255), 0, 0, width, height)
        asked = raw.IFSDK_PAUSE(version=1)
        asked.NeedToPauseNow = type(asked.NeedToPauseNow)(lambda _: int(progress.cancelled))
        state = raw.FPDF_RenderPageBitmap_Start(
            bitmap, page, 0, 0, width, height, 0, raw.FPDF_ANNOT, ctypes.byref(asked)
        )
        raw.FPDF_RenderPage_Close(page)
        if state == raw.FPDF_RENDER_TOBECONTINUED:
            progress.tick(0, 1)
        return PageImage(path, number, scale, width, height, bitmap.stride, memoryview(bitmap.buffer))


def _stamp(path: Path) -> _Stamp:
    try:
        status = path.stat()
    except OSError as exc:
        raise unreadable_error(path, exc) from exc
    return _Stamp(path, status.st_size, status.st_mtime_ns)
