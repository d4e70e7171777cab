"""The window: puts rail, pages, menus and the strip together; knows no verb of the domain."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QEvent, QMimeData, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import (
    QCloseEvent,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDropEvent,
    QKeyEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QHBoxLayout,
    QMainWindow,
    QVBoxLayout,
    QWidget,
)
from shiboken6 import delete, isValid

from desktop.jobs.open_project import OpenedProject
from desktop.settings import RECENT, Settings
from desktop.ui.pages.start.page import StartPage
from desktop.ui.services.actions import ActionRegistry
from desktop.ui.services.page import Page
from desktop.ui.services.problems import Problems
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.services.runner import JobRunner
from desktop.ui.services.settings_store import SettingsStore
from desktop.ui.shell import geometry
from desktop.ui.shell.file_watcher import FileWatcher
from desktop.ui.shell.leaving import CloseGuard
from desktop.ui.shell.menu_bar import MenuBar
from desktop.ui.shell.navigation import NAVIGATION
from desktop.ui.shell.notifier import Notifier
from desktop.ui.shell.page_stack import PageStack
from desktop.ui.shell.project_controller import ProjectController
from desktop.ui.shell.restoring import BackupController
from desktop.ui.shell.sidebar import Sidebar
from desktop.ui.shell.status_bar.activity import Activity
from desktop.ui.shell.status_bar.jobs_panel import JobsPanel
from desktop.ui.shell.status_bar.status_bar import StatusBar
from desktop.ui.shell.status_bar.toast import Toast
from desktop.ui.shell.window_actions import WindowActions
from desktop.ui.theme import Theme
from desktop.ui.widgets.banner import Banner
from desktop.ui.widgets.drop_overlay import DropOverlay
from storage.changes import Changes

if TYPE_CHECKING:
    from storage.pairs.filters import PairFilter


_OF_A_PROJECT = (
    "file.close",
    "file.add",
    "edit.undo",
    "edit.redo",
    "view.jobs",
    "view.pause",
    "view.cancel",
    "go.back",
    *(f"go.{item.name}" for item in NAVIGATION),
)
_NARROW = 1100
_PAGES = "window/pages"
_STEPS_BACK = 50
_TRY_AGAIN = "Try again"
_AHEAD = 600  # ms that the first page has for itself before the others are built


class VisitedPage(NamedTuple):
    """A page that was shown before, and what Pairs showed then, where that was changed on leaving."""

    page: str
    filter: PairFilter | None = None


class MainWindow(QMainWindow):
    """`ahead`: build the pages of a project while nobody waits, rather than each when it is first shown."""

    closed = Signal()  # the project that was open is no longer; its file may be opened, moved, deleted

    def __init__(
        self, settings_store: SettingsStore, theme: Theme, runner: JobRunner, problems: Problems, *, ahead: bool = True
    ) -> None:
        super().__init__()
        self._ahead = ahead
        self.settings_store, self.theme, self.runner, self.problems = settings_store, theme, runner, problems
        self.project_controller = ProjectController(runner, self._make_context, self)
        self._dressed: tuple[float, str, bool] = (0.0, "", False)
        self._waits_to_build = False
        self.before: list[VisitedPage] = []
        self._may_close = False
        self.setAcceptDrops(True)
        self.setMinimumSize(800, 560)
        self.activity = Activity(runner, self)
        self.action_registry = ActionRegistry(theme, self)
        self.action_registry.use_keys(dict(settings_store.settings.keys))
        self.menu_bar = MenuBar(
            self, self.action_registry, settings_store, theme, lambda entry: self.window_actions.state_of(entry)
        )
        self.menu_bar.project_asked.connect(self.ask_open)
        self.close_guard = CloseGuard(self)
        self.file_watcher = FileWatcher(runner, self)
        self.file_watcher.seen.connect(self._on_seen)
        self.file_watcher.changed.connect(self._on_changed_elsewhere)
        self.notifier = Notifier(problems, settings_store, theme, self)
        self.backup_controller = BackupController(self)
        self.window_actions = WindowActions(self)
        self._restore_theme()
        self._lay_out()
        settings_store.changed.connect(self._on_settings)
        problems.unseen_changed.connect(lambda count: self.sidebar.set_badge("problems", count))
        self.project_controller.opening.connect(self._on_opening)
        self.project_controller.refused.connect(self._on_refused)
        self.project_controller.still_locked.connect(self._on_still_locked)
        self.project_controller.arrived.connect(self._on_arrived)
        self.project_controller.left.connect(self._on_left)
        self.project_controller.dropped.connect(lambda: self.stack.drop())
        self.project_controller.closed.connect(self.closed)
        for calm in (
            runner.saving,
            self.project_controller.arrived,
            self.project_controller.refused,
            self.project_controller.closed,
        ):
            calm.connect(self._on_calm)
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        app.focusChanged.connect(self._on_focus)
        geometry.restore(self, settings_store.window, QSize(theme.px(1280), theme.px(800)))
        self._narrow()
        self._show_start()

    # Projects

    @property
    def context(self) -> ProjectContext | None:
        """That of the open project."""
        return self.project_controller.context

    def open(self, path: Path, *, create: bool = False, then: Callable[[ProjectContext], None] | None = None) -> None:
        """Open a project (or make it) in this window, in place of the one that is open; `then` goes on with it."""
        if self.project_controller.is_busy:
            self.status_bar.say("Another project is being opened or closed. Try again in a moment.")
        else:
            self.project_controller.open(path, create=create, then=then)

    @Slot(object)
    def ask_open(self, path: Path, *, create: bool = False) -> None:
        """Open a project, or make it; when that stops jobs of the one that is open, the person is asked first."""
        verb = "Make" if create else "Open"
        open_it = partial(self.open, path, create=create)
        self.close_guard.confirm_then("Another project", f"{verb} {path.stem}", open_it)

    def ask_open_sample(self) -> None:
        self.close_guard.confirm_then("Another project", "Open sample project", self.open_sample)

    def ask_close_project(self) -> None:
        self.close_guard.confirm_then("Close project", "Close project", self.close_project)

    def close_project(self) -> None:
        """Back to the start page at once; jobs are cancelled, what they finished is kept, answers are written.

        `closed` follows when the file is free.
        """
        if not self.project_controller.is_opening:
            self.project_controller.leave()

    def shut(self) -> bool:
        """Let go of everything, waiting for it: the window is gone. False when a job does not end."""
        return self.project_controller.shut()

    def open_with(self, path: Path, dropped: list[Path], *, create: bool = False) -> None:
        """Open a project and then add papers to it."""
        self.open(path, create=create, then=lambda context: self.offer(dropped))

    def open_sample(self) -> None:
        """Open the sample project; the first time it is made, and filled before the person's eyes."""
        from desktop.jobs.sample_project import make_sample

        self.start.set_busy("Opening the sample project…")
        run = self.runner.save(make_sample(self.settings_store.paths.data / "sample"))
        run.done.connect(lambda path: self.open(path, then=self._fill_sample))
        run.failed.connect(self._on_refused)

    def _fill_sample(self, context: ProjectContext) -> None:
        from desktop.jobs.sample_project import fill_sample

        if context.read_only:
            return
        from desktop.ui.pages.papers.import_controller import import_controller

        coming = import_controller(context)
        run = coming.follow(self.runner.start(fill_sample(context.project)))
        run.ticked.connect(lambda _: context.events.changed.emit(Changes(papers=True)))
        run.done.connect(lambda added: coming.mine() if added is not None else None)

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
        context.page_asked.connect(self.show_page)
        context.attention_asked.connect(self._on_attention_asked)
        context.pairs_asked.connect(self._on_pairs_asked)
        context.review_asked.connect(self._on_review_asked)
        return context

    @Slot(str)
    def _on_opening(self, name: str) -> None:
        self.start.set_busy(f"Opening {name}…")

    @Slot(object)
    def _on_refused(self, error: Exception) -> None:
        self.start.set_busy("")
        self.problems.show(error)
        self.backup_controller.offer(error)

    @Slot(str)
    def _on_still_locked(self, why: str) -> None:
        self._say_notice(why, _TRY_AGAIN)
        self.status_bar.say("It can still only be read.")

    @Slot(object)
    def _on_arrived(self, context: ProjectContext) -> None:
        self.settings_store.put(self.settings_store.settings.remember(context.path))
        self._use_context()
        self.show_page(self._left_page(context.path))
        self.file_watcher.look()
        self.backup_controller.keep_backed_up()

    @Slot()
    def _on_left(self) -> None:
        self._keep_page()
        self.before.clear()
        self.status_bar.use(None)
        self.menu_bar.use(None)
        self.activity.clear()
        self.toast.shut()
        self.stack.leave()
        self.sidebar.clear_badges()
        self._show_start()
        if self.project_controller.is_opening:
            self.start.set_busy("Opening another project…")

    def _use_context(self) -> None:
        """Show that a project is open."""
        context = self.context
        assert context is not None
        self.status_bar.use(context)
        self.menu_bar.use(context)
        self._say_notice(context.why_read_only, _TRY_AGAIN if context.read_only else "")
        self.setWindowTitle(f"{context.path.name} — Pairwright")
        for name in _OF_A_PROJECT:
            self.action_registry[name].setEnabled(True)
        self.action_registry["file.add"].setEnabled(not context.read_only)
        self.sidebar.setVisible(True)
        self.sidebar.set_badge("problems", self.problems.unseen)
        self.stack.use(context)
        self.file_watcher.use(context)
        if self._ahead:
            QTimer.singleShot(_AHEAD, self.stack.build_ahead)

    def _show_start(self) -> None:
        self.sidebar.setVisible(False)
        self.notice.setVisible(False)
        self.start.set_busy("")
        self.start.refresh()
        self.stack.show_start()
        self.start.focus_first()
        self.notifier.has_list = False
        self.file_watcher.use(None)
        self.setWindowTitle("Pairwright")
        for name in _OF_A_PROJECT:
            self.action_registry[name].setEnabled(False)
        self.menu_bar.show_for("")

    # PageStack

    @Slot(str)
    def show_page(self, name: str) -> None:
        if self.context is None:
            return
        if self.stack.current not in ("", name):
            self.before.append(VisitedPage(self.stack.current))
            del self.before[:-_STEPS_BACK]
        self.stack.show_page(name)
        if name == "problems":
            self.toast.shut()
        self.sidebar.show_page(name)
        self.notifier.has_list = name != "problems"
        self.menu_bar.show_for(name)
        self.stack.settle()

    @Slot()
    def _on_attention_asked(self) -> None:
        from desktop.ui.pages.papers.page import PapersPage

        self.show_page("papers")
        page = self.stack.get("papers")
        assert isinstance(page, PapersPage)
        page.only_attention(True)

    @Slot(object)
    def _on_pairs_asked(self, asked: object) -> None:
        new = not self.stack.has("pairs")
        steps = len(self.before)
        self.show_page("pairs")
        if len(self.before) > steps and self.context is not None:
            self.before[-1] = self.before[-1]._replace(filter=self.context.filter_before)
        if new and self.context is not None:  # the page is only now there to hear it
            self.context.pairs_asked.emit(asked)

    @Slot(object)
    def _on_review_asked(self, asked: object) -> None:
        new = not self.stack.has("review")
        self.show_page("review")
        if new and self.context is not None:
            self.context.review_asked.emit(asked)

    def go_back(self) -> None:
        """To the page before, and the Pairs page to what it showed before another page asked it for pairs."""
        if not self.before:
            self.status_bar.say("No page was shown before this one.")
            return
        page, filter = self.before.pop()
        steps = len(self.before)
        self.show_page(page)
        del self.before[steps:]  # the way back is no step
        if filter is not None:
            pairs = self.stack.get("pairs")
            from desktop.ui.pages.pairs.page import PairsPage

            assert isinstance(pairs, PairsPage)
            pairs.show_filter(filter)

    def current_page(self) -> str:
        """The name of the page on screen; "" on the start page."""
        return self.stack.current

    def page(self, name: str) -> Page:
        """The page of that name, built if it was not yet."""
        return self.stack.get(name)

    def _keep_page(self) -> None:
        """Remember where the person was in this project."""
        path = self.project_controller.path
        if path is not None and self.stack.current:
            pages = {**self._left_pages(), str(path): self.stack.current}
            self.settings_store.window.setValue(_PAGES, json.dumps(dict(list(pages.items())[-RECENT:])))

    def _left_page(self, path: Path) -> str:
        name = self._left_pages().get(str(path))
        return name if name in [item.name for item in NAVIGATION] else NAVIGATION[0].name

    def _left_pages(self) -> dict[str, str]:
        """The page each project was left on, those left last at the end."""
        with contextlib.suppress(ValueError, TypeError):  # somebody edited the file
            pages = json.loads(self.settings_store.window.value(_PAGES) or "{}")
            return {str(path): str(name) for path, name in pages.items()} if isinstance(pages, dict) else {}
        return {}

    # Layout

    def _lay_out(self) -> None:
        self.sidebar = Sidebar(self.theme)
        for item in NAVIGATION:
            self.sidebar.add(item.name, item.text, item.icon, below=item.below)
        self.sidebar.chosen.connect(self.show_page)
        self.start = StartPage(self.settings_store, self.theme, self.runner)
        self.start.open_asked.connect(self.ask_open)
        self.start.create_asked.connect(lambda path: self.ask_open(path, create=True))
        self.start.sample_asked.connect(self.ask_open_sample)
        self.start.files_chosen.connect(self.offer)
        self.stack = PageStack(self.start)
        self.stack.badge_changed.connect(self.sidebar.set_badge)
        self.notice = Banner(self.theme)
        self.notice.action_asked.connect(self.project_controller.retry)
        self.status_bar = StatusBar(self.activity, self.runner, self.theme)
        self.status_bar.undo_asked.connect(self.window_actions.undo)
        self.status_bar.jobs_asked.connect(self.window_actions.toggle_jobs)
        self.status_bar.annotator_asked.connect(self.window_actions.ask_annotator)
        center = QWidget()
        across = QHBoxLayout()
        across.setContentsMargins(0, 0, 0, 0)
        across.setSpacing(0)
        across.addWidget(self.sidebar)
        across.addWidget(self.stack, 1)
        down = QVBoxLayout(center)
        down.setContentsMargins(0, 0, 0, 0)
        down.setSpacing(0)
        down.addWidget(self.notice)
        down.addLayout(across, 1)
        down.addWidget(self.status_bar)
        self.drop_overlay = DropOverlay(self.theme, center)
        self.setCentralWidget(center)
        self.jobs = JobsPanel(self.activity, self.theme, center)
        self.jobs.closed.connect(self.window_actions.on_jobs_closed)
        self.toast = self.notifier.toast = Toast(self.theme, center)
        self.toast.problems_asked.connect(lambda: self.show_page("problems"))

    @Slot(object)
    def _on_settings(self, settings: Settings) -> None:
        self.action_registry.use_keys(dict(settings.keys))
        if (settings.scale, settings.theme, settings.reduced_motion) != self._dressed:
            self._dress(settings)

    def _dress(self, settings: Settings) -> None:
        bigger = settings.scale != self._dressed[0]
        self._dressed = (settings.scale, settings.theme, settings.reduced_motion)
        if bigger:  # sizes are given when a widget is built; later, for one of them may be what asks
            QTimer.singleShot(0, self._build_anew)
        else:
            self.theme.use(settings.theme, settings.scale, reduced_motion=settings.reduced_motion)

    @Slot()
    def _on_calm(self) -> None:
        if self._waits_to_build:
            QTimer.singleShot(0, self._build_anew)  # after whoever else hears of it

    @Slot()
    def _build_anew(self) -> None:
        """All of it once more at another scale; the old goes first, so that it is not dressed as well.

        Only when no save is on its way, since its page goes on from it, and no project is just being opened.
        """
        if self.runner.is_saving or self.project_controller.is_busy:
            self._waits_to_build = True
            return
        self._waits_to_build = False
        self.runner.forget_reads()
        page = self.stack.current
        held = self.focusWidget()
        name = held.objectName() if held is not None else ""
        self.stack.delete_all()
        old = self.takeCentralWidget()
        if old is not None:
            delete(old)
        settings = self.settings_store.settings
        self.theme.use(settings.theme, settings.scale, reduced_motion=settings.reduced_motion)
        self._lay_out()
        self._narrow()
        if self.context is None:
            self._show_start()
            return
        self._use_context()
        self.show_page(page or "papers")
        again = self.stack.get(self.stack.current).findChild(QWidget, name) if name else None
        if again is not None:
            again.setFocus(Qt.FocusReason.OtherFocusReason)

    # Qt's events

    def offer(self, paths: Iterable[Path]) -> None:
        """Files somebody dropped or chose."""
        paths = list(paths)
        if not paths:
            return
        projects = [path for path in paths if path.suffix == ".pairwright"]
        if projects:
            self.ask_open(projects[0])
        elif self.context is None:
            self.start.ask_new_for(paths, self.open_with)
        else:
            from desktop.ui.pages.papers.add_files import offer

            offer(self.context, paths, self)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if event.mimeData().hasUrls() and not self.project_controller.is_busy:
            event.acceptProposedAction()
            self.start.set_held(True)
            self._show_what_a_drop_does(event.mimeData())

    def _show_what_a_drop_does(self, data: QMimeData) -> None:
        from desktop.ui.pages.papers.add_files import dropped

        local, _ = dropped(data)
        if self.context is None or not local:
            return
        if any(path.suffix == ".pairwright" for path in local):
            text = "Drop to open this project"
        elif self.context.read_only:
            text = f"Papers cannot be added: {self.context.why_read_only}"
        else:
            text = "Drop to add to papers"
        self.drop_overlay.show_over(self.stack, text)

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self.start.set_held(False)
        self.drop_overlay.hide()
        super().dragLeaveEvent(event)

    def dropEvent(self, event: QDropEvent) -> None:
        self.start.set_held(False)
        self.drop_overlay.hide()
        from desktop.ui.pages.papers.add_files import dropped

        local, links = dropped(event.mimeData())
        if links:
            self.status_bar.say("Links cannot be added: save the papers to a folder first, then drop them here.", False)
        event.acceptProposedAction()
        QTimer.singleShot(0, lambda: self.offer(local))  # the file manager waits until the drop is answered

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._narrow()

    def _narrow(self) -> None:
        self.sidebar.set_narrow(self.width() < self.theme.px(_NARROW))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape closes the topmost thing that lies over the page; Enter presses the button that has the focus."""
        focused = self.focusWidget()
        if event.key() == Qt.Key.Key_Escape and (self.toast.isVisible() or self.jobs.isVisible()):
            (self.toast if self.toast.isVisible() else self.jobs).shut()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and isinstance(focused, QAbstractButton):
            focused.click()  # outside dialogs Qt leaves that to Space
        else:
            super().keyPressEvent(event)

    @Slot(QWidget, QWidget)
    def _on_focus(self, old: QWidget | None, now: QWidget | None) -> None:
        """When what had the keyboard goes grey or away, Qt goes on to what is next, perhaps the rail. It stays here."""
        if old is None or now is None or not isValid(old) or now.window() is not self:
            return
        page = self.stack.currentWidget()
        if page is None or not page.isVisible() or not page.isAncestorOf(old) or page.isAncestorOf(now):
            return
        if not (old.isEnabled() and old.isVisible()):
            page.setFocus(Qt.FocusReason.OtherFocusReason)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.ActivationChange and self.isActiveWindow():
            if self.context is not None:
                self.file_watcher.look()
            elif not self.project_controller.is_busy:
                self.start.refresh()

    @Slot(bool)
    def _on_seen(self, is_there: bool) -> None:
        if self.context is not None:
            gone = (
                f"{self.context.path} is gone: it was moved or deleted. Put it back, or open it from where it is now."
            )
            if is_there:
                self._say_notice(self.context.why_read_only, _TRY_AGAIN if self.context.read_only else "")
            else:
                self._say_notice(gone)

    @Slot()
    def _on_changed_elsewhere(self) -> None:
        if self.context is not None:
            self.context.events.changed.emit(Changes(papers=True, mined=True, many=True, settings=True))

    def _say_notice(self, text: str, action: str = "") -> None:
        if (text, action) != (self.notice.text(), self.notice.button.text()):
            self.notice.tell(text, action)

    def _restore_theme(self) -> None:
        settings = self.settings_store.settings
        self._dressed = (settings.scale, settings.theme, settings.reduced_motion)
        self.theme.use(settings.theme, settings.scale, reduced_motion=settings.reduced_motion)

    @Slot()
    def close_now(self) -> None:
        """Close without a question: who asks for it will not answer one."""
        self._may_close = True
        self.close()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Asks before it stops jobs; what they finished is kept, and `shut` waits for that."""
        if self.close_guard.has_unfinished_jobs and not self._may_close:
            event.ignore()
            self.close_guard.confirm_then("Quit Pairwright", "Quit", self.close_now)
            return
        self._keep_page()
        geometry.keep(self, self.settings_store.window)
        self.runner.let_go()
        super().closeEvent(event)
