"""The dialog that shows papers that are likely the same, two at a time, to be merged or kept."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QSize, Qt, Slot
from PySide6.QtWidgets import QDialog, QPushButton, QVBoxLayout, QWidget

from desktop.jobs.papers.duplicates import ComparedPapers, compare, keep_both, merge, merge_notes, reason_text
from desktop.jobs.papers.edits import EditResult
from desktop.jobs.papers.split_moves import split_moves_text
from desktop.text import percent
from desktop.translation import tr
from desktop.ui.pages.papers.paper_comparison import PaperComparison
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.services.runner import JobQueue
from desktop.ui.widgets.fields import FormScrollArea
from desktop.ui.widgets.labels import PlainLabel, set_tip
from desktop.ui.widgets.layouts import STRETCH, row_of, stretched
from desktop.ui.widgets.notices import Notice
from miner.progress import Job
from storage.papers.duplicates import LikelyDuplicate


class DuplicatesDialog(QDialog):
    """Enter shows the next two papers without a decision; each decision shows them too."""

    def __init__(
        self, context: ProjectContext, found: Sequence[LikelyDuplicate], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._context, self._found = context, list(found)
        self._position = -1
        self._comparison: ComparedPapers | None = None
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Duplicate papers"))
        self._lay_out()
        self._show_next()

    @property
    def comparison(self) -> ComparedPapers | None:
        """The shown papers; None while they are read."""
        return self._comparison

    def _lay_out(self) -> None:
        theme = self._context.theme
        px = theme.px
        self.heading = PlainLabel(tr("Are these the same paper?"), type="heading")
        self.position = PlainLabel(type="muted")
        self.reason = PlainLabel(wraps=True)
        self.table = PaperComparison(theme)
        self.table.kept_changed.connect(self._show_notes)
        scroll = FormScrollArea(self.table)
        self.notice = Notice(theme)
        self.merge_button = QPushButton(tr("&Merge"))
        set_tip(self.merge_button, tr("Make one paper of the two, with the values chosen here; Ctrl+Z undoes it"))
        self.keep_button = QPushButton(tr("&Keep both"))
        set_tip(self.keep_button, tr("These are two papers; you will not be asked again about them"))
        self.next_button = QPushButton(tr("&Next"))
        set_tip(self.next_button, tr("Decide later (Enter)"))
        self.close_button = QPushButton(tr("Close"))
        self.merge_button.clicked.connect(self._on_merge)
        self.keep_button.clicked.connect(self._on_keep_both)
        self.next_button.clicked.connect(self._show_next)
        self.close_button.clicked.connect(self.reject)
        buttons = row_of(self.close_button, STRETCH, spacing=px(8))
        for button in (self.keep_button, self.merge_button, self.next_button):
            buttons.addWidget(button)
        for button in (self.close_button, self.keep_button, self.merge_button):
            button.setAutoDefault(False)
        self.next_button.setProperty("look", "primary")
        layout = self._column = QVBoxLayout(self)
        layout.setContentsMargins(px(24), px(20), px(24), px(16))
        layout.setSpacing(px(12))
        layout.addLayout(row_of(stretched(self.heading), self.position))
        layout.addWidget(self.reason)
        layout.addWidget(scroll, 1)
        layout.addWidget(self.notice)
        layout.addLayout(buttons)
        self.next_button.setDefault(True)
        self.resize(self._room().boundedTo(QSize(px(900), px(480))))

    def _room(self) -> QSize:
        """The largest size of the dialog within the window behind it."""
        parent, margin = self.parentWidget(), self._context.theme.px(40)
        return (parent.window().size() if parent else QSize(10_000, 10_000)) - QSize(margin, margin)

    def _fit(self) -> None:
        """Make the dialog high enough for all fields, as far as there is room; it never becomes lower."""
        missing = self.table.sizeHint().height() - self.table.height()
        height = min(self.height() + max(0, missing), self._room().height())
        self.resize(self.width(), height)

    @Slot()
    def _show_next(self) -> None:
        """Read the next two papers; close after the last ones."""
        self._position += 1
        if self._position >= len(self._found):
            self.accept()
            return
        self._set_enabled(False)
        one = self._found[self._position]
        self._comparison = None
        self._context.runner.read(
            compare(self._context.project, one.first, one.second), self._on_compared, self._on_failed
        )

    @Slot(object)
    def _on_compared(self, found: ComparedPapers | None) -> None:
        if found is None:  # merged or removed meanwhile
            self._show_next()
            return
        self._comparison = found
        number, all_of_them = self._position + 1, len(self._found)
        self.position.setText(
            tr("{number:,} of {all_of_them:,}", number=number, all_of_them=all_of_them) if all_of_them > 1 else ""
        )
        reasons = reason_text(self._found[self._position].reasons)
        shared = percent(found.shared)
        self.reason.setText(
            tr(
                "They have {reasons}. {shared} of the shorter text is in both. Choose which text stays, and "
                "one value of each field that differs.",
                reasons=reasons,
                shared=shared,
            )
        )
        self.table.show_papers(found)
        is_last = number == all_of_them
        self.next_button.setText(tr("&Finish") if is_last else tr("&Next"))
        self._set_enabled(True)
        self._show_notes()
        self._column.activate()
        self._fit()
        self.next_button.setFocus()

    @Slot()
    def _show_notes(self) -> None:
        if self._comparison is None:
            return
        kept = self.table.kept
        is_refused = bool(self._comparison.sides(kept)[1].why_not)
        self.notice.show_text(" ".join(merge_notes(self._comparison, kept)), "warning" if is_refused else "info")
        self.merge_button.setEnabled(not is_refused)

    @Slot()
    def _on_merge(self) -> None:
        if self._comparison is None:
            return
        kept, other = (paper.md5 for paper in self._comparison.sides(self.table.kept))
        self._decide(merge(self._context.project, kept, other, self._context.annotator, self.table.changes()))

    @Slot()
    def _on_keep_both(self) -> None:
        if self._comparison is None:
            return
        one, other = (paper.md5 for paper in self._comparison.papers)
        self._decide(keep_both(self._context.project, one, other, self._context.annotator))

    def _decide(self, job: Job[Any]) -> None:
        self._set_enabled(False)
        run = self._context.runner.start(job, queue=JobQueue.SAVES)
        run.done.connect(self._on_decided)
        run.failed.connect(self._on_failed)

    @Slot(object)
    def _on_decided(self, result: EditResult) -> None:
        self._context.events.changed.emit(result.changes)
        text = f"{result.title}. {split_moves_text(result.moved)}".rstrip()
        self._context.show_message(text, undo=result.count > 0)
        self._show_next()

    @Slot(object)
    def _on_failed(self, error: Exception) -> None:
        self._context.problems.show(error)
        self._set_enabled(True)

    def _set_enabled(self, is_enabled: bool) -> None:
        for widget in (self.table, self.merge_button, self.keep_button, self.next_button):
            widget.setEnabled(is_enabled)
