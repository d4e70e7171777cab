"""The widgets of the Train page: curves, the table of runs, the comparison of runs, and the form."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from desktop.jobs.models.registry import ModelChoice
from desktop.jobs.models.training_data import ReservedPairs, TrainingDataCounts
from desktop.jobs.models.training_history import TrainingHistory
from desktop.ui.pages.train.comparison import RunComparison
from desktop.ui.pages.train.figures import training_figure
from desktop.ui.pages.train.form import TrainForm
from desktop.ui.pages.train.run_card import RunCard
from desktop.ui.pages.train.runs_table import RunsTableModel
from desktop.ui.pages.train.text import comparison_text, progress_text, result_text
from desktop.ui.plots.plot import Plot
from desktop.ui.theme import Theme
from miner.classifier.events import TrainStep
from miner.classifier.recipe import FROM_STARTER, PAPERS, PRESETS, QUICK
from miner.records import Label
from storage.dataset.export_options import ExportOptions
from storage.models.registry import ModelKind
from storage.models.training_runs import TrainingRun, TrainingRunState

LABELS = [label.value for label in Label]
CHOICES = (ModelChoice("starter", "starter", ModelKind.STARTER, ""), ModelChoice("1-a", "a", ModelKind.PROJECT, ""))


def scores(macro_f1: float, *, n: int = 100, ece: float | None = 0.02, on: str = "") -> dict[str, Any]:
    each = {"precision": macro_f1, "recall": macro_f1, "f1": macro_f1, "support": n // 4}
    confusion = [[n // 4 if row == column else 0 for column in range(4)] for row in range(4)]
    per_class = dict.fromkeys(LABELS, each)
    return {
        "n": n,
        "accuracy": macro_f1,
        "macro_f1": macro_f1,
        "per_class": per_class,
        "confusion": confusion,
        "ece": ece,
        "measured_on": on or f"{n} pairs",
    }


def run(id: int, macro_f1: float | None = None, *, seed: int = 0, **changes: Any) -> TrainingRun:
    data = {"pairs": {"distant": {"neutral": 90}, "answer": {"neutral": 10}}, "examples": 100, "papers": 8}
    metrics = {} if macro_f1 is None else {"dev": scores(macro_f1), "seconds": 30.0}
    started = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(days=id)
    recipe = {"name": "quick", "seed": seed}
    base = TrainingRun(
        id, f"run {id}", TrainingRunState.DONE, {"start": "starter", "recipe": recipe}, "", data, {},
        started, None, metrics, {}, "", f"{id}-run", id,
    )  # fmt: skip
    return replace(base, **changes)


def test_stages_follow_each_other_on_one_axis() -> None:
    dev = [["", 10, 1, scores(0.5)], ["", 20, 2, scores(0.6)], ["fold 1 of 2", 8, 1, scores(0.4)]]
    history = {"loss": [["", 5, 1.2], ["", 20, 0.9], ["fold 1 of 2", 5, 1.1]], "dev": dev}
    figure = training_figure(TrainingHistory.from_data(history), steps={"fold 1 of 2": 30})
    assert (figure.separators, figure.length) == ((20,), 50)
    assert figure.ticks == ((10, "all labels"), (35, "fold 1 of 2"))
    loss, _ = figure.charts
    assert [[point.x for point in line] for line in loss.curves] == [[5, 20], [25]]
    notes = [mark.note for mark in figure.marks()]
    assert notes[1] == "Epoch 2, step 20: macro F1 60.0, accuracy 60.0 %, the best so far."
    assert notes[2].startswith("Fold 1 of 2, epoch 1, step 8: macro F1 40.0")


def test_each_measurement_has_a_mark(theme: Theme, qtbot: QtBot) -> None:
    plot = Plot(theme, "Training")
    qtbot.addWidget(plot)
    plot.resize(500, 300)
    history = {"loss": [["", 1, 1.0]], "dev": [["", 2, 1, scores(0.5)], ["", 4, 2, scores(0.4)]]}
    figure = training_figure(TrainingHistory.from_data(history))
    plot.show_figure(figure)
    plot.show()
    plot.grab()
    marks = list(figure.marks())
    assert len(marks) == 2
    for mark in marks:
        center = plot.mark_rect(mark).center()
        assert plot.rect().contains(center.toPoint())
        assert plot.mark_at(center) is mark
    plot.show_figure(training_figure(TrainingHistory()))
    plot.grab()
    assert [area for panel in plot.panels for area in panel.mark_areas] == []


def test_the_best_score_of_a_row_is_bold(theme: Theme, qtbot: QtBot) -> None:
    comparison = RunComparison(theme)
    qtbot.addWidget(comparison)
    comparison.resize(700, 400)
    comparison.show_runs([run(1, 0.6), run(2, 0.7), run(3)])
    assert comparison.model.best(0) == 0.7
    comparison.grab()
    marks = list(comparison.confusions.figure.marks())
    assert len(marks) == 32  # of those that were measured
    assert marks[0].note == "run 1: of 25 pairs labelled contrasting, 25 are predicted correctly."
    bold = [comparison.model.index(1, column).data(Qt.ItemDataRole.FontRole).weight() > 500 for column in range(4)]
    assert bold == [False, False, True, False]
    assert comparison.model.tsv().splitlines()[:2] == ["\trun 1\trun 2\trun 3", "Macro F1\t0.6000\t0.7000\t"]
    names = [comparison.model.index(row, 0).data() for row in range(comparison.model.rowCount())]
    assert (names[0], names[-1]) == ("Learned from", "Measured on")
    comparison.show_runs([run(1, 0.6)])
    assert comparison.model.best(0) is None


def test_runs_that_differ_only_by_seed_are_averaged() -> None:
    assert comparison_text([run(1, 0.66, seed=1), run(2, 0.68, seed=2)]) == (
        "2 seeds of one recipe: macro F1 67.0 ± 1.4."
    )
    twice = comparison_text([run(1, 0.66, seed=1), run(2, 0.68, seed=1)])
    assert twice == "run 2 is 2.0 points of macro F1 better than run 1 on the same 100 pairs."
    stopped = comparison_text([run(1, 0.66, seed=1), run(2, 0.68, seed=2, state=TrainingRunState.CANCELLED)])
    assert stopped.startswith("run 2 is 2.0 points")
    assert stopped.endswith("run 2 was stopped early.")
    other = run(3, 0.7, settings={"start": "1-a", "recipe": {"name": "quick", "seed": 1}})
    assert (
        comparison_text([run(1, 0.66), other])
        == "run 3 is 4.0 points of macro F1 better than run 1 on the same 100 pairs."
    )
    assert comparison_text([run(1), other]) == "Not all of these runs were measured."


@pytest.mark.parametrize("unlike", [scores(0.7, n=40), scores(0.7, on="others")])
def test_runs_measured_on_different_pairs_are_not_compared(theme: Theme, qtbot: QtBot, unlike: dict[str, Any]) -> None:
    runs = [run(1, 0.66, seed=1), run(2, seed=2, metrics={"dev": unlike})]
    assert comparison_text(runs).startswith(
        "These runs were measured on different pairs, so their scores cannot be compared."
    )
    comparison = RunComparison(theme)
    qtbot.addWidget(comparison)
    comparison.show_runs(runs)
    assert all(comparison.model.best(line) is None for line in range(7))


def test_the_starter_is_listed_as_the_baseline() -> None:
    metrics = {"dev": scores(0.7), "baseline": scores(0.6)}
    model = RunsTableModel()
    model.show_runs([run(1, 0.6), run(2, metrics=metrics)])
    assert [model.index(2, column).data() for column in (0, 1, 2, 4, 6)] == ["starter", "baseline", "60.0", "–", "–"]
    assert len(model.trained_runs) == 2
    better = "run 2 is 10.0 points of macro F1 better than starter on the same 100 pairs."
    assert comparison_text([model.rows[0], model.rows[2]]) == better
    assert result_text(model.rows[0]).endswith("The starter model has 60.0 on the same pairs.")


def test_the_table_of_runs_is_a_valid_model_and_sorts(qtmodeltester: Any) -> None:
    model = RunsTableModel()
    model.show_runs([run(2, 0.7), run(1, 0.6), run(3, state=TrainingRunState.PAUSED)])
    qtmodeltester.check(model)
    assert [item.id for item in model.rows] == [3, 2, 1]
    model.sort(2)
    assert [item.id for item in model.rows] == [3, 1, 2]
    assert model.index(0, 1).data() == "interrupted"
    assert model.row_of(2) == 2


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"problem": "The disk is full."}, "The disk is full."),
        ({"state": TrainingRunState.PAUSED}, "Interrupted: it can be resumed where it stopped."),
        ({"state": TrainingRunState.CANCELLED}, "Stopped. There were no held-out pairs to measure it on."),
    ],
)
def test_a_sentence_describes_the_result_of_a_run(changes: dict[str, Any], text: str) -> None:
    assert result_text(run(1, **changes)) == text


def test_figures_say_which_pairs_they_are_of() -> None:
    by_dev = run(1, metrics={"dev": scores(0.6, n=52)})
    by_folds = run(2, metrics={"dev": scores(0.6, n=52), "held_out": scores(0.7, n=640), "baseline": scores(0.5)})
    model = RunsTableModel()
    model.show_runs([by_dev, by_folds])
    assert "on 52 pairs held out for validation." in model.row_tip(by_dev)
    assert "on 640 pairs judged by cross-validation." in model.row_tip(by_folds)
    [baseline] = [one for one in model.rows if one not in (by_dev, by_folds)]
    assert "on 100 pairs judged by cross-validation." in model.row_tip(baseline)


def test_dev_pairs_are_not_among_those_that_a_model_learned_from() -> None:
    before = {"pairs": {"distant": {"neutral": 90}}, "examples": 90, "dev": 20, "papers": 8}  # of an earlier version
    for data, sources in ((before, "90 distant labels"), ({**before, "learned": {"distant": 70}}, "70 distant labels")):
        kept = run(1, 0.6, data=data)
        model = RunsTableModel()
        model.show_runs([kept])
        assert model.index(0, 4).data() == "70"
        assert f": {sources} of 8 papers" in model.row_tip(kept)


def test_an_interrupted_run_can_be_resumed_where_the_libraries_are(theme: Theme, qtbot: QtBot) -> None:
    card = RunCard(theme)
    qtbot.addWidget(card)
    interrupted = run(1, state=TrainingRunState.PAUSED)
    card.show_runs([interrupted], can_change=True)
    assert not card.resume.isHidden()
    card.show_runs([interrupted], can_change=True, can_train=False)
    assert card.resume.isHidden()
    assert not card.delete.isHidden()
    assert result_text(interrupted, can_train=False) == "Interrupted."


def test_a_line_describes_the_progress_of_a_training() -> None:
    three = progress_text(TrainStep(3, 40, 1.0, 120.0, 20.0, seconds=80.0), 2)  # two more seeds wait
    assert three == "Step 3 of 40 · 3 min left for 3 runs · 120 pairs/s"
    assert progress_text(TrainStep(3, 40, 1.0, 120.0, 95.0)) == "Step 3 of 40 · 2 min left · 120 pairs/s"
    assert (
        progress_text(TrainStep(3, 40, 1.0, 120.0, 5.0, "answers")) == "Answers · step 3 of 40 · 5 s left · 120 pairs/s"
    )


@pytest.fixture
def form(theme: Theme, qtbot: QtBot, tmp_path: Path) -> TrainForm:
    form = TrainForm(theme, tmp_path)
    qtbot.addWidget(form)
    form.show_choices(CHOICES)
    return form


def test_the_form_returns_its_values(form: TrainForm) -> None:
    assert form.recipe == replace(FROM_STARTER, folds=5)
    form.preset.setCurrentIndex(form.preset.findData("papers"))
    form.folds.setChecked(False)
    form.minutes.setValue(2)
    form.two_stage.setChecked(True)
    form.seed.setValue(7)
    assert form.recipe == replace(PAPERS, seconds=120, two_stage=True, seed=7)
    form.implicit.setChecked(True)
    form.min_confidence.setValue(90)
    form.distant.setChecked(False)
    options = form.options
    assert (options.start, options.distant, options.answers, options.implicit_above) == ("starter", False, True, 0.9)


def test_every_recipe_can_be_chosen_and_is_explained(form: TrainForm) -> None:
    form.folds.setChecked(False)
    for number, recipe in enumerate(PRESETS.values()):
        form.preset.setCurrentIndex(number)
        assert form.recipe == recipe
        assert form.recipe_text.text()


def test_several_seeds_are_several_runs(form: TrainForm) -> None:
    form.name.setText("mine")
    form.seeds.setValue(3)
    form.seed.setValue(5)
    assert [(item.name, item.recipe.seed) for item in form.options_by_seed] == [
        ("mine, seed 5", 5),
        ("mine, seed 6", 6),
        ("mine, seed 7", 7),
    ]


def test_the_recipe_follows_the_model_to_start_from(form: TrainForm, tmp_path: Path) -> None:
    form.start.choose(str(tmp_path))
    assert form.recipe.learning_rate == QUICK.learning_rate
    form.start.choose("1-a")
    assert form.recipe.learning_rate == FROM_STARTER.learning_rate


def test_the_form_shows_the_labels_to_learn(form: TrainForm) -> None:
    counts = dict.fromkeys(LABELS, 3)
    form.show_counts(TrainingDataCounts(12, 2, {"distant": 11, "answer": 1}, counts, warnings=("Few.",)))
    assert form.sources.text() == "Learns from 11 distant labels and 1 answer of 2 papers."
    assert form.classes.text() == "C 3 · R 3 · E 3 · N 3"
    assert form.warning.text == "Few."
    form.show_counts(TrainingDataCounts(0, 0, {}, counts, "There are only 0 labels.", "Answer some."))
    assert form.problem.text == "There are only 0 labels. Answer some."


def test_dev_and_test_pairs_of_the_last_export_are_left_out_by_default(form: TrainForm) -> None:
    assert form.options.split_export is None
    last = ExportOptions(shares=(("train", 80), ("dev", 10), ("test", 10)), seed=3)
    form.show_split_export(last)
    assert form.options.split_export == last
    form.leave_out_export.setChecked(False)
    assert form.options.split_export is None
    form.show_split_export(None)
    assert form.leave_out_export.isHidden()


def test_the_form_shows_what_is_left_out(form: TrainForm) -> None:
    counts = dict.fromkeys(LABELS, 3)
    form.show_counts(TrainingDataCounts(12, 2, {"distant": 12}, counts, reserved=ReservedPairs(by=50, test=1_200)))
    text = "The best epoch is chosen on 50 pairs of the dev split. Left out: 1,200 pairs of the test split."
    assert form.reserved.text() == text
    assert not form.reserved.isHidden()
