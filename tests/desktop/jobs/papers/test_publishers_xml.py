"""Publishers' XML in a project: it and its PDF are one paper, whichever comes first; archives of it."""

from __future__ import annotations

import io
import shutil
import tarfile
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from desktop.jobs.descriptions.papers import describe_import
from desktop.jobs.exchange.export import export
from desktop.jobs.exchange.rebuild import rebuild
from desktop.jobs.exchange.releases import release
from desktop.jobs.mining.run import NO_MODEL, mine
from desktop.jobs.papers import edits, reparsing, table
from desktop.jobs.papers.evidence import load_evidence
from desktop.jobs.papers.import_session import ImportOptions, ImportSession
from desktop.jobs.papers.imports import import_papers
from desktop.jobs.papers.pdf_lookup import PdfState
from desktop.jobs.papers.pdfs import PdfCache
from desktop.jobs.papers.sentence_locations import find_in_pdf
from miner.parsing.file_parser import ParsedFile, file_parser
from miner.parsing.files import FileContent, FileKind, hash_content
from miner.parsing.sentences import SplitterParameters
from miner.progress import Progress
from miner.records import Paper
from miner.versions import JATS_VERSION
from storage.dataset.export_options import ExportOptions, Preset, SplitOptions
from storage.papers.metadata import PaperSummary
from storage.papers.table import PaperQuery
from storage.project import Project
from storage.verification import find_changed_rows
from tests.article_xml import article_xml
from tests.sample_papers import SAMPLES
from tests.split_factory import hold_out_all

GROYNES = SAMPLES / "coastal" / "permeable-groynes.pdf"
ONE = ImportOptions(workers=1)
DOI = "10.1234/groynes"


def parsed(path: Path, kind: FileKind, content: bytes) -> Paper:
    file = FileContent(path, kind, content, hash_content(content))
    return file_parser(SplitterParameters.bundled())(file).papers[0][1]


@pytest.fixture(scope="module")
def of_pdf() -> Paper:
    return replace(parsed(GROYNES, FileKind.PDF, GROYNES.read_bytes()), doi=DOI)


def article(of_pdf: Paper, *, doi: str = DOI, title: str = "", prose: str = "", more: str = "") -> bytes:
    return article_xml(of_pdf, doi=doi, title=title, prose=prose, more=more)


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    with Project.create(tmp_path / "test.pairwright") as project:
        yield project


def store(project: Project, *papers: tuple[str, FileKind, Paper]) -> ImportSession:
    session = ImportSession(project, ONE, Progress())
    for name, kind, paper in papers:
        session.store(Path("/papers") / name, kind, ParsedFile(papers=((0, paper),)))
    return session


def stored(project: Project) -> list[PaperSummary]:
    with project.read_transaction() as stores:
        return stores.papers.summaries()


def pdf(paper: Paper) -> tuple[str, FileKind, Paper]:
    return ("g.pdf", FileKind.PDF, paper)


def xml(content: bytes, name: str = "g.xml") -> tuple[str, FileKind, Paper]:
    return (name, FileKind.JATS, parsed(Path(name), FileKind.JATS, content))


@pytest.mark.parametrize("xml_first", [True, False])
@pytest.mark.parametrize("doi", [DOI, ""])
def test_a_pdf_and_its_xml_are_one_paper_with_the_text_of_the_xml(
    project: Project, of_pdf: Paper, xml_first: bool, doi: str
) -> None:
    files = [xml(article(of_pdf, doi=doi)), pdf(of_pdf)]
    for file in files if xml_first else files[::-1]:
        session = store(project, file)
    [paper] = stored(project)
    assert (paper.parser, paper.kind, paper.sha256) == ("jats", "pdf", of_pdf.sha256)
    assert paper.md5 == files[0 if xml_first else 1][2].md5  # that of the file that came in first
    assert session.result.linked == 1
    again = store(project, *files)
    assert (again.result.new, again.result.known, again.result.linked) == (0, 2, 0)


