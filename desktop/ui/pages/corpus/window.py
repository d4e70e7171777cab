"""The window of a corpus, beside the main window: its counts, a sample of pairs, and a part of it as a project."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QDialog, QHBoxLayout, QPushButton, QScrollArea, QWidget

from desktop.jobs.corpus.choice import ChosenCounts, CorpusChoice, count_chosen
from desktop.jobs.corpus.overview import read_overview, sample_pairs
from desktop.text import count
from desktop.translation import tr
from desktop.ui.pages.corpus.figures import (
    class_figure,
    failure_figure,
    field_figure,
    language_figure,
    year_figure,
)
from desktop.ui.pages.corpus.pull_dialog import PullDialog
from desktop.ui.pages.corpus.sample import SampleView
from desktop.ui.plots.card import PlotCard, with_plots
from desktop.ui.services.display_names import NO_DOMAIN
from desktop.ui.services.runner import JobRunner
from desktop.ui.theme import Theme
from desktop.ui.widgets.card_grid import CardGrid
from desktop.ui.widgets.fields import ChoiceBox, Tabs, YearEdit
from desktop.ui.widgets.labels import ElidedLabel, PlainLabel
from desktop.ui.widgets.layouts import column_of, row_of, stretched
from desktop.ui.widgets.notices import Notice
from miner.errors import UserError

if TYPE_CHECKING:
    from desktop.jobs.corpus.overview import CorpusOverview, PairSample

_TWO_COLUMNS_WIDTH = 800  # unscaled pixels
_TYPING_PAUSE_MS = 300  # after which a sample of the typed years is read


class CorpusWindow(QDialog):
    """The window of a corpus.

    It reads with its own runner, so that a slow network and the open project are independent.
    """

    was_read = Signal(str)  # the address of the corpus
    pulled = Signal(object)  # PulledCorpus

    def __init__(self, place: str, folder: Path, runner: JobRunner, theme: Theme, parent: QWidget) -> None:
        """folder: where a project is saved unless another place is chosen. runner: of the main window, for pulling."""
        super().__init__(parent)
        self.setWindowFlags(Qt.WindowType.Window)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.place, self._folder, self._runner, self._theme = place, folder, runner, theme
        self.overview: CorpusOverview | None = None
        self._seed = 1
        self._reader = JobRunner(self)
        self._timer = QTimer(self, singleShot=True, interval=_TYPING_PAUSE_MS)
        self._timer.timeout.connect(self._read_sample)
        self.setWindowTitle(tr("{place} — Pairwright", place=place))
        self.resize(theme.px(1100), theme.px(740))
        self._build()
        self.read()

    @property
    def choice(self) -> CorpusChoice:
        return CorpusChoice(self.domain.value, self.first.year, self.last.year)

    @Slot()
    def read(self) -> None:
        """Read the corpus, again if it was read before."""
        self.summary.setText(tr("Reading the corpus…"))
        self.notice.show_text("")
        self.again.hide()
        job = read_overview(self.place)
        self._reader.read(with_plots(job), self._on_overview, self._on_unreadable)

    def stop(self) -> None:
        """Cancel all reads."""
        self._reader.cancel_read(self._on_overview)
        self._reader.cancel_read(self._on_sample)
        self._reader.shut_down(0.0)

    def done(self, result: int) -> None:
        self.stop()
        super().done(result)

    def closeEvent(self, event: QCloseEvent) -> None:
        self.stop()
        super().closeEvent(event)

    def _build(self) -> None:
        px = self._theme.px
        self.title = ElidedLabel(self.place, Qt.TextElideMode.ElideMiddle, type="title")
        self.pull = QPushButton(tr("&Pull into a project…"))
        self.pull.setProperty("look", "primary")
        self.pull.setAutoDefault(False)
        self.pull.clicked.connect(self._ask_pull)
        self.again = QPushButton(tr("Try again"))
        self.again.setAutoDefault(False)
        self.again.clicked.connect(self.read)
        self.summary = PlainLabel(type="muted", wraps=True)
        self.notice = Notice(self._theme)
        self._filters = self._build_filters()
        self.sample = SampleView(self._theme)
        self.sample.another_requested.connect(self._on_another)
        self.tabs = Tabs()
        self.tabs.tabBar().setAccessibleName(tr("Parts of the corpus"))
        self.tabs.addTab(self._build_cards(), tr("Counts"))
        self.tabs.addTab(self.sample, tr("Sample of pairs"))
        self._blank = QWidget()  # in place of the tabs while there is nothing to show
        self.setLayout(
            column_of(
                row_of(stretched(self.title), self.again, self.pull, spacing=px(12)),
                self.summary,
                self.notice,
                self._filters,
                stretched(self.tabs),
                stretched(self._blank),
                spacing=px(8),
                margins=(px(24), px(20), px(24), px(20)),
            )
        )
        self._show_content(False)

    def _build_filters(self) -> QWidget:
        px = self._theme.px
        self.domain = ChoiceBox(tr("Domain"), tr("All domains"))
        self.domain.currentIndexChanged.connect(self._on_chosen)
        self.first, self.last = YearEdit(), YearEdit()
        for field, name in ((self.first, tr("First year")), (self.last, tr("Last year"))):
            field.setAccessibleName(name)
            field.setFixedWidth(px(72))
            field.textChanged.connect(self._on_chosen)
        self.counts = PlainLabel(type="heading")
        domain_label, years_label = PlainLabel(tr("&Domain")), PlainLabel(tr("&Years"))
        domain_label.setBuddy(self.domain)
        years_label.setBuddy(self.first)
        filters = QWidget()
        row = QHBoxLayout(filters)
        row.setContentsMargins(0, px(8), 0, px(4))
        row.setSpacing(px(8))
        for widget in (domain_label, self.domain, years_label, self.first, PlainLabel("–"), self.last):
            row.addWidget(widget)
        row.addStretch(1)
        row.addWidget(self.counts)
        return filters

    def _build_cards(self) -> QScrollArea:
        theme = self._theme
        self.fields = PlotCard(theme, tr("Which domains are the papers from?"))
        self.years = PlotCard(theme, tr("When were they published?"))
        self.classes = PlotCard(theme, tr("Which classes do the pairs have?"))
        self.languages = PlotCard(theme, tr("Which languages are the papers in?"))
        self.failures = PlotCard(theme, tr("Which files are no papers?"))
        grid = CardGrid(theme, _TWO_COLUMNS_WIDTH)
        grid.setContentsMargins(0, theme.px(12), theme.px(8), 0)
        grid.set_cards([[self.fields, self.years], [self.classes], [self.languages, self.failures]])
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QScrollArea.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setWidget(grid)
        return area

    def _show_content(self, is_there: bool) -> None:
        for widget in (self._filters, self.tabs, self.pull):
            widget.setVisible(is_there)
        self._blank.setVisible(not is_there)

    @Slot(object)
    def _on_overview(self, overview: CorpusOverview) -> None:
        self.overview = overview
        self.title.setText(overview.figures.place)
        self.summary.setText(_summary(overview))
        self.was_read.emit(overview.figures.place)
        if overview.damage is not None:
            self.notice.show_text(f"{overview.damage} {overview.damage.hint}", "warning")
            self.again.show()
        domains = sorted({domain for domain, *_ in overview.figures.counts.papers}, key=lambda name: (not name, name))
        self.domain.offer([(domain or NO_DOMAIN, domain) for domain in domains])
        self._show_content(True)
        self.pull.setEnabled(overview.damage is None)
        self._show_chosen()
        self.domain.setFocus()
        self._read_sample()

    @Slot(object)
    def _on_unreadable(self, error: Exception) -> None:
        self.overview = None
        self.summary.setText("")
        self._show_content(False)
        self.notice.show_text(_sentence(error), "bad")
        self.again.show()
        self.again.setFocus()

    @Slot()
    def _on_chosen(self) -> None:
        if self.overview is not None:
            self._show_chosen()
            self._timer.start()

    def _count(self) -> ChosenCounts:
        assert self.overview is not None
        return count_chosen(self.overview.figures.counts, self.choice)

    def _show_chosen(self) -> None:
        """Show the counts of what is chosen."""
        assert self.overview is not None
        counts, choice, chosen = self.overview.figures.counts, self.choice, self._count()
        pairs = count(chosen.pairs, "pair")
        self.counts.setText(
            tr(
                "{papers}, {pairs}",
                papers=count(chosen.papers, "paper"),
                pairs=pairs if chosen.are_exact else tr("about {pairs}", pairs=pairs),
            )
        )
        self.pull.setEnabled(bool(chosen.papers) and self.overview.damage is None)
        self.fields.show_figure(field_figure(counts, choice))
        self.years.show_figure(year_figure(counts, choice))
        self.classes.show_figure(class_figure(counts, choice))
        self.languages.show_figure(language_figure(counts, choice))
        if counts.failed:
            self.failures.show_figure(failure_figure(counts))
        else:
            self.failures.show_message(tr("All files could be read."))

    @Slot()
    def _read_sample(self) -> None:
        if self.overview is None:
            return
        self.sample.show_waiting(tr("Reading a sample…"))
        job = sample_pairs(*(self.place, self.choice, self._seed))
        self._reader.read(job, self._on_sample, self._on_sample_failed)

    @Slot()
    def _on_another(self) -> None:
        self._seed += 1
        self._read_sample()

    @Slot(object)
    def _on_sample(self, sample: PairSample) -> None:
        self.sample.show_sample(sample)

    @Slot(object)
    def _on_sample_failed(self, error: Exception) -> None:
        self.sample.show_problem(_sentence(error))

    @Slot()
    def _ask_pull(self) -> None:
        assert self.overview is not None
        dialog = PullDialog(self.overview, self.choice, self._count(), self._folder, self._runner, self._theme, self)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.pulled.connect(self.pulled)
        dialog.open()


def _summary(overview: CorpusOverview) -> str:
    """The lines below the address."""
    figures, counts = overview.figures, overview.figures.counts
    settled = ""
    if overview.settled_at is not None:
        settled = f"{overview.settled_at.astimezone():%d %B %Y, %H:%M}".lstrip("0")
        settled = tr("settled on {when}", when=settled)
    parts = (
        count(overview.papers, "paper"),
        count(sum(number for *_, number in counts.pairs), "pair"),
        count(figures.shards, "shard"),
        settled,
        tr("mined by {program}", program=figures.settings.program),
        tr("run {run}", run=overview.run),
    )
    return " · ".join(filter(None, parts))


def _sentence(error: Exception) -> str:
    """An error in words: what happened and what to do."""
    if isinstance(error, UserError):
        return f"{error} {error.hint}".strip()
    return tr("The corpus cannot be read: {error}", error=str(error) or type(error).__name__)
