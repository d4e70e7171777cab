"""PDF files whose pages are shown: a process of their own reads and draws them, so that none can end the program.

The process is confined (`miner.processes.sandbox`), and gets the content of a file from here. It starts with the first
page; numpy is imported by the first job that needs it, so that the window starts without.
"""

from __future__ import annotations

import time
import weakref
from collections import OrderedDict
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from multiprocessing.heap import Arena
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from desktop.translation import tr
from miner.errors import UnreadableFile
from miner.libraries import np
from miner.parsing.files import FileKind, Hashes, hash_content, read_bytes, unreadable_error
from miner.parsing.page_worker import page_reader
from miner.parsing.pdf_pages import MAX_PIXELS, Absent, Asked, DrawnPage, PageRequest
from miner.processes.child import Failure, ProcessLimits
from miner.processes.pool import Pool
from miner.processes.sandbox import Confinement
from miner.progress import Cancelled, Job, Progress

if TYPE_CHECKING:
    from miner.parsing.embedded.sentence_search import PageLetters

T = TypeVar("T")

_MAX_CACHED_PAGES = 500  # with their letters about 10 MB
LIMITS = ProcessLimits(seconds=30, megabytes=2_000)  # for a page
_PATIENCE_SECONDS = 0.3  # for a page that nobody waits for any more; then its process is ended


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
    """Reads pages of PDFs in a process of its own; keeps hashes of all files, and letters of the pages read last.

    For one thread at a time. The process ends with this object.
    """

    def __init__(self) -> None:
        self._hashes: dict[_FileVersion, Hashes] = {}
        self._last: tuple[_FileVersion, bytes] | None = None  # what was read, until the process has it
        self._sent: _FileVersion | None = None
        self._letters: OrderedDict[tuple[_FileVersion, int], PageLetters] = OrderedDict()
        self._canvas: Arena | None = None
        self._pool: Pool[PageRequest, object] | None = None

    def hashes(self, path: Path) -> Hashes:
        """The hashes of a file; `UnreadableFile` if it is missing or cannot be read."""
        version = _file_version(path)
        if version not in self._hashes:
            self._hashes[version] = hash_content(self._content(version))
        return self._hashes[version]

    def open(self, path: Path, progress: Progress) -> OpenPdf:
        """A document whose pages can be read; each page read ticks. `UnreadableFile` if the file is missing."""
        return OpenPdf(self, _file_version(path), self._letters, progress)

    def ask(self, version: _FileVersion, request: PageRequest, progress: Progress) -> object:
        """What the process answers, which is not `Absent`. When it is cancelled it ends at once, or nearly.

        `UnreadableFile` where there is no such page, where the file or the page is encrypted or damaged, and where it
        ended the process, or took too much time or memory.
        """
        answer = self._answer(version, request, progress, resend=self._sent != version)
        if answer is Absent.CONTENT:  # the process has started again
            answer = self._answer(version, request, progress, resend=True)
        if isinstance(answer, Absent):
            if answer is Absent.PAGE:
                what = tr("{name} has no page {number:,}.", name=version.path.name, number=request.page)
            else:
                what = tr("Page {number:,} of {name} is damaged.", number=request.page, name=version.path.name)
            raise UnreadableFile("damaged", what, hint=tr("Fetch it again."))
        return answer

    def _answer(self, version: _FileVersion, request: PageRequest, progress: Progress, *, resend: bool) -> object:
        if resend:
            request = request._replace(content=self._content(version))
        cancelled_at = 0.0

        def look() -> None:
            nonlocal cancelled_at
            if progress.cancelled:
                cancelled_at = cancelled_at or time.monotonic()
                if time.monotonic() >= cancelled_at + _PATIENCE_SECONDS:
                    raise Cancelled

        pool = self._pool = self._pool or self._open_pool()
        self._sent = None
        try:
            with closing(pool.run([request], on_poll=look)) as answers:
                [(_, answer)] = answers
        except Cancelled:
            pool.close()
            raise
        if isinstance(answer, Failure):
            raise _error(answer, version.path)
        self._sent, self._last = version, None
        progress.raise_if_cancelled()
        return answer

    def _open_pool(self) -> Pool[PageRequest, object]:
        self._canvas = Arena(4 * MAX_PIXELS)  # it takes as much memory as the largest image so far
        reader = partial(page_reader, self._canvas)
        pool = Pool(reader, workers=1, limits=LIMITS, confinement=Confinement(), is_awaited=True)
        weakref.finalize(self, pool.close)
        return pool

    def on_canvas(self, size: int) -> bytes:
        """A copy of the first bytes of the memory that the process draws on."""
        return b"" if self._canvas is None else self._canvas.buffer[:size]

    def _content(self, version: _FileVersion) -> bytes:
        if self._last is None or self._last[0] != version:
            self._last = None  # free its memory before the next is read
            self._last = version, read_bytes(version.path, FileKind.PDF)
        return self._last[1]


