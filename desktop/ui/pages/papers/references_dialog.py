"""The dialog that shows what a bibliography would change, lets people choose, and applies it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, Qt, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCheckBox,
    QDialogButtonBox,
    QFormLayout,
    QHeaderView,
    QPushButton,
    QWidget,
)

from desktop.jobs.descriptions.references import describe_plan, plan_problems
from desktop.jobs.papers.references import ReferencePlan, ReferenceResult, apply_references, plan_references
from desktop.jobs.papers.split_moves import split_moves_text
from desktop.text import count
from desktop.translation import tr
from desktop.ui.pages.papers.reading_dialog import ReadingDialog
from desktop.ui.pages.papers.references_model import ReferenceColumn, ReferencesModel
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.services.runner import JobQueue
from desktop.ui.widgets.fields import EditableComboBox
from desktop.ui.widgets.labels import PlainLabel, set_tip
from desktop.ui.widgets.layouts import aligned, column_of, stretched
from desktop.ui.widgets.lines_dialog import LinesDialog
from desktop.ui.widgets.tables import RowTableView, style_table
from miner.progress import Tick
from miner.references.proposals import ProposalKind

_WIDTHS = {  # in unscaled pixels
    ReferenceColumn.PAPER: 250,
    ReferenceColumn.FIELD: 76,
    ReferenceColumn.NOW: 210,
    ReferenceColumn.REFERENCE: 260,
}
_MAX_QUICK = 1_000  # changes that are saved in between; more are shown as a job


class ReferencesDialog(ReadingDialog):
    """Reads the first of the bibliographies while it is open; the others follow, each in a dialog of its own."""

    def __init__(self, context: ProjectContext, paths: Sequence[Path], parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self._path, self._others = paths[0], list(paths[1:])
        self.plan: ReferencePlan | None = None
        self._lay_out()
        self._read(plan_references(context.project, self._path))

    def _lay_out(self) -> None:
        px = self._context.theme.px
        self.setWindowTitle(tr("References of {name}", name=self._path.name))
        self.summary = PlainLabel(tr("Reading {name}…", name=self._path.name), type="heading")
        self.remarks = PlainLabel(type="muted")
        for label in (self.summary, self.remarks):
            label.setWordWrap(True)
        self.doubts = QPushButton(tr("References not used…"))
        self.doubts.setProperty("look", "link")
        self.doubts.setVisible(False)
        self.doubts.clicked.connect(self._show_left_over)
        self.all_conflicts = QCheckBox()
        self.all_conflicts.setVisible(False)
        self.all_conflicts.clicked.connect(self._on_all_conflicts)
        self.model = ReferencesModel(self._context.theme, self)
        self.model.choice_changed.connect(self._on_choice_changed)
        self.table = RowTableView()
        self.table.setModel(self.model)
        self.table.setAccessibleName(tr("What the references would change"))
        style_table(self.table, self._context.theme)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.table.installEventFilter(self)
        self.table.setMinimumSize(px(920), px(120))
        for column, width in _WIDTHS.items():
            self.table.setColumnWidth(column, px(width))
        self.table.horizontalHeader().setSectionResizeMode(ReferenceColumn.REFERENCE, QHeaderView.ResizeMode.Stretch)
        self.table.setVisible(False)
        self.domain = EditableComboBox(tr("Domain"))
        self.domain.field.setPlaceholderText(tr("as they are"))
        set_tip(self.domain, tr("The domain of all matched papers; if empty, each paper keeps its own"))
        self.domain.editTextChanged.connect(self._on_choice_changed)
        self._form = QFormLayout()
        self._form.setHorizontalSpacing(px(16))
        self._form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        self._form.addRow(tr("&Domain of these papers"), self.domain)
        self._form.setRowVisible(self.domain, False)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.apply_button = self.buttons.addButton(tr("Apply"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.apply_button.setProperty("look", "primary")
        self.apply_button.setEnabled(False)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        self.setLayout(
            column_of(
                self.summary,
                self.remarks,
                aligned(self.doubts, Qt.AlignmentFlag.AlignLeft),
                self.all_conflicts,
                stretched(self.table),
                self._form,
                self.buttons,
                spacing=px(12),
                margins=(px(24), px(24), px(24), px(16)),
            )
        )
        self.setMinimumWidth(px(520))

    @Slot()
    def accept(self) -> None:
        """Apply the ticked values; the dialog closes once they are saved."""
        if self.plan is None or not self.apply_button.isEnabled():
            return
        taken = self.model.taken()
        self.buttons.setEnabled(False)
        self.table.setEnabled(False)
        self.summary.setText(tr("Applying {name}…", name=self._path.name))
        job = apply_references(self._context.project, self.plan, taken, self._domain() or None, self._context.annotator)
        queue = JobQueue.JOBS if len(taken) > _MAX_QUICK else JobQueue.SAVES
        run = self._context.runner.start(job, queue=queue)
        run.done.connect(self._on_applied)
        run.failed.connect(self._on_failed)
        run.cancelled.connect(self.reject)

    def done(self, result: int) -> None:
        if self._others:
            ReferencesDialog(self._context, self._others, self.parentWidget()).open()
        super().done(result)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Let Space tick or untick all selected rows."""
        is_space = isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Space
        if watched is self.table and is_space and event.type() == QEvent.Type.KeyPress:
            rows = [index.row() for index in self.table.selectionModel().selectedRows()]
            self.model.take(rows, is_taken=not all(map(self.model.is_taken, rows)))
            return True
        return super().eventFilter(watched, event)

    def _show_progress(self, tick: Tick) -> None:
        if tick.total:
            self.summary.setText(
                tr("Reading {name}: {done} %", name=self._path.name, done=100 * tick.done // tick.total)
            )

    def _show_result(self, plan: ReferencePlan) -> None:
        self.plan = plan
        text = describe_plan(plan)
        self.summary.setText(text.sentence)
        self.remarks.setText("\n".join(text.notes))
        self.doubts.setVisible(bool(plan.doubts or plan.failed))
        conflicts = len(plan.of_kind(ProposalKind.CONFLICT))
        self.all_conflicts.setText(
            tr(
                "Take the references' values in {value}",
                value=tr("the conflict") if conflicts == 1 else tr("all {conflicts:,} conflicts", conflicts=conflicts),
            )
        )
        self.all_conflicts.setVisible(conflicts > 0)
        self.domain.set_choices([*plan.domains])
        self.domain.setEditText("")
        self._form.setRowVisible(self.domain, bool(plan.matched))
        self.table.setVisible(bool(plan.proposals))
        self.model.show_proposals(plan.proposals, plan.titles)
        if plan.proposals:
            rows = min(max(len(plan.proposals), 4), 14)
            px = self._context.theme.px
            self.resize(px(1040), px(300 + 28 * rows))
            self.table.setFocus()
        else:
            self._fit()

    @Slot()
    def _on_choice_changed(self) -> None:
        number = len(self.model.taken())
        has_domain = bool(self.plan and self.plan.matched and self._domain())
        self.apply_button.setText(tr("Apply {values}", values=count(number, "value")) if number else tr("Apply"))
        self.apply_button.setEnabled(self.plan is not None and (number > 0 or has_domain))
        rows = self.model.conflict_rows()
        taken = sum(map(self.model.is_taken, rows))
        states = {0: Qt.CheckState.Unchecked, len(rows): Qt.CheckState.Checked}
        self.all_conflicts.setCheckState(states.get(taken, Qt.CheckState.PartiallyChecked))
        self.all_conflicts.setTristate(False)

    @Slot(bool)
    def _on_all_conflicts(self, is_checked: bool) -> None:
        self.model.take(self.model.conflict_rows(), is_taken=is_checked)

    @Slot()
    def _show_left_over(self) -> None:
        assert self.plan is not None
        dialog = LinesDialog(
            self._context.theme, tr("References of {name} that were not used", name=self._path.name), self
        )
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for problem in plan_problems(self.plan, with_conflicts=False):
            dialog.add_line(problem.text)
        dialog.resize(self._context.theme.px(640), self._context.theme.px(360))
        dialog.open()

    @Slot(object)
    def _on_applied(self, result: ReferenceResult) -> None:
        self._context.events.changed.emit(result.changes)
        number = result.set + result.confirmed
        text = tr(
            "Took {values} of {papers} from {name}.",
            values=count(number, "value"),
            papers=count(result.papers, "paper"),
            name=self._path.name,
        )
        text = f"{text} {split_moves_text(result.moved)}".rstrip()
        self._context.show_message(text, undo=result.papers > 0)
        super().accept()

    def _domain(self) -> str:
        return " ".join(self.domain.currentText().split())


def open_references(context: ProjectContext, paths: Sequence[Path], parent: QWidget | None) -> None:
    """Open the dialog for these bibliographies, unless the project can only be read."""
    if context.read_only:
        context.show_message(
            tr("Papers cannot be changed: {read_only_reason}", read_only_reason=context.read_only_reason)
        )
    elif paths:
        ReferencesDialog(context, paths, parent).open()
