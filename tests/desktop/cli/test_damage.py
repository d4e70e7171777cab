"""Damaged project files: every command says so in a sentence with what to do; none ends in a traceback."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from desktop.cli.main import main
from storage import file_checks
from storage.project import Project
from tests.storage.factories import add, mine

PAGE = 4096
COMMANDS = ("stats", "info", "export {out} --preset full", "disagreements", "train --list")


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A project file with papers, pairs, answers and a round."""
    path = tmp_path_factory.mktemp("whole") / "whole.pairwright"
    with Project.create(path) as project:
        add(project, [f"paper {number}" for number in range(24)])
        mine(project)
    return path.read_bytes()


def run(project: Path, words: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    arguments = words.format(out=project.parent / "out").split()
    code = main(["--project", str(project), "--quiet", *arguments])
    return code, capsys.readouterr().err


@pytest.mark.parametrize("how", ["random", "zero", "other"])
@pytest.mark.parametrize("large", [False, True], ids=["small", "large"])
def test_a_page_overwritten_anywhere_ends_no_command_in_a_traceback(
    whole: bytes,
    how: str,
    large: bool,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if large:  # one that is too large for a full check whenever it is opened
        monkeypatch.setattr(file_checks, "_FULL_CHECK_MAX_BYTES", 0)
    draw = random.Random(7)
    pages = len(whole) // PAGE
    path = tmp_path / "damaged.pairwright"
    found = 0
    first = 1 + ("random", "zero", "other").index(how) + 3 * large  # other pages each time
    for page in range(first, pages, 9):
        other = whole[(pages // 2) * PAGE :][:PAGE]
        piece = {"random": draw.randbytes(PAGE), "zero": bytes(PAGE), "other": other}[how]
        path.write_bytes(whole[: page * PAGE] + piece + whole[(page + 1) * PAGE :])
        code, error = run(path, COMMANDS[page % len(COMMANDS)], capsys)
        assert code in (0, 1), (page, error)
        assert code == 0 or "is damaged" in error, (page, error)
        found += code
    assert large or found >= 3


@pytest.mark.parametrize("left", [0, 50, 100, 2000, 5000, 100_000])
def test_a_file_that_is_cut_off_is_refused(
    whole: bytes, left: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "cut.pairwright"
    path.write_bytes(whole[:left])
    for words in COMMANDS:
        code, error = run(path, words, capsys)
        assert code == 1
        assert "is damaged" in error or "is not a Pairwright project" in error


WRONG = {
    "authors": "UPDATE papers SET authors = '[\"cut of'",
    "spans": "UPDATE paragraphs SET spans = x'00112233'",
    "flags": "UPDATE pairs SET flags = 'no flags'",
    "text": "UPDATE pairs SET premise = CAST(x'fffefd' AS TEXT)",
    "mining settings": "INSERT INTO settings (key, value) VALUES ('mining', '{')",
    "mining settings of another kind": "INSERT INTO settings (key, value) VALUES ('mining', '[1, 2]')",
    "funnel": "UPDATE OR REPLACE funnel SET strategy = 'guessed'",
}


@pytest.mark.parametrize("wrong", WRONG)
def test_a_value_that_was_never_written_is_damage(
    whole: bytes, wrong: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "wrong.pairwright"
    path.write_bytes(whole)
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(WRONG[wrong])
    codes = []
    for words in (*COMMANDS, "mine --model none --jobs 1 --seed 9", "learn"):
        code, error = run(path, words, capsys)
        assert code in (0, 1), error
        assert code == 0 or "damaged" in error or "settings cannot be read" in error or "No model" in error, error
        codes.append(code)
    assert 1 in codes


def overwrite_boxes(path: Path) -> None:
    """Overwrite where the sentences of papers are on their pages: SQLite's check of the file does not see it."""
    with closing(sqlite3.connect(path)) as connection:
        (spans,) = connection.execute("SELECT spans FROM paragraphs").fetchone()
    path.write_bytes(path.read_bytes().replace(spans, b"\xff" * len(spans)))


def overwrite_page_of_large_file(path: Path) -> None:
    """Overwrite the page where paragraphs begin, in a file too large for a full check when it is opened."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("INSERT INTO parser_outputs VALUES ('a', 'b', zeroblob(60000000))")
        connection.commit()
        (page,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'paragraphs'").fetchone()
    content = path.read_bytes()
    path.write_bytes(content[: (page - 1) * PAGE] + b"\xff" * PAGE + content[page * PAGE :])


@pytest.mark.parametrize("damage", [overwrite_boxes, overwrite_page_of_large_file])
def test_damage_that_a_worker_process_meets_is_said_as_such(
    whole: bytes, damage: Callable[[Path], None], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "damaged.pairwright"
    path.write_bytes(whole)
    damage(path)
    code, error = run(path, "mine --model none --jobs 2 --seed 9", capsys)
    assert code == 1
    assert f"{path} is damaged: not all of it can be read." in error
    assert "pairwright restore" in error
    assert "bug" not in error


def test_doctor_finds_the_damage_and_names_the_remedy(
    whole: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "damaged.pairwright"
    path.write_bytes(whole[: 20 * PAGE] + bytes(PAGE * 4) + whole[24 * PAGE :])
    assert main(["--project", str(path), "--quiet", "doctor"]) == 1
    output = capsys.readouterr().out
    assert "WRONG  project" in output
    assert "pairwright restore" in output
