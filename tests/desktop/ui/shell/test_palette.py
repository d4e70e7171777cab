"""Finding commands by a few letters, wherever they are."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from desktop.ui.pages.review.page import ReviewPage
from desktop.ui.shell.fuzzy_match import match
from desktop.ui.shell.palette import CommandModel, CommandPalette, PaletteCommand
from desktop.ui.shell.window import MainWindow
from tests.desktop.ui.conftest import press_key

_CTRL = Qt.KeyboardModifier.ControlModifier


def commands(*texts: str) -> list[PaletteCommand]:
    return [PaletteCommand(text.casefold(), text, "Menu", "", lambda: None, "") for text in texts]


def found(model: CommandModel) -> list[str]:
    return [model.command(row).text for row in range(model.rowCount())]


def open_palette(window: MainWindow) -> CommandPalette:
    window.action_registry["help.palette"].trigger()
    palette = window.findChild(CommandPalette)
    assert isinstance(palette, CommandPalette)
    return palette


@pytest.mark.parametrize(
    ("typed", "text", "places"),
    [
        ("", "Add papers", ()),
        ("ap", "Add papers", (0, 4)),
        ("pap", "Add papers", (4, 5, 6)),
        ("ADD  P", "Add papers", (0, 1, 2, 4)),
        ("dt", "Dark theme", (0, 5)),
    ],
)
def test_letters_are_found_at_the_beginnings_of_words_first(typed: str, text: str, places: tuple[int, ...]) -> None:
    hit = match(typed, text)
    assert hit is not None
    assert hit.positions == places


def test_letters_in_another_order_are_not_found() -> None:
    assert match("pa", "apx") is None
    assert match("xyz", "Add papers") is None


def test_the_best_fit_comes_first(qtmodeltester: ModelTester) -> None:
    model = CommandModel(commands("Map of domains", "Add papers", "Export as is", "Apply"), [])
    qtmodeltester.check(model)
    model.search("ap")
    assert found(model)[:2] == ["Apply", "Add papers"]
    model.search("no such thing")
    assert found(model) == []
    qtmodeltester.check(model)


def test_what_was_used_last_comes_first_while_nothing_is_typed() -> None:
    model = CommandModel(commands("One", "Two", "Three"), ["three", "gone"])
    assert found(model) == ["Three", "One", "Two"]


def test_a_command_is_chosen_with_the_keyboard_alone(window: MainWindow, qtbot: QtBot) -> None:
    palette = open_palette(window)
    qtbot.keyClicks(palette.search_field, "go to problems")
    qtbot.keyClick(palette.search_field, Qt.Key.Key_Return)
    assert window.current_page() == "problems"
    again = open_palette(window)
    assert again.model.command(0).key == "go.problems"
    qtbot.keyClick(again.search_field, Qt.Key.Key_Down)
    assert again.list.currentIndex().row() == 1
    qtbot.keyClick(again.search_field, Qt.Key.Key_Escape)
    assert window.findChild(CommandPalette) is None
    assert window.page("problems").isAncestorOf(window.focusWidget() or window)


def test_a_click_outside_closes_the_palette(window: MainWindow, qtbot: QtBot) -> None:
    palette = open_palette(window)
    qtbot.mouseClick(palette, Qt.MouseButton.LeftButton, pos=palette.rect().bottomRight())
    assert window.findChild(CommandPalette) is None


def test_no_key_reaches_a_pair_that_the_palette_covers(window: MainWindow, qtbot: QtBot) -> None:
    context = window.context
    assert context is not None
    window.show_page("review")
    review = window.page("review")
    assert isinstance(review, ReviewPage)
    review.first_round.start_button.click()
    qtbot.waitUntil(lambda: review.session.item is not None)

    def answers() -> int:
        qtbot.waitUntil(lambda: not window.runner.running)
        with context.project.read_transaction() as stores:
            return int(stores._connection.exec_driver_sql("SELECT count(*) FROM label_events").scalar_one())

    before = answers()
    press_key(window, Qt.Key.Key_K, _CTRL)
    palette = window.findChild(CommandPalette)
    assert isinstance(palette, CommandPalette)
    press_key(window, Qt.Key.Key_1)
    review.setFocus()  # as a page does when what it waited for is there
    press_key(window, Qt.Key.Key_2)
    press_key(window, Qt.Key.Key_Z, _CTRL)  # takes back typing, no answer
    press_key(window, Qt.Key.Key_2)
    assert palette.search_field.text().endswith("2")
    assert answers() == before
    press_key(window, Qt.Key.Key_2, _CTRL)
    assert window.findChild(CommandPalette) is None
    assert window.current_page() == "review"
    assert answers() == before


@pytest.mark.parametrize(
    ("key", "page"),
    [(Qt.Key.Key_3, "pairs"), (Qt.Key.Key_W, ""), (Qt.Key.Key_K, "papers"), (Qt.Key.Key_Plus, "papers")],
)
def test_any_command_closes_the_palette(window: MainWindow, qtbot: QtBot, key: Qt.Key, page: str) -> None:
    press_key(window, Qt.Key.Key_K, _CTRL)
    assert window.findChild(CommandPalette) is not None
    press_key(window, key, _CTRL)
    assert window.findChild(CommandPalette) is None
    assert window.current_page() == page
    qtbot.waitUntil(lambda: not window.runner.running)


def test_an_action_of_another_page_is_run_there(window: MainWindow, qtbot: QtBot) -> None:
    heard: list[str] = []
    window.show_page("problems")
    page = window.page("problems")
    window.action_registry.add(
        "problems.try", "Try this", lambda: heard.append(window.current_page()), menu="View", widget=page
    )
    window.show_page("settings")
    palette = open_palette(window)
    qtbot.keyClicks(palette.search_field, "try this")
    qtbot.keyClick(palette.search_field, Qt.Key.Key_Return)
    assert heard == ["problems"]


def test_a_disabled_action_is_said_to_be_unavailable(window: MainWindow, qtbot: QtBot) -> None:
    page = window.page("problems")
    window.action_registry.add("problems.try", "Try this", lambda: None, menu="View", widget=page).setEnabled(False)
    palette = open_palette(window)
    qtbot.keyClicks(palette.search_field, "try this")
    qtbot.keyClick(palette.search_field, Qt.Key.Key_Return)
    assert window.central.status_bar.message.text() == "“Try this” is not available now."


def test_settings_are_found_too(window: MainWindow, qtbot: QtBot) -> None:
    palette = open_palette(window)
    qtbot.keyClicks(palette.search_field, "grobid addr")
    qtbot.keyClick(palette.search_field, Qt.Key.Key_Return)
    assert window.current_page() == "settings"
    held = window.focusWidget()
    assert held is not None
    assert held.accessibleName() == "GROBID address"


def test_without_a_project_only_what_can_be_done_is_offered(empty_window: MainWindow) -> None:
    palette = open_palette(empty_window)
    offered = found(palette.model)
    assert "New project" in offered
    assert not {"Close project", "Go to Papers", "Undo"} & set(offered)


def test_the_palette_begins_with_the_pages_own_commands_and_knows_other_words(window: MainWindow, qtbot: QtBot) -> None:
    for name in ("papers", "pairs"):  # the commands of a page are known once it is built
        window.show_page(name)
    qtbot.waitUntil(lambda: not window.runner.running)
    palette = open_palette(window)
    assert palette.model.command(0).key.startswith("pairs.")
    for word, key in (("relabel", "pairs.label.neutral"), ("restore", "pairs.restore"), ("merge", "papers.data_set")):
        palette.search_field.setText(word)
        assert key in [palette.model.command(row).key for row in range(palette.model.rowCount())]
    palette.dismiss()
