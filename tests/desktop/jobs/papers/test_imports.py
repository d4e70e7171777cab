"""Imports of papers, retried and parsed again; and what the table of papers does with them."""

from __future__ import annotations

import json
import shutil
import zipfile
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from replay import ReplayServer

from desktop.jobs.descriptions.papers import describe_import
from desktop.jobs.descriptions.stock import PARSER_NAMES
from desktop.jobs.papers import edits, external_files, imports, reparsing, scan, table
from desktop.jobs.papers.import_session import FileProgress, ImportOptions
from desktop.jobs.papers.imports import import_papers
from desktop.jobs.review import answers as review
from miner.errors import UnreadableFile, UserError
from miner.parsing.file_parser import file_parser
from miner.parsing.files import FileKind, Hashes, hash_content, read_bytes, read_file
from miner.parsing.formats import kind_by_name
from miner.parsing.grobid import GrobidSettings
from miner.parsing.parse_ranks import PARSERS
from miner.parsing.sentences import SplitterParameters
from miner.progress import Cancelled, Progress
from miner.records import Paper, Paragraph, Section
from storage.papers.files import ChosenMetadata
from storage.papers.table import PaperQuery
from storage.project import Project
from tests.article_xml import article_xml
from tests.sample_papers import SAMPLES

GROYNES = SAMPLES / "coastal" / "permeable-groynes.pdf"
ONE = ImportOptions(workers=1)


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    with Project.create(tmp_path / "test.pairwright") as project:
        yield project


@pytest.fixture
def groynes(tmp_path: Path) -> Path:
    path = tmp_path / "papers" / "groynes.pdf"
    path.parent.mkdir()
    shutil.copyfile(GROYNES, path)
    return path


def ids(project: Project) -> list[int]:
    return list(table.load_list(project, PaperQuery()).work(Progress()).ids)


def parsers(project: Project) -> set[str]:
    with project.read_transaction() as stores:
        return {paper.parser for paper in stores.papers.summaries()}


def test_what_is_offered_is_told_by_content(project: Project, tmp_path: Path) -> None:
    folder = tmp_path / "mixed" / "deeper"
    folder.mkdir(parents=True)
    shutil.copyfile(GROYNES, folder / "groynes.pdf")
    shutil.copyfile(SAMPLES / "reading" / "whispering.tei.xml", folder / "whispering.xml")
    shutil.copyfile(SAMPLES / "ecology" / "late-mowing.jsonl", folder / "papers.jsonl")
    (folder / "train.csv").write_text("id,sentence1,sentence2,label\n1,A b.,C d.,neutral\n")
    pair = {"premise": "A b.", "hypothesis": "C d.", "label": "reasoning"}
    (folder / "pairs.jsonl").write_text(json.dumps(pair) + "\n")
    (folder / "accounts.csv").write_text("date,amount\n1,2\n")
    (folder / "notes.txt").write_text("Not a table.\n")
    (folder / "picture.png").write_bytes(b"\x89PNG")
    named = tmp_path / "dev.tsv"
    named.write_text("sentence1\tsentence2\tgold_label\nA b.\tC d.\tneutral\n")
    odd = tmp_path / "letter.docx"
    odd.write_bytes(b"PK")
    scanned = scan.scan_files(project, [tmp_path / "mixed", named, odd]).work(Progress())
    assert [scanned.count(kind) for kind in (FileKind.PDF, FileKind.TEI, FileKind.PAPERS)] == [1, 1, 1]
    assert sorted(path.name for path in scanned.data_sets) == ["dev.tsv", "pairs.jsonl", "train.csv"]
    assert [path.name for path, _ in scanned.found.failed] == ["letter.docx"]
    assert scanned.found.ignored == 3


def test_every_kind_of_file_is_imported(project: Project, groynes: Path) -> None:
    folder = groynes.parent
    shutil.copyfile(SAMPLES / "reading" / "whispering.tei.xml", folder / "whispering.tei")
    shutil.copyfile(SAMPLES / "ecology" / "late-mowing.jsonl", folder / "mowing.ndjson")
    plain = Paper(md5="", sha256="", sections=(Section("Body", (Paragraph("The moss is wet. The fern is dry."),)),))
    (folder / "moss.nxml").write_bytes(article_xml(plain, title="Moss and fern", doi="10.5555/moss"))
    with zipfile.ZipFile(folder / "more.zip", "w") as archive:
        archive.writestr("fern.nxml", article_xml(plain, title="Fern and moss", doi="10.5555/fern"))
    kinds = {kind_by_name(path) for path in folder.iterdir()}
    assert kinds == {*FileKind}
    result = import_papers(project, [folder], ONE).work(Progress())
    assert (result.new, result.failed) == (5, [])
    assert parsers(project) == {*PARSERS} == {*PARSER_NAMES}


