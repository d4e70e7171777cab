"""Papers come in any order, twice, under several names, and fail; what is kept is always the same."""

from __future__ import annotations

import itertools
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest

from miner.errors import UnreadableFile
from miner.parsing.files import FileKind
from miner.records import FieldSource as FieldSourceOfPaper
from miner.records import Paper
from storage.papers.files import FileSource, as_path, as_text
from storage.papers.store import SaveResult, StoredParse
from storage.project import Project
from tests.storage.factories import add, paper, pdf, remove

EMBEDDED = paper("a")
TEI = replace(
    paper("a", parser="grobid", version="0.8.1", text="GROBID reads. However, better."), sha256="e" * 64, pages=None
)
TEI_FILE = FileSource(Path("/papers/a.tei.xml"), FileKind.TEI)
NO_TEXT = UnreadableFile("scan", "No text layer.", hint="Run OCR.")


def save(project: Project, paper: Paper, source: FileSource) -> SaveResult:
    with project.transaction() as stores:
        return stores.papers.save(paper, source)


def get(project: Project, md5: str) -> Paper:
    with project.read_transaction() as stores:
        return stores.papers.get(md5)


def test_a_saved_paper_is_loaded_unchanged(project: Project) -> None:
    rest: dict[str, Any] = {"doi": "10.5555/a", "splitter": "1 ab", "licence": "CC-BY-4.0", "journal": "Of Cells"}
    rest |= {"keywords": ("cell", "growth"), "language": "de", "unknown_lines": ("qxz vkj",)}
    rest |= {"hidden_words": 3, "repaired_characters": 4, "repaired_fonts": 2, "words": 50, "unknown_words": 5}
    sources = (FieldSourceOfPaper("title", "first page"), FieldSourceOfPaper("year", "file", is_sure=False))
    whole = replace(EMBEDDED, sources=sources, **rest)
    assert not [one.name for one in fields(Paper) if getattr(whole, one.name) == one.default]
    assert save(project, whole, pdf("a")) is SaveResult.NEW
    assert get(project, whole.md5) == whole


def test_the_same_pdf_under_another_name_is_known_and_both_names_are_kept(project: Project) -> None:
    save(project, EMBEDDED, pdf("a"))
    assert save(project, EMBEDDED, pdf("copy")) is SaveResult.KNOWN
    with project.read_transaction() as stores:
        assert stores.papers.count() == 1
        assert stores.papers.file_paths(EMBEDDED.md5) == ["/papers/a.pdf", "/papers/copy.pdf"]


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
def test_text_of_grobid_and_hash_of_the_pdf_are_kept_in_any_order(project: Project, order: tuple[int, ...]) -> None:
    older = paper("a", version="0.9", text="Older reads. However, worse.")
    arrivals = [(EMBEDDED, pdf("a")), (TEI, TEI_FILE), (older, pdf("a"))]
    for number in order:
        save(project, *arrivals[number])
    assert get(project, TEI.md5) == replace(TEI, sha256=EMBEDDED.sha256, pages=EMBEDDED.pages)


@pytest.mark.parametrize("order", [1, -1])
def test_the_text_of_the_better_parser_is_kept_in_any_order(project: Project, order: int) -> None:
    parsers = ("embedded", "structured", "grobid", "jats")
    for number, (worse, better) in enumerate(itertools.pairwise(parsers)):
        # Of two parsers of the same rank the later digest is kept: one of several texts has the earlier one.
        for text in ("One", "Two", "Three", "Four", "Five"):
            name = f"{number} {text}"
            found = [paper(name, parser=one, text=f"{text} reads. However, {one} does.") for one in (worse, better)]
            for parsed in found[::order]:
                save(project, parsed, pdf(name))
            assert get(project, found[0].md5).parser == better


def test_a_later_version_of_the_same_parser_replaces_the_earlier(project: Project) -> None:
    for version in ("9", "10"):
        parsed = paper("a", version=version, text=f"Version {version} reads. However, it does.")
        save(project, parsed, pdf("a"))
    assert get(project, EMBEDDED.md5).parser_version == "10"


def test_another_pdf_with_the_same_md5_is_a_failed_file_and_no_crash(project: Project) -> None:
    save(project, EMBEDDED, pdf("a"))
    assert save(project, replace(EMBEDDED, sha256="f" * 64), pdf("forged")) is SaveResult.KNOWN
    with project.read_transaction() as stores:
        assert stores.papers.get(EMBEDDED.md5) == EMBEDDED
        assert [(file.path, file.code) for file in stores.files.failures()] == [("/papers/forged.pdf", "clash")]


def test_a_failure_does_not_replace_an_earlier_success(project: Project) -> None:
    save(project, EMBEDDED, pdf("a"))
    with project.transaction() as stores:
        stores.files.save_failure(Path("/papers/a.pdf"), NO_TEXT, md5=EMBEDDED.md5, sha256=EMBEDDED.sha256)
        stores.files.save_failure(Path("/papers/a.pdf"), UnreadableFile("missing", "It is gone."))
        assert stores.files.failures() == []
        assert stores.papers.get(EMBEDDED.md5) == EMBEDDED


