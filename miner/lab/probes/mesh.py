"""Pairs and their converses in four groups, whose subsets tell direction from likeness (Directional inference, §2).

DirTrue: directed pairs with the sentence that gives the other first; DirFalse: the same pairs exchanged. Paraphrases:
restatements, in an order drawn for each. Unrelated: neutral pairs. A model that sees only how alike two sentences are
tells Paraphrases from Unrelated, but not DirTrue from DirFalse.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from enum import StrEnum
from hashlib import blake2b
from typing import NamedTuple

from miner.errors import UserError
from miner.kinds.taxonomy import Direction
from miner.lab.probes.triples import ProbeGroup
from miner.splits import SPLITS

MIN_DIRECTED = 30
"""With fewer directed pairs the areas say nothing."""


class DirectedPair(NamedTuple):
    """A pair of the project with its direction. split: "" for the split that the paper's hash gives."""

    key: str
    paper: str
    premise: str
    hypothesis: str
    direction: Direction
    is_neutral: bool
    split: str = ""


class ProbePair(NamedTuple):
    """A pair of the probe. key: of the pair it is made from; a pair and its converse have the same key."""

    key: str
    paper: str
    premise: str
    hypothesis: str
    group: ProbeGroup
    split: str

    @property
    def holds(self) -> bool:
        return self.group in (ProbeGroup.DIR_TRUE, ProbeGroup.PARAPHRASES)


class MeshSubset(StrEnum):
    """Which groups are told apart, the positives first (Directional inference, Figure 1), and two larger subsets."""

    DIRECTIONAL = "DirTrue-DirFalse"
    SYMMETRIC = "Paraphrases-Unrelated"
    PARAPHRASES_DIR_TRUE = "Paraphrases-DirTrue"
    PARAPHRASES_DIR_FALSE = "Paraphrases-DirFalse"
    DIR_TRUE_UNRELATED = "DirTrue-Unrelated"
    DIR_FALSE_UNRELATED = "DirFalse-Unrelated"
    FULL = "Full"

    @property
    def sides(self) -> tuple[frozenset[ProbeGroup], frozenset[ProbeGroup]]:
        """The groups of the positives and of the negatives."""
        if self is MeshSubset.FULL:
            positives = frozenset((ProbeGroup.DIR_TRUE, ProbeGroup.PARAPHRASES))
            return positives, frozenset(ProbeGroup) - positives
        first, second = self.value.split("-")
        return frozenset((ProbeGroup(first),)), frozenset((ProbeGroup(second),))


def build_mesh(pairs: Iterable[DirectedPair], *, seed: int = 1) -> list[ProbePair]:
    """The probe of these pairs: as many of each group in each split, sorted by key; the same for the same pairs.

    A pair's splits are its paper's, so that converses are in one split. `UserError` with fewer than `MIN_DIRECTED`
    directed pairs, or without restatements or neutral pairs.
    """
    groups: dict[str, dict[ProbeGroup, list[DirectedPair]]] = defaultdict(lambda: defaultdict(list))
    for pair in pairs:
        group = _group(pair)
        if group is not None:
            groups[pair.split or _split(pair.paper, seed)][group].append(pair)
    totals = {group: sum(len(by[group]) for by in groups.values()) for group in ProbeGroup}
    _require(totals)
    found = []
    for split in SPLITS:
        drawn = groups[split]
        size = min(len(drawn[group]) for group in (ProbeGroup.DIR_TRUE, ProbeGroup.PARAPHRASES, ProbeGroup.UNRELATED))
        for group in (ProbeGroup.DIR_TRUE, ProbeGroup.PARAPHRASES, ProbeGroup.UNRELATED):
            ranked = sorted(drawn[group], key=lambda pair: _rank(seed, pair.key))
            for pair in sorted(ranked[:size], key=lambda pair: pair.key):
                found += _probe_pairs(pair, group, split, seed)
    return found


def in_subset(pairs: Sequence[ProbePair], subset: MeshSubset) -> list[tuple[ProbePair, bool]]:
    """The probe's pairs of a subset, each with whether it is positive."""
    positives, negatives = subset.sides
    return [(pair, pair.group in positives) for pair in pairs if pair.group in positives | negatives]


def _group(pair: DirectedPair) -> ProbeGroup | None:
    if pair.is_neutral:
        return ProbeGroup.UNRELATED
    match pair.direction:
        case Direction.FORWARD | Direction.BACKWARD:
            return ProbeGroup.DIR_TRUE
        case Direction.BOTH:
            return ProbeGroup.PARAPHRASES
        case _:
            return None


def _probe_pairs(pair: DirectedPair, group: ProbeGroup, split: str, seed: int) -> list[ProbePair]:
    first, second = _capitalized(pair.premise), _capitalized(pair.hypothesis)
    exchanged = _rank(seed, f"order\0{pair.key}")[0] % 2 == 1
    if group is ProbeGroup.DIR_TRUE:
        exchanged = pair.direction is Direction.BACKWARD
    if exchanged:
        first, second = second, first
    made = [ProbePair(pair.key, pair.paper, first, second, group, split)]
    if group is ProbeGroup.DIR_TRUE:
        made.append(ProbePair(pair.key, pair.paper, second, first, ProbeGroup.DIR_FALSE, split))
    return made


def _require(totals: dict[ProbeGroup, int]) -> None:
    if totals[ProbeGroup.DIR_TRUE] < MIN_DIRECTED:
        hint = "Add papers, or mine by more phrases: Therefore and Specifically make directed pairs."
        what = f"The project has {totals[ProbeGroup.DIR_TRUE]} directed pairs; the probe needs {MIN_DIRECTED}."
        raise UserError(what, hint=hint)
    for group, what in ((ProbeGroup.PARAPHRASES, "restatements"), (ProbeGroup.UNRELATED, "neutral pairs")):
        if not totals[group]:
            raise UserError(f"The project has no {what}, which the probe needs.", hint="Add papers and mine again.")


def _capitalized(sentence: str) -> str:
    """With a capital at the start, so that the case does not tell which sentence followed a phrase."""
    return sentence[:1].upper() + sentence[1:]


def _split(paper: str, seed: int) -> str:
    """8 of 10 papers to train, one to dev, one to test."""
    place = _rank(seed, paper)[0] % 10
    return SPLITS[0] if place < 8 else SPLITS[place - 7]


def _rank(seed: int, key: str) -> bytes:
    return blake2b(f"{seed}\0{key}".encode("utf-8", "surrogatepass"), digest_size=8).digest()
