"""The Export page: what, to the left; a preview of it, to the right; one button below."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QTimer, Signal, Slot
from PySide6.QtWidgets import (
    QFileDialog,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QStackedWidget,
    QWidget,
)

from desktop.jobs.exchange import export as exchange
from desktop.jobs.exchange.export import LastExport, ReplacedExport
from desktop.text import count
from desktop.ui.pages.export.form import OptionsForm
from desktop.ui.pages.export.preview import PreviewPane
from desktop.ui.pages.export.receipt import ReceiptPane
from desktop.ui.pages.export.replacing import may_replace
from desktop.ui.services.page import Page
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.services.runner import JobQueue, JobRun
from desktop.ui.widgets.fields import FormScrollArea
from desktop.ui.widgets.labels import PlainLabel
from desktop.ui.widgets.notices import Notice
from miner.errors import UserError
from miner.paths import expanded
from storage.changes import Changes
from storage.dataset.options import ALL_PAIRS, ExportOptions
from storage.exchange.pair_export import ExportPreview, ExportReceipt
from storage.pairs.filters import PairFilter

_PAUSE = 150  # milliseconds without a change before the preview is made anew


class ExportPage(Page):
    title = "Export"
    _lines = Signal(object)  # the first lines by file, from the job's thread

    def __init__(self, context: ProjectContext, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self._asked = False  # how the project was exported last
        self._read: JobRun | None = None
        self._export: JobRun | None = None
        self._found: JobRun | None = None  # what is in the folder
        self._compared: JobRun | None = None  # whether that was changed by hand
        self._replaces = ""  # what is said of it
        self._wanted = (Path(), ExportOptions())  # what is exported when it was not
        self._preview: ExportPreview | None = None
        self._wait = QTimer(self)
        self._wait.setSingleShot(True)
        self._wait.timeout.connect(self._look)
        self._typing = QTimer(self)
        self._typing.setSingleShot(True)
        self._typing.timeout.connect(self._look_into_folder)
        self._lines.connect(self._on_lines)
        self._lay_out()
        self._add_actions()
        self.form.show_filter(context.pairs_page_filter)
        context.pairs_page_filter_changed.connect(self.on_shown_filter)
        self._show_state()

    # What happens outside

    def refresh(self, changes: Changes) -> None:
        if not self._asked:
            self._asked = True
            run = self.context.runner.read(exchange.load_last_export(self.context.project))
            run.done.connect(self._on_wish)
            run.failed.connect(self.context.problems.show)
        self._ask()

    @Slot(object)
    def on_shown_filter(self, shown: PairFilter) -> None:
        self.form.show_filter(shown)

    @Slot(object)
    def _on_wish(self, wish: LastExport) -> None:
        folder = wish.folder or self.context.path.parent / f"{self.context.path.stem}-export"
        if not self.folder.text():
            self.folder.setText(str(folder))
        self.form.show_options(wish.options)

    # The preview

    @Slot()
    def _on_options(self) -> None:
        self.panes.setCurrentWidget(self.preview)
        self._ask()

    def _ask(self) -> None:
        """What is shown is out of date."""
        if self._read is not None:
            self._read.cancel()
        self._read = None
        self._preview = None
        if self.isVisible():
            self._wait.start(_PAUSE)
        else:
            self._stale = True
        self._show_state()

    @Slot()
    def _look(self) -> None:
        if self.form.problem:
            return
        self._read = run = self.context.runner.read(
            exchange.preview(self.context.project, self.form.options, on_partial=self._lines.emit)
        )
        run.done.connect(self._on_preview)
        run.failed.connect(self._on_preview_failed)

    @Slot(object)
    def _on_lines(self, lines: dict[str, tuple[str, ...]]) -> None:
        if self._read is not None and not self._read.progress.cancelled:
            self.preview.show_lines(lines)

    @Slot(object)
    def _on_preview(self, preview: ExportPreview) -> None:
        if self._read is None or self.sender() is not self._read:
            return  # of other options
        self._read = None
        self._preview = preview
        self.preview.show_preview(preview)
        self._show_state()

    @Slot(object)
    def _on_preview_failed(self, error: Exception) -> None:
        if self.sender() is self._read:
            self._read = None
            self._show_state()
        self.context.problems.show(error)

    # The export

    @Slot()
    def export(self) -> None:
        """Write the files, but those that were changed by hand only after a question."""
        if not self.button.isEnabled():
            return
        self.problem.show_text("")
        self.panes.setCurrentWidget(self.preview)  # a receipt on screen is of another export
        self._wanted = self._folder(), self.form.options
        self._compared = run = self.context.runner.read(exchange.find_replaced(self._folder(), compare=True))
        run.done.connect(self._on_compared)
        run.failed.connect(self._on_export_failed)
        run.ended.connect(self._on_compare_ended)
        self._show_state()

    @Slot(object)
    def _on_compared(self, found: ReplacedExport | None) -> None:
        changed = found.changed if found else ()
        if not changed or may_replace(self.context.theme, self._wanted[0], changed, self.window()):
            self._start(overwrite=bool(changed))

    @Slot()
    def _on_compare_ended(self) -> None:
        self._compared = None
        self._show_state()

    def _start(self, *, overwrite: bool) -> None:
        folder, options = self._wanted
        job = exchange.export(self.context.project, folder, options, overwrite=overwrite)
        run = self.context.runner.start(job, queue=JobQueue.EXPORT)
        self._export = run
        run.setProperty("folder", str(folder))
        run.done.connect(self._on_exported)
        run.failed.connect(self._on_export_failed)
        run.ended.connect(self._on_export_ended)
        if not self.context.read_only:
            wish = LastExport(replace(options, scope=ALL_PAIRS), folder)
            self.context.runner.save(exchange.save_last_export(self.context.project, wish)).failed.connect(
                self.context.problems.show
            )
        self._show_state()

    @Slot(object)
    def _on_exported(self, receipt: ExportReceipt) -> None:
        run = self.sender()
        folder = Path(run.property("folder"))
        self.receipt.show_receipt(receipt, folder)
        self.panes.setCurrentWidget(self.receipt)
        if receipt.options.shares and receipt.rows and not self.context.read_only:
            job = exchange.save_split_export(self.context.project, receipt.options)
            self.context.runner.save(job).failed.connect(self.context.problems.show)

    @Slot(object)
    def _on_export_failed(self, error: Exception) -> None:
        if isinstance(error, UserError):
            self.problem.show_text(f"{error} {error.hint}".strip(), "bad")
        self.context.problems.show(error, is_on_page=self.isVisible())  # a toast would lie over the button

    @Slot()
    def _on_export_ended(self) -> None:
        self._export = None
        self._look_into_folder()
        self._show_state()

    @Slot()
    def _on_receipt_closed(self) -> None:
        self.panes.setCurrentWidget(self.preview)

    @Slot()
    def choose_folder(self) -> None:
        chosen = QFileDialog.getExistingDirectory(self, "Export to", self.folder.text())
        if chosen:
            self.folder.setText(chosen)

    def is_action_enabled(self, name: str) -> bool:
        return name != "copy" or self.panes.currentWidget() is self.receipt

    @Slot()
    def copy_receipt(self) -> None:
        if self.panes.currentWidget() is self.receipt:
            self.receipt.copy.click()

    def _folder(self) -> Path:
        """A relative one is beside the project."""
        folder = expanded(self.folder.text().strip())
        return self.context.path.parent / folder

    @Slot()
    def _on_folder(self) -> None:
        self.problem.show_text("")
        self._replaces = ""
        self._show_replaces()
        self._typing.start(_PAUSE)
        self._show_state()

    @Slot()
    def _look_into_folder(self) -> None:
        if self._found is not None:
            self._found.cancel()
            self._found = None
        if not self.folder.text().strip():
            return
        self._found = run = self.context.runner.read(exchange.find_replaced(self._folder()))
        run.done.connect(self._on_found)
        run.failed.connect(self.context.problems.show)

    @Slot(object)
    def _on_found(self, found: ReplacedExport | None) -> None:
        if self.sender() is not self._found:
            return  # of another folder
        self._found = None
        rows = found and count(found.rows, "pair")
        self._replaces = f"This folder has an export of {rows}: exporting replaces it." if rows else ""
        self._show_replaces()

    @Slot()
    def _show_replaces(self) -> None:
        """Not beside the receipt of that very export."""
        self.replaces.show_text(self._replaces if self.panes.currentWidget() is self.preview else "")

    def _show_state(self) -> None:
        """What the button says, and whether it can be pressed."""
        self.button.setEnabled(False)
        if self._export is not None:
            self.button.setText("Exporting…")
        elif self._compared is not None:
            self.button.setText("Looking into the folder…")
        elif self.form.problem:
            self.button.setText("Export")
        elif self._preview is None:
            self.button.setText("Counting pairs…")
        elif not self._preview.rows:
            self.button.setText("No pairs to export")
        else:
            self.button.setText(f"Expo&rt {count(self._preview.rows, 'pair')}")
            self.button.setEnabled(bool(self.folder.text().strip()))

    # Layout

    def _lay_out(self) -> None:
        theme = self.context.theme
        self.form = OptionsForm(theme)
        self.form.changed.connect(self._on_options)
        left = FormScrollArea(self.form)
        left.setFixedWidth(theme.px(348))
        self.preview = PreviewPane(theme)
        self.receipt = ReceiptPane(theme)
        self.receipt.closed.connect(self._on_receipt_closed)
        self.panes: QStackedWidget = QStackedWidget()
        self.panes.addWidget(self.preview)
        self.panes.addWidget(self.receipt)
        self.panes.setMinimumWidth(theme.px(220))  # rather cut than over the form, where there is no room
        across = QHBoxLayout()
        across.setSpacing(theme.px(16))
        across.addWidget(left)
        across.addWidget(self.panes, 1)
        self.body.addLayout(across, 1)
        self.problem = Notice(theme)
        self.body.addWidget(self.problem)
        self.replaces = Notice(theme)
        self.body.addWidget(self.replaces)
        self.panes.currentChanged.connect(self._show_replaces)
        self.body.addLayout(self._bottom())

    def _bottom(self) -> QHBoxLayout:
        theme = self.context.theme
        row = QHBoxLayout()
        row.setSpacing(theme.px(8))
        label = PlainLabel("F&older")
        self.folder = QLineEdit()
        self.folder.setAccessibleName("Folder to export to")
        self.folder.setPlaceholderText("Folder")
        self.folder.textChanged.connect(self._on_folder)
        label.setBuddy(self.folder)
        self.choose = QPushButton("Choose…")
        self.choose.clicked.connect(self.choose_folder)
        self.button = QPushButton()
        self.button.setProperty("look", "primary")
        self.button.setMinimumWidth(theme.px(200))
        self.button.clicked.connect(self.export)
        row.addWidget(label)
        row.addWidget(self.folder, 1)
        row.addWidget(self.choose)
        row.addSpacing(theme.px(8))
        row.addWidget(self.button)
        return row

    def _add_actions(self) -> None:
        add = self.context.actions.add
        add("export.export", "Export", self.export, menu="Export", keys="Ctrl+Return", icon="upload", widget=self)
        add("export.folder", "Choose a folder…", self.choose_folder, menu="Export", icon="folder", widget=self)
        add("export.copy", "Copy the receipt", self.copy_receipt, menu="Export", icon="copy", widget=self)
