"""The report folder: what it says, and that it is the same each time."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from scipy.stats import bootstrap, ttest_rel

from desktop.jobs.exchange.imports import import_data_sets
from desktop.jobs.lab.experiments.report import RUNS, save_report
from desktop.jobs.lab.experiments.report_text import report_text
from desktop.jobs.lab.experiments.results import ExperimentCells
from desktop.jobs.lab.experiments.run import run_experiment
from miner.errors import UserError
from miner.lab.experiments.experiment_file import parse_experiment, to_data
from miner.lab.experiments.plan import PartDigest, plan
from miner.lab.experiments.scored_cells import ScoredCell, TestPart
from miner.progress import Progress
from storage.lab.experiments import ExperimentState, StoredExperiment
from storage.project import Project
from tests.desktop.jobs.lab.experiments.test_run import write_rows

RECIPE = """
# made by hand
name = "Words | <and> lengths"
question = "What do *words* say?"
seeds = [1]
[data.domain]
each = "domain"
train = {}
test = {}
[[system]]
kind = "lexical"
features = ["length"]
name = "length"
[[system]]
kind = "naive_bayes"
[[system]]
kind = "model"
model = "/nowhere/at/all"
[[table]]
title = "Scores"
columns = "score"
[[table]]
title = "Across"
rows = "train"
columns = "test"
against = "diagonal"
"""


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Project]:
    """The experiment, computed; reports only read it."""
    folder = tmp_path_factory.mktemp("computed")
    files = [write_rows(folder / f"{split}.csv", n, 60 - 40 * n) for n, split in enumerate(("train", "test"))]
    with Project.create(folder / "demo.pairwright") as project:
        import_data_sets(project, files, "").work(Progress())
        asked = parse_experiment(RECIPE)
        run_experiment(project, asked, folder, "cpu", text=RECIPE).work(Progress())
        yield project


def test_a_report_says_all_that_an_appendix_needs_and_is_the_same_each_time(project: Project, tmp_path: Path) -> None:
    folder = tmp_path / "report"
    folder.mkdir()
    (folder / "figure-98.svg").write_text("mine", encoding="utf-8")
    paths = save_report(project, 1, folder).work(Progress())
    (folder / "figure-99.svg").write_text("of an earlier report", encoding="utf-8")
    with (folder / "report.sha256").open("a", encoding="utf-8") as listed:
        listed.write(f"{hashlib.sha256((folder / 'figure-99.svg').read_bytes()).hexdigest()}  figure-99.svg\n")
    save_report(project, 1, folder).work(Progress())
    first = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert save_report(project, 1, folder).work(Progress()) == paths
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == first
    assert "figure-99.svg" not in first
    assert first["figure-98.svg"] == b"mine"
    report = first["report.md"].decode()
    assert report.startswith("# Words \\| \\<and\\> lengths\n\nWhat do \\*words\\* say?\n")
    for heading in ("Data", "Systems", "Results", "What is taken for what", "Not computed", "How it was made"):
        assert f"\n## {heading}\n" in report
    assert "| a | 40 | 10 | 10 | 10 | 10 |" in report
    assert "- a: 120 pairs: 30 contrasting, 30 reasoning, 30 entailment, 30 neutral." in report
    assert "features length" in report
    assert "/nowhere/at/all" in report
    assert "scikit-learn" in report
    assert "seconds" not in report
    images = {line.split("](")[1].rstrip(")") for line in report.splitlines() if line.startswith("![")}
    assert images <= {path.name for path in paths}
    assert {"figure-1.svg", "confusion-1.svg"} <= images
    for image in images:
        assert ElementTree.fromstring(first[image].decode()).tag.endswith("svg")
    assert parse_experiment(first["recipe.toml"].decode()) == parse_experiment(RECIPE)
    assert first[RUNS].decode().splitlines()[0] == "run\tdevice\tseconds"


def test_a_report_replaces_nothing_that_somebody_wrote_or_changed(project: Project, tmp_path: Path) -> None:
    mine = tmp_path / "report.md"
    mine.write_text("My paper.", encoding="utf-8")
    with pytest.raises(UserError, match=r"report\.md would be replaced"):
        save_report(project, 1, tmp_path).work(Progress())
    assert [path.name for path in tmp_path.iterdir() if not path.name.startswith(".")] == ["report.md"]
    mine.unlink()
    save_report(project, 1, tmp_path).work(Progress())
    mine.write_text(mine.read_text(encoding="utf-8") + "What I think of it.", encoding="utf-8")
    with pytest.raises(UserError, match="changed since"):
        save_report(project, 1, tmp_path).work(Progress())
    assert mine.read_text(encoding="utf-8").endswith("What I think of it.")


def test_cells_are_lines_with_their_scores(project: Project, tmp_path: Path) -> None:
    save_report(project, 1, tmp_path / "report").work(Progress())
    lines = (tmp_path / "report" / "cells.jsonl").read_text(encoding="utf-8").splitlines()
    cells = [json.loads(line) for line in lines]
    assert len(cells) == 10
    finished = [cell for cell in cells if cell["finished"]]
    assert {(cell["train"], cell["test"]) for cell in finished} == {(a, b) for a in "ab" for b in "ab"}
    for cell in finished:
        assert cell["pairs"] == 40
        assert 0 <= cell["macro_f1"] <= 1
        assert cell["unreadable"] == 0
    assert all("accuracy" not in cell for cell in cells if not cell["finished"])


TESTED = """
name = "Tested"
seeds = [1, 2, 3, 4]
[data.all]
train = {}
test = {}
[[system]]
kind = "cbow"
name = "first"
[[system]]
kind = "cnn"
name = "second"
[[table]]
title = "By seeds"
columns = "test"
of = "accuracy"
[[table]]
title = "By pairs"
columns = "test"
of = "accuracy"
test = "bootstrap"
"""


def test_significance_is_said_with_the_numbers_of_scipy() -> None:
    experiment = parse_experiment(TESTED)
    draw = np.random.default_rng(3)
    gold = draw.integers(0, 4, 500)
    cells = plan(experiment, {"all": {part: PartDigest(part, len(gold)) for part in ("train", "test")}}).cells
    predicted = [np.where(draw.random(500) < (0.5, 0.6)[one.run.system], gold, (gold + 1) % 4) for one in cells]
    first, second = (
        np.array([one for cell, one in zip(cells, predicted, strict=True) if cell.run.system == system]) == gold
        for system in (0, 1)
    )
    at = datetime(2026, 1, 1, tzinfo=UTC)
    stored = StoredExperiment(1, "Tested", to_data(experiment), ExperimentState.DONE, "pairwright", at, at, "", 8, 8)
    scored = tuple(map(ScoredCell, cells, predicted))
    found = ExperimentCells(stored, experiment, (), scored, {"all": TestPart(gold)})
    report = report_text(found, found.tables(), {}, (), (), ())

    lines = report.partition("\n## Significance\n")[2].partition("\n## ")[0].splitlines()
    by_seeds, by_pairs = (line.strip("| ").split(" | ") for line in lines if line.startswith("| second"))
    difference = 100 * (second.mean() - first.mean())
    assert by_seeds[1:3] == by_pairs[1:3] == ["first", "all"]
    assert float(by_seeds[3].rstrip("\\*")) == pytest.approx(difference, abs=0.051)
    t_test = ttest_rel(second.mean(axis=1), first.mean(axis=1))
    assert t_test.pvalue < 0.05
    assert by_seeds[3].endswith("*")
    assert by_seeds[4:] == [f"p = {t_test.pvalue:.3f}", "4 seeds"]
    means = 100 * (second.mean(axis=0) - first.mean(axis=0))
    low, high = bootstrap((means,), np.mean, n_resamples=2000, method="percentile", rng=0).confidence_interval
    assert low > 0
    assert by_pairs[3].endswith("*")
    interval = [float(end) for end in by_pairs[4].split(" to ")]
    assert interval == pytest.approx([low, high], abs=0.5)
    assert "**By seeds**: 1 of 1 difference significant." in lines
