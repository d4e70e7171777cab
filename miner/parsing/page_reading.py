"""Reads and draws single pages of a PDF.

What is not needed to draw is imported when text is asked for, so that a new process draws at once.
"""

from __future__ import annotations

from contextlib import closing
from multiprocessing.heap import Arena

import pypdfium2 as pdfium
import pypdfium2.raw as raw

from miner.parsing.pdf_documents import load_pdf
from miner.parsing.pdf_pages import MAX_PIXELS, Absent, Asked, DrawnPage, PageRequest

_A4 = (595.0, 842.0)
_MAX_POINTS = 1_000_000.0  # of a page's side; readers show pages of at most 14,400, times a unit of their own
_WHITE = (255, 255, 255, 255)


class PageReader:
    """Answers requests of pages by PDFium; the last document stays open."""

    def __init__(self, canvas: Arena | None) -> None:
        self._canvas = canvas
        self._name = ""
        self._document: pdfium.PdfDocument | None = None

    def answer(self, request: PageRequest) -> object:
        """As the function that `page_reader` returns."""
        document = self._open(request)
        if document is None:
            return Absent.CONTENT
        if request.asked is Asked.SIZES:
            return tuple(_size(document, index) for index in range(len(document)))
        if not 1 <= request.page <= len(document):
            return Absent.PAGE
        try:
            page = document[request.page - 1]
        except pdfium.PdfiumError:
            return Absent.DAMAGED
        with closing(page):
            return self._of_page(page, request)

    def _open(self, request: PageRequest) -> pdfium.PdfDocument | None:
        """The document of the request; None where it is another than the open one, and its content did not come."""
        if request.content is not None or request.document != self._name:
            if self._document is not None:
                self._document.close()
            self._document, self._name = None, ""
            if request.content is None:
                return None
            self._document, self._name = load_pdf(request.content), request.document
        return self._document

    def _of_page(self, page: pdfium.PdfPage, request: PageRequest) -> object:
        if request.asked is Asked.IMAGE:
            return _draw(page, request.scale, self._canvas)
        from miner.parsing.embedded.sentence_search import read_boxes, read_letters

        return read_letters(page, request.page) if request.asked is Asked.LETTERS else read_boxes(page)


def _size(document: pdfium.PdfDocument, index: int) -> tuple[float, float]:
    """Width and height of a page; those of A4 for one that is damaged, which is then not drawn."""
    try:
        width, height = document.get_page_size(index)
    except pdfium.PdfiumError:
        return _A4
    return (width, height) if 0 < width < _MAX_POINTS and 0 < height < _MAX_POINTS else _A4


def _draw(page: pdfium.PdfPage, scale: float, canvas: Arena | None) -> DrawnPage:
    page_width, page_height = page.get_size()
    actual_scale = min(scale, (MAX_PIXELS / max(page_width * page_height, 1.0)) ** 0.5)
    width, height = max(1, round(page_width * actual_scale)), max(1, round(page_height * actual_scale))
    with closing(pdfium.PdfBitmap.new_native(width, height, raw.FPDFBitmap_BGRx)) as bitmap:
        bitmap.fill_rect(_WHITE, 0, 0, width, height)
        raw.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, raw.FPDF_ANNOT)
        size = bitmap.stride * height
        if canvas is None or size > canvas.size:
            return DrawnPage(width, height, bitmap.stride, bytes(bitmap.buffer))
        canvas.buffer[:size] = bitmap.buffer
        return DrawnPage(width, height, bitmap.stride, None)
