"""Review as a person does it: keys pressed, pairs read, answers on disk."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from desktop.jobs.review import answers
from desktop.jobs.review.rounds import RoundOptions
from desktop.ui.pages.review.page import ReviewPage
from desktop.ui.pages.review.round_options import RoundDialog
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.shell.window import MainWindow
from desktop.ui.widgets.questions import TextQuestion
from miner.progress import Progress
from miner.records import Answer, Strategy
from storage.annotation.marks import MarkKind
from storage.annotation.rounds import RoundOrder
from storage.changes import Changes
from storage.pairs.filters import PairFilter
from storage.settings import GUIDELINES

Key = Qt.Key
SEED = RoundOptions(RoundOrder.RANDOM, size=12, seed=3)


@pytest.fixture
def settle(qtbot: QtBot, context: ProjectContext) -> Callable[[ReviewPage], None]:
    """Wait until nothing is being read or saved, and the pair is painted."""

    def quiet(page: ReviewPage) -> bool:
        is_painted = page.stack.currentWidget() is not page.side_panel or page.pair_view.is_painted
        return is_painted and not page.session.is_busy and not context.runner.running

    def wait(page: ReviewPage) -> None:
        qtbot.waitUntil(lambda: quiet(page), timeout=5000)

    return wait


@pytest.fixture
def make(qtbot: QtBot, context: ProjectContext, settle: Callable[[ReviewPage], None]) -> Callable[[], ReviewPage]:
    def built() -> ReviewPage:
        page = ReviewPage(context)
        qtbot.addWidget(page)
        page.resize(1100, 760)
        page.show()
        page.activateWindow()
        qtbot.waitActive(page).__enter__()
        page.activate()
        settle(page)
        return page

    return built


@pytest.fixture
def page(make: Callable[[], ReviewPage], settle: Callable[[ReviewPage], None]) -> ReviewPage:
    """Twelve pairs, none answered."""
    page = make()
    page.start_round(SEED)
    settle(page)
    return page


def events(context: ProjectContext, table: str = "label_events") -> list[tuple[str, str | None, str | None]]:
    """(pair, before, after) of the history."""
    with context.project.read_transaction() as stores:
        rows = stores._connection.exec_driver_sql(f"SELECT pair_key, old, new FROM {table} ORDER BY id")
        return [tuple(row) for row in rows]


@contextmanager
def held(context: ProjectContext) -> Iterator[None]:
    """Another program is writing to the project, and does not end soon."""
    context.project._busy_timeout_s = 0.1
    context.project._writer.dispose()
    with closing(sqlite3.connect(context.path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")


def shown(page: ReviewPage) -> str:
    assert page.session.item is not None
    return page.session.item.pair.key


def test_one_key_answers_saves_and_shows_the_next(
    qtbot: QtBot, page: ReviewPage, context: ProjectContext, settle: Callable[[ReviewPage], None]
) -> None:
    first = shown(page)
    qtbot.keyClick(page, Key.Key_3)
    settle(page)
    assert events(context) == [(first, None, "entailment")]
    assert shown(page) != first
    assert page.round_bar.title.text() == "Round 1 · 1 of 12"
    assert page.previous_answer.answer_chip.label == "entailment"


def test_a_key_pressed_before_the_next_pair_is_there_answers_nothing(
    qtbot: QtBot, page: ReviewPage, context: ProjectContext, settle: Callable[[ReviewPage], None]
) -> None:
    first, second = page.session.queue.keys[:2]
    for key in (Key.Key_3, Key.Key_1, Key.Key_Space, Key.Key_F):
        qtbot.keyClick(page, key)
    settle(page)
    assert events(context) == [(first, None, "entailment")]
    assert events(context, "mark_events") == []
    assert shown(page) == second
    assert page.notice.text == "A key pressed before this pair was shown was not counted."


def lengthen(page: ReviewPage, context: ProjectContext, settle: Callable[[ReviewPage], None]) -> str:
    """The pair on the screen has a premise of many lines now; its key."""
    key = shown(page)
    with context.project.transaction() as stores:
        long = "The beach was measured again in the following spring and once more after the storm, as planned. " * 14
        stores._connection.exec_driver_sql("UPDATE pairs SET premise = ? WHERE key = ?", (long, key))
    page.session.reload(None)
    settle(page)
    return key


def in_sight(page: ReviewPage) -> bool:
    """Whether the end of the hypothesis is on the screen."""
    sentence = page.pair_view.hypothesis
    end = sentence.mapTo(page.pair_view.viewport(), sentence.rect().bottomLeft())
    return end.y() <= page.pair_view.viewport().height()


def test_page_keys_scroll_a_pair_that_is_longer_than_its_place(
    qtbot: QtBot, page: ReviewPage, context: ProjectContext, settle: Callable[[ReviewPage], None]
) -> None:
    pair = page.pair_view
    assert not pair.more_button.isVisible()
    page.resize(1000, 520)
    lengthen(page, context, settle)
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


@pytest.mark.parametrize("by", ["key", "click"])
def test_an_answer_before_both_sentences_were_on_the_screen_asks_once(
    qtbot: QtBot, page: ReviewPage, context: ProjectContext, settle: Callable[[ReviewPage], None], by: str
) -> None:
    def press() -> None:
        if by == "key":
            qtbot.keyClick(page, Key.Key_2)
        else:
            qtbot.mouseClick(page.answer_bar.buttons[Answer.REASONING], Qt.MouseButton.LeftButton)
        settle(page)

    page.resize(1000, 520)
    key = lengthen(page, context, settle)
    qtbot.waitUntil(page.pair_view.more_button.isVisible)
    press()
    assert events(context) == []
    assert page.notice.text.startswith("Not all of this pair was on the screen yet.")
    qtbot.waitUntil(lambda: page.pair_view.verticalScrollBar().value() > 0)
    press()
    assert events(context) == [(key, None, "reasoning")]


def test_a_pair_read_to_its_end_is_answered_at_once(
    qtbot: QtBot, page: ReviewPage, context: ProjectContext, settle: Callable[[ReviewPage], None]
) -> None:
    page.resize(1000, 520)
    key = lengthen(page, context, settle)
    qtbot.waitUntil(page.pair_view.more_button.isVisible)
    while not page.pair_view.is_seen:
        before = page.pair_view.verticalScrollBar().value()
        qtbot.keyClick(page, Key.Key_PageDown)
        assert page.pair_view.verticalScrollBar().value() > before
        qtbot.wait(20)
    qtbot.keyClick(page, Key.Key_PageUp)
    qtbot.keyClick(page, Key.Key_2)
    settle(page)
    assert events(context) == [(key, None, "reasoning")]


def test_what_asks_why_a_pair_is_bad_is_never_about_another(
    qtbot: QtBot, page: ReviewPage, context: ProjectContext, settle: Callable[[ReviewPage], None]
) -> None:
    first = shown(page)
    qtbot.keyClick(page, Key.Key_B)
    qtbot.keyClick(page.reject_bar, Key.Key_Right)
    assert shown(page) == first
    page.setFocus()  # as by a click beside it
    qtbot.keyClick(page, Key.Key_1)
    settle(page)
    assert events(context) == []
    assert page.reject_bar.hasFocus()
    page.setFocus()
    qtbot.keyClick(page, Key.Key_Right)
    settle(page)
    assert shown(page) != first
    assert page.reject_bar.isHidden()


def test_a_failed_save_keeps_the_pair_and_forgets_the_keys_behind_it(
    qtbot: QtBot, page: ReviewPage, context: ProjectContext, settle: Callable[[ReviewPage], None]
) -> None:
    first = shown(page)
    with held(context):
        for key in (Key.Key_1, Key.Key_2, Key.Key_3):
            qtbot.keyClick(page, key)
        settle(page)
    assert shown(page) == first
    assert page.notice.text.startswith("Not saved: ")
    assert "being written by another program" in page.notice.text
    assert events(context) == []
    qtbot.keyClick(page, Key.Key_4)
    settle(page)
    assert events(context) == [(first, None, "neutral")]
    assert page.notice.text == ""


def test_undo_goes_back_to_the_pair_and_the_next_key_answers_it(
    qtbot: QtBot, page: ReviewPage, context: ProjectContext, settle: Callable[[ReviewPage], None]
) -> None:
    first = shown(page)
    for key in (Key.Key_1, Key.Key_Backspace, Key.Key_2):
        qtbot.keyClick(page, key)
    settle(page)
    assert events(context) == [
        (first, None, "contrasting"),
        (first, "contrasting", None),
        (first, None, "reasoning"),
    ]
    assert page.round_bar.title.text() == "Round 1 · 1 of 12"


def test_undo_after_the_last_pair_brings_it_back(
    qtbot: QtBot, page: ReviewPage, settle: Callable[[ReviewPage], None]
) -> None:
    for _ in range(12):
        qtbot.keyClick(page, Key.Key_1)
        settle(page)
    last = page.session.queue.keys[-1]
    assert page.stack.currentWidget() is page.summary
    page.session.undo()
    settle(page)
    assert page.stack.currentWidget() is page.side_panel
    assert shown(page) == last
    assert page.session.queue.waiting_count == 1


def test_blind_mode_hides_what_the_phrase_says_until_the_pair_is_answered(
    qtbot: QtBot, page: ReviewPage, context: ProjectContext, settle: Callable[[ReviewPage], None]
) -> None:
    assert page.session.recorder.blind
    assert page.pair_view.origin_label.text() == ""
    assert page.pair_view.distant_chip.label == ""
    first = page.session.item
    assert first is not None
    qtbot.keyClick(page, Key.Key_2)
    settle(page)
    assert page.previous_answer.origin_label.text() != ""
    qtbot.keyClick(page, Key.Key_Left)
    settle(page)
    assert shown(page) == first.pair.key
    assert page.pair_view.distant_chip.label == (first.pair.distant_label or "")
    with context.project.read_transaction() as stores:
        [event] = stores.answers.history(first.pair.key)
    assert event.seen.blind is True
    assert event.seen.premise == first.pair.premise
    assert event.seen.hidden == ("phrase", "distant_label")


@pytest.mark.parametrize("keys", [(Key.Key_2,), (Key.Key_B, Key.Key_1)], ids=["answered", "bad"])
def test_a_pair_that_is_undone_is_blind_again_but_not_called_unseen(
    qtbot: QtBot, page: ReviewPage, context: ProjectContext, settle: Callable[[ReviewPage], None], keys: tuple[Key, ...]
) -> None:
    first = shown(page)
    for key in keys:
        qtbot.keyClick(page.focusWidget() or page, key)
        settle(page)
    assert page.previous_answer.key == first
    qtbot.keyClick(page, Key.Key_Backspace)
    settle(page)
    assert shown(page) == first
    assert page.previous_answer.origin_label.isHidden()
    qtbot.keyClick(page, Key.Key_3)
    settle(page)
    with context.project.read_transaction() as stores:
        *_, event = stores.answers.history(first)
    assert (event.new, event.seen.hidden) == (Answer.ENTAILMENT, ())


def test_turning_blind_mode_off_shows_it_and_is_kept_with_the_answer(
    qtbot: QtBot,
    page: ReviewPage,
    context: ProjectContext,
    make: Callable[[], ReviewPage],
    settle: Callable[[ReviewPage], None],
) -> None:
    page.round_bar.blind_button.click()
    assert page.pair_view.origin_label.text() != ""
    first = shown(page)
    qtbot.keyClick(page, Key.Key_1)
    settle(page)
    with context.project.read_transaction() as stores:
        [event] = stores.answers.history(first)
    assert (event.seen.blind, event.seen.hidden) == (False, ())
    page.close()
    assert not make().session.recorder.blind


def test_who_goes_back_is_told_where(qtbot: QtBot, page: ReviewPage, settle: Callable[[ReviewPage], None]) -> None:
    where = page.round_bar.title
    for _ in range(3):
        qtbot.keyClick(page, Key.Key_1)
        settle(page)
    qtbot.keyClick(page, Key.Key_Left)
    settle(page)
    assert where.text() == "Round 1 · looking at 3 of 12"
    qtbot.keyClick(page, Key.Key_Right)
    settle(page)
    assert where.text() == "Round 1 · 3 of 12"
    qtbot.keyClick(page, Key.Key_Right)
    settle(page)
    assert where.text() == "Round 1 · looking at 5 of 12"


def test_the_answers_keep_their_words_where_there_is_little_room(qtbot: QtBot, page: ReviewPage) -> None:
    buttons = page.answer_bar.buttons.values()
    roomy = [button.height() for button in buttons]
    page.resize(470, 760)
    qtbot.waitUntil(lambda: all(button.height() > before for button, before in zip(buttons, roomy, strict=True)))


def test_before_a_round_its_order_and_size_are_chosen_and_the_keys_are_shown(
    context: ProjectContext, make: Callable[[], ReviewPage], settle: Callable[[ReviewPage], None]
) -> None:
    page = make()
    assert page.stack.currentWidget() is page.first_round
    page.first_round.order_box.select(RoundOrder.BY_PAPER)
    page.first_round.size_box.setValue(7)
    assert page.first_round.start_button.text() == "Start a round of 7"
    told = " ".join(label.text() for label in page.first_round.keys_box.findChildren(QLabel))
    assert told.startswith("1 2 3 4 5")
    page.first_round.start_button.click()
    settle(page)
    assert page._round is not None
    assert (page._round.order, len(page._round.keys)) == (RoundOrder.BY_PAPER, 7)


def test_a_skipped_pair_comes_back_at_the_end_also_after_a_restart(
    qtbot: QtBot,
    page: ReviewPage,
    make: Callable[[], ReviewPage],
    settle: Callable[[ReviewPage], None],
) -> None:
    first = shown(page)
    qtbot.keyClick(page, Key.Key_Space)
    settle(page)
    assert shown(page) != first
    qtbot.keyClick(page, Key.Key_1)
    settle(page)
    here = shown(page)
    page.close()
    again = make()
    assert shown(again) == here
    assert again.session.queue.keys[-1] == first
    assert again.round_bar.title.text() == "Round 1 · 1 of 12"


def test_a_note_is_typed_beside_the_pair_and_no_letter_of_it_is_a_verb(
    qtbot: QtBot, page: ReviewPage, context: ProjectContext, settle: Callable[[ReviewPage], None]
) -> None:
    first = shown(page)
    qtbot.keyClick(page, Key.Key_N)
    qtbot.keyClicks(page.note_editor.text, "1 bad fun")
    qtbot.keyClick(page.note_editor.text, Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    settle(page)
    assert events(context) == []
    assert events(context, "mark_events") == [(first, None, "1 bad fun")]
    assert "Note: 1 bad fun" in page.pair_view.marks_label.text()
    assert page.note_editor.isHidden()
    qtbot.keyClick(page, Key.Key_N)
    qtbot.keyClicks(page.note_editor.text, "no")
    qtbot.keyClick(page.note_editor.text, Key.Key_Escape)
    settle(page)
    assert len(events(context, "mark_events")) == 1
    assert page.focusWidget() is page


def test_a_note_that_escape_closed_is_there_when_it_is_opened_again_but_for_one_that_was_cancelled(
    qtbot: QtBot, page: ReviewPage, context: ProjectContext
) -> None:
    note = page.note_editor
    for end, left in (
        (lambda: qtbot.keyClick(note.text, Key.Key_Escape), "half a thou"),
        (note.cancel_button.click, ""),
    ):
        qtbot.keyClick(page, Key.Key_N)
        note.text.setPlainText("half a thou")
        end()
        qtbot.keyClick(page, Key.Key_N)
        assert note.text.toPlainText() == left
        qtbot.keyClick(note.text, Key.Key_Escape)
    assert events(context, "mark_events") == []


def test_a_note_that_cannot_be_saved_is_open_again_with_its_text(
    qtbot: QtBot, page: ReviewPage, context: ProjectContext, settle: Callable[[ReviewPage], None]
) -> None:
    with held(context):
        qtbot.keyClick(page, Key.Key_N)
        qtbot.keyClicks(page.note_editor.text, "mind the gap")
        page.note_editor.save_button.click()
        settle(page)
    assert page.note_editor.isVisible()
    assert page.note_editor.text.toPlainText() == "mind the gap"
    page.note_editor.save_button.click()
    settle(page)
    assert [new for _, _, new in events(context, "mark_events")] == ["mind the gap"]


def test_a_digit_says_why_a_pair_is_bad_and_takes_it_out(
    qtbot: QtBot, page: ReviewPage, context: ProjectContext, settle: Callable[[ReviewPage], None]
) -> None:
    first = shown(page)
    qtbot.keyClick(page, Key.Key_B)
    qtbot.keyClick(page.reject_bar, Key.Key_2)
    settle(page)
    assert events(context) == []
    assert events(context, "mark_events") == [(first, None, "wrong_boundary")]
    assert shown(page) != first
    assert page.round_bar.title.text() == "Round 1 · 1 of 12"
    qtbot.keyClick(page, Key.Key_Backspace)
    settle(page)
    assert shown(page) == first
    assert page.session.queue.waiting_count == 12


def test_a_flag_is_set_and_taken_back_by_the_same_key(
    qtbot: QtBot, page: ReviewPage, context: ProjectContext, settle: Callable[[ReviewPage], None]
) -> None:
    first = shown(page)
    qtbot.keyClick(page, Key.Key_F)
    settle(page)
    assert page.pair_view.flagged_label.isVisible()
    assert page.answer_bar.hints["review.flag"].text() == "F unflag"
    qtbot.keyClick(page, Key.Key_F)
    settle(page)
    assert not page.pair_view.flagged_label.isVisible()
    assert page.answer_bar.hints["review.flag"].text() == "F flag"
    assert events(context, "mark_events") == [(first, None, "1"), (first, "1", None)]
    assert shown(page) == first


def test_pairs_that_vanish_are_left_out_with_a_sentence(
    qtbot: QtBot, page: ReviewPage, context: ProjectContext, settle: Callable[[ReviewPage], None]
) -> None:
    here = shown(page)
    with context.project.transaction() as stores:
        stores._connection.exec_driver_sql("DELETE FROM pairs WHERE key = ?", (here,))
    qtbot.keyClick(page, Key.Key_1)
    settle(page)
    assert "gone" in page.notice.text
    assert events(context) == []
    assert shown(page) != here
    qtbot.keyClick(page, Key.Key_1)
    settle(page)
    assert len(events(context)) == 1


def test_papers_removed_elsewhere_shrink_the_round(
    page: ReviewPage, context: ProjectContext, settle: Callable[[ReviewPage], None]
) -> None:
    item = page.session.item
    assert item is not None
    with context.project.transaction() as stores:
        stores.papers.remove(item.md5)
    context.events.changed.emit(Changes(papers=True, pairs=True))
    settle(page)
    assert page.session.item is not None
    assert page.session.item.md5 != item.md5
    with context.project.read_transaction() as stores:
        waiting = [key for key in page.session.queue.keys if page.session.queue.is_waiting(key)]
        assert stores.pairs.present(waiting) == tuple(waiting)
    assert 0 < len(waiting) < 12


def test_pairs_chosen_elsewhere_are_shown_with_my_answer_and_can_be_answered_again(
    qtbot: QtBot, page: ReviewPage, context: ProjectContext, settle: Callable[[ReviewPage], None]
) -> None:
    here = shown(page)
    qtbot.keyClick(page, Key.Key_1)
    settle(page)
    context.review_requested.emit((here,))
    settle(page)
    assert shown(page) == here
    assert page.answer_bar.buttons[Answer.CONTRASTING].isChecked()
    qtbot.keyClick(page, Key.Key_4)
    settle(page)
    assert events(context)[-1] == (here, "contrasting", "neutral")
    assert page.answer_bar.buttons[Answer.NEUTRAL].isChecked()
    page.round_bar.back_button.click()
    settle(page)
    assert page.round_bar.title.text() == "Round 1 · 1 of 12"


def test_a_filter_asked_for_elsewhere_shows_its_pairs(
    page: ReviewPage, context: ProjectContext, settle: Callable[[ReviewPage], None]
) -> None:
    context.review_requested.emit(PairFilter(strategies=frozenset({Strategy.LINKED})))
    settle(page)
    assert page.session.item is not None
    assert page.session.item.pair.strategy is Strategy.LINKED
    assert page.round_bar.title.text().startswith("Selected pairs · 0 of ")


def test_an_answer_given_elsewhere_shows_here(
    page: ReviewPage, context: ProjectContext, settle: Callable[[ReviewPage], None]
) -> None:
    here = shown(page)
    judged = answers.answer(context.project, [here], "mk", Answer.NEUTRAL).work(Progress())
    context.events.changed.emit(judged.changes)
    settle(page)
    assert page.answer_bar.buttons[Answer.NEUTRAL].isChecked()
    assert page.session.queue.waiting_count == 11


def test_whoever_annotates_is_asked_before_the_first_round(
    context: ProjectContext,
    make: Callable[[], ReviewPage],
    settle: Callable[[ReviewPage], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    context.annotator = ""
    asked: list[str] = []

    def answer(box: TextQuestion) -> int:
        asked.append("asked")
        box.line.setText(" ada ")
        return 1

    monkeypatch.setattr(TextQuestion, "exec", answer)
    page = make()
    assert page.stack.currentWidget() is page.first_round
    page.first_round.start_button.click()
    settle(page)
    assert asked == ["asked"]
    assert context.annotator == "ada"
    assert page.session.item is not None


def test_who_is_asked_and_has_a_round_carries_on_with_it(
    qtbot: QtBot,
    context: ProjectContext,
    page: ReviewPage,
    make: Callable[[], ReviewPage],
    settle: Callable[[ReviewPage], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    qtbot.keyClick(page, Key.Key_1)
    settle(page)
    page.close()
    name, context.annotator = context.annotator, ""
    monkeypatch.setattr(TextQuestion, "ask", lambda _: name)
    again = make()
    again.first_round.start_button.click()
    qtbot.waitUntil(lambda: again.session.item is not None)
    assert again.round_bar.title.text() == "Round 1 · 1 of 12"


def test_a_project_that_can_only_be_read_says_why_no_answer_is_possible(
    qtbot: QtBot, context: ProjectContext, make: Callable[[], ReviewPage], settle: Callable[[ReviewPage], None]
) -> None:
    with context.project.read_transaction() as stores:
        key = str(stores._connection.exec_driver_sql("SELECT key FROM pairs LIMIT 1").scalar_one())
    context.read_only, context.read_only_reason = True, "Somebody else has it."
    page = make()
    assert "Somebody else has it." in page.first_round.sentence.text()
    page.review((key,))
    settle(page)
    qtbot.keyClick(page, Key.Key_1)
    settle(page)
    assert events(context) == []
    assert "Somebody else has it." in page.notice.text
    assert not page.answer_bar.buttons[Answer.NEUTRAL].isEnabled()


def test_a_project_without_pairs_says_what_to_do(
    qtbot: QtBot, context: ProjectContext, make: Callable[[], ReviewPage]
) -> None:
    with context.project.transaction() as stores:
        for md5 in stores.papers.md5s():
            stores.papers.remove(md5)
    page = make()
    assert page.stack.currentWidget() is page.empty
    with qtbot.waitSignal(context.page_requested) as asked:
        page.empty.button.click()
    assert asked.args == ["papers"]


def test_the_round_dialog_offers_the_domains_and_what_the_table_shows(qtbot: QtBot, page: ReviewPage) -> None:
    wanted = PairFilter(text="sand")
    dialog = RoundDialog(page.context.theme, {"ecology": 2, "nlp": 1}, wanted, page.options, page)
    assert dialog.order_box.findData(RoundOrder.BY_SEARCH) >= 0
    dialog.pairs_box.setCurrentIndex(1)
    dialog.order_box.setCurrentIndex(dialog.order_box.findData(RoundOrder.BY_PAPER))
    dialog.size_box.setValue(7)
    assert dialog.options() == RoundOptions(RoundOrder.BY_PAPER, wanted, 7)
    dialog.pairs_box.setCurrentIndex(2)
    assert dialog.options().filter == PairFilter(domains=frozenset({"ecology"}))


def test_guidelines_are_written_and_kept(
    qtbot: QtBot, page: ReviewPage, context: ProjectContext, settle: Callable[[ReviewPage], None]
) -> None:
    qtbot.keyClick(page, Key.Key_G)
    assert page.side_panel.open_panel == "guide"
    page.guide.edit_button.click()
    qtbot.keyClicks(page.guide.editor, "1 means it contradicts")
    qtbot.keyClick(page.guide.editor, Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    settle(page)
    assert events(context) == []
    assert "1 means it contradicts" in page.guide.viewer.toPlainText()
    with context.project.read_transaction() as stores:
        assert stores.settings.get(GUIDELINES) == "1 means it contradicts"
    page.setFocus()
    qtbot.keyClick(page, Key.Key_Escape)
    assert page.side_panel.open_panel == ""


def test_context_opens_blind_and_is_told_with_the_answer(
    qtbot: QtBot, page: ReviewPage, context: ProjectContext, settle: Callable[[ReviewPage], None]
) -> None:
    qtbot.keyClick(page, Key.Key_C)
    settle(page)
    first = shown(page)
    assert page.side_panel.evidence.key == first
    assert page.side_panel.evidence._blind
    qtbot.keyClick(page, Key.Key_1)
    settle(page)
    assert page.side_panel.evidence.key == shown(page)
    with context.project.read_transaction() as stores:
        [event] = stores.answers.history(first)
    assert event.seen.context is True


def test_a_remapped_key_answers_and_is_shown(
    qtbot: QtBot, page: ReviewPage, context: ProjectContext, settle: Callable[[ReviewPage], None]
) -> None:
    context.actions.use_keys({"review.neutral": "0"})
    assert page.answer_bar.buttons[Answer.NEUTRAL].accessibleName() == "Neutral, key 0"
    first = shown(page)
    qtbot.keyClick(page, Key.Key_4)
    qtbot.keyClick(page, Key.Key_0)
    settle(page)
    assert events(context) == [(first, None, "neutral")]


def test_the_pair_stays_at_its_place(qtbot: QtBot, page: ReviewPage, settle: Callable[[ReviewPage], None]) -> None:
    places = set()
    for _ in range(5):
        places.add(page.pair_view.premise.mapTo(page, page.rect().topLeft()).toTuple())
        places.add(page.pair_view.hypothesis.mapTo(page, page.rect().topLeft()).toTuple())
        qtbot.keyClick(page, Key.Key_1)
        settle(page)
    assert len(places) == 2


def test_ctrl_z_in_the_window_waits_for_the_answer_being_saved(qtbot: QtBot, window: MainWindow) -> None:
    assert window.context is not None
    context = window.context
    window.activateWindow()
    qtbot.waitActive(window).__enter__()
    window.show_page("review")
    page = window.page("review")
    assert isinstance(page, ReviewPage)

    def settled() -> bool:
        return not page.session.is_busy and not context.runner.running

    qtbot.waitUntil(lambda: page._loaded is not None and settled())
    page.start_round(SEED)
    qtbot.waitUntil(lambda: page.session.item is not None and settled() and page.pair_view.is_seen)
    first, second = page.session.queue.keys[:2]
    qtbot.keyClick(page, Key.Key_1)
    qtbot.waitUntil(lambda: settled() and page.pair_view.is_seen)
    qtbot.keyClick(page, Key.Key_2)
    qtbot.keyClick(page, Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClick(page, Key.Key_3)
    qtbot.waitUntil(settled)
    assert events(context) == [
        (first, None, "contrasting"),
        (second, None, "reasoning"),
        (second, "reasoning", None),
        (second, None, "entailment"),
    ]


def test_space_presses_the_button_that_has_the_focus_and_else_skips(
    qtbot: QtBot, context: ProjectContext, make: Callable[[], ReviewPage], settle: Callable[[ReviewPage], None]
) -> None:
    page = make()
    assert page.focusWidget() is page.first_round.start_button
    qtbot.keyClick(page.first_round.start_button, Key.Key_Space)
    settle(page)
    first = shown(page)
    button = page.answer_bar.buttons[Answer.NEUTRAL]
    button.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.keyClick(button, Key.Key_Space)
    settle(page)
    assert events(context) == [(first, None, "neutral")]
    assert page.focusWidget() is page
    second = shown(page)
    qtbot.keyClick(page, Key.Key_Space)
    settle(page)
    assert shown(page) != second
    assert len(events(context)) == 1


def test_what_waits_is_counted_before_the_page_is_shown(
    qtbot: QtBot, page: ReviewPage, context: ProjectContext, settle: Callable[[ReviewPage], None]
) -> None:
    qtbot.keyClick(page, Key.Key_1)
    settle(page)
    badges: list[int] = []
    ahead = ReviewPage(context)
    qtbot.addWidget(ahead)
    ahead.badge_changed.connect(badges.append)
    settle(page)
    assert badges == [11]


def test_bulk_marks_from_elsewhere_take_pairs_out_of_the_round(
    page: ReviewPage, context: ProjectContext, settle: Callable[[ReviewPage], None]
) -> None:
    judged = answers.mark_all(context.project, PairFilter(), "ben", MarkKind.BAD, "other").work(Progress())
    context.events.changed.emit(Changes(many_annotated=True))
    settle(page)
    assert judged.count > 12
    assert page.session.queue.waiting_count == 0


def test_the_panel_is_as_wide_when_it_is_opened_again_at_the_next_start(
    qtbot: QtBot, page: ReviewPage, make: Callable[[], ReviewPage]
) -> None:
    qtbot.keyClick(page, Key.Key_G)
    wide = page.side_panel.panels.width()
    assert wide > page.side_panel.panels.minimumWidth() + 50
    page.close()
    again = make()
    qtbot.waitUntil(lambda: again.side_panel.open_panel == "guide")
    qtbot.waitUntil(lambda: abs(again.side_panel.panels.width() - wide) < 3)
