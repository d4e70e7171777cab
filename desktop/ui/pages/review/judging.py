"""What pages have in common on which pairs are judged one by one: keys, inputs, panels, and what is said of a save."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, QTimer, Slot
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QAbstractButton, QStackedWidget, QWidget

from desktop.jobs.review import rounds
from desktop.ui.pages.review.guide_panel import GuidePanel
from desktop.ui.pages.review.reading import Reading
from desktop.ui.pages.review.session import Session, Settled
from desktop.ui.pages.review.side import Side
from desktop.ui.services.page import Page
from desktop.ui.services.project_context import ProjectContext
from miner.errors import UserError
from miner.records import Answer
from storage.annotation.rounds import ReviewItem

_REVERSALS = ("edit.undo", "edit.redo")  # the window's own


_WITHOUT_A_PAIR = frozenset({"guide", "blind", "round", "accept_all", "help", "close"})


class JudgingPage(Page):
    """`reading` is the column with the pair, `side` what opens beside it; `place` is what the page's verbs begin with.

    A page puts `side` into `stack`, among its other states.
    """

    place = ""

    def can_do(self, verb: str) -> bool:
        return verb in _WITHOUT_A_PAIR or self.session.item is not None

    def is_on(self, verb: str) -> bool | None:
        return self.side.open_panel == verb if verb in ("context", "guide") else None

    def __init__(
        self, context: ProjectContext, session: Session, reading: Reading, parent: QWidget | None = None
    ) -> None:
        super().__init__(context, parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._asked = ""  # the pair that was answered before all of it was on the screen
        self.session = session
        session.setParent(self)
        self.reading = reading
        self.side = Side(context)
        self.side.set_main(reading)
        self.stack = QStackedWidget()
        self.body.addWidget(self.stack, 1)
        session.shown.connect(self._on_shown)
        session.settled.connect(self._on_settled)
        session.marked.connect(reading.previous.forget_key)
        session.marked.connect(reading.note.saved)
        session.told.connect(self.tell)
        session.failed.connect(self._on_failed)
        reading.answers.answered.connect(self.answer)
        reading.answers.asked.connect(self._on_asked)
        reading.previous.change_asked.connect(self._on_change_asked)
        reading.note.kept.connect(session.note)
        reading.bad.chosen.connect(session.call_bad)
        reading.note.closed.connect(self.setFocus)
        reading.bad.closed.connect(self.setFocus)
        self.side.opened.connect(self._on_side)
        self.side.guide.kept.connect(self._on_guidelines)
        context.actions.keys_changed.connect(self.show_scroll_key)

    @property
    def guide(self) -> GuidePanel:
        return self.side.guide

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
            self.reading.close_inputs()
            self.reading.note.open_for(item.pair.key, item.note or "")

    def open_bad(self) -> None:
        item = self.session.item
        if item is not None and not self.session.busy and self._may_judge():
            self.reading.close_inputs()
            self.reading.bad.open_for(item.pair.key, is_bad=item.bad is not None)

    def close_topmost(self) -> None:
        """What Escape closes."""
        if self.reading.close_inputs():
            self.setFocus()
        elif self.side.open_panel:
            self.side.close_panel()

    @Slot(str)
    def tell(self, sentence: str) -> None:
        """A sentence above the answers; it goes with the next answer."""
        self.reading.notice.tell(sentence, "info")

    def _may_judge(self) -> bool:
        if self.context.read_only or self.stack.currentWidget() is not self.side:
            return False
        return bool(self.context.annotator or self.context.ask_annotator(self))

    def _may_answer(self) -> bool:
        """Whether an answer is about what was read. What was not on the screen yet is shown, and asked for once."""
        if not self._may_judge():
            return False
        if self.reading.bad.isVisible():  # its digits are no answers, wherever the keyboard is
            self.reading.bad.setFocus()
            return False
        item, pair = self.session.item, self.reading.pair
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
        arrived = self.stack.currentWidget() is not self.side
        self.stack.setCurrentWidget(self.side)
        blind = self.session.blind and item.mine is None
        if blind and self.reading.previous.key == item.pair.key:
            self.reading.previous.clear()  # undone: it waits again, and the line would tell what the phrase says
        if item.pair.key != self.reading.input_key and not self.reading.is_typing:
            self.reading.close_inputs()  # they are about another pair
        self.show_item(item, blind=blind)
        self.side.show_pair(item.pair.key, blind=blind)
        if self.isVisible() and (arrived or self._has_stray_focus()):
            self.setFocus()

    def show_item(self, item: ReviewItem, *, blind: bool) -> None:
        """Put a pair on the screen."""
        self.reading.show_item(item, blind=blind)

    def _has_stray_focus(self) -> bool:
        """The focus is where a key would press a button again, for another pair."""
        focus = self.focusWidget()
        return focus is not None and (self.reading.answers.isAncestorOf(focus) or not focus.isVisible())

    @Slot(object)
    def _on_settled(self, settled: Settled) -> None:
        self.reading.notice.tell("")
        self.reading.previous.show_settled(settled, self.context.actions.hint(f"{self.place}.undo"))

    @Slot(object)
    def _on_failed(self, error: Exception) -> None:
        hint = f" {error.hint}" if isinstance(error, UserError) else ""
        words = str(error) if isinstance(error, UserError) else "Something went wrong."
        self.reading.notice.tell(f"Not saved: {words}{hint} The pair stays here until an answer is kept.", "bad")
        self.reading.note.not_saved()
        if not (self.isVisible() and isinstance(error, UserError)):  # a toast would say it twice, over the answers
            self.context.problems.show(error)

    # The rest

    @Slot(str)
    def _on_change_asked(self, key: str) -> None:
        if self.reading.close_inputs():
            self.setFocus()
        self.session.go_to(key)

    @Slot()
    def show_scroll_key(self) -> None:
        """The key as it is now."""
        self.reading.pair.show_key(self.context.actions.hint(f"{self.place}.scroll_down"))

    @Slot(str)
    def _on_side(self, panel: str) -> None:
        view_state = {name: value for name, value in self.session.view_state.items() if name != "context"}
        self.session.view_state = {**view_state, "context": True} if panel == "context" else view_state
        if self.session.item is not None:
            blind = self.session.blind and self.session.item.mine is None
            self.side.show_pair(self.session.item.pair.key, blind=blind)
        if not panel and self.isVisible():
            self.setFocus()

    @Slot(str)
    def _on_asked(self, action: str) -> None:
        self.context.actions[action].trigger()

    @Slot(str)
    def _on_guidelines(self, text: str) -> None:
        run = self.context.runner.save(rounds.keep_guidelines(self.context.project, text))
        run.done.connect(lambda _: self.guide.show_text(text.strip()))
        run.failed.connect(self.guide.not_saved)
        run.failed.connect(self.context.problems.show)

    def _show_whether_read_only(self) -> None:
        if self.context.read_only:
            self.reading.answers.allow(answers=False)
            self.reading.notice.tell(f"{self.context.why_read_only} Answers cannot be given.", "warning")

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
