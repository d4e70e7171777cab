"""The main window: it creates and connects its parts, and passes Qt's events to them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QByteArray, QEvent, QSettings, QSize, Qt, QTimer, Slot
from PySide6.QtGui import (
    QCloseEvent,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDropEvent,
    QGuiApplication,
    QKeyEvent,
)
from PySide6.QtWidgets import QAbstractButton, QMainWindow

from desktop.jobs.open_project import OpenedProject
from desktop.text import one_line, shortened
from desktop.translation import tr
from desktop.ui.services.actions import ActionRegistry
from desktop.ui.services.page import Page
from desktop.ui.services.problems import Problems
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.services.runner import JobRunner
from desktop.ui.services.settings_store import SettingsStore
from desktop.ui.shell.appearance import Appearance
from desktop.ui.shell.backup_controller import BackupController
from desktop.ui.shell.central_widget import CentralWidget
from desktop.ui.shell.close_guard import CloseGuard
from desktop.ui.shell.corpus_opener import CorpusOpener
from desktop.ui.shell.file_drops import FileDrops
from desktop.ui.shell.menu_bar import MenuBar
from desktop.ui.shell.navigation import NAVIGATION, offered_pages
from desktop.ui.shell.notifications import Notifier
from desktop.ui.shell.older_rules_offer import OlderRulesOffer
from desktop.ui.shell.page_controller import PageController
from desktop.ui.shell.project_commands import ProjectCommands
from desktop.ui.shell.project_controller import FileWatcher, ProjectController
from desktop.ui.shell.status_bar.activity import Activity
from desktop.ui.shell.window_actions import WindowActions
from desktop.ui.theme import Theme

_PROJECT_ACTIONS = (
    "file.close",
    "file.add",
    "file.merge",
    "edit.undo",
    "edit.redo",
    "view.jobs",
    "view.pause",
    "view.cancel",
    "go.back",
    *(f"go.{item.name}" for item in NAVIGATION),
)
_TRY_AGAIN = tr("Try again")
_TITLE_BAR_HEIGHT_PX = 40
_MIN_SIZE_IN_SIGHT = QSize(200, 100)  # of the window, on at least one screen
_MAX_NAME_LENGTH = 60  # characters of an annotator's name in the title
_PREBUILD_DELAY_MS = 600  # after the first page is shown


class MainWindow(QMainWindow):
    """The window. prebuild_pages: build all pages of a project soon, instead of each when it is first shown."""

    def __init__(
        self,
        settings_store: SettingsStore,
        theme: Theme,
        runner: JobRunner,
        problems: Problems,
        *,
        prebuild_pages: bool = True,
    ) -> None:
        super().__init__()
        self._prebuild_pages = prebuild_pages
        self._skip_confirmation = False
        self.settings_store, self.theme, self.runner, self.problems = settings_store, theme, runner, problems
        self.setAcceptDrops(True)
        self.setMinimumSize(800, 560)
        self._create_parts()
        self._connect_parts()
        self._connect_widgets()
        _restore_geometry(self, settings_store.window_settings, QSize(theme.px(1280), theme.px(800)))
        self._show_start()

    def _create_parts(self) -> None:
        store, theme, runner = self.settings_store, self.theme, self.runner
        self.appearance = Appearance(store, theme, self)
        theme.dress(self)
        self.activity = Activity(runner, self)
        self.central = central = CentralWidget(store, theme, runner, self.activity)
        self.setCentralWidget(central)
        self.action_registry = ActionRegistry(theme, self)
        self.action_registry.use_keys(dict(store.settings.keys))
        self.project_controller = ProjectController(runner, self._make_context, self)
        self.page_controller = PageController(store, central.stack, self)
        self.close_guard = CloseGuard(self.activity, central.stack, theme, self)
        self.project_commands = ProjectCommands(self.project_controller, self.close_guard, store, runner, self)
        self.backup_controller = BackupController(
            self.project_controller, self.project_commands, self.close_guard, store, theme, runner, self.problems, self
        )
        self.corpus_opener = CorpusOpener(self.project_commands, store, runner, theme, self)
        self.file_drops = FileDrops(self.project_commands, central, self)
        self.file_watcher = FileWatcher(runner, self)
        self.notifier = Notifier(self.problems, store, theme, central.toast, self)
        self.older_rules_offer = OlderRulesOffer(
            central, lambda: self.page_controller.current, runner, self.problems, self
        )
        self.window_actions = WindowActions(
            self,
            self.action_registry,
            central=central,
            commands=self.project_commands,
            backups=self.backup_controller,
            corpora=self.corpus_opener,
            pages=self.page_controller,
            activity=self.activity,
            runner=runner,
            settings_store=store,
            theme=theme,
        )
        self.menu_bar = MenuBar(self, self.action_registry, store, theme, self.window_actions.state_of)
        self.window_actions.add_to(self.menu_bar)

    def _connect_widgets(self) -> None:
        """Connect the widgets inside the window with the parts that handle their signals."""
        central = self.central
        central.sidebar.section_selected.connect(self.page_controller.show_section)
        central.stack.page_selected.connect(self.show_page)
        central.steps.page_requested.connect(self.show_page)
        for opener in (central.steps, central.start):
            opener.guide_requested.connect(self.window_actions.show_guide)
        central.start.open_requested.connect(self.project_commands.ask_open)
        central.start.create_requested.connect(lambda path: self.project_commands.ask_open(path, create=True))
        central.start.sample_requested.connect(self.project_commands.ask_open_sample)
        central.start.files_selected.connect(self.project_commands.open_or_add)
        central.notice.action_requested.connect(self.project_controller.retry)
        central.offer.action_requested.connect(self._ask_split)
        central.status_bar.undo_requested.connect(self.window_actions.undo)
        central.status_bar.jobs_requested.connect(self.window_actions.toggle_jobs)
        central.status_bar.annotator_requested.connect(self.window_actions.ask_annotator)
        central.jobs.closed.connect(self.window_actions.on_jobs_closed)
        for part in (central.toast, central.status_bar):
            part.problems_requested.connect(lambda: self.show_page("problems"))

    def _connect_parts(self) -> None:
        """Connect the parts with one another."""
        projects, commands, central = self.project_controller, self.project_commands, self.central
        self.settings_store.changed.connect(lambda settings: self.action_registry.use_keys(dict(settings.keys)))
        self.problems.unseen_changed.connect(lambda unseen: self._show_problem_count())
        self.menu_bar.project_requested.connect(commands.ask_open)
        self.menu_bar.corpus_requested.connect(self.corpus_opener.open)
        self.page_controller.page_shown.connect(self._on_page_shown)
        self.file_watcher.checked.connect(self._on_file_checked)
        commands.failed.connect(self._on_open_failed)
        commands.corpus_requested.connect(self.corpus_opener.open)
        commands.name_requested.connect(lambda files: central.start.ask_new_for(files, commands.open_with))
        for part in (commands, self.backup_controller):
            part.busy.connect(central.start.set_busy)
        for source in (commands, self.backup_controller, self.page_controller):
            source.message.connect(central.status_bar.show_message)
        projects.opening.connect(lambda name: central.start.set_busy(tr("Opening {name}…", name=name)))
        projects.open_failed.connect(self._on_open_failed)
        projects.still_read_only.connect(self._on_still_read_only)
        projects.opened.connect(self._on_opened)
        projects.closing.connect(self._on_project_closing)
        projects.jobs_ended.connect(central.stack.delete_detached)

    # For other modules and tests

    @property
    def context(self) -> ProjectContext | None:
        """The context of the open project; None on the start page."""
        return self.project_controller.context

    def open(self, path: Path, *, create: bool = False, then: Callable[[ProjectContext], None] | None = None) -> None:
        """Open or create a project in place of the open one, then call `then` with its context."""
        self.project_commands.open(path, create=create, then=then)

    @Slot(str)
    def show_page(self, name: str) -> None:
        self.page_controller.show_page(name)

    def current_page(self) -> str:
        """The name of the page on screen; "" on the start page."""
        return self.page_controller.current

    def page(self, name: str) -> Page:
        """The page of this name; it is built if it was not yet."""
        return self.page_controller.page(name)

    @Slot()
    def close_now(self) -> None:
        """Close without a confirmation, for callers that cannot answer one."""
        self._skip_confirmation = True
        self.close()

    def shut_down(self) -> bool:
        """Stop all jobs and close the project, after the window was closed; False if a job does not end in time."""
        self.corpus_opener.shut_down()
        return self.project_controller.shut_down()

    # Opening and closing projects

    def _make_context(self, opened: OpenedProject) -> ProjectContext:
        context = ProjectContext(
            opened,
            runner=self.runner,
            problems=self.problems,
            actions=self.action_registry,
            settings_store=self.settings_store,
            theme=self.theme,
            parent=self,
        )
        self.page_controller.connect_context(context)
        return context

    @Slot(object)
    def _on_open_failed(self, error: Exception) -> None:
        self.central.start.set_busy("")
        self.problems.show(error)
        self.backup_controller.offer_backups(error)

    @Slot(str)
    def _on_still_read_only(self, why: str) -> None:
        self.central.show_notice(why, _TRY_AGAIN)
        self.central.status_bar.show_message(tr("This project is still read-only."))

    @Slot(object)
    def _on_opened(self, context: ProjectContext) -> None:
        self.settings_store.put(self.settings_store.settings.with_recent(context.path))
        self._use_context()
        self.show_page(self.page_controller.last_page(context.path))
        self.file_watcher.check()
        if context.assignment is None:  # an answer file is to stay the one file that is sent back
            self.backup_controller.schedule_backups()
        self.older_rules_offer.use(context)

    @Slot()
    def _ask_split(self) -> None:
        self.show_page("annotate")
        self.action_registry["annotate.split"].trigger()

    @Slot()
    def _on_project_closing(self) -> None:
        self._save_last_page()
        self.older_rules_offer.use(None)
        self.page_controller.use(None)
        self.menu_bar.use(None)
        self.activity.clear()
        self.central.status_bar.use(None)
        self.central.steps.use(None)
        self.central.toast.dismiss()
        self.central.stack.detach_pages()
        self.central.sidebar.clear_badges()
        self._show_start()
        if self.project_controller.is_opening:
            self.central.start.set_busy(tr("Opening another project…"))

    def _use_context(self) -> None:
        """Show the open project in all parts of the window."""
        context, central = self.context, self.central
        assert context is not None
        central.status_bar.use(context)
        self.menu_bar.use(context)
        central.show_notice(context.read_only_reason, _TRY_AGAIN if context.read_only else "")
        self.setWindowTitle(tr("{title} — Pairwright", title=_title(context)))
        offered = offered_pages(context.assignment)
        hidden = {f"go.{item.name}" for item in NAVIGATION} - {f"go.{name}" for name in (*offered, "problems")}
        for name in _PROJECT_ACTIONS:
            self.action_registry[name].setEnabled(name not in hidden)
        for name in ("file.add", "file.merge"):
            self.action_registry[name].setEnabled(not context.read_only and context.assignment is None)
        central.sidebar.setVisible(True)
        central.sidebar.offer(offered)
        self._show_problem_count()
        central.stack.use(context)
        central.steps.use(context)
        self.page_controller.use(context)
        self.file_watcher.use(context)
        if self._prebuild_pages:
            QTimer.singleShot(_PREBUILD_DELAY_MS, central.stack.prebuild)

    def _show_problem_count(self) -> None:
        self.central.status_bar.show_problems(self.problems.unseen, len(self.problems.all))

    def _show_start(self) -> None:
        central = self.central
        central.sidebar.setVisible(False)
        central.notice.setVisible(False)
        central.start.set_busy("")
        central.start.refresh()
        central.stack.show_start()
        central.start.focus_first()
        self.notifier.has_list = False
        self.file_watcher.use(None)
        self.setWindowTitle(tr("Pairwright"))
        for name in _PROJECT_ACTIONS:
            self.action_registry[name].setEnabled(False)
        self.menu_bar.show_for("")

    def _save_last_page(self) -> None:
        if self.project_controller.path is not None:
            self.page_controller.save_last_page(self.project_controller.path)

    @Slot(str)
    def _on_page_shown(self, name: str) -> None:
        if name == "problems":
            self.central.toast.dismiss()
        self.central.sidebar.show_page(name)
        self.older_rules_offer.on_page_shown(name)
        self.central.steps.on_page_shown(name)
        self.notifier.has_list = name != "problems"
        self.menu_bar.show_for(name)

    @Slot(bool)
    def _on_file_checked(self, is_there: bool) -> None:
        if (context := self.context) is None:
            return
        if is_there:
            self.central.show_notice(context.read_only_reason, _TRY_AGAIN if context.read_only else "")
        else:
            gone = tr("is gone: it was moved or deleted. Put it back, or open it from where it is now.")
            self.central.show_notice(f"{context.path} {gone}")

    # Qt's events

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        self.file_drops.enter(event)

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self.file_drops.leave()
        super().dragLeaveEvent(event)

    def dropEvent(self, event: QDropEvent) -> None:
        self.file_drops.drop(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape closes the toast, else the list of jobs; Enter clicks the button that has the focus."""
        focused, toast, jobs = self.focusWidget(), self.central.toast, self.central.jobs
        if event.key() == Qt.Key.Key_Escape and (toast.isVisible() or jobs.isVisible()):
            (toast if toast.isVisible() else jobs).dismiss()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and isinstance(focused, QAbstractButton):
            focused.click()  # outside of dialogs Qt does that for Space only
        else:
            super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.ActivationChange and self.isActiveWindow():
            if self.context is not None:
                self.file_watcher.check()
            elif not self.project_controller.is_busy:
                self.central.start.refresh()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Ask before stopping jobs, which keep their finished work, or losing text; `shut_down` waits for jobs."""
        if self.close_guard.asks and not self._skip_confirmation:
            event.ignore()
            self.close_guard.confirm_then(tr("Quit Pairwright"), tr("Quit"), self.close_now)
            return
        self._save_last_page()
        _save_geometry(self, self.settings_store.window_settings)
        self.runner.cancel_all()
        super().closeEvent(event)


def _title(context: ProjectContext) -> str:
    sent = context.assignment
    if sent is None:
        return context.path.name
    return tr(
        "Answers of round {round:,} for {name}", round=sent.round, name=one_line(shortened(sent.name, _MAX_NAME_LENGTH))
    )


def _restore_geometry(window: QMainWindow, saved: QSettings, default_size: QSize) -> None:
    """Restore the place of the window on the present screens: at most the size of the largest, and visible on one."""
    geometry = saved.value("geometry")
    if not (isinstance(geometry, QByteArray) and window.restoreGeometry(geometry)):
        window.resize(default_size)
    screens = [screen.availableGeometry() for screen in QGuiApplication.screens()]
    if not screens:
        return
    if not window.isMaximized():
        max_width, max_height = max(s.width() for s in screens), max(s.height() for s in screens) - _TITLE_BAR_HEIGHT_PX
        window.resize(min(window.width(), max_width), min(window.height(), max_height))
    parts_in_sight = [window.frameGeometry().intersected(screen) for screen in screens]
    minimum = _MIN_SIZE_IN_SIGHT
    if not any(part.width() >= minimum.width() and part.height() >= minimum.height() for part in parts_in_sight):
        window.move(screens[0].center() - window.rect().center())


def _save_geometry(window: QMainWindow, saved: QSettings) -> None:
    saved.setValue("geometry", window.saveGeometry())
    saved.sync()
