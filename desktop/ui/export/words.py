"""Export in words: reasons and shapes."""

from __future__ import annotations

from desktop.ui.widgets.numbers import count
from miner.records import Flag
from storage.exchange.choosing import Preset

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


def left_out(reasons: dict[str, int]) -> str:
    """ "312 pairs are left out: 200 marked bad, 112 without a majority."; "" for none."""
    total = sum(reasons.values())
    if not total:
        return ""
    parts = [f"{number:,} {REASONS.get(reason, reason)}" for reason, number in sorted(reasons.items(), key=_most)]
    return f"{count(total, 'pair is', 'pairs are')} left out: {', '.join(parts)}."


def _most(item: tuple[str, int]) -> tuple[int, str]:
    return -item[1], item[0]
