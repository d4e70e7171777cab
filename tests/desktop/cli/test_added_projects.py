"""Two students mine two folders; their professor has one project: added, mined, exported, and made again."""

from __future__ import annotations

from pathlib import Path

import pytest

from desktop.jobs.review.answers import answer
from miner.progress import Progress
from miner.records import Answer
from storage.project import Project
from tests.desktop.cli.conftest import Run
from tests.sample_papers import SAMPLES

MOWING, WHISPERING = SAMPLES / "ecology" / "late-mowing.jsonl", SAMPLES / "reading" / "whispering.tei.xml"


def keys(path: Path) -> list[str]:
    with Project.open(path) as project, project.read_transaction() as stores:
        return [pair.key for md5 in stores.papers.md5s() for pair in stores.pairs.of_paper(md5)]


@pytest.mark.slow  # a rebuild, which starts processes
def test_two_students_projects_become_one_that_can_be_made_again(run: Run, tmp_path: Path) -> None:
    answered = []
    for name, seed, papers in (("nadia", "7", [MOWING]), ("omar", "3", [MOWING, WHISPERING])):
        run("new", f"{name}.pairwright")
        run("--project", f"{name}.pairwright", "add", *papers, "--domain", "reading")
        run("--project", f"{name}.pairwright", "mine", "--model", "none", "--seed", seed)
        of_student = keys(tmp_path / f"{name}.pairwright")
        answered += of_student[-2:]  # neutral ones, which other settings would not draw
        with Project.open(tmp_path / f"{name}.pairwright") as project:
            answer(project, of_student[-2:], name, Answer.REASONING).work(Progress())
    exports = []
    for number, order in enumerate((["nadia", "omar"], ["omar", "nadia"])):
        with_project = ("--project", f"prof{number}.pairwright")
        run("new", f"prof{number}.pairwright")
        added = run(*with_project, "add", *(f"{name}.pairwright" for name in order), "--json")
        assert added.code == 0, added.err
        assert sorted(one["papers"] for one in added.data["projects"]) == ([0, 2] if number else [1, 1])
        assert sum(one["answers"] for one in added.data["projects"]) == 4
        run(*with_project, "mine", "--model", "none")
        assert set(answered) <= set(keys(tmp_path / f"prof{number}.pairwright"))
        assert run(*with_project, "export", f"out{number}", "--preset", "full", "--card").code == 0
        exports.append(files(tmp_path / f"out{number}"))
    assert exports[0] == exports[1]
    made_again = run("rebuild", "out0/manifest.json", "--papers", SAMPLES, "--out", "again", "--json")
    assert made_again.code == 0, made_again.err
    assert files(tmp_path / "again") == exports[0]


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if not path.name.startswith(".")}


def test_a_project_beside_the_only_other_one_is_added_to_that(run: Run, tmp_path: Path) -> None:
    for name, paper in (("nadia", MOWING), ("prof", WHISPERING)):
        run("new", f"{name}.pairwright")
        run("--project", f"{name}.pairwright", "add", paper)
    added = run("add", "nadia.pairwright")
    assert added.out.splitlines() == [
        "Added nadia: 1 new paper.",
        "To find the pairs of their papers: pairwright mine",
        "To take this back: pairwright undo",
    ]
    assert run("add", "nadia.pairwright").out == "Nothing of nadia is new: 1 paper is already there.\n"
    assert "not a Pairwright project" in _text_as_project(run, tmp_path)


def _text_as_project(run: Run, tmp_path: Path) -> str:
    (tmp_path / "notes.pairwright").write_text("notes")
    return run("--project", "prof.pairwright", "add", "notes.pairwright").err
