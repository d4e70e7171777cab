"""Which corpus a project's papers were pulled from."""

from __future__ import annotations

import re
from dataclasses import dataclass

_SHA256 = re.compile("[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class CorpusOrigin:
    """A selection of papers that were pulled from a corpus.

    place: its address; of a local folder its name alone, since projects and data sets are passed on. manifest: the
    SHA-256 of the note of its shards. run: the mining run of all its papers. where, papers, seed: the selection, as on
    the command line; papers: None for all.
    """

    place: str
    manifest: str
    run: str
    where: tuple[str, ...] = ()
    papers: int | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        if not _SHA256.fullmatch(self.manifest):
            raise ValueError("a corpus' SHA-256 is not one")

    @property
    def is_all(self) -> bool:
        """Whether it is all papers of the corpus, so that a project of the same papers has the same pairs."""
        return not self.where and self.papers is None

    @property
    def arguments(self) -> list[str]:
        """The selection as options of `pairwright corpus pull`."""
        found = [part for text in self.where for part in ("--where", text)]
        return found + (["--papers", str(self.papers), "--seed", str(self.seed)] if self.papers is not None else [])
