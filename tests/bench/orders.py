"""The orders of a round of review: what people's answers are worth by the order in which pairs are shown.

The pool is SciNLI's 2,000 human-labelled training pairs, which the starter has not seen. Distant labels are made of the
human ones: as many are wrong, by class, as annotators found in MSciNLI (Table 12), the others drawn at random (or, to
be adverse, the class that the starter prefers). Each order chooses by the starter's suggestions and the distant labels
alone, once for all answers; the answers are the human labels. Measured are the labels mended among the first answers,
and the macro F1 on SciNLI's dev after the starter's head was trained on the answers, its encoder being as it was: the
whole network would take hours, and gains as little (`tests.bench.classifier`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from pathlib import Path
from statistics import mean, stdev
from typing import TypeAlias

import numpy as np
import torch

from miner.classifier import loading
from miner.classifier.calibration import apply_temperature, softmax
from miner.classifier.checkpoints import STARTER, inspect_checkpoint
from miner.classifier.device import choose_device, set_threads
from miner.classifier.diversity import diverse_order
from miner.classifier.doubt import doubt
from miner.classifier.examples import LABELS, TrainingExample
from miner.classifier.inference import BatchRunner, prepare_network
from miner.classifier.metrics import score_predictions
from miner.classifier.network import BothSentences, PairNetwork
from miner.classifier.recipe import FROM_STARTER
from miner.libraries import NDArray
from miner.precision.sampling import allocate, permanent_number
from miner.precision.strata import LabelGroup
from storage.annotation.rounds import RoundOrder
from tests.bench.classifier import Row, labels, logits_of, pairs_of, read_dev, read_train

AMOUNTS = (100, 250, 500, 1_000)
ORDERS = (
    RoundOrder.RANDOM,
    RoundOrder.CLASS_BALANCED,
    RoundOrder.LEAST_CERTAIN,
    RoundOrder.ACTIVE,
    RoundOrder.DISAGREEMENTS,
    RoundOrder.PRECISION,
)
WRONG = {"contrasting": 0.071, "reasoning": 0.169, "entailment": 0.208, "neutral": 0.033}
"""The share of distant labels that are wrong: 1 - agreement with the gold label (MSciNLI, Table 12)."""
DRAWS = 20  # of wrong labels, for the labels mended
SEEDS = 10  # of wrong labels and of training

Ints: TypeAlias = "NDArray[np.int64]"
Floats: TypeAlias = "NDArray[np.float64]"


def measure(shared: Path) -> Iterator[Row]:
    """Labels mended among the first answers by each order, then the scores after training on the answers."""
    set_threads(1)
    train, dev = read_train(shared), read_dev(shared)
    judged = _probabilities(train)
    for name, kind in (("at random", _random_class), ("to the class that the starter prefers", _preferred_class)):
        yield from _mended(train, judged, name, kind)
    head, states = _head_and_states([*train, *dev])
    before = 100 * _macro_f1(head, states[len(train) :], labels(dev))
    for order in ORDERS:
        found = {amount: [] for amount in AMOUNTS}
        for seed in range(SEEDS):
            given = _wrong_labels(labels(train), judged, _random_class, seed)
            places = _order(order, train, judged, given, max(AMOUNTS), seed)
            for amount in AMOUNTS:
                learned = _train_head(head, states[places[:amount]], labels(train)[places[:amount]], seed)
                found[amount].append(100 * _macro_f1(learned, states[len(train) :], labels(dev)))
        values = ", ".join(f"{mean(scores):.1f} ± {stdev(scores):.1f}" for scores in found.values())
        against = f"after {', '.join(f'{amount:,}' for amount in AMOUNTS)} answers, {SEEDS} seeds; before {before:.1f}"
        yield f"{order}: dev macro F1 of the starter with its head trained", values, "-", against, None


def _mended(train: Sequence[TrainingExample], judged: Floats, name: str, kind: _OtherClass) -> Iterator[Row]:
    """How many wrong labels the first answers mend, by order; the mean of the draws."""
    gold = labels(train)
    for order in ORDERS:
        hits = []
        for seed in range(DRAWS):
            given = _wrong_labels(gold, judged, kind, seed)
            chosen = _order(order, train, judged, given, max(AMOUNTS), seed)
            hits.append([(given != gold)[chosen[:amount]].sum() for amount in AMOUNTS])
        means = ", ".join(f"{mean(found):.0f}" for found in zip(*hits, strict=True))
        rates = f"{100 * mean(found[0] for found in hits) / AMOUNTS[0]:.0f} of the first 100 answers"
        against = f"wrong labels among the first {', '.join(f'{amount:,}' for amount in AMOUNTS)} answers; {rates}"
        yield f"{order}, wrong labels {name}: labels mended", means, "-", against, None


def _head_and_states(examples: Sequence[TrainingExample]) -> tuple[BothSentences, torch.Tensor]:
    """The starter's head, and its input for each pair: (pairs, 5 * width)."""
    device = choose_device("cpu")
    loaded = loading.load_model(inspect_checkpoint(STARTER), device)
    network = prepare_network(loaded.network, device)
    assert isinstance(network, PairNetwork)
    head = network.head
    assert isinstance(head, BothSentences)
    runner = BatchRunner(device, loaded.encoder.pad)
    found = runner.run(
        lambda batch: head.joined(network._states(batch), batch.sentences), loaded.encoder.encode(pairs_of(examples))
    )
    return head.float(), torch.tensor(found)


