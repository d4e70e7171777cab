"""Experiments from the file to the table: what is computed, what is taken from before, what is refused."""

from __future__ import annotations

import csv
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from desktop.jobs.exchange.imports import import_data_sets
from desktop.jobs.lab.experiments import run_computation
from desktop.jobs.lab.experiments.check import check_experiment
from desktop.jobs.lab.experiments.data_map import load_data_map
from desktop.jobs.lab.experiments.forgetting import delete_forgotten, forget_experiment
from desktop.jobs.lab.experiments.report import TIMED_FILES, save_report
from desktop.jobs.lab.experiments.results import load_experiments, load_tables
from desktop.jobs.lab.experiments.run import ExperimentResult, run_experiment
from desktop.jobs.lab.experiments.running import experiment_lock
from desktop.jobs.pairs.lists import delete_list, put_list, rename_list
from miner.errors import UserError
from miner.lab.experiments.experiment import (
    Experiment,
)
from miner.lab.experiments.experiment_file import parse_experiment, ready_text
from miner.progress import Cancelled, Progress
from miner.records import Answer, Label
from storage.annotation.answers import NewAnswer
from storage.lab.experiments import ExperimentState
from storage.pairs.filters import PairFilter
from storage.project import Project
from tests.desktop.model_factory import make_model
from tests.miner.audit.planted import Artefacts, planted_pairs

SURFACE = """
name = "surface"
seeds = [1, 2]
[data.all]
train = {}
dev = { of = "train", sample = 40, balanced = true }
test = {}
[[system]]
kind = "tfidf"
[[system]]
kind = "lexical"
name = "length"
features = ["length"]
[[system]]
kind = "naive_bayes"
[[table]]
columns = "score"
[[table]]
title = "By domain"
columns = "domain"
test = "none"
"""


