"""Jobs that count the stock of papers, and the linking phrases that each domain uses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from desktop.jobs.transactions import read_job
from storage.papers.stock import Counts, PaperProperty
from storage.stores import Stores


@dataclass(frozen=True, slots=True)
class PhraseUse:
    """A linking phrase with its label, and how many pairs it made in the papers of each domain ("" for none)."""

    phrase: str
    label: str
    pairs: Mapping[str, int]

    @property
    def total(self) -> int:
        return sum(self.pairs.values())


@dataclass(frozen=True, slots=True)
class PhraseTable:
    """The phrases with pairs and the number of papers of each domain, each by falling number."""

    phrases: tuple[PhraseUse, ...]
    papers: Counts

    def rate(self, use: PhraseUse, domain: str) -> float:
        """Pairs made by the phrase in 100 papers of the domain."""
        return 100 * use.pairs.get(domain, 0) / max(1, self.papers.get(domain, 0))


@read_job("Counting papers")
def load_stock(stores: Stores) -> Mapping[PaperProperty, Counts]:
    """How many papers have each value of each property."""
    return stores.stock.counts()


@read_job("Counting linking phrases")
def load_phrase_table(stores: Stores) -> PhraseTable:
    """Which linking phrases made pairs in which domains; imported pairs do not count."""
    papers = stores.stock.counts_by(PaperProperty.DOMAIN)
    counts = stores.statistics.counts()
    found: dict[tuple[str, str], Counter[str]] = {}
    for one in counts:
        if one.phrase and one.domain in papers:
            found.setdefault((one.phrase, one.distant), Counter())[one.domain] += one.pairs
    uses = (PhraseUse(*key, pairs) for key, pairs in found.items())
    return PhraseTable(tuple(sorted(uses, key=lambda use: (-use.total, use.phrase, use.label))), papers)
