"""The window: puts rail, pages, menus and the strip together; knows no verb of the domain."""

from __future__ import annotations

import importlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QByteArray, QEvent, Qt, QTimer, Slot
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QMainWindow, QMenu, QStackedWidget, QVBoxLayout, QWidget

from desktop.settings import SCALES, Settings
from desktop.ui.actions import Actions, Verb
from desktop.ui.desk import ANNOTATOR, Desk
from desktop.ui.keeper import SettingsKeeper
from desktop.ui.opening import Opened, open_project
from desktop.ui.page import Page
from desktop.ui.problems import Problems
from desktop.ui.rail import Rail
from desktop.ui.runner import JobRunner
from desktop.ui.start.page import StartPage
from desktop.ui.strip.strip import Strip
from desktop.ui.theme import Theme
from miner.progress import Job, Progress
from storage.changes import Changes


@dataclass(frozen=True, slots=True)
class Place:
    """A page of the rail: `page` is imported and built when first shown."""

    name: str
    text: str
    icon: str
    page: str
    keys: str
    below: bool = False


PLACES = (
    Place("papers", "Papers", "file-text", "desktop.ui.papers.page:PapersPage", "Ctrl+1"),
    Place("review", "Review", "pencil-line", "desktop.ui.review.page:ReviewPage", "Ctrl+2"),
    Place("pairs", "Pairs", "list", "desktop.ui.pairs.page:PairsPage", "Ctrl+3"),
    Place("dashboard", "Dashboard", "chart-column", "desktop.ui.dashboard.page:DashboardPage", "Ctrl+4"),
    Place("export", "Export", "upload", "desktop.ui.export.page:ExportPage", "Ctrl+5"),
    Place("mining", "Mining", "sliders-horizontal", "desktop.ui.mining.page:MiningPage", "Ctrl+6", True),
    Place("problems", "Problems", "triangle-alert", "desktop.ui.trouble.page:ProblemsPage", "Ctrl+7", True),
    Place("settings", "Settings", "settings", "desktop.ui.settings.page:SettingsPage", "Ctrl+,", True),
)
_MENUS = ("File", "Edit", "View", "Go", "Papers", "Review", "Pairs", "Dashboard", "Export", "Mining", "Help")
_NARROW = 1100
_BUILT_WHEN_SHOWN = ("dashboard",)  # built on first visit: plotting takes long to import


