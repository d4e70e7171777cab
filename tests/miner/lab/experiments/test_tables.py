"""Tables: scores of cells by system, training set, class and group; best ones, tests and captions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy.stats import ttest_1samp
from sklearn.metrics import f1_score, precision_score, recall_score

from miner.classifier.metrics import paired_t_test
from miner.lab.experiments.experiment import (
    Experiment,
    SignificanceTest,
    Table,
    TableAxis,
    TableScore,
)
from miner.lab.experiments.experiment_file import parse_experiment, ready_text
from miner.lab.experiments.plan import PartDigest, plan
from miner.lab.experiments.scored_cells import UNREADABLE, ScoredCell, TestPart, class_counts, length_group
from miner.lab.experiments.table_text import format_view
from miner.lab.experiments.tables import view_tables
from miner.text_tables import TableFormat

N = 400
GENERATOR = np.random.default_rng(0)
CLASSES = GENERATOR.integers(0, 4, N)
DOMAINS = [("kelp", "reef", "")[n % 3] for n in range(N)]
PART = TestPart(CLASSES, {TableAxis.DOMAIN: DOMAINS, TableAxis.LENGTH: [length_group(5 + n % 90) for n in range(N)]})
PARTS = {name: PartDigest(name, N) for name in ("train", "dev", "test")}


def macro(one: ScoredCell) -> float:
    return float(f1_score(CLASSES, one.predicted, average="macro"))


def scored(experiment: Experiment, right: dict[int, float], sets: tuple[str, ...] = ("project",)) -> list[ScoredCell]:
    """Predictions that are right with the probability of their system."""
    cells = []
    digests = {name: {part: PartDigest(f"{name} {part}", N) for part in PARTS} for name in sets}
    for number, cell in enumerate(plan(experiment, digests).cells):
        generator = np.random.default_rng(number)
        keep = generator.random(N) < right[cell.run.system]
        cells.append(ScoredCell(cell, np.where(keep, CLASSES, generator.integers(0, 4, N))))
    return cells


def test_a_main_table_has_classes_macro_f1_and_accuracy_as_mean_and_deviation_over_seeds() -> None:
    baselines = parse_experiment(ready_text("baselines"))
    cells = scored(baselines, {0: 0.2, 1: 0.5, 2: 0.5, 3: 0.7, 4: 0.9})
    main, domains = view_tables(baselines, cells, {"project": PART})
    assert main.rows == ("Lexicalized", "CBOW", "CNN", "BiLSTM", "Starter, fine-tuned")
    assert main.columns == ("contrasting", "reasoning", "entailment", "neutral", "macro F1", "accuracy")
    f1s = [100 * f1_score(CLASSES, one.predicted, average="macro") for one in cells if one.cell.run.system == 3]
    value = main.values[3][4]
    assert value is not None
    assert (value.mean, value.sd) == pytest.approx((np.mean(f1s), np.std(f1s, ddof=1)))
    assert (value.runs, value.pairs, len(value.cells)) == (3, N, 3)
    best = main.values[4][4]
    first = 100 * macro(cells[0])  # has one run, as no chance is in it
    assert best is not None
    assert best.is_best
    best_runs = [100 * macro(one) for one in cells if one.cell.run.system == 4]
    found = {(one.row, one.other, one.column): one for one in main.tests}
    test = found[main.rows[4], main.rows[0], "macro F1"]
    assert test.p == pytest.approx(ttest_1samp(best_runs, first).pvalue)
    assert "± standard deviation" in main.caption
    assert "paired t-test over 3 seeds" in main.caption
    assert domains.columns == ("kelp", "reef", "all pairs")
    kelp = domains.values[0][0]
    assert kelp is not None
    assert (kelp.pairs, kelp.group) == (DOMAINS.count("kelp"), "kelp")


def test_differences_are_tested_by_seed_against_the_first_row() -> None:
    baselines = parse_experiment(ready_text("baselines"))
    baselines = replace(baselines, systems=baselines.systems[1:], tables=(Table(),))
    cells = scored(baselines, {0: 0.2, 1: 0.2, 2: 0.7, 3: 0.9})
    [main] = view_tables(baselines, cells, {"project": PART})
    by_system = [
        [100 * f1_score(CLASSES, one.predicted, average="macro") for one in cells if one.cell.run.system == number]
        for number in (0, 2)
    ]
    expected = paired_t_test(*by_system)
    value = main.values[2][4]
    assert expected is not None
    assert value is not None
    assert value.p == pytest.approx(expected.p)
    assert value.is_significant == (expected.p < 0.05)
    assert "paired t-test over 3 seeds" in main.caption
    assert main.values[0][4] is not None
    assert main.values[0][4].p is None


def test_marks_name_the_rows_that_a_number_is_better_than() -> None:
    baselines = parse_experiment(ready_text("baselines"))
    cells = scored(baselines, {0: 0.2, 1: 0.5, 2: 0.5, 3: 0.5, 4: 0.9})
    main = view_tables(baselines, cells, {"project": PART})[0]
    marks = [row[4].marks for row in main.values if row[4] is not None]
    assert (marks[0], marks[4]) == ("", "*#$†")
    names = "* Lexicalized; # CBOW; $ CNN; † BiLSTM: p < 0.05, paired t-test over 3 seeds."
    assert f"Significantly better than: {names}" in main.caption
    last = format_view(main, TableFormat.MARKDOWN).splitlines()[8]
    assert "\\*\\#\\$†" in last
    assert r"*\#\$$\dagger$" in format_view(main, TableFormat.LATEX)
    assert {test.other for test in main.tests if test.row == "CNN"} == {"Lexicalized", "CBOW"}


@pytest.mark.parametrize(("of", "measure"), [("precision", precision_score), ("recall", recall_score)])
def test_precision_and_recall_are_of_each_class_or_the_mean(of: str, measure: Callable[..., Any]) -> None:
    baselines = parse_experiment(ready_text("baselines"))
    tables = tuple(Table(columns=axis, of=TableScore(of)) for axis in (TableAxis.CLASS, TableAxis.TEST))
    baselines = replace(baselines, tables=tables)
    cells = scored(baselines, {0: 0.2, 1: 0.5, 2: 0.5, 3: 0.7, 4: 0.9})
    by_class, mean = view_tables(baselines, cells, {"project": PART})
    found = [value.mean for value in by_class.values[0] if value is not None]
    assert found == pytest.approx(100 * measure(CLASSES, cells[0].predicted, average=None))
    assert by_class.caption.startswith(f"In percent: {of}, 400 pairs")
    assert mean.values[0][0] is not None
    assert mean.values[0][0].mean == pytest.approx(np.mean(found))


def test_what_the_hypothesis_gives_alone_is_said_as_a_share_of_both_sentences() -> None:
    artefacts = parse_experiment(ready_text("artefacts"))
    cells = scored(artefacts, dict(enumerate((0.5, 0.3, 0.1, 0.1, 0.1, 0.8, 0.6))))
    [view] = view_tables(artefacts, cells, {"project": PART})
    both, alone = (view.values[row][4] for row in (5, 6))
    assert both is not None
    assert alone is not None
    share = f"{alone.mean / both.mean:.2f} of the macro F1 with both sentences ({alone.mean:.1f} / {both.mean:.1f})."
    assert view.caption.endswith(f"Starter's encoder, hypothesis alone: {share}")


def test_a_matrix_frames_its_diagonal_and_compares_with_it() -> None:
    travel = parse_experiment(ready_text("datasets"))
    sets = ("project", "other", "both")
    cells = scored(travel, {0: 0.5}, sets)
    [view] = view_tables(travel, cells, dict.fromkeys(sets, PART))
    assert view.rows == sets
    assert view.columns == ("project", "other", "both")
    framed = [[value is not None and value.is_in_domain for value in row] for row in view.values]
    assert framed == [[row == column for column in range(3)] for row in range(3)]
    assert view.values[0][0] is not None
    assert view.values[0][0].p is None
    assert view.values[1][0] is not None
    assert view.values[1][0].p is not None


def test_an_unreadable_answer_is_wrong_for_every_class() -> None:
    predicted = np.where(np.arange(N) < 40, UNREADABLE, CLASSES)
    counts = class_counts(CLASSES, predicted, 4)
    assert counts.shape == (4, 5)
    assert counts[:, 4].sum() == 40
    prompts = parse_experiment(ready_text("human"))
    cell = plan(prompts, {"project": {"test": PARTS["test"]}}, given_answers={}).cells[-1]
    view, _ = view_tables(prompts, [ScoredCell(cell, predicted)], {"project": PART})
    accuracy, unreadable = view.values[0][-2:]
    assert view.columns[-2:] == ("accuracy", "unreadable")
    assert accuracy is not None
    assert unreadable is not None
    assert (accuracy.mean, unreadable.mean) == (pytest.approx(90), pytest.approx(10))


def test_the_best_row_has_the_fewest_unreadable_answers() -> None:
    baselines = parse_experiment(ready_text("baselines"))
    table = Table(against="best", test=SignificanceTest.NONE)
    baselines = replace(baselines, systems=baselines.systems[1:3], seeds=(1,), tables=(table,))
    digests = {"project": PARTS}
    cells = [
        ScoredCell(cell, np.where(np.arange(N) < 40 * number, UNREADABLE, CLASSES))
        for number, cell in enumerate(plan(baselines, digests).cells)
    ]
    [view] = view_tables(baselines, cells, {"project": PART})
    differences = [row[view.columns.index("unreadable")].difference for row in view.values]  # type: ignore[union-attr]
    assert differences == [None, pytest.approx(10)]


def test_the_bootstrap_finds_a_difference_that_is_there_and_none_that_is_not() -> None:
    baselines = parse_experiment(ready_text("baselines"))
    table = Table(TableAxis.SYSTEM, TableAxis.TEST, TableScore.MACRO_F1, test=SignificanceTest.BOOTSTRAP)
    baselines = replace(baselines, seeds=(1,), tables=(table,))
    [view] = view_tables(baselines, scored(baselines, {0: 0.5, 1: 0.5, 2: 0.5, 3: 0.5, 4: 0.9}), {"project": PART})
    marks = [row[0] is not None and row[0].is_significant for row in view.values]
    assert marks == [False, False, False, False, True]
    assert "bootstrap" in view.caption


def test_lengths_are_in_order_and_every_number_of_words_is_in_one_group() -> None:
    assert [length_group(words) for words in (0, 1, 20, 21, 80, 81, 900)] == [
        "1-20", "1-20", "1-20", "21-30", "61-80", "more than 80", "more than 80",
    ]  # fmt: skip
    baselines = parse_experiment(ready_text("strategies"))
    views = view_tables(baselines, scored(baselines, {0: 0.5, 1: 0.7}), {"project": PART})
    assert views[-1].columns[0] == "1-20"
    assert views[-1].columns[-2:] == ("more than 80", "all pairs")


def test_nothing_finished_is_no_table() -> None:
    assert view_tables(parse_experiment(ready_text("baselines")), [], {}) == []


def test_a_table_is_text_that_other_programs_read() -> None:
    baselines = parse_experiment(ready_text("baselines"))
    systems = (replace(baselines.systems[0], name="50 % | of_it"), *baselines.systems[1:])
    baselines = replace(baselines, systems=systems)
    view = view_tables(baselines, scored(baselines, {0: 0.2, 1: 0.5, 2: 0.5, 3: 0.7, 4: 0.9}), {"project": PART})[0]
    rows = format_view(view, TableFormat.MARKDOWN).splitlines()
    assert rows[0] == "### Systems"
    assert all(row.count("|") - row.count("\\|") == 8 for row in rows[2:9])
    assert "**" in rows[8]
    text = format_view(view, TableFormat.LATEX)
    assert r"50 \% | of\_it" in text
    assert text.count(r"\\") == 6
    assert "±" not in text
    lines = [line.split("\t") for line in format_view(view, TableFormat.TSV).splitlines()]
    assert {len(line) for line in lines} == {13}
    assert lines[1][2] == ""  # one run has no deviation


def test_cells_that_are_not_computed_have_their_place_and_the_reason() -> None:
    travel = parse_experiment(ready_text("datasets"))
    sets = ("project", "other", "both")
    done = scored(travel, {0: 0.5}, sets)
    planned = [one.cell for one in done]
    refused = [cell for cell in planned if (cell.run.train, cell.test) == ("both", "other")]
    planned = [cell._replace(problem="7 of its test pairs are known.") if cell in refused else cell for cell in planned]
    finished = [one for one in done if one.cell.run.train == "project"]
    [view] = view_tables(travel, finished, dict.fromkeys(sets, PART), planned)
    assert view.rows == sets
    row = dict(zip(view.columns, view.reasons[sets.index("both")], strict=True))
    assert row["other"] == "Refused: 7 of its test pairs are known."
    assert row["project"] == "Not computed yet."
    assert not any(view.reasons[sets.index("project")])
    [empty] = view_tables(travel, [], {}, planned)
    assert (empty.rows, empty.columns, empty.caption) == (view.rows, view.columns, "Nothing is computed yet.")


def test_a_number_of_a_class_is_of_the_pairs_of_this_class() -> None:
    baselines = parse_experiment(ready_text("baselines"))
    main, domains = view_tables(baselines, scored(baselines, dict.fromkeys(range(5), 0.5)), {"project": PART})
    assert main.group_axis is TableAxis.CLASS
    assert [value and value.group for value in main.values[0]] == [*baselines.class_names, "", ""]
    assert (domains.group_axis, domains.values[0][0] and domains.values[0][0].group) == (TableAxis.DOMAIN, "kelp")


def test_a_pair_counts_in_the_column_of_each_of_its_kinds_of_reasoning() -> None:
    kinds = ["causal world", "causal", "", "negation"] * (N // 4)
    baselines = parse_experiment(ready_text("baselines"))
    asked = replace(baselines, tables=(Table(columns=TableAxis.KIND, of=TableScore.ACCURACY),))
    cells = scored(asked, dict.fromkeys(range(5), 0.5))
    [view] = view_tables(asked, cells, {"project": TestPart(CLASSES, {TableAxis.KIND: kinds})})
    assert view.columns == ("causal (200)", "negation (100)", "world (100)", "all pairs")
    right = [100 * float((one.predicted == CLASSES)[0::4].mean()) for one in cells if one.cell.run.system == 4]
    world = view.values[4][2]
    assert world is not None
    assert (world.mean, world.pairs, world.group) == (pytest.approx(np.mean(right)), 100, "world")


@pytest.mark.parametrize(("pairs", "is_said"), [(99, True), (100, False)])
def test_few_test_pairs_are_said_beside_a_test_over_seeds(pairs: int, is_said: bool) -> None:
    baselines = parse_experiment(ready_text("baselines"))
    cells = scored(baselines, {0: 0.2, 1: 0.5, 2: 0.5, 3: 0.5, 4: 0.9})
    few = [one._replace(predicted=one.predicted[:pairs]) for one in cells]
    part = TestPart(CLASSES[:pairs], {TableAxis.DOMAIN: DOMAINS[:pairs]})
    main = view_tables(replace(baselines, tables=(Table(),)), few, {"project": part})[0]
    assert ("Of fewer than 100 test pairs it says little" in main.caption) == is_said
