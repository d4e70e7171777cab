"""What all pages must keep: fonts and colours that follow the theme, and letters that mean one thing each."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable

import pytest
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QAbstractButton, QComboBox, QLabel, QTabBar, QWidget
from pytestqt.qtbot import QtBot

from desktop.ui.shell.navigation import NAVIGATION
from desktop.ui.shell.shortcuts_dialog import ShortcutsDialog
from desktop.ui.shell.window import MainWindow
from desktop.ui.theme import DARK, LIGHT
from desktop.ui.widgets.labels import PlainLabel
from desktop.ui.widgets.model_combo_box import ModelComboBox

PAGES = pytest.mark.parametrize("name", [item.name for item in NAVIGATION])


def shown(window: MainWindow, qtbot: QtBot, name: str) -> QWidget:
    window.show_page(name)
    qtbot.waitUntil(lambda: not window.runner.running, timeout=20_000)
    return window.page(name)


@PAGES
def test_fonts_stay_and_no_colour_of_the_other_theme_is_left(window: MainWindow, qtbot: QtBot, name: str) -> None:
    page = shown(window, qtbot, name)

    def fonts() -> dict[int, tuple[str, str]]:
        found = [widget for widget in page.findChildren(QWidget) if widget.isVisible()]
        return {id(widget): (type(widget).__name__, widget.font().family()) for widget in found}

    before = fonts()
    other = {getattr(LIGHT, token) for token in ("muted", "accent", "good", "warning", "bad", "ink")}
    other |= set(LIGHT.label_text.values())
    window.settings_store.change(theme="dark")
    qtbot.waitUntil(lambda: not window.runner.running, timeout=20_000)
    assert window.theme.tokens is DARK
    after = fonts()
    left = [
        (label.text(), label.palette().color(label.foregroundRole()).name())
        for label in page.findChildren(QLabel)
        if label.isVisible() and label.palette().color(label.foregroundRole()) in map(QColor, other)
    ]
    sheets = [widget.styleSheet() for widget in page.findChildren(QWidget) if widget.styleSheet()]
    window.settings_store.change(theme="light")
    assert {key: font for key, font in after.items() if key in before} == {
        key: font for key, font in before.items() if key in after
    }
    assert left == []
    assert [sheet for sheet in sheets for color in other if color.lower() in sheet.lower()] == []


def test_a_tone_follows_the_theme(window: MainWindow, qtbot: QtBot) -> None:
    label = PlainLabel("x", window)
    label.set_tone("good")
    label.ensurePolished()
    assert label.palette().color(label.foregroundRole()) == QColor(LIGHT.good)
    window.settings_store.change(theme="dark")
    assert label.palette().color(label.foregroundRole()) == QColor(DARK.good)
    window.settings_store.change(theme="light")


def letters_used_twice(window: QWidget, texts: Iterable[str] = ()) -> dict[str, list[str]]:
    """The letters that with Alt mean several things in a window, each with its texts; `texts`: others in it."""
    texts = list(texts)
    for widget in window.findChildren(QWidget):
        if not widget.isVisible():
            continue
        if isinstance(widget, QAbstractButton) or (isinstance(widget, QLabel) and widget.buddy() is not None):
            texts.append(widget.text())
        if isinstance(widget, QTabBar):
            texts += [widget.tabText(place) for place in range(widget.count())]
    by_letter: dict[str, list[str]] = defaultdict(list)
    for text in texts:
        if found := re.search("&([^&])", text.replace("&&", "")):
            by_letter[found[1].lower()].append(text)
    return {letter: twice for letter, twice in by_letter.items() if len(twice) > 1}


@pytest.mark.parametrize("theme_name", ["light", "dark"])
def test_what_stands_in_an_empty_field_can_be_read(window: MainWindow, qtbot: QtBot, theme_name: str) -> None:
    window.settings_store.change(theme=theme_name)
    box = QComboBox(window, editable=True)
    box.show()
    line = box.lineEdit()
    assert line is not None
    line.ensurePolished()
    muted = QColor(window.theme.tokens.muted)
    assert line.palette().color(QPalette.ColorRole.PlaceholderText) == muted
    window.settings_store.change(theme="light")


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_the_list_of_models_shows_its_last_line(window: MainWindow, qtbot: QtBot) -> None:
    page = shown(window, qtbot, "train")
    box = page.findChild(ModelComboBox)
    assert isinstance(box, QComboBox)
    qtbot.waitUntil(lambda: box.count() > 1, timeout=5000)
    box.showPopup()
    qtbot.wait(50)
    missing = box.view().verticalScrollBar().maximum()
    box.hidePopup()
    assert missing == 0


def test_help_begins_with_the_keys_of_the_page(window: MainWindow, qtbot: QtBot) -> None:
    for item in NAVIGATION:
        shown(window, qtbot, item.name)
        window.action_registry["help.keys"].trigger()
        [dialog] = [one for one in window.findChildren(ShortcutsDialog) if one.isVisible()]
        has_keys = any(entry.menu == item.text and entry.action.shortcuts() for entry in window.action_registry)
        assert dialog.sheet.toPlainText().startswith(item.text if has_keys else "File"), item.name
        dialog.accept()
