"""A choice of the papers of a corpus, by domain and year, and how many papers and pairs it has."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from miner.corpus.shards import ShardCounts


@dataclass(frozen=True, slots=True)
class CorpusChoice:
    """The papers of a corpus of one domain ("": papers without a domain) and of the years from `first` to `last`.

    None: any.
    """

    domain: str | None = None
    first: int | None = None
    last: int | None = None

    @property
    def where(self) -> tuple[str, ...]:
        """The conditions, as `miner.corpus.selection` reads them."""
        found = () if self.domain is None else (f"domain={self.domain}",)
        if not self.has_years:
            return found
        first, last = (f"{year:04}" if year is not None else "" for year in (self.first, self.last))
        return (*found, f"year={first}-{last}")

    @property
    def has_years(self) -> bool:
        return self.first is not None or self.last is not None

    def has_year(self, year: str) -> bool:
        """Whether papers of this year are chosen; "" stands for papers whose year is not known."""
        if not self.has_years:
            return True
        return bool(year) and (self.first or 0) <= int(year) <= (9999 if self.last is None else self.last)

    def has(self, domain: str, year: str) -> bool:
        return self.domain in (None, domain) and self.has_year(year)


class ChosenCounts(NamedTuple):
    """How many papers and pairs are chosen.

    are_exact: the pairs are counted, not estimated from the domains' papers.
    """

    papers: int
    pairs: int
    are_exact: bool


def count_chosen(counts: ShardCounts, choice: CorpusChoice) -> ChosenCounts:
    """How many papers and pairs are chosen.

    Pairs of some years are estimated, since they are counted by domain only.
    """
    papers, chosen, pairs = Counter[str](), Counter[str](), Counter[str]()
    for domain, year, _, number in counts.papers:
        papers[domain] += number
        chosen[domain] += number if choice.has(domain, year) else 0
    for domain, _, _, number in counts.pairs:
        pairs[domain] += number
    are_exact = all(chosen[domain] in (0, papers[domain]) for domain in papers)
    found = sum(pairs[domain] * chosen[domain] / papers[domain] for domain in papers)
    return ChosenCounts(chosen.total(), round(found), are_exact)
