"""What can be done with the pairs that are chosen in the table: one method for each action."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from typing import Any, cast

from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QMenu, QWidget

from desktop.jobs.pairs import table
from desktop.jobs.pairs.table import CopyFormat
from desktop.jobs.review import answers, disagreements
from desktop.jobs.review.answers import ActionResult
from desktop.text import count
from desktop.ui.judging.accept_dialog import AcceptDialog, AcceptScope, show_accept_result
from desktop.ui.pages.pairs.view import PairView
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.services.runner import JobRun
from desktop.ui.widgets.questions import Question, TextQuestion
from miner.progress import Job
from miner.records import Answer
from storage.annotation.answer_context import AnswerContext
from storage.annotation.marks import FLAG_VALUE, MarkKind, RejectReason
from storage.changes import Changes
from storage.pairs.filters import PairFilter

_ASK = 50  # pairs from which on a person is asked
_LONG = 1_000  # pairs from which on it is a job to be seen
_BY_FILTER = 20_000  # pairs from which on they are not named one by one
_COPIED = 20_000  # pairs a clipboard should hold at most
_REVIEWED = 1_000  # pairs to review that are named one by one

_Keys = list[str]


class PairActions(QObject):
    """`filter` tells what the table shows; the actions are for the selected rows."""

    def __init__(
        self, context: ProjectContext, view: PairView, filter: Callable[[], PairFilter], parent: QWidget
    ) -> None:
        super().__init__(parent)
        self._context, self._view, self._filter, self._page = context, view, filter, parent
        self._changing: list[QAction] = []  # what changes pairs
        self._all: list[QAction] = []
        self._copying: dict[JobRun, str] = {}  # and what is said when it is done
        self._own: Changes | None = None
        self.label_menu, self.bad_menu, self.copy_menu = (QMenu(parent) for _ in range(3))
        self._add_all()

    def is_own(self, changes: Changes) -> bool:
        """Whether these changes are what was just done here."""
        return changes is self._own

    def update_enabled(self) -> None:
        some = bool(self._view.ranges())
        for action in self._all:
            action.setEnabled(some and not (self._context.read_only and action in self._changing))

    def menu(self) -> QMenu:
        """All actions, for a right click."""
        menu = QMenu(self._page)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(self.review_action)
        for text, group in (("Label", self.label_menu), ("Bad", self.bad_menu), ("Copy", self.copy_menu)):
            part = menu.addMenu(text)
            part.addActions(group.actions())
            part.setEnabled(any(action.isEnabled() for action in group.actions()))
        menu.insertAction(menu.actions()[2], self.flag_action)
        return menu

    # Verbs

    def answer(self, answer: Answer | None) -> None:
        verb = "Withdraw your answers to" if answer is None else f"Answer “{answer.value}” for"
        project, seen = self._context.project, AnswerContext(page="pairs")
        self._judge(
            verb,
            lambda keys: answers.answer(project, keys, self._context.annotator, answer, seen=seen),
            lambda filter, number: answers.answer_all(
                project, filter, self._context.annotator, answer, expected=number
            ),
        )

    def mark(self, verb: str, kind: MarkKind, value: str | None) -> None:
        project = self._context.project
        self._judge(
            verb,
            lambda keys: answers.mark(project, keys, self._context.annotator, kind, value),
            lambda filter, number: answers.mark_all(
                project, filter, self._context.annotator, kind, value, expected=number
            ),
        )

    @Slot()
    def flag(self) -> None:
        """Flag the pairs; when the one under the cursor is flagged, take flags back."""
        line = self._view.table.line(self._view.cursor_row())
        if line is not None and line.flagged:
            self.unflag()
        else:
            self.mark("Flag", MarkKind.FLAG, FLAG_VALUE)

    @Slot()
    def unflag(self) -> None:
        self.mark("Unflag", MarkKind.FLAG, None)

    @Slot()
    def accept(self) -> None:
        """Accept what a model suggests: for the selected pairs, or after a look at what that does, for all shown."""
        context = self._context
        ids = self.chosen()
        if not ids or context.read_only or not self._is_shown(ids) or context.ask_annotator(self._page) is None:
            return
        if self._view.has_all_selected():
            scopes = (
                AcceptScope("Those shown", self._filter()),
                AcceptScope("All pairs that nobody has answered", PairFilter()),
            )
            AcceptDialog(context, scopes if self._filter() != PairFilter() else scopes[1:], self._page).open()
            return
        if len(ids) > _BY_FILTER:
            context.show_message(f"Choose at most {_BY_FILTER:,} pairs, or all that are shown.")
            return
        if len(ids) >= _ASK and not self._confirmed("Accept the suggestions for", len(ids)):
            return
        job = disagreements.accept_ids(context.project, ids, context.annotator)
        run = context.runner.start(job) if len(ids) > _LONG else context.runner.save(job)
        run.done.connect(self._on_accepted)
        run.failed.connect(context.problems.show)

    def exclude(self, fault: RejectReason) -> None:
        """Call the pairs bad; of another fault than those known, the person says which."""
        reason: str = fault.value
        if fault is RejectReason.OTHER:
            said = TextQuestion(
                self._context.theme, "Mark as bad", "What is wrong with it?", "Mark as bad", parent=self._page
            ).ask()
            if said is None:
                return
            reason = said or fault.value
        self.mark("Mark as bad", MarkKind.BAD, reason)

    @Slot()
    def restore(self) -> None:
        self.mark("Unmark as bad", MarkKind.BAD, None)

    @Slot()
    def review(self) -> None:
        """Review the selected pairs, in the table's order."""
        ids = self.chosen()
        if not ids:
            return
        if len(ids) > _REVIEWED and self._view.has_all_selected():
            self._context.review_requested.emit(self._filter())
            return
        run = self._context.runner.read(table.load_keys(self._context.project, ids[:_REVIEWED]))
        run.done.connect(self._on_keys)
        run.failed.connect(self._context.problems.show)

    def copy(self, form: CopyFormat) -> None:
        ids = self.chosen()
        if not ids:
            return
        if len(ids) > _COPIED:
            self._context.show_message(f"At most {_COPIED:,} pairs can be copied. Export writes any number.")
            return
        run = self._context.runner.read(table.copy_pairs(self._context.project, ids, form))
        self._copying[run] = f"Copied {count(len(ids), 'pair')} as {form.value.upper()}."
        run.done.connect(self._on_copied)
        run.failed.connect(self._context.problems.show)
        run.ended.connect(self._on_copy_ended)

    def chosen(self) -> array[int]:
        """The ids of the selected rows, in the table's order."""
        ids = self._view.table.ids
        found = array("q")
        for rows in self._view.ranges():
            found.extend(ids[rows.start : rows.stop])
        return found

    # How they are done

    def _judge(
        self,
        verb: str,
        of_keys: Callable[[_Keys], Job[ActionResult]],
        of_filter: Callable[[PairFilter, int], Job[ActionResult]],
    ) -> None:
        ids = self.chosen()
        if (
            not ids
            or self._context.read_only
            or not self._is_shown(ids)
            or self._context.ask_annotator(self._page) is None
        ):
            return
        if len(ids) >= _ASK and not self._confirmed(verb, len(ids)):
            return
        if len(ids) > _BY_FILTER and self._view.has_all_selected():
            job = of_filter(self._filter(), len(ids))
        else:
            title = f"{verb} {count(len(ids), 'pair')}"
            job = table.run_with_keys(title, self._context.project, ids, of_keys)
        runner = self._context.runner
        run = runner.start(job) if len(ids) > _LONG else runner.save(job)
        run.done.connect(self._on_judged)
        run.failed.connect(self._context.problems.show)

    def _is_shown(self, ids: Sequence[int]) -> bool:
        """Whether a pair chosen alone can be read by now."""
        if len(ids) > 1 or self._view.table.line(self._view.cursor_row()) is not None:
            return True
        self._context.show_message("This pair is still being read. Press the key again when it is shown.")
        return False

    def _confirmed(self, verb: str, number: int) -> bool:
        what = f"{verb} {count(number, 'pair')}"
        about = "One undo takes all of it back, also on another day."
        return Question(self._context.theme, verb, f"{what}?", what, about=about, parent=self._page).confirm()

    @Slot(object)
    def _on_judged(self, judged: ActionResult) -> None:
        if not judged.count:
            self._context.show_message(f"{judged.title}: nothing to change")
            return
        self._own = judged.changes
        self._context.events.changed.emit(judged.changes)
        self._own = None
        self._context.show_message(f"{judged.title}: done", undo=True)

    @Slot(object)
    def _on_accepted(self, judged: ActionResult) -> None:
        self._own = judged.changes
        show_accept_result(self._context, judged)
        self._own = None

    @Slot(object)
    def _on_keys(self, keys: _Keys) -> None:
        self._context.review_requested.emit(tuple(keys))

    @Slot(object)
    def _on_copied(self, text: str) -> None:
        QGuiApplication.clipboard().setText(text)
        self._context.show_message(self._copying[cast(JobRun, self.sender())])

    @Slot()
    def _on_copy_ended(self) -> None:
        del self._copying[cast(JobRun, self.sender())]

    def _add_all(self) -> None:
        for place, answer in enumerate(Answer, start=1):
            text = f"Answer {answer.value}"
            action = self._add(f"label.{answer.value}", text, lambda answer=answer: self.answer(answer), str(place))
            self.label_menu.addAction(action)
        self.label_menu.addSeparator()
        self.label_menu.addAction(self._add("label.none", "Withdraw my answer", lambda: self.answer(None), "Backspace"))
        self.label_menu.addSeparator()
        self.label_menu.addAction(self._add("accept", "Accept suggestions…", self.accept, "A", icon="circle-check"))
        self.flag_action = self._add("flag", "Flag", self.flag, "F", icon="flag")
        self.flag_action.setIconText(" Flag")
        self._add("unflag", "Unflag", self.unflag, "Shift+F")
        for fault in RejectReason:
            text = "Bad: other reason…" if fault is RejectReason.OTHER else f"Bad: {fault.value.replace('_', ' ')}"
            keys = "B" if fault is RejectReason.BROKEN_SENTENCE else ""
            self.bad_menu.addAction(
                self._add(f"bad.{fault.value}", text, lambda fault=fault: self.exclude(fault), keys)
            )
        self.bad_menu.addSeparator()
        self.bad_menu.addAction(self._add("restore", "Unmark bad pair", self.restore, "Shift+B", icon="rotate-ccw"))
        self.review_action = self._add(
            "review", "Review these", self.review, "Return, Enter", icon="pencil-line", changes=False
        )
        self.review_action.setIconText(" Review")
        for form, keys in ((CopyFormat.TSV, "Ctrl+C"), (CopyFormat.JSON, "Ctrl+Shift+C")):
            name = "lines with tabs" if form is CopyFormat.TSV else "JSON"
            text = f"Copy as {name}"
            action = self._add(
                f"copy.{form.value}", text, lambda form=form: self.copy(form), keys, icon="copy", changes=False
            )
            self.copy_menu.addAction(action)
        self._add("all", "Select all shown", self._view.selectAll, "Ctrl+A", changes=False, always=True)
        self.update_enabled()

    def _add(
        self,
        name: str,
        text: str,
        slot: Callable[..., Any],
        keys: str = "",
        *,
        icon: str = "",
        changes: bool = True,
        always: bool = False,
    ) -> QAction:
        action = self._context.actions.add(
            f"pairs.{name}", text, slot, menu="Pairs", keys=keys, icon=icon, widget=self._view
        )
        if not always:
            self._all.append(action)
        if changes:
            self._changing.append(action)
            action.setAutoRepeat(False)  # a key that is held down would go on to the pair that comes in its place
        return action
