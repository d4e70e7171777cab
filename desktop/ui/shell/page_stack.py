"""The stack of pages of the open project; each is built when it is first shown, or ahead of that."""

from __future__ import annotations

import gc
import importlib
from functools import partial

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import QApplication, QStackedWidget, QWidget
from shiboken6 import isValid

from desktop.translation import tr
from desktop.ui.services.page import Page
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.shell.navigation import NAVIGATION, NOT_PREBUILT, offered_pages, section_of
from desktop.ui.shell.section_tabs import SectionTabs


class PageStack(QStackedWidget):
    """The pages and the start page. `current`: the name of the page on screen; "" for the start page."""

    badge_changed = Signal(str, int)  # a page's name, and the number of things to do there
    page_selected = Signal(str)  # the name of the page whose tab was clicked

    def __init__(self, start: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.start = start
        self.current = ""
        self._context: ProjectContext | None = None
        self._built: dict[str, Page] = {}
        self._tabs: dict[str, SectionTabs] = {}  # by the page that they stand on
        self._badges: dict[str, int] = {}
        self._detached: list[Page] = []
        self._last_focus: dict[str, QWidget] = {}
        self._are_pages_frozen = False  # out of the garbage collector's sight
        self.addWidget(start)
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        app.focusChanged.connect(self._on_focus_changed)

    def use(self, context: ProjectContext) -> None:
        """Build pages for this project."""
        self._context = context

    def has(self, name: str) -> bool:
        """Whether the page is built."""
        return name in self._built

    def page_name_of(self, widget: QWidget | None) -> str:
        """The name of the page that a widget is or belongs to; "" for none."""
        for name, page in self._built.items():
            if widget is not None and (widget is page or page.isAncestorOf(widget)):
                return name
        return ""

    @property
    def unsaved(self) -> list[str]:
        """A sentence for each page with unsaved text."""
        return [page.unsaved for page in self._built.values() if page.unsaved]

    def get(self, name: str) -> Page:
        """The page of this name; it is built if it was not yet."""
        if name not in self._built:
            assert self._context is not None
            [item] = [item for item in NAVIGATION if item.name == name]
            module, _, class_name = item.page.partition(":")
            page: Page = getattr(importlib.import_module(module), class_name)(self._context, self)
            page.badge_changed.connect(partial(self._show_badge, name))
            self._add_tabs(name, page)
            self.addWidget(page)
            self._built[name] = page
        return self._built[name]

    def _add_tabs(self, name: str, page: Page) -> None:
        """Give a page the tabs of its section, if several pages of the section are offered."""
        section = section_of(name)
        assert self._context is not None
        offered = offered_pages(self._context.assignment)
        items = [item for item in section.pages if item.name in offered] if section else []
        if len(items) > 1:
            self._tabs[name] = tabs = SectionTabs(items, name)
            tabs.setAccessibleName(tr("Pages of {text}", text=section.text) if section else "")
            tabs.page_selected.connect(self.page_selected)
            for other, count in self._badges.items():
                tabs.show_badge(other, count)
            page.show_tabs(tabs)

    def _show_badge(self, name: str, count: int) -> None:
        self._badges[name] = count
        for tabs in self._tabs.values():
            tabs.show_badge(name, count)
        self.badge_changed.emit(name, count)

    def show_page(self, name: str) -> None:
        """Show a page, and keep the focus of the previous page; `activate_current` restores it."""
        page = self.get(name)
        focus = self._focus_widget()
        if self.current in self._built and focus is not None and self._built[self.current].isAncestorOf(focus):
            self._last_focus[self.current] = focus
        self.current = name
        self.setCurrentWidget(page)

    def activate_current(self) -> None:
        """Refresh the shown page if it is stale, and give it the focus unless it has set the focus itself."""
        page = self._built[self.current]
        page.activate()
        focus = self._focus_widget()
        last = self._last_focus.get(self.current)
        is_new = last is None and page.initial_focus is not None  # Qt has focused the first widget of the page
        if focus is None or is_new or not page.isAncestorOf(focus):
            is_usable = last is not None and isValid(last) and last.isVisible() and last.isEnabled()
            (last if is_usable and last is not None else page).setFocus(Qt.FocusReason.OtherFocusReason)

    def show_start(self) -> None:
        self.current = ""
        self.setCurrentWidget(self.start)

    @Slot()
    def prebuild(self) -> None:
        """Build all pages, one by one while the window is idle, for their menus and badges."""
        if self._context is None:  # the project was closed meanwhile
            return
        for item in NAVIGATION:
            if item.name not in offered_pages(self._context.assignment):
                continue
            if item.name not in self._built and item.name not in NOT_PREBUILT:
                self.get(item.name)
                QTimer.singleShot(50, self, self.prebuild)
                return
        gc.freeze()  # the pages stay; collecting garbage among them would block the window for 70 ms at a time
        self._are_pages_frozen = True

    def detach_pages(self) -> None:
        """Take the pages out of use. They exist until `delete_detached`, since running jobs may still call them."""
        self._unfreeze_pages()
        self._context = None
        for page in self._built.values():
            page.badge_changed.disconnect()
        self._detached += self._built.values()
        self._forget_pages()

    def delete_detached(self) -> None:
        """Delete the pages that were detached."""
        for page in self._detached:
            self.removeWidget(page)
            page.setParent(None)
            page.deleteLater()
        self._detached.clear()

    def _forget_pages(self) -> None:
        for of_pages in (self._built, self._tabs, self._badges, self._last_focus):
            of_pages.clear()

    def _unfreeze_pages(self) -> None:
        """Let the garbage collector handle the objects that `prebuild` froze, since they are no longer needed soon."""
        if self._are_pages_frozen:
            gc.unfreeze()
            self._are_pages_frozen = False

    @Slot(QWidget, QWidget)
    def _on_focus_changed(self, old: QWidget | None, new: QWidget | None) -> None:
        """Keep the focus on the page when the focused widget is disabled or hidden; Qt would focus the next widget."""
        if old is None or new is None or not isValid(old) or new.window() is not self.window():
            return
        page = self.currentWidget()
        if page is None or not page.isVisible() or not page.isAncestorOf(old) or page.isAncestorOf(new):
            return
        if not (old.isEnabled() and old.isVisible()):
            page.setFocus(Qt.FocusReason.OtherFocusReason)

    def _focus_widget(self) -> QWidget | None:
        return self.window().focusWidget()
