"""Writes a data set: looks for files that were changed by hand, asks about them, and exports or releases."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QWidget

from desktop.jobs.exchange import export as exchange
from desktop.jobs.exchange import releases as releasing
from desktop.jobs.exchange.export import LastExport, ReplacedExport
from desktop.text import count
from desktop.translation import tr
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.services.runner import JobQueue, JobRun
from desktop.ui.theme import Theme
from desktop.ui.widgets.questions import Question
from storage.dataset.export_options import ALL_PAIRS, ExportOptions
from storage.exchange.pair_export import ExportReceipt


class RunningExport(QObject):
    """Runs one export at a time. folder, options, release: of the last export. parent: of its dialogs."""

    changed = Signal()  # what it is doing
    written = Signal(object)  # ExportReceipt
    failed = Signal(object)  # the exception
    ended = Signal()

    def __init__(self, context: ProjectContext, parent: QWidget) -> None:
        super().__init__(parent)
        self._context, self._parent = context, parent
        self.folder, self.options, self.release = Path(), ExportOptions(), ""
        self._compare_run: JobRun | None = None  # finds files changed since the export in the folder
        self._export_run: JobRun | None = None

    @property
    def is_comparing(self) -> bool:
        return self._compare_run is not None

    @property
    def is_writing(self) -> bool:
        return self._export_run is not None

    def start(self, folder: Path, options: ExportOptions, release: str = "") -> None:
        """Write into a folder. Asks first if files of an earlier export were changed by hand.

        release: the name to keep the data set by; "" for an export that is not kept.
        """
        self.folder, self.options, self.release = folder, options, release
        self._compare_run = run = self._context.runner.read(exchange.find_replaced(folder, compare=True))
        run.done.connect(self._on_compared)
        run.failed.connect(self.failed)
        run.ended.connect(self._on_compare_ended)
        self.changed.emit()

    @Slot(object)
    def _on_compared(self, replaced: ReplacedExport | None) -> None:
        changed = replaced.changed if replaced else ()
        if not changed or _confirm_replacing(self._context.theme, self.folder, changed, self._parent.window()):
            self._write(overwrite=bool(changed))

    @Slot()
    def _on_compare_ended(self) -> None:
        self._compare_run = None
        self.changed.emit()

    def _write(self, *, overwrite: bool) -> None:
        context, folder, options = self._context, self.folder, self.options
        if self.release:
            named = replace(options, name=options.name or self.release)
            job = releasing.release(context.project, self.release, folder, named)
        else:
            job = exchange.export(context.project, folder, options, overwrite=overwrite)
        self._export_run = run = context.runner.start(job, queue=JobQueue.EXPORT)
        run.done.connect(self._on_written)
        run.failed.connect(self.failed)
        run.ended.connect(self._on_ended)
        if not context.read_only:
            last_export = LastExport(replace(options, scope=ALL_PAIRS), folder)
            save = exchange.save_last_export(context.project, last_export)
            context.runner.save(save).failed.connect(context.problems.show)
        self.changed.emit()

    @Slot(object)
    def _on_written(self, receipt: ExportReceipt) -> None:
        context = self._context
        if receipt.options.in_splits and not receipt.options.split and not context.read_only:
            save = exchange.save_split_export(context.project, receipt.options)
            context.runner.save(save).failed.connect(context.problems.show)
        self.written.emit(receipt)

    @Slot()
    def _on_ended(self) -> None:
        self._export_run = None
        self.ended.emit()
        self.changed.emit()


def _confirm_replacing(theme: Theme, folder: Path, changed: Sequence[str], parent: QWidget) -> bool:
    """Ask whether to replace files that were changed since their export."""
    if len(changed) == 1:
        question = tr("{changed} was changed after it was exported.", changed=changed[0])
        about, action = (
            tr("It is in {folder}. Exporting replaces it, and the changes are lost.", folder=folder),
            tr("Replace it"),
        )
    else:
        question = tr("{files} were changed after they were exported.", files=count(len(changed), "file"))
        about = tr(
            "{changed}, in {folder}. Exporting replaces them, and the changes are lost.",
            changed=", ".join(changed),
            folder=folder,
        )
        action = tr("Replace them")
    return Question(theme, tr("Export"), question, action, about=about, destroys=True, parent=parent).confirm()
