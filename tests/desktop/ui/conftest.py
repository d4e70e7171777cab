"""What tests of the window work with, all of it real: `window`, `context`, `project`, and what they are made of.

`project_path` is a project file in `tmp_path` with the eight sample papers, mined by rules, closed. `project` is that
file open, for tests without Qt. `context` is it as the window's pages know it, annotated by "mk", with a JobRunner and
settings of its own in `tmp_path`; a page is built by `Page(context)` and given to `qtbot.addWidget`. `empty_context`
is that of a project without papers. `window` is the whole window on the sample papers, shown, 1280 by 800. Pages of
`window` are built when they are visited.

No model is loaded ahead when the Suggest page is shown: that would start a process with torch in it.

At its end a test fails when a job has not ended, or when a problem was added that the test has not fetched:
`pop_problems(problems)` gives those there are and forgets them.
"""

from __future__ import annotations

import gc
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from desktop.jobs.mining.run import NO_MODEL, mine
from desktop.jobs.open_project import OpenedProject, open_project
from desktop.settings import Paths
from desktop.ui.judging.judging_page import JudgingPage
from desktop.ui.pages.suggest.page import SuggestPage
from desktop.ui.services.actions import ActionRegistry
from desktop.ui.services.page import Page
from desktop.ui.services.problems import Problem, Problems
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.services.runner import JobRunner
from desktop.ui.services.settings_store import SettingsStore
from desktop.ui.shell.window import MainWindow
from desktop.ui.theme import Theme
from miner.parsing.files import find_files
from miner.progress import Progress
from storage.project import Project
from tests.paper_importer import import_files
from tests.sample_papers import SAMPLES

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

OpenInWindow = Callable[[MainWindow, Path], None]  # the fixture `open_in_window`
DOMAINS = {"coastal": "coastal engineering", "ecology": "ecology", "nlp": "nlp", "reading": "reading research"}


class SlowQtBot(QtBot):
    """Waits longer than tests ask for, since other tests may keep the machine busy beside them.

    Widgets that it is given look as they do in the program.
    """

    def __init__(self, request: pytest.FixtureRequest, theme: Theme) -> None:
        super().__init__(request)
        self._theme = theme

    def addWidget(self, widget: QWidget, **options: Any) -> None:
        super().addWidget(widget, **options)
        if widget.parentWidget() is None and not isinstance(widget, MainWindow):
            self._theme.dress(widget)

    def waitUntil(self, callback: Callable[[], bool | None], *, timeout: int = 0) -> None:
        super().waitUntil(callback, timeout=max(timeout, 60_000))


@pytest.fixture
def qtbot(_theme: Theme, request: pytest.FixtureRequest) -> QtBot:
    return SlowQtBot(request, _theme)


@pytest.fixture(autouse=True)
def _garbage_is_collected_between_tests() -> Iterator[None]:
    """Widgets of an earlier test in reference cycles: collected in a job's thread they can lock up with the window."""
    gc.disable()
    yield
    gc.enable()
    gc.collect()
    gc.freeze()  # what is left are modules and the like: collecting among them again takes longer than most tests


@pytest.fixture(autouse=True)
def _no_model_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SuggestPage, "preloads_model", False)


