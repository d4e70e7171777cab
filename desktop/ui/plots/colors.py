"""The colours of plots. A tone is a class, or what a mark means beside the others."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QBrush, QColor

from desktop.ui.theme import Theme

ABSENT = "absent"  # what is not there, or not yet
HALF = "half"  # there by half, between ABSENT and the accent
NO_LABEL_TONE = "none"  # hatched, so that it is no colour of its own
_TOKENS = frozenset(("accent", "muted", "warning", "bad"))
_PALE = frozenset((ABSENT, HALF, NO_LABEL_TONE))


def tone_color(theme: Theme, tone: str) -> QColor:
    if tone in (ABSENT, NO_LABEL_TONE):
        return mixed(theme.color("muted"), theme.color("card"), 0.3)
    if tone == HALF:
        return mixed(theme.color("accent"), theme.color("card"), 0.4)
    return theme.color(tone) if tone in _TOKENS else theme.label_text_color(tone)


def tone_brushes(theme: Theme, tone: str) -> list[QBrush]:
    """What a bar is filled with, one over the other."""
    brushes = [QBrush(tone_color(theme, tone))]
    if tone == NO_LABEL_TONE:
        brushes.append(QBrush(theme.color("muted"), Qt.BrushStyle.BDiagPattern))
    return brushes


def text_color_on(theme: Theme, tone: str) -> QColor:
    return theme.color("ink" if tone in _PALE else "card")


def mixed(color: QColor, ground: QColor, share: float) -> QColor:
    """`share` of the colour on the ground, opaque."""
    channels = ((color.red(), ground.red()), (color.green(), ground.green()), (color.blue(), ground.blue()))
    return QColor(*(round(share * over + (1 - share) * under) for over, under in channels))
