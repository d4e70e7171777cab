"""The list of papers: sorted, searched, counted; failed files are rows too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from miner.errors import UnreadableFile
from storage.papers.table import PaperQuery, PaperTableColumn, PaperTableRow
from storage.project import Project
from tests.storage.factories import add, mine, paper, pdf


@pytest.fixture
def library(project: Project) -> Project:
    """a (2019), B (no year), c (2001, no title) and two failed files."""
    with project.transaction() as stores:
        stores.papers.save(replace(paper("a", domain="botany"), title="alpha 100% sure"), pdf("z"))
        stores.files.save_failure(Path("/papers/scan.pdf"), UnreadableFile("scan", "No text layer.", hint="Run OCR."))
        stores.papers.save(replace(paper("b", domain=""), title="Beta", year=None), pdf("b"))
        stores.papers.save(replace(paper("c", domain="astronomy"), title="", year=2001), pdf("c"))
        stores.files.save_failure(
            Path("/papers/lines.jsonl"), UnreadableFile("no_text", "Line 3 has no prose."), line=3
        )
    return project


def lines(project: Project, query: PaperQuery) -> list[PaperTableRow]:
    with project.read_transaction() as stores:
        return stores.paper_table.rows(stores.paper_table.ids(query))


def names(found: Sequence[PaperTableRow]) -> list[str]:
    return [line.title or Path(line.path).name for line in found]


@pytest.mark.parametrize(
    ("column", "descending", "expected"),
    [
        (PaperTableColumn.ADDED, True, ["lines.jsonl", "c.pdf", "Beta", "scan.pdf", "alpha 100% sure"]),
        (PaperTableColumn.TITLE, False, ["alpha 100% sure", "Beta", "c.pdf", "lines.jsonl", "scan.pdf"]),
        (PaperTableColumn.TITLE, True, ["scan.pdf", "lines.jsonl", "c.pdf", "Beta", "alpha 100% sure"]),
        (PaperTableColumn.YEAR, False, ["c.pdf", "alpha 100% sure", "Beta", "scan.pdf", "lines.jsonl"]),
        (PaperTableColumn.DOMAIN, False, ["c.pdf", "alpha 100% sure", "Beta", "scan.pdf", "lines.jsonl"]),
        (PaperTableColumn.STATE, True, ["lines.jsonl", "scan.pdf", "c.pdf", "Beta", "alpha 100% sure"]),
    ],
)
def test_rows_are_sorted_and_those_without_a_value_come_last(
    library: Project, column: PaperTableColumn, descending: bool, expected: list[str]
) -> None:
    assert names(lines(library, PaperQuery(column=column, descending=descending))) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ALPHA", ["alpha 100% sure"]),
        ("100%", ["alpha 100% sure"]),
        ("2001 astro", ["c.pdf"]),
        ("_", []),
        ("scan", ["scan.pdf"]),
        ("layer", ["scan.pdf"]),
        ("ada z.pdf", ["alpha 100% sure"]),
        ("'; DROP", []),
    ],
)
def test_a_search_finds_rows_with_all_words_anywhere(library: Project, text: str, expected: list[str]) -> None:
    assert names(lines(library, PaperQuery(text=text))) == expected


def test_failed_files_can_be_listed_alone_with_their_reasons(library: Project) -> None:
    found = lines(library, PaperQuery(failed_only=True))
    assert [(line.id < 0, line.line, line.code, line.reason, line.hint) for line in found] == [
        (True, 3, "no_text", "Line 3 has no prose.", ""),
        (True, 0, "scan", "No text layer.", "Run OCR."),
    ]


def test_papers_can_be_filtered_by_domain(library: Project) -> None:
    assert names(lines(library, PaperQuery(domains=frozenset({"botany"})))) == ["alpha 100% sure"]


def test_rows_count_their_pairs_and_the_totals_add_up(project: Project) -> None:
    add(project, "ab")
    before = lines(project, PaperQuery())
    assert [(line.mined, line.pairs) for line in before] == [(False, 0), (False, 0)]
    mine(project)
    after = lines(project, PaperQuery(column=PaperTableColumn.PAIRS))
    assert [(line.mined, line.linked, line.pairs) for line in after] == [(True, 4, 5), (True, 3, 4)]
    assert after[0].counts == {"contrasting": 2, "reasoning": 1, "entailment": 1, "neutral": 1}
    with project.read_transaction() as stores:
        totals = stores.paper_table.totals()
        assert stores.paper_table.md5s([line.id for line in after] + [-7]) == sorted(paper(name).md5 for name in "ab")
    assert (totals.papers, totals.pairs, totals.linked, totals.unmined, totals.failed) == (2, 9, 7, 0, 0)
