"""The evidence for a pair: its paragraphs above, the page of the PDF below, both sentences marked in each."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from PySide6.QtCore import QByteArray, Qt, QTimer, QUrl, Slot
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import (
    QFileDialog,
    QHBoxLayout,
    QPushButton,
    QSizePolicy,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from desktop.jobs.papers import evidence
from desktop.jobs.papers.evidence import Evidence
from desktop.jobs.papers.external_files import verify_file
from desktop.jobs.papers.pdf_lookup import Pdf, PdfState, save_pdf_location
from desktop.jobs.papers.pdfs import PageImage, PdfCache, render_page
from desktop.jobs.papers.sentence_locations import PdfLocations, find_in_file, find_in_pdf
from desktop.ui.evidence.page_bar import PageBar
from desktop.ui.evidence.page_view import PageView
from desktop.ui.evidence.paragraph_view import ParagraphView
from desktop.ui.evidence.placeholder import Placeholder, PlaceholderAction
from desktop.ui.evidence.words import passages, trouble, warning
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.services.runner import LatestRequest
from desktop.ui.widgets.labels import ElidedLabel, set_tip
from desktop.ui.widgets.notices import Banner
from miner.errors import UserError
from miner.paths import is_folder
from storage.changes import Changes

_ZOOM, _SPLIT = "evidence/zoom", "evidence/split"  # window settings
_SOON = 300  # ms until waiting is worth a word


class EvidencePanel(QWidget):
    """Shows where a pair comes from; None, and it is empty.

    Blind, it does not tell what the linking phrase says: the phrase is left out of the paragraph, covered on the page,
    and where it cannot be covered the page is not shown; nor can the PDF be opened elsewhere. It does show how far
    apart the sentences stand, which sets linked pairs apart from neutral ones: who answers blind should know.
    """

    def __init__(self, context: ProjectContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._key: str | None = None
        self._blind = False
        self._evidence: Evidence | None = None
        self._locations: PdfLocations | None = None
        self._pdf_cache = PdfCache()  # used only by jobs of the PAGES queue
        self._loading, self._looking, self._drawing = LatestRequest(self), LatestRequest(self), LatestRequest(self)
        self._build()
        self._connect()
        self._restore()
        self.show_pair(None)

    def show_pair(self, key: str | None) -> None:
        """Another pair; what was under way for the one before is dropped.

        What is on screen stays until there is something to take its place, or waiting becomes worth a word.
        """
        self._key, self._evidence, self._locations = key, None, None
        for latest in (self._loading, self._looking, self._drawing):
            latest.cancel()
        self._soon.stop()
        self._refresh_open()
        if key is None:
            self._title.setText("")
            self.page.clear()
            self._tell_all("Choose a pair to see where it comes from.")
            return
        self._soon.start(_SOON)
        self._loading.follow(self._context.runner.read(evidence.load_evidence(self._context.project, key)))

    def set_blind(self, blind: bool) -> None:
        """Whether to keep from sight what the linking phrase says."""
        if blind == self._blind:
            return
        self._blind = blind
        self._show_paragraphs()
        if self._locations is not None:
            self._show_locations(self._locations, again=True)
        self._refresh_open()

    @property
    def key(self) -> str | None:
        return self._key

    @property
    def is_settled(self) -> bool:
        """Whether nothing is under way."""
        return not (self._loading.is_waiting or self._looking.is_waiting or self._drawing.is_waiting)

    # Building

    def _build(self) -> None:
        theme = self._context.theme
        self.setAccessibleName("Where the pair comes from")
        self._title = ElidedLabel(mode=Qt.TextElideMode.ElideMiddle)
        self._title.setProperty("type", "heading")
        self._title.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.open_button = QPushButton("&Open PDF")
        theme.set_icon(self.open_button, "external-link")
        head = QHBoxLayout()
        head.addWidget(self._title, 1)
        head.addWidget(self.open_button)
        self.paragraph = ParagraphView(theme)
        self.page = PageView(theme)
        self.bar = PageBar(theme, self.page)
        self.warning = Banner(theme)
        self.warning.action_requested.connect(self.ask_where)
        self.page_placeholder = Placeholder(theme)
        shown = QWidget()
        column = QVBoxLayout(shown)
        column.setContentsMargins(0, theme.px(8), 0, 0)
        column.setSpacing(theme.px(4))
        column.addWidget(self.bar)
        column.addWidget(self.warning)
        column.addWidget(self.page, 1)
        self.pages = QStackedWidget()
        self.pages.addWidget(shown)
        self.pages.addWidget(self.page_placeholder)
        self.split = QSplitter(Qt.Orientation.Vertical)
        self.split.setChildrenCollapsible(False)
        self.split.setHandleWidth(theme.px(8))
        self.split.setStyleSheet("QSplitter::handle { background: transparent; }")  # the card's edge is line enough
        self.split.addWidget(self.paragraph)
        self.split.addWidget(self.pages)
        self.split.setSizes([200, 300])
        self.split.setStretchFactor(0, 2)
        self.split.setStretchFactor(1, 3)
        self.placeholder = Placeholder(theme)
        self.all = QStackedWidget()
        self.all.addWidget(self.split)
        self.all.addWidget(self.placeholder)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(theme.px(8))
        layout.addLayout(head)
        layout.addWidget(self.all, 1)
        for before, after in pairwise((self.open_button, self.paragraph, *self.bar.controls, self.page)):
            QWidget.setTabOrder(before, after)
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)

    def _connect(self) -> None:
        context = self._context
        self._loading.done.connect(self.on_loaded)
        self._looking.done.connect(self.on_looked)
        self._drawing.done.connect(self.on_drawn)
        self._loading.failed.connect(self.on_not_loaded)
        self._looking.failed.connect(self.on_not_looked)
        self._drawing.failed.connect(self.on_not_drawn)
        self._soon.timeout.connect(self.on_slow)
        self.page.picture_wanted.connect(self.on_picture_wanted)
        self.page.zoom_changed.connect(self.on_zoom_changed)
        self.split.splitterMoved.connect(self.on_split)
        self.open_button.clicked.connect(self.open_pdf)
        context.events.changed.connect(self.on_changed)

    def _restore(self) -> None:
        window = self._context.settings_store.window_settings
        zoom = window.value(_ZOOM, 0.0, float)
        self.page.set_zoom(zoom if isinstance(zoom, float) and zoom > 0 else None)
        split = window.value(_SPLIT)
        if isinstance(split, QByteArray):
            self.split.restoreState(split)

    # What came

    @Slot(object)
    def on_loaded(self, evidence: Evidence | None) -> None:
        if evidence is not None and evidence == self._evidence:  # read again, and nothing new
            return
        self._evidence = evidence
        if evidence is None:
            self._soon.stop()
            self._title.setText("")
            way = PlaceholderAction("See the papers", lambda: self._context.page_requested.emit("papers"))
            self._tell_all("This pair is gone: its paper was removed from the project.", "", way)
            return
        paper = evidence.paper
        self._title.setText(" · ".join(filter(None, (paper.title or "Untitled paper", str(paper.year or "")))))
        self.all.setCurrentWidget(self.split)
        self._show_paragraphs()
        if paper.kind == "dataset":
            self._soon.stop()
            self._tell_page(
                "This pair came with a data set, which holds no papers.", "Only its two sentences are known."
            )
            return
        self._look()

    @Slot(object)
    def on_not_loaded(self, error: Exception) -> None:
        self._soon.stop()
        self._tell_all("Where the pair comes from could not be read.")
        self._context.problems.show(error)

    @Slot(object)
    def on_looked(self, locations: PdfLocations) -> None:
        self._soon.stop()
        if locations.pdf.is_newly_found and locations.pdf.path is not None and self._evidence is not None:
            self._context.show_message(f"Found the PDF in {locations.pdf.path.parent}")
            if not self._context.read_only:
                job = save_pdf_location(self._context.project, self._evidence.paper.md5, locations.pdf)
                self._context.runner.save(job).failed.connect(self._context.problems.show)
        self._show_locations(locations)

    @Slot(object)
    def on_not_looked(self, error: Exception) -> None:
        """The file that was chosen is not the one; or a bug."""
        self._soon.stop()
        if isinstance(error, UserError):
            self._tell_page(str(error), error.hint, PlaceholderAction("&Choose again…", self.ask_where))
        else:
            self._context.problems.show(error)

    @Slot(object)
    def on_drawn(self, picture: PageImage) -> None:
        self.page.put(picture)

    @Slot(object)
    def on_not_drawn(self, error: Exception) -> None:
        if isinstance(error, UserError):
            self._tell_page(
                str(error),
                error.hint,
                PlaceholderAction("&Try again", self._look),
                PlaceholderAction("&Locate…", self.ask_where),
            )
        else:
            self._context.problems.show(error)

    @Slot()
    def on_slow(self) -> None:
        if self._evidence is None:
            self._title.setText("")
            self._tell_all("Looking up where the pair comes from …")
        elif self._locations is None:
            self._tell_page("Looking for the PDF …")

    @Slot(object)
    def on_changed(self, changes: Changes) -> None:
        """Papers came, went or were read anew: so may have what is shown."""
        if self._key is not None and (changes.papers or changes.pairs):
            self._loading.follow(self._context.runner.read(evidence.load_evidence(self._context.project, self._key)))

    @Slot(int, float)
    def on_picture_wanted(self, page: int, scale: float) -> None:
        if self._locations is not None and self._locations.pdf.path is not None:
            job = render_page(self._pdf_cache, self._locations.pdf.path, page, scale)
            self._drawing.follow(self._context.runner.run_pdf_job(job))

    # What the user does

    @Slot()
    def open_pdf(self) -> None:
        """In the program that the system opens PDFs with."""
        if self._locations is not None and self._locations.pdf.path is not None:
            pdf = self._locations.pdf
            run = self._context.runner.read(verify_file(self._locations.pdf.path, pdf.sha256))
            run.done.connect(self._on_may_open)
            run.failed.connect(self._context.problems.show)

    @Slot(object)
    def _on_may_open(self, path: Path) -> None:
        if not QDesktopServices.openUrl(QUrl.fromLocalFile(str(path))):
            self._context.show_message(f"No program of this computer opens {path.name}.")

    @Slot()
    def ask_where(self) -> None:
        """Let the user say which file the PDF is."""
        if self._evidence is None:
            return
        known = self._locations.pdf.path if self._locations else None
        start = known.parent if known is not None and is_folder(known.parent) else self._context.path.parent
        dialog = QFileDialog(self, "Locate the PDF", str(start), "PDF files (*.pdf);;All files (*)")
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        key = self._key
        dialog.fileSelected.connect(lambda name: self.locate(Path(name)) if self._key == key else None)
        dialog.open()

    def locate(self, path: Path) -> None:
        """Take this file for the paper's PDF, if it is it."""
        if self._evidence is not None:
            self._soon.start(_SOON)
            self._looking.follow(self._context.runner.run_pdf_job(find_in_file(self._pdf_cache, self._evidence, path)))

    @Slot()
    def show_changed(self) -> None:
        """The PDF that lies there now, although it is not the one that was added."""
        self._look(changed=True)

    @Slot()
    def on_zoom_changed(self) -> None:
        self._context.settings_store.window_settings.setValue(_ZOOM, self.page.zoom or 0.0)

    @Slot()
    def on_split(self) -> None:
        self._context.settings_store.window_settings.setValue(_SPLIT, self.split.saveState())

    # Showing

    def _look(self, *, changed: bool = False) -> None:
        if self._evidence is not None:
            self._soon.start(_SOON)
            job = find_in_pdf(self._context.project, self._pdf_cache, self._evidence, changed=changed)
            self._looking.follow(self._context.runner.run_pdf_job(job))

    def _show_paragraphs(self) -> None:
        if self._evidence is not None:
            note = "" if self._evidence.current else "No longer mined with the present settings; its answers are kept."
            self.paragraph.show_passages(tuple(passages(self._evidence)), note=note, blind=self._blind)

    def _show_locations(self, locations: PdfLocations, *, again: bool = False) -> None:
        self._locations = locations
        self._refresh_open()
        assert self._evidence is not None
        if not locations.sizes:
            self._tell_page(*trouble(locations.pdf, self._evidence), *self._actions(locations.pdf))
        elif self._blind and self._evidence.phrase_length and not locations.phrase_boxes:
            self._tell_page(
                "The page is not shown before you answer.",
                "Its linking phrase was not found on it, and so it cannot be covered.",
            )
        else:
            caution = warning(locations)
            self.warning.show_text(caution, "&Locate…" if locations.pdf.state is PdfState.CHANGED else "")
            self.pages.setCurrentIndex(0)
            if again and self.page.locations is locations:
                self.page.set_blind(self._blind)
            else:
                self.page.show_locations(locations, blind=self._blind)
            self.bar.refresh()

    def _actions(self, pdf: Pdf) -> Iterator[PlaceholderAction]:
        if pdf.state is PdfState.CHANGED:
            yield PlaceholderAction("&Show it all the same", self.show_changed)
        if pdf.state is PdfState.UNREADABLE:
            yield PlaceholderAction("&Try again", self._look)
        yield PlaceholderAction("&Choose its PDF…" if pdf.state is PdfState.NONE else "&Locate…", self.ask_where)

    def _tell_all(self, sentence: str, hint: str = "", *actions: PlaceholderAction) -> None:
        self.placeholder.explain(sentence, hint, actions)
        self.all.setCurrentWidget(self.placeholder)

    def _tell_page(self, sentence: str, hint: str = "", *actions: PlaceholderAction) -> None:
        self.page_placeholder.explain(sentence, hint, actions)
        self.pages.setCurrentWidget(self.page_placeholder)

    def _refresh_open(self) -> None:
        pdf = self._locations.pdf if self._locations is not None else None
        there = pdf is not None and pdf.path is not None and pdf.state is not PdfState.MOVED
        hidden = self._blind and self._evidence is not None and self._evidence.phrase_length > 0
        self.open_button.setEnabled(there and not hidden)
        tip = "Not before you answer: it shows the linking phrase" if hidden else "Open it in your PDF viewer"
        set_tip(self.open_button, tip)
