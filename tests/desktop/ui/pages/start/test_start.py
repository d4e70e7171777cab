"""The start page: recent projects, new ones, and the sample."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from desktop.ui.pages.start.new_project_dialog import NewProjectDialog, suggest_location
from desktop.ui.pages.start.page import StartPage
from desktop.ui.pages.start.recent_projects import relative_date
from desktop.ui.services.runner import JobRunner
from desktop.ui.services.settings_store import SettingsStore
from desktop.ui.shell.window import MainWindow
from desktop.ui.theme import Theme


@pytest.fixture
def page(qtbot: QtBot, settings_store: SettingsStore, theme: Theme, runner: JobRunner, tmp_path: Path) -> StartPage:
    """With three recent projects, of which the second is missing."""
    for name in ("one", "three"):
        (tmp_path / f"{name}.pairwright").touch()
    settings_store.change(recent=tuple(str(tmp_path / f"{name}.pairwright") for name in ("one", "two", "three")))
    page = StartPage(settings_store, theme, runner)
    qtbot.addWidget(page)
    page.resize(1000, 700)
    page.refresh()
    with qtbot.waitExposed(page):
        page.show()
    qtbot.waitUntil(lambda: [row.is_missing for row in page._rows] == [False, True, False])
    return page


def test_recent_projects_are_reached_by_arrow_keys_and_opened_by_return(page: StartPage, qtbot: QtBot) -> None:
    page.focus_first()
    rows = page._rows
    assert rows[0].open_button.hasFocus()
    qtbot.keyClick(rows[0].open_button, Qt.Key.Key_Down)
    qtbot.keyClick(rows[1].open_button, Qt.Key.Key_Down)
    assert rows[2].open_button.hasFocus()
    with qtbot.waitSignal(page.open_requested) as requested:
        qtbot.keyClick(rows[2].open_button, Qt.Key.Key_Return)
    assert requested.args == [rows[2].path]


def test_a_refresh_keeps_the_focused_project(page: StartPage, qtbot: QtBot) -> None:
    page.focus_first()
    before = page._rows
    page.refresh()
    qtbot.waitUntil(lambda: page._rows is not before)
    assert page.focusWidget() is page._rows[0].open_button


def test_a_missing_project_can_be_removed_from_the_list(
    page: StartPage, qtbot: QtBot, settings_store: SettingsStore
) -> None:
    missing = page._rows[1]
    assert "missing" in missing.open_button.accessibleName()
    qtbot.mouseClick(missing.remove_button, Qt.MouseButton.LeftButton)
    assert [Path(path).stem for path in settings_store.settings.recent] == ["one", "three"]
    assert [row.path.stem for row in page._rows] == ["one", "three"]
    qtbot.keyClick(page._rows[1].open_button, Qt.Key.Key_Delete)
    qtbot.keyClick(page._rows[0].open_button, Qt.Key.Key_Delete)
    assert (settings_store.settings.recent, page.new.hasFocus()) == ((), True)
    assert Path(page._settings_store.paths.config).exists()


def test_a_new_project_is_proposed_beside_the_last_one(
    page: StartPage, qtbot: QtBot, settings_store: SettingsStore, tmp_path: Path
) -> None:
    sample = settings_store.paths.data / "sample" / "sample.pairwright"
    settings_store.change(recent=(str(sample), str(tmp_path / "work" / "one.pairwright")))
    page.ask_new()
    dialog = page.window().findChild(NewProjectDialog)
    assert dialog is not None
    assert dialog.folder.text() == str(tmp_path / "work")
    dialog.reject()


def test_tab_reaches_everything_on_the_start_page(page: StartPage, qtbot: QtBot) -> None:
    page.new.setFocus()
    focused = []
    for _ in range(12):
        widget = page.focusWidget()
        assert widget is not None
        focused.append(widget)
        qtbot.keyClick(widget, Qt.Key.Key_Tab)
    expected = {page.new, page.open, page.sample, page.choose}
    expected |= {part for row in page._rows for part in (row.open_button, row.remove_button)}
    assert expected <= set(focused)


@pytest.mark.parametrize(("days", "text"), [(0, "today"), (1, "yesterday"), (3, "3 days ago"), (40, "12 October 2026")])
def test_relative_dates(days: int, text: str) -> None:
    now = datetime(2026, 11, 21, 8, 0)
    assert relative_date(datetime(2026, 11, 21 - days, 23, 0) if days < 21 else datetime(2026, 10, 12), now) == text


def test_a_project_is_named_after_the_folder_of_its_files(tmp_path: Path) -> None:
    folder = tmp_path / "coast"
    folder.mkdir()
    paper = folder / "a.pdf"
    paper.touch()
    assert suggest_location([folder]) == ("coast", tmp_path)
    assert suggest_location([paper]) == ("coast", folder)


def test_a_name_that_no_file_can_have_is_refused(qtbot: QtBot, theme: Theme, runner: JobRunner, tmp_path: Path) -> None:
    dialog = NewProjectDialog(theme, runner, "coast", tmp_path)
    qtbot.addWidget(dialog)
    assert dialog.create_button.isEnabled()
    for name in ("", "a/b", ".hidden", "what?"):
        dialog.name.setText(name)
        assert not dialog.create_button.isEnabled()
    dialog.name.setText("psy.pairwright")
    assert dialog.path == tmp_path / "psy.pairwright"
    dialog.folder.setText("~nobody-has-this-name/papers")
    assert not dialog.create_button.isEnabled()


def test_an_existing_project_can_be_opened_instead(
    qtbot: QtBot, theme: Theme, runner: JobRunner, tmp_path: Path
) -> None:
    (tmp_path / "coast.pairwright").touch()
    dialog = NewProjectDialog(theme, runner, "coast", tmp_path)
    qtbot.addWidget(dialog)
    created: list[object] = []
    dialog.create_requested.connect(created.append)
    dialog.open()
    dialog.create_button.click()
    qtbot.waitUntil(dialog.open_button.isVisible)
    with qtbot.waitSignal(dialog.open_requested) as requested:
        dialog.open_button.click()
    assert requested.args == [tmp_path / "coast.pairwright"]
    assert created == []


def test_a_name_typed_while_the_one_before_is_looked_up_creates_nothing(
    qtbot: QtBot, theme: Theme, runner: JobRunner, tmp_path: Path
) -> None:
    dialog = NewProjectDialog(theme, runner, "coast", tmp_path)
    qtbot.addWidget(dialog)
    created: list[object] = []
    dialog.create_requested.connect(created.append)
    dialog.open()
    dialog.create_button.click()
    dialog.name.setText("shore")
    qtbot.waitUntil(lambda: not runner.running)
    assert created == []
    assert dialog.isVisible()
    assert dialog.create_button.isEnabled()


def test_the_sample_project_opens_from_the_start_page(
    empty_window: MainWindow, qtbot: QtBot, project_path: Path
) -> None:
    folder = empty_window.settings_store.paths.data / "sample"
    folder.mkdir(parents=True)
    project_path.rename(folder / "sample.pairwright")
    qtbot.mouseClick(empty_window.central.start.sample, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: empty_window.current_page() == "papers", timeout=5000)
    assert empty_window.context is not None
    assert empty_window.context.path == folder / "sample.pairwright"
