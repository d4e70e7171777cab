"""Reading errors in Review: digits tag, Enter goes on, the system's answer is beside the pair or hidden."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from desktop.jobs.lab.experiments.errors import draw_errors
from desktop.jobs.review.rounds import RoundOptions
from desktop.ui.pages.review.page import ReviewPage
from desktop.ui.services.project_context import ProjectContext
from miner.progress import Progress
from miner.records import Answer
from storage.pairs.tags import LABEL_WRONG, PHRASE_MISLEADS
from tests.desktop.experiment_factory import Scripted, store_experiment
from tests.desktop.ui.judging.page_helpers import current_key

Key = Qt.Key
_NUMBER = 5


@pytest.fixture
def script(context: ProjectContext) -> Scripted:
    return store_experiment(context.project)


@pytest.fixture
def start(
    context: ProjectContext, script: Scripted, make_page: Callable[[], ReviewPage]
) -> Callable[[bool], ReviewPage]:
    def start(blind: bool) -> ReviewPage:
        cells = [script.keys[0, "own", "own", seed] for seed in (1, 2)]
        draw_errors(context.project, cells, _NUMBER, 1, annotator=context.annotator, blind=blind).work(Progress())
        return make_page()

    return start


def tags(context: ProjectContext, key: str) -> frozenset[str]:
    with context.project.read_transaction() as stores:
        return stores.marks.tags_of([key]).get(key, frozenset())


def test_digits_tag_a_pair_and_enter_goes_on(
    qtbot: QtBot,
    context: ProjectContext,
    start: Callable[[bool], ReviewPage],
    wait_until_idle: Callable[[ReviewPage], None],
) -> None:
    page = start(False)
    first = current_key(page)
    assert page.tag_bar.isVisible()
    assert not page.answer_bar.buttons[Answer.NEUTRAL].isVisible()  # digits are tags
    assert page.tag_bar.answer_label.text().startswith("Labelled ")
    assert page.round_bar.title.text() == f"Errors · 0 of {_NUMBER}"
    qtbot.keyClick(page.tag_bar, Key.Key_1)
    qtbot.keyClick(page.tag_bar, Key.Key_2)  # before the first one is on disk
    wait_until_idle(page)
    assert tags(context, first) == {LABEL_WRONG, PHRASE_MISLEADS}
    assert current_key(page) == first
    qtbot.mouseClick(page.pair_view.premise, Qt.MouseButton.LeftButton)
    page.setFocus()
    qtbot.keyClick(page, Key.Key_2)  # digits are tags wherever the focus is
    wait_until_idle(page)
    assert tags(context, first) == {LABEL_WRONG}
    assert [tag for tag, button in page.tag_bar.buttons.items() if button.isChecked()] == [LABEL_WRONG]
    qtbot.keyClick(page.tag_bar, Key.Key_Return)
    wait_until_idle(page)
    assert current_key(page) != first
    assert page.round_bar.title.text() == f"Errors · 1 of {_NUMBER}"
    assert not any(button.isChecked() for button in page.tag_bar.buttons.values())
    page.session.undo()
    wait_until_idle(page)
    assert current_key(page) == first
    assert tags(context, first) == {LABEL_WRONG, PHRASE_MISLEADS}


def test_a_pair_without_a_tag_comes_again_and_the_last_tag_ends_the_round(
    qtbot: QtBot,
    context: ProjectContext,
    start: Callable[[bool], ReviewPage],
    wait_until_idle: Callable[[ReviewPage], None],
) -> None:
    page = start(False)
    first = current_key(page)
    qtbot.keyClick(page.tag_bar, Key.Key_Return)
    wait_until_idle(page)
    assert current_key(page) != first
    for _ in range(_NUMBER):
        qtbot.keyClick(page.tag_bar, Key.Key_9)
        page.tag_bar.other.setEditText("negation, missed")
        qtbot.keyClick(page.tag_bar.other.field, Key.Key_Return)
        wait_until_idle(page)
        last = current_key(page)
        qtbot.keyClick(page.tag_bar, Key.Key_Return)
        wait_until_idle(page)
    assert last == first
    assert tags(context, first) == {"negation missed"}
    assert page.stack.currentWidget() is page.summary
    assert page.summary.title.text() == "The errors are read"
    page.summary.again_button.click()
    wait_until_idle(page)
    assert page.tag_bar.buttons["negation missed"].isChecked()


def test_label_and_answer_are_hidden_until_enter_is_pressed(
    qtbot: QtBot,
    context: ProjectContext,
    start: Callable[[bool], ReviewPage],
    wait_until_idle: Callable[[ReviewPage], None],
) -> None:
    page = start(True)
    first = current_key(page)
    assert "Enter" in page.tag_bar.answer_label.text()
    assert page.answer_bar.buttons[Answer.NEUTRAL].isVisible()
    assert not any(button.isVisible() for button in page.tag_bar.buttons.values())
    assert page.pair_view.origin_label.text() == ""
    qtbot.keyClick(page.tag_bar, Key.Key_Return)
    wait_until_idle(page)
    assert current_key(page) == first
    assert page.tag_bar.answer_label.text().startswith("Labelled ")
    qtbot.keyClick(page.tag_bar, Key.Key_4)
    qtbot.keyClick(page.tag_bar, Key.Key_Return)
    wait_until_idle(page)
    assert current_key(page) != first
    assert "Enter" in page.tag_bar.answer_label.text()
    page.start_round(RoundOptions(size=3))  # the blindness of other rounds is their own
    wait_until_idle(page)
    assert not page.tag_bar.isVisible()
    assert page.session.recorder.blind
    page.set_blind(False)
    wait_until_idle(page)
    assert not page.session.recorder.blind


def test_an_answer_does_not_say_why_and_leaves_the_pair_where_it_is(
    qtbot: QtBot,
    context: ProjectContext,
    start: Callable[[bool], ReviewPage],
    wait_until_idle: Callable[[ReviewPage], None],
) -> None:
    page = start(True)
    first = current_key(page)
    qtbot.keyClick(page, Key.Key_3)
    wait_until_idle(page)
    assert current_key(page) == first
    assert page.session.item is not None
    assert page.session.item.mine == "entailment"
    assert page.tag_bar.answer_label.text().startswith("Labelled ")
    qtbot.keyClick(page.tag_bar, Key.Key_Escape)
    assert not page.tag_bar.isVisible()
    qtbot.keyClick(page, Key.Key_T)
    assert page.tag_bar.isVisible()
