"""The guide beside the window: the page that fits the screen, links, back, search, theme and keys."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QImage, QTextDocument
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from desktop.ui.shell.guide_window import GuideWindow
from desktop.ui.shell.window import MainWindow
from tests.desktop.ui.test_accessibility import controls, described, name


@pytest.fixture
def guide(window: MainWindow, qtbot: QtBot) -> GuideWindow:
    window.show_page("annotate")
    window.action_registry["help.guide"].trigger()
    [guide] = window.findChildren(GuideWindow)
    qtbot.waitUntil(lambda: guide.page != "")
    return guide


def test_it_opens_at_the_page_for_the_screen_and_follows_links_and_back(window: MainWindow, guide: GuideWindow) -> None:
    assert guide.page == "03-benchmark.md"
    assert not guide.isModal()
    guide.view.anchorClicked.emit(QUrl("07-commands.md"))
    assert guide.page == "07-commands.md"
    assert guide.list.currentItem().text() == "Commands for servers"
    QTest.keyClick(guide, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    assert guide.page == "03-benchmark.md"
    assert not guide.back.isEnabled()
    window.show_page("suggest")
    window.action_registry["help.guide"].trigger()
    assert window.findChildren(GuideWindow) == [guide]
    assert guide.page == "04-suggestions.md"


def test_search_lists_the_pages_with_all_words_and_marks_them(guide: GuideWindow) -> None:
    guide.search.setText("docker address")
    assert (guide.list.count(), guide.page) == (1, "08-grobid.md")
    assert len(guide.view.extraSelections()) > 3
    guide.search.setText("xylophone")
    assert guide.nothing.isVisible()
    guide.search.setText("kappa")
    found = [guide.list.item(row).text() for row in range(guide.list.count())]
    QTest.keyClick(guide.search, Qt.Key.Key_Return)
    assert guide.list.currentItem().text() == found[1]
    guide.search.clear()
    assert guide.list.count() == 10
    assert guide.view.extraSelections() == []


def test_pictures_fit_the_page_in_every_theme_and_controls_have_names(window: MainWindow, guide: GuideWindow) -> None:
    picture = guide.view.document().resource(QTextDocument.ResourceType.ImageResource, QUrl("pictures/rounds.png"))
    assert isinstance(picture, QImage)
    assert 300 < picture.width() / guide.view.devicePixelRatioF() <= guide.view.viewport().width()
    window.settings_store.change(theme="dark")
    ink = window.theme.color("card").name()
    assert guide.page == "03-benchmark.md"
    assert guide.view.palette().base().color().name() == ink
    assert [described(widget) for widget in controls(guide) if not name(widget)] == []
    guide.resize(700, 500)
    QTest.keyClick(guide, Qt.Key.Key_Escape)
    assert not guide.isVisible()
    again = GuideWindow(window.settings_store, window.runner, window.theme, window)
    assert again.width() == 700
