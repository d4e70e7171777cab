"""The direction that a linking phrase announces, beside its relation: distant labels as those of SciNLI, section 3."""

from __future__ import annotations

from miner.kinds.taxonomy import Direction
from miner.mining.linking_phrases import LEXICON
from miner.records import Label

_NARROWER = ("specifically", "precisely", "in particular", "particularly", "more specifically", "more precisely")
"""After these the hypothesis is the narrower sentence, which gives the wider one before it."""
_SAME = ("that is", "in other words", "namely", "equivalently", "in short")

PHRASE_DIRECTIONS = {
    **{one.text.casefold(): Direction.FORWARD for one in LEXICON if one.label is Label.REASONING},
    **{one.text.casefold(): Direction.NEITHER for one in LEXICON if one.label is Label.CONTRASTING},
    **dict.fromkeys(_NARROWER, Direction.BACKWARD),
    **dict.fromkeys(_SAME, Direction.BOTH),
}
"""By phrase, in small letters; of every phrase of the lexicon."""


def distant_direction(label: str | None, phrase: str) -> Direction | None:
    """The direction by a pair's phrase; of neutral pairs, which have none, NEITHER. None where nothing announces it."""
    if label == Label.NEUTRAL:
        return Direction.NEITHER
    return PHRASE_DIRECTIONS.get(phrase.casefold())
