"""The toolbar above the table of pairs: the number of pairs, and the actions on the selected ones."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QToolButton, QWidget

from desktop.translation import tr
from desktop.ui.pages.pairs.actions import PairActions
from desktop.ui.theme import Theme
from desktop.ui.widgets.labels import PlainLabel, set_tip


class PairToolbar(QWidget):
    """`counter` is a label, `evidence` a checkable button; the others run or list actions."""

    def __init__(self, theme: Theme, actions: PairActions, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.counter = PlainLabel(tr("Counting…"))
        self.counter.setAccessibleName(tr("How many pairs are shown"))
        self.evidence = QToolButton()
        self.evidence.setText(tr(" Evidence"))
        self.evidence.setAccessibleName(tr("Evidence"))
        self.evidence.setCheckable(True)
        set_tip(self.evidence, tr("Show the pair in its paper"))
        theme.set_icon(self.evidence, "panel-right")
        review, flag = _action_button(actions.review_action), _action_button(actions.flag_action)
        label = menu_button(theme, tr("Label"), "check", actions.label_menu)
        bad = menu_button(theme, tr("Bad"), "ban", actions.bad_menu)
        copy = menu_button(theme, tr("Copy"), "copy", actions.copy_menu)
        self._writing_buttons, self._reading_buttons = (label, flag, bad), (review, copy)
        self.buttons = (review, label, flag, bad, copy, self.evidence)
        self._row = row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(theme.px(4))
        row.addWidget(self.counter)
        row.addStretch(1)
        for button in self.buttons:
            button.setProperty("look", "quiet")
            row.addWidget(button)
        self._show_texts(True)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Reduce the buttons to their icons without room for their texts, which tooltips show."""
        super().resizeEvent(event)
        self._show_texts(True)
        needed = sum(widget.sizeHint().width() + self._row.spacing() for widget in (self.counter, *self.buttons))
        if needed > self.width():
            self._show_texts(False)

    def _show_texts(self, on: bool) -> None:
        style = Qt.ToolButtonStyle.ToolButtonTextBesideIcon if on else Qt.ToolButtonStyle.ToolButtonIconOnly
        for button in self.buttons:
            button.setToolButtonStyle(style)

    def set_enabled(self, *, reading: bool, writing: bool) -> None:
        """Enable or disable the buttons that only read pairs, and those that change them."""
        for button in self._reading_buttons:
            button.setEnabled(reading)
        for button in self._writing_buttons:
            button.setEnabled(writing)


def menu_button(theme: Theme, text: str, icon: str, menu: QMenu) -> QToolButton:
    """A button with text and icon that opens a menu."""
    button = QToolButton()
    button.setText(f" {text}")
    button.setAccessibleName(text)
    theme.set_icon(button, icon)
    button.setMenu(menu)
    button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
    button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
    return button


def _action_button(action: QAction) -> QToolButton:
    button = QToolButton()
    button.setDefaultAction(action)
    return button
