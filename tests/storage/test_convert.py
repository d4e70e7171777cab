"""Rows become records by the names of their columns, with values of the fields' types."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any, NamedTuple

import pytest
from sqlalchemy import create_engine, insert, select

from miner.records import Label
from storage.convert import read_all, read_first, read_part
from storage.errors import UndecodableValue
from storage.schema import Base, columns_of, table_of


@dataclass(frozen=True, slots=True)
class Kept:
    name: str
    label: Label | None
    at: datetime
    is_open: bool
    facts: Mapping[str, Any]
    words: tuple[str, ...] | None = None


class Short(NamedTuple):
    words: int
    name: str = "none"


_KEPT = Kept("a", Label.NEUTRAL, datetime(2026, 3, 2, 9, tzinfo=UTC), True, {"ä": [1, 2.5]}, ("x", "y"))


def test_a_record_that_is_stored_is_read_as_it_was() -> None:
    table = table_of("test_kept", Kept, id=int)
    try:
        engine = create_engine("sqlite://")
        others = Kept("b", None, _KEPT.at, False, {}, None)
        with engine.begin() as connection:
            table.create(connection)
            connection.execute(insert(table), [{"id": id, **asdict(one)} for id, one in enumerate((_KEPT, others))])
            assert list(read_all(Kept, connection.execute(select(*columns_of(table, Kept))))) == [_KEPT, others]
            assert read_part(Kept, connection.execute(select(table)).mappings().all()[0]) == _KEPT
            stored = connection.exec_driver_sql("SELECT label, at, is_open, facts, words FROM test_kept").first()
            assert stored == ("neutral", "2026-03-02T09:00:00+00:00", 1, '{"ä": [1, 2.5]}', '["x", "y"]')
        engine.dispose()
    finally:
        Base.metadata.remove(table)


@pytest.fixture
def connection() -> Any:
    with closing(sqlite3.connect(":memory:")) as connection:
        yield connection


def test_columns_may_come_in_any_order_and_fields_with_a_default_need_none(connection: sqlite3.Connection) -> None:
    assert read_first(Short, connection.execute("SELECT 'a' AS name, 2 AS words")) == Short(2, "a")
    assert read_first(Short, connection.execute("SELECT 2 AS words")) == Short(2)
    assert read_first(Short, connection.execute("SELECT 2 AS words WHERE 0")) is None


@pytest.mark.parametrize("columns", ["1 AS words, 2 AS others", "1 AS words, 2 AS words", "'a' AS name"])
def test_columns_that_are_not_the_fields_are_a_mistake_of_ours(columns: str, connection: sqlite3.Connection) -> None:
    with pytest.raises(TypeError, match="Short"):
        list(read_all(Short, connection.execute(f"SELECT {columns}")))


@pytest.mark.parametrize(
    ("label", "at", "facts"),
    [("'none'", "'2026-03-02'", "'{}'"), ("NULL", "'x'", "'{}'"), ("NULL", "'2026-03-02'", "'['")],
)
def test_a_value_that_cannot_be_is_damage(label: str, at: str, facts: str, connection: sqlite3.Connection) -> None:
    query = f"SELECT 'a' AS name, {label} AS label, {at} AS at, 1 AS is_open, {facts} AS facts"
    with pytest.raises(UndecodableValue):
        list(read_all(Kept, connection.execute(query)))