@pytest.mark.parametrize("doi", [DOI, ""])
@pytest.mark.parametrize("xml_first", [True, False])
def test_a_released_paper_that_was_removed_keeps_its_split_in_another_format(
    project: Project, of_pdf: Paper, tmp_path: Path, xml_first: bool, doi: str
) -> None:
    files = [xml(article(of_pdf, doi=doi)), pdf(of_pdf)]
    first, second = files if xml_first else files[::-1]
    store(project, first)
    mine(project, workers=1, model=NO_MODEL).work(Progress())
    with project.transaction() as stores:
        hold_out_all(stores, "train")
    release(project, "1.0", tmp_path / "release", ExportOptions(split=SplitOptions())).work(Progress())
    rows = list(table.load_list(project, PaperQuery()).work(Progress()).ids)
    edits.remove(project, rows, "ada").work(Progress())
    with project.transaction() as stores:
        hold_out_all(stores, "test")
    moss = article(of_pdf, doi="10.1234/moss", title="Moss on old walls", prose="<p>Moss is green.</p>")
    result = store(project, second, xml(moss, "moss.xml")).result
    with project.read_transaction() as stores:
        splits: dict[str, str] = dict(stores._connection.exec_driver_sql("SELECT title, split FROM papers").all())
    assert splits == {of_pdf.title: "train", "Moss on old walls": "test"}
    assert result.returned == {"train": 1}
    note = "1 new paper was in a release before it was removed, and stays in its split: 1 train."
    assert note in describe_import(result).notes
    assert find_changed_rows(project) == []


def test_papers_that_share_a_doi_wrongly_stay_two(project: Project, of_pdf: Paper) -> None:
    editorial = article(
        of_pdf, title="Editorial: shores", prose="<p>We welcome our readers to this issue on shores.</p>"
    )
    session = store(project, pdf(of_pdf), xml(editorial))
    assert (session.result.new, len(stored(project))) == (2, 2)
    renamed = article(of_pdf, title="Groynes, permeable")  # another title, the same text
    assert store(project, xml(renamed, "b.xml")).result.linked == 1


@pytest.mark.parametrize("longer_first", [True, False])
def test_of_two_xml_of_one_paper_the_longer_is_kept_and_it_is_said(
    project: Project, of_pdf: Paper, longer_first: bool
) -> None:
    files = [xml(article(of_pdf, more="<p>One more.</p>"), "long.xml"), xml(article(of_pdf), "short.xml")]
    session = store(project, *(files if longer_first else files[::-1]))
    [paper] = stored(project)
    with project.read_transaction() as stores:
        assert stores.papers.paragraph_texts(paper.md5)[-1] == "One more."
        assert len(stores.papers.file_paths(paper.md5)) == 2
    [notice] = session.result.notices
    assert "differ" in notice
    assert notice.endswith("that of long.xml.")
    assert notice in describe_import(session.result).notes


@pytest.mark.slow
def test_read_again_by_a_later_version_the_longer_of_two_xml_is_kept_though_the_pdf_came_first(
    project: Project, of_pdf: Paper, tmp_path: Path
) -> None:
    store(project, pdf(of_pdf))
    for name, more in (("long.xml", "<p>One more.</p>"), ("short.xml", "")):
        path = tmp_path / name
        path.write_bytes(article(of_pdf, more=more))
        store(project, xml(path.read_bytes(), str(path)))
    with project.transaction() as stores:
        stores._connection.exec_driver_sql("UPDATE papers SET parser_version = '0', digest = ''")
    assert reparsing.parse_outdated(project, ONE).work(Progress()).failed == []
    [paper] = stored(project)
    assert (paper.parser_version, paper.md5) == (JATS_VERSION, of_pdf.md5)
    with project.read_transaction() as stores:
        assert stores.papers.paragraph_texts(paper.md5)[-1] == "One more."


