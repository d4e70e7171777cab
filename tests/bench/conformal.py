"""Whether the promises of suggestions hold: sets that miss the true class at most so often, and suggestions accepted.

On SciNLI, which the starter has not learned: the sets of its card follow from the 2,000 train pairs and are measured on
dev; for accepting, answers are drawn from both, and the others are what is accepted.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from statistics import mean

import numpy as np

from miner.classifier.checkpoints import STARTER, inspect_checkpoint
from miner.classifier.conformal import likely_classes
from miner.classifier.device import choose_device, set_threads
from miner.classifier.selective_risk import RISK, safe_confidence
from tests.bench.classifier import Row, confidences_of, labels, logits_of, read_dev, read_train

DRAWS = 300


def measure(shared: Path) -> Iterator[Row]:
    set_threads()
    device = choose_device("cpu")
    train, dev = read_train(shared), read_dev(shared)
    of_train, of_dev = (confidences_of(logits_of(STARTER, part, device)) for part in (train, dev))
    yield from _sets(of_dev, labels(dev))
    rows, gold = np.concatenate([of_train, of_dev]), np.concatenate([labels(train), labels(dev)])
    for most_wrong in (0.1, 0.15, 0.2):
        for answers in (200, 500):
            yield _promise(rows, gold, most_wrong, answers)


def _sets(probabilities: np.ndarray, gold: np.ndarray) -> Iterator[Row]:
    card = inspect_checkpoint(STARTER).card
    assert card is not None
    for percent, least in sorted(card.least_probabilities.items(), key=lambda one: int(one[0])):
        sets = [likely_classes(row, least) for row in probabilities.tolist()]
        missed = np.array([label not in found for label, found in zip(gold.tolist(), sets, strict=True)])
        each = "/".join(f"{100 * missed[gold == number].mean():.0f}" for number in range(4))
        sizes = [mean(len(found) == size for found in sets) for size in (1, 2)]
        note = f"by class {each}; {sizes[0]:.0%} name one class, {sizes[1]:.0%} two, the others none"
        yield f"sets that may miss {percent} %: missed on dev", f"{missed.mean():.1%}", f"{percent} %", note, None


def _promise(rows: np.ndarray, gold: np.ndarray, most_wrong: float, answers: int) -> Row:
    is_right, sure = rows.argmax(1) == gold, rows.max(1)
    broken, accepted = 0, []
    for seed in range(DRAWS):
        order = np.random.default_rng(seed).permutation(len(gold))
        answered, others = order[:answers], order[answers:]
        found = safe_confidence(sure[answered], is_right[answered], most_wrong)
        taken = others[:0] if found is None else others[100 * sure[others] >= found.percent]
        accepted.append(len(taken) / len(others))
        broken += len(taken) > 0 and float((~is_right[taken]).mean()) > most_wrong
    note = f"{answers} answers, {DRAWS} draws; {mean(accepted):.0%} of the suggestions accepted, none in "
    note += f"{mean(one == 0 for one in accepted):.0%} of draws"
    share = broken / DRAWS
    return f"accepted with at most {most_wrong:.0%} wrong: broken", f"{share:.1%}", f"{RISK:.0%}", note, share <= RISK
