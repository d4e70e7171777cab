"""`pairwright audit`."""

from __future__ import annotations

from pathlib import Path

import pytest

from miner.records import Label
from tests.desktop.cli.conftest import Run
from tests.miner.audit.planted import Artefacts, planted_pairs, write_csv


@pytest.fixture
def project(run: Run, tmp_path: Path) -> Path:
    path = tmp_path / "soil.pairwright"
    run("new", path)
    run("import", write_csv(tmp_path / "a.csv", planted_pairs(60, Artefacts((Label.NEUTRAL, 0.4)))), "--domain", "soil")
    return path


def test_findings_come_worst_first_with_what_to_do(run: Run, project: Path) -> None:
    ran = run("audit")
    assert ran.code == 0
    head, first = ran.out.split("\n\n")[:2]
    assert head.startswith("240 pairs (60 contrasting")
    assert "1 to fix before release" in head
    assert first.startswith("FIX BEFORE RELEASE: First letter\n")
    assert "of the neutral hypotheses begin with a capital" in first
    assert "casing" in first


def test_the_data_is_the_same_each_time_and_nothing_is_changed(run: Run, project: Path) -> None:
    first, second = run("audit", "--json"), run("audit", "--json", "--domain", "soil")
    assert first.data["findings"] == second.data["findings"] == run("audit", "--json").data["findings"]
    worst = first.data["findings"][0]
    assert (worst["question"], worst["verdict"], worst["label"]) == ("capital", "mend", "neutral")
    assert {"found", "to_do", "rows"} <= worst.keys()
    assert run("info", "--json").data["pairs"] == 240


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["--domain", "soyl"], "Did you mean “soil”?"),
        (["--labels", "gold"], "No pairs have a gold label."),
        (["--labels", "silver"], "silver"),
    ],
)
def test_what_is_not_there_is_said(run: Run, project: Path, words: list[str], text: str) -> None:
    ran = run("audit", *words)
    assert ran.code == 1
    assert text in ran.err


def test_an_empty_project_has_nothing_to_audit(run: Run, tmp_path: Path) -> None:
    run("new", tmp_path / "empty.pairwright")
    ran = run("audit")
    assert ran.code == 1
    assert "There are no labelled pairs." in ran.err
