"""Evaluated models: scored by domain and strategy, grouped in rows, and compared."""

from __future__ import annotations

import json

import numpy as np
import pytest

from miner.classifier.evaluation import (
    EvaluatedModel,
    EvaluatedPair,
    ModelResult,
    compare,
    evaluate_predictions,
    group_results,
    learning_curves,
)
from miner.records import Label, Strategy

LABELS = tuple(Label)
DOMAINS = ("law", "nlp")
STRATEGIES = (Strategy.BOTH_RANDOM, Strategy.FIRST_RANDOM)


def items(n: int = 80) -> list[EvaluatedPair]:
    """Twenty of each class by turns, half of each domain; neutral ones of two strategies."""
    return [
        EvaluatedPair(
            f"{k}",
            f"premise {k}",
            f"hypothesis {k}",
            LABELS[k % 4],
            domain=DOMAINS[k // 4 % 2],
            strategy=STRATEGIES[k // 4 % 2] if k % 4 == 3 else Strategy.LINKED,
        )
        for k in range(n)
    ]


def says(wrong: int, n: int = 80) -> np.ndarray:
    """Probabilities that are right but for the first so many, which are one class off."""
    classes = [(k + (k < wrong)) % 4 for k in range(n)]
    return np.full((n, 4), 0.1) + 0.6 * np.eye(4)[classes]


def result(name: str, wrong: int = 8, *, counted: np.ndarray | None = None, **subject: object) -> ModelResult:
    given = items()
    all_of_them = np.ones(len(given), bool) if counted is None else counted
    subject_model = EvaluatedModel(name, name, name, **subject)  # type: ignore[arg-type]
    return evaluate_predictions(subject_model, given, says(wrong), all_of_them)


def test_a_model_is_scored_by_class_domain_and_neutral_strategy() -> None:
    # The first 8 of 80 are wrong: four of each domain, two of each class, one neutral pair of each strategy.
    found = result("m")
    assert found.scores.accuracy == pytest.approx(0.9)
    assert found.scores.macro_f1 == pytest.approx(0.9)
    assert {name: part.n for name, part in found.by_domain.items()} == {"law": 40, "nlp": 40}
    assert found.by_domain["law"].accuracy == pytest.approx(0.9)
    assert {name: (part.n, part.accuracy) for name, part in found.by_strategy.items()} == {
        "both_random": (10, pytest.approx(0.9)),
        "first_random": (10, pytest.approx(0.9)),
    }
    assert found.interval.low < 0.9 < found.interval.high
    assert found.scores.ece == pytest.approx(0.2)  # says .7, is right 9 times of 10


def test_what_does_not_count_is_left_out_everywhere() -> None:
    counted = np.arange(80) >= 8
    found = result("m", counted=counted)
    assert (found.scores.n, found.left_out, found.scores.accuracy) == (72, 8, 1)
    assert sum(part.n for part in found.by_domain.values()) == 72
    assert (found.predicted[:8] == -1).all()


def test_pairs_without_a_domain_make_no_part() -> None:
    given = [EvaluatedPair("a", "p", "h", Label.NEUTRAL)]
    found = evaluate_predictions(EvaluatedModel("m", "m", "m"), given, np.array([[0, 0, 0, 1.0]]), np.ones(1, bool))
    assert (found.by_domain, found.by_strategy) == ({}, {})


def test_runs_that_differ_by_their_seed_are_one_row() -> None:
    runs = [
        result(f"quick seed {seed}", wrong, settings="s", seed=seed, examples=2000 + seed)
        for seed, wrong in enumerate((4, 8, 12))
    ]
    other = result("starter")
    [first, second] = group_results([runs[0], other, *runs[1:]])
    assert (first.name, second.name) == ("quick", "starter")
    assert len(first.results) == 3
    assert first.summary.macro_f1 == pytest.approx((0.9, 0.05, 3))
    assert first.by_domain()["law"][1].mean == pytest.approx((36 / 40 + 36 / 40 + 32 / 40) / 3)
    assert second.summary.macro_f1.sd is None
    assert json.loads(json.dumps(first.to_data()))["seeds"] == [0, 1, 2]


@pytest.mark.parametrize(
    "other",
    [
        {"settings": "other", "seed": 2, "examples": 2000},
        {"settings": "s", "seed": 1, "examples": 2000},  # the seed was there already
        {"settings": "s", "seed": 2, "examples": 1000},  # half as many examples: another training
        {"settings": "s", "seed": None, "examples": 2000},
    ],
)
def test_other_runs_stand_apart(other: dict[str, object]) -> None:
    first = result("a", settings="s", seed=1, examples=2000)
    assert len(group_results([first, result("b", **other)])) == 2  # type: ignore[arg-type]


def test_models_that_do_not_say_how_they_were_made_stand_apart() -> None:
    rows = group_results([result("m", seed=1), result("m", seed=2)])
    assert [row.name for row in rows] == ["m (m)", "m (m)"]


def test_rows_are_compared_on_the_pairs_that_count_for_both() -> None:
    worse = result("worse", 40, counted=np.arange(80) < 60)
    better = result("better", 8, counted=np.arange(80) >= 4)
    [first, second] = group_results([worse, better])
    found = compare(items(), first, second)
    assert found is not None
    assert found.pairs == 56
    # Of pairs 4 to 59, 36 of 56 are wrong in the first and 4 in the second, all classes alike.
    assert found.difference == pytest.approx((52 - 20) / 56, abs=1e-9)
    assert 0 < found.interval.low < found.difference < found.interval.high
    assert found.test is None


def test_seeds_are_paired_in_a_t_test() -> None:
    runs = [
        result(f"{name} {seed}", wrong + step * seed, settings=name, seed=seed)
        for name, wrong, step in (("a", 8, 4), ("b", 4, 8))
        for seed in (1, 2, 3)
    ]
    [first, second] = group_results(runs)
    found = compare(items(), first, second)
    assert found is not None
    assert found.test is not None
    assert found.test.freedom == 2
    assert found.test.difference == pytest.approx(found.difference)
    assert json.loads(json.dumps(found.to_data()))["second"] == "b"


def test_rows_without_a_common_pair_are_not_compared() -> None:
    rows = group_results([result("a", counted=np.arange(80) < 40), result("b", counted=np.arange(80) >= 40)])
    assert compare(items(), *rows) is None


def test_the_same_training_on_more_examples_is_a_learning_curve() -> None:
    runs = [
        result(f"n{examples} seed {seed}", wrong, settings="s", seed=seed, examples=examples)
        for examples, wrong in ((1000, 8), (250, 24), (500, 16))
        for seed in (1, 2)
    ]
    curves = learning_curves([*group_results(runs), *group_results([result("other")])])
    [points] = curves.values()
    assert [point.examples for point in points] == [250, 500, 1000]
    assert [round(point.macro_f1.mean, 2) for point in points] == [0.7, 0.8, 0.9]
