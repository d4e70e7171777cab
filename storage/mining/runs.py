"""Mining runs: their settings, which papers are still to mine, and how many candidates were kept or dropped."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from sqlalchemy import Connection, func, select, update
from sqlalchemy.dialects import sqlite

from miner.errors import UserError
from miner.mining.identity import mining_run_id
from miner.records import DropReason, Funnel, Strategy
from storage.errors import translate_decoding_errors
from storage.schema import DATA_SET, FunnelRow, MiningRunRow, PaperRow


class MiningRunState(StrEnum):
    """REPLACED: by a run with other settings."""

    RUNNING = "running"
    DONE = "done"
    REPLACED = "replaced"


_INSERT_FUNNEL = "INSERT INTO funnel (paper_id, run, strategy, outcome, reason, count) VALUES (?, ?, ?, ?, ?, ?)"
_INVALIDATE_FROM = """
    UPDATE mining_runs SET mined_to = (SELECT coalesce(max(md5), '') FROM papers WHERE md5 < ?1) WHERE mined_to >= ?1
"""


class PendingPaper(NamedTuple):
    """A paper that a run has not mined yet, with the digest of its text."""

    run: int
    md5: str
    digest: str


@dataclass(frozen=True, slots=True)
class MiningRun:
    """A mining run. settings: its `MiningSettings` as JSON text, of which `id` is made."""

    number: int
    id: str
    settings: str
    program: str
    language_model: str
    state: MiningRunState

    @property
    def rules_version(self) -> str:
        """The version of the rules, with which `program` ends."""
        return self.program.rpartition("rules ")[2]


class MiningRunStore:
    """Papers are mined in the order of their MD5s, so one MD5 (`mined_to`) says how far a run is."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def start(self, id: str, settings: str, *, program: str, language_model: str) -> int:
        """Start a run, or resume it. Returns its number. Any other run becomes REPLACED.

        `id` is made from settings, program and model, so the same ones resume the same run.
        """
        values = {"settings": settings, "program": program, "language_model": language_model}
        unstarted = {"state": MiningRunState.RUNNING, "mined_to": "", "totals": None}
        statement = sqlite.insert(MiningRunRow).values(id=id, **values, **unstarted).on_conflict_do_nothing()
        self._connection.execute(statement)
        mine = MiningRunRow.id == id
        self._connection.execute(
            update(MiningRunRow).where(mine, MiningRunRow.state == MiningRunState.REPLACED).values(**unstarted)
        )
        self._connection.execute(update(MiningRunRow).where(mine).values(state=MiningRunState.RUNNING))
        self._connection.execute(update(MiningRunRow).where(~mine).values(state=MiningRunState.REPLACED))
        return self._connection.execute(select(MiningRunRow.number).where(mine)).scalar_one()

    def next_papers(self, number: int, *, after: str | None = None, limit: int = 64) -> Sequence[PendingPaper]:
        """The next papers to mine, in order; empty when all are mined.

        With `after`, an MD5, those behind it: for a caller whose papers in hand are not stored yet. `UserError` when
        another run has replaced this one.
        """
        row = self._connection.execute(
            select(MiningRunRow.state, MiningRunRow.mined_to).where(MiningRunRow.number == number)
        ).one()
        if row.state == MiningRunState.REPLACED:
            raise _replaced()
        behind = row.mined_to if after is None else max(after, row.mined_to)
        query = select(PaperRow.md5, PaperRow.digest).where(PaperRow.md5 > behind, PaperRow.kind != DATA_SET)
        rows = self._connection.execute(query.order_by(PaperRow.md5).limit(limit))
        return [PendingPaper(number, md5, digest) for md5, digest in rows]

    def count_pending(self, number: int) -> int:
        """How many papers the run has not mined yet."""
        to = select(MiningRunRow.mined_to).where(MiningRunRow.number == number).scalar_subquery()
        query = select(func.count()).where(PaperRow.md5 > to, PaperRow.kind != DATA_SET)
        return self._connection.execute(query).scalar_one()

    def finish(self, number: int) -> bool:
        """Mark a run as done and store its totals. Returns False, and does nothing, if papers are still to mine."""
        if self.count_pending(number):
            return False
        funnel = self.funnel(number)
        totals = {
            "candidates": {strategy.value: count for strategy, count in funnel.candidates.items()},
            "kept": {strategy.value: count for strategy, count in funnel.kept.items()},
            "dropped": [[drop.strategy.value, drop.reason, count] for drop, count in funnel.dropped.items()],
        }
        values = {"state": MiningRunState.DONE, "totals": json.dumps(totals)}
        ours = (MiningRunRow.number == number, MiningRunRow.state != MiningRunState.REPLACED)
        if not self._connection.execute(update(MiningRunRow).where(*ours).values(**values)).rowcount:
            raise _replaced()
        return True

    def note_all_mined(self, number: int) -> None:
        """Let the run have mined all papers, since they came with its pairs; and be one of these papers' splitters."""
        last = select(func.coalesce(func.max(PaperRow.md5), "")).where(PaperRow.kind != DATA_SET).scalar_subquery()
        self._connection.execute(update(MiningRunRow).where(MiningRunRow.number == number).values(mined_to=last))
        splitters = select(PaperRow.splitter).where(PaperRow.kind != DATA_SET).distinct().order_by(PaperRow.splitter)
        self.set_splitters(list(self._connection.scalars(splitters)))

    def funnel(self, number: int) -> Funnel:
        """How many candidates of the papers mined so far were kept or dropped."""
        columns = (FunnelRow.strategy, FunnelRow.outcome, FunnelRow.reason, func.sum(FunnelRow.count))
        query = select(*columns).where(FunnelRow.run == number).group_by(*columns[:3]).order_by(*columns[:3])
        return funnel_from_rows(self._connection.execute(query))

    def set_splitters(self, splitters: Sequence[str]) -> None:
        """Let the current run be one with these splitters, which find the sentences that it has mined.

        One that has still papers to mine stays as it is: mining starts anew.
        """
        if (run := self.current()) is None or self.count_pending(run.number):
            return
        id = mining_run_id(run.settings, run.program, run.language_model, splitters)
        taken = select(MiningRunRow.number).where(MiningRunRow.id == id, MiningRunRow.number != run.number)
        if self._connection.execute(taken).first():
            invalidate_from(self._connection, "")  # mining will resume that one, which starts anew
        else:
            self._connection.execute(update(MiningRunRow).where(MiningRunRow.number == run.number).values(id=id))

    @translate_decoding_errors()
    def current(self) -> MiningRun | None:
        """The run of the project's pairs; None if nothing was mined."""
        query = select(MiningRunRow).where(MiningRunRow.state != MiningRunState.REPLACED)
        row = self._connection.execute(query).first()
        if row is None:
            return None
        return MiningRun(row.number, row.id, row.settings, row.program, row.language_model, MiningRunState(row.state))


