"""The Export page: the form on the left, the preview or the receipt on the right, folder and button below.

Its heading is Release if a split or a card is requested; then the data set can be kept under a name.
"""

from __future__ import annotations

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QStackedWidget,
    QWidget,
)

from desktop.jobs.descriptions.balance import phrases_to_measure
from desktop.jobs.exchange import export as exchange
from desktop.jobs.exchange import project_split
from desktop.jobs.exchange import releases as releasing
from desktop.jobs.exchange.export import LastExport
from desktop.jobs.mining.class_balance import SparePhrases, load_spare_phrases
from desktop.text import count
from desktop.translation import tr
from desktop.ui.pages.export.folder_edit import FolderEdit
from desktop.ui.pages.export.form import OptionsForm
from desktop.ui.pages.export.preview import PreviewPane
from desktop.ui.pages.export.receipt import ReceiptPane
from desktop.ui.pages.export.releases import ReleasesPane
from desktop.ui.pages.export.running_export import RunningExport
from desktop.ui.pages.export.spare_gains import SpareGains
from desktop.ui.services.page import Page
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.services.runner import JobQueue, JobRun
from desktop.ui.widgets.buttons import push_button
from desktop.ui.widgets.fields import FormScrollArea
from desktop.ui.widgets.file_dialogs import Purpose, choose_folder
from desktop.ui.widgets.labels import PlainLabel, set_tip
from desktop.ui.widgets.layouts import row_of, space, stretched
from desktop.ui.widgets.notices import Notice
from miner.errors import UserError
from storage.changes import Changes
from storage.dataset.export_options import ExportOptions
from storage.exchange.pair_export import ExportPreview, ExportReceipt
from storage.exchange.releases import MAX_NAME, read_name

_PREVIEW_DELAY_MS = 150  # after the last change of the form


