"""Parses a paper from its PDF without a server: PDFium's characters and an analysis of the page layout.

    pdfium.py           characters of a page with their boxes (pdfium_functions.py: fast calls of PDFium)
    page_lines.py       characters, boxes and fonts of a page -> lines
    fonts.py            bold, italic and mathematical fonts, by their names
    hidden_text.py      finds words that cannot be seen
    lost_spaces.py      narrow spaces between words
    accents.py          accents printed apart from their letters
    lines.py            a line's text and type, without raised note numbers
    characters.py       ligatures, spaces
    symbols.py          symbols of fonts whose text is not what is printed (symbol_fonts.py: by the font's name,
                        font_dictionaries.py: by the names of its glyphs)
    shown_signs.py      signs of fonts that say they are letters (outlines.py, glyph_shapes.py: by their shapes)
    missing_maps.py     composite fonts without a Unicode map (unknown_codes.py: letters by the forms of words,
                        known_shapes.py: others by outlines of known characters)
    wrong_characters.py characters that are not what is printed, by the words they make (lost_glyphs.py: codes and
                        ligatures, cut_words.py: stray spaces)
    broken_lines.py     joins the pieces of lines that PDFium broke at inline formulas and raised or lowered characters
    raised_numbers.py   citations behind a number, which look like powers
    furniture.py        leaves out running heads and feet, page numbers
    layout.py           sizes and weight of the body text, distance of its lines, columns
    line_kinds.py       prose, heading, caption, formula, table or small type; line_context.py: by the lines around
    captions.py         captions of figures and tables
    headings.py         headings, of their own line and run-in
    heading_context.py  headings of several lines, and lines that only look like one
    document_parts.py   what a heading announces: abstract, body, references, annex, or a section to skip
    references.py       lists of references, by the form of their entries
    small_type.py       sections in another size than the body
    reading_order.py    columns written row by row, blocks out of order
    asides.py           notes and boxes that stand between two parts of a sentence
    sections.py         sections and paragraphs, joined across columns, pages and floats; imprints to skip
    paragraphs.py       a paragraph's lines, and the hyphens between them
    metadata/           title, authors, year, DOI, journal, licence
    sentence_search.py  finds a sentence on the pages

Measured against GROBID's and publishers' XML, joining paragraphs across columns, pages and floats matters most, then
headings, running heads, small type and formulas.

The numbers that rules compare with are named at the top of each module, with their unit and what they separate. They
were tuned on the scores against that XML (`python -m tests.bench extraction metadata`) and on papers in the tests.
"(±20 %: same)" means: moved by a fifth, or by 1, either way, the number changes none of 39 shared PDFs, so only the
tests may notice. `python -m tests.bench.parser_constants ../shared MODULE` measures this again.
"""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import accumulate, pairwise

from miner.errors import UnreadableFile
from miner.parsing.embedded.broken_lines import join_broken_lines
from miner.parsing.embedded.characters import count_letters
from miner.parsing.embedded.font_dictionaries import FontDictionaries
from miner.parsing.embedded.furniture import remove_furniture
from miner.parsing.embedded.known_shapes import GlyphOutlines
from miner.parsing.embedded.lines import TextLine
from miner.parsing.embedded.lost_glyphs import is_hyphenated
from miner.parsing.embedded.metadata import read_metadata
from miner.parsing.embedded.missing_maps import unmapped_fonts, with_maps, with_private_codes
from miner.parsing.embedded.pdfium import PageText, read_document_info, read_pages
from miner.parsing.embedded.reading_order import separate_columns
from miner.parsing.embedded.sections import read_sections
from miner.parsing.embedded.wrong_characters import Correction, learn_corrections
from miner.parsing.files import Hashes, hash_content
from miner.parsing.formats import PDF_LIMIT, FileKind, check_size
from miner.parsing.parse_ranks import EMBEDDED
from miner.parsing.pdf_documents import open_pdf
from miner.parsing.recognition import RECOGNISE
from miner.parsing.unknown_words import count_words
from miner.records import Paper
from miner.versions import EMBEDDED_VERSION


@dataclass(frozen=True, slots=True)
class PdfLimits:
    """Limits of size (bytes) and pages; a thesis has some 400 pages, proceedings 2,000."""

    size: int = PDF_LIMIT
    pages: int = 2_000


_DEFAULT_LIMITS = PdfLimits()
_MIN_HIDDEN_WORDS = 5  # a page, by which a PDF without visible text has hidden text rather than none
_MIN_LETTERS = 25  # of a page with text; a scan has a stamp or a page number
_MIN_TYPED_PAGES = 1 / 4  # of the pages; the others may be figures


