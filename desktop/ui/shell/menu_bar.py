"""The menu bar: every action in its menu, and the menu of recent projects and corpora."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMainWindow, QMenu
from shiboken6 import isValid

from desktop.translation import tr
from desktop.ui.services.actions import ActionRegistry, RegisteredAction
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.services.settings_store import SettingsStore
from desktop.ui.shell.navigation import MENUS, NAVIGATION
from desktop.ui.theme import Theme
from desktop.ui.widgets.labels import set_tip


class ActionState(NamedTuple):
    """The state of an action in a menu. `checked` is None if the action is not checkable."""

    checked: bool | None = None
    enabled: bool = True


_AFTER_SEPARATOR = frozenset(
    {
        *("file.sample", "file.add", "file.close", "file.quit", "view.system", "view.jobs", "help.guide", "help.about"),
        *("go.papers", "go.review", "go.disagreements", "go.annotate", "go.dashboard", "go.export", "go.train"),
        *("go.settings", "go.next_tab", "papers.open", "papers.edit", "papers.retry", "papers.remove", "papers.mine"),
        *("papers.find", "pairs.label.none", "pairs.accept", "pairs.flag", "pairs.bad.broken_sentence", "pairs.review"),
        *("pairs.copy.tsv", "pairs.all", "pairs.search", "pairs.evidence", "suggest.folder", "suggest.doubted"),
        *("export.folder", "export.copy", "train.pause", "mining.new", "mining.another"),
        *(
            f"{page}.{verb}"
            for page in ("review", "disagreements")
            for verb in ("accept", "flag", "context", "scroll_down", "back", "help")
        ),
        *("kinds.next", "kinds.flag", "kinds.scroll_down", "kinds.back", "kinds.draw"),
        *("review.blind", "disagreements.keep", "disagreements.accept_all"),
    }
)


class MenuBar(QObject):
    """The menus of the window, `by_name`. `recent` has projects and corpora; WindowActions adds it to File."""

    project_requested = Signal(object)  # Path
    corpus_requested = Signal(str)  # its folder or address

    def __init__(
        self,
        window: QMainWindow,
        actions: ActionRegistry,
        settings_store: SettingsStore,
        theme: Theme,
        state_of: Callable[[RegisteredAction], ActionState | None],
    ) -> None:
        super().__init__(window)
        self._settings_store, self._theme = settings_store, theme
        self._page = ""
        self.by_name: dict[str, QMenu] = {name: window.menuBar().addMenu(text) for name, text in MENUS.items()}
        self.recent = QMenu(tr("Open recent"), window)
        self.recent.setIcon(theme.icon("clock"))
        self.recent.setToolTipsVisible(True)
        self.recent.aboutToShow.connect(self._show_recent)
        actions.added.connect(self._on_added)
        self._actions = actions
        self._context: ProjectContext | None = None
        self._open_menu = ""
        self._disabled: list[QAction] = []
        self._state_of = state_of
        for name, menu in self.by_name.items():
            menu.aboutToShow.connect(partial(self._show_state, name))
            menu.aboutToHide.connect(self._restore_state)
        self.by_name[tr("Edit")].aboutToShow.connect(self._read_undo_titles)

    def show_for(self, page: str) -> None:
        """Show the menu of this page and hide the menus of others, whose actions would change what is not visible."""
        self._page = page
        for item in NAVIGATION:
            if item.text in self.by_name:
                menu = self.by_name[item.text]
                is_shown = item.name == page and not menu.isEmpty()
                menu.menuAction().setVisible(is_shown)
                menu.setTitle(MENUS[item.text] if is_shown else item.text)  # a hidden menu, too, takes its Alt key

    def use(self, context: ProjectContext | None) -> None:
        """Show what can be undone in this project; None if no project is open."""
        self._context = context
        self._show_undo_titles((None, None))

    def _show_state(self, name: str) -> None:
        """Check and disable the actions of a menu that opens, according to their present state."""
        self._open_menu = name
        for entry in self._actions:
            if entry.menu == name and (state := self._state_of(entry)) is not None:
                if state.checked is not None:
                    entry.action.setCheckable(True)
                    entry.action.setChecked(state.checked)
                if not state.enabled:
                    self._disable(entry.action)

    def _disable(self, action: QAction) -> None:
        """Disable an action until the menu closes.

        Its shortcut stays enabled, and shows a message why it does nothing.
        """
        if action.isEnabled():
            action.setEnabled(False)
            self._disabled.append(action)

    def _restore_state(self) -> None:
        self._open_menu = ""
        for action in self._disabled:
            if isValid(action):
                action.setEnabled(True)
        self._disabled.clear()

    @Slot()
    def _read_undo_titles(self) -> None:
        if self._context is not None:
            from desktop.jobs.review.answers import undo_titles

            run = self._context.runner.read(undo_titles(self._context.project, self._context.annotator))
            run.done.connect(self._show_undo_titles)

    @Slot(object)
    def _show_undo_titles(self, titles: tuple[str | None, str | None]) -> None:
        """Add the titles of the last actions to Undo and Redo; the open menu disables an item without a title."""
        for key, verb, title in zip(("edit.undo", "edit.redo"), (tr("Undo"), tr("Redo")), titles, strict=True):
            self._actions[key].setText(f"{verb}: {title.replace('&', '&&')}" if title else verb)
            if not title and self._open_menu == tr("Edit"):
                self._disable(self._actions[key])

    @Slot(object)
    def _on_added(self, entry: RegisteredAction) -> None:
        if entry.menu in self.by_name:
            if entry.key in _AFTER_SEPARATOR and not self.by_name[entry.menu].isEmpty():
                self.by_name[entry.menu].addSeparator()
            self.by_name[entry.menu].addAction(entry.action)
            self.show_for(self._page)

    @Slot()
    def _show_recent(self) -> None:
        self.recent.clear()
        for path in map(Path, self._settings_store.settings.recent):
            action = self.recent.addAction(path.stem.replace("&", "&&"), partial(self.project_requested.emit, path))
            set_tip(action, str(path))
        corpora = self._settings_store.settings.recent_corpora
        if corpora and not self.recent.isEmpty():
            self.recent.addSeparator()
        for place in corpora:
            name = place if "://" in place else tr("Corpus {name}", name=Path(place).name or place)
            icon = self._theme.icon("scan-search")
            action = self.recent.addAction(icon, name.replace("&", "&&"), partial(self.corpus_requested.emit, place))
            set_tip(action, place)
        if self.recent.isEmpty():
            self.recent.addAction(tr("No project has been opened yet")).setEnabled(False)
