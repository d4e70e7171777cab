"""Files that a project names are opened only as what they were added as."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop.jobs.papers.external_files import find_file, find_shown_file, verify_file
from desktop.jobs.papers.import_session import ImportOptions
from desktop.jobs.papers.imports import import_papers
from miner.errors import UserError
from miner.parsing.files import hash_content
from miner.progress import Progress
from storage.papers.table import PaperQuery
from storage.project import Project
from tests.sample_papers import SAMPLES

ONE = ImportOptions(workers=1)


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    with Project.create(tmp_path / "p.pairwright") as project:
        yield project


def number(project: Project, path: Path) -> int:
    """The row of a file, once it has been added."""
    import_papers(project, [path], ONE).work(Progress())
    with project.read_transaction() as stores:
        [found] = stores.paper_table.ids(PaperQuery())
    return found


def now_at(project: Project, path: Path) -> None:
    """What anybody can write into a project file: the paper lies there."""
    with project.transaction() as stores:
        stores._connection.exec_driver_sql("UPDATE files SET path = ?", (str(path),))


@pytest.mark.parametrize("name", ["coastal/wrack-lines.pdf", "ecology/late-mowing.jsonl", "reading/whispering.tei.xml"])
def test_a_file_that_is_as_it_was_added_is_opened(project: Project, tmp_path: Path, name: str) -> None:
    path = Path(shutil.copy(SAMPLES / name, tmp_path))
    assert find_file(project, number(project, path)).work(Progress()) == path


@pytest.mark.parametrize("name", ["run.sh", "setup.exe", "wrack.desktop", "noending", "wrack.pdf.lnk"])
def test_what_has_another_ending_is_not_opened_whatever_it_holds(project: Project, tmp_path: Path, name: str) -> None:
    row = number(project, SAMPLES / "coastal" / "wrack-lines.pdf")
    planted = Path(shutil.copy(SAMPLES / "coastal" / "wrack-lines.pdf", tmp_path / name))
    now_at(project, planted)
    with pytest.raises(UserError, match="papers do not have this ending"):
        find_file(project, row).work(Progress())


def test_a_file_that_has_changed_is_not_opened(project: Project, tmp_path: Path) -> None:
    path = Path(shutil.copy(SAMPLES / "coastal" / "wrack-lines.pdf", tmp_path))
    row = number(project, path)
    path.write_bytes(path.read_bytes() + b" ")
    with pytest.raises(UserError, match="has changed since it was added"):
        find_file(project, row).work(Progress())
    assert find_shown_file(project, row).work(Progress()) == path


def test_a_file_that_could_never_be_read_is_not_opened(project: Project, tmp_path: Path) -> None:
    row = number(project, SAMPLES / "coastal" / "wrack-lines.pdf")
    with project.transaction() as stores:
        stores._connection.exec_driver_sql("UPDATE files SET sha256 = NULL")
    with pytest.raises(UserError, match="could not be read when it was added"):
        find_file(project, row).work(Progress())


def test_a_folder_that_the_system_would_start_is_not_opened(project: Project, tmp_path: Path) -> None:
    row = number(project, SAMPLES / "coastal" / "wrack-lines.pdf")
    (tmp_path / "Papers.app").mkdir()
    now_at(project, Path(shutil.copy(SAMPLES / "coastal" / "wrack-lines.pdf", tmp_path / "Papers.app")))
    with pytest.raises(UserError, match="your system would start it"):
        find_shown_file(project, row).work(Progress())


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "paper.pdf")
    with pytest.raises(UserError, match="not a file any more"):
        verify_file(tmp_path / "paper.pdf", "0" * 64).work(Progress())


def test_the_pdf_that_is_shown_is_looked_at_once_more(tmp_path: Path) -> None:
    path = Path(shutil.copy(SAMPLES / "coastal" / "wrack-lines.pdf", tmp_path))
    _, sha256 = hash_content(path.read_bytes())
    assert verify_file(path, sha256).work(Progress()) == path
    path.write_bytes(b"%PDF-1.4 another")
    with pytest.raises(UserError, match="has changed"):
        verify_file(path, sha256).work(Progress())
