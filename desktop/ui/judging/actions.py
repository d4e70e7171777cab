"""The actions of Review and Doubted labels, with their default keys."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import NamedTuple

from PySide6.QtCore import Qt

from desktop.translation import tr
from desktop.ui.judging.judging_page import JudgingPage
from desktop.ui.services.answer_keys import ANSWER_KEYS, answer_setting


class PageAction(NamedTuple):
    """An action of a page. `key`: the action's key without the page's name; `keys`: shortcuts, separated by ", "."""

    key: str
    text: str
    slot: Callable[[], object]
    keys: str = ""
    icon: str = ""


def add_answer_actions(page: JudgingPage) -> None:
    """Add an action for each answer; its shortcuts work only inside the page."""
    for answer, keys in ANSWER_KEYS.items():
        action = page.context.actions.add(
            f"{page.name}.{answer.value}",
            tr("Answer {value}", value=answer.value),
            partial(page.answer, answer),
            menu=page.title,
            keys=keys,
            widget=page,
            shared=answer_setting(answer),
        )
        action.setAutoRepeat(False)  # holding a key down is one answer


def add_actions(page: JudgingPage, actions: Iterable[PageAction]) -> None:
    """Add actions to the page; their shortcuts work only inside it."""
    for entry in actions:
        action = page.context.actions.add(
            f"{page.name}.{entry.key}",
            entry.text,
            entry.slot,
            menu=page.title,
            keys=entry.keys,
            icon=entry.icon,
            widget=page,
        )
        scrolls = entry.key in ("scroll_down", "scroll_up")
        action.setAutoRepeat(scrolls or entry.key in ("back", "forth"))
        if scrolls:  # only when the page itself has the focus: a panel beside the pair scrolls on its own
            action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
    page.show_scroll_key()


def mark_actions(page: JudgingPage) -> tuple[PageAction, ...]:
    """The actions for flag, note, bad pair, tags, mended sentences, the panels beside the pair, and why it is shown."""
    side = page.side_panel
    return (
        PageAction("flag", tr("Flag or unflag"), page.flag, "F", "flag"),
        PageAction("note", tr("Note…"), page.open_note_editor, "N", "sticky-note"),
        PageAction("bad", tr("Bad pair…"), page.open_reject_bar, "B", "ban"),
        PageAction("tag", tr("Tag an error…"), page.open_tag_bar, "T", "bookmark"),
        PageAction("mend", tr("Correct a sentence…"), page.open_mend_dialog, "E", "pencil-line"),
        PageAction("context", tr("Show the pair in its paper"), partial(side.toggle, "context"), "C", "panel-right"),
        PageAction("guide", tr("Definitions and guidelines"), partial(side.toggle, "guide"), "G", "book-open"),
        PageAction("why", tr("Why this pair?"), page.show_why, "W", "info"),
    )


def move_actions(page: JudgingPage) -> tuple[PageAction, ...]:
    """The actions that scroll, go to another pair, and undo."""
    session, pair = page.session, page.pair_view
    return (
        PageAction("scroll_down", tr("Scroll down"), pair.scroll_down, "PgDown", "chevron-down"),
        PageAction("scroll_up", tr("Scroll up"), pair.scroll_up, "PgUp"),
        PageAction("back", tr("Previous pair"), partial(session.move, -1), "Left", "arrow-left"),
        PageAction("forth", tr("Next pair without answering"), partial(session.move, 1), "Right", "arrow-right"),
        PageAction("undo", tr("Undo the last answer"), session.undo, "Backspace", "undo-2"),
    )


def help_actions(page: JudgingPage) -> tuple[PageAction, ...]:
    """The actions for the list of keys, and for Escape."""
    return (
        PageAction("help", tr("Keys of this page"), partial(_show_keys, page), "?", "circle-help"),
        PageAction("close", tr("Close the panel"), page.close_topmost, "Esc", "x"),
    )


def _show_keys(page: JudgingPage) -> None:
    """Show the window's list of keys; without a window, the definitions."""
    actions = page.context.actions
    if "help.keys" in actions:
        actions.help_requested.emit(page.title)
    else:
        page.side_panel.toggle("guide")
