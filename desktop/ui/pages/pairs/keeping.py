"""Keeps what is selected and where the table stands while its rows come and go."""

from __future__ import annotations

from desktop.jobs.pairs.table import PairList
from desktop.ui.pages.pairs.view import PairView

_MOST = 5_000  # selected rows that are found again after a change


def to_keep(view: PairView) -> frozenset[int]:
    """Ids that should be found again: those selected, under the cursor and on top."""
    ids = view.table.ids
    rows = [view.cursor_row(), view.top_row(), *_few_selected(view)]
    return frozenset(ids[row] for row in rows if 0 <= row < len(ids))


def replace_rows(view: PairView, listed: PairList, *, goes_on: bool) -> None:
    """Show the pairs there are after a change; what was selected, under the cursor and on top stays so.

    Where the pair under the cursor is gone, the next one is under it; it is selected as well if the person `goes_on`
    from pair to pair. Else nothing is: the next key would be about a pair that nobody has chosen.
    """
    old, places = view.table.ids, listed.positions
    current, top = view.cursor_row(), view.top_row()
    offset = view.rowViewportPosition(top) if len(old) else 0
    everything = view.has_all_selected()
    kept = [] if everything else sorted(places[old[row]] for row in _few_selected(view) if old[row] in places)
    last = len(listed.ids) - 1
    new_current = places.get(old[current], min(current, last)) if 0 <= current < len(old) else -1
    new_top = places.get(old[top], min(top, last)) if top < len(old) else 0
    view.table.replace_ids(listed.ids)
    view.select_rows(kept or ([new_current] if goes_on and new_current >= 0 else []), new_current)
    if everything:
        view.selectAll()
    view.put_on_top(new_top, offset)


def _few_selected(view: PairView) -> list[int]:
    return [row for rows in view.ranges() for row in rows] if view.selected_count() <= _MOST else []
