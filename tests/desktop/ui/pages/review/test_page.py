"""The Review page: rounds, pairs selected elsewhere, the panels beside the pair."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from desktop.jobs.mining.run import NO_MODEL, mine
from desktop.jobs.papers.imports import import_papers
from desktop.jobs.review import answers
from desktop.jobs.review.rounds import RoundOptions
from desktop.ui.pages.review.page import ReviewPage
from desktop.ui.pages.review.round_options import RoundDialog
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.services.runner import ENDED, JobRunner
from desktop.ui.widgets.questions import TextQuestion
from miner.progress import Progress
from miner.records import Answer, Strategy
from storage.annotation.marks import MarkKind
from storage.annotation.rounds import RoundOrder
from storage.changes import Changes
from storage.pairs.filters import PairFilter
from storage.settings import GUIDELINES
from tests.desktop.ui.app_driver import App
from tests.desktop.ui.conftest import show_page
from tests.desktop.ui.judging.page_helpers import history
from tests.sample_papers import SAMPLES
from tests.storage.factories import remove

Key = Qt.Key


def test_before_a_round_its_order_and_size_are_chosen_and_the_keys_are_shown(
    context: ProjectContext, make_page: Callable[[], ReviewPage], wait_until_idle: Callable[[ReviewPage], None]
) -> None:
    page = make_page()
    assert page.stack.currentWidget() is page.first_round
    page.first_round.order_box.select(RoundOrder.BY_PAPER)
    page.first_round.size_box.setValue(7)
    assert page.first_round.start_button.text() == "Start a queue of 7"
    told = " ".join(label.text() for label in page.first_round.keys_box.findChildren(QLabel))
    assert told.startswith("1 2 3 4 5")
    page.first_round.start_button.click()
    wait_until_idle(page)
    assert page._round is not None
    assert (page._round.order, len(page._round.keys)) == (RoundOrder.BY_PAPER, 7)


def test_the_last_answers_and_pairs_on_the_clipboard_are_looked_at_again(app: App, page: ReviewPage) -> None:
    answered = []
    for answer in (Answer.NEUTRAL, Answer.REASONING):
        answered.append(app.pair_key)
        page.answer(answer)
        app.wait()
    page.review_last_answers()
    app.wait()
    assert page._selected_keys == tuple(reversed(answered))
    QGuiApplication.clipboard().setText(f"id\tlabel\n{'0' * 32}\tneutral\n{answered[0]}\tneutral\n")
    page.review_named()
    app.wait()
    assert page._selected_keys == (answered[0],)


def test_papers_removed_elsewhere_shrink_the_round(app: App, page: ReviewPage, context: ProjectContext) -> None:
    item = page.session.item
    assert item is not None
    with context.project.transaction() as stores:
        remove(stores, item.md5)
    context.events.changed.emit(Changes(papers=True, pairs=True))
    app.wait()
    assert page.session.item is not None
    assert page.session.item.md5 != item.md5
    with context.project.read_transaction() as stores:
        waiting = [key for key in page.session.queue.keys if page.session.queue.is_waiting(key)]
        assert stores.pairs.present(waiting) == tuple(waiting)
    assert 0 < len(waiting) < 12


def test_pairs_chosen_elsewhere_are_shown_with_my_answer_and_can_be_answered_again(
    app: App, page: ReviewPage, context: ProjectContext
) -> None:
    here = app.pair_key
    app.press("1")
    context.review_requested.emit((here,))
    app.wait()
    assert app.pair_key == here
    assert page.answer_bar.buttons[Answer.CONTRASTING].isChecked()
    app.press("4")
    assert history(context)[-1] == (here, "contrasting", "neutral")
    assert page.answer_bar.buttons[Answer.NEUTRAL].isChecked()
    page.round_bar.back_button.click()
    app.wait()
    assert "Your queue · random · 1 of 12" in app.text()


def test_a_filter_asked_for_elsewhere_shows_its_pairs(app: App, page: ReviewPage, context: ProjectContext) -> None:
    context.review_requested.emit(PairFilter(strategies=frozenset({Strategy.LINKED})))
    app.wait()
    assert page.session.item is not None
    assert page.session.item.pair.strategy is Strategy.LINKED
    assert "Selected pairs · 0 of " in app.text()


def test_an_answer_given_elsewhere_shows_here(app: App, page: ReviewPage, context: ProjectContext) -> None:
    here = app.pair_key
    judged = answers.answer(context.project, [here], "mk", Answer.NEUTRAL).work(Progress())
    context.events.changed.emit(judged.changes)
    app.wait()
    assert page.answer_bar.buttons[Answer.NEUTRAL].isChecked()
    assert page.session.queue.waiting_count == 11


def test_a_pair_whose_answer_is_withdrawn_elsewhere_waits_again(
    app: App, page: ReviewPage, context: ProjectContext
) -> None:
    answered = app.pair_key
    app.press("1", "1")
    withdrawn = answers.answer(context.project, [answered], "mk", None).work(Progress())
    context.events.changed.emit(withdrawn.changes)
    app.wait()
    assert page.session.queue.waiting_count == 11
    app.press(*["1"] * 10)
    assert app.pair_key == answered


def test_whoever_annotates_is_asked_before_the_first_round(
    context: ProjectContext,
    make_page: Callable[[], ReviewPage],
    wait_until_idle: Callable[[ReviewPage], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    context.annotator = ""
    asked: list[str] = []

    def answer(box: TextQuestion) -> int:
        asked.append("asked")
        box.line.setText(" ada ")
        return 1

    monkeypatch.setattr(TextQuestion, "exec", answer)
    page = make_page()
    assert page.stack.currentWidget() is page.first_round
    page.first_round.start_button.click()
    wait_until_idle(page)
    assert asked == ["asked"]
    assert context.annotator == "ada"
    assert page.session.item is not None


def test_who_is_asked_and_has_a_round_carries_on_with_it(
    app: App,
    qtbot: QtBot,
    context: ProjectContext,
    page: ReviewPage,
    make_page: Callable[[], ReviewPage],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    app.press("1")
    page.close()
    name, context.annotator = context.annotator, ""
    monkeypatch.setattr(TextQuestion, "ask", lambda _: name)
    again = make_page()
    again.first_round.start_button.click()
    qtbot.waitUntil(lambda: again.session.item is not None)
    assert again.round_bar.title.text() == "Your queue · random · 1 of 12"


def test_a_project_that_can_only_be_read_says_why_no_answer_is_possible(
    qtbot: QtBot,
    context: ProjectContext,
    make_page: Callable[[], ReviewPage],
    wait_until_idle: Callable[[ReviewPage], None],
) -> None:
    with context.project.read_transaction() as stores:
        key = str(stores._connection.exec_driver_sql("SELECT key FROM pairs LIMIT 1").scalar_one())
    context.read_only, context.read_only_reason = True, "Somebody else has it."
    page = make_page()
    assert "Somebody else has it." in page.first_round.sentence.text()
    page.review((key,))
    wait_until_idle(page)
    qtbot.keyClick(page, Key.Key_1)
    wait_until_idle(page)
    assert history(context) == []
    assert "Somebody else has it." in page.notice.text
    assert not page.answer_bar.buttons[Answer.NEUTRAL].isEnabled()


def test_a_project_without_pairs_says_what_to_do(
    qtbot: QtBot, context: ProjectContext, make_page: Callable[[], ReviewPage]
) -> None:
    with context.project.transaction() as stores:
        remove(stores, *stores.papers.md5s())
    page = make_page()
    assert page.stack.currentWidget() is page.empty
    with qtbot.waitSignal(context.page_requested) as asked:
        page.empty.button.click()
    assert asked.args == ["papers"]


def test_while_papers_are_read_and_mined_the_page_says_so(
    qtbot: QtBot, empty_context: ProjectContext, runner: JobRunner
) -> None:
    page = ReviewPage(empty_context)
    show_page(page, qtbot)
    qtbot.waitUntil(lambda: page.stack.currentWidget() is page.empty and not runner.running)
    assert page.empty.sentence.text().startswith("Here you answer pairs one at a time.")
    imported = runner.start(import_papers(empty_context.project, [SAMPLES / "coastal"]))
    mined = runner.start(mine(empty_context.project, workers=1, model=NO_MODEL))
    assert page.empty.sentence.text().startswith("Papers are being read.")
    told: list[str] = []
    imported.ended.connect(lambda: told.append(page.empty.sentence.text()))
    qtbot.waitUntil(lambda: mined.state in ENDED)
    assert [text.split(".")[0] for text in told] == ["Papers are being mined"]
    assert page.empty.button.text() == "Add papers"
    empty_context.events.changed.emit(Changes(papers=True, pairs=True))
    qtbot.waitUntil(lambda: page.stack.currentWidget() is page.first_round)


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


def test_a_round_larger_than_what_is_left_says_how_many_it_has(app: App, page: ReviewPage) -> None:
    filter = PairFilter(labels=frozenset({"contrasting"}))
    with page.context.project.read_transaction() as stores:
        pairs = stores.pair_table.count(filter)
    page.start_round(RoundOptions(RoundOrder.BY_PAPER, filter, pairs + 5))
    app.wait()
    assert page.notice.text == f"The queue has {pairs} pairs instead of {pairs + 5}, because there are no more."
    page.start_round(RoundOptions(RoundOrder.BY_PAPER, filter, pairs))
    app.wait()
    assert page.notice.text == ""


def test_guidelines_are_written_and_kept(app: App, qtbot: QtBot, page: ReviewPage, context: ProjectContext) -> None:
    qtbot.keyClick(page, Key.Key_G)
    assert page.side_panel.open_panel == "guide"
    page.guide.edit_button.click()
    qtbot.keyClicks(page.guide.editor, "1 means it contradicts")
    qtbot.keyClick(page.guide.editor, Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    app.wait()
    assert history(context) == []
    assert "1 means it contradicts" in page.guide.viewer.toPlainText()
    with context.project.read_transaction() as stores:
        assert stores.settings.get(GUIDELINES) == "1 means it contradicts"
    page.setFocus()
    qtbot.keyClick(page, Key.Key_Escape)
    assert page.side_panel.open_panel == ""


def test_context_opens_blind_and_is_told_with_the_answer(app: App, page: ReviewPage, context: ProjectContext) -> None:
    app.press("C")
    first = app.pair_key
    evidence = page.side_panel.evidence
    assert evidence is not None
    assert evidence.key == first
    assert evidence._blind
    app.press("1")
    assert evidence.key == app.pair_key
    with context.project.read_transaction() as stores:
        [event] = stores.answers.history(first)
    assert event.seen.context is True


def test_what_waits_is_counted_before_the_page_is_shown(app: App, qtbot: QtBot, context: ProjectContext) -> None:
    app.press("1")
    badges: list[int] = []
    ahead = ReviewPage(context)
    qtbot.addWidget(ahead)
    ahead.badge_changed.connect(badges.append)
    app.wait()
    assert badges == [11]


def test_bulk_marks_from_elsewhere_take_pairs_out_of_the_round(
    app: App, page: ReviewPage, context: ProjectContext
) -> None:
    judged = answers.mark_all(context.project, PairFilter(), "ben", MarkKind.BAD, "other").work(Progress())
    context.events.changed.emit(Changes(many_annotated=True))
    app.wait()
    assert judged.count > 12
    assert page.session.queue.waiting_count == 0


def test_the_panel_is_as_wide_when_it_is_opened_again_at_the_next_start(
    qtbot: QtBot, page: ReviewPage, make_page: Callable[[], ReviewPage]
) -> None:
    qtbot.keyClick(page, Key.Key_G)
    wide = page.side_panel.panels.width()
    assert wide > page.side_panel.panels.minimumWidth() + 50
    page.close()
    again = make_page()
    qtbot.waitUntil(lambda: again.side_panel.open_panel == "guide")
    qtbot.waitUntil(lambda: abs(again.side_panel.panels.width() - wide) < 3)
