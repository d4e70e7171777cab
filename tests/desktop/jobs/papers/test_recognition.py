"""Recognising the text of scans, by a stand-in for ocrmypdf."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from desktop.jobs.papers.import_session import ImportOptions
from desktop.jobs.papers.imports import import_papers
from desktop.jobs.papers.recognition import recognise
from desktop.jobs.papers.recognition_state import RecognitionOptions, RecognitionState, load_recognition
from miner.errors import UnreadableFile, UserError
from miner.parsing.files import hash_content
from miner.parsing.recognition import recognise_text
from miner.processes.child import ProcessLimits
from miner.progress import Cancelled, Progress
from storage.papers.files import ChosenMetadata
from storage.project import Project
from tests.sample_papers import SAMPLES

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the stand-in is a shell script")

GROYNES = SAMPLES / "coastal" / "permeable-groynes.pdf"
SCAN = b"%PDF-1.4 a scan"
ONE = ImportOptions(workers=1)


@pytest.fixture
def tool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program ocrmypdf that makes the groynes paper of any PDF; tests write another script over it."""
    programs = tmp_path / "programs"
    programs.mkdir()
    script = f'for last; do :; done; echo "$@" > {tmp_path}/asked; cp "{GROYNES}" "$last"'
    _write(programs / "ocrmypdf", script)
    _write(programs / "tesseract", 'echo "List of available languages (3):"; echo deu; echo eng; echo osd')
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
    return programs / "ocrmypdf"


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    """A project with a scan that could not be read, whose name looks like an option."""
    folder = tmp_path / "papers"
    folder.mkdir()
    (folder / "-scan.pdf").write_bytes(SCAN)
    with Project.create(tmp_path / "test.pairwright") as project:
        _save_scan(project, folder / "-scan.pdf")
        yield project


def _write(path: Path, script: str) -> None:
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o700)


def _save_scan(project: Project, path: Path) -> None:
    md5, sha256 = hash_content(path.read_bytes())
    with project.transaction() as stores:
        failure = UnreadableFile("scan", "No text layer.")
        stores.files.save_failure(path, failure, md5=md5, sha256=sha256, chosen=ChosenMetadata(domain="coasts"))


def test_a_scan_becomes_the_paper_that_is_recognised_in_it(tool: Path, project: Project, tmp_path: Path) -> None:
    assert load_recognition(project, None).work(Progress()) == RecognitionState(("eng", "deu"), 1)
    done = recognise(project, None, RecognitionOptions(("deu", "eng")), ONE).work(Progress())
    assert (done.new, done.failed) == (1, [])
    assert (tmp_path / "asked").read_text().split()[-5:-2] == ["--language", "deu+eng", "--"]
    scan, made = tmp_path / "papers" / "-scan.pdf", tmp_path / "papers" / "-scan.ocr.pdf"
    assert scan.read_bytes() == SCAN
    assert made.read_bytes() == GROYNES.read_bytes()
    with project.read_transaction() as stores:
        assert not stores.files.failures()
        [paper] = stores.papers.summaries()
        assert paper.domain == "coasts", "it was chosen for the scan"
        assert {file.path for file in stores.evidence.files(paper.md5)} == {scan, made}
        [pdf] = stores.files.pdfs([1])
        assert pdf.paths == (made,), "evidence is shown on the recognised PDF"
        assert [file.path for file in stores.files.of_papers([1])] == [made]
    again = import_papers(project, [tmp_path / "papers"], ONE).work(Progress())
    assert (again.known, again.new, again.failed) == (2, 0, [])


def test_nothing_is_written_over_a_file(tool: Path, project: Project, tmp_path: Path) -> None:
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    (folder / "-scan.ocr.pdf").write_bytes(b"mine")
    recognise(project, None, RecognitionOptions(folder=folder), ONE).work(Progress())
    assert (folder / "-scan.ocr.pdf").read_bytes() == b"mine"
    assert (folder / "-scan.ocr-2.pdf").exists()
    assert [path.name for path in (tmp_path / "papers").iterdir()] == ["-scan.pdf"]


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("exit 8", "encrypted"),
        ("echo DigitalSignatureError: signed; exit 2", "cannot read this PDF: DigitalSignatureError: signed."),
        ("exit 77", "code 77"),
        ("exit 0", "made nothing"),
        ('for last; do :; done; echo "%PDF-1.4" > "$last"', "Its text was recognised, and then"),
    ],
)
def test_what_cannot_be_recognised_stays_a_scan_and_says_why(
    tool: Path, project: Project, tmp_path: Path, script: str, said: str
) -> None:
    _write(tool, script)
    done = recognise(project, None, RecognitionOptions(), ONE).work(Progress())
    assert said in done.failed[0].reason
    with project.read_transaction() as stores:
        [failure] = stores.files.failures()
    assert (failure.code, said in failure.reason, bool(failure.hint)) == ("scan", True, True)
    assert [path.name for path in (tmp_path / "papers").iterdir()] == ["-scan.pdf"]


def test_what_concerns_all_files_ends_the_job(
    tool: Path, project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _write(tool, 'echo "OCR engine does not have language data"; exit 3')
    with pytest.raises(UserError, match="does not have language data"):
        recognise(project, None, RecognitionOptions(), ONE).work(Progress())
    with pytest.raises(UserError, match="no language"):
        recognise_text(SCAN, ["eng; rm"])
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    with pytest.raises(UserError, match="not installed") as caught:
        recognise(project, None, RecognitionOptions(), ONE).work(Progress())
    assert "pip install ocrmypdf" in caught.value.hint
    with project.read_transaction() as stores:
        assert [failure.code for failure in stores.files.failures()] == ["scan"]


def test_all_that_it_started_ends_when_the_job_is_cancelled_or_too_long(
    tool: Path, project: Project, tmp_path: Path
) -> None:
    _write(tool, f"sleep 60 & echo $! > {tmp_path}/child; sleep 60")
    progress = Progress(lambda tick: progress.cancel() if _child(tmp_path) else None)
    with pytest.raises(Cancelled):
        recognise(project, None, RecognitionOptions(), ONE).work(progress)
    assert _is_gone(_child(tmp_path))
    (tmp_path / "child").unlink()
    with pytest.raises(UnreadableFile, match="took longer"):
        recognise_text(SCAN, limits=ProcessLimits(seconds=0.3))
    assert _is_gone(_child(tmp_path))


def _child(folder: Path) -> int:
    path = folder / "child"
    return int(path.read_text() or 0) if path.exists() else 0


def _is_gone(pid: int) -> bool:
    for _ in range(50):
        if not psutil.pid_exists(pid) or psutil.Process(pid).status() == psutil.STATUS_ZOMBIE:
            return True
        time.sleep(0.02)
    return False
