"""What can be done with papers: the actions of the page, one method for each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, cast

from PySide6.QtCore import QObject, Qt, QUrl, Signal, Slot
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFileDialog, QMenu, QWidget

from desktop.jobs.papers import edits, external_files, table
from desktop.jobs.papers.edits import EditResult
from desktop.jobs.papers.table import PaperRows
from desktop.text import count
from desktop.ui.pages.papers.add_files import ask_data_sets, ask_files, ask_folder
from desktop.ui.pages.papers.edit_dialog import EditDialog
from desktop.ui.pages.papers.import_controller import import_controller
from desktop.ui.pages.papers.table_model import PaperTable
from desktop.ui.pages.papers.table_view import PaperTableView
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.services.runner import JobQueue, JobRun
from desktop.ui.theme import Theme
from desktop.ui.widgets.labels import set_tip
from desktop.ui.widgets.questions import Question
from miner.progress import Job
from storage.changes import Changes
from storage.pairs.filters import PairFilter
from storage.papers.edits import RemovalCounts
from storage.project import Project

_AT_ONCE = 100  # papers that are removed while one waits; more are a job that is shown
_MOST_EDITED = 500  # papers whose fields are compared before many are edited


class PaperActions(QObject):
    """Actions on the selected rows of `view`. Those that change the project are disabled while it is read-only.

    Their shortcuts work inside `page`.
    """

    search_requested = Signal()  # the keyboard goes to the search
    attention_requested = Signal()  # show only what needs attention, or all again

    def __init__(self, context: ProjectContext, page: QWidget, view: PaperTableView, model: PaperTable) -> None:
        super().__init__(page)
        self._context, self._page, self._view, self._model = context, page, view, model
        self._imports = import_controller(context)
        self._found: PaperRows | None = None
        self._then: dict[JobRun, Callable[[Any], None]] = {}
        self._writing: list[str] = []
        add = self._add
        add("papers.folder_in", "Add a folder…", self.add_folder, icon="folder-open", writes=True)
        add("papers.data_set", "Import data set…", self.import_data_set, icon="download", writes=True)
        add("papers.open", "Open file", self.open, keys="Ctrl+Return", icon="external-link")
        add("papers.folder", "Show in folder", self.show_in_folder, icon="folder")
        add("papers.pairs", "Show pairs", self.show_pairs, keys="Ctrl+P", icon="list")
        add("papers.edit", "Edit…", self.edit, keys="F2, Ctrl+E", icon="pencil-line", writes=True)
        add("papers.retry", "Retry failed files", self.retry, keys="F5", icon="refresh-cw", writes=True)
        add("papers.grobid", "Parse again with GROBID", self.parse_by_grobid, icon="refresh-cw", writes=True)
        add("papers.embedded", "Parse again with the built-in parser", self.parse_embedded, writes=True)
        add("papers.locate", "Locate file…", self.locate, icon="search", writes=True)
        add("papers.remove", "Remove…", self.remove, keys="Del", icon="trash-2", writes=True)
        add("papers.mine", "Mine now", self.mine, keys="Ctrl+M", writes=True)
        add("papers.find", "Find papers", self.search_requested.emit, keys="Ctrl+F", icon="search")
        add("papers.attention", "Show what needs attention", self.attention_requested.emit, icon="triangle-alert")
        self.update()

    def _add(self, key: str, text: str, slot: Callable[[], None], *, writes: bool = False, **more: str) -> None:
        action = self._context.actions.add(key, text, slot, menu="Papers", widget=self._page, **more)
        if writes:
            self._writing.append(key)
            if self._context.read_only:
                set_tip(action, self._context.read_only_reason)

    def know(self, found: PaperRows) -> None:
        """What the table shows, and what there is in the project."""
        self._found = found
        self.update()

    def update(self) -> None:
        """Disable the actions that have nothing to act on."""
        ids = self._view.selected_ids()
        papers, failed = any(number > 0 for number in ids), any(number < 0 for number in ids)
        totals = self._found.totals if self._found else None
        can = {
            "papers.open": len(ids) == 1,
            "papers.folder": len(ids) == 1,
            "papers.pairs": papers,
            "papers.edit": papers,
            "papers.retry": failed or (not ids and totals is not None and totals.failed > 0),
            "papers.grobid": papers,
            "papers.embedded": papers,
            "papers.locate": papers and len(ids) == 1,
            "papers.remove": bool(ids),
            "papers.mine": totals is not None and totals.papers > 0 and not self._imports.is_going,
        }
        for key in {*can, *self._writing}:
            allowed = not (self._context.read_only and key in self._writing)
            self._context.actions[key].setEnabled(can.get(key, True) and allowed)

    def menu(self) -> QMenu:
        """The context menu of the selected rows."""
        menu = QMenu(self._page)
        menu.aboutToHide.connect(menu.deleteLater)
        groups = (("open", "folder", "locate"), ("pairs", "edit"), ("retry", "grobid", "embedded"), ("remove",))
        for group in groups:
            for name in group:
                action = self._context.actions[f"papers.{name}"]
                if action.isEnabled() or name in ("open", "edit", "remove"):
                    menu.addAction(action)
            menu.addSeparator()
        return menu

    @Slot(str)
    def run(self, key: str) -> None:
        self._context.actions[key].trigger()

    # Adding and reading

    @Slot()
    def add(self) -> None:
        ask_files(self._context, self._page)

    @Slot()
    def add_folder(self) -> None:
        ask_folder(self._context, self._page)

    @Slot()
    def import_data_set(self) -> None:
        ask_data_sets(self._context, self._page)

    @Slot()
    def retry(self) -> None:
        """The failed files among those selected; all of them where nothing is selected."""
        chosen = self._view.selected_ids()
        failed = [number for number in chosen if number < 0]
        if chosen and not failed:
            self._context.show_message(
                "None of those selected has failed. Select failed files, or nothing to retry all."
            )
            return
        self._imports.retry(failed or None)

    @Slot()
    def parse_by_grobid(self) -> None:
        self._imports.parse_again(self._view.selected_ids(), "grobid")

    @Slot()
    def parse_embedded(self) -> None:
        self._imports.parse_again(self._view.selected_ids(), "embedded")

    @Slot()
    def mine(self) -> None:
        if not self._imports.is_going:
            self._imports.mine()

    # Looking

    @Slot()
    def open(self) -> None:
        self._open_found(external_files.find_file)

    @Slot()
    def show_in_folder(self) -> None:
        self._open_found(external_files.find_folder)

    def _open_found(self, find: Callable[[Project, int], Job[Path]]) -> None:
        number = self._view.current_id()
        if number is not None:
            self._read(find(self._context.project, number), self._open)

    def _open(self, path: Path) -> None:
        if not QDesktopServices.openUrl(QUrl.fromLocalFile(str(path))):
            self._context.show_message(f"No program of this computer opens {path.name}.")

    @Slot()
    def show_pairs(self) -> None:
        def show(md5s: list[str]) -> None:
            if md5s:
                self._context.pairs_requested.emit(PairFilter(papers=frozenset(md5s)))

        self._read(table.load_md5s(self._context.project, self._view.selected_ids()), show)

    # Changing

    @Slot()
    def edit(self) -> None:
        ids = [number for number in self._view.selected_ids() if number > 0]

        def ask(lines: Sequence[Any]) -> None:
            if not lines:
                return
            dialog = EditDialog(self._context.theme, lines, self._domains(), self._page)
            dialog.accepted.connect(lambda: self._save_edit(ids, dialog))
            dialog.open()

        self._read(table.load_lines(self._context.project, ids[:_MOST_EDITED]), ask)

    def _domains(self) -> list[str]:
        """The project's, those with most papers first."""
        known = self._found.domains if self._found else {}
        return sorted(filter(None, known), key=lambda domain: (-known[domain], domain))

    def _save_edit(self, ids: Sequence[int], dialog: EditDialog) -> None:
        if changes := dialog.changes():
            self._change(edits.edit(self._context.project, ids, self._context.annotator, changes))

    @Slot()
    def remove(self) -> None:
        ids = self._view.selected_ids()

        def ask(taken: RemovalCounts) -> None:
            if not (taken.papers or taken.data_sets):
                self._remove(ids)
                return
            box = _removal(taken, self._context.theme, self._page)
            box.accepted.connect(lambda: self._remove(ids))
            box.open()

        self._read(table.count_removal(self._context.project, ids), ask)

    def _remove(self, ids: Sequence[int]) -> None:
        job = edits.remove(self._context.project, ids, self._context.annotator)
        self._change(job, queue=JobQueue.JOBS if len(ids) > _AT_ONCE else JobQueue.SAVES)

    @Slot()
    def locate(self) -> None:
        number = self._view.current_id()
        line = self._model.line(row) if number and (row := self._model.row_of(number)) is not None else None
        if line is None or line.md5 is None:
            return
        name = Path(line.path).name
        chosen, _ = QFileDialog.getOpenFileName(self._page, f"Where is {name} now?", "", f"{name};;All files (*)")
        if chosen:
            self._change(edits.locate(self._context.project, line.md5, Path(chosen)), undo=False)

    def _change(self, job: Job[EditResult], *, undo: bool = True, queue: JobQueue = JobQueue.SAVES) -> None:
        def tell(edited: EditResult) -> None:
            self._context.events.changed.emit(edited.changes)
            self._context.show_message(f"{edited.title}.", undo=undo and edited.count > 0)

        run = self._context.runner.start(job, queue=queue)
        run.cancelled.connect(self._on_stopped)
        self._wait_for(run, tell)

    @Slot()
    def _on_stopped(self) -> None:
        """What was done until then is done."""
        self._context.events.changed.emit(Changes(papers=True, pairs=True))

    def _read(self, job: Job[Any], then: Callable[[Any], None]) -> None:
        self._wait_for(self._context.runner.read(job), then)

    def _wait_for(self, run: JobRun, then: Callable[[Any], None]) -> None:
        """Connected to a slot, not to `then`: should the page go first, Qt lets go of the slot."""
        self._then[run] = then
        run.done.connect(self._on_done)
        run.failed.connect(self._context.problems.show)
        run.ended.connect(self._on_ended)

    @Slot(object)
    def _on_done(self, result: object) -> None:
        self._then[cast(JobRun, self.sender())](result)

    @Slot()
    def _on_ended(self) -> None:
        self._then.pop(cast(JobRun, self.sender()), None)


def _removal(taken: RemovalCounts, theme: Theme, parent: QWidget) -> Question:
    """The question whether these papers may go; accepted when they may."""
    what = edits.removal_text(taken)
    lines = []
    if taken.pairs:
        judged = f", {taken.judged:,} of them answered or marked" if taken.judged else ""
        lines.append(f"{count(taken.pairs, 'pair')} {'goes' if taken.pairs == 1 else 'go'} too{judged}.")
    lines.append("Files on disk are not touched. Undo (Ctrl+Z) brings everything back.")
    question = f"Remove {what} from this project?"
    about = "\n".join(lines)
    box = Question(theme, "Remove papers", question, "Remove", about=about, destroys=True, parent=parent)
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    return box
