"""Headings over the groups of a list."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QTreeWidgetItem

from desktop.ui.theme import SMALL, Theme

_HEIGHT = 30  # unscaled pixels


def list_heading(theme: Theme, text: str) -> QTreeWidgetItem:
    """A heading row, which cannot be selected by keys or clicks."""
    heading = QTreeWidgetItem([text])
    heading.setFlags(Qt.ItemFlag.NoItemFlags)
    heading.setFont(0, theme.font(SMALL, bold=True))
    heading.setForeground(0, theme.color("muted"))
    heading.setSizeHint(0, QSize(0, theme.px(_HEIGHT)))
    return heading
