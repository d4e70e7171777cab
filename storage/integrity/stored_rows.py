"""What of a project may be other than it was stored, and how that is found in its rows and histories alone.

`storage.verification` also derives what follows from both.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable
from enum import StrEnum
from functools import partial

from storage.connections import OnStep, do_nothing
from storage.integrity.checksums import find_changed_rows
from storage.integrity.history_chain import ChangedHistory, find_changed_history

Finder = Callable[[], Iterable[str | ChangedHistory]]
"""Finds the rows that have changed: keys of pairs, MD5s of papers, or rows of histories."""


class Subject(StrEnum):
    """What of a project may have changed; as a sentence begins."""

    PAIRS = "Pairs"
    SENTENCES = "Sentences of pairs"
    LABELS = "Labels of pairs"
    KINDS = "Kinds of reasoning of pairs"
    SPLITS = "Splits of pairs"
    HISTORIES = "Rows of the histories"
    TABLES = "Tables"
    SETTINGS = "Settings"
    PAPERS = "Papers"
    PAPER_SPLITS = "Splits of papers"
    TEXTS = "Texts of papers"


def stored_rows(connection: sqlite3.Connection, on_step: OnStep = do_nothing) -> dict[Subject, Finder]:
    """What is compared with its checksums and seals. The connection has `add_checksums`."""
    return {
        Subject.SETTINGS: partial(find_changed_rows, connection, "settings"),
        Subject.PAPERS: partial(find_changed_rows, connection, "papers"),
        Subject.PAIRS: partial(find_changed_rows, connection, "pairs"),
        Subject.HISTORIES: partial(find_changed_history, connection, on_step),
    }
