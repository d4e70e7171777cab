"""The Dashboard page: mouse, keys, numbers and copying."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from pyqtgraph import AxisItem
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QContextMenuEvent, QGuiApplication, QWheelEvent
from PySide6.QtWidgets import QApplication, QComboBox, QTableView, QToolButton
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from desktop.jobs.mining.dropped import DroppedQuery
from desktop.ui.pages.dashboard.dropped_dialog import DroppedDialog
from desktop.ui.pages.dashboard.page import FiguresPage
from desktop.ui.plots.card import PlotCard
from desktop.ui.plots.figures import HALF_TONE, BarFigure, PlotMark
from desktop.ui.plots.panel import tone_color
from desktop.ui.plots.plot import Plot
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.shell.window import MainWindow
from desktop.ui.theme import Theme
from storage.changes import Changes
from storage.pairs.filters import PairFilter
from tests.desktop.ui.conftest import show_page
from tests.desktop.ui.pages.dashboard.reviewed_project import add_answers
from tests.storage.factories import start_run


@pytest.fixture
def open_page(context: ProjectContext, qtbot: QtBot) -> Callable[[], FiguresPage]:
    """A function that shows the page and waits until all figures are there."""

    def build() -> FiguresPage:
        page = FiguresPage(context)
        show_page(page, qtbot, height=800)
        wait_until_counted(page, qtbot)
        return page

    return build


@pytest.fixture
def page(context: ProjectContext, open_page: Callable[[], FiguresPage]) -> FiguresPage:
    add_answers(context.project)
    return open_page()


def wait_until_counted(page: FiguresPage, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: page.cards.overlap.summary != "" and not page.is_counting, timeout=5000)


def plot_cards(page: FiguresPage) -> list[PlotCard]:
    return list(page.cards.plots)


def marks(plot: Plot) -> list[PlotMark]:
    return [area.mark for panel in plot.panels for area in panel.mark_areas]


def middle(plot: Plot, mark: PlotMark) -> QPoint:
    return plot.mark_rect(mark).center().toPoint()


def test_each_card_answers_its_question(page: FiguresPage) -> None:
    assert [card.question for card in page.cards.cards if not card.summary] == []
    assert [len(marks(card.plot)) > 0 for card in plot_cards(page)] == [True] * 6
    assert page.cards.phrases.model.rowCount() > 3


def test_a_click_on_a_bar_opens_its_pairs(page: FiguresPage, context: ProjectContext, qtbot: QtBot) -> None:
    for card in plot_cards(page):
        mark = next(mark for mark in marks(card.plot) if isinstance(mark.opens, PairFilter))
        with qtbot.waitSignal(context.pairs_requested, timeout=1000) as requested:
            qtbot.mouseClick(card.plot.viewport(), Qt.MouseButton.LeftButton, pos=middle(card.plot, mark))
        assert requested.args == [mark.opens]


def test_the_pairs_page_shows_what_was_clicked(window: MainWindow, qtbot: QtBot) -> None:
    context = window.context
    assert context is not None
    window.show_page("dashboard")
    page = window.page("dashboard")
    assert isinstance(page, FiguresPage)
    wait_until_counted(page, qtbot)
    mark = marks(page.cards.classes.plot)[0]
    assert mark.opens is not None
    qtbot.mouseClick(
        page.cards.classes.plot.viewport(), Qt.MouseButton.LeftButton, pos=middle(page.cards.classes.plot, mark)
    )
    assert window.current_page() == "pairs"
    qtbot.waitUntil(lambda: context.pairs_page_filter == mark.opens, timeout=5000)


def test_the_line_below_shows_the_sentence_of_the_mark_under_the_mouse(page: FiguresPage, qtbot: QtBot) -> None:
    card = page.cards.classes
    mark = marks(card.plot)[0]
    qtbot.mouseMove(card.plot.viewport(), middle(card.plot, mark))
    qtbot.waitUntil(lambda: card.note.text() == mark.note, timeout=1000)
    QApplication.sendEvent(card.plot, QEvent(QEvent.Type.Leave))
    assert card.note.text() == card.summary


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
def test_a_click_on_dropped_candidates_opens_examples(page: FiguresPage, context: ProjectContext, qtbot: QtBot) -> None:
    card = page.cards.funnel
    mark = next(mark for mark in marks(card.plot) if isinstance(mark.opens, DroppedQuery) and mark.opens.reason)
    with qtbot.assertNotEmitted(context.pairs_requested):
        qtbot.mouseClick(card.plot.viewport(), Qt.MouseButton.LeftButton, pos=middle(card.plot, mark))
    [dialog] = page.findChildren(DroppedDialog)
    assert dialog.isVisible()
    qtbot.waitUntil(lambda: "looked through" in dialog.status.text(), timeout=60_000)
    assert "Hypothesis: " in dialog.text.toPlainText()
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)


def test_cards_side_by_side_have_similar_heights_and_settled_pairs_are_not_green(page: FiguresPage) -> None:
    cards = page.cards
    for left, right in ((cards.funnel, cards.classes), (cards.answers, cards.overlap)):
        assert left.y() == right.y()
        shorter, taller = sorted((left.plot.height(), right.plot.height()))
        assert shorter > taller / 2
    theme = page.context.theme
    figure = cards.answers.plot.figure
    assert isinstance(figure, BarFigure)
    assert figure.rows[0].bars[0].tone == "accent"
    assert tone_color(theme, "accent") != tone_color(theme, HALF_TONE) != tone_color(theme, "entailment")


def test_keys_go_from_bar_to_bar_and_open_them(page: FiguresPage, context: ProjectContext, qtbot: QtBot) -> None:
    plot = page.cards.classes.plot
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
    assert plot.mark_rect(below).top() > plot.mark_rect(first).bottom()
    with qtbot.waitSignal(context.pairs_requested, timeout=1000) as requested:
        qtbot.keyClick(plot, Qt.Key.Key_Return)
    assert requested.args == [below.opens]


def test_keys_reach_every_mark(page: FiguresPage, qtbot: QtBot) -> None:
    for card in plot_cards(page):
        plot, seen = card.plot, list[PlotMark]()
        plot.setFocus(Qt.FocusReason.TabFocusReason)
        waiting = [plot.current]
        while waiting:
            mark = waiting.pop()
            if mark is not None and not any(mark is known for known in seen):
                seen.append(mark)
                for key in (Qt.Key.Key_Right, Qt.Key.Key_Left, Qt.Key.Key_Up, Qt.Key.Key_Down):
                    plot.set_current(mark)
                    qtbot.keyClick(plot, key)
                    waiting.append(plot.current)
        assert len(seen) == len(marks(plot))


def test_numbers_replace_the_plot_and_open_the_same_pairs(
    page: FiguresPage, context: ProjectContext, qtbot: QtBot
) -> None:
    card = page.cards.answers
    card.numbers_button.click()
    assert card.table.isVisible()
    assert not card.plot.isVisible()
    card.table.setFocus()
    card.table.setCurrentIndex(card.model.index(0, 0))
    with qtbot.waitSignal(context.pairs_requested, timeout=1000) as requested:
        qtbot.keyClick(card.table, Qt.Key.Key_Return)
    assert requested.args == [card.model.mark(0).opens]
    card.numbers_button.click()
    assert card.plot.isVisible()


def test_one_key_switches_all_plots_to_numbers_and_back(page: FiguresPage, context: ProjectContext) -> None:
    context.actions["dashboard.numbers"].trigger()
    assert all(card.table.isVisible() for card in plot_cards(page))
    context.actions["dashboard.numbers"].trigger()
    assert all(card.plot.isVisible() for card in plot_cards(page))


def test_a_phrase_opens_its_pairs(page: FiguresPage, context: ProjectContext, qtbot: QtBot) -> None:
    table = page.cards.phrases.table
    table.setFocus()
    table.setCurrentIndex(page.cards.phrases.model.index(0, 0))
    assert page.cards.phrases.note.text() == page.cards.phrases.model.rows[0].note
    with qtbot.waitSignal(context.pairs_requested, timeout=1000) as requested:
        qtbot.keyClick(table, Qt.Key.Key_Return)
    with context.project.read_transaction() as stores:
        assert stores.pair_table.count(requested.args[0]) == page.cards.phrases.model.rows[0].pairs


def test_numbers_are_copied_as_tab_separated_text(page: FiguresPage, context: ProjectContext, qtbot: QtBot) -> None:
    with qtbot.waitSignal(context.message, timeout=1000) as said:
        page.cards.classes.copy()
    lines = QGuiApplication.clipboard().text().splitlines()
    assert lines[0] == "Domain\tHow it was mined\tClass\tPairs\tShare"
    assert len(lines) == page.cards.classes.model.rowCount() + 1
    assert said.args[0] == f"Copied {len(lines) - 1} lines of numbers."
    context.actions["dashboard.copy"].trigger()
    text = QGuiApplication.clipboard().text()
    assert all(card.question in text for card in page.cards.cards)


def test_a_domain_narrows_every_figure(page: FiguresPage, context: ProjectContext, qtbot: QtBot) -> None:
    everything = page.cards.funnel.summary
    page.choose_domain("ecology")
    wait_until_counted(page, qtbot)
    assert page.cards.funnel.summary != everything
    for card in plot_cards(page):
        opened = [mark.opens for mark in marks(card.plot) if isinstance(mark.opens, PairFilter)]
        assert {pairs.domains for pairs in opened} == {frozenset(("ecology",))}
    assert page.cards.phrases.model.pair_filter(0, page.domain).domains == {"ecology"}
    page.choose_domain(None)
    wait_until_counted(page, qtbot)
    assert page.cards.funnel.summary == everything


def test_changes_are_counted_when_the_page_is_shown_again(
    page: FiguresPage, context: ProjectContext, qtbot: QtBot
) -> None:
    before = page.cards.answers.summary
    page.hide()
    with context.project.transaction() as stores:
        stores._connection.exec_driver_sql("UPDATE pairs SET status = 'bad' WHERE status = 'open'")
    context.events.changed.emit(Changes(many_annotated=True))
    qtbot.wait(20)
    assert page.cards.answers.summary == before
    page.show()
    page.activate()
    qtbot.waitUntil(lambda: page.cards.answers.summary != before, timeout=5000)
    wait_until_counted(page, qtbot)


def test_an_empty_project_offers_to_add_papers(empty_context: ProjectContext, qtbot: QtBot) -> None:
    page = FiguresPage(empty_context)
    qtbot.addWidget(page)
    page.show()
    page.activate()
    qtbot.waitUntil(lambda: page.empty.isVisible(), timeout=5000)
    with qtbot.waitSignal(empty_context.page_requested, timeout=1000) as requested:
        page.empty.button.click()
    assert requested.args == ["papers"]
    qtbot.waitUntil(lambda: not page.is_counting, timeout=5000)


def test_axes_stay_at_the_scale_of_the_bars(page: FiguresPage, qtbot: QtBot) -> None:
    plot = page.cards.classes.plot
    for _ in range(2):
        [panel], [axis] = plot.panels, [item for item in plot.ci.items if isinstance(item, AxisItem)]
        QApplication.sendPostedEvents()
        left, right = axis.range
        unit = (right - left) / panel.size().width()
        assert left == pytest.approx(-panel.left_margin * unit)
        assert right == pytest.approx(1 + panel.right_margin * unit)
        plot.redraw()
        page.resize(page.width() - 40, page.height())
        page.grab()


def test_while_nothing_is_mined_yet_no_pairs_count_as_imported(
    context: ProjectContext, open_page: Callable[[], FiguresPage]
) -> None:
    start_run(context.project, "stopped before its first paper")
    page = open_page()
    assert page.cards.funnel.waiting_label.text() == "8 papers of this project are not mined yet."


def test_pairs_that_were_only_imported_have_no_candidates(
    context: ProjectContext, open_page: Callable[[], FiguresPage]
) -> None:
    with context.project.transaction() as stores:
        stores._connection.exec_driver_sql("DELETE FROM funnel")
    page = open_page()
    assert page.cards.funnel.waiting_label.isVisible()
    assert page.cards.funnel.waiting_label.text() == "All pairs were imported, so there are no mining candidates."
    page.cards.funnel.show_numbers(True)
    assert page.cards.funnel.waiting_label.isVisible()


def test_plots_follow_the_theme(page: FiguresPage, theme: Theme) -> None:
    theme.apply("dark", 1.0)
    assert page.cards.classes.plot.backgroundBrush().color() == theme.color("card")
    assert marks(page.cards.classes.plot)


@pytest.mark.parametrize(("width", "across"), [(1000, 2), (700, 1)])
def test_cards_stand_side_by_side_where_there_is_room(page: FiguresPage, width: int, across: int) -> None:
    page.resize(width, 700)
    QApplication.sendPostedEvents()
    assert len({card.x() for card in (page.cards.funnel, page.cards.classes)}) == across
    for card in page.cards.cards:
        assert card.minimumSizeHint().width() <= card.width()


def test_plots_neither_zoom_nor_open_menus(page: FiguresPage) -> None:
    plot = page.cards.lengths.plot
    before = [plot.mark_rect(mark) for mark in marks(plot)]
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
    assert [plot.mark_rect(mark) for mark in marks(plot)] == before


def test_every_control_has_a_name(page: FiguresPage) -> None:
    for kind in (QComboBox, QTableView, QToolButton, Plot):
        for control in page.findChildren(kind):
            if control.isVisibleTo(page) and type(control).__name__ != "QTableCornerButton":
                assert control.accessibleName(), control


def test_the_table_of_numbers_is_a_valid_model(page: FiguresPage, qtmodeltester: ModelTester) -> None:
    for card in plot_cards(page):
        qtmodeltester.check(card.model)
