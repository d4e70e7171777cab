"""The Dashboard as a person uses it: pointing, clicking, typing, copying."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from pyqtgraph import AxisItem
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QContextMenuEvent, QGuiApplication, QWheelEvent
from PySide6.QtWidgets import QApplication, QComboBox, QTableView, QToolButton
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from desktop.ui.pages.dashboard.dropped_dialog import DroppedDialog
from desktop.ui.pages.dashboard.figures import DroppedCandidates
from desktop.ui.pages.dashboard.page import DashboardPage
from desktop.ui.plots.bars import round_ticks
from desktop.ui.plots.card import PlotCard
from desktop.ui.plots.colors import HALF, tone_color
from desktop.ui.plots.figures import BarFigure, PlotMark
from desktop.ui.plots.plot import Plot
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.shell.window import MainWindow
from desktop.ui.theme import Theme
from storage.changes import Changes
from storage.pairs.filters import PairFilter
from tests.desktop.ui.pages.dashboard.judging import judge


@pytest.fixture
def shown(context: ProjectContext, qtbot: QtBot) -> Callable[[], DashboardPage]:
    """Builds the page and shows it, counted."""

    def build() -> DashboardPage:
        page = DashboardPage(context)
        qtbot.addWidget(page)
        page.resize(1100, 800)
        with qtbot.waitExposed(page):
            page.show()
        page.activate()
        counted(page, qtbot)
        return page

    return build


@pytest.fixture
def page(context: ProjectContext, shown: Callable[[], DashboardPage]) -> DashboardPage:
    judge(context.project)
    return shown()


def counted(page: DashboardPage, qtbot: QtBot) -> None:
    """Wait until all is counted."""
    qtbot.waitUntil(lambda: page.board.overlap.summary != "" and not page.counting, timeout=5000)


def cards(page: DashboardPage) -> list[PlotCard]:
    return list(page.board.plots)


def marks(plot: Plot) -> list[PlotMark]:
    return [area.mark for panel in plot.panels for area in panel.areas]


def middle(plot: Plot, mark: PlotMark) -> QPoint:
    return plot.where(mark).center().toPoint()


def test_each_card_answers_its_question(page: DashboardPage) -> None:
    assert [card.question for card in page.board.cards if not card.summary] == []
    assert [len(marks(card.plot)) > 0 for card in cards(page)] == [True] * 5
    assert page.board.phrases.model.rowCount() > 3


def test_a_click_on_a_bar_asks_for_its_pairs(page: DashboardPage, context: ProjectContext, qtbot: QtBot) -> None:
    for card in cards(page):
        mark = next(mark for mark in marks(card.plot) if isinstance(mark.opens, PairFilter))
        with qtbot.waitSignal(context.pairs_requested, timeout=1000) as asked:
            qtbot.mouseClick(card.plot.viewport(), Qt.MouseButton.LeftButton, pos=middle(card.plot, mark))
        assert asked.args == [mark.opens]


def test_the_pairs_page_shows_what_was_clicked(window: MainWindow, qtbot: QtBot) -> None:
    context = window.context
    assert context is not None
    window.show_page("dashboard")
    page = window.page("dashboard")
    assert isinstance(page, DashboardPage)
    counted(page, qtbot)
    mark = marks(page.board.classes.plot)[0]
    assert mark.opens is not None
    qtbot.mouseClick(
        page.board.classes.plot.viewport(), Qt.MouseButton.LeftButton, pos=middle(page.board.classes.plot, mark)
    )
    assert window.current_page() == "pairs"
    qtbot.waitUntil(lambda: context.pairs_page_filter == mark.opens, timeout=5000)


def test_what_is_pointed_at_is_told_in_the_line_below(page: DashboardPage, qtbot: QtBot) -> None:
    card = page.board.classes
    mark = marks(card.plot)[0]
    qtbot.mouseMove(card.plot.viewport(), middle(card.plot, mark))
    qtbot.waitUntil(lambda: card.note.text() == mark.note, timeout=1000)
    QApplication.sendEvent(card.plot, QEvent(QEvent.Type.Leave))
    assert card.note.text() == card.summary


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
def test_a_click_on_what_was_dropped_opens_examples_of_it(
    page: DashboardPage, context: ProjectContext, qtbot: QtBot
) -> None:
    card = page.board.funnel
    mark = next(mark for mark in marks(card.plot) if isinstance(mark.opens, DroppedCandidates) and mark.opens.reason)
    with qtbot.assertNotEmitted(context.pairs_requested):
        qtbot.mouseClick(card.plot.viewport(), Qt.MouseButton.LeftButton, pos=middle(card.plot, mark))
    [dialog] = page.findChildren(DroppedDialog)
    assert dialog.isVisible()
    qtbot.waitUntil(lambda: "looked through" in dialog.told.text(), timeout=60_000)
    assert "Hypothesis: " in dialog.text.toPlainText()
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)


def test_cards_side_by_side_are_of_much_the_same_height_and_what_is_settled_is_not_green(page: DashboardPage) -> None:
    board = page.board
    for left, right in ((board.funnel, board.classes), (board.people, board.overlap)):
        assert left.y() == right.y()
        shorter, taller = sorted((left.plot.height(), right.plot.height()))
        assert shorter > taller / 2
    theme = page.context.theme
    figure = board.people.plot.figure
    assert isinstance(figure, BarFigure)
    assert figure.rows[0].bars[0].tone == "accent"
    assert tone_color(theme, "accent") != tone_color(theme, HALF) != tone_color(theme, "entailment")


def test_keys_go_from_bar_to_bar_and_open_them(page: DashboardPage, context: ProjectContext, qtbot: QtBot) -> None:
    plot = page.board.classes.plot
    plot.setFocus(Qt.FocusReason.TabFocusReason)
    first, second, *_ = marks(plot)
    assert plot.current is first
    qtbot.keyClick(plot, Qt.Key.Key_Right)
    assert plot.current is second
    assert plot.accessibleDescription() == second.note
    qtbot.keyClick(plot, Qt.Key.Key_Left)
    qtbot.keyClick(plot, Qt.Key.Key_Up)
    assert plot.current is first
    qtbot.keyClick(plot, Qt.Key.Key_Down)
    below = plot.current
    assert below is not None
    assert plot.where(below).top() > plot.where(first).bottom()
    with qtbot.waitSignal(context.pairs_requested, timeout=1000) as asked:
        qtbot.keyClick(plot, Qt.Key.Key_Return)
    assert asked.args == [below.opens]


def test_keys_reach_every_mark(page: DashboardPage, qtbot: QtBot) -> None:
    for card in cards(page):
        plot, seen = card.plot, list[PlotMark]()
        plot.setFocus(Qt.FocusReason.TabFocusReason)
        waiting = [plot.current]
        while waiting:
            mark = waiting.pop()
            if mark is not None and not any(mark is known for known in seen):
                seen.append(mark)
                for key in (Qt.Key.Key_Right, Qt.Key.Key_Left, Qt.Key.Key_Up, Qt.Key.Key_Down):
                    plot.point(mark)
                    qtbot.keyClick(plot, key)
                    waiting.append(plot.current)
        assert len(seen) == len(marks(plot))


def test_numbers_stand_for_the_plot_and_open_the_same_pairs(
    page: DashboardPage, context: ProjectContext, qtbot: QtBot
) -> None:
    card = page.board.people
    card.numbers_button.click()
    assert card.table.isVisible()
    assert not card.plot.isVisible()
    card.table.setFocus()
    card.table.setCurrentIndex(card.model.index(0, 0))
    with qtbot.waitSignal(context.pairs_requested, timeout=1000) as asked:
        qtbot.keyClick(card.table, Qt.Key.Key_Return)
    assert asked.args == [card.model.mark(0).opens]
    card.numbers_button.click()
    assert card.plot.isVisible()


def test_one_key_turns_all_plots_to_numbers_and_back(page: DashboardPage, context: ProjectContext) -> None:
    context.actions["dashboard.numbers"].trigger()
    assert all(card.table.isVisible() for card in cards(page))
    context.actions["dashboard.numbers"].trigger()
    assert all(card.plot.isVisible() for card in cards(page))


def test_a_phrase_opens_its_pairs(page: DashboardPage, context: ProjectContext, qtbot: QtBot) -> None:
    table = page.board.phrases.table
    table.setFocus()
    table.setCurrentIndex(page.board.phrases.model.index(0, 0))
    assert page.board.phrases.note.text() == page.board.phrases.model.line(0).note
    with qtbot.waitSignal(context.pairs_requested, timeout=1000) as asked:
        qtbot.keyClick(table, Qt.Key.Key_Return)
    with context.project.reading() as stores:
        assert stores.pair_table.count(asked.args[0]) == page.board.phrases.model.line(0).pairs


def test_numbers_are_copied_as_tab_separated_text(page: DashboardPage, context: ProjectContext, qtbot: QtBot) -> None:
    with qtbot.waitSignal(context.message, timeout=1000) as said:
        page.board.classes.copy()
    lines = QGuiApplication.clipboard().text().splitlines()
    assert lines[0] == "Domain\tHow\tClass\tPairs\tShare"
    assert len(lines) == page.board.classes.model.rowCount() + 1
    assert said.args[0] == f"Copied {len(lines) - 1} lines of numbers."
    context.actions["dashboard.copy"].trigger()
    text = QGuiApplication.clipboard().text()
    assert all(card.question in text for card in page.board.cards)


def test_a_domain_narrows_every_figure(page: DashboardPage, context: ProjectContext, qtbot: QtBot) -> None:
    everything = page.board.funnel.summary
    page.choose_domain("ecology")
    counted(page, qtbot)
    assert page.board.funnel.summary != everything
    for card in cards(page):
        opened = [mark.opens for mark in marks(card.plot) if isinstance(mark.opens, PairFilter)]
        assert {pairs.domains for pairs in opened} == {frozenset(("ecology",))}
    assert page.board.phrases.model.opens(0, page.domain).domains == {"ecology"}
    page.choose_domain(None)
    counted(page, qtbot)
    assert page.board.funnel.summary == everything


def test_what_changed_is_counted_again_when_the_page_is_shown(
    page: DashboardPage, context: ProjectContext, qtbot: QtBot
) -> None:
    before = page.board.people.summary
    page.hide()
    with context.project.transaction() as stores:
        stores._connection.exec_driver_sql("UPDATE pairs SET status = 'bad' WHERE status = 'open'")
    context.events.changed.emit(Changes(many_annotated=True))
    qtbot.wait(20)
    assert page.board.people.summary == before
    page.show()
    page.activate()
    qtbot.waitUntil(lambda: page.board.people.summary != before, timeout=5000)
    counted(page, qtbot)


def test_a_project_without_pairs_says_what_to_do(
    context: ProjectContext, shown: Callable[[], DashboardPage], qtbot: QtBot
) -> None:
    with context.project.transaction() as stores:
        stores._connection.exec_driver_sql("DELETE FROM papers")
    page = DashboardPage(context)
    qtbot.addWidget(page)
    page.show()
    page.activate()
    qtbot.waitUntil(lambda: page.empty.isVisible(), timeout=5000)
    with qtbot.waitSignal(context.page_requested, timeout=1000) as asked:
        page.empty.button.click()
    assert asked.args == ["papers"]
    qtbot.waitUntil(lambda: not page.counting, timeout=5000)


def test_axes_stay_at_the_scale_of_the_bars(page: DashboardPage, qtbot: QtBot) -> None:
    plot = page.board.classes.plot
    for _ in range(2):
        [panel], [axis] = plot.panels, [item for item in plot.ci.items if isinstance(item, AxisItem)]
        QApplication.sendPostedEvents()
        left, right = axis.range
        unit = (right - left) / panel.size().width()
        assert left == pytest.approx(-panel.gutter * unit)
        assert right == pytest.approx(1 + panel.room * unit)
        plot.draw_again()
        page.resize(page.width() - 40, page.height())
        page.grab()


def test_pairs_that_were_only_imported_have_no_candidates(
    context: ProjectContext, shown: Callable[[], DashboardPage]
) -> None:
    with context.project.transaction() as stores:
        stores._connection.exec_driver_sql("DELETE FROM funnel")
    page = shown()
    assert page.board.funnel.waiting_label.isVisible()
    assert page.board.funnel.waiting_label.text() == "None were mined here: all pairs were imported."
    page.board.funnel.show_numbers(True)
    assert page.board.funnel.waiting_label.isVisible()


def test_plots_follow_the_theme(page: DashboardPage, theme: Theme) -> None:
    theme.apply("dark", 1.0)
    assert page.board.classes.plot.backgroundBrush().color() == theme.color("card")
    assert marks(page.board.classes.plot)


@pytest.mark.parametrize(("width", "across"), [(1000, 2), (700, 1)])
def test_cards_stand_side_by_side_where_there_is_room(page: DashboardPage, width: int, across: int) -> None:
    page.resize(width, 700)
    QApplication.sendPostedEvents()
    assert len({card.x() for card in (page.board.funnel, page.board.classes)}) == across
    for card in page.board.cards:
        assert card.minimumSizeHint().width() <= card.width()


def test_plots_neither_zoom_nor_open_menus(page: DashboardPage) -> None:
    plot = page.board.lengths.plot
    before = [plot.where(mark) for mark in marks(plot)]
    at = QPointF(50, 50)
    wheel = QWheelEvent(
        at,
        plot.mapToGlobal(at),
        QPoint(),
        QPoint(0, 120),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(plot.viewport(), wheel)
    assert not wheel.isAccepted()
    menu = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at.toPoint(), plot.mapToGlobal(at.toPoint()))
    QApplication.sendEvent(plot.viewport(), menu)
    assert QApplication.activePopupWidget() is None
    assert [plot.where(mark) for mark in marks(plot)] == before


def test_every_control_has_a_name(page: DashboardPage) -> None:
    for kind in (QComboBox, QTableView, QToolButton, Plot):
        for control in page.findChildren(kind):
            if control.isVisibleTo(page) and type(control).__name__ != "QTableCornerButton":
                assert control.accessibleName(), control


def test_the_numbers_keep_to_qts_rules(page: DashboardPage, qtmodeltester: ModelTester) -> None:
    for card in cards(page):
        qtmodeltester.check(card.model)


def test_ticks_are_round_numbers() -> None:
    assert [text for _, text in round_ticks(976)] == ["0", "200", "400", "600", "800"]
    assert [text for _, text in round_ticks(1_000_000)] == [
        "0",
        "200,000",
        "400,000",
        "600,000",
        "800,000",
        "1,000,000",
    ]
    assert [text for _, text in round_ticks(1)] == ["0", "1"]
