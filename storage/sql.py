"""Statements put together at run time: clauses that carry their parameters, and queries made of them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import NamedTuple

_MOST_PARAMETERS = 1000  # members of a set that are parameters; SQLite takes no more than some thousand


class SqlClause(NamedTuple):
    """A piece of SQL, and the values of its question marks in their order."""

    sql: str
    params: tuple[str | int, ...] = ()


@dataclass(frozen=True, slots=True)
class Query:
    """A SELECT but for its columns; all conditions of `where` must hold. Each method gives another query."""

    from_: SqlClause
    where: tuple[SqlClause, ...] = ()
    group: str = ""
    order: str = ""
    limit: int | None = None

    def join(self, tables: str) -> Query:
        """With more tables, `tables` beginning with the kind of JOIN."""
        return replace(self, from_=SqlClause(f"{self.from_.sql} {tables}", self.from_.params))

    def and_where(self, *conditions: SqlClause) -> Query:
        return replace(self, where=(*self.where, *conditions))

    def group_by(self, group: str) -> Query:
        return replace(self, group=group)

    def order_by(self, order: str) -> Query:
        return replace(self, order=order)

    def limit_to(self, limit: int | None) -> Query:
        """None for all."""
        return replace(self, limit=limit)

    def select(self, columns: str) -> SqlClause:
        """The whole statement."""
        condition = all_of(self.where)
        statement = f"SELECT {columns} FROM {self.from_.sql} WHERE {condition.sql}"
        statement += f" GROUP BY {self.group}" if self.group else ""
        statement += f" ORDER BY {self.order}" if self.order else ""
        return limit_statement(SqlClause(statement, (*self.from_.params, *condition.params)), self.limit)


def all_of(conditions: Iterable[SqlClause]) -> SqlClause:
    """The condition that all of these hold."""
    conditions = tuple(conditions)
    sql = " AND ".join(condition.sql for condition in conditions) or "1"
    return SqlClause(sql, tuple(value for condition in conditions for value in condition.params))


def limit_statement(statement: SqlClause, limit: int | None) -> SqlClause:
    """The statement's first rows, `limit` of them; None for all."""
    return statement if limit is None else SqlClause(f"{statement.sql} LIMIT ?", (*statement.params, limit))


def membership_clauses(column: str, members: frozenset[str]) -> list[SqlClause]:
    """The column has one of the members, "" standing for no value; nothing is asked when there are none."""
    if not members:
        return []
    given = tuple(sorted(members - {""}))
    among = f"{column} IN ({', '.join('?' * len(given))})"
    if len(given) > _MOST_PARAMETERS:
        given, among = (json.dumps(given),), f"{column} IN (SELECT value FROM json_each(?))"
    if "" in members:
        return [SqlClause(f"({among} OR {column} IS NULL OR {column} = '')", given)]
    return [SqlClause(among, given)]


def range_clauses(column: str, limits: tuple[int | None, int | None] | None) -> list[SqlClause]:
    """The column is within the limits, both ends included; nothing is asked where there are none."""
    low, high = limits or (None, None)
    found = [SqlClause(f"{column} >= ?", (low,))] if low is not None else []
    return found + ([SqlClause(f"{column} <= ?", (high,))] if high is not None else [])
