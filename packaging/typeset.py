"""Set a sample paper as a PDF in one of three layouts: a Word-like manuscript, a conference paper, a journal page."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from reportlab.lib.colors import black
from reportlab.lib.enums import TA_CENTER, TA_JUSTIFY, TA_LEFT
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfbase import pdfmetrics
from reportlab.platypus import (
    BaseDocTemplate,
    CondPageBreak,
    Flowable,
    Frame,
    FrameBreak,
    NextPageTemplate,
    PageTemplate,
    Paragraph,
    Table,
)

WIDTH, HEIGHT = A4
MANY_PAGES = 9


@dataclass(frozen=True, slots=True)
class Layout:
    """A page design; lengths in points."""

    columns: int
    margin: float
    top: float
    bottom: float
    size: float
    leading: float
    font: str = "Times"
    head_font: str = "Times-Bold"
    gap: float = 18
    indent: float = 10
    space: float = 0
    align: int = TA_JUSTIFY
    running: bool = False
    ligatures: bool = False
    small: float = field(default=8)


LAYOUTS = {
    "manuscript": Layout(1, 76, 72, 78, 11, 16.5, indent=0, space=7, align=TA_LEFT, small=9),
    "conference": Layout(2, 70, 66, 74, 10, 12, font="Lig", head_font="Lig-Bold", ligatures=True),
    "journal": Layout(2, 54, 72, 60, 9.4, 11.6, head_font="Helvetica-Bold", running=True, small=7.6),
}
FACES = {
    "Lig": "Times-Roman",
    "Lig-Bold": "Times-Bold",
    "Lig-Italic": "Times-Italic",
    "Lig-BoldItalic": "Times-BoldItalic",
}


def register_fonts() -> None:
    """The base fonts in MacRoman encoding, which has the fi and fl ligatures that WinAnsi lacks."""
    for name, face in FACES.items():
        pdfmetrics.registerFont(pdfmetrics.Font(name, face, "MacRomanEncoding"))
    pdfmetrics.registerFontFamily("Lig", "Lig", "Lig-Bold", "Lig-Italic", "Lig-BoldItalic")


class Typesetter:
    """Turns the blocks of a paper into flowables of one layout."""

    def __init__(self, layout: Layout, hyphens: Mapping[str, str]) -> None:
        self.layout = layout
        self._hyphens = hyphens
        body = "Lig" if layout.ligatures else "Times-Roman"
        self.body = ParagraphStyle(
            "body",
            fontName=body,
            fontSize=layout.size,
            leading=layout.leading,
            alignment=layout.align,
            firstLineIndent=layout.indent,
            spaceAfter=layout.space,
            embeddedHyphenation=1,
            allowWidows=0,
            allowOrphans=0,
        )
        self.first = self.body.clone("first", firstLineIndent=0)
        self.small = self.first.clone("small", fontSize=layout.small, leading=layout.small * 1.22, spaceAfter=3)
        self.caption = self.small.clone("caption", spaceBefore=4, spaceAfter=6, alignment=TA_LEFT)
        self.reference = self.small.clone("reference", leftIndent=12, firstLineIndent=-12)
        self.heading = self.first.clone(
            "heading",
            fontName=layout.head_font,
            fontSize=layout.size + 1.5,
            leading=layout.leading + 2,
            spaceBefore=10,
            spaceAfter=4,
            alignment=TA_LEFT,
        )
        self.subheading = self.heading.clone("subheading", fontSize=layout.size + 0.3, spaceBefore=7, spaceAfter=3)

    def text(self, source: str) -> str:
        """reportlab's markup for ours, with soft hyphens and, where the layout has them, ligatures."""
        words = source.replace("'", "’")
        if not self.layout.ligatures:  # MacRoman as reportlab knows it has no hard space
            words = re.sub(r"(\d) (?=(%|[ckm]?m|m?s|Hz|min)\b|%)", "\\1\u00a0", words)
        # reportlab loses a space where a hyphenated word meets a change of font
        words = re.sub(r"(?<![*\w])[A-Za-z]{7,}(?![\w]|\S* ?[*^])", lambda word: self._hyphenated(word[0]), words)
        for plain, tagged in (("&", "&amp;"), ("<", "&lt;")):
            words = words.replace(plain, tagged)
        words = re.sub(r"\*\*(.+?)\*\*", r"<b>\1</b>", words)
        words = re.sub(r"\*(.+?)\*", r"<i>\1</i>", words)
        words = re.sub(
            r"\^(.+?)\^", rf'<super size="{self.layout.size * 0.65}" rise="{self.layout.size * 0.34}">\1</super>', words
        )
        if self.layout.ligatures:
            words = words.replace("fi", "\ufb01").replace("fl", "\ufb02")
        return words

    def _hyphenated(self, word: str) -> str:
        parts = self._hyphens.get(word.lower())
        if parts is None:
            return word
        cuts, at = [], 0
        for part in re.split(r"-(?=\w{3})", parts):
            part = part.replace("-", "")
            cuts.append(word[at : at + len(part)])
            at += len(part)
        return "\u00ad".join(cuts)

    def flowables(self, blocks: Sequence[str]) -> list[Flowable]:
        found: list[Flowable] = []
        style, formulas, references = self.first, 0, False
        for block in blocks:
            kind, _, rest = block.partition(" ")
            if kind in ("#", "##"):
                references = rest == "References"
                found.append(CondPageBreak(6 * self.layout.leading))  # a whole paragraph need not stay with its heading
                found.append(Paragraph(self.text(rest), self.heading if kind == "#" else self.subheading))
            elif kind == "$":
                formulas += 1
                found.append(Formula(rest, formulas, self.body))
            elif kind == "|":
                found.append(self._table(block))
            elif kind == "!":
                found.append(Bars(block, self.layout.small))
            elif re.match(r"(Table|Figure) \d[.:]", block):
                caption = Paragraph(self.text(re.sub(r"^(\w+ \d[.:])", r"**\1**", block)), self.caption)
                caption.keepWithNext = block.startswith("Table")
                found.append(caption)
            else:
                found.append(Paragraph(self.text(block), self.reference if references else style))
            style = self.body if kind not in ("#", "##", "$") else self.first
        return found

    def _table(self, block: str) -> Table:
        rows = [[cell.strip() for cell in line.strip("| ").split("|")] for line in block.splitlines()]
        style: list[tuple[Any, ...]] = [
            ("FONT", (0, 0), (-1, -1), self.body.fontName, self.layout.small),
            ("ALIGN", (1, 0), (-1, -1), "RIGHT"),
            ("LINEABOVE", (0, 0), (-1, 0), 0.8, black),
            ("LINEBELOW", (0, 0), (-1, 0), 0.4, black),
            ("LINEBELOW", (0, -1), (-1, -1), 0.8, black),
            ("TOPPADDING", (0, 0), (-1, -1), 1.2),
            ("BOTTOMPADDING", (0, 0), (-1, -1), 2.2),
            ("LEFTPADDING", (0, 0), (-1, -1), 3),
            ("RIGHTPADDING", (0, 0), (-1, -1), 3),
        ]
        return Table(rows, style=style, spaceBefore=2, spaceAfter=10)


