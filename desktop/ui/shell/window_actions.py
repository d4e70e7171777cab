"""What the window itself can do: its menus' verbs, apart from those of its pages."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtWidgets import QDialog

from desktop.settings import SCALES, THEMES
from desktop.ui.services.actions import RegisteredAction
from desktop.ui.services.runner import JobRun, State
from desktop.ui.shell.navigation import NAVIGATION

if TYPE_CHECKING:
    from desktop.ui.shell.palette_commands import PaletteController
    from desktop.ui.shell.window import MainWindow


class WindowActions(QObject):
    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._palette_controller: PaletteController | None = None
        window.action_registry.help_asked.connect(self.show_keys)
        self._add()

    def _add(self) -> None:
        window = self._window
        add = window.action_registry.add
        add("file.new", "New project…", lambda: window.start.ask_new(), menu="File", keys="Ctrl+N", icon="file-plus")
        add(
            "file.open",
            "Open project…",
            lambda: window.start.ask_open(),
            menu="File",
            keys="Ctrl+O",
            icon="folder-open",
        )
        window.menu_bar.by_name["File"].addMenu(window.menu_bar.recent)
        add("file.sample", "Open sample project", window.ask_open_sample, menu="File", icon="book-open")
        add("file.add", "Add papers…", self._add_papers, menu="File", keys="Ctrl+Shift+A", icon="plus")
        add("file.restore", "Restore a backup…", window.backup_controller.ask, menu="File", icon="clock")
        add("file.close", "Close project", window.ask_close_project, menu="File", keys="Ctrl+W")
        add("file.quit", "Quit", window.close, menu="File", keys="Ctrl+Q")
        add("edit.undo", "Undo", self.undo, menu="Edit", keys="Ctrl+Z", icon="undo-2")
        add("edit.redo", "Redo", self.redo, menu="Edit", keys="Ctrl+Shift+Z, Ctrl+Y", icon="redo-2")
        add("view.larger", "Larger", lambda: self._scale(1), menu="View", keys="Ctrl++, Ctrl+=")
        add("view.smaller", "Smaller", lambda: self._scale(-1), menu="View", keys="Ctrl+-")
        add("view.normal", "Normal size", lambda: self._scale(0), menu="View", keys="Ctrl+0")
        for theme, text in (("system", "Theme as in the system"), ("light", "Light theme"), ("dark", "Dark theme")):
            add(f"view.{theme}", text, partial(window.settings_store.change, theme=theme), menu="View")
        add("help.palette", "Find a command…", self._palette, menu="Help", keys="Ctrl+K", icon="search")
        add("view.jobs", "Jobs", self.toggle_jobs, menu="View", keys="Ctrl+J", icon="list")
        add("view.pause", "Pause the job, or go on", self.pause_job, menu="View")
        add("view.cancel", "Cancel the job", self.cancel_job, menu="View")
        add("help.keys", "Keyboard shortcuts", self._keys, menu="Help", keys="F1", icon="keyboard")
        add("help.about", "About Pairwright", self._about, menu="Help", icon="info")
        add("go.back", "Back", window.go_back, menu="Go", keys="Alt+Left", icon="arrow-left")
        for item in NAVIGATION:
            add(
                f"go.{item.name}",
                item.text,
                partial(window.show_page, item.name),
                menu="Go",
                keys=item.keys,
                icon=item.icon,
            )

    def state_of(self, entry: RegisteredAction) -> tuple[bool | None, bool] | None:
        """For menus, as `StateOf` says; None where the verb keeps its own."""
        window = self._window
        group, _, name = entry.key.partition(".")
        if group == "go":
            return (None, bool(window.before)) if name == "back" else (name == window.current_page(), True)
        if name in THEMES and group == "view":
            return name == window.settings_store.settings.theme, True
        if entry.key == "view.jobs":
            return window.jobs.isVisible(), True
        if entry.key in ("view.pause", "view.cancel"):
            job = window.activity.current
            return None, job is not None and job.run is not None
        if group == window.current_page():
            page = window.page(group)
            return page.is_on(name), page.can_do(name)
        return None

    def undo(self) -> None:
        if self._window.context is not None:
            self._window.context.undo()

    def redo(self) -> None:
        if self._window.context is not None:
            self._window.context.redo()

    def pause_job(self) -> None:
        if (run := self._job()) is not None:
            (run.resume if run.state is State.PAUSED else run.pause)()

    def cancel_job(self) -> None:
        if (run := self._job()) is not None:
            run.stop()

    def _job(self) -> JobRun | None:
        """The one that the strip shows; says so when there is none."""
        entry = self._window.activity.current
        if entry is not None and entry.run is not None:
            return entry.run
        if self._window.context is not None:
            self._window.context.say("No job is running.")
        return None

    def ask_annotator(self) -> None:
        if self._window.context is not None:
            self._window.context.ask_annotator(self._window, again=True)

    def toggle_jobs(self) -> None:
        if self._window.jobs.isVisible():
            self._window.jobs.shut()
        else:
            entry = self._window.activity.current
            self._window.jobs.open(troubles=bool(entry and entry.words and entry.words.troubles))

    @Slot()
    def on_jobs_closed(self) -> None:
        (self._window.stack.currentWidget() or self._window).setFocus(Qt.FocusReason.OtherFocusReason)

    def _scale(self, step: int) -> None:
        now = SCALES.index(self._window.settings_store.settings.scale)
        new = 1.0 if step == 0 else SCALES[max(0, min(len(SCALES) - 1, now + step))]
        self._window.settings_store.change(scale=new)

    def _palette(self) -> None:
        if self._palette_controller is None:
            from desktop.ui.shell.palette_commands import PaletteController

            self._palette_controller = PaletteController(
                self._window.action_registry, self._window.settings_store, self._window.theme, self._window
            )
            self._palette_controller.page_asked.connect(self._window.show_page)
            self._palette_controller.setting_asked.connect(self._show_setting)
            self._palette_controller.said.connect(lambda text: self._window.status_bar.say(text))
        self._palette_controller.open(self._window.stack, settings=self._window.context is not None)

    def _show_setting(self, key: str) -> None:
        from desktop.ui.pages.settings.page import SettingsPage

        self._window.show_page("settings")
        page = self._window.stack.get("settings")
        assert isinstance(page, SettingsPage)
        page.reveal(key)

    def _keys(self) -> None:
        item = next((item for item in NAVIGATION if item.name == self._window.current_page()), None)
        self.show_keys(item.text if item else "")

    @Slot(str)
    def show_keys(self, first: str) -> None:
        """All shortcuts, those of the menu `first` before the others."""
        from desktop.ui.shell.shortcuts import ShortcutsDialog

        self._show_dialog(ShortcutsDialog(self._window.action_registry, self._window.theme, self._window, first=first))

    def _about(self) -> None:
        from desktop.ui.shell.about import AboutDialog

        self._show_dialog(AboutDialog(self._window.settings_store.paths, self._window.theme, self._window))

    def _show_dialog(self, dialog: QDialog) -> None:
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()

    def _add_papers(self) -> None:
        if self._window.context is not None:
            from desktop.ui.pages.papers.add_files import ask_files

            ask_files(self._window.context, self._window)
