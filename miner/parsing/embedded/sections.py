"""Builds sections: headings with their paragraphs, joined across columns, pages and floats."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import assert_never

from miner.parsing.embedded.document_parts import (
    NUMBER_PREFIX,
    DocumentPart,
    document_part,
    is_common_heading,
    is_supplement,
    opens_imprint,
)
from miner.parsing.embedded.heading_context import correct_headings
from miner.parsing.embedded.headings import run_in_heading
from miner.parsing.embedded.layout import FULL_LINE, PageColumns, PageStyles
from miner.parsing.embedded.line_context import correct_line_kinds
from miner.parsing.embedded.line_kinds import LineKind, follows, line_kinds, stands_between
from miner.parsing.embedded.lines import ALL_OF_LINE, SAME_SIZE, TextLine, without_bullet
from miner.parsing.embedded.paragraphs import ParagraphBuilder, vocabulary
from miner.parsing.embedded.raised_numbers import remove_raised_citations
from miner.parsing.embedded.reading_order import reading_order
from miner.parsing.embedded.references import mark_references
from miner.parsing.embedded.small_type import restore_small_sections
from miner.records import Paragraph, Section, SectionKind

_FIRST_NUMBERED_HEADING = re.compile(r"(?:1|I)[.:]?\s+[A-Z]")
_SENTENCE_END = re.compile(r"[a-z)\]][.!?](?:\s|$)")
_SENTENCE_START = re.compile(r"[A-Z][a-z]*\s[a-z(]|[A-Z][a-z]*,\s|(?:The|This|These|We|Our|In|For|If|A|An)\s")
_PASSING_NOTICE = re.compile(
    r"key|index|ccs|notes?\b|abbrev|correspond|citation|orcid|article|open access|copyright", re.I
)
_ELSEWHERE = re.compile(
    r"\b(?:available|found|accessed|downloaded) (?:online|at|in the online|from|as)\b|https?:|\(DOCX?\)", re.I
)
_LETTERED_HEADING = re.compile(r"[A-Z]\d?(?:\.\d+)*\.?\s")  # "B.2 Proofs"
_ENUMERATOR = re.compile(r"\(?[\da-zA-Z]{1,2}\)\s")
_ITEM_OR_SYMBOLS = re.compile(r"\(?[\da-zA-Z]{1,3}[.)]\s|where\b")
_INITIAL = re.compile(r"(?:^|\s)[A-Z]\.$")
_SYMBOL_AND_STOP = re.compile(r"\s?\S{0,6}[.:](?=\s+[A-Z])")
_GOES_ON = re.compile(r"(?:and|or|of|for|in|&)\b", re.I)  # "RESULTS | AND DISCUSSION"
_SECTION_KINDS = {
    DocumentPart.ABSTRACT: SectionKind.ABSTRACT,
    DocumentPart.FRONT: SectionKind.ABSTRACT,
    DocumentPart.ANNEX: SectionKind.ANNEX,
    DocumentPart.SUPPLEMENT: SectionKind.ANNEX,
}

_OPENING_PAGES = 3  # on which the first heading may be: behind a cover, a title page and a long abstract
_HEADING_SIZE = 0.5  # points by which sizes of the lines of a heading differ (±20 %: same)
_IN_HEADING = 1.7  # of the type size: step between its lines at most
_IN_RUN_IN_HEADING = 1.6  # of the type size: the same where its last line goes on with prose (±20 %: same)
_SHORT_HEADING = 0.2  # of the width of the line below: a heading that goes on ends closer to its edge (±20 %: same)
_MIN_ABSTRACT = 0.7  # of the body size: notes on the first page are smaller than an abstract
_MIN_BODY_TEXT = 30  # characters of a line in the body's size that ends an abstract (±20 %: same)
_BEHIND_DISPLAY = 1.8  # line distances; a larger step has room for a displayed formula
_PARAGRAPH_STEP = 1.35  # line distances; a larger step begins a paragraph
_INDENT = 0.7  # of the body size: a line that starts farther right than the one above begins a paragraph
_MAX_MATHS = 0.2  # of the characters in fonts of mathematics: with more, a line below a colon is one (±20 %: same)
_MIN_PASSAGE_WORDS, _MIN_PASSAGE_SENTENCES = 40, 2  # of prose; names, addresses and notices are shorter


def read_sections(lines: Sequence[TextLine]) -> list[Section]:
    """The sections in reading order, without those that have no prose that counts."""
    if not lines:
        return []
    remove_raised_citations(lines)
    return _SectionBuilder(lines).build()


class _SectionBuilder:
    """Goes through the lines in reading order and builds the current section and paragraph."""

    def __init__(self, lines: Sequence[TextLine]) -> None:
        self._lines = lines
        self._words = vocabulary(lines)
        self._styles = PageStyles(lines)
        self._style = self._styles.main
        self._columns = PageColumns(lines, self._styles)
        self._kinds = line_kinds(lines, self._styles, self._columns)
        correct_line_kinds(lines, self._kinds, self._styles, self._columns)
        correct_headings(lines, self._kinds, self._styles)
        mark_references(lines, self._kinds, self._style)
        restore_small_sections(lines, self._kinds)
        self._order, self._starts = reading_order(lines, self._kinds, self._style)
        self._first_heading = self._find_first_heading()
        self._sections: list[Section] = []
        self._title = ""
        self._part = DocumentPart.FRONT if self._first_heading else DocumentPart.BODY
        self._annex = self._past_references = False
        self._paragraphs: list[Paragraph] = []
        self._text = ParagraphBuilder(self._words, after_break=False)
        self._heading: list[TextLine] = []
        self._previous_line: TextLine | None = None  # of prose
        self._unread: list[TextLine] = []  # lines since then that are no prose
        self._after_break = False
        self._is_end_matter = False  # below the last heading of the body
        self._skipping = False  # the current paragraph does not count
        self._abstract_size: float | None = None  # of the abstract

    def _find_first_heading(self) -> str:
        """The first heading after title, authors and perhaps an abstract; "" where the paper has none."""
        for index in self._order:
            line = self._lines[index]
            if line.page > _OPENING_PAGES:
                break
            if self._kinds[index] is LineKind.HEADING:
                is_text = document_part(line.text) in (DocumentPart.BODY, DocumentPart.ABSTRACT)
                if is_text and (is_common_heading(line.text) or _FIRST_NUMBERED_HEADING.match(line.text)):
                    return line.text
            elif (lead := run_in_heading(line, self._styles.of(line))) and document_part(lead) is DocumentPart.ABSTRACT:
                return lead
        return ""

    def _find_end_matter(self) -> int:
        """The position in reading order of the last heading of the body; -1 where the paper has none."""
        last = -1
        for position, index in enumerate(self._order):
            if self._kinds[index] is LineKind.REFERENCE:
                break
            text = self._lines[index].text
            if self._kinds[index] is LineKind.HEADING and document_part(text) is DocumentPart.BODY:
                last = position
        return last

    def build(self) -> list[Section]:
        end_matter = self._find_end_matter()
        for position, index in enumerate(self._order):
            line, kind = self._lines[index], self._kinds[index]
            self._is_end_matter = position > end_matter
            if index in self._starts:
                self._end_paragraph()
            match kind:
                case LineKind.HEADING:
                    self._add_heading(line)
                case LineKind.FORMULA:
                    self._after_break = True
                case LineKind.REFERENCE:
                    self._past_references = True
                    self._heading = []
                    self._end_section("")
                case LineKind.PROSE:
                    lead = self._end_of_run_in_heading(line)
                    if not lead:
                        self._end_heading()
                    self._add_prose(line, lead)
                case LineKind.SMALL:
                    self._unread.append(line)
                    self._add_small(line)
                case LineKind.TABLE:
                    self._unread.append(line)
                case LineKind.CAPTION:
                    pass
                case _:
                    assert_never(kind)
        self._end_section("")
        return self._sections

    def _add_heading(self, line: TextLine) -> None:
        last = self._heading[-1] if self._heading else None
        if (
            last is None
            or not follows(last, line, self._styles.of(line))
            or abs(last.size - line.size) > _HEADING_SIZE
            or line.baseline - last.baseline > _IN_HEADING * line.size
            or (last.bold > ALL_OF_LINE) != (line.bold > ALL_OF_LINE)
            or is_common_heading(line.text)
            or _begins_heading(line.text, " ".join(part.text for part in self._heading))
        ):
            self._end_heading()
        self._heading.append(line)

    def _add_small(self, line: TextLine) -> None:
        """Add a line in small type, if it belongs to the abstract."""
        lead = run_in_heading(line, self._styles.of(line))
        if self._part is DocumentPart.FRONT and lead and document_part(lead) is DocumentPart.ABSTRACT:
            self._end_section(lead)
            self._add_prose(line)
            return
        if self._heading:
            part = document_part(self._heading[-1].text)
            if part is DocumentPart.ABSTRACT:
                self._end_heading()
            elif part is DocumentPart.SKIP:  # a note with a heading of its own: the text around it continues
                self._heading = []
        if (
            self._part is DocumentPart.ABSTRACT
            and line.size > _MIN_ABSTRACT * self._style.body
            and (self._abstract_size is None or abs(line.size - self._abstract_size) < SAME_SIZE)
        ):
            self._add_prose(line)

    def _end_of_run_in_heading(self, line: TextLine) -> str:
        """The words at the line's start that end a heading begun in lines of their own; "" where it ends there."""
        last = self._heading[-1] if self._heading else None
        if last is None or not line.lead or not follows(last, line, self._styles.of(line)):
            return ""
        step = line.baseline - last.baseline
        near = step < _IN_RUN_IN_HEADING * line.size and abs(line.size - last.size) < SAME_SIZE
        alike = (last.bold if line.lead_bold else last.italic) > ALL_OF_LINE
        full = last.hyphen or last.x1 > line.x1 - _SHORT_HEADING * (line.x1 - line.x0)
        if not (near and alike and full) or last.text[-1] in ".:?!":
            return ""
        rest = line.text[len(line.lead) :]
        if line.lead[-1] in ".:?—" or rest.strip()[:1].isupper():
            return line.lead
        symbol = _SYMBOL_AND_STOP.match(rest)
        return line.lead + symbol[0] if symbol else ""

    def _add_prose(self, line: TextLine, end_of_heading: str = "") -> None:
        self._check_abstract_size(line)
        if self._is_behind_display(line):
            self._after_break = True
        self._mark_gap(line)
        text = line.text
        if end_of_heading:
            text = self._end_run_in_heading(line, end_of_heading)
        elif self._after_break or not (self._text or self._skipping) or self._starts_paragraph(line):
            text = self._start_paragraph(line)
        self._previous_line = line
        if self._skipping or not text or self._part in (DocumentPart.REFERENCES, DocumentPart.SKIP):
            return
        self._text.add(line, text if self._text and self._text.is_open else without_bullet(text))

    def _is_behind_display(self, line: TextLine) -> bool:
        """Whether a new sentence begins with this line, below a formula that is a picture or was not known as one."""
        above, style = self._previous_line, self._styles.of(line)
        if above is None or line.page != above.page or line.baseline - above.baseline < _BEHIND_DISPLAY * style.pitch:
            return False
        beside = line.x0 >= above.x1 or above.x0 >= line.x1
        if beside or above.hyphen or not above.text[-1].islower() or not _SENTENCE_START.match(line.text):
            return False
        column = self._columns.of(above)
        is_short = column is not None and above.x1 < column.right - FULL_LINE * column.width
        return is_short and not self._skipping and bool(self._text) and self._text.is_open

    def _mark_gap(self, line: TextLine) -> None:
        """Mark what is left out between the sentence that the paragraph ends with and this line."""
        above, unread, self._unread = self._previous_line, self._unread, []
        if above is None or not unread or not self._text or self._after_break or self._skipping:
            return
        lost = [other for other in unread if stands_between(above, other, line, self._style)]
        if lost and (self._text.is_open or line.text[0].islower()):
            self._text.add_gap(lost)

    def _check_abstract_size(self, line: TextLine) -> None:
        """The abstract ends where a line of the body's size follows."""
        if self._part is not DocumentPart.ABSTRACT:
            return
        if self._abstract_size is None:
            self._abstract_size = line.size
        elif (
            line.size in self._styles.of(line).sizes
            and abs(line.size - self._abstract_size) > SAME_SIZE
            and len(line.text) > _MIN_BODY_TEXT
        ):
            self._end_section("")

    def _start_paragraph(self, line: TextLine) -> str:
        """Begin a paragraph, perhaps a section, with this line; its text without a run-in heading."""
        self._end_paragraph(after_break=self._after_break)
        self._after_break = False
        text = line.text
        if lead := run_in_heading(line, self._styles.of(line)):
            part = document_part(lead)
            if self._begins_section(lead, part):
                self._end_section(lead)
            self._skipping = part is DocumentPart.SKIP
            self._text.after_break = True
            text = without_bullet(text)[len(lead) :].lstrip(" .:—–-")
        self._skipping = self._skipping or opens_imprint(text)
        return text

    def _end_run_in_heading(self, line: TextLine, lead: str) -> str:
        """Begin a paragraph below a run-in heading of several lines that these words end; the rest of the line."""
        title = self._title_of([*self._heading, line], lead)
        self._heading = []
        self._end_section(title)
        return line.text[len(lead) :].lstrip(" .:—–-")

    def _begins_section(self, lead: str, part: DocumentPart) -> bool:
        """Whether a run-in heading begins a section; a notice amid the text is a paragraph of its own."""
        if part is DocumentPart.ABSTRACT:
            in_body = self._part is DocumentPart.BODY and bool(self._title and self._paragraphs)
            return not (self._sections or in_body)
        return part is DocumentPart.SKIP and self._is_end_matter and not _PASSING_NOTICE.match(lead)

    def _starts_paragraph(self, line: TextLine) -> bool:
        above, style = self._previous_line, self._styles.of(line)
        if above is None:
            return False
        near = follows(above, line, style)
        is_open = self._text.is_open and not self._skipping
        begins_low = line.text[:1].islower()
        if not near and begins_low and _INITIAL.search(above.text) and not _ENUMERATOR.match(line.text):
            return False  # "L. | larvaepartus"
        is_below = line.page == above.page and line.baseline > above.baseline
        if not near and is_below and line.x0 < above.x0 - style.body and self._text.text.endswith(";"):
            return not begins_low  # below a list
        if not near and begins_low and line.maths < _MAX_MATHS and self._text.text.endswith(":") and not self._skipping:
            return _ITEM_OR_SYMBOLS.match(line.text) is not None  # else the sentence goes on behind the page's end
        if not near or (is_open and begins_low):
            return not is_open
        is_item = without_bullet(line.text) != line.text and not is_open
        if is_item or line.baseline - above.baseline > _PARAGRAPH_STEP * style.pitch:
            return True
        if is_open:
            return False
        column = self._columns.of(above)
        short = column is not None and above.x1 < column.right - FULL_LINE * column.width
        return short or line.x0 - above.x0 > _INDENT * style.body

    def _end_paragraph(self, *, after_break: bool = False) -> None:
        if self._text:
            self._paragraphs.append(self._text.paragraph())
        self._text = ParagraphBuilder(self._words, after_break=after_break)
        self._skipping = False

    def _end_heading(self) -> None:
        if self._heading:
            title = self._title_of(self._heading)
            self._heading = []
            self._end_section(title)

    def _title_of(self, heading: Sequence[TextLine], end: str = "") -> str:
        """The text of these lines. `end`: what of the last one belongs to it, where that is not all."""
        title = ParagraphBuilder(self._words, after_break=False)
        for line in heading[:-1] if end else heading:
            title.add(line, line.text)
        if end:
            title.add(heading[-1], end)
        return title.text

    def _end_section(self, title: str) -> None:
        self._end_paragraph()
        self._keep_section()
        part = document_part(title)
        if (
            self._part is DocumentPart.FRONT
            and part is DocumentPart.BODY
            and not (is_common_heading(title) or _FIRST_NUMBERED_HEADING.match(title))
        ):
            return  # a heading before the paper's text
        self._title = title
        if part is DocumentPart.SKIP and self._past_references and is_supplement(title):
            part = DocumentPart.SUPPLEMENT
        if part in (DocumentPart.ANNEX, DocumentPart.SUPPLEMENT) or (
            self._past_references and _LETTERED_HEADING.match(title)
        ):
            self._annex = True
        elif is_common_heading(title):
            self._annex = False
        self._part = DocumentPart.ANNEX if self._annex and part is DocumentPart.BODY else part

    def _keep_section(self) -> None:
        """Add the current section, if it has prose that counts, and start an empty one."""
        paragraphs = self._paragraphs
        if self._part is DocumentPart.FRONT:
            named = document_part(self._first_heading) is DocumentPart.ABSTRACT
            paragraphs = [] if named else [passage for passage in paragraphs if _is_passage(passage.text)]
        if self._part is DocumentPart.SUPPLEMENT and not _is_told(paragraphs):
            paragraphs = []
        if paragraphs:
            kind = _SECTION_KINDS.get(self._part, SectionKind.BODY)
            self._sections.append(Section(self._title, tuple(paragraphs), kind))
        self._paragraphs = []
        self._after_break = False
        self._previous_line = None
        self._abstract_size = None


def _begins_heading(text: str, above: str) -> bool:
    """Whether a line below the lines of a heading begins another one."""
    if NUMBER_PREFIX.match(text) or _ENUMERATOR.match(text):
        return NUMBER_PREFIX.match(above) is not None or _ENUMERATOR.match(above) is not None
    return is_common_heading(above) and text[0].isupper() and not _GOES_ON.match(text)


def _is_told(paragraphs: Sequence[Paragraph]) -> bool:
    """Whether a supplement is printed here, not only said to be somewhere or listed file by file."""
    passages = [paragraph.text for paragraph in paragraphs if _is_passage(paragraph.text)]
    return bool(passages) and not any(_ELSEWHERE.search(text) for text in passages)


def _is_passage(text: str) -> bool:
    """Whether this is prose of some length rather than names, addresses and notices."""
    is_long = len(text.split()) >= _MIN_PASSAGE_WORDS and len(_SENTENCE_END.findall(text)) >= _MIN_PASSAGE_SENTENCES
    return is_long and "@" not in text
