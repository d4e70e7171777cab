"""The panel with a pair's evidence: its paragraphs above, the page of its PDF below, the sentences marked in both."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from PySide6.QtCore import QByteArray, Qt, QTimer, QUrl, Slot
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import (
    QPushButton,
    QSizePolicy,
    QSplitter,
    QStackedWidget,
    QWidget,
)

from desktop.jobs.papers import evidence
from desktop.jobs.papers.evidence import Evidence
from desktop.jobs.papers.external_files import verify_file
from desktop.jobs.papers.pdf_lookup import Pdf, PdfState, save_pdf_location
from desktop.jobs.papers.pdfs import PageImage, render_page
from desktop.jobs.papers.sentence_locations import PdfLocations, find_in_file, find_in_pdf
from desktop.translation import tr
from desktop.ui.evidence.mending import Mending
from desktop.ui.evidence.page_bar import PageBar
from desktop.ui.evidence.page_view import PageView
from desktop.ui.evidence.paragraph_view import ParagraphView, passages_of
from desktop.ui.evidence.placeholder import Placeholder, PlaceholderAction, location_warning, pdf_message
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.widgets.file_dialogs import FileDialog, Purpose
from desktop.ui.widgets.labels import ElidedLabel, set_tip
from desktop.ui.widgets.layouts import column_of, row_of, stretched
from desktop.ui.widgets.notices import Banner
from miner.errors import UserError
from miner.paths import is_folder
from miner.progress import Job
from storage.changes import Changes

_ZOOM_KEY, _SPLIT_KEY = "evidence/zoom", "evidence/split"  # of the window's settings
_BUSY_DELAY_MS = 300  # before the panel says that it is looking


class EvidencePanel(QWidget):
    """Shows the evidence of a pair; empty without a pair.

    In blind mode the linking phrase is hidden: it is left out of the paragraph and covered on the page. A page on which
    it cannot be covered is not shown, and the PDF cannot be opened elsewhere. The distance between the sentences stays
    visible; it tells linked pairs from neutral ones, and annotators should know that.
    """

    def __init__(self, context: ProjectContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._key: str | None = None
        self.mending = Mending(context, self)
        self._blind = False
        self._evidence: Evidence | None = None
        self._locations: PdfLocations | None = None
        self._build()
        self._connect()
        self._restore_settings()
        self.show_pair(None)

    def show_pair(self, key: str | None) -> None:
        """Show another pair; jobs for the previous pair are dropped.

        The previous content stays on the screen until the new content is read, for at most `_BUSY_DELAY_MS`.
        """
        self._key, self._evidence, self._locations = key, None, None
        self.mending.stay_with(key)
        for then in (self._on_loaded, self._on_located, self._on_rendered):
            self._context.cancel_read(then)
        self._busy_timer.stop()
        self._update_open_button()
        self.mend_button.setEnabled(key is not None and not self._context.read_only)
        if key is None:
            self._title_label.setText("")
            self.page.clear()
            self._show_placeholder(tr("Choose a pair to see it in its paper."))
            return
        self._busy_timer.start(_BUSY_DELAY_MS)
        self._load(key)

    def _load(self, key: str) -> None:
        job = evidence.load_evidence(self._context.project, key)
        self._context.runner.read(job, self._on_loaded, self._on_loading_failed)

    def _locate(self, job: Job[PdfLocations]) -> None:
        self._context.runner.follow(self._context.runner.run_pdf_job(job), self._on_located, self._on_locating_failed)

    def set_blind(self, blind: bool) -> None:
        """Hide the linking phrase, or show it."""
        if blind == self._blind:
            return
        self._blind = blind
        self._show_paragraphs()
        if self._locations is not None:
            self._show_locations(self._locations, again=True)
        self._update_open_button()

    @property
    def key(self) -> str | None:
        return self._key

    @property
    def is_idle(self) -> bool:
        """Whether no job of the panel is running."""
        thens = (self._on_loaded, self._on_located, self._on_rendered)
        return not any(self._context.is_reading(then) for then in thens)

    # Building

    def _build(self) -> None:
        theme = self._context.theme
        self.setAccessibleName(tr("The pair in its paper"))
        self._title_label = ElidedLabel(mode=Qt.TextElideMode.ElideMiddle, type="heading")
        self._title_label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.mend_button = QPushButton(tr("&Correct…"))
        self.mend_button.setAccessibleName(tr("Correct a sentence"))
        set_tip(self.mend_button, tr("Complete or correct a sentence of the pair from the paper"))
        theme.set_icon(self.mend_button, "pencil-line")
        self.open_button = QPushButton(tr("&Open PDF"))
        theme.set_icon(self.open_button, "external-link")
        self.paragraph = ParagraphView(theme)
        self.page = PageView(theme)
        self.page_bar = PageBar(theme, self.page)
        self.warning_banner = Banner(theme)
        self.warning_banner.action_requested.connect(self.ask_for_pdf)
        self.page_placeholder = Placeholder(theme)
        page_column = QWidget()
        page_column.setLayout(
            column_of(
                self.page_bar,
                self.warning_banner,
                stretched(self.page),
                spacing=theme.px(4),
                margins=(0, theme.px(8), 0, 0),
            )
        )
        self.page_stack = QStackedWidget()
        self.page_stack.addWidget(page_column)
        self.page_stack.addWidget(self.page_placeholder)
        self.splitter = QSplitter(Qt.Orientation.Vertical)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.setHandleWidth(theme.px(8))
        self.splitter.setStyleSheet("QSplitter::handle { background: transparent; }")  # the card has an edge already
        self.splitter.addWidget(self.paragraph)
        self.splitter.addWidget(self.page_stack)
        self.splitter.setSizes([200, 300])
        self.splitter.setStretchFactor(0, 2)
        self.splitter.setStretchFactor(1, 3)
        self.placeholder = Placeholder(theme)
        self.stack = QStackedWidget()
        self.stack.addWidget(self.splitter)
        self.stack.addWidget(self.placeholder)
        self.setLayout(
            column_of(
                row_of(stretched(self._title_label), self.mend_button, self.open_button),
                stretched(self.stack),
                spacing=theme.px(8),
            )
        )
        for before, after in pairwise(
            (self.mend_button, self.open_button, self.paragraph, *self.page_bar.controls, self.page)
        ):
            QWidget.setTabOrder(before, after)
        self._busy_timer = QTimer(self)
        self._busy_timer.setSingleShot(True)

    def _connect(self) -> None:
        context = self._context
        self._busy_timer.timeout.connect(self._show_busy)
        self.page.image_requested.connect(self._on_image_requested)
        self.page.zoom_changed.connect(self._save_zoom)
        self.splitter.splitterMoved.connect(self._save_split)
        self.mend_button.clicked.connect(self.open_mend_dialog)
        self.open_button.clicked.connect(self.open_pdf)
        context.events.changed.connect(self._on_changed)

    def _restore_settings(self) -> None:
        window = self._context.settings_store.window_settings
        zoom = window.value(_ZOOM_KEY, 0.0, float)
        self.page.set_zoom(zoom if isinstance(zoom, float) and zoom > 0 else None)
        splitter = window.value(_SPLIT_KEY)
        if isinstance(splitter, QByteArray):
            self.splitter.restoreState(splitter)

    # Results of jobs

    @Slot(object)
    def _on_loaded(self, evidence: Evidence | None) -> None:
        if evidence is not None and evidence == self._evidence:  # read again, unchanged
            return
        self._evidence = evidence
        if evidence is None:
            self._busy_timer.stop()
            self._title_label.setText("")
            action = PlaceholderAction(tr("See the papers"), lambda: self._context.page_requested.emit("papers"))
            self._show_placeholder(
                tr("This pair no longer exists: its paper was removed from the project."), "", action
            )
            return
        paper = evidence.paper
        self._title_label.setText(
            " · ".join(filter(None, (paper.title or tr("Untitled paper"), str(paper.year or ""))))
        )
        self.stack.setCurrentWidget(self.splitter)
        self._show_paragraphs()
        if paper.kind == "dataset":
            self._busy_timer.stop()
            self._show_page_placeholder(
                tr("This pair was imported with a data set, without its paper."),
                tr("Only its two sentences are known."),
            )
            return
        self._locate_sentences()

    @Slot(object)
    def _on_loading_failed(self, error: Exception) -> None:
        self._busy_timer.stop()
        self._show_placeholder(tr("The pair’s place in its paper could not be read."))
        self._context.problems.show(error)

    @Slot(object)
    def _on_located(self, locations: PdfLocations) -> None:
        self._busy_timer.stop()
        if locations.pdf.is_newly_found and locations.pdf.path is not None and self._evidence is not None:
            self._context.show_message(tr("Found the PDF in {parent}", parent=locations.pdf.path.parent))
            if not self._context.read_only:
                job = save_pdf_location(self._context.project, self._evidence.paper.md5, locations.pdf)
                self._context.runner.save(job).failed.connect(self._context.problems.show)
        self._show_locations(locations)

    @Slot(object)
    def _on_locating_failed(self, error: Exception) -> None:
        """Show that the selected file is not the PDF that was added; report any other error."""
        self._busy_timer.stop()
        if isinstance(error, UserError):
            self._show_page_placeholder(
                str(error), error.hint, PlaceholderAction(tr("&Choose again…"), self.ask_for_pdf)
            )
        else:
            self._context.problems.show(error)

    @Slot(object)
    def _on_rendered(self, image: PageImage) -> None:
        self.page.add_image(image)

    @Slot(object)
    def _on_rendering_failed(self, error: Exception) -> None:
        if isinstance(error, UserError):
            self._show_page_placeholder(
                str(error),
                error.hint,
                PlaceholderAction(tr("&Try again"), self._locate_sentences),
                PlaceholderAction(tr("&Locate…"), self.ask_for_pdf),
            )
        else:
            self._context.problems.show(error)

    @Slot()
    def _show_busy(self) -> None:
        if self._evidence is None:
            self._title_label.setText("")
            self._show_placeholder(tr("Looking up the pair in its paper…"))
        elif self._locations is None:
            self._show_page_placeholder(tr("Looking for the PDF…"))

    @Slot(object)
    def _on_changed(self, changes: Changes) -> None:
        """Read the pair again if papers were added, removed or parsed again."""
        if self._key is not None and (changes.papers or changes.pairs):
            self._load(self._key)

    @Slot(int, float)
    def _on_image_requested(self, page: int, scale: float) -> None:
        if self._locations is not None and self._locations.pdf.path is not None:
            job = render_page(self._context.pdfs, self._locations.pdf.path, page, scale)
            self._context.runner.follow(
                self._context.runner.run_pdf_job(job), self._on_rendered, self._on_rendering_failed
            )

    # Commands

    @Slot()
    def open_mend_dialog(self) -> None:
        """Let the user mend the pair's sentences."""
        if self._key is not None:
            self.mending.open(self._key, blind=self._blind)

    @Slot()
    def open_pdf(self) -> None:
        """Open the PDF in the system's default program."""
        if self._locations is not None and self._locations.pdf.path is not None:
            pdf = self._locations.pdf
            self._context.read(verify_file(self._locations.pdf.path, pdf.sha256), self._open_file)

    @Slot(object)
    def _open_file(self, path: Path) -> None:
        if not QDesktopServices.openUrl(QUrl.fromLocalFile(str(path))):
            self._context.show_message(tr("No program on this computer opens {name}.", name=path.name))

    @Slot()
    def ask_for_pdf(self) -> None:
        """Let the user select the PDF of the paper."""
        if self._evidence is None:
            return
        known = self._locations.pdf.path if self._locations else None
        start = known.parent if known is not None and is_folder(known.parent) else self._context.path.parent
        dialog = FileDialog(self, Purpose.PAPERS, tr("Locate the PDF"), start, tr("PDF files (*.pdf);;All files (*)"))
        dialog.setFileMode(FileDialog.FileMode.ExistingFile)
        key = self._key
        dialog.chosen.connect(lambda paths: self.locate(paths[0]) if self._key == key else None)
        dialog.open()

    def locate(self, path: Path) -> None:
        """Use this file as the paper's PDF if its content is the same."""
        if self._evidence is not None:
            self._busy_timer.start(_BUSY_DELAY_MS)
            self._locate(find_in_file(self._context.pdfs, self._evidence, path))

    @Slot()
    def show_changed_pdf(self) -> None:
        """Show the present PDF, although it is not the one that was added."""
        self._locate_sentences(changed=True)

    @Slot()
    def _save_zoom(self) -> None:
        self._context.settings_store.window_settings.setValue(_ZOOM_KEY, self.page.zoom or 0.0)

    @Slot()
    def _save_split(self) -> None:
        self._context.settings_store.window_settings.setValue(_SPLIT_KEY, self.splitter.saveState())

    # Showing

    def _locate_sentences(self, *, changed: bool = False) -> None:
        if self._evidence is not None:
            self._busy_timer.start(_BUSY_DELAY_MS)
            job = find_in_pdf(self._context.project, self._context.pdfs, self._evidence, changed=changed)
            self._locate(job)

    def _show_paragraphs(self) -> None:
        if self._evidence is not None:
            note = (
                "" if self._evidence.current else tr("No longer mined with the present settings; its answers are kept.")
            )
            self.paragraph.show_passages(tuple(passages_of(self._evidence)), note=note, blind=self._blind)

    def _show_locations(self, locations: PdfLocations, *, again: bool = False) -> None:
        self._locations = locations
        self._update_open_button()
        assert self._evidence is not None
        if not locations.sizes:
            actions = self._placeholder_actions(locations.pdf)
            self._show_page_placeholder(*pdf_message(locations.pdf, self._evidence), *actions)
        elif self._blind and self._evidence.phrase_length and not locations.phrase_boxes:
            self._show_page_placeholder(
                tr("The page is not shown before you answer."),
                tr("The linking phrase was not found on the page, so it cannot be covered."),
            )
        else:
            warning = location_warning(locations)
            self.warning_banner.show_text(warning, tr("&Locate…") if locations.pdf.state is PdfState.CHANGED else "")
            self.page_stack.setCurrentIndex(0)
            if again and self.page.locations is locations:
                self.page.set_blind(self._blind)
            else:
                self.page.show_locations(locations, blind=self._blind)
            self.page_bar.refresh()

    def _placeholder_actions(self, pdf: Pdf) -> Iterator[PlaceholderAction]:
        if pdf.state is PdfState.CHANGED:
            yield PlaceholderAction(tr("&Show it anyway"), self.show_changed_pdf)
        if pdf.state is PdfState.UNREADABLE:
            yield PlaceholderAction(tr("&Try again"), self._locate_sentences)
        yield PlaceholderAction(
            tr("&Choose its PDF…") if pdf.state is PdfState.NONE else tr("&Locate…"), self.ask_for_pdf
        )

    def _show_placeholder(self, sentence: str, hint: str = "", *actions: PlaceholderAction) -> None:
        self.placeholder.show_message(sentence, hint, actions)
        self.stack.setCurrentWidget(self.placeholder)

    def _show_page_placeholder(self, sentence: str, hint: str = "", *actions: PlaceholderAction) -> None:
        self.page_placeholder.show_message(sentence, hint, actions)
        self.page_stack.setCurrentWidget(self.page_placeholder)

    def _update_open_button(self) -> None:
        pdf = self._locations.pdf if self._locations is not None else None
        exists = pdf is not None and pdf.path is not None and pdf.state is not PdfState.MOVED
        is_hidden = self._blind and self._evidence is not None and self._evidence.phrase_length > 0
        self.open_button.setEnabled(exists and not is_hidden)
        hidden = tr("Available after you answer, because the PDF shows the linking phrase")
        set_tip(self.open_button, hidden if is_hidden else tr("Open it in your PDF viewer"))
