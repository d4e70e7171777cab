"""SQL that is built at run time: clauses with their parameters, and queries made of clauses."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from sqlalchemy import Connection

_MAX_PARAMETERS = 1000  # of a set; larger ones are one JSON parameter, since SQLite limits their number


class SqlClause(NamedTuple):
    """A piece of SQL, and the values of its question marks, in order."""

    sql: str
    params: tuple[str | int, ...] = ()


@dataclass(frozen=True, slots=True)
class Query:
    """A SELECT statement without its columns. All conditions in `where` must hold. Each method returns a new query."""

    from_: SqlClause
    where: tuple[SqlClause, ...] = ()
    group: str = ""
    order: str = ""
    limit: int | None = None

    def join(self, tables: str) -> Query:
        """Add tables; `tables` begins with the kind of JOIN."""
        return replace(self, from_=SqlClause(f"{self.from_.sql} {tables}", self.from_.params))

    def and_where(self, *conditions: SqlClause) -> Query:
        return replace(self, where=(*self.where, *conditions))

    def group_by(self, group: str) -> Query:
        return replace(self, group=group)

    def order_by(self, order: str) -> Query:
        return replace(self, order=order)

    def limit_to(self, limit: int | None) -> Query:
        """Limit the number of rows; None for all."""
        return replace(self, limit=limit)

    def select(self, columns: str) -> SqlClause:
        """The whole statement."""
        condition = all_of(self.where)
        statement = f"SELECT {columns} FROM {self.from_.sql} WHERE {condition.sql}"
        statement += f" GROUP BY {self.group}" if self.group else ""
        statement += f" ORDER BY {self.order}" if self.order else ""
        return limit_statement(SqlClause(statement, (*self.from_.params, *condition.params)), self.limit)


def insert_rows(
    connection: Connection, table: str, rows: Sequence[Mapping[str, Any]], *, on_conflict: str = ""
) -> None:
    """Insert rows that were read from this table, maybe by an earlier version; all have the same columns."""
    if rows:
        known = set(connection.exec_driver_sql("SELECT name FROM pragma_table_info(?)", (table,)).scalars())
        names = [name for name in rows[0] if name in known]
        statement = f"INSERT INTO {table} ({', '.join(names)}) VALUES ({', '.join('?' * len(names))}) {on_conflict}"
        connection.exec_driver_sql(statement, [tuple(row[name] for name in names) for row in rows])


def all_of(conditions: Iterable[SqlClause]) -> SqlClause:
    """The conditions joined by AND; true if there are none."""
    conditions = tuple(conditions)
    sql = " AND ".join(condition.sql for condition in conditions) or "1"
    return SqlClause(sql, tuple(value for condition in conditions for value in condition.params))


def limit_statement(statement: SqlClause, limit: int | None) -> SqlClause:
    """The statement with a LIMIT; unchanged if `limit` is None."""
    return statement if limit is None else SqlClause(f"{statement.sql} LIMIT ?", (*statement.params, limit))


def membership_clauses(column: str, members: frozenset[str]) -> list[SqlClause]:
    """The condition that the column has one of the members, "" meaning no value; no clause if there are no members."""
    if not members:
        return []
    values = tuple(sorted(members - {""}))
    among = f"{column} IN ({', '.join('?' * len(values))})"
    if len(values) > _MAX_PARAMETERS:
        values, among = (json.dumps(values),), f"{column} IN (SELECT value FROM json_each(?))"
    if "" in members:
        return [SqlClause(f"({among} OR {column} IS NULL OR {column} = '')", values)]
    return [SqlClause(among, values)]


def range_clauses(column: str, limits: tuple[int | None, int | None] | None) -> list[SqlClause]:
    """The conditions that the column is within the limits, both included; no clause for a limit that is None."""
    low, high = limits or (None, None)
    found = [SqlClause(f"{column} >= ?", (low,))] if low is not None else []
    return found + ([SqlClause(f"{column} <= ?", (high,))] if high is not None else [])
