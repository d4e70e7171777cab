"""The end of a round or queue: its answers in numbers, and what can be done next."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QGridLayout, QPushButton, QWidget

from desktop.text import count
from desktop.translation import tr
from desktop.ui.judging.label_chip import LabelChip
from desktop.ui.services.file_manager import show_file
from desktop.ui.theme import Theme
from desktop.ui.widgets.buttons import push_button
from desktop.ui.widgets.labels import PlainLabel
from desktop.ui.widgets.layouts import STRETCH, Placed, card_of, column_of, remove_widgets, row_of, stretched


class RoundEnd(QWidget):
    """A card with a title, counts, sentences and buttons, in which pages show the results of their questions."""

    another_requested = Signal()
    again_requested = Signal()

    def __init__(self, theme: Theme, another: str, parent: QWidget | None = None) -> None:
        """another: the text of the button that asks for another round."""
        super().__init__(parent)
        self._theme = theme
        self._file: Path | None = None
        self.title = PlainLabel(type="title")
        self.text = PlainLabel(wraps=True, selectable=True)
        self._counts = QGridLayout()
        self._counts.setHorizontalSpacing(theme.px(24))
        self._counts.setVerticalSpacing(theme.px(6))
        self._counts.setColumnStretch(6, 1)
        self.another_button = push_button(another, self.another_requested)
        self.folder_button = push_button(tr("Show file"), self._show_file)
        self.again_button = push_button(tr("Look at these pairs again"), self.again_requested)
        for button in (self.another_button, self.folder_button):
            button.setProperty("look", "primary")
        self._buttons = row_of(self.another_button, self.folder_button, self.again_button, STRETCH)
        parts = (self.title, self._counts, self.text, self._buttons)
        self._column = column_of(*parts, spacing=theme.px(16), margins=theme.px(32))
        frame = card_of(self._column)
        frame.setMaximumWidth(theme.px(640))
        middle = row_of(STRETCH, stretched(frame, 10), STRETCH)
        self.setLayout(column_of(STRETCH, middle, Placed(None, 2), spacing=0, margins=theme.px(8)))

    @property
    def first_button(self) -> QPushButton:
        """The button for what to do next."""
        buttons = (self.folder_button, self.another_button, self.again_button)
        return next(button for button in buttons if not button.isHidden())

    def show_end(self, title: str, lines: Sequence[str], *, can_draw: bool, send_back: Path | None = None) -> None:
        """Show a title and sentences, without counts yet.

        can_draw: another round can be drawn here. send_back: the answer file to return to its sender.
        """
        self._file = send_back
        self.title.setText(title)
        self.another_button.setVisible(can_draw)
        self.folder_button.setVisible(send_back is not None)
        if send_back is not None:
            back = tr("Close this window, then send {name} back to the person who sent it.", name=send_back.name)
            lines = [*lines, back]
        self.text.setText("\n".join(lines))
        remove_widgets(self._counts)

    def add_classes(self, classes: Iterable[str], counts: Mapping[str, int]) -> None:
        """Add a line for each class with its number of pairs."""
        for row, name in enumerate(classes):
            self._counts.addWidget(LabelChip(self._theme, name), row, 0)
            self._counts.addWidget(_right_aligned(f"{counts.get(name, 0):,}"), row, 1)

    def add_count(self, name: str, value: str, row: int, column: int = 0) -> None:
        """Add a name, and its number in the next column."""
        self._counts.addWidget(PlainLabel(name), row, column)
        self._counts.addWidget(_right_aligned(value), row, column + 1)

    @Slot()
    def _show_file(self) -> None:
        if self._file is not None:
            show_file(self._file)


def answered_text(pairs: int, bad: int) -> str:
    """How many pairs are answered, and how many of the round are marked as bad."""
    marked = tr(", {bad:,} marked as bad", bad=bad) if bad else ""
    return tr("{pairs} answered{bad}.", pairs=count(pairs, "pair"), bad=marked)


def _right_aligned(text: str) -> PlainLabel:
    label = PlainLabel(text)
    label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
    return label
