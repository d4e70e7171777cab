"""The way back from a drill-down, the menus, and the order of the pages' keys."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from desktop.ui.pages.pairs.page import PairsPage
from desktop.ui.shell import menu_bar, palette_commands
from desktop.ui.shell.navigation import NAVIGATION
from desktop.ui.shell.palette import CommandPalette
from desktop.ui.shell.window import MainWindow
from storage.pairs.filters import PairFilter


def settled(window: MainWindow, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: not window.runner.running, timeout=20_000)


def back(window: MainWindow) -> None:
    handle = window.windowHandle()
    assert handle is not None
    QTest.keyClick(handle, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)


def test_alt_left_leads_back_and_brings_back_what_pairs_showed(window: MainWindow, qtbot: QtBot) -> None:
    context = window.context
    assert context is not None
    mine, asked = PairFilter(distant=frozenset({"reasoning"})), PairFilter(distant=frozenset({"neutral"}))
    window.show_page("pairs")
    pairs = window.page("pairs")
    assert isinstance(pairs, PairsPage)
    pairs.show_filter(mine)
    window.show_page("dashboard")
    settled(window, qtbot)
    context.pairs_requested.emit(asked)  # as a click on a plot does
    assert window.current_page() == "pairs"
    assert context.pairs_page_filter == asked
    settled(window, qtbot)
    window.show_page("dashboard")
    context.pairs_requested.emit(asked)  # the same once more
    back(window)
    assert window.current_page() == "dashboard"
    assert context.pairs_page_filter == asked
    back(window)
    back(window)
    assert window.current_page() == "dashboard"
    assert context.pairs_page_filter == mine
    back(window)
    assert window.current_page() == "pairs"
    settled(window, qtbot)
    back(window)
    back(window)
    assert window.central.status_bar.message.text() == "No page was shown before this one."
    settled(window, qtbot)


def test_pages_have_their_numbers_in_the_order_of_the_rail() -> None:
    numbered = [item.keys for item in NAVIGATION if item.keys[-1].isdigit()]
    assert numbered == [f"Ctrl+{number}" for number in range(1, len(numbered) + 1)]
    assert [item.keys for item in NAVIGATION][: len(numbered)] == numbered


def opened(menu: QMenu) -> dict[str, tuple[bool, bool]]:
    """Of each line of a menu that is opened: whether it can be chosen, and whether it is checked."""
    menu.aboutToShow.emit()
    lines = {action.objectName(): (action.isEnabled(), action.isChecked()) for action in menu.actions()}
    menu.aboutToHide.emit()
    return lines


def test_menus_check_what_is_on_and_grey_what_has_no_object(window: MainWindow, qtbot: QtBot) -> None:
    settled(window, qtbot)
    view, go = opened(window.menu_bar.by_name["View"]), opened(window.menu_bar.by_name["Go"])
    assert view["view.light"] == (True, True)
    assert view["view.dark"] == (True, False)
    assert view["view.cancel"] == (False, False)
    assert go["go.papers"] == (True, True)
    assert go["go.back"] == (False, False)
    assert window.action_registry["view.cancel"].isEnabled()  # by its key it says that no job runs
    window.show_page("pairs")
    page = window.page("pairs")
    assert isinstance(page, PairsPage)
    settled(window, qtbot)
    page.view.clearSelection()
    lines = opened(window.menu_bar.by_name["Pairs"])
    assert lines["pairs.flag"] == (False, False)
    assert lines["pairs.search"] == (True, False)
    page.view.select_rows([0], 0)
    assert opened(window.menu_bar.by_name["Pairs"])["pairs.flag"] == (True, False)
    assert any(action.isSeparator() for action in window.menu_bar.by_name["Pairs"].actions())
    settled(window, qtbot)


def test_the_palette_begins_with_the_pages_own_commands_and_knows_other_words(window: MainWindow, qtbot: QtBot) -> None:
    for name in ("papers", "pairs"):  # the commands of a page are known once it is built
        window.show_page(name)
    settled(window, qtbot)
    window.action_registry["help.palette"].trigger()
    palette = window.findChild(CommandPalette)
    assert isinstance(palette, CommandPalette)
    assert palette.model.command(0).key.startswith("pairs.")
    for word, key in (("relabel", "pairs.label.neutral"), ("restore", "pairs.restore"), ("merge", "papers.data_set")):
        palette.search_field.setText(word)
        found = [palette.model.command(row).key for row in range(palette.model.rowCount())]
        assert key in found
    palette.dismiss()


def test_menu_lines_and_other_words_are_of_commands_that_there_are(window: MainWindow, qtbot: QtBot) -> None:
    pages = (
        "papers",
        "review",
        "pairs",
        "suggest",
        "disagreements",
        "dashboard",
        "export",
        "train",
        "mining",
        "settings",
    )
    for name in pages:
        window.show_page(name)
    settled(window, qtbot)
    known = {verb.key for verb in window.action_registry}
    assert (palette_commands._SYNONYMS.keys() | menu_bar._AFTER_SEPARATOR) - known == set()
