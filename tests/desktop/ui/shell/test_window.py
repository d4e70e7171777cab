"""The window: opening and closing projects, pages and focus, what is dropped, and what goes wrong meanwhile."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from desktop import settings
from desktop.jobs.mining.run import mine
from desktop.jobs.models import suggestions
from desktop.jobs.open_project import open_project
from desktop.jobs.review.answers import answer, mark
from desktop.settings import SCALES, Paths
from desktop.ui.pages.start.new_project_dialog import NewProjectDialog
from desktop.ui.services.page import Page
from desktop.ui.services.problems import Problems
from desktop.ui.services.runner import JobRun, JobRunner, JobState
from desktop.ui.services.settings_store import SettingsStore
from desktop.ui.shell.window import MainWindow
from desktop.ui.theme import Theme
from desktop.ui.widgets.questions import Question
from miner.errors import UserError
from miner.processes.pool import Pool
from miner.progress import Job, Progress
from miner.records import Answer
from storage.annotation.marks import FLAG_VALUE, MarkKind
from storage.project import Project
from storage.settings import GUIDELINES
from tests.desktop.ui.conftest import close_project, pop_problems

Open = Callable[[MainWindow, Path], None]


def drop(window: MainWindow, *paths: Path) -> None:
    drop_urls(window, [QUrl.fromLocalFile(str(path)) for path in paths])


def drop_urls(window: MainWindow, urls: list[QUrl]) -> None:
    data = QMimeData()
    data.setUrls(urls)
    copy, left, none = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(QPoint(50, 50), copy, data, left, none)
    QGuiApplication.sendEvent(window, enter)
    assert enter.isAccepted()
    QGuiApplication.sendEvent(window, QDropEvent(QPointF(50, 50), copy, data, left, none))


# Opening


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="file names are Unicode there")
def test_a_project_in_a_folder_whose_name_is_no_utf_8_opens_and_is_remembered(
    empty_window: MainWindow, project_path: Path, opened: Open
) -> None:
    folder = Path(os.fsdecode(os.fsencode(project_path.parent) + b"/caf\xe9"))
    folder.mkdir()
    path = project_path.rename(folder / project_path.name)
    opened(empty_window, path)
    assert settings.load(empty_window.settings_store.paths)[0].recent == (str(path),)


def test_a_project_opens_on_its_papers_and_is_remembered(window: MainWindow, project_path: Path) -> None:
    assert window.current_page() == "papers"
    assert window.windowTitle() == "samples.pairwright — Pairwright"
    assert window.settings_store.settings.recent == (str(project_path),)
    assert window.central.sidebar.isVisible()
    assert not window.central.notice.isVisible()


def test_closing_a_project_ends_the_process_that_judged_its_pairs(window: MainWindow, qtbot: QtBot) -> None:
    pool: Pool[str, int] = Pool(partial(partial, len))
    [(_, found)] = pool.run(["four"])
    assert found == 4
    suggestions._process._pool = pool  # type: ignore[assignment]  # one that needs no torch
    [worker] = pool._workers
    close_project(qtbot, window)
    assert not worker.child._process.is_alive()
    assert suggestions._process._pool is None


def test_closing_a_project_leads_back_to_the_start_page_and_frees_the_file(
    window: MainWindow, qtbot: QtBot, project_path: Path
) -> None:
    close_project(qtbot, window)
    assert window.central.stack.currentWidget() is window.central.start
    assert window.central.start.isEnabled()
    assert not window.central.sidebar.isVisible()
    assert [path.name for path in project_path.parent.glob("*samples*") if path.is_file()] == [project_path.name]


def test_a_second_window_reads_and_says_who_has_the_project(project_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path\n"
        "from desktop.jobs.open_project import open_project; from miner.progress import Progress\n"
        "opened = open_project(Path(sys.argv[1])).work(Progress())\n"
        "print('open', flush=True); sys.stdin.read()"
    )
    other = subprocess.Popen(
        [sys.executable, "-c", code, str(project_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[4],
    )
    assert other.stdin is not None
    assert other.stdout is not None
    try:
        assert other.stdout.readline() == "open\n"
        second = open_project(project_path).work(Progress())
        assert f"process {other.pid} on" in second.read_only_reason
        assert "only be read" in second.read_only_reason
        with pytest.raises(UserError), second.project.transaction():
            pass
        second.close()
        os.kill(other.pid, signal.SIGKILL)
        other.wait()
        third = open_project(project_path).work(Progress())
        assert third.read_only_reason == ""
        third.close()
    finally:
        other.kill()
        other.communicate()


def test_a_project_that_can_only_be_read_says_so_and_takes_no_papers(
    empty_window: MainWindow, qtbot: QtBot, project_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    access = os.access
    monkeypatch.setattr(os, "access", lambda path, mode, **how: mode != os.W_OK and access(path, mode, **how))
    empty_window.open(project_path)
    qtbot.waitUntil(lambda: empty_window.current_page() == "papers", timeout=5000)
    context = empty_window.context
    assert context is not None
    assert context.read_only
    assert empty_window.central.notice.text() == f"{project_path} is write-protected, so it can only be read here."
    assert empty_window.central.notice.isVisible()
    assert not empty_window.action_registry["file.add"].isEnabled()
    assert empty_window.central.status_bar.saved.text() == "Read only"


def test_opening_what_is_open_says_so_and_leaves_it_open(
    window: MainWindow, qtbot: QtBot, problems: Problems, project_path: Path, tmp_path: Path
) -> None:
    alias = tmp_path / "alias.pairwright"
    alias.symlink_to(project_path)
    for path in (project_path, alias):
        with qtbot.waitSignal(problems.added):
            window.open(path)
    assert [problem.summary for problem in pop_problems(problems)] == [
        f"{name} is open in this window." for name in ("samples.pairwright", "alias.pairwright")
    ]
    assert window.context is not None
    assert window.current_page() == "papers"


def not_a_project(path: Path) -> None:
    path.write_text("hello")


def newer(path: Path) -> None:
    Project.create(path).close()
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.close()


def damaged(path: Path) -> None:
    Project.create(path).close()
    path.write_bytes(path.read_bytes()[:5000])


def missing(path: Path) -> None:
    assert not path.exists()


@pytest.mark.parametrize(
    ("make", "said"),
    [(not_a_project, "not a Pairwright"), (newer, "newer"), (damaged, "damaged"), (missing, "There is no")],
)
def test_what_is_no_project_is_refused_in_a_sentence(
    empty_window: MainWindow,
    qtbot: QtBot,
    problems: Problems,
    tmp_path: Path,
    make: Callable[[Path], None],
    said: str,
) -> None:
    make(tmp_path / "bad.pairwright")
    with qtbot.waitSignal(problems.added):
        empty_window.open(tmp_path / "bad.pairwright")
    [problem] = pop_problems(problems)
    assert said in problem.summary
    assert not problem.is_bug
    assert empty_window.central.toast.isVisible()
    assert empty_window.central.toast.summary.text() == problem.summary
    assert empty_window.central.start.new.isEnabled()
    qtbot.keyClick(empty_window, Qt.Key.Key_Escape)
    assert not empty_window.central.toast.isVisible()


def test_two_projects_after_each_other_do_not_mix(
    window: MainWindow, qtbot: QtBot, project_path: Path, tmp_path: Path, opened: Open
) -> None:
    other = tmp_path / "other.pairwright"
    Project.create(other).close()
    first = window.context
    assert first is not None
    go = threading.Event()
    heard: list[str] = []

    def work(progress: Progress) -> None:
        assert go.wait(5)
        progress.tick(1)

    run = window.runner.start(Job("Adding papers", work))
    run.ended.connect(lambda: heard.append("old job"))
    gone = first.destroyed
    gone.connect(lambda: heard.append("old context gone"))
    window.open(other)
    qtbot.waitUntil(lambda: window.context is None)
    go.set()
    qtbot.waitUntil(lambda: window.context is not None and window.current_page() == "papers", timeout=5000)
    assert window.context is not None
    assert window.context.path == other
    qtbot.waitUntil(lambda: heard == ["old context gone"])
    with qtbot.waitSignal(window.project_controller.closed, timeout=5000):
        window.project_commands.close()
    opened(window, project_path)  # its lock is free again
    assert window.context is not None
    assert not window.context.read_only


def test_a_window_closed_during_a_job_keeps_what_is_finished(
    window: MainWindow, qtbot: QtBot, project_path: Path
) -> None:
    context = window.context
    assert context is not None
    began = threading.Event()

    def work(progress: Progress) -> None:
        with context.project.transaction() as stores:
            stores.settings.put(GUIDELINES, "kept")
        began.set()
        while not progress.wait(5):
            pass
        progress.tick(1)

    window.runner.start(Job("Adding papers", work))
    with context.project.read_transaction() as stores:
        key = str(stores._connection.exec_driver_sql("SELECT key FROM pairs").scalar())
    assert began.wait(5)
    window.runner.save(answer(context.project, [key], "mk", Answer.NEUTRAL))
    window.close_now()
    assert not window.isVisible()
    assert window.shut_down()
    with Project.open(project_path) as project, project.read_transaction() as stores:
        assert stores.settings.get(GUIDELINES) == "kept"
        assert [event.new for event in stores.answers.history(key)] == [Answer.NEUTRAL]
    assert not project_path.with_name(f".{project_path.name}.lock").exists()


def press(window: MainWindow, key: Qt.Key, held: Qt.KeyboardModifier = Qt.KeyboardModifier.ControlModifier) -> None:
    """As the keyboard does: shortcuts come first, then whoever has the focus."""
    handle = window.windowHandle()
    assert handle is not None
    QTest.keyClick(handle, key, held)


@pytest.fixture
def going(window: MainWindow, qtbot: QtBot) -> Iterator[JobRun]:
    """A mining that does not end by itself."""

    def work(progress: Progress) -> None:
        while not progress.wait(5):
            progress.tick(1, 2)
        progress.tick(1)

    assert window.context is not None
    stays = mine(window.context.project).if_stopped
    run = window.runner.start(Job("Mining samples", work, stays))
    qtbot.waitUntil(lambda: run.state is JobState.RUNNING)
    yield run
    if isValid(run):
        run.cancel()


def asked(window: MainWindow, qtbot: QtBot) -> Question:
    qtbot.waitUntil(lambda: isinstance(QApplication.activeModalWidget(), Question))
    question = QApplication.activeModalWidget()
    assert isinstance(question, Question)
    return question


def test_quitting_during_a_job_says_what_is_kept_and_how_it_goes_on(
    window: MainWindow, qtbot: QtBot, going: JobRun
) -> None:
    press(window, Qt.Key.Key_Q)
    question = asked(window, qtbot)
    assert question.question.text() == "Mining samples is not finished."
    assert question.about.text() == ("The pairs mined so far are kept. Mine again to go on with the other papers.")
    qtbot.keyClick(question, Qt.Key.Key_Return)  # the button that destroys nothing
    qtbot.waitUntil(lambda: QApplication.activeModalWidget() is None)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    assert window.isVisible()
    assert not going.progress.cancelled
    press(window, Qt.Key.Key_Q)
    qtbot.mouseClick(asked(window, qtbot).action_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not window.isVisible())
    assert window.shut_down()


def test_a_project_is_closed_during_a_job_only_when_the_person_says_so(
    window: MainWindow, qtbot: QtBot, going: JobRun
) -> None:
    press(window, Qt.Key.Key_W)
    qtbot.keyClick(asked(window, qtbot), Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: QApplication.activeModalWidget() is None)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    assert window.context is not None
    press(window, Qt.Key.Key_W)
    with qtbot.waitSignal(window.project_controller.closed, timeout=5000):
        asked(window, qtbot).action_button.click()
    assert window.context is None


def test_another_project_is_opened_during_a_job_only_when_the_person_says_so(
    window: MainWindow, qtbot: QtBot, going: JobRun, project_path: Path
) -> None:
    window.central.start.create_requested.emit(project_path.with_name("other.pairwright"))
    assert asked(window, qtbot).action_button.text() == "Create other"
    asked(window, qtbot).reject()
    window.action_registry["file.sample"].trigger()
    assert asked(window, qtbot).action_button.text() == "Open sample project"
    asked(window, qtbot).reject()
    assert not going.progress.cancelled
    assert not window.project_controller.is_busy


def test_a_job_that_is_stopping_already_holds_up_nothing(window: MainWindow, qtbot: QtBot, going: JobRun) -> None:
    going.cancel()
    press(window, Qt.Key.Key_W)
    assert window.context is None
    qtbot.waitUntil(lambda: not window.runner.running)


def test_a_window_that_came_second_can_write_once_the_first_is_gone(
    empty_window: MainWindow, qtbot: QtBot, project_path: Path, opened: Callable[[MainWindow, Path], None]
) -> None:
    window = empty_window
    held = subprocess.Popen(
        [sys.executable, "-c", _HOLDS, str(project_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert held.stdout is not None
    try:
        assert held.stdout.readline() == "held\n"
        opened(window, project_path)
        assert window.context is not None
        assert window.context.read_only
        window.show_page("pairs")
        window.central.notice.button.click()
        qtbot.waitUntil(lambda: "still only" in window.central.status_bar.message.text())
        assert window.context.read_only
    finally:
        held.communicate("")
    window.central.notice.button.setFocus()
    qtbot.keyClick(window.central.notice.button, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: window.context is not None and not window.context.read_only, timeout=5000)
    assert window.central.notice.isHidden()
    assert window.current_page() == "pairs"


_HOLDS = """
import sys
from pathlib import Path
from desktop.jobs.open_project import open_project
from miner.progress import Progress
opened = open_project(Path(sys.argv[1])).work(Progress())
print("held", flush=True)
sys.stdin.read()
opened.close()
"""


def test_a_project_opens_on_the_page_it_was_left_on(
    window: MainWindow, qtbot: QtBot, project_path: Path, opened: Callable[[MainWindow, Path], None]
) -> None:
    window.show_page("export")
    with qtbot.waitSignal(window.project_controller.closed, timeout=5000):
        window.project_commands.close()
    opened(window, project_path)
    assert window.current_page() == "export"


def test_a_project_that_is_moved_away_is_missed(window: MainWindow, qtbot: QtBot, project_path: Path) -> None:
    moved = project_path.with_name("moved.pairwright")
    qtbot.waitUntil(lambda: not window.runner.running)
    project_path.rename(moved)
    window.file_watcher.check()
    qtbot.waitUntil(window.central.notice.isVisible)
    assert window.central.notice.text().startswith(f"{project_path} is gone: it was moved or deleted.")
    moved.rename(project_path)
    window.file_watcher.check()
    qtbot.waitUntil(lambda: not window.central.notice.isVisible())


def test_what_another_program_wrote_is_read_again(window: MainWindow, qtbot: QtBot, project_path: Path) -> None:
    context = window.context
    assert context is not None
    window.file_watcher.check()
    qtbot.waitUntil(lambda: window.file_watcher.stamp is not None and not window.runner.running)
    with Project.open(project_path) as project, project.transaction() as stores:
        stores.settings.put(GUIDELINES, "from elsewhere")
    with qtbot.waitSignal(context.events.changed):
        window.file_watcher.check()


# Dropping


def test_papers_dropped_on_the_start_page_ask_for_a_project(
    empty_window: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "coast"
    folder.mkdir()
    offered: list[list[Path]] = []
    drop(empty_window, folder)
    qtbot.waitUntil(lambda: empty_window.findChild(NewProjectDialog) is not None)
    dialog = empty_window.findChild(NewProjectDialog)
    assert isinstance(dialog, NewProjectDialog)
    assert dialog.path == tmp_path / "coast.pairwright"
    monkeypatch.setattr(empty_window.project_commands, "open_or_add", lambda paths: offered.append(list(paths)))
    dialog.create_button.click()
    qtbot.waitUntil(lambda: offered == [[folder]], timeout=5000)
    assert (tmp_path / "coast.pairwright").exists()


def test_a_project_dropped_on_the_window_is_opened(empty_window: MainWindow, qtbot: QtBot, project_path: Path) -> None:
    drop(empty_window, project_path)
    qtbot.waitUntil(lambda: empty_window.current_page() == "papers", timeout=5000)


def test_links_that_are_dropped_are_explained(window: MainWindow) -> None:
    drop_urls(window, [QUrl("https://example.org/paper.pdf")])
    assert window.central.status_bar.message.text().startswith("Links cannot be added")


def test_a_job_is_paused_and_cancelled_by_commands(window: MainWindow, qtbot: QtBot) -> None:
    pause, cancel = window.action_registry["view.pause"], window.action_registry["view.cancel"]
    cancel.trigger()
    assert window.central.status_bar.message.text() == "No job is running."

    def work(progress: Progress) -> None:
        while True:
            progress.wait(0.01)
            progress.tick(1)

    run = window.runner.start(Job("Adding papers", work))
    qtbot.waitUntil(lambda: run.state is JobState.RUNNING)
    pause.trigger()
    assert run.state is JobState.PAUSED
    pause.trigger()
    assert run.state is JobState.RUNNING
    with qtbot.waitSignal(run.cancelled):
        cancel.trigger()


# Pages


def test_the_keyboard_returns_to_where_it_was_on_a_page(window: MainWindow, qtbot: QtBot) -> None:
    window.show_page("settings")
    page = window.page("settings")
    line = page.findChild(QWidget, "settings.annotator")
    assert line is not None
    line.setFocus()
    window.action_registry["go.problems"].trigger()
    assert window.current_page() == "problems"
    assert window.page("problems").isAncestorOf(window.focusWidget() or window)
    window.action_registry["go.settings"].trigger()
    assert window.focusWidget() is line


def test_a_page_shown_for_the_first_time_has_the_keyboard_where_its_work_is(window: MainWindow) -> None:
    for name in ("papers", "pairs", "settings"):
        window.show_page(name)
        page = window.page(name)
        assert isinstance(page, Page)
        assert window.focusWidget() is page.initial_focus, name


def test_a_pages_menu_is_there_on_its_page_alone(window: MainWindow) -> None:
    def shown() -> set[str]:
        return {name for name, menu in window.menu_bar.by_name.items() if menu.menuAction().isVisible()}

    own = {"File", "Edit", "View", "Go", "Help"}
    assert shown() - own == {"Papers"}
    window.show_page("problems")
    assert shown() == own


def test_every_action_is_in_a_menu(window: MainWindow) -> None:
    for name in ("papers", "review", "pairs", "dashboard", "export", "mining"):
        window.show_page(name)
    lost = [verb.key for verb in window.action_registry if verb.menu not in window.menu_bar.by_name]
    assert lost == []


def test_no_two_verbs_of_one_place_have_the_same_keys(window: MainWindow) -> None:
    for name in ("papers", "review", "pairs", "dashboard", "export", "mining"):
        window.show_page(name)
    verbs = list(window.action_registry)
    clashes = {
        (verb.key, other.key)
        for verb in verbs
        for other in window.action_registry.conflicts(verb.key, window.action_registry.keys(verb.key))
    }
    assert clashes == set()


def test_the_rail_is_narrow_in_a_narrow_window(window: MainWindow, theme: Theme) -> None:
    window.resize(1280, 800)
    assert window.central.sidebar.width() == theme.px(192)
    window.resize(1024, 700)
    assert window.central.sidebar.width() == theme.px(56)


def test_a_larger_scale_while_pages_read_and_save_disturbs_neither(
    qtbot: QtBot, window: MainWindow, theme: Theme, runner: JobRunner
) -> None:
    window.show_page("pairs")  # reads
    assert window.context is not None
    window.context.set_annotator("anna")  # saves
    window.action_registry["view.larger"].trigger()
    qtbot.waitUntil(lambda: theme.scale > 1.0)
    qtbot.waitUntil(lambda: not runner.running)
    assert window.current_page() == "pairs"
    assert window.context.annotator == "anna"


@pytest.mark.parametrize("steps", [1, 3])
def test_a_larger_scale_builds_everything_anew_where_one_was(
    window: MainWindow, qtbot: QtBot, theme: Theme, steps: int
) -> None:
    window.show_page("settings")
    scale = window.page("settings").findChild(QWidget, "settings.scale")
    assert scale is not None
    scale.setFocus()
    before = (window.central.status_bar, window.central.sidebar, window.central.start, window.page("settings"))
    for _ in range(steps):
        window.action_registry["view.larger"].trigger()
    qtbot.waitUntil(lambda: theme.scale == SCALES[SCALES.index(1.0) + steps])
    assert window.current_page() == "settings"
    assert all(
        new is not old
        for new, old in zip(
            (window.central.status_bar, window.central.sidebar, window.central.start), before, strict=False
        )
    )
    assert window.central.status_bar.height() == theme.px(40)
    held = window.focusWidget()
    assert held is not None
    assert held.objectName() == "settings.scale"
    assert window.central.status_bar.annotator.text().endswith("mk")
    window.action_registry["view.normal"].trigger()
    qtbot.waitUntil(lambda: theme.scale == 1.0)


def test_the_theme_changes_while_the_window_is_open(window: MainWindow, theme: Theme) -> None:
    window.action_registry["view.dark"].trigger()
    assert theme.is_dark
    assert window.settings_store.settings.theme == "dark"
    assert window.palette().window().color().name() == theme.tokens.paper.lower()


# The window itself


def test_the_window_comes_back_where_it_was(
    qtbot: QtBot, theme: Theme, runner: JobRunner, problems: Problems, settings_store: SettingsStore
) -> None:
    first = MainWindow(settings_store, theme, runner, problems)
    qtbot.addWidget(first)
    first.setGeometry(0, 30, 800, 600)
    first.show()
    first.close()
    second = MainWindow(SettingsStore(settings_store.paths), theme, runner, problems)
    qtbot.addWidget(second)
    assert second.geometry().size() == first.geometry().size()
    qtbot.waitUntil(lambda: not runner.running)


def test_a_window_of_a_screen_that_is_gone_is_brought_back(
    qtbot: QtBot, theme: Theme, runner: JobRunner, problems: Problems, settings_store: SettingsStore
) -> None:
    first = MainWindow(settings_store, theme, runner, problems)
    qtbot.addWidget(first)
    first.setGeometry(9000, 9000, 900, 640)
    first.show()
    first.close()
    second = MainWindow(settings_store, theme, runner, problems)
    qtbot.addWidget(second)
    screen = QGuiApplication.primaryScreen().availableGeometry()
    assert screen.intersected(second.frameGeometry()).width() >= 200
    qtbot.waitUntil(lambda: not runner.running)


def test_settings_that_cannot_be_saved_hold_and_are_told_of(
    empty_window: MainWindow, problems: Problems, settings_store: SettingsStore
) -> None:
    shutil.rmtree(settings_store.paths.config)
    settings_store.paths.config.write_text("a file where the folder was")
    empty_window.action_registry["view.dark"].trigger()
    assert settings_store.settings.theme == "dark"
    [problem] = pop_problems(problems)
    assert "could not be saved" in problem.summary
    assert problem.hint
    settings_store.paths.config.unlink()


def test_unreadable_settings_are_told_of(tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_text("scale = [")
    settings_store = SettingsStore(Paths.below(tmp_path))
    assert settings_store.load_error is not None
    assert "cannot be read" in settings_store.load_error
    assert settings_store.settings.scale == 1.0


def test_the_edit_menu_names_what_can_be_undone(qtbot: QtBot, window: MainWindow) -> None:
    assert window.context is not None
    with window.context.project.read_transaction() as stores:
        key = stores.pairs.of_paper(stores.papers.md5s()[0])[0].key
    mark(window.context.project, [key], window.context.annotator, MarkKind.FLAG, FLAG_VALUE).work(Progress())
    window.menu_bar.by_name["Edit"].aboutToShow.emit()
    qtbot.waitUntil(lambda: window.action_registry["edit.undo"].text() == "Undo: Flag")
    window.action_registry["edit.undo"].trigger()
    qtbot.waitUntil(lambda: not window.runner.running)
    window.menu_bar.by_name["Edit"].aboutToShow.emit()
    qtbot.waitUntil(lambda: window.action_registry["edit.redo"].text() == "Redo: Flag")
    assert window.action_registry["edit.undo"].text() == "Undo"


def test_the_edit_menu_greys_what_cannot_be_undone_and_a_key_says_so(qtbot: QtBot, window: MainWindow) -> None:
    undo, menu = window.action_registry["edit.undo"], window.menu_bar.by_name["Edit"]
    menu.aboutToShow.emit()
    qtbot.waitUntil(lambda: not undo.isEnabled())
    menu.aboutToHide.emit()
    assert undo.isEnabled()
    undo.trigger()
    qtbot.waitUntil(lambda: window.central.status_bar.message.text() == "There is nothing to undo.")


def test_escape_closes_a_message_before_anything_else(qtbot: QtBot, window: MainWindow) -> None:
    window.show_page("papers")
    window.problems.show(UserError("The disk is full.", hint="Make room."))
    qtbot.waitUntil(window.central.toast.isVisible)
    focused = window.focusWidget()
    assert focused is not None
    qtbot.keyClick(focused, Qt.Key.Key_Escape)
    assert not window.central.toast.isVisible()
    window.problems.all.clear()
