"""Puts a paper's prose lines together: sections under their headings, paragraphs joined over columns, pages and floats."""

from __future__ import annotations

import re
from collections.abc import Sequence

from miner.parsing.embedded.columns import Columns
from miner.parsing.embedded.headings import Part, is_known, part_of
from miner.parsing.embedded.kinds import Kind, follows, kinds
from miner.parsing.embedded.lines import Line
from miner.parsing.embedded.order import reading_order
from miner.parsing.embedded.paragraphs import Text, vocabulary
from miner.parsing.embedded.references import drop_references
from miner.parsing.embedded.style import Style
from miner.records import Paragraph, Section, SectionKind

_BULLET = re.compile(r"^[•●▪■◦‣∙·*➢✓►–-]\s+(?=\S)")


def read_sections(lines: Sequence[Line]) -> list[Section]:
    """Sections in reading order; those that hold no prose that counts are left out."""
    if not lines:
        return []
    return _Writer(lines).write()


class _Writer:
    """Goes through the lines once, in order, keeping the section and the paragraph in hand."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self._lines = lines
        self._words = vocabulary(lines)
        self._style = Style.of(lines)
        self._columns = Columns(lines, self._style)
        self._kinds = kinds(lines, self._style, self._columns)
        drop_references(lines, self._kinds)
        self._sections: list[Section] = []
        self._title = ""
        self._part = Part.BODY
        self._paragraphs: list[Paragraph] = []
        self._text = Text(self._words, after_break=False)
        self._heading: list[Line] = []
        self._before: Line | None = None  # the prose line before
        self._broken = False

    def write(self) -> list[Section]:
        for index in reading_order(self._lines, self._kinds, self._style):
            line, kind = self._lines[index], self._kinds[index]
            if kind is Kind.HEADING:
                self._add_heading(line)
            elif kind is Kind.FORMULA:
                self._broken = True
            elif kind is Kind.PROSE:
                self._end_heading()
                if self._part not in (Part.REFERENCES, Part.SKIP):
                    self._add_prose(line)
        self._end_section("")
        return self._sections

    def _add_heading(self, line: Line) -> None:
        last = self._heading[-1] if self._heading else None
        if (
            last is None
            or not follows(last, line, self._style)
            or abs(last.size - line.size) > 0.5
            or line.baseline - last.baseline > 1.7 * line.size
            or (last.bold > 0.9) != (line.bold > 0.9)
            or is_known(line.text)
        ):
            self._end_heading()
        self._heading.append(line)

    def _add_prose(self, line: Line) -> None:
        if self._broken or (self._text and self._starts_paragraph(line)):
            self._end_paragraph(after_break=self._broken)
            self._broken = False
        bullet = None if self._text and self._text.open else _BULLET.match(line.text)
        self._text.add(line, line.text[bullet.end() :] if bullet else line.text)
        self._before = line

    def _starts_paragraph(self, line: Line) -> bool:
        above, body = self._before, self._style.body
        if above is None:
            return False
        near = follows(above, line, self._style)
        if not near or (self._text.open and line.text[:1].islower()):
            return not self._text.open
        if (
            _BULLET.match(line.text) and not self._text.open
        ) or line.baseline - above.baseline > 1.35 * self._style.pitch:
            return True
        if self._text.open:
            return False
        column = self._columns.of(above)
        short = column is not None and above.x1 < column.right - 0.15 * column.width
        return short or line.x0 - above.x0 > 0.7 * body

    def _end_paragraph(self, *, after_break: bool = False) -> None:
        if self._text:
            self._paragraphs.append(self._text.paragraph())
        self._text = Text(self._words, after_break=after_break)

    def _end_heading(self) -> None:
        if self._heading:
            title = " ".join(line.text for line in self._heading)
            self._heading = []
            self._end_section(title)

    def _end_section(self, title: str) -> None:
        self._end_paragraph()
        if self._paragraphs:
            kind = {Part.ABSTRACT: SectionKind.ABSTRACT, Part.ANNEX: SectionKind.ANNEX}.get(
                self._part, SectionKind.BODY
            )
            self._sections.append(Section(self._title, tuple(self._paragraphs), kind))
        self._paragraphs = []
        self._title = title
        self._part = part_of(title)
        self._broken = False
        self._before = None