class OpenPdf:
    """A document whose pages are read in the cache's process; their letters are cached for later jobs."""

    def __init__(
        self,
        cache: PdfCache,
        version: _FileVersion,
        letters: OrderedDict[tuple[_FileVersion, int], PageLetters],
        progress: Progress,
    ) -> None:
        self._cache = cache
        self._version = version
        self._letters = letters
        self._boxes: dict[int, np.ndarray] = {}
        self._progress = progress
        self._sizes: tuple[tuple[float, float], ...] | None = None

    def sizes(self) -> tuple[tuple[float, float], ...]:
        """Width and height of each page as shown, in points; `UnreadableFile` if it is encrypted or damaged."""
        if self._sizes is None:
            self._sizes = self._ask(tuple, Asked.SIZES)
        return self._sizes

    def letters(self, number: int) -> PageLetters:
        """The letters of a page, by number from 1; none if it is damaged or there is no such page."""
        from miner.parsing.embedded.sentence_search import NO_LETTERS, PageLetters

        self._progress.tick(number, len(self.sizes()))
        key = (self._version, number)
        if key not in self._letters:
            if not 1 <= number <= len(self.sizes()):
                return NO_LETTERS
            try:
                self._letters[key] = self._ask(PageLetters, Asked.LETTERS, number)
            except UnreadableFile:
                return NO_LETTERS
            if len(self._letters) > _MAX_CACHED_PAGES:
                self._letters.popitem(last=False)
        self._letters.move_to_end(key)
        return self._letters[key]

    def boxes(self, number: int) -> np.ndarray:
        """The box of each character of a page, as in `miner.parsing.embedded.sentence_search.Pages`."""
        if number not in self._boxes:
            self._boxes[number] = self._ask(np.ndarray, Asked.BOXES, number)
        return self._boxes[number]

    def draw(self, number: int, scale: float) -> PageImage:
        """A page, by number from 1, at `scale` pixels per point; `UnreadableFile` if it is damaged or there is none."""
        drawn = self._ask(DrawnPage, Asked.IMAGE, number, scale)
        width, height, stride, pixels = drawn
        if pixels is None:
            pixels = self._cache.on_canvas(stride * height)
        if not (0 < 4 * width <= stride and len(pixels) == stride * height):  # who shows it reads as much as is said
            raise _error(Failure("crash"), self._version.path)
        return PageImage(self._version.path, number, scale, width, height, stride, memoryview(pixels))

    def _ask(self, kind: type[T], asked: Asked, number: int = 1, scale: float = 1.0) -> T:
        request = PageRequest(repr(self._version), asked, number, scale)
        answer = self._cache.ask(self._version, request, self._progress)
        if not isinstance(answer, kind):
            raise _error(Failure("crash"), self._version.path)
        return answer


def render_page(cache: PdfCache, path: Path, number: int, scale: float) -> Job[PageImage]:
    """Draw a page, by number from 1, at `scale` pixels per point. Cancelling it ends the drawing."""

    def work(progress: Progress) -> PageImage:
        progress.tick(0, 1)
        return cache.open(path, progress).draw(number, scale)

    return Job(tr("Drawing page {number:,} of {name}", number=number, name=path.name), work)


def _error(failure: Failure, path: Path) -> Exception:
    """Why there is no answer; what is left is a bug."""
    name = path.name
    match failure.kind:
        case "refused":
            assert failure.refusal is not None
            return failure.refusal
        case "timeout":
            what = tr("{name} takes longer than {seconds:.0f} s to draw.", name=name, seconds=LIMITS.seconds)
        case "memory":
            what = tr("{name} needs more than {megabytes:,} MB of memory.", name=name, megabytes=LIMITS.megabytes)
        case "crash":
            what = tr("{name} cannot be shown: it ends the process that draws it.", name=name)
        case _:
            return RuntimeError(f"drawing met a bug in its own process:\n{failure.detail}")
    return UnreadableFile(failure.kind, what, hint=tr("Print it to a new PDF, and show that. The other papers go on."))


def _file_version(path: Path) -> _FileVersion:
    try:
        status = path.stat()
    except OSError as exc:
        raise unreadable_error(path, exc) from exc
    return _FileVersion(path, status.st_size, status.st_mtime_ns)