def test_each_file_tells_how_far_it_is(project: Project, groynes: Path) -> None:
    (groynes.parent / "broken.pdf").write_bytes(b"%PDF-1.4 no more")
    steps: list[FileProgress] = []
    scanned = scan.scan_files(project, [groynes.parent]).work(Progress())
    added = import_papers(project, scanned.found, ONE, steps.append).work(Progress())
    assert (added.new, len(added.failed)) == (1, 1)
    for path in (groynes, groynes.parent / "broken.pdf"):
        assert [step.state for step in steps if step.path == path] == ["parsing", ""]


@pytest.mark.parametrize("by_grobid", [False, True])
def test_a_pdf_is_read_once_and_hashed_once(
    project: Project,
    groynes: Path,
    start_replay: Callable[..., ReplayServer],
    monkeypatch: pytest.MonkeyPatch,
    by_grobid: bool,
) -> None:
    hashed: list[int] = []

    def read_and_remove(path: Path, kind: FileKind) -> bytes:
        content = read_bytes(path, kind)
        path.unlink()  # nobody can read it again, in no process; of GROBID's papers the licence is then unknown
        return content

    def count(content: bytes) -> Hashes:
        hashed.append(len(content))
        return hash_content(content)

    monkeypatch.setattr("miner.parsing.files.read_bytes", read_and_remove)
    monkeypatch.setattr("miner.parsing.files.hash_content", count)
    size = groynes.stat().st_size
    options = ImportOptions(workers=1, grobid=GrobidSettings(start_replay().url) if by_grobid else None)
    assert import_papers(project, [groynes], options).work(Progress()).new == 1
    assert hashed == [size]


