"""The Train page: a model is trained, watched, kept, and used for suggestions."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from desktop.jobs.open_project import open_project
from desktop.ui.pages.train.page import TrainPage
from desktop.ui.services.project_context import ProjectContext
from miner.progress import Progress
from storage.models.training_runs import TrainingRunState
from tests.desktop.model_factory import make_model
from tests.desktop.ui.conftest import taken

_LONG = 120_000  # ms: a process that imports torch while others want the processor too


@pytest.fixture
def page(context: ProjectContext, qtbot: QtBot, tmp_path: Path) -> TrainPage:
    """With a tiny model to start from, and the shortest of trainings."""
    page = TrainPage(context)
    shown(page, qtbot)
    page.form.start.choose(str(make_model(tmp_path / "tiny")))
    page.form.folds.setChecked(False)
    page.form.epochs.setValue(1)
    settled(page, qtbot)
    return page


def shown(page: TrainPage, qtbot: QtBot) -> None:
    qtbot.addWidget(page)
    page.resize(960, 620)
    page.show()
    page.activate()
    settled(page, qtbot)


def settled(page: TrainPage, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: not page.context.runner.running and not page._wait.isActive(), timeout=_LONG)


def test_a_model_is_trained_and_can_be_used(page: TrainPage, qtbot: QtBot) -> None:
    assert page.card.waiting_label.isVisible()
    page.form.name.setText("mine")
    settled(page, qtbot)
    assert page._counts is not None
    assert page.button.text() == f"T&rain on {page._counts.pairs:,} pairs"
    page.button.click()
    assert not page.button.isEnabled()
    assert page.card.stop.isVisible()
    qtbot.waitUntil(lambda: not page._going, timeout=_LONG)
    settled(page, qtbot)
    [run] = page.model.trained
    assert [one.name for one in page.model.runs] == ["mine", "starter"]  # the baseline
    assert (run.name, run.state) == ("mine", TrainingRunState.DONE)
    assert page.card.runs == [run]
    assert page.card.heading.text() == "mine"
    assert list(page.card.plot.figure.marks())
    assert page.card.summary.startswith("Macro F1 ")
    assert page.button.isEnabled()
    asked: list[str] = []
    page.context.page_requested.connect(asked.append)
    page.card.use.click()
    assert (asked, page.context.requested_model) == (["suggest"], run.folder)


def test_a_training_that_is_stopped_before_it_began_leaves_no_model(page: TrainPage, qtbot: QtBot) -> None:
    page.form.seeds.setValue(2)
    settled(page, qtbot)
    assert page.button.text().startswith("T&rain 2 models on ")
    page.button.click()
    assert page.card.heading.text() == "Training, 1 more run to come"
    page.card.stop.click()
    qtbot.waitUntil(lambda: not page._going, timeout=_LONG)
    settled(page, qtbot)
    assert [run for run in page.model.runs if run.model_id is not None] == []
    assert page.button.isEnabled()


def test_too_few_labels_are_told_before_anything_is_trained(page: TrainPage, qtbot: QtBot) -> None:
    page.form.distant.setChecked(False)
    settled(page, qtbot)
    assert "labels to learn from" in page.form.problem.text
    assert not page.button.isEnabled()


def test_a_model_that_is_gone_is_a_sentence_on_the_page(page: TrainPage, qtbot: QtBot, tmp_path: Path) -> None:
    (tmp_path / "tiny" / "model.safetensors").unlink()
    page.button.click()
    qtbot.waitUntil(lambda: not page._going, timeout=_LONG)
    settled(page, qtbot)
    assert "There are no weights" in page.problem.text
    [problem] = taken(page.context.problems)
    assert problem.is_on_page


def test_a_project_that_can_only_be_read_trains_nothing(context: ProjectContext, qtbot: QtBot) -> None:
    context.read_only = True
    page = TrainPage(context)
    shown(page, qtbot)
    assert "can only be read" in page.problem.text
    assert not page.button.isEnabled()


def test_without_pairs_there_is_one_button(context: ProjectContext, qtbot: QtBot, tmp_path: Path) -> None:
    opened = open_project(tmp_path / "empty.pairwright", create=True).work(Progress())
    empty = ProjectContext(
        opened,
        runner=context.runner,
        problems=context.problems,
        actions=context.actions,
        settings_store=context.settings_store,
        theme=context.theme,
    )
    page = TrainPage(empty)
    shown(page, qtbot)
    assert page.empty.isVisible()
    assert not page.whole.isVisible()
    page.close()
    empty.close()
