"""Factor analysis: the paper's figures from its released files, and against statsmodels and plain Python."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from miner.kinds.factors import analyse_factors, category_scores, correlations, count_kinds
from miner.kinds.taxonomy import released_taxonomy

CATEGORIES = [key for key, one in released_taxonomy().category.items() if one.group != "neutral"]
RELEASED = Path(__file__).parents[4] / "shared" / "data" / "taxinli"
released = pytest.mark.skipif(not RELEASED.exists(), reason="the released files of TaxiNLI are not on this machine")


def _rows(name: str) -> list[dict[str, str]]:
    with (RELEASED / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def _indicators(rows: list[dict[str, str]]) -> Any:
    columns = [next(name for name in rows[0] if name.startswith(f"{category}_")) for category in CATEGORIES]
    return np.array([[int(row[column] != "0") for column in columns] for row in rows])


@released
def test_the_counts_and_correlations_are_the_papers() -> None:
    rows = _rows("taxinli10k.tsv")
    indicators = _indicators(rows)
    assert indicators.sum(0).tolist() == [
        2732, 2903, 1659, 1385, 1607, 1198, 231, 725, 345, 306, 775, 2362, 878, 582, 34,
    ]  # fmt: skip
    labels = ["entailment", "contradiction", "neutral"]
    classes = [labels.index(row["label"]) for row in rows]
    assert np.bincount(classes).tolist() == [3495, 3375, 3201]
    assert count_kinds(indicators, np.array(classes), 3).sum(1).tolist() == indicators.sum(0).tolist()
    assert int((indicators.sum(1) == 0).sum()) == 440
    phi = correlations(indicators)
    place = CATEGORIES.index
    expected = {("comparative", "quantifier"): 0.26, ("quantifier", "boolean"): 0.22, ("comparative", "boolean"): 0.17}
    expected |= {("factivity", "lexical"): -0.22, ("factivity", "world"): 0.06, ("factivity", "relational"): 0.02}
    for (one, other), value in expected.items():
        assert phi[place(one), place(other)] == pytest.approx(value, abs=0.005)
    positive = {CATEGORIES[column] for column in np.flatnonzero(phi[place("factivity")] > 0.01)}
    assert positive == {"factivity", "world", "relational"}


@released
def test_the_scores_and_factors_of_the_papers_models_are_reproduced() -> None:
    rows = _rows("taxinli_dev.tsv")
    indicators = _indicators(rows)
    lengths = [[len(row["prem"].split()), len(row["hyp"].split())] for row in rows]
    models = {"bag_of_words": 0.516, "esim": 0.721, "aloxatel/bert-base-mnli": 0.815}
    right = {model: np.array([row[model] == row["label"] for row in rows]) for model in models}
    for model, accuracy in models.items():
        assert right[model].mean() == pytest.approx(accuracy, abs=0.0005)

    bert = right["aloxatel/bert-base-mnli"]
    scores = category_scores(indicators, bert, CATEGORIES)
    assert [100 * (one.share or 0) for one in scores] == pytest.approx(
        [81.0, 84.4, 79.5, 90.0, 82.9, 80.7, 78.0, 79.0, 80.8, 84.2, 81.0, 77.5, 79.3, 72.5, 72.0], abs=0.051
    )
    found = analyse_factors(np.column_stack([indicators, lengths]), bert, [*CATEGORIES, "Length1", "Length2"])
    factors = {one.name: one for one in found.factors}
    expected = {"syntactic": (0.234, "**"), "negation": (0.811, "***"), "boolean": (0.225, "*")}
    expected |= {"causal": (-0.290, "***"), "world": (-0.427, "***"), "coreference": (-0.203, "*")}
    for name, (coefficient, stars) in expected.items():
        assert factors[name].coefficient == pytest.approx(coefficient, abs=0.0006)
        assert factors[name].stars == stars
    assert factors["Length2"].coefficient == pytest.approx(0.016, abs=0.0005)
    assert {name for name, one in factors.items() if one.stars} == {*expected, "Length2"}
    for name, value in {"syntactic": 0.230, "negation": 0.671, "world": -0.508}.items():
        assert factors[name].discriminant == pytest.approx(value, abs=0.0006)


@settings(deadline=None, max_examples=15)
@given(seed=st.integers(0, 2**32 - 1), pairs=st.integers(80, 300))
def test_the_regression_is_that_of_statsmodels(seed: int, pairs: int) -> None:
    logit = pytest.importorskip("statsmodels.api")
    draw = np.random.default_rng(seed)
    values = np.column_stack([draw.random((pairs, 3)) < 0.4, draw.integers(5, 40, pairs)]).astype(float)
    right = draw.random(pairs) < 1 / (1 + np.exp(-(values @ [0.8, -0.5, 0.0, 0.02])))
    names = ["a", "b", "c", "length"]
    found = analyse_factors(values, right, names)
    if found.problem or len(found.factors) < 4:
        return
    expected = logit.Logit(right.astype(float), logit.add_constant(values)).fit(disp=0)
    assert [one.coefficient for one in found.factors] == pytest.approx(expected.params[1:], abs=1e-6)
    assert [one.p for one in found.factors] == pytest.approx(expected.pvalues[1:], abs=1e-6)
    effects = expected.get_margeff().margeff
    assert [one.effect for one in found.factors] == pytest.approx(effects, abs=1e-6)


def test_a_category_without_variance_or_that_repeats_another_is_left_out_and_named() -> None:
    draw = np.random.default_rng(1)
    one, right = draw.random(200) < 0.5, draw.random(200) < 0.6
    values = np.column_stack([one, np.zeros(200), one, draw.random(200) < 0.3])
    found = analyse_factors(values, right, ["one", "nobody ticked", "the same", "other"])
    assert [factor.name for factor in found.factors] == ["one", "other"]
    assert found.left_out == ("nobody ticked", "the same")
    assert np.isnan(correlations(values)[1]).all()
    assert category_scores(values, right, ["a", "b", "c", "d"])[1][2:] == (0, None, None)


@pytest.mark.parametrize(
    ("values", "right", "problem"),
    [
        (np.ones((29, 1)), np.ones(29), "only 29 pairs"),
        (np.ones((40, 1)), np.ones(40), "all right or all wrong"),
        (np.repeat([[0], [1]], 40, 0), np.repeat([0, 1], 40), "with certainty"),
    ],
)
def test_what_cannot_be_explained_is_said(values: Any, right: Any, problem: str) -> None:
    found = analyse_factors(values, right, ["one"])
    assert found.factors == ()
    assert problem in found.problem