def write_rows(path: Path, seed: int, per_class: int) -> Path:
    """Pairs in which each class has a word of its own, half of them of each domain."""
    signs = dict(zip(Label, ("but", "hence", "namely", "also"), strict=True))
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(("sentence1", "sentence2", "label", "domain"))
        for number, pair in enumerate(planted_pairs(per_class, Artefacts(), seed=seed)):
            label = Label(pair.label)
            writer.writerow((pair.premise, f"{signs[label]} {pair.hypothesis}", label, "ab"[number // 4 % 2]))
    return path


@pytest.fixture
def project(tmp_path: Path) -> Any:
    files = [
        write_rows(tmp_path / f"{split}.csv", n, size) for n, (split, size) in enumerate((("train", 60), ("test", 20)))
    ]
    with Project.create(tmp_path / "demo.pairwright") as project:
        import_data_sets(project, files, "").work(Progress())
        yield project


def run(project: Project, experiment: Experiment | str, progress: Progress | None = None) -> ExperimentResult:
    asked = parse_experiment(experiment) if isinstance(experiment, str) else experiment
    return run_experiment(project, asked, project.path.parent, "cpu").work(progress or Progress())


def report(project: Project, id: int, folder: Path) -> dict[str, bytes]:
    """The files of a report, but for the one that says how long runs took."""
    paths = save_report(project, id, folder).work(Progress())
    return {path.name: path.read_bytes() for path in paths if path.name not in TIMED_FILES}


def test_a_file_becomes_tables_and_the_same_file_computes_nothing_again(project: Project) -> None:
    done = run(project, SURFACE)
    main, domains = done.tables.tables
    assert main.rows == ("TF-IDF", "length", "Naive Bayes")
    means = [row[-1].mean for row in main.values if row[-1] is not None]
    assert means[0] > 95
    assert means[1] < 50
    assert means[2] > 80
    assert main.values[0][-1] is not None
    assert main.values[0][-1].pairs == 80
    assert domains.columns == ("a", "b", "all pairs")
    assert (done.computed, done.problems) == (3, ())
    again = run(project, SURFACE)
    assert (again.id, again.computed, again.tables.tables) == (done.id, 0, done.tables.tables)


def test_one_program_runs_experiments_and_a_killed_one_is_stopped(project: Project) -> None:
    run(project, SURFACE)
    with project.transaction() as stores:  # as a killed program leaves it
        stores.experiments.start("surface", stores.experiments.get(1).recipe, "pairwright", datetime.now(UTC))
    [killed] = load_experiments(project).work(Progress())
    assert killed.state is ExperimentState.STOPPED
    with experiment_lock(project):
        [live] = load_experiments(project).work(Progress())
        assert live.state is ExperimentState.RUNNING
        with pytest.raises(UserError, match="running already"):
            run(project, SURFACE)
    assert run(project, SURFACE).tables.stored.state is ExperimentState.DONE


def test_while_one_experiment_runs_an_older_one_that_was_killed_is_stopped(project: Project) -> None:
    run(project, SURFACE)
    with project.transaction() as stores:
        recipe = dict(stores.experiments.get(1).recipe)
        stores.experiments.start("killed", recipe, "pairwright", datetime.now(UTC))
        stores.experiments.start("live", {**recipe, "name": "live"}, "pairwright", datetime.now(UTC))
    with experiment_lock(project):
        live, killed = load_experiments(project).work(Progress())
        forget_experiment(project, killed.id).work(Progress())
        with pytest.raises(UserError, match="is running"):
            forget_experiment(project, live.id).work(Progress())
    assert (live.state, killed.state) == (ExperimentState.RUNNING, ExperimentState.STOPPED)


def test_only_what_has_changed_is_computed_and_other_experiments_share_results(project: Project) -> None:
    run(project, SURFACE)
    edited = run(project, SURFACE.replace('kind = "tfidf"', 'kind = "tfidf"\nc = 2'))
    assert (edited.id, edited.computed) == (2, 1)
    forget_experiment(project, 2).work(Progress())
    [left] = load_experiments(project).work(Progress())
    assert (left.id, left.finished, left.state) == (1, 3, ExperimentState.DONE)
    with pytest.raises(UserError, match="no experiment 2"):
        load_tables(project, 2).work(Progress())
    delete_forgotten(project).work(Progress())
    assert run(project, SURFACE).computed == 0  # what both had is still there


def test_results_on_other_data_say_that_they_replace_the_earlier_ones(project: Project) -> None:
    first = run(project, SURFACE)
    assert not run(project, SURFACE).notes
    with project.transaction() as stores:
        [key, *_] = stores._connection.exec_driver_sql("SELECT key FROM pairs WHERE split = 'test'").scalars()
        stores.answers.append([NewAnswer(key, "ada", datetime.now(UTC), Answer.UNCLEAR)])
    [note] = run(project, SURFACE).notes
    assert note.startswith("The data have changed since this experiment was run: these results replace")
    with project.transaction() as stores:
        stores.answers.append([NewAnswer(key, "ada", datetime.now(UTC), None)])
    back = run(project, SURFACE)
    assert (back.computed, back.tables.tables) == (0, first.tables.tables)


def test_a_stopped_experiment_goes_on_and_ends_with_the_same_bytes(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    progress, real = Progress(), run_computation.run_isolated

    def cancelling(*args: Any, **options: Any) -> Any:
        result = real(*args, **options)
        progress.cancel()
        return result

    monkeypatch.setattr(run_computation, "run_isolated", cancelling)
    with pytest.raises(Cancelled):
        run(project, SURFACE, progress)
    monkeypatch.undo()
    [stopped] = load_experiments(project).work(Progress())
    assert (stopped.state, stopped.finished, stopped.cells) == (ExperimentState.STOPPED, 1, 3)
    assert run(project, SURFACE).computed == 2
    resumed = report(project, 1, tmp_path / "resumed")
    forget_experiment(project, 1).work(Progress())
    delete_forgotten(project).work(Progress())
    id = run(project, SURFACE).id
    assert report(project, id, tmp_path / "whole") == resumed
    assert set(resumed) >= {"report.md", "tables.tex", "tables.tsv", "cells.jsonl", "recipe.toml", "figure-1.svg"}


def test_an_encoder_learns_other_classes_subsets_and_what_another_set_taught_it(
    project: Project, tmp_path: Path
) -> None:
    tiny = make_model(tmp_path / "tiny")
    recipe = "settings = { epochs = 2, layers = 0, batch_pairs = 32 }"
    text = f"""
name = "encoders"
seeds = [1]
[data.all]
train = {{}}
dev = {{ of = "train", sample = 40 }}
test = {{}}
[data.easy]
of = "all"
subset = "easy"
[data.before]
where = {{ domains = ["a"] }}
train = {{}}
[classes]
neutral = ["neutral"]
linked = "others"
[cartography]
system = "plain"
epochs = 2
[[system]]
kind = "encoder"
name = "plain"
start = "{tiny}"
{recipe}
[[system]]
kind = "encoder"
name = "taught"
start = "{tiny}"
{recipe}
intermediate = {{ data = "before" }}
[[system]]
kind = "encoder"
name = "masked"
start = "{tiny}"
{recipe}
intermediate = {{ data = "before", objective = "mlm" }}
[[table]]
rows = "train"
columns = "score"
"""
    done = run(project, text)
    assert [view.rows for view in done.tables.tables] == [("all", "easy")] * 3
    assert done.tables.tables[0].columns == ("neutral", "linked", "macro F1", "accuracy")
    assert done.computed == 4
    assert [problem for problem in done.problems if "no token for a masked word" in problem]
    left = [path for path in (tmp_path / "demo.models" / "experiments").rglob("*") if path.is_file()]
    assert [path.suffix for path in left] == [".npz"]
    assert len(load_data_map(project, done.id).work(Progress())) == 200
    [path] = left
    whole = path.read_bytes()
    path.write_bytes(whole[:100])  # torn, as by a full disk
    assert run(project, text).computed == 0
    assert path.read_bytes() == whole


def test_a_model_as_it_is_predicts_classes_made_of_its_own(project: Project, tmp_path: Path) -> None:
    tiny = make_model(tmp_path / "tiny")
    model = f'[[system]]\nkind = "model"\nmodel = "{tiny}"\n'
    done = run(project, SURFACE.replace("[[table]]", f"{model}[[table]]", 1))
    assert done.tables.tables[0].rows[-1] == "tiny"
    two = SURFACE.replace("[[table]]", f'{model}[classes]\na = ["neutral"]\nb = "others"\n[[table]]', 1)
    found = run(project, two)
    assert (found.tables.tables[0].rows[-1], found.problems) == ("tiny", ())


def test_a_test_pair_that_was_learned_refuses_its_cells_with_the_count(project: Project, tmp_path: Path) -> None:
    leaking = SURFACE.replace(
        "[data.all]\ntrain = {}", '[data.all]\nfiles = { train = "train.csv", test = "train.csv" }\ntrain = {}'
    )
    done = run(project, leaking)
    assert "200 of all's test pairs are in the train part of all: take them out" in done.problems[0]
    assert all(value is None for view in done.tables.tables for row in view.values for value in row)
    allowed = run(project, replace(parse_experiment(leaking), allow_overlap=True))
    assert allowed.computed == 3


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("test = {}", 'test = { split = "dev" }', "test part of the set all has no pairs"),
        ("train = {}", 'train = {}\nwhere = { domain = ["a"] }', "no field domain"),
        ("[data.all]", '[data.all]\nfiles = { train = "gone.csv" }', "gone.csv"),
        ("test = {}", 'test = { split = "any" }\nwhere = { domains = ["x"] }', "part of the set all has no pairs"),
        ("[data.all]", '[data.all]\nwhere = { labels = ["neutral"] }', "has no contrasting pairs"),
        ("test = {}\n", "", "No set has a test part"),
    ],
)
def test_data_that_cannot_be_used_is_said_before_anything_runs(
    project: Project, old: str, new: str, message: str
) -> None:
    with pytest.raises(UserError, match=message):
        run(project, SURFACE.replace(old, new, 1))
    assert load_experiments(project).work(Progress()) == []


def test_a_missing_model_costs_its_system_alone(project: Project) -> None:
    model = '[[system]]\nkind = "model"\nmodel = "nowhere"\n'
    done = run(project, SURFACE.replace("[[table]]", f"{model}[[table]]", 1))
    assert done.computed == 3
    assert ["There is no model at nowhere" in problem for problem in done.problems] == [True]
    assert done.tables.stored.state is ExperimentState.FAILED  # its cell is missing
    assert "no model at nowhere" in done.tables.stored.problem


def test_files_that_are_not_there_are_named_with_what_to_do(project: Project) -> None:
    with pytest.raises(UserError, match=r"needs the file .*train\.csv, which does not exist") as caught:
        run(project, ready_text("transfer"))
    assert "--template" in caught.value.hint


def test_a_set_for_each_domain_and_their_union_are_a_matrix(project: Project) -> None:
    text = SURFACE.replace("[data.all]\n", '[data.domain]\neach = "domain"\n').replace(
        "[[system]]", '[data.both]\nunion = ["domain"]\ntrain = { sample = 120, balanced = true }\n[[system]]', 1
    )
    text = text[: text.index("[[table]]")] + '[[table]]\nrows = "train"\ncolumns = "test"\nagainst = "diagonal"\n'
    views = run(project, text).tables.tables
    assert [view.rows for view in views] == [("a", "b", "both")] * 3
    assert views[0].columns == ("a", "b")
    assert views[0].values[0][0] is not None
    assert views[0].values[0][0].is_in_domain


@pytest.mark.parametrize("field", ["lists", "outside_lists"])
def test_a_list_that_is_not_there_is_refused_with_those_that_are(project: Project, field: str) -> None:
    with project.read_transaction() as stores:
        keys = stores.pair_table.keys(stores.pair_table.ids(PairFilter())[:3])
    text = SURFACE.replace("[data.all]", f'[data.all]\nwhere = {{ {field} = ["", "nolist"] }}')
    with pytest.raises(UserError, match="no list called “nolist”") as caught:
        run(project, text)
    assert caught.value.hint == "The project has no lists."
    put_list(project, "noise", keys).work(Progress())
    with pytest.raises(UserError, match="the set all cannot be used") as caught:
        run(project, text)
    assert caught.value.hint == "There are: noise."
    checked = check_experiment(project, parse_experiment(text), project.path.parent).work(Progress())
    assert (checked.can_run, "nolist" in checked.problem) == (False, True)


def test_an_experiment_on_a_list_that_was_renamed_is_told_the_new_name(project: Project) -> None:
    with project.read_transaction() as stores:
        keys = stores.pair_table.keys(stores.pair_table.ids(PairFilter())[:3])
    text = SURFACE.replace("[data.all]", '[data.all]\nwhere = { outside_lists = ["noise"] }')
    put_list(project, "noise", keys).work(Progress())
    rename_list(project, "noise", "noisy").work(Progress())
    rename_list(project, "noisy", "typos").work(Progress())
    with pytest.raises(UserError, match="no list called “noise” any more: it was renamed to “typos”") as caught:
        run(project, text)
    assert caught.value.hint == "Write “typos” instead, or give the list its earlier name again."
    run(project, text.replace("noise", "typos"))
    rename_list(project, "typos", "noise").work(Progress())
    run(project, text)
    with pytest.raises(UserError, match="it was renamed to “noise”"):
        run(project, text.replace("noise", "noisy"))
    delete_list(project, "noise").work(Progress())
    with pytest.raises(UserError, match="no list called “noise”\\."):
        run(project, text)
