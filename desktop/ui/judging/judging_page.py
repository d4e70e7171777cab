"""The base class of Review and Doubted labels: layout, keys, inputs, side panel, and messages about saves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QEvent, Qt, QTimer, Slot
from PySide6.QtGui import QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QFrame,
    QStackedWidget,
    QWidget,
)

from desktop.jobs.review import rounds
from desktop.jobs.review.answers import ActionResult
from desktop.translation import tr
from desktop.ui.evidence.mending import Mending
from desktop.ui.judging.answer_bar import AnswerBar
from desktop.ui.judging.answer_session import AnsweredPair, AnswerSession
from desktop.ui.judging.inputs import NoteEditor, RejectBar
from desktop.ui.judging.open_questions import OpenQuestions
from desktop.ui.judging.pair_column import PairColumn, Reduction
from desktop.ui.judging.pair_view import PairView, PreviousAnswer
from desktop.ui.judging.side_panel import GuidePanel, SidePanel
from desktop.ui.judging.tag_bar import TagBar
from desktop.ui.judging.why_popover import WhyPopover
from desktop.ui.judging.why_this_pair import PairSource, why_this_pair
from desktop.ui.services.page import Page
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.widgets.notices import Notice
from miner.errors import UserError
from miner.records import Answer
from storage.annotation.rounds import ReviewItem
from storage.changes import Changes

_UNDO_ACTIONS = ("edit.undo", "edit.redo")  # of the window
_LEAVING_ACTIONS = frozenset({"skip", "undo", "previous", "next"})  # another pair comes
_ACTIONS_WITHOUT_PAIR = frozenset({"guide", "blind", "round", "accept_all", "help", "close"})


class JudgingPage(Page):
    """A page on which pairs are answered.

    `side_panel` holds the column with the pair and the panels beside it; subclasses add it to `stack`, beside their
    other states. `name` is the first part of the keys of the page's actions, as in `review.skip`.
    """

    name = ""

    def __init__(
        self,
        context: ProjectContext,
        session: AnswerSession,
        answer_bar: AnswerBar,
        *,
        above: Sequence[QWidget] = (),
        between: Sequence[QWidget] = (),
        tall_height: int = 600,
        parent: QWidget | None = None,
    ) -> None:
        """`above`: widgets above the pair; `between`: widgets between the pair and the answers.

        `tall_height`: height of the window in px from which on long premises have room.
        """
        super().__init__(context, parent)
        theme = context.theme
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._confirmed_key = ""  # of the pair that was answered before all of it was on the screen
        self._answer_bar_state: tuple[Answer | None, bool] = (None, False)
        self.session = session
        session.setParent(self)
        self.pair_view = PairView(theme, tall_height)
        self.pair_view.likely_text = context.likely_text
        self.notice = Notice(theme)
        self.note_editor = NoteEditor(theme)
        self.reject_bar = RejectBar(theme)
        self.tag_bar = TagBar(theme)
        self.answer_bar = answer_bar
        self.previous_answer = PreviousAnswer(theme)
        self.mending = Mending(context, self)
        self.side_panel = SidePanel(context)
        self.questions = OpenQuestions(self.note_editor, self.reject_bar, self.tag_bar, self.mending, self.side_panel)
        self._inputs = (self.note_editor, self.reject_bar, self.tag_bar)
        self.line = QFrame()
        self.line.setProperty("look", "line")
        self.line.setFixedHeight(1)
        below = (*between, self.notice, *self._inputs, self.answer_bar, self.line, self.previous_answer)
        self._column = PairColumn(theme, self.pair_view, above, below, lambda: self.reductions, self)
        self.side_panel.set_main(self._column)
        self.stack = QStackedWidget()
        self.stack.currentChanged.connect(self._on_state_changed)
        self.body.addWidget(self.stack, 1)
        self._connect_session()
        self._connect_widgets()

    @property
    def reductions(self) -> Sequence[Reduction]:
        """What is reduced below the pair to give it room, in the order of use."""
        return self.answer_bar.set_low, self._hide_previous, self.answer_bar.hide_hints

    def _hide_previous(self, hidden: bool) -> None:
        for widget in (self.line, self.previous_answer):
            widget.setVisible(not hidden)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._column.restore()
        self._give_room()

    @Slot()
    def _give_room(self) -> None:
        if self.isVisible():
            self._column.give_room(is_asking=any(question.key for question in self._inputs))

    def _connect_session(self) -> None:
        session = self.session
        session.item_shown.connect(self._on_item_shown)
        session.pair_answered.connect(self._on_pair_answered)
        session.pair_marked.connect(self.previous_answer.clear_key_hint)
        session.pair_marked.connect(self.note_editor.on_saved)
        session.message.connect(self.show_notice)
        session.commands.failed.connect(self._on_save_failed)
        self.context.undone.connect(self._on_undone)

    def _connect_widgets(self) -> None:
        self.answer_bar.answered.connect(self.answer)
        self.answer_bar.action_requested.connect(self._trigger_action)
        self.previous_answer.change_requested.connect(self._on_change_requested)
        self.note_editor.save_requested.connect(self.session.save_note)
        self.note_editor.closed.connect(self._on_input_closed)
        self.reject_bar.reason_selected.connect(self.session.reject)
        self.reject_bar.closed.connect(self._on_input_closed)
        self.tag_bar.tags_changed.connect(self.session.set_tags)
        self.tag_bar.next_requested.connect(self._on_tags_next)
        self.tag_bar.closed.connect(self._on_input_closed)
        self.tag_bar.takes_digits.connect(self._on_takes_digits)
        self.side_panel.panel_changed.connect(self._on_panel_changed)
        self.side_panel.guide.save_requested.connect(self._save_guidelines)
        self.context.actions.keys_changed.connect(self.show_scroll_key)

    @Slot(object)
    def on_changed(self, changes: Changes) -> None:
        """Ignore the changes of the page's own answers, which are on the screen already."""
        if not self.session.commands.is_own(changes):
            super().on_changed(changes)

    def is_action_enabled(self, name: str) -> bool:
        return name in _ACTIONS_WITHOUT_PAIR or self.session.item is not None

    def is_action_checked(self, name: str) -> bool | None:
        return self.side_panel.open_panel == name if name in ("context", "guide") else None

    @property
    def guide(self) -> GuidePanel:
        return self.side_panel.guide

    # Commands

    def answer(self, answer: Answer) -> None:
        if self._can_answer():
            self.session.answer(answer)

    @Slot()
    def accept(self) -> None:
        """Answer with the model's suggestion."""
        if self._can_answer():
            self.session.accept_suggestion()

    def flag(self) -> None:
        if self._can_mark():
            self.session.toggle_flag()

    @property
    def unsaved(self) -> str:
        if self.note_editor.has_unsaved:
            return tr("{page}: a note is written but not saved.", page=self.title)
        if self.side_panel.guide.has_unsaved:
            return tr("{page}: the guidelines are changed but not saved.", page=self.title)
        return ""

    def open_note_editor(self) -> None:
        item = self.session.item
        if item is not None and not self.session.is_busy and self._can_mark():
            self.close_inputs()
            self.note_editor.open_for(item.pair.key, item.note or "")
            self._give_room()

    def open_reject_bar(self) -> None:
        item = self.session.item
        if item is not None and not self.session.is_busy and self._can_mark():
            self.close_inputs()
            self.reject_bar.open_for(item.pair.key, is_bad=item.bad is not None)
            self._give_room()

    def open_tag_bar(self) -> None:
        """Let the annotator say why a system's answer to the pair is an error."""
        item = self.session.item
        if item is not None and not self.session.is_busy and self._can_mark():
            self.close_inputs()
            self.show_tags(item)
            self.tag_bar.take_focus()

    def show_tags(self, item: ReviewItem) -> None:
        """Show the tags of the pair on the screen."""
        self.tag_bar.open_for(item.pair.key, item.tags)
        self._give_room()

    def open_mend_dialog(self) -> None:
        """Let the annotator mend the sentences of the pair; no key reaches the page until they are saved."""
        item = self.session.item
        if item is not None and not self.session.is_busy and self._can_mark():
            self.close_inputs()
            self.mending.open(item.pair.key, blind=self.session.recorder.hides(item))

    def pair_source(self) -> PairSource | None:
        """The source of the pair on the screen; None without a pair."""
        return None

    def why(self) -> tuple[str, ...]:
        """Why the pair on the screen is shown now, in sentences; () without a pair."""
        item, source = self.session.item, self.pair_source()
        if item is None or source is None:
            return ()
        return why_this_pair(source, item, hides=self.session.recorder.hides(item))

    def show_why(self) -> None:
        """Show why the pair on the screen is shown now."""
        if sentences := self.why():
            link = self.answer_bar.hints[f"{self.name}.why"]
            WhyPopover(self.context.theme, sentences, self).open_above(link if link.isVisible() else self.answer_bar)

    def close_topmost(self) -> None:
        """Close an input, or else the side panel; the tags of a round of errors last."""
        if self.close_inputs(but_tags=self.session.asks_tags):
            self.setFocus()
        elif self.side_panel.open_panel:
            self.side_panel.close_panel()
        elif self.close_inputs():
            self.setFocus()

    @Slot(str)
    def show_notice(self, sentence: str) -> None:
        """Show a sentence above the answers until the next answer."""
        self.notice.show_text(sentence, "info")
        self._give_room()

    def _can_mark(self) -> bool:
        if self.context.read_only or self.stack.currentWidget() is not self.side_panel:
            return False
        return bool(self.context.annotator or self.context.ask_annotator(self))

    def _can_answer(self) -> bool:
        """Whether the pair on the screen can be answered.

        If the end of a pair was not visible yet, the first key scrolls down instead, and the second one answers.
        """
        if not self._can_mark():
            return False
        if self.reject_bar.key:  # digits are reasons now, wherever the focus is
            self.reject_bar.setFocus()
            return False
        item, pair = self.session.item, self.pair_view
        if item is None or pair.is_seen or self._confirmed_key == item.pair.key:
            self._go_on_from_inputs()
            return True
        self._confirmed_key = item.pair.key
        self.show_notice(tr("You have not seen the whole pair yet. When you have read it, press the key again."))
        QTimer.singleShot(0, pair, pair.scroll_down)  # after the notice has got its room
        return False

    # What the session shows

    @Slot(object)
    def _on_item_shown(self, item: ReviewItem | None) -> None:
        self._leave_other_pairs("" if item is None else item.pair.key)
        if item is None:
            return
        was_elsewhere = self.stack.currentWidget() is not self.side_panel
        self.stack.setCurrentWidget(self.side_panel)
        blind = self.session.recorder.hides(item)
        if blind and self.previous_answer.key == item.pair.key:
            self.previous_answer.clear()  # after an undo the line would show the linking phrase
        self.show_item(item, blind=blind)
        if not self.side_panel.panels.isHidden():
            self.side_panel.show_pair(item.pair.key, blind=blind)
        if self.isVisible() and (was_elsewhere or self._has_stray_focus()):
            self.setFocus()
        if self.isVisible() and self.session.asks_tags and not self.questions.is_typing:
            self.tag_bar.take_focus()

    def show_item(self, item: ReviewItem, *, blind: bool) -> None:
        """Put a pair on the screen."""
        self.pair_view.show_item(item, blind=blind)
        state = (item.mine, item.flagged)
        if state != self._answer_bar_state:
            self._answer_bar_state = state
            self.answer_bar.show_answer(item.mine)
            self.answer_bar.show_flagged(item.flagged)
        self._give_room()

    @Slot()
    def _on_state_changed(self) -> None:
        """Update what depends on whether a pair is on the screen."""
        if self.stack.currentWidget() is not self.side_panel:
            self._leave_other_pairs("")

    def _leave_other_pairs(self, key: str) -> None:
        """Close the inputs that are about another pair than this one ("" for no pair)."""
        sentence, was_typing = self.questions.show_pair(key, tags_stay=bool(key) and self.session.asks_tags)
        if sentence:
            self.show_notice(sentence)
        if was_typing and self.isVisible():
            self.setFocus()

    @Slot()
    def _on_input_closed(self) -> None:
        self._give_room()
        self.setFocus()

    def close_inputs(self, *, but_tags: bool = False) -> bool:
        """Close the note editor, the reasons and the tags; False when none was open."""
        was_open = self.questions.close(but_tags=but_tags)
        if was_open:
            self._give_room()
        return was_open

    def _go_on_from_inputs(self) -> None:
        """Close the inputs about the pair, since the annotator goes on to something else."""
        if self.close_inputs(but_tags=self.session.asks_tags):
            self.setFocus()

    @Slot()
    def _on_tags_next(self) -> None:
        self._go_on_from_inputs()
        self.session.go_on()

    @Slot(bool)
    def _on_takes_digits(self, takes_digits: bool) -> None:
        """Give the room of the answers to the pair while their keys mean something else."""
        self.answer_bar.set_answers_visible(not takes_digits)
        self.answer_bar.set_hint_visible(f"{self.name}.tag", self.session.asks_tags and not takes_digits)

    def _has_stray_focus(self) -> bool:
        """Whether the focus is on a button that Space would press again, for another pair."""
        focus = self.focusWidget()
        return focus is not None and (self.answer_bar.isAncestorOf(focus) or not focus.isVisible())

    @Slot(object)
    def _on_pair_answered(self, answered: AnsweredPair) -> None:
        if not self.notice.isHidden():
            self.notice.show_text("")
        recorder = self.session.recorder
        hint = self.context.actions.hint(f"{self.name}.undo")
        self.previous_answer.show_answer(answered, hint, blind=recorder.blind and recorder.stays_blind)

    @Slot(object)
    def _on_save_failed(self, error: Exception) -> None:
        hint = f" {error.hint}" if isinstance(error, UserError) else ""
        sentence = str(error) if isinstance(error, UserError) else tr("Something went wrong.")
        self.notice.show_text(
            tr(
                "Not saved: {sentence}{hint} The pair stays on the screen until an answer is saved.",
                sentence=sentence,
                hint=hint,
            ),
            "bad",
        )
        self.note_editor.on_save_failed(self.questions.shown_key)
        if not (self.isVisible() and isinstance(error, UserError)):  # the notice says it already
            self.context.problems.show(error)

    @Slot(object)
    def _on_undone(self, result: ActionResult) -> None:
        self.session.on_undone(result, is_on_screen=self.isVisible())

    # Side panel and settings

    @Slot(str)
    def _on_change_requested(self, key: str) -> None:
        self._go_on_from_inputs()
        self.session.go_to(key)

    @Slot()
    def show_scroll_key(self) -> None:
        """Show the current key that scrolls down."""
        self.pair_view.show_key(self.context.actions.hint(f"{self.name}.scroll_down"))

    @Slot(str)
    def _on_panel_changed(self, panel: str) -> None:
        self.session.recorder.base = replace(self.session.recorder.base, context=True if panel == "context" else None)
        if self.session.item is not None:
            blind = self.session.recorder.hides(self.session.item)
            self.side_panel.show_pair(self.session.item.pair.key, blind=blind)
        if not panel and self.isVisible():
            self.setFocus()

    @Slot(str)
    def _trigger_action(self, action: str) -> None:
        if action.rpartition(".")[2] in _LEAVING_ACTIONS:
            self._go_on_from_inputs()
        self.context.actions[action].trigger()

    @Slot(str)
    def _save_guidelines(self, text: str) -> None:
        run = self.context.runner.save(rounds.save_guidelines(self.context.project, text))
        run.done.connect(lambda _: self.guide.show_text(text.strip()))
        run.failed.connect(self.guide.on_save_failed)
        run.failed.connect(self.context.problems.show)

    def _show_read_only(self) -> None:
        if self.context.read_only:
            self.answer_bar.set_saving_enabled(False)
            self.notice.show_text(
                tr("{read_only_reason} Pairs cannot be answered.", read_only_reason=self.context.read_only_reason),
                "warning",
            )

    # Keys. Undo and redo, elsewhere actions of the window, wait here for the answer that is being saved. Space presses
    # the button that has the focus. Page keys come from widgets that have nothing to scroll.

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            presses_button = event.key() == Qt.Key.Key_Space and isinstance(self.focusWidget(), QAbstractButton)
            is_own = self.tag_bar.takes_digit(event) or self._action_of(event, *_UNDO_ACTIONS)
            if presses_button or self.questions.is_held(event) or is_own:
                event.accept()
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self.questions.is_held(event):
            if self.questions.take_held(event):
                self.notice.show_text("")
            return
        if self.tag_bar.takes_digit(event):
            self.tag_bar.keyPressEvent(event)
            return
        match self._action_of(event, *_UNDO_ACTIONS, *self._scroll_actions()):
            case "edit.undo":
                self._go_on_from_inputs()
                self.session.undo()
            case "edit.redo":
                self._go_on_from_inputs()
                self.session.redo()
            case None:
                super().keyPressEvent(event)
            case key:
                self.context.actions[key].trigger()

    def _scroll_actions(self) -> tuple[str, str]:
        return f"{self.name}.scroll_down", f"{self.name}.scroll_up"

    def _action_of(self, event: QKeyEvent, *keys: str) -> str | None:
        """The action among these that has the pressed key as a shortcut; None without one."""
        pressed, actions = QKeySequence(event.keyCombination()), self.context.actions
        return next((key for key in keys if key in actions and pressed in actions[key].shortcuts()), None)
