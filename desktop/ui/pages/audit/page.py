"""The Audit page: findings worst first, each with its figure, a verdict, what to do, and its pairs."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QStackedWidget, QWidget

from desktop.jobs.pairs.audit import load_audit
from desktop.jobs.pairs.audit_text import scope_text, summary_text
from desktop.text import count
from desktop.translation import tr
from desktop.ui.pages.audit.controls import AuditControls
from desktop.ui.pages.audit.finding_view import FindingView
from desktop.ui.pages.audit.findings_list import FindingsList
from desktop.ui.plots.card import with_plots
from desktop.ui.services.page import Page
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.services.runner import JobRun
from desktop.ui.widgets.fields import FormScrollArea
from desktop.ui.widgets.layouts import row_of, stretched
from desktop.ui.widgets.notices import EmptyState, Notice
from miner.audit.report import AuditReport, Finding
from miner.errors import UserError
from miner.progress import Tick
from storage.changes import Changes

if TYPE_CHECKING:
    from desktop.jobs.pairs.audit import KeptAudit

_NO_PAIRS = tr(
    "An audit finds clues that give the label of a pair away. It needs labelled pairs: add papers, or import a data "
    "set."
)
_NO_AUDIT = tr(
    "An audit finds clues that give the label away without reading both sentences, such as a capital letter, a word "
    "or the length. It says what to fix before a release, and takes about a minute."
)
_CHANGED = tr("Pairs or labels have changed since this audit. Audit again to include the changes.")


class AuditPage(Page):
    title = tr("Audit")
    least_size = (600, 300)

    def __init__(self, context: ProjectContext, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self._kept: KeptAudit | None = None
        self._run: JobRun | None = None
        self._is_stopping = False
        self._problem: UserError | None = None
        self._lay_out()
        self._add_actions()

    def refresh(self, changes: Changes) -> None:
        if changes.papers or changes.pairs or changes.annotated_keys or changes.many_annotated or changes.settings:
            self._read()

    @property
    def report(self) -> AuditReport | None:
        return None if self._kept is None else self._kept.report

    @property
    def is_busy(self) -> bool:
        return self._run is not None or self.context.is_reading(self._on_kept)

    def is_action_enabled(self, name: str) -> bool:
        return self._can_audit() if name == "run" else self.view.card is not None

    def _read(self) -> None:
        job = load_audit(self.context.project)
        self.context.read(with_plots(job), self._on_kept)

    @Slot(object)
    def _on_kept(self, kept: KeptAudit) -> None:
        is_first = self._kept is None
        if self.context.read_only and self.report is not None:  # an audit here is not kept in the file
            is_current = kept.is_current or kept.report is None
            kept = replace(kept, report=self.report, is_current=is_current)
        is_same = self.report is not None and kept.report == self.report
        self._kept = kept
        self.controls.offer_domains(kept.domains)
        if kept.report is not None and not is_same:
            if is_first:
                self.controls.choose(kept.report.source, kept.report.domain)
            self.findings.show_report(kept.report)
        self._show_state()

    # The audit

    def _can_audit(self) -> bool:
        return self._run is None and self._kept is not None and self._kept.pairs > 0

    @Slot()
    def audit(self) -> None:
        """Start an audit of the chosen labels and domain."""
        if not self._can_audit():
            return
        from desktop.jobs.pairs.audit import AuditOptions, audit

        options = AuditOptions(self.controls.source, self.controls.domain)
        self._problem, self._is_stopping = None, False
        job = audit(self.context.project, options, keep=not self.context.read_only)
        self._run = run = self.context.runner.start(with_plots(job))
        for signal in (run.started, run.ticked, run.paused):
            signal.connect(self._show_progress)
        run.done.connect(self._on_done)
        run.failed.connect(self._on_failed)
        run.ended.connect(self._on_ended)
        self._show_state()

    @Slot()
    def stop(self) -> None:
        if self._run is not None:
            self._is_stopping = True
            self._run.cancel()
            self._show_progress()

    @Slot(object)
    def _on_done(self, report: AuditReport) -> None:
        if self._kept is not None:
            self._kept = replace(self._kept, report=report, is_current=True)
        self.findings.show_report(report)
        self.context.show_message(tr("Audit: {summary_text}", summary_text=summary_text(report)))

    @Slot(object)
    def _on_failed(self, error: Exception) -> None:
        if isinstance(error, UserError):
            self._problem = error
        self.context.problems.show(error, is_on_page=isinstance(error, UserError) and self.isVisible())

    @Slot()
    def _on_ended(self) -> None:
        self._run = None
        self._show_state()

    # State on screen

    def _show_state(self) -> None:
        kept, report = self._kept, self.report
        if kept is None:
            return
        has_pairs = kept.pairs > 0
        self.controls.setVisible(has_pairs and (report is not None or self._run is not None))
        if report is None:
            self.no_audit.button.setText(tr("Audit {pairs}", pairs=count(kept.pairs, "pair")))
            self.no_audit.button.setVisible(self._run is None)
            self.set_subtitle("")
            empty = self.no_audit if has_pairs else self.no_pairs
            self._stack.setCurrentWidget(empty)
            self.lead_focus_to(empty.button)
        else:
            self.set_subtitle(summary_text(report))
            self.controls.show_scope(scope_text(report))
            self._stack.setCurrentWidget(self._findings_panel)
            self.lead_focus_to(self.findings)
        if self._problem is not None:
            self.notice.show_text(f"{self._problem} {self._problem.hint}".strip(), "bad")
        else:
            is_old = report is not None and not kept.is_current and self._run is None
            self.notice.show_text(_CHANGED if is_old else "", "info")
        self._show_progress()

    @Slot()
    def _show_progress(self) -> None:
        if self._run is None:
            self.controls.show_progress(None)
            return
        tick = self._run.last_tick or Tick(0, None)
        done = f"{100 * tick.done // tick.total} %" if tick.total else count(tick.done, "pair") if tick.done else ""
        text = " · ".join(filter(None, (tick.note.capitalize() or tr("Starting"), done)))
        self.controls.show_progress(tick, text, is_stopping=self._is_stopping)

    @Slot(object)
    def _on_finding(self, finding: Finding) -> None:
        if self.findings.report is not None:
            self.view.show_finding(self.findings.report, finding)

    # Layout

    def _lay_out(self) -> None:
        theme = self.context.theme
        self.controls = AuditControls(theme)
        self.controls.setVisible(False)
        self.controls.audit_requested.connect(self.audit)
        self.controls.stop_requested.connect(self.stop)
        self.notice = Notice(theme)
        self.no_pairs = EmptyState(theme, _NO_PAIRS, tr("Add papers"))
        self.no_pairs.button.clicked.connect(lambda: self.context.page_requested.emit("papers"))
        self.no_audit = EmptyState(theme, _NO_AUDIT, tr("Audit"))
        self.no_audit.button.clicked.connect(self.audit)
        self.findings = FindingsList(theme)
        self.findings.finding_changed.connect(self._on_finding)
        self.findings.activated.connect(lambda _: self.findings.focusNextChild())
        self.view = FindingView(theme)
        self.view.opened.connect(self.context.pairs_requested)
        self.view.copied.connect(
            lambda rows: self.context.show_message(tr("Copied {lines} of numbers.", lines=count(rows, "line")))
        )
        self._findings_panel = QWidget()
        self.side_by_side = row_of(self.findings, stretched(FormScrollArea(self.view)), spacing=theme.px(16))
        self._findings_panel.setLayout(self.side_by_side)
        self._stack = QStackedWidget()
        for widget in (QWidget(), self.no_pairs, self.no_audit, self._findings_panel):
            self._stack.addWidget(widget)
        self.body.addWidget(self.controls)
        self.body.addWidget(self.notice)
        self.body.addWidget(self._stack, 1)

    def _add_actions(self) -> None:
        add = self.context.actions.add
        add("audit.run", tr("&Audit the pairs"), self.audit, menu=tr("Audit"), icon="scan-search", widget=self)
        add(
            "audit.copy",
            tr("&Copy the numbers"),
            self._on_copy,
            menu=tr("Audit"),
            keys="Ctrl+Shift+C",
            icon="copy",
            tip=tr("Copy the figure on the screen as a table"),
            widget=self,
        )

    @Slot()
    def _on_copy(self) -> None:
        if self.view.card is not None:
            self.view.card.copy()