class Formula(Flowable):
    """A display formula in the middle of the column, its number at the right."""

    def __init__(self, formula: str, number: int, body: ParagraphStyle) -> None:
        super().__init__()
        self._number, self._size = number, body.fontSize
        style = body.clone("formula", fontName="Times-Italic", alignment=TA_CENTER, firstLineIndent=0)
        self._line = Paragraph(re.sub(r"_(\w)", r"<sub>\1</sub>", formula.replace("<", "&lt;")), style)

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        self.width = width
        self._line_height = self._line.wrap(width - 20, height)[1]
        return width, self._line_height + self._size * 1.2

    def draw(self) -> None:
        low = self._size * 0.6
        self._line.drawOn(self.canv, 0, low)
        self.canv.setFont("Times-Roman", self._size)
        self.canv.drawRightString(self.width, low + self._size * 0.25, f"({self._number})")


class Bars(Flowable):
    """A bar chart: `! Figure | axis label | name value; name value`."""

    HIGH = 120

    def __init__(self, block: str, size: float) -> None:
        super().__init__()
        _, self._label, values = (part.strip() for part in block.split("|"))
        self._bars = [
            (name, float(value.replace("–", "-")))
            for name, value in (item.strip().rsplit(" ", 1) for item in values.split(";"))
        ]
        self._size = size - 1

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        self.width = min(width, 300)
        self._left = (width - self.width) / 2
        return width, self.HIGH + 2.2 * self._size + 8

    def draw(self) -> None:
        canvas, floor = self.canv, min(0.0, *(value for _, value in self._bars))
        scale = (self.HIGH - 12) / (max(0.0, *(value for _, value in self._bars)) - floor)
        base, step = 2.4 * self._size, (self.width - 30) / len(self._bars)
        canvas.translate(self._left, 0)
        canvas.setFont("Helvetica", self._size)
        canvas.saveState()
        canvas.rotate(90)
        canvas.drawCentredString(base + self.HIGH / 2, -self._size, self._label)
        canvas.restoreState()
        zero = base - floor * scale
        canvas.setLineWidth(0.5)
        for number, (name, value) in enumerate(self._bars):
            x = 28 + number * step
            canvas.setFillGray(0.45 if name.split()[0] == self._bars[0][0].split()[0] else 0.75)
            canvas.rect(x, min(zero, zero + value * scale), step * 0.62, abs(value) * scale, fill=1)
            canvas.setFillGray(0)
            for line, word in enumerate(name.rsplit(" ", 1)):
                canvas.drawCentredString(x + step * 0.31, base - (line + 1) * 1.1 * self._size, word)
        canvas.line(22, zero, self.width, zero)


