"""pairwright mend: shows a pair, mends it, goes back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from desktop.cli.main import main
from storage.project import Project
from tests.storage.factories import add, mine, paper, some_pairs

PAIR = some_pairs(paper("a").md5).pairs[0]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "a.pairwright"
    with Project.create(path) as project:
        add(project, ["a"])
        mine(project)
    return path


def run(path: Path, capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main([*arguments, "--project", str(path)])
    said = capsys.readouterr()
    return code, said.out, said.err


def data(path: Path, capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    code, out, err = run(path, capsys, *arguments, "--json")
    assert code == 0, err
    return json.loads(out)


def test_undo_takes_back_what_a_command_did_for_another_annotator(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(path, capsys, "people", "add", "Ada", "Ben Čech")
    run(path, capsys, "mend", PAIR.key, "--premise", "The whole premise.", "--annotator", "Ada")
    out = run(path, capsys, "mend", PAIR.key, "--hypothesis", "it ends.", "--annotator", "Ben Čech")[1]
    assert "To take this back: pairwright undo --annotator 'Ben Čech'" in out
    assert run(path, capsys, "undo", "--annotator", "Ben Čech")[1] == "Undone: Correct the hypothesis.\n"
    assert data(path, capsys, "mend", PAIR.key)["premise"] == "The whole premise."
    code, _, err = run(path, capsys, "mend", PAIR.key, "--premise", "Another one.", "--annotator", "Bem")
    assert code == 1
    assert "Bem" in err
    assert "To add somebody: pairwright people add NAME" in err


def test_a_pair_is_shown_mended_and_set_back(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    start = PAIR.key[:10]
    shown = data(path, capsys, "mend", start)
    assert (shown["key"], shown["premise"], shown["edited"]) == (PAIR.key, PAIR.premise, False)
    code, out, _ = run(path, capsys, "mend", start, "--premise", " The whole\n premise. ", "--annotator", "anna")
    assert code == 0
    assert out.splitlines() == [
        "Correct the premise. To take this back: pairwright undo --annotator anna",
        f"pair {PAIR.key}",
        "premise: The whole premise.",
        f"  mined: {PAIR.premise}",
        f"hypothesis: {PAIR.hypothesis}",
    ]
    assert data(path, capsys, "mend", start, "--premise", "The whole premise.")["done"] is False
    assert data(path, capsys, "undo")
    assert data(path, capsys, "mend", start)["edited"] is False
    data(path, capsys, "mend", start, "--hypothesis", "other")
    assert data(path, capsys, "mend", start, "--back")["hypothesis"] == PAIR.hypothesis


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("ffff0000", "--premise", "x"), "There is no pair ffff0000."),
        (("", "--premise", "x"), "Several pairs begin with"),
        ((PAIR.key, "--premise", " ", "--annotator", "anna"), "The premise is empty."),
        ((PAIR.key, "--premise", "x"), "No annotator is set on this computer."),
        ((PAIR.key, "--premise", "x", "--back"), "--back restores the mined text"),
    ],
)
def test_what_cannot_be_done_is_said(
    path: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], sentence: str
) -> None:
    code, _, err = run(path, capsys, "mend", *arguments)
    assert code == 1
    assert sentence in err
