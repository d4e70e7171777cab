"""Layouts of columns and rows, written as they appear: widgets, other layouts, and space between them."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QBoxLayout, QFrame, QHBoxLayout, QLayout, QVBoxLayout, QWidget


class Placed(NamedTuple):
    """A part of a layout: a widget, another layout, or only space.

    stretch: its share of the remaining space; with 0 it has the size of its hint. pixels: of space. alignment: of a
    widget in its cell; without an alignment it fills the cell.
    """

    part: QWidget | QLayout | None
    stretch: int = 0
    alignment: Qt.AlignmentFlag | None = None
    pixels: int = 0


Part = QWidget | QLayout | Placed

STRETCH = Placed(None, 1)
"""Room that takes what the other parts leave."""


def stretched(part: QWidget | QLayout, share: int = 1) -> Placed:
    """A part that grows with the layout, in proportion to its share."""
    return Placed(part, share)


def aligned(part: QWidget, alignment: Qt.AlignmentFlag) -> Placed:
    """A widget with the size of its hint, at this place of its cell."""
    return Placed(part, 0, alignment)


def space(pixels: int) -> Placed:
    """Space of this size in pixels."""
    return Placed(None, pixels=pixels)


Margins = int | tuple[int, int, int, int]
"""Pixels around a layout: on every side, or left, top, right and bottom."""


def column_of(*parts: Part, spacing: int | None = None, margins: Margins = 0) -> QVBoxLayout:
    """Parts one below the other. spacing: pixels between them, None for the style's."""
    layout = QVBoxLayout()
    _fill(layout, parts, spacing, margins)
    return layout


def row_of(*parts: Part, spacing: int | None = None, margins: Margins = 0) -> QHBoxLayout:
    """Parts side by side, as in `column_of`."""
    layout = QHBoxLayout()
    _fill(layout, parts, spacing, margins)
    return layout


class CardFrame(QFrame):
    """A frame in the style of a card; base of cards with a class of their own, see `card_of` for the others."""

    def __init__(self, parent: QWidget | None = None, flags: Qt.WindowType = Qt.WindowType.Widget) -> None:
        super().__init__(parent, flags)
        self.setProperty("look", "card")


def card_of(layout: QLayout, *, name: str = "") -> CardFrame:
    """A card around a layout. name: for screen readers."""
    frame = CardFrame()
    frame.setAccessibleName(name)
    frame.setLayout(layout)
    return frame


def _fill(layout: QBoxLayout, parts: tuple[Part, ...], spacing: int | None, margins: Margins) -> None:
    layout.setContentsMargins(*((margins,) * 4 if isinstance(margins, int) else margins))
    if spacing is not None:
        layout.setSpacing(spacing)
    for given in parts:
        part, stretch, alignment, pixels = given if isinstance(given, Placed) else Placed(given)
        if isinstance(part, QLayout):
            layout.addLayout(part, stretch)
        elif part is None:
            layout.addStretch(stretch) if stretch else layout.addSpacing(pixels)
        elif alignment is None:
            layout.addWidget(part, stretch)
        else:
            layout.addWidget(part, stretch, alignment)


def remove_widgets(layout: QLayout) -> None:
    """Empty a layout; its widgets are hidden at once, and deleted."""
    while (item := layout.takeAt(0)) is not None:
        if (widget := item.widget()) is not None:
            widget.hide()
            widget.deleteLater()
