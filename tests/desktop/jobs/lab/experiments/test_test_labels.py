"""Which labels an experiment tests on, and what its tables say of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from desktop.jobs.exchange.imports import import_data_sets
from desktop.jobs.lab.experiments.data import read_data
from desktop.jobs.lab.experiments.run import run_experiment
from miner.lab.experiments.experiment_file import parse_experiment
from miner.progress import Progress
from miner.records import Answer, Label, Strategy
from miner.splits import PaperSplit
from storage.project import Project
from storage.settings import GOLD
from tests.desktop.jobs.lab.experiments.test_run import write_rows
from tests.split_factory import split_papers
from tests.storage.annotation.round_factory import answer_as

FILE = """
name = "labels"
seeds = [1]
[data.all]
labels = "gold, else distant"
train = {{ labels = "distant" }}
test = {{ {test} }}
[[system]]
kind = "naive_bayes"
[[table]]
"""


@pytest.fixture
def project(tmp_path: Path) -> Any:
    files = [write_rows(tmp_path / f"{split}.csv", n, 60 - 40 * n) for n, split in enumerate(("train", "test"))]
    with Project.create(tmp_path / "demo.pairwright") as project:
        import_data_sets(project, files, "").work(Progress())
        with project.transaction() as stores:
            split_papers(stores, PaperSplit(rest="train"))
        yield project


def settle(project: Project, pairs: int) -> None:
    """Have three people agree on so many test pairs of each class."""
    with project.transaction() as stores:
        assert stores.settings.get(GOLD).votes == 3
        for label in Label:
            query = "SELECT key FROM pairs WHERE split = 'test' AND distant_label = ? ORDER BY key LIMIT ?"
            for (key,) in stores._connection.exec_driver_sql(query, (label.value, pairs)).all():
                for who in ("Ada", "Ben", "Cy"):
                    answer_as(stores, who, key, Answer(label.value))


def caption(project: Project, test: str = "") -> str:
    asked = parse_experiment(FILE.format(test=test))
    return run_experiment(project, asked, project.path.parent, "cpu").work(Progress()).tables.tables[0].caption


def test_the_test_set_of_a_file_is_gold_and_keeps_its_size_while_people_answer(project: Project) -> None:
    asked = parse_experiment(FILE.format(test=""))
    assert "80 pairs, mean of 1 run. All test labels are gold." in caption(project)
    settle(project, 2)
    assert len(read_data(project, asked, project.path.parent, Progress()).parts["all"]["test"]) == 80


def test_gold_labels_are_what_is_tested_on_as_soon_as_there_are_any(project: Project) -> None:
    with project.transaction() as stores:  # of phrases, not of those who made the file
        stores._connection.exec_driver_sql(f"UPDATE pairs SET strategy = '{Strategy.BOTH_RANDOM}'")
    asked = parse_experiment(FILE.format(test=""))
    before = read_data(project, asked, project.path.parent, Progress()).parts["all"]
    assert "Tested on distant labels, none of them gold." in caption(project)
    settle(project, 2)
    after = read_data(project, asked, project.path.parent, Progress()).parts["all"]
    assert (len(before["test"]), len(after["test"])) == (80, 8)
    assert before["train"] == after["train"]
    assert "All test labels are gold." in caption(project)
    assert "8 of 80 test labels are gold, the others distant." in caption(project, 'labels = "gold or distant"')
    assert "Tested on distant labels" in caption(project, 'labels = "distant"')