@contextmanager
def _no_collection() -> Iterator[None]:
    """Pause Python's search for cyclic garbage: it would look at each line again and again, and lines have none."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


@_no_collection()
def parse_pdf(pdf: bytes, known: Hashes | None = None, *, limits: PdfLimits = _DEFAULT_LIMITS) -> Paper:
    """The paper in a PDF, without sentences. The same bytes always give the same paper.

    `known`: the hashes of the PDF, if the caller has them.
    `UnreadableFile`: empty, not_a_paper, too_large, encrypted, damaged, too_many_pages, scan, hidden_text, no_text.
    """
    _check(pdf, limits)
    page_texts, info = _read_text(pdf, limits)
    pages, hidden = [page.lines for page in page_texts], sum(page.hidden for page in page_texts)
    _check_text(pages, hidden)
    repaired = sum((page.repaired for page in page_texts), Counter[str]())
    repaired += _correct_characters([line for lines in pages for line in lines])
    sections = read_sections(remove_furniture([join_broken_lines(separate_columns(lines)) for lines in pages]))
    if not sections:
        raise UnreadableFile(
            "no_text",
            "There is text in this PDF, but no running prose that counts.",
            hint="Is it a paper? Slides and forms are not.",
        )
    metadata = read_metadata(pdf, info, pages)
    words = count_words(sections)
    identity = known or hash_content(pdf)
    return Paper(
        md5=identity.md5,
        sha256=identity.sha256,
        title=metadata.title,
        authors=metadata.authors,
        year=metadata.year,
        doi=metadata.doi,
        pages=len(pages),
        parser=EMBEDDED,
        parser_version=EMBEDDED_VERSION,
        hidden_words=hidden,
        repaired_characters=repaired.total(),
        repaired_fonts=len(repaired),
        licence=metadata.licence,
        journal=metadata.journal,
        sources=metadata.sources,
        words=words.words,
        unknown_words=words.unknown,
        unknown_lines=words.lines,
        sections=tuple(sections),
    )


def _read_text(pdf: bytes, limits: PdfLimits) -> tuple[list[PageText], dict[str, str]]:
    """The text of the pages as PDFium and the fonts tell it, and the document information."""
    with open_pdf(pdf) as document:
        if len(document) > limits.pages:
            raise UnreadableFile(
                "too_many_pages",
                f"This PDF has {len(document):,} pages; at most {limits.pages:,} are read.",
                hint="Split it into single papers.",
            )
        dictionaries = FontDictionaries(pdf)
        page_texts = list(read_pages(document, dictionaries))
        info = read_document_info(document)
    if dictionaries.unmapped and (fonts := unmapped_fonts(dictionaries.unmapped)):
        page_texts = _read_with_maps(pdf, fonts) or page_texts
    return page_texts, info


def _read_with_maps(pdf: bytes, fonts: Sequence[str]) -> list[PageText]:
    """The pages with what the codes of these fonts show, which lack a Unicode map; none if they have one."""
    if (private := with_private_codes(pdf, fonts)) is pdf:
        return []
    dictionaries = FontDictionaries(private)
    dictionaries.outlines = outlines = GlyphOutlines()
    with open_pdf(private) as document:
        lines = [line for page in read_pages(document, dictionaries) for line in page.lines]
    mapped = with_maps(pdf, lines, fonts, outlines.fonts)
    with open_pdf(mapped) as document:
        return list(read_pages(document, FontDictionaries(mapped)))


def read_licence(pdf: bytes, *, limits: PdfLimits = _DEFAULT_LIMITS) -> str:
    """The licence that a PDF states of itself, as `parse_pdf` reads it; "" where it states none or cannot be read."""
    try:
        _check(pdf, limits)
        with open_pdf(pdf) as document:
            if len(document) > limits.pages:
                return ""
            info = read_document_info(document)
            pages = [page.lines for page in read_pages(document, FontDictionaries(pdf))]
        _correct_characters([line for lines in pages for line in lines])
        return read_metadata(pdf, info, pages).licence
    except UnreadableFile:
        return ""


def _correct_characters(lines: list[TextLine]) -> Counter[str]:
    """Correct the lines' texts in place. The fonts of the characters that were wrong, each as often as it had one."""
    repaired: Counter[str] = Counter()
    for line, following in pairwise(lines):
        if is_hyphenated(line.text, following.text):
            line.text, line.hyphen = line.text[:-1], True
    text = "".join(line.text if line.hyphen else f"{line.text}\n" for line in lines)  # no parts of words at its ends
    for correction in learn_corrections(text):
        for line in lines:
            if correction.wrong.search(line.text):
                repaired.update(_fonts_of_wrong(line, correction))
                line.text = correction.apply(line.text)
            line.text, line.lead = line.text.strip(), correction.apply(line.lead).strip() if line.lead else ""
    return repaired


def _fonts_of_wrong(line: TextLine, correction: Correction) -> list[str]:
    """The font of each character of the line's text that is corrected.

    Where the page's characters are others than the text's, such as a ligature in one, it is that of most of the line.
    """
    if not (wrong := correction.positions(line.text)):
        return []
    fonts = line.characters.fonts(correction.positions(line.characters.text))
    return fonts if len(fonts) == len(wrong) else [line.characters.main_font()] * len(wrong)


def _check(pdf: bytes, limits: PdfLimits) -> None:
    if not pdf.strip(b"\x00 \r\n\t"):
        raise UnreadableFile("empty", "This file is empty.", hint="Fetch it again.")
    check_size("This PDF", len(pdf), FileKind.PDF, limits.size)
    if b"%PDF-" not in pdf[:1024]:
        raise UnreadableFile(
            "not_a_paper", "This is not a PDF, whatever its name says.", hint="Fetch the paper again as PDF."
        )


def _letters(lines: list[TextLine]) -> Iterator[int]:
    return (count_letters(line.text) for line in lines)


def _check_text(pages: list[list[TextLine]], hidden: int) -> None:
    """Refuse scans. A scan may have a few typed words, such as a stamp on its first page."""
    typed_pages = sum(any(letters > _MIN_LETTERS for letters in accumulate(_letters(lines))) for lines in pages)
    if typed_pages < _MIN_TYPED_PAGES * len(pages):
        if hidden > _MIN_HIDDEN_WORDS * len(pages):
            raise UnreadableFile(
                "hidden_text",
                f"None of the text of this PDF can be seen on its pages: {hidden:,} words are hidden.",
                hint="Fetch it again, or print it to a new PDF and run OCR on that.",
            )
        raise UnreadableFile("scan", "No text layer: this looks like a scan.", hint=RECOGNISE)
