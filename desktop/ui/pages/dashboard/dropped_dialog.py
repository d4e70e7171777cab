"""The dialog with examples of dropped candidates, opened by a bar of the funnel."""

from __future__ import annotations

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QPlainTextEdit, QVBoxLayout, QWidget

from desktop.jobs.mining.dropped import DroppedExamples, DroppedQuery, find_dropped
from desktop.text import count
from desktop.ui.services.display_names import drop_reason_name
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.widgets.labels import PlainLabel


class DroppedDialog(QDialog):
    """Looks for examples while it is open."""

    def __init__(self, context: ProjectContext, query: DroppedQuery, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        px = context.theme.px
        self.setWindowTitle("Dropped candidates")
        self.resize(px(680), px(520))
        self._query = query
        title = PlainLabel(drop_reason_name(query.reason) if query.reason else "Dropped candidates")
        title.setProperty("type", "title")
        note = PlainLabel(query.note)
        note.setWordWrap(True)
        self.text = QPlainTextEdit(readOnly=True)
        self.text.setAccessibleName("Examples of dropped candidates")
        self.text.setTabChangesFocus(True)
        self.status = PlainLabel("Looking for examples in the papers…")
        self.status.setProperty("type", "muted")
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(px(24), px(20), px(24), px(20))
        layout.setSpacing(px(12))
        layout.addWidget(title)
        layout.addWidget(note)
        layout.addWidget(self.text, 1)
        layout.addWidget(self.status)
        layout.addWidget(buttons)
        self._context = context
        self._run = context.runner.read(find_dropped(context.project, query))
        self._run.done.connect(self._show_examples)
        self._run.failed.connect(self._on_failed)

    def done(self, result: int) -> None:
        self._run.cancel()
        super().done(result)

    @Slot(object)
    def _show_examples(self, examples: DroppedExamples) -> None:
        parts = []
        for example in examples.examples:
            lines = [example.title if self._query.reason else f"{example.title} · {drop_reason_name(example.reason)}"]
            lines += [f"Premise: {example.premise}" if example.premise else "Premise: none"]
            parts.append("\n".join([*lines, f"Hypothesis: {example.hypothesis}"]))
        self.text.setPlainText("\n\n".join(parts))
        papers = f"{count(examples.searched, 'paper')} of {examples.papers:,} looked through"
        self.status.setText(
            f"{count(len(examples.examples), 'example')}; {papers}." if parts else f"No example: {papers}."
        )

    @Slot(object)
    def _on_failed(self, error: Exception) -> None:
        self.status.setText("The papers could not be looked through.")
        self._context.problems.show(error)
