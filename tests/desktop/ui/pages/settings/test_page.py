"""Settings: each holds and is saved at once, and is found by a search."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from desktop import settings
from desktop.ui.pages.settings.capture import CaptureDialog
from desktop.ui.pages.settings.entries import ENTRIES
from desktop.ui.pages.settings.page import SettingsPage
from desktop.ui.pages.settings.shortcuts import KeysModel
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.shell.window import MainWindow


@pytest.fixture
def page(window: MainWindow) -> SettingsPage:
    window.show_page("settings")
    page = window.page("settings")
    assert isinstance(page, SettingsPage)
    return page


def kept(context: ProjectContext) -> settings.Settings:
    found, note = settings.load(context.settings_store.paths)
    assert note is None
    return found


def test_every_setting_is_on_the_page_and_found_by_its_title(page: SettingsPage) -> None:
    assert set(page.rows) == {entry.key for entry in ENTRIES}
    for entry in ENTRIES:
        page.search.setText(entry.title)
        assert not page.rows[entry.key].isHidden()
    page.search.setText("dark")
    assert [key for key, row in page.rows.items() if not row.isHidden()] == ["theme", "keys"]  # "Dark theme" has keys
    page.search.setText("no such setting")
    assert page.none.isVisible()


def test_what_is_searched_for_is_still_left_when_the_page_is_shown_again(
    page: SettingsPage, window: MainWindow, qtbot: QtBot
) -> None:
    page.motion.setFocus()
    qtbot.keyClick(page.motion, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert window.focusWidget() is page.search
    page.search.setText("quit")
    window.show_page("papers")
    window.show_page("settings")
    assert page.keys.model.rowCount() == 1


def test_a_change_holds_and_is_on_disk_at_once(page: SettingsPage, qtbot: QtBot) -> None:
    page.workers.setValue(3)
    page.motion.setChecked(False)
    page.parser.setCurrentIndex(1)
    page.parser.activated.emit(1)
    page.grobid.line.setText("http://example.org:8070")
    page.grobid.line.editingFinished.emit()
    now = page.context.settings_store.settings
    assert (now.workers, now.reduced_motion, now.parser, now.grobid_url) == (
        3,
        False,
        "grobid",
        "http://example.org:8070",
    )
    assert kept(page.context) == now
    page.workers.setValue(0)
    assert kept(page.context).workers is None


def test_the_page_follows_what_menus_change(page: SettingsPage, window: MainWindow) -> None:
    window.action_registry["view.dark"].trigger()
    assert page.theme_box.currentData() == "dark"


def test_the_annotator_can_be_changed_but_not_to_nobody(page: SettingsPage) -> None:
    page.annotator.setText("  anna   b ")
    page.annotator.editingFinished.emit()
    assert page.context.annotator == "anna b"
    page.annotator.setText(" ")
    page.annotator.editingFinished.emit()
    assert (page.context.annotator, page.annotator.text()) == ("anna b", "anna b")


def test_the_light_tells_that_a_server_is_ready(
    page: SettingsPage, qtbot: QtBot, start_replay: Callable[..., object]
) -> None:
    server = start_replay()
    page.grobid.line.setText(server.url)  # type: ignore[attr-defined]  # a ReplayServer
    qtbot.mouseClick(page.grobid.test, Qt.MouseButton.LeftButton)
    assert not page.grobid.test.isEnabled()
    qtbot.waitUntil(page.grobid.test.isEnabled, timeout=10_000)
    assert page.grobid.light.text().startswith("● ready: GROBID")


@pytest.mark.parametrize(
    ("address", "said"), [("http://localhost:1", "▲ not reachable"), ("not an address", "▲ 'not an address' is not")]
)
def test_the_light_tells_what_is_wrong_by_shape_and_word(
    page: SettingsPage, qtbot: QtBot, address: str, said: str
) -> None:
    page.grobid.line.setText(address)
    page.grobid.ask()
    qtbot.waitUntil(page.grobid.test.isEnabled, timeout=10_000)
    assert page.grobid.light.text().startswith(said)


def test_the_table_of_keys_is_a_sound_model(window: MainWindow, qtmodeltester: ModelTester) -> None:
    model = KeysModel(window.action_registry)
    qtmodeltester.check(model)
    model.search("undo")
    assert [model.index(0, column).data() for column in range(3)] == ["Undo", "Edit", "Ctrl+Z"]
    qtmodeltester.check(model)


def captured(page: SettingsPage, key: str) -> CaptureDialog:
    page.keys.search("")
    row = [page.keys.model.key(row) for row in range(page.keys.model.rowCount())].index(key)
    page.keys.table.setCurrentIndex(page.keys.model.index(row, 0))
    page.keys.change.click()
    dialog = page.findChild(CaptureDialog)
    assert isinstance(dialog, CaptureDialog)
    return dialog


def test_keys_are_changed_by_pressing_them(page: SettingsPage, window: MainWindow, qtbot: QtBot) -> None:
    dialog = captured(page, "file.add")
    qtbot.keyClick(dialog, Qt.Key.Key_D, Qt.KeyboardModifier.ControlModifier)
    assert dialog.shown.text() == "Ctrl+D"
    qtbot.keyClick(dialog, Qt.Key.Key_Return)
    assert window.action_registry.keys("file.add") == "Ctrl+D"
    assert kept(page.context).keys == {"file.add": "Ctrl+D"}
    page.keys.reset.click()
    assert window.action_registry.keys("file.add") == "Ctrl+Shift+A"
    assert kept(page.context).keys == {}


def test_keys_that_are_taken_are_told_of_and_move(page: SettingsPage, window: MainWindow, qtbot: QtBot) -> None:
    dialog = captured(page, "file.add")
    qtbot.keyClick(dialog, Qt.Key.Key_Y, Qt.KeyboardModifier.ControlModifier)
    assert dialog.note.text() == "▲ “Redo” (Edit) has these keys now, and would lose them."
    dialog.use.click()
    assert window.action_registry.keys("file.add") == "Ctrl+Y"
    assert window.action_registry.keys("edit.redo") == "Ctrl+Shift+Z"
    page.keys.reset_all.click()
    assert window.action_registry.keys("edit.redo") == "Ctrl+Shift+Z, Ctrl+Y"


def test_a_command_can_go_without_keys(page: SettingsPage, window: MainWindow, qtbot: QtBot) -> None:
    dialog = captured(page, "file.quit")
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert window.action_registry.keys("file.quit") == "Ctrl+Q"
    page.keys.give("file.quit", "")
    assert window.action_registry.keys("file.quit") == ""
    assert kept(page.context).keys == {"file.quit": ""}


def test_a_sign_is_captured_as_the_sign(page: SettingsPage, qtbot: QtBot) -> None:
    dialog = captured(page, "help.keys")
    qtbot.keyClick(dialog, Qt.Key.Key_Question, Qt.KeyboardModifier.ShiftModifier)
    assert dialog.keys == "?"
    dialog.reject()
