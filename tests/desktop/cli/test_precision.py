"""The command `precision`."""

from __future__ import annotations

from pathlib import Path

import pytest

from storage.project import Project
from tests.desktop.cli.conftest import Run
from tests.precision_factory import answer_sample
from tests.storage.factories import mine, paper, pdf
from tests.suggestion_factory import suggest


@pytest.fixture
def project(run: Run, tmp_path: Path) -> Path:
    """Ten papers of each of two domains."""
    path = tmp_path / "demo.pairwright"
    with Project.building(path) as project:
        for domain in ("ecology", "nlp"):
            with project.transaction() as stores:
                for number in range(10):
                    stores.papers.save(paper(f"{domain} {number}", domain=domain), pdf(f"{domain} {number}"))
        mine(project)
    return path


def test_without_a_sample_it_says_what_to_do(run: Run, project: Path) -> None:
    ran = run("precision")
    assert ran.code == 1
    assert "Answer a sample" in ran.err


def test_it_says_how_many_labels_are_right_by_class_domain_and_phrase(run: Run, project: Path) -> None:
    with Project.open(project) as opened:
        suggest(opened)
        answer_sample(opened, 60, right=0.8)
    ran = run("precision")
    assert "of the distant labels are right (95 % interval: " in ran.out
    assert "The interval covers chance in the choice of pairs. It does not cover wrong answers." in ran.out
    for part in ("Precision of the distant labels by domain", "ecology", "by phrase", "However", "More for ±3"):
        assert part in ran.out
    data = run("precision", "--json").data
    overall = data["estimates"][0]
    assert (overall["label"], overall["domain"], overall["answers"]) == (None, None, 60)
    assert overall["low"] < overall["share"] < overall["high"]
    assert overall["more_for_3_points"] > overall["more_for_5_points"] >= 0
    named = {(one["label"], one["domain"], one["phrase"]) for one in data["estimates"]}
    assert {("reasoning", "nlp", None), (None, "ecology", None), ("contrasting", None, "However")} <= named


def test_phrases_leave_out_unclear_answers_which_precision_counts_and_the_help_says_so(run: Run, project: Path) -> None:
    with Project.open(project) as opened:
        answer_sample(opened, 60, right=0.5)
    of_phrase = [one for one in run("precision", "--json").data["estimates"] if one["phrase"] == "However"]
    counted = sum(one["answers"] for one in of_phrase)
    listed = {one["phrase"]: one for one in run("phrases", "--json").data}["However"]
    assert 0 < listed["answered"] == listed["agreed"] < counted
    assert "People agree: of the pairs whose votes have a majority, those with the relation" in run("phrases").out
    said = " ".join(run("phrases", "--help").out.split())
    assert "(without ties and “unclear”, which `precision` counts as wrong)" in said


def test_few_answers_are_told_and_nothing_is_estimated_from_them(run: Run, project: Path) -> None:
    with Project.open(project) as opened:
        answer_sample(opened, 6)
    assert "Too few answers: 6 answers of the sample, and an estimate needs 10." in run("precision").out
    assert run("precision", "--json").data["estimates"][0]["share"] is None
