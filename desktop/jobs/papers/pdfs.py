"""PDF files whose pages are shown: a cache of their content and hashes, and the drawing of a page.

PDFium and numpy are imported by the first job that needs them, so that the window starts without them.
"""

from __future__ import annotations

import ctypes
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from desktop.translation import tr
from miner.errors import UnreadableFile
from miner.libraries import np
from miner.parsing.files import FileKind, Hashes, hash_content, read_bytes, unreadable_error
from miner.progress import Job, Progress

if TYPE_CHECKING:
    import pypdfium2 as pdfium

    from miner.parsing.embedded.sentence_search import PageLetters

_MAX_CACHED_PAGES = 500  # with their letters about 10 MB
_MAX_PIXELS = 16_000_000  # of an image; larger ones are drawn at a smaller scale


class _FileVersion(NamedTuple):
    """The properties of a file that tell whether it has changed."""

    path: Path
    size: int
    modified_ns: int


@dataclass(frozen=True, slots=True)
class PageImage:
    """A drawn page: rows of 4 bytes a pixel (blue, green, red, unused). `scale`: as requested, pixels per point."""

    path: Path
    page: int
    scale: float
    width: int
    height: int
    stride: int
    pixels: memoryview


class PdfCache:
    """A cache of the content of the last PDF, the hashes of all PDFs, and the letters of the pages read last.

    For one thread at a time, like PDFium.
    """

    def __init__(self) -> None:
        self._hashes: dict[_FileVersion, Hashes] = {}
        self._last: tuple[_FileVersion, bytes] | None = None
        self._letters: OrderedDict[tuple[_FileVersion, int], PageLetters] = OrderedDict()

    def hashes(self, path: Path) -> Hashes:
        """The hashes of a file; `UnreadableFile` if it is missing or cannot be read."""
        version = _file_version(path)
        if version not in self._hashes:
            self._hashes[version] = hash_content(self._content(version))
        return self._hashes[version]

    @contextmanager
    def open(self, path: Path, progress: Progress) -> Iterator[OpenPdf]:
        """Open a document; `UnreadableFile` if it is missing, encrypted or damaged. Each page read ticks."""
        from miner.parsing.embedded.pdfium import open_pdf

        version = _file_version(path)
        with open_pdf(self._content(version)) as document:
            yield OpenPdf(document, version, self._letters, progress)

    def _content(self, version: _FileVersion) -> bytes:
        if self._last is None or self._last[0] != version:
            self._last = None  # free its memory before the next is read
            self._last = version, read_bytes(version.path, FileKind.PDF)
        return self._last[1]


class OpenPdf:
    """An open document. The letters of its pages are cached for later jobs, the boxes until it is closed."""

    def __init__(
        self,
        document: pdfium.PdfDocument,
        version: _FileVersion,
        letters: OrderedDict[tuple[_FileVersion, int], PageLetters],
        progress: Progress,
    ) -> None:
        self.document = document
        self._version = version
        self._letters = letters
        self._boxes: dict[int, np.ndarray] = {}
        self._progress = progress

    def sizes(self) -> tuple[tuple[float, float], ...]:
        """Width and height of each page as shown, in points."""
        return tuple(self.document.get_page_size(index) for index in range(len(self.document)))

    def letters(self, number: int) -> PageLetters:
        """The letters of a page, by number from 1; none if it is damaged or there is no such page."""
        from miner.parsing.embedded.sentence_search import NO_LETTERS, read_letters

        self._progress.tick(number, len(self.document))
        key = (self._version, number)
        if key not in self._letters:
            try:
                with closing(self.page(number)) as page:
                    self._letters[key] = read_letters(page, number)
            except UnreadableFile:
                return NO_LETTERS
            if len(self._letters) > _MAX_CACHED_PAGES:
                self._letters.popitem(last=False)
        self._letters.move_to_end(key)
        return self._letters[key]

    def boxes(self, number: int) -> np.ndarray:
        """The box of each character of a page, as in `miner.parsing.embedded.sentence_search.Pages`."""
        from miner.parsing.embedded.sentence_search import read_boxes

        if number not in self._boxes:
            with closing(self.page(number)) as page:
                self._boxes[number] = read_boxes(page)
        return self._boxes[number]

    def page(self, number: int) -> pdfium.PdfPage:
        """A page, by number from 1, for the caller to close; `UnreadableFile` if it is damaged or there is none."""
        import pypdfium2 as pdfium

        if not 1 <= number <= len(self.document):
            raise UnreadableFile(
                "damaged",
                tr("{name} has no page {number:,}.", name=self._version.path.name, number=number),
                hint=tr("Fetch it again."),
            )
        try:
            return self.document[number - 1]
        except pdfium.PdfiumError as error:
            what = tr("Page {number:,} of {name} is damaged.", number=number, name=self._version.path.name)
            raise UnreadableFile("damaged", what, hint=tr("Fetch it again.")) from error


def render_page(cache: PdfCache, path: Path, number: int, scale: float) -> Job[PageImage]:
    """Draw a page, by number from 1, at `scale` pixels per point. Cancelling it ends the drawing."""

    def work(progress: Progress) -> PageImage:
        progress.tick(0, 1)
        with cache.open(path, progress) as opened, closing(opened.page(number)) as page:
            return _draw(page, path, number, scale, progress)

    return Job(tr("Drawing page {number:,} of {name}", number=number, name=path.name), work)


def _draw(page: pdfium.PdfPage, path: Path, number: int, scale: float, progress: Progress) -> PageImage:
    import pypdfium2 as pdfium
    import pypdfium2.raw as raw

    page_width, page_height = page.get_size()
    actual_scale = min(scale, (_MAX_PIXELS / max(page_width * page_height, 1.0)) ** 0.5)
    width, height = max(1, round(page_width * actual_scale)), max(1, round(page_height * actual_scale))
    with closing(pdfium.PdfBitmap.new_native(width, height, raw.FPDFBitmap_BGRx)) as bitmap:
        bitmap.fill_rect((255, 255, 255, 255), 0, 0, width, height)
        pause = raw.IFSDK_PAUSE(version=1)
        pause.NeedToPauseNow = type(pause.NeedToPauseNow)(lambda _: int(progress.cancelled))
        state = raw.FPDF_RenderPageBitmap_Start(
            bitmap, page, 0, 0, width, height, 0, raw.FPDF_ANNOT, ctypes.byref(pause)
        )
        raw.FPDF_RenderPage_Close(page)
        if state == raw.FPDF_RENDER_TOBECONTINUED:
            progress.tick(0, 1)
        return PageImage(path, number, scale, width, height, bitmap.stride, memoryview(bitmap.buffer))


def _file_version(path: Path) -> _FileVersion:
    try:
        status = path.stat()
    except OSError as exc:
        raise unreadable_error(path, exc) from exc
    return _FileVersion(path, status.st_size, status.st_mtime_ns)
