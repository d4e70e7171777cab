"""How often the pairs of a linking phrase have the relation that the phrase announces.

The counts are of pairs that one reader judged blind: premise and hypothesis alone, without phrase and distant label,
for one of the four classes or "unclear". `tests.bench.phrases` says how they were drawn, and counts them again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from miner.label_precision import PUBLISHED_PRECISION
from miner.mining.linking_phrases import Phrase, phrase_key
from miner.records import Label
from miner.statistics import Interval, wilson

LEAST_RELIABLE = 0.75
"""A phrase is reliable if its 95 % interval begins here or higher; that of SciNLI's whole lexicon begins at .77."""

_PRIOR_PAIRS = 20  # that the class counts for: shares of phrases vary by so much, by the method of moments


class PhraseReading(NamedTuple):
    """Of `read` pairs of a phrase, how many have the phrase's relation; "unclear" pairs are not right.

    >>> PhraseReading(25, 25).interval.low > LEAST_RELIABLE
    True
    """

    right: int
    read: int

    @property
    def interval(self) -> Interval:
        """The 95 % interval (Wilson) of the share that is right."""
        return wilson(self.right, self.read)

    def __add__(self, other: object) -> PhraseReading:
        if not isinstance(other, PhraseReading):
            return NotImplemented
        return PhraseReading(self.right + other.right, self.read + other.read)


def _readings(**counts: tuple[int, int]) -> Mapping[str, PhraseReading]:
    return MappingProxyType({name.replace("_", " "): PhraseReading(*pair) for name, pair in counts.items()})


_READINGS: Mapping[Label, Mapping[str, PhraseReading]] = MappingProxyType(
    {
        Label.CONTRASTING: _readings(
            however=(16, 20),
            on_the_other_hand=(16, 20),
            in_contrast=(17, 20),
            on_the_contrary=(18, 20),
            nevertheless=(37, 45),
            conversely=(40, 45),
            nonetheless=(39, 45),
            by_contrast=(39, 45),
            yet=(38, 45),
        ),
        Label.REASONING: _readings(
            therefore=(17, 20),
            thus=(18, 20),
            consequently=(13, 20),
            as_a_result=(17, 20),
            as_a_consequence=(18, 20),
            hence=(32, 45),
            accordingly=(22, 45),
            for_this_reason=(40, 45),
        ),
        Label.ENTAILMENT: _readings(
            specifically=(18, 20),
            precisely=(13, 18),
            in_particular=(18, 20),
            particularly=(16, 20),
            that_is=(18, 20),
            in_other_words=(11, 20),
            more_specifically=(71, 90),
            more_precisely=(76, 83),
            namely=(65, 74),
            in_short=(60, 82),
            equivalently=(29, 32),
        ),
    }
)


def reading_of(phrase: Phrase) -> PhraseReading | None:
    """The pairs of this phrase that were read; None for other phrases, and for other relations of the phrase."""
    return _READINGS.get(phrase.label, {}).get(phrase_key(phrase.text))


def total_reading(phrases: Iterable[Phrase]) -> PhraseReading:
    """All pairs of these phrases that were read."""
    return sum((reading_of(phrase) or PhraseReading(0, 0) for phrase in phrases), PhraseReading(0, 0))


def is_reliable(phrase: Phrase) -> bool:
    """Whether the lower end of the phrase's 95 % interval is at least `LEAST_RELIABLE`."""
    reading = reading_of(phrase)
    return reading is not None and reading.interval.low >= LEAST_RELIABLE


def phrase_precision(phrase: Phrase) -> float:
    """The expected share of the phrase's pairs that have its relation, 0.0 to 1.0; of its class if none was read.

    The mean of a beta distribution whose prior is the class's precision. Of other phrases than those that were read,
    such as people's own, nothing is known but the class.

    >>> phrase_precision(Phrase("All in all", Label.ENTAILMENT))
    0.792
    """
    right, read = reading_of(phrase) or (0, 0)
    return (right + _PRIOR_PAIRS * PUBLISHED_PRECISION[phrase.label]) / (read + _PRIOR_PAIRS)
