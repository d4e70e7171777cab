"""The window of the guide: its pages on the left, one of them on the right, a search over all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, Qt, QUrl, Slot
from PySide6.QtGui import QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QToolButton,
    QWidget,
)

from desktop.jobs.guide import load_guide
from desktop.translation import tr
from desktop.ui.services.runner import JobRunner
from desktop.ui.services.settings_store import SettingsStore
from desktop.ui.shell.guide_view import GuideView
from desktop.ui.theme import Theme
from desktop.ui.widgets.labels import PlainLabel, set_tip
from desktop.ui.widgets.layouts import column_of, row_of, stretched

if TYPE_CHECKING:
    from desktop.jobs.guide import Guide

GUIDE_PAGES = {  # by the page on the screen, "" for the start page
    "": "01-first-data-set.md",
    **dict.fromkeys(("papers", "mining"), "01-first-data-set.md"),
    "review": "02-classes.md",
    **dict.fromkeys(("annotate", "agreement"), "03-benchmark.md"),
    **dict.fromkeys(("disagreements", "suggest", "precision"), "04-suggestions.md"),
    **dict.fromkeys(("pairs", "dashboard", "tables", "audit", "export"), "05-checking-and-releasing.md"),
    **dict.fromkeys(("train", "experiments", "kinds"), "06-training-and-the-lab.md"),
    **dict.fromkeys(("settings", "problems"), "09-questions.md"),
}
_SIDE_WIDTH_PX, _MAX_SIDE_SHARE = 240, 0.3  # of the list of pages, at 100 %; of the window
_GEOMETRY = "guide/geometry"  # window setting


class GuideWindow(QDialog):
    """The guide beside the main window, which stays usable."""

    def __init__(self, settings_store: SettingsStore, runner: JobRunner, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowFlags(Qt.WindowType.Window)
        self._settings_store, self._theme = settings_store, theme
        self._guide: Guide | None = None
        self._visited: list[str] = []
        self._wanted = ""
        self.setWindowTitle(tr("Guide — Pairwright"))
        self._build()
        saved = settings_store.window_settings.value(_GEOMETRY)
        if not (isinstance(saved, QByteArray) and self.restoreGeometry(saved)):
            self.resize(theme.px(1100), theme.px(760))
        theme.changed.connect(self._restyle)
        runner.read(load_guide(), self._on_read)

    @property
    def page(self) -> str:
        """The name of the page that is shown; "" before the guide has been read."""
        return self._visited[-1] if self._visited else ""

    @Slot(str)
    def open_page(self, name: str) -> None:
        """Show a page by its name, and bring the window to the front."""
        self._wanted = name
        if self._guide is not None:
            self.search.clear()
            self._show(name)
        self.show()
        self.activateWindow()

    @Slot()
    def go_back(self) -> None:
        if len(self._visited) > 1:
            self._visited.pop()
            self._show(self._visited.pop())

    def done(self, result: int) -> None:
        """Close, and store the geometry of the window."""
        self._settings_store.window_settings.setValue(_GEOMETRY, self.saveGeometry())
        super().done(result)

    def _build(self) -> None:
        self.back = QToolButton()
        self.back.setAccessibleName(tr("Back"))
        set_tip(self.back, tr("The page before (Alt+Left)"))
        self._theme.set_icon(self.back, "arrow-left")
        self.back.clicked.connect(self.go_back)
        self.search = QLineEdit()
        self.search.setPlaceholderText(tr("Search the guide"))
        self.search.setAccessibleName(tr("Search the guide"))
        self.search.setClearButtonEnabled(True)
        self.search.textChanged.connect(self._on_typed)
        self.search.returnPressed.connect(self._show_next_found)
        self.list = QListWidget()
        self.list.setAccessibleName(tr("Pages of the guide"))
        self.list.setWordWrap(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.currentItemChanged.connect(self._on_item)
        self.nothing = PlainLabel(tr("No page has these words."), type="muted")
        self.nothing.hide()
        self.view = GuideView(self._theme)
        self.view.setAccessibleName(tr("Page of the guide"))
        self.view.anchorClicked.connect(self._on_link)
        for keys, slot in (("Alt+Left", self.go_back), ("Ctrl+F", self.search.setFocus)):
            QShortcut(QKeySequence(keys), self, slot)
        left = column_of(row_of(self.back, stretched(self.search)), self.nothing, stretched(self.list))
        self._side = QWidget()
        self._side.setLayout(left)
        self._across, self._left = QHBoxLayout(self), left
        self._across.addWidget(self._side)
        self._across.addWidget(self.view, 1)
        self._set_sizes()
        self.back.setEnabled(False)

    def _set_sizes(self) -> None:
        px = self._theme.px
        self._fit_side()
        self.list.setSpacing(px(4))
        for layout in (self._across, self._left):
            layout.setSpacing(px(8))
        self._across.setContentsMargins(px(12), px(12), px(12), px(12))

    def _fit_side(self) -> None:
        self._side.setFixedWidth(min(self._theme.px(_SIDE_WIDTH_PX), round(_MAX_SIDE_SHARE * self.width())))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_side()

    @Slot(object)
    def _on_read(self, guide: Guide) -> None:
        self._guide = guide
        self.view.pictures = guide.pictures
        self._list_pages()
        self._show(self._wanted or guide.pages[0].name)
        self.view.setFocus()

    @Slot(str)
    def _on_typed(self, typed: str) -> None:
        self._list_pages()
        names = [self._name_of(self.list.item(row)) for row in range(self.list.count())]
        if typed.strip() and names and self.page not in names:
            self._show(names[0])
        else:
            self._mark()

    @Slot()
    def _show_next_found(self) -> None:
        """Show the next page found by the search; after the last one, the first."""
        if self.list.count():
            self.list.setCurrentRow((self.list.currentRow() + 1) % self.list.count())

    def _list_pages(self) -> None:
        """List the pages that hold the words searched for."""
        pages = self._guide.search(self.search.text()) if self._guide is not None else ()
        self.list.blockSignals(True)
        self.list.clear()
        for page in pages:
            item = QListWidgetItem(page.title)
            item.setData(Qt.ItemDataRole.UserRole, page.name)
            self.list.addItem(item)
            if page.name == self.page:
                self.list.setCurrentItem(item)
        self.list.blockSignals(False)
        self.nothing.setVisible(self._guide is not None and not pages)

    def _show(self, name: str) -> None:
        page = self._guide.page(name) if self._guide is not None else None
        if page is None:
            return
        if self.page != name:
            self._visited.append(name)
        self.back.setEnabled(len(self._visited) > 1)
        self._list_pages()
        self.view.show_markdown(page.markdown)
        self.view.verticalScrollBar().setValue(0)
        self._mark()

    def _mark(self) -> None:
        self.view.mark(self.search.text().split())

    @Slot(QListWidgetItem)
    def _on_item(self, item: QListWidgetItem | None) -> None:
        if item is not None:
            self._show(self._name_of(item))

    @Slot(QUrl)
    def _on_link(self, link: QUrl) -> None:
        """Show the page that a link in the guide names; the view opens other addresses."""
        self._show(link.toString())

    def _name_of(self, item: QListWidgetItem) -> str:
        return str(item.data(Qt.ItemDataRole.UserRole))

    @Slot()
    def _restyle(self) -> None:
        """Show the page again in the colours and sizes of the theme."""
        self._set_sizes()
        self.view.setFont(self._theme.font())
        if self._visited:
            self._show(self.page)