class MainWindow(QMainWindow):
    """`ahead`: build the pages of a project while nobody waits, rather than each when it is first shown."""

    def __init__(
        self, keeper: SettingsKeeper, theme: Theme, runner: JobRunner, problems: Problems, *, ahead: bool = True
    ) -> None:
        super().__init__()
        self._ahead = ahead
        self.keeper, self.theme, self.runner, self.problems = keeper, theme, runner, problems
        self.desk: Desk | None = None
        self.setAcceptDrops(True)
        self.setMinimumSize(800, 560)
        self.actions_ = Actions(theme, self)
        self.actions_.use_keys(dict(keeper.settings.keys))
        self.actions_.added.connect(self._on_action_added)
        self._menus: dict[str, QMenu] = {}
        for name in _MENUS:
            self._menus[name] = self.menuBar().addMenu(f"&{name}")
        self._pages: dict[str, Page] = {}
        self._page = ""
        self._lay_out()
        self._add_actions()
        keeper.changed.connect(self._on_settings)
        self._restore()
        self._show_start()

    # Projects

    def open(self, path: Path, *, create: bool = False) -> None:
        """Open a project (or make it) in this window, in place of the one that is open."""
        self.start.set_busy(f"Opening {path.name}…")
        run = self.runner.read(open_project(path, create=create))
        run.done.connect(self._on_opened)
        run.failed.connect(self._on_open_failed)

    def open_with(self, path: Path, dropped: list[Path], *, create: bool = False) -> None:
        """Open a project and then add papers to it."""
        self._waiting_files = dropped
        self.open(path, create=create)

    _waiting_files: list[Path]

    @Slot(object)
    def _on_opened(self, opened: Opened) -> None:
        self.close_project()
        self.keeper.put(self.keeper.settings.remember(opened.project.path))
        self.desk = desk = Desk(
            opened,
            runner=self.runner,
            problems=self.problems,
            actions=self.actions_,
            keeper=self.keeper,
            theme=self.theme,
            parent=self,
        )
        desk.page_asked.connect(self.show_page)
        desk.pairs_asked.connect(lambda _: self.show_page("pairs"))
        desk.review_asked.connect(lambda _: self.show_page("review"))
        desk.undone.connect(self._on_undone)
        self.strip.use(desk)
        self.notice.setText(opened.why)
        self.notice.setVisible(bool(opened.why))
        self.setWindowTitle(f"{opened.project.path.name}[*] — Pairwright")
        for name in ("file.close", "file.add", "edit.undo", "edit.redo"):
            self.actions_[name].setEnabled(True)
        for place in PLACES:
            self.actions_[f"go.{place.name}"].setEnabled(True)
        self.rail.setVisible(True)

        def read_annotator(progress: Progress) -> str:
            with desk.project.reading() as stores:
                return str(stores.settings.get(ANNOTATOR) or "")

        run = self.runner.read(Job("Reading who annotates", read_annotator))
        run.done.connect(self._on_annotator)
        run.failed.connect(self.problems.show)

    @Slot(object)
    def _on_annotator(self, name: str) -> None:
        if self.desk is None:
            return
        if name and not self.desk.annotator:
            self.desk.annotator = name
            self.desk.annotator_changed.emit(name)
        self.show_page("papers")
        if self._ahead:
            QTimer.singleShot(0, self._build_ahead)
        if files := self._take_waiting():
            self.offer(files)

    def _take_waiting(self) -> list[Path]:
        files, self._waiting_files = getattr(self, "_waiting_files", []), []
        return files

    @Slot(object)
    def _on_open_failed(self, error: Exception) -> None:
        self._take_waiting()
        self.start.set_busy("")
        self.problems.show(error)

    def close_project(self) -> None:
        """Back to the start page; running jobs are cancelled, what they finished is kept."""
        if self.desk is None:
            return
        self.runner.stop()
        self._forget_pages()
        self.strip.use(None)
        self.desk.close()
        self.desk.deleteLater()
        self.desk = None
        self._show_start()

    def _show_start(self) -> None:
        self.rail.setVisible(False)
        self.notice.setVisible(False)
        self.start.set_busy("")
        self.start.refresh()
        self.stack.setCurrentWidget(self.start)
        self._page = ""
        self.setWindowTitle("Pairwright")
        for name in ("file.close", "file.add", "edit.undo", "edit.redo"):
            self.actions_[name].setEnabled(False)
        for place in PLACES:
            self.actions_[f"go.{place.name}"].setEnabled(False)
        self._enable_menus()

    # Pages

    @Slot(str)
    def show_page(self, name: str) -> None:
        if self.desk is None:
            return
        page = self._built(name)
        self._page = name
        self.stack.setCurrentWidget(page)
        self.rail.show_page(name)
        self._enable_menus()
        page.activated()
        if not page.isAncestorOf(self.focusWidget() or self):
            page.setFocus(Qt.FocusReason.OtherFocusReason)

    def current_page(self) -> str:
        """The name of the page on screen; "" on the start page."""
        return self._page

    def page(self, name: str) -> Page:
        """The page of that name, built if it was not yet."""
        return self._built(name)

    def _built(self, name: str) -> Page:
        if name not in self._pages:
            assert self.desk is not None
            [place] = [place for place in PLACES if place.name == name]
            module, _, kind = place.page.partition(":")
            page: Page = getattr(importlib.import_module(module), kind)(self.desk, self.stack)
            page.badge_changed.connect(lambda count: self.rail.set_badge(name, count))
            self.stack.addWidget(page)
            self._pages[name] = page
        return self._pages[name]

    @Slot()
    def _build_ahead(self) -> None:
        """Build pages while nobody waits, one at a time, so that their menus and badges are there."""
        for place in PLACES:
            if self.desk is not None and place.name not in self._pages and place.name not in _BUILT_WHEN_SHOWN:
                self._built(place.name)
                QTimer.singleShot(50, self._build_ahead)
                return

    def _forget_pages(self) -> None:
        for page in self._pages.values():
            self.stack.removeWidget(page)
            page.setParent(None)
            page.deleteLater()
        self._pages.clear()

    # Layout

    def _lay_out(self) -> None:
        self.rail = Rail(self.theme)
        for place in PLACES:
            self.rail.add(place.name, place.text, place.icon, below=place.below)
        self.rail.chosen.connect(self.show_page)
        self.stack = QStackedWidget()
        self.start = StartPage(self.keeper, self.theme)
        self.start.open_asked.connect(self.open)
        self.start.create_asked.connect(lambda path: self.open(path, create=True))
        self.stack.addWidget(self.start)
        self.notice = QLabel()
        self.notice.setProperty("look", "notice")
        self.notice.setWordWrap(True)
        self.notice.setMargin(self.theme.px(8))
        self.strip = Strip(self.runner, self.problems, self.theme)
        self.strip.problems_asked.connect(lambda: self.show_page("problems"))
        self.strip.undo_asked.connect(lambda: self.actions_["edit.undo"].trigger())
        center = QWidget()
        across = QHBoxLayout()
        across.setContentsMargins(0, 0, 0, 0)
        across.setSpacing(0)
        across.addWidget(self.rail)
        across.addWidget(self.stack, 1)
        down = QVBoxLayout(center)
        down.setContentsMargins(0, 0, 0, 0)
        down.setSpacing(0)
        down.addWidget(self.notice)
        down.addLayout(across, 1)
        down.addWidget(self.strip)
        self.setCentralWidget(center)

    def _add_actions(self) -> None:
        add = self.actions_.add
        add("file.new", "New project…", self.start.ask_new, menu="File", keys="Ctrl+N", icon="file-plus")
        add("file.open", "Open project…", self.start.ask_open, menu="File", keys="Ctrl+O", icon="folder-open")
        add("file.sample", "Open sample project", self.start.ask_sample, menu="File", icon="book-open")
        add("file.add", "Add papers…", self._add_papers, menu="File", keys="Ctrl+Shift+A", icon="plus")
        add("file.close", "Close project", self.close_project, menu="File", keys="Ctrl+W")
        add("file.quit", "Quit", self.close, menu="File", keys="Ctrl+Q")
        add("edit.undo", "Undo", self._undo, menu="Edit", keys="Ctrl+Z", icon="undo-2")
        add("edit.redo", "Redo", self._redo, menu="Edit", keys="Ctrl+Shift+Z, Ctrl+Y", icon="redo-2")
        add("view.larger", "Larger", lambda: self._scale(1), menu="View", keys="Ctrl++, Ctrl+=")
        add("view.smaller", "Smaller", lambda: self._scale(-1), menu="View", keys="Ctrl+-")
        add("view.normal", "Normal size", lambda: self._scale(0), menu="View", keys="Ctrl+0")
        for theme, text in (("system", "Theme as in the system"), ("light", "Light theme"), ("dark", "Dark theme")):
            add(f"view.{theme}", text, lambda theme=theme: self.keeper.change(theme=theme), menu="View")
        add("help.palette", "Find a command…", self._palette, menu="Help", keys="Ctrl+K", icon="search")
        add("help.keys", "Keyboard shortcuts", self._keys, menu="Help", keys="F1", icon="keyboard")
        add("help.about", "About Pairwright", self._about, menu="Help", icon="info")
        for place in PLACES:
            add(
                f"go.{place.name}",
                place.text,
                lambda name=place.name: self.show_page(name),
                menu="Go",
                keys=place.keys,
                icon=place.icon,
            )

    @Slot(object)
    def _on_action_added(self, verb: Verb) -> None:
        if verb.menu in self._menus:
            self._menus[verb.menu].addAction(verb.action)
            self._enable_menus()

    def _enable_menus(self) -> None:
        """A page's own menu is there on its page: elsewhere its verbs would act on what is out of sight."""
        for place in PLACES:
            if place.text in self._menus:
                menu = self._menus[place.text]
                menu.menuAction().setVisible(place.name == self._page and not menu.isEmpty())

    # What the window's own actions do

    def _undo(self) -> None:
        if self.desk is not None:
            self.desk.undo()

    def _redo(self) -> None:
        if self.desk is not None:
            self.desk.redo()

    @Slot(object)
    def _on_undone(self, _: object) -> None:
        """Pages show what came back; nothing to do here but keep the window where it is."""

    def _scale(self, step: int) -> None:
        now = SCALES.index(self.keeper.settings.scale)
        new = 1.0 if step == 0 else SCALES[max(0, min(len(SCALES) - 1, now + step))]
        self.keeper.change(scale=new)

    def _palette(self) -> None:
        from desktop.ui.palette import CommandPalette

        CommandPalette(self.actions_, self.theme, self).open_on(self)

    def _keys(self) -> None:
        from desktop.ui.keys import KeysDialog

        KeysDialog(self.actions_, self.theme, self).open()

    def _about(self) -> None:
        from desktop.ui.about import AboutDialog

        AboutDialog(self.keeper.paths, self).open()

    def _add_papers(self) -> None:
        if self.desk is not None:
            from desktop.ui.papers.intake import ask_files

            ask_files(self.desk, self)

    @Slot(object)
    def _on_settings(self, settings: Settings) -> None:
        self.actions_.use_keys(dict(settings.keys))
        if (settings.scale, settings.theme, settings.reduced_motion) != self._dressed:
            self._dress(settings)

    _dressed: tuple[float, str, bool] = (0.0, "", False)

    def _dress(self, settings: Settings) -> None:
        bigger = settings.scale != self.theme.scale
        self._dressed = (settings.scale, settings.theme, settings.reduced_motion)
        self.theme.use(settings.theme, settings.scale, reduced_motion=settings.reduced_motion)
        if bigger and self.desk is not None:  # sizes are given when a page is built
            page = self._page
            self._forget_pages()
            self.show_page(page or "papers")
        self._narrow()

    # Qt's events

    def offer(self, paths: Iterable[Path]) -> None:
        """Files somebody dropped or chose."""
        paths = list(paths)
        if not paths:
            return
        projects = [path for path in paths if path.suffix == ".pairwright"]
        if projects:
            self.open(projects[0])
        elif self.desk is None:
            self.start.ask_new_for(paths, self.open_with)
        else:
            from desktop.ui.papers.intake import offer

            offer(self.desk, paths, self)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if event.mimeData().hasUrls():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        urls = event.mimeData().urls()
        local = [Path(url.toLocalFile()) for url in urls if url.isLocalFile()]
        if len(local) < len(urls):
            self.strip.say("Links cannot be added: save the papers to a folder first, then drop them here.", False)
        event.acceptProposedAction()
        QTimer.singleShot(0, lambda: self.offer(local))  # the file manager waits until the drop is answered

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._narrow()

    def _narrow(self) -> None:
        self.rail.set_narrow(self.width() < self.theme.px(_NARROW))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.ActivationChange and self.isActiveWindow() and self.desk is not None:
            self._look_for_changes()

    def _look_for_changes(self) -> None:
        """Another program may have written to the project while this window was in the background."""
        desk = self.desk
        assert desk is not None

        def look(progress: Progress) -> tuple[int, ...]:
            return desk.project.stamp()

        run = self.runner.read(Job("Looking for changes", look))
        run.done.connect(self._on_stamp)

    _stamp: tuple[Path, tuple[int, ...]] | None = None

    @Slot(object)
    def _on_stamp(self, stamp: tuple[int, ...]) -> None:
        if self.desk is None:
            return
        before, self._stamp = self._stamp, (self.desk.path, stamp)
        if before is not None and before[0] == self.desk.path and before[1] != stamp:
            self.desk.events.changed.emit(Changes(papers=True, mined=True, many=True, settings=True))

    def _restore(self) -> None:
        settings = self.keeper.settings
        self._dress(settings)
        geometry = self.keeper.window.value("geometry")
        if not (isinstance(geometry, QByteArray) and self.restoreGeometry(geometry)):
            self.resize(self.theme.px(1280), self.theme.px(800))

    def closeEvent(self, event: QCloseEvent) -> None:
        """Asks nothing: running jobs are cancelled, what they finished is kept."""
        self.keeper.window.setValue("geometry", self.saveGeometry())
        self.keeper.window.sync()
        self.close_project()
        super().closeEvent(event)
