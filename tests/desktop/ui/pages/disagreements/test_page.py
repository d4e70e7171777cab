"""Disagreements as a person settles them: keys pressed, doubtful pairs read, answers on disk."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from desktop.jobs.models.doubt_record import DOUBTED
from desktop.jobs.review import answers
from desktop.ui.evidence.mend_dialog import MendDialog
from desktop.ui.filters.filter_picker import ValuePicker
from desktop.ui.judging.accept_dialog import AcceptDialog
from desktop.ui.pages.disagreements.page import NO_SUGGESTIONS, OTHER_MODEL, DisagreementsPage
from desktop.ui.services.project_context import ProjectContext
from miner.progress import Progress
from miner.records import Answer, Label
from storage.annotation.answers import AnswerSource
from storage.changes import Changes
from storage.models.suggestions import PairToScore
from storage.pairs.filters import PairFilter
from storage.pairs.mended_texts import SentenceField
from tests.desktop.ui.app_driver import App
from tests.desktop.ui.conftest import show_page
from tests.desktop.ui.judging.page_helpers import history
from tests.suggestion_factory import Opinion, distant_label_opinion, probabilities_for, suggest

Key = Qt.Key
_NEXT = {label: list(Label)[place - 1] for place, label in enumerate(Label)}


def another(wanted: PairToScore) -> tuple[float, ...]:
    """Other than the distant label, by as much as the pair's id says."""
    label = _NEXT[wanted.distant or Label.NEUTRAL]
    return probabilities_for(label, 0.7 + wanted.id % 100 / 500)


@pytest.fixture
def make_page(
    qtbot: QtBot, context: ProjectContext, wait_until_idle: Callable[[DisagreementsPage], None]
) -> Callable[[Opinion | None], DisagreementsPage]:
    """The page, over these suggestions."""

    def make(opinion: Opinion | None) -> DisagreementsPage:
        if opinion is not None:
            suggest(context.project, opinion)
        page = DisagreementsPage(context)
        show_page(page, qtbot)
        wait_until_idle(page)
        return page

    return make


@pytest.fixture
def page(make_page: Callable[[Opinion | None], DisagreementsPage]) -> DisagreementsPage:
    """Every label is doubted."""
    return make_page(another)


def test_the_most_doubtful_label_comes_first_with_all_three_opinions(page: DisagreementsPage) -> None:
    item = page.session.item
    assert item is not None
    assert item.suggestion is not None
    doubts = [page.session.reader.items[key].suggestion.doubt for key in page.session.queue.keys]  # type: ignore[union-attr]
    assert doubts == sorted(doubts, reverse=True)
    phrase, people, model = page.opinions.columns
    assert phrase.shares == {item.pair.distant_label: 1.0}
    assert people.subtitle == "no answer yet"
    assert max(model.shares, key=lambda label: model.shares[label]) is item.suggestion.label
    assert page.doubt.reason.text() != ""


def test_one_key_settles_saves_and_shows_the_next(app: App, page: DisagreementsPage, context: ProjectContext) -> None:
    first, waiting = app.pair_key, page.session.queue.waiting_count
    app.press("4")
    with context.project.read_transaction() as stores:
        [event] = stores.answers.history(first)
    assert (event.new, event.source, event.seen.blind) == (Answer.NEUTRAL, AnswerSource.ANSWER, False)
    assert event.seen.suggestion in set(Label)
    assert app.pair_key != first
    assert page.session.queue.waiting_count == waiting - 1
    assert page.previous_answer.answer_chip.label == "neutral"


def test_k_keeps_the_distant_label(app: App, page: DisagreementsPage, context: ProjectContext) -> None:
    item = page.session.item
    assert item is not None
    assert item.pair.distant_label is not None
    app.press("K")
    with context.project.read_transaction() as stores:
        assert stores.answers.of_pair(item.pair.key) == {"mk": Answer(item.pair.distant_label.value)}


