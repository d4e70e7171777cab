"""Annotate as its users see it: what to do next, people, targets and rounds, with one click each."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog
from pytestqt.qtbot import QtBot

from desktop.jobs.review import annotation_rounds
from desktop.jobs.review.annotator import KnownAnnotators
from desktop.jobs.review.open_rounds import AnnotationStep, StepKind
from desktop.jobs.review.ties import decide_ties
from desktop.ui.pages.annotate.class_grid import RowHeading
from desktop.ui.pages.annotate.dialogs import FeedbackDialog, PeopleDialog, TargetsDialog
from desktop.ui.pages.annotate.page import AnnotatePage
from desktop.ui.pages.annotate.round_dialog import NewRoundDialog
from desktop.ui.pages.annotate.send_dialog import SendDialog
from desktop.ui.pages.annotate.split_dialog import SplitDialog, SplitWay
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.widgets.labels import PlainLabel
from miner.kinds.taxonomy import released_taxonomy
from miner.records import Answer
from miner.splits import PaperSplit
from storage.annotation.annotation_rounds import RoundKind, RoundPlan, Targets
from storage.annotation.annotators import Role
from storage.annotation.rounds import RoundOrder
from storage.annotation.sent_assignments import AssignmentForm
from storage.dataset.export_options import SplitOptions
from storage.dataset.gold_rule import GoldRule, GoldRules
from storage.pairs.filters import PairFilter
from storage.settings import GOLD, GOLD_EVERYWHERE, SPLIT, TARGETS
from tests.desktop.ui.conftest import show_page
from tests.split_factory import hold_out_all
from tests.storage.annotation.kinds_round_factory import CAUSAL, TEMPORAL, answer_round
from tests.storage.annotation.round_factory import AT, add_people, answer, answer_as, hold_rules_everywhere

D = TypeVar("D", bound=QDialog)
Wait = Callable[[AnnotatePage], None]
THREE = ["ada", "ben", "mk"]


@pytest.fixture
def page(qtbot: QtBot, context: ProjectContext, wait_until_idle: Wait) -> AnnotatePage:
    hold_rules_everywhere(context.project)
    page = AnnotatePage(context)
    show_page(page, qtbot)
    wait_until_idle(page)
    return page


def hold_out_papers(page: AnnotatePage, wait: Wait) -> None:
    """Put all papers into test, so that no rules of an earlier version hold any more."""
    with page.context.project.transaction() as stores:
        stores.settings.put(GOLD_EVERYWHERE, None)
        hold_out_all(stores)
    page._read()
    wait(page)


def dialog(page: AnnotatePage, kind: type[D]) -> D:
    """The open dialog of this kind."""
    return next(one for one in page.findChildren(kind) if one.isVisible())


def step(page: AnnotatePage) -> StepKind:
    assert page.overview is not None
    return page.overview.next.step


def start_round(page: AnnotatePage, qtbot: QtBot, wait: Wait, kind: RoundKind = RoundKind.BENCHMARK) -> None:
    page.open_round_dialog()
    opened = dialog(page, NewRoundDialog)
    opened.kind_box.setCurrentIndex(list(RoundKind).index(kind))
    opened.how_many_box.setCurrentIndex(1)
    opened.size_box.setValue(1)
    qtbot.waitUntil(opened.action_button.isEnabled)
    opened.action_button.click()
    wait(page)


def answer_all(page: AnnotatePage, wait: Wait, answers: dict[str, Answer], number: int = 1) -> None:
    with page.context.project.transaction() as stores:
        for key in stores.annotation_rounds.keys(number):
            for who, answer in answers.items():
                answer_as(stores, who, key, answer)
    page._read()
    wait(page)


def add_three(page: AnnotatePage, wait: Wait) -> None:
    page.next_step.button.click()
    opened = dialog(page, PeopleDialog)
    opened.names_line.setText("ada, ben, mk, ada")
    assert opened.names == THREE
    opened.action_button.click()
    wait(page)


def test_a_newcomer_is_asked_for_people_and_then_for_a_round(page: AnnotatePage, wait_until_idle: Wait) -> None:
    hold_out_papers(page, wait_until_idle)
    assert page.next_step.sentence.text() == "Add the people who annotate. With three, two can outvote one."
    add_three(page, wait_until_idle)
    assert sorted(row.name for row in page.people.model.rows) == THREE
    assert step(page) is StepKind.START_ROUND
    assert "Draw the first round" in page.next_step.sentence.text()


def test_a_round_names_people_who_are_new(page: AnnotatePage, qtbot: QtBot, wait_until_idle: Wait) -> None:
    add_three(page, wait_until_idle)
    page.open_round_dialog()
    opened = dialog(page, NewRoundDialog)
    opened.names_line.setText("ada, zoe")
    qtbot.waitUntil(opened.action_button.isEnabled)
    with qtbot.waitSignal(page.context.message) as said:
        opened.action_button.click()
    assert said.args[0].endswith("pairs. New in this project: zoe.")
    wait_until_idle(page)


def test_a_round_is_drawn_answered_in_review_and_decided(
    page: AnnotatePage, qtbot: QtBot, wait_until_idle: Wait
) -> None:
    add_three(page, wait_until_idle)
    start_round(page, qtbot, wait_until_idle)
    [round] = page.rounds.model.rows
    assert [one.name for one in round.assignments] == THREE
    assert step(page) is StepKind.ANSWER
    with qtbot.waitSignal(page.context.page_requested) as asked:
        page.next_step.button.click()
    assert asked.args == ["review"]
    with page.context.project.read_transaction() as stores:
        current = stores.queues.current("mk")
    assert current is not None
    assert current.order is RoundOrder.ASSIGNED
    answer_all(page, wait_until_idle, {"mk": Answer.NEUTRAL})
    assert step(page) is StepKind.SEND
    assert page.next_step.sentence.text() == "Round 1 is ready for ada and ben: send them their files."
    assert page.next_step.standing.text() == (
        "Furthest from its target: contrasting in coastal engineering, 0 of 250 · "
        "Papers not split yet, so every pair needs several votes (16 answered pairs have too few)"
    )
    answer_all(page, wait_until_idle, {"ada": Answer.REASONING, "ben": Answer.ENTAILMENT})
    assert page.next_step.sentence.text() == f"{round.round.size} ties wait for an adjudicator."
    page.next_step.button.click()
    opened = dialog(page, PeopleDialog)
    assert opened.role is Role.ADJUDICATOR
    opened.names_line.setText("dee")
    opened.action_button.click()
    wait_until_idle(page)
    assert page.next_step.sentence.text().endswith("ties wait for dee to decide.")
    page.context.set_annotator("dee")
    wait_until_idle(page)
    assert step(page) is StepKind.ADJUDICATE
    page.next_step.button.click()
    wait_until_idle(page)
    with page.context.project.read_transaction() as stores:
        current = stores.queues.current("dee")
    assert current is not None
    assert (current.order, len(current.keys)) == (RoundOrder.TIES, round.round.size)


def test_a_round_larger_than_what_there_is_says_how_much_can_be_drawn(
    page: AnnotatePage, qtbot: QtBot, wait_until_idle: Wait
) -> None:
    with page.context.project.transaction() as stores:
        stores._connection.exec_driver_sql(
            "DELETE FROM pairs WHERE distant_label = 'contrasting' "
            "AND paper_id IN (SELECT id FROM papers WHERE domain = (SELECT max(domain) FROM papers))"
        )
        domain = stores._connection.exec_driver_sql("SELECT max(domain) FROM papers").scalar_one()
    add_three(page, wait_until_idle)
    page.open_round_dialog()
    opened = dialog(page, NewRoundDialog)
    opened.how_many_box.setCurrentIndex(1)
    opened.size_box.setValue(9)
    qtbot.waitUntil(opened.action_button.isEnabled)
    assert "pairs can be drawn, because there are too few candidates: " in opened.problem.text
    assert f"contrasting in {domain} has 0 of 9" in opened.problem.text
    opened.action_button.click()
    wait_until_idle(page)
    [round] = page.rounds.model.rows
    assert 0 < round.round.size < 9 * len(page.overview.strata if page.overview else ())


def test_targets_of_some_domains_are_not_said_to_be_of_each(page: AnnotatePage, wait_until_idle: Wait) -> None:
    domain = page.grid.cells[0].domain
    page.context.change(annotation_rounds.save_targets(page.context.project, Targets(1, 2, (domain,))))
    wait_until_idle(page)
    assert "of each class in each of these domains." in page.targets_note.text()


def test_targets_and_the_rule_of_gold_are_set_in_one_dialog(
    page: AnnotatePage, qtbot: QtBot, wait_until_idle: Wait
) -> None:
    page.open_targets_dialog()
    wait_until_idle(page)
    opened = dialog(page, TargetsDialog)
    opened.dev.setValue(1)
    opened.test.setValue(2)
    opened.rule_box.setCurrentIndex(list(GoldRule).index(GoldRule.AGREEING))
    opened.votes.setValue(3)
    assert "More than half of 3 votes" in opened.meaning.text()
    opened.action_button.click()
    wait_until_idle(page)
    assert page.targets_note.text().startswith("Targets: 1 for dev and 2 for test, of each class in each domain.")
    assert {cell.text for cell in page.grid.cells} == {"0 of 3"}
    with page.context.project.read_transaction() as stores:
        rules = stores.settings.get(GOLD)
    assert (rules.rule, rules.votes) == (GoldRule.AGREEING, 3)


def test_the_benchmark_can_be_of_some_domains(page: AnnotatePage, wait_until_idle: Wait) -> None:
    page.open_targets_dialog()
    wait_until_idle(page)
    opened = dialog(page, TargetsDialog)
    assert opened.targets.domains == ()
    for box in opened.domain_boxes.values():
        box.setChecked(False)
    assert not opened.action_button.isEnabled()
    opened.domain_boxes["ecology"].setChecked(True)
    opened.action_button.click()
    wait_until_idle(page)
    assert {cell.domain for cell in page.grid.cells} == {"ecology"}
    assert page.overview is not None
    assert len(page.overview.domains) > 1


def test_a_dialog_is_filled_in_from_the_top_by_keys(page: AnnotatePage, qtbot: QtBot, wait_until_idle: Wait) -> None:
    page.people.add_people()
    opened = dialog(page, PeopleDialog)
    qtbot.waitUntil(opened.names_line.hasFocus)
    qtbot.keyClicks(opened.names_line, "ada, ben")
    qtbot.keyClick(opened.names_line, Qt.Key.Key_Return)
    wait_until_idle(page)
    assert sorted(row.name for row in page.people.model.rows) == ["ada", "ben"]


def test_a_finished_benchmark_is_released_in_splits_as_large_as_the_targets(
    page: AnnotatePage, qtbot: QtBot, wait_until_idle: Wait
) -> None:
    with qtbot.waitSignal(page.context.release_requested) as asked:
        page.do(AnnotationStep(StepKind.EXPORT, "", ""))
    [options] = asked.args or ()
    assert (options.split, options.settled, options.card) == (None, True, True)  # its papers are not split
    with page.context.project.transaction() as stores:
        stores.settings.put(SPLIT, PaperSplit(rest="test"))
    page._read()
    wait_until_idle(page)
    with qtbot.waitSignal(page.context.release_requested) as asked:
        page.do(AnnotationStep(StepKind.EXPORT, "", ""))
    [options] = asked.args or ()
    assert (options.split, options.settled) == (SplitOptions(dev=50, test=200), False)


def test_a_cell_leads_to_its_pairs(page: AnnotatePage, qtbot: QtBot) -> None:
    with qtbot.waitSignal(page.context.pairs_requested) as asked:
        page.grid.requested.emit("ecology", "neutral")
    assert asked.args == [PairFilter(domains=frozenset({"ecology"}), gold=frozenset({"neutral"}))]


def test_a_pilot_round_has_feedback(page: AnnotatePage, qtbot: QtBot, wait_until_idle: Wait) -> None:
    add_three(page, wait_until_idle)
    add_people(page.context.project, {"ray": Role.REFERENCE})
    page._read()
    wait_until_idle(page)
    start_round(page, qtbot, wait_until_idle, RoundKind.PILOT)
    answer_all(page, wait_until_idle, {"ray": Answer.NEUTRAL, "ada": Answer.NEUTRAL, "ben": Answer.REASONING})
    page.rounds.table.selectRow(0)
    page.rounds.feedback_button.click()
    wait_until_idle(page)
    lines = dialog(page, FeedbackDialog).lines
    assert lines[0] == "Agreement with ray"
    assert lines[1].startswith("1. ada: 100 %")
    assert lines[2].startswith("2. ben: 0 %")


def test_a_renamed_annotator_keeps_what_they_answered_and_is_shown_by_the_new_name(
    page: AnnotatePage, wait_until_idle: Wait, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_three(page, wait_until_idle)
    page.people.table.selectRow([row.name for row in page.people.model.rows].index("mk"))
    monkeypatch.setattr("desktop.ui.pages.annotate.people.TextQuestion.ask", lambda _: "Mika")
    page.people.rename_button.click()
    wait_until_idle(page)
    assert (page.context.annotator, page.context.annotator_name) == ("mk", "Mika")
    assert {row.name: row.key for row in page.people.model.rows}["Mika"] == "mk"


def test_the_name_of_somebody_on_another_computer_is_asked_about(
    page: AnnotatePage, monkeypatch: pytest.MonkeyPatch
) -> None:
    page.context.show_annotators(KnownAnnotators("mk", {"mk": "mk", "zoe": "Zoë"}, frozenset({"zoe"})))
    monkeypatch.setattr("desktop.ui.services.project_context.Question.confirm", lambda _: False)
    assert page.context.is_own_name("ben", page)
    assert not page.context.is_own_name("ZOË", page)


def test_a_closed_round_waits_for_nobody(page: AnnotatePage, qtbot: QtBot, wait_until_idle: Wait) -> None:
    hold_out_papers(page, wait_until_idle)
    add_three(page, wait_until_idle)
    start_round(page, qtbot, wait_until_idle)
    page.rounds.table.selectRow(0)
    page.rounds.close_button.click()
    wait_until_idle(page)
    assert step(page) is StepKind.START_ROUND
    page.rounds.table.selectRow(0)
    assert page.rounds.close_button.text() == "Open again"
    assert not page.rounds.answer_button.isEnabled()


def test_a_round_for_missing_votes_is_for_those_who_have_not_answered(
    page: AnnotatePage, qtbot: QtBot, wait_until_idle: Wait
) -> None:
    hold_out_papers(page, wait_until_idle)
    add_three(page, wait_until_idle)
    plan = RoundPlan(dev=0, test=1)
    with page.context.project.transaction() as stores:
        stores.settings.put(TARGETS, Targets(0, 1))
        names = {name: key for key, name in stores.annotators.names().items()}
        two = [names["ada"], names["ben"]]
        first = stores.round_draws.draw(plan, two)
        stores.annotation_rounds.add(plan, first.pairs, two, AT)
    answer_all(page, wait_until_idle, dict.fromkeys(two, Answer.NEUTRAL))
    assert "draw a round for mk, who has not answered them." in page.next_step.sentence.text()
    page.next_step.button.click()
    opened = dialog(page, NewRoundDialog)
    qtbot.waitUntil(opened.action_button.isEnabled)
    assert opened.names == ["mk"]
    assert opened.problem.text == "These pairs lack votes of earlier rounds; the votes that they have count."
    assert not opened.names_notice.text
    with qtbot.waitSignal(opened.previewed):
        opened.names_line.setText("ada, ben, mk")
    assert "name somebody who has not answered the pairs that lack votes" in opened.problem.text
    assert not opened.action_button.isEnabled()
    with qtbot.waitSignal(opened.previewed):
        opened.names_line.setText("mk")
    opened.action_button.click()
    wait_until_idle(page)
    assert [one.round.size for one in page.rounds.model.rows] == [len(first.pairs)] * 2


def test_the_dialog_proposes_who_can_still_give_votes_when_only_pairs_of_a_closed_round_are_left(
    page: AnnotatePage, qtbot: QtBot, wait_until_idle: Wait
) -> None:
    hold_out_papers(page, wait_until_idle)
    add_three(page, wait_until_idle)
    plan = RoundPlan(dev=0, test=99)
    with page.context.project.transaction() as stores:
        stores.settings.put(TARGETS, Targets(0, 99))
        names = {name: key for key, name in stores.annotators.names().items()}
        two = [names["ada"], names["ben"]]
        first = stores.round_draws.draw(plan, two)
        stores.annotation_rounds.add(plan, first.pairs, two, AT)
    answer_all(page, wait_until_idle, dict.fromkeys(two, Answer.NEUTRAL))
    page.rounds.table.selectRow(0)
    page.rounds.close_button.click()
    wait_until_idle(page)
    page.open_round_dialog()
    opened = dialog(page, NewRoundDialog)
    qtbot.waitUntil(opened.action_button.isEnabled)
    assert opened.names == ["mk"]
    opened.action_button.click()
    wait_until_idle(page)
    assert [one.round.size for one in page.rounds.model.rows] == [len(first.pairs)] * 2


def test_a_page_that_is_not_shown_yet_learns_who_annotates(
    qtbot: QtBot, context: ProjectContext, wait_until_idle: Wait
) -> None:
    hidden = AnnotatePage(context)
    qtbot.addWidget(hidden)
    context.set_annotator("zoe")
    wait_until_idle(hidden)
    show_page(hidden, qtbot)
    wait_until_idle(hidden)
    assert hidden.overview is not None
    assert hidden.overview.own == "zoe"


def test_ties_that_are_decided_on_another_page_leave_the_badge(
    page: AnnotatePage, qtbot: QtBot, wait_until_idle: Wait
) -> None:
    with page.context.project.transaction() as stores:
        keys = [pair.key for pair in stores.round_draws.draw(RoundPlan(size=1)).pairs][:3]
        for key in keys:
            answer(stores, key, Answer.NEUTRAL, Answer.CONTRASTING, Answer.REASONING)
        stores.annotators.ensure("Judith", Role.ADJUDICATOR)
    badges: list[int] = []
    page.badge_changed.connect(badges.append)
    page._read()
    wait_until_idle(page)
    page.hide()
    for key in keys:
        page.context.change(decide_ties(page.context.project, {key: Answer.NEUTRAL}))
    qtbot.waitUntil(lambda: badges[-1] == 0)
    assert badges == [3, 0]  # one read, not one for each answer


def test_files_are_sent_to_others_only_and_only_while_they_have_pairs_to_answer(
    page: AnnotatePage, qtbot: QtBot, wait_until_idle: Wait, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_three(page, wait_until_idle)
    start_round(page, qtbot, wait_until_idle)
    page.rounds.table.selectRow(0)
    assert page.rounds.send_button.isEnabled()
    answer_all(page, wait_until_idle, {"ada": Answer.NEUTRAL, "ben": Answer.NEUTRAL})
    page.rounds.table.selectRow(0)
    assert page.rounds.answer_button.isEnabled()
    assert not page.rounds.send_button.isEnabled()
    monkeypatch.setattr("PySide6.QtWidgets.QFileDialog.getExistingDirectory", pytest.fail)
    page.rounds.send(1)
    assert not page.findChildren(SendDialog)


def test_a_round_is_sent_in_the_form_that_is_chosen(
    page: AnnotatePage, qtbot: QtBot, wait_until_idle: Wait, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    add_three(page, wait_until_idle)
    start_round(page, qtbot, wait_until_idle)
    page.rounds.table.selectRow(0)
    folder = tmp_path / "outbox"
    chosen = "PySide6.QtWidgets.QFileDialog.getExistingDirectory"
    monkeypatch.setattr(chosen, lambda *_: str(folder))
    page.rounds.send_button.click()
    opened = dialog(page, SendDialog)
    assert opened.form_chosen is AssignmentForm.ANSWER_FILE
    meanings = set()
    for index in range(opened.form_box.count()):
        opened.form_box.setCurrentIndex(index)
        meanings.add(opened.meaning.text())
    assert len(meanings) == len(AssignmentForm)
    opened.form_box.setCurrentIndex(list(AssignmentForm).index(AssignmentForm.LABEL_STUDIO))
    opened.action_button.click()
    qtbot.waitUntil(lambda: folder.is_dir() and len(list(folder.iterdir())) == 6)
    wait_until_idle(page)
    assert {path.name.split(".", 1)[1] for path in folder.iterdir()} == {
        "label-studio.json",
        "label-studio.xml",
        "label-studio.html",
    }


def test_names_that_were_typed_stay_when_the_round_is_for_something_else(
    page: AnnotatePage, qtbot: QtBot, wait_until_idle: Wait
) -> None:
    add_three(page, wait_until_idle)
    page.open_round_dialog()
    opened = dialog(page, NewRoundDialog)
    qtbot.waitUntil(lambda: sorted(opened.names) == THREE)
    opened.kind_box.setCurrentIndex(list(RoundKind).index(RoundKind.ESTIMATE))
    qtbot.waitUntil(lambda: opened.names == [])
    qtbot.keyClicks(opened.names_line, "eva")
    assert not opened.action_button.isEnabled()
    opened.kind_box.setCurrentIndex(list(RoundKind).index(RoundKind.BENCHMARK))
    assert opened.names == ["eva"]
    wait_until_idle(page)
    opened.reject()


def test_the_dialog_says_who_cannot_measure_human_performance(
    page: AnnotatePage, qtbot: QtBot, wait_until_idle: Wait
) -> None:
    add_three(page, wait_until_idle)
    with page.context.project.transaction() as stores:
        for pair in stores.round_draws.draw(RoundPlan(size=1)).pairs:
            answer(stores, pair.key, Answer.NEUTRAL, Answer.NEUTRAL, Answer.NEUTRAL)
    page.open_round_dialog()
    opened = dialog(page, NewRoundDialog)
    opened.kind_box.setCurrentIndex(list(RoundKind).index(RoundKind.ESTIMATE))
    opened.names_line.setText("ada")
    qtbot.waitUntil(lambda: "laypeople; ada has the role annotator" in opened.problem.text)
    assert not opened.action_button.isEnabled()
    opened.names_line.setText("eva")
    qtbot.waitUntil(opened.action_button.isEnabled)
    wait_until_idle(page)
    opened.reject()


def test_a_pilot_for_kinds_is_drawn_answered_on_its_page_and_compared(
    page: AnnotatePage, qtbot: QtBot, wait_until_idle: Wait
) -> None:
    add_people(page.context.project, {"mk": Role.ANNOTATOR, "ray": Role.REFERENCE})
    page._read()
    wait_until_idle(page)
    page.open_round_dialog()
    opened = dialog(page, NewRoundDialog)
    opened.kind_box.setCurrentText("Pilot for kinds of reasoning")
    assert (opened.size_box.isVisible(), opened.pairs_box.isVisible()) == (False, True)
    opened.pairs_box.setValue(4)
    opened.overlap_box.setValue(2)
    qtbot.waitUntil(opened.action_button.isEnabled)
    assert opened.number_label.text() == "6"
    assert opened.about_label.text() == "pairs: up to 4 for each of mk and ray, 2 of them the same"
    opened.overlap_box.setValue(4)
    qtbot.waitUntil(opened.action_button.isEnabled)
    assert opened.about_label.text() == "pairs, which mk and ray each answer"
    opened.action_button.click()
    wait_until_idle(page)
    [round] = page.rounds.model.rows
    assert page.rounds.model.row_tip(round).endswith("mk: 0 of 4\nray: 0 of 4")
    assert page.next_step.sentence.text() == "4 of 4 pairs of round 1 wait for your answer about kinds of reasoning."
    with qtbot.waitSignal(page.context.kinds_round_requested) as asked:
        page.next_step.button.click()
    assert asked.args == [1]
    with page.context.project.transaction() as stores:
        first, second, *_ = stores.annotation_rounds.keys(1)
        answer_round(stores, "ray", {first: CAUSAL, second: CAUSAL})
        answer_round(stores, "mk", {first: TEMPORAL, second: CAUSAL})
    page._read()
    wait_until_idle(page)
    page.rounds.table.selectRow(0)
    page.rounds.feedback_button.click()
    wait_until_idle(page)
    lines = dialog(page, FeedbackDialog).lines
    assert "1. mk: 83 %, 10 of 12 answers" in lines
    assert "1 pair with another answer" in lines
    which = released_taxonomy().questions["direction"]
    assert f"{which.text} ray: {which.options[0].text}. mk: {which.options[1].text}." in lines


def test_where_nothing_can_be_saved_no_action_offers_to(
    qtbot: QtBot, context: ProjectContext, wait_until_idle: Wait
) -> None:
    context.read_only = True
    hold_rules_everywhere(context.project)
    page = AnnotatePage(context)
    show_page(page, qtbot)
    wait_until_idle(page)
    names = [entry.key.partition(".")[2] for entry in context.actions if entry.widget is page]
    assert len(names) == 5
    assert not any(map(page.is_action_enabled, names))


def test_undo_takes_a_round_and_the_targets_back(page: AnnotatePage, qtbot: QtBot, wait_until_idle: Wait) -> None:
    hold_out_papers(page, wait_until_idle)
    add_three(page, wait_until_idle)
    page.context.change(annotation_rounds.save_targets(page.context.project, Targets(1, 1)))
    wait_until_idle(page)
    start_round(page, qtbot, wait_until_idle)
    assert len(page.rounds.model.rows) == 1
    page.context.undo()
    wait_until_idle(page)
    assert page.rounds.model.rows == []
    assert step(page) is StepKind.START_ROUND
    page.context.undo()
    wait_until_idle(page)
    assert page.overview is not None
    assert page.overview.targets == Targets()
    page.context.redo()
    page.context.redo()
    wait_until_idle(page)
    assert (len(page.rounds.model.rows), page.overview.targets) == (1, Targets(1, 1))


def test_what_the_rule_of_gold_discards_is_counted_and_shown(
    page: AnnotatePage, qtbot: QtBot, wait_until_idle: Wait
) -> None:
    assert page.discarded_button.isHidden()
    with page.context.project.transaction() as stores:
        stores.settings.put(GOLD, GoldRules(GoldRule.AGREEING, 1))
        [key, *_] = stores.round_draws.draw(RoundPlan(size=1)).pairs
        answer_as(stores, "ada", key.key, Answer.UNCLEAR)
        answer_as(stores, "ada", key.key, next(answer for answer in Answer if answer.value != key.label))
    page._read()
    wait_until_idle(page)
    assert page.discarded_button.text() == "Show 1 discarded pair"
    with qtbot.waitSignal(page.context.pairs_requested) as asked:
        page.discarded_button.click()
    [filter] = asked.args or []
    with page.context.project.read_transaction() as stores:
        assert stores.pair_table.keys(stores.pair_table.ids(filter)) == [key.key]


def choose_shares(asked: SplitDialog, dev: float, test: float) -> None:
    """These shares for all domains."""
    asked.shares.fill({domain: {"dev": dev, "test": test} for domain, _ in asked.shares.boxes})


def split_by(asked: SplitDialog, qtbot: QtBot, choose: Callable[[], None]) -> None:
    """Choose something, and split the papers so once it is said what that comes to."""
    with qtbot.waitSignal(asked.previewed):
        choose()
    asked.action_button.click()


def test_the_papers_are_split_in_a_dialog_that_says_what_would_move(
    page: AnnotatePage, qtbot: QtBot, wait_until_idle: Wait
) -> None:
    page.do(AnnotationStep(StepKind.SPLIT, "", ""))
    wait_until_idle(page)
    asked = dialog(page, SplitDialog)
    assert {asked.way_box.itemText(number) for number in range(asked.way_box.count())} == {"By shares", "By years"}
    assert "2 papers, too few" in asked.few_papers.text
    choose_shares(asked, 20, 90)
    assert not asked.action_button.isEnabled()
    assert "add up to 110 %" in asked.problem.text
    split_by(asked, qtbot, lambda: choose_shares(asked, 0, 100))
    wait_until_idle(page)
    with page.context.project.transaction() as stores:
        assert {split for split, _ in stores.split_counts.papers()} == {"test"}
        key = stores.pair_table.keys(stores.pair_table.ids(PairFilter()))[0]
        answer_as(stores, "ada", key, Answer.NEUTRAL)
    page.open_split_dialog()
    wait_until_idle(page)
    again = dialog(page, SplitDialog)
    assert {box.value() for (_, split), box in again.shares.boxes.items() if split == "test"} == {100}
    with qtbot.waitSignal(again.previewed):
        choose_shares(again, 0, 0)
    assert "1 paper with 1 answered pair would leave its split" in again.consent.text
    assert "Would change their split: 8 papers from test to train (1 answered pair)." in again.summary.moves.text
    assert not again.action_button.isEnabled()
    again.confirmed.setChecked(True)
    again.action_button.click()
    wait_until_idle(page)
    with page.context.project.read_transaction() as stores:
        assert {split for split, _ in stores.split_counts.papers()} == {"train"}


def test_the_dialog_says_what_a_split_comes_to_before_it_is_made(
    page: AnnotatePage, qtbot: QtBot, wait_until_idle: Wait
) -> None:
    page.open_split_dialog()
    wait_until_idle(page)
    asked = dialog(page, SplitDialog)
    with qtbot.waitSignal(asked.previewed):
        asked.way_box.setCurrentIndex(asked.way_box.findData(SplitWay.YEARS))
        asked.years.lines.setPlainText("ecology: test -2020, dev 2021-\ntrain 1800-1900")
    headings = asked.summary.grid.headings
    assert headings["ecology · dev"] == RowHeading("ecology", "dev, 1 paper")
    assert headings["ecology · test"] == RowHeading("ecology", "test, 1 paper")
    cells = [one for one in asked.summary.grid.cells if one.domain == "ecology · test"]
    assert all(one.text.startswith("about ") and one.text.endswith(" of 200") for one in cells)
    assert {one.tone for one in cells} == {"warning"}
    assert "6 papers are in no split" in asked.summary.left_out.text
    with qtbot.waitSignal(asked.previewed):
        asked.rest.setChecked(True)
    assert asked.summary.train.text().startswith("Train: 6 papers")
    assert not asked.summary.left_out.text
    asked.years.lines.setPlainText("")
    assert "No years are given" in asked.problem.text
    asked.reject()
    with page.context.project.read_transaction() as stores:
        assert stores.settings.get(SPLIT) is None


def test_the_targets_are_changed_from_the_dialog_and_suggested_for(
    page: AnnotatePage, qtbot: QtBot, wait_until_idle: Wait
) -> None:
    with page.context.project.transaction() as stores:
        [first, *_] = sorted({domain for _, domain in stores.split_counts.papers()})
        stores._connection.exec_driver_sql("UPDATE papers SET domain = ?", (first,))
    page._read()
    page.open_split_dialog()
    wait_until_idle(page)
    asked = dialog(page, SplitDialog)
    before = {key: box.value() for key, box in asked.shares.boxes.items()}
    assert before[first, "dev"]
    assert before[first, "test"]
    asked.targets_button.click()
    wait_until_idle(page)
    targets = dialog(page, TargetsDialog)
    targets.dev.setValue(0)
    targets.test.setValue(1)
    with qtbot.waitSignal(asked.previewed):
        targets.action_button.click()
    assert asked.targets_label.text() == "for 0 dev, 1 test"
    assert {key: box.value() for key, box in asked.shares.boxes.items()} == before
    with qtbot.waitSignal(asked.previewed):
        asked.suggest_button.click()
    assert not asked.shares.boxes[first, "dev"].value()
    assert asked.shares.boxes[first, "test"].value()
    asked.reject()


def test_a_project_of_an_earlier_version_is_split_by_its_gold_labels(
    page: AnnotatePage, qtbot: QtBot, wait_until_idle: Wait
) -> None:
    """The page holds the rules everywhere, as such a project does."""
    add_three(page, wait_until_idle)
    with page.context.project.transaction() as stores:
        first, second, *_ = [key.key for key in stores.round_draws.draw(RoundPlan(size=1)).pairs]
        answer(stores, first, *[Answer.NEUTRAL] * 3)
        answer_as(stores, "ada", second, Answer.NEUTRAL)
    page._read()
    wait_until_idle(page)
    assert step(page) is StepKind.SPLIT
    assert "1 answered pair has too few" in page.next_step.sentence.text()
    page.next_step.button.click()
    wait_until_idle(page)
    asked = dialog(page, SplitDialog)
    assert asked.way is SplitWay.GOLD
    qtbot.waitUntil(asked.action_button.isEnabled)
    with qtbot.waitSignal(page.context.message) as said:
        asked.action_button.click()
        wait_until_idle(page)
    assert "8 papers changed the split." in (said.args or [""])[0]
    assert step(page) is not StepKind.SPLIT
    with page.context.project.read_transaction() as stores:
        papers = stores.split_counts.papers()
        assert sum(number for (split, _), number in papers.items() if split == "train") == 7
        assert stores.settings.get(GOLD_EVERYWHERE) is None
        assert stores.gold.count() == 1


def test_the_heading_of_people_stays_at_the_top_beside_a_higher_column(
    page: AnnotatePage, qtbot: QtBot, wait_until_idle: Wait
) -> None:
    add_people(page.context.project, {"mk": Role.ANNOTATOR})
    page._read()
    wait_until_idle(page)
    page.resize(1280, 800)
    page.rounds.setMinimumHeight(500)
    qtbot.waitUntil(lambda: page.people.height() >= 500, timeout=5_000)
    [heading] = [label for label in page.people.findChildren(PlainLabel) if label.text() == "People"]
    assert heading.y() < 40
