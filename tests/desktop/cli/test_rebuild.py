"""The command `rebuild`: what it says of the files that it made."""

from __future__ import annotations

from pathlib import Path

import pytest

from storage.project import Project
from tests.desktop.cli.conftest import Run
from tests.precision_factory import answer_sample
from tests.sample_papers import SAMPLES

PAPER = SAMPLES / "ecology" / "late-mowing.jsonl"


@pytest.mark.parametrize("answers", [0, 12])
def test_only_data_files_are_called_the_same_and_a_card_without_precision_is_told(
    run: Run, tmp_path: Path, answers: int
) -> None:
    run("new", "p.pairwright")
    run("add", PAPER)
    run("mine")
    if answers:
        with Project.open(tmp_path / "p.pairwright") as project:
            answer_sample(project, answers)
    assert run("export", "out", "--preset", "full", "--card").code == 0
    made = run("rebuild", "out/manifest.json", "--papers", PAPER.parent, "--out", "again", "--jobs", "1")
    assert "All data files are the same, byte for byte." in made.out
    there, again = (Path(folder, "README.md").read_text(encoding="utf-8") for folder in ("out", "again"))
    assert ("does not say how many distant labels are right" in made.out) is (there != again) is bool(answers)
