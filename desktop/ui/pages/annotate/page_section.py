"""A part of the page: a heading with buttons beside it, and its contents below."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from desktop.ui.theme import Theme
from desktop.ui.widgets.labels import PlainLabel, set_tip


class PageSection(QFrame):
    """Put the contents into `contents`."""

    def __init__(self, theme: Theme, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("look", "card")
        self.setAccessibleName(title)
        heading = PlainLabel(title)
        heading.setProperty("type", "heading")
        self._header = QHBoxLayout()
        self._header.setSpacing(theme.px(4))
        self._header.addWidget(heading, 1)
        self.contents = QVBoxLayout(self)
        self.contents.setContentsMargins(theme.px(16), theme.px(10), theme.px(16), theme.px(12))
        self.contents.setSpacing(theme.px(8))
        self.contents.addLayout(self._header)

    def add_button(self, text: str, slot: Callable[[], object], tip: str = "") -> QPushButton:
        """A button beside the heading."""
        button = QPushButton(text)
        button.setProperty("look", "quiet")
        set_tip(button, tip)
        button.clicked.connect(lambda: slot())
        self._header.addWidget(button)
        return button
