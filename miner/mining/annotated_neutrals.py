"""Neutral pairs that people have annotated: whether a paper still has them, and whether they are still valid.

They may have been drawn long ago, with other settings or by other rules, so they need not be drawn again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from miner.mining.drop_reasons import DRAW_PROBLEMS, DROP_TEXTS, FILTERS
from miner.mining.identity import sentence_hash
from miner.mining.neutral_pairs import draw_problem
from miner.mining.neutral_quota import OVER_QUOTA
from miner.mining.pair_builder import PairBuilder, PairCandidate
from miner.mining.settings import MiningSettings
from miner.records import OTHER_LANGUAGE, AnnotatedNeutral, Label, MinedPaper, Pair, Strategy

REFUSALS = {
    OTHER_LANGUAGE: DROP_TEXTS[OTHER_LANGUAGE].meaning,
    "no_sentence": "The paper no longer has both sentences.",
    "strategy_off": "Neutral pairs are no longer drawn in this way.",
    "no_link": "The hypothesis no longer starts with a phrase that links.",
    OVER_QUOTA: "The paper gets fewer neutral pairs, and all of them are annotated.",
    **{name: text.meaning for name, text in DRAW_PROBLEMS.items()},
    **FILTERS,
}
"""Every reason why an annotated neutral pair is not valid any more, and what it means."""


def find_annotated(
    mined: MinedPaper,
    annotated: Sequence[AnnotatedNeutral],
    settings: MiningSettings,
    builder: PairBuilder,
) -> MinedPaper:
    """The mined paper, with the annotated neutral pairs that it still has, and those that are refused with the reason.

    They need not be drawn by these settings, but must obey the rules of drawing and pass the filters. The linked pair
    that a neutral pair was drawn for may be gone.
    """
    drawn = {pair.key for pair in mined.pairs}
    missing = sorted(neutral for neutral in annotated if neutral.key not in drawn)
    found = _found(missing, settings, builder) if missing else {}
    return replace(
        mined,
        annotated=frozenset(neutral.key for neutral in annotated),
        extra=tuple(pair for pair in found.values() if isinstance(pair, Pair)),
        refused={key: problem for key, problem in found.items() if not isinstance(problem, Pair)},
    )


def _found(wanted: Sequence[AnnotatedNeutral], settings: MiningSettings, builder: PairBuilder) -> dict[str, Pair | str]:
    """By key, the pair, or why there no longer is one, a key of `REFUSALS`."""
    sentences: dict[int, list[int]] = {}
    for index in range(len(builder.prose)):
        for text in {builder.sentence(index), builder.prose.sentence(index)}:
            sentences.setdefault(sentence_hash(text), []).append(index)
    found: dict[str, Pair | str] = {}
    for neutral in wanted:
        found[neutral.key] = "no_sentence" if neutral.strategy in settings.neutral_strategies else "strategy_off"
        if neutral.strategy not in settings.neutral_strategies:
            continue
        for premise in sentences.get(neutral.premise_hash, ()):
            for hypothesis in sentences.get(neutral.hypothesis_hash, ()):
                if not isinstance(found[neutral.key], Pair):
                    found[neutral.key] = _pair(neutral, premise, hypothesis, builder) or found[neutral.key]
    return found


def _pair(wanted: AnnotatedNeutral, premise: int, hypothesis: int, builder: PairBuilder) -> Pair | str | None:
    """The pair of these two sentences, or why they are not a pair; None if they are not the wanted sentences."""
    rest = 0
    if wanted.strategy is Strategy.FIRST_RANDOM:
        sentence = builder.prose.sentence(hypothesis)
        link = builder.matcher.find(sentence)
        if link is None or link.trap is not None:
            return "no_link"
        rest = builder.matcher.end_of_phrases(sentence, link)
    candidate = PairCandidate(wanted.strategy, premise, hypothesis, rest, Label.NEUTRAL)
    if builder.key(candidate) != wanted.key:
        return None
    return draw_problem(candidate, builder) or builder.problem_or_pair(candidate)
