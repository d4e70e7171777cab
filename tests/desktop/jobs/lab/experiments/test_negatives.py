"""Negatives as a data set of an experiment: systems that read their evidence, and what is kept."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop.jobs.lab.experiments.check import check_experiment
from desktop.jobs.lab.experiments.kept_propositions import KeptPropositions, PaperPropositions
from desktop.jobs.lab.experiments.results import load_tables
from desktop.jobs.lab.experiments.run import run_experiment
from miner.errors import UserError
from miner.lab.experiments.experiment_file import parse_experiment
from miner.lab.probes.propositions import Proposition, PropositionReader
from miner.mining.sentence_analysis import model_package
from miner.progress import Progress
from storage.pairs.filters import PairFilter
from storage.project import Project
from tests.desktop.model_factory import make_model
from tests.miner.lab.probes import small_wordnet
from tests.storage.factories import paper, pdf

pytestmark = pytest.mark.skipif(model_package(None) is None, reason="no English model of spaCy is installed")

TEXT = """
name = "negatives"
seeds = [1]
[classes]
holds = ["holds", "entailment"]
"does not hold" = "others"
[data.Negatives]
probe = "negatives"
negatives = { predicates = 2, argument_pairs = 2, quota = 0 }
train = {}
test = {}
[[system]]
kind = "graph"
file = "graph.tsv"
[[system]]
kind = "frequency"
[[system]]
kind = "model"
name = "classifier"
model = "MODEL"
input = "evidence"
[[table]]
columns = "domain"
of = "auc_norm"
test = "none"
"""
GRAPH = "attack\tdegrade\t0.9\nattack\tdissolve\t0.1\nattack\trot\tNaN\n"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Project]:
    """Forty things that degrade and attack another one, as some dissolve and rot; its papers are parsed already."""
    folder = tmp_path / "corpora" / "wordnet"
    folder.mkdir(parents=True)
    small_wordnet.write(folder)
    monkeypatch.setenv("NLTK_DATA", str(tmp_path))
    (tmp_path / "graph.tsv").write_text(GRAPH, encoding="utf-8")
    with Project.create(tmp_path / "demo.pairwright") as project:
        with project.transaction() as stores:
            for name in "ab":
                stores.papers.save(paper(name, domain="soil"), pdf(name))
        yield project


def keep(project: Project) -> None:
    """As if the papers had been parsed."""
    with project.read_transaction() as stores:
        digests = stores.papers.text_digests()
    said: list[tuple[int, Proposition]] = []
    for number in range(40):
        here = [("fungus", "degrade"), ("fungus", "attack"), ("acid", "dissolve"), ("acid", "rot")]
        said += [(len(said) + place, Proposition(f"{one}{number}", do, "wood")) for place, (one, do) in enumerate(here)]
    kept = KeptPropositions(project, PropositionReader.name_of(), digests)
    kept.add([PaperPropositions(md5, digest, tuple(said)) for md5, digest in digests.items()])


def test_systems_are_tested_on_negatives(project: Project, tmp_path: Path) -> None:
    keep(project)
    model = make_model(tmp_path / "model")
    experiment = parse_experiment(TEXT.replace("MODEL", str(model)))
    done = run_experiment(project, experiment, tmp_path, "cpu").work(Progress())
    assert (done.problems, done.computed) == ((), 3)
    [table] = done.tables.tables
    assert table.columns == ("soil", "all pairs")
    values = {row: line[0] for row, line in zip(table.rows, table.values, strict=True)}
    graph = values["graph.tsv"]
    assert graph is not None
    assert graph.mean == 100.0
    assert graph.pairs % 3 == 0  # a positive with two negatives
    assert all(value is not None for value in values.values())
    notes = " ".join(done.notes)
    assert "1 line of graph.tsv could not be used (line 3: NaN" in notes
    assert "soil has 2 papers: too few" in notes
    again = run_experiment(project, experiment, tmp_path, "cpu").work(Progress())
    assert again.computed == 0
    with project.read_transaction() as stores:
        assert stores.pair_table.keys(stores.pair_table.ids(PairFilter())) == []  # nothing became a pair
    (tmp_path / "graph.tsv").write_text(GRAPH.replace("0.9", "0.8"), encoding="utf-8")
    changed = run_experiment(project, experiment, tmp_path, "cpu").work(Progress())
    assert changed.computed == 1
    assert load_tables(project, changed.id).work(Progress()).tables


def test_a_check_parses_nothing(project: Project, tmp_path: Path) -> None:
    experiment = parse_experiment(TEXT.replace("MODEL", "starter"))
    found = check_experiment(project, experiment, tmp_path).work(Progress())
    assert found.problem == "2 papers must be parsed to find propositions."
    assert found.can_run
    keep(project)
    (tmp_path / "graph.tsv").write_text("a\tb\n", encoding="utf-8")
    found = check_experiment(project, experiment, tmp_path).work(Progress())
    assert found.pairs["Negatives"]["test"] > 0
    assert "graph.tsv has no edge (line 1: there are 2 columns, not 3)" in found.gaps[0].text

    strict = parse_experiment(TEXT.replace("MODEL", "starter").replace("argument_pairs = 2", "argument_pairs = 50"))
    with pytest.raises(UserError, match="0 positives with negatives, too few for the train part"):
        run_experiment(project, strict, tmp_path, "cpu").work(Progress())
