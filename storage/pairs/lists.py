"""Lists of pairs: put together by a person, and asked for by name in filters."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection, insert, select, update

from storage.connections import driver_connection
from storage.convert import read_all, utc_text
from storage.schema import PairListRow


class NamedPairList(NamedTuple):
    """A list's name, and how many pairs were put into it."""

    name: str
    pairs: int


class PairListStore:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def all(self) -> list[NamedPairList]:
        """All lists, in the order in which they were made."""
        count = "SELECT count(*) FROM listed_pairs WHERE list = pair_lists.id"
        sql = f"SELECT name, ({count}) AS pairs FROM pair_lists ORDER BY id"
        return list(read_all(NamedPairList, driver_connection(self._connection).execute(sql)))

    def keys(self, name: str) -> list[str] | None:
        """The keys of a list's pairs, sorted; None if there is no such list."""
        known = self._connection.scalar(select(PairListRow.id).where(PairListRow.name == name))
        if known is None:
            return None
        sql = "SELECT pair_key FROM listed_pairs WHERE list = ? ORDER BY pair_key"
        return [key for (key,) in driver_connection(self._connection).execute(sql, (known,))]

    def put(self, name: str, keys: Iterable[str], at: datetime) -> None:
        """Make a list of these pairs, replacing a list with the same name. `ValueError` for an empty name."""
        if not name.strip():
            raise ValueError("a list of pairs needs a name")
        known = self._connection.scalar(select(PairListRow.id).where(PairListRow.name == name))
        if known is None:
            statement = insert(PairListRow).values(name=name, made_at=utc_text(at)).returning(PairListRow.id)
            known = self._connection.execute(statement).scalar_one()
        driver = driver_connection(self._connection)
        driver.execute("DELETE FROM listed_pairs WHERE list = ?", (known,))
        driver.executemany(
            "INSERT OR IGNORE INTO listed_pairs (list, pair_key) VALUES (?, ?)", ((known, key) for key in keys)
        )

    def rename(self, name: str, new: str) -> None:
        """Give a list another name, which no other list has."""
        self._connection.execute(update(PairListRow).where(PairListRow.name == name).values(name=new))
