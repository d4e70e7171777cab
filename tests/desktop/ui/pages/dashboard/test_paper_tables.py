"""The papers' tables: what they show, open and copy."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QApplication
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from desktop.ui.pages.dashboard.table_card import TextTableCard
from desktop.ui.pages.dashboard.tables_page import TablesPage
from desktop.ui.services.project_context import ProjectContext
from miner.text_tables import TableFormat
from storage.changes import Changes
from storage.dataset.export_options import ExportOptions
from storage.pairs.filters import PairFilter
from storage.settings import LAST_SPLIT_EXPORT
from tests.desktop.ui.conftest import show_page
from tests.desktop.ui.pages.dashboard.reviewed_project import add_answers


@pytest.fixture
def tables(context: ProjectContext, qtbot: QtBot) -> TablesPage:
    add_answers(context.project)
    page = TablesPage(context)
    show_page(page, qtbot, 1000, 700)
    wait_until_counted(page, qtbot)
    return page


def wait_until_counted(tables: TablesPage, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: tables.counted is not None and not tables.is_counting, timeout=20_000)


def test_without_pairs_the_sentence_has_the_whole_page(empty_context: ProjectContext, qtbot: QtBot) -> None:
    page = TablesPage(empty_context)
    show_page(page, qtbot, 1000, 700)
    wait_until_counted(page, qtbot)
    assert page.empty.isVisible()
    assert page.empty.height() > 0.9 * page.scroll_area.height()


def cells(card: TextTableCard, row: int) -> list[str]:
    return [cell.text for cell in card.model.table.rows[row].cells]


def test_each_table_has_its_rows(tables: TablesPage) -> None:
    assert tables.counted is not None
    pairs = f"{tables.counted.statistics.count():,}"
    assert cells(tables.data_set, 0)[:2] == ["This data set", pairs]
    assert cells(tables.data_set, 1)[:2] == ["SciNLI", "107,412"]
    assert [row.cells[0].text for row in tables.domains.model.table.rows if row.kind == "sum"] == ["Overall"]
    assert cells(tables.agreement, 4)[0] == "Overall"
    assert cells(tables.agreement, 4)[2].endswith(" %")


def test_a_click_or_a_key_on_a_number_opens_its_pairs(
    tables: TablesPage, context: ProjectContext, qtbot: QtBot
) -> None:
    table = tables.agreement.table
    index = tables.agreement.model.index(4, 1)
    target = tables.agreement.model.cell(index).opens
    assert isinstance(target, PairFilter)
    with qtbot.waitSignal(context.pairs_requested, timeout=1000) as requested:
        tables.scroll_area.ensureWidgetVisible(table)
        qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=table.visualRect(index).center())
    assert requested.args == [target]
    with qtbot.waitSignal(context.pairs_requested, timeout=1000) as requested:
        table.setCurrentIndex(index)
        QApplication.sendEvent(table, QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_Return, Qt.KeyboardModifier(0)))
    assert requested.args == [target]
    with context.project.read_transaction() as stores:
        assert f"{stores.pair_table.count(target):,}" == tables.agreement.model.cell(index).text


def test_names_of_rows_can_be_read_in_a_narrow_window(tables: TablesPage, qtbot: QtBot) -> None:
    tables.resize(800, 700)
    for card in (tables.data_set, tables.domains, tables.agreement):
        table = card.table
        qtbot.wait(100)  # until it is laid out
        assert table.columnWidth(0) >= min(160, table.sizeHintForColumn(0)) > 80
    tables.resize(1600, 700)
    table = tables.agreement.table
    qtbot.waitUntil(lambda: table.horizontalHeader().length() == table.viewport().width() > 1000)


def test_a_table_that_was_filled_before_it_is_laid_out_takes_all_its_width(tables: TablesPage, qtbot: QtBot) -> None:
    card = TextTableCard(tables.context.theme, "How many?")
    qtbot.addWidget(card)
    card.show_table(tables.data_set.model.table)
    card.resize(1200, 400)
    card.show()
    table = card.table
    qtbot.waitUntil(lambda: table.horizontalHeader().length() == table.viewport().width() > 1000)


def test_what_is_published_opens_nothing_and_says_where_from(tables: TablesPage) -> None:
    row = next(row for row in tables.data_set.model.table.rows if row.kind == "published")
    assert {cell.opens for cell in row.cells} == {None}
    assert {cell.note for cell in row.cells} == {"SciNLI as published: MSciNLI, Table 2."}


def test_tables_are_copied_as_markdown_latex_and_text(tables: TablesPage, qtbot: QtBot) -> None:
    for form, start in (
        (TableFormat.MARKDOWN, "### Key"),
        (TableFormat.LATEX, "\\begin"),
        (TableFormat.TSV, "Data set\t"),
    ):
        with qtbot.waitSignal(tables.context.message, timeout=1000):
            tables.data_set.copy_as(form)
        assert QGuiApplication.clipboard().text().startswith(start)
    assert len(tables.data_set.copy_button.menu().actions()) == len(TableFormat)


def test_a_filter_restricts_all_tables(tables: TablesPage, qtbot: QtBot) -> None:
    assert tables.counted is not None
    before = tables.counted.statistics.count()
    tables.show_filter(PairFilter(labels=frozenset({"neutral"})))
    wait_until_counted(tables, qtbot)
    assert 0 < tables.counted.statistics.count() < before
    tables.show_filter(PairFilter(text="nosuchword"))
    wait_until_counted(tables, qtbot)
    assert tables.empty.isVisible()
    tables.empty.button.click()
    wait_until_counted(tables, qtbot)
    assert tables.counted.statistics.count() == before
    assert not tables.empty.isVisible()


def test_measuring_fills_complete_sentences_and_the_heat_map(tables: TablesPage, qtbot: QtBot) -> None:
    assert cells(tables.data_set, 0)[4] == "–"
    tables.measure()
    assert not tables.measure_button.isEnabled()
    qtbot.waitUntil(lambda: not tables.is_counting, timeout=240_000)
    assert cells(tables.data_set, 0)[4].endswith(" %")
    assert tables.measure_button.text() == "Measure sentences again"
    tables.refresh(Changes(pairs=True))
    assert "changed" in tables.state.text()
    wait_until_counted(tables, qtbot)


def test_a_split_of_an_export_opens_its_papers(tables: TablesPage, context: ProjectContext, qtbot: QtBot) -> None:
    with context.project.transaction() as stores:
        stores.settings.put(LAST_SPLIT_EXPORT, ExportOptions(shares=(("train", 50.0), ("test", 50.0))))
    tables.refresh(Changes(pairs=True))
    wait_until_counted(tables, qtbot)
    index = tables.data_set.model.index(0, 1)
    with qtbot.waitSignal(context.pairs_requested, timeout=5000) as requested:
        tables.data_set.table.chosen.emit(index)
    [target] = requested.args
    with context.project.read_transaction() as stores:
        found = stores.pair_table.count(target)
        everything = stores.pair_table.count(PairFilter())
    assert 0 < found < everything
    assert found >= int(tables.data_set.model.cell(index).text)


def test_the_models_of_tables_are_sound(tables: TablesPage, qtmodeltester: ModelTester) -> None:
    qtmodeltester.check(tables.domains.model)