def test_a_success_replaces_earlier_failures_of_the_same_content(project: Project) -> None:
    with project.transaction() as stores:
        stores.files.save_failure(Path("/papers/copy.pdf"), NO_TEXT, md5=EMBEDDED.md5, sha256=EMBEDDED.sha256)
        stores.files.save_failure(Path("/papers/other.pdf"), NO_TEXT, md5="0" * 32, sha256="0" * 64)
        assert len(stores.files.failures()) == 2
    save(project, EMBEDDED, pdf("a"))
    with project.read_transaction() as stores:
        assert [(file.path, file.hint) for file in stores.files.failures()] == [("/papers/other.pdf", "Run OCR.")]
        assert len(stores.papers.file_paths(EMBEDDED.md5)) == 2


def test_metadata_set_by_a_person_is_kept_by_a_better_parse(project: Project) -> None:
    save(project, EMBEDDED, pdf("a"))
    with project.transaction() as stores:
        stores.papers.set_metadata(EMBEDDED.md5, year=1987, domain="botany")
    assert save(project, TEI, TEI_FILE) is SaveResult.REPLACED
    stored = get(project, EMBEDDED.md5)
    assert (stored.year, stored.domain, stored.parser) == (1987, "botany", "grobid")


def test_a_paper_is_found_by_the_content_of_any_of_its_files(project: Project) -> None:
    save(project, EMBEDDED, pdf("a"))
    save(project, TEI, TEI_FILE)
    with project.read_transaction() as stores:
        found = [stores.papers.summary_by_sha256(sha256) for sha256 in (EMBEDDED.sha256, TEI.sha256, "0" * 64)]
    assert [summary and summary.parser for summary in found] == ["grobid", "grobid", None]


def test_a_file_name_may_be_other_than_utf8(project: Project) -> None:
    save(project, EMBEDDED, FileSource(Path("/papers/\udcff.pdf"), FileKind.PDF))
    with project.read_transaction() as stores:
        assert stores.papers.file_paths(EMBEDDED.md5) == ["/papers/\\xff.pdf"]


def test_sentences_can_be_queried_as_rows(project: Project) -> None:
    save(project, EMBEDDED, pdf("a"))
    with project.transaction() as stores:  # readers trust no view
        rows = stores._connection.exec_driver_sql("SELECT section, paragraph, ordinal, text FROM sentences").all()
        assert stores.papers.count_sentences() == 2
    assert rows == [(1, 0, 0, "Cells of a grow – fast."), (1, 0, 1, "However, they die.")]


def test_papers_are_ordered_by_md5(project: Project) -> None:
    add(project, ["c", "a", "b"])
    with project.read_transaction() as stores:
        md5s = stores.papers.md5s()
    assert md5s == sorted(paper(name).md5 for name in "abc")


def test_removing_a_paper_removes_all_of_its_data(project: Project) -> None:
    save(project, EMBEDDED, pdf("a"))
    with project.transaction() as stores:
        remove(stores, EMBEDDED.md5)
        for table in ("papers", "files", "sections", "paragraphs"):
            assert stores._connection.exec_driver_sql(f"SELECT count(*) FROM {table}").scalar() == 0


def test_parser_output_comes_back_and_a_corrupt_one_is_a_miss(project: Project) -> None:
    with project.transaction() as stores:
        stores.parser_cache.put("key", b"<TEI/>")
        assert stores.parser_cache.get("key") == b"<TEI/>"
        stores._connection.exec_driver_sql("UPDATE parser_outputs SET content = zeroblob(20)")
        assert stores.parser_cache.get("key") is None
        stores._connection.exec_driver_sql("UPDATE parser_outputs SET content = 'text'")
        assert stores.parser_cache.get("key") is None
        assert stores.parser_cache.get("other") is None


def test_failures_of_a_parser_are_cached_until_it_has_an_output(project: Project) -> None:
    with project.transaction() as stores:
        stores.parser_cache.put_failure("key", NO_TEXT)
        remembered = stores.parser_cache.failure("key")
        assert remembered is not None
        assert (remembered.code, str(remembered), remembered.hint) == ("scan", "No text layer.", "Run OCR.")
        stores.parser_cache.put("key", b"<TEI/>")
        assert stores.parser_cache.failure("key") is None


def test_an_invalid_version_has_the_lowest_rank(project: Project) -> None:
    known = replace(paper("a", parser="grobid"), parser_version="0.9.1 b0c1d2e, reader 1")
    for claimed in ("unknown, reader 1", f"{'9' * 5000}, reader 1", "v10 999, reader 1"):
        odd = replace(paper("a", parser="grobid", text="Other prose. It came later."), parser_version=claimed)
        for first, second in ((known, odd), (odd, known)):
            for given in (first, second):
                with project.transaction() as stores:
                    stores.papers.save(given, pdf("a"))
            assert get(project, known.md5).parser_version == known.parser_version


