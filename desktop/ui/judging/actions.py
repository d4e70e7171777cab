"""The actions of the pages that judge pairs, with the keys they have unless somebody chose others."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import NamedTuple

from PySide6.QtCore import Qt

from desktop.ui.judging.judging_page import JudgingPage
from miner.records import Answer

_ANSWERS = {
    Answer.CONTRASTING: "1",
    Answer.REASONING: "2",
    Answer.ENTAILMENT: "3",
    Answer.NEUTRAL: "4",
    Answer.UNCLEAR: "5, U",
}


class PageAction(NamedTuple):
    """`key`: of its action, without the page's name; `keys`: shortcuts, separated by ", "."""

    key: str
    text: str
    slot: Callable[[], object]
    keys: str = ""
    icon: str = ""


def add_answer_actions(page: JudgingPage) -> None:
    """The answers; their single keys mean this inside the page alone."""
    for answer, keys in _ANSWERS.items():
        action = page.context.actions.add(
            f"{page.place}.{answer.value}",
            f"Answer {answer.value}",
            partial(page.answer, answer),
            menu=page.title,
            keys=keys,
            widget=page,
        )
        action.setAutoRepeat(False)  # a key that is held down is one answer


def add_actions(page: JudgingPage, actions: Iterable[PageAction]) -> None:
    """Add actions to the page, whose keys mean this inside it alone."""
    for one in actions:
        action = page.context.actions.add(
            f"{page.place}.{one.key}",
            one.text,
            one.slot,
            menu=page.title,
            keys=one.keys,
            icon=one.icon,
            widget=page,
        )
        action.setAutoRepeat(one.key in ("back", "forth", "scroll_down", "scroll_up"))
        if one.key in ("scroll_down", "scroll_up"):  # of the page itself: a panel beside the pair scrolls on its own
            action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
    page.show_scroll_key()


def mark_actions(page: JudgingPage) -> tuple[PageAction, ...]:
    """What can be said of a pair beside an answer, and what opens beside it."""
    side = page.side_panel
    return (
        PageAction("flag", "Flag or unflag", page.flag, "F", "flag"),
        PageAction("note", "Note…", page.open_note, "N", "sticky-note"),
        PageAction("bad", "Bad pair…", page.open_bad, "B", "ban"),
        PageAction("context", "Show context", partial(side.toggle, "context"), "C", "panel-right"),
        PageAction("guide", "Definitions and guidelines", partial(side.toggle, "guide"), "G", "book-open"),
    )


def move_actions(page: JudgingPage) -> tuple[PageAction, ...]:
    """Through the pair, from pair to pair, and back."""
    session, pair = page.session, page.column.pair
    return (
        PageAction("scroll_down", "Scroll down", pair.scroll_down, "PgDown", "chevron-down"),
        PageAction("scroll_up", "Scroll up", pair.scroll_up, "PgUp"),
        PageAction("back", "Previous pair", partial(session.move, -1), "Left", "arrow-left"),
        PageAction("forth", "Next pair without answering", partial(session.move, 1), "Right", "arrow-right"),
        PageAction("undo", "Undo the last answer", session.undo, "Backspace", "undo-2"),
    )


def help_actions(page: JudgingPage) -> tuple[PageAction, ...]:
    return (
        PageAction("help", "Keys of this page", partial(_show_keys, page), "?", "circle-help"),
        PageAction("close", "Close the panel", page.close_topmost, "Esc", "x"),
    )


def _show_keys(page: JudgingPage) -> None:
    """The window's list of keys, or, where there is none, the definitions."""
    actions = page.context.actions
    if "help.keys" in actions:
        actions.help_requested.emit(page.title)
    else:
        page.side_panel.toggle("guide")
