"""Draws the exemplars of few-shot prompts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import blake2b

from miner.classifier.examples import TrainingExample
from miner.errors import UserError


def draw_exemplars(
    examples: Iterable[TrainingExample], classes: Sequence[str], shots: int, seed: int
) -> list[TrainingExample]:
    """This many examples of each class: first one example of each, in the order of the classes, then the next of each.

    Another draw for each seed, by a hash of seed and key, so that it depends on no other pair. `UserError` where a
    class has too few.
    """
    by_class: list[list[TrainingExample]] = [[] for _ in classes]
    for example in sorted(examples, key=lambda one: (_rank(seed, one.key), one.key)):
        by_class[example.label].append(example)
    for name, found in zip(classes, by_class, strict=True):
        if len(found) < shots:
            what = f"There are {len(found):,} pairs of the class {name} to draw {shots} exemplars from."
            raise UserError(what, hint="Choose another set for `exemplars`, or fewer `shots`.")
    return [found[shot] for shot in range(shots) for found in by_class]


def _rank(seed: int, key: str) -> bytes:
    return blake2b(f"{seed}\0{key}".encode("utf-8", "surrogatepass"), digest_size=8).digest()
