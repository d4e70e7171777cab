"""Carries what people did to the pairs of one paper over to another one that is the same paper.

A pair's key is made of its paper and its sentences, so each pair of the one has a counterpart in the other. Answers,
marks, mended sentences, lists and closed rounds go to the counterpart. It is mined again if the other paper has both
sentences; else it stays in the project as a pair that is no longer mined, as after any mining.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy import Connection

from miner.mining.identity import pair_key
from miner.records import Strategy
from storage.pairs import judgement, mended_texts
from storage.pairs.annotated_neutrals import HISTORIES
from storage.pairs.store import PairStore, insert_pairs

_IN_KEYS = "pair_key IN (SELECT value FROM json_each(:keys))"
_MAY_BE_CARRIED = f"""
    SELECT pairs.* FROM pairs WHERE paper_id = ? AND ({
    " OR ".join(f"EXISTS (SELECT 1 FROM {table} WHERE pair_key = pairs.key)" for table in HISTORIES)
}
        OR EXISTS (SELECT 1 FROM listed_pairs WHERE pair_key = pairs.key)
        OR EXISTS (SELECT 1 FROM annotation_round_pairs WHERE pair_key = pairs.key)
    ) ORDER BY id
"""
_ROUNDS = f"""
    SELECT round, pair_key, kind = 'pilot' FROM annotation_round_pairs JOIN annotation_rounds ON id = round
    WHERE {_IN_KEYS} ORDER BY 1, 2
"""
_IN_ROUND = "SELECT EXISTS (SELECT 1 FROM annotation_round_pairs WHERE round = ? AND pair_key = ?)"
_HAS_ANSWERS = "SELECT EXISTS (SELECT 1 FROM label_events WHERE pair_key = ?)"
_SWAP_IN_ROUND = "UPDATE annotation_round_pairs SET pair_key = ?3 WHERE round = ?1 AND pair_key = ?2"
_WAITING_ROUND = """
    SELECT number, count(*) FROM annotation_round_pairs AS drawn JOIN annotation_rounds ON annotation_rounds.id = round
    JOIN pairs ON pairs.key = pair_key JOIN papers ON papers.id = paper_id
    WHERE papers.md5 = ? AND is_open
    GROUP BY 1 ORDER BY 1 LIMIT 1
"""
_DELETE_ADDED = """
    DELETE FROM pairs WHERE key IN (SELECT value FROM json_each(?)) AND NOT current
        AND status = 'open' AND NOT flagged AND NOT noted AND NOT edited
"""


@dataclass(frozen=True, slots=True)
class CarriedPairs:
    """What was carried, so that it can be taken back.

    added: keys of the pairs that are new in the paper that stays. lists: (list, key) that are new in it. rounds:
    (round, old key, new key).
    """

    added: tuple[str, ...] = ()
    lists: tuple[tuple[int, str], ...] = ()
    rounds: tuple[tuple[int, str, str], ...] = ()

    def to_data(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> CarriedPairs:
        return cls(tuple(data["added"]), tuple(map(tuple, data["lists"])), tuple(map(tuple, data["rounds"])))


def waiting_round(connection: Connection, md5: str) -> tuple[int, int] | None:
    """The number of an open round that has pairs of this paper, and how many; None without one."""
    found = connection.exec_driver_sql(_WAITING_ROUND, (md5,)).first()
    if found is None:
        return None
    number, pairs = found
    return number, pairs


def successors(carried: Iterable[CarriedPairs]) -> dict[str, str]:
    """By the key of a pair that merges, in their order, took out of closed rounds, that of the pair in its place."""
    found: dict[str, str] = {}
    for one in carried:
        new_keys = {old: new for _, old, new in one.rounds}
        found = {old: new_keys.get(new, new) for old, new in found.items()} | new_keys
    return found


def carry(connection: Connection, action: int, paper: int, kept: int, md5: str, *, events: bool = True) -> CarriedPairs:
    """Carry what people did to the pairs of `paper` over to `kept`, with this MD5, as part of an action.

    Of two answers by one person the later one holds. events: False where they are carried already, as after a redo.
    """
    rows = [dict(row) for row in connection.exec_driver_sql(_MAY_BE_CARRIED, (paper,)).mappings()]
    new_keys = {row["key"]: _counterpart(row, md5) for row in rows}
    rounds = _carry_rounds(connection, new_keys)  # first, as it says which pairs stay as they are
    lists = _carry_lists(connection, new_keys)
    if events:
        for table, own in HISTORIES.items():
            _carry_history(connection, action, table, own, new_keys)
    annotated = _with_history(connection, new_keys.values())
    present = PairStore(connection).present(sorted(annotated))
    missing = annotated.difference(present)
    added: dict[str, dict[str, Any]] = {}
    for row in rows:
        if (key := new_keys.get(row["key"], "")) in missing:
            added.setdefault(key, _copied(row, key, kept))
    insert_pairs(connection, list(added.values()))
    mended_texts.refresh(connection, present)
    judgement.refresh(connection, [*present, *added])
    return CarriedPairs(tuple(added), tuple(lists), tuple(rounds))


def take_back(connection: Connection, carried: CarriedPairs) -> None:
    """Undo `carry`, apart from the events, which the action's reversal has undone."""
    connection.exec_driver_sql(_DELETE_ADDED, (json.dumps(carried.added),))
    for number, key in carried.lists:
        connection.exec_driver_sql("DELETE FROM listed_pairs WHERE list = ? AND pair_key = ?", (number, key))
    for number, old, new in carried.rounds:
        connection.exec_driver_sql(_SWAP_IN_ROUND, (number, new, old))
    judgement.refresh(connection, [new for _, _, new in carried.rounds])


