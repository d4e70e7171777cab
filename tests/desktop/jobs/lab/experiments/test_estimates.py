"""How long an experiment will take, by what the project has measured."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from desktop.jobs.exchange.imports import import_data_sets
from desktop.jobs.lab.experiments.check import ExperimentCheck, check_experiment
from desktop.jobs.lab.experiments.data import read_data
from desktop.jobs.lab.experiments.estimates import estimate_experiment, estimate_text
from desktop.jobs.lab.experiments.events import ExperimentEvent, TimeEstimated
from desktop.jobs.lab.experiments.given_answers import read_given
from desktop.jobs.lab.experiments.planning import plan_cells, predicting_model
from desktop.jobs.lab.experiments.run import run_experiment
from desktop.jobs.lab.experiments.sources import find_sources
from desktop.jobs.models.kept_predictions import keep_predictions, predictor_info
from desktop.ui.pages.experiments.text import gaps_text, plan_text
from miner.errors import UserError
from miner.lab.experiments.estimate import TimeEstimate
from miner.lab.experiments.experiment_file import parse_experiment
from miner.mining.identity import text_hash
from miner.progress import Progress
from storage.project import Project
from tests.desktop.jobs.lab.experiments.test_run import SURFACE, write_rows
from tests.desktop.model_factory import make_model
from tests.miner.classifier.factories import bert_classifier


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
    assert estimate_text(fewer) == "1 cell to compute, from predictions that are there already."
    more = estimated(project, asked.replace("sample = 10", "sample = 15"))
    other = estimated(
        project, asked.replace("sample = 10", "sample = 15").replace("model =", 'input = "swapped"\nmodel =')
    )
    assert (more.cells, more.runs) == (1, 1)
    assert more.seconds < other.seconds


def test_without_a_library_what_needs_it_is_named_once_and_not_counted(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = f"""
name = "light"
[data.all]
train = {{}}
test = {{ sample = 10 }}
[[system]]
kind = "cbow"
[[system]]
kind = "cnn"
[[system]]
kind = "model"
model = "{bert_classifier(tmp_path / "theirs")}"
[[system]]
kind = "prompt"
model = "m"
endpoint = "http://127.0.0.1:9"
encoder = "starter"
"""
    able = f'[[system]]\nkind = "naive_bayes"\n[[system]]\nkind = "model"\nmodel = "{make_model(tmp_path / "ours")}"\n'

    def check(text: str) -> ExperimentCheck:
        return check_experiment(project, parse_experiment(text), tmp_path, "cpu").work(Progress())

    with monkeypatch.context() as patch:
        patch.setitem(sys.modules, "torch", None)
        none = check(asked)
        assert (none.cells, none.lacking, none.runs, none.can_run) == (8, 8, 0, False)
        assert [gap.place for gap in none.gaps] == [("system", index, "kind") for index in range(4)]
        assert gaps_text(none).startswith("3 systems: Running this needs torch, which is not installed.")
        some = check(asked + able)
        assert (some.cells, some.lacking, some.runs, some.can_run) == (10, 8, 2, True)
        assert "8 lack something · 2 runs to compute" in plan_text(some)
        found = estimated(project, asked + able)
        assert (found.cells, found.left_out) == (2, 8)
        names = [re.split(", which is not|: ", problem)[:2] for problem in found.problems]
        assert names == [
            ["CBOW, CNN and theirs", "Running this needs torch"],
            ["m, P3 zero-shot", "The encoder starter needs torch"],
        ]
        _keep_all(project, asked, system=2)
        kept = estimated(project, asked)
        assert (kept.cells, kept.runs, kept.left_out) == (1, 0, 7)
        one = check(asked)
        assert (one.lacking, one.runs, one.can_run) == (7, 1, True)
        mapped = """
name = "a map"
seeds = [1]
[data.all]
train = {}
test = { sample = 10 }
[data.easy]
of = "all"
subset = "easy"
[cartography]
system = "starter"
[[system]]
kind = "encoder"
[[system]]
kind = "naive_bayes"
"""
        unmapped = check(mapped)
        assert (unmapped.lacking, unmapped.runs) == (3, 1)  # nothing learns the subset without its map
    assert check(asked).lacking == 0
    (tmp_path / "chat.gguf").write_bytes(b"GGUF")
    chat = f'name = "c"\n[data.all]\ntest = {{}}\n[[system]]\nkind = "prompt"\nmodel = "{tmp_path / "chat.gguf"}"\n'
    with monkeypatch.context() as patch:
        patch.setitem(sys.modules, "gguf", None)
        assert [gap.text.partition(",")[0] for gap in check(chat).gaps] == ["Reading GGUF files needs gguf"]
        assert "chat.gguf, P3 zero-shot: Reading GGUF files needs gguf" in estimate_text(estimated(project, chat))


def _keep_all(project: Project, text: str, system: int) -> None:
    """Keep predictions of a model as it is for all pairs that it is tested on."""
    experiment = parse_experiment(text)
    data = read_data(project, experiment, project.path.parent, Progress())
    sources = find_sources(project, experiment, project.path.parent, Progress())
    planned = plan_cells(project, data, sources.digests, read_given(project, data, project.path.parent, Progress()))
    run = next(run for run in planned.runs if run.system == system)
    info = predictor_info(predicting_model(data, run, sources.models[system]), "cpu fp32", "processor", 1, ())
    row = np.full(4, 0.25, "<f4").tobytes()
    pairs = data.parts["all"]["test"]
    assert keep_predictions(project, info, {text_hash(pair.premise, pair.hypothesis): row for pair in pairs})
