"""The dialog that mends the sentences of a pair, beside the paragraph of the paper."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QLabel,
    QPushButton,
    QSizePolicy,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from desktop.jobs.review import mending
from desktop.jobs.review.answers import ActionResult
from desktop.jobs.review.mending import MendablePair
from desktop.translation import tr
from desktop.ui.evidence.paragraph_view import ParagraphView, passages_of
from desktop.ui.services.display_names import capitalized
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.theme import Theme
from desktop.ui.widgets.fields import FormScrollArea, MultilineEdit
from desktop.ui.widgets.labels import PlainLabel
from desktop.ui.widgets.layouts import column_of, row_of, stretched
from desktop.ui.widgets.notices import Notice
from miner.errors import UserError
from storage.annotation.texts import read_sentence
from storage.pairs.mended_texts import MINED_COLUMN, SentenceField

_LINES = 4  # of a field


class SentenceEditor(QWidget):
    """The field for a sentence, and below it the mined sentence, as long as it differs."""

    def __init__(self, theme: Theme, field: SentenceField, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._field, self._mined = field, ""
        heading = PlainLabel(capitalized(field.value), type="small")
        self.text = MultilineEdit()
        self.text.setFont(theme.reading_font())
        self.text.setAccessibleName(heading.text())
        self.text.setFixedHeight(self.text.fontMetrics().lineSpacing() * _LINES + theme.px(16))
        self.mined_label = PlainLabel(type="muted", wraps=True, selectable=True)
        self.back_button = QPushButton(tr("Back to the mined text"))
        self.back_button.setProperty("look", "link")
        self.back_button.setAccessibleName(tr("Back to the mined text of the {value}", value=field.value))
        self.back_button.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.back_button.clicked.connect(self.go_back)
        self.text.textChanged.connect(self._show_mined)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, theme.px(8), 0)
        column.setSpacing(theme.px(4))
        for widget in (heading, self.text, self.mined_label, self.back_button):
            column.addWidget(widget)
        self._show_mined()

    def show_sentence(self, text: str, mined: str) -> None:
        """Show a sentence, and the mined one."""
        self._mined = mined
        self.text.setPlainText(text)
        self.text.moveCursor(QTextCursor.MoveOperation.End)

    def read(self) -> str:
        """The sentence as it will be saved; `UserError` if it cannot be."""
        return read_sentence(self.text.toPlainText(), self._field)

    @property
    def value(self) -> str:
        """The typed text, with single spaces."""
        return " ".join(self.text.toPlainText().split())

    @Slot()
    def go_back(self) -> None:
        """Put the mined text into the field; the field can undo this."""
        cursor = self.text.textCursor()
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.insertText(self._mined)
        self.text.setFocus()

    @Slot()
    def _show_mined(self) -> None:
        differs = self.value != self._mined
        self.mined_label.setText(tr("Mined: {mined}", mined=self._mined) if differs else tr("This is the mined text."))
        self.back_button.setVisible(differs)


class MendDialog(QDialog):
    """Both sentences of a pair as fields, and the paper's paragraph to copy from.

    It stays open until the sentences are on disk. Ctrl+Enter saves, Escape closes.
    """

    def __init__(self, context: ProjectContext, key: str, parent: QWidget, *, blind: bool) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Correct a sentence"))
        self._context, self._blind = context, blind
        self.key = key
        self._leaves_pair = False  # as soon as what is being saved is on disk, or is not
        self._pair: MendablePair | None = None
        theme = context.theme
        self.editors = {field: SentenceEditor(theme, field) for field in SentenceField}
        self.paragraph = ParagraphView(theme)
        self.notice = Notice(theme)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Save | QDialogButtonBox.StandardButton.Cancel)
        self.save_button = self.buttons.button(QDialogButtonBox.StandardButton.Save)
        self.save_button.setProperty("look", "primary")
        self.save_button.setAutoDefault(False)
        self.buttons.accepted.connect(self.save)
        self.buttons.rejected.connect(self.reject)
        self._build()
        for editor in self.editors.values():
            editor.text.textChanged.connect(self._update)
            editor.text.submitted.connect(self.save)
            editor.text.cancelled.connect(self.reject)
        self._set_ready(False)
        context.runner.read(
            mending.load_pair(context.project, key),
            self._on_loaded,
            partial(self._on_failed, tr("The pair could not be read.")),
        )

    def _build(self) -> None:
        theme = self._context.theme
        self.resize(theme.px(920), theme.px(560))
        what = _text(tr("Complete or correct the sentence as it is in the paper. The mined text is kept too."))
        self._consequence = _text("")
        fields = QWidget()
        column = QVBoxLayout(fields)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.px(16))
        for editor in self.editors.values():
            column.addWidget(editor)
        column.addStretch(1)
        paper = QWidget()
        heading = PlainLabel(tr("In the paper"), type="small")
        paper.setLayout(
            column_of(heading, stretched(self.paragraph), spacing=theme.px(4), margins=(theme.px(8), 0, 0, 0))
        )
        splitter = QSplitter(Qt.Orientation.Horizontal)
        splitter.setChildrenCollapsible(False)
        splitter.setProperty("look", "quiet")
        splitter.addWidget(FormScrollArea(fields))
        splitter.addWidget(paper)
        splitter.setSizes([theme.px(480), theme.px(392)])
        margin = theme.px(24)
        self.setLayout(
            column_of(
                what,
                stretched(splitter),
                self.notice,
                row_of(stretched(self._consequence), self.buttons, spacing=theme.px(16)),
                spacing=theme.px(12),
                margins=(margin, theme.px(16), margin, theme.px(16)),
            )
        )

    @Slot(object)
    def _on_loaded(self, pair: MendablePair) -> None:
        self._pair = pair
        for field, editor in self.editors.items():
            editor.show_sentence(getattr(pair.texts, field), getattr(pair.texts, MINED_COLUMN[field]))
        is_imported = pair.evidence.paper.kind == "dataset"
        note = tr("This pair was imported with a data set, so there is no paper to look at.") if is_imported else ""
        self.paragraph.show_passages(tuple(passages_of(pair.evidence)), note=note, blind=self._blind)
        self._consequence.setText(
            tr("Answers are kept. The model’s suggestion is removed, because it was made for the old text.")
            if pair.has_suggestion
            else ""
        )
        self._set_ready(True)
        self.editors[SentenceField.PREMISE].text.setFocus()

    @Slot()
    def save(self) -> None:
        """Save what was changed; without a change, close."""
        if self._pair is None or self._context.is_reading(self._on_saved):
            return
        try:
            texts = {field: editor.read() for field, editor in self.editors.items()}
        except UserError as error:
            self.notice.show_text(f"{error} {error.hint}", "bad")
            return
        changed: dict[SentenceField, str | None] = {
            field: text for field, text in texts.items() if text != getattr(self._pair.texts, field)
        }
        if not changed:
            self.accept()
            return
        self._set_ready(False)
        job = mending.mend(self._context.project, self.key, self._context.annotator, changed)
        self._context.runner.follow(
            self._context.runner.save(job), self._on_saved, partial(self._on_failed, tr("The sentence was not saved."))
        )

    def reject(self) -> None:
        """Close without saving; a save that has started is waited for."""
        if not self._context.is_reading(self._on_saved):
            super().reject()

    def leave_pair(self) -> None:
        """Close, since another pair is shown; a save that has started is completed."""
        self._leaves_pair = True
        self.reject()

    @Slot(object)
    def _on_saved(self, result: ActionResult) -> None:
        self._context.events.changed.emit(result.changes)
        self.accept()

    def _on_failed(self, sentence: str, error: Exception) -> None:
        """Show the error; the typed text stays as long as its pair is shown."""
        if self._leaves_pair:
            self._context.problems.show(error)
            self.reject()
            return
        self._set_ready(self._pair is not None)
        if isinstance(error, UserError):
            self.notice.show_text(f"{sentence} {error} {error.hint}", "bad")
            return
        self.notice.show_text(tr("{sentence} Something went wrong.", sentence=sentence), "bad")
        self._context.problems.show(error)

    def _set_ready(self, is_ready: bool) -> None:
        for editor in self.editors.values():
            editor.text.setReadOnly(not is_ready)
        self._update()
        self.save_button.setEnabled(is_ready and self.save_button.isEnabled())

    @Slot()
    def _update(self) -> None:
        """Enable saving once the text of a field differs from the pair's."""
        pair = self._pair
        self.save_button.setEnabled(
            pair is not None
            and any(editor.value != getattr(pair.texts, field) for field, editor in self.editors.items())
        )
        self.notice.show_text("")


def _text(text: str) -> QLabel:
    return PlainLabel(text, type="muted", wraps=True)
