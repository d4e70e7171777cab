"""Shows the current pair: its details below the table and, when turned on, its evidence at the right."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, Qt, QTimer, Slot
from PySide6.QtWidgets import QSplitter, QWidget

from desktop.jobs.pairs import table
from desktop.ui.pages.pairs.details import PairDetailsPane
from desktop.ui.services.project_context import ProjectContext
from storage.pairs.table import PairTableRow

if TYPE_CHECKING:  # imported when it is first shown: it renders PDF pages
    from desktop.ui.evidence.panel import EvidencePanel

_READ_DELAY_MS = 60  # the details are read when the cursor has stayed on a row for so long
_VERTICAL_STATE, _HORIZONTAL_STATE = "pairs/down", "pairs/across"  # keys of the window settings


class PairInspector(QSplitter):
    """Lays out the table, the details and the evidence.

    content: the widget above the details. current: returns the line of the current pair; None if there is none or it
    has not been read yet.
    """

    def __init__(
        self,
        context: ProjectContext,
        content: QWidget,
        current: Callable[[], PairTableRow | None],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent, childrenCollapsible=False)
        self._context, self._current = context, current
        self._is_empty = True
        self.details = PairDetailsPane(context.theme)
        self.details.likely_text = context.likely_text
        self.evidence: EvidencePanel | None = None
        self._read_timer = QTimer(self, singleShot=True, interval=_READ_DELAY_MS)
        self._read_timer.timeout.connect(self._read)
        px = context.theme.px
        self._vertical_splitter = QSplitter(Qt.Orientation.Vertical, childrenCollapsible=False)
        self._vertical_splitter.addWidget(content)
        self._vertical_splitter.addWidget(self.details)
        self._vertical_splitter.setStretchFactor(0, 1)
        self._vertical_splitter.setSizes([px(460), px(140)])
        self.addWidget(self._vertical_splitter)
        self.setStretchFactor(0, 1)
        for splitter in (self, self._vertical_splitter):
            splitter.setProperty("look", "quiet")
            splitter.setHandleWidth(px(12))
            splitter.splitterMoved.connect(self._save_sizes)
        state = context.settings_store.window_settings.value(_VERTICAL_STATE)
        if isinstance(state, QByteArray):
            self._vertical_splitter.restoreState(state)

    def show_current(self) -> None:
        """Show the current pair: its line at once, its details once the cursor has stopped moving."""
        self._context.cancel_read(self.details.show_details)  # it may be about another pair
        line = self._current()
        self._is_empty = line is None
        self.details.show_line(line)
        self._read_timer.start()

    @Slot()
    def show_if_read(self) -> None:
        """Show the line of the current pair if it was missing before and has been read now."""
        if self._is_empty and self._current() is not None:
            self.show_current()

    def read_soon(self) -> None:
        """Read the current pair again soon: it may have changed."""
        self._read_timer.start()

    @Slot(bool)
    def show_evidence(self, is_visible: bool) -> None:
        """Show or hide the evidence."""
        if self.evidence is None:
            from desktop.ui.evidence.panel import EvidencePanel

            self.evidence = EvidencePanel(self._context, self)
            self.addWidget(self.evidence)
            state = self._context.settings_store.window_settings.value(_HORIZONTAL_STATE)
            if not (isinstance(state, QByteArray) and self.restoreState(state)):
                self.setSizes([self.width() * 3 // 5, self.width() * 2 // 5])
        self.evidence.setVisible(is_visible)
        self._read()

    @Slot()
    def _read(self) -> None:
        line = self._current()
        if line is not None:
            job = table.load_details(self._context.project, line.key)
            self._context.read(job, self.details.show_details)
        else:
            self._context.cancel_read(self.details.show_details)
        if self.evidence is not None and self.evidence.isVisible():
            self.evidence.show_pair(line.key if line else None)

    @Slot()
    def _save_sizes(self) -> None:
        window = self._context.settings_store.window_settings
        if self.sender() is self:
            window.setValue(_HORIZONTAL_STATE, self.saveState())
        else:
            window.setValue(_VERTICAL_STATE, self._vertical_splitter.saveState())
