"""How a project's papers and pairs are split, which papers are left out, and what leaks."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from typing import Any, NamedTuple

from miner.progress import Progress
from storage.connections import driver_connection
from storage.convert import read_all
from storage.dataset.candidates import count_candidates, count_split_methods, select_candidates
from storage.dataset.export_options import ExportOptions
from storage.dataset.leaks import LeakReport, find_leaks
from storage.dataset.splits import NEAR_DUPLICATE, NO_YEAR, OTHER_SPLIT, OTHER_YEARS
from storage.project import Project

_SHARED = f"reason IN ('{OTHER_SPLIT}', '{NEAR_DUPLICATE}')"


class SplitSize(NamedTuple):
    """The pairs of a split and domain, and the papers that they are from: those without a paper count as none."""

    split: str
    domain: str
    papers: int
    pairs: int


class PaperLeftOut(NamedTuple):
    """A paper that no range of years has. title: its MD5 if it has none."""

    title: str
    md5: str
    domain: str
    year: int | None
    pairs: int


@dataclass(frozen=True, slots=True)
class SharedSentences:
    """What the project's splits share.

    leaks: as if no pair were left out for it. left_out: how many pairs are, by split and reason.
    """

    leaks: LeakReport
    left_out: dict[str, dict[str, int]]

    def to_data(self) -> dict[str, Any]:
        """As JSON data."""
        return {**self.leaks.to_data(), "left_out": self.left_out}


@dataclass(frozen=True, slots=True)
class SplitReport:
    """How an export is split.

    sizes: in the order of split and domain. left_out: pairs by reason. split_by: pairs by method. leaks: of what is
    exported. shared: of the project's splits; None for others.
    """

    options: ExportOptions
    sizes: tuple[SplitSize, ...]
    left_out: dict[str, int]
    split_by: dict[str, int]
    papers_left_out: tuple[PaperLeftOut, ...]
    leaks: LeakReport | None
    shared: SharedSentences | None = None


def report_splits(project: Project, options: ExportOptions, progress: Progress, *, check: bool) -> SplitReport:
    """How an export with these options is split; nothing is written. check: also look for leaks."""
    with project.read_transaction() as stores, stores.cancellable(progress):
        connection = stores._connection
        driver = driver_connection(connection)
        select_candidates(connection, options, progress)
        query = """
            SELECT coalesce(split, '') AS split, domain, count(DISTINCT iif(named, md5, NULL)) AS papers,
                count(*) AS pairs
            FROM candidates WHERE reason IS NULL GROUP BY 1, 2
            ORDER BY CASE candidates.split WHEN 'train' THEN 0 WHEN 'dev' THEN 1 ELSE 2 END, 2
        """
        sizes = tuple(read_all(SplitSize, driver.execute(query)))
        return SplitReport(
            options,
            sizes,
            count_candidates(connection).left_out,
            count_split_methods(connection, sum(size.pairs for size in sizes))
            if options.in_splits and not options.split
            else {},
            tuple(list_papers_left_out(driver)) if options.years else (),
            find_leaks(driver, progress, near_duplicates=True) if check else None,
            _find_shared(driver, progress) if check and options.split else None,
        )


def _find_shared(driver: sqlite3.Connection, progress: Progress) -> SharedSentences:
    checked = f"(reason IS NULL OR {_SHARED})"
    left_out: dict[str, dict[str, int]] = {}
    query = f"SELECT split, reason, count(*) FROM candidates WHERE {_SHARED} GROUP BY 1, 2 ORDER BY 1, 2"
    for split, reason, pairs in driver.execute(query):
        left_out.setdefault(split, {})[reason] = pairs
    return SharedSentences(find_leaks(driver, progress, near_duplicates=True, checked=checked), left_out)


def list_papers_left_out(driver: sqlite3.Connection) -> list[PaperLeftOut]:
    """The papers of `candidates` that are left out for their year, by domain and title."""
    query = f"""
        SELECT iif(papers.title = '', candidates.md5, papers.title) AS title, candidates.md5, candidates.domain,
            candidates.year, count(*) AS pairs
        FROM candidates JOIN papers ON papers.id = paper_id WHERE reason IN ('{NO_YEAR}', '{OTHER_YEARS}')
        GROUP BY paper_id ORDER BY candidates.domain, candidates.year, 1, candidates.md5
    """
    return list(read_all(PaperLeftOut, driver.execute(query)))
