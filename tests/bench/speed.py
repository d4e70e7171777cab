"""How fast the model suggests and learns on a processor, beside the usual way of writing it."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import median

import numpy as np
import torch

from miner.classifier import loading
from miner.classifier.checkpoints import STARTER, inspect_checkpoint
from miner.classifier.device import choose_device, set_threads
from miner.classifier.encoding import Encoded, Encoder, padded_batches, padding_waste
from miner.classifier.examples import LABELS, TrainingExample
from miner.classifier.inference import BatchRunner, prepare_network
from miner.classifier.numpy_model import load_numpy_model
from miner.classifier.recipe import QUICK, Precision, Recipe
from miner.classifier.trainer import Trainer
from tests.bench.classifier import Row, encoder, labels, pairs_of, read_dev, read_train

TIMED = 256  # pairs of a race
ROUNDS = 3


def measure(shared: Path) -> Iterator[Row]:
    """Suggesting and training, in turns with their peers."""
    set_threads()
    train, dev = read_train(shared), read_dev(shared)
    with tempfile.TemporaryDirectory() as folder:
        yield from _inference(Path(folder), train, dev)
    yield _without_torch(dev)
    yield from _steps(train)


def _inference(folder: Path, train: list[TrainingExample], dev: list[TrainingExample]) -> Iterator[Row]:
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
        loaded = loading.load_model(inspect_checkpoint(path), device)
        network, runner = prepare_network(loaded.network, device), BatchRunner(device, loaded.encoder.pad)
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
    encoded = loading.load_model(inspect_checkpoint(STARTER), choose_device("cpu")).encoder.encode(pairs_of(dev))
    waste = padding_waste(encoded, [shape for _, shape in padded_batches(encoded, 512, 128)])
    yield "suggesting: padding among the tokens", f"{waste:.1%}", "10 %", "2,000 dev pairs", waste <= 0.1


def _without_torch(dev: list[TrainingExample]) -> Row:
    """The starter by numpy and by torch, with one thread each, in processor time."""
    pairs, threads = pairs_of(dev[:TIMED]), 1
    set_threads(threads)
    by_numpy = load_numpy_model(inspect_checkpoint(STARTER))
    racers: dict[str, Callable[[], np.ndarray]] = {"numpy": lambda: by_numpy.logits(pairs, threads).argmax(1)}
    for precision in (Precision.FP32, Precision.BF16):
        device = choose_device("cpu", precision)
        loaded = loading.load_model(inspect_checkpoint(STARTER), device)
        network, runner = prepare_network(loaded.network, device), BatchRunner(device, loaded.encoder.pad)
        racers[precision] = lambda network=network, runner=runner, encoder=loaded.encoder: runner.run(
            network, encoder.encode(pairs)
        ).argmax(1)
    equal = (racers["numpy"]() == racers[Precision.FP32]()).mean()
    spent = _race(racers, time.process_time)
    set_threads()
    exact, short = (
        median(slow / own for slow, own in zip(spent[precision], spent["numpy"], strict=True))
        for precision in (Precision.FP32, Precision.BF16)
    )
    against = (
        f"torch in fp32, processor time, {equal:.1%} same labels; {short:.1f} x torch in bf16, where processors have it"
    )
    return "suggesting without torch, by numpy", f"{exact:.1f} x", "0.8 x", against, exact >= 0.8 and bool(equal == 1)


def _published(folder: Path, train: list[TrainingExample]) -> Path:
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


def _steps(train: list[TrainingExample]) -> Iterator[Row]:
    """A training step as one would write it first, and ours."""
    plain = replace(QUICK, layers=0, precision=Precision.FP32, train_embeddings=True)
    racers = {"plain": _stepping(plain, train, padded=True), "ours": _stepping(QUICK, train, padded=False)}
    spent = _race(racers)
    times = median(slow / fast for slow, fast in zip(spent["plain"], spent["ours"], strict=True))
    against = "fp32, six layers, every pair padded to 128 tokens"
    met = times >= 5.5 if choose_device("cpu").precision is Precision.BF16 else None
    yield "training step on a processor", f"{times:.1f} x", "5.5 x", against, met


def _stepping(recipe: Recipe, train: Sequence[TrainingExample], *, padded: bool) -> Callable[[], object]:
    """A round of eight steps; `padded`: every pair to 128 tokens, as is usual."""
    device = choose_device("cpu", recipe.precision)
    network, tokenizer = loading.start_network(inspect_checkpoint(encoder()), recipe)
    pair_encoder = Padded(tokenizer, 128) if padded else Encoder(tokenizer, 128)
    steps = train[: 8 * recipe.batch_pairs]
    return lambda: Trainer(network, pair_encoder, steps, replace(recipe, epochs=1, patience=0), device).run()


class Padded(Encoder):
    """Gives every pair the longest one's length."""

    def encode(self, pairs: Sequence[tuple[str, str]]) -> Encoded:
        found = super().encode(pairs)
        shape = (len(found), 128)
        places = np.arange(128) < found.lengths[:, None]
        padded = []
        for values, filler in ((found.tokens, self.pad), (found.types, 0), (found.sentences, 0)):
            filled = np.full(shape, filler, values.dtype)
            filled[places] = values
            padded.append(filled.ravel())
        return Encoded(*padded, ends=128 * np.arange(1, len(found) + 1), limit=128)


def _race(
    racers: dict[str, Callable[[], object]], clock: Callable[[], float] = time.perf_counter
) -> dict[str, list[float]]:
    """Seconds of each, in turns, after a first one that does not count."""
    spent: dict[str, list[float]] = {name: [] for name in racers}
    for turn in range(ROUNDS + 1):
        for name, racer in racers.items():
            began = clock()
            racer()
            if turn:
                spent[name].append(clock() - began)
    return spent
