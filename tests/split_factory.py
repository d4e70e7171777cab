"""Splits the papers of test projects."""

from __future__ import annotations

from miner.splits import PaperSplit
from storage.pairs import paper_splits
from storage.settings import SPLIT
from storage.stores import Stores


def split_papers(stores: Stores, split: PaperSplit | None) -> None:
    """Give the project this split."""
    stores.settings.put(SPLIT, split)
    paper_splits.refresh_all(stores._connection)


def hold_out_all(stores: Stores, split: str = "test") -> None:
    """Put every paper into test, or another split: there the rules of gold decide all labels."""
    split_papers(stores, PaperSplit(rest=split))