def set_paper(head: Mapping[str, str], blocks: Sequence[str], hyphens: Mapping[str, str], target: Path) -> None:
    """Write the paper as a PDF; the same text gives the same bytes."""
    layout = LAYOUTS[head["layout"]]
    setter = Typesetter(layout, hyphens)
    document = BaseDocTemplate(
        str(target),
        pagesize=A4,
        invariant=1,
        title=head["title"],
        author=head["authors"],
        subject="A fictional sample paper for Pairwright",
        creator="packaging/make_samples.py",
    )
    top = _title_block(head, blocks, setter)
    full = WIDTH - 2 * layout.margin
    title_height = sum(
        flowable.wrap(full, HEIGHT)[1] + flowable.getSpaceBefore() + flowable.getSpaceAfter() for flowable in top
    )
    abstract_in_title = head["layout"] == "journal"
    rest = list(blocks[2:]) if abstract_in_title else list(blocks)
    document.addPageTemplates([_page(number, head, setter, title_height) for number in range(1, MANY_PAGES + 1)])
    following = NextPageTemplate([f"page {number}" for number in range(2, MANY_PAGES + 1)])
    document.build([following, *top, FrameBreak(), *setter.flowables(rest)])


def _title_block(head: Mapping[str, str], blocks: Sequence[str], setter: Typesetter) -> list[Flowable]:
    align = TA_LEFT if setter.layout.running else TA_CENTER
    title = setter.first.clone(
        "title", fontName=setter.layout.head_font, fontSize=15.5, leading=19, alignment=align, spaceAfter=8
    )
    line = setter.first.clone("line", alignment=align, spaceAfter=3)
    note = setter.small.clone("note", alignment=align)
    authors = head["authors"].replace("; ", ", ")
    block: list[Flowable] = [
        Paragraph(head["title"], title),
        Paragraph(authors, line),
        Paragraph(f"<i>{head['affiliation']}</i>", line),
    ]
    if setter.layout.running:
        block.insert(0, Paragraph(setter.text(f"*{head['journal']}*   doi:{head['doi']}"), note))
        abstract = setter.first.clone("abstract", spaceAfter=2)
        block.append(Rule())
        block.append(Paragraph("Abstract", setter.subheading))
        block.append(Paragraph(setter.text(blocks[1]), abstract))
        block.append(Rule())
    else:
        block.append(Paragraph(f"{head['journal']}. https://doi.org/{head['doi']}", note))
    return block


class Rule(Flowable):
    """A thin line over the whole width."""

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        self.width = width
        return width, 8

    def draw(self) -> None:
        self.canv.setLineWidth(0.4)
        self.canv.line(0, 4, self.width, 4)


def _page(number: int, head: Mapping[str, str], setter: Typesetter, title_height: float) -> PageTemplate:
    """The frames of one page, shortened for its footnotes, and what is drawn around them."""
    layout = setter.layout
    full = WIDTH - 2 * layout.margin
    width = (full - (layout.columns - 1) * layout.gap) / layout.columns
    top = HEIGHT - layout.top
    frames, notes = [], []
    if number == 1:
        frames.append(_frame(layout.margin, top - title_height - 2, full, title_height + 2))
        top -= title_height + (16 if layout.columns == 2 else 6)
    for column in range(layout.columns):
        left = layout.margin + column * (width + layout.gap)
        low = layout.bottom
        text = head.get(f"footnote {number}.{column + 1}")
        if text:
            note = Paragraph(setter.text(re.sub(r"^(\w)\.? (?=[A-Z])", r"^\1^ ", text)), setter.small)
            note_height = note.wrap(width, HEIGHT)[1]
            notes.append((note, left, low))
            low += note_height + 10
        frames.append(_frame(left, low, width, top - low))
    printed = int(head["first page"]) + number - 1

    def around(canvas: Any, _: Any) -> None:
        for note, left, low in notes:
            canvas.setLineWidth(0.4)
            canvas.line(left, low + note.height + 5, left + 60, low + note.height + 5)
            note.drawOn(canvas, left, low)
        canvas.setFont("Helvetica" if layout.running else "Times-Roman", 8.5 if layout.running else 10)
        if not layout.running:
            canvas.drawCentredString(WIDTH / 2, 40, str(printed))
        elif number > 1 and printed % 2:
            canvas.drawString(layout.margin, HEIGHT - 50, head["short"])
            canvas.drawRightString(WIDTH - layout.margin, HEIGHT - 50, str(printed))
        elif number > 1:
            canvas.drawString(layout.margin, HEIGHT - 50, str(printed))
            surnames = [name.split()[-1] for name in head["authors"].split("; ")]
            canvas.drawRightString(
                WIDTH - layout.margin, HEIGHT - 50, " and ".join((", ".join(surnames[:-1]), surnames[-1]))
            )
        else:
            canvas.drawCentredString(WIDTH / 2, 36, str(printed))

    return PageTemplate(f"page {number}", frames, onPage=around)


def _frame(x: float, y: float, width: float, height: float) -> Frame:
    return Frame(x, y, width, height, leftPadding=0, rightPadding=0, topPadding=0, bottomPadding=0)
