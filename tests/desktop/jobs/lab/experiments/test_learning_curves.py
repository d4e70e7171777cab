"""Learning curves: systems that learn from growing samples of the same pairs."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from desktop.jobs.exchange.imports import import_data_sets
from desktop.jobs.lab.experiments.data import read_data
from desktop.jobs.lab.experiments.run import run_experiment
from miner.errors import UserError
from miner.lab.experiments.experiment import TableAxis
from miner.lab.experiments.experiment_file import experiment_of, parse_experiment, to_data
from miner.progress import Progress
from storage.project import Project
from tests.desktop.jobs.lab.experiments.test_run import write_rows

CURVE = """
name = "curve"
seeds = [1, 2]
[data.all]
train = { samples = [40, 80, 160, 999, 2000], balanced = true }
dev = { of = "train", sample = 8, balanced = true }
test = {}
[[system]]
kind = "tfidf"
[[system]]
kind = "naive_bayes"
[[table]]
columns = "size"
"""


@pytest.fixture
def project(tmp_path: Path) -> Any:
    files = [write_rows(tmp_path / f"{split}.csv", n, 60 - 40 * n) for n, split in enumerate(("train", "test"))]
    with Project.create(tmp_path / "demo.pairwright") as project:
        import_data_sets(project, files, "").work(Progress())
        yield project


def test_smaller_samples_are_in_larger_ones_and_those_with_no_more_pairs_are_left_out(project: Project) -> None:
    data = read_data(project, parse_experiment(CURVE), project.path.parent, Progress())
    assert tuple(data.experiment.data) == ("all", "all 40", "all 80", "all 160", "all 240")
    assert {name: len(one.get("train", ())) for name, one in data.parts.items()} == {
        "all": 0, "all 40": 32, "all 80": 72, "all 160": 152, "all 240": 232,
    }  # fmt: skip
    keys = [{pair.key for pair in one["train"]} for name, one in data.parts.items() if name != "all"]
    assert all(smaller < larger for smaller, larger in pairwise(keys))
    assert [name for name, one in data.parts.items() if "test" in one] == ["all"]
    assert experiment_of(to_data(data.experiment)) == data.experiment


def test_a_learning_curve_has_a_row_for_each_system_and_a_column_for_each_size(project: Project) -> None:
    done = run_experiment(project, parse_experiment(CURVE), project.path.parent, "cpu").work(Progress())
    assert done.computed == 8
    [view] = done.tables.tables
    assert (view.rows, view.columns) == (("TF-IDF", "Naive Bayes"), ("40", "80", "160", "240"))
    assert view.columns_axis is TableAxis.SIZE
    assert all(value is not None and value.pairs == 80 for row in view.values for value in row)
    assert "Columns: the number of pairs to learn from." in view.caption


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("[40, 80, 160, 999, 2000]", "[80, 40]", "growing numbers"),
        ("[40, 80, 160, 999, 2000]", "[0, 40]", "growing numbers"),
        ("samples = [40, 80, 160, 999, 2000]", "samples = [40, 80], sample = 3", "in place of `sample`"),
        ("test = {}", "test = { samples = [4, 8] }", "only `train`"),
        ("test = {}", 'test = { of = "train", sample = 8 }', "cannot be drawn"),
        ("samples = ", "sampels = ", "unknown key: sampels"),
    ],
)
def test_samples_that_make_no_curve_are_refused(old: str, new: str, message: str) -> None:
    with pytest.raises(UserError, match=message) as caught:
        parse_experiment(CURVE.replace(old, new))
    assert caught.value.hint


def test_too_few_pairs_for_two_sizes_are_said(project: Project) -> None:
    with pytest.raises(UserError, match="too few for samples of two sizes"):
        read_data(project, parse_experiment(CURVE.replace("[40, 80, 160,", "[500, 800,")), Path(), Progress())


def test_a_curve_is_no_part_of_another_set() -> None:
    union = CURVE.replace("[[system]]", '[data.both]\nunion = ["all"]\ntrain = {}\n[[system]]', 1)
    with pytest.raises(UserError, match="a set for each of its samples"):
        parse_experiment(union)
