"""The pages of the open project: each built when it is first shown, or ahead while nobody waits."""

from __future__ import annotations

import gc
import importlib
from functools import partial

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import QApplication, QStackedWidget, QWidget
from shiboken6 import delete, isValid

from desktop.ui.services.page import Page
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.shell.navigation import NAVIGATION, NOT_PREBUILT


class PageStack(QStackedWidget):
    """`current` is the name of the page on screen; "" while another widget of the stack is."""

    badge_changed = Signal(str, int)  # a page's name, and what waits on it

    def __init__(self, start: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.start = start
        self.current = ""
        self._context: ProjectContext | None = None
        self._built: dict[str, Page] = {}
        self._left: list[Page] = []
        self._focused: dict[str, QWidget] = {}
        self.addWidget(start)
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        app.focusChanged.connect(self._on_focus_changed)

    def use(self, context: ProjectContext) -> None:
        """Build pages for this project from now on."""
        self._context = context

    def has(self, name: str) -> bool:
        """Whether the page is built."""
        return name in self._built

    def home(self, widget: QWidget | None) -> str:
        """The name of the page that a widget is, or is part of; "" for none."""
        for name, page in self._built.items():
            if widget is not None and (widget is page or page.isAncestorOf(widget)):
                return name
        return ""

    def get(self, name: str) -> Page:
        """The page of that name, built if it was not yet."""
        if name not in self._built:
            assert self._context is not None
            [item] = [item for item in NAVIGATION if item.name == name]
            module, _, kind = item.page.partition(":")
            page: Page = getattr(importlib.import_module(module), kind)(self._context, self)
            page.badge_changed.connect(partial(self.badge_changed.emit, name))
            self.addWidget(page)
            self._built[name] = page
        return self._built[name]

    def show_page(self, name: str) -> None:
        """Show a page; the keyboard returns to where it was on it."""
        page = self.get(name)
        now = self._focus()
        if self.current in self._built and now is not None and self._built[self.current].isAncestorOf(now):
            self._focused[self.current] = now
        self.current = name
        self.setCurrentWidget(page)

    def settle(self) -> None:
        """After a page was shown: read what is stale, and give it the keyboard unless it took it itself."""
        page = self._built[self.current]
        page.activate()
        now = self._focus()
        back = self._focused.get(self.current)
        is_new = back is None and page.initial_focus is not None  # Qt gave it to whatever is first on the page
        if now is None or is_new or not page.isAncestorOf(now):
            usable = back is not None and isValid(back) and back.isVisible() and back.isEnabled()
            (back if usable and back is not None else page).setFocus(Qt.FocusReason.OtherFocusReason)

    def show_start(self) -> None:
        self.current = ""
        self.setCurrentWidget(self.start)

    @Slot()
    def build_ahead(self) -> None:
        """Build pages while nobody waits, one at a time, so that their menus and badges are there."""
        for item in NAVIGATION:
            if self._context is not None and item.name not in self._built and item.name not in NOT_PREBUILT:
                self.get(item.name)
                QTimer.singleShot(50, self, self.build_ahead)
                return
        gc.freeze()  # the pages stay: looking through them for garbage would hold up the window for 70 ms at a time

    def leave(self) -> None:
        """The pages are of no project any more; they stay until `drop`, for what still runs may tell them."""
        self._context = None
        for page in self._built.values():
            page.badge_changed.disconnect()
        self._left += self._built.values()
        self._built.clear()
        self._focused.clear()

    def drop(self) -> None:
        for page in self._left:
            self.removeWidget(page)
            page.setParent(None)
            page.deleteLater()
        self._left.clear()

    def delete_all(self) -> None:
        """All pages go at once."""
        for page in (*self._built.values(), *self._left):
            delete(page)
        self._built.clear()
        self._left.clear()
        self._focused.clear()

    @Slot(QWidget, QWidget)
    def _on_focus_changed(self, old: QWidget | None, now: QWidget | None) -> None:
        """When what had the keyboard goes grey or away, Qt gives it to the next widget, perhaps of the sidebar.

        It stays on the page.
        """
        if old is None or now is None or not isValid(old) or now.window() is not self.window():
            return
        page = self.currentWidget()
        if page is None or not page.isVisible() or not page.isAncestorOf(old) or page.isAncestorOf(now):
            return
        if not (old.isEnabled() and old.isVisible()):
            page.setFocus(Qt.FocusReason.OtherFocusReason)

    def _focus(self) -> QWidget | None:
        return self.window().focusWidget()
