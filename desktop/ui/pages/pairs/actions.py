"""The actions on the pairs that are selected in the table, one method for each."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QMenu, QWidget

from desktop.jobs.pairs import table
from desktop.jobs.pairs.table import CopiedPairs, CopyFormat
from desktop.jobs.review import answers, disagreements
from desktop.jobs.review.answers import ActionResult
from desktop.text import count
from desktop.translation import tr
from desktop.ui.judging.accept_dialog import AcceptDialog, AcceptScope, show_accept_result
from desktop.ui.pages.pairs.table_view import PairTableView
from desktop.ui.services.answer_keys import ANSWER_KEYS, answer_setting
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.widgets.list_keys import remove_by
from desktop.ui.widgets.questions import Question, TextQuestion
from miner.progress import Job
from miner.records import Answer
from storage.annotation.answer_context import AnswerContext
from storage.annotation.marks import FLAG_VALUE, MarkKind, RejectReason, reason_text
from storage.changes import Changes
from storage.pairs.filters import PairFilter

_CONFIRM_FROM = 50  # selected pairs: the person is asked to confirm
_JOB_FROM = 1_000  # selected pairs: the change is shown as a job
_MAX_LISTED_PAIRS = 20_000  # more can be changed only if all are selected: by the filter, not one by one
_MAX_COPIED_PAIRS = 20_000
_MAX_REVIEWED_PAIRS = 1_000  # if more, and all, are selected, the filter is reviewed

_Keys = list[str]


class PairActions(QObject):
    """Acts on the selected rows of `table_view`. `filter` returns the filter that the table shows."""

    def __init__(
        self, context: ProjectContext, table_view: PairTableView, filter: Callable[[], PairFilter], parent: QWidget
    ) -> None:
        super().__init__(parent)
        self._context, self._table, self._filter, self._page = context, table_view, filter, parent
        self._writing_actions: list[QAction] = []  # those that change pairs
        self._selection_actions: list[QAction] = []  # those that need a selection
        self._own_changes: Changes | None = None
        self.label_menu, self.bad_menu, self.copy_menu = (QMenu(parent) for _ in range(3))
        self._add_all()

    def is_own(self, changes: Changes) -> bool:
        """Whether the action that has just ended made these changes."""
        return changes is self._own_changes

    def update_enabled(self) -> None:
        """Enable the actions that can be run now, and disable the others."""
        has_selection = bool(self._table.ranges())
        for action in self._selection_actions:
            action.setEnabled(has_selection and not (self._context.read_only and action in self._writing_actions))

    def context_menu(self) -> QMenu:
        """A new menu with all actions."""
        menu = QMenu(self._page)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addActions([self.review_action, self.kinds_action])
        for text, group in ((tr("Label"), self.label_menu), (tr("Bad"), self.bad_menu), (tr("Copy"), self.copy_menu)):
            submenu = menu.addMenu(text)
            submenu.addActions(group.actions())
            submenu.setEnabled(any(action.isEnabled() for action in group.actions()))
        menu.insertAction(menu.actions()[3], self.flag_action)
        return menu

    def answer(self, answer: Answer | None) -> None:
        """Answer the pairs; None withdraws the annotator's answers."""
        verb = tr("Withdraw your answers to") if answer is None else tr("Answer “{value}” for", value=answer.value)
        project, seen = self._context.project, AnswerContext(page="pairs")
        self._change(
            verb,
            lambda keys: answers.answer(project, keys, self._context.annotator, answer, seen=seen),
            lambda filter, expected: answers.answer_all(
                project, filter, self._context.annotator, answer, expected=expected
            ),
        )

    def mark(self, verb: str, kind: MarkKind, value: str | None) -> None:
        project = self._context.project
        self._change(
            verb,
            lambda keys: answers.mark(project, keys, self._context.annotator, kind, value),
            lambda filter, expected: answers.mark_all(
                project, filter, self._context.annotator, kind, value, expected=expected
            ),
        )

    @Slot()
    def flag(self) -> None:
        """Flag the pairs; if the current one is flagged, unflag them."""
        line = self._table.model().line(self._table.cursor_row())
        if line is not None and line.flagged:
            self.unflag()
        else:
            self.mark(tr("Flag"), MarkKind.FLAG, FLAG_VALUE)

    @Slot()
    def unflag(self) -> None:
        self.mark(tr("Unflag"), MarkKind.FLAG, None)

    @Slot()
    def accept(self) -> None:
        """Accept the suggestions for the selected pairs; if all are selected, show the effect in a dialog first."""
        context = self._context
        ids = self.selected_ids()
        if not ids or context.read_only or not self._is_current_read(ids) or context.ask_annotator(self._page) is None:
            return
        if self._table.has_all_selected():
            scopes = (
                AcceptScope(tr("The pairs shown on this page"), self._filter()),
                AcceptScope(tr("All pairs that nobody has answered yet"), PairFilter()),
            )
            AcceptDialog(context, scopes if self._filter() != PairFilter() else scopes[1:], self._page).open()
            return
        if len(ids) > _MAX_LISTED_PAIRS:
            context.show_message(
                tr("Select at most {max_listed_pairs:,} pairs, or all shown pairs.", max_listed_pairs=_MAX_LISTED_PAIRS)
            )
            return
        if len(ids) >= _CONFIRM_FROM and not self._confirm(tr("Accept the suggestions for"), len(ids)):
            return
        job = disagreements.accept_ids(context.project, ids, context.annotator)
        run = context.runner.start(job) if len(ids) > _JOB_FROM else context.runner.save(job)
        run.done.connect(self._on_accepted)
        run.failed.connect(context.problems.show)

    def mark_bad(self, reason: RejectReason) -> None:
        """Mark the pairs as bad; for the reason "other", ask for the reason."""
        text: str = reason.value
        if reason is RejectReason.OTHER:
            answer = TextQuestion(
                self._context.theme,
                tr("Mark as bad"),
                tr("What is wrong with the pair?"),
                tr("Mark as bad"),
                parent=self._page,
            ).ask()
            if answer is None:
                return
            text = answer or reason.value
        self.mark(tr("Mark as bad"), MarkKind.BAD, text)

    @Slot()
    def unmark_bad(self) -> None:
        self.mark(tr("Unmark as bad"), MarkKind.BAD, None)

    @Slot()
    def review(self) -> None:
        """Review the selected pairs, in the table's order."""
        ids = self.selected_ids()
        if not ids:
            return
        if len(ids) > _MAX_REVIEWED_PAIRS and self._table.has_all_selected():
            self._context.review_requested.emit(self._filter())
            return
        self._with_keys(ids, self._context.review_requested.emit)

    @Slot()
    def answer_kinds(self) -> None:
        """Answer which kinds of reasoning the selected pairs need, in the table's order."""
        ids = self.selected_ids()
        if len(ids) > _MAX_REVIEWED_PAIRS:
            self._context.show_message(
                tr(
                    "Select at most {max_reviewed_pairs:,} pairs to answer questions about their kinds of reasoning.",
                    max_reviewed_pairs=_MAX_REVIEWED_PAIRS,
                )
            )
        elif ids:
            self._with_keys(ids, self._context.kinds_requested.emit)

    def _with_keys(self, ids: Sequence[int], show: Callable[[tuple[str, ...]], object]) -> None:
        """Read the keys of these pairs, and show the pairs on another page."""
        run = self._context.runner.read(table.load_keys(self._context.project, ids[:_MAX_REVIEWED_PAIRS]))
        run.done.connect(lambda keys: show(tuple(keys)))
        run.failed.connect(self._context.problems.show)

    def copy(self, form: CopyFormat) -> None:
        """Copy the selected pairs to the clipboard."""
        ids = self.selected_ids()
        if not ids:
            return
        if len(ids) > _MAX_COPIED_PAIRS:
            self._context.show_message(
                tr(
                    "At most {max_copied_pairs:,} pairs can be copied. The Export page writes any number to a file.",
                    max_copied_pairs=_MAX_COPIED_PAIRS,
                )
            )
            return
        run = self._context.runner.read(table.copy_pairs(self._context.project, ids, form))
        run.done.connect(self._on_copied)
        run.failed.connect(self._context.problems.show)

    def selected_ids(self) -> array[int]:
        """The ids of the selected rows, from top to bottom."""
        ids = self._table.model().ids
        selected = array("q")
        for rows in self._table.ranges():
            selected.extend(ids[rows.start : rows.stop])
        return selected

    def _change(
        self,
        verb: str,
        change_keys: Callable[[_Keys], Job[ActionResult]],
        change_filter: Callable[[PairFilter, int], Job[ActionResult]],
    ) -> None:
        """Change the selected pairs by their keys; if many, and all, are selected, by the filter and their number."""
        ids = self.selected_ids()
        if (
            not ids
            or self._context.read_only
            or not self._is_current_read(ids)
            or self._context.ask_annotator(self._page) is None
        ):
            return
        if len(ids) >= _CONFIRM_FROM and not self._confirm(verb, len(ids)):
            return
        if len(ids) > _MAX_LISTED_PAIRS and self._table.has_all_selected():
            job = change_filter(self._filter(), len(ids))
        else:
            title = f"{verb} {count(len(ids), 'pair')}"
            job = table.run_with_keys(title, self._context.project, ids, change_keys)
        runner = self._context.runner
        run = runner.start(job) if len(ids) > _JOB_FROM else runner.save(job)
        run.done.connect(self._on_changed)
        run.failed.connect(self._context.problems.show)

    def _is_current_read(self, ids: Sequence[int]) -> bool:
        """Whether the pair to be changed is visible; True if several are selected."""
        if len(ids) > 1 or self._table.model().line(self._table.cursor_row()) is not None:
            return True
        self._context.show_message(tr("This pair is still loading. Press the key again when it is shown."))
        return False

    def ask_why_bad(self) -> None:
        """Ask why the selected pairs are bad. Pairs are marked and not deleted, since mining would make them again."""
        below = self._table.visualRect(self._table.currentIndex()).bottomLeft()
        self.bad_menu.popup(self._table.viewport().mapToGlobal(below))

    def _confirm(self, verb: str, number: int) -> bool:
        """Ask whether to change this many pairs."""
        action = f"{verb} {count(number, 'pair')}"
        about = tr("One undo takes all of it back, even on another day.")
        return Question(self._context.theme, verb, f"{action}?", action, about=about, parent=self._page).confirm()

    @Slot(object)
    def _on_changed(self, result: ActionResult) -> None:
        if not result.count:
            self._context.show_message(tr("{title}: nothing to change", title=result.title))
            return
        self._own_changes = result.changes
        self._context.events.changed.emit(result.changes)
        self._own_changes = None
        self._context.show_message(tr("{title}: done", title=result.title), undo=True)

    @Slot(object)
    def _on_accepted(self, result: ActionResult) -> None:
        self._own_changes = result.changes
        show_accept_result(self._context, result)
        self._own_changes = None

    @Slot(object)
    def _on_copied(self, copied: CopiedPairs) -> None:
        if not copied.pairs:
            self._context.show_message(tr("Nothing was copied: these pairs no longer exist."))
            return
        QGuiApplication.clipboard().setText(copied.text)
        pairs, value = count(copied.pairs, "pair"), copied.format.value.upper()
        self._context.show_message(tr("Copied {pairs} as {value}.", pairs=pairs, value=value))

    def _add_all(self) -> None:
        for answer, keys in ANSWER_KEYS.items():
            text, slot = tr("Answer {value}", value=answer.value), partial(self.answer, answer)
            action = self._add(f"label.{answer.value}", text, slot, keys, shared=answer_setting(answer))
            self.label_menu.addAction(action)
        self.label_menu.addSeparator()
        self.label_menu.addAction(
            self._add("label.none", tr("Withdraw my answer"), lambda: self.answer(None), "Backspace")
        )
        self.label_menu.addSeparator()
        self.label_menu.addAction(self._add("accept", tr("Accept suggestions…"), self.accept, "A", icon="circle-check"))
        self.flag_action = self._add("flag", tr("Flag"), self.flag, "F", icon="flag")
        self.flag_action.setIconText(tr(" Flag"))
        self._add("unflag", tr("Unflag"), self.unflag, "Shift+F")
        for reason in RejectReason:
            text = (
                tr("Bad: other reason…")
                if reason is RejectReason.OTHER
                else tr("Bad: {reason_text}", reason_text=reason_text(reason))
            )
            keys = "B" if reason is RejectReason.BROKEN_SENTENCE else ""
            self.bad_menu.addAction(
                self._add(f"bad.{reason.value}", text, lambda reason=reason: self.mark_bad(reason), keys)
            )
        remove_by(self._table, self.ask_why_bad)
        self.bad_menu.addSeparator()
        self.bad_menu.addAction(
            self._add("restore", tr("Unmark bad pair"), self.unmark_bad, "Shift+B", icon="rotate-ccw")
        )
        self.review_action = self._add(
            "review", tr("Review these pairs"), self.review, "Return, Enter", icon="pencil-line", writes=False
        )
        self.review_action.setIconText(tr(" Review"))
        self.kinds_action = self._add(
            "kinds",
            tr("Answer questions about kinds of reasoning"),
            self.answer_kinds,
            "K",
            icon="shapes",
            writes=False,
        )
        for form, keys in ((CopyFormat.TSV, "Ctrl+C"), (CopyFormat.JSON, "Ctrl+Shift+C")):
            name = tr("tab-separated text") if form is CopyFormat.TSV else "JSON"
            text = tr("Copy as {name}", name=name)
            action = self._add(
                f"copy.{form.value}", text, lambda form=form: self.copy(form), keys, icon="copy", writes=False
            )
            self.copy_menu.addAction(action)
        self._add("all", tr("Select all shown"), self._table.selectAll, "Ctrl+A", writes=False, needs_selection=False)
        self.update_enabled()

    def _add(
        self,
        name: str,
        text: str,
        slot: Callable[..., Any],
        keys: str = "",
        *,
        icon: str = "",
        writes: bool = True,
        needs_selection: bool = True,
        shared: str = "",
    ) -> QAction:
        action = self._context.actions.add(
            f"pairs.{name}", text, slot, menu=tr("Pairs"), keys=keys, icon=icon, widget=self._table, shared=shared
        )
        if needs_selection:
            self._selection_actions.append(action)
        if writes:
            self._writing_actions.append(action)
            action.setAutoRepeat(False)  # a key that is held down would also change the pair selected next
        return action
