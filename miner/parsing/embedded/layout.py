"""Turns the lines of a paper into sections of prose: what is kept, what is dropped, where sections and paragraphs begin."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from miner.parsing.embedded.columns import Columns
from miner.parsing.embedded.furniture import body_sizes
from miner.parsing.embedded.headings import Part, bare, is_heading, is_known, part_of
from miner.parsing.embedded.lines import Line
from miner.parsing.embedded.paragraphs import Text, vocabulary
from miner.records import Paragraph, Section, SectionKind

_CAPTION = re.compile(
    r"(?:(?:supplementary|extended data|online|web|additional)\s+)?(?:fig(?:ure)?s?|tab(?:le)?s?|algorithms?|listings?|scheme|box|plate|chart|exhibit|photo|map|image)\b\.?\s*"
    r"(?:S?\d+|[IVX]+|[A-Z])(?:[.\-]\d+)*[a-z]?(?:\s*[.:|–—)]|\s+[A-Z(]|$)",
    re.I,
)
_PROSE_AFTER = re.compile(
    r"\s+(?:shows?|illustrates?|presents?|and|gives?|depicts?|lists?|provides?|summari[sz]es?|in|is|are|of|we|for|to|also|the)\b"
)
_WORD = re.compile(r"[^\W\d_]{2,}")
_BULLET = re.compile(r"^[•●▪■◦‣∙·*➢✓►–—-]\s+(?=\S)")


def is_caption(line: Line) -> bool:
    found = _CAPTION.match(line.text)
    return bool(found) and not _PROSE_AFTER.match(line.text[found.end() :].lower() if found else "")


def is_formula(line: Line) -> bool:
    """Whether the line is displayed mathematics rather than words."""
    words = [word for word in _WORD.findall(line.text) if len(word) > 2]
    letters = sum(map(len, words))
    dense = len(line.text.replace(" ", ""))
    if line.maths > 0.25 or re.search(r"[=≤≥≈∑∫∏√→∈<>±×]|\(\d+[a-z]?\)$", line.text):
        return letters < 0.5 * dense
    return False


def is_low(line: Line) -> bool:
    """Whether the line has too few letters for prose."""
    dense = line.text.replace(" ", "")
    return sum(map(str.isalpha, dense)) < 0.6 * len(dense)


class Reader:
    """Goes through the lines once, in order, keeping the section and the paragraph in hand."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self._lines = lines
        self._words = vocabulary(lines)
        sizes = body_sizes(lines)
        self._body = sizes[0] if sizes else 0.0
        self._sizes = frozenset(sizes)
        self._columns = Columns(lines, self._sizes)
        prose = [line for line in lines if line.size in self._sizes and len(line.text) > 30]
        self._bold = sum(line.bold > 0.9 for line in prose) > 0.4 * len(prose)
        pitches = Counter(
            round((b.baseline - a.baseline) / self._body, 1)
            for a, b in pairwise(prose)
            if a.page == b.page and 0 < b.baseline - a.baseline < 4 * self._body
        )
        self._pitch = (pitches.most_common(1)[0][0] if pitches else 1.2) * self._body
        self.sections: list[Section] = []
        self._title = ""
        self._part = Part.BODY
        self._kind = SectionKind.BODY
        self._paragraphs: list[Paragraph] = []
        self._text = Text(self._words, after_break=False)
        self._heading: list[Line] = []
        self._started = False
        self._past_references = False

    def read(self) -> list[Section]:
        before: Line | None = None
        skipping: Line | None = None  # the last line of a caption under way
        broken = False
        for index, line in enumerate(self._lines):
            near = before is not None and self._follows(before, line)
            column = self._columns.of(line)
            alone = not near or line.baseline - before.baseline > 1.3 * self._pitch if before else True
            left = line.x0 - column.left < 2.5 * self._body or True
            if (
                skipping
                and self._follows(skipping, line)
                and abs(line.size - skipping.size) < 0.4
                and line.baseline - skipping.baseline < 1.3 * max(self._pitch, 1.3 * line.size)
            ):
                skipping = line
                before = line
                continue
            skipping = None
            if is_caption(line) and (alone or line.size not in self._sizes):
                skipping = before = line
                continue
            if is_heading(line, self._body, self._bold, alone=alone, left=left):
                follows = (
                    self._heading
                    and self._follows(self._heading[-1], line)
                    and abs(self._heading[-1].size - line.size) < 0.5
                )
                if not follows:
                    self._end_heading()
                    self._end_paragraph()
                self._heading.append(line)
                before = line
                continue
            was, before = before, line
            if line.size not in self._sizes:
                continue
            if is_formula(line):
                wide = line.x1 - line.x0 > 0.8 * column.width
                if line.x0 - column.left > 1.0 * self._body or not near or line.maths > 0.5:
                    broken = True
                    continue
            elif is_low(line):
                continue
            self._end_heading()
            if self._part in (Part.REFERENCES, Part.SKIP):
                continue
            text = line.text
            if broken:
                self._end_paragraph(True)
                broken = False
            elif self._text and self._starts_paragraph(was, line, near, column):
                self._end_paragraph()
            bullet = _BULLET.match(text)
            if bullet:
                text = text[bullet.end() :]
            self._text.add(line, text)
        self._end_section("")
        return self.sections

    def _follows(self, above: Line, line: Line) -> bool:
        """Whether the line is the next below in the same column."""
        down = line.baseline - above.baseline
        return (
            above.page == line.page
            and 0 < down < 2.2 * max(self._pitch, line.size)
            and line.x0 < above.x1
            and above.x0 < line.x1
        )

    def _starts_paragraph(self, above: Line | None, line: Line, near: bool, column) -> bool:
        if self._text.open and (line.text[:1].islower() or not near):
            return False
        if above is None or not near:
            return not self._text.open
        if _BULLET.match(line.text) or line.baseline - above.baseline > 1.35 * self._pitch:
            return True
        return line.x0 - above.x0 > 0.7 * self._body or (
            above.x1 < column.right - 0.15 * column.width and not self._text.open
        )

    def _end_paragraph(self, after_break: bool = False) -> None:
        if self._text:
            self._paragraphs.append(self._text.paragraph())
        self._text = Text(self._words, after_break=after_break)

    def _end_heading(self) -> None:
        if not self._heading:
            return
        title = " ".join(line.text for line in self._heading)
        self._heading = []
        self._end_section(title)

    def _end_section(self, title: str) -> None:
        self._end_paragraph()
        if self._paragraphs:
            self.sections.append(Section(self._title, tuple(self._paragraphs), self._kind))
        self._paragraphs = []
        self._title = title
        self._part = part_of(title)
        self._kind = {Part.ABSTRACT: SectionKind.ABSTRACT, Part.ANNEX: SectionKind.ANNEX}.get(
            self._part, SectionKind.BODY
        )
