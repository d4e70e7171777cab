"""Which wrong labels are found: of SciNLI, with some of its labels changed, and of papers, by a reader.

The starter has learned neither. "as phrases are": of each class as many labels are right as people confirmed in
MSciNLI. `doubt_verdicts.csv` has pairs of papers by their keys, so that no sentence is in it: `label` says whether a
reader found the distant label right, who saw neither label nor phrase nor model; `sample` why the pair was read, among
the most doubted, among those of an earlier starter, by doubt or by 1 - p(label), or drawn at random.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import replace
from pathlib import Path
from statistics import mean

import numpy as np

from miner.classifier.calibration import softmax
from miner.classifier.checkpoints import STARTER, inspect_checkpoint
from miner.classifier.device import choose_device, set_threads
from miner.classifier.doubt import doubt, self_confidence
from miner.classifier.examples import LABELS, TrainingExample
from miner.classifier.folds import folds_by_paper
from miner.classifier.recipe import FROM_STARTER, Balance
from miner.label_precision import PUBLISHED_PRECISION
from storage.models.suggestion_statistics import DOUBTED_PERCENT
from tests.bench.classifier import (
    SEEDS,
    Row,
    confidences_of,
    labels,
    logits_of,
    read_dev,
    read_train,
    train_on,
    trainers,
)

FOLD = replace(FROM_STARTER, epochs=1, patience=0, balance=Balance.NONE)
NOISE = 0.1
TOP = 0.05
PRIORS = {"at random": (0.9,) * 4, "between reasoning and entailment": (0.999, 0.8, 0.8, 0.999)}
PHRASES = tuple(PUBLISHED_PRECISION[label] for label in LABELS)
VERDICTS = Path(__file__).with_name("doubt_verdicts.csv")


def measure(shared: Path) -> Iterator[Row]:
    """How many times as often a label is wrong among the 5 % most doubtful as among all."""
    set_threads()
    train, device = read_train(shared), choose_device("cpu")
    judged = logits_of(STARTER, train, device)
    dev = read_dev(shared)
    for name, examples, logits in (("train", train, judged), ("dev", dev, logits_of(STARTER, dev, device))):
        yield from _as_phrases(name, labels(examples), confidences_of(logits))
    yield from _read()
    with trainers() as pool:
        yield from _doubts(train, judged, pool)


def _as_phrases(name: str, gold: np.ndarray, probabilities: np.ndarray) -> Iterator[Row]:
    """What is listed, and what comes first, where labels are wrong as often as those of phrases."""
    lifts, before, listed, wrong_listed, top = [], [], [], [], []
    for seed in range(20):
        pairs, given = _labelled_as_phrases(gold, seed)
        wrong, rows = given != gold[pairs], probabilities[pairs]
        doubts = doubt(
            rows, given, np.array([PUBLISHED_PRECISION[LABELS[number]] for number in given]), evidence=_evidence()
        )
        lifts.append(_first(doubts, wrong, round(TOP * len(given))) / wrong.mean())
        before.append(_first(1 - self_confidence(rows, given), wrong, round(TOP * len(given))) / wrong.mean())
        top.append(_first(doubts, wrong, 50))
        listed.append(int((doubts >= DOUBTED_PERCENT / 100).sum()))
        wrong_listed.append(float(wrong[doubts >= DOUBTED_PERCENT / 100].mean()))
    note = f"noise in the top 5 %, labels as phrases are; by 1 - p(label) {mean(before):.1f} x; 20 draws"
    yield f"doubt, SciNLI {name}, labels as phrases are", f"{mean(lifts):.1f} x", "-", note, None
    note = f"{mean(listed):.0f} of {len(given):,} labels listed; of the first 50, {mean(top):.0%} were wrong"
    yield f"doubt, SciNLI {name}: listed labels that are wrong", f"{mean(wrong_listed):.0%}", "-", note, None


def _labelled_as_phrases(gold: np.ndarray, seed: int, size: int = 450) -> tuple[np.ndarray, np.ndarray]:
    """Places of pairs, and the label given to each: of each class `size`, as many of them right as people found."""
    generator, used = np.random.default_rng(seed), np.zeros(len(gold), bool)
    pairs: list[int] = []
    given: list[int] = []
    rights = [generator.binomial(size, PUBLISHED_PRECISION[label]) for label in LABELS]
    for number, right in enumerate(rights):
        own = generator.choice(
            np.flatnonzero(gold == number), min(right, int((gold == number).sum()) - 30), replace=False
        )
        used[own] = True
        pairs, given = [*pairs, *own.tolist()], [*given, *[number] * len(own)]
    for number, label in enumerate(LABELS):
        share = PUBLISHED_PRECISION[label]
        need = round((1 - share) / share * given.count(number))
        others = generator.choice(np.flatnonzero((gold != number) & ~used), need, replace=False)
        used[others] = True
        pairs, given = [*pairs, *others.tolist()], [*given, *[number] * need]
    return np.array(pairs), np.array(given)


def _read() -> Iterator[Row]:
    with VERDICTS.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    counts = {}
    for sample in ("doubted", "earlier", "random"):
        found = [row["label"] == "wrong" for row in rows if sample in row["sample"].split("+")]
        counts[sample] = f"{sum(found)} of {len(found)}"
    note = f"read by hand; drawn at random {counts['random']}, by an earlier starter {counts['earlier']}"
    yield "doubt, papers of NLP: wrong among the 30 most doubted", counts["doubted"], "-", note, None


def _evidence() -> tuple[float, ...]:
    card = inspect_checkpoint(STARTER).card
    assert card is not None
    return card.evidence


def _first(doubts: np.ndarray, wrong: np.ndarray, number: int) -> float:
    """The share of wrong labels among the most doubtful."""
    return float(wrong[np.argsort(-doubts, kind="stable")[:number]].mean())


def _doubts(train: list[TrainingExample], judged: np.ndarray, pool: Executor) -> Iterator[Row]:
    gold = labels(train)
    kinds = (("at random", 7.0, 5.5, SEEDS[:1]), ("between reasoning and entailment", 4.0, None, ()))
    waited = {
        kind: [_out_of_fold(train, _flipped(gold, kind, seed), seed, pool) for seed in seeds]
        for kind, _, _, seeds in kinds
    }
    for kind, goal_judge, goal_fold, seeds in kinds:
        name = f"doubt, 10 % flipped {kind}"
        rows, given = confidences_of(judged), [_flipped(gold, kind, seed) for seed in SEEDS]
        lifts = [_lift(rows, labelled, gold, PRIORS[kind], _evidence()) for labelled in given]
        met = mean(lifts) >= goal_judge
        others = [_lift(rows, labelled, gold, PHRASES, _evidence()) for labelled in given]
        plain = [_lift(rows, labelled, gold, (0.9,) * 4) for labelled in given]
        note = f"noise in the top 5 %, how often labels are right being known; as of phrases {mean(others):.1f} x, "
        note += f"by 1 - p(label) {mean(plain):.1f} x"
        yield f"{name}: starter as judge", f"{mean(lifts):.1f} x", f"{goal_judge:g} x", note, met
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


def _lift(
    probabilities: np.ndarray,
    given: np.ndarray,
    gold: np.ndarray,
    priors: Sequence[float] = (1 - NOISE,) * 4,
    evidence: Sequence[float] = (),
) -> float:
    wrong = given != gold
    doubts = doubt(probabilities, given, np.array(priors)[given], evidence=evidence)
    return _first(doubts, wrong, round(TOP * len(gold))) / float(wrong.mean())
