"""What a data card says, as values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from miner.dataset_statistics import CompleteSentences, DataSetStatistics, VocabularySimilarity
from miner.precision.report import PrecisionReport
from miner.records import Funnel
from storage.dataset.export_options import ExportOptions
from storage.dataset.leaks import LeakReport
from storage.exchange.export_files import WrittenFile
from storage.exchange.manifest import Manifest, PaperRecord


@dataclass(frozen=True, slots=True)
class CardMeasures:
    """What takes processes of its own to measure, and is measured before the export.

    agreement: more Markdown about the annotators, "" for none.
    """

    agreement: str = ""
    complete: CompleteSentences | None = None
    similarity: VocabularySimilarity | None = None


NO_MEASURES = CardMeasures()


class ParserReading(NamedTuple):
    """The papers of a data set that a parser has read: their sentences, and what mining made of the linked ones."""

    parser: str
    papers: int
    sentences: int
    funnel: Funnel


@dataclass(frozen=True, slots=True)
class CardFacts:
    """What the card says.

    files: data files by split, "" for a single file. papers: how many pairs are exported, by the paper's MD5. unnamed:
    how many belong to no known paper. precision: of the project's distant labels; None if no sample was drawn.
    with_kinds: exported pairs with answers about kinds of reasoning; kinds_answers:
    how many answers these have.
    """

    manifest: Manifest
    options: ExportOptions
    files: Mapping[str, WrittenFile]
    rows: int
    counts: Mapping[tuple[str, str, str], int]
    left_out: Mapping[str, int]
    papers: Mapping[str, int]
    unnamed: int
    statistics: DataSetStatistics
    leaks: LeakReport | None
    roles: Mapping[str, int]
    readings: tuple[ParserReading, ...]
    measures: CardMeasures = NO_MEASURES
    with_kinds: int = 0
    kinds_answers: int = 0
    precision: PrecisionReport | None = None

    @property
    def title(self) -> str:
        return self.options.name or "Scientific NLI pairs"

    @property
    def has_distant(self) -> bool:
        """Whether some labels may not be gold: only an export of gold dev and test alone has none."""
        split = self.options.split
        return split is None or not split.gold or "train" in self.files

    @property
    def used(self) -> list[PaperRecord]:
        """The papers that pairs come from."""
        return [paper for paper in self.manifest.papers if self.papers.get(paper.md5)]

    @property
    def licences(self) -> Counter[str]:
        """Pairs by licence of their paper; "" for unknown."""
        found = Counter({"": self.unnamed} if self.unnamed else {})
        for paper in self.used:
            found[paper.licence] += self.papers[paper.md5]
        return found
