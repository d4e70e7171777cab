"""The Settings page: each change is saved at once, and a search finds each setting."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from desktop import settings
from desktop.ui.pages.settings.entries import ENTRIES
from desktop.ui.pages.settings.page import SettingsPage
from desktop.ui.pages.settings.shortcuts import ShortcutDialog, ShortcutTableModel
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.shell.window import MainWindow


@pytest.fixture
def page(window: MainWindow) -> SettingsPage:
    window.show_page("settings")
    page = window.page("settings")
    assert isinstance(page, SettingsPage)
    return page


def saved_settings(context: ProjectContext) -> settings.Settings:
    loaded, note = settings.load(context.settings_store.paths)
    assert note is None
    return loaded


def test_every_setting_is_on_the_page_and_found_by_its_title(page: SettingsPage) -> None:
    assert set(page.fields) == {entry.key for entry in ENTRIES}
    for entry in ENTRIES:
        page.search.setText(entry.title)
        assert not page.fields[entry.key].isHidden()
    page.search.setText("dark")
    assert [key for key, field in page.fields.items() if not field.isHidden()] == [
        "theme",
        "keys",
    ]  # of "Dark theme"
    page.search.setText("no such setting")
    assert page.no_match.isVisible()


def test_a_setting_that_is_not_on_the_page_is_set_elsewhere() -> None:
    elsewhere = {"domain", "recent", "recent_corpora"}  # what was typed or opened last
    assert {one.name for one in fields(settings.Settings)} - {entry.key for entry in ENTRIES} == elsewhere
    for entry in ENTRIES:
        for value in entry.choices.values():
            assert settings._IS_VALID[entry.key](value)


def test_the_search_stays_when_the_page_is_shown_again(page: SettingsPage, window: MainWindow, qtbot: QtBot) -> None:
    page.fields["reduced_motion"].control.setFocus()
    qtbot.keyClick(page.fields["reduced_motion"].control, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert window.focusWidget() is page.search
    page.search.setText("quit")
    window.show_page("papers")
    window.show_page("settings")
    assert page.keys.model.rowCount() == 1


def test_a_change_is_saved_at_once(page: SettingsPage, qtbot: QtBot) -> None:
    page.workers.setValue(3)
    page.fields["reduced_motion"].control.setChecked(False)
    page.fields["parser"].control.setCurrentIndex(1)
    page.fields["parser"].control.activated.emit(1)
    page.grobid.address.setText("http://example.org:8070")
    page.grobid.address.editingFinished.emit()
    current = page.context.settings_store.settings
    assert (current.workers, current.reduced_motion, current.parser, current.grobid_url) == (
        3,
        False,
        "grobid",
        "http://example.org:8070",
    )
    assert saved_settings(page.context) == current
    page.workers.setValue(0)
    assert saved_settings(page.context).workers is None


def test_the_page_follows_what_menus_change(page: SettingsPage, window: MainWindow) -> None:
    window.action_registry["view.dark"].trigger()
    assert page.fields["theme"].control.currentData() == "dark"


def test_the_annotator_can_be_changed_but_not_emptied(page: SettingsPage) -> None:
    page.annotator.setText("  anna   b ")
    page.annotator.editingFinished.emit()
    assert page.context.annotator == "anna b"
    page.annotator.setText(" ")
    page.annotator.editingFinished.emit()
    assert (page.context.annotator, page.annotator.text()) == ("anna b", "anna b")


def test_no_annotator_is_named_in_a_read_only_project(context: ProjectContext, qtbot: QtBot) -> None:
    context.read_only, context.read_only_reason = True, "Somebody else has it."
    page = SettingsPage(context)
    qtbot.addWidget(page)
    assert not page.annotator.isEnabled()


def test_the_status_shows_that_a_server_is_ready(
    page: SettingsPage, qtbot: QtBot, start_replay: Callable[..., object]
) -> None:
    server = start_replay()
    page.grobid.address.setText(server.url)  # type: ignore[attr-defined]  # a ReplayServer
    qtbot.mouseClick(page.grobid.test_button, Qt.MouseButton.LeftButton)
    assert not page.grobid.test_button.isEnabled()
    qtbot.waitUntil(page.grobid.test_button.isEnabled, timeout=10_000)
    assert page.grobid.status.text().startswith("● ready: GROBID")


@pytest.mark.parametrize(
    ("address", "text"), [("http://localhost:1", "▲ not reachable"), ("not an address", "▲ 'not an address' is not")]
)
def test_the_status_shows_problems_by_symbol_and_words(
    page: SettingsPage, qtbot: QtBot, address: str, text: str
) -> None:
    page.grobid.address.setText(address)
    page.grobid.test_server()
    qtbot.waitUntil(page.grobid.test_button.isEnabled, timeout=10_000)
    assert page.grobid.status.text().startswith(text)


def test_an_answer_about_an_earlier_address_is_not_shown(page: SettingsPage, qtbot: QtBot) -> None:
    page.grobid.address.setText("http://localhost:1")
    page.grobid.test_server()
    page.grobid.address.setText("http://localhost:2")
    page.grobid.address.editingFinished.emit()
    assert page.grobid.test_button.isEnabled()
    qtbot.waitUntil(lambda: not page.context.runner.running)
    assert page.grobid.status.text() == "○ not tested yet"


def test_the_table_of_shortcuts_is_a_valid_model(window: MainWindow, qtmodeltester: ModelTester) -> None:
    model = ShortcutTableModel(window.action_registry)
    qtmodeltester.check(model)
    model.search("undo")
    assert [model.index(0, column).data() for column in range(3)] == ["Undo", "Edit", "Ctrl+Z"]
    qtmodeltester.check(model)


def open_dialog(page: SettingsPage, key: str) -> ShortcutDialog:
    page.keys.search("")
    row = [page.keys.model.key(row) for row in range(page.keys.model.rowCount())].index(key)
    page.keys.table.setCurrentIndex(page.keys.model.index(row, 0))
    page.keys.change.click()
    dialog = page.findChild(ShortcutDialog)
    assert isinstance(dialog, ShortcutDialog)
    return dialog


def test_a_shortcut_is_changed_by_pressing_it(page: SettingsPage, window: MainWindow, qtbot: QtBot) -> None:
    dialog = open_dialog(page, "file.add")
    qtbot.keyClick(dialog, Qt.Key.Key_D, Qt.KeyboardModifier.ControlModifier)
    assert dialog.shortcut.text() == "Ctrl+D"
    qtbot.keyClick(dialog, Qt.Key.Key_Return)
    assert window.action_registry.keys("file.add") == "Ctrl+D"
    assert saved_settings(page.context).keys == {"file.add": "Ctrl+D"}
    page.keys.reset.click()
    assert window.action_registry.keys("file.add") == "Ctrl+Shift+A"
    assert saved_settings(page.context).keys == {}


def test_a_shortcut_of_another_command_is_moved_with_a_warning(
    page: SettingsPage, window: MainWindow, qtbot: QtBot
) -> None:
    dialog = open_dialog(page, "file.add")
    qtbot.keyClick(dialog, Qt.Key.Key_Y, Qt.KeyboardModifier.ControlModifier)
    assert dialog.note.text() == "▲ “Redo” (Edit) has these keys now and will lose them."
    dialog.use.click()
    assert window.action_registry.keys("file.add") == "Ctrl+Y"
    assert window.action_registry.keys("edit.redo") == "Ctrl+Shift+Z"
    page.keys.reset_all.click()
    assert window.action_registry.keys("edit.redo") == "Ctrl+Shift+Z, Ctrl+Y"


def test_a_command_can_have_no_shortcut(page: SettingsPage, window: MainWindow, qtbot: QtBot) -> None:
    dialog = open_dialog(page, "file.quit")
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert window.action_registry.keys("file.quit") == "Ctrl+Q"
    page.keys.set_shortcut("file.quit", "")
    assert window.action_registry.keys("file.quit") == ""
    assert saved_settings(page.context).keys == {"file.quit": ""}


def test_a_character_is_stored_without_shift(page: SettingsPage, qtbot: QtBot) -> None:
    dialog = open_dialog(page, "help.keys")
    qtbot.keyClick(dialog, Qt.Key.Key_Question, Qt.KeyboardModifier.ShiftModifier)
    assert dialog.keys == "?"
    dialog.reject()


def test_the_keys_of_an_answer_are_one_setting_for_every_page(window: MainWindow, page: SettingsPage) -> None:
    names = [f"{name}.neutral" for name in ("review", "disagreements", "kinds", "pairs.label")]
    for name in names:
        window.show_page(name.partition(".")[0])
    page.keys.search("answer neutral")
    model = page.keys.model
    shown = [[model.index(row, column).data() for column in range(3)] for row in range(model.rowCount())]
    assert shown == [["Answer neutral", "Every page", "4"]]
    page.keys.set_shortcut(model.key(0), "J")
    assert saved_settings(page.context).keys == {"answer.neutral": "J"}
    assert {window.action_registry.keys(name) for name in names} == {"J"}


def test_answer_keys_of_earlier_versions_become_those_of_every_page(tmp_path: Path) -> None:
    paths = settings.Paths.below(tmp_path)
    old = {"review.neutral": "N", "kinds.neutral": "M", "pairs.label.unclear": "", "review.flag": "G"}
    settings.save(paths, settings.Settings(keys=old))
    assert settings.load(paths)[0].keys == {"answer.neutral": "N", "answer.unclear": "", "review.flag": "G"}
