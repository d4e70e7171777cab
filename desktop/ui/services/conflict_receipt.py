"""A dialog with the result of merging, and with buttons to review the pairs that were answered in two ways."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal, SignalInstance
from PySide6.QtWidgets import QDialogButtonBox, QPushButton, QWidget

from desktop.text import count
from desktop.translation import tr
from desktop.ui.theme import Theme
from desktop.ui.widgets.lines_dialog import LinesDialog


class ConflictReceipt(LinesDialog):
    """heads: the first sentences, on what was merged; others, then notes, are below them.

    relations, kinds: the keys of the pairs with conflicts about relations and about kinds.
    """

    conflicts_chosen = Signal(object)  # the keys of the pairs with conflicts, which are to be reviewed
    kinds_conflicts_chosen = Signal(object)  # the same of conflicts about kinds

    def __init__(
        self,
        theme: Theme,
        title: str,
        heads: Sequence[str],
        others: Sequence[str],
        notes: Sequence[str],
        relations: tuple[str, ...],
        kinds: tuple[str, ...],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(theme, title, parent)
        for sentence in heads:
            self.add_line(sentence, "heading")
        for sentence in others:
            self.add_line(sentence)
        for sentence in notes:
            self.add_line(sentence, "muted")
        self.setMinimumWidth(theme.px(560))
        self.area.setMinimumHeight(theme.px(min(360, 60 + 44 * len(self.lines))))
        about_kinds = tr(" about kinds") if relations else ""  # they are answered on two pages
        self.conflicts_button = self._add_button(relations, "", self.conflicts_chosen)
        self.kinds_button = self._add_button(kinds, about_kinds, self.kinds_conflicts_chosen)

    def _add_button(self, keys: tuple[str, ...], about: str, chosen: SignalInstance) -> QPushButton:
        """A button that reviews these pairs, if there are any."""
        text = tr("Review {conflicts}{about}", conflicts=count(len(keys), "conflict"), about=about)
        button = self.buttons.addButton(text, QDialogButtonBox.ButtonRole.ActionRole)
        button.setVisible(bool(keys))
        button.clicked.connect(self.accept)
        button.clicked.connect(lambda: chosen.emit(keys))
        return button
