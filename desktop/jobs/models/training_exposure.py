"""Which pairs a model has learned from, and what models that had not say of these: no other doubt is honest."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from miner.classifier.checkpoints import Checkpoint
from miner.classifier.examples import Example, read_examples
from miner.classifier.judged import read_judged
from miner.classifier.training import EXAMPLES, HELD_OUT
from miner.paths import is_file
from miner.writing import whole_file

BEFORE = "learned_before.txt"
"""Keys of the pairs that the model a training started from had learned, a line each."""


class HeldOut(NamedTuple):
    """Calibrated probabilities by the model of a fold that had not learned the pair."""

    fold: int
    probabilities: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Learned:
    """What a model learned from: `keys` of pairs; `held_out` are those judged by folds.

    `chosen_by`: keys of its dev pairs, by which its best epoch was chosen and its temperature fitted. `texts`: of both,
    their sentences as a hash, as far as the last training had them.
    """

    keys: frozenset[str] = frozenset()
    chosen_by: frozenset[str] = frozenset()
    texts: Mapping[str, int] = field(default_factory=dict)
    held_out: Mapping[str, HeldOut] = field(default_factory=dict)

    def judged(self, key: str, premise: str, hypothesis: str) -> HeldOut | None:
        """What a fold says of the pair, unless its sentences are others by now."""
        found = self.held_out.get(key)
        return found if found and self.texts.get(key) == hash((premise, hypothesis)) else None


def learned_by(checkpoint: Checkpoint) -> Learned:
    """Of a model that Pairwright trained, for whatever project, where its run's files lie beside it; else nothing."""
    return read_learned(checkpoint.path.parent)


def read_learned(folder: Path) -> Learned:
    """What the run in this folder learned from; nothing where its files are gone (`is_known`)."""
    stamps = tuple(_stamp(folder / name) for name in (EXAMPLES, HELD_OUT, BEFORE))
    return _read(folder, stamps)


def is_known(folder: Path) -> bool:
    """Whether it can be told what the run in this folder learned from."""
    return is_file(folder / EXAMPLES)


def write_before(folder: Path, keys: Iterable[str]) -> None:
    """Note in a run's folder what the model it starts from has learned; whole or not at all."""
    with whole_file(folder / BEFORE) as part:
        part.write_text("".join(f"{key}\n" for key in sorted(keys)), encoding="utf-8")


@lru_cache(maxsize=2)
def _read(folder: Path, _: tuple[int, ...]) -> Learned:
    if not is_known(folder):
        return Learned()
    before = set[str]()
    if is_file(folder / BEFORE):
        before.update((folder / BEFORE).read_text(encoding="utf-8").split())
    examples: list[Example] = list(read_examples(folder / EXAMPLES))
    texts = {one.key: hash((one.premise, one.hypothesis)) for one in examples}
    held_out: dict[str, HeldOut] = {}
    if is_file(folder / HELD_OUT):
        for row in read_judged(folder / HELD_OUT):
            if row.key not in before:  # the folds' models started from one that had learned it
                held_out[row.key] = HeldOut(row.fold, row.values)
    keys = before.union(one.key for one in examples if not one.dev)
    return Learned(frozenset(keys), frozenset(one.key for one in examples if one.dev), texts, held_out)


def _stamp(path: Path) -> int:
    return path.stat().st_mtime_ns if is_file(path) else 0
