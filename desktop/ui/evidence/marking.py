"""How premise and hypothesis are marked, in text and on pages: accent at 20 %, a margin bar, and a letter."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter

from desktop.jobs.papers.evidence import SentenceRole

LETTERS = {SentenceRole.PREMISE: "P", SentenceRole.HYPOTHESIS: "H"}
NAMES = {SentenceRole.PREMISE: "Premise", SentenceRole.HYPOTHESIS: "Hypothesis"}
SHARE = 0.2  # of the accent in a mark
BAR = 3.0  # pixels wide


def wash(accent: QColor) -> QColor:
    """The accent as it lies over text."""
    washed = QColor(accent)
    washed.setAlphaF(SHARE)
    return washed


def draw_bar(painter: QPainter, role: SentenceRole, top: float, bottom: float, right: float, accent: QColor) -> None:
    """A bar that ends at `right`: solid for the premise, two lines for the hypothesis."""
    painter.save()
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(accent)
    if role is SentenceRole.PREMISE:
        painter.drawRect(QRectF(right - BAR, top, BAR, bottom - top))
    else:
        painter.drawRect(QRectF(right - BAR, top, 1, bottom - top))
        painter.drawRect(QRectF(right - 1, top, 1, bottom - top))
    painter.restore()


def draw_letter(
    painter: QPainter, role: SentenceRole, place: QRectF, font: QFont, accent: QColor, on_accent: QColor
) -> None:
    """The role's letter in a filled rounded square."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(accent)
    painter.drawRoundedRect(place, 3, 3)
    painter.setPen(on_accent)
    painter.setFont(font)
    painter.drawText(place, Qt.AlignmentFlag.AlignCenter, LETTERS[role])
    painter.restore()
