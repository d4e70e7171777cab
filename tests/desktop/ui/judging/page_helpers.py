"""What tests of Review and Disagreements share: a round, the pair on the screen, the history, a locked project."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager

from desktop.jobs.review.rounds import RoundOptions
from desktop.ui.judging.judging_page import JudgingPage
from desktop.ui.services.project_context import ProjectContext
from storage.annotation.rounds import RoundOrder

TWELVE_PAIRS = RoundOptions(RoundOrder.RANDOM, size=12, seed=3)


def current_key(page: JudgingPage) -> str:
    """The key of the pair on the screen."""
    assert page.session.item is not None
    return page.session.item.pair.key


def history(context: ProjectContext, table: str = "label_events") -> list[tuple[str, str | None, str | None]]:
    """Pair, value before and value after, in order; of answers, or of marks with `table` "mark_events"."""
    with context.project.read_transaction() as stores:
        rows = stores._connection.exec_driver_sql(f"SELECT pair_key, old, new FROM {table} ORDER BY id")
        return [tuple(row) for row in rows]


@contextmanager
def locked_by_another_program(context: ProjectContext) -> Iterator[None]:
    """Another program is writing to the project, and does not end soon."""
    context.project._busy_timeout_s = 0.1
    context.project._writer.dispose()
    with closing(sqlite3.connect(context.path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")
