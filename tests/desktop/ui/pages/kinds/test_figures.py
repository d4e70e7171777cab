"""The tabs Agreement and Figures of the Kinds page: figures with known answers, what they open, and empty states."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from desktop.ui.pages.kinds.agreement_tab import KindsAgreementTab
from desktop.ui.pages.kinds.figures_tab import KindsFiguresTab
from desktop.ui.pages.kinds.report_tab import LIST_NAME, KindsReportTab
from desktop.ui.plots.figures import BarFigure, HeatmapFigure, PlotMark, PointFigure
from desktop.ui.services.project_context import ProjectContext
from storage.changes import Changes
from storage.pairs.filters import ANY_KIND, NOT_BAD, PairFilter
from storage.project import Project
from tests.desktop.experiment_factory import CLASSES, store_experiment
from tests.desktop.ui.conftest import show_page
from tests.kinds_factory import answer_kinds

TWO = {"anna": ["causal", "causal", "", "lexical world"], "ben": ["causal", "", "", "lexical"]}


# Beside other tests in one process, 4 of 10 runs crashed in Qt timers (1 of 3 before these); none of 70 alone did.
pytestmark = pytest.mark.slow


@pytest.fixture
def shown(context: ProjectContext, qtbot: QtBot) -> Callable[[KindsReportTab], None]:
    """A function that shows a tab and waits until all figures are there."""

    def show(tab: KindsReportTab) -> None:
        show_page(tab, qtbot, height=900)
        qtbot.waitUntil(lambda: not tab.is_measuring)

    return show


def opened(project: Project, filter: PairFilter) -> set[str]:
    with project.read_transaction() as stores:
        return set(stores.pair_table.keys(stores.pair_table.ids(filter)))


def mark(marks: tuple[PlotMark, ...], *start: str) -> PlotMark:
    return next(one for one in marks if one.values[: len(start)] == start)


def test_agreement_is_shown_by_category_and_a_bar_opens_what_people_differ_on(
    context: ProjectContext, qtbot: QtBot, shown: Callable[[KindsReportTab], None]
) -> None:
    tab = KindsAgreementTab(context)
    shown(tab)
    assert "two people have answered the same pairs" in tab.empty.sentence.text()
    with qtbot.waitSignal(context.page_requested) as asked:
        tab.empty.button.click()
    assert asked.args == ["annotate"]

    answer_kinds(context.project, {"anna": TWO["anna"]})
    tab.measure()
    qtbot.waitUntil(lambda: tab.report is not None and not tab.is_measuring)
    assert tab.summary.headline.text().startswith("Only one person has answered all questions about 4 pairs")
    assert tab.summary.button.text() == "Draw a round"

    keys = answer_kinds(context.project, {"ben": TWO["ben"]})
    tab.measure()
    qtbot.waitUntil(lambda: not tab.is_measuring)
    assert tab.summary.headline.text() == "2 people, 4 pairs that two or more of them answered."
    # Of causal, 3 of 8 votes; 3 of 4 pairs alike: (.75 - .53125) / .46875. IoU: 1, 0, 1 (both none) and 1/2.
    assert [value.text() for value in tab.summary.values[1:3]] == ["0.62", "0.50"]
    figure = tab.categories.plot.figure
    assert isinstance(figure, PointFigure)
    causal = mark(figure.numbers, "Causal")
    assert causal.values[1] == "0.47"
    assert causal.values[4:] == (4, 1, 0.75, 0.375)
    assert "Never ticked" in figure.summary
    with qtbot.waitSignal(context.pairs_requested) as requested:
        tab.categories.open_mark(causal)
    assert requested.args == [PairFilter(kinds_differ=frozenset({"causal"}), statuses=NOT_BAD)]
    assert opened(context.project, requested.args[0]) == {keys[1]}
    with qtbot.waitSignal(context.pairs_requested) as requested:
        tab.summary.button.click()
    assert requested.args == [PairFilter(kinds_differ=frozenset({ANY_KIND}), statuses=NOT_BAD)]
    assert opened(context.project, requested.args[0]) == {keys[1], keys[3]}

    directions = tab.directions.plot.figure
    assert isinstance(directions, BarFigure)
    assert tab.report is not None
    with context.project.read_transaction() as stores:
        pairs = stores.kinds.pairs(keys[:4])
    phrases = {key: pairs[key].phrase or "Neutral pairs" for key in keys[:4] if tab.report.directed[key].announced}
    assert sum(int(str(one.values[3])) for one in directions.numbers) == len(phrases) > 0
    for phrase in set(phrases.values()):  # everybody says that the premise gives the hypothesis
        with qtbot.waitSignal(context.pairs_requested) as requested:
            tab.directions.open_mark(mark(directions.numbers, phrase))
        assert opened(context.project, requested.args[0]) == {key for key in phrases if phrases[key] == phrase}


def test_figures_count_correlate_and_score_and_every_number_opens_its_pairs(
    context: ProjectContext, qtbot: QtBot, shown: Callable[[KindsReportTab], None]
) -> None:
    tab = KindsFiguresTab(context)
    shown(tab)
    assert "on the tab Answer" in tab.empty.sentence.text()
    script = store_experiment(context.project)
    relations = ["contrasting", "reasoning", "reasoning", "entailment"]
    keys = answer_kinds(context.project, TWO, relations)
    tab.refresh(Changes(many_annotated=True))  # else the project's watcher says so some time later
    qtbot.waitUntil(lambda: tab.report is not None and not tab.is_measuring)
    counts, correlations = tab.counts.plot.figure, tab.correlations.plot.figure
    assert isinstance(counts, BarFigure)
    assert isinstance(correlations, HeatmapFigure)
    assert mark(counts.numbers, "reasoning", "Causal").values[2:] == (1, 0.5)
    assert mark(counts.numbers, "reasoning", "No category").values[2:] == (1, 0.5)
    assert mark(correlations.numbers, "Causal", "Lexical").values[2:] == ("−0.58", 0)  # -.5 / sqrt(1 * .75)
    tab.counts.copy()
    assert "reasoning\tCausal\t1\t0.5000" in QGuiApplication.clipboard().text()

    tab.correlations.copy_as("markdown")
    assert "| World | Causal | −0.58 | 0 |" in QGuiApplication.clipboard().text()
    assert "World\tCausal\t-0.58\t0\n" in tab.correlations.tsv()

    def opens(card: object, *start: str) -> set[str]:
        with qtbot.waitSignal(context.pairs_requested) as requested:
            card.open_mark(mark(card.plot.figure.numbers, *start))  # type: ignore[attr-defined]
        assert requested.args[0].lists == {LIST_NAME}
        return opened(context.project, requested.args[0])

    assert opens(tab.counts, "reasoning", "Causal") == {keys[1]}
    assert opens(tab.counts, "reasoning", "No category") == {keys[2]}
    assert opens(tab.correlations, "World", "Lexical") == {keys[3]}

    tab.models.choose("experiment:1:2")
    qtbot.waitUntil(lambda: not tab.is_measuring and tab.scores.plot.figure is not None, timeout=30_000)
    predicted = script.predicted[script.keys[1, "own", "own", 1]]
    wrong = {key for key, said in zip(keys, relations, strict=False) if CLASSES.index(said) != predicted[key]}
    scores = tab.scores.plot.figure
    assert isinstance(scores, PointFigure)
    trained = [name for name, _ in scores.series]
    assert trained == ["Naive Bayes, trained on file", "Naive Bayes, trained on own"]
    model = trained[1]
    causal = mark(scores.numbers, model, "Causal")
    assert causal.values[2] == len({*keys[:2]} - wrong) / 2
    assert opens(tab.scores, model, "All pairs") == wrong
    tab.measure()  # as after a change: the figures of models stay until they are there anew
    qtbot.waitUntil(lambda: tab.models.cancel_button.isVisible())
    assert opens(tab.scores, model, "Causal") == wrong & {*keys[:2]}
    qtbot.waitUntil(lambda: not tab.is_measuring)
    assert "there are only 4 pairs, and at least 30 are needed" in tab.factors.waiting_label.text()

    tab.models.choose("experiment:9:1")  # which is not among the choices any more
    qtbot.waitUntil(lambda: not tab.is_measuring)
    assert tab.models.chosen == ()
    assert "Choose models above" in tab.scores.waiting_label.text()
