"""Sends assignments as files, and merges returned files, from the window."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtWidgets import QWidget

from desktop.jobs.results import describe
from desktop.text import count
from desktop.translation import tr
from desktop.ui.services.conflict_receipt import ConflictReceipt
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.theme import Theme
from desktop.ui.widgets.file_dialogs import Purpose, choose_files, choose_folder
from miner.paths import ANSWER_TABLE_SUFFIXES, ANSWERS_SUFFIX, PROJECT_SUFFIX
from storage.changes import Changes

if TYPE_CHECKING:  # the database takes a while to import
    from desktop.jobs.review.merge_results import MergeResult
    from storage.annotation.sent_assignments import AssignmentForm
    from storage.exchange.sent_pairs import SentFile

_TABLES = " ".join(f"*{suffix}" for suffix in ANSWER_TABLE_SUFFIXES)
_FILE_FILTERS = tr(
    "Answers (*{answers_suffix} {tables});;Pairwright files (*{project_suffix})",
    answers_suffix=ANSWERS_SUFFIX,
    tables=_TABLES,
    project_suffix=PROJECT_SUFFIX,
)


class AnswerFiles(QObject):
    """Sends and merges the answer files of a project; `parent` is the window for its dialogs."""

    def __init__(self, context: ProjectContext, parent: QWidget) -> None:
        super().__init__(context)
        self._context, self._window = context, parent

    # Sending

    def choose_folder_and_send(self, round: int, annotators: Sequence[str], form: AssignmentForm) -> None:
        """Ask for a folder, and write the files of these annotators (keys; empty for all of the round) into it."""
        if not self._can_write(tr("Files cannot be sent")):
            return
        folder = choose_folder(self._window, Purpose.ANSWERS, tr("Send round {round:,}: choose a folder", round=round))
        if folder:
            self.send(round, folder, annotators, form)

    def send(self, round: int, folder: Path, annotators: Sequence[str], form: AssignmentForm) -> None:
        """Write the files into a folder."""
        from desktop.jobs.review.answer_files import send_assignments

        run = self._context.runner.save(send_assignments(self._context.project, round, folder, annotators, form))
        run.done.connect(self._on_sent)
        run.failed.connect(self._context.problems.show)

    @Slot(object)
    def _on_sent(self, sent: list[SentFile]) -> None:
        self._context.events.changed.emit(Changes(settings=True))
        folder = sent[0].path.parent
        what = count(sum(1 + len(file.beside) for file in sent), "file")
        self._context.show_message(
            tr("{what} in {folder}: send each annotator the files with their name.", what=what, folder=folder)
        )

    # Merging

    def choose_and_merge(self) -> None:
        """Ask for the returned files, and merge them."""
        if self._can_write(tr("Answers cannot be merged")):
            self.merge(choose_files(self._window, Purpose.ANSWERS, tr("Merge answer files"), _FILE_FILTERS))

    def merge(self, paths: Sequence[Path]) -> None:
        """Merge returned files, and show the result."""
        if not paths or not self._can_write(tr("Answers cannot be merged")):
            return
        from desktop.jobs.review.merging import merge_answer_files

        run = self._context.change(merge_answer_files(self._context.project, paths))
        run.done.connect(self._on_merged)

    @Slot(object)
    def _on_merged(self, result: MergeResult) -> None:
        if result.title:
            self._context.show_message(f"{result.title}.", undo=True)
        receipt = MergeReceipt(result, self._context.theme, self._window)
        receipt.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        receipt.conflicts_chosen.connect(self._context.review_requested)
        receipt.kinds_conflicts_chosen.connect(self._context.kinds_requested)
        receipt.open()

    def _can_write(self, what: str) -> bool:
        if self._context.read_only:
            self._context.show_message(f"{what}: {self._context.read_only_reason}")
        return not self._context.read_only


class MergeReceipt(ConflictReceipt):
    """The dialog with the result of merging."""

    def __init__(self, result: MergeResult, theme: Theme, parent: QWidget | None = None) -> None:
        text = describe(result)
        heads = [describe(file).sentence for file in result.merged] or [text.sentence]
        problems = [f"{problem.text} {problem.hint}".rstrip() for problem in text.problems]
        relations, kinds = (result.conflict_keys(of_kinds=of_kinds) for of_kinds in (False, True))
        super().__init__(theme, tr("Merge answer files"), heads, problems, text.notes, relations, kinds, parent)


def answer_files(context: ProjectContext, parent: QWidget) -> AnswerFiles:
    """The answer files of this project; the object is created at the first call."""
    existing = context.findChild(AnswerFiles)
    return existing if isinstance(existing, AnswerFiles) else AnswerFiles(context, parent.window())
