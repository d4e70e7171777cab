"""The tabs of a section's pages, shown in place of each page's heading."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QWidget

from desktop.ui.shell.navigation import NavigationItem
from desktop.ui.widgets.fields import TabBar


class SectionTabs(TabBar):
    """A tab for each page; the tab of the page that shows the tabs is always current."""

    page_selected = Signal(str)  # a page's name

    def __init__(self, pages: Sequence[NavigationItem], current: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._pages = pages
        self._own = [item.name for item in pages].index(current)
        self.setProperty("look", "section")
        self.setDrawBase(False)
        self.setExpanding(False)
        self.setUsesScrollButtons(False)
        self.setElideMode(Qt.TextElideMode.ElideNone)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click leaves the keys to the page
        for item in pages:
            self.addTab(item.text)
        self.setCurrentIndex(self._own)
        self.currentChanged.connect(self._on_changed)

    def show_badge(self, page: str, count: int) -> None:
        """Show the number of things to do on a page beside the page's name."""
        for at, item in enumerate(self._pages):
            if item.name == page:
                self.setTabText(at, f"{item.text} ({count:,})" if count else item.text)

    @Slot(int)
    def _on_changed(self, at: int) -> None:
        if at != self._own:
            self.setCurrentIndex(self._own)  # the other page has tabs of its own
            self.page_selected.emit(self._pages[at].name)
