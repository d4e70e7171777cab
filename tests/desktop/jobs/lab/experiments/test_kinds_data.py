"""Experiments whose tables have a column for each kind of reasoning."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop.jobs.lab.experiments.data import read_data
from desktop.jobs.lab.experiments.table_pairs import group_filter
from miner.errors import UserError
from miner.lab.experiments.experiment import TableAxis
from miner.lab.experiments.experiment_file import parse_experiment
from miner.progress import Progress
from storage.pairs.filters import PairFilter
from storage.project import Project
from tests.kinds_factory import answer_kinds
from tests.storage.factories import mine, paper, pdf

OWN = """
name = "own"
[data.project]
labels = "distant"
test = { split = "any" }
[[system]]
kind = "model"
model = "starter"
[[table]]
columns = "kind"
of = "accuracy"
"""
FILE = OWN.replace('labels = "distant"', 'files = { test = "taxi.tsv" }').replace('split = "any"', "")


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    with Project.create(tmp_path / "demo.pairwright") as project:
        with project.transaction() as stores:
            for name in "ab":
                stores.papers.save(paper(name), pdf(name))
        mine(project)
        yield project


def test_kinds_are_those_that_half_of_the_annotators_tick(project: Project, tmp_path: Path) -> None:
    asked = parse_experiment(OWN)
    with pytest.raises(UserError, match="No test pair has kinds of reasoning"):
        read_data(project, asked, tmp_path, Progress())
    keys = answer_kinds(project, {"anna": ["causal world", "causal", ""], "ben": ["causal", "", ""]})
    found = {pair.key: pair.kinds for pair in read_data(project, asked, tmp_path, Progress()).parts["project"]["test"]}
    assert [found[key] for key in keys[:3]] == ["causal world", "causal", ""]
    assert set(found.values()) == {"causal world", "causal", ""}
    filter = group_filter(asked, PairFilter(), TableAxis.KIND, "causal")
    with project.read_transaction() as stores:
        opened = set(stores.pair_table.keys(stores.pair_table.ids(filter)))
    assert opened == {key for key, kinds in found.items() if "causal" in kinds}


def test_a_file_with_a_column_for_each_kind_needs_no_answers(project: Project, tmp_path: Path) -> None:
    rows = ["prem\thyp\tlabel\tcausal_reasoning\tworld_knowledge"]
    rows += [f"Kelp {n} grows.\tIt grows.\tneutral\t{n % 2}\t1" for n in range(4)]
    (tmp_path / "taxi.tsv").write_text("\n".join(rows), encoding="utf-8")
    asked = parse_experiment(FILE)
    found = read_data(project, asked, tmp_path, Progress()).parts["project"]["test"]
    assert [pair.kinds for pair in found] == ["world", "causal world"] * 2
