"""Every table of a project is verified in some way, and another value in any column of a checked one is noticed."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from storage.integrity.checked_tables import CHECKED
from storage.integrity.checksums import add_checksums, fill_checksums, find_changed_rows, row_names
from storage.integrity.history_chain import HISTORIES
from storage.integrity.stored_rows import CHECKED_TABLES
from storage.project import Project

OTHERWISE = {"history_seals", "pair_kinds", "sections", "paragraphs", "parser_outputs", "pairs_text", "last_commit"}
NOT_VERIFIED = {"rounds", "round_pairs", "actions", "parser_failures", "suggestions", "alembic_version"}
_ALLOWED = {
    **{("pairs", f"mined_{name}"): (None, "b") for name in ("premise", "hypothesis")},
    ("models", "kind"): ("hub", "folder"),
    ("training_runs", "state"): ("done", "failed"),
    ("suggestion_runs", "state"): ("running", "replaced"),
    ("precision_sample", "probability"): (0.25, 0.5),
}
_VALUES = {"INTEGER": (2, 3), "BOOLEAN": (0, 1), "REAL": (0.25, 0.5), "TEXT": ("a", "b"), "BLOB": (b"\0a", b"\0b")}


def test_every_table_is_verified_or_said_not_to_be(connection: sqlite3.Connection) -> None:
    query = "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type IN ('table', 'virtual')"
    found = {name for (name,) in connection.execute(query) if not name.startswith("sqlite_")}
    assert found == {*CHECKED, *HISTORIES, *OTHERWISE, *NOT_VERIFIED}
    assert sorted(table for tables in CHECKED_TABLES.values() for table in tables) == sorted(CHECKED)


@pytest.fixture
def connection(project: Project, path: Path) -> Iterator[sqlite3.Connection]:
    """To the file of a project, where no rule forbids a row."""
    project.close()
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        add_checksums(connection)
        yield connection


def _columns(connection: sqlite3.Connection, table: str) -> dict[str, tuple[object, object]]:
    """Two values for each column of a table."""
    rows = connection.execute(f"PRAGMA table_info ({table})").fetchall()
    return {name: _ALLOWED.get((table, name), _VALUES[kind]) for _, name, kind, *_ in rows if name != "checksum"}


@pytest.mark.parametrize("table", CHECKED)
def test_another_value_in_any_checked_column_is_noticed(connection: sqlite3.Connection, table: str) -> None:
    columns = _columns(connection, table)
    names = ", ".join(f'"{name}"' for name in columns)
    values = [value for value, _ in columns.values()]
    connection.execute(f"INSERT INTO {table} ({names}) VALUES ({', '.join('?' * len(columns))})", values)
    fill_checksums(connection)
    assert find_changed_rows(connection, table) == []
    assert len(row_names(connection, table)) == 1
    missed = []
    for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
        connection.execute(f"DROP TRIGGER {name}")
    for name in CHECKED[table].columns:
        connection.execute("BEGIN")
        connection.execute(f'UPDATE {table} SET "{name}" = ?', (columns[name][1],))
        if not find_changed_rows(connection, table):
            missed.append(name)
        connection.execute("ROLLBACK")
    assert missed == []


@pytest.mark.parametrize("table", CHECKED)
def test_a_row_with_another_content_gets_another_checksum(connection: sqlite3.Connection, table: str) -> None:
    [(sql,)] = connection.execute(
        "SELECT sql FROM sqlite_master WHERE name IN (?, ?, ?)",
        (f"{table}_have_new_content", f"{table}_are_fixed", f"{table}_is_fixed"),
    ).fetchall()
    found = re.search(rf" UPDATE OF (.*?) ON {table}\s", sql)
    assert found is not None
    assert set(CHECKED[table].columns) <= {name.strip('" ') for name in found[1].split(",")}


def test_only_tables_with_new_content_are_written(connection: sqlite3.Connection) -> None:
    connection.execute("INSERT INTO settings (key, value) VALUES ('a', '1')")
    fill_checksums(connection)
    statements: list[str] = []
    connection.set_trace_callback(statements.append)
    connection.execute("UPDATE settings SET value = '2'")
    fill_checksums(connection)
    assert {one.split()[1] for one in statements if one.startswith("UPDATE")} == {"settings"}
    plan = " ".join(
        row[3] for row in connection.execute("EXPLAIN QUERY PLAN SELECT 1 FROM pairs WHERE checksum IS NULL")
    )
    assert "pairs_without_checksum" in plan
