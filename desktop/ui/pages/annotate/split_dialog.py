"""The dialog that splits the project's papers: how, by which shares or years, with a summary of the result."""

from __future__ import annotations

from enum import StrEnum

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import QCheckBox, QPushButton, QWidget

from desktop.jobs.exchange.project_split import (
    BENCHMARK_SHARES,
    split_of_gold_papers,
    suggest,
)
from desktop.jobs.exchange.split_preview import SplitPreview, SplitProposal, preview_split
from desktop.jobs.exchange.split_text import too_few_papers_text
from desktop.jobs.papers.split_moves import consent_text
from desktop.text import count
from desktop.translation import tr
from desktop.ui.pages.annotate.dialogs import FieldsDialog
from desktop.ui.pages.annotate.split_fields import (
    YEARS_EXAMPLE,
    ShareFields,
    YearFields,
    present_shares,
    suggested_shares,
)
from desktop.ui.pages.annotate.split_summary import SplitSummary
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.widgets.fields import ComboBox
from desktop.ui.widgets.labels import PlainLabel, set_tip
from desktop.ui.widgets.layouts import STRETCH, aligned, column_of, row_of, space, stretched
from desktop.ui.widgets.notices import Notice
from miner.errors import UserError
from miner.split_suggestion import DomainSuggestion
from miner.splits import PaperSplit
from miner.year_ranges import OTHER_DOMAINS, year_ranges_text
from storage.annotation.annotation_rounds import Targets
from storage.changes import Changes

_PREVIEW_DELAY_MS = 200  # after the last change
_FIELDS_WIDTH, _SIZE, _SCREEN_MARGIN = 324, (992, 580), 24


class SplitWay(StrEnum):
    """How the papers are split."""

    SHARES = "By shares"
    YEARS = "By years"
    GOLD = "By the gold labels there are"
    IMPORTED = "As given in the imported files"


_ABOUT = {
    SplitWay.SHARES: tr(
        "Papers are divided at random. People annotate pairs of dev and test papers; models learn from train papers."
    ),
    SplitWay.YEARS: tr(
        "One line for each domain; a line without a name is for all other domains. For example: {years_example}",
        years_example=YEARS_EXAMPLE,
    ),
    SplitWay.IMPORTED: tr(
        "Papers get the split given in the imported files; if there are several, test comes before dev."
    ),
}
_REST = {
    SplitWay.YEARS: tr("Papers without a year are train &papers"),
    SplitWay.IMPORTED: tr("All other papers are train &papers"),
}


