"""How long an experiment will take, by what the project has measured."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from desktop.jobs.exchange.imports import import_data_sets
from desktop.jobs.experiments.estimates import estimate_experiment, estimate_text
from desktop.jobs.experiments.events import ExperimentEvent, TimeEstimated
from desktop.jobs.experiments.run import run_experiment
from miner.errors import UserError
from miner.experiments.estimate import TimeEstimate
from miner.experiments.experiment_file import parse_experiment
from miner.progress import Progress
from storage.project import Project
from tests.desktop.jobs.experiments.test_run import SURFACE, write_rows
from tests.desktop.model_factory import make_model


@pytest.fixture
def project(tmp_path: Path) -> Any:
    files = [write_rows(tmp_path / f"{split}.csv", n, 60 - 40 * n) for n, split in enumerate(("train", "test"))]
    with Project.create(tmp_path / "demo.pairwright") as project:
        import_data_sets(project, files, "").work(Progress())
        yield project


def estimated(project: Project, text: str) -> TimeEstimate:
    return estimate_experiment(project, parse_experiment(text), project.path.parent, "cpu").work(Progress())


@pytest.mark.slow
def test_an_estimate_is_within_a_factor_of_three_after_one_run_of_each_kind(project: Project) -> None:
    guess = estimated(project, SURFACE)
    assert (guess.runs, guess.cells, guess.measured) == (3, 3, 0)
    assert "a rough guess" in estimate_text(guess)
    heard: list[ExperimentEvent] = []
    asked = parse_experiment(SURFACE)
    run_experiment(project, asked, project.path.parent, "cpu", listener=heard.append).work(Progress())
    assert isinstance(heard[0], TimeEstimated)
    assert heard[0].estimate.cells == 3
    with project.read_transaction() as stores:
        took = sum(one.seconds for one in stores.cell_predictions.measured_runs())
    assert estimate_text(estimated(project, SURFACE)) == "There is nothing to compute."
    other = estimated(project, SURFACE.replace("sample = 40", "sample = 36"))
    assert (other.cells, other.measured) == (3, 1)
    assert took / 3 < other.seconds < 3 * max(took, 10)
    assert "earlier runs" in estimate_text(other)


def test_what_cannot_be_run_is_refused_or_named(project: Project) -> None:
    gone = SURFACE + '[[system]]\nkind = "encoder"\nstart = "/nowhere/model"\n'
    found = estimated(project, gone)
    assert (found.cells, found.left_out) == (3, 2)
    assert "\n2 cells cannot be computed:\n  model: There is no model at /nowhere/model." in estimate_text(found)
    with pytest.raises(UserError, match="no pairs"):
        estimated(project, SURFACE.replace("test = {}", 'test = { split = "dev" }', 1))


def test_pairs_whose_predictions_are_kept_take_no_time(project: Project, tmp_path: Path) -> None:
    asked = f"""
name = "kept"
[data.all]
test = {{ sample = 10 }}
[[system]]
kind = "model"
model = "{make_model(tmp_path / "tiny")}"
"""
    run_experiment(project, parse_experiment(asked), tmp_path, "cpu").work(Progress())
    fewer = estimated(project, asked.replace("sample = 10", "sample = 6"))
    assert (fewer.cells, fewer.runs, fewer.seconds) == (1, 0, 0)
    assert estimate_text(fewer) == "1 cell to compute, of predictions that are kept."
    more = estimated(project, asked.replace("sample = 10", "sample = 15"))
    other = estimated(
        project, asked.replace("sample = 10", "sample = 15").replace("model =", 'input = "swapped"\nmodel =')
    )
    assert (more.cells, more.runs) == (1, 1)
    assert more.seconds < other.seconds
