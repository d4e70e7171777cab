"""How premise and hypothesis are marked, in paragraphs and on pages: accent at 20 %, a margin bar, and a letter."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPainterPath

from desktop.jobs.papers.evidence import SentenceRole
from desktop.jobs.papers.sentence_locations import PdfLocations
from desktop.translation import tr
from desktop.ui.theme import LIGHT, SMALL, Theme
from miner.records import Box

ROLE_LETTERS = {SentenceRole.PREMISE: "P", SentenceRole.HYPOTHESIS: "H"}
ROLE_NAMES = {SentenceRole.PREMISE: tr("Premise"), SentenceRole.HYPOTHESIS: tr("Hypothesis")}
_ACCENT_OPACITY = 0.2
_BAR_WIDTH_PX = 3.0
_PHRASE_COVER_COLOR = "#E9E7E0"  # pages are white in any theme


def highlight_color(accent: QColor) -> QColor:
    """The color behind marked text: the accent, mostly transparent."""
    color = QColor(accent)
    color.setAlphaF(_ACCENT_OPACITY)
    return color


def draw_bar(painter: QPainter, role: SentenceRole, top: float, bottom: float, right: float, accent: QColor) -> None:
    """Draw a vertical bar that ends at `right`: solid for the premise, two lines for the hypothesis."""
    painter.save()
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(accent)
    if role is SentenceRole.PREMISE:
        painter.drawRect(QRectF(right - _BAR_WIDTH_PX, top, _BAR_WIDTH_PX, bottom - top))
    else:
        painter.drawRect(QRectF(right - _BAR_WIDTH_PX, top, 1, bottom - top))
        painter.drawRect(QRectF(right - 1, top, 1, bottom - top))
    painter.restore()


def draw_letter(
    painter: QPainter, role: SentenceRole, rect: QRectF, font: QFont, accent: QColor, on_accent: QColor
) -> None:
    """Draw the role's letter in a filled rounded square."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(accent)
    painter.drawRoundedRect(rect, 3, 3)
    painter.setPen(on_accent)
    painter.setFont(font)
    painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, ROLE_LETTERS[role])
    painter.restore()


class SentencePart(NamedTuple):
    """The lines of a sentence within one column of one page. `left` and `right`: edges of the column, in points."""

    role: SentenceRole
    page: int
    boxes: tuple[Box, ...]
    left: float
    right: float

    @property
    def top(self) -> float:
        return min(box.y0 for box in self.boxes)

    @property
    def bottom(self) -> float:
        return max(box.y1 for box in self.boxes)


def sentence_parts(locations: PdfLocations) -> Iterator[SentencePart]:
    """Both sentences, the premise first, cut where a column or a page ends."""
    for role in SentenceRole:
        boxes, lines = locations.boxes.get(role, ()), locations.lines.get(role, ())
        starts = [at for at in range(len(boxes)) if at == 0 or not _is_next_line(boxes[at - 1], boxes[at])]
        for start, end in pairwise([*starts, len(boxes)]):
            left, right = min(line.x0 for line in lines[start:end]), max(line.x1 for line in lines[start:end])
            yield SentencePart(role, boxes[start].page, boxes[start:end], left, right)


def _is_next_line(box: Box, following: Box) -> bool:
    """Whether a line continues in the same column, near enough for one bar."""
    height = box.y1 - box.y0
    return box.page == following.page and -height < following.y0 - box.y0 < 4 * height


@dataclass(frozen=True, slots=True)
class PageMarks:
    """Draws the marks of one page, in the colors of the light theme: pages are white in any theme.

    `page_rect`: the page within the viewport, in pixels. `scale`: pixels per point.
    """

    theme: Theme
    page: int
    page_rect: QRectF
    scale: float

    def draw(self, painter: QPainter, parts: Sequence[SentencePart]) -> None:
        """Draw the parts that are on this page; where a sentence continues elsewhere, a label says so."""
        theme, page_rect, scale = self.theme, self.page_rect, self.scale
        accent, on_accent = QColor(LIGHT.accent), QColor(LIGHT.on_accent)
        font, size = theme.font(SMALL - 2, bold=True), theme.px(14)
        letters: list[QRectF] = []
        for part, following in pairwise((*parts, None)):
            assert part is not None  # only the last one is
            if part.page != self.page:
                continue
            lines = QPainterPath()
            lines.setFillRule(Qt.FillRule.WindingFill)  # where lines overlap they are no darker
            for box in part.boxes:
                lines.addRect(self._pixel_rect(box))
            painter.fillPath(lines, highlight_color(accent))
            top, bottom = (page_rect.top() + y * scale for y in (part.top, part.bottom))
            lane = theme.px(3) + (theme.px(5) if part.role is SentenceRole.HYPOTHESIS else 0)
            both_lanes = theme.px(3 + 5 + 3) + _BAR_WIDTH_PX
            if self._has_margin_on_right(part):
                edge = page_rect.left() + part.right * scale
                bar, letter = edge + lane + _BAR_WIDTH_PX, QRectF(edge + both_lanes, top, size, size)
            else:
                edge = page_rect.left() + part.left * scale
                bar, letter = edge - lane, QRectF(edge - both_lanes - size, top, size, size)
            draw_bar(painter, part.role, top, bottom, bar, accent)
            for other in letters:
                if letter.intersects(other):
                    letter.moveTop(other.bottom() + 1)
            letters.append(letter)
            draw_letter(painter, part.role, letter, font, accent, on_accent)
            if following is not None and following.role is part.role:
                self._draw_continuation(painter, part, following)

    def cover_phrase(self, painter: QPainter, boxes: Sequence[Box]) -> None:
        """Hide the linking phrase."""
        for box in boxes:
            if box.page == self.page:
                rect = self._pixel_rect(box).adjusted(-1, -2, 1, 2)
                painter.fillRect(rect, QColor(_PHRASE_COVER_COLOR))
                painter.setPen(QColor(LIGHT.muted))
                painter.setFont(self.theme.font(SMALL))
                painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, "…")

    def _draw_continuation(self, painter: QPainter, part: SentencePart, following: SentencePart) -> None:
        """Draw a note below the last line of a column that the sentence continues in another column."""
        theme = self.theme
        text = (
            tr("continues ›")
            if following.page == part.page
            else tr("continues on page {page:,} ›", page=following.page)
        )
        font = theme.font(SMALL, bold=True)
        width, height = QFontMetricsF(font).horizontalAdvance(text) + theme.px(12), theme.px(18)
        right = self.page_rect.left() + part.right * self.scale
        top = self.page_rect.top() + part.bottom * self.scale + theme.px(2)
        label = QRectF(right - width, top, width, height)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(LIGHT.accent))
        painter.drawRoundedRect(label, theme.px(4), theme.px(4))
        painter.setPen(QColor(LIGHT.on_accent))
        painter.setFont(font)
        painter.drawText(label, Qt.AlignmentFlag.AlignCenter, text)
        painter.restore()

    def _has_margin_on_right(self, part: SentencePart) -> bool:
        """Whether the right margin is the outer one; between columns there is no room for letters."""
        width = self.page_rect.width() / self.scale
        return part.left > 0.45 * width and part.right > 0.6 * width

    def _pixel_rect(self, box: Box) -> QRectF:
        return QRectF(
            self.page_rect.left() + box.x0 * self.scale,
            self.page_rect.top() + box.y0 * self.scale,
            (box.x1 - box.x0) * self.scale,
            (box.y1 - box.y0) * self.scale,
        )
