"""Predictions of models as they are: computed once, by whatever asks first, and kept with what they depend on."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from desktop.jobs.exchange.imports import import_data_sets
from desktop.jobs.lab.experiments import run_computation
from desktop.jobs.lab.experiments.forgetting import delete_forgotten, forget_experiment
from desktop.jobs.lab.experiments.run import ExperimentResult, run_experiment
from desktop.jobs.models import evaluation as evaluation_module
from desktop.jobs.models.evaluation import Evaluation, evaluate
from desktop.jobs.models.evaluation_data import EvaluateOptions
from desktop.jobs.models.kept_predictions import PredictingModel, keep_predictions, predictor_info, read_kept
from miner.lab.experiments.experiment_file import parse_experiment
from miner.progress import Progress
from miner.records import Label
from storage.project import Project
from tests.desktop.jobs.lab.experiments.test_run import write_rows
from tests.desktop.model_factory import make_model

CLASSES = tuple(map(str, Label))


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    with Project.create(tmp_path / "demo.pairwright") as project:
        files = [write_rows(tmp_path / "test.csv", 1, 10), write_rows(tmp_path / "more.csv", 2, 5)]
        import_data_sets(project, files, "").work(Progress())
        yield project


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    return make_model(tmp_path / "tiny", temperature=1.5)


def evaluated(project: Project | None, tiny: Path, *files: str, device: str = "cpu") -> Evaluation:
    folder = tiny.parent
    options = EvaluateOptions(models=(str(tiny),), files=tuple(folder / file for file in files), device=device)
    return evaluate(project, options).work(Progress())


def experiment(project: Project, tiny: Path, extra: str = "", device: str = "cpu") -> ExperimentResult:
    text = f"""