def test_a_parser_does_not_hash_what_is_hashed(groynes: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = read_file(groynes, FileKind.PDF)
    monkeypatch.setattr("miner.parsing.embedded.hash_content", None)
    [(_, paper)] = file_parser(SplitterParameters.bundled())(file).papers
    assert (paper.md5, paper.sha256) == file.hashes


def test_failed_files_are_retried_where_they_are(project: Project, groynes: Path) -> None:
    content = groynes.read_bytes()
    groynes.write_bytes(b"")
    import_papers(project, [groynes], ONE).work(Progress())
    [failed] = ids(project)
    assert failed < 0
    groynes.write_bytes(content)
    added = imports.retry_failed_files(project, [failed], ONE).work(Progress())
    assert (added.new, added.failed) == (1, [])
    assert [number > 0 for number in ids(project)] == [True]


def told(project: Project) -> dict[str, tuple[str, int | None]]:
    with project.read_transaction() as stores:
        return {paper.title: (paper.domain, paper.year) for paper in stores.papers.summaries()}


def lines(path: Path, *papers: str | dict[str, object]) -> Path:
    """A file of papers; a plain string is written as it is."""
    section = {"title": "Piers", "paragraphs": ["The pier is long. However, it is narrow."]}
    rows = [row if isinstance(row, str) else json.dumps({"sections": [section], **row}) for row in papers]
    path.write_text("\n".join(rows) + "\n")
    return path


def test_a_failed_file_keeps_the_domain_and_year_that_were_chosen(project: Project, groynes: Path) -> None:
    content = groynes.read_bytes()
    groynes.write_bytes(b"")
    import_papers(project, [groynes], ImportOptions("coasts", 2001, workers=1)).work(Progress())
    imports.retry_failed_files(project, None, ONE).work(Progress())  # fails again
    groynes.write_bytes(content)
    assert (
        imports.retry_failed_files(project, None, ImportOptions(workers=1, default_domain="music")).work(Progress()).new
        == 1
    )
    assert list(told(project).values()) == [("coasts", 2001)]


def test_a_failed_file_on_another_computer_is_not_looked_for(project: Project, groynes: Path) -> None:
    groynes.write_bytes(b"")
    import_papers(project, [groynes], ONE).work(Progress())
    with project.transaction() as stores:
        far = r"\\attacker\share\x.pdf"
        stores._connection.exec_driver_sql("UPDATE files SET path = ?", (far,))
    [problem] = imports.retry_failed_files(project, None, ONE).work(Progress()).failed
    assert (problem.code, "another computer" in problem.reason) == ("missing", True)
    with project.read_transaction() as stores:
        assert [failure.code for failure in stores.files.failures()] == ["empty"]


def test_what_is_chosen_at_the_retry_goes_over_what_was_before(project: Project, groynes: Path) -> None:
    content = groynes.read_bytes()
    groynes.write_bytes(b"")
    import_papers(project, [groynes], ImportOptions("coasts", 2001, workers=1)).work(Progress())
    groynes.write_bytes(content)
    import_papers(project, [groynes], ImportOptions("piers", workers=1)).work(Progress())
    assert list(told(project).values()) == [("piers", 2001)]


def test_failed_lines_keep_what_was_chosen_and_papers_beside_them_what_was_edited(
    project: Project, tmp_path: Path
) -> None:
    path = lines(tmp_path / "papers.jsonl", {"title": "One"}, '{"title": "cut off')
    import_papers(project, [path], ImportOptions("coasts", 1999, workers=1)).work(Progress())
    [one] = [number for number in ids(project) if number > 0]
    edits.edit(project, [one], "anna", {"domain": "music"}).work(Progress())
    lines(path, {"title": "One"}, {"title": "Two"})
    imports.retry_failed_files(project, None, ONE).work(Progress())
    assert told(project) == {"One": ("music", 1999), "Two": ("coasts", 1999)}


def test_a_papers_own_domain_goes_over_the_default_and_a_chosen_one_over_both(project: Project, tmp_path: Path) -> None:
    path = lines(tmp_path / "papers.jsonl", {"title": "One", "domain": "travel"}, {"title": "Two"})
    default = ImportOptions(workers=1, default_domain="music")
    import_papers(project, [path], default).work(Progress())
    assert told(project) == {"One": ("travel", None), "Two": ("music", None)}
    import_papers(project, [path], ImportOptions(workers=1, default_domain="law")).work(Progress())
    assert told(project) == {"One": ("travel", None), "Two": ("music", None)}
    import_papers(project, [path], ImportOptions("coasts", workers=1)).work(Progress())
    assert told(project) == {"One": ("coasts", None), "Two": ("coasts", None)}


def test_a_domain_of_all_files_leaves_single_papers_as_they_were_edited(project: Project, tmp_path: Path) -> None:
    path = lines(tmp_path / "papers.jsonl", {"title": "One"}, {"title": "Two"})
    coasts = ImportOptions("coasts", 1999, workers=1)
    import_papers(project, [path], coasts).work(Progress())
    one, _ = ids(project)
    edits.edit(project, [one], "anna", {"domain": "music"}).work(Progress())
    again = import_papers(project, [path], coasts).work(Progress())
    assert (again.kept_edits, sorted(told(project).values())) == (1, [("coasts", 1999), ("music", 1999)])
    assert "1 paper keeps the domain or year that was set by hand." in describe_import(again).notes
    lines(path, {"title": "One", "authors": ["B"]}, {"title": "Two", "authors": ["B"]})  # the papers are stored again
    assert import_papers(project, [path], coasts).work(Progress()).kept_edits == 1
    review.undo(project, "anna").work(Progress())
    assert import_papers(project, [path], coasts).work(Progress()).kept_edits == 0
    assert set(told(project).values()) == {("coasts", 1999)}


def test_what_an_import_changes_of_known_papers_is_said_and_can_be_undone(project: Project, tmp_path: Path) -> None:
    path = lines(tmp_path / "papers.jsonl", {"title": "One", "domain": "travel", "year": 2001}, {"title": "Two"})
    import_papers(project, [path], ONE).work(Progress())
    before = told(project)
    for domain in ("coasts", "piers"):  # what an import has set is not what somebody set for a single paper
        again = import_papers(project, [path], ImportOptions(domain, 2001, workers=1)).work(Progress())
        assert f"The domain of 2 known papers is now {domain}." in describe_import(again).notes
        assert (again.known, again.kept_edits) == (2, 0)
    assert describe_import(again).notes == ("The domain of 2 known papers is now piers.",)
    assert import_papers(project, [path], ImportOptions("piers", 2001, workers=1)).work(Progress()).changes == []
    review.undo(project, "anna").work(Progress())
    assert told(project) == {"One": ("coasts", 2001), "Two": ("coasts", 2001)}
    undone = review.undo(project, "anna").work(Progress())
    assert undone is not None
    assert undone.title == "Changed the domain and year of 2 papers"
    assert told(project) == before


def test_a_cancelled_import_has_changed_the_known_papers_that_it_came_to(project: Project, tmp_path: Path) -> None:
    paths = [lines(tmp_path / f"{title}.jsonl", {"title": title}) for title in ("One", "Two")]
    import_papers(project, paths, ONE).work(Progress())
    progress = Progress()
    options = ImportOptions("coasts", workers=1)
    with pytest.raises(Cancelled):
        import_papers(project, paths, options, lambda file: progress.cancel()).work(progress)
    assert sorted(domain for domain, _ in told(project).values()) == ["", "coasts"]


def test_a_paper_that_is_removed_and_added_again_is_as_no_hand_has_set_it(project: Project, tmp_path: Path) -> None:
    path = lines(tmp_path / "papers.jsonl", {"title": "One"})
    import_papers(project, [path], ONE).work(Progress())
    edits.edit(project, ids(project), "anna", {"domain": "music"}).work(Progress())
    edits.remove(project, ids(project), "anna").work(Progress())
    for domain in ("zoology", "physics"):
        again = import_papers(project, [path], ImportOptions(domain, workers=1)).work(Progress())
        assert (again.kept_edits, told(project)["One"][0]) == (0, domain)


def test_lines_that_are_known_are_neither_split_nor_written_again(project: Project, tmp_path: Path) -> None:
    path = lines(tmp_path / "papers.jsonl", {"title": "One"}, {"title": "Two", "authors": ["A"]})
    import_papers(project, [path], ONE).work(Progress())
    with project.transaction() as stores:  # a mark on what must stay
        stores._connection.exec_driver_sql("UPDATE paragraphs SET after_break = 1")
    lines(path, {"title": "One"}, {"title": "Two", "authors": ["B"]}, {"title": "Three"}, {"title": "One"})
    again = import_papers(project, [path], ONE).work(Progress())
    assert (again.new, again.known + again.replaced, again.given) == (1, 3, 4)
    with project.read_transaction() as stores:
        query = "SELECT title, sum(after_break) FROM paragraphs JOIN papers ON papers.id = paper_id GROUP BY title"
        marked = dict(stores._connection.exec_driver_sql(query).all())
    assert (marked["One"], marked["Three"]) == (1, 0)
    assert import_papers(project, [path], ONE).work(Progress()).known == 4


def test_a_domain_that_was_taken_away_stays_away(project: Project, tmp_path: Path) -> None:
    path = lines(tmp_path / "papers.jsonl", {"title": "One", "domain": "travel"})
    import_papers(project, [path], ONE).work(Progress())
    edits.edit(project, ids(project), "anna", {"domain": ""}).work(Progress())
    import_papers(project, [path], ImportOptions(workers=1, default_domain="music")).work(Progress())
    assert told(project) == {"One": ("", None)}


@pytest.mark.parametrize(
    "text", ["", "[", "[]", "null", "[" * 5_000, '{"domain": 7, "year": "x"}', '{"year": true}', '{"year": 123456}']
)
def test_what_a_project_says_was_chosen_is_looked_at(project: Project, text: str) -> None:
    with project.transaction() as stores:
        failed = UnreadableFile("empty", "It is empty.")
        stores.files.save_failure(Path("/a.pdf"), failed, chosen=ChosenMetadata("nlp", 2019))
        assert stores.files.chosen_metadata() == {Path("/a.pdf"): ChosenMetadata("nlp", 2019)}
        stores._connection.exec_driver_sql("UPDATE files SET chosen = ?", (text,))
        assert stores.files.chosen_metadata() == {}


def test_a_paper_is_parsed_again_by_the_other_parser_and_stays_so(
    project: Project, groynes: Path, start_replay: Callable[..., ReplayServer]
) -> None:
    import_papers(project, [groynes], ONE).work(Progress())
    grobid = ImportOptions(workers=1, grobid=GrobidSettings(start_replay().url))
    for options, parser in ((grobid, "grobid"), (ONE, "embedded")):
        again = reparsing.parse_again(project, ids(project), options).work(Progress())
        assert (again.replaced, again.failed) == (1, [])
        assert parsers(project) == {parser}
    assert import_papers(project, [groynes], grobid).work(Progress()).known == 1
    assert parsers(project) == {"embedded"}


def test_a_paper_whose_pdf_is_gone_keeps_its_prose_and_is_told_of(project: Project, groynes: Path) -> None:
    import_papers(project, [groynes], ONE).work(Progress())
    groynes.rename(groynes.with_name("elsewhere.pdf"))
    again = reparsing.parse_again(project, ids(project), ONE).work(Progress())
    [problem] = again.failed
    assert (problem.code, again.given) == ("missing", 1)
    assert parsers(project) == {"embedded"}
    with project.read_transaction() as stores:
        assert stores.files.failures() == []


def test_papers_without_a_pdf_cannot_be_parsed_again(project: Project) -> None:
    import_papers(project, [SAMPLES / "reading" / "whispering.tei.xml"], ONE).work(Progress())
    with pytest.raises(UserError, match="came without a PDF"):
        reparsing.parse_again(project, ids(project), ONE).work(Progress())


def test_the_details_of_a_paper_say_where_its_files_are(project: Project, groynes: Path) -> None:
    import_papers(project, [groynes], ONE).work(Progress())
    [number] = ids(project)
    seen = table.load_details(project, number).work(Progress())
    assert seen is not None
    assert seen.paper is not None
    assert [(file.path, file.is_there) for file in seen.files] == [(groynes, True)]
    assert external_files.find_file(project, number).work(Progress()) == groynes
    groynes.unlink()
    with pytest.raises(UserError, match="no longer there"):
        external_files.find_file(project, number).work(Progress())


def test_a_moved_folder_is_found_by_one_of_its_files(project: Project, groynes: Path, tmp_path: Path) -> None:
    shutil.copyfile(SAMPLES / "coastal" / "wrack-lines.pdf", groynes.parent / "wrack.pdf")
    import_papers(project, [groynes.parent], ONE).work(Progress())
    shutil.move(groynes.parent, tmp_path / "moved")
    here = tmp_path / "moved" / "groynes.pdf"
    with project.read_transaction() as stores:
        paths = {stores.papers.file_paths(md5)[0]: md5 for md5 in stores.papers.md5s()}
    found = edits.locate(project, paths[str(groynes)], here).work(Progress())
    assert found.count == 2
    for number in ids(project):
        assert external_files.find_file(project, number).work(Progress()).parent == tmp_path / "moved"


def test_another_file_is_not_taken_for_a_moved_one(project: Project, groynes: Path) -> None:
    import_papers(project, [groynes], ONE).work(Progress())
    with project.read_transaction() as stores:
        [md5] = stores.papers.md5s()
    with pytest.raises(UserError, match="its content differs"):
        edits.locate(project, md5, SAMPLES / "coastal" / "wrack-lines.pdf").work(Progress())


def test_edits_and_removals_say_what_they_did_and_are_undone(project: Project) -> None:
    import_papers(project, [SAMPLES / "coastal", SAMPLES / "missing.pdf"], ONE).work(Progress())
    rows = ids(project)
    edited = edits.edit(project, rows, "mk", {"domain": "sea", "year": 2020}).work(Progress())
    assert (edited.title, edited.count) == ("Changed the domain and year of 2 papers", 2)
    assert table.count_removal(project, rows).work(Progress()).papers == 2
    removed = edits.remove(project, rows, "mk").work(Progress())
    assert removed.title == "Removed 2 papers and 1 failed file"
    assert ids(project) == []
    with project.transaction() as stores:
        stores.actions.undo("mk", datetime.now(UTC))
    assert len(ids(project)) == 3
    with project.read_transaction() as stores:
        assert {paper.domain for paper in stores.papers.summaries()} == {"sea"}


def test_a_file_is_found_again_from_any_folder(
    project: Project, groynes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(groynes.parent)
    import_papers(project, [Path(groynes.name)], ONE).work(Progress())
    monkeypatch.chdir(tmp_path)
    with project.read_transaction() as stores:
        assert stores.papers.file_paths(stores.papers.md5s()[0]) == [str(groynes)]
