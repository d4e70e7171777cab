"""Filters by what systems of experiments predict: names in chips and menus, and what the details say of a pair."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from pytestqt.qtbot import QtBot

from desktop.jobs.lab.experiments.forgetting import forget_experiment
from desktop.ui.filters.filter_picker import ValuePicker
from desktop.ui.pages.pairs.page import PairsPage
from desktop.ui.services.display_names import filter_text
from desktop.ui.services.project_context import ProjectContext
from storage.pairs.filters import PairFilter
from tests.desktop.experiment_factory import CLASSES, store_experiment
from tests.desktop.ui.conftest import show_page


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
def test_cells_are_named_in_chips_and_counted_in_the_menu(context: ProjectContext, qtbot: QtBot) -> None:
    script = store_experiment(context.project)
    seeds = frozenset(script.keys[0, "own", "own", seed] for seed in (1, 2))
    context.pairs_page_filter = PairFilter(cells=seeds, misread=True)
    page = PairsPage(context)
    show_page(page, qtbot)
    chip = page.filter_bar.chips["cells"].text_button
    qtbot.waitUntil(lambda: chip.text() == "Experiment: CBOW, trained on own, tested on own, 2 seeds")
    qtbot.waitUntil(lambda: page.model.rowCount() == len(script.misread(*seeds)))
    assert filter_text(context.pairs_page_filter) == "Experiment: 2 cells · Predicted: wrongly"
    page.filter_bar.pick("cells")
    picker = page.filter_bar.picker
    assert isinstance(picker, ValuePicker)
    qtbot.waitUntil(lambda: picker.list.topLevelItemCount() == 6)  # not those tested on a file alone
    rows = {item.text(0): item.text(1) for item in map(picker.list.topLevelItem, range(6)) if item is not None}
    own = len(script.predicted[script.keys[1, "own", "own", 1]])
    assert rows["Naive Bayes, trained on own, tested on own"] == f"{own:,}"
    assert "CBOW, trained on file, tested on own, seed 2" in rows
    picker.close()


def test_the_details_of_a_pair_say_what_systems_predict_the_wrong_ones_first(
    context: ProjectContext, qtbot: QtBot
) -> None:
    script = store_experiment(context.project)
    cell = script.keys[1, "own", "own", 1]
    context.pairs_page_filter = PairFilter(cells=frozenset([cell]), misread=True, predicted=frozenset(["neutral"]))
    page = PairsPage(context)
    show_page(page, qtbot)
    qtbot.waitUntil(lambda: "Naive Bayes" in page.inspector.details.predictions.text())
    lines = page.inspector.details.predictions.text().splitlines()
    assert lines[0] == "Predictions in experiments"
    assert "Naive Bayes, trained on own: neutral, 70 %" in lines
    line = page.model.line(0)
    assert line is not None
    is_wrong = [f": {line.label}," not in one for one in lines[1:]]
    assert is_wrong == sorted(is_wrong, reverse=True)
    assert any("(mean of 2 runs)" in one for one in lines)


def test_wrongly_and_rightly_predicted_pairs_and_classes_are_counted(context: ProjectContext) -> None:
    script = store_experiment(context.project)
    cell = script.keys[1, "own", "own", 1]
    filter, misread = PairFilter(cells=frozenset([cell])), len(script.misread(cell))
    with context.project.read_transaction() as stores:
        counts = {count.value: count.pairs for count in stores.pair_table.facet_counts(filter, "misread")}
        wrong = replace(filter, misread=True)
        predicted = {count.value: count.pairs for count in stores.pair_table.facet_counts(wrong, "predicted")}
    assert counts == {True: misread, False: len(script.predicted[cell]) - misread}
    assert predicted.keys() <= {*CLASSES, ""}
    assert sum(predicted.values()) == misread


def test_pairs_of_a_forgotten_experiment_go_and_come_back(
    context: ProjectContext, qtbot: QtBot, wait_until_idle: Callable[[PairsPage], None]
) -> None:
    script = store_experiment(context.project)
    context.pairs_page_filter = PairFilter(cells=frozenset([script.keys[1, "own", "own", 1]]), misread=True)
    page = PairsPage(context)
    show_page(page, qtbot)
    wait_until_idle(page)
    shown = page.model.rowCount()
    assert shown > 0
    context.change(forget_experiment(context.project, script.id))
    wait_until_idle(page)
    assert page.model.rowCount() == 0
    context.undo()
    wait_until_idle(page)
    assert page.model.rowCount() == shown
