"""The pair under the cursor: its details below the table, and beside both, when asked, its evidence."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, Qt, QTimer, Slot
from PySide6.QtWidgets import QSplitter, QWidget

from desktop.jobs.pairs import table
from desktop.ui.pages.pairs.details import DetailsPane
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.services.runner import LatestRequest
from storage.pairs.table import PairTableRow

if TYPE_CHECKING:  # it draws pages of papers: imported when somebody wants to see one
    from desktop.ui.evidence.panel import EvidencePanel

_SETTLED = 60  # ms the cursor rests on a row before its details are read
_DOWN, _ACROSS = "pairs/down", "pairs/across"  # window settings


class PairInspector(QSplitter):
    """`content` stands above the details: the table, or what is said in its place.

    `current` gives the line of the pair under the cursor; None where there is none, or it is not read yet.
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
        self.details = DetailsPane(context.theme)
        self.evidence: EvidencePanel | None = None
        self._request = LatestRequest(self)
        self._request.done.connect(self.details.show_details)
        self._request.failed.connect(context.problems.show)
        self._resting = QTimer(self, singleShot=True, interval=_SETTLED)
        self._resting.timeout.connect(self._read)
        px = context.theme.px
        self._down = QSplitter(Qt.Orientation.Vertical, childrenCollapsible=False)
        self._down.addWidget(content)
        self._down.addWidget(self.details)
        self._down.setStretchFactor(0, 1)
        self._down.setSizes([px(460), px(140)])
        self.addWidget(self._down)
        self.setStretchFactor(0, 1)
        for splitter in (self, self._down):
            splitter.setProperty("look", "quiet")
            splitter.setHandleWidth(px(12))
            splitter.splitterMoved.connect(self._keep_sizes)
        state = context.settings_store.window_settings.value(_DOWN)
        if isinstance(state, QByteArray):
            self._down.restoreState(state)

    def show_current(self) -> None:
        """What the table knows of the pair at once, all else when the cursor has come to rest."""
        self._request.cancel()  # of another pair, perhaps
        line = self._current()
        self._is_empty = line is None
        self.details.show_line(line)
        self._resting.start()

    @Slot()
    def show_late(self) -> None:
        """Lines of the table were read: perhaps that of the pair under the cursor."""
        if self._is_empty and self._current() is not None:
            self.show_current()

    def read_soon(self) -> None:
        """Read the pair again: it may have changed."""
        self._resting.start()

    @Slot(bool)
    def show_evidence(self, shown: bool) -> None:
        if self.evidence is None:
            from desktop.ui.evidence.panel import EvidencePanel

            self.evidence = EvidencePanel(self._context, self)
            self.addWidget(self.evidence)
            state = self._context.settings_store.window_settings.value(_ACROSS)
            if not (isinstance(state, QByteArray) and self.restoreState(state)):
                self.setSizes([self.width() * 3 // 5, self.width() * 2 // 5])
        self.evidence.setVisible(shown)
        self._read()

    @Slot()
    def _read(self) -> None:
        line = self._current()
        if line is not None:
            job = table.load_details(self._context.project, line.key)
            self._request.follow(self._context.runner.read(job))
        else:
            self._request.cancel()
        if self.evidence is not None and self.evidence.isVisible():
            self.evidence.show_pair(line.key if line else None)

    @Slot()
    def _keep_sizes(self) -> None:
        window = self._context.settings_store.window_settings
        if self.sender() is self:
            window.setValue(_ACROSS, self.saveState())
        else:
            window.setValue(_DOWN, self._down.saveState())
