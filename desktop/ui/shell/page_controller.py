"""Which page of the open project is shown, the way back, and the page that each project was left on."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject, Signal, Slot

from desktop.settings import RECENT
from desktop.ui.services.page import Page
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.services.settings_store import SettingsStore
from desktop.ui.shell.navigation import NAVIGATION
from desktop.ui.shell.page_stack import PageStack

if TYPE_CHECKING:
    from storage.pairs.filters import PairFilter

_LEFT_ON = "window/pages"  # window settings: JSON, a page's name by project file
_STEPS_BACK = 50


class VisitedPage(NamedTuple):
    """A page that was shown before, and the filter that Pairs showed then where another page changed it."""

    page: str
    filter: PairFilter | None = None


class PageController(QObject):
    page_shown = Signal(str)  # a page's name, before the page reads what is stale
    message = Signal(str)  # for the status bar

    def __init__(self, settings_store: SettingsStore, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._settings_store = settings_store
        self._context: ProjectContext | None = None
        self._stack: PageStack | None = None
        self._history: list[VisitedPage] = []

    def use_stack(self, stack: PageStack) -> None:
        """Show pages in this stack from now on."""
        self._stack = stack

    def listen_to(self, context: ProjectContext) -> None:
        """Follow what the pages of a project ask for."""
        context.page_requested.connect(self.show_page)
        context.attention_requested.connect(self._on_attention_requested)
        context.pairs_requested.connect(self._on_pairs_requested)
        context.review_requested.connect(self._on_review_requested)

    def use(self, context: ProjectContext | None) -> None:
        """Show pages of this project from now on; None: no project is open, and there is no way back."""
        self._context = context
        if context is None:
            self._history.clear()

    @property
    def current(self) -> str:
        """The name of the page on screen; "" on the start page."""
        return self._pages.current

    @property
    def can_go_back(self) -> bool:
        return bool(self._history)

    def page(self, name: str) -> Page:
        """The page of that name, built if it was not yet."""
        return self._pages.get(name)

    @Slot(str)
    def show_page(self, name: str) -> None:
        if self._context is None:
            return
        if self.current not in ("", name):
            self._history.append(VisitedPage(self.current))
            del self._history[:-_STEPS_BACK]
        self._pages.show_page(name)
        self.page_shown.emit(name)
        self._pages.settle()

    def go_back(self) -> None:
        """To the page before, and the Pairs page to what it showed before another page asked it for pairs."""
        if not self._history:
            self.message.emit("No page was shown before this one.")
            return
        page, filter = self._history.pop()
        steps = len(self._history)
        self.show_page(page)
        del self._history[steps:]  # the way back is no step
        if filter is not None:
            from desktop.ui.pages.pairs.page import PairsPage

            pairs = self.page("pairs")
            assert isinstance(pairs, PairsPage)
            pairs.show_filter(filter)

    def show_setting(self, key: str) -> None:
        """The Settings page, at one setting."""
        from desktop.ui.pages.settings.page import SettingsPage

        self.show_page("settings")
        page = self.page("settings")
        assert isinstance(page, SettingsPage)
        page.reveal(key)

    @property
    def _pages(self) -> PageStack:
        assert self._stack is not None
        return self._stack

    @Slot()
    def _on_attention_requested(self) -> None:
        from desktop.ui.pages.papers.page import PapersPage

        self.show_page("papers")
        page = self.page("papers")
        assert isinstance(page, PapersPage)
        page.only_attention(True)

    @Slot(object)
    def _on_pairs_requested(self, asked: object) -> None:
        is_new = not self._pages.has("pairs")
        steps = len(self._history)
        self.show_page("pairs")
        if self._context is None:
            return
        if len(self._history) > steps:
            self._history[-1] = self._history[-1]._replace(filter=self._context.previous_filter)
        if is_new:  # the page is only now there to hear it
            self._context.pairs_requested.emit(asked)

    @Slot(object)
    def _on_review_requested(self, asked: object) -> None:
        is_new = not self._pages.has("review")
        self.show_page("review")
        if is_new and self._context is not None:
            self._context.review_requested.emit(asked)

    # The page that a project was left on

    def keep_page(self, path: Path) -> None:
        """Remember the page on screen for this project."""
        if self.current:
            pages = {**self._left_pages(), str(path): self.current}
            self._settings_store.window_settings.setValue(_LEFT_ON, json.dumps(dict(list(pages.items())[-RECENT:])))

    def kept_page(self, path: Path) -> str:
        """The page this project was left on, else the first."""
        name = self._left_pages().get(str(path))
        return name if name in [item.name for item in NAVIGATION] else NAVIGATION[0].name

    def _left_pages(self) -> dict[str, str]:
        """The page each project was left on, those left last at the end."""
        with contextlib.suppress(ValueError, TypeError):  # somebody edited the file
            pages = json.loads(self._settings_store.window_settings.value(_LEFT_ON) or "{}")
            return {str(path): str(name) for path, name in pages.items()} if isinstance(pages, dict) else {}
        return {}
