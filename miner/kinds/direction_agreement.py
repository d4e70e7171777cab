"""How far people give the direction that a pair's linking phrase announces."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from miner.agreement import UNDEFINED, Coefficient, pairwise
from miner.kinds.agreement import Share
from miner.kinds.distant_direction import distant_direction
from miner.kinds.taxonomy import Direction
from miner.libraries import np
from miner.records import Label
from miner.statistics import wilson

CLEAR = (Direction.FORWARD, Direction.BACKWARD, Direction.BOTH, Direction.NEITHER)


class PhraseAgreement(NamedTuple):
    """People's answers about the direction of the pairs of a phrase. phrase: in small letters; "" for neutral pairs.

    distant: what the phrase announces. agreeing: the share of the pairs with a clear direction that have this one; None
    without such a pair. said: how many pairs people give each of `CLEAR`. unclear: for how many they find it unclear.
    """

    phrase: str
    distant: Direction
    agreeing: Share | None
    said: tuple[int, ...]
    unclear: int


class DirectionAgreement(NamedTuple):
    """phrases: those with most pairs first. all: of the pairs of all phrases. kappa: Cohen's, of people and phrases.

    undecided: pairs of which no direction has more than half of the answers. unannounced: pairs whose phrase or label
    announces none.
    """

    phrases: tuple[PhraseAgreement, ...]
    all: Share | None
    kappa: Coefficient
    undecided: int
    unannounced: int


class AnsweredDirection(NamedTuple):
    """A pair that people answered.

    distant: its distant label. said: the direction of more than half of the answers, if any.
    """

    distant: str | None
    phrase: str
    said: Direction | None

    @property
    def announced(self) -> Direction | None:
        """The direction that its phrase or distant label announces; None if they announce none."""
        return distant_direction(self.distant, self.phrase)

    @property
    def group(self) -> str:
        """As `PhraseAgreement.phrase`."""
        return "" if self.distant == Label.NEUTRAL else self.phrase.casefold()


def direction_agreement(pairs: Iterable[AnsweredDirection]) -> DirectionAgreement:
    """Compare people's answers with the phrases. The kappa is undefined where all have the same direction."""

    said: dict[str, Counter[Direction]] = {}
    announced: dict[str, Direction] = {}
    votes = []
    undecided = unannounced = 0
    for pair in pairs:
        distant = pair.announced
        if distant is None:
            unannounced += 1
        elif pair.said is None:
            undecided += 1
        else:
            announced[pair.group] = distant
            said.setdefault(pair.group, Counter())[pair.said] += 1
            if pair.said in CLEAR:
                votes.append((CLEAR.index(distant), CLEAR.index(pair.said)))
    phrases = [
        PhraseAgreement(
            phrase,
            announced[phrase],
            _share(found[announced[phrase]], sum(found[one] for one in CLEAR)),
            tuple(found[one] for one in CLEAR),
            found[Direction.UNCLEAR],
        )
        for phrase, found in said.items()
    ]
    phrases.sort(key=lambda one: (-sum(one.said), one.phrase))
    kappa = pairwise(np.array(votes), len(CLEAR))[0, 1].kappa if votes else UNDEFINED
    agreeing = sum(first == second for first, second in votes)
    return DirectionAgreement(tuple(phrases), _share(agreeing, len(votes)), kappa, undecided, unannounced)


def _share(part: int, of: int) -> Share | None:
    return Share(part / of, wilson(part, of), of) if of else None
