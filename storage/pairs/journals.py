"""The journals of the project's papers, whose spellings are taken together."""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import Connection

from miner.journals import group_journals


def shown_spellings(connection: Connection, others: Iterable[str] = ()) -> dict[str, str]:
    """The spelling to show, by the project's names of journals and by others."""
    rows = connection.exec_driver_sql("SELECT journal, count(*) FROM papers GROUP BY journal")
    return group_journals(dict.fromkeys(others, 0) | dict(map(tuple, rows)))


def all_spellings(connection: Connection, names: Iterable[str]) -> frozenset[str]:
    """These names of journals with the project's other spellings of them."""
    names = frozenset(names)
    shown = shown_spellings(connection, names) if names else {}
    wanted = {shown[name] for name in names}
    return frozenset(name for name, spelling in shown.items() if spelling in wanted)