name = "as it is"
[data.all]
test = {{}}
[[system]]
kind = "model"
model = "{tiny}"
{extra}
"""
    return run_experiment(project, parse_experiment(text), tiny.parent, device).work(Progress())


def predictors(project: Project) -> dict[str, int]:
    """How many predictions are kept, by digest."""
    sql = "SELECT digest, count(*) FROM predictors JOIN predictions ON predictor = predictors.id GROUP BY 1"
    with project.read_transaction() as stores:
        return dict(stores._connection.exec_driver_sql(sql).fetchall())


def refuse(*args: Any, **options: Any) -> Any:
    raise AssertionError("nothing is to be computed")


def test_what_an_evaluation_computes_is_kept_and_the_same_scores_come_without_the_model(
    project: Project, tiny: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = evaluated(None, tiny, "test.csv").rows[0].results[0]
    first = evaluated(project, tiny, "test.csv").rows[0].results[0]
    assert (alone.reused, first.reused, sum(predictors(project).values())) == (0, 0, 40)
    with monkeypatch.context() as patch:
        patch.setattr(evaluation_module.ModelProcess, "predict", refuse)
        again = evaluated(project, tiny, "test.csv").rows[0].results[0]
    assert again.reused == 40
    assert again.device == first.device
    assert again.scores == first.scores == alone.scores
    more = evaluated(project, tiny, "test.csv", "more.csv").rows[0].results[0]
    assert (more.reused, sum(predictors(project).values())) == (40, 60)
    assert evaluated(None, tiny, "test.csv", "more.csv").rows[0].results[0].scores == more.scores


def test_an_experiment_and_an_evaluation_share_the_predictions_of_a_model(
    project: Project, tiny: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    evaluated(project, tiny, "test.csv")
    with monkeypatch.context() as patch:
        patch.setattr(run_computation, "run_isolated", refuse)
        done = experiment(project, tiny)
    assert done.computed == 1
    [note] = done.notes
    assert note.startswith("tiny: 40 predictions of the same model were made earlier (processor")
    [number] = predictors(project).values()
    assert number == 40
    scores = evaluated(project, tiny, "test.csv").rows[0].results[0].scores
    accuracy = done.tables.tables[0].values[0][-1]
    assert accuracy is not None
    assert accuracy.mean == pytest.approx(100 * scores.accuracy)


def test_an_experiment_computes_first_and_the_evaluation_takes_it(project: Project, tiny: Path) -> None:
    experiment(project, tiny)
    assert evaluated(project, tiny, "test.csv", "more.csv").rows[0].results[0].reused == 40
    other = evaluated(None, tiny, "test.csv").rows[0].results[0].scores
    kept = evaluated(project, tiny, "test.csv").rows[0].results[0].scores
    assert kept.accuracy == other.accuracy
    assert kept.ece == pytest.approx(other.ece, abs=1e-5)


def test_another_input_classes_or_model_are_kept_apart(project: Project, tiny: Path, tmp_path: Path) -> None:
    experiment(project, tiny)
    experiment(project, tiny, 'input = "hypothesis"')
    experiment(project, tiny, 'input = "swapped"')
    assert sorted(predictors(project).values()) == [40, 40, 40]
    order = "\n".join(f'{label} = ["{label}"]' for label in reversed(CLASSES))
    experiment(project, tiny, f"[classes]\n{order}")
    experiment(project, make_model(tmp_path / "other", seed=3))
    assert sorted(predictors(project).values()) == [40] * 5


def test_what_two_devices_computed_is_never_mixed(project: Project, tiny: Path) -> None:
    """As after a run on a graphics card that is not there any more: its probabilities are of other rounding."""
    evaluated(project, tiny, "test.csv")
    [digest] = predictors(project)
    with project.read_transaction() as stores:
        info = stores.cell_predictions.predictor(digest)
        rows = stores._connection.exec_driver_sql("SELECT text_hash, probabilities FROM predictions").fetchall()
    assert info is not None
    model = PredictingModel(json.loads(digest)[1], "tiny", "both", CLASSES)
    hashes = [hash for hash, _ in rows]
    half = {hash: np.array([0, 0, 0, 1], "<f4").tobytes() for hash in hashes[:30]}
    project_on_card = predictor_info(model, "cuda bf16", "a card", 1.0, ())
    with project.transaction() as stores:
        stores._connection.exec_driver_sql("DELETE FROM predictors")
    assert keep_predictions(project, project_on_card, half)
    assert len(read_kept(project, model, hashes, "auto").by_text) == 30
    assert read_kept(project, model, hashes, "cpu").by_text == {}
    result = evaluated(project, tiny, "test.csv", device="auto").rows[0].results[0]
    assert result.reused == 0
    assert result.scores == evaluated(None, tiny, "test.csv").rows[0].results[0].scores
    assert sorted(predictors(project).values()) == [30, 40]
    done = experiment(project, tiny, device="auto")  # now the processor has more
    assert "40 predictions of the same model were made earlier (processor" in done.notes[0]
    with project.transaction() as stores:
        stores._connection.exec_driver_sql("DELETE FROM predictors")
    keep_predictions(project, project_on_card, half)
    assert experiment(project, tiny, device="auto").computed == 1
    assert sorted(predictors(project).values()) == [30, 40]


def test_kept_predictions_go_when_nothing_needs_them(project: Project, tiny: Path) -> None:
    done = experiment(project, tiny)
    [digest] = predictors(project)
    model = json.loads(digest)[1]
    with project.transaction() as stores:
        stores.predictions.forget_model(model)  # as when the run that trained it is deleted
    assert predictors(project) == {digest: 40}  # the experiment's tables are made of them
    forget_experiment(project, done.id).work(Progress())
    delete_forgotten(project).work(Progress())
    with project.transaction() as stores:
        for name in "abcdefghij":
            other = PredictingModel(name, name, "both", CLASSES)
            info = predictor_info(other, "cpu fp32", "processor", 0.0, ())
            stores.predictions.save(info, [(b"0" * 16, bytes(16))], datetime.now(UTC))
        stores.predictions.delete_unlisted()
    assert len(predictors(project)) == 8
    with project.transaction() as stores:
        stores.predictions.forget_model("j")
    assert len(predictors(project)) == 7
