"""What is to be checked of papers: stored, filtered by, confirmed by people, and taken back."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from miner.parsing.digests import paper_digest
from miner.records import FieldSource
from storage.papers.metadata import BY_HAND
from storage.papers.table import PaperQuery
from storage.project import Project
from tests.storage.factories import paper, pdf


def _add(project: Project, name: str, *sources: FieldSource) -> None:
    with project.transaction() as stores:
        stores.papers.save(replace(paper(name), authors=("A B",), journal="Acta", sources=sources), pdf(name))


def test_what_a_parser_is_not_sure_of_is_to_be_checked_until_a_person_sets_or_confirms_it(project: Project) -> None:
    _add(project, "a", FieldSource("title", "first page", is_sure=False), FieldSource("year", "XMP", is_sure=False))
    _add(project, "b", FieldSource("title", "first page"))
    md5 = paper("a").md5

    def to_check() -> tuple[tuple[str, ...], int]:
        with project.read_transaction() as stores:
            ids = stores.paper_table.ids(PaperQuery(to_check=True))
            summary = stores.papers.summary(md5)
            assert summary is not None
            assert len(ids) == stores.paper_table.totals().to_check == bool(summary.unchecked)
            assert [row.to_check for row in stores.paper_table.rows(list(ids))] == ([summary.unchecked] if ids else [])
            return summary.unchecked, len(ids)

    def sources() -> dict[str, str]:
        with project.read_transaction() as stores:
            summary = stores.papers.summary(md5)
            assert summary is not None
            return dict(summary.sources)

    assert to_check() == (("title", "year"), 1)
    with project.transaction() as stores:
        action = stores.actions.begin("anna", "Changed", datetime.now(UTC))
        assert stores.paper_edits.edit(action, [md5], {"title": "Another", "keywords": ("x", "y")}) == 1
        assert stores.paper_edits.confirm(action, [md5]) == 1
    assert to_check() == ((), 0)
    assert sources() == {"title": BY_HAND, "keywords": BY_HAND, "year": "XMP"}
    with project.transaction() as stores:
        stores.actions.undo("anna", datetime.now(UTC))
    assert to_check() == (("title", "year"), 1)
    assert sources() == {"title": "first page", "year": "XMP"}
    with project.transaction() as stores:
        stores.actions.redo("anna", datetime.now(UTC))
    assert to_check() == ((), 0)
    assert sources() == {"title": BY_HAND, "keywords": BY_HAND, "year": "XMP"}


def test_a_parse_does_not_say_where_what_a_person_set_comes_from(project: Project) -> None:
    _add(project, "a", FieldSource("year", "XMP"))
    with project.transaction() as stores:
        stores.papers.set_metadata(paper("a").md5, title="Mine", year=2001)  # an earlier parse named no title's source
        later = replace(
            paper("a"), parser_version="9", sources=(FieldSource("title", "first page"), FieldSource("doi", "XMP"))
        )
        stores.papers.save(later, pdf("a"))
        found = stores.papers.summary(paper("a").md5)
    assert found is not None
    assert (found.title, found.year, dict(found.sources)) == ("Mine", 2001, {"year": BY_HAND, "doi": "XMP"})


def test_a_text_with_more_unknown_words_than_its_length_explains_is_to_be_checked(project: Project) -> None:
    with project.transaction() as stores:
        for name, unknown in (("a", 3), ("b", 40)):
            stores.papers.save(
                replace(paper(name), words=2000, unknown_words=unknown, unknown_lines=("ux",)), pdf(name)
            )
        found = {one.title: (one.unchecked, one.unknown_lines) for one in stores.papers.summaries()}
    assert found == {"On a": ((), ("ux",)), "On b": (("text",), ("ux",))}
    with project.transaction() as stores:
        stores.paper_edits.confirm(stores.actions.begin("anna", "Confirmed", datetime.now(UTC)), [paper("b").md5])
        assert [one.unchecked for one in stores.papers.summaries()] == [(), ()]
        again = replace(
            paper("b", version="2", text="Other text is here. However, it is odd."), words=9, unknown_words=9
        )
        stores.papers.save(again, pdf("b"))
        assert {one.title: one.unchecked for one in stores.papers.summaries()} == {"On a": (), "On b": ("text",)}


def test_a_later_parse_keeps_what_a_person_has_set_and_its_source(project: Project) -> None:
    _add(project, "a", FieldSource("title", "first page"), FieldSource("year", "first page"))
    with project.transaction() as stores:
        action = stores.actions.begin("anna", "Changed", datetime.now(UTC))
        stores.paper_edits.edit(action, [paper("a").md5], {"title": "Mine"}, "BibTeX reference")
    later = replace(
        paper("a", version="99", text="New text is here. However, it is other."),
        licence="CC-BY-4.0",
        authors=(),
        sources=(FieldSource("year", "XMP"),),
    )
    with project.transaction() as stores:
        stores.papers.save(later, pdf("a"))
        summary = stores.papers.summary(paper("a").md5)
        stored = stores.papers.get(paper("a").md5)
    assert summary is not None
    assert (summary.title, summary.licence, summary.unchecked) == ("Mine", "CC-BY-4.0", ("authors",))
    assert summary.sources == {"title": "BibTeX reference", "year": "XMP"}
    assert stored.sections == later.sections


def test_a_paper_that_was_stored_and_read_back_has_the_digest_of_its_parse(project: Project) -> None:
    sources = (FieldSource("year", "XMP"), FieldSource("title", "first page", is_sure=False), FieldSource("doi", "XMP"))
    parsed = replace(paper("a"), journal="Acta", keywords=("x",), language="en", sources=sources)
    with project.transaction() as stores:
        stores.papers.save(parsed, pdf("a"))
        assert paper_digest(stores.papers.get(parsed.md5)) == paper_digest(parsed)
