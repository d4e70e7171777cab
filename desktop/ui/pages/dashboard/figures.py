"""What a plot shows: bars with their words, and the pairs behind each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from miner.records import Strategy
from storage.pairs.filters import PairFilter


@dataclass(frozen=True, slots=True)
class Mark:
    """A bar, or a line of the numbers: `count` things that are `share` of the whole it is a part of.

    `names` are its cells in the numbers, `note` the sentence said of it, `tone` what it is coloured by (a class, or a
    word of `plots.TONES`), `texts` what may stand in the bar, the longest first. `opens` None: no pairs are behind it.
    `dropped` are the candidates behind it that became no pairs: their strategies, and why ("" for any reason).
    """

    count: int
    share: float
    tone: str
    names: tuple[str, ...]
    note: str
    opens: PairFilter | None = None
    texts: tuple[str, ...] = ()
    dropped: tuple[tuple[Strategy, ...], str] | None = None

    @property
    def leads_on(self) -> bool:
        """Whether there is more to be seen behind it."""
        return self.opens is not None or self.dropped is not None


@dataclass(frozen=True, slots=True)
class Row:
    """Bars one after the other on a line as long as `whole`; `after` stands behind the last. No bars: a heading."""

    name: str
    marks: tuple[Mark, ...] = ()
    whole: int = 1
    after: str = ""


@dataclass(frozen=True, slots=True)
class Bars:
    """Rows of bars. `axis`: "" for none, "pairs", or "percent" of each row."""

    rows: tuple[Row, ...]
    numbers: tuple[Mark, ...]
    columns: tuple[str, ...]
    summary: str
    axis: str = ""

    def marks(self) -> Iterator[Mark]:
        for row in self.rows:
            yield from row.marks


@dataclass(frozen=True, slots=True)
class Ridge:
    """The distribution of one class: a bar for each bin, and where the mean lies (in bins)."""

    name: str
    marks: tuple[Mark, ...]
    mean: float
    after: str


@dataclass(frozen=True, slots=True)
class Panel:
    """Ridges over the same bins; `ticks` are (place in bins, text)."""

    title: str
    ridges: tuple[Ridge, ...]
    ticks: tuple[tuple[float, str], ...]
    bins: int


@dataclass(frozen=True, slots=True)
class Ridges:
    panels: tuple[Panel, ...]
    numbers: tuple[Mark, ...]
    columns: tuple[str, ...]
    summary: str

    def marks(self) -> Iterator[Mark]:
        for panel in self.panels:
            for ridge in panel.ridges:
                yield from ridge.marks


Figure = Bars | Ridges