@pytest.fixture(scope="session")
def mined(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project of the sample papers, to copy."""
    path = tmp_path_factory.mktemp("mined") / "samples.pairwright"
    with Project.create(path) as project:
        for folder, domain in DOMAINS.items():
            import_files(project, find_files([SAMPLES / folder]).files, domain)
        mine(project, workers=1, model=NO_MODEL).work(Progress())
    return path


@pytest.fixture
def project_path(mined: Path, tmp_path: Path) -> Path:
    path = tmp_path / "samples.pairwright"
    shutil.copyfile(mined, path)
    return path


@pytest.fixture
def project(project_path: Path) -> Iterator[Project]:
    with Project.open(project_path, busy_timeout_s=0.5) as project:
        yield project


@pytest.fixture(scope="session")
def _theme(qapp: QApplication) -> Theme:
    QApplication.setStyle("Fusion")
    theme = Theme(qapp)
    theme.apply("light", 1.0, reduced_motion=True)
    return theme


@pytest.fixture
def theme(_theme: Theme) -> Iterator[Theme]:
    yield _theme
    if _theme.is_dark or _theme.scale != 1.0:
        _theme.apply("light", 1.0, reduced_motion=True)


@pytest.fixture
def settings_store(tmp_path: Path) -> SettingsStore:
    settings_store = SettingsStore(Paths.below(tmp_path / "data"))
    settings_store.change(theme="light", reduced_motion=True)
    return settings_store


@pytest.fixture
def problems(tmp_path: Path) -> Iterator[Problems]:
    problems = Problems(tmp_path / "data" / "pairwright.log")
    yield problems
    assert pop_problems(problems) == []


def pop_problems(problems: Problems) -> list[Problem]:
    """The problems there are, which are then forgotten: the test wanted them."""
    found = list(problems.all)
    problems.all.clear()
    return found


@pytest.fixture
def runner(qtbot: QtBot) -> Iterator[JobRunner]:
    runner = JobRunner()
    yield runner
    try:
        qtbot.waitUntil(lambda: not runner.running, timeout=30_000)
    finally:
        late = [run.job.title for run in runner.running]
        runner.shut_down(5)
        assert late == []


@pytest.fixture
def open_context(
    qtbot: QtBot, problems: Problems, runner: JobRunner, settings_store: SettingsStore, theme: Theme
) -> Iterator[Callable[[OpenedProject], ProjectContext]]:
    """A function that gives an opened project as the window's pages know it; at the end the project is closed."""
    contexts: list[ProjectContext] = []

    def build(opened: OpenedProject) -> ProjectContext:
        context = ProjectContext(
            opened,
            runner=runner,
            problems=problems,
            actions=ActionRegistry(theme),
            settings_store=settings_store,
            theme=theme,
            annotator="mk",
        )
        contexts.append(context)
        return context

    yield build
    qtbot.waitUntil(lambda: not runner.running, timeout=30_000)
    for context in contexts:
        context.back_up_on_close = False  # of a project that goes with the test
        context.close()


@pytest.fixture
def context(project_path: Path, open_context: Callable[[OpenedProject], ProjectContext]) -> ProjectContext:
    return open_context(open_project(project_path).work(Progress()))


@pytest.fixture
def empty_context(tmp_path: Path, open_context: Callable[[OpenedProject], ProjectContext]) -> ProjectContext:
    """The context of a project without papers."""
    return open_context(open_project(tmp_path / "empty.pairwright", create=True).work(Progress()))


@pytest.fixture
def wait_until_idle(qtbot: QtBot, context: ProjectContext) -> Callable[[Page], None]:
    """`wait_until_idle(page)`: nothing is read or saved, nor will be soon; and the pair to answer is painted."""

    def wait(page: Page) -> None:
        qtbot.waitUntil(lambda: is_idle(page, context))

    return wait


def is_idle(page: Page, context: ProjectContext) -> bool:
    """Whether nothing is read or saved, nor will be soon, and the pair to answer is painted."""
    is_timing = any(timer.isActive() and timer.isSingleShot() for timer in page.findChildren(QTimer))
    return not (context.runner.running or is_timing or (isinstance(page, JudgingPage) and _awaits_pair(page)))


def _awaits_pair(page: JudgingPage) -> bool:
    """Whether a command is being saved, or a pair is not on the screen yet."""
    return page.session.is_busy or (page.stack.currentWidget() is page.side_panel and not page.pair_view.is_painted)


def show_page(page: Page, qtbot: QtBot, width: int = 1100, height: int = 760) -> None:
    """Show a page in a window of its own that has the keyboard; the page begins to read."""
    qtbot.addWidget(page)
    page.resize(width, height)
    with qtbot.waitActive(page):
        page.show()
        page.activateWindow()
    page.activate()


@pytest.fixture
def empty_window(
    qtbot: QtBot, problems: Problems, runner: JobRunner, settings_store: SettingsStore, theme: Theme
) -> Iterator[MainWindow]:
    """The window on its start page."""
    window = MainWindow(settings_store, theme, runner, problems, prebuild_pages=False)
    window.resize(1280, 800)  # not given to qtbot, which deletes widgets before fixtures end
    with qtbot.waitExposed(window):
        window.show()
    yield window
    qtbot.waitUntil(lambda: not runner.running, timeout=30_000)
    if window.context is not None:
        window.context.back_up_on_close = False
    close_project(qtbot, window)
    window.close()
    window.deleteLater()
    qtbot.waitUntil(lambda: not isValid(window))


def close_project(qtbot: QtBot, window: MainWindow) -> None:
    """The window's project is closed, and its file free."""
    if window.context is not None:
        with qtbot.waitSignal(window.project_controller.closed, timeout=5000):
            window.project_commands.close()
    qtbot.waitUntil(lambda: not window.runner.running, timeout=30_000)


@pytest.fixture
def window(empty_window: MainWindow, project_path: Path, open_in_window: OpenInWindow) -> MainWindow:
    open_in_window(empty_window, project_path)
    return empty_window


@pytest.fixture
def open_in_window(qtbot: QtBot) -> OpenInWindow:
    """`open_in_window(window, path)` opens a project in a window and waits until its first page is there."""

    def open_in(window: MainWindow, path: Path) -> None:
        window.open(path)
        qtbot.waitUntil(lambda: window.context is not None and window.context.path == path, timeout=5000)
        qtbot.waitUntil(lambda: window.current_page() != "", timeout=5000)
        if window.context is not None and not window.context.annotator:
            window.context.set_annotator("mk")

    return open_in


def press_key(window: MainWindow, key: Qt.Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    """Press a key as the keyboard does: shortcuts come first, then the widget with the focus."""
    handle = window.windowHandle()
    assert handle is not None
    QTest.keyClick(handle, key, modifiers)
