"""`kill -9` at any step of add, mine and export: the project opens, nothing is doubled, running again completes it."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from desktop.cli.main import main
from storage.project import Project
from tests.killable_calls import KillableCalls
from tests.sample_papers import SAMPLES


def command(project: Path, words: str, out: Path) -> list[str]:
    return [word.format(samples=SAMPLES, out=out) for word in f"--project {project} {words}".split()]


COMMANDS = (
    "add {samples}/ecology {samples}/nlp --jobs 1",
    "mine --jobs 1 --model none",
    "export {out} --preset full --split 60/20/20",
)


def run(project: Path, words: str, out: Path) -> None:
    assert main(command(project, words, out)) == 0


def exported(out: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(out.iterdir())}


def mined_from(project: Path) -> tuple[list[object], list[object]]:
    """The papers of a project and its pairs: what the next commands make of them follows."""
    with closing(sqlite3.connect(project)) as connection:
        papers = connection.execute("SELECT md5, digest, domain, length(sources) FROM papers ORDER BY md5").fetchall()
        pairs = "SELECT id, key, premise, hypothesis, distant_label, split FROM pairs WHERE current ORDER BY key"
        return papers, connection.execute(pairs).fetchall()


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[Path], dict[str, bytes]]:
    """The project before each command, and the export of an undisturbed run."""
    folder = tmp_path_factory.mktemp("whole")
    project, out = folder / "whole.pairwright", folder / "out"
    assert main(["new", str(project)]) == 0
    before = []
    for number, words in enumerate(COMMANDS):
        before.append(shutil.copy(project, folder / f"{number}.pairwright"))
        run(project, words, out)
    return before, exported(out)


@pytest.fixture(scope="module")
def calls(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KillableCalls]:
    imported = ("miner.mining.paper_mining", "miner.parsing.file_parser", "spacy.lang.en", "tests.desktop.warm_parser")
    commands = ["desktop.cli.mining", "desktop.cli.exchange"]
    with KillableCalls(commands, imported, tmp_path_factory.mktemp("data"), ["replace"]) as calls:
        yield calls


@pytest.mark.parametrize(
    "number",
    [0, pytest.param(1, marks=pytest.mark.slow), 2],  # tests/storage/test_kills.py kills mining
    ids=["add", "mine", "export"],
)
def test_a_killed_command_leaves_a_sound_project_and_completes_when_run_again(
    number: int,
    whole: tuple[list[Path], dict[str, bytes]],
    calls: KillableCalls,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    before, result = whole
    step = 0
    ended = False
    while not ended:
        step += 3 if number < 2 else 1  # add and mine have two steps a paper, all alike
        project, out = tmp_path / f"{step}.pairwright", tmp_path / f"out{step}"
        shutil.copy(before[number], project)
        ended = calls.ends_before(step, command(project, COMMANDS[number], out))
        with Project.open(project) as opened:
            assert opened.check() == []
        run(project, COMMANDS[number], out)
        if number < 2:
            assert mined_from(project) == mined_from(before[number + 1]), f"killed at step {step}"
        else:
            assert exported(out) == result, f"killed at step {step}"
    assert step > (6 if number < 2 else 1)  # it was killed
    capsys.readouterr()
