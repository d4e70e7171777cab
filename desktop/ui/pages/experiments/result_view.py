"""The results of an experiment: its tables, confusion matrices, errors, and predictors."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, cast

from PySide6.QtCore import QModelIndex, QTimer, QUrl, Signal, Slot
from PySide6.QtGui import QDesktopServices, QGuiApplication, QHideEvent, QShowEvent
from PySide6.QtWidgets import QPushButton, QStackedWidget, QVBoxLayout, QWidget

from desktop.jobs.lab.experiments.details import load_confusion, load_details, load_misread_rows
from desktop.jobs.lab.experiments.errors import ErrorOverview, load_errors
from desktop.jobs.lab.experiments.report import save_report
from desktop.jobs.lab.experiments.table_pairs import group_filter, value_filter, wrongly_predicted_filter
from desktop.text import count
from desktop.translation import tr
from desktop.ui.pages.experiments.confusion import confusion_figure
from desktop.ui.pages.experiments.curves import chosen_curve, curve_figure
from desktop.ui.pages.experiments.error_rates import error_figure
from desktop.ui.pages.experiments.error_round_dialog import start_error_round
from desktop.ui.pages.experiments.misread_dialog import MisreadRowsDialog
from desktop.ui.pages.experiments.predictor_box import PredictorBox
from desktop.ui.pages.experiments.result_card import (
    AS_CLASS,
    CONFUSION,
    MISREAD,
    OUTSIDE,
    REVIEW,
    RIGHT,
    ResultCard,
)
from desktop.ui.pages.experiments.text import outside_text
from desktop.ui.plots.card import PlotCard, with_plots
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.widgets.buttons import push_button
from desktop.ui.widgets.fields import FormScrollArea
from desktop.ui.widgets.file_dialogs import Purpose, choose_folder
from desktop.ui.widgets.labels import PlainLabel
from desktop.ui.widgets.layouts import STRETCH, column_of, row_of, stretched
from desktop.ui.widgets.menus import add_copy_menu
from desktop.ui.widgets.notices import Banner, Notice
from miner.errors import UserError
from miner.lab.experiments.experiment import TableAxis
from miner.text_tables import TableFormat
from storage.pairs.filters import PairFilter

if TYPE_CHECKING:  # they import numpy
    from desktop.jobs.lab.experiments.details import ConfusionMatrix, ExperimentDetails, MisreadRows, TestSet
    from miner.lab.experiments.table_values import TableValue

_EMPTY = tr("Run the experiment to see its tables.")
_CONFUSION_DELAY_MS = 150  # after the last move of the current number


class _Confused(NamedTuple):
    """The subject of the confusion matrix: cells, or a group of their pairs. row: the name of the cells."""

    name: str
    cells: frozenset[str]
    axis: TableAxis | None
    group: str
    row: str


class ExperimentResultView(QWidget):
    """The tables of one experiment; each number opens its pairs."""

    open_pairs = Signal(object)  # PairFilter

    def __init__(self, context: ProjectContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.context = context
        self.id: int | None = None
        self.details: ExperimentDetails | None = None
        self.cards: list[ResultCard] = []
        self._confused: _Confused | None = None
        self._folder = Path()
        self._readers = (self._on_details, self._on_confusion, self._on_errors, self._on_misread_rows)
        self._confusion_timer = QTimer(self, singleShot=True, interval=_CONFUSION_DELAY_MS)
        self._confusion_timer.timeout.connect(self._read_confusion)
        self._lay_out()

    def show_experiment(self, id: int | None) -> None:
        """Show the tables of an experiment; None shows no tables."""
        if id == self.id and self.details is not None:
            self.refresh()
            return
        self.id, self.details, self._confused = id, None, None
        for then in self._readers:
            self.context.cancel_read(then)
        self.report_banner.show_text("")
        self.scroll_area.verticalScrollBar().setValue(0)
        self._show_message(tr("Choose an experiment.") if id is None else tr("Reading…"))
        self.refresh()

    def refresh(self) -> None:
        """Read the experiment's tables again."""
        if self.id is not None:
            job = load_details(self.context.project, self.id)
            self.context.read(with_plots(job), self._on_details)

    @property
    def is_reading(self) -> bool:
        return self._confusion_timer.isActive() or any(self.context.is_reading(then) for then in self._readers)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._confused is not None:
            self._confusion_timer.start()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._confusion_timer.stop()

    def copy_all(self, form: str) -> None:
        """Put all tables on the clipboard as Markdown, LaTeX or tab-separated text."""
        from miner.lab.experiments.table_text import format_view

        if self.details is not None:
            views = self.details.tables.tables
            heads = (f"{view.title}\n" if form == TableFormat.TSV else "" for view in views)
            texts = (head + format_view(view, TableFormat(form)) for head, view in zip(heads, views, strict=True))
            QGuiApplication.clipboard().setText("\n".join(texts))
            self.context.show_message(tr("Copied {tables}.", tables=count(len(views), "table")))

    @Slot()
    def save_report(self) -> None:
        """Ask for a folder, and write the report there."""
        folder = choose_folder(self, Purpose.EXPORT, tr("Save the report: choose a folder"))
        if folder is not None:
            self.save_report_to(folder)

    def save_report_to(self, folder: Path) -> None:
        """Write the report into a new folder within this one."""
        if self.id is None:
            return
        self._folder = folder / f"experiment-{self.id}"
        job = save_report(self.context.project, self.id, self._folder)
        run = self.context.runner.start(job)
        run.done.connect(self._on_report)
        run.failed.connect(self.context.problems.show)

    # Answers

    @Slot(object)
    def _on_details(self, details: ExperimentDetails) -> None:
        self.details = details
        tables = details.tables
        while len(self.cards) < len(tables.tables):
            self._add_card()
        for number, card in enumerate(self.cards):
            card.setVisible(number < len(tables.tables))
            if number < len(tables.tables):
                card.show_view(tables.tables[number])
                self._show_outside(card, card.table.currentIndex())
        problems = list(details.refused)
        if tables.stored.problem and not any(tables.stored.problem in text for text in problems):
            problems.insert(0, tables.stored.problem)
        self.problems.show_text("\n".join(problems), "warning")
        self.outside.show_text(outside_text(dict.fromkeys(details.tests.values())))
        self.verdict.show_text("\n".join(one.verdict for one in tables.direction if one.verdict))
        self._show_curve("")
        self.predictors.show_predictors(tables.stored, details.predictors)
        if not tables.tables:
            self._show_message(_EMPTY)
            return
        self._stack.setCurrentWidget(self.scroll_area)
        if self._confused is None:
            self._choose_first_row()
        else:
            self._confusion_timer.start()

    def _choose_first_row(self) -> None:
        for card in self.cards:
            view = card.model.view
            for row in range(len(view.rows) if view is not None and card.isVisibleTo(self) else 0):
                if any(card.model.value(card.model.index(row, column)) for column in range(len(view.columns))):  # type: ignore[union-attr]
                    self._confuse(card, card.model.index(row, 0))
                    return
        self.confusion.setVisible(False)
        self.errors.setVisible(False)

    @Slot(object)
    def _on_current(self, index: QModelIndex) -> None:
        card = self.sender()
        if isinstance(card, ResultCard):
            found = self._show_outside(card, index)
            if len(found) == 1:
                self._show_curve(found.pop().name)
            self._confuse(card, index)

    def _show_outside(self, card: ResultCard, index: QModelIndex) -> set[TestSet]:
        """Tell a card how many test pairs of a number the project lacks; returns what the number is tested on."""
        value = card.model.value(index)
        tests = self.details.tests if self.details is not None else {}
        found = {tests[key] for key in value.cells if key in tests} if value is not None else set()
        card.set_outside(any(one.outside for one in found), all(one.outside == one.pairs for one in found))
        return found

    def _show_curve(self, test: str) -> None:
        """Show precision by recall on a set, or else on the first set that has a curve."""
        found = chosen_curve(self.details.tables.direction, test) if self.details is not None else None
        if found is not None:
            from miner.lab.experiments.direction import RECALLS

            self.curves.show_figure(curve_figure(*found, RECALLS))
        self.curves.setVisible(found is not None)

    def _confuse(self, card: ResultCard, index: QModelIndex) -> None:
        """Show the confusion matrix of a number's row; where columns are test sets or groups, only of its column."""
        view, value = card.model.view, card.model.value(index)
        if view is None:
            return
        row = view.rows[index.row()]
        if value is not None and value.cells and view.group_axis is not TableAxis.CLASS:
            name, group, cells = f"{row}, {view.columns[index.column()]}", value.group, frozenset(value.cells)
            axis = view.group_axis if group else None
            self._confused = _Confused(name, cells, axis, group, name if axis is None else row)
        elif cells := frozenset(key for one in view.values[index.row()] if one is not None for key in one.cells):
            self._confused = _Confused(row, cells, None, "", row)
        self._confusion_timer.start()

    @Slot()
    def _read_confusion(self) -> None:
        if self._confused is None or self.id is None:
            return
        arguments = (self.context.project, self.id, *self._confused[1:4])
        job = load_confusion(*arguments)
        self.context.runner.read(with_plots(job), self._on_confusion, self._on_plot_failed)
        errors = load_errors(self.context.project, self._confused.cells)
        self.context.runner.read(with_plots(errors), self._on_errors, self._on_plot_failed)

    @Slot(object)
    def _on_confusion(self, confusion: ConfusionMatrix) -> None:
        if self.details is None or self._confused is None:
            return
        experiment, (name, cells, axis, group, _) = self.details.tables.experiment, self._confused
        tested = group_filter(experiment, PairFilter(cells=cells), axis, group)
        self.confusion.show_figure(confusion_figure(confusion, experiment, tested, name))
        self.confusion.setVisible(True)

    @Slot(object)
    def _on_plot_failed(self, error: Exception) -> None:
        if not isinstance(error, UserError):  # which says that the experiment was forgotten meanwhile
            self.context.problems.show(error)

    @Slot(object)
    def _on_errors(self, errors: ErrorOverview) -> None:
        if self.details is not None and self._confused is not None:
            experiment, (_, cells, _, _, name) = self.details.tables.experiment, self._confused
            self.errors.show_figure(error_figure(errors.counts, experiment, cells, name))
            self.errors.setVisible(errors.counts.predictions > 0)

    @Slot(object, str)
    def _on_number_opened(self, value: TableValue, kind: str) -> None:
        card, details = self.sender(), self.details
        if details is None or not isinstance(card, ResultCard) or card.model.view is None:
            return
        view, experiment = card.model.view, details.tables.experiment
        if kind == CONFUSION:
            self._read_confusion()
            self.scroll_area.ensureWidgetVisible(self.confusion)
        elif kind == OUTSIDE:
            self._read_misread_rows(value)
        elif kind == AS_CLASS:
            self.open_pairs.emit(wrongly_predicted_filter(value.cells, value.group))
        elif kind == REVIEW:
            start_error_round(self.context, value.cells, value_filter(experiment, view, value, misread=True), self)
        else:
            misread = {MISREAD: True, RIGHT: False}.get(kind)
            self.open_pairs.emit(value_filter(experiment, view, value, misread))

    def _read_misread_rows(self, value: TableValue) -> None:
        if self.id is not None:
            self.context.read(load_misread_rows(self.context.project, self.id, value.cells), self._on_misread_rows)

    @Slot(object)
    def _on_misread_rows(self, found: MisreadRows) -> None:
        name = "" if self.details is None else self.details.tables.stored.name
        dialog = MisreadRowsDialog(self.context.theme, name, found, self)
        dialog.open()

    @Slot(object)
    def _on_report(self, paths: object) -> None:
        files = cast(tuple[Path, ...], paths)
        self.report_banner.show_text(
            tr("The report is saved: {files} in {folder}.", files=count(len(files), "file"), folder=self._folder),
            tr("Open the folder"),
            can_close=True,
        )

    @Slot()
    def _open_folder(self) -> None:
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._folder)))

    # Layout

    def _show_message(self, text: str) -> None:
        self.message.setText(text)
        self._stack.setCurrentIndex(0)

    def _add_card(self) -> None:
        card = ResultCard(self.context.theme)
        card.can_review = not self.context.read_only
        card.number_opened.connect(self._on_number_opened)
        card.row_changed.connect(self._on_current)
        card.copied.connect(self._on_copied)
        self._tables.addWidget(card)
        self.cards.append(card)

    @Slot(int)
    def _on_copied(self, rows: int) -> None:
        self.context.show_message(tr("Copied {rows}.", rows=count(rows, "row")))

    def _lay_out(self) -> None:
        theme = self.context.theme
        px = theme.px
        self.message = PlainLabel(_EMPTY, type="muted")
        self.message.setMargin(px(24))
        self.copy_button = QPushButton(tr("Copy all"))
        add_copy_menu(self.copy_button, self.copy_all)
        self.report_button = push_button(tr("Save &report…"), self.save_report)
        hint = PlainLabel(tr("Click a number for its wrongly predicted pairs."), type="small")
        self.report_banner = Banner(theme)
        self.report_banner.action_requested.connect(self._open_folder)
        self.report_banner.dismissed.connect(lambda: self.report_banner.show_text(""))
        self.verdict, self.problems, self.outside = Notice(theme), Notice(theme), Notice(theme)
        self.curves = PlotCard(theme, tr("Precision and recall"))
        self.curves.setVisible(False)
        self.curves.copied.connect(self._on_copied)
        self.confusion, self.errors = (
            PlotCard(theme, question) for question in (tr("Confusion matrix"), tr("Which errors are there?"))
        )
        for plot in (self.confusion, self.errors):
            plot.setVisible(False)
            plot.opened.connect(self.open_pairs)
            plot.copied.connect(self._on_copied)
        self.predictors = PredictorBox(theme)
        contents = QWidget()
        column = column_of(
            row_of(stretched(hint), self.copy_button, self.report_button, spacing=px(8)),
            spacing=px(12),
            margins=(0, px(8), px(8), 0),
        )
        contents.setLayout(column)
        self._tables = QVBoxLayout()
        self._tables.setSpacing(px(12))
        for widget in (self.report_banner, self.verdict, self.problems, self.outside):
            column.addWidget(widget)
        column.addLayout(self._tables)
        column.addWidget(self.curves)
        column.addWidget(self.confusion)
        column.addWidget(self.errors)
        column.addWidget(self.predictors)
        column.addStretch(1)
        self.scroll_area = FormScrollArea(contents)
        self._stack = QStackedWidget()
        waiting = QWidget()
        waiting.setLayout(column_of(self.message, STRETCH, spacing=0, margins=px(8)))
        self._stack.addWidget(waiting)
        self._stack.addWidget(self.scroll_area)
        self.setLayout(column_of(self._stack, spacing=0))
