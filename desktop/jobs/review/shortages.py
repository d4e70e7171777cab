"""Classes with too few pairs left to draw for their targets, and what would give more pairs, in numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from desktop.text import count, points
from desktop.translation import tr
from miner.split_suggestion import more_papers
from storage.annotation.round_draw import RoundDraw, RoundStratum
from storage.stores import Stores

_MAX_NAMED = 3  # strata in a sentence


@dataclass(frozen=True, slots=True)
class Shortage:
    """Strata with fewer pairs than wanted.

    help: what would give the stratum that lacks most enough pairs; "" if nothing.
    """

    strata: tuple[RoundStratum, ...] = ()
    help: str = ""

    @property
    def text(self) -> str:
        """The strata and how much they lack, such as "contrasting in ecology has 3 of 40 pairs"; at most three."""
        parts = [
            tr(
                "{label} in {place_text} has {available:,} of {pairs}",
                label=one.label,
                place_text=place_text(one),
                available=one.available,
                pairs=count(one.wanted, "pair"),
            )
            for one in self.strata
        ]
        more = len(parts) - _MAX_NAMED
        named = parts[:_MAX_NAMED] if more <= 0 else parts[:1]
        rest = (
            tr(", and {have} too few", have=count(len(parts) - 1, "more class has", "more classes have"))
            if more > 0
            else ""
        )
        return f"{', '.join(named)}{rest}"


def find_shortage(stores: Stores, strata: Sequence[RoundStratum]) -> Shortage:
    """The shortage of these strata, the stratum that lacks most first."""
    worst_first = tuple(sorted(strata, key=lambda one: one.available / one.wanted))
    return Shortage(worst_first, _help_text(stores, worst_first[0]) if worst_first else "")


def draw_text(draw: RoundDraw, shortage: Shortage) -> str:
    """How many of the wanted pairs a draw found, and what it lacks; "" if it found all."""
    if not shortage.strata:
        return ""
    drawn = len(draw.pairs)
    even = tr("The classes cannot be drawn in equal numbers")
    total = (
        tr("Only {drawn:,} of {pairs} can be drawn", drawn=drawn, pairs=count(draw.wanted, "pair"))
        if drawn < draw.wanted
        else even
    )
    return tr(
        "{total}, because there are too few candidates: {text}. {help}",
        total=total,
        text=shortage.text,
        help=shortage.help,
    ).rstrip()


def place_text(one: RoundStratum) -> str:
    """The domain of a stratum, and its split where there is one."""
    return f"{one.domain or 'no domain'} ({one.split})" if one.split else one.domain or tr("no domain")


def gold_left_out_text(pairs: int) -> str:
    """How many gold pairs of dev count for no target, without a full stop; "" for none."""
    if not pairs:
        return ""
    gold = count(pairs, "gold pair")
    return tr("Not counted: {gold} of dev with a sentence of test, which releases leave out", gold=gold)


def _help_text(stores: Stores, lacking: RoundStratum) -> str:
    """How many papers the split lacks: as a share of the papers, or as a number of new papers at the present share."""
    if not lacking.split:
        return ""
    split, domain = lacking.split, lacking.domain
    papers = {of: number for (of, name), number in stores.split_counts.papers().items() if name == domain}
    of_domain = [one for one in stores.split_counts.yields() if one.domain == domain]
    pairs = sum((Counter(one.pairs) for one in of_domain), Counter[str]())[lacking.label]
    known, in_split = sum(papers.values()), papers.get(split, 0)
    place = f"{domain or 'no domain'}"
    if not pairs:
        return tr(
            "No paper of {place} has a pair of this class: switch on more linking phrases, or add papers.", place=place
        )
    found = more_papers(lacking.wanted - lacking.available, pairs, known, in_split)
    parts = [tr("{papers} in {split}", papers=count(found.papers, "more paper"), split=split)]
    if found.share is not None:
        parts[0] += tr(
            " ({share} % of the papers instead of {in_split} %)",
            share=points(found.share),
            in_split=points(in_split / known),
        )
    if found.new_papers is not None:
        parts.append(
            tr("{papers} of {place} with the present shares", papers=count(found.new_papers, "new paper"), place=place)
        )
    return tr(
        "For {label} in {place_text} you need about {parts}.",
        label=lacking.label,
        place_text=place_text(lacking),
        parts=tr(", or ").join(parts),
    )
