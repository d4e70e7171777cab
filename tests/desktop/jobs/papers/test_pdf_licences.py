"""Licences of papers that GROBID parsed: from the TEI where it states one, else from the PDF."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from itertools import permutations
from pathlib import Path

import pytest
from replay import ReplayServer

from desktop.jobs.papers.import_session import ImportOptions
from desktop.jobs.papers.imports import import_papers
from desktop.jobs.papers.reparsing import parse_outdated
from miner.parsing.embedded import read_licence
from miner.parsing.files import hash_content
from miner.parsing.grobid import GrobidSettings
from miner.progress import Progress
from storage.project import Project
from tests import hostile_files
from tests.miner.parsing.pdf_factory import LEFT, Sheet, prose
from tests.sample_papers import SAMPLES

ONE = ImportOptions(workers=1)
STATED = "This article is licensed under the terms of CC BY-SA 4.0 and may be passed on."
_HERE = "</biblStruct></sourceDesc>"


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    with Project.create(tmp_path / "p.pairwright") as opened:
        yield opened


@pytest.fixture
def pdf(tmp_path: Path) -> Path:
    return write_pdf(tmp_path / "ferries.pdf", STATED)


@pytest.fixture
def tei(tmp_path: Path, pdf: Path) -> Path:
    return write_tei(tmp_path / "ferries.tei.xml", pdf)


def write_pdf(path: Path, *statement: str) -> Path:
    sheet = Sheet()
    sheet.lines(LEFT, prose(sheet) + 40, statement, 8)
    path.write_bytes(sheet.bytes())
    return path


def write_tei(path: Path, pdf: Path, licence: str = "<licence/>") -> Path:
    """A TEI that GROBID would have made of the PDF."""
    text = (SAMPLES / "reading" / "whispering.tei.xml").read_text()
    md5 = hash_content(pdf.read_bytes()).md5
    text = text.replace(_HERE, f'<idno type="MD5">{md5}</idno>{_HERE}').replace("<licence/>", licence)
    path.write_text(text)
    return path


def licence(project: Project) -> str:
    with project.read_transaction() as stores:
        [paper] = stores.papers.summaries()
    assert paper.parser == "grobid"
    return paper.licence


def add(project: Project, *paths: Path) -> None:
    assert not import_papers(project, paths, ONE).work(Progress()).failed


def test_a_licence_that_the_tei_does_not_state_is_read_from_the_pdf(tmp_path: Path, pdf: Path, tei: Path) -> None:
    for number, files in enumerate([*permutations((pdf, tei))]):
        with Project.create(tmp_path / f"{number}.pairwright") as project:
            for file in files:
                add(project, file)
            assert licence(project) == "CC-BY-SA-4.0"
    with Project.create(tmp_path / "both.pairwright") as project:
        add(project, pdf, tei)
        assert licence(project) == "CC-BY-SA-4.0"


def test_what_the_tei_states_goes_before_the_pdf(project: Project, tmp_path: Path, pdf: Path) -> None:
    address = '<licence target="https://creativecommons.org/licenses/by-nc/4.0/"/>'
    add(project, write_tei(tmp_path / "ferries.tei.xml", pdf, address), pdf)
    assert licence(project) == "CC-BY-NC-4.0"


@pytest.mark.parametrize("chosen", ["CC0-1.0", ""])
def test_what_a_person_set_stays(project: Project, pdf: Path, tei: Path, chosen: str) -> None:
    add(project, tei)
    with project.transaction() as stores:
        [md5] = stores.papers.md5s()
        action = stores.actions.begin("anna", "Set the licence", datetime(2026, 7, 1, tzinfo=UTC))
        stores.paper_edits.edit(action, [md5], {"licence": "ACM"})
        stores.paper_edits.edit(action, [md5], {"licence": chosen})
    add(project, pdf)
    assert licence(project) == chosen


def test_a_pdf_that_states_none_leaves_it_unknown_and_one_that_is_unreadable_is_no_failure(
    project: Project, tmp_path: Path
) -> None:
    silent = write_pdf(tmp_path / "silent.pdf", "Nobody says here what may be done with these words.")
    add(project, write_tei(tmp_path / "silent.tei.xml", silent), silent)
    assert licence(project) == ""
    assert read_licence(hostile_files.scan_pdf(tmp_path).read_bytes()) == ""
    assert read_licence(b"%PDF-1.7 cut short") == ""
    assert read_licence(b"") == ""


def test_a_pdf_that_was_read_for_its_licence_is_not_read_again(project: Project, pdf: Path, tei: Path) -> None:
    add(project, tei, pdf)
    with project.transaction() as stores:
        stores._connection.exec_driver_sql("UPDATE papers SET licence = ''")
    add(project, tei, pdf)
    assert licence(project) == ""


def test_grobids_papers_have_the_licence_of_their_pdf(
    project: Project, pdf: Path, start_replay: Callable[..., ReplayServer]
) -> None:
    grobid = GrobidSettings(start_replay().url)
    import_papers(project, [pdf], ImportOptions(grobid=grobid, workers=1)).work(Progress())
    assert licence(project) == "CC-BY-SA-4.0"


def test_papers_of_an_earlier_version_get_it_when_they_are_read_again(project: Project, pdf: Path, tei: Path) -> None:
    add(project, tei, pdf)
    with project.transaction() as stores:
        older = "UPDATE papers SET licence = '', parser_version = 'unknown, reader 1', digest = 'older'"
        stores._connection.exec_driver_sql(older)
    parse_outdated(project, ONE).work(Progress())
    assert licence(project) == "CC-BY-SA-4.0"
