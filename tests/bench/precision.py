"""How precise distant labels are, from few answers: whether the intervals cover, and what answers they save.

On SciNLI's human-labelled pairs, none of which the starter has learned. Distant labels are made from these labels, with
as many errors as annotators found in each class (MSciNLI, Table 12).
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from miner.classifier.checkpoints import STARTER
from miner.classifier.predictor import load_predictor
from miner.label_precision import PUBLISHED_PRECISION
from miner.precision.strata import LABELS
from tests.bench.classifier import Row, labels, pairs_of, read_dev, read_train
from tests.precision_simulation import Population, Simulated, simulate

DRAWS = 1_000
SIZES = (100, 200, 400)
PAIRS = 5_000  # of each class
PUBLISHED = tuple(PUBLISHED_PRECISION[label] for label in LABELS)
LOWER = (0.8, 0.65, 0.6, 0.9)  # which the estimates do not expect
GROUP = 0.05  # share of the pairs in a group, such as a domain


def measure(shared: Path) -> Iterator[Row]:
    """Coverage of the intervals, and answers as a share of those to a plain sample, for three sorts of errors."""
    examples = [*read_train(shared), *read_dev(shared)]
    gold, judged = labels(examples), load_predictor(STARTER, device="cpu")(pairs_of(examples)).probabilities
    for name, precision, is_adverse in (
        ("errors at random", PUBLISHED, False),
        ("errors that the model shares", PUBLISHED, True),
        ("twice as many errors, at random", LOWER, False),
    ):
        population = _population(gold, judged, precision, is_adverse=is_adverse)
        scopes = {"all": np.ones(len(population.label), bool)}
        scopes |= {label.value: population.label == number for number, label in enumerate(LABELS)}
        scopes["group"] = np.random.default_rng(1).random(len(population.label)) < GROUP
        found = simulate(population, SIZES, scopes, draws=DRAWS)
        yield _coverage(name, found)
        yield _cost(f"precision, {name}: answers for the width of plain sampling", found, "all", 0.6)
        for scope in ("contrasting", "group"):
            yield _cost(f"precision, {name}: the same, {scope} alone", found, scope, None)


def _population(gold: np.ndarray, judged: np.ndarray, precision: tuple[float, ...], *, is_adverse: bool) -> Population:
    """As many pairs of each distant label. is_adverse: wrong labels are those that the model likes."""
    generator = np.random.default_rng(0)
    label, percent, right = [], [], []
    for number, share in enumerate(precision):
        is_right = np.arange(PAIRS) < round(share * PAIRS)
        own, others = np.flatnonzero(gold == number), np.flatnonzero(gold != number)
        weights = judged[others, number].astype(np.float64) if is_adverse else np.ones(len(others))
        wrong = generator.choice(others, PAIRS, p=weights / weights.sum())
        pairs = np.where(is_right, generator.choice(own, PAIRS), wrong)
        label.append(np.full(PAIRS, number))
        percent.append(np.rint(100 * judged[pairs, number]).astype(np.int64))
        right.append(is_right)
    return Population(np.concatenate(label), np.concatenate(percent), np.concatenate(right))


def _coverage(name: str, found: dict[tuple[str, int], Simulated]) -> Row:
    """Coverage by scope, over all numbers of answers with which most draws give an estimate."""
    usual = {key: one for key, one in found.items() if one.estimated >= DRAWS / 2}
    scopes = {
        scope: [one for (other, _), one in usual.items() if other == scope]
        for scope in ("all", *map(str, LABELS), "group")
    }
    shares = {
        scope: sum(one.covered for one in each) / sum(one.estimated for one in each)
        for scope, each in scopes.items()
        if each
    }
    worst, least = min(shares.values()), min(one.coverage for one in usual.values())
    each = ", ".join(f"{scope} {100 * share:.1f}" for scope, share in shares.items())
    numbers = " / ".join(map(str, SIZES))
    against = f"{each}; {numbers} answers, {DRAWS:,} draws each; the least of {len(usual)} figures is {100 * least:.1f}"
    return f"precision, {name}: coverage of 95 % intervals", f"{100 * worst:.1f} %", "94 %", against, worst >= 0.94


def _cost(figure: str, found: dict[tuple[str, int], Simulated], scope: str, goal: float | None) -> Row:
    usual = [found[scope, size] for size in SIZES if found[scope, size].estimated >= DRAWS / 2]
    text = " / ".join(f"{one.cost:.0%}" for one in usual)
    widths = ", ".join(f"{one.answers:.0f} answers ± {100 * one.half_width:.1f}" for one in usual)
    met = None if goal is None else max(one.cost for one in usual) <= goal
    return figure, text, "-" if goal is None else f"{goal:.0%}", f"Wilson; {widths} points", met
