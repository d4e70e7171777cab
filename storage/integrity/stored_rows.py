"""What of a project may be other than it was stored, and how that is found in its rows and histories alone.

`storage.verification` also derives what follows from both.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum
from functools import partial

from storage.connections import OnStep, do_nothing
from storage.integrity.checksums import find_changed_rows
from storage.integrity.history_chain import ChangedHistory, find_changed_history

Finder = Callable[[], Iterable[str | ChangedHistory]]
"""Finds the rows that have changed: by their names, such as keys of pairs or MD5s of papers, or rows of histories."""


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
    FILES = "Records of added files"
    REMOVED = "Removed papers"
    MINING = "Mining runs and their counts"
    PEOPLE = "Annotators"
    ROUNDS = "Annotation rounds"
    TAXONOMIES = "Taxonomies of kinds"
    LISTS = "Lists of pairs"
    SAMPLES = "Samples for the precision"
    RELEASES = "Releases"
    MODELS = "Models and their runs"
    EXPERIMENTS = "Experiments and what was predicted in them"


CHECKED_TABLES = {
    Subject.SETTINGS: ("settings",),
    Subject.PAPERS: ("papers",),
    Subject.PAIRS: ("pairs",),
    Subject.FILES: ("files",),
    Subject.REMOVED: ("removed_papers",),
    Subject.MINING: ("mining_runs", "funnel"),
    Subject.PEOPLE: ("annotators",),
    Subject.ROUNDS: ("annotation_rounds", "annotation_round_pairs", "assignments", "merged_answers"),
    Subject.TAXONOMIES: ("taxonomies",),
    Subject.LISTS: ("pair_lists", "listed_pairs"),
    Subject.SAMPLES: ("precision_draws", "precision_sample"),
    Subject.RELEASES: ("releases", "release_files", "release_splits"),
    Subject.MODELS: ("models", "training_runs", "suggestion_runs"),
    Subject.EXPERIMENTS: (
        *("experiments", "experiment_cells", "cell_results", "predictors", "predictions"),
        *("test_parts", "test_items", "test_texts"),
    ),
}
"""The tables that are compared with their checksums."""


def stored_rows(connection: sqlite3.Connection, on_step: OnStep = do_nothing) -> dict[Subject, Finder]:
    """What is compared with its checksums and seals. The connection has `add_checksums`."""
    tables = {subject: partial(_changed_in, connection, names, on_step) for subject, names in CHECKED_TABLES.items()}
    return {**tables, Subject.HISTORIES: partial(find_changed_history, connection, on_step)}


def _changed_in(connection: sqlite3.Connection, tables: Iterable[str], on_step: OnStep) -> Iterator[str]:
    for table in tables:
        on_step()
        yield from find_changed_rows(connection, table)
