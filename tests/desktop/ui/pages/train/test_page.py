"""The Train page: training a model, stopping it, and using it for suggestions."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from desktop.ui.pages.train.page import TrainPage
from desktop.ui.services.project_context import ProjectContext
from storage.models.training_runs import TrainingRunState
from tests.desktop.model_factory import make_model
from tests.desktop.ui.conftest import pop_problems, show_page

_TIMEOUT_MS = 120_000  # a process imports torch, maybe on a busy machine


@pytest.fixture
def page(context: ProjectContext, qtbot: QtBot, tmp_path: Path) -> TrainPage:
    """The page set to train a tiny model for one epoch."""
    page = TrainPage(context)
    show(page, qtbot)
    page.form.start.choose(str(make_model(tmp_path / "tiny")))
    page.form.folds.setChecked(False)
    page.form.epochs.setValue(1)
    wait_until_idle(page, qtbot)
    return page


def show(page: TrainPage, qtbot: QtBot) -> None:
    show_page(page, qtbot, 960, 620)
    wait_until_idle(page, qtbot)


def wait_until_idle(page: TrainPage, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: not page.context.runner.running and not page._count_timer.isActive(), timeout=_TIMEOUT_MS)


def test_a_model_is_trained_and_can_be_used(page: TrainPage, qtbot: QtBot) -> None:
    assert page.card.waiting_label.isVisible()
    page.form.name.setText("mine")
    wait_until_idle(page, qtbot)
    assert page._counts is not None
    assert page.button.text() == f"T&rain on {page._counts.pairs:,} pairs"
    page.button.click()
    assert not page.button.isEnabled()
    assert page.card.stop.isVisible()
    qtbot.waitUntil(lambda: not page.trainings.runs, timeout=_TIMEOUT_MS)
    wait_until_idle(page, qtbot)
    [run] = page.model.trained_runs
    assert [run.name for run in page.model.rows] == ["mine", "starter"]  # the baseline
    assert (run.name, run.state) == ("mine", TrainingRunState.DONE)
    assert page.card.runs == [run]
    assert page.card.heading.text() == "mine"
    assert list(page.card.plot.figure.marks())
    assert page.card.summary.startswith("Macro F1 ")
    assert page.button.isEnabled()
    pages: list[str] = []
    page.context.page_requested.connect(pages.append)
    page.card.use.click()
    assert (pages, page.context.requested_model) == (["suggest"], run.folder)


def test_a_training_stopped_before_it_began_leaves_no_model(page: TrainPage, qtbot: QtBot) -> None:
    page.form.seeds.setValue(2)
    wait_until_idle(page, qtbot)
    assert page.button.text().startswith("T&rain 2 models on ")
    page.button.click()
    assert page.card.heading.text() == "Training, 1 more run to come"
    page.card.stop.click()
    qtbot.waitUntil(lambda: not page.trainings.runs, timeout=_TIMEOUT_MS)
    wait_until_idle(page, qtbot)
    assert [run for run in page.model.rows if run.model_id is not None] == []
    assert page.button.isEnabled()


def test_too_few_labels_are_reported_before_the_training(page: TrainPage, qtbot: QtBot) -> None:
    page.form.distant.setChecked(False)
    wait_until_idle(page, qtbot)
    assert "labels to learn from" in page.form.problem.text
    assert not page.button.isEnabled()


def test_a_missing_model_is_reported_on_the_page(page: TrainPage, qtbot: QtBot, tmp_path: Path) -> None:
    (tmp_path / "tiny" / "model.safetensors").unlink()
    page.button.click()
    qtbot.waitUntil(lambda: not page.trainings.runs, timeout=_TIMEOUT_MS)
    wait_until_idle(page, qtbot)
    assert "There are no weights" in page.problem.text
    [problem] = pop_problems(page.context.problems)
    assert problem.is_on_page


def test_a_read_only_project_cannot_be_trained_on(context: ProjectContext, qtbot: QtBot) -> None:
    context.read_only = True
    page = TrainPage(context)
    show(page, qtbot)
    assert "is read-only" in page.problem.text
    assert not page.button.isEnabled()


def test_a_project_without_pairs_offers_to_add_papers(empty_context: ProjectContext, qtbot: QtBot) -> None:
    page = TrainPage(empty_context)
    show(page, qtbot)
    assert page.empty.isVisible()
    assert not page.content.isVisible()
