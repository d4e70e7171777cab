"""Which wrong labels are found: SciNLI's training labels with one in ten of them changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import replace
from pathlib import Path
from statistics import mean

import numpy as np

from miner.classifier.calibration import softmax
from miner.classifier.checkpoints import STARTER
from miner.classifier.device import choose_device, set_threads
from miner.classifier.doubt import doubt
from miner.classifier.examples import LABELS, TrainingExample
from miner.classifier.folds import folds_by_paper
from miner.classifier.recipe import FROM_STARTER, Balance
from tests.bench.classifier import SEEDS, Row, labels, logits_of, read_train, train_on, trainers

FOLD = replace(FROM_STARTER, epochs=1, patience=0, balance=Balance.NONE)
NOISE = 0.1
TOP = 0.05


def measure(shared: Path) -> Iterator[Row]:
    """How many times as often a label is wrong among the 5 % most doubtful as among all."""
    set_threads()
    train = read_train(shared)
    judged = logits_of(STARTER, train, choose_device("cpu"))
    with trainers() as pool:
        yield from _doubts(train, judged, pool)


def _doubts(train: list[TrainingExample], judged: np.ndarray, pool: Executor) -> Iterator[Row]:
    gold = labels(train)
    kinds = (("at random", 7.0, 5.5, SEEDS[:1]), ("between reasoning and entailment", 4.0, None, ()))
    waited = {
        kind: [_out_of_fold(train, _flipped(gold, kind, seed), seed, pool) for seed in seeds]
        for kind, _, _, seeds in kinds
    }
    for kind, goal_judge, goal_fold, seeds in kinds:
        name = f"doubt, 10 % flipped {kind}"
        lifts = [_lift(softmax(judged), _flipped(gold, kind, seed), gold) for seed in SEEDS]
        met = mean(lifts) >= goal_judge
        yield f"{name}: starter as judge", f"{mean(lifts):.1f} x", f"{goal_judge:g} x", "noise in the top 5 %", met
        if not seeds:
            continue
        lifts = [
            _lift(fold(), _flipped(gold, kind, seed), gold) for seed, fold in zip(seeds, waited[kind], strict=True)
        ]
        fold_met = None if goal_fold is None else mean(lifts) >= goal_fold
        goal = "-" if goal_fold is None else f"{goal_fold:g} x"
        against = f"5 folds from the starter, {FOLD.epochs} epoch each, {len(seeds)} draw"
        yield f"{name}: out of fold", f"{mean(lifts):.1f} x", goal, against, fold_met


def _out_of_fold(
    train: Sequence[TrainingExample], given: np.ndarray, seed: int, pool: Executor
) -> Callable[[], np.ndarray]:
    """What gives the probabilities of all pairs by models that did not learn them, once those are there."""
    noisy = [replace(example, label=int(label)) for example, label in zip(train, given, strict=True)]
    folds = folds_by_paper([example.paper for example in noisy], given, 5, seed)
    waited = []
    for fold in range(5):
        split = [replace(example, dev=bool(place == fold)) for example, place in zip(noisy, folds, strict=True)]
        waited.append(pool.submit(train_on, STARTER, replace(FOLD, seed=seed), split))

    def collect() -> np.ndarray:
        found = np.zeros((len(noisy), len(LABELS)), np.float32)
        for fold, each in enumerate(waited):
            found[folds == fold] = softmax(each.result())
        return found

    return collect


def _flipped(gold: np.ndarray, kind: str, seed: int) -> np.ndarray:
    generator, given = np.random.default_rng(seed), gold.copy()
    if kind == "at random":
        chosen = generator.choice(len(gold), round(NOISE * len(gold)), replace=False)
        given[chosen] = (gold[chosen] + generator.integers(1, len(LABELS), len(chosen))) % len(LABELS)
    else:
        both = np.flatnonzero((gold == 1) | (gold == 2))
        chosen = generator.choice(both, round(NOISE * len(gold)), replace=False)
        given[chosen] = 3 - gold[chosen]
    return given


def _lift(probabilities: np.ndarray, given: np.ndarray, gold: np.ndarray) -> float:
    worst = np.argsort(-doubt(probabilities, given), kind="stable")[: round(TOP * len(gold))]
    wrong = given != gold
    return float(wrong[worst].mean() / wrong.mean())
