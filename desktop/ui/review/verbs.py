"""The page's verbs, with the keys they have unless somebody chose others."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtGui import QKeyEvent, QKeySequence

from miner.records import Answer

if TYPE_CHECKING:
    from desktop.ui.review.page import ReviewPage

_MENU = "Review"
_ANSWERS = {
    Answer.CONTRASTING: "1",
    Answer.REASONING: "2",
    Answer.ENTAILMENT: "3",
    Answer.NEUTRAL: "4",
    Answer.UNCLEAR: "5, U",
}


def add_verbs(page: ReviewPage) -> None:
    """Add them all; their single keys mean this inside the page alone."""
    actions, session = page.desk.actions, page.session
    for answer, keys in _ANSWERS.items():
        action = actions.add(
            f"review.{answer.value}",
            f"Answer {answer.value}",
            partial(page.answer, answer),
            menu=_MENU,
            keys=keys,
            widget=page,
        )
        action.setAutoRepeat(False)  # a key that is held down is one answer
    for key, text, slot, keys, icon in (
        ("skip", "Skip: ask again at the end", session.skip, "Space", "skip-forward"),
        ("flag", "Flag, or unflag", page.flag, "F", "flag"),
        ("note", "Note…", page.open_note, "N", "sticky-note"),
        ("bad", "Bad pair…", page.open_bad, "B", "ban"),
        ("context", "Show context", partial(page.side.toggle, "context"), "C", "panel-right"),
        ("guide", "Definitions and guidelines", partial(page.side.toggle, "guide"), "G", "book-open"),
        ("back", "Previous pair", partial(session.move, -1), "Left", "arrow-left"),
        ("forth", "Next pair, without an answer", partial(session.move, 1), "Right", "arrow-right"),
        ("undo", "Undo the last answer", session.undo, "Backspace", "undo-2"),
        ("blind", "Blind mode", partial(_turn_blind, page), "", "eye-off"),
        ("round", "Start a round…", page.ask_round, "", "play"),
        ("help", "Keys of this page", partial(_show_keys, page), "?", "circle-help"),
        ("close", "Close the panel", page.close_topmost, "Esc", "x"),
    ):
        action = actions.add(f"review.{key}", text, slot, menu=_MENU, keys=keys, icon=icon, widget=page)
        action.setAutoRepeat(key in ("back", "forth"))


def reversal(page: ReviewPage, event: QKeyEvent) -> str | None:
    """The window's own undo or redo, when the event is a key of it."""
    pressed, actions = QKeySequence(event.keyCombination()), page.desk.actions
    for key in ("edit.undo", "edit.redo"):
        if key in actions and pressed in actions[key].shortcuts():
            return key
    return None


def _turn_blind(page: ReviewPage) -> None:
    page.reading.round.blind.click()


def _show_keys(page: ReviewPage) -> None:
    """The window's list of keys, or, where there is none, the definitions."""
    actions = page.desk.actions
    if "help.keys" in actions:
        actions["help.keys"].trigger()
    else:
        page.side.toggle("guide")
