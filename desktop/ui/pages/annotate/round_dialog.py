"""The dialog of a new round: its purpose, number of pairs and annotators, with a preview of the draw."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QSignalBlocker, QTimer, Signal, Slot
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QLineEdit, QScrollArea, QWidget

from desktop.jobs.review.annotate_overview import AnnotateOverview
from desktop.jobs.review.annotation_rounds import RoundPreview, preview_round
from desktop.jobs.review.lacking_votes import earlier_text
from desktop.jobs.review.round_refusals import USUAL_ANNOTATORS
from desktop.jobs.review.shortages import draw_text
from desktop.text import count, listed
from desktop.translation import tr
from desktop.ui.pages.annotate.class_grid import ClassCell, ClassGrid
from desktop.ui.pages.annotate.dialogs import FieldsDialog, split_names
from desktop.ui.services.display_names import NO_DOMAIN
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.theme import TITLE
from desktop.ui.widgets.fields import ChoiceBox, ComboBox
from desktop.ui.widgets.labels import PlainLabel
from desktop.ui.widgets.layouts import STRETCH, card_of, column_of, row_of, stretched
from desktop.ui.widgets.notices import Notice
from miner.errors import UserError
from storage.annotation.annotation_rounds import USUAL_KINDS_PAIRS, RoundAsks, RoundKind, RoundPlan
from storage.annotation.round_draw import DEFAULT_SIZES, RoundStratum
from storage.pairs.filters import PairFilter

_PURPOSES = {
    (RoundAsks.RELATION, RoundKind.BENCHMARK): tr("Gold labels"),
    (RoundAsks.RELATION, RoundKind.PILOT): tr("Pilot, to train annotators"),
    (RoundAsks.RELATION, RoundKind.ESTIMATE): tr("Human performance on gold pairs"),
    (RoundAsks.KINDS, RoundKind.BENCHMARK): tr("Kinds of reasoning"),
    (RoundAsks.KINDS, RoundKind.PILOT): tr("Pilot for kinds of reasoning"),
}
_PREVIEW_DELAY_MS = 200  # after the last change
_GRID_HEIGHT = 200  # of the preview at most, before it scrolls


class NewRoundDialog(FieldsDialog):
    """The dialog of a new round. `plan` and `names`: the choices; the preview shows what would be drawn."""

    previewed = Signal()

    def __init__(self, context: ProjectContext, overview: AnnotateOverview, parent: QWidget) -> None:
        super().__init__(context.theme, tr("New round"), parent)
        self.setMinimumWidth(context.theme.px(680))
        self._context, self._overview = context, overview
        self._pairs = 0  # that would be drawn
        self._lacking = 0  # of these, those that lack votes of earlier rounds
        self._proposes_names = True  # until the person changes them
        self._delay_timer = QTimer(self, singleShot=True, interval=_PREVIEW_DELAY_MS)
        self._delay_timer.timeout.connect(self._request_preview)
        self._add_fields()
        self._add_preview()
        self.add_buttons(tr("Draw the round"))
        self._on_kind()

    @property
    def plan(self) -> RoundPlan:
        domains = self._overview.targets.domains
        if self.domain_box.value is not None:
            domains = (self.domain_box.value,)
        filter = self._context.pairs_page_filter if self.filter_box.isChecked() else PairFilter()
        plan = RoundPlan(
            self.kind,
            filter,
            domains,
            self._overview.targets.dev,
            self._overview.targets.test,
            seed=self.seed_box.value(),
        )
        if self.asks is RoundAsks.KINDS:
            pairs, overlap = self.pairs_box.value(), self.overlap_box.value()
            return replace(plan, asks=self.asks, pairs=pairs, overlap=overlap if overlap < pairs else None)
        return replace(plan, size=self.size_box.value() if self.how_many_box.currentIndex() else None)

    @property
    def asks(self) -> RoundAsks:
        return list(_PURPOSES)[self.kind_box.currentIndex()][0]

    @property
    def kind(self) -> RoundKind:
        return list(_PURPOSES)[self.kind_box.currentIndex()][1]

    @property
    def _is_vote(self) -> bool:
        return self.kind is RoundKind.BENCHMARK and self.asks is RoundAsks.RELATION

    @property
    def names(self) -> list[str]:
        return split_names(self.names_line.text())

    def _add_fields(self) -> None:
        px = self.theme.px
        self.kind_box, self.how_many_box = ComboBox(), ComboBox()
        self.kind_box.addItems(list(_PURPOSES.values()))
        self.domain_box = ChoiceBox(tr("Domain"), tr("All domains"))
        domains = dict.fromkeys(one.domain for one in self._overview.strata)
        self.domain_box.offer([(domain or NO_DOMAIN, domain) for domain in domains])
        self.how_many_box.addItems([tr("As many as the targets still need"), tr("For each class and domain:")])
        self.size_box = self.number(1, 50_000, 50, tr("Pairs of each class and domain"))
        self.pairs_box = self.number(1, 50_000, USUAL_KINDS_PAIRS, tr("Pairs for each annotator"))
        self.overlap_box = self.number(0, USUAL_KINDS_PAIRS, USUAL_KINDS_PAIRS, tr("Pairs that are the same for all"))
        self.seed_box = self.seed_field(1, tr("Seed"))
        self.names_line = QLineEdit()
        self.names_line.setPlaceholderText(tr("Ada, Ben, Cy"))
        self.filter_box = QCheckBox(tr("Draw only from the pairs that the Pairs page shows now"))
        self.filter_box.setVisible(self._context.pairs_page_filter != PairFilter())
        size_row = row_of(self.how_many_box, self.size_box, STRETCH, spacing=px(8))
        kinds_row = QHBoxLayout()
        kinds_row.setSpacing(px(8))
        for part in (
            self.pairs_box,
            PlainLabel(tr("for each annotator, of which")),
            self.overlap_box,
            PlainLabel(tr("are the same for all")),
        ):
            kinds_row.addWidget(part)
        kinds_row.addStretch(1)
        self._size_row, self._kinds_row = size_row, kinds_row
        seed_row = row_of(self.seed_box, STRETCH)
        self.form.addRow(tr("&For"), self.kind_box)
        self.form.addRow(tr("&Domain"), self.domain_box)
        self.form.addRow(self.label(tr("&Pairs"), self.how_many_box), size_row)
        self.form.addRow(self.label(tr("&Pairs"), self.pairs_box), kinds_row)
        self.form.addRow(tr("&Annotators"), self.names_line)
        self.form.addRow(self.label(tr("&Seed"), self.seed_box), seed_row)
        self.form.addRow("", self.filter_box)
        self.kind_box.currentIndexChanged.connect(self._on_kind)
        self.names_line.textChanged.connect(self._on_names)
        self.pairs_box.valueChanged.connect(self._on_pairs)
        for box in (self.domain_box, self.how_many_box):
            box.currentIndexChanged.connect(self._on_changed)
        for number in (self.size_box, self.overlap_box, self.seed_box):
            number.valueChanged.connect(self._on_changed)
        self.filter_box.toggled.connect(self._on_changed)

    def _add_preview(self) -> None:
        px = self.theme.px
        self.number_label, self.about_label = PlainLabel(), PlainLabel()
        self.number_label.setFont(self.theme.font(TITLE, bold=True))
        self.about_label.setProperty("type", "muted")
        self.grid = ClassGrid(self.theme, tr("Pairs that would be drawn"), is_clickable=False)
        inside = QWidget()
        inside.setLayout(column_of(self.grid, STRETCH, margins=(0, 0, px(8), 0)))
        area = QScrollArea()
        area.setWidget(inside)
        area.setWidgetResizable(True)
        area.setFrameShape(QScrollArea.Shape.NoFrame)
        area.viewport().setAutoFillBackground(False)
        inside.setAutoFillBackground(False)
        area.setAccessibleName(tr("Pairs that would be drawn"))
        self._area = area
        self.problem = Notice(self.theme)
        self.names_notice = Notice(self.theme)
        numbers = row_of(self.number_label, stretched(self.about_label), spacing=px(8))
        margins = (px(16), px(12), px(16), px(12))
        self._pane_layout = column_of(numbers, area, self.problem, STRETCH, spacing=px(8), margins=margins)
        self.column.addWidget(card_of(self._pane_layout), 1)
        self.column.addWidget(self.names_notice)

    def done(self, result: int) -> None:
        self._context.cancel_read(self._on_preview)
        super().done(result)

    @Slot()
    def _on_names(self) -> None:
        self._proposes_names = False
        if self._depends_on_names():
            self._on_changed()
        else:
            self._show_names()

    def _depends_on_names(self) -> bool:
        """Whether other people get another preview: by their number, their roles or what they have answered."""
        if self.asks is RoundAsks.KINDS:
            return self.plan.overlap is not None
        return self.kind is RoundKind.ESTIMATE or self._has_lacking_votes()

    def _has_lacking_votes(self) -> bool:
        """Whether pairs lack votes that a round could ask for."""
        targets = self._overview.targets
        wanted = (one for one in self._overview.strata if one.missing_without_lacking(targets.of(one.split)))
        return self._is_vote and any(one.lacking for one in wanted)

    @Slot(int)
    def _on_pairs(self, pairs: int) -> None:
        were_all = self.overlap_box.value() == self.overlap_box.maximum()
        self.overlap_box.setMaximum(pairs)
        if were_all:
            self.overlap_box.setValue(pairs)
        self._on_changed()

    @Slot()
    def _on_kind(self) -> None:
        kind, asks_kinds = self.kind, self.asks is RoundAsks.KINDS
        self.form.setRowVisible(self._size_row, not asks_kinds)
        self.form.setRowVisible(self._kinds_row, asks_kinds)
        missing = kind is RoundKind.BENCHMARK
        self.how_many_box.setCurrentIndex(0 if missing else 1)
        self.how_many_box.setEnabled(missing)
        self.size_box.setValue(DEFAULT_SIZES.get(kind, 50))
        self._on_changed()

    @Slot()
    def _on_changed(self) -> None:
        self.size_box.setVisible(self.asks is RoundAsks.RELATION and self.how_many_box.currentIndex() == 1)
        self._context.cancel_read(self._on_preview)
        self._pairs = 0
        self.action_button.setEnabled(False)
        self._delay_timer.start()

    @Slot()
    def _request_preview(self) -> None:
        names = () if self._proposes_names else self.names
        job = preview_round(self._context.project, self.plan, names)
        self._context.runner.read(job, self._on_preview, self._on_failed)

    @Slot(object)
    def _on_preview(self, preview: RoundPreview) -> None:
        self._pairs, self._lacking = len(preview.draw.pairs), preview.draw.lacking
        if self._proposes_names:
            with QSignalBlocker(self.names_line):
                self.names_line.setText(", ".join(preview.names))
        self.number_label.setText(f"{self._pairs:,}")
        self.grid.show_cells(
            [
                ClassCell(
                    f"{one.domain} · {one.split}" if one.split else one.domain,
                    one.label,
                    tr("{drawn:,} of {wanted:,}", drawn=one.drawn, wanted=one.wanted) if one.wanted else "–",
                    min(one.drawn / one.wanted, 1.0) if one.wanted else 0.0,
                    self._cell_tip(one),
                    "warning" if one.drawn < one.wanted else "",
                )
                for one in preview.draw.strata
            ]
        )
        nothing = tr("The targets are reached: raise them, or choose how many pairs to draw.")
        if self._has_lacking_votes() and self.names:
            nothing = tr(
                "Nothing is left to draw for these people: name somebody who has not answered the pairs that lack "
                "votes, or choose how many pairs to draw."
            )
        texts = [draw_text(preview.draw, preview.shortage), earlier_text(preview.draw)]
        text = " ".join(filter(None, texts)) or ("" if self._pairs else nothing)
        self.problem.show_text(text, "warning" if preview.draw.shortages else "info")
        self._show_names()
        self._enlarge()
        self.previewed.emit()

    def _cell_tip(self, one: RoundStratum) -> str:
        drawn = tr(
            "{pairs} needed, {available:,} available to draw", pairs=count(one.wanted, "pair"), available=one.available
        )
        return (
            tr("{drawn}, {gold:,} with a gold label", drawn=drawn, gold=one.gold)
            if self._is_vote  # for others, gold labels are not counted
            else drawn
        )

    def _enlarge(self) -> None:
        """Make the dialog high enough for its text, where Qt would cut lines, and for some domains."""
        height = max(0, self.grid.needed_height)  # without cells, -1
        self._area.setFixedHeight(min(height, self.theme.px(_GRID_HEIGHT)))
        self._pane_layout.activate()
        self.column.activate()
        self.resize(self.width(), max(self.height(), self.column.totalHeightForWidth(self.width())))

    @Slot(object)
    def _on_failed(self, error: Exception) -> None:
        self.number_label.setText("0")
        if isinstance(error, UserError):
            self.problem.show_text(f"{error} {error.hint}".strip(), "bad")
            self._enlarge()
        else:
            self._context.problems.show(error)

    @Slot()
    def _show_names(self) -> None:
        names = self.names
        noun = "pair" if self._pairs == 1 else "pairs"
        each = (
            tr(
                "{noun}, which {names} {answers}",
                noun=noun,
                names=listed(names),
                answers=tr("answers") if len(names) == 1 else tr("each answer"),
            )
            if names
            else noun
        )
        plan = self.plan
        if names and plan.overlap is not None:
            each = tr(
                "{noun}: up to {pairs:,} for each of {names}, {overlap:,} of them the same",
                noun=noun,
                pairs=plan.pairs,
                names=listed(names),
                overlap=plan.overlap,
            )
        self.about_label.setText(each)
        few = self._is_vote and 0 < len(names) < USUAL_ANNOTATORS and not self._lacking
        named = tr("You have named {names} so far.", names=len(names))
        text = (
            tr(
                "With {usual_annotators} people, two can outvote one. {named}",
                usual_annotators=USUAL_ANNOTATORS,
                named=named,
            )
            if few
            else ""
        )
        self.names_notice.show_text(text or ("" if names else tr("Name the people who will answer the pairs.")), "info")
        self.action_button.setEnabled(bool(names) and self._pairs > 0)
