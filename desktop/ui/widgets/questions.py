"""The window's own dialogs for a question: what is asked, what follows from it, Cancel, and the action by its name."""

from __future__ import annotations

from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLineEdit, QVBoxLayout, QWidget

from desktop.ui.theme import Theme
from desktop.ui.widgets.labels import PlainLabel


class Question(QDialog):
    """Accepted when `action` was chosen. One that destroys something is never what Enter does unasked."""

    def __init__(
        self,
        theme: Theme,
        title: str,
        question: str,
        action: str,
        *,
        about: str = "",
        destroys: bool = False,
        dismiss: str = "Cancel",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        px = theme.px
        self.setWindowTitle(title)
        self.setMinimumWidth(px(400))
        self.question = PlainLabel(question)
        self.question.setProperty("type", "heading")
        self.about = PlainLabel(about)
        self.about.setVisible(bool(about))
        for label in (self.question, self.about):
            label.setWordWrap(True)
            label.setMaximumWidth(px(520))
        self.setAccessibleDescription(f"{question} {about}".strip())
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.dismiss_button = buttons.button(QDialogButtonBox.StandardButton.Cancel)
        self.dismiss_button.setText(dismiss)
        self.action_button = buttons.addButton(action.replace("&", "&&"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.action_button.setProperty("look", "danger" if destroys else "primary")
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(px(24), px(20), px(24), px(20))
        self.column.setSpacing(px(8))
        self.column.addWidget(self.question)
        self.column.addWidget(self.about)
        self.column.addSpacing(px(8))
        self.column.addWidget(buttons)
        # Only now: a button that belongs to no dialog yet does not become its default.
        (self.dismiss_button if destroys else self.action_button).setDefault(True)
        (self.dismiss_button if destroys else self.action_button).setFocus()

    def agreed(self) -> bool:
        """Ask, wait for the answer, and go: whether the action was chosen."""
        agreed = self.exec() == QDialog.DialogCode.Accepted
        self.deleteLater()
        return agreed


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
        self.column.insertWidget(2, self.line)
        self.line.setFocus()
        self._on_typed(text)

    def answer(self) -> str | None:
        """Ask and wait: the line without room around it or doubled in it; None when the person would rather not say."""
        return " ".join(self.line.text().split()) if self.agreed() else None

    def _on_typed(self, text: str) -> None:
        self.action_button.setEnabled(bool(text.strip()))
