"""Every action is in a menu, which shows what it can do now."""

from __future__ import annotations

from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from desktop.jobs.review.answers import mark
from desktop.ui.pages.pairs.page import PairsPage
from desktop.ui.shell import menu_bar, palette_commands
from desktop.ui.shell.navigation import NAVIGATION
from desktop.ui.shell.window import MainWindow
from miner.progress import Progress
from storage.annotation.marks import FLAG_VALUE, MarkKind


def open_menu(menu: QMenu) -> dict[str, tuple[bool, bool]]:
    """Open a menu; of each of its actions, whether it is enabled and whether it is checked."""
    menu.aboutToShow.emit()
    lines = {action.objectName(): (action.isEnabled(), action.isChecked()) for action in menu.actions()}
    menu.aboutToHide.emit()
    return lines


def test_a_pages_menu_is_there_on_its_page_alone(window: MainWindow) -> None:
    def shown() -> set[str]:
        return {name for name, menu in window.menu_bar.by_name.items() if menu.menuAction().isVisible()}

    own = {"File", "Edit", "View", "Go", "Help"}
    assert shown() - own == {"Papers"}
    window.show_page("problems")
    assert shown() == own


def test_every_action_is_in_a_menu(window: MainWindow) -> None:
    for item in NAVIGATION:
        window.show_page(item.name)
    lost = [entry.key for entry in window.action_registry if entry.menu not in window.menu_bar.by_name]
    assert lost == ["settings.find"]  # Settings has no menu: the field is at its top


def test_menus_check_what_is_on_and_grey_what_has_no_object(window: MainWindow, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: not window.runner.running)
    view, go = open_menu(window.menu_bar.by_name["View"]), open_menu(window.menu_bar.by_name["Go"])
    assert view["view.light"] == (True, True)
    assert view["view.dark"] == (True, False)
    assert view["view.cancel"] == (False, False)
    assert go["go.papers"] == (True, True)
    assert go["go.back"] == (False, False)
    assert window.action_registry["view.cancel"].isEnabled()  # by its key it says that no job runs
    window.show_page("pairs")
    page = window.page("pairs")
    assert isinstance(page, PairsPage)
    qtbot.waitUntil(lambda: not window.runner.running)
    page.table.clearSelection()
    lines = open_menu(window.menu_bar.by_name["Pairs"])
    assert lines["pairs.flag"] == (False, False)
    assert lines["pairs.search"] == (True, False)
    page.table.select_rows([0], 0)
    assert open_menu(window.menu_bar.by_name["Pairs"])["pairs.flag"] == (True, False)
    assert any(action.isSeparator() for action in window.menu_bar.by_name["Pairs"].actions())
    qtbot.waitUntil(lambda: not window.runner.running)


def test_separators_and_search_words_belong_to_actions_that_exist(window: MainWindow, qtbot: QtBot) -> None:
    for item in NAVIGATION:
        window.show_page(item.name)
    qtbot.waitUntil(lambda: not window.runner.running)
    known = {entry.key for entry in window.action_registry}
    assert (palette_commands._SYNONYMS.keys() | menu_bar._AFTER_SEPARATOR) - known == set()


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