def _counterpart(row: Mapping[str, Any], md5: str) -> str:
    premise = row["mined_premise"] or row["premise"]
    return pair_key(md5, premise, row["hypothesis_original"], Strategy(row["strategy"]))


def _copied(row: Mapping[str, Any], key: str, paper: int) -> dict[str, Any]:
    """The row of a pair as that of its counterpart, with the sentences as they were mined."""
    mined = {field: row[f"mined_{field}"] or row[field] for field in ("premise", "hypothesis")}
    own = {"key": key, "paper_id": paper, "current": False, "edited": False}
    unknown = dict.fromkeys(("mined_premise", "mined_hypothesis", "own_split", "source_id", "source_label", "source"))
    return {**row, **mined, **unknown, **own}


def _with_history(connection: Connection, keys: Iterable[str]) -> set[str]:
    named = {"keys": json.dumps(list(keys))}
    tables = " UNION ".join(f"SELECT pair_key FROM {table} WHERE {_IN_KEYS}" for table in HISTORIES)
    return set(connection.exec_driver_sql(tables, named).scalars())


def _carry_rounds(connection: Connection, new_keys: dict[str, str]) -> list[tuple[int, str, str]]:
    """Let closed rounds have the counterparts. A pilot pair stays one, so its answers never become votes."""
    swapped = []
    for number, old, is_pilot in connection.exec_driver_sql(_ROUNDS, {"keys": json.dumps(list(new_keys))}).all():
        if (new := new_keys.get(old)) is None:
            continue
        has_both = connection.exec_driver_sql(_IN_ROUND, (number, new)).scalar_one()
        if is_pilot and connection.exec_driver_sql(_HAS_ANSWERS, (new,)).scalar_one():
            del new_keys[old]
        elif not has_both:
            connection.exec_driver_sql(_SWAP_IN_ROUND, (number, old, new))
            swapped.append((number, old, new))
    return swapped


def _carry_lists(connection: Connection, new_keys: Mapping[str, str]) -> list[tuple[int, str]]:
    query = f"SELECT list, pair_key FROM listed_pairs WHERE {_IN_KEYS} ORDER BY 1, 2"
    added = []
    for number, old in connection.exec_driver_sql(query, {"keys": json.dumps(list(new_keys))}).all():
        statement = "INSERT OR IGNORE INTO listed_pairs (list, pair_key) VALUES (?, ?)"
        if connection.exec_driver_sql(statement, (number, new_keys[old])).rowcount:
            added.append((number, new_keys[old]))
    return added


def _carry_history(
    connection: Connection, action: int, table: str, own: Sequence[str], new_keys: Mapping[str, str]
) -> None:
    """Enter what holds now of each pair for its counterpart, unless something later is there."""
    same = "".join(f" AND {column} = e.{column}" for column in own)
    holding = f"""
        SELECT e.* FROM {table} e WHERE {_IN_KEYS} AND new IS NOT NULL
            AND id = (SELECT max(id) FROM {table} WHERE pair_key = e.pair_key{same}) ORDER BY id
    """
    latest = f"""
        SELECT at, new FROM {table} WHERE pair_key = ? {"".join(f" AND {column} = ?" for column in own)}
        ORDER BY id DESC LIMIT 1
    """
    for row in connection.exec_driver_sql(holding, {"keys": json.dumps(list(new_keys))}).mappings().all():
        key = new_keys[row["pair_key"]]
        there = connection.exec_driver_sql(latest, (key, *(row[column] for column in own))).first()
        if there is not None and (there.at >= row["at"] or there.new == row["new"]):
            continue
        # A mended sentence has an old text, always.
        old = row["old"] if "field" in own and (there is None or there.new is None) else there and there.new
        values = {**row, "pair_key": key, "old": old, "action": action}
        del values["id"]
        statement = f"INSERT INTO {table} ({', '.join(values)}) VALUES ({', '.join('?' * len(values))})"
        connection.exec_driver_sql(statement, tuple(values.values()))
