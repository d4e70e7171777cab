"""The open inputs about the pair on the screen: a note, reasons, tags, its sentences. They close with the pair."""

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
    """At most one input is open, and only about the pair on the screen.

    If an input closes while the annotator types, further keys could answer the new pair. So they are held: they do
    nothing until Enter or Escape is pressed.
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
        """Close the inputs about other pairs. Returns the message to show, and whether somebody was typing.

        tags_stay: the tag bar stays open for the next pair, as in a round of errors.
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
        """Whether the key may have been meant for the previous pair."""
        return self.holds_keys and (event.key() in _GO_ON_KEYS or is_plain_key(event))

    def take_held(self, event: QKeyEvent) -> bool:
        """Ignore a held key; returns whether the keys after it work again."""
        if event.key() in _GO_ON_KEYS:
            self._held_key = ""
        return not self.holds_keys


def _has_focus(question: QWidget) -> bool:
    """Whether the input has the focus of its window, even if another window has the keyboard."""
    focus = question.window().focusWidget()
    return focus is not None and (focus is question or question.isAncestorOf(focus))
