"""Shows the pages of the open project, goes back to earlier ones, and remembers each project's last page."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject, Signal, Slot

from desktop.settings import MAX_RECENT_PROJECTS
from desktop.translation import tr
from desktop.ui.services.page import Page
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.services.settings_store import SettingsStore
from desktop.ui.shell.navigation import NAVIGATION, SECTIONS, offered_pages, section_of
from desktop.ui.shell.page_stack import PageStack

if TYPE_CHECKING:
    from storage.pairs.filters import PairFilter

_LAST_PAGES = "window/pages"  # window setting: JSON, a page's name by project file
_MAX_HISTORY = 50  # pages


class VisitedPage(NamedTuple):
    """A page that was shown before, and the filter of Pairs if another page has changed it since."""

    page: str
    filter: PairFilter | None = None


class PageController(QObject):
    """Controls which page is shown, and keeps the history of pages."""

    page_shown = Signal(str)  # a page's name, before the page is refreshed
    message = Signal(str)  # for the status bar

    def __init__(self, settings_store: SettingsStore, stack: PageStack, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._settings_store, self._pages = settings_store, stack
        self._context: ProjectContext | None = None
        self._history: list[VisitedPage] = []
        self._last_of_section: dict[str, str] = {}  # the page shown last, by section

    def connect_context(self, context: ProjectContext) -> None:
        """Follow the requests of a project's pages."""
        context.page_requested.connect(self.show_page)
        context.attention_requested.connect(self._on_attention_requested)
        context.pairs_requested.connect(self._on_pairs_requested)
        context.review_requested.connect(self._on_review_requested)
        context.kinds_requested.connect(self._on_kinds_requested)
        context.kinds_round_requested.connect(self._on_kinds_round_requested)
        context.release_requested.connect(self._on_release_requested)

    def use(self, context: ProjectContext | None) -> None:
        """Show pages of this project; None: no project is open."""
        self._context = context
        if context is None:
            self._history.clear()
            self._last_of_section.clear()

    @property
    def current(self) -> str:
        """The name of the page on screen; "" on the start page."""
        return self._pages.current

    @property
    def can_go_back(self) -> bool:
        return bool(self._history)

    def page(self, name: str) -> Page:
        """The page of this name; it is built if it was not yet."""
        return self._pages.get(name)

    @Slot(str)
    def show_page(self, name: str) -> None:
        """Show a page; nothing happens while no project is open."""
        if self._context is None:
            return
        if name not in (*offered_pages(self._context.assignment), "problems"):
            self.message.emit(
                tr("This file is for answers alone: the project that it was sent from has the other pages.")
            )
            return
        if self.current not in ("", name):
            self._history.append(VisitedPage(self.current))
            del self._history[:-_MAX_HISTORY]
        if (section := section_of(name)) is not None:
            self._last_of_section[section.name] = name
        self._pages.show_page(name)
        self.page_shown.emit(name)
        self._pages.activate_current()

    @Slot(str)
    def show_section(self, name: str) -> None:
        """Show the page of a section that was shown last, else its first page."""
        if self._context is not None:
            offered = offered_pages(self._context.assignment)
            [section] = [one for one in SECTIONS if one.name == name]
            first = next(item.name for item in section.pages if item.name in offered)
            self.show_page(self._last_of_section.get(name, first))

    @Slot()
    def show_next_tab(self) -> None:
        self._show_neighbour(1)

    @Slot()
    def show_previous_tab(self) -> None:
        self._show_neighbour(-1)

    def _show_neighbour(self, step: int) -> None:
        """Show the next or previous page of the section on screen; the first follows the last."""
        section = section_of(self.current)
        if self._context is None or section is None:
            return
        offered = offered_pages(self._context.assignment)
        names = [item.name for item in section.pages if item.name in offered]
        self.show_page(names[(names.index(self.current) + step) % len(names)])

    def go_back(self) -> None:
        """Show the previous page. The Pairs page gets back the filter that it had before another page changed it."""
        if not self._history:
            self.message.emit(tr("No page was shown before this one."))
            return
        page, filter = self._history.pop()
        length = len(self._history)
        self.show_page(page)
        del self._history[length:]  # going back is not part of the history
        if filter is not None:
            from desktop.ui.pages.pairs.page import PairsPage

            pairs = self.page("pairs")
            assert isinstance(pairs, PairsPage)
            pairs.show_filter(filter)

    def show_setting(self, key: str) -> None:
        """Show a setting on the Settings page."""
        from desktop.ui.pages.settings.page import SettingsPage

        self.show_page("settings")
        page = self.page("settings")
        assert isinstance(page, SettingsPage)
        page.reveal(key)

    @Slot()
    def _on_attention_requested(self) -> None:
        from desktop.ui.pages.papers.page import PapersPage

        self.show_page("papers")
        page = self.page("papers")
        assert isinstance(page, PapersPage)
        page.filter_by_attention(True)

    @Slot(object)
    def _on_pairs_requested(self, filter: object) -> None:
        is_new = not self._pages.has("pairs")
        length = len(self._history)
        self.show_page("pairs")
        if self._context is None:
            return
        if len(self._history) > length:
            self._history[-1] = self._history[-1]._replace(filter=self._context.previous_filter)
        if is_new:  # the page was not built yet when the signal was emitted
            self._context.pairs_requested.emit(filter)

    @Slot(object)
    def _on_review_requested(self, filter: object) -> None:
        is_new = not self._pages.has("review")
        self.show_page("review")
        if is_new and self._context is not None:
            self._context.review_requested.emit(filter)

    @Slot(object)
    def _on_kinds_requested(self, keys: object) -> None:
        is_new = not self._pages.has("kinds")
        self.show_page("kinds")
        if is_new and self._context is not None:
            self._context.kinds_requested.emit(keys)

    @Slot(int)
    def _on_kinds_round_requested(self, number: int) -> None:
        is_new = not self._pages.has("kinds")
        self.show_page("kinds")
        if is_new and self._context is not None:
            self._context.kinds_round_requested.emit(number)

    @Slot(object)
    def _on_release_requested(self, options: object) -> None:
        is_new = not self._pages.has("export")
        self.show_page("export")
        if is_new and self._context is not None:
            self._context.release_requested.emit(options)

    # The last page of each project

    def save_last_page(self, path: Path) -> None:
        """Store the page on screen as the last page of this project."""
        if self.current:
            pages = self._last_pages()
            pages.pop(str(path), None)  # to the end
            newest = dict([*pages.items(), (str(path), self.current)][-MAX_RECENT_PROJECTS:])
            self._settings_store.window_settings.setValue(_LAST_PAGES, json.dumps(newest))

    def last_page(self, path: Path) -> str:
        """The last page of this project, else the first page."""
        if self._context is not None and self._context.assignment is not None:
            return offered_pages(self._context.assignment)[0]
        name = self._last_pages().get(str(path))
        return name if name in [item.name for item in NAVIGATION] else NAVIGATION[0].name

    def _last_pages(self) -> dict[str, str]:
        """The last page of each project, by its file; the project closed last is at the end."""
        with contextlib.suppress(ValueError, TypeError):  # the file may have been edited
            pages = json.loads(self._settings_store.window_settings.value(_LAST_PAGES) or "{}")
            return {str(path): str(name) for path, name in pages.items()} if isinstance(pages, dict) else {}
        return {}
