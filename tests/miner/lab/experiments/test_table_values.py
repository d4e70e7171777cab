"""Every number of a table against scikit-learn, scipy and plain Python, whatever the predictions."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import ttest_1samp, ttest_rel
from sklearn.metrics import accuracy_score, f1_score, precision_score, recall_score

from miner.classifier.metrics import bootstrap_difference
from miner.lab.experiments.experiment import (
    DataSet,
    Experiment,
    Part,
    SignificanceTest,
    Table,
    TableAxis,
    TableScore,
)
from miner.lab.experiments.plan import PartDigest, plan
from miner.lab.experiments.scored_cells import UNREADABLE, ScoredCell, TestPart
from miner.lab.experiments.system_kinds import EncoderSystem, LexicalSystem
from miner.lab.experiments.table_text import format_view, signed, value_text
from miner.lab.experiments.table_values import TableView
from miner.lab.experiments.tables import ALL_PAIRS, view_tables
from miner.text_tables import TableFormat

CLASSES = ("contrasting", "reasoning", "entailment", "neutral")
AXES = (TableAxis.DOMAIN, TableAxis.STRATEGY, TableAxis.PHRASE, TableAxis.LENGTH)
LENGTHS = ("1-20", "21-30", "more than 80")


@st.composite
def predictions(draw: st.DrawFn) -> tuple[TestPart, list[list[list[int]]]]:
    """A test part, and predictions of three systems with each of three seeds; the first learns without chance."""
    n = draw(st.integers(4, 30))
    label = st.integers(0, 3)
    answer = st.integers(UNREADABLE, 3)
    part = TestPart(
        np.array(draw(st.lists(label, min_size=n, max_size=n)), np.int64),
        {axis: draw(st.lists(st.sampled_from(_names(axis)), min_size=n, max_size=n)) for axis in AXES},
    )
    runs = [
        [draw(st.lists(answer, min_size=n, max_size=n)) for _ in range(1 if system == 0 else 3)] for system in range(3)
    ]
    return part, runs


def _names(axis: TableAxis) -> tuple[str, ...]:
    return LENGTHS if axis is TableAxis.LENGTH else ("", f"{axis} a", f"{axis} b & c")


def experiment(*tables: Table) -> Experiment:
    systems = (LexicalSystem(name="words"), EncoderSystem(name="one"), EncoderSystem(name="two", start="other"))
    return Experiment("all", {"set": DataSet(train=Part(), test=Part())}, systems, tables=tables)


def cells_of(asked: Experiment, runs: list[list[list[int]]]) -> list[ScoredCell]:
    digests = {part: PartDigest(part, 1) for part in ("train", "test")}
    planned = plan(asked, {"set": digests}).cells
    return [
        ScoredCell(cell, np.array(runs[cell.run.system][min(cell.run.seed - 1, len(runs[cell.run.system]) - 1)]))
        for cell in planned
    ]


def expected(part: TestPart, predicted: list[int], axis: TableAxis, column: str, score: str) -> float | None:
    """A number in percent, by scikit-learn; None where there is no such pair."""
    there = [
        place
        for place in range(len(part.classes))
        if axis not in part.groups or column == ALL_PAIRS or part.groups[axis][place] == column
    ]
    if not there:
        return None
    labels = [int(part.classes[place]) for place in there]
    answers = [predicted[place] for place in there]
    if score == "unreadable":
        return 100 * answers.count(UNREADABLE) / len(answers)
    if score == "accuracy":
        return 100 * float(accuracy_score(labels, answers))
    if score in ("precision", "recall"):
        measure = precision_score if score == "precision" else recall_score
        occurring = sorted({*labels, *answers} - {UNREADABLE})
        return 100 * float(measure(labels, answers, labels=occurring, average="macro", zero_division=0))
    if score in CLASSES:
        number = CLASSES.index(score)
        return 100 * float(f1_score(labels, answers, labels=[number], average="macro", zero_division=0))
    occurring = sorted({*labels, *answers} - {UNREADABLE})
    if not occurring:
        return 0.0
    return 100 * float(f1_score(labels, answers, labels=occurring, average="macro", zero_division=0))


@settings(max_examples=2, deadline=None)  # each has a thousand numbers
@given(predictions())
def test_every_number_is_scikit_learns_and_every_p_is_scipys(given_runs: Any) -> None:
    part, runs = given_runs
    tables = [Table(columns=TableAxis.SCORE), Table(columns=TableAxis.CLASS)]
    tables += [Table(columns=axis, of=of) for axis in AXES for of in TableScore if not of.is_of_curve]
    tables = [replace(table, title=str(number)) for number, table in enumerate(tables)]
    asked = experiment(*tables)
    views = view_tables(asked, cells_of(asked, runs), {"set": part})
    axes = [table.columns for table in tables]
    assert len(views) == sum(axis not in part.groups or any(part.groups[axis]) for axis in axes)
    for view in views:
        table = tables[int(view.title)]
        for place, column in enumerate(view.columns):
            is_score = table.columns in (TableAxis.SCORE, TableAxis.CLASS)
            score = column if is_score else {"macro_f1": "macro F1"}.get(table.of, table.of.value)
            found = [
                [expected(part, predicted, table.columns, column, score) for predicted in runs[system]]
                for system in range(3)
            ]
            for system in range(3):
                check_value(view, system, place, found)


def check_value(view: TableView, system: int, place: int, found: list[list[float | None]]) -> None:
    value = view.values[system][place]
    scores = [score for score in found[system] if score is not None]
    if not scores:
        assert value is None
        return
    assert value is not None
    assert value.mean == pytest.approx(np.mean(scores))
    assert value.sd == (None if len(scores) < 2 else pytest.approx(np.std(scores, ddof=1), abs=1e-9))
    assert value.runs == len(scores)
    if system == 0:
        assert (value.p, value.difference) == (None, None)
        return
    first = found[0][0]
    assert first is not None
    assert value.difference == pytest.approx(np.mean(scores) - first)
    if np.std(np.array(scores) - first) > 1e-6:
        assert value.p == pytest.approx(float(ttest_1samp(scores, first).pvalue), abs=1e-9)
        assert value.is_significant == (value.p is not None and value.p < 0.05)


@settings(max_examples=20, deadline=None)
@given(predictions())
def test_two_trained_systems_are_compared_seed_by_seed(given_runs: Any) -> None:
    part, runs = given_runs
    asked = replace(experiment(Table(columns=TableAxis.SCORE)), systems=experiment().systems[1:])
    [view] = view_tables(asked, cells_of(asked, runs[1:]), {"set": part})
    sides = [[expected(part, one, TableAxis.SCORE, "", "macro F1") for one in side] for side in runs[1:]]
    value = view.values[1][view.columns.index("macro F1")]
    assert value is not None
    assert value.tested_runs == 3
    if np.std(np.subtract(*sides)) > 1e-6:
        assert value.p == pytest.approx(float(ttest_rel(sides[1], sides[0]).pvalue), abs=1e-9)


@settings(max_examples=10, deadline=None)
@given(predictions())
def test_the_best_and_second_best_of_a_column_are_marked_as_they_look(given_runs: Any) -> None:
    part, runs = given_runs
    asked = experiment(Table(columns=TableAxis.SCORE))
    [view] = view_tables(asked, cells_of(asked, runs), {"set": part})
    for place, column in enumerate(view.columns):
        values = [row[place] for row in view.values]
        shown = [round(value.mean, 1) for value in values if value is not None]
        order = sorted(set(shown), reverse=column != "unreadable")
        if len(order) > 1:
            assert [value.is_best for value in values if value is not None] == [one == order[0] for one in shown]
            assert [value.is_second for value in values if value is not None] == [one == order[1] for one in shown]


def test_the_bootstrap_tests_the_score_that_the_column_shows() -> None:
    """Two systems of the same accuracy, of which one never gives one of the classes."""
    generator = np.random.default_rng(3)
    labels = np.repeat(np.arange(4), 200)
    even = np.where(generator.random(800) < 0.25, (labels + 1) % 4, labels)
    lopsided = np.where(labels == 3, 0, labels)
    table = Table(columns=TableAxis.SCORE, test=SignificanceTest.BOOTSTRAP)
    asked = replace(experiment(table), systems=experiment().systems[1:], seeds=(1,))
    [view] = view_tables(asked, cells_of(asked, [[even.tolist()], [lopsided.tolist()]]), {"set": TestPart(labels)})
    by_column = dict(zip(view.columns, view.values[1], strict=True))
    neutral, accuracy, macro = by_column["neutral"], by_column["accuracy"], by_column["macro F1"]
    assert neutral is not None
    assert accuracy is not None
    assert macro is not None
    assert neutral.is_significant
    assert not accuracy.is_significant
    low, high = bootstrap_difference(labels, even, lopsided, seed=1, classes=4)
    assert macro.is_significant == (low > 0 or high < 0)


def test_few_pairs_are_not_tested_and_the_caption_says_so() -> None:
    """Of a column of nine pairs, all of which the second system has right, and one of ten."""
    labels = np.arange(40) % 4
    wrong, right = ((labels + 1) % 4).tolist(), labels.tolist()
    table = Table(columns=TableAxis.DOMAIN, test=SignificanceTest.BOOTSTRAP)
    asked = replace(experiment(table), systems=experiment().systems[1:], seeds=(1,))
    for few, many in ((1, 39), (9, 10), (9, 9)):
        domains = ["few"] * few + ["many"] * many + [""] * (40 - few - many)
        part = TestPart(labels, {TableAxis.DOMAIN: domains})
        [view] = view_tables(asked, cells_of(asked, [[wrong], [right]]), {"set": part})
        by_column = dict(zip(view.columns, view.values[1], strict=True))
        stars = {name: value is not None and value.is_significant for name, value in by_column.items()}
        assert stars == {"few": False, "many": many >= 10, "all pairs": True}
        assert {test.column for test in view.tests} == {name for name, star in stars.items() if star}
        assert view.caption.endswith(" Numbers of fewer than 10 pairs are not tested.")
    short = TestPart(labels[:8])
    [view] = view_tables(asked, cells_of(asked, [[wrong[:8]], [right[:8]]]), {"set": short})
    assert view.tests == ()
    assert view.caption.endswith(" Fewer than 10 pairs are too few to test differences.")
    whole = TestPart(labels)
    [view] = view_tables(asked, cells_of(asked, [[wrong], [right]]), {"set": whole})
    assert "fewer than" not in view.caption


def test_differences_stand_beside_numbers_in_every_format() -> None:
    part = TestPart(np.arange(40) % 4)
    right, half = (np.arange(40) % 4).tolist(), (np.arange(40) % 2).tolist()
    asked = experiment(Table(columns=TableAxis.SCORE, differences=True, title="50 % of <all> & more_of $x^2~{}\\"))
    [view] = view_tables(asked, cells_of(asked, [[right], [half] * 3, [right] * 3]), {"set": part})
    values = view.values[1][view.columns.index("accuracy")], view.values[2][view.columns.index("accuracy")]
    assert [value_text(value, with_difference=True) for value in values] == ["50.0 ± 0.0* (−50.0)", "100.0 ± 0.0 (0.0)"]
    assert "(−50.0)" in format_view(view, TableFormat.MARKDOWN)
    assert r"($-$50.0)" in format_view(view, TableFormat.LATEX)
    assert r"50 \% of $<$all$>$ \& more\_of \$x\textasciicircum{}2\textasciitilde{}\{\}\textbackslash{}" in format_view(
        view, TableFormat.LATEX
    )
    assert "In brackets: the difference from the first row." in view.caption
    assert "−" not in format_view(view, TableFormat.TSV)
    assert (signed(0.04), signed(-0.04), signed(1.25)) == ("0.0", "0.0", "+1.2")


def test_one_row_is_compared_with_nothing_and_says_nothing_of_tests() -> None:
    part = TestPart(np.arange(8) % 4)
    asked = replace(experiment(Table(columns=TableAxis.SCORE)), systems=experiment().systems[1:2])
    [view] = view_tables(asked, cells_of(asked, [[[0] * 8] * 3]), {"set": part})
    assert view.caption == "In percent: 8 pairs, mean of 3 runs ± standard deviation."
