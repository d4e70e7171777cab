"""What was dropped, and why: examples behind a bar of the funnel."""

from __future__ import annotations

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QPlainTextEdit, QVBoxLayout, QWidget

from desktop.jobs.mining.dropped import DroppedExamples, DroppedQuery, find_dropped
from desktop.text import count
from desktop.ui.services.display_names import dropped
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.widgets.labels import PlainLabel


class DroppedDialog(QDialog):
    """Opened, it looks for examples; closed, it stops."""

    def __init__(self, context: ProjectContext, wanted: DroppedQuery, note: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        px = context.theme.px
        self.setWindowTitle("Dropped candidates")
        self.resize(px(680), px(520))
        self._wanted = wanted
        title = PlainLabel(dropped(wanted.reason) if wanted.reason else "Dropped candidates")
        title.setProperty("type", "title")
        about = PlainLabel(note)
        about.setWordWrap(True)
        self.text = QPlainTextEdit(readOnly=True)
        self.text.setAccessibleName("Examples of what was dropped")
        self.text.setTabChangesFocus(True)
        self.told = PlainLabel("Looking for examples in the papers…")
        self.told.setProperty("type", "muted")
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(px(24), px(20), px(24), px(20))
        layout.setSpacing(px(12))
        layout.addWidget(title)
        layout.addWidget(about)
        layout.addWidget(self.text, 1)
        layout.addWidget(self.told)
        layout.addWidget(buttons)
        self._context = context
        self._run = context.runner.read(find_dropped(context.project, wanted))
        self._run.done.connect(self._on_found)
        self._run.failed.connect(self._on_failed)

    def done(self, result: int) -> None:
        self._run.cancel()
        super().done(result)

    @Slot(object)
    def _on_found(self, found: DroppedExamples) -> None:
        parts = []
        for one in found.examples:
            lines = [one.title if self._wanted.reason else f"{one.title} · {dropped(one.reason)}"]
            lines += [f"Premise: {one.premise}" if one.premise else "Premise: none"]
            parts.append("\n".join([*lines, f"Hypothesis: {one.hypothesis}"]))
        self.text.setPlainText("\n\n".join(parts))
        looked = f"{count(found.searched, 'paper')} of {found.papers:,} looked through"
        self.told.setText(f"{count(len(found.examples), 'example')}; {looked}." if parts else f"No example: {looked}.")

    @Slot(object)
    def _on_failed(self, error: Exception) -> None:
        self.told.setText("The papers could not be looked through.")
        self._context.problems.show(error)
