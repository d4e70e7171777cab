"""Whoever writes them, projects and files are in English: their bytes do not depend on the window's language."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from desktop import translation

ROOT = Path(__file__).parents[2]
SAMPLES = ROOT / "desktop" / "samples"
EXPERIMENT = """
name = "Lengths"
seeds = [1]
[data.all]
train = {}
test = {}
[[system]]
kind = "lexical"
features = ["length"]
[[table]]
title = "Scores"
columns = "score"
"""
UNDO = {("actions", "title")}  # what the window offers to undo, in the language of who did it


PREPARED: list[list[str | Path]] = [
    ["split", "set", "--shares", "60/20/20"],
    ["people", "add", "Ada"],
    ["people", "add", "Ben"],
    ["round", "new", "--size", "1", "--annotator", "Ada", "--annotator", "Ben"],
    ["round", "send", "1", "--out", "sent"],
    ["round", "send", "1", "--as", "csv", "--out", "sent-csv"],
    ["export", "out", "--preset", "full", "--card"],
]
# From a few papers to a data set with its card; and from more, in several processes, to a release and a report.
PAPERS = [SAMPLES / "ecology" / "late-mowing.jsonl", *sorted((SAMPLES / "nlp").iterdir())]
SHORT: list[list[str | Path]] = [
    ["new", "p.pairwright"],
    ["add", *PAPERS, "--domain", "ecology", "--jobs", "1"],
    ["mine", "--jobs", "1", "--model", "none"],
    *PREPARED,
]
LONG: list[list[str | Path]] = [
    ["new", "p.pairwright"],
    ["add", SAMPLES / "ecology", "--domain", "ecology"],
    ["add", SAMPLES / "nlp", "--domain", "nlp"],
    ["mine"],
    ["suggest"],
    *PREPARED,
    ["release", "first", "--out", "released"],
    ["experiment", "lengths.toml", "--out", "report"],
]
WALKS = {"short": SHORT, "long": LONG}


def main(folder: Path, walk: str) -> None:
    """Run the commands of a walk in a language in which every text is itself in brackets."""
    translation.use(lambda text, plural, number: f"⟦{text}⟧")  # before the modules with texts are imported
    from desktop.cli.main import main as run

    os.chdir(folder)
    Path("lengths.toml").write_text(EXPERIMENT, encoding="utf-8")
    for words in WALKS[walk]:
        assert run(["--quiet", *map(str, words)]) == 0, words


def stored_texts(file: Path) -> Iterator[tuple[str, str, str]]:
    """Table, column and text of all texts in a project."""
    with closing(sqlite3.connect(file)) as connection:
        tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE '%VIRTUAL%'")
        for (table,) in tables.fetchall():
            rows = connection.execute(f'SELECT * FROM "{table}"')
            columns = [column[0] for column in rows.description]
            for row in rows:
                yield from ((table, *one) for one in zip(columns, row, strict=True) if isinstance(one[1], str))


@pytest.mark.parametrize(
    ("walk", "written"),
    [
        ("short", {"README.md", "manifest.json"}),
        pytest.param("long", {"README.md", "manifest.json", "report.md", "tables.tex"}, marks=pytest.mark.slow),
    ],
)
def test_projects_and_files_are_in_english(tmp_path: Path, walk: str, written: set[str]) -> None:
    run = subprocess.run(
        [sys.executable, "-m", "tests.desktop.test_stored_texts", tmp_path, walk],
        cwd=ROOT,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=240,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    stored = {(table, column): text for table, column, text in stored_texts(tmp_path / "p.pairwright") if "⟦" in text}
    assert stored.keys() <= UNDO, stored
    files = [path for path in tmp_path.rglob("*") if path.is_file() and path.suffix != ".pairwright"]
    assert {path.name for path in files} >= written
    assert not [path for path in files if "⟦".encode() in path.read_bytes()]


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
