"""What is open about the pair on the screen: a note, reasons, tags, its sentences. It closes when another comes."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from desktop.translation import tr
from desktop.ui.evidence.mending import Mending
from desktop.ui.judging.inputs import NoteEditor, RejectBar, is_plain_key
from desktop.ui.judging.side_panel import SidePanel
from desktop.ui.judging.tag_bar import TagBar

_GO_ON_KEYS = frozenset({Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape})
_OTHER_PAIR = tr("Another pair is on the screen now. Press Enter again to continue with it.")
_UNSAVED_NOTE = tr("Your note about the previous pair is not saved yet; go back to save it.")


class OpenQuestions:
    """At most one input is open, and none about another pair than the one on the screen.

    Whoever was typing into one that closed would type on. For the pair that has come, keys mean nothing until Enter or
    Escape is pressed: they are held.
    """

    def __init__(
        self, note: NoteEditor, reasons: RejectBar, tags: TagBar, mending: Mending, side_panel: SidePanel
    ) -> None:
        self._note, self._tags, self._inputs = note, tags, (note, reasons, tags)
        self._mending, self._side_panel = mending, side_panel
        self._held_key = ""
        self.shown_key = ""
        """Key of the pair on the screen; "" for none."""

    @property
    def holds_keys(self) -> bool:
        return bool(self._held_key)

    @property
    def is_typing(self) -> bool:
        """Whether an input has the focus."""
        return any(_has_focus(one) for one in self._inputs)

    def close(self, *, but_tags: bool = False) -> bool:
        """Close the inputs; False when none was open."""
        left = [one for one in self._inputs if one.key and not (but_tags and one is self._tags)]
        for question in left:
            question.leave_pair()
        return bool(left)

    def show_pair(self, key: str, *, tags_stay: bool) -> tuple[str, bool]:
        """Close what is about any other pair; what there is to say, and whether somebody was typing.

        tags_stay: those of a round of errors go on to the next pair.
        """
        before, self.shown_key = self.shown_key, key
        self._mending.stay_with(key)
        self._side_panel.stay_with(key)
        left = [one for one in self._inputs if one.key not in ("", key) and not (tags_stay and one is self._tags)]
        was_typing = any(_has_focus(one) for one in left)
        for question in left:
            question.leave_pair()
        if was_typing or self._held_key != key:
            self._held_key = key if was_typing else ""
        sentences = [_UNSAVED_NOTE] if before not in ("", key) and self._note.has_draft(before) else []
        sentences += [_OTHER_PAIR] if was_typing and key else []
        return " ".join(sentences), was_typing

    def is_held(self, event: QKeyEvent) -> bool:
        """Whether the key may have been typed for a pair that is gone."""
        return self.holds_keys and (event.key() in _GO_ON_KEYS or is_plain_key(event))

    def take_held(self, event: QKeyEvent) -> bool:
        """Take a key that is held; whether those that follow mean something again."""
        if event.key() in _GO_ON_KEYS:
            self._held_key = ""
        return not self.holds_keys


def _has_focus(question: QWidget) -> bool:
    """Whether what is typed in its window goes to it, also while another window has the keyboard."""
    focus = question.window().focusWidget()
    return focus is not None and (focus is question or question.isAncestorOf(focus))