class SplitDialog(FieldsDialog):
    """The dialog that splits papers. `split`: the chosen split; the summary shows its papers and gold labels."""

    previewed = Signal()
    targets_requested = Signal()

    def __init__(self, context: ProjectContext, proposal: SplitProposal, parent: QWidget) -> None:
        super().__init__(context.theme, tr("Split the papers"), parent)
        self._context, self._proposal = context, proposal
        self._consented: str | None = None  # the text of what a person consented to
        self.preview: SplitPreview | None = None
        self._delay_timer = QTimer(self, singleShot=True, interval=_PREVIEW_DELAY_MS)
        self._delay_timer.timeout.connect(self._request_preview)
        self._create_fields()
        self._lay_out()
        self._fill()
        context.events.changed.connect(self._on_project_changed)
        self._on_way()

    @property
    def way(self) -> SplitWay:
        return SplitWay(self.way_box.currentData())

    @property
    def split(self) -> PaperSplit:
        """The chosen split; `UserError` if the choices are not a split."""
        seed, present, way = self.seed.value(), self._proposal.present, self.way
        keeps = present is None or present.keep_released
        if way is SplitWay.GOLD:
            found = split_of_gold_papers(self._proposal.gold_papers, seed=seed)
            return PaperSplit((), seed, found.named, found.rest, keeps)
        if way is SplitWay.SHARES:
            whole = self.whole_journals.isChecked()
            return PaperSplit(self.shares.ranges, seed, keep_released=keeps, whole_journals=whole)
        ranges = self.years.ranges if way is SplitWay.YEARS else ()
        return PaperSplit(ranges, seed, rest="train" if self.rest.isChecked() else None, keep_released=keeps)

    # Fields

    def _create_fields(self) -> None:
        theme, proposal = self.theme, self._proposal
        present = proposal.present
        self.way_box = ComboBox()
        self.way_box.setAccessibleName(tr("How the papers are split"))
        for way in SplitWay:
            if _is_offered(way, proposal):
                self.way_box.addItem(way.value, way)
        domains = {*proposal.domains, *(one.domain for one in (present.ranges if present else ()))}
        self.shares = ShareFields(theme, domains - {OTHER_DOMAINS})
        self.years = YearFields(theme, year_ranges_text(present.ranges) if present and present.has_years() else "")
        self.rest = QCheckBox()
        self.whole_journals = QCheckBox(tr("The papers of a &journal stay together"))
        set_tip(
            self.whole_journals,
            tr("Whole journals are divided, so that the journals of test papers are new to the model"),
        )
        self.whole_journals.setChecked(present is not None and present.whole_journals)
        self.about, self.targets_label = PlainLabel(), PlainLabel()
        for label in (self.about, self.targets_label):
            label.setProperty("type", "small")
            label.setWordWrap(True)
        self.suggest_button, self.targets_button = QPushButton(tr("S&uggest")), QPushButton(tr("&Targets…"))
        self.more_button = QPushButton(tr("More…"))
        for button in (self.targets_button, self.more_button):
            button.setProperty("look", "link")
        for button in (self.suggest_button, self.targets_button, self.more_button):
            button.setAutoDefault(False)  # Enter splits the papers
        self.few_papers = Notice(theme)
        self.seed = self.seed_field(present.seed if present else 1, tr("Seed of the split"))
        self.summary, self.problem, self.consent = SplitSummary(theme), Notice(theme), Notice(theme)
        self.confirmed = QCheckBox(tr("&Move these papers anyway; no answer is lost"))
        self.way_box.currentIndexChanged.connect(self._on_way)
        for changed in (
            self.shares.changed,
            self.years.changed,
            self.rest.toggled,
            self.whole_journals.toggled,
            self.seed.valueChanged,
        ):
            changed.connect(self._on_changed)
        self.suggest_button.clicked.connect(self._suggest)
        self.targets_button.clicked.connect(self.targets_requested)
        self.more_button.clicked.connect(self._show_more)
        self.confirmed.toggled.connect(self._on_confirmed)

    def _lay_out(self) -> None:
        px = self.theme.px
        self._suggestion_row = QWidget()
        self._suggestion_row.setLayout(
            row_of(
                self.suggest_button,
                stretched(self.targets_label),
                self.targets_button,
                spacing=px(12),
                margins=(0, 0, px(12), 0),
            )
        )
        self._seed_row = QWidget()
        self._seed_row.setLayout(row_of(self.label(tr("Se&ed"), self.seed), self.seed, STRETCH, spacing=px(8)))
        self._seed_row.setVisible(False)
        fields = QWidget()
        fields.setFixedWidth(px(_FIELDS_WIDTH))
        fields.setLayout(
            column_of(
                row_of(self.label(tr("&How"), self.way_box), stretched(self.way_box), spacing=px(8)),
                self.about,
                space(px(4)),
                stretched(self.shares, 100),
                self.years,
                self.rest,
                self.whole_journals,
                self._suggestion_row,
                self.few_papers,
                STRETCH,
                aligned(self.more_button, Qt.AlignmentFlag.AlignLeft),
                self._seed_row,
                spacing=px(8),
            )
        )
        self.column.addLayout(row_of(fields, stretched(self.summary), spacing=px(24)), 1)
        for part in (self.problem, self.consent, self.confirmed):
            self.column.addWidget(part)
        self.add_buttons(tr("Split the papers"))
        room = self.screen().availableSize()
        self.resize(*(min(px(side), most - _SCREEN_MARGIN) for side, most in zip(_SIZE, room.toTuple(), strict=True)))
        self.way_box.setFocus()

    def _fill(self) -> None:
        """Show the present split; without one, the suggested split or one by the gold labels of an earlier version."""
        present, proposal = self._proposal.present, self._proposal
        self._show_targets(proposal.targets)
        way = SplitWay.SHARES
        if present is None:
            way = SplitWay.GOLD if proposal.older else way
            self._fill_shares(proposal.suggestions)
        else:
            self.rest.setChecked(present.rest == "train")
            if present.has_years():
                way = SplitWay.YEARS
            elif not present.ranges:
                way = SplitWay.GOLD if present.named else SplitWay.IMPORTED
            if present.ranges and way is SplitWay.SHARES:
                self.shares.fill(present_shares(present, proposal.domains))
                self._show_few_papers(proposal.suggestions)
            else:
                self._fill_shares(proposal.suggestions)
        self.way_box.setCurrentIndex(max(0, self.way_box.findData(way)))

    def _fill_shares(self, suggestions: tuple[DomainSuggestion, ...]) -> None:
        self.shares.fill(suggested_shares(suggestions))
        self._show_few_papers(suggestions)

    def _show_few_papers(self, suggestions: tuple[DomainSuggestion, ...]) -> None:
        self.few_papers.show_text("\n".join(filter(None, map(too_few_papers_text, suggestions))), "warning")
        self._show_way()

    def _show_targets(self, targets: Targets) -> None:
        self.targets_label.setText(tr("for {dev:,} dev, {test:,} test", dev=targets.dev, test=targets.test))
        self.targets_label.setAccessibleName(
            tr(
                "Targets: {dev:,} gold labels of each class for dev and {test:,} for test",
                dev=targets.dev,
                test=targets.test,
            )
        )

    # Preview

    @Slot()
    def _on_way(self) -> None:
        self._show_way()
        self._on_changed()

    def _show_way(self) -> None:
        way = self.way
        papers = count(len(self._proposal.gold_papers), "paper")
        shares = " to ".join(f"{share:g}" for share in BENCHMARK_SHARES.values())
        gold = tr(
            "The {papers} with gold labels by several people are divided {shares} into dev and test. All "
            "others are train papers. Released papers stay in their split.",
            papers=papers,
            shares=shares,
        )
        self.about.setText(_ABOUT.get(way, gold))
        for part, ways in (
            (self.shares, {SplitWay.SHARES}),
            (self._suggestion_row, {SplitWay.SHARES}),
            (self.whole_journals, {SplitWay.SHARES}),
            (self.years, {SplitWay.YEARS}),
            (self.rest, _REST.keys()),
        ):
            part.setVisible(way in ways)
        self.few_papers.setVisible(way is SplitWay.SHARES and bool(self.few_papers.text))
        self.rest.setText(_REST.get(way, ""))

    @Slot()
    def _on_changed(self) -> None:
        self._context.cancel_read(self._on_preview)
        self.preview = None
        self._show_state()
        self._delay_timer.start()

    @Slot(object)
    def _on_project_changed(self, changes: Changes) -> None:
        self._on_changed()

    @Slot()
    def _request_preview(self) -> None:
        try:
            split = self.split
        except UserError:
            return  # `_show_state` says so
        self._context.runner.read(preview_split(self._context.project, split), self._on_preview, self._on_failed)

    @Slot(object)
    def _on_preview(self, preview: SplitPreview) -> None:
        self.preview = preview
        self._show_targets(preview.targets)
        self.summary.show_preview(preview)
        self._show_state()
        self.previewed.emit()

    @Slot()
    def _on_confirmed(self) -> None:
        self._consented = self.consent.text if self.confirmed.isChecked() else None
        self.action_button.setEnabled(self.preview is not None and self.confirmed.isChecked())

    def _show_state(self) -> None:
        """Show why the papers cannot be split, and which moves a person must consent to."""
        problem = ""
        try:
            _ = self.split
        except UserError as exc:
            problem = f"{exc} {exc.hint}".strip()
        is_begun = self.way is not SplitWay.YEARS or not self.years.is_empty
        self.problem.show_text(problem, "bad" if is_begun else "info")
        if self.preview is None:  # what it was stays until the next one, so that nothing jumps
            self.action_button.setEnabled(False)
            return
        consent = consent_text(self.preview.moved)
        self.consent.show_text(consent, "warning")
        self.confirmed.setVisible(bool(consent))
        self.confirmed.setChecked(bool(consent) and consent == self._consented)  # another change, another consent
        self.action_button.setEnabled(not problem and (not consent or self.confirmed.isChecked()))

    @Slot()
    def _suggest(self) -> None:
        job = suggest(self._context.project, None, None, seed=self.seed.value())
        self._context.runner.read(job, self._on_suggested, self._on_failed)

    @Slot(object)
    def _on_suggested(self, suggestions: list[DomainSuggestion]) -> None:
        self._fill_shares(tuple(suggestions))

    @Slot(object)
    def _on_failed(self, error: Exception) -> None:
        if isinstance(error, UserError):
            self.problem.show_text(f"{error} {error.hint}".strip(), "bad")
        else:
            self._context.problems.show(error)

    @Slot()
    def _show_more(self) -> None:
        self.more_button.setVisible(False)
        self._seed_row.setVisible(True)
        self.seed.setFocus()

    def done(self, result: int) -> None:
        self._delay_timer.stop()
        self._context.cancel_read(self._on_preview)
        self._context.cancel_read(self._on_suggested)
        super().done(result)


def _is_offered(way: SplitWay, proposal: SplitProposal) -> bool:
    if way is SplitWay.GOLD:
        return bool(proposal.gold_papers)
    return way is not SplitWay.IMPORTED or proposal.has_own_splits