@pytest.mark.slow
def test_an_archive_is_streamed_mined_shown_and_rebuilt(project: Project, of_pdf: Paper, tmp_path: Path) -> None:
    folder = tmp_path / "papers"
    folder.mkdir()
    shutil.copy(GROYNES, folder / "g.pdf")
    with tarfile.open(folder / "PMC.tar.gz", "w:gz") as archive:
        bad = b'<article article-type="correction"><front/></article>'
        for name, content in (
            ("../a.nxml", article(of_pdf, doi="")),
            ("b.xml", bad),
            ("c.png", b"x"),
            ("d.xml", b"<manifest/>"),
        ):
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    import_papers(project, [folder / "g.pdf"], ONE).work(Progress())
    result = import_papers(project, [folder], ONE).work(Progress())
    assert (result.new, result.known, result.replaced, result.linked) == (0, 1, 1, 1)
    assert result.ignored == 1
    assert [(one.line, one.reason) for one in result.failed] == [(2, "b.xml: This is a correction without text.")]
    assert import_papers(project, [folder], ONE).work(Progress()).known == 2
    with project.transaction() as stores:
        stores._connection.exec_driver_sql("UPDATE papers SET parser_version = '0', digest = ''")
    again = reparsing.parse_outdated(project, ONE).work(Progress())
    assert (again.replaced, again.failed) == (1, [])
    mine(project, model=NO_MODEL, workers=1).work(Progress())
    with project.read_transaction() as stores:
        keys = [row[0] for row in stores._connection.exec_driver_sql("SELECT key FROM pairs")]
    evidence = load_evidence(project, keys[0]).work(Progress())
    assert evidence is not None
    located = find_in_pdf(project, PdfCache(), evidence).work(Progress())
    assert (located.pdf.state, len(located.boxes)) == (PdfState.READY, 2)
    export(project, tmp_path / "out", ExportOptions(Preset.FULL, card=True)).work(Progress())
    made = rebuild(tmp_path / "out" / "manifest.json", folder, tmp_path / "again", workers=1).work(Progress())
    assert made.papers == 1


@pytest.mark.slow
def test_pdfs_in_archives_are_read_like_others(project: Project, of_pdf: Paper, tmp_path: Path) -> None:
    folder = tmp_path / "papers"
    folder.mkdir()
    with zipfile.ZipFile(folder / "a.zip", "w") as archive:
        archive.write(GROYNES, "deep/g.PDF")
        archive.writestr("__MACOSX/._g.PDF", b"x")
        archive.writestr("bad.pdf", b"no PDF")
    result = import_papers(project, [folder], ONE).work(Progress())
    assert [(one.line, one.reason.partition(":")[0]) for one in result.failed] == [(3, "bad.pdf")]
    [paper] = stored(project)
    assert (paper.md5, paper.parser, paper.kind) == (of_pdf.md5, "embedded", FileKind.ARCHIVE)
    with project.transaction() as stores:
        stores._connection.exec_driver_sql("UPDATE papers SET parser_version = '0', digest = ''")
    assert reparsing.parse_outdated(project, ONE).work(Progress()).replaced == 1
    mine(project, model=NO_MODEL, workers=1).work(Progress())
    export(project, tmp_path / "out", ExportOptions(Preset.FULL, card=True)).work(Progress())
    made = rebuild(tmp_path / "out" / "manifest.json", folder, tmp_path / "again", workers=1).work(Progress())
    assert made.papers == 1
    shutil.copy(GROYNES, folder / "g.pdf")
    assert import_papers(project, [folder], ONE).work(Progress()).known == 2
    assert [one.kind for one in stored(project)] == [FileKind.PDF]


@pytest.mark.slow
def test_each_article_of_one_file_is_a_paper_known_again_and_rebuilt(
    project: Project, of_pdf: Paper, tmp_path: Path
) -> None:
    folder = tmp_path / "papers"
    folder.mkdir()
    other = article(of_pdf, doi="10.1234/other", title="Whispers of many small waves", prose="<p>Waves are small.</p>")
    bad = b"<article><front/></article>"
    (folder / "set.xml").write_bytes(b"<articles>" + article(of_pdf) + bad + other + b"</articles>")
    result = import_papers(project, [folder], ONE).work(Progress())
    assert (result.new, [one.line for one in result.failed]) == (2, [2])
    assert import_papers(project, [folder], ONE).work(Progress()).known == 2
    mine(project, model=NO_MODEL, workers=1).work(Progress())
    export(project, tmp_path / "out", ExportOptions(Preset.FULL, card=True)).work(Progress())
    made = rebuild(tmp_path / "out" / "manifest.json", folder, tmp_path / "again", workers=1).work(Progress())
    assert made.papers == 2
