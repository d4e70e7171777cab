"""The actions of the tab Answer of the Kinds page."""

from __future__ import annotations

from collections.abc import Callable

from desktop.translation import tr
from desktop.ui.judging.actions import PageAction, add_actions, add_answer_actions, mark_actions, move_actions
from desktop.ui.judging.judging_page import JudgingPage
from desktop.ui.pages.kinds.session import KindsSession

HINTS = (  # action, text of its link
    ("next", tr("next")),
    ("previous", tr("back")),
    ("skip", tr("skip")),
    ("note", tr("note")),
    ("flag", tr("flag")),
    ("edit.undo", tr("undo")),
    ("why", tr("why")),
    ("guide", tr("help")),
)
_NOT_IN_ANSWER_FILES = frozenset({"context", "draw"})  # they need more than the file has


def add_kinds_actions(
    tab: JudgingPage, session: KindsSession, go_on: Callable[[], None], draw: Callable[[], None]
) -> None:
    """Add the tab's actions; their shortcuts work only inside it."""
    add_answer_actions(tab)
    marks = {action.key: action for action in mark_actions(tab)}
    moves = {action.key: action for action in move_actions(tab)}
    help = PageAction("guide", tr("Help on this question"), marks["guide"].slot, tr("?, Shift+G, G"), "circle-help")
    left_out = _NOT_IN_ANSWER_FILES if tab.context.assignment is not None else frozenset[str]()
    actions = (
        PageAction("next", tr("Next question"), go_on, "Enter, Return", "arrow-right"),
        PageAction("previous", tr("Previous question"), session.go_back, "Backspace", "undo-2"),
        PageAction("skip", tr("Skip: ask again at the end"), session.skip, "Space", "skip-forward"),
        *(_with_shift(marks[key]) for key in ("flag", "note", "bad", "context", "why")),
        help,
        *(moves[key] for key in ("scroll_down", "scroll_up", "back", "forth")),
        PageAction("draw", tr("Draw pairs to answer…"), draw, "", "play"),
        PageAction("close", tr("Close the panel"), tab.close_topmost, "Esc", "x"),
    )
    add_actions(tab, [action for action in actions if action.key not in left_out])


def _with_shift(action: PageAction) -> PageAction:
    """The action with its letter and also Shift and the letter, which works at all questions."""
    return action._replace(keys=f"Shift+{action.keys}, {action.keys}")
