"""`kill -9` at any step of suggest and at the steps of train around its process: nothing half, and it goes on."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop.cli.main import main
from desktop.jobs.models import suggestions
from desktop.jobs.models.model_options import SuggestOptions
from desktop.jobs.models.suggestions import suggest
from desktop.jobs.models.training import resume
from desktop.jobs.models.training_runs import load_runs
from miner.progress import Progress
from miner.records import Label
from storage.models.training_runs import TrainingRunState
from storage.project import Project
from tests.desktop.model_factory import make_model
from tests.killable_calls import KillableCalls
from tests.storage.factories import add, mine


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A mined project, and a model."""
    folder = tmp_path_factory.mktemp("whole")
    with Project.create(folder / "whole.pairwright") as project:
        add(project, [f"paper {number}" for number in range(40)])
        mine(project)
    return folder / "whole.pairwright", make_model(folder / "tiny")


@pytest.fixture(scope="module")
def calls(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KillableCalls]:
    imported = ("miner.classifier.training", "transformers.models.bert.modeling_bert")
    with KillableCalls(["desktop.cli.models"], imported, tmp_path_factory.mktemp("data"), ["replace"]) as calls:
        yield calls


def suggestions_of(project: Project) -> dict[int, Label]:
    """What is shown, by pair; all of them."""
    with project.read_transaction() as stores:
        shown = stores.suggestions.current_run()
        assert shown is not None
        assert (shown.state, shown.pairs) == ("complete", stores.suggestion_statistics.count_to_score())
        ids = list(stores._connection.exec_driver_sql("SELECT id FROM pairs").scalars())
        found = stores.suggestions.of_pairs(ids)
        assert len(found) == len(ids)
        return {id: suggestion.label for id, suggestion in found.items()}


def test_a_killed_suggest_goes_on_where_it_was(whole: tuple[Path, Path], calls: KillableCalls, tmp_path: Path) -> None:
    before, model = whole
    step, ended = 2, False
    wanted: dict[int, Label] = {}
    while not ended:
        path = tmp_path / f"{step}.pairwright"
        shutil.copy(before, path)
        ended = calls.ends_before(step, ["--project", path, "suggest", "--model", model, "--quiet"])
        with Project.open(path) as project:
            assert project.check() == []
            suggest(project, SuggestOptions(str(model))).work(Progress())
            found = suggestions_of(project)
        wanted = wanted or found
        assert found == wanted, f"killed at step {step}"
        step += 3
    suggestions.release_model()
    assert step > 10


@pytest.mark.parametrize("step", [1, pytest.param(6, marks=pytest.mark.slow)])
def test_a_killed_train_leaves_a_run_that_goes_on_or_none(
    step: int,
    whole: tuple[Path, Path],
    calls: KillableCalls,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    before, model = whole
    path = tmp_path / "killed.pairwright"
    shutil.copy(before, path)
    words = ("train", "--start", str(model), "--recipe", "quick", "--epochs", "1", "--quiet")
    assert not calls.ends_before(step, ["--project", path, *words])
    with Project.open(path) as project:
        assert project.check() == []
        known = load_runs(project).work(Progress())
        if known:
            assert [run.state for run in known] == [TrainingRunState.PAUSED]
            resume(project, known[0].id).work(Progress())
        else:
            assert main(["--project", str(path), *words]) == 0
        assert [run.state for run in load_runs(project).work(Progress())] == [TrainingRunState.DONE]
    folders = [folder.name for folder in path.with_name("killed.models").iterdir() if folder.is_dir()]
    assert len(folders) == 1
    capsys.readouterr()