def _replaced() -> UserError:
    return UserError("Mining with other settings has begun meanwhile.", hint="Let it finish, then mine again.")


@translate_decoding_errors()
def funnel_from_rows(rows: Iterable[tuple[str, str, str, int]]) -> Funnel:
    """The funnel of rows (strategy, outcome, reason, count)."""
    candidates: dict[Strategy, int] = {}
    kept: dict[Strategy, int] = {}
    dropped: dict[DropReason, int] = {}
    for strategy, outcome, reason, count in rows:
        if outcome == "dropped":
            dropped[DropReason(Strategy(strategy), reason)] = count
        else:
            (kept if outcome == "kept" else candidates)[Strategy(strategy)] = count
    return Funnel(candidates, kept, dropped)


def store_funnel(connection: Connection, paper_id: int, run: int, funnel: Funnel) -> None:
    """Store the counts of one paper; replaces its earlier ones."""
    rows = [(strategy.value, "candidate", "", count) for strategy, count in funnel.candidates.items()]
    rows += [(strategy.value, "kept", "", count) for strategy, count in funnel.kept.items()]
    rows += [(drop.strategy.value, "dropped", drop.reason, count) for drop, count in funnel.dropped.items()]
    connection.exec_driver_sql("DELETE FROM funnel WHERE paper_id = ?", (paper_id,))
    if rows:
        connection.exec_driver_sql(_INSERT_FUNNEL, [(paper_id, run, *row) for row in rows])


def invalidate_from(connection: Connection, md5: str) -> None:
    """Have papers mined again from this MD5 on, since it was added, changed or removed: duplicates depend on order."""
    connection.exec_driver_sql(_INVALIDATE_FROM, (md5,))
