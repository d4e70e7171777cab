"""The bar above the figures: the chosen models, and the progress of predictions."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QToolButton, QWidget

from desktop.jobs.kinds.choices import KindsModelChoice
from desktop.text import listed
from desktop.translation import tr
from desktop.ui.theme import Theme
from desktop.ui.widgets.buttons import push_button
from desktop.ui.widgets.labels import PlainLabel
from desktop.ui.widgets.layouts import column_of, row_of, stretched
from desktop.ui.widgets.menus import CheckMenu
from desktop.ui.widgets.notices import Notice

_NONE = tr("Choose models to see with which kinds of reasoning they are wrong.")


class ModelsBar(QWidget):
    """Lets people choose models. `chosen`: their references, in the order in which they were chosen."""

    changed = Signal()
    cancelled = Signal()

    def __init__(self, theme: Theme, most: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._most = most
        self._choices: tuple[KindsModelChoice, ...] = ()
        self._working = ""
        self.chosen: tuple[str, ...] = ()
        self.button = QToolButton()
        self.button.setText(tr("Choose models"))
        self.button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.button.setAccessibleName(tr("Models of the figures"))
        self.menu = CheckMenu(self.button)
        self.button.setMenu(self.menu)
        self.label = PlainLabel(_NONE, wraps=True)
        self.cancel_button = push_button(tr("Cancel"), self.cancelled)
        self.cancel_button.hide()
        self.notice = Notice(theme)
        self.setLayout(
            column_of(
                row_of(self.button, stretched(self.label), self.cancel_button, spacing=theme.px(12)),
                self.notice,
                spacing=theme.px(8),
            )
        )

    def show_choices(self, choices: Sequence[KindsModelChoice]) -> None:
        """Offer these models. A chosen model that is not among them is deselected."""
        self._choices = tuple(choices)
        known = {one.reference for one in choices}
        self.chosen = tuple(reference for reference in self.chosen if reference in known)
        self.menu.clear()
        for before, one in zip((None, *choices), choices, strict=False):
            if before is not None and before.source != one.source:
                self.menu.addSeparator()
            action = self.menu.addAction(f"{one.name} ({one.source})" if one.source else one.name)
            action.setCheckable(True)
            action.setData(one.reference)
            action.setChecked(one.reference in self.chosen)
            action.toggled.connect(self._on_toggled)
        self._show_names()

    def choose(self, *references: str) -> None:
        self.chosen = references
        self.show_choices(self._choices)
        self.changed.emit()

    def show_state(self, working: str, problem: str = "", notes: Sequence[str] = ()) -> None:
        """working: what is in progress, "" if nothing is; problem: why there are no figures of the models."""
        self._working = working
        self._show_names()
        self.cancel_button.setVisible(bool(working))
        if problem:
            self.notice.show_text(problem, "bad")
        else:
            self.notice.show_text(" ".join(notes), "info")

    def _show_names(self) -> None:
        names = [one.name for reference in self.chosen for one in self._choices if one.reference == reference]
        self.label.setText(self._working or (listed(names) if names else _NONE))
        self.label.setProperty("type", "" if names or self._working else "muted")
        self.label.style().unpolish(self.label)
        self.label.style().polish(self.label)
        for action in self._actions():
            action.setEnabled(action.isChecked() or len(self.chosen) < self._most)

    def _actions(self) -> list[QAction]:
        return [action for action in self.menu.actions() if action.isCheckable()]

    @Slot()
    def _on_toggled(self) -> None:
        checked = [str(action.data()) for action in self._actions() if action.isChecked()]
        kept = [one for one in self.chosen if one in checked]
        self.chosen = (*kept, *(one for one in checked if one not in kept))
        self.changed.emit()
