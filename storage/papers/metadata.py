"""A paper's row beside its text: the fields that people may set, and all fields as a summary."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypedDict

from miner.records import PaperDescription
from storage.schema import columns_of, table_of

LISTS = frozenset(("authors", "keywords"))
"""The fields whose columns are JSON lists."""
BY_HAND = "entered by hand"
"""The source of a field that a person has set."""
CHOSEN_FOR_ALL = "chosen for all papers of an import"
"""The source of a field that an import has changed in a paper that was known."""


class PaperMetadata(TypedDict, total=False):
    """The metadata that people may set; only what is to be changed."""

    title: str
    authors: tuple[str, ...]
    year: int | None
    doi: str | None
    domain: str
    licence: str
    journal: str
    keywords: tuple[str, ...]
    language: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperSummary(PaperDescription):
    """A paper, or an imported data set, without its text: a row of `papers`.

    kind: says what `sha256` is of: a `FileKind`, or "dataset".
    digest: of the text, then of the metadata as parsed (`miner.parsing.digests.paper_digest`), so that a different
    parse is noticed.
    edited: the names of the fields that people have set or confirmed, which no parse overwrites.
    source_md5: of a stand-in, the MD5 of the paper that it stands for, by which it is ordered, split and exported.
    sources: where each field's value comes from.
    to_check: the names of the fields that the parser was not sure of, and `checks.TEXT` for doubtful text.
    """

    kind: str
    digest: str
    edited: frozenset[str] = frozenset()
    source_md5: str | None = None
    sources: Mapping[str, str] = field(default_factory=dict)
    to_check: tuple[str, ...] = ()

    @property
    def unchecked(self) -> tuple[str, ...]:
        """What of `to_check` nobody has checked yet."""
        return tuple(name for name in self.to_check if name not in self.edited)


PAPERS = table_of("papers", PaperSummary, id=int, split=str | None, checksum=int | None)
"""split: train, dev or test, by the split of the project's papers (`storage.pairs.paper_splits`)."""
SUMMARY_COLUMNS = columns_of(PAPERS, PaperSummary)
