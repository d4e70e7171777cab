"""The window's own actions: their menus, their shortcuts and their effects. Pages add their own."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtWidgets import QDialog, QMainWindow

from desktop.settings import SCALES, THEMES
from desktop.translation import tr
from desktop.ui.services.actions import ActionRegistry, RegisteredAction
from desktop.ui.services.runner import JobRun, JobRunner, JobState
from desktop.ui.services.settings_store import SettingsStore
from desktop.ui.shell.backup_controller import BackupController
from desktop.ui.shell.central_widget import CentralWidget
from desktop.ui.shell.corpus_opener import CorpusOpener
from desktop.ui.shell.menu_bar import ActionState, MenuBar
from desktop.ui.shell.navigation import NAVIGATION
from desktop.ui.shell.page_controller import PageController
from desktop.ui.shell.project_commands import ProjectCommands
from desktop.ui.shell.status_bar.activity import Activity
from desktop.ui.theme import Theme

if TYPE_CHECKING:
    from desktop.ui.shell.guide_window import GuideWindow
    from desktop.ui.shell.palette_commands import PaletteController


class WindowActions(QObject):
    """Registers the actions and runs them."""

    def __init__(
        self,
        window: QMainWindow,
        registry: ActionRegistry,
        *,
        central: CentralWidget,
        commands: ProjectCommands,
        backups: BackupController,
        corpora: CorpusOpener,
        pages: PageController,
        activity: Activity,
        runner: JobRunner,
        settings_store: SettingsStore,
        theme: Theme,
    ) -> None:
        super().__init__(window)
        self._window, self._registry, self._central = window, registry, central
        self._commands, self._backups, self._pages, self._activity = commands, backups, pages, activity
        self._runner, self._settings_store, self._theme = runner, settings_store, theme
        self._corpora = corpora
        self._palette: PaletteController | None = None
        self._guide: GuideWindow | None = None
        registry.help_requested.connect(self.show_shortcuts)

    def add_to(self, menu_bar: MenuBar) -> None:
        """Register all actions; the menus list them in this order."""
        add, commands = self._registry.add, self._commands
        add("file.new", tr("New project…"), self._ask_new, menu=tr("File"), keys="Ctrl+N", icon="file-plus")
        add("file.open", tr("Open project…"), self._ask_open, menu=tr("File"), keys="Ctrl+O", icon="folder-open")
        menu_bar.by_name[tr("File")].addMenu(menu_bar.recent)
        add("file.sample", tr("Open sample project"), commands.ask_open_sample, menu=tr("File"), icon="book-open")
        add("file.corpus", tr("Open a corpus…"), self._corpora.ask, menu=tr("File"), icon="scan-search")
        add("file.add", tr("Add papers…"), commands.add_papers, menu=tr("File"), keys="Ctrl+Shift+A", icon="plus")
        add("file.merge", tr("Merge answer files…"), commands.merge_answers, menu=tr("File"), icon="download")
        add("file.restore", tr("Restore a backup…"), self._backups.choose_backup, menu=tr("File"), icon="clock")
        add("file.close", tr("Close project"), commands.ask_close, menu=tr("File"), keys="Ctrl+W")
        add("file.quit", tr("Quit"), self._window.close, menu=tr("File"), keys="Ctrl+Q")
        add("edit.undo", tr("Undo"), self.undo, menu=tr("Edit"), keys="Ctrl+Z", icon="undo-2")
        add("edit.redo", tr("Redo"), self.redo, menu=tr("Edit"), keys="Ctrl+Shift+Z, Ctrl+Y", icon="redo-2")
        add("view.larger", tr("Larger text"), partial(self._change_scale, 1), menu=tr("View"), keys="Ctrl++, Ctrl+=")
        add("view.smaller", tr("Smaller text"), partial(self._change_scale, -1), menu=tr("View"), keys="Ctrl+-")
        add("view.normal", tr("Normal text size"), partial(self._change_scale, 0), menu=tr("View"), keys="Ctrl+0")
        for theme, text in zip(
            THEMES, (tr("System theme"), tr("Light theme"), tr("Dark theme"), tr("High contrast")), strict=True
        ):
            add(f"view.{theme}", text, partial(self._settings_store.change, theme=theme), menu=tr("View"))
        add("help.palette", tr("Find a command…"), self._open_palette, menu=tr("Help"), keys="Ctrl+K", icon="search")
        add("view.jobs", tr("Jobs"), self.toggle_jobs, menu=tr("View"), keys="Ctrl+J", icon="list")
        add("view.pause", tr("Pause or resume the job"), self._pause_job, menu=tr("View"))
        add("view.cancel", tr("Cancel the job"), self._cancel_job, menu=tr("View"))
        add("help.guide", tr("Guide"), self.show_guide, menu=tr("Help"), keys="F1", icon="circle-help")
        show_keys = self._show_shortcuts_here
        add("help.keys", tr("Keyboard shortcuts"), show_keys, menu=tr("Help"), keys="Shift+F1, Ctrl+?", icon="keyboard")
        add("help.steps", tr("Next steps"), self._central.steps.open_again, menu=tr("Help"), icon="list-checks")
        add("help.about", tr("About Pairwright"), self._show_about, menu=tr("Help"), icon="info")
        add("go.back", tr("Back"), self._pages.go_back, menu=tr("Go"), keys="Alt+Left", icon="arrow-left")
        for item in NAVIGATION:
            show = partial(self._pages.show_page, item.name)
            add(f"go.{item.name}", item.text, show, menu=tr("Go"), keys=item.keys, icon=item.icon)
        pages = self._pages
        add("go.next_tab", tr("Next tab"), pages.show_next_tab, menu=tr("Go"), keys="Ctrl+PgDown, Ctrl+Tab")
        add(
            "go.previous_tab",
            tr("Previous tab"),
            pages.show_previous_tab,
            menu=tr("Go"),
            keys="Ctrl+PgUp, Ctrl+Shift+Tab",
        )

    def state_of(self, entry: RegisteredAction) -> ActionState | None:
        """The state of an action in its menu; None if the action keeps its state itself."""
        group, _, name = entry.key.partition(".")
        if group == "go":
            is_back = name == "back"
            return ActionState(enabled=self._pages.can_go_back) if is_back else ActionState(name == self._pages.current)
        if group == "view" and name in THEMES:
            return ActionState(name == self._settings_store.settings.theme)
        if entry.key == "view.jobs":
            return ActionState(self._central.jobs.isVisible())
        if entry.key in ("view.pause", "view.cancel"):
            return ActionState(enabled=self._current_job() is not None)
        if group == self._pages.current:
            page = self._pages.page(group)
            return ActionState(page.is_action_checked(name), page.is_action_enabled(name))
        return None

    # File and Edit

    def _ask_new(self) -> None:
        self._central.start.ask_new()

    def _ask_open(self) -> None:
        self._central.start.ask_open()

    @Slot()
    def undo(self) -> None:
        if self._commands.context is not None:
            self._commands.context.undo()

    @Slot()
    def redo(self) -> None:
        if self._commands.context is not None:
            self._commands.context.redo()

    @Slot()
    def ask_annotator(self) -> None:
        if self._commands.context is not None:
            self._commands.context.ask_annotator(self._window, again=True)

    # View

    def _change_scale(self, step: int) -> None:
        """Change the scale by one step; 0 restores the normal size."""
        index = SCALES.index(self._settings_store.settings.scale)
        new = 1.0 if step == 0 else SCALES[max(0, min(len(SCALES) - 1, index + step))]
        self._settings_store.change(scale=new)

    def _pause_job(self) -> None:
        if (run := self._require_job()) is not None:
            (run.resume if run.state is JobState.PAUSED else run.pause)()

    def _cancel_job(self) -> None:
        if (run := self._require_job()) is not None:
            run.request_cancel()

    def _current_job(self) -> JobRun | None:
        """The unfinished job that the status bar shows."""
        entry = self._activity.current
        return entry.run if entry is not None else None

    def _require_job(self) -> JobRun | None:
        """The current job; if there is none, show a message and return None."""
        run = self._current_job()
        if run is None and self._commands.context is not None:
            self._commands.context.show_message(tr("No job is running."))
        return run

    @Slot()
    def toggle_jobs(self) -> None:
        jobs, entry = self._central.jobs, self._activity.current
        if jobs.isVisible():
            jobs.dismiss()
        else:
            jobs.open(problems=bool(entry and entry.result and entry.result.problems))

    @Slot()
    def on_jobs_closed(self) -> None:
        (self._central.stack.currentWidget() or self._window).setFocus(Qt.FocusReason.OtherFocusReason)

    # Help

    def _open_palette(self) -> None:
        if self._palette is None:
            from desktop.ui.shell.palette_commands import PaletteController

            self._palette = PaletteController(self._registry, self._settings_store, self._theme, self._window)
            self._palette.page_requested.connect(self._pages.show_page)
            self._palette.setting_requested.connect(self._pages.show_setting)
            self._palette.message.connect(self._central.status_bar.show_message)
        self._palette.open(self._central.stack, settings=self._commands.context is not None)

    @Slot()
    def show_guide(self) -> None:
        """Open the guide at the page that explains what is on the screen."""
        from desktop.ui.shell.guide_window import GUIDE_PAGES, GuideWindow

        if self._guide is None:
            self._guide = GuideWindow(self._settings_store, self._runner, self._theme, self._window)
        self._guide.open_page(GUIDE_PAGES[self._pages.current])

    def _show_shortcuts_here(self) -> None:
        self.show_shortcuts(next((item.text for item in NAVIGATION if item.name == self._pages.current), ""))

    @Slot(str)
    def show_shortcuts(self, first_menu: str) -> None:
        """Show all shortcuts, those of `first_menu` before the others."""
        from desktop.ui.shell.shortcuts_dialog import ShortcutsDialog

        self._show_dialog(ShortcutsDialog(self._registry, self._theme, self._window, first_menu=first_menu))

    def _show_about(self) -> None:
        from desktop.ui.shell.about_dialog import AboutDialog

        self._show_dialog(AboutDialog(self._settings_store.paths, self._runner, self._theme, self._window))

    def _show_dialog(self, dialog: QDialog) -> None:
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()