def test_text_split_by_the_current_splitter_replaces_the_other(project: Project) -> None:
    whole = paper("a")
    [section] = whole.sections[1:]
    split = replace(section.paragraphs[0], sentences=section.paragraphs[0].sentences[:1])
    other = replace(whole, splitter="1 bbb", sections=(replace(section, paragraphs=(split,)),))
    for given in (replace(whole, splitter="1 aaa"), other, replace(whole, splitter="1 aaa")):
        with project.transaction() as stores:
            stores.papers.save(given, pdf("a"))
        assert get(project, whole.md5) == given


def test_of_two_files_with_the_same_text_the_same_one_is_kept_in_any_order(tmp_path: Path) -> None:
    seen = []
    one, two = (replace(paper("a", parser="grobid"), sha256=letter * 64) for letter in "ab")
    for name, order in (("x", (one, two)), ("y", (two, one))):
        with Project.create(tmp_path / f"{name}.pairwright") as project:
            for given in order:
                with project.transaction() as stores:
                    stores.papers.save(given, FileSource(Path(given.sha256), FileKind.TEI))
            seen.append(get(project, one.md5).sha256)
    assert seen == ["a" * 64, "a" * 64]


def test_the_parser_that_a_person_chose_is_kept(project: Project) -> None:
    save(project, TEI, TEI_FILE)
    with project.transaction() as stores:
        assert stores.papers.save(EMBEDDED, pdf("a"), parser_chosen=True) is SaveResult.REPLACED
    assert save(project, TEI, TEI_FILE) is SaveResult.KNOWN
    assert get(project, EMBEDDED.md5).parser == "embedded"
    later = paper("a", version="10", text="Version 10 reads. However, it does.")
    assert save(project, later, pdf("a")) is SaveResult.REPLACED
    with project.transaction() as stores:
        assert stores.papers.save(TEI, TEI_FILE, parser_chosen=True) is SaveResult.REPLACED
    assert get(project, EMBEDDED.md5).parser == "grobid"


def test_a_moved_file_has_its_new_path(project: Project) -> None:
    save(project, EMBEDDED, pdf("a"))
    with project.transaction() as stores:
        stores.files.save_failure(Path("/elsewhere/a.pdf"), NO_TEXT)
        stores.files.move(EMBEDDED.md5, "/papers/a.pdf", Path("/elsewhere/a.pdf"))
        assert stores.papers.file_paths(EMBEDDED.md5) == ["/elsewhere/a.pdf"]
        assert stores.files.failures() == []


@pytest.mark.parametrize("name", ["a.pdf", "étude \udcff\udc80.pdf", "\\x41.pdf", "日本.pdf"])
def test_a_path_is_restored_from_its_text(name: str) -> None:
    assert as_path(as_text(Path("/papers") / name)) == Path("/papers") / name


def test_papers_are_counted_and_found_by_what_made_them(project: Project) -> None:
    for name, version, splitter in (("a", "2", "1 ab"), ("b", "2", "1 ab"), ("c", "3", "1 ab"), ("d", "3", "2 ab")):
        save(project, replace(paper(name, version=version), splitter=splitter), pdf(name))
    save(project, replace(paper("e", parser="grobid", version="3"), splitter="1 ab"), TEI_FILE)
    with project.transaction() as stores:
        stores._connection.exec_driver_sql("UPDATE papers SET kind = 'dataset' WHERE md5 = ?", (paper("d").md5,))
        papers, old = stores.papers, StoredParse("embedded", "2", "1 ab")
        found = {old: 2, StoredParse("embedded", "3", "1 ab"): 1, StoredParse("grobid", "3", "1 ab"): 1}
        assert papers.parses() == found, "data sets are no papers"
        assert stores.paper_table.md5s(papers.ids_of_parses([old])) == sorted(paper(name).md5 for name in "ab")
        assert len(papers.ids_of_parses([*found])) == 4
        assert papers.ids_of_parses([]) == papers.ids_of_parses([StoredParse("embedded", "9", "")]) == []


def test_the_files_of_lines_are_named_once_and_not_other_files(project: Project) -> None:
    for line, name in enumerate("ab", start=1):
        save(project, paper(name, parser="structured"), FileSource(Path("/papers/all.jsonl"), FileKind.PAPERS, line))
    save(project, paper("c"), pdf("c"))
    with project.read_transaction() as stores:
        ids = stores.papers.ids_of_parses(list(stores.papers.parses()))
        assert len(ids) == 3
        assert stores.files.line_paths(ids) == [Path("/papers/all.jsonl")]
        assert stores.files.line_paths([]) == []
