"""Questions about kinds of reasoning, answered as a person does it: real keys in the real window."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from desktop.jobs.review.annotation_rounds import list_rounds, start_annotation_round
from desktop.jobs.review.answers import answer, undo
from desktop.ui.pages.kinds.answer_tab import KindsAnswerTab
from desktop.ui.pages.kinds.page import KindsPage
from desktop.ui.pages.pairs.table_view import PairTableView
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.services.runner import JobRunner
from desktop.ui.shell.window import MainWindow
from miner.kinds.questionnaire import Answers
from miner.kinds.taxonomy import Direction
from miner.progress import Progress
from miner.records import Answer
from storage.annotation.annotation_rounds import RoundAsks, RoundKind, RoundPlan
from storage.annotation.annotators import Role
from storage.changes import EVERYTHING
from storage.pairs.filters import PairFilter
from storage.project import Project
from tests.answer_file_factory import send
from tests.desktop.ui.conftest import OpenInWindow, is_idle, press_key, show_page
from tests.storage.annotation.kinds_round_factory import TEMPORAL, answer_round
from tests.storage.annotation.round_factory import add_people
from tests.storage.factories import remove

Key = Qt.Key
Wait = Callable[[KindsAnswerTab], None]
_KEYS = {"\n": Key.Key_Return, "\b": Key.Key_Backspace, " ": Key.Key_Space, "?": Key.Key_Question}


@pytest.fixture
def page(qtbot: QtBot, context: ProjectContext, wait_until_idle: Wait) -> KindsPage:
    page = KindsPage(context)
    show_page(page, qtbot)
    wait_until_idle(page.answer)
    return page


@pytest.fixture
def tab(page: KindsPage, wait_until_idle: Wait) -> KindsAnswerTab:
    """A round of three pairs, none answered."""
    page.answer.start_form.size_box.setValue(3)
    page.answer.start_form.draw_button.click()
    wait_until_idle(page.answer)
    return page.answer


@pytest.fixture
def type_keys(wait_until_idle: Wait) -> Callable[[KindsAnswerTab, str], None]:
    """`type_keys(tab, "2e\\n")`: press these keys, each when the question before it is on the screen."""

    def type_keys(tab: KindsAnswerTab, keys: str) -> None:
        for key in keys:
            pressed = _KEYS.get(key) or Key(ord(key.upper()))
            shift = Qt.KeyboardModifier.ShiftModifier if key.isupper() else Qt.KeyboardModifier.NoModifier
            QTest.keyClick(QApplication.focusWidget() or tab, pressed, shift)
            wait_until_idle(tab)

    return type_keys


def asked(tab: KindsAnswerTab) -> str:
    assert tab.session.questions is not None
    return tab.session.questions.asked


def key_of(tab: KindsAnswerTab) -> str:
    assert tab.session.item is not None
    return tab.session.item.pair.key


def stored(context: ProjectContext, key: str, annotator: str = "mk") -> Answers:
    with context.project.read_transaction() as stores:
        return stores.kinds.answers(key, annotator)


def test_a_pair_is_answered_by_keys_alone_and_the_next_one_comes(
    tab: KindsAnswerTab, context: ProjectContext, type_keys: Callable[[KindsAnswerTab, str], None]
) -> None:
    first = key_of(tab)
    assert not tab.pair_view.origin_label.text()
    assert tab.kinds_bar.title.text() == "Round 1 · 0 of 3"
    type_keys(tab, "2")
    assert asked(tab) == "outside"
    assert stored(context, first) == {"relation": {"reasoning"}}
    type_keys(tab, "ow\nrl\ncc")
    assert [row.key for row in tab.card.shown_rows if row.isChecked()] == []  # the second c has taken the first back
    type_keys(tab, "cw\nn\ns\n")
    assert [chip.text() for chip in tab.card.chips if chip.isVisible()] == [
        *("Relation R", "Enough? O", "Knowledge W", "Needs R L", "Reasoning C W"),
        *("Connectives N", "Form S", "Direction"),
    ]
    type_keys(tab, "f")
    assert key_of(tab) != first
    assert (asked(tab), tab.kinds_bar.title.text()) == ("relation", "Round 1 · 1 of 3")
    with context.project.read_transaction() as stores:
        found = stores.kinds.all()[first]["mk"]
    assert found.categories == {"world", "causal", "coreference", "negation", "syntactic"}
    assert (found.relation, found.direction, found.complete) == ("reasoning", Direction.FORWARD, True)


def test_what_waits_is_counted_before_the_page_is_shown(
    qtbot: QtBot, tab: KindsAnswerTab, context: ProjectContext, type_keys: Callable[[KindsAnswerTab, str], None]
) -> None:
    type_keys(tab, "5")
    badges: list[int] = []
    ahead = KindsPage(context)
    qtbot.addWidget(ahead)
    ahead.badge_changed.connect(badges.append)
    qtbot.waitUntil(lambda: badges == [2])


def test_neutral_pairs_take_the_short_way_and_the_round_ends_with_counts(
    tab: KindsAnswerTab, type_keys: Callable[[KindsAnswerTab, str], None]
) -> None:
    type_keys(tab, "4n")
    assert asked(tab) == "direction"
    type_keys(tab, "n4yyn")
    assert asked(tab) == "outside"  # they say something about the same subject: the whole way
    type_keys(tab, "el\n\nu")
    assert (asked(tab), tab.kinds_bar.title.text()) == ("relation", "Round 1 · 2 of 3")
    type_keys(tab, "5")  # unclear: no more questions
    assert tab.stack.currentWidget() is tab.summary
    assert tab.summary.title.text() == "Round 1 is done"
    assert "3 pairs answered" in tab.summary.text.text()
    assert "Neither: 1" in tab.summary.text.text()
    assert QApplication.focusWidget() is tab.summary.another_button
    tab.summary.another_button.click()
    assert tab.stack.currentWidget() is tab.start_form


def test_an_undo_brings_no_pair_back_of_a_round_whose_draw_was_undone(
    tab: KindsAnswerTab, context: ProjectContext, wait_until_idle: Wait
) -> None:
    other = tab.session.queue.keys[-1]
    context.undo()
    wait_until_idle(tab)
    assert tab.stack.currentWidget() is tab.start_form
    context.change(answer(context.project, [other], context.annotator, Answer.NEUTRAL))
    wait_until_idle(tab)
    context.undo()
    wait_until_idle(tab)
    assert tab.stack.currentWidget() is tab.start_form
    assert tab.session.item is None


def test_going_back_loses_nothing_and_a_changed_answer_keeps_the_later_ones(
    tab: KindsAnswerTab,
    context: ProjectContext,
    type_keys: Callable[[KindsAnswerTab, str], None],
    wait_until_idle: Wait,
) -> None:
    first = key_of(tab)
    type_keys(tab, "2el\nls\b")  # the ticks of the question that is left are saved, too
    assert asked(tab) == "way"
    assert stored(context, first) == {"relation": {"reasoning"}, "outside": {"e"}, "way": {"l"}, "form": {"l", "s"}}
    type_keys(tab, "\b\b")
    assert asked(tab) == "relation"
    type_keys(tab, "4")  # another way, and the answers to the first one are kept
    assert asked(tab) == "topic"
    type_keys(tab, "\b3\n\n")
    assert (asked(tab), [row.key for row in tab.card.shown_rows if row.isChecked()]) == ("form", ["l", "s"])
    type_keys(tab, "\nb\b")  # after the last question, back to the pair before
    assert (key_of(tab), asked(tab)) == (first, "direction")
    type_keys(tab, "\n")
    assert key_of(tab) != first
    type_keys(tab, "\b")
    chips = {chip.objectName(): chip for chip in tab.card.chips}
    chips["way"].click()
    assert asked(tab) == "way"
    type_keys(tab, "r")
    tab.hide()  # as another page does
    wait_until_idle(tab)
    assert stored(context, first)["way"] == {"r", "l"}


def test_letters_are_answers_and_with_shift_they_are_what_they_are_in_review(
    tab: KindsAnswerTab, context: ProjectContext, type_keys: Callable[[KindsAnswerTab, str], None]
) -> None:
    first = key_of(tab)
    type_keys(tab, "f")  # at the first question as in Review
    assert tab.pair_view.flagged_label.isVisible()
    type_keys(tab, "4f")
    assert tab.pair_view.flagged_label.isVisible()
    assert tab.notice.text == "F is none of the answers here. Shift+F: Flag or unflag."
    type_keys(tab, "FN")
    assert not tab.pair_view.flagged_label.isVisible()
    tab.note_editor.text.setPlainText("Is this one topic?")
    QTest.keyClick(tab.note_editor.text, Qt.Key.Key_Return)  # not the next question
    type_keys(tab, "n")
    assert stored(context, first) == {"relation": {"neutral"}, "topic": {"n"}}
    assert "Is this one topic?" in tab.pair_view.marks_label.text()
    type_keys(tab, "?")
    assert tab.help.isVisible()
    assert not tab.guide.classes.isVisible()
    assert tab.is_action_enabled("skip")
    assert not tab.is_action_enabled("neutral")
    type_keys(tab, " ")
    assert key_of(tab) != first
    assert tab.guide.classes.isVisible()


def test_undo_goes_back_question_by_question_also_after_the_project_was_opened_again(
    tab: KindsAnswerTab,
    context: ProjectContext,
    type_keys: Callable[[KindsAnswerTab, str], None],
    qtbot: QtBot,
    runner: JobRunner,
    request: pytest.FixtureRequest,
    open_in_window: OpenInWindow,
) -> None:
    first = key_of(tab)
    type_keys(tab, "4nn4")
    qtbot.waitUntil(lambda: not runner.running)
    path = context.path
    context.close()
    empty_window: MainWindow = request.getfixturevalue("empty_window")  # only now: it takes the keyboard
    open_in_window(empty_window, path)
    empty_window.show_page("kinds")
    page = empty_window.page("kinds")
    assert isinstance(page, KindsPage)
    again = page.answer
    opened = empty_window.context
    assert opened is not None
    qtbot.waitUntil(lambda: again.session.item is not None and again.pair_view.is_painted)
    assert (asked(again), key_of(again) != first) == ("topic", True)

    def undo(key: Key = Key.Key_Z) -> None:
        press_key(empty_window, key, Qt.KeyboardModifier.ControlModifier)
        qtbot.waitUntil(lambda: not (runner.running or again.session.is_busy))

    again.setFocus()
    undo()
    assert (asked(again), key_of(again) != first) == ("relation", True)
    undo()
    assert (key_of(again), asked(again)) == (first, "direction")
    undo()
    assert (asked(again), stored(opened, first)) == ("topic", {"relation": {"neutral"}})
    undo(Key.Key_Y)
    assert stored(opened, first) == {"relation": {"neutral"}, "topic": {"n"}}


def test_selected_pairs_are_asked_about_blind_whatever_review_has_said(
    window: MainWindow, qtbot: QtBot, runner: JobRunner
) -> None:
    window.show_page("pairs")
    context = window.context
    assert context is not None
    context.pairs_requested.emit(PairFilter(text="beach"))
    table = window.page("pairs").findChild(PairTableView)
    assert isinstance(table, PairTableView)
    qtbot.waitUntil(lambda: not runner.running and bool(table.model().ids))
    window.action_registry["pairs.all"].trigger()
    press_key(window, Key.Key_1)  # Review's answer
    qtbot.waitUntil(lambda: not runner.running)
    wanted = len(table.model().ids)
    press_key(window, Key.Key_K)
    qtbot.waitUntil(lambda: window.current_page() == "kinds")
    page = window.page("kinds")
    assert isinstance(page, KindsPage)
    tab = page.answer
    qtbot.waitUntil(lambda: tab.session.item is not None and tab.pair_view.is_painted)
    assert tab.kinds_bar.title.text() == f"Selected pairs · 0 of {wanted}"
    assert not any(button.isChecked() for button in tab.answer_bar.buttons.values())
    assert not tab.pair_view.origin_label.text()
    press_key(window, Key.Key_5)
    qtbot.waitUntil(lambda: not (runner.running or tab.session.is_busy))
    assert tab.kinds_bar.title.text() == f"Selected pairs · 1 of {wanted}"
    tab.kinds_bar.back_button.click()
    qtbot.waitUntil(lambda: tab.stack.currentWidget() is tab.start_form)


def test_selected_pairs_come_back_with_their_paper(
    tab: KindsAnswerTab, context: ProjectContext, wait_until_idle: Wait
) -> None:
    with context.project.transaction() as stores:
        ids = stores.pair_table.ids(PairFilter())
        keys = tuple(stores.pair_table.keys(ids[:2] + ids[-1:]))
        paper = stores.rounds.items(keys[:1], context.annotator)[0].md5
    tab.ask_about(keys)
    wait_until_idle(tab)
    with context.project.transaction() as stores:
        remove(stores, paper)
    context.events.changed.emit(EVERYTHING)
    wait_until_idle(tab)
    assert not set(keys) <= set(tab.session.queue.keys)
    undo(context.project, "").work(Progress())
    context.events.changed.emit(EVERYTHING)
    wait_until_idle(tab)
    assert set(tab.session.queue.keys) == set(keys)
    assert tab.kinds_bar.title.text() == "Selected pairs · 0 of 3"


def test_a_key_pressed_before_its_question_was_shown_answers_nothing(
    tab: KindsAnswerTab,
    context: ProjectContext,
    type_keys: Callable[[KindsAnswerTab, str], None],
    qtbot: QtBot,
    wait_until_idle: Wait,
) -> None:
    first = key_of(tab)
    type_keys(tab, "4")
    for key in (Key.Key_Y, Key.Key_N):
        qtbot.keyClick(tab, key)
    wait_until_idle(tab)
    assert stored(context, first) == {"relation": {"neutral"}, "topic": {"y"}}
    assert tab.notice.text == "A key pressed before this question was shown was ignored."


def test_a_project_that_can_only_be_read_shows_answers_and_takes_none(
    tab: KindsAnswerTab,
    context: ProjectContext,
    type_keys: Callable[[KindsAnswerTab, str], None],
    qtbot: QtBot,
    wait_until_idle: Wait,
) -> None:
    first = key_of(tab)
    type_keys(tab, "4n")
    context.read_only, context.read_only_reason = True, "Somebody else has it."
    page = KindsPage(context)
    show_page(page, qtbot)
    wait_until_idle(page.answer)
    assert (key_of(page.answer), asked(page.answer)) == (first, "direction")
    assert "Pairs cannot be answered." in page.answer.notice.text
    type_keys(page.answer, "n\b4")
    assert asked(page.answer) == "topic"
    assert stored(context, first) == {"relation": {"neutral"}, "topic": {"n"}}


def test_without_pairs_the_tab_says_what_to_do_and_each_round_is_drawn_in_the_project(
    tab: KindsAnswerTab, context: ProjectContext, empty_context: ProjectContext, qtbot: QtBot
) -> None:
    [round] = list_rounds(context.project).work(Progress())
    assert [(one.name, one.left) for one in round.assignments] == [("mk", 3)]
    page = KindsPage(empty_context)
    show_page(page, qtbot)
    qtbot.waitUntil(lambda: page.answer.stack.currentWidget() is page.answer.empty)
    with qtbot.waitSignal(empty_context.page_requested):
        page.answer.empty.button.click()


def test_after_a_pair_of_a_pilot_the_answers_stand_beside_those_of_the_reference(
    page: KindsPage, context: ProjectContext, type_keys: Callable[[KindsAnswerTab, str], None], wait_until_idle: Wait
) -> None:
    plan = RoundPlan(RoundKind.PILOT, asks=RoundAsks.KINDS, pairs=2)
    add_people(context.project, {"mk": Role.ANNOTATOR, "Ref": Role.REFERENCE})
    start_annotation_round(context.project, plan).work(Progress())
    with context.project.transaction() as stores:
        first, second = stores.annotation_rounds.keys(1)
        answer_round(stores, "Ref", {first: TEMPORAL})
    tab = page.answer
    context.kinds_round_requested.emit(1)
    wait_until_idle(tab)
    assert (key_of(tab), tab.kinds_bar.title.text()) == (first, "Pilot round 1 · 0 of 2")
    type_keys(tab, "2er\nc\n\nf")
    assert key_of(tab) == first
    assert tab.comparison.heading.text() == "4 of 6 answers as Ref answered"
    shown = [label.text() for label in tab.comparison.findChildren(QLabel) if label.isVisible()]
    assert "The hypothesis gives the premise" in shown
    assert any("Temporal: " in text for text in shown)
    type_keys(tab, "e\b")  # a letter answers nothing here; Backspace goes back to the last question
    assert (asked(tab), tab.card.isVisible(), tab.comparison.isVisible()) == ("direction", True, False)
    type_keys(tab, "b")
    assert tab.comparison.heading.text() == "5 of 6 answers as Ref answered"
    type_keys(tab, "\n")
    assert key_of(tab) == second
    type_keys(tab, "5")  # the reference has not answered it
    assert tab.stack.currentWidget() is tab.summary


def test_the_window_of_an_answer_file_has_the_questions_alone(
    project: Project, tmp_path: Path, empty_window: MainWindow, open_in_window: OpenInWindow, qtbot: QtBot
) -> None:
    plan = RoundPlan(asks=RoundAsks.KINDS, pairs=2)
    start_annotation_round(project, plan, ["Ada"]).work(Progress())
    [file] = send(project, tmp_path / "sent")
    project.close()
    open_in_window(empty_window, file)
    assert empty_window.current_page() == "kinds"
    page = empty_window.page("kinds")
    assert isinstance(page, KindsPage)
    tab = page.answer
    qtbot.waitUntil(lambda: tab.session.item is not None and is_idle(tab, tab.context))
    assert not page.tabs.tabBar().isVisible()
    assert not tab.pair_view.source_label.isVisible()
    for _ in range(2):
        before = tab.session.item
        press_key(empty_window, Key.Key_5)
        qtbot.waitUntil(lambda: is_idle(tab, tab.context))
        assert tab.session.item is not before, tab.notice.text()
    qtbot.waitUntil(lambda: tab.stack.currentWidget() is tab.summary)
    assert f"send {file.name} back" in tab.summary.text.text()
    assert tab.summary.another_button.isHidden()
