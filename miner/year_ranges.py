"""Ranges of publication years, each with the splits that its papers go to, as people write them (MSciNLI, A.1).

A range without limits has the papers of all years, also those without a year: the shares of a domain.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from miner.errors import UserError

SPLITS = ("train", "dev", "test")
OTHER_DOMAINS = "*"
"""The domain of ranges that are for all domains without ranges of their own."""

_SPLIT = r"([a-z]+)\s*(?:([0-9]+(?:\.[0-9]+)?)\s*%)?"
_YEARS = r"(?P<first>[0-9]{4})?(?P<dash>\s*[-–]\s*)?(?P<last>[0-9]{4})?"
_PART = re.compile(rf"(?P<splits>{_SPLIT}(?:\s*\+\s*{_SPLIT})*)(?:\s+{_YEARS})?", re.IGNORECASE)
_EXAMPLE = "nlp: train 2000-2018, dev 36% + test 64% 2019"
_HINT = f"For example {_EXAMPLE}"


@dataclass(frozen=True, slots=True)
class YearRange:
    """The papers of a domain from one year to another, both included; None for no limit.

    shares: the relative sizes of the splits that these papers are divided into. ValueError if they are not shares.
    """

    domain: str
    shares: tuple[tuple[str, float], ...]
    first: int | None = None
    last: int | None = None

    def __post_init__(self) -> None:
        names = [name for name, _ in self.shares]
        if not names or not set(names) <= set(SPLITS) or len(set(names)) < len(names):
            raise ValueError("a range of years needs splits: train, dev or test")
        if not all(0 <= share < math.inf for _, share in self.shares) or not sum(share for _, share in self.shares):
            raise ValueError("a range of years needs shares")
        if self.first is not None and self.last is not None and self.first > self.last:
            raise ValueError("a range of years ends before it begins")

    @property
    def is_of_all_years(self) -> bool:
        return self.first is None and self.last is None

    def has(self, year: int | None) -> bool:
        """Whether a paper of this year is in the range; None for a paper without a year."""
        if self.is_of_all_years or year is None:
            return self.is_of_all_years
        return (self.first is None or year >= self.first) and (self.last is None or year <= self.last)

    @property
    def years(self) -> str:
        """As it is written: "2000-2018", "2019", "-2018", "2019-"; "" for all years."""
        if self.is_of_all_years:
            return ""
        if self.first == self.last and self.first is not None:
            return str(self.first)
        return f"{'' if self.first is None else self.first}-{'' if self.last is None else self.last}"

    def __str__(self) -> str:
        total = sum(share for _, share in self.shares)
        are_equal = len({share for _, share in self.shares}) == 1
        parts = [name if are_equal else f"{name} {100 * share / total:g}%" for name, share in self.shares]
        return f"{'+'.join(parts) if are_equal else ' + '.join(parts)} {self.years}".rstrip()


class YearGap(NamedTuple):
    """Years between two ranges of a domain that no range has; both included."""

    domain: str
    first: int
    last: int


def read_year_ranges(lines: Iterable[str]) -> tuple[YearRange, ...]:
    """The ranges of lines such as "nlp: train 2000-2018, dev+test 2019", checked.

    A line is for one domain, or for all domains without a line of their own if it names none or `*`. Splits without
    shares are as large as each other; splits without years get their share of all papers. Empty lines and lines that
    begin with # are skipped. `UserError` says what is wrong: a line that cannot be read, shares that do not add up to
    100 %, ranges that overlap.

    >>> [nlp, held_out] = read_year_ranges(["nlp: train 2000-2018, dev 36% + test 64% 2019"])
    >>> nlp.years, held_out.shares
    ('2000-2018', (('dev', 36.0), ('test', 64.0)))
    """
    ranges: list[YearRange] = []
    for line in (text.strip() for text in lines):
        if not line or line.startswith("#"):
            continue
        domain, _, parts = line.rpartition(":")
        for part in filter(None, (part.strip() for part in parts.split(","))):
            ranges.append(_read_part(domain.strip() or OTHER_DOMAINS, part))
    check_year_ranges(ranges)
    return tuple(ranges)


def _read_part(domain: str, part: str) -> YearRange:
    found = _PART.fullmatch(part)
    if (
        found is None
        or (found["dash"] and not (found["first"] or found["last"]))
        or (found["last"] and not found["dash"])
    ):
        raise UserError(f"“{part}” does not say which splits get the papers of which years.", hint=_HINT)
    first, last = (int(found[name]) if found[name] else None for name in ("first", "last"))
    if not found["dash"]:
        last = first
    splits = [(name.lower(), share) for name, share in re.findall(_SPLIT, found["splits"], re.IGNORECASE)]
    if unknown := [name for name, _ in splits if name not in SPLITS]:
        raise UserError(f"There is no split {unknown[0]}.", hint=f"Splits are train, dev and test. {_HINT}")
    given = [float(share) for _, share in splits if share]
    if given and len(given) < len(splits):
        raise UserError(f"“{part}” gives some splits a share and others none.", hint=_HINT)
    if given and abs(sum(given) - 100) > 0.01:
        raise UserError(f"The shares of “{part}” add up to {sum(given):g} %, not to 100 %.", hint=_HINT)
    try:
        shares = tuple((name, float(share) if share else 1.0) for name, share in splits)
        return YearRange(domain, shares, first, last)
    except ValueError as exc:
        raise UserError(f"“{part}” cannot be used: {exc}.", hint=_HINT) from None


def check_year_ranges(ranges: Sequence[YearRange]) -> None:
    """`UserError` if there are no ranges, or two of a domain overlap."""
    if not ranges:
        raise UserError("No years are given.", hint=_HINT)
    for own in _by_domain(ranges).values():
        for earlier, later in pairwise(own):
            if earlier.last is None or later.first is None or later.first <= earlier.last:
                raise UserError(
                    f"The years of {_domain_text(earlier.domain)} overlap: {earlier} and {later}.",
                    hint="Give every year to one range; a range may have several splits.",
                )


def find_gaps(ranges: Sequence[YearRange]) -> list[YearGap]:
    """The years between the ranges of a domain that none of them has.

    >>> find_gaps(read_year_ranges(["nlp: train 2000-2014, test 2017"]))
    [YearGap(domain='nlp', first=2015, last=2016)]
    """
    return [
        YearGap(earlier.domain, earlier.last + 1, later.first - 1)
        for own in _by_domain(ranges).values()
        for earlier, later in pairwise(own)
        if earlier.last is not None and later.first is not None and later.first > earlier.last + 1
    ]


def year_ranges_text(ranges: Sequence[YearRange]) -> str:
    """A line for each domain, as `read_year_ranges` reads it."""
    return "\n".join(f"{domain}: {', '.join(map(str, own))}" for domain, own in _grouped(ranges).items())


def find_range(ranges: Mapping[str, Sequence[YearRange]], domain: str, year: int | None) -> YearRange | None:
    """The range of a paper; None if there is none. year: None if it has none. ranges: as from `ranges_by_domain`."""
    own = ranges.get(domain.casefold()) or ranges.get(OTHER_DOMAINS, ())
    return next((years for years in own if years.has(year)), None)


def ranges_by_domain(ranges: Sequence[YearRange]) -> dict[str, list[YearRange]]:
    """The ranges by the case-folded name of their domain."""
    found: dict[str, list[YearRange]] = {}
    for years in ranges:
        found.setdefault(years.domain.casefold(), []).append(years)
    return found


def _by_domain(ranges: Sequence[YearRange]) -> dict[str, list[YearRange]]:
    """The ranges by domain, by year within each."""
    return {
        domain: sorted(own, key=lambda years: (years.first is not None, years.first or 0))
        for domain, own in ranges_by_domain(ranges).items()
    }


def _grouped(ranges: Sequence[YearRange]) -> dict[str, list[YearRange]]:
    found: dict[str, list[YearRange]] = {}
    for years in ranges:
        found.setdefault(years.domain, []).append(years)
    return found


def _domain_text(domain: str) -> str:
    return "the other domains" if domain == OTHER_DOMAINS else domain
