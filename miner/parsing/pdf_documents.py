"""Opens PDFs by PDFium, which reads and draws them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager

import pypdfium2 as pdfium
import pypdfium2.raw as raw

from miner.errors import UnreadableFile


@contextmanager
def open_pdf(pdf: bytes) -> Iterator[pdfium.PdfDocument]:
    """Open a document and close it at the end. `UnreadableFile`: encrypted, damaged."""
    with closing(load_pdf(pdf)) as document:
        yield document


def load_pdf(pdf: bytes) -> pdfium.PdfDocument:
    """A document, for the caller to close. `UnreadableFile`: encrypted, damaged."""
    try:
        return pdfium.PdfDocument(pdf)
    except pdfium.PdfiumError as error:
        if error.err_code in (raw.FPDF_ERR_PASSWORD, raw.FPDF_ERR_SECURITY) and not _loads(pdf):
            raise UnreadableFile(
                "encrypted",
                "This PDF is encrypted: it needs a password.",
                hint="Save a copy without one, then add that.",
            ) from None
        raise damaged_pdf() from None


def damaged_pdf() -> UnreadableFile:
    """What is said of a PDF that cannot be opened, or has no page that can."""
    return UnreadableFile("damaged", "This PDF is damaged or cut short.", hint="Fetch it again.")


def _loads(pdf: bytes) -> bool:
    """Whether PDFium can load the file: for a file without pages it reports the error of the previous file."""
    handle = raw.FPDF_LoadMemDocument64(pdf, len(pdf), None)
    if handle:
        raw.FPDF_CloseDocument(handle)
    return bool(handle)