class ExportPage(Page):
    """Options on the left, a preview of the files on the right, and the folder below.

    model: the spaCy model of mining, see `load_analyzer`.
    """

    title = tr("Export")
    least_size = (740, 340)
    _lines_ready = Signal(object)  # the first lines by file; emitted in the job's thread

    def __init__(self, context: ProjectContext, parent: QWidget | None = None, *, model: str | None = None) -> None:
        super().__init__(context, parent)
        self._spare_gains = SpareGains(context, self, model=model)
        self._spare_gains.measured.connect(self._show_balance)
        self._is_last_export_read = False
        self._offered: ExportOptions | None = None  # by another page, in place of those of the last export
        self._preview_run: JobRun | None = None
        self._preview: ExportPreview | None = None
        self._spare_phrases: SparePhrases | None = None
        self.running = RunningExport(context, self)
        self.running.changed.connect(self._show_state)
        self.running.written.connect(self._on_written)
        self.running.failed.connect(self._on_export_failed)
        self._preview_timer = self.create_timer(self._read_preview)
        self._lines_ready.connect(self._on_lines)
        self._lay_out()
        self.running.ended.connect(self.folder.look)
        self._add_actions()
        self.form.show_filter(context.pairs_page_filter)
        context.pairs_page_filter_changed.connect(self.form.show_filter)
        context.release_requested.connect(self.offer)
        context.runner.started.connect(self._on_job_started)
        for run in context.runner.running:
            self._on_job_started(run)
        self._show_state()

    # Changes from outside

    def refresh(self, changes: Changes) -> None:
        self.releases.read()
        self.context.read(project_split.load_targets(self.context.project), self.form.show_project_split)
        if not self._is_last_export_read:
            self._is_last_export_read = True
            self.context.read(exchange.load_last_export(self.context.project), self._on_last_export)
        spare = self.context.runner.read(load_spare_phrases(self.context.project))
        spare.done.connect(self._on_spare_phrases)
        spare.failed.connect(self.context.problems.show)
        self._request_preview()

    @Slot(object)
    def _on_spare_phrases(self, spare: SparePhrases | None) -> None:
        self._spare_phrases = spare
        self._show_balance()

    @Slot(object)
    def _on_last_export(self, last_export: LastExport) -> None:
        folder = last_export.folder or self.context.path.parent / f"{self.context.path.stem}-export"
        if not self.folder.text():
            self.folder.setText(str(folder))
        self.form.show_options(self._offered or last_export.options)

    @Slot(object)
    def offer(self, options: ExportOptions) -> None:
        """Fill in these options."""
        self._offered = options
        self.form.show_options(options)

    @Slot(object)
    def _on_job_started(self, run: JobRun) -> None:
        if run.job.replaces_pairs:
            run.ended.connect(self._request_preview)
            self._show_state()

    # The preview

    @Slot()
    def _on_options(self) -> None:
        self.panes.setCurrentWidget(self.preview)
        self._request_preview()

    @Slot()
    def _request_preview(self) -> None:
        """Read the preview again, after a delay."""
        if self._preview_run is not None:
            self._preview_run.cancel()
        self._preview_run = None
        self._preview = None
        if self.isVisible():
            self._preview_timer.start(_PREVIEW_DELAY_MS)
        else:
            self._stale = True
        self._show_state()

    @Slot()
    def _read_preview(self) -> None:
        if self.form.problem:
            return
        self._preview_run = run = self.context.runner.read(
            exchange.preview(self.context.project, self.form.options, on_partial=self._lines_ready.emit)
        )
        run.done.connect(self._on_preview)
        run.failed.connect(self._on_preview_failed)

    @Slot(object)
    def _on_lines(self, lines: dict[str, tuple[str, ...]]) -> None:
        if self._preview_run is not None and not self._preview_run.progress.cancelled:
            self.preview.show_lines(lines)

    @Slot(object)
    def _on_preview(self, preview: ExportPreview) -> None:
        if self._preview_run is None or self.sender() is not self._preview_run:
            return  # it is for other options
        self._preview_run = None
        self._preview = preview
        self.preview.show_preview(preview, self.form.options.years)
        self._show_balance()
        self._show_state()

    @Slot()
    def _show_balance(self) -> None:
        """Show how many pairs balancing leaves out, and what would help, which may still be in measurement."""
        if self._preview is None:
            return
        balance, options, spare = self._preview.balance, self.form.options, self._spare_phrases
        gain = None
        if balance is not None and spare is not None and phrases_to_measure(balance, spare, settled=options.settled):
            gain = self._spare_gains.find(balance.rarest, spare.made_of)
        self.form.balance_note.show_balance(balance, options, spare, gain)

    @Slot()
    def _on_mining_requested(self) -> None:
        self.context.page_requested.emit("mining")

    @Slot(object)
    def _on_preview_failed(self, error: Exception) -> None:
        if self.sender() is self._preview_run:
            self._preview_run = None
            self._show_state()
        self.context.problems.show(error)

    # The export

    @Slot()
    def export(self) -> None:
        """Write the files. Asks first if files of an earlier export were changed by hand."""
        if not self.button.isEnabled():
            return
        self.problem.show_text("")
        self.panes.setCurrentWidget(self.preview)  # a receipt on screen is of another export
        self.running.start(self.folder.path, self.form.options, self._release_name())

    @Slot(object)
    def _on_written(self, receipt: ExportReceipt) -> None:
        self.receipt.show_receipt(receipt, self.running.folder, self.running.release)
        self.panes.setCurrentWidget(self.receipt)
        self.release_name.clear()
        self.releases.read()

    @Slot(object)
    def _on_export_failed(self, error: Exception) -> None:
        if isinstance(error, UserError):
            self.problem.show_text(f"{error} {error.hint}".strip(), "bad")
        self.context.problems.show(error, is_on_page=self.isVisible())  # a toast would lie over the button

    @Slot()
    def _show_preview(self) -> None:
        self.panes.setCurrentWidget(self.preview)

    # Releases

    def _release_name(self) -> str:
        """The name to release by; "" for an export that is not kept."""
        return "" if self.release_name.isHidden() else " ".join(self.release_name.text().split())

    def _name_problem(self) -> str:
        """Why no release can have the name that is typed, in sentences; "" if one can."""
        if not (name := self._release_name()):
            return ""
        try:
            name = read_name(name)
        except UserError as exc:
            return f"{exc} {exc.hint}".strip()
        if name not in self.releases.names:
            return ""
        return tr(
            "There is a release {name} already, and releases never change. Type another name, or write it again from "
            "the list of releases.",
            name=name,
        )

    @Slot()
    def show_releases(self) -> None:
        self.releases.read()
        self.panes.setCurrentWidget(self.releases)

    @Slot(int)
    def _on_releases_counted(self, number: int) -> None:
        self.form.show_has_releases(number > 0)
        self.releases_button.setText(tr("Releases ({number:,})", number=number))
        self.releases_button.setVisible(number > 0)
        self._show_state()

    @Slot(str)
    def _write_again(self, name: str) -> None:
        folder = choose_folder(self, Purpose.EXPORT, tr("Write {name} again to", name=name), self.folder.text())
        if folder is None:
            return
        self.problem.show_text("")
        run = self.context.runner.start(
            releasing.write_again(self.context.project, name, folder), queue=JobQueue.EXPORT
        )
        run.failed.connect(self._on_export_failed)

    def is_action_enabled(self, name: str) -> bool:
        return name != "copy" or self.panes.currentWidget() is self.receipt

    @Slot()
    def copy_receipt(self) -> None:
        if self.panes.currentWidget() is self.receipt:
            self.receipt.copy.click()

    @Slot()
    def _on_folder(self) -> None:
        self.problem.show_text("")
        self._show_state()

    @Slot()
    def _show_replaces(self) -> None:
        """Warn about the earlier export, except beside its receipt."""
        self.replaces.show_text(self.folder.replaces if self.panes.currentWidget() is self.preview else "")

    @Slot()
    def _show_state(self) -> None:
        """Update the text of the button, and whether it is enabled."""
        options = self.form.options
        can_be_released = (options.in_splits or options.card) and not self.context.read_only
        self.release_name.setVisible(can_be_released)
        is_mining = any(run.job.replaces_pairs for run in self.context.runner.running)
        tip = tr("The number of pairs changes while papers are mined. You can export when that is done.")
        set_tip(self.button, tip if is_mining else "")
        name_problem = "" if self.running.is_writing else self._name_problem()  # what is being written has its name
        self.name_notice.show_text(name_problem, "warning")
        self.button.setEnabled(False)
        if self.running.is_writing:
            self.button.setText(tr("Exporting…"))
        elif self.running.is_comparing:
            self.button.setText(tr("Looking into the folder…"))
        elif is_mining:
            self.button.setText(tr("Papers are being mined…"))
        elif self.form.problem:
            self.button.setText(tr("Export"))
        elif self._preview is None:
            self.button.setText(tr("Counting pairs…"))
        elif not self._preview.rows:
            self.button.setText(tr("No pairs to export"))
        else:
            verb = tr("&Release") if self._release_name() else tr("Expo&rt")
            self.button.setText(f"{verb} {count(self._preview.rows, 'pair')}")
            self.button.setEnabled(not self.folder.is_empty and not name_problem)

    # Layout

    def _lay_out(self) -> None:
        theme = self.context.theme
        self.form = OptionsForm(theme)
        self.form.changed.connect(self._on_options)
        self.form.balance_note.mining_requested.connect(self._on_mining_requested)
        left = FormScrollArea(self.form)
        left.setFixedWidth(theme.px(348))
        self.preview = PreviewPane(theme)
        self.receipt = ReceiptPane(theme)
        self.receipt.closed.connect(self._show_preview)
        self.receipt.said.connect(self.context.show_message)
        self.panes: QStackedWidget = QStackedWidget()
        self.panes.addWidget(self.preview)
        self.panes.addWidget(self.receipt)
        self.releases = ReleasesPane(self.context)
        self.releases.counted.connect(self._on_releases_counted)
        self.releases.closed.connect(self._show_preview)
        self.releases.write_again_requested.connect(self._write_again)
        self.panes.addWidget(self.releases)
        self.panes.setMinimumWidth(theme.px(220))  # cut off, rather than over the form, in a small window
        across = row_of(left, stretched(self.panes), spacing=theme.px(16))
        self.side_by_side = across
        self.body.addLayout(across, 1)
        self.problem, self.replaces, self.name_notice = Notice(theme), Notice(theme), Notice(theme)
        for notice in (self.problem, self.replaces, self.name_notice):
            self.body.addWidget(notice)
        self.panes.currentChanged.connect(self._show_replaces)
        self.body.addLayout(self._bottom())

    def _bottom(self) -> QHBoxLayout:
        theme = self.context.theme
        label = PlainLabel(tr("F&older"))
        self.folder = FolderEdit(self.context)
        self.folder.looked.connect(self._show_replaces)
        self.folder.textChanged.connect(self._on_folder)
        label.setBuddy(self.folder)
        self.choose = push_button(tr("Choose…"), self.folder.choose)
        self.button = QPushButton()
        self.button.setProperty("look", "primary")
        self.button.setMinimumWidth(theme.px(200))
        self.button.clicked.connect(self.export)
        self.release_name = QLineEdit()
        self.release_name.setAccessibleName(tr("Name of the release"))
        self.release_name.setPlaceholderText(tr("Release as…"))
        self.release_name.setMaxLength(MAX_NAME)
        self.release_name.setFixedWidth(theme.px(140))
        tip = tr("With a name, the exported data set is kept in the project, and can be written again byte for byte.")
        set_tip(self.release_name, tip)
        self.release_name.textChanged.connect(self._show_state)
        self.releases_button = push_button(tr("Releases"), self.show_releases)
        self.releases_button.hide()
        self.header.addWidget(self.releases_button)
        return row_of(
            label,
            stretched(self.folder),
            self.choose,
            space(theme.px(8)),
            self.release_name,
            self.button,
            spacing=theme.px(8),
        )

    def _add_actions(self) -> None:
        add = self.context.actions.add
        add(
            "export.export",
            tr("Export"),
            self.export,
            menu=tr("Export"),
            keys="Ctrl+Return",
            icon="upload",
            widget=self,
        )
        add("export.folder", tr("Choose a folder…"), self.folder.choose, menu=tr("Export"), icon="folder", widget=self)
        add("export.releases", tr("Show the releases"), self.show_releases, menu=tr("Export"), icon="list", widget=self)
        add("export.copy", tr("Copy the receipt"), self.copy_receipt, menu=tr("Export"), icon="copy", widget=self)
