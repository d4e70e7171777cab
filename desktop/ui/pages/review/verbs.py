"""The verbs of judging, with the keys they have unless somebody chose others."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import Qt

from miner.records import Answer

if TYPE_CHECKING:
    from desktop.ui.pages.review.judging import JudgingPage
    from desktop.ui.pages.review.page import ReviewPage

_ANSWERS = {
    Answer.CONTRASTING: "1",
    Answer.REASONING: "2",
    Answer.ENTAILMENT: "3",
    Answer.NEUTRAL: "4",
    Answer.UNCLEAR: "5, U",
}


class Verb(NamedTuple):
    key: str
    text: str
    slot: Callable[[], object]
    keys: str = ""
    icon: str = ""


def add_answers(page: JudgingPage) -> None:
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


def add_all(page: JudgingPage, verbs: Iterable[Verb]) -> None:
    """Verbs of the page's own, and their keys inside it."""
    for verb in verbs:
        action = page.context.actions.add(
            f"{page.place}.{verb.key}",
            verb.text,
            verb.slot,
            menu=page.title,
            keys=verb.keys,
            icon=verb.icon,
            widget=page,
        )
        action.setAutoRepeat(verb.key in ("back", "forth", "scroll_down", "scroll_up"))
        if verb.key in ("scroll_down", "scroll_up"):  # of the page itself: a panel beside the pair scrolls on its own
            action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
    page.show_scroll_key()


def marking(page: JudgingPage) -> tuple[Verb, ...]:
    """What can be said of a pair beside an answer, and what opens beside it."""
    side = page.side
    return (
        Verb("flag", "Flag, or unflag", page.flag, "F", "flag"),
        Verb("note", "Note…", page.open_note, "N", "sticky-note"),
        Verb("bad", "Bad pair…", page.open_bad, "B", "ban"),
        Verb("context", "Show context", partial(side.toggle, "context"), "C", "panel-right"),
        Verb("guide", "Definitions and guidelines", partial(side.toggle, "guide"), "G", "book-open"),
    )


def moving(page: JudgingPage) -> tuple[Verb, ...]:
    """Through the pair, from pair to pair, and back."""
    session, pair = page.session, page.reading.pair
    return (
        Verb("scroll_down", "Read on in the pair", pair.scroll_down, "PgDown", "chevron-down"),
        Verb("scroll_up", "Back up in the pair", pair.scroll_up, "PgUp"),
        Verb("back", "Previous pair", partial(session.move, -1), "Left", "arrow-left"),
        Verb("forth", "Next pair, without an answer", partial(session.move, 1), "Right", "arrow-right"),
        Verb("undo", "Undo the last answer", session.undo, "Backspace", "undo-2"),
    )


def helping(page: JudgingPage) -> tuple[Verb, ...]:
    return (
        Verb("help", "Keys of this page", partial(_show_keys, page), "?", "circle-help"),
        Verb("close", "Close the panel", page.close_topmost, "Esc", "x"),
    )


def add_verbs(page: ReviewPage) -> None:
    """All verbs of Review."""
    add_answers(page)
    skip = Verb("skip", "Skip: ask again at the end", page.session.skip, "Space", "skip-forward")
    accept = Verb("accept", "Accept the suggestion", page.accept, "A", "check")
    blind = Verb("blind", "Blind mode", partial(_turn_blind, page), "", "eye-off")
    start = Verb("round", "Start a round…", page.ask_round, "", "play")
    add_all(page, (accept, skip, *marking(page), *moving(page), blind, start, *helping(page)))


def _turn_blind(page: ReviewPage) -> None:
    page.reading.round.blind.click()


def _show_keys(page: JudgingPage) -> None:
    """The window's list of keys, or, where there is none, the definitions."""
    actions = page.context.actions
    if "help.keys" in actions:
        actions.help_asked.emit(page.title)
    else:
        page.side.toggle("guide")
