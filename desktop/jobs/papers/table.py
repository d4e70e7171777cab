"""Jobs that read the table of papers: its rows, the details of one row, and what a removal would delete.

A row is named by its id: positive for a paper or data set, negative for a file that could not be read.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from desktop.jobs.papers.edits import FIELD_NAMES
from desktop.jobs.papers.outdated import OutdatedPapers, count_outdated
from desktop.jobs.transactions import read_job
from desktop.text import count
from desktop.translation import tr
from miner.parsing.checks import TEXT
from miner.paths import exists
from miner.progress import Job, Progress
from storage.papers.files import as_path
from storage.papers.metadata import PaperSummary
from storage.papers.removals import RemovalCounts
from storage.papers.table import PaperQuery, PaperTableRow, PaperTotals
from storage.project import Project
from storage.stores import Stores
from storage.untrusted import is_safe_to_access


@dataclass(frozen=True, slots=True)
class PaperList:
    """The ids of a query's rows, in order; and of the whole project its totals and how many papers each domain has.

    outdated: papers that an earlier version of the program parsed.
    """

    ids: array[int]
    totals: PaperTotals
    domains: Mapping[str, int]
    outdated: OutdatedPapers


class FileLocation(NamedTuple):
    """Where a file of a paper was when it was added; `line` as in `storage.papers.files.FileSource`."""

    path: Path
    line: int
    is_there: bool


@dataclass(frozen=True, slots=True)
class PaperDetails:
    """All details of a row. A file that could not be read has only `line` and its location.

    `pairs`: how many, by strategy and distant label ("" without a label). `answered`: how many of them have an answer.
    `no_pairs`: why a mined paper has no pairs, as in `StockStore.why_no_pairs`.
    """

    line: PaperTableRow
    paper: PaperSummary | None
    files: tuple[FileLocation, ...]
    pairs: Mapping[tuple[str, str], int]
    answered: int
    no_pairs: str = ""


def reading_notes(paper: PaperSummary) -> list[str]:
    """Sentences on what was left out or repaired when the paper was read."""
    notes = []
    if paper.hidden_words:
        notes.append(tr("{words} left out: not visible on the pages.", words=count(paper.hidden_words, "word")))
    if paper.repaired_characters:
        were = count(paper.repaired_characters, "character")
        fonts = count(paper.repaired_fonts, "font")
        verb = "was" if paper.repaired_characters == 1 else "were"
        notes.append(
            tr(
                "{were} of {fonts} {verb} repaired: the PDF's text has others than its pages show.",
                were=were,
                fonts=fonts,
                verb=verb,
            )
        )
    return notes


def check_notes(paper: PaperSummary) -> list[str]:
    """Sentences on what a person should check in the paper; then the worst lines of doubtful text."""
    notes = []
    for name in paper.unchecked:
        if name == TEXT:
            notes.append(
                tr(
                    "Check the text: {unknown_words:,} of {words} are unknown, as in:",
                    unknown_words=paper.unknown_words,
                    words=count(paper.words, "word"),
                )
            )
            notes += [f"“{line}”" for line in paper.unknown_lines]
        elif source := paper.sources.get(name):
            notes.append(tr("Check the {name}, read from: {source}.", name=FIELD_NAMES.get(name, name), source=source))
        else:
            notes.append(tr("Check the {name}: none could be read from the file.", name=FIELD_NAMES.get(name, name)))
    return notes


def source_notes(paper: PaperSummary) -> list[str]:
    """A line on the source of the paper's metadata; [] where the source was not kept."""
    fields: dict[str, list[str]] = {}
    for name, source in paper.sources.items():
        fields.setdefault(source, []).append(FIELD_NAMES.get(name, name))
    parts = [f"{source} ({', '.join(names)})" for source, names in sorted(fields.items(), key=lambda one: -len(one[1]))]
    return [tr("Sources: {parts}", parts="; ".join(parts))] if parts else []


@read_job("Reading the list of papers")
def load_list(stores: Stores, query: PaperQuery) -> PaperList:
    """The ids of the rows that match a query."""
    ids, totals = stores.paper_table.ids(query), stores.paper_table.totals()
    return PaperList(ids, totals, stores.papers.domain_counts(), count_outdated(stores))


@read_job("Counting papers")
def load_totals(stores: Stores) -> PaperTotals:
    """How many papers, data sets and unreadable files the project has."""
    return stores.paper_table.totals()


@read_job("Reading papers")
def load_lines(stores: Stores, ids: Sequence[int]) -> list[PaperTableRow]:
    """The table's contents of these rows; removed rows are left out."""
    return stores.paper_table.rows(ids)


def load_details(project: Project, id: int) -> Job[PaperDetails | None]:
    """All details of a row; None if it was removed."""

    def work(progress: Progress) -> PaperDetails | None:
        progress.tick(0)
        with project.read_transaction() as stores:
            lines = stores.paper_table.rows([id])
            if not lines:
                return None
            [line] = lines
            if line.id < 0 or line.md5 is None:
                return PaperDetails(line, None, (_locate(project, as_path(line.path), line.line),), {}, 0)
            paper = stores.papers.summary(line.md5)
            files = stores.evidence.files(line.md5)
            pairs, answered = stores.paper_table.pair_counts(id), stores.paper_table.count_answered(id)
            no_pairs = "" if pairs else stores.stock.why_no_pairs(id)
        locations = tuple(_locate(project, file.path, file.line) for file in files)
        return PaperDetails(line, paper, locations, pairs, answered, no_pairs)

    return Job(tr("Reading a paper"), work)


@read_job("Counting what would be removed")
def count_removal(stores: Stores, ids: Sequence[int]) -> RemovalCounts:
    """What removing these rows would delete."""
    files = [-number for number in ids if number < 0]
    return stores.paper_removals.preview(stores.paper_table.md5s(ids), files)


@read_job("Reading papers")
def load_md5s(stores: Stores, ids: Sequence[int]) -> list[str]:
    """The MD5s of the papers among these rows."""
    return stores.paper_table.md5s(ids)


def _locate(project: Project, path: Path, line: int) -> FileLocation:
    return FileLocation(path, line, is_safe_to_access(path, project.path) and exists(path))
