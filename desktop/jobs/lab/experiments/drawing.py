"""The pairs of an experiment's set, by part, and how its parts and samples are drawn from them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from hashlib import blake2b
from typing import NamedTuple

from desktop.text import count
from desktop.translation import tr
from miner.errors import UserError
from miner.lab.experiments.experiment import PARTS, DataSet, Part


class ExperimentText(NamedTuple):
    """A pair with its label, which is not yet assigned to a class. key: the pair's key, or file and line.

    kinds: the categories of its reasoning, separated by spaces, where a table needs them.
    """

    key: str
    paper: str
    premise: str
    hypothesis: str
    label: str
    domain: str
    strategy: str
    phrase: str
    words: int
    kinds: str = ""


SetParts = dict[str, list[ExperimentText]]
"""The pairs of a set, by part; a part that the experiment does not name is missing."""


class DrawnSet(NamedTuple):
    set: DataSet
    parts: SetParts


def draw_set(name: str, one: DataSet, candidates: Mapping[str, Sequence[ExperimentText]]) -> dict[str, DrawnSet]:
    """The set with its parts, by its name.

    A set with `samples` has only its test part, and each sample is a set of its own. `UserError` where there are too
    few pairs for two samples.
    """
    if one.train is None or not one.train.samples:
        return {name: DrawnSet(one, _draw(one, candidates))}
    base = replace(one, train=None, dev=None)
    found = {name: DrawnSet(base, _draw(base, candidates))}
    pairs = 0
    for size in one.train.samples:
        sample = replace(one, train=replace(one.train, sample=size, samples=()), test=None, sample_of=name)
        parts = _draw(sample, candidates)
        if len(parts["train"]) <= pairs:
            break  # there are no more
        pairs = len(parts["train"])
        of_train = len(parts["dev"]) if one.dev is not None and one.dev.of == "train" else 0
        if pairs + of_train <= size - len({pair.label for pair in parts["train"]}):  # but for what balance rounds off
            size = pairs + of_train
            sample = replace(sample, train=replace(one.train, sample=size, samples=()))
        found[f"{name} {size:,}"] = DrawnSet(sample, parts)
    if len(found) < 3:
        what = tr(
            "The set {name} has {pairs} to learn from, too few for samples of two sizes.",
            name=name,
            pairs=count(pairs, "pair"),
        )
        raise UserError(what, hint=tr("Name smaller `samples`."))
    return found


def _draw(one: DataSet, candidates: Mapping[str, Sequence[ExperimentText]]) -> SetParts:
    """The parts that the set names, drawn as its file says."""
    chosen: dict[str, Part] = {part: given for part in PARTS if (given := getattr(one, part)) is not None}
    parts = {part: _sample(candidates.get(part, ()), given) for part, given in chosen.items() if not given.of}
    for part, given in chosen.items():
        if given.of:
            drawn = _sample(parts.get(given.of, ()), given)
            keys = {pair.key for pair in drawn}
            parts[given.of] = [pair for pair in parts.get(given.of, ()) if pair.key not in keys]
            parts[part] = drawn
    return parts


def _sample(pairs: Sequence[ExperimentText], part: Part) -> list[ExperimentText]:
    """A sample by a hash of seed and key, so that it does not depend on the other pairs; in the pairs' order."""
    if not part.balanced and not 0 < part.sample < len(pairs):
        return list(pairs)
    ranked = sorted(range(len(pairs)), key=lambda place: _rank(part.seed, pairs[place].key))
    if not part.balanced:
        return [pairs[place] for place in sorted(ranked[: part.sample])]
    by_label: dict[str, list[int]] = defaultdict(list)
    for place in ranked:
        by_label[pairs[place].label].append(place)
    each = min((len(places) for places in by_label.values()), default=0)
    if part.sample:
        each = min(each, part.sample // max(1, len(by_label)))
    return [pairs[place] for place in sorted(place for places in by_label.values() for place in places[:each])]


def _rank(seed: int, key: str) -> bytes:
    return blake2b(f"{seed}\0{key}".encode("utf-8", "surrogatepass"), digest_size=8).digest()
