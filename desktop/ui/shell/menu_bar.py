"""The menu bar: every action in its menu, and the projects opened last."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMainWindow, QMenu
from shiboken6 import isValid

from desktop.ui.services.actions import ActionRegistry, RegisteredAction
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.services.settings_store import SettingsStore
from desktop.ui.shell.navigation import MENUS, NAVIGATION
from desktop.ui.theme import Theme
from desktop.ui.widgets.labels import set_tip


class ActionState(NamedTuple):
    """How a menu shows an action: checked, None for one that is not checkable, and whether it can do anything now."""

    checked: bool | None = None
    enabled: bool = True


_AFTER_A_LINE = frozenset(
    {
        *("file.sample", "file.add", "file.close", "file.quit", "view.system", "view.jobs", "help.keys", "help.about"),
        *("go.papers", "go.train", "papers.open", "papers.edit", "papers.retry", "papers.remove", "papers.mine"),
        *("papers.find", "pairs.label.none", "pairs.accept", "pairs.flag", "pairs.bad.broken_sentence", "pairs.review"),
        *("pairs.copy.tsv", "pairs.all", "pairs.search", "pairs.evidence", "suggest.folder", "suggest.doubted"),
        *("export.folder", "export.copy", "train.pause", "mining.new", "mining.another"),
        *(
            f"{page}.{verb}"
            for page in ("review", "disagreements")
            for verb in ("accept", "flag", "context", "scroll_down", "back", "help")
        ),
        *("review.blind", "disagreements.keep", "disagreements.accept_all"),
    }
)


class MenuBar(QObject):
    """`recent` is the menu of projects opened last, to be put where it belongs."""

    project_requested = Signal(object)  # Path

    def __init__(
        self,
        window: QMainWindow,
        actions: ActionRegistry,
        settings_store: SettingsStore,
        theme: Theme,
        state_of: Callable[[RegisteredAction], ActionState | None],
    ) -> None:
        super().__init__(window)
        self._settings_store = settings_store
        self._page = ""
        self.by_name: dict[str, QMenu] = {name: window.menuBar().addMenu(text) for name, text in MENUS.items()}
        self.recent = QMenu("Open recent", window)
        self.recent.setIcon(theme.icon("clock"))
        self.recent.setToolTipsVisible(True)
        self.recent.aboutToShow.connect(self._show_recent)
        actions.added.connect(self._on_added)
        self._actions = actions
        self._context: ProjectContext | None = None
        self._open = ""  # the menu that is open
        self._greyed: list[QAction] = []
        self._state_of = state_of
        for name, menu in self.by_name.items():
            menu.aboutToShow.connect(partial(self._show_state, name))
            menu.aboutToHide.connect(self._restore_state)
        self.by_name["Edit"].aboutToShow.connect(self._read_undo_titles)

    def show_for(self, page: str) -> None:
        """A page's own menu is there on its page: elsewhere its actions would change what is out of sight."""
        self._page = page
        for item in NAVIGATION:
            if item.text in self.by_name:
                menu = self.by_name[item.text]
                menu.menuAction().setVisible(item.name == page and not menu.isEmpty())

    def use(self, context: ProjectContext | None) -> None:
        """Name what can be undone in this project."""
        self._context = context
        self._show_undo_titles((None, None))

    def _show_state(self, name: str) -> None:
        """Check what is on, and grey what has nothing to work on; only here, for a key says why it does nothing."""
        self._open = name
        for entry in self._actions:
            if entry.menu == name and (state := self._state_of(entry)) is not None:
                if state.checked is not None:
                    entry.action.setCheckable(True)
                    entry.action.setChecked(state.checked)
                if not state.enabled:
                    self._grey(entry.action)

    def _grey(self, action: QAction) -> None:
        """Until the menu closes: a shortcut that can do nothing says why."""
        if action.isEnabled():
            action.setEnabled(False)
            self._greyed.append(action)

    def _restore_state(self) -> None:
        self._open = ""
        for action in self._greyed:
            if isValid(action):
                action.setEnabled(True)
        self._greyed.clear()

    @Slot()
    def _read_undo_titles(self) -> None:
        if self._context is not None:
            from desktop.jobs.review.answers import undo_titles

            run = self._context.runner.read(undo_titles(self._context.project, self._context.annotator))
            run.done.connect(self._show_undo_titles)

    @Slot(object)
    def _show_undo_titles(self, titles: tuple[str | None, str | None]) -> None:
        """What the last action is called; an open menu greys what there is none for."""
        for key, verb, title in zip(("edit.undo", "edit.redo"), ("Undo", "Redo"), titles, strict=True):
            self._actions[key].setText(f"{verb}: {title.replace('&', '&&')}" if title else verb)
            if not title and self._open == "Edit":
                self._grey(self._actions[key])

    @Slot(object)
    def _on_added(self, entry: RegisteredAction) -> None:
        if entry.menu in self.by_name:
            if entry.key in _AFTER_A_LINE and not self.by_name[entry.menu].isEmpty():
                self.by_name[entry.menu].addSeparator()
            self.by_name[entry.menu].addAction(entry.action)
            self.show_for(self._page)

    @Slot()
    def _show_recent(self) -> None:
        self.recent.clear()
        for path in map(Path, self._settings_store.settings.recent):
            action = self.recent.addAction(path.stem.replace("&", "&&"), partial(self.project_requested.emit, path))
            set_tip(action, str(path))
        if self.recent.isEmpty():
            self.recent.addAction("No project has been opened yet").setEnabled(False)
