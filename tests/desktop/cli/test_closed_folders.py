"""Folders that may not be looked into, and names that are too long: a sentence each, never "a bug"."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop.cli.main import main
from desktop.jobs.papers.import_session import ImportOptions
from desktop.jobs.papers.reparsing import parse_again
from miner.progress import Progress
from storage.project import Project
from tests import hostile_files

ROOT = Path(__file__).parents[3]
ROWS = "sentence1,sentence2,label\nOne thing is so.,another is not.,contrasting\n"
COMMANDS = (
    ["new", "{closed}/b.pairwright"],
    ["--project", "{closed}/a.pairwright", "info"],
    ["--project", "{closed}/a.pairwright", "stats"],
    ["--project", "{closed}/a.pairwright", "mine"],
    ["add", "{closed}/paper.pdf"],
    ["add", "{closed}"],
    ["import", "{closed}/rows.csv"],
    ["evaluate", "--data", "{closed}/rows.csv"],
    ["evaluate", "--model", "{closed}/model"],
    ["suggest", "--model", "{closed}/model"],
    ["train", "--start", "{closed}/model"],
    ["mine", "--settings", "{closed}/settings.json"],
    ["export", "{closed}/out"],
)


@pytest.fixture
def closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with a project, a paper and rows in it that is closed to the user; beside it a project that is not."""
    folder = tmp_path / "closed"
    folder.mkdir()
    for path in (folder / "a.pairwright", tmp_path / "open.pairwright"):
        Project.create(path).close()
    hostile_files.plain_pdf(folder).rename(folder / "paper.pdf")
    (folder / "rows.csv").write_text(ROWS)
    folder.chmod(0)
    monkeypatch.chdir(tmp_path)
    yield folder
    folder.chmod(0o700)


def error_output(words: list[str], place: str, capsys: pytest.CaptureFixture[str]) -> str:
    """The standard error of a command that must fail."""
    code = main([word.format(closed=place) for word in words])
    out, err = capsys.readouterr()
    assert code == 1, out + err
    assert "Traceback" not in err
    return err


@pytest.mark.usefixtures("ordinary_user")
@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_a_closed_folder_is_reported(closed: Path, words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    err = error_output(words, str(closed), capsys)
    assert "may not" in err or "Permission denied" in err, err


@pytest.mark.parametrize("words", [words for words in COMMANDS if words != ["add", "{closed}"]], ids=" ".join)
def test_a_name_that_is_too_long_is_reported(
    closed: Path, words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert "too long" in error_output(words, "n" * 300, capsys)


@pytest.mark.usefixtures("ordinary_user")
def test_a_paper_behind_a_closed_folder_is_not_called_gone(tmp_path: Path) -> None:
    (tmp_path / "papers").mkdir()
    pdf = hostile_files.plain_pdf(tmp_path / "papers")
    with Project.create(tmp_path / "p.pairwright") as project:
        from desktop.jobs.papers.imports import import_papers

        assert import_papers(project, [pdf], ImportOptions(workers=1)).work(Progress()).new == 1
        (tmp_path / "papers").chmod(0)
        try:
            [problem] = parse_again(project, [1], ImportOptions(workers=1)).work(Progress()).failed
        finally:
            (tmp_path / "papers").chmod(0o700)
    assert problem.code == "unreadable"
    assert "may not be read" in problem.reason


def test_whole_commands_of_an_ordinary_user_end_well(closed: Path, tmp_path: Path) -> None:
    """In a process of its own, whose own workers have no more rights than it."""
    program = [sys.executable, str(ROOT / "tests" / "ordinary_user.py"), sys.executable, "-m", "desktop"]
    (tmp_path / "mine").mkdir()
    given = [str(hostile_files.plain_pdf(tmp_path / "mine")), str(closed / "paper.pdf")]
    words = ["--project", str(tmp_path / "open.pairwright"), "add", "--json", *given]
    done = subprocess.run([*program, *words], capture_output=True, text=True, cwd=ROOT)
    if "cannot be given up" in done.stderr or "permissions are another matter" in done.stderr:
        pytest.skip(done.stderr.splitlines()[-1])
    found = json.loads(done.stdout)
    assert (done.returncode, found["new"], [one["code"] for one in found["failed"]]) == (0, 1, ["unreadable"])


@pytest.mark.usefixtures("ordinary_user")
def test_a_project_that_can_only_be_read_is_intact(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "shared"
    folder.mkdir()
    Project.create(folder / "a.pairwright").close()
    (folder / "a.pairwright").chmod(0o400)
    folder.chmod(0o500)
    words = ["--project", str(folder / "a.pairwright")]
    try:
        main([*words, "doctor", "--grobid", "http://127.0.0.1:9", "--json"])
        checks = {one["name"]: one for one in json.loads(capsys.readouterr().out)}
    finally:
        folder.chmod(0o700)
    assert checks["project"]["sound"], checks["project"]
    assert checks["project"]["finding"].endswith("is intact, and can only be read")
    assert checks["disk"]["finding"].endswith(f"free at {folder}")
