"""What waits on the Papers page, and can be gone on with."""

from __future__ import annotations

from typing import NamedTuple

from desktop.text import count
from desktop.ui.pages.papers.import_controller import ImportController
from storage.papers.table import PaperTotals


class NextStep(NamedTuple):
    """What can be gone on with: its name, a sentence, the button's text, and whether the line can be closed."""

    name: str
    text: str
    button: str
    can_close: bool = True


def next_step(totals: PaperTotals | None, imports: ImportController, *, read_only: bool) -> NextStep | None:
    """Files left of a cancelled import, papers to mine, or pairs to review; None while anything goes on."""
    if totals is None or imports.is_going:
        return None
    if imports.left and not read_only:
        verb = "is" if imports.left == 1 else "are"
        text = f"Adding papers was cancelled: {count(imports.left, 'file')} {verb} left."
        return NextStep("left", text, f"Add the other {imports.left:,}")
    if totals.unmined and not read_only:
        verb = "waits" if totals.unmined == 1 else "wait"
        return NextStep("unmined", f"{count(totals.unmined, 'paper')} {verb} to be mined.", "Mine now", can_close=False)
    if imports.has_new_pairs and totals.pairs:
        verb = "is" if totals.pairs == 1 else "are"
        return NextStep("mined", f"{count(totals.pairs, 'pair')} {verb} ready.", "Review")
    return None