def test_a_pair_whose_sentence_is_mended_stays_until_it_is_answered(app: App, page: DisagreementsPage) -> None:
    """Its suggestion, and with it the doubt, is gone: the model read another text."""
    key = app.pair_key
    app.press("E")
    [dialog] = page.findChildren(MendDialog)
    dialog.editors[SentenceField.PREMISE].text.setPlainText("Whole.")
    dialog.save()
    app.wait()
    item = page.session.item
    assert item is not None
    assert (item.pair.key, item.pair.premise, item.suggestion) == (key, "Whole.", None)


def test_a_accepts_the_suggestion_and_it_is_recorded_as_accepted(
    app: App, page: DisagreementsPage, context: ProjectContext
) -> None:
    item = page.session.item
    assert item is not None
    assert item.suggestion is not None
    app.press("A")
    with context.project.read_transaction() as stores:
        [event] = stores.answers.history(item.pair.key)
    assert (event.new, event.source) == (Answer(item.suggestion.label.value), AnswerSource.ACCEPTED)
    assert "Previous: accepted" in app.text()


@pytest.mark.parametrize("key", [Key.Key_K, Key.Key_A, Key.Key_5])
def test_a_key_pressed_before_the_next_pair_is_there_settles_nothing(
    app: App, qtbot: QtBot, page: DisagreementsPage, context: ProjectContext, key: Key
) -> None:
    first, second = page.session.queue.keys[:2]
    qtbot.keyClick(page, Key.Key_1)
    qtbot.keyClick(page, key)
    app.wait()
    assert app.pair_key == second
    with context.project.read_transaction() as stores:
        assert [len(stores.answers.history(key)) for key in (first, second)] == [1, 0]


def test_undo_goes_back_to_the_pair_and_it_waits_again(
    app: App, page: DisagreementsPage, context: ProjectContext
) -> None:
    first, waiting = app.pair_key, page.session.queue.waiting_count
    app.press("A")
    app.press("Backspace")
    assert app.pair_key == first
    assert page.session.queue.waiting_count == waiting
    with context.project.read_transaction() as stores:
        assert stores.answers.of_pair(first) == {}


def test_a_skipped_pair_comes_last(app: App, page: DisagreementsPage) -> None:
    first = app.pair_key
    app.press("Space")
    assert app.pair_key != first
    assert page.session.queue.keys[-1] == first


def test_the_badge_counts_doubted_pairs_that_nobody_answered(
    qtbot: QtBot,
    make_page: Callable[[Opinion | None], DisagreementsPage],
    context: ProjectContext,
    wait_until_idle: Callable[[DisagreementsPage], None],
) -> None:
    page = make_page(another)
    counts: list[int] = []
    page.badge_changed.connect(counts.append)
    qtbot.keyClick(page, Key.Key_K)
    wait_until_idle(page)
    with context.project.read_transaction() as stores:
        doubted = stores.suggestion_statistics.summary().doubted
    assert counts[-1] == doubted - 1


def test_without_suggestions_it_says_how_to_get_them(
    make_page: Callable[[Opinion | None], DisagreementsPage], context: ProjectContext
) -> None:
    page = make_page(None)
    asked: list[str] = []
    context.page_requested.connect(asked.append)
    assert page.stack.currentWidget() is page.empty
    assert page.empty.sentence.text() == NO_SUGGESTIONS
    page.empty.button.click()
    assert asked == ["suggest"]


def test_with_no_doubt_left_it_offers_less_doubtful_labels(
    make_page: Callable[[Opinion | None], DisagreementsPage], wait_until_idle: Callable[[DisagreementsPage], None]
) -> None:
    page = make_page(distant_label_opinion)
    assert page.stack.currentWidget() is page.done
    page.done.button.click()
    wait_until_idle(page)
    assert page.stack.currentWidget() is page.side_panel
    assert page.filter == PairFilter()


