"""Mining runs: their settings, which papers are still to mine, and how many candidates were kept or dropped."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from sqlalchemy import Connection, select, update
from sqlalchemy.dialects import sqlite

from miner.errors import UserError
from miner.mining.identity import mining_run_id
from miner.records import DropReason, Funnel, Strategy
from storage.convert import read_all, read_first
from storage.errors import translate_decoding_errors
from storage.schema import DATA_SET, columns_of, table_of


class MiningRunState(StrEnum):
    """The state of a mining run. RUNNING: now, or it was stopped. REPLACED: by a run with other settings."""

    RUNNING = "running"
    DONE = "done"
    REPLACED = "replaced"


_INSERT_FUNNEL = "INSERT INTO funnel (paper_id, run, strategy, outcome, reason, count) VALUES (?, ?, ?, ?, ?, ?)"
_INVALIDATE_FROM = """
    UPDATE mining_runs SET mined_to = (SELECT coalesce(max(md5), '') FROM papers WHERE md5 < ?1) WHERE mined_to >= ?1
"""
_IS_CURRENT = f"state <> '{MiningRunState.REPLACED}'"
_MINED_TO = f"SELECT mined_to FROM mining_runs WHERE {_IS_CURRENT}"
_REMOVAL = "mined before removal"  # a key of the settings
_SELECT_REMOVAL = f"SELECT value FROM settings WHERE key = '{_REMOVAL}'"
_STORE_REMOVAL = f"INSERT OR REPLACE INTO settings (key, value) VALUES ('{_REMOVAL}', ?)"
_DELETE_REMOVAL = f"DELETE FROM settings WHERE key = '{_REMOVAL}'"


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


MINING_RUNS = table_of("mining_runs", MiningRun, mined_to=str, totals=str | None, checksum=int | None)
"""Papers up to `mined_to`, in order of MD5, are mined by a run. `totals` is its funnel once it is done (JSON)."""
_IS_PAPER = f"kind <> '{DATA_SET}'"
_NEXT_PAPERS = f"""
    SELECT ? AS run, md5, digest FROM papers WHERE md5 > ? AND {_IS_PAPER} ORDER BY md5 LIMIT ?
"""
_COUNT_PENDING = f"""
    SELECT count(*) FROM papers WHERE md5 > (SELECT mined_to FROM mining_runs WHERE number = ?) AND {_IS_PAPER}
"""
_SELECT_EARLIER = """
    SELECT run FROM funnel JOIN papers ON papers.id = paper_id
    WHERE run != ?1 AND md5 > (SELECT mined_to FROM mining_runs WHERE number = ?1)
    GROUP BY run ORDER BY count(DISTINCT paper_id) DESC, run DESC LIMIT 1
"""
_MINED_TO_LAST = f"""
    UPDATE mining_runs SET mined_to = (SELECT coalesce(max(md5), '') FROM papers WHERE {_IS_PAPER}) WHERE number = ?
