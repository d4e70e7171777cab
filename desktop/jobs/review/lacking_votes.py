"""Pairs of earlier rounds that lack votes, in words: how many there are, and who could be asked about them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from desktop.jobs.review.people import Person
from desktop.text import count, listed
from desktop.translation import tr
from storage.annotation.annotators import Role
from storage.annotation.lacking_votes import LackingVotes
from storage.annotation.round_draw import RoundDraw


class OpenVotes(NamedTuple):
    """Pairs that lack votes which nobody is asked for. each: how many votes a pair lacks at most.

    names: whom a round could ask about `unknown` of them, as many people as that takes, if there are so many.
    """

    pairs: int = 0
    each: int = 0
    names: tuple[str, ...] = ()
    unknown: int = 0

    @property
    def text(self) -> str:
        """Such as "24 pairs lack a vote"."""
        if self.each == 1:
            return tr("{pairs} a vote", pairs=count(self.pairs, "pair lacks", "pairs lack"))
        return tr("{pairs} votes", pairs=count(self.pairs, "pair lacks", "pairs lack"))

    @property
    def advice(self) -> str:
        """Whom to draw a round for, as the end of a sentence."""
        if not self.names:
            return tr("add somebody who has not answered them, and draw a round for them.")
        of = tr("them") if self.unknown == self.pairs else tr("{pairs:,} of them", pairs=self.unknown)
        return tr(
            "draw a round for {names}, who {have} not answered {of}.",
            names=listed(list(self.names)),
            have=tr("has") if len(self.names) == 1 else tr("have"),
            of=of,
        )


def find_open_votes(lacking: Sequence[LackingVotes], everybody: Sequence[Person]) -> OpenVotes:
    """The pairs that lack votes, and people of the role annotator who could give them."""
    if not lacking:
        return OpenVotes()
    voters = [one for one in everybody if one.role is Role.ANNOTATOR and not one.key.startswith("imported ")]
    unknown = {person: [votes for votes in lacking if person.key not in votes.known_to] for person in voters}
    each = max(votes.number for votes in lacking)
    # Who did not answer in a round that is closed is asked again only if nobody else can be.
    asked = {person: [votes for votes in lacking if person.key in votes.asked] for person in voters}
    voters.sort(key=lambda person: (-_count(unknown[person]), _count(asked[person])))
    first = next(iter(voters), None)
    if first is None or not unknown[first]:
        return OpenVotes(_count(lacking), each)
    numbers = Counter[int]()
    for votes in unknown[first]:
        numbers[votes.number] += votes.pairs
    [(number, _)] = numbers.most_common(1)
    others = [person for person in voters[1:] if all(person.key not in votes.known_to for votes in unknown[first])]
    names = tuple(person.name for person in (first, *others[: number - 1]))
    return OpenVotes(_count(lacking), each, names, _count(unknown[first]))


def _count(lacking: Iterable[LackingVotes]) -> int:
    return sum(votes.pairs for votes in lacking)


def earlier_text(draw: RoundDraw) -> str:
    """How many pairs of a draw have votes already; "" for none."""
    if not draw.lacking:
        return ""
    if draw.lacking == len(draw.pairs):
        return tr("These pairs lack votes of earlier rounds; the votes that they have count.")
    return tr(
        "{pairs} votes of earlier rounds; the votes that they have count.",
        pairs=count(draw.lacking, "of these pairs lacks", "of these pairs lack"),
    )
