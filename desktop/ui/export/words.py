"""Export in words: filters, reasons and shapes."""

from __future__ import annotations

from collections.abc import Iterable

from desktop.ui.widgets.numbers import count
from miner.records import Flag, Strategy
from storage.exchange.choosing import Preset
from storage.filters import PairFilter, Range

PRESETS = {
    Preset.SCINLI: ("SciNLI", "id, sentence1, sentence2, label"),
    Preset.MISMATCHED: ("MisMatched", "as SciNLI, with the domain"),
    Preset.SNLI: ("SNLI and MultiNLI", "gold_label, annotator_labels, pairID, genre"),
    Preset.INTEGERS: (
        "Labels as numbers",
        "premise, hypothesis, label: 0 contrasting, 1 reasoning, 2 entailment, 3 neutral",
    ),
    Preset.FULL: ("Everything", "all fields, with where each pair comes from"),
}
FLAGS = {
    Flag.CROSSES_PARAGRAPH: ("Premise in the paragraph before", "The phrase opens its paragraph"),
    Flag.PREMISE_HAS_PHRASE: ("Premise starts with a phrase too", "So it takes up a sentence that is not in the pair"),
    Flag.NO_COMMA: ("No comma after the phrase", "“Thus the …”: rarer, and less sure to be a link"),
}
REASONS = {
    "no_longer_mined": "no longer mined",
    "not_shown": "not shown on the Pairs page",
    "bad": "marked bad",
    "strategy": "without a linking phrase",
    "no_majority": "without a majority",
    "balance": "to balance the classes",
    **{flag.value: text[0].lower() + text[1:] for flag, (text, _) in FLAGS.items()},
}
STRATEGIES = {
    Strategy.LINKED: "linked",
    Strategy.BOTH_RANDOM: "both sentences drawn",
    Strategy.FIRST_RANDOM: "premise drawn",
    Strategy.SECOND_RANDOM: "hypothesis drawn",
    Strategy.IMPLICIT: "without a phrase",
    Strategy.IMPORTED: "imported",
}


def left_out(reasons: dict[str, int]) -> str:
    """ "312 pairs are left out: 200 marked bad, 112 without a majority."; "" for none."""
    total = sum(reasons.values())
    if not total:
        return ""
    parts = [f"{number:,} {REASONS.get(reason, reason)}" for reason, number in sorted(reasons.items(), key=_most)]
    return f"{count(total, 'pair is', 'pairs are')} left out: {', '.join(parts)}."


def _most(item: tuple[str, int]) -> tuple[int, str]:
    return -item[1], item[0]


def describe(shown: PairFilter) -> str:
    """What a filter asks, in a line; "" when it asks nothing."""
    parts = [f"“{shown.text.strip()}”"] if shown.text.strip() else []
    parts += _any(shown.labels, "", none="no label")
    parts += _any(shown.distant, "phrase says ", none="nothing")
    parts += _any(shown.gold, "people say ", none="nothing")
    parts += _any(sorted(shown.statuses), "")
    parts += _any((STRATEGIES[strategy] for strategy in sorted(shown.strategies)), "")
    parts += _any(shown.phrases, "phrase ", none="none")
    parts += _any(shown.domains, "domain ", none="none")
    parts += _between(shown.years, "year")
    parts += _any(shown.splits, "split ", none="none")
    parts += [f"in {count(len(shown.papers), 'paper')}"] if shown.papers else []
    parts += _any((FLAGS[flag][0].lower() for flag in sorted(shown.flags)), "")
    for value, yes, no in (
        (shown.flagged, "flagged", "not flagged"),
        (shown.noted, "with a note", "without a note"),
        (shown.contested, "annotators differ", "annotators agree"),
        (shown.disagrees, "people contradict the phrase", "people agree with the phrase"),
    ):
        parts += [] if value is None else [yes if value else no]
    parts += _any(shown.annotators, "answered by ")
    parts += _between(shown.premise_words, "words of the premise")
    parts += _between(shown.hypothesis_words, "words of the hypothesis")
    parts += _between(shown.overlap, "percent of words shared")
    return " · ".join(parts)


def _any(values: Iterable[str], before: str, *, none: str = "none") -> list[str]:
    given = sorted({value or none for value in values})
    return [before + " or ".join(given)] if given else []


def _between(limits: Range | None, noun: str) -> list[str]:
    low, high = limits or (None, None)
    if low is not None and high is not None:
        return [f"{noun} {low} to {high}"]
    if low is not None:
        return [f"{noun} {low} or more"]
    return [] if high is None else [f"{noun} {high} or less"]
