"""The dialog with examples of dropped candidates, opened by a bar of the funnel."""

from __future__ import annotations

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QPlainTextEdit, QWidget

from desktop.jobs.mining.dropped import DroppedExamples, DroppedQuery, find_dropped
from desktop.text import count
from desktop.translation import tr
from desktop.ui.services.display_names import drop_reason_name
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.widgets.labels import PlainLabel
from desktop.ui.widgets.layouts import column_of, stretched


class DroppedDialog(QDialog):
    """Looks for examples while it is open."""

    def __init__(self, context: ProjectContext, query: DroppedQuery, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        px = context.theme.px
        self.setWindowTitle(tr("Dropped candidates"))
        self.resize(px(680), px(520))
        self._query = query
        title = PlainLabel(drop_reason_name(query.reason) if query.reason else tr("Dropped candidates"), type="title")
        note = PlainLabel(query.note, wraps=True)
        self.text = QPlainTextEdit(readOnly=True)
        self.text.setAccessibleName(tr("Examples of dropped candidates"))
        self.text.setTabChangesFocus(True)
        self.status = PlainLabel(tr("Looking for examples in the papers…"), type="muted")
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        self.setLayout(
            column_of(
                title,
                note,
                stretched(self.text),
                self.status,
                buttons,
                spacing=px(12),
                margins=(px(24), px(20), px(24), px(20)),
            )
        )
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
            lines += [tr("Premise: {premise}", premise=example.premise) if example.premise else tr("Premise: none")]
            parts.append("\n".join([*lines, tr("Hypothesis: {hypothesis}", hypothesis=example.hypothesis)]))
        self.text.setPlainText("\n\n".join(parts))
        papers = tr(
            "{papers} of {papers_2:,} looked through",
            papers=count(examples.searched, "paper"),
            papers_2=examples.papers,
        )
        self.status.setText(
            f"{count(len(examples.examples), 'example')}; {papers}."
            if parts
            else tr("No example: {papers}.", papers=papers)
        )

    @Slot(object)
    def _on_failed(self, error: Exception) -> None:
        self.status.setText(tr("The papers could not be looked through."))
        self._context.problems.show(error)
