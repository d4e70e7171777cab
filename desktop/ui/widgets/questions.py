"""Dialogs that ask for a confirmation or a line of text; the button is named after the action."""

from __future__ import annotations

from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLineEdit, QWidget

from desktop.translation import tr
from desktop.ui.theme import Theme
from desktop.ui.widgets.labels import PlainLabel
from desktop.ui.widgets.layouts import column_of, space


class Question(QDialog):
    """A confirmation, accepted by the `action` button. If the action `destroys` something, Enter cancels by default."""

    def __init__(
        self,
        theme: Theme,
        title: str,
        question: str,
        action: str,
        *,
        about: str = "",
        destroys: bool = False,
        dismiss: str = tr("Cancel"),
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        px = theme.px
        self.setWindowTitle(title)
        self.setMinimumWidth(px(400))
        self.question = PlainLabel(question, type="heading")
        self.about = PlainLabel(about)
        self.about.setVisible(bool(about))
        for label in (self.question, self.about):
            label.setWordWrap(True)
            label.setMaximumWidth(px(520))
        self.setAccessibleDescription(f"{question} {about}".strip())
        self.buttons = buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.dismiss_button = buttons.button(QDialogButtonBox.StandardButton.Cancel)
        self.dismiss_button.setText(dismiss)
        self.action_button = buttons.addButton(action.replace("&", "&&"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.action_button.setProperty("look", "danger" if destroys else "primary")
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        self.main_layout = column_of(
            self.question, self.about, space(px(8)), buttons, spacing=px(8), margins=(px(24), px(20), px(24), px(20))
        )
        self.setLayout(self.main_layout)
        # Only now: a button becomes the default of a dialog only once it belongs to it.
        (self.dismiss_button if destroys else self.action_button).setDefault(True)
        (self.dismiss_button if destroys else self.action_button).setFocus()

    def confirm(self) -> bool:
        """Show the dialog, wait, and return whether it was accepted."""
        is_accepted = self.exec() == QDialog.DialogCode.Accepted
        self.deleteLater()
        return is_accepted


class TextQuestion(Question):
    """A question whose answer is a line of text."""

    def __init__(
        self,
        theme: Theme,
        title: str,
        question: str,
        action: str,
        *,
        text: str = "",
        about: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(theme, title, question, action, about=about, parent=parent)
        self.line = QLineEdit(text)
        self.line.setAccessibleName(question)
        self.line.selectAll()
        self.line.textChanged.connect(self._on_typed)
        self.main_layout.insertWidget(2, self.line)
        self.line.setFocus()
        self._on_typed(text)

    def ask(self) -> str | None:
        """Show the dialog, wait, and return the text with normalized spaces; None if it was cancelled."""
        return " ".join(self.line.text().split()) if self.confirm() else None

    def _on_typed(self, text: str) -> None:
        self.action_button.setEnabled(bool(text.strip()))
