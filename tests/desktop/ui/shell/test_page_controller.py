"""Pages are shown with the keyboard where it was, and Back leads to those before."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from desktop.ui.pages.pairs.page import PairsPage
from desktop.ui.services.page import Page
from desktop.ui.services.settings_store import SettingsStore
from desktop.ui.shell.navigation import SECTIONS
from desktop.ui.shell.section_tabs import SectionTabs
from desktop.ui.shell.window import MainWindow
from storage.pairs.filters import PairFilter
from tests.desktop.ui.conftest import OpenInWindow, press_key


def press_back(window: MainWindow) -> None:
    press_key(window, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)


def test_alt_left_leads_back_and_brings_back_what_pairs_showed(window: MainWindow, qtbot: QtBot) -> None:
    context = window.context
    assert context is not None
    mine, asked = PairFilter(distant=frozenset({"reasoning"})), PairFilter(distant=frozenset({"neutral"}))
    window.show_page("pairs")
    pairs = window.page("pairs")
    assert isinstance(pairs, PairsPage)
    pairs.show_filter(mine)
    window.show_page("dashboard")
    qtbot.waitUntil(lambda: not window.runner.running)
    context.pairs_requested.emit(asked)  # as a click on a plot does
    assert window.current_page() == "pairs"
    assert context.pairs_page_filter == asked
    qtbot.waitUntil(lambda: not window.runner.running)
    window.show_page("dashboard")
    context.pairs_requested.emit(asked)  # the same once more
    press_back(window)
    assert window.current_page() == "dashboard"
    assert context.pairs_page_filter == asked
    press_back(window)
    press_back(window)
    assert window.current_page() == "dashboard"
    assert context.pairs_page_filter == mine
    press_back(window)
    assert window.current_page() == "pairs"
    qtbot.waitUntil(lambda: not window.runner.running)
    press_back(window)
    press_back(window)
    assert window.central.status_bar.message.text() == "No page was shown before this one."
    qtbot.waitUntil(lambda: not window.runner.running)


def test_a_project_opens_on_the_page_it_was_left_on(
    window: MainWindow, qtbot: QtBot, project_path: Path, open_in_window: OpenInWindow
) -> None:
    window.show_page("export")
    with qtbot.waitSignal(window.project_controller.closed, timeout=5000):
        window.project_commands.close()
    open_in_window(window, project_path)
    assert window.current_page() == "export"


def test_the_pages_of_the_projects_closed_last_are_kept(
    settings_store: SettingsStore, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("desktop.ui.shell.page_controller.MAX_RECENT_PROJECTS", 2)
    pages = window.page_controller
    for page, name in (("pairs", "a"), ("export", "b"), ("mining", "a"), ("settings", "c")):
        window.show_page(page)
        pages.save_last_page(Path(name))
    assert [pages.last_page(Path(name)) for name in ("a", "b", "c")] == ["mining", "papers", "settings"]


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


def test_a_page_shown_for_the_first_time_has_the_keyboard_where_its_work_is(window: MainWindow, qtbot: QtBot) -> None:
    """Not on the tabs of its section, also where its work is read first."""
    for name in ("papers", "pairs", "settings", "audit", "agreement"):
        window.show_page(name)
        page = window.page(name)
        assert isinstance(page, Page)
        qtbot.waitUntil(lambda: not window.runner.running)
        assert window.focusWidget() is page.initial_focus, name


def test_sections_have_their_numbers_in_the_order_of_the_sidebar() -> None:
    first = [section.pages[0].keys.partition(",")[0] for section in SECTIONS if not section.below]
    assert first == [f"Ctrl+{number}" for number in range(1, len(first) + 1)]


def test_a_section_opens_where_it_was_left_and_its_tabs_lead_to_its_pages(window: MainWindow) -> None:
    sidebar = window.central.sidebar
    sidebar.buttons["lab"].click()
    assert window.current_page() == "train"
    tabs = window.page("train").findChild(SectionTabs)
    assert tabs is not None
    tabs.setCurrentIndex(1)
    assert window.current_page() == "experiments"
    assert (tabs.currentIndex(), sidebar.buttons["lab"].isChecked()) == (0, True)  # each page has its own
    window.action_registry["go.next_tab"].trigger()
    assert window.current_page() == "kinds"
    window.show_page("problems")
    assert not any(button.isChecked() for button in sidebar.buttons.values())
    sidebar.buttons["lab"].click()
    assert window.current_page() == "kinds"
    window.action_registry["go.next_tab"].trigger()
    assert window.current_page() == "train"
