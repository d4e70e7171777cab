"""What tests of the Pairs page share: the pair it shows, and what is in the project."""

from __future__ import annotations

from desktop.ui.pages.pairs.page import PairsPage
from desktop.ui.services.project_context import ProjectContext
from storage.pairs.filters import PairFilter


def count_pairs(context: ProjectContext, filter: PairFilter) -> int:
    with context.project.read_transaction() as stores:
        return stores.pair_table.count(filter)


def displayed_key(page: PairsPage) -> str:
    """The key of the pair that the details pane shows."""
    lines = [page.model.line(row) for row in range(min(64, page.model.rowCount()))]
    lines += [page.model.line(page.model.rowCount() - 1)]
    sentences = (page.inspector.details.premise.text(), page.inspector.details.hypothesis.text())
    [found] = {line.key for line in lines if line is not None and (line.premise, line.hypothesis) == sentences}
    return found


def answered_keys(context: ProjectContext) -> list[str]:
    """The keys of the pairs that were answered, in order."""
    with context.project.read_transaction() as stores:
        rows = stores._connection.exec_driver_sql("SELECT pair_key FROM label_events ORDER BY id")
        return [key for (key,) in rows]