def test_suggestions_that_come_while_it_is_shown_fill_it(
    qtbot: QtBot,
    make_page: Callable[[Opinion | None], DisagreementsPage],
    context: ProjectContext,
    wait_until_idle: Callable[[DisagreementsPage], None],
) -> None:
    page = make_page(None)
    suggest(context.project, another)
    context.events.changed.emit(Changes(suggestions=True))
    qtbot.waitUntil(lambda: page.stack.currentWidget() is page.side_panel, timeout=5000)
    wait_until_idle(page)


def test_another_model_meanwhile_is_said_and_the_pair_stays(
    app: App, qtbot: QtBot, page: DisagreementsPage, context: ProjectContext
) -> None:
    first = app.pair_key
    suggest(context.project, lambda wanted: probabilities_for(Label.NEUTRAL, 0.9), model="second")
    context.events.changed.emit(Changes(suggestions=True))
    qtbot.waitUntil(lambda: page.notice.text != "", timeout=5000)
    app.wait()
    assert app.pair_key == first
    assert page.notice.text == OTHER_MODEL
    assert page.session.item is not None
    assert page.session.item.suggestion is not None
    assert page.session.item.suggestion.model == "second"


def test_it_lists_what_its_filter_means_and_says_when_that_is_done(app: App, page: DisagreementsPage) -> None:
    page.show_filter(PairFilter(distant=frozenset(("reasoning",))))
    app.wait()
    items = [page.session.reader.items[key] for key in page.session.queue.keys]
    assert {item.pair.distant_label for item in items} == {Label.REASONING}
    page.show_filter(PairFilter(distant=frozenset(("reasoning",)), doubt=(99, None)))
    app.wait()
    assert page.stack.currentWidget() is page.done
    assert "Clear the filter" in app.text()


def test_answers_given_elsewhere_are_not_asked_for_again(
    app: App, page: DisagreementsPage, context: ProjectContext
) -> None:
    second = page.session.queue.keys[1]
    judged = answers.answer(context.project, [second], "mk", Answer.NEUTRAL).work(Progress())
    context.events.changed.emit(judged.changes)
    app.wait()
    page.session.move(1)
    app.wait()
    assert not page.session.queue.is_waiting(second)


def test_many_are_accepted_after_a_look_and_taken_back_by_one_undo(
    app: App, qtbot: QtBot, page: DisagreementsPage, context: ProjectContext
) -> None:
    qtbot.keyClick(page, Key.Key_A, Qt.KeyboardModifier.ShiftModifier)
    dialog = page.findChild(AcceptDialog)
    assert isinstance(dialog, AcceptDialog)
    qtbot.waitUntil(lambda: dialog.preview is not None)
    dialog.confidence_box.setValue(80)
    qtbot.waitUntil(lambda: dialog.preview is not None)
    preview = dialog.preview
    assert preview is not None
    assert preview.count > 0
    assert dialog.accept_button.text() == f"Accept {preview.count:,} suggestions"
    assert preview.differing == preview.count
    assert dialog.preview_pane.differing_label.text() == "All differ from the distant label."
    said: list[str] = []
    context.message.connect(lambda text, undo: said.append(text))
    dialog.accept_button.click()
    app.wait()
    accepted = PairFilter(accepted=True)
    with context.project.read_transaction() as stores:
        assert stores.pair_table.count(accepted) == preview.count
    assert "done" in said[-1]
    context.undo()
    app.wait()
    with context.project.read_transaction() as stores:
        assert stores.pair_table.count(accepted) == 0


def test_the_dialog_has_nothing_to_accept_where_the_model_is_never_so_sure(
    qtbot: QtBot, page: DisagreementsPage, context: ProjectContext
) -> None:
    page.open_accept_dialog()
    dialog = page.findChild(AcceptDialog)
    assert isinstance(dialog, AcceptDialog)
    dialog.confidence_box.setValue(99)
    qtbot.waitUntil(lambda: dialog.preview is not None and not context.runner.running)
    assert not dialog.accept_button.isEnabled()
    assert dialog.preview_pane.count_number.text() == "0"
    dialog.reject()


