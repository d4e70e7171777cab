"""Answering as a person does it: keys pressed, pairs read, answers on disk."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from desktop.jobs.review.annotation_rounds import start_annotation_round, start_assignment
from desktop.ui.pages.review.page import ReviewPage
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.shell.window import MainWindow
from miner.progress import Progress
from miner.records import Answer
from storage.annotation.annotation_rounds import RoundPlan
from tests.desktop.ui.app_driver import App
from tests.desktop.ui.judging.page_helpers import TWELVE_PAIRS, current_key, history, locked_by_another_program
from tests.split_factory import hold_out_all
from tests.storage.factories import remove

Key = Qt.Key


def test_one_key_answers_saves_and_shows_the_next(app: App, page: ReviewPage, context: ProjectContext) -> None:
    first = app.pair_key
    app.press("3")
    assert history(context) == [(first, None, "entailment")]
    assert app.pair_key != first
    assert "Your queue · random · 1 of 12" in app.text()
    assert page.previous_answer.answer_chip.label == "entailment"


def test_a_key_pressed_before_the_next_pair_is_there_answers_nothing(
    app: App, page: ReviewPage, context: ProjectContext
) -> None:
    first, second = page.session.queue.keys[:2]
    app.press_at_once("3", "1", "Space", "F")
    assert history(context) == [(first, None, "entailment")]
    assert history(context, "mark_events") == []
    assert app.pair_key == second
    assert page.notice.text == "A key pressed before this pair was shown was not counted."


def lengthen(page: ReviewPage, context: ProjectContext, wait_until_idle: Callable[[ReviewPage], None]) -> str:
    """The pair on the screen has a premise of many lines now; its key."""
    key = current_key(page)
    with context.project.transaction() as stores:
        long = "The beach was measured again in the following spring and once more after the storm, as planned. " * 14
        stores._connection.exec_driver_sql("UPDATE pairs SET premise = ? WHERE key = ?", (long, key))
    page.session.reload(None)
    wait_until_idle(page)
    return key


def in_sight(page: ReviewPage) -> bool:
    """Whether the end of the hypothesis is on the screen."""
    sentence = page.pair_view.hypothesis
    end = sentence.mapTo(page.pair_view.viewport(), sentence.rect().bottomLeft())
    return end.y() <= page.pair_view.viewport().height()


def test_page_keys_scroll_a_pair_that_is_longer_than_its_place(
    qtbot: QtBot, page: ReviewPage, context: ProjectContext, wait_until_idle: Callable[[ReviewPage], None]
) -> None:
    pair = page.pair_view
    assert not pair.more_button.isVisible()
    page.resize(1000, 520)
    lengthen(page, context, wait_until_idle)
    qtbot.waitUntil(pair.more_button.isVisible)
    assert pair.more_button.text().startswith(" More below · ")
    assert not in_sight(page)
    for _ in range(6):
        qtbot.keyClick(page, Key.Key_PageDown)
    assert in_sight(page)
    qtbot.waitUntil(pair.more_button.isHidden)
    for _ in range(6):
        qtbot.keyClick(page, Key.Key_PageUp)
    assert pair.verticalScrollBar().value() == 0
    page.answer_bar.buttons[Answer.NEUTRAL].setFocus()
    qtbot.keyClick(page.answer_bar.buttons[Answer.NEUTRAL], Key.Key_PageDown)
    assert pair.verticalScrollBar().value() > 0


def test_both_sentences_stay_whole_above_a_note_and_what_made_room_comes_back(qtbot: QtBot, page: ReviewPage) -> None:
    def stands() -> tuple[bool, ...]:
        return in_sight(page), page.previous_answer.isVisible(), page.answer_bar.hints["review.skip"].isVisible()

    page.resize(1000, 480)
    qtbot.waitUntil(lambda: stands() == (True, True, True))
    qtbot.keyClick(page, Key.Key_N)
    qtbot.waitUntil(lambda: stands() == (True, False, False))
    qtbot.keyClick(page.note_editor.text, Key.Key_Escape)
    qtbot.waitUntil(lambda: stands() == (True, True, True))


def test_sentences_are_smaller_where_enlarged_ones_would_not_be_whole(qtbot: QtBot, page: ReviewPage) -> None:
    pair = page.pair_view
    for sentence in (pair.premise, pair.hypothesis):
        sentence.show_text("observing how much a person whispers tells little about skill if the text is easy " * 3)
    full = pair.premise.font().pixelSize()
    page.context.theme.apply("light", 1.75, reduced_motion=True)
    page.resize(1300, 1100)
    qtbot.waitUntil(lambda: pair.premise.font().pixelSize() == page.context.theme.px(full))
    page.resize(900, 480)
    qtbot.waitUntil(lambda: full < pair.premise.font().pixelSize() < page.context.theme.px(full))
    qtbot.waitUntil(lambda: in_sight(page))
    page.resize(1300, 1100)
    qtbot.waitUntil(lambda: pair.premise.font().pixelSize() == page.context.theme.px(full))


@pytest.mark.parametrize("by", ["key", "click"])
def test_an_answer_before_both_sentences_were_on_the_screen_asks_once(
    app: App,
    qtbot: QtBot,
    page: ReviewPage,
    context: ProjectContext,
    wait_until_idle: Callable[[ReviewPage], None],
    by: str,
) -> None:
    def press() -> None:
        if by == "key":
            qtbot.keyClick(page, Key.Key_2)
        else:
            qtbot.mouseClick(page.answer_bar.buttons[Answer.REASONING], Qt.MouseButton.LeftButton)
        app.wait()

    page.resize(1000, 520)
    key = lengthen(page, context, wait_until_idle)
    qtbot.waitUntil(page.pair_view.more_button.isVisible)
    press()
    assert history(context) == []
    assert "You have not seen the whole pair yet." in app.text()
    qtbot.waitUntil(lambda: page.pair_view.verticalScrollBar().value() > 0)
    press()
    assert history(context) == [(key, None, "reasoning")]


def test_a_pair_read_to_its_end_is_answered_at_once(
    app: App, qtbot: QtBot, page: ReviewPage, context: ProjectContext, wait_until_idle: Callable[[ReviewPage], None]
) -> None:
    page.resize(1000, 520)
    key = lengthen(page, context, wait_until_idle)
    qtbot.waitUntil(page.pair_view.more_button.isVisible)
    while not page.pair_view.is_seen:
        before = page.pair_view.verticalScrollBar().value()
        qtbot.keyClick(page, Key.Key_PageDown)
        assert page.pair_view.verticalScrollBar().value() > before
        qtbot.wait(20)
    qtbot.keyClick(page, Key.Key_PageUp)
    app.press("2")
    assert history(context) == [(key, None, "reasoning")]


def test_a_failed_save_keeps_the_pair_and_forgets_the_keys_behind_it(
    app: App, qtbot: QtBot, page: ReviewPage, context: ProjectContext
) -> None:
    first = app.pair_key
    with locked_by_another_program(context):
        for key in (Key.Key_1, Key.Key_2, Key.Key_3):
            qtbot.keyClick(page, key)
        app.wait()
    assert app.pair_key == first
    assert "Not saved: " in app.text()
    assert "being written by another program" in app.text()
    assert history(context) == []
    app.press("4")
    assert history(context) == [(first, None, "neutral")]
    assert page.notice.text == ""


def test_undo_goes_back_to_the_pair_and_the_next_key_answers_it(app: App, context: ProjectContext) -> None:
    first = app.pair_key
    app.press_at_once("1", "Backspace", "2")
    assert history(context) == [
        (first, None, "contrasting"),
        (first, "contrasting", None),
        (first, None, "reasoning"),
    ]
    assert "Your queue · random · 1 of 12" in app.text()


def test_undo_after_the_last_pair_brings_it_back(app: App, page: ReviewPage) -> None:
    for _ in range(12):
        app.press("1")
    last = page.session.queue.keys[-1]
    assert page.stack.currentWidget() is page.summary
    page.session.undo()
    app.wait()
    assert page.stack.currentWidget() is page.side_panel
    assert app.pair_key == last
    assert page.session.queue.waiting_count == 1


def test_blind_mode_hides_what_the_phrase_says_until_the_pair_is_answered(
    app: App, page: ReviewPage, context: ProjectContext
) -> None:
    assert page.session.recorder.blind
    assert page.pair_view.origin_label.text() == ""
    assert page.pair_view.distant_chip.label == ""
    first = page.session.item
    assert first is not None
    app.press("2")
    assert page.previous_answer.origin_label.text() != ""
    app.press("Left")
    assert app.pair_key == first.pair.key
    assert page.pair_view.distant_chip.label == (first.pair.distant_label or "")
    with context.project.read_transaction() as stores:
        [event] = stores.answers.history(first.pair.key)
    assert event.seen.blind is True
    assert event.seen.premise == first.pair.premise
    assert event.seen.hidden == ("phrase", "distant_label")


def test_an_assigned_round_never_says_what_the_phrases_say(
    qtbot: QtBot,
    context: ProjectContext,
    make_page: Callable[[], ReviewPage],
    wait_until_idle: Callable[[ReviewPage], None],
) -> None:
    plan = RoundPlan(size=2)
    with context.project.transaction() as stores:
        hold_out_all(stores)
        name = stores.annotators.get(context.annotator).name
    start_annotation_round(context.project, plan, [name, "Ben"]).work(Progress())
    start_assignment(context.project, context.annotator, 1).work(Progress())
    page = make_page()
    first = current_key(page)
    qtbot.keyClick(page, Key.Key_2)
    wait_until_idle(page)
    shown = page.previous_answer
    assert (shown.key, shown.answer_chip.label) == (first, "reasoning")
    assert shown.origin_label.isHidden()
    assert shown.distant_chip.label == shown.suggested_chip.label == ""
    qtbot.keyClick(page, Key.Key_Left)
    wait_until_idle(page)
    assert current_key(page) == first
    assert page.pair_view.distant_chip.label == page.pair_view.origin_label.text() == ""
    page.start_round(TWELVE_PAIRS)
    wait_until_idle(page)
    qtbot.keyClick(page, Key.Key_2)
    wait_until_idle(page)
    assert page.previous_answer.origin_label.text() != ""


@pytest.mark.parametrize("keys", [(Key.Key_2,), (Key.Key_B, Key.Key_1)], ids=["answered", "bad"])
def test_a_pair_that_is_undone_is_blind_again_but_not_called_unseen(
    app: App, qtbot: QtBot, page: ReviewPage, context: ProjectContext, keys: tuple[Key, ...]
) -> None:
    first = app.pair_key
    for key in keys:
        qtbot.keyClick(page.focusWidget() or page, key)
        app.wait()
    assert page.previous_answer.key == first
    app.press("Backspace")
    assert app.pair_key == first
    assert page.previous_answer.origin_label.isHidden()
    app.press("3")
    with context.project.read_transaction() as stores:
        *_, event = stores.answers.history(first)
    assert (event.new, event.seen.hidden) == (Answer.ENTAILMENT, ())


def test_turning_blind_mode_off_shows_it_and_is_kept_with_the_answer(
    app: App, page: ReviewPage, context: ProjectContext, make_page: Callable[[], ReviewPage]
) -> None:
    page.round_bar.blind_button.click()
    assert page.pair_view.origin_label.text() != ""
    first = app.pair_key
    app.press("1")
    with context.project.read_transaction() as stores:
        [event] = stores.answers.history(first)
    assert (event.seen.blind, event.seen.hidden) == (False, ())
    page.close()
    assert not make_page().session.recorder.blind


def test_who_goes_back_is_told_where(app: App, page: ReviewPage) -> None:
    where = page.round_bar.title
    for _ in range(3):
        app.press("1")
    app.press("Left")
    assert where.text() == "Your queue · random · looking at 3 of 12"
    app.press("Right")
    assert where.text() == "Your queue · random · 3 of 12"
    app.press("Right")
    assert where.text() == "Your queue · random · looking at 5 of 12"


def test_the_answers_keep_their_words_where_there_is_little_room(qtbot: QtBot, page: ReviewPage) -> None:
    buttons = page.answer_bar.buttons.values()
    roomy = [button.height() for button in buttons]
    page.resize(470, 760)
    qtbot.waitUntil(lambda: all(button.height() > before for button, before in zip(buttons, roomy, strict=True)))


def test_a_skipped_pair_comes_back_at_the_end_also_after_a_restart(
    app: App, page: ReviewPage, make_page: Callable[[], ReviewPage]
) -> None:
    first = app.pair_key
    app.press("Space")
    assert app.pair_key != first
    app.press("1")
    here = app.pair_key
    page.close()
    again = make_page()
    assert current_key(again) == here
    assert again.session.queue.keys[-1] == first
    assert again.round_bar.title.text() == "Your queue · random · 1 of 12"


def test_pairs_that_vanish_are_left_out_with_a_sentence(app: App, page: ReviewPage, context: ProjectContext) -> None:
    here = app.pair_key
    with context.project.transaction() as stores:
        stores._connection.exec_driver_sql("DELETE FROM pairs WHERE key = ?", (here,))
    app.press("1")
    assert "no longer exist" in app.text()
    assert history(context) == []
    assert app.pair_key != here
    app.press("1")
    assert len(history(context)) == 1


def test_pairs_come_back_when_the_removal_of_their_paper_is_undone(
    app: App, page: ReviewPage, context: ProjectContext
) -> None:
    item = page.session.item
    assert item is not None
    with context.project.transaction() as stores:  # by another program
        remove(stores, item.md5)
    app.press("1")
    assert "no longer in the project" in app.text()
    context.undo()
    app.wait()
    assert item.pair.key in page.session.queue.keys
    assert page.round_bar.title.text() == "Your queue · random · 0 of 12"
    assert "no longer" not in app.text()


def test_an_answer_that_is_done_again_to_a_pair_that_is_gone_ends_in_a_sentence(
    app: App, page: ReviewPage, context: ProjectContext
) -> None:
    item = page.session.item
    assert item is not None
    app.press("1")
    app.wait()
    with context.project.transaction() as stores:  # by another program
        action = stores.actions.begin("zed", "Remove a paper", datetime.now(UTC))
        stores.paper_removals.remove(action, [item.md5])
    for reverse in (context.undo, context.redo):
        reverse()
        app.wait()
        assert not page.session.is_busy


def test_a_remapped_key_answers_and_is_shown(app: App, qtbot: QtBot, page: ReviewPage, context: ProjectContext) -> None:
    context.actions.use_keys({"answer.neutral": "0"})
    assert page.answer_bar.buttons[Answer.NEUTRAL].accessibleName() == "Neutral, key 0"
    first = app.pair_key
    qtbot.keyClick(page, Key.Key_4)
    app.press("0")
    assert history(context) == [(first, None, "neutral")]


def test_the_pair_stays_at_its_place(app: App, page: ReviewPage) -> None:
    places = set()
    for _ in range(5):
        places.add(page.pair_view.premise.mapTo(page, page.rect().topLeft()).toTuple())
        places.add(page.pair_view.hypothesis.mapTo(page, page.rect().topLeft()).toTuple())
        app.press("1")
    assert len(places) == 2


def test_ctrl_z_in_the_window_waits_for_the_answer_being_saved(qtbot: QtBot, window: MainWindow) -> None:
    assert window.context is not None
    context = window.context
    with qtbot.waitActive(window):
        window.activateWindow()
    window.show_page("review")
    page = window.page("review")
    assert isinstance(page, ReviewPage)

    def settled() -> bool:
        return not page.session.is_busy and not context.runner.running

    qtbot.waitUntil(lambda: page._loaded is not None and settled())
    page.start_round(TWELVE_PAIRS)
    qtbot.waitUntil(lambda: page.session.item is not None and settled() and page.pair_view.is_seen)
    first, second = page.session.queue.keys[:2]
    qtbot.keyClick(page, Key.Key_1)
    qtbot.waitUntil(lambda: settled() and page.pair_view.is_seen)
    qtbot.keyClick(page, Key.Key_2)
    qtbot.keyClick(page, Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClick(page, Key.Key_3)
    qtbot.waitUntil(settled)
    assert history(context) == [
        (first, None, "contrasting"),
        (second, None, "reasoning"),
        (second, "reasoning", None),
        (second, None, "entailment"),
    ]


def test_space_presses_the_button_that_has_the_focus_and_else_skips(
    qtbot: QtBot,
    context: ProjectContext,
    make_page: Callable[[], ReviewPage],
    wait_until_idle: Callable[[ReviewPage], None],
) -> None:
    page = make_page()
    assert page.focusWidget() is page.first_round.start_button
    qtbot.keyClick(page.first_round.start_button, Key.Key_Space)
    wait_until_idle(page)
    first = current_key(page)
    button = page.answer_bar.buttons[Answer.NEUTRAL]
    button.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.keyClick(button, Key.Key_Space)
    wait_until_idle(page)
    assert history(context) == [(first, None, "neutral")]
    assert page.focusWidget() is page
    second = current_key(page)
    qtbot.keyClick(page, Key.Key_Space)
    wait_until_idle(page)
    assert current_key(page) != second
    assert len(history(context)) == 1
