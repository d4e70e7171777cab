"""The tables of an experiment in the window: numbers, what they open, copies, the report, filling while it runs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from desktop.jobs.lab.experiments.grid import load_headlines
from desktop.jobs.review.answers import mark as mark_pairs
from desktop.ui.pages.experiments.error_round_dialog import ErrorRoundDialog
from desktop.ui.pages.experiments.misread_dialog import MisreadRowsDialog
from desktop.ui.pages.experiments.result_card import ResultCard
from desktop.ui.pages.experiments.result_table import IN_DOMAIN_ROLE
from desktop.ui.pages.experiments.result_view import ExperimentResultView
from desktop.ui.plots.figures import HeatmapFigure, LineFigure
from desktop.ui.services.project_context import ProjectContext
from miner.progress import Progress
from storage.annotation.marks import MarkKind
from storage.pairs.filters import PairFilter
from storage.pairs.tags import LABEL_WRONG
from storage.project import Project
from tests.desktop.experiment_factory import (
    CLASSES,
    OUTSIDE,
    REFUSED,
    Scripted,
    finish_cells,
    store_direction,
    store_experiment,
)

Show = Callable[[int], ExperimentResultView]


@pytest.fixture
def script(context: ProjectContext) -> Scripted:
    return store_experiment(context.project)


@pytest.fixture
def show(context: ProjectContext, qtbot: QtBot) -> Show:
    def show(id: int) -> ExperimentResultView:
        view = ExperimentResultView(context)
        qtbot.addWidget(view)
        view.resize(900, 700)
        with qtbot.waitActive(view):
            view.show()
            view.activateWindow()
        view.show_experiment(id)
        qtbot.waitUntil(lambda: view.details is not None and not view.is_reading)
        return view

    return show


@pytest.fixture
def view(script: Scripted, show: Show) -> ExperimentResultView:
    return show(script.id)


def card_of(view: ExperimentResultView, title: str) -> ResultCard:
    return next(card for card in view.cards if card.question.startswith(title))


def go_to(card: ResultCard, row: str, column: str) -> None:
    shown = card.model.view
    assert shown is not None
    card.table.setCurrentIndex(card.model.index(shown.rows.index(row), shown.columns.index(column)))


def press(card: ResultCard, key: Qt.Key) -> None:
    card.table.setFocus()
    QTest.keyClick(card.table, key)


def trigger(card: ResultCard, words: str) -> None:
    menu = card.number_menu()
    next(action for action in menu.actions() if words in action.text().replace("&", "")).trigger()


def keys_of(project: Project, filter: PairFilter) -> set[str]:
    with project.read_transaction() as stores:
        return set(stores.pair_table.keys(stores.pair_table.ids(filter)))


def of_class(script: Scripted, name: str) -> set[str]:
    return {key for key, label in script.labels.items() if CLASSES[label] == name}


def test_tables_show_numbers_with_deviation_marks_and_reasons(
    view: ExperimentResultView, qtmodeltester: ModelTester
) -> None:
    assert [card.question for card in view.cards][:2] == ["Systems, tested on own", "Systems, tested on file"]
    card = card_of(view, "Travel, CBOW")
    qtmodeltester.check(card.model)
    assert "±" in str(card.model.index(0, 0).data())
    assert [card.model.index(row, row).data(IN_DOMAIN_ROLE) for row in (0, 1)] == [True, True]
    assert not card.model.index(0, 1).data(IN_DOMAIN_ROLE)
    fonts = [card.model.index(row, 0).data(Qt.ItemDataRole.FontRole) for row in (0, 1)]
    assert sorted(font.bold() for font in fonts) == [False, True]
    assert sorted(font.underline() for font in fonts) == [False, True]
    assert "2 runs on" in str(card.model.index(0, 0).data(Qt.ItemDataRole.ToolTipRole))
    assert "paired t-test" in card.caption.text()
    refused = card_of(view, "Travel, Naive Bayes").model
    assert refused.index(1, 1).data() == "—"
    assert REFUSED in str(refused.index(1, 1).data(Qt.ItemDataRole.ToolTipRole))
    assert REFUSED in view.problems.text


def test_enter_on_a_number_opens_the_pairs_that_one_of_its_runs_misread(
    view: ExperimentResultView, script: Scripted, context: ProjectContext, qtbot: QtBot
) -> None:
    card = card_of(view, "Systems, tested on own")
    go_to(card, "CBOW, trained on own", "macro F1")
    with qtbot.waitSignal(view.open_pairs) as opened:
        press(card, Qt.Key.Key_Return)
    cells = [script.keys[0, "own", "own", seed] for seed in (1, 2)]
    assert keys_of(context.project, opened.args[0]) == script.misread(*cells)
    rect = card.table.visualRect(card.table.currentIndex())
    with qtbot.waitSignal(view.open_pairs) as clicked:
        QTest.mouseClick(card.table.viewport(), Qt.MouseButton.LeftButton, pos=rect.center())
    assert clicked.args == opened.args


def test_the_menu_of_a_class_opens_its_pairs_misread_read_rightly_and_wrongly_taken_for_it(
    view: ExperimentResultView, script: Scripted, context: ProjectContext, qtbot: QtBot
) -> None:
    card = card_of(view, "Systems, tested on own")
    go_to(card, "Naive Bayes, trained on own", "reasoning")
    cell = script.keys[1, "own", "own", 1]
    members, misread = of_class(script, "reasoning") & script.predicted[cell].keys(), script.misread(cell)
    taken = {pair for pair, one in script.predicted[cell].items() if one == CLASSES.index("reasoning")} & misread
    for words, wanted in (
        ("Wrongly predicted pairs", members & misread),
        ("Correctly predicted", members - misread),
        ("All tested", members),
        ("wrongly predicted as reasoning", taken),
    ):
        with qtbot.waitSignal(view.open_pairs) as opened:
            trigger(card, words)
        assert keys_of(context.project, opened.args[0]) == wanted, words


def test_the_share_of_unreadable_answers_opens_the_pairs_without_one(
    view: ExperimentResultView, script: Scripted, context: ProjectContext, qtbot: QtBot
) -> None:
    card = card_of(view, "Systems, tested on own")
    go_to(card, "Naive Bayes, trained on own", "unreadable")
    with qtbot.waitSignal(view.open_pairs) as opened:
        press(card, Qt.Key.Key_Return)
    predicted = script.predicted[script.keys[1, "own", "own", 1]]
    wanted = {pair for pair, one in predicted.items() if one < 0}
    assert keys_of(context.project, opened.args[0]) == wanted != set()


@pytest.mark.parametrize(
    ("table", "column"), [("By domain, tested on own", "nlp"), ("By length, tested on own", "31-40")]
)
def test_a_number_of_a_group_opens_as_many_pairs_as_it_says(
    view: ExperimentResultView, context: ProjectContext, qtbot: QtBot, table: str, column: str
) -> None:
    card = card_of(view, table)
    go_to(card, "Naive Bayes, trained on own", column)
    assert card.current is not None
    with qtbot.waitSignal(view.open_pairs) as opened:
        trigger(card, "All tested")
    assert len(keys_of(context.project, opened.args[0])) == card.current.pairs > 0


def test_the_confusion_matrix_is_of_the_current_row_and_its_cells_open_their_pairs(
    view: ExperimentResultView, script: Scripted, context: ProjectContext, qtbot: QtBot
) -> None:
    card = card_of(view, "Systems, tested on own")
    cell = script.keys[1, "own", "own", 1]
    read = min(script.misread(cell))
    mark_pairs(context.project, [read], "mk", MarkKind.TAG, LABEL_WRONG).work(Progress())
    go_to(card, "Naive Bayes, trained on own", "accuracy")
    qtbot.waitUntil(lambda: not view.is_reading)
    assert "Naive Bayes, trained on own" in view.confusion.summary
    figure = view.confusion.plot.figure
    assert isinstance(figure, HeatmapFigure)
    assert figure.heatmaps[0] is not None
    assert figure.heatmaps[0].columns == (*CLASSES, "no answer")
    for mark in figure.numbers:
        label, predicted, pairs, _ = mark.values
        place = -1 if predicted == "no answer" else CLASSES.index(str(predicted))
        wanted = {key for key, one in script.predicted[cell].items() if one == place} & of_class(script, str(label))
        assert pairs == len(wanted)
        if wanted:
            assert isinstance(mark.opens, PairFilter)
            assert keys_of(context.project, mark.opens) == wanted
    with qtbot.waitSignal(view.open_pairs):
        view.confusion.open_mark(next(mark for mark in figure.numbers if mark.opens))
    *lengths, tag = view.errors.plot.figure.numbers
    assert f"{len(script.misread(cell))} of {len(script.predicted[cell])} predictions wrong" in view.errors.summary
    assert tag.values[:3] == (LABEL_WRONG, 1, 1)
    assert isinstance(tag.opens, PairFilter)
    assert keys_of(context.project, tag.opens) == {read}
    for mark in lengths:
        assert mark.values[1] == (
            len(keys_of(context.project, mark.opens)) if isinstance(mark.opens, PairFilter) else 0
        )


def test_test_pairs_of_files_are_counted_and_their_misread_rows_listed(
    view: ExperimentResultView, script: Scripted, qtbot: QtBot
) -> None:
    assert f"Not in the project: all {OUTSIDE} test pairs of file." in view.outside.text
    card = card_of(view, "Systems, tested on file")
    go_to(card, "Naive Bayes, trained on own", "accuracy")
    press(card, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: view.findChild(MisreadRowsDialog) is not None)
    dialog = view.findChild(MisreadRowsDialog)
    assert dialog is not None
    misread = script.misread(script.keys[1, "own", "file", 1])
    assert {row.key for row in dialog.found.rows} == misread
    assert dialog.table.rowCount() == len(misread)
    assert all(row.premise.startswith("Premise") and row.label in CLASSES for row in dialog.found.rows)
    dialog.copy()
    assert QGuiApplication.clipboard().text().count("\n") == len(misread) + 1
    dialog.close()


def test_numbers_are_copied_as_a_selection_a_table_and_all(view: ExperimentResultView, context: ProjectContext) -> None:
    card = card_of(view, "Systems, tested on own")
    model, selection = card.model, card.table.selectionModel()
    for place in ((0, 4), (0, 5), (1, 4)):
        selection.select(model.index(*place), QItemSelectionModel.SelectionFlag.Select)
    card.table.setFocus()
    QTest.keyClick(card.table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    lines = QGuiApplication.clipboard().text().splitlines()
    assert lines[0].split("\t") == ["System", "macro F1", "macro F1 sd", "accuracy", "accuracy sd"]
    assert (len(lines), lines[2].split("\t")[3]) == (3, "")
    card.copy_as("latex")
    assert QGuiApplication.clipboard().text().startswith(r"\begin{table}")
    view.copy_all("markdown")
    text = QGuiApplication.clipboard().text()
    assert all(f"### {card.question}" in text for card in view.cards)


def test_the_report_is_saved_and_its_folder_offered(view: ExperimentResultView, tmp_path: Path, qtbot: QtBot) -> None:
    view.save_report_to(tmp_path)
    qtbot.waitUntil(lambda: bool(view.report_banner.text()), timeout=20_000)
    assert (tmp_path / "experiment-1" / "report.md").is_file()
    assert "is saved" in view.report_banner.text()
    assert view.report_banner.button.text() == "Open the folder"


def test_cells_that_become_finished_fill_their_places_and_the_current_number_stays(
    context: ProjectContext, show: Show, qtbot: QtBot
) -> None:
    script = store_experiment(context.project, finished=4)
    view = show(script.id)
    card = card_of(view, "Systems, tested on own")
    go_to(card, "CBOW, trained on own", "accuracy")
    last = card.model.index(card.model.rowCount() - 1, 0)
    assert last.data() == "…"
    with context.project.read_transaction() as stores:
        cells = stores.experiments.cells(script.id)
    finish_cells(context.project, script, cells[4:])
    current = card.table.currentIndex()
    view.refresh()
    qtbot.waitUntil(lambda: not view.is_reading)
    assert last.data() != "…"
    assert card.table.currentIndex() == current
    view.show_experiment(None)
    assert view.message.text() == "Choose an experiment."


def test_who_predicted_is_said_with_device_time_and_versions(view: ExperimentResultView) -> None:
    assert "11 of 12 cells computed by 6 runs in 21 s on cpu, with pairwright 1." in view.predictors.summary.text()
    view.predictors.button.click()
    assert view.predictors.lines.isVisible()
    assert "CBOW, trained on own, seed 1 · cpu" in view.predictors.lines.text()
    assert "Versions: python 3.11" in view.predictors.lines.text()


def test_misread_pairs_of_a_number_become_a_round_of_review(
    view: ExperimentResultView, script: Scripted, context: ProjectContext, qtbot: QtBot
) -> None:
    card = card_of(view, "By domain, tested on own")
    go_to(card, "Naive Bayes, trained on own", "nlp")
    trigger(card, "Read some of these errors")
    dialog = view.findChild(ErrorRoundDialog)
    assert dialog is not None
    assert dialog.options() == (100, 1, False, False)
    dialog.number_box.setValue(3)
    with qtbot.waitSignals([context.round_started, context.page_requested]):
        dialog.start_button.click()
    with context.project.read_transaction() as stores:
        drawn = stores.queues.current("mk")
        assert drawn is not None
        keys = set(drawn.keys)
        assert len(keys) == 3
        domains = {row.domain for row in stores.pair_table.rows(stores.pair_table.ids_of(list(keys)))}
    assert domains == {"nlp"}
    assert keys <= script.misread(script.keys[1, "own", "own", 1])


def test_an_experiment_on_direction_has_its_sentence_its_curves_and_published_numbers(
    context: ProjectContext, show: Show, qtbot: QtBot
) -> None:
    id = store_direction(context.project)
    headline = load_headlines(context.project, (id,)).work(Progress())[id]
    assert headline.measure == "AUC_norm"
    view = show(id)
    assert view.details is not None
    assert headline.score == max(value.mean for row in view.details.tables.tables[0].values for value in row if value)
    assert view.verdict.isVisible()
    assert "of the direction of Reader is real: it has" in view.verdict.text
    figure = view.curves.plot.figure
    assert isinstance(figure, LineFigure)
    assert [chart.title for chart in figure.charts] == [
        "Precision, both sentences", "Precision, hypothesis alone", "Precision, both orders",
    ]  # fmt: skip
    assert all(len(chart.curves) == 1 and chart.chance == 0.5 for chart in figure.charts)  # chance looks otherwise
    card = card_of(view, "What carries over")
    go_to(card, "Symmetric", "paper: Full")
    assert card.current is None
    assert not card.pairs_button.isEnabled()
    go_to(card, "Symmetric", "Symmetric")
    assert card.current is not None
    assert "Symmetric, trained there" in view.curves.summary
    ratios = card_of(view, "What artefacts explain").model
    assert ratios.about(ratios.index(0, 4)) == "DirTrue-DirFalse, rank: 2."
    assert ratios.about(ratios.index(0, 6)).endswith("paper: ratio: 1.70, as published.")
