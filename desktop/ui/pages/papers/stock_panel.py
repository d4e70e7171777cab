"""The panel with the stock of papers, beside the table: bars that list their papers when clicked."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QFontMetrics, QShowEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from desktop.jobs.corpus.origin import load_origins
from desktop.jobs.papers.stock import load_stock
from desktop.translation import tr
from desktop.ui.pages.papers.phrase_dialog import PhraseDialog
from desktop.ui.pages.papers.stock_figure import stock_figure
from desktop.ui.plots.card import with_plots
from desktop.ui.plots.figures import PlotMark
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.services.runner import JobRun
from desktop.ui.theme import SMALL
from desktop.ui.widgets.buttons import push_button
from desktop.ui.widgets.labels import PlainLabel
from desktop.ui.widgets.layouts import card_of, column_of, stretched
from storage.papers.stock import Counts, PaperGroup, PaperProperty

if TYPE_CHECKING:
    from desktop.ui.plots.plot import Plot

_HINT = tr("Click a bar to list its papers.")


class StockPanel(QWidget):
    """Reads the counts when it is shown, and again when papers change while it is shown."""

    group_requested = Signal(object)  # PaperGroup

    def __init__(self, context: ProjectContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._counts: Mapping[PaperProperty, Counts] | None = None
        self._shown: PaperGroup | None = None
        self._run: JobRun | None = None
        self._is_stale = True
        px = context.theme.px
        self._message = PlainLabel("", type="muted", wraps=True)
        self.origin = PlainLabel(type="small", wraps=True)
        self.origin.hide()
        self._body = column_of(self._message, self.origin, spacing=px(6), margins=(px(12), px(8), px(12), px(8)))
        self._content = card_of(self._body)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setWidget(self._content)
        self.note = PlainLabel(_HINT, type="small", wraps=True)
        self._fit_note()
        context.theme.changed.connect(self._fit_note)
        self.note.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.phrases = push_button(tr("Linking phrases by domain…"), self._on_phrases_clicked)
        self.setLayout(column_of(stretched(scroll), self.note, self.phrases, spacing=px(8), margins=(0, px(8), 0, 0)))

    @Slot()
    def _fit_note(self) -> None:
        """Give the note the height of its longest text, so that nothing moves under the mouse."""
        self.note.setMinimumHeight(3 * QFontMetrics(self._context.theme.font(SMALL)).lineSpacing())

    @cached_property
    def plot(self) -> Plot:
        """The plot, which is created with the first figure, see `with_plots`."""
        from desktop.ui.plots.plot import Plot

        plot = Plot(self._context.theme, tr("Papers at a glance"))
        plot.current_changed.connect(self._on_current_changed)
        plot.activated.connect(self._on_activated)
        self._body.addWidget(plot)
        self._body.addStretch(1)
        return plot

    def show_group(self, group: PaperGroup | None) -> None:
        """Mark the group whose papers the table lists."""
        self._shown = group
        self._show()

    def reload(self) -> None:
        """Read the counts again, since papers may have changed."""
        self._is_stale = True
        if self.isVisible() and self._run is None:
            self._is_stale = False
            self._run = self._context.runner.read(with_plots(load_stock(self._context.project)))
            self._run.done.connect(self._on_counts)
            self._run.failed.connect(self._context.problems.show)
            self._run.ended.connect(self._on_ended)
            job = load_origins(self._context.project)
            self._context.runner.read(job).done.connect(self._on_origins)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._is_stale:
            self.reload()

    @Slot(object)
    def _on_counts(self, counts: Mapping[PaperProperty, Counts]) -> None:
        self._counts = counts
        self._show()

    @Slot(object)
    def _on_origins(self, text: str) -> None:
        self.origin.setText(text)
        self.origin.setVisible(bool(text))

    @Slot()
    def _on_ended(self) -> None:
        self._run = None
        if self._is_stale:
            self.reload()

    def _show(self) -> None:
        if self._counts is None:
            return
        is_empty = not any(self._counts.values())
        self._message.setText(tr("There are no papers yet.") if is_empty else "")
        self._message.setVisible(is_empty)
        self.phrases.setVisible(not is_empty)
        self.plot.show_figure(stock_figure(self._counts, self._shown))

    @Slot(object)
    def _on_current_changed(self, mark: PlotMark | None) -> None:
        self.note.setText(mark.note if mark else _HINT)

    @Slot(object)
    def _on_activated(self, mark: PlotMark) -> None:
        if mark.opens is not None:
            self.group_requested.emit(mark.opens)

    @Slot()
    def _on_phrases_clicked(self) -> None:
        PhraseDialog(self._context, self).open()