def _train_head(head: BothSentences, states: torch.Tensor, gold: Ints, seed: int) -> BothSentences:
    """A copy of the head, trained as `FROM_STARTER` does: its rate, batches, epochs, smoothing and class weights."""
    torch.manual_seed(seed)
    learned, targets = deepcopy(head).requires_grad_().train(), torch.tensor(gold)
    rate = FROM_STARTER.learning_rate * FROM_STARTER.head_factor
    optimizer = torch.optim.AdamW(learned.parameters(), lr=rate, weight_decay=FROM_STARTER.weight_decay)
    counts = torch.bincount(targets, minlength=len(LABELS)).clamp(min=1)
    weights = len(targets) / len(LABELS) / counts.float()
    loss = torch.nn.CrossEntropyLoss(weight=weights, label_smoothing=FROM_STARTER.label_smoothing)
    epochs = (torch.randperm(len(targets)) for _ in range(FROM_STARTER.epochs))
    batches = [batch for epoch in epochs for batch in epoch.split(FROM_STARTER.batch_pairs)]
    schedule = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.0, len(batches))
    for batch in batches:
        optimizer.zero_grad()
        loss(_head_logits(learned, states[batch]), targets[batch]).backward()
        optimizer.step()
        schedule.step()
    return learned


def _head_logits(head: BothSentences, states: torch.Tensor) -> torch.Tensor:
    logits: torch.Tensor = head.out(head.dropout(torch.tanh(head.dense(head.dropout(states)))))
    return logits


def _macro_f1(head: BothSentences, states: torch.Tensor, gold: Ints) -> float:
    with torch.inference_mode():
        predicted = _head_logits(head.eval(), states).argmax(1).numpy()
    return score_predictions(gold, predicted).macro_f1


def _probabilities(examples: Sequence[TrainingExample]) -> Floats:
    card = inspect_checkpoint(STARTER).card
    assert card is not None
    probabilities = softmax(logits_of(STARTER, examples, choose_device("cpu")))
    return np.asarray(apply_temperature(probabilities, card.temperature), np.float64)


def _order(
    order: RoundOrder,
    train: Sequence[TrainingExample],
    judged: Floats,
    given: Ints,
    size: int,
    seed: int,
) -> Ints:
    """The places of the first `size` pairs in this order, as `start_round` draws them."""
    drawn = np.random.default_rng(seed).permutation(len(train))
    uncertainty = 1 - judged.max(1)
    match order:
        case RoundOrder.RANDOM:
            return drawn[:size]
        case RoundOrder.CLASS_BALANCED:
            rank = np.zeros(len(train), np.int64)
            for label in range(len(LABELS)):
                of_class = drawn[given[drawn] == label]
                rank[of_class] = np.arange(len(of_class))
            return np.asarray(drawn[np.argsort(rank[drawn], kind="stable")][:size])
        case RoundOrder.LEAST_CERTAIN:
            return np.argsort(-uncertainty, kind="stable")[:size]
        case RoundOrder.ACTIVE:
            texts = [f"{premise} {hypothesis}" for premise, hypothesis in pairs_of(train)]
            return diverse_order(uncertainty, texts, size, seed)
        case RoundOrder.PRECISION:
            percents = np.rint(100 * judged[np.arange(len(given)), given]).astype(int).tolist()
            pairs = [*zip((LABELS[label] for label in given), percents, strict=True)]
            counted = Counter(pairs).items()
            allocation = allocate(LabelGroup(label, "", "", percent, count) for (label, percent), count in counted)
            intensities = (allocation.intensity(*pair, by_model=True) for pair in pairs)
            places = [permanent_number(seed, str(n)) / intensity for n, intensity in enumerate(intensities)]
            return np.argsort(places, kind="stable")[:size]
        case _:
            return np.argsort(-doubt(judged, given, 1 - _RATES[given]), kind="stable")[:size]


_OtherClass: TypeAlias = "Callable[[Floats, int, np.random.Generator], int]"


def _random_class(probabilities: Floats, gold: int, generator: np.random.Generator) -> int:
    del probabilities
    return int(generator.choice([label for label in range(len(LABELS)) if label != gold], p=_OTHERS[gold]))


def _preferred_class(probabilities: Floats, gold: int, generator: np.random.Generator) -> int:
    del generator
    return int(np.argmax(np.where(np.arange(len(LABELS)) == gold, -1.0, probabilities)))


_RATES = np.array([WRONG[label.value] for label in LABELS])
_OTHERS = [np.delete(_RATES, label) / np.delete(_RATES, label).sum() for label in range(len(LABELS))]


def _wrong_labels(gold: Ints, judged: Floats, kind: _OtherClass, seed: int) -> Ints:
    """Distant labels, of which in each class the share `WRONG` are wrong."""
    generator = np.random.default_rng(1_000 + seed)
    given = gold.copy()
    missing = np.round(_RATES * len(gold) / len(LABELS)).astype(int)
    for place in generator.permutation(len(gold)):
        other = kind(judged[place], int(gold[place]), generator)
        if missing[other] > 0:
            missing[other] -= 1
            given[place] = other
        if not missing.any():
            break
    return given
