"""What is asked about a pair belongs to that pair: every command of the page, with each of these questions open."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop.jobs.review import answers
from desktop.jobs.review.rounds import RoundOptions
from desktop.ui.evidence.mend_dialog import MendDialog
from desktop.ui.judging.judging_page import JudgingPage
from desktop.ui.pages.disagreements.page import DisagreementsPage
from desktop.ui.pages.kinds.answer_tab import KindsAnswerTab
from desktop.ui.pages.kinds.page import KindsPage
from desktop.ui.pages.review.page import ReviewPage
from desktop.ui.services.problems import Problems
from desktop.ui.services.project_context import ProjectContext
from miner.progress import Progress
from miner.records import Answer, Label
from storage.annotation.marks import MarkKind
from storage.annotation.rounds import OWN_QUEUE, Round, RoundOrder
from storage.changes import Changes
from storage.pairs.filters import PairFilter
from storage.pairs.mended_texts import SentenceField
from storage.pairs.tags import USUAL_TAGS
from tests.desktop.ui.conftest import pop_problems, show_page
from tests.desktop.ui.judging.page_helpers import current_key
from tests.storage.factories import remove
from tests.suggestion_factory import probabilities_for, suggest

Key = Qt.Key
Wait = Callable[[JudgingPage], None]
NOTE, REASON, TAG, SENTENCE = "Walked by.", "wrong_boundary", list(USUAL_TAGS)[3], "Mended on the walk."


class Question(NamedTuple):
    """open: asks it about the pair on the screen. answer: answers it, in whatever state it is, as a person could.

    is_open: whether it is open.
    """

    open: Callable[[JudgingPage], None]
    is_open: Callable[[JudgingPage], bool]
    answer: Callable[[JudgingPage], None]


def dialogs(page: JudgingPage) -> list[MendDialog]:
    return [dialog for dialog in page.findChildren(MendDialog) if dialog.isVisible()]


def write_note(page: JudgingPage) -> None:
    page.note_editor.text.setPlainText(NOTE)
    page.note_editor.save_button.click()


def mend(page: JudgingPage) -> None:
    for dialog in dialogs(page):
        dialog.editors[SentenceField.PREMISE].text.setPlainText(SENTENCE)
        dialog.save()


def open_panel_and_mend(page: JudgingPage) -> None:
    if page.side_panel.open_panel != "context":
        page.side_panel.toggle("context")
    assert page.side_panel.evidence is not None
    page.side_panel.evidence.open_mend_dialog()


QUESTIONS = {
    "note": Question(
        lambda page: page.open_note_editor(),
        lambda page: bool(page.note_editor.key),
        write_note,
    ),
    "bad": Question(
        lambda page: page.open_reject_bar(),
        lambda page: bool(page.reject_bar.key),
        lambda page: QTest.keyClick(page.reject_bar, Key.Key_2),
    ),
    "tags": Question(
        lambda page: page.open_tag_bar(),
        lambda page: bool(page.tag_bar.key),
        lambda page: QTest.keyClick(page.tag_bar, Key.Key_4),
    ),
    "mend": Question(lambda page: page.open_mend_dialog(), lambda page: bool(dialogs(page)), mend),
    "mend beside": Question(open_panel_and_mend, lambda page: bool(dialogs(page)), mend),
}


def written(page: JudgingPage) -> list[tuple[str, str]]:
    """Where answers to the questions above were stored: pair, and what of it."""
    with page.context.project.read_transaction() as stores:
        run = stores._connection.exec_driver_sql
        marks = run("SELECT pair_key, kind, new FROM mark_events WHERE annotator = 'mk' ORDER BY id").all()
        texts = run("SELECT pair_key, field, new FROM text_events ORDER BY id").all()
    wanted = (NOTE, REASON, TAG, SENTENCE)
    return [(key, kind) for key, kind, new in (*marks, *texts) if any(one in (new or "") for one in wanted)]


def everything_written(page: JudgingPage) -> list[int]:
    with page.context.project.read_transaction() as stores:
        run = stores._connection.exec_driver_sql
        tables = ("label_events", "mark_events", "text_events", "kind_events")
        return [run(f"SELECT count(*) FROM {table}").scalar_one() for table in tables]


def check(page: JudgingPage) -> None:
    """Nothing is asked about another pair than the one on the screen."""
    shown = page.pair_view.key if page.stack.currentWidget() is page.side_panel else ""
    for question in (page.note_editor, page.reject_bar, page.tag_bar):
        assert question.key in ("", shown), question
    assert all(dialog.key == shown for dialog in dialogs(page))
    item = page.session.item
    assert item is None or item.pair.key == page.pair_view.key
    digits_are_tags = bool(page.tag_bar.key) and not page.tag_bar._is_hiding
    if not isinstance(page, KindsAnswerTab):
        assert page.answer_bar._answers.isHidden() == digits_are_tags


# What can happen while a question is open

Command = Callable[[JudgingPage], None]


def another_key(page: JudgingPage) -> str:
    return next(key for key in page.session.queue.keys if key != current_key(page))


def trigger(name: str) -> Command:
    return lambda page: page._trigger_action(f"{page.name}.{name}")


def change_page(page: JudgingPage, meanwhile: Command) -> None:
    """Another page is shown, where something happens, and this one comes back."""
    page.hide()
    meanwhile(page)
    page.show()
    page.activate()


def answer_elsewhere(page: JudgingPage) -> None:
    given = answers.answer(page.context.project, [current_key(page)], "mk", Answer.NEUTRAL).work(Progress())
    page.context.events.changed.emit(given.changes)


def reject_all_elsewhere(page: JudgingPage) -> None:
    """Another annotator takes every pair of the queue out."""
    job = answers.mark(page.context.project, page.session.queue.keys, "ben", MarkKind.BAD, "other")
    job.work(Progress())
    page.context.events.changed.emit(Changes(many_annotated=True))


def remove_paper(page: JudgingPage) -> None:
    item = page.session.item
    assert item is not None
    with page.context.project.transaction() as stores:
        remove(stores, item.md5)
    page.context.events.changed.emit(Changes(papers=True, pairs=True))


def remove_paper_unheard(page: JudgingPage) -> None:
    """As another program does it: the next answer finds out."""
    item = page.session.item
    assert item is not None
    with page.context.project.transaction() as stores:
        remove(stores, item.md5)
    page.session.answer(Answer.NEUTRAL)


COMMANDS: dict[str, Command] = {
    "answer": lambda page: page.answer(Answer.UNCLEAR),
    "skip by its link": trigger("skip"),
    "skip": lambda page: page.session.skip(),
    "previous": lambda page: page.session.move(-1),
    "next": lambda page: page.session.move(1),
    "flag": lambda page: page.flag(),
    "undo": lambda page: page.session.undo(),
    "redo": lambda page: page.session.redo(),
    "undo of the window": lambda page: page.context.undo(),  # type: ignore[dict-item, return-value]
    "redo of the window": lambda page: page.context.redo(),  # type: ignore[dict-item, return-value]
    "Ctrl+Z": lambda page: QTest.keyClick(page, Key.Key_Z, Qt.KeyboardModifier.ControlModifier),
    "change the previous answer": lambda page: page._on_change_requested(another_key(page)),
    "go to a pair": lambda page: page.session.go_to(another_key(page)),
    "go on": lambda page: page.session.go_on(),
    "Enter in the tags": lambda page: page.tag_bar.next_requested.emit(),
    "open the context": lambda page: page.side_panel.toggle("context"),
    "page and back": lambda page: change_page(page, lambda page: None),
    "undo elsewhere": lambda page: change_page(page, lambda page: page.context.undo()),  # type: ignore[arg-type, return-value]
    "answer elsewhere": lambda page: change_page(page, answer_elsewhere),
    "removal elsewhere": lambda page: change_page(page, remove_paper),
    "reload": lambda page: page.context.events.changed.emit(Changes(pairs=True, papers=True, settings=True)),
    "answer by another program": answer_elsewhere,
    "removal": remove_paper,
    "removal that was not heard of": remove_paper_unheard,
    "all rejected elsewhere": reject_all_elsewhere,
}


def select_pairs(page: JudgingPage) -> None:
    page.context.review_requested.emit((another_key(page),))


def go_over(page: JudgingPage) -> None:
    """To a queue of errors that waits."""
    assert isinstance(page, ReviewPage)
    round = Round(1, RoundOrder.ERRORS, PairFilter(), 3, tuple(page.session.queue.keys[5:8]), 1)
    with page.context.project.transaction() as stores:
        stores.queues.start("mk", round)
        stores.queues.take_up("mk", OWN_QUEUE)
    page.take_up(round.queue)


REVIEW_COMMANDS: dict[str, Command] = {
    "accept": lambda page: page.accept(),
    "blind": lambda page: page.set_blind(False),  # type: ignore[attr-defined]
    "new round": lambda page: page.start_round(RoundOptions(RoundOrder.RANDOM, size=4, seed=8)),  # type: ignore[attr-defined]
    "another queue": go_over,
    "pairs selected elsewhere": select_pairs,
    "another annotator": lambda page: page.context.set_annotator("ben"),
}
DISAGREEMENTS_COMMANDS: dict[str, Command] = {
    "accept": lambda page: page.accept(),
    "keep": lambda page: page.keep(),  # type: ignore[attr-defined]
    "filter": lambda page: page.show_filter(PairFilter(labels=frozenset({"neutral"}))),  # type: ignore[attr-defined]
    "other suggestions": lambda page: _suggest_again(page),
}


def _suggest_again(page: JudgingPage) -> None:
    suggest(page.context.project, lambda wanted: probabilities_for(Label.ENTAILMENT, 0.8))
    page.context.events.changed.emit(Changes(suggestions=True))


def walk(page: JudgingPage, wait: Wait, question: Question, command: Command, *, at_once: bool) -> None:
    """Open a question, let something happen, answer the question: before its effect is on the screen, or after."""
    asked = {current_key(page)}
    question.open(page)
    wait(page)
    assert question.is_open(page)
    before = Counter(written(page))
    command(page)
    if at_once and question.is_open(page):
        check(page)
        question.answer(page)
    wait(page)
    check(page)
    if page.questions.holds_keys:  # what was typed on means nothing
        count = everything_written(page)
        for key in (Key.Key_2, Key.Key_4, Key.Key_F, Key.Key_Space):
            QTest.keyClick(QApplication.focusWidget() or page, key)
        wait(page)
        assert everything_written(page) == count
        QTest.keyClick(QApplication.focusWidget() or page, Key.Key_Return)
        assert not page.questions.holds_keys
    elif question.is_open(page):
        asked.add(current_key(page))  # tags that go on
        question.answer(page)
        wait(page)
        check(page)
    assert {key for key, _ in Counter(written(page)) - before} <= asked


@pytest.fixture
def prepare(wait_until_idle: Wait) -> Callable[[JudgingPage], None]:
    """Brings a page to a pair that undo, redo, back and forth all lead away from."""

    def prepare(page: JudgingPage) -> None:
        page.close_inputs()
        page.session.answer(Answer.NEUTRAL)
        wait_until_idle(page)
        page.session.answer(Answer.REASONING)
        wait_until_idle(page)
        page.session.undo()
        wait_until_idle(page)
        page.session.move(1)
        wait_until_idle(page)
        assert page.session.queue.position > 1

    return prepare


@pytest.fixture
def walk_review(
    qtbot: QtBot,
    context: ProjectContext,
    prepare: Callable[[JudgingPage], None],
    wait_until_idle: Wait,
    problems: Problems,
) -> Callable[[Callable[[int], tuple[str, bool]]], None]:
    """`walk_review(how)`: every command in Review, the first with the question `how(0)[0]`, at once if `how(0)[1]`."""

    def walk_through(how: Callable[[int], tuple[str, bool]]) -> None:
        page = ReviewPage(context)
        show_page(page, qtbot)
        wait_until_idle(page)
        for place, (name, command) in enumerate((COMMANDS | REVIEW_COMMANDS).items()):
            asked, at_once = how(place)
            print(f"walking: {name} with {asked}, at once: {at_once}")  # what failed
            page.start_round(RoundOptions(RoundOrder.RANDOM, size=12, seed=place))
            wait_until_idle(page)
            prepare(page)
            walk(page, wait_until_idle, QUESTIONS[asked], command, at_once=at_once)
            _put_back(page, wait_until_idle)
            told = [problem.summary for problem in pop_problems(problems)]  # of a sentence mended, its paper gone
            assert all(summary.startswith("There is no pair") for summary in told)
            assert not told or (at_once and asked.startswith("mend"))

    return walk_through


def test_whatever_is_asked_in_review_is_about_the_pair_on_the_screen(
    walk_review: Callable[[Callable[[int], tuple[str, bool]]], None],
) -> None:
    """Each command with one of the questions, every other at once."""
    names = list(QUESTIONS)
    walk_review(lambda place: (names[place % len(names)], place % 2 == 0))


@pytest.mark.slow
@pytest.mark.parametrize("at_once", [True, False], ids=["at once", "later"])
@pytest.mark.parametrize("asked", QUESTIONS)
def test_what_is_asked_in_review_is_about_the_pair_on_the_screen(
    walk_review: Callable[[Callable[[int], tuple[str, bool]]], None], asked: str, at_once: bool
) -> None:
    """Each command with each question."""
    walk_review(lambda place: (asked, at_once))


@pytest.mark.slow
def test_what_is_asked_in_disagreements_is_about_the_pair_on_the_screen(
    qtbot: QtBot, context: ProjectContext, prepare: Callable[[JudgingPage], None], wait_until_idle: Wait
) -> None:
    suggest(context.project, lambda wanted: probabilities_for(Label.REASONING, 0.7 + wanted.id % 100 / 500))
    page = DisagreementsPage(context)
    show_page(page, qtbot)
    wait_until_idle(page)
    shared = ("skip", "undo of the window", "undo elsewhere", "removal", "all rejected elsewhere")
    commands = DISAGREEMENTS_COMMANDS | {name: COMMANDS[name] for name in shared}
    for place, (name, command) in enumerate(commands.items()):
        print(f"walking: {name}")
        page._listed_filter = None
        page.show_filter(PairFilter())
        wait_until_idle(page)
        prepare(page)
        asked = list(QUESTIONS.values())[place % 3]
        walk(page, wait_until_idle, asked, command, at_once=False)
        _put_back(page, wait_until_idle)


@pytest.mark.parametrize("shift", [0, *(pytest.param(n, marks=pytest.mark.slow) for n in range(1, 6))])
def test_tags_of_errors_go_on_to_the_next_pair_with_the_page(
    qtbot: QtBot, context: ProjectContext, wait_until_idle: Wait, shift: int
) -> None:
    """Every third command, every other of these at once; the six shifts are each command at once and later."""
    page = ReviewPage(context)
    show_page(page, qtbot)
    wait_until_idle(page)
    for place, (name, command) in enumerate(list(COMMANDS.items())[shift % 3 :: 3], shift // 3):
        print(f"walking: {name}")
        _start_errors(context)
        page.show_round()
        wait_until_idle(page)
        for digit in (Key.Key_1, Key.Key_2):
            QTest.keyClick(page.tag_bar, digit)
            wait_until_idle(page)
            page.session.move(1)
            wait_until_idle(page)
        walk(page, wait_until_idle, QUESTIONS["tags"], command, at_once=place % 2 == 0)
        _put_back(page, wait_until_idle)


@pytest.mark.parametrize("shift", [0, *(pytest.param(n, marks=pytest.mark.slow) for n in range(1, 8))])
def test_what_is_asked_on_kinds_is_about_the_pair_on_the_screen(
    qtbot: QtBot, context: ProjectContext, wait_until_idle: Wait, shift: int
) -> None:
    """Every other command with one of two questions, at once or later; the eight shifts are each command with all."""
    page = KindsPage(context)
    show_page(page, qtbot)
    tab = page.answer
    wait_until_idle(tab)
    tab.start_form.draw(60)
    wait_until_idle(tab)
    few = {
        "Enter in the tags",
        "removal elsewhere",
        "removal",
        "removal that was not heard of",
        "all rejected elsewhere",
    }
    commands = {name: command for name, command in COMMANDS.items() if name not in few}  # of the few pairs there are
    for place, (name, command) in enumerate(list(commands.items())[shift % 2 :: 2], shift // 2):
        print(f"walking: {name}")
        tab.session.answer(Answer.NEUTRAL)
        wait_until_idle(tab)
        tab.session.move(1)
        wait_until_idle(tab)
        asked = QUESTIONS["note" if place % 2 else "bad"]
        walk(tab, wait_until_idle, asked, command, at_once=place % 4 < 2)
        _put_back(tab, wait_until_idle)
        tab.show_round()
        wait_until_idle(tab)


def test_what_is_typed_when_another_pair_comes_is_kept_and_means_nothing_to_that_pair(
    qtbot: QtBot, context: ProjectContext, wait_until_idle: Wait
) -> None:
    page = ReviewPage(context)
    show_page(page, qtbot)
    wait_until_idle(page)
    page.start_round(RoundOptions(RoundOrder.RANDOM, size=12, seed=1))
    wait_until_idle(page)
    first, count = current_key(page), everything_written(page)
    page.open_note_editor()
    QTest.keyClicks(page.note_editor.text, "See fig")
    given = answers.mark(context.project, [first], "ben", MarkKind.BAD, "other").work(Progress())
    context.events.changed.emit(Changes(many_annotated=True))
    wait_until_idle(page)
    assert given.count == 1
    page.session.move(1)
    wait_until_idle(page)
    assert current_key(page) != first
    QTest.keyClicks(QApplication.focusWidget() or page, " 1 bf")
    wait_until_idle(page)
    assert everything_written(page)[0] == count[0]
    assert not page.reject_bar.key
    assert "Press Enter" in page.notice.text
    assert "note about the previous pair is not saved" in page.notice.text
    QTest.keyClick(page, Key.Key_Return)
    QTest.keyClick(page, Key.Key_4)
    wait_until_idle(page)
    assert everything_written(page)[0] == count[0] + 1
    page.session.go_to(first)
    wait_until_idle(page)
    page.open_note_editor()
    assert page.note_editor.text.toPlainText() == "See fig"


def _start_errors(context: ProjectContext) -> None:
    """Five errors to read."""
    with context.project.transaction() as stores:
        keys = stores.rounds.untagged(stores.rounds.keys_of(PairFilter(), 1000), "mk")[:5]
        stores.queues.start("mk", Round(1, RoundOrder.ERRORS, PairFilter(), 5, tuple(keys), 1))


def _put_back(page: JudgingPage, wait: Wait) -> None:
    """What a command has changed beyond the queue."""
    page.context.annotator = "mk"
    page.mending.stay_with(None)
    page.side_panel.stay_with("")
    page.close_inputs()
    if page.side_panel.open_panel:
        page.side_panel.close_panel()
    page.setFocus()
    wait(page)
