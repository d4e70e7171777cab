"""The figures of a real project: their sums, the sentences of their marks, and the pairs that marks open."""

from __future__ import annotations

import pytest

from desktop.jobs.mining.dropped import DroppedQuery
from desktop.jobs.pairs import statistics
from desktop.text import percent
from desktop.ui.pages.dashboard import figures, histograms
from desktop.ui.plots.figures import ABSENT_TONE, BarFigure, Figure, PlotMark
from desktop.ui.services.display_names import drop_reason_name
from miner.mining.drop_reasons import DROP_TEXTS
from miner.progress import Progress
from miner.records import DropReason, Funnel, Strategy
from storage.pairs.filters import PairFilter
from storage.pairs.statistics import PairCount
from storage.project import Project
from tests.desktop.ui.pages.dashboard.reviewed_project import add_answers

DOMAINS = (None, "ecology")


def number(mark: PlotMark) -> int:
    """The count of a mark: its row in the table of numbers ends with the count and the share."""
    count = mark.values[-2]
    assert isinstance(count, int)
    return count


def all_figures(project: Project, domain: str | None) -> dict[str, Figure]:
    counts = statistics.load_counts(project).work(Progress())
    measures = statistics.load_measures(project, domain).work(Progress())
    return {
        "funnel": figures.funnel_figure(statistics.load_funnel(project, domain).work(Progress()).funnel, domain),
        "classes": figures.classes_figure(counts, domain),
        "answers": figures.answers_figure(counts, domain),
        "lengths": histograms.lengths_figure(measures, domain),
        "overlap": histograms.overlap_figure(measures, domain),
    }


@pytest.mark.parametrize("domain", DOMAINS)
def test_every_mark_opens_as_many_pairs_as_it_counts(project: Project, domain: str | None) -> None:
    add_answers(project)
    opened = 0
    with project.read_transaction() as stores:
        for figure in all_figures(project, domain).values():
            for mark in (*figure.marks(), *figure.numbers):
                if isinstance(mark.opens, PairFilter) and (number(mark) or isinstance(figure, BarFigure)):
                    assert stores.pair_table.count(mark.opens) == number(mark), mark
                    opened += 1
    assert opened > 50


@pytest.mark.parametrize("domain", DOMAINS)
def test_numbers_have_a_cell_for_each_column(project: Project, domain: str | None) -> None:
    add_answers(project)
    for figure in all_figures(project, domain).values():
        assert {len(mark.values) for mark in figure.numbers} == {len(figure.columns)}


def test_counts_add_up_to_the_pairs_of_the_project(project: Project) -> None:
    add_answers(project)
    by_name = all_figures(project, None)
    with project.read_transaction() as stores:
        pairs = stores.pairs.count()
    for name in ("classes", "overlap"):
        assert sum(number(mark) for mark in by_name[name].numbers) == pairs
    premises = [number(mark) for mark in by_name["lengths"].numbers if mark.values[0] == "Premise"]
    assert sum(premises) == pairs
    progress = [number(mark) for mark in by_name["answers"].numbers if mark.values[0] == "All pairs"]
    assert sum(progress) == pairs


def test_candidates_are_the_sum_of_kept_and_dropped() -> None:
    funnel = Funnel(
        {Strategy.LINKED: 10, Strategy.BOTH_RANDOM: 4},
        {Strategy.LINKED: 7, Strategy.BOTH_RANDOM: 4},
        {DropReason(Strategy.LINKED, "too_short"): 2, DropReason(Strategy.LINKED, "math"): 1},
    )
    figure = figures.funnel_figure(funnel, None)
    assert figure.summary == "14 candidates = 11 kept + 3 dropped."
    assert [mark.values[:3] for mark in figure.numbers] == [
        ("Linked by a phrase", "Kept", 7),
        ("Linked by a phrase", "Too short", 2),
        ("Linked by a phrase", "Formulas", 1),
        ("Two random sentences", "Kept", 4),
    ]


def test_dropped_candidates_open_examples_and_tell_the_reason() -> None:
    funnel = Funnel({Strategy.LINKED: 3}, {Strategy.LINKED: 1}, {DropReason(Strategy.LINKED, "too_short"): 2})
    mark = figures.funnel_figure(funnel, None).numbers[1]
    assert mark.opens == DroppedQuery((Strategy.LINKED,), "too_short", None, mark.note)
    assert mark.note == "2 candidates dropped: fewer words than the lower limit."


def test_rare_reasons_share_a_row_and_still_add_up() -> None:
    reasons = sorted(DROP_TEXTS)[:10]
    dropped = {DropReason(Strategy.LINKED, reason): 10 - number for number, reason in enumerate(reasons)}
    figure = figures.funnel_figure(Funnel({Strategy.LINKED: 60}, {Strategy.LINKED: 5}, dropped), None)
    rows = [row for row in figure.rows if row.bars and row.bars[0].tone == ABSENT_TONE and len(row.bars) == 1]
    assert rows[-1].name == "4 other reasons"
    assert sum(row.bars[0].length for row in rows) == 55
    assert len({row.full_length for row in rows}) == 1  # bars of one list are on one scale


def test_small_domains_share_a_row() -> None:
    counts = [PairCount(f"domain {n}", Strategy.LINKED, "reasoning", "Thus", "open", "", 20 - n) for n in range(12)]
    figure = figures.classes_figure(counts, None)
    [row] = [row for row in figure.rows if row.name == "4 other domains"]
    assert row.bars[0].length == 12 + 11 + 10 + 9
    assert row.bars[0].mark.opens == PairFilter(
        labels=frozenset(("reasoning",)), domains=frozenset(f"domain {n}" for n in range(8, 12))
    )


def test_without_answers_only_the_progress_is_shown() -> None:
    figure = figures.answers_figure([PairCount("", Strategy.LINKED, "reasoning", "Thus", "open", "", 3)], None)
    assert [row.name for row in figure.rows] == ["Annotated"]
    assert figure.summary == "0 of 3 pairs annotated."


def test_every_reason_has_a_short_text() -> None:
    for reason in DROP_TEXTS:
        assert "_" not in drop_reason_name(reason)
        assert len(drop_reason_name(reason)) <= 24


def test_shares_are_never_rounded_to_all_or_nothing() -> None:
    assert [percent(share) for share in (0, 0.001, 0.5, 0.999, 1)] == ["0 %", "under 1 %", "50 %", "over 99 %", "100 %"]
