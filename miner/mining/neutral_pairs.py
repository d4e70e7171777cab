"""Neutral pairs: two distant sentences of one paper, drawn three ways (SciNLI, section 3.2)."""

from __future__ import annotations

import random
from collections.abc import Sequence
from hashlib import blake2b

from miner.mining.linking_phrases import CONNECTIVES
from miner.mining.pair_builder import PairBuilder, PairCandidate
from miner.mining.settings import MiningSettings
from miner.records import Label, Pair, Strategy

_MAX_DRAWS = 40  # for one pair; a paper that needs more is too short for it

DRAW_PROBLEMS = {
    "too_near": "The two drawn sentences are too close to each other.",
    "same_paragraph": "The two drawn sentences are in one paragraph, where they are likelier to be related.",
    "linking_phrase": "The drawn sentence starts with a linking phrase.",
    "connective": "The drawn hypothesis starts with another connective, which no linked hypothesis does.",
}


def max_neutrals(kept_linked: int, settings: MiningSettings) -> int:
    """How many neutral pairs a paper gets: the mean size of its linked classes times `neutral_ratio`, half rounded up.

    >>> max_neutrals(10, MiningSettings(neutral_ratio=1.0))
    3
    """
    return int(kept_linked * settings.neutral_ratio / 3 + 0.5) if settings.neutral_strategies else 0


def draw_neutrals(
    md5: str, linked: Sequence[PairCandidate], settings: MiningSettings, builder: PairBuilder
) -> list[Pair]:
    """Neutral pairs for a paper with these linked pairs, at most `max_neutrals`.

    The strategies alternate and start with a random one, so over many papers they are equally frequent, even if each
    list is cut at its end.
    """
    wanted = max_neutrals(len(linked), settings)
    if not wanted:
        return []
    sampler = _CandidateSampler(md5, linked, settings, builder)
    order = sorted(settings.neutral_strategies)
    offset = sampler.random_index(len(order))
    strategies = [order[(offset + position) % len(order)] for position in range(wanted)]
    pairs_by_position: dict[int, Pair] = {}
    for _ in range(_MAX_DRAWS):
        missing_positions = [position for position in range(wanted) if position not in pairs_by_position]
        if not missing_positions:
            break
        candidates = [
            (position, candidate)
            for position in missing_positions
            if (candidate := sampler.candidate(strategies[position]))
        ]
        pairs = builder.build([candidate for _, candidate in candidates])
        pairs_by_position.update(
            (position, pair) for (position, _), pair in zip(candidates, pairs, strict=True) if pair
        )
    return [pairs_by_position[position] for position in sorted(pairs_by_position)]


class _CandidateSampler:
    """Draws random candidates of one paper. The draws depend on the seed and the paper's MD5 alone."""

    def __init__(
        self, md5: str, linked: Sequence[PairCandidate], settings: MiningSettings, builder: PairBuilder
    ) -> None:
        seed = blake2b(f"{settings.seed}\0{md5}".encode(), digest_size=8).digest()
        # Python promises the same numbers in later versions for `random()` alone.
        self._random = random.Random(int.from_bytes(seed, "big")).random
        self._linked = linked
        self._settings = settings
        self._builder = builder

    def random_index(self, count: int) -> int:
        return int(self._random() * count)

    def candidate(self, strategy: Strategy) -> PairCandidate | None:
        """One draw; None when the two sentences make no neutral pair. Both cases are counted."""
        prose, counts = self._builder.prose, self._builder.counts
        counts.candidates[strategy] += 1
        premise, hypothesis = self.random_index(len(prose)), self.random_index(len(prose))
        linked_pair = self._linked[self.random_index(len(self._linked))]
        rest = 0
        if strategy is Strategy.FIRST_RANDOM:
            hypothesis, rest = linked_pair.hypothesis, linked_pair.rest
        if strategy is Strategy.SECOND_RANDOM:
            premise = linked_pair.premise
        problem = self._problem(strategy, premise, hypothesis)
        if problem:
            counts.drop(strategy, problem, lambda: (prose.sentence(premise), prose.sentence(hypothesis)))
            return None
        return PairCandidate(strategy, premise, hypothesis, rest, Label.NEUTRAL)

    def _problem(self, strategy: Strategy, premise: int, hypothesis: int) -> str | None:
        prose, matcher, settings = self._builder.prose, self._builder.matcher, self._settings
        sentence = self._builder.sentence
        if abs(premise - hypothesis) < settings.neutral_distance:
            return "too_near"
        if not settings.neutral_same_paragraph and prose.paragraph_of(premise) == prose.paragraph_of(hypothesis):
            return "same_paragraph"
        if strategy is not Strategy.SECOND_RANDOM and matcher.starts(sentence(premise)):
            return "linking_phrase"
        if strategy is not Strategy.FIRST_RANDOM:
            text = sentence(hypothesis)
            if matcher.starts(text):
                return "linking_phrase"
            if CONNECTIVES.match(text):
                return "connective"
        return None
