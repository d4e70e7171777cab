"""The base class of the tabs that show figures of all answers about kinds of reasoning."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QStackedWidget, QWidget

from desktop.jobs.kinds.report import KindsReport, load_report
from desktop.jobs.kinds.selection import KindsSelection
from desktop.jobs.pairs.lists import put_list
from desktop.text import count
from desktop.translation import tr
from desktop.ui.pages.kinds.tab import KindsTab
from desktop.ui.plots.card import with_plots
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.widgets.card import Card
from desktop.ui.widgets.fields import FormScrollArea
from desktop.ui.widgets.labels import PlainLabel
from desktop.ui.widgets.layouts import column_of
from desktop.ui.widgets.notices import EmptyState
from miner.progress import Job
from storage.changes import Changes
from storage.pairs.filters import PairFilter

LIST_NAME = tr("Figure of kinds")
"""Of the list with the pairs behind the number that was opened last."""
_REFRESH_DELAY_MS = 1000  # after the last of many changes


class KindsReportTab(KindsTab):
    """Reads the figures when shown, and again when answers have changed. empty_text: shown without any answer."""

    empty_text = ""

    def __init__(self, context: ProjectContext, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        theme = context.theme
        self.report: KindsReport | None = None
        self._refresh_timer = self.create_timer(self.measure)
        self.waiting = PlainLabel(tr("Counting…"), type="muted", wraps=True)
        self.waiting.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.empty = EmptyState(theme, self.empty_text, tr("Draw a round"))
        self.empty.button.clicked.connect(lambda: context.page_requested.emit("annotate"))
        content = QWidget()
        self.notes = PlainLabel("", type="muted", wraps=True)
        self.column = column_of(self.notes, spacing=theme.px(16), margins=(0, 0, theme.px(8), 0))
        content.setLayout(self.column)
        self.scroll_area = FormScrollArea(content)
        self._stack = QStackedWidget()
        for widget in (self.waiting, self.empty, self.scroll_area):
            self._stack.addWidget(widget)
        self.body.addWidget(self._stack, 1)

    @property
    def is_measuring(self) -> bool:
        return self.context.is_reading(self._on_report) or self._refresh_timer.isActive()

    def refresh(self, changes: Changes) -> None:
        if not (changes.papers or changes.pairs or changes.annotated_keys or changes.many_annotated):
            return
        if self.report is None:
            self.measure()
        else:
            self._refresh_timer.start(_REFRESH_DELAY_MS)

    @Slot()
    def measure(self) -> None:
        """Read the figures of the present answers."""
        self._refresh_timer.stop()
        self.context.runner.read(with_plots(self.report_job(())), self._on_report, self._on_failed)

    def report_job(self, models: tuple[str, ...]) -> Job[KindsReport | None]:
        return load_report(self.context.project, models)

    def show_report(self, report: KindsReport) -> None:
        """Show the figures; for tabs to override."""
        raise NotImplementedError

    def report_of(self, selection: KindsSelection) -> KindsReport | None:
        """The report that a selection's number belongs to; None if it is no longer shown."""
        return self.report

    def add_cards(self, *cards: Card) -> None:
        """Connect the cards' requests to open and to copy."""
        for card in cards:
            card.opened.connect(self.open_pairs)
            card.copied.connect(self._on_copied)

    @Slot(object)
    def open_pairs(self, opens: object) -> None:
        """Show the pairs of a filter; or of a selection, as a list that replaces the previous one."""
        if isinstance(opens, PairFilter):
            self.context.pairs_requested.emit(opens)
            return
        assert isinstance(opens, KindsSelection)
        report = self.report_of(opens)
        if report is None:
            return
        if self.context.read_only:
            self.context.show_message(tr("This project is read-only, so no list of pairs can be saved."))
            return
        keys = opens.keys(report)
        job = put_list(self.context.project, LIST_NAME, keys)
        filter = PairFilter(
            lists=frozenset({LIST_NAME}), kinds=opens.categories if len(opens.categories) == 1 else frozenset()
        )
        self.context.change(job).done.connect(partial(self._show_list, filter))

    def _show_list(self, filter: PairFilter, _: object) -> None:
        self.context.pairs_requested.emit(filter)

    @Slot(object)
    def _on_report(self, report: KindsReport | None) -> None:
        self.report = report
        self._stack.setCurrentWidget(self.empty if report is None else self.scroll_area)
        if report is None:
            self.lead_focus_to(self.empty.button)
        else:
            self.notes.setText("\n".join(report.notes))
            self.notes.setVisible(bool(report.notes))
            self.show_report(report)

    @Slot(object)
    def _on_failed(self, error: Exception) -> None:
        self.context.problems.show(error)
        if self.report is None:
            self.waiting.setText(tr("The answers could not be read. Open another page and come back to try again."))
            self._stack.setCurrentWidget(self.waiting)

    @Slot(int)
    def _on_copied(self, lines: int) -> None:
        self.context.show_message(tr("Copied {lines} of numbers.", lines=count(lines, "line")))