"""
_SPLITTERS = f"SELECT DISTINCT splitter FROM papers WHERE {_IS_PAPER} ORDER BY 1"
_FUNNEL = "SELECT strategy, outcome, reason, sum(count) FROM funnel WHERE run = ? GROUP BY 1, 2, 3 ORDER BY 1, 2, 3"


class MiningRunStore:
    """Stores mining runs.

    Papers are mined in the order of their MD5s, so an MD5 (`mined_to`) tells how far a run is.
    """

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def start(self, id: str, settings: str, *, program: str, language_model: str) -> int:
        """Start a run, or resume it. Returns its number. Any other run becomes REPLACED.

        `id` is made from settings, program and model, so the same ones resume the same run.
        """
        forget_removal(self._connection)
        values = {"settings": settings, "program": program, "language_model": language_model}
        unstarted = {"state": MiningRunState.RUNNING, "mined_to": "", "totals": None}
        statement = sqlite.insert(MINING_RUNS).values(id=id, **values, **unstarted).on_conflict_do_nothing()
        self._connection.execute(statement)
        mine = MINING_RUNS.c.id == id
        self._connection.execute(
            update(MINING_RUNS).where(mine, MINING_RUNS.c.state == MiningRunState.REPLACED).values(**unstarted)
        )
        self._connection.execute(update(MINING_RUNS).where(mine).values(state=MiningRunState.RUNNING))
        self._connection.execute(update(MINING_RUNS).where(~mine).values(state=MiningRunState.REPLACED))
        return int(self._connection.execute(select(MINING_RUNS.c.number).where(mine)).scalar_one())

    def next_papers(self, number: int, *, after: str | None = None, limit: int = 64) -> Sequence[PendingPaper]:
        """The next papers to mine, in order; empty when all are mined.

        With `after`, an MD5, only papers after it: for a caller that has not stored its last papers yet. `UserError` if
        another run has replaced this run.
        """
        row = self._connection.execute(
            select(MINING_RUNS.c.state, MINING_RUNS.c.mined_to).where(MINING_RUNS.c.number == number)
        ).one()
        if row.state == MiningRunState.REPLACED:
            raise _replaced()
        behind = row.mined_to if after is None else max(after, row.mined_to)
        return list(read_all(PendingPaper, self._connection.exec_driver_sql(_NEXT_PAPERS, (number, behind, limit))))

    def count_pending(self, number: int) -> int:
        """How many papers the run has not mined yet."""
        return int(self._connection.exec_driver_sql(_COUNT_PENDING, (number,)).scalar_one())

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
        ours = (MINING_RUNS.c.number == number, MINING_RUNS.c.state != MiningRunState.REPLACED)
        if not self._connection.execute(update(MINING_RUNS).where(*ours).values(**values)).rowcount:
            raise _replaced()
        return True

    def note_all_mined(self, number: int) -> None:
        """Record that the run has mined all papers, as they came with their pairs; their splitters become its own."""
        self._connection.exec_driver_sql(_MINED_TO_LAST, (number,))
        self.set_splitters(list(self._connection.exec_driver_sql(_SPLITTERS).scalars()))

    def funnel(self, number: int) -> Funnel:
        """How many candidates of the papers mined so far were kept or dropped."""
        return funnel_from_rows(self._connection.exec_driver_sql(_FUNNEL, (number,)).all())

    def set_splitters(self, splitters: Sequence[str]) -> None:
        """Let the current run be one with these splitters, which find the sentences that it has mined.

        A run with papers still to mine does not change: mining starts anew.
        """
        if (run := self.current()) is None or self.count_pending(run.number):
            return
        id = mining_run_id(run.settings, run.program, run.language_model, splitters)
        taken = select(MINING_RUNS.c.number).where(MINING_RUNS.c.id == id, MINING_RUNS.c.number != run.number)
        if self._connection.execute(taken).first():
            invalidate_from(self._connection, "")  # mining will resume that run, from its start
        else:
            self._connection.execute(update(MINING_RUNS).where(MINING_RUNS.c.number == run.number).values(id=id))

    def current(self) -> MiningRun | None:
        """The run of the project's pairs, which may not have mined all papers; None if nothing was mined."""
        query = select(*columns_of(MINING_RUNS, MiningRun)).where(MINING_RUNS.c.state != MiningRunState.REPLACED)
        return read_first(MiningRun, self._connection.execute(query))

    def earlier(self, current: MiningRun) -> MiningRun | None:
        """The run that most papers have their pairs from which the current run is still to mine; None if it is done.

        Papers are mined one after the other, so an unfinished run leaves the pairs of the others as they were. None
        also if these papers were never mined.
        """
        if current.state is not MiningRunState.RUNNING:
            return None
        number = self._connection.exec_driver_sql(_SELECT_EARLIER, (current.number,)).scalar()
        query = select(*columns_of(MINING_RUNS, MiningRun)).where(MINING_RUNS.c.number == number)
        return None if number is None else read_first(MiningRun, self._connection.execute(query))


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


def note_removal(connection: Connection, action: int, mined_to: str) -> None:
    """Store how far the current run had mined before an action removed papers, until anything is mined or changed."""
    connection.exec_driver_sql(_STORE_REMOVAL, (json.dumps([action, mined_to]),))


def mined_before(connection: Connection, action: int) -> str | None:
    """How far the current run had mined before this action removed papers; None if anything has happened since."""
    found = connection.exec_driver_sql(_SELECT_REMOVAL).scalar_one_or_none()
    with translate_decoding_errors():
        last, mined_to = json.loads(found) if found is not None else (None, None)
        return str(mined_to) if last == action else None


def forget_removal(connection: Connection) -> None:
    """Let undo of a removal have papers mined again; everything that mines, or has others mined, calls this."""
    connection.exec_driver_sql(_DELETE_REMOVAL)


def mined_to(connection: Connection) -> str:
    """The MD5 up to which the current run has mined; "" without a run."""
    return str(connection.exec_driver_sql(_MINED_TO).scalar_one_or_none() or "")


def set_mined_to(connection: Connection, md5: str) -> None:
    """Let the current run have mined up to this MD5."""
    connection.exec_driver_sql(f"UPDATE mining_runs SET mined_to = ? WHERE {_IS_CURRENT}", (md5,))


def invalidate_from(connection: Connection, md5: str) -> None:
    """Have papers mined again from this MD5 on, since it was added, changed or removed: duplicates depend on order."""
    forget_removal(connection)
    connection.exec_driver_sql(_INVALIDATE_FROM, (md5,))
