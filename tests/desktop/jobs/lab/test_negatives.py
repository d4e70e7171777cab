"""Negatives of a project's papers: counts, files, what is kept of parsed papers, and the judged list."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import pytest

from desktop.jobs.lab.negatives import BUNDLES, FELICITY, judge_felicity, make_negatives
from miner.errors import UserError
from miner.lab.probes.negatives import NegativeOptions, WindowKind
from miner.mining.sentence_analysis import model_package
from miner.progress import Job, Progress
from storage.pairs.filters import PairFilter
from storage.project import Project
from tests.miner.lab.probes import small_wordnet
from tests.storage.factories import paper, pdf

pytestmark = pytest.mark.skipif(model_package(None) is None, reason="no English model of spaCy is installed")

OPTIONS = NegativeOptions(predicates=2, argument_pairs=2, quota=0)
TEXTS = (
    "The fungus degrades the lignin. The fungus attacks the lignin.",
    "The fungus dissolves the cellulose. The acid dissolves the lime.",
    "The acid degrades the paper. The fungus attacks the beech.",
    "The acid attacks the lime. The fungus degrades the leaf.",
)


@pytest.fixture(scope="module")
def wordnet(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_wordnet.write(tmp_path_factory.mktemp("wordnet"))


@pytest.fixture(scope="module")
def project_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("negatives") / "a.pairwright"
    with Project.create(path) as project, project.transaction() as stores:
        for number, text in enumerate(TEXTS):
            name = "abcd"[number]
            stores.papers.save(paper(name, domain="soil", text=text), pdf(name))
        other = replace(paper("e", domain="sea", text="The reef grew. It was large."), year=None)
        stores.papers.save(other, pdf("e"))
    return path


R = TypeVar("R")


def done(job: Job[R]) -> R:
    return job.work(Progress())


def test_papers_are_parsed_once_and_give_the_same_files(project_path: Path, wordnet: Path, tmp_path: Path) -> None:
    with Project.open(project_path) as project:
        first, second = (
            done(make_negatives(project, PairFilter(), tmp_path / name, OPTIONS, wordnet=wordnet, workers=1))
            for name in "xy"
        )
        assert (second.found.parsed, first.found.probe) == (0, second.found.probe)
        [kept] = (project_path.with_name("a.models") / "propositions").iterdir()
        lines = kept.read_text(encoding="utf-8").splitlines()
        torn = [
            "",
            lines[1][:40],
            "[" * 100_000,
            '{"paper": 1, "digest": "", "said": [[0, "a\\tb", "c", "d"]]}',
            *lines[2:],
        ]
        kept.write_text("\n".join(torn), encoding="utf-8")  # as a killed run, or another hand, left it
        third = done(make_negatives(project, PairFilter(), tmp_path / "z", OPTIONS, wordnet=wordnet, workers=1))
    assert (third.found.parsed, third.found.probe) == (1, first.found.probe)
    assert len({(tmp_path / name / BUNDLES).read_bytes() for name in "xyz"}) == 1
    [bundle] = [json.loads(line) for line in (tmp_path / "x" / BUNDLES).read_text(encoding="utf-8").splitlines()]
    assert (bundle["window"], bundle["subject"], bundle["object"]) == ("soil", "fungus", "lignin")
    assert bundle["positive"]["sentences"][0]["text"] == "The fungus degrades the lignin."
    assert [one["predicate"] for one in bundle["negatives"]] == ["dissolve"]
    [evidence] = bundle["evidence"]
    assert (evidence["predicate"], evidence["sentences"][0]["sentence"]) == ("attack", 1)
    notes = " ".join(first.found.notes())
    assert "2 of 2 windows have 1 to 4 papers: too few" in notes
    assert "No negative could be made in sea." in notes


def test_a_list_is_judged_and_read_back(project_path: Path, wordnet: Path, tmp_path: Path) -> None:
    with Project.open(project_path) as project:
        report = done(make_negatives(project, PairFilter(), tmp_path / "x", OPTIONS, wordnet=wordnet, workers=1))
    judged = tmp_path / "x" / FELICITY
    head, *lines = judged.read_text(encoding="utf-8").splitlines()
    assert report.felicity == len(lines) == 2
    assert {line.split("\t")[1] for line in lines} == {"thing A degrade thing B", "thing A dissolve thing B"}
    with pytest.raises(UserError, match="Nothing is judged yet"):
        done(judge_felicity(judged))
    judged.write_text("\n".join([head, *(line + "Yes" for line in lines)]), encoding="utf-8")
    found = done(judge_felicity(judged))
    assert (found.positives.felicitous, found.negatives.judged, found.p, found.unjudged) == (1, 1, 1.0, 0)
    judged.write_text("\n".join([head, "aa\tthing A do thing B\tyes"]), encoding="utf-8")
    with pytest.raises(UserError, match="Line 2 of the judged file is none of the drawn items"):
        done(judge_felicity(judged))
    (tmp_path / "x" / BUNDLES).write_text('{"positive": 1}', encoding="utf-8")
    with pytest.raises(UserError, match="no file of negatives"):
        done(judge_felicity(judged))


def test_what_cannot_be_done_is_said(
    project_path: Path, wordnet: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    by_year = replace(OPTIONS, window=WindowKind.DOMAIN_YEAR)
    with Project.open(project_path) as project:
        found = done(make_negatives(project, PairFilter(), None, by_year, wordnet=wordnet, workers=1)).found
        assert list(found.papers) == ["soil 2019"]
        assert found.notes()[0] == "1 paper without a year could not be used."
        sea = PairFilter(domains=frozenset(["sea"]))
        with pytest.raises(UserError, match="None of these papers has a year"):
            done(make_negatives(project, sea, None, by_year, wordnet=wordnet))
        with pytest.raises(UserError, match="only a domain can be chosen"):
            done(make_negatives(project, PairFilter(phrases=frozenset(["Thus"])), None, OPTIONS, wordnet=wordnet))
        with pytest.raises(UserError, match="WordNet, and it was not found"):
            done(make_negatives(project, PairFilter(), None, OPTIONS, wordnet=tmp_path))
        monkeypatch.setattr("miner.mining.sentence_analysis.entry_points", lambda group: [])  # nothing is installed
        with pytest.raises(UserError, match="need an English model of spaCy"):
            done(make_negatives(project, PairFilter(), None, OPTIONS, wordnet=wordnet))
