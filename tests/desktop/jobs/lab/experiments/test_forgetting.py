"""Forgetting an experiment can be undone until what is forgotten is deleted; then nothing of it alone is left."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop.jobs.exchange.imports import import_data_sets
from desktop.jobs.lab.experiments.forgetting import delete_forgotten, forget_experiment
from desktop.jobs.lab.experiments.results import load_experiments
from desktop.jobs.lab.experiments.running import experiment_lock
from desktop.jobs.models.registry import models_folder
from desktop.jobs.review.answers import redo, undo, undo_titles
from miner.errors import UserError
from miner.progress import Progress
from storage.changes import Changes
from storage.lab.experiments import ExperimentState
from storage.pairs.filters import PairFilter
from storage.project import Project
from tests.desktop.jobs.lab.experiments.test_run import SURFACE, run, write_rows

HYPOTHESES = SURFACE.replace('kind = "naive_bayes"', 'kind = "naive_bayes"\ninput = "hypothesis"')


@pytest.fixture(scope="module")
def computed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with an experiment."""
    folder = tmp_path_factory.mktemp("computed")
    files = [
        write_rows(folder / f"{split}.csv", n, size) for n, (split, size) in enumerate((("train", 40), ("test", 20)))
    ]
    with Project.create(folder / "demo.pairwright") as project:
        import_data_sets(project, files, "").work(Progress())
        run(project, SURFACE)
    return project.path


@pytest.fixture
def project(computed: Path, tmp_path: Path) -> Iterator[Project]:
    with Project.open(shutil.copy(computed, tmp_path / "demo.pairwright")) as project:
        yield project


def listed(project: Project) -> list[int]:
    return [one.id for one in load_experiments(project).work(Progress())]


def count_misread(project: Project) -> int:
    with project.read_transaction() as stores:
        return stores.pair_table.count(PairFilter(misread=True))


def test_a_forgotten_experiment_comes_back_by_undo_and_goes_again_by_redo(project: Project) -> None:
    misread = count_misread(project)
    assert misread
    assert forget_experiment(project, 1).work(Progress()) == Changes(experiments=True)
    assert (listed(project), count_misread(project)) == ([], 0)
    assert undo_titles(project, "mk").work(Progress())[0] == "Forget the experiment “surface”"
    undone = undo(project, "mk").work(Progress())
    assert undone is not None
    assert (undone.changes.experiments, undone.changes.settings) == (True, False)
    assert (listed(project), count_misread(project)) == ([1], misread)
    redo(project, "mk").work(Progress())
    assert listed(project) == []


def test_a_forgotten_experiment_that_runs_again_is_back_with_its_results(project: Project) -> None:
    forget_experiment(project, 1).work(Progress())
    again = run(project, SURFACE)
    assert (again.id, again.computed, listed(project)) == (1, 0, [1])
    undone = undo(project, "mk").work(Progress())
    assert undone is not None
    assert "meanwhile" in undone.title  # it is there already


def test_deleting_leaves_what_other_experiments_need(project: Project) -> None:
    [kept] = [done.id for done in [run(project, HYPOTHESES)]]
    maps = models_folder(project) / "experiments" / "maps"
    maps.mkdir(parents=True)
    with project.read_transaction() as stores:
        own = {cell.run for cell in stores.experiments.cells(1)} - {cell.run for cell in stores.experiments.cells(kept)}
        shared = {cell.run for cell in stores.experiments.cells(kept)}
    for key in (*own, *shared):
        (maps / f"{key}.npz").write_bytes(b"map")
    forget_experiment(project, 1).work(Progress())
    assert delete_forgotten(project).work(Progress()).results.experiments == 1
    assert {path.stem for path in maps.iterdir()} == shared
    assert run(project, HYPOTHESES).computed == 0
    assert run(project, SURFACE).computed == len(own) == 1  # what only the forgotten one had is computed again
    forget_experiment(project, 2).work(Progress())
    [known] = listed(project)
    forget_experiment(project, known).work(Progress())
    deleted = delete_forgotten(project).work(Progress())
    assert (deleted.results.experiments, deleted.files) == (2, len(shared))
    with project.read_transaction() as stores:
        counts = [
            stores._connection.exec_driver_sql(f"SELECT count(*) FROM {table}").scalar_one()
            for table in ("experiments", "test_parts", "test_items", "experiment_cells", "predictors", "predictions")
        ]
    assert counts == [0] * 6
    undone = undo(project, "mk").work(Progress())
    assert undone is not None
    assert listed(project) == []
    assert "stayed as now" in undone.title


def test_an_experiment_that_is_running_is_not_forgotten(project: Project) -> None:
    with project.transaction() as stores:
        recipe = stores.experiments.get(1).recipe
        stores.experiments.start(
            "surface", recipe, "pairwright", load_experiments(project).work(Progress())[0].started_at
        )
        assert stores.experiments.get(1).state is ExperimentState.RUNNING
    with experiment_lock(project), pytest.raises(UserError, match="running"):
        forget_experiment(project, 1).work(Progress())
    with pytest.raises(UserError, match="no experiment 9"):
        forget_experiment(project, 9).work(Progress())