def test_accepting_all_starts_with_what_the_page_lists(
    qtbot: QtBot, page: DisagreementsPage, context: ProjectContext
) -> None:
    page.open_accept_dialog()
    dialog = page.findChild(AcceptDialog)
    assert isinstance(dialog, AcceptDialog)
    qtbot.waitUntil(lambda: dialog.preview is not None and not context.runner.running)
    assert dialog.scope_box.currentData() == page.filter == DOUBTED
    assert dialog.scope_box.itemData(1) == PairFilter()
    assert dialog.preview is not None
    assert dialog.preview.count > 0
    qtbot.wait(20)  # until it is laid out
    shown = [example for example in dialog.preview_pane.examples if example.isVisible()]
    assert shown
    for line in (line for example in shown for line in (example.premise, example.hypothesis)):
        assert line.height() >= line.fontMetrics().height(), "its letters are cut"
    dialog.reject()


def test_accepting_all_waits_for_the_list_of_another_filter(app: App, page: DisagreementsPage) -> None:
    coastal = replace(page.filter, domains=frozenset({"coastal engineering"}))
    page.show_filter(coastal)
    assert not page.accept_all.isEnabled()
    page.open_accept_dialog()
    assert page.findChild(AcceptDialog) is None
    app.wait()
    assert page.accept_all.isEnabled()
    page.open_accept_dialog()
    dialog = page.findChild(AcceptDialog)
    assert isinstance(dialog, AcceptDialog)
    assert dialog.scope_box.itemData(0) == coastal
    assert "coastal engineering" in dialog.scope_box.itemText(0)
    app.wait()
    dialog.reject()


def test_a_long_reason_is_shown_whole(page: DisagreementsPage) -> None:
    line = page.doubt
    line.resize(300, 60)
    line.reason.setText("The model is sure it is contrasting (97 %), not entailment (1 %); " * 3)
    assert line.reason.wordWrap()
    assert line.layout().heightForWidth(300) > 2 * line.reason.fontMetrics().height()


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
def test_what_is_typed_in_a_filters_list_is_no_command_of_the_page(
    app: App, page: DisagreementsPage, context: ProjectContext, qtbot: QtBot
) -> None:
    page.filters.pick("domains")
    app.wait()
    picker = page.filters.picker
    assert isinstance(picker, ValuePicker)
    assert picker.list.hasFocus()
    for key in (Key.Key_1, Key.Key_F):
        qtbot.keyClick(picker.list, key)
    app.wait()
    assert history(context) == history(context, "mark_events") == []
    qtbot.keyClick(picker.list, Key.Key_Escape)
    assert page.filters.picker is None


def test_the_page_says_how_often_such_doubts_were_right(app: App, page: DisagreementsPage) -> None:
    assert page.doubt.record.text().startswith("Of ten labels that starter doubts, about 4 are wrong")
    app.press("4")
    page.show_filter(DOUBTED)
    app.wait()
    assert page.doubt.record.text().startswith("Of 1 doubted label that people answered,")


def test_the_confidence_for_at_most_so_many_wrong_takes_answers(
    app: App, qtbot: QtBot, page: DisagreementsPage, context: ProjectContext
) -> None:
    page.open_accept_dialog()
    dialog = page.findChild(AcceptDialog)
    assert isinstance(dialog, AcceptDialog)
    qtbot.waitUntil(lambda: dialog.preview is not None and not context.runner.running)
    before = dialog.confidence_box.value()
    dialog.find_button.click()
    qtbot.waitUntil(lambda: dialog.promise_label.isVisible())
    assert dialog.promise_label.text().startswith("At most 10 % wrong cannot be promised yet: it takes 22 answers")
    assert dialog.confidence_box.value() == before
    dialog.reject()
