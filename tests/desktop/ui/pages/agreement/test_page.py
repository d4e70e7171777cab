"""The Agreement page: what it says with and without votes, its tables, its plots, and what a click opens."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from desktop.jobs.review.agreement_report import GroupKind
from desktop.ui.pages.agreement.page import AgreementPage
from desktop.ui.pages.agreement.rows import RANGE
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.widgets.cell_delegates import INTERVAL_ROLE
from miner.records import Answer
from storage.annotation.annotation_rounds import RoundPair, RoundPlan
from storage.annotation.annotators import Role
from storage.annotation.answers import NewAnswer
from storage.changes import Changes
from storage.pairs.filters import PairFilter
from storage.project import Project
from tests.desktop.ui.conftest import show_page
from tests.scripted_annotators import AT, ScriptedAnnotator, annotate, mostly_right

Show = Callable[[], AgreementPage]


def people(*accuracies: float) -> list[ScriptedAnnotator]:
    return [ScriptedAnnotator(f"person{n}", mostly_right(accuracy, 0.05)) for n, accuracy in enumerate(accuracies)]


def keys_of(project: Project, filter: PairFilter | None = None) -> list[str]:
    with project.read_transaction() as stores:
        return sorted(stores.pair_table.keys(stores.pair_table.ids(filter or PairFilter())))


def give(project: Project, who: str, answers: Sequence[tuple[str, Answer]]) -> None:
    with project.transaction() as stores:
        stores.answers.append([NewAnswer(key, who, AT, answer) for key, answer in answers])


@pytest.fixture
def open_page(context: ProjectContext, qtbot: QtBot) -> Show:
    """A function that shows the page and waits until all figures are there."""

    def show() -> AgreementPage:
        page = AgreementPage(context)
        show_page(page, qtbot, height=900)
        qtbot.waitUntil(lambda: page.report is not None and not page.is_measuring, timeout=20_000)
        return page

    return show


@pytest.fixture
def page(context: ProjectContext, open_page: Show) -> AgreementPage:
    """Of three annotators and an expert, with a round."""
    annotate(context.project, [*people(0.9, 0.8, 0.7), ScriptedAnnotator("eva", mostly_right(0.9), Role.EXPERT)])
    with context.project.transaction() as stores:
        drawn = [RoundPair(key, "", None) for key in keys_of(context.project)[:6]]
        stores.annotation_rounds.add(RoundPlan(), drawn, ["person0"], AT)
    return open_page()


def test_without_answers_the_page_teaches_what_it_needs(open_page: Show, context: ProjectContext, qtbot: QtBot) -> None:
    page = open_page()
    assert page.empty.isVisible()
    assert "two people have answered the same pairs" in page.empty.sentence.text()
    assert not page.is_action_enabled("copy")
    with qtbot.waitSignal(context.page_requested) as asked:
        page.empty.button.click()
    assert asked.args == ["annotate"]


def test_without_overlap_it_is_said_in_words_and_no_coefficient_is_shown(
    open_page: Show, context: ProjectContext
) -> None:
    first, second, *_ = keys_of(context.project)
    give(context.project, "anna", [(first, Answer.NEUTRAL)])
    give(context.project, "ben", [(second, Answer.NEUTRAL)])
    page = open_page()
    assert page.summary.headline.text() == "2 people have answered, but no pair was answered by two of them."
    assert not page.summary.figures[0].isVisible()
    assert page.summary.button.text() == "Open rounds"


def test_votes_for_one_answer_alone_are_said_to_leave_kappa_undefined(open_page: Show, context: ProjectContext) -> None:
    keys = keys_of(context.project)[:4]
    for who in ("anna", "ben"):
        give(context.project, who, [(key, Answer.UNCLEAR) for key in keys])
    page = open_page()
    assert page.summary.headline.text() == "All votes of 2 people on 4 pairs are “unclear”."
    assert "not defined" in page.summary.verdict.text()
    assert [figure.value.text() for figure in page.summary.figures][1:3] == ["–", "–"]


def test_the_summary_says_how_far_people_agree_and_what_to_do(
    page: AgreementPage, context: ProjectContext, qtbot: QtBot
) -> None:
    assert page.summary.headline.text().startswith("3 people agree on ")
    assert "Fleiss’ κ" in page.summary.verdict.text()
    assert all(figure.value.text() != "–" and " to " in figure.range.text() for figure in page.summary.figures)
    assert page.summary.step.text()
    with qtbot.waitSignal(context.pairs_requested) as asked:
        page.summary.button.click()
    assert keys_of(context.project, asked.args[0])


def test_a_row_opens_the_pairs_that_people_of_that_group_differ_on(
    page: AgreementPage, context: ProjectContext, qtbot: QtBot
) -> None:
    ModelTester(page.groups.model).check(page.groups.model)
    table = page.groups.table
    assert [row.cells[0].text for row in page.groups.model.rows] == list(dict.fromkeys(map(str, _LABELS)))
    with qtbot.waitSignal(context.pairs_requested) as asked:
        table.activated.emit(page.groups.model.index(1, 0))
    assert asked.args[0].distant == frozenset({"reasoning"})
    assert asked.args[0].contested is True


_LABELS = ("contrasting", "reasoning", "entailment", "neutral")


def test_groups_of_every_kind_can_be_chosen_and_sorted(page: AgreementPage) -> None:
    for kind in (GroupKind.DOMAIN, GroupKind.ROUND, GroupKind.STRATEGY, GroupKind.PHRASE):
        page.groups.choose_kind(kind)
        assert page.groups.kind is kind
        assert page.groups.model.rows, kind
    page.groups.choose_kind(GroupKind.CLASS)
    assert page.report is not None
    page.groups.table.sortByColumn(2, Qt.SortOrder.DescendingOrder)
    shares = [row.cells[2].value for row in page.groups.model.rows]
    assert shares == sorted(shares, reverse=True)
    figures = page.groups.model.index(0, RANGE).data(INTERVAL_ROLE)
    assert figures[1].low <= figures[0] <= figures[1].high


def test_the_heat_map_has_each_two_annotators_once_and_opens_what_they_differ_on(
    page: AgreementPage, context: ProjectContext, qtbot: QtBot
) -> None:
    [heatmap] = page.pairwise.plot.figure.heatmaps
    assert [len(row) for row in heatmap.cells] == [1, 2]
    mark = heatmap.cells[0][0].mark
    with qtbot.waitSignal(context.pairs_requested) as asked:
        page.pairwise.open_mark(mark)
    assert asked.args[0].differing == frozenset({"person0", "person1"})


def test_gold_against_distant_labels_is_told_by_class_and_in_all(page: AgreementPage) -> None:
    lines = [line.split("\t") for line in page.distant.tsv().splitlines()]
    assert lines[0] == ["Class", "Annotated", "Agreement", "Low", "High", "No majority"]
    assert [line[0] for line in lines[1:]] == [*_LABELS, "All"]
    assert sum(int(line[1]) for line in lines[1:-1]) == int(lines[-1][1])


def test_human_performance_is_shown_for_each_person_and_role(page: AgreementPage) -> None:
    [row] = page.people.model.rows
    assert [cell.text for cell in row.cells[:2]] == ["Eva", "expert"]
    assert page.people.note.text().startswith("1 expert: macro F1 ")


def test_without_experts_the_card_says_how_to_measure_people(open_page: Show, context: ProjectContext) -> None:
    annotate(context.project, people(0.9, 0.8))
    assert "expert or layperson" in open_page().people.waiting_label.text()


def test_all_numbers_can_be_copied(page: AgreementPage, context: ProjectContext) -> None:
    context.actions["agreement.copy"].trigger()
    text = QGuiApplication.clipboard().text()
    for card in page.cards:
        assert card.question in text
    assert "By class\nGroup\tPairs\tVotes agree\tVotes agree low\tVotes agree high" in text
    assert "By phrase" in text


def test_a_round_or_a_domain_can_be_measured_alone(page: AgreementPage, qtbot: QtBot) -> None:
    assert page.report is not None
    every = page.report.overall.agreement.pairs
    page.rounds.setCurrentIndex(1)
    qtbot.waitUntil(lambda: not page.is_measuring and page.report.options.round == 1, timeout=20_000)
    assert page.report.overall.agreement.pairs == 6 < every
    assert page.rounds.count() == 2


def test_new_answers_are_measured_again(page: AgreementPage, context: ProjectContext, qtbot: QtBot) -> None:
    assert page.report is not None
    before = page.report.overall.agreement.votes
    give(context.project, "newcomer", [(keys_of(context.project)[0], Answer.NEUTRAL)])
    context.events.changed.emit(Changes(annotated_keys=frozenset(keys_of(context.project)[:1])))
    qtbot.waitUntil(lambda: page.report.overall.agreement.votes == before + 1, timeout=20_000)
