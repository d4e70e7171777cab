"""Counts the pairs that wait in a page's queue while the page is not shown, for its badge."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal, Slot

from desktop.ui.services.page import Page
from miner.progress import Job
from storage.changes import Changes
from storage.project import Project


class HiddenQueueCount(QObject):
    """Counts on request, and again after changes. A page that is shown counts by itself."""

    counted = Signal(int)

    def __init__(
        self, page: Page, job: Callable[[Project, str], Job[int]], matters: Callable[[Changes], object]
    ) -> None:
        """job: counts the pairs that wait for an annotator (a key). matters: whether changes may affect the number."""
        super().__init__(page)
        self._page, self._context, self._job, self._matters = page, page.context, job, matters
        self._context.events.changed.connect(self._on_changed)
        self._context.annotator_changed.connect(self.count)

    @Slot()
    def count(self) -> None:
        if self._context.annotator and not self._page.isVisible():
            self._context.read(self._job(self._context.project, self._context.annotator), self._on_counted)

    @Slot(object)
    def _on_changed(self, changes: Changes) -> None:
        if self._matters(changes):
            self.count()

    @Slot(int)
    def _on_counted(self, waiting: int) -> None:
        if not self._page.isVisible():
            self.counted.emit(waiting)
