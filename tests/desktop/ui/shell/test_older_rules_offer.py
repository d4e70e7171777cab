"""A project of an earlier version is offered a split when it is opened: once a session, until it is decided."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from desktop.jobs.exchange.project_split import set_split
from desktop.ui.pages.annotate.page import AnnotatePage
from desktop.ui.pages.annotate.split_dialog import SplitDialog, SplitWay
from desktop.ui.shell.window import MainWindow
from miner.records import Label
from miner.splits import shares_split
from storage.pairs.filters import PairFilter
from storage.project import Project
from tests.desktop.ui.conftest import OpenInWindow, close_project
from tests.storage.annotation.round_factory import answer, hold_rules_everywhere


@pytest.fixture
def older_path(project_path: Path) -> Path:
    with Project.open(project_path) as project:
        hold_rules_everywhere(project)
        with project.transaction() as stores:
            first, second, third = stores.pair_table.keys(stores.pair_table.ids(PairFilter()))[:3]
            answer(stores, first, *[Label.NEUTRAL] * 3)
            answer(stores, second, Label.NEUTRAL)
            answer(stores, third, Label.NEUTRAL)
    return project_path


def test_it_is_offered_once_a_session_until_the_papers_are_split(
    empty_window: MainWindow, older_path: Path, open_in_window: OpenInWindow, qtbot: QtBot
) -> None:
    window, offer = empty_window, empty_window.central.offer
    open_in_window(window, older_path)
    qtbot.waitUntil(lambda: "2 answered pairs have too few" in offer.text())
    offer.close_button.click()
    assert not offer.text()
    close_project(qtbot, window)
    open_in_window(window, older_path)
    qtbot.waitUntil(lambda: not window.runner.running)
    assert not offer.text()


def test_it_is_not_above_a_pair_nor_above_rounds_which_say_it_themselves(
    empty_window: MainWindow, older_path: Path, open_in_window: OpenInWindow, qtbot: QtBot
) -> None:
    window, offer = empty_window, empty_window.central.offer
    open_in_window(window, older_path)
    qtbot.waitUntil(offer.isVisible)
    window.show_page("review")
    assert not offer.isVisible()
    window.show_page("papers")
    assert offer.isVisible()
    window.show_page("annotate")
    assert not offer.text()
    page = window.page("annotate")
    assert isinstance(page, AnnotatePage)
    qtbot.waitUntil(lambda: page.overview is not None)
    assert "2 answered pairs have too few" in page.next_step.sentence.text()


def test_it_opens_the_dialog_and_goes_when_the_papers_are_split(
    empty_window: MainWindow, older_path: Path, open_in_window: OpenInWindow, qtbot: QtBot
) -> None:
    window, offer = empty_window, empty_window.central.offer
    open_in_window(window, older_path)
    qtbot.waitUntil(lambda: bool(offer.text()))
    offer.button.click()
    qtbot.waitUntil(lambda: bool(window.findChildren(SplitDialog)))
    [asked] = window.findChildren(SplitDialog)
    assert (window.current_page(), asked.way) == ("annotate", SplitWay.GOLD)
    asked.reject()
    assert not offer.text()


def test_it_goes_when_the_papers_are_split_elsewhere(
    empty_window: MainWindow, older_path: Path, open_in_window: OpenInWindow, qtbot: QtBot
) -> None:
    window, offer = empty_window, empty_window.central.offer
    open_in_window(window, older_path)
    qtbot.waitUntil(lambda: bool(offer.text()))
    context = window.context
    assert context is not None
    context.change(set_split(context.project, shares_split(60, 20, 20), confirmed=True))
    qtbot.waitUntil(lambda: not offer.text())
