"""Papers of releases that were removed and come back as another file: they stay in their split."""

from __future__ import annotations

from miner.parsing.files import FileKind
from miner.records import Paper
from miner.references.same_paper import PaperIndex
from storage.stores import Stores


class ReturnedPapers:
    """Recognises, in one import, released papers that were removed: a PDF and its publisher's XML are one paper."""

    def __init__(self) -> None:
        self._index: PaperIndex | None = None

    def keep_split(self, stores: Stores, paper: Paper, kind: FileKind) -> str:
        """Have a new paper stay in the split of the released one that it is; the split, "" if it is none."""
        if self._index is None:
            self._index = PaperIndex(stores.released_papers.removed())
        released = self._index.find(paper, kind, stores.released_papers.removed_texts)
        return "" if released is None else stores.released_papers.keep_split(paper.md5, released)
