"""The command `agree`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from miner.records import Answer
from storage.annotation.annotators import Role
from storage.project import Project
from tests.desktop.cli.conftest import Run
from tests.scripted_annotators import ScriptedAnnotator, annotate, mostly_right
from tests.storage.annotation.round_factory import answer_as, hold_rules_everywhere
from tests.storage.factories import mine, paper, pdf


@pytest.fixture
def project(run: Run, tmp_path: Path) -> Path:
    """Four papers of each of two domains."""
    path = tmp_path / "demo.pairwright"
    with Project.create(path) as project:
        for domain, names in (("ecology", "abcd"), ("nlp", "efgh")):
            with project.transaction() as stores:
                for name in names:
                    stores.papers.save(paper(name, domain=domain), pdf(name))
        mine(project)
    return path


def answer(path: Path, people: Sequence[ScriptedAnnotator], votes: int | None = None) -> None:
    with Project.open(path) as project:
        annotate(project, people, votes=votes)


def people(*accuracies: float) -> list[ScriptedAnnotator]:
    return [ScriptedAnnotator(f"person{n}", mostly_right(accuracy)) for n, accuracy in enumerate(accuracies)]


def test_a_project_without_answers_says_so_and_what_to_do(run: Run, project: Path) -> None:
    said = run("agree")
    assert said.code == 0
    assert said.out.startswith("Nobody has answered these pairs yet.\nNext: Draw a round")
    data = run("agree", "--json").data
    assert data["overall"]["agreement"]["refusal"] == "no_votes"
    assert data["overall"]["agreement"]["alpha"] == {"value": None, "low": None, "high": None}


def test_one_annotator_is_told_that_there_is_nobody_to_agree_with(run: Run, project: Path) -> None:
    answer(project, people(0.9))
    said = run("agree").out
    assert said.startswith("Only one person has answered")
    assert "kappa" not in said.lower()
    assert "person0" not in said.split("annotator")[0].lower()


def test_with_one_file_merged_the_next_step_is_that_of_the_rounds(run: Run, project: Path, tmp_path: Path) -> None:
    with Project.open(project) as opened:
        hold_rules_everywhere(opened)
    people = [word for name in ("Ada", "Ben", "Cy") for word in ("--annotator", name)]
    assert run("round", "new", "--size", "1", *people).code == 0
    assert "Next: Round 1 is ready for Ada, Ben and Cy: send them their files. Agreement is" in run("agree").out
    assert run("round", "send", "1", "--out", tmp_path).code == 0
    with Project.open(project) as opened, opened.transaction() as stores:
        for pair in stores.annotation_rounds.pairs(1):
            answer_as(stores, "Ada", pair.key, Answer.NEUTRAL)
    expected = "Two files have not come back yet: Ben and Cy."
    assert expected in run("round").out
    said = run("agree").out
    assert said.startswith("Only one person has answered")
    assert f"Next: {expected} Agreement is measured on pairs that two people answer." in said
    assert f"Next: {expected}" in run("agree", "--round", "1").out
    run("round", "close", "1")
    assert "Next: Draw a round for two or more people" in run("agree").out


def test_agreement_is_said_in_words_and_in_tables(run: Run, project: Path) -> None:
    answer(project, [*people(0.9, 0.85, 0.8), ScriptedAnnotator("expert", mostly_right(0.9), Role.EXPERT)])
    said = run("agree").out
    assert said.startswith("3 people agree on ")
    for word in ("Fleiss’ κ", "Krippendorff’s α", "Gwet’s AC1", "Cohen’s κ", "ecology", "nlp", "Next:"):
        assert word in said
    for head in ("class ", "domain ", "neutral strategy ", "phrase ", "compared with gold "):
        assert f"\n{head}" in said
    assert "1 expert: macro F1" in said


def test_json_has_each_figure_with_what_it_rests_on(run: Run, project: Path) -> None:
    answer(project, people(0.9, 0.85))
    data = run("agree", "--json", "--bootstrap", "200", "--seed", "3").data
    assert data["bootstrap"] == {"samples": 200, "seed": 3}
    overall = data["overall"]["agreement"]
    assert overall["pairs"] * 2 == overall["votes"]
    assert overall["fleiss"]["low"] < overall["fleiss"]["value"] < overall["fleiss"]["high"]
    assert data == run("agree", "--json", "--bootstrap", "200", "--seed", "3").data
    assert [one["pairs"] for one in data["pairwise"]] == [overall["pairs"]]
    assert data["pairwise"][0]["filter"]["differing"] == ["person0", "person1"]


def test_a_domain_or_a_filter_limits_the_pairs(run: Run, project: Path) -> None:
    answer(project, people(0.9, 0.85))
    every = run("agree", "--json").data["overall"]["agreement"]["pairs"]
    ecology = run("agree", "--json", "--domain", "ecology").data["overall"]["agreement"]["pairs"]
    nlp = run("agree", "--json", "--where", "domain=nlp").data["overall"]["agreement"]["pairs"]
    assert 0 < ecology < every
    assert ecology + nlp == every


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["--domain", "ecolgy"], "Did you mean “ecology”?"),
        (["--round", "3"], "There is no round 3."),
        (["--round", "0"], "must be a whole number from 1"),
        (["--round", "99999999999999999999"], "must be a whole number from 1 to"),
        (["--seed", "-1"], "must be a whole number from 0"),
        (["--seed", "4294967296"], "must be a whole number from 0 to 4,294,967,295"),
        (["--domain", "nlp", "--where", "domain=nlp"], "The domain is given twice."),
        (["--bootstrap", "100001"], "must be a whole number from 0 to 100,000"),
        (["--where", "moon=full"], "moon"),
    ],
)
def test_what_is_not_there_is_said(run: Run, project: Path, words: list[str], text: str) -> None:
    said = run("agree", *words)
    assert said.code == 1
    assert text in said.err


def test_without_bootstrap_there_are_no_intervals(run: Run, project: Path) -> None:
    answer(project, people(0.9, 0.85))
    assert run("agree", "--bootstrap", "0", "--json").data["overall"]["agreement"]["fleiss"]["low"] is None
