"""How many pairs wait for the annotator's answers about kinds, while the page is not shown."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal, Slot

from desktop.jobs.review.kinds_rounds import count_waiting
from desktop.ui.services.page import Page
from storage.changes import Changes


class HiddenQueueCount(QObject):
    """Counts when asked to, and again after changes; a page that is shown counts by itself."""

    counted = Signal(int)

    def __init__(self, page: Page) -> None:
        super().__init__(page)
        self._page, self._context = page, page.context
        self._context.events.changed.connect(self._on_changed)
        self._context.annotator_changed.connect(self.count)

    @Slot()
    def count(self) -> None:
        if self._context.annotator and not self._page.isVisible():
            job = count_waiting(self._context.project, self._context.annotator)
            self._context.read(job, self._on_counted)

    @Slot(object)
    def _on_changed(self, changes: Changes) -> None:
        if changes.pairs or changes.many_annotated or changes.settings:
            self.count()

    @Slot(int)
    def _on_counted(self, waiting: int) -> None:
        if not self._page.isVisible():
            self.counted.emit(waiting)
