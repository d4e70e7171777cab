"""What Review and Disagreements share: keys, inputs, the side panel, and what is said of a save."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QEvent, Qt, QTimer, Slot
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QAbstractButton, QStackedWidget, QWidget

from desktop.jobs.review import rounds
from desktop.ui.judging.answer_session import AnsweredPair, AnswerSession
from desktop.ui.judging.pair_column import PairColumn
from desktop.ui.judging.side_panel import GuidePanel, SidePanel
from desktop.ui.services.page import Page
from desktop.ui.services.project_context import ProjectContext
from miner.errors import UserError
from miner.records import Answer
from storage.annotation.rounds import ReviewItem

_REVERSALS = ("edit.undo", "edit.redo")  # the window's own
_WITHOUT_A_PAIR = frozenset({"guide", "blind", "round", "accept_all", "help", "close"})


class JudgingPage(Page):
    """`column` shows the pair, `side_panel` what opens beside it; `place` begins the keys of the page's actions.

    A page puts `side_panel` into `stack`, among its other states.
    """

    place = ""

    def is_action_enabled(self, name: str) -> bool:
        return name in _WITHOUT_A_PAIR or self.session.item is not None

    def is_action_checked(self, name: str) -> bool | None:
        return self.side_panel.open_panel == name if name in ("context", "guide") else None

    def __init__(
        self, context: ProjectContext, session: AnswerSession, column: PairColumn, parent: QWidget | None = None
    ) -> None:
        super().__init__(context, parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._asked = ""  # the pair that was answered before all of it was on the screen
        self.session = session
        session.setParent(self)
        self.column = column
        self.side_panel = SidePanel(context)
        self.side_panel.set_main(column)
        self.stack = QStackedWidget()
        self.body.addWidget(self.stack, 1)
        session.shown.connect(self._on_shown)
        session.answered.connect(self._on_answered)
        session.marked.connect(column.previous.forget_key)
        session.marked.connect(column.note.saved)
        session.message.connect(self.tell)
        session.commands.failed.connect(self._on_failed)
        column.answers.answered.connect(self.answer)
        column.answers.asked.connect(self._on_requested)
        column.previous.change_requested.connect(self._on_change_requested)
        column.note.kept.connect(session.note)
        column.bad.chosen.connect(session.reject)
        column.note.closed.connect(self.setFocus)
        column.bad.closed.connect(self.setFocus)
        self.side_panel.opened.connect(self._on_side)
        self.side_panel.guide.kept.connect(self._on_guidelines)
        context.actions.keys_changed.connect(self.show_scroll_key)

    @property
    def guide(self) -> GuidePanel:
        return self.side_panel.guide

    # Verbs

    def answer(self, answer: Answer) -> None:
        if self._may_answer():
            self.session.answer(answer)

    def accept(self) -> None:
        """Take what the model suggests."""
        if self._may_answer():
            self.session.accept()

    def flag(self) -> None:
        if self._may_judge():
            self.session.flag()

    def open_note(self) -> None:
        item = self.session.item
        if item is not None and not self.session.busy and self._may_judge():
            self.column.close_inputs()
            self.column.note.open_for(item.pair.key, item.note or "")

    def open_bad(self) -> None:
        item = self.session.item
        if item is not None and not self.session.busy and self._may_judge():
            self.column.close_inputs()
            self.column.bad.open_for(item.pair.key, is_bad=item.bad is not None)

    def close_topmost(self) -> None:
        """What Escape closes."""
        if self.column.close_inputs():
            self.setFocus()
        elif self.side_panel.open_panel:
            self.side_panel.close_panel()

    @Slot(str)
    def tell(self, sentence: str) -> None:
        """A sentence above the answers; it goes with the next answer."""
        self.column.notice.show_text(sentence, "info")

    def _may_judge(self) -> bool:
        if self.context.read_only or self.stack.currentWidget() is not self.side_panel:
            return False
        return bool(self.context.annotator or self.context.ask_annotator(self))

    def _may_answer(self) -> bool:
        """Whether an answer is about what was read. What was not on the screen yet is shown, and asked for once."""
        if not self._may_judge():
            return False
        if self.column.bad.isVisible():  # its digits are no answers, wherever the keyboard is
            self.column.bad.setFocus()
            return False
        item, pair = self.session.item, self.column.pair
        if item is None or pair.is_seen or self._asked == item.pair.key:
            return True
        self._asked = item.pair.key
        self.tell("Not all of this pair was on the screen yet. Read on, then press the key again.")
        QTimer.singleShot(0, pair, pair.scroll_down)  # once there is room for that sentence
        return False

    # What the session tells

    @Slot(object)
    def _on_shown(self, item: ReviewItem | None) -> None:
        if item is None:
            return
        arrived = self.stack.currentWidget() is not self.side_panel
        self.stack.setCurrentWidget(self.side_panel)
        blind = self.session.view.blind and item.mine is None
        if blind and self.column.previous.key == item.pair.key:
            self.column.previous.clear()  # undone: it waits again, and the line would tell what the phrase says
        if item.pair.key != self.column.input_key and not self.column.is_typing:
            self.column.close_inputs()  # they are about another pair
        self.show_item(item, blind=blind)
        if not self.side_panel.panels.isHidden():
            self.side_panel.show_pair(item.pair.key, blind=blind)
        if self.isVisible() and (arrived or self._has_stray_focus()):
            self.setFocus()

    def show_item(self, item: ReviewItem, *, blind: bool) -> None:
        """Put a pair on the screen."""
        self.column.show_item(item, blind=blind)

    def _has_stray_focus(self) -> bool:
        """The focus is where a key would press a button again, for another pair."""
        focus = self.focusWidget()
        return focus is not None and (self.column.answers.isAncestorOf(focus) or not focus.isVisible())

    @Slot(object)
    def _on_answered(self, answered: AnsweredPair) -> None:
        if not self.column.notice.isHidden():
            self.column.notice.show_text("")
        self.column.previous.show_answer(answered, self.context.actions.hint(f"{self.place}.undo"))

    @Slot(object)
    def _on_failed(self, error: Exception) -> None:
        hint = f" {error.hint}" if isinstance(error, UserError) else ""
        words = str(error) if isinstance(error, UserError) else "Something went wrong."
        self.column.notice.show_text(f"Not saved: {words}{hint} The pair stays here until an answer is kept.", "bad")
        self.column.note.not_saved()
        if not (self.isVisible() and isinstance(error, UserError)):  # a toast would say it twice, over the answers
            self.context.problems.show(error)

    # The rest

    @Slot(str)
    def _on_change_requested(self, key: str) -> None:
        if self.column.close_inputs():
            self.setFocus()
        self.session.go_to(key)

    @Slot()
    def show_scroll_key(self) -> None:
        """The key as it is now."""
        self.column.pair.show_key(self.context.actions.hint(f"{self.place}.scroll_down"))

    @Slot(str)
    def _on_side(self, panel: str) -> None:
        self.session.view.state = replace(self.session.view.state, context=True if panel == "context" else None)
        if self.session.item is not None:
            blind = self.session.view.blind and self.session.item.mine is None
            self.side_panel.show_pair(self.session.item.pair.key, blind=blind)
        if not panel and self.isVisible():
            self.setFocus()

    @Slot(str)
    def _on_requested(self, action: str) -> None:
        self.context.actions[action].trigger()

    @Slot(str)
    def _on_guidelines(self, text: str) -> None:
        run = self.context.runner.save(rounds.keep_guidelines(self.context.project, text))
        run.done.connect(lambda _: self.guide.show_text(text.strip()))
        run.failed.connect(self.guide.not_saved)
        run.failed.connect(self.context.problems.show)

    def _show_whether_read_only(self) -> None:
        if self.context.read_only:
            self.column.answers.allow(answers=False)
            self.column.notice.show_text(f"{self.context.read_only_reason} Answers cannot be given.", "warning")

    # Undo and redo are the whole window's elsewhere; here they wait for the answer that is being saved. Space presses
    # a button that has the focus. Page keys come here from whatever has nothing to scroll itself.

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            pressing = event.key() == Qt.Key.Key_Space and isinstance(self.focusWidget(), QAbstractButton)
            if pressing or self._meant(event, *_REVERSALS):
                event.accept()
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        match self._meant(event, *_REVERSALS, *self._scrolling()):
            case "edit.undo":
                self.session.undo()
            case "edit.redo":
                self.session.redo()
            case None:
                super().keyPressEvent(event)
            case key:
                self.context.actions[key].trigger()

    def _scrolling(self) -> tuple[str, str]:
        return f"{self.place}.scroll_down", f"{self.place}.scroll_up"

    def _meant(self, event: QKeyEvent, *keys: str) -> str | None:
        """Which of these actions the event is a key of."""
        pressed, actions = QKeySequence(event.keyCombination()), self.context.actions
        return next((key for key in keys if key in actions and pressed in actions[key].shortcuts()), None)
