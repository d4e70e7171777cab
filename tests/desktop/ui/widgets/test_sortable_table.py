"""A sortable table: its rows in order, its selection, and its size."""

from __future__ import annotations

from typing import NamedTuple

import pytest
from PySide6.QtCore import Qt
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from desktop.ui.theme import Theme
from desktop.ui.widgets.sortable_table import SortableTableModel, SortableTableView, TableColumn
from desktop.ui.widgets.tables import HEADER_HEIGHT, ROW_HEIGHT


class Fruit(NamedTuple):
    name: str
    weight: int


COLUMNS: tuple[TableColumn[Fruit], ...] = (
    TableColumn("Name", lambda fruit: fruit.name, lambda fruit: fruit.name, is_left_aligned=True),
    TableColumn("Weight", lambda fruit: f"{fruit.weight:,}", lambda fruit: fruit.weight, "In grams"),
)
FRUITS = [Fruit("fig", 40), Fruit("apple", 180), Fruit("date", 40)]


class FruitModel(SortableTableModel[Fruit]):
    def __init__(self) -> None:
        super().__init__(COLUMNS, 1)

    def row_key(self, row: Fruit) -> str:
        return row.name

    def tie_key(self, row: Fruit) -> str:
        return row.name

    def row_tip(self, row: Fruit) -> str:
        return f"<b>{row.name}</b>"


@pytest.fixture
def model(qtmodeltester: ModelTester) -> FruitModel:
    model = FruitModel()
    model.show_rows(FRUITS)
    qtmodeltester.check(model)  # keeps checking whatever the test does to it
    return model


@pytest.fixture
def table(model: FruitModel, theme: Theme, qtbot: QtBot) -> SortableTableView:
    table = SortableTableView(theme, model, "Fruits")
    qtbot.addWidget(table)
    return table


def names(model: FruitModel) -> list[str]:
    return [fruit.name for fruit in model.rows]


def test_rows_that_are_equal_follow_each_other_in_a_fixed_order(model: FruitModel) -> None:
    assert names(model) == ["apple", "date", "fig"]
    model.sort(1, Qt.SortOrder.AscendingOrder)
    assert names(model) == ["date", "fig", "apple"]


def test_the_header_shows_what_the_table_is_sorted_by(model: FruitModel) -> None:
    def titles() -> list[object]:
        return [model.headerData(column, Qt.Orientation.Horizontal) for column in range(2)]

    assert titles() == ["Name", "Weight ↓"]
    model.sort(0, Qt.SortOrder.AscendingOrder)
    assert titles() == ["Name ↑", "Weight"]
    assert model.headerData(1, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole) == "In grams"


def test_the_view_keeps_the_order_of_its_model(table: SortableTableView, model: FruitModel) -> None:
    assert names(model) == ["apple", "date", "fig"]
    assert table.horizontalHeader().sortIndicatorSection() == 1


def test_the_selection_follows_its_row(table: SortableTableView, model: FruitModel) -> None:
    table.selectRow(0)
    model.sort(1, Qt.SortOrder.AscendingOrder)
    assert table.currentIndex().row() == 2
    heavier = [fruit._replace(weight=fruit.weight + 1) for fruit in FRUITS]
    model.show_rows(heavier)
    assert table.currentIndex().row() == 2
    assert model.index(2, 1).data() == "181"
    model.show_rows(FRUITS[1:])
    assert not table.currentIndex().isValid()


def test_tooltips_are_plain_text(model: FruitModel) -> None:
    assert "&lt;b&gt;apple" in str(model.index(0, 0).data(Qt.ItemDataRole.ToolTipRole))


def test_the_table_is_as_high_as_its_rows_up_to_a_limit(table: SortableTableView, theme: Theme) -> None:
    for max_rows, visible_rows in ((5, 3), (2, 2)):
        table.fit_height(max_rows)
        assert table.height() == theme.px(HEADER_HEIGHT) + visible_rows * theme.px(ROW_HEIGHT)
