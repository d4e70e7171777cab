"""What the list of papers shows: its rows, one row's details, and what would go with rows that are removed."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from miner.paths import exists
from miner.progress import Job, Progress
from storage.papers.edits import RemovalCounts
from storage.papers.files import as_path
from storage.papers.store import PaperSummary
from storage.papers.table import PaperQuery, PaperTableRow, PaperTotals
from storage.project import Project
from storage.untrusted import is_safe_to_access


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows of a query by their ids, in order; and what the whole project has, domains with their papers."""

    ids: array[int]
    totals: PaperTotals
    domains: Mapping[str, int]


class Place(NamedTuple):
    """A file of a paper; `line` as in `storage.papers.files.FileSource`."""

    path: Path
    line: int
    is_there: bool


@dataclass(frozen=True, slots=True)
class Details:
    """All about one row. Of a failed file there is only `line` and its place.

    `pairs` by strategy and label ("" for none); `judged` are those that people answered.
    """

    line: PaperTableRow
    paper: PaperSummary | None
    places: tuple[Place, ...]
    pairs: Mapping[tuple[str, str], int]
    judged: int


def rows(project: Project, query: PaperQuery) -> Job[Rows]:
    def work(progress: Progress) -> Rows:
        with project.reading() as stores:
            return Rows(stores.paper_table.ids(query), stores.paper_table.totals(), stores.papers.domain_counts())

    return Job("Reading the list of papers", work)


def totals(project: Project) -> Job[PaperTotals]:
    def work(progress: Progress) -> PaperTotals:
        with project.reading() as stores:
            return stores.paper_table.totals()

    return Job("Counting papers", work)


def lines(project: Project, ids: Sequence[int]) -> Job[list[PaperTableRow]]:
    """The rows of these ids; those that are gone are left out."""

    def work(progress: Progress) -> list[PaperTableRow]:
        progress.tick(0)
        with project.reading() as stores:
            return stores.paper_table.rows(ids)

    return Job("Reading papers", work)


def details(project: Project, id: int) -> Job[Details | None]:
    """None when the row is gone."""

    def work(progress: Progress) -> Details | None:
        progress.tick(0)
        with project.reading() as stores:
            found = stores.paper_table.rows([id])
            if not found:
                return None
            [line] = found
            if line.id < 0 or line.md5 is None:
                return Details(line, None, (_place(project, as_path(line.path), line.line),), {}, 0)
            paper = stores.papers.summary(line.md5)
            files = stores.evidence.files(line.md5)
            pairs, judged = stores.paper_table.pair_counts(id), stores.paper_table.count_answered(id)
        return Details(line, paper, tuple(_place(project, file.path, file.line) for file in files), pairs, judged)

    return Job("Reading a paper", work)


def taken_along(project: Project, ids: Sequence[int]) -> Job[RemovalCounts]:
    """What removing these rows would take."""

    def work(progress: Progress) -> RemovalCounts:
        with project.reading() as stores:
            files = [-number for number in ids if number < 0]
            return stores.paper_edits.preview_removal(stores.paper_table.md5s(ids), files)

    return Job("Counting what would go", work)


def md5s(project: Project, ids: Sequence[int]) -> Job[list[str]]:
    """The papers among the rows."""

    def work(progress: Progress) -> list[str]:
        with project.reading() as stores:
            return stores.paper_table.md5s(ids)

    return Job("Reading papers", work)


def _place(project: Project, path: Path, line: int) -> Place:
    return Place(path, line, is_safe_to_access(path, project.path) and exists(path))
