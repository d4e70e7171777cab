"""Neutral pairs: two distant sentences of one paper, drawn three ways (SciNLI, section 3.2)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from miner.mining.keyed_draws import draw_number, draw_partners, sentence_numbers
from miner.mining.linking_phrases import CONNECTIVES
from miner.mining.neutral_quota import max_neutrals
from miner.mining.pair_builder import PairBuilder, PairCandidate
from miner.mining.settings import MiningSettings
from miner.mining.shared_words import SharedWords, count_shared_words
from miner.records import Label, Pair, Strategy

_MAX_DRAWS = 80  # for one pair; a paper that needs more is too short for it
# Percentages of the draws with no, one, two and three words in common that may make a pair; all others may. Without
# those that share telling words, neutral pairs then overlap as much, and are about as long, as if drawn freely.
_PERCENT_BY_SHARED = (15, 40, 65, 90)


def draw_neutrals(
    md5: str, linked: Sequence[PairCandidate], settings: MiningSettings, builder: PairBuilder
) -> list[Pair]:
    """Neutral pairs for a paper with these linked pairs, at most `max_neutrals`.

    The strategies alternate and start with a random one, so over many papers they are equally frequent, even if each
    list is cut at its end.

    Each strategy has an order of draws of its own, which follows from seed, paper and sentences, and of which the first
    that make a pair are taken: a greater number adds pairs to those of a smaller one, and a draw that makes no pair any
    more is replaced by the next.
    """
    wanted = max_neutrals(len(linked), settings)
    if not wanted:
        return []
    order = sorted(settings.neutral_strategies)
    first = draw_number(f"{settings.seed}\0{md5}", len(order))
    strategies = [order[(first + position) % len(order)] for position in range(wanted)]
    numbers = sentence_numbers(builder.prose)
    shared_words = SharedWords(builder.prose)
    draws = {
        strategy: _Draws(strategy, f"{settings.seed}\0{md5}\0{strategy}", numbers, linked, builder, shared_words)
        for strategy in order
    }
    pairs: list[Pair] = []
    for strategy in strategies:
        for candidate in islice(draws[strategy], _MAX_DRAWS):
            if candidate is None:
                continue
            [pair] = builder.build([candidate])
            if pair is not None:
                pairs.append(pair)
                break
    return pairs


class _Draws:
    """The draws of one strategy in their order; iterating counts each, and gives None for two that make no pair.

    Both sentences are drawn, or one is drawn for a linked pair, which has its turn again when all have had theirs.
    """

    def __init__(
        self,
        strategy: Strategy,
        key: str,
        numbers: Sequence[int],
        linked: Sequence[PairCandidate],
        builder: PairBuilder,
        shared_words: SharedWords,
    ) -> None:
        self._strategy = strategy
        self._key = key
        self._numbers = numbers
        self._builder = builder
        self._shared_words = shared_words
        self._linked = linked
        if strategy is Strategy.BOTH_RANDOM:
            anchors = numbers
        elif strategy is Strategy.FIRST_RANDOM:
            anchors = [numbers[pair.hypothesis] for pair in linked]
        else:
            anchors = [numbers[pair.premise] for pair in linked]
        self._drawn = draw_partners(key, anchors, numbers)

    def __iter__(self) -> _Draws:
        return self

    def __next__(self) -> PairCandidate | None:
        anchor, drawn = next(self._drawn)
        rest = 0
        if self._strategy is Strategy.BOTH_RANDOM:
            premise, hypothesis = anchor, drawn
        elif self._strategy is Strategy.FIRST_RANDOM:
            premise, (hypothesis, rest) = drawn, (self._linked[anchor].hypothesis, self._linked[anchor].rest)
        else:
            premise, hypothesis = self._linked[anchor].premise, drawn
        candidate = PairCandidate(self._strategy, premise, hypothesis, rest, Label.NEUTRAL)
        counts, prose = self._builder.counts, self._builder.prose
        counts.candidates[self._strategy] += 1
        problem = draw_problem(candidate, self._builder) or self._choice_problem(candidate)
        if problem is None:
            return candidate
        counts.drop(self._strategy, problem, lambda: (prose.sentence(premise), prose.sentence(hypothesis)))
        return None

    def _choice_problem(self, candidate: PairCandidate) -> str | None:
        """A key of `miner.mining.drop_reasons.DROP_TEXTS`; it depends on the two sentences alone, as the draws do."""
        if self._builder.settings.neutral_shared_words:
            return None
        sentences = self._builder.sentence(candidate.premise), self._builder.hypothesis(candidate)
        if self._shared_words.are_telling(*sentences):
            return "shared_words"
        shared = count_shared_words(*sentences)
        if shared >= len(_PERCENT_BY_SHARED):
            return None
        key = f"{self._key}\0{self._numbers[candidate.premise]}\0{self._numbers[candidate.hypothesis]}"
        return None if draw_number(key, 100) < _PERCENT_BY_SHARED[shared] else "little_shared"


def draw_problem(candidate: PairCandidate, builder: PairBuilder) -> str | None:
    """Which rule of drawing the candidate breaks, a key of `DRAW_PROBLEMS`; None if it breaks none."""
    strategy, premise, hypothesis = candidate[:3]
    prose, matcher, settings = builder.prose, builder.matcher, builder.settings
    if abs(premise - hypothesis) < settings.neutral_distance:
        return "too_near"
    if not settings.neutral_same_paragraph and prose.paragraph_of(premise) == prose.paragraph_of(hypothesis):
        return "same_paragraph"
    if strategy is not Strategy.SECOND_RANDOM and matcher.starts(builder.sentence(premise)):
        return "linking_phrase"
    if strategy is not Strategy.FIRST_RANDOM:
        text = builder.sentence(hypothesis)
        if matcher.starts(text):
            return "linking_phrase"
        if CONNECTIVES.match(text):
            return "connective"
    return None
