"""Projects are opened, closed, and opened again when another window or program has changed them."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from desktop import settings
from desktop.jobs.models import suggestions
from desktop.jobs.open_project import open_project
from desktop.jobs.review.answers import answer
from desktop.settings import MISSED_PERCENTS
from desktop.ui.services.problems import Problems
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.shell.restore_dialog import RestoreDialog
from desktop.ui.shell.window import MainWindow
from miner.errors import UserError
from miner.processes.pool import Pool
from miner.progress import Job, Progress
from miner.records import Answer
from storage import backups
from storage.project import Project
from storage.settings import GUIDELINES, SUGGESTION_SETS, SuggestionSets
from tests.desktop.ui.conftest import OpenInWindow, close_project, pop_problems
from tests.suggestion_factory import suggest

_OPEN_UNTIL_INPUT_ENDS = """
import sys
from pathlib import Path
from desktop.jobs.open_project import open_project
from miner.progress import Progress
opened = open_project(Path(sys.argv[1])).work(Progress())
print("open", flush=True)
sys.stdin.read()
opened.close()
"""


@contextmanager
def opened_elsewhere(path: Path) -> Iterator[subprocess.Popen[str]]:
    """Another process has the project open; it ends with the block."""
    command = [sys.executable, "-c", _OPEN_UNTIL_INPUT_ENDS, str(path)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[4]
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "open\n"
        yield other


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="file names are Unicode there")
def test_a_project_in_a_folder_whose_name_is_no_utf_8_opens_and_is_remembered(
    empty_window: MainWindow, project_path: Path, open_in_window: OpenInWindow
) -> None:
    folder = Path(os.fsdecode(os.fsencode(project_path.parent) + b"/caf\xe9"))
    folder.mkdir()
    path = project_path.rename(folder / project_path.name)
    open_in_window(empty_window, path)
    assert settings.load(empty_window.settings_store.paths)[0].recent == (str(path),)


def test_a_project_opens_on_its_papers_and_is_remembered(window: MainWindow, project_path: Path) -> None:
    assert window.current_page() == "papers"
    assert window.windowTitle() == "samples.pairwright — Pairwright"
    assert window.settings_store.settings.recent == (str(project_path),)
    assert window.central.sidebar.isVisible()
    assert not window.central.notice.isVisible()


def test_closing_a_project_ends_the_process_of_the_model(window: MainWindow, qtbot: QtBot) -> None:
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
    with opened_elsewhere(project_path) as other:
        second = open_project(project_path).work(Progress())
        assert f"process {other.pid} on" in second.read_only_reason
        assert "read-only" in second.read_only_reason
        with pytest.raises(UserError), second.project.transaction():
            pass
        second.close()
        other.kill()
        other.wait()
        third = open_project(project_path).work(Progress())
        assert third.read_only_reason == ""
        third.close()


def test_a_window_that_came_second_can_write_once_the_first_is_gone(
    empty_window: MainWindow, qtbot: QtBot, project_path: Path, open_in_window: OpenInWindow
) -> None:
    window = empty_window
    with opened_elsewhere(project_path):
        open_in_window(window, project_path)
        assert window.context is not None
        assert window.context.read_only
        window.show_page("pairs")
        window.central.notice.button.click()
        qtbot.waitUntil(lambda: "still read-only" in window.central.status_bar.message.text())
        assert window.context.read_only
    window.central.notice.button.setFocus()
    qtbot.keyClick(window.central.notice.button, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: window.context is not None and not window.context.read_only, timeout=5000)
    assert window.central.notice.isHidden()
    assert window.current_page() == "pairs"


def test_a_window_that_came_second_undoes_and_restores_nothing_and_says_why(
    empty_window: MainWindow, qtbot: QtBot, project_path: Path, open_in_window: OpenInWindow
) -> None:
    window = empty_window
    backups.back_up(project_path, datetime(2026, 3, 14, tzinfo=UTC))
    with opened_elsewhere(project_path):
        open_in_window(window, project_path)
        context, message = window.context, window.central.status_bar.message
        assert context is not None
        for name in ("edit.undo", "edit.redo"):
            message.setText("")
            window.action_registry[name].trigger()
            assert message.text() == context.read_only_reason
        message.setText("")
        window.action_registry["file.restore"].trigger()
        qtbot.waitUntil(lambda: window.findChild(RestoreDialog) is not None)
        dialog = window.findChild(RestoreDialog)
        assert isinstance(dialog, RestoreDialog)
        dialog.restore.click()
        qtbot.waitUntil(lambda: message.text() == context.read_only_reason)
        assert window.context is context


def test_what_was_to_follow_a_project_that_did_not_open_follows_no_other(
    empty_window: MainWindow, qtbot: QtBot, problems: Problems, project_path: Path, open_in_window: OpenInWindow
) -> None:
    window = empty_window
    followed: list[ProjectContext] = []
    with opened_elsewhere(project_path):
        open_in_window(window, project_path)
        with qtbot.waitSignal(problems.added):
            window.open(project_path.with_name("gone.pairwright"), then=followed.append)
        assert len(pop_problems(problems)) == 1
    window.project_controller.retry()
    qtbot.waitUntil(lambda: window.context is not None and not window.context.read_only, timeout=5000)
    assert followed == []


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
    assert empty_window.central.notice.text() == f"{project_path} is write-protected, so it is read-only."
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
    ("make", "message"),
    [(not_a_project, "not a Pairwright"), (newer, "newer"), (damaged, "damaged"), (missing, "There is no")],
)
def test_what_is_no_project_is_refused_in_a_sentence(
    empty_window: MainWindow,
    qtbot: QtBot,
    problems: Problems,
    tmp_path: Path,
    make: Callable[[Path], None],
    message: str,
) -> None:
    make(tmp_path / "bad.pairwright")
    with qtbot.waitSignal(problems.added):
        empty_window.open(tmp_path / "bad.pairwright")
    [problem] = pop_problems(problems)
    assert message in problem.summary
    assert not problem.is_bug
    assert empty_window.central.toast.isVisible()
    assert empty_window.central.toast.summary.text() == problem.summary
    assert empty_window.central.start.new.isEnabled()
    qtbot.keyClick(empty_window, Qt.Key.Key_Escape)
    assert not empty_window.central.toast.isVisible()


def test_two_projects_after_each_other_do_not_mix(
    window: MainWindow, qtbot: QtBot, project_path: Path, tmp_path: Path, open_in_window: OpenInWindow
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
    open_in_window(window, project_path)  # its lock is free again
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


def test_suggestions_of_another_program_say_no_more_than_its_model_does(
    window: MainWindow, qtbot: QtBot, project_path: Path
) -> None:
    context = window.context
    assert context is not None
    window.file_watcher.check()
    qtbot.waitUntil(lambda: window.file_watcher.stamp is not None and not window.runner.running)
    with Project.open(project_path) as project:
        suggest(project)
        with project.transaction() as stores:
            run = stores.suggestions.current_run()
            assert run is not None
            least = {str(percent): (0.3, 0.3, 0.2, 0.4) for percent in MISSED_PERCENTS if percent}
            stores.settings.put(SUGGESTION_SETS, SuggestionSets(run.id, least))
    window.file_watcher.check()
    qtbot.waitUntil(lambda: context.likely_text((0.45, 0.35, 0.1, 0.1)) == "contrasting or reasoning")
