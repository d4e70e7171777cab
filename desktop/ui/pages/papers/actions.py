"""The actions of the Papers page, one method for each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, cast

from PySide6.QtCore import QObject, Qt, QUrl, Signal, Slot
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QMenu, QWidget

from desktop.jobs.papers import edits, external_files, table
from desktop.jobs.papers.duplicates import find_duplicates
from desktop.jobs.papers.edits import EditResult
from desktop.jobs.papers.recognition_state import RecognitionState, load_recognition
from desktop.jobs.papers.split_moves import split_moves_text
from desktop.jobs.papers.table import PaperDetails, PaperList
from desktop.text import count
from desktop.translation import tr
from desktop.ui.pages.papers.add_files import ask_for_data_sets, ask_for_files, ask_for_folder, ask_for_references
from desktop.ui.pages.papers.add_project import project_adder
from desktop.ui.pages.papers.duplicates_dialog import DuplicatesDialog
from desktop.ui.pages.papers.edit_dialog import EditPapersDialog
from desktop.ui.pages.papers.import_controller import import_controller
from desktop.ui.pages.papers.recognition_dialog import RecognitionDialog
from desktop.ui.pages.papers.table_model import PaperTableModel
from desktop.ui.pages.papers.table_view import PaperTableView
from desktop.ui.services.file_manager import show_file
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.services.runner import JobQueue, JobRun
from desktop.ui.theme import Theme
from desktop.ui.widgets.file_dialogs import Purpose, choose_file
from desktop.ui.widgets.labels import set_tip
from desktop.ui.widgets.questions import Question
from miner.progress import Job
from storage.changes import Changes
from storage.pairs.filters import PairFilter
from storage.papers.duplicates import LikelyDuplicate
from storage.papers.removals import RemovalCounts

_MAX_QUICK_REMOVALS = 100  # removing more papers is shown as a job
_MAX_COMPARED_PAPERS = 500  # the edit dialog shows the fields that these papers have in common


class PaperActions(QObject):
    """Actions on the selected rows of `view`. Those that change the project are disabled while it is read-only.

    Their shortcuts work inside `page`.
    """

    search_requested = Signal()  # move the keyboard focus to the search field
    stock_requested = Signal()  # show the stock at a glance
    attention_requested = Signal()  # turn the filter for files that need attention on or off

    def __init__(self, context: ProjectContext, page: QWidget, view: PaperTableView, model: PaperTableModel) -> None:
        super().__init__(page)
        self._context, self._page, self._view, self._model = context, page, view, model
        self._imports = import_controller(context)
        self._rows: PaperList | None = None
        self._callbacks: dict[JobRun, Callable[[Any], None]] = {}
        self._writing_keys: list[str] = []  # of the actions that change the project
        add = self._add
        add("papers.folder_in", tr("Add a folder…"), self.add_folder, icon="folder-open", writes=True)
        add("papers.data_set", tr("Import data set…"), self.import_data_set, icon="download", writes=True)
        add("papers.project", tr("Add another project…"), self.add_project, icon="folder-open", writes=True)
        add("papers.references", tr("Take metadata from references…"), self.take_references, writes=True)
        add("papers.open", tr("Open file"), self.open, keys="Ctrl+Return", icon="external-link")
        add("papers.folder", tr("Show file"), self.show_file, icon="folder", tip=tr("Show it in its folder"))
        add("papers.pairs", tr("Show pairs"), self.show_pairs, keys="Ctrl+P", icon="list")
        add("papers.edit", tr("Edit…"), self.edit, keys="F2, Ctrl+E", icon="pencil-line", writes=True)
        add("papers.confirm", tr("Mark as checked"), self.confirm, keys="Ctrl+Shift+Return", writes=True)
        add("papers.duplicates", tr("Merge duplicates…"), self.show_duplicates, icon="copy", writes=True)
        add("papers.retry", tr("Retry failed files"), self.retry, keys="F5", icon="refresh-cw", writes=True)
        add("papers.recognise", tr("Recognise text…"), self.recognise, icon="scan-search", writes=True)
        add("papers.grobid", tr("Parse again with GROBID"), self.parse_by_grobid, icon="refresh-cw", writes=True)
        add("papers.embedded", tr("Parse again with the built-in parser"), self.parse_embedded, writes=True)
        add("papers.outdated", tr("Parse papers of earlier versions again"), self.parse_outdated, writes=True)
        add("papers.locate", tr("Locate file…"), self.locate, icon="search", writes=True)
        self._context.actions.add(
            "papers.copy", tr("Copy"), self.copy, menu=tr("Papers"), keys="Ctrl+C", icon="copy", widget=view
        )
        add("papers.remove", tr("Remove…"), self.remove, keys="Del", icon="trash-2", writes=True)
        add("papers.mine", tr("Mine now"), self.mine, keys="Ctrl+M", writes=True)
        add("papers.find", tr("Find papers"), self.search_requested.emit, keys="Ctrl+F", icon="search")
        add("papers.stock", tr("Papers at a glance"), self.stock_requested.emit, icon="chart-column")
        add(
            "papers.attention",
            tr("Show files that need attention"),
            self.attention_requested.emit,
            icon="triangle-alert",
        )
        self.update()

    def _add(self, key: str, text: str, slot: Callable[[], None], *, writes: bool = False, **more: str) -> None:
        action = self._context.actions.add(key, text, slot, menu=tr("Papers"), widget=self._page, **more)
        if writes:
            self._writing_keys.append(key)
            if self._context.read_only:
                set_tip(action, self._context.read_only_reason)

    def set_rows(self, rows: PaperList) -> None:
        """Set the rows of the table and the totals of the project."""
        self._rows = rows
        self.update()

    def update(self) -> None:
        """Enable the actions that can be run now, and disable the others."""
        ids = self._view.selected_ids()
        has_papers, has_failed = any(number > 0 for number in ids), any(number < 0 for number in ids)
        totals = self._rows.totals if self._rows else None
        is_possible = {
            "papers.open": len(ids) == 1,
            "papers.folder": len(ids) == 1,
            "papers.pairs": has_papers,
            "papers.edit": has_papers,
            "papers.confirm": has_papers and totals is not None and totals.to_check > 0,
            "papers.duplicates": totals is not None and totals.papers > 1 and not self._imports.is_running,
            "papers.retry": has_failed or (not ids and totals is not None and totals.failed > 0),
            "papers.recognise": has_failed or (not ids and totals is not None and totals.failed > 0),
            "papers.grobid": has_papers,
            "papers.embedded": has_papers,
            "papers.outdated": bool(self._rows and self._rows.outdated.papers) and not self._imports.is_running,
            "papers.locate": has_papers and len(ids) == 1,
            "papers.copy": bool(ids),
            "papers.remove": bool(ids),
            "papers.mine": totals is not None and totals.papers > 0 and not self._imports.is_running,
        }
        for key in {*is_possible, *self._writing_keys}:
            is_allowed = not (self._context.read_only and key in self._writing_keys)
            self._context.actions[key].setEnabled(is_possible.get(key, True) and is_allowed)

    def context_menu(self) -> QMenu:
        """The context menu of the selected rows."""
        menu = QMenu(self._page)
        menu.aboutToHide.connect(menu.deleteLater)
        groups = (
            ("open", "folder", "locate", "copy"),
            ("pairs", "edit", "confirm"),
            ("retry", "recognise", "grobid", "embedded"),
            ("remove",),
        )
        for group in groups:
            for name in group:
                action = self._context.actions[f"papers.{name}"]
                if action.isEnabled() or name in ("open", "edit", "remove"):
                    menu.addAction(action)
            menu.addSeparator()
        return menu

    @Slot(str)
    def run(self, key: str) -> None:
        """Run the action with this key, such as "papers.edit"."""
        self._context.actions[key].trigger()

    # Add, parse and mine

    @Slot()
    def add(self) -> None:
        ask_for_files(self._context, self._page)

    @Slot()
    def add_folder(self) -> None:
        ask_for_folder(self._context, self._page)

    @Slot()
    def import_data_set(self) -> None:
        ask_for_data_sets(self._context, self._page)

    @Slot()
    def add_project(self) -> None:
        project_adder(self._context, self._page).choose_and_add()

    @Slot()
    def take_references(self) -> None:
        ask_for_references(self._context, self._page)

    @Slot()
    def retry(self) -> None:
        """Read the selected failed files again; all failed files when nothing is selected."""
        selected_ids = self._view.selected_ids()
        failed = [number for number in selected_ids if number < 0]
        if selected_ids and not failed:
            self._context.show_message(
                tr("No failed file is selected. Select failed files, or clear the selection to retry all.")
            )
            return
        self._imports.retry(failed or None)

    @Slot()
    def recognise(self) -> None:
        """Ask how the text of the selected scans is recognised; of all scans when no failed file is selected."""
        failed = [number for number in self._view.selected_ids() if number < 0] or None

        def ask(state: RecognitionState) -> None:
            if not state.scans:
                self._context.show_message(
                    tr("There are no scans here. Only files without a text layer can be recognised.")
                )
                return
            dialog = RecognitionDialog(self._context.theme, state, self._page)
            dialog.accepted.connect(lambda: self._imports.recognise(failed, dialog.options()))
            dialog.open()

        self._read(load_recognition(self._context.project, failed), ask)

    @Slot()
    def parse_by_grobid(self) -> None:
        self._imports.parse_again(self._view.selected_ids(), "grobid")

    @Slot()
    def parse_embedded(self) -> None:
        self._imports.parse_again(self._view.selected_ids(), "embedded")

    @Slot()
    def parse_outdated(self) -> None:
        self._imports.parse_outdated()

    @Slot()
    def mine(self) -> None:
        if not self._imports.is_running:
            self._imports.mine()

    # Open and show

    @Slot()
    def open(self) -> None:
        if (number := self._view.current_id()) is not None:
            self._read(external_files.find_file(self._context.project, number), self._open_path)

    def _open_path(self, path: Path) -> None:
        if not QDesktopServices.openUrl(QUrl.fromLocalFile(str(path))):
            self._context.show_message(tr("No program on this computer can open {name}.", name=path.name))

    @Slot()
    def show_file(self) -> None:
        """Show the file of the current row in the file manager."""
        if (number := self._view.current_id()) is not None:
            self._read(external_files.find_shown_file(self._context.project, number), self._show_path)

    def _show_path(self, path: Path) -> None:
        if not show_file(path):
            self._context.show_message(tr("No program on this computer can show {parent}.", parent=path.parent))

    @Slot()
    def copy(self) -> None:
        """Copy the selected rows as tab-separated lines, including rows that were never on the screen."""

        def put(lines: Sequence[Any]) -> None:
            text = "".join("\t".join(row) + "\n" for row in (self._view.heads(), *map(self._view.cells, lines)))
            QGuiApplication.clipboard().setText(text)
            self._context.show_message(tr("Copied {rows}.", rows=count(len(lines), "row")))

        if ids := self._view.selected_ids():
            self._read(table.load_lines(self._context.project, ids), put)

    @Slot()
    def show_pairs(self) -> None:
        def show(md5s: list[str]) -> None:
            if md5s:
                self._context.pairs_requested.emit(PairFilter(papers=frozenset(md5s)))

        self._read(table.load_md5s(self._context.project, self._view.selected_ids()), show)

    # Change

    @Slot()
    def edit(self) -> None:
        ids = [number for number in self._view.selected_ids() if number > 0]
        if len(ids) == 1:
            self._edit_one(ids[0])
            return

        def show_dialog(lines: Sequence[Any]) -> None:
            if lines:
                dialog = EditPapersDialog(self._context.theme, lines, self._domains(), self._page)
                dialog.accepted.connect(lambda: self._save_edit(ids, dialog))
                dialog.open()

        self._read(table.load_lines(self._context.project, ids[:_MAX_COMPARED_PAPERS]), show_dialog)

    def _edit_one(self, number: int) -> None:
        following = self._view.id_below(number)

        def show_dialog(found: PaperDetails | None) -> None:
            if found is None:
                return
            lines, has_next = [found.line], following is not None
            paper = None if found.line.data_set else found.paper
            theme, domains = self._context.theme, self._domains()
            dialog = EditPapersDialog(theme, lines, domains, self._page, paper=paper, has_next=has_next)
            dialog.accepted.connect(lambda: self._save_edit([number], dialog))
            dialog.next_requested.connect(lambda: self._edit_next(following))
            dialog.open()

        self._read(table.load_details(self._context.project, number), show_dialog)

    def _edit_next(self, number: int | None) -> None:
        if number is not None:
            self._view.select_id(number)
            self._edit_one(number)

    def _domains(self) -> list[str]:
        """The domains of the project, those with most papers first."""
        counts = self._rows.domains if self._rows else {}
        return sorted(filter(None, counts), key=lambda domain: (-counts[domain], domain))

    def _save_edit(self, ids: Sequence[int], dialog: EditPapersDialog) -> None:
        changes = dialog.changes()
        if changes or dialog.confirms:
            job = edits.edit(self._context.project, ids, self._context.annotator, changes, confirms=dialog.confirms)
            self._change(job)

    @Slot()
    def confirm(self) -> None:
        ids = [number for number in self._view.selected_ids() if number > 0]
        self._change(edits.confirm(self._context.project, ids, self._context.annotator))

    @Slot()
    def show_duplicates(self) -> None:
        """Look for papers that are likely the same, and show them two at a time."""

        def show(found: list[LikelyDuplicate]) -> None:
            if found:
                DuplicatesDialog(self._context, found, self._page).open()
            else:
                self._context.show_message(tr("There are no papers that look the same."))

        if self._context.read_only:
            self._context.show_message(
                tr("Papers cannot be merged: {read_only_reason}", read_only_reason=self._context.read_only_reason)
            )
        else:
            self._read(find_duplicates(self._context.project), show)

    @Slot()
    def remove(self) -> None:
        ids = self._view.selected_ids()

        def confirm(removal: RemovalCounts) -> None:
            if not (removal.papers or removal.data_sets):
                self._remove(ids)
                return
            question = _removal_question(removal, self._context.theme, self._page)
            question.accepted.connect(lambda: self._remove(ids))
            question.open()

        self._read(table.count_removal(self._context.project, ids), confirm)

    def _remove(self, ids: Sequence[int]) -> None:
        job = edits.remove(self._context.project, ids, self._context.annotator)
        self._change(job, queue=JobQueue.JOBS if len(ids) > _MAX_QUICK_REMOVALS else JobQueue.SAVES)

    @Slot()
    def locate(self) -> None:
        number = self._view.current_id()
        line = self._model.line(row) if number and (row := self._model.row_of(number)) is not None else None
        if line is None or line.md5 is None:
            return
        name = Path(line.path).name
        path = choose_file(
            self._page,
            Purpose.PAPERS,
            tr("Where is {name} now?", name=name),
            filters=tr("{name};;All files (*)", name=name),
        )
        if path is not None:
            self._change(edits.locate(self._context.project, line.md5, path), undo=False)

    def _change(self, job: Job[EditResult], *, undo: bool = True, queue: JobQueue = JobQueue.SAVES) -> None:
        def report(edited: EditResult) -> None:
            self._context.events.changed.emit(edited.changes)
            text = f"{edited.title}. {split_moves_text(edited.moved)}".rstrip()
            self._context.show_message(text, undo=undo and edited.count > 0)

        run = self._context.runner.start(job, queue=queue)
        run.cancelled.connect(self._on_change_cancelled)
        self._when_done(run, report)

    @Slot()
    def _on_change_cancelled(self) -> None:
        """Publish changes, since some papers may have been changed before the job was cancelled."""
        self._context.events.changed.emit(Changes(papers=True, pairs=True))

    def _read(self, job: Job[Any], callback: Callable[[Any], None]) -> None:
        self._when_done(self._context.runner.read(job), callback)

    def _when_done(self, run: JobRun, callback: Callable[[Any], None]) -> None:
        """Call `callback` with the result.

        It is called through a slot of this object, since Qt disconnects only slots of deleted objects, not functions.
        """
        self._callbacks[run] = callback
        run.done.connect(self._on_done)
        run.failed.connect(self._context.problems.show)
        run.ended.connect(self._on_ended)

    @Slot(object)
    def _on_done(self, result: object) -> None:
        self._callbacks[cast(JobRun, self.sender())](result)

    @Slot()
    def _on_ended(self) -> None:
        self._callbacks.pop(cast(JobRun, self.sender()), None)


def _removal_question(removal: RemovalCounts, theme: Theme, parent: QWidget) -> Question:
    """The dialog that asks whether to remove these papers."""
    lines = []
    if removal.pairs:
        judged = tr(", {judged:,} of them answered or marked", judged=removal.judged) if removal.judged else ""
        lines.append(tr("{pairs} will be removed too{judged}.", pairs=count(removal.pairs, "pair"), judged=judged))
    lines.append(tr("The files on disk are kept. Undo (Ctrl+Z) brings everything back."))
    text = tr("Remove {removal_text} from this project?", removal_text=edits.removal_text(removal))
    about = "\n".join(lines)
    question = Question(theme, tr("Remove papers"), text, tr("Remove"), about=about, destroys=True, parent=parent)
    question.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    return question
