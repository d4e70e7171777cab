"""Imports of bad files: each file has its sentence, and the rest of the batch is imported."""

from __future__ import annotations

import gzip
import json
import multiprocessing
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from desktop.cli.main import main
from desktop.jobs.mining.run import NO_MODEL, mine
from desktop.jobs.papers.import_session import ImportOptions, ImportResult
from desktop.jobs.papers.imports import import_papers
from miner.errors import UserError
from miner.processes.child import ProcessLimits, ProcessStartError
from miner.progress import Progress
from storage.project import Project
from tests import hostile_files

ROOT = Path(__file__).parents[4]


@pytest.fixture
def project(tmp_path: Path) -> Any:
    with Project.create(tmp_path / "p.pairwright") as opened:
        yield opened


def added(project: Project, *paths: Path, **options: Any) -> ImportResult:
    return import_papers(project, paths, ImportOptions(workers=1, **options)).work(Progress())


@pytest.mark.parametrize(
    ("make", "code", "words"),
    [
        (hostile_files.scan_pdf, "scan", "OCR"),
        (hostile_files.encrypted_pdf, "encrypted", "password"),
        (hostile_files.truncated_pdf, "damaged", ""),
        (hostile_files.empty_pdf, "empty", "0 bytes"),
        (hostile_files.renamed_docx, "not_a_paper", "not a PDF"),
        (hostile_files.renamed_png, "not_a_paper", "not a PDF"),
        (hostile_files.renamed_html, "not_a_paper", "not a PDF"),
        (hostile_files.ten_thousand_pages_pdf, "too_many_pages", "pages"),
        (hostile_files.huge_pdf, "too_large", "MB"),
        (hostile_files.no_pages_pdf, "damaged", ""),
        (hostile_files.tei_with_doctype, "doctype", "DOCTYPE"),
        (hostile_files.tei_entity_bomb, "doctype", "DOCTYPE"),
        (hostile_files.tei_300_deep, "too_deep", ""),
        (hostile_files.tei_truncated, "damaged", "cut short"),
        (hostile_files.tei_without_text, "no_text", "No text"),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_a_bad_file_is_answered_for_and_the_good_one_beside_it_read(
    project: Project, tmp_path: Path, make: Callable[[Path], Path], code: str, words: str
) -> None:
    (tmp_path / "bad").mkdir()
    (tmp_path / "good").mkdir()
    bad, good = make(tmp_path / "bad"), hostile_files.tei(tmp_path / "good")
    found = added(project, bad, good)
    assert (found.new, found.given) == (1, 2)
    [problem] = found.failed
    assert problem.code == code
    assert words in f"{problem.reason} {problem.hint}"
    with project.read_transaction() as stores:
        assert [failure.code for failure in stores.files.failures()] == [code]


@pytest.mark.parametrize(
    "make", [hostile_files.german_pdf, hostile_files.chinese_pdf, hostile_files.hebrew_pdf, hostile_files.looping_pdf]
)
def test_other_scripts_and_loops_end_in_a_paper_or_a_plain_reason(
    project: Project, tmp_path: Path, make: Callable[[Path], Path]
) -> None:
    found = added(project, make(tmp_path), limits=ProcessLimits(seconds=60))
    assert found.given == 1
    assert found.new or (found.failed[0].hint and found.failed[0].code not in ("timeout", "crash", "error"))


def test_broken_lines_are_listed_by_number_and_the_good_ones_kept(project: Project, tmp_path: Path) -> None:
    found = added(project, hostile_files.broken_lines(tmp_path))
    assert (found.new, len(found.failed)) == (3, 7)
    assert {problem.line for problem in found.failed} == {2, 4, 6, 7, 8, 9, 10}
    assert all(problem.reason.startswith(f"line {problem.line}:") for problem in found.failed)
    lines = tmp_path / found.failed[0].path.name
    lines.write_bytes(b"\n".join(line for n, line in enumerate(lines.read_bytes().split(b"\n"), 1) if n in (1, 5, 11)))
    assert added(project, lines).known == 3
    with project.read_transaction() as stores:
        assert stores.files.failures() == []


def test_a_pdf_that_is_called_jsonl_is_one_failure(project: Project, tmp_path: Path) -> None:
    named = hostile_files.long_pdf(tmp_path).rename(tmp_path / "papers.jsonl")
    found = added(project, named)
    assert [(problem.line, problem.code) for problem in found.failed] == [(0, "not_a_paper")]
    assert "is a PDF" in found.failed[0].reason
    with project.read_transaction() as stores:
        assert len(stores.files.failures()) == 1


@pytest.mark.parametrize("content", [b"\0" * 5_000_000, b"\x89PNG\r\n\x1a\n\0\0"], ids=["zeros", "picture"])
def test_what_is_no_text_is_not_read_line_by_line(project: Project, tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "papers.jsonl.gz"
    path.write_bytes(gzip.compress(content))
    assert [problem.code for problem in added(project, path).failed] == ["not_a_paper"]


def test_a_file_without_papers_is_one_failure(project: Project, tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text("a line of a log\n" * 16_120)
    [problem] = added(project, path).failed
    assert (problem.line, problem.code) == (0, "not_a_paper")
    assert "None of the first 100 lines" in problem.reason


def test_many_bad_lines_are_summed_up_and_forgotten_once_they_are_good(project: Project, tmp_path: Path) -> None:
    good = json.dumps({"title": "A pier", "sections": [{"title": "Piers", "paragraphs": [hostile_files.PROSE]}]})
    path = tmp_path / "papers.jsonl"
    path.write_text(good + "\n" + "not a paper\n" * 1_000)
    found = added(project, path)
    assert (found.new, len(found.failed), found.given) == (1, 101, 1_001)
    assert found.failed[-1].reason == "900 more lines are not papers."
    with project.read_transaction() as stores:
        assert len(stores.files.failures()) == 101
    path.write_text(good + "\n")
    assert added(project, path).failed == []
    with project.read_transaction() as stores:
        assert stores.files.failures() == []


def test_junk_in_a_folder_is_counted_and_what_links_lead_to_is_left_alone(project: Project, tmp_path: Path) -> None:
    found = added(project, hostile_files.junk_folder(tmp_path))
    assert found.new >= 1
    assert found.ignored >= 1
    (tmp_path / "other").mkdir()
    chosen = hostile_files.folder_with_link_out(tmp_path / "other")
    inside = [path for path in chosen.iterdir() if path.is_file() and not path.is_symlink()]
    assert added(project, chosen).given == len(inside)


def test_a_pdf_that_takes_too_long_is_given_up(project: Project, tmp_path: Path) -> None:
    pdf = hostile_files.long_pdf(tmp_path)
    [problem] = added(project, pdf, limits=ProcessLimits(seconds=0.01)).failed
    assert problem.code == "timeout"
    assert added(project, pdf).new == 1
    with project.read_transaction() as stores:
        assert stores.files.failures() == []


@pytest.fixture
def no_worker_starts() -> Iterator[None]:
    multiprocessing.set_executable("/bin/false")
    yield
    multiprocessing.set_executable(sys.executable)


@pytest.mark.skipif(not Path("/bin/false").exists(), reason="needs a program that only fails")
@pytest.mark.spawn
@pytest.mark.usefixtures("no_worker_starts")
def test_without_workers_no_paper_is_blamed_and_no_run_is_done(project: Project, tmp_path: Path) -> None:
    text = {"title": "A pier", "sections": [{"title": "Piers", "paragraphs": [hostile_files.PROSE]}]}
    lines = tmp_path / "papers.jsonl"
    lines.write_text(json.dumps(text) + "\n")
    added(project, lines)  # needs no process of its own
    pdfs = [hostile_files.plain_pdf(tmp_path), hostile_files.german_pdf(tmp_path)]
    with pytest.raises(ProcessStartError, match="could not start"):
        added(project, *pdfs)
    with pytest.raises(ProcessStartError, match="could not start"):
        mine(project, workers=2, model=NO_MODEL).work(Progress())
    with project.read_transaction() as stores:
        run = stores.mining_runs.current()
        assert (stores.files.failures(), stores.papers.count()) == ([], 1)
        assert run is not None
        assert run.state == "running"


def test_a_paper_already_there_is_not_lost_when_its_file_goes_bad(project: Project, tmp_path: Path) -> None:
    pdf = hostile_files.plain_pdf(tmp_path)
    added(project, pdf)
    pdf.write_bytes(b"")
    assert [problem.code for problem in added(project, pdf).failed] == ["empty"]
    with project.read_transaction() as stores:
        assert stores.papers.count() == 1


def test_a_pdf_and_its_tei_are_one_paper_in_either_order(tmp_path: Path) -> None:
    import hashlib

    pdf = hostile_files.plain_pdf(tmp_path)
    text = hostile_files.tei(tmp_path).read_text(encoding="utf-8")
    md5 = hashlib.md5(pdf.read_bytes(), usedforsecurity=False).hexdigest().upper()
    named = text.replace(
        "</fileDesc>", f'<sourceDesc><biblStruct><idno type="MD5">{md5}</idno></biblStruct></sourceDesc></fileDesc>', 1
    )
    assert named != text
    tei = tmp_path / "named.tei.xml"
    tei.write_text(named, encoding="utf-8")
    seen = []
    for name, order in (("a", (pdf, tei)), ("b", (tei, pdf))):
        with Project.create(tmp_path / f"{name}.pairwright") as project:
            for path in order:
                added(project, path)
            with project.read_transaction() as stores:
                seen.append((stores.papers.summaries(), stores.papers.get(md5.lower())))
    assert seen[0] == seen[1]
    [summary] = seen[0][0]
    assert (summary.parser, summary.kind) == ("grobid", "pdf")


@pytest.mark.parametrize("name", ["text", "other", "newer", "damaged"])
def test_a_file_that_is_no_usable_project_is_refused_with_a_sentence(
    tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / f"{name}.pairwright"
    if name == "text":
        path.write_text("not a database")
    elif name == "other":
        with sqlite3.connect(path) as connection:
            connection.execute("CREATE TABLE t (x)")
        connection.close()
    else:
        Project.create(path).close()
        if name == "newer":
            with sqlite3.connect(path) as connection:
                connection.execute("UPDATE alembic_version SET version_num = '9999'")
            connection.close()
        else:
            with path.open("r+b") as file:
                file.truncate(path.stat().st_size // 2)
    before = path.read_bytes()
    assert main(["--project", str(path), "stats"]) == 1
    said = capsys.readouterr().err
    assert path.name in said
    assert "Traceback" not in said
    assert path.read_bytes() == before


def test_a_project_that_another_program_holds_is_waited_for_and_then_refused(tmp_path: Path) -> None:
    path = tmp_path / "p.pairwright"
    Project.create(path).close()
    holder = sqlite3.connect(path, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    try:
        with Project.open(path, busy_timeout_s=0.2) as project, pytest.raises(UserError, match="another program"):
            added(project, hostile_files.tei(tmp_path))
    finally:
        holder.rollback()
        holder.close()
    with Project.open(path) as project:
        assert added(project, hostile_files.tei(tmp_path)).new == 1


def test_a_project_that_is_taken_away_is_missed(tmp_path: Path) -> None:
    with Project.create(tmp_path / "p.pairwright") as project:
        (tmp_path / "p.pairwright").unlink()
        with pytest.raises(UserError, match="moved or deleted"):
            added(project, hostile_files.tei(tmp_path))


@pytest.mark.skipif(not shutil.which("bash"), reason="needs bash's ulimit")
def test_a_full_disk_is_said_and_loses_nothing(tmp_path: Path) -> None:
    path = tmp_path / "p.pairwright"
    with Project.create(path) as project:
        added(project, hostile_files.tei(tmp_path))
    papers = tmp_path / "papers.jsonl"
    with papers.open("w") as file:
        for number in range(900):
            text = f"Line {number} of the survey is long. " * 60
            print(json.dumps({"title": str(number), "sections": [{"title": "", "paragraphs": [text]}]}), file=file)
    # A limit on file size is what a full disk is to SQLite: a write that comes back short.
    command = f"trap '' XFSZ; ulimit -f 1000; exec {sys.executable} -m desktop --project {path} add {papers}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, cwd=ROOT, env={**os.environ})
    assert done.returncode == 1, done.stderr
    assert "Traceback" not in done.stderr
    assert "disk" in done.stderr
    with Project.open(path) as project:
        assert project.check() == []
        assert added(project, papers).failed == []
        with project.read_transaction() as stores:
            assert stores.papers.count() == 901
