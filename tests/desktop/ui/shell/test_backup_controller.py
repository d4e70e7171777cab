"""Backups in the window: made when a project is closed, shown in Settings, and put back."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog
from pytestqt.qtbot import QtBot

from desktop import text
from desktop.jobs.backups import Backups
from desktop.ui.pages.settings.page import SettingsPage
from desktop.ui.shell.restore_dialog import RestoreDialog
from desktop.ui.shell.window import MainWindow
from desktop.ui.theme import Theme
from desktop.ui.widgets.questions import Question
from miner.progress import Job, Progress
from storage import backups
from storage.project import Project
from tests.desktop.ui.conftest import pop_problems
from tests.storage.factories import add

NOW = datetime(2026, 3, 14, 15, 9, 26, tzinfo=UTC)


@pytest.fixture
def window(empty_window: MainWindow) -> MainWindow:
    return empty_window


def open_project(window: MainWindow, qtbot: QtBot, project_file: Path) -> None:
    window.open(project_file)
    qtbot.waitUntil(lambda: window.context is not None, timeout=10_000)


def dialog(window: MainWindow, qtbot: QtBot) -> RestoreDialog:
    qtbot.waitUntil(lambda: window.findChild(RestoreDialog) is not None, timeout=10_000)
    found = window.findChild(RestoreDialog)
    assert isinstance(found, RestoreDialog)
    return found


def papers(window: MainWindow) -> int:
    assert window.context is not None
    with window.context.project.read_transaction() as stores:
        return stores.papers.count()


def test_closing_a_project_that_was_changed_backs_it_up_and_one_that_was_not_does_not(
    window: MainWindow, qtbot: QtBot, project_file: Path
) -> None:
    for count in (1, 1):
        open_project(window, qtbot, project_file)
        with qtbot.waitSignal(window.project_controller.closed, timeout=10_000):
            window.project_commands.close()
        assert len(backups.list_rolling_backups(project_file)) == count
    assert [file.name for file in project_file.parent.glob(".*")] == []


def test_who_wants_no_backups_gets_none(window: MainWindow, qtbot: QtBot, project_file: Path) -> None:
    window.settings_store.change(backups=False)
    open_project(window, qtbot, project_file)
    with qtbot.waitSignal(window.project_controller.closed, timeout=10_000):
        window.project_commands.close()
    assert backups.list_rolling_backups(project_file) == []


def test_a_backup_that_would_hold_up_closing_is_made_when_the_project_is_open_again(
    window: MainWindow, qtbot: QtBot, project_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("desktop.jobs.backups.MAX_CLOSE_SECONDS", -1.0)
    open_project(window, qtbot, project_file)
    with qtbot.waitSignal(window.project_controller.closed, timeout=10_000):
        window.project_commands.close()
    assert backups.list_rolling_backups(project_file) == []
    assert list(backups.backup_folder(project_file).iterdir()) == []
    monkeypatch.setattr("desktop.ui.shell.backup_controller._FIRST_BACKUP_DELAY_MS", 1)
    open_project(window, qtbot, project_file)
    qtbot.waitUntil(lambda: len(backups.list_rolling_backups(project_file)) == 1, timeout=10_000)
    qtbot.waitUntil(lambda: not window.runner.running, timeout=10_000)


def test_a_backup_is_restored_and_opened_and_what_it_replaced_can_be_restored_too(
    window: MainWindow, qtbot: QtBot, project_file: Path
) -> None:
    for number in range(10):  # so many are kept: one more would roll away the one that is chosen
        backups.back_up(project_file, NOW + timedelta(hours=number))
    with Project.open(project_file) as project:
        add(project, ["b", "c"])
    open_project(window, qtbot, project_file)
    assert papers(window) == 3
    for restored in (1, 3):
        window.action_registry["file.restore"].trigger()
        asked = dialog(window, qtbot)
        if restored == 3:
            [row] = [row for row, backup in enumerate(asked._backups) if backup.note == "replaced by a backup"]
            asked.table.selectRow(row)
        else:
            asked.table.selectRow(asked.table.rowCount() - 1)
        first = window.context
        asked.restore.click()
        qtbot.waitUntil(lambda first=first: window.context not in (None, first), timeout=20_000)
        assert papers(window) == restored


def test_a_damaged_project_offers_its_backups_when_it_is_opened(
    window: MainWindow, qtbot: QtBot, project_file: Path
) -> None:
    backups.back_up(project_file, NOW)
    project_file.write_bytes(project_file.read_bytes()[:20_000])
    window.open(project_file)
    asked = dialog(window, qtbot)
    assert "is damaged" in asked.problem.text()
    assert ["is damaged" in problem.summary for problem in pop_problems(window.problems)] == [True]
    asked.restore.click()
    qtbot.waitUntil(lambda: window.context is not None, timeout=20_000)
    assert papers(window) == 1


def test_a_restored_project_takes_the_place_of_one_with_a_job_only_when_the_person_says_so(
    window: MainWindow, qtbot: QtBot, project_file: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other.pairwright"
    Project.create(other).close()
    backups.back_up(project_file, NOW)
    project_file.write_bytes(project_file.read_bytes()[:20_000])
    open_project(window, qtbot, other)
    run = window.runner.start(Job("Mining other", _until_cancelled))
    window.open(project_file)
    dialog(window, qtbot).restore.click()
    qtbot.waitUntil(lambda: window.findChild(Question) is not None, timeout=20_000)
    question = window.findChild(Question)
    assert isinstance(question, Question)
    assert question.action_button.text() == "Open mine"
    assert window.context is not None
    assert window.context.path == other
    assert not run.progress.cancelled
    question.accept()
    qtbot.waitUntil(lambda: window.context is not None and window.context.path == project_file, timeout=20_000)
    assert len(pop_problems(window.problems)) == 1


def _until_cancelled(progress: Progress) -> None:
    while not progress.wait(5):
        pass
    progress.tick(1)


def test_without_a_backup_nothing_can_be_chosen(window: MainWindow, qtbot: QtBot, project_file: Path) -> None:
    open_project(window, qtbot, project_file)
    window.action_registry["file.restore"].trigger()
    asked = dialog(window, qtbot)
    assert asked.selected_backup is None
    assert not asked.restore.isVisibleTo(asked)
    assert "There is no backup yet" in asked.about.text()
    asked.dismiss.click()


def test_settings_say_what_the_backups_take(window: MainWindow, qtbot: QtBot, project_file: Path) -> None:
    for number in range(3):
        backups.back_up(project_file, NOW + timedelta(days=number))
    open_project(window, qtbot, project_file)
    window.show_page("settings")
    page = window.page("settings")
    assert isinstance(page, SettingsPage)
    size = sum(backup.size for backup in backups.list_rolling_backups(project_file))
    said = f"This project has 3 backups, {text.size(size)} in all"
    qtbot.waitUntil(lambda: said in page.backups.summary.text(), timeout=10_000)
    page.backups.enabled.click()
    assert window.settings_store.settings.backups is False


def test_return_in_the_list_of_backups_restores_none(qtbot: QtBot, theme: Theme) -> None:
    made = backups.Backup(Path("one.pairwright"), datetime(2026, 1, 2, tzinfo=UTC), 10)
    asked = RestoreDialog(Backups(Path("one.pairwright"), (made,), 1, 10, made.at, Path("one.backups")), theme)
    qtbot.addWidget(asked)
    asked.open()
    qtbot.keyClick(asked.table, Qt.Key.Key_Return)
    assert asked.result() == QDialog.DialogCode.Rejected
    assert asked.focusWidget() is asked.restore  # a second Return restores it
