"""The dialog that shows which linking phrases each domain uses."""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QScrollArea, QWidget

from desktop.jobs.papers.stock import PhraseTable, load_phrase_table
from desktop.translation import tr
from desktop.ui.pages.papers.stock_figure import phrase_figure
from desktop.ui.plots.card import with_plots
from desktop.ui.plots.figures import PlotMark
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.widgets.labels import PlainLabel
from desktop.ui.widgets.layouts import column_of, stretched


class PhraseDialog(QDialog):
    """Counts while it is open. A click on a number shows its pairs on the Pairs page, and closes the dialog."""

    def __init__(self, context: ProjectContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self.setWindowTitle(tr("Linking phrases by domain"))
        px = context.theme.px
        self.resize(px(820), px(620))
        self.note = PlainLabel(tr("Counting…"), type="muted", wraps=True)
        self._summary = ""
        self.area = QScrollArea()
        self.area.setWidgetResizable(True)
        self.area.setFrameShape(QScrollArea.Shape.NoFrame)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        self.setLayout(
            column_of(
                stretched(self.area), self.note, buttons, spacing=px(12), margins=(px(24), px(20), px(24), px(20))
            )
        )
        self._run = context.runner.read(with_plots(load_phrase_table(context.project)))
        self._run.done.connect(self._on_table)
        self._run.failed.connect(context.problems.show)

    def done(self, result: int) -> None:
        self._run.cancel()
        super().done(result)
        self.deleteLater()

    @Slot(object)
    def _on_table(self, table: PhraseTable) -> None:
        from desktop.ui.plots.plot import Plot

        if not table.phrases:
            self.note.setText(tr("No pairs have been mined yet."))
            return
        figure = phrase_figure(table)
        self.plot = Plot(self._context.theme, tr("Linking phrases by domain"))
        self.plot.current_changed.connect(self._on_current_changed)
        self.plot.activated.connect(self._on_activated)
        self._summary = figure.summary
        self.note.setText(figure.summary)
        self.area.setWidget(self.plot)
        self.plot.show_figure(figure)

    @Slot(object)
    def _on_current_changed(self, mark: PlotMark | None) -> None:
        self.note.setText(mark.note if mark else self._summary)

    @Slot(object)
    def _on_activated(self, mark: PlotMark) -> None:
        if mark.opens is not None:
            self._context.pairs_requested.emit(mark.opens)
            self.accept()
