"""Neutral pairs: two distant sentences of one paper, drawn three ways (SciNLI, section 3.2)."""

from __future__ import annotations

import random
from collections.abc import Sequence
from hashlib import blake2b

from miner.mining.pair_builder import PairBuilder, PairCandidate
from miner.mining.patterns import CONNECTIVES
from miner.mining.settings import MiningSettings
from miner.records import Label, Pair, Strategy

_TRIES = 40  # draws for one pair before a paper counts as too short for it

DRAW_PROBLEMS = {
    "too_near": "The two sentences drawn stand too near each other.",
    "same_paragraph": "The two sentences drawn stand in one paragraph, where they are likelier to be related.",
    "linking_phrase": "The sentence drawn starts with a linking phrase.",
    "connective": "The hypothesis drawn starts with another connective, which no linked hypothesis does.",
}


def max_neutrals(kept_linked: int, settings: MiningSettings) -> int:
    """How many neutral pairs a paper gets: the mean size of its linked classes times the ratio, half rounded up."""
    return int(kept_linked * settings.neutral_ratio / 3 + 0.5) if settings.neutral_strategies else 0


def draw_neutrals(
    md5: str, linked: Sequence[PairCandidate], settings: MiningSettings, builder: PairBuilder
) -> list[Pair]:
    """Neutral pairs beside the linked pairs that were kept, at most `max_neutrals`.

    The strategies alternate, and the first one is random, so that they are equally frequent over many papers, also
    when a list is cut at its end.
    """
    wanted = max_neutrals(len(linked), settings)
    if not wanted:
        return []
    draw = _Draw(md5, linked, settings, builder)
    turns = sorted(settings.neutral_strategies)
    first = draw.below(len(turns))
    strategies = [turns[(first + number) % len(turns)] for number in range(wanted)]
    found: dict[int, Pair] = {}
    for _ in range(_TRIES):
        missing = [number for number in range(wanted) if number not in found]
        if not missing:
            break
        drawn = [(number, candidate) for number in missing if (candidate := draw.candidate(strategies[number]))]
        pairs = builder.build([candidate for _, candidate in drawn])
        found.update((number, pair) for (number, _), pair in zip(drawn, pairs, strict=True) if pair)
    return [found[number] for number in sorted(found)]


class _Draw:
    """Random candidates of one paper, which depend on the seed and the paper's MD5 alone."""

    def __init__(
        self, md5: str, linked: Sequence[PairCandidate], settings: MiningSettings, builder: PairBuilder
    ) -> None:
        seed = blake2b(f"{settings.seed}\0{md5}".encode(), digest_size=8).digest()
        # Only `random()` is promised to stay the same in later Pythons, so every draw is made of it.
        self._random = random.Random(int.from_bytes(seed, "big")).random
        self._linked = linked
        self._settings = settings
        self._builder = builder

    def below(self, count: int) -> int:
        return int(self._random() * count)

    def candidate(self, strategy: Strategy) -> PairCandidate | None:
        """One draw, counted; None when the two sentences do not suit, counted too."""
        prose, counts = self._builder.prose, self._builder.counts
        counts.candidates[strategy] += 1
        premise, hypothesis = self.below(len(prose)), self.below(len(prose))
        model = self._linked[self.below(len(self._linked))]
        rest = 0
        if strategy is Strategy.FIRST_RANDOM:
            hypothesis, rest = model.hypothesis, model.rest
        if strategy is Strategy.SECOND_RANDOM:
            premise = model.premise
        problem = self._problem(strategy, premise, hypothesis)
        if problem:
            counts.drop(strategy, problem, lambda: (prose.sentence(premise), prose.sentence(hypothesis)))
            return None
        return PairCandidate(strategy, premise, hypothesis, rest, Label.NEUTRAL)

    def _problem(self, strategy: Strategy, premise: int, hypothesis: int) -> str | None:
        prose, matcher, settings = self._builder.prose, self._builder.matcher, self._settings
        if abs(premise - hypothesis) < settings.neutral_distance:
            return "too_near"
        if not settings.neutral_same_paragraph and prose.paragraph_of(premise) == prose.paragraph_of(hypothesis):
            return "same_paragraph"
        if strategy is not Strategy.SECOND_RANDOM and matcher.starts(prose.sentence(premise)):
            return "linking_phrase"
        if strategy is not Strategy.FIRST_RANDOM:
            text = prose.sentence(hypothesis)
            if matcher.starts(text):
                return "linking_phrase"
            if CONNECTIVES.match(text):
                return "connective"
        return None
