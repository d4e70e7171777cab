"""The form of the Export page: which pairs, and the format and files."""

from __future__ import annotations

from dataclasses import fields, replace

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QGridLayout, QLineEdit, QPlainTextEdit, QSpinBox, QWidget

from desktop.jobs.exchange.split_text import gap_note, share_note
from desktop.text import count
from desktop.translation import tr
from desktop.ui.pages.export.balance import BalanceNote
from desktop.ui.services.display_names import FLAGS, capitalized, filter_text
from desktop.ui.theme import Theme
from desktop.ui.widgets.bound_fields import BoundFields
from desktop.ui.widgets.fields import ComboBox
from desktop.ui.widgets.form import Form
from desktop.ui.widgets.labels import PlainLabel, set_tip
from desktop.ui.widgets.layouts import row_of
from desktop.ui.widgets.notices import Notice
from miner.errors import UserError
from miner.records import Label, PairFlag, Strategy
from miner.splits import SPLITS
from miner.year_ranges import YearRange, read_year_ranges, year_ranges_text
from storage.annotation.annotation_rounds import Targets
from storage.dataset.export_options import ALL_PAIRS, ExportOptions, FileFormat, Preset, SplitOptions
from storage.exchange.export_fields import EXPORT_FIELDS, FieldKind
from storage.pairs.filters import PairFilter

_PRESET_NAMES = {
    Preset.SCINLI: "SciNLI",
    Preset.MISMATCHED: "MisMatched",
    Preset.SNLI: tr("SNLI and MultiNLI"),
    Preset.INTEGERS: tr("Labels as numbers"),
    Preset.TAXINLI: tr("TaxiNLI: kinds of reasoning"),
    Preset.FULL: tr("Everything"),
}
_MAX_COLUMNS_NAMED = 6
_FORMAT_NAMES = {
    FileFormat.JSONL: tr("JSON lines"),
    FileFormat.CSV: "CSV",
    FileFormat.TSV: "TSV",
    FileFormat.PARQUET: tr("Parquet"),
}
_FLAG_TIPS = {
    PairFlag.CROSSES_PARAGRAPH: tr("The premise is in the paragraph before the linking phrase"),
    PairFlag.PREMISE_HAS_PHRASE: tr("So the premise refers to a sentence that is not in the pair"),
    PairFlag.NO_COMMA: tr("“Thus the …”: rarer, and less certain to link the two sentences"),
}
_YEARS_EXAMPLE = "nlp: train 2000-2018, dev 36% + test 64% 2019\ntrain -2014, test 2015-"
_DEFAULT_SHARES = dict(zip(SPLITS, (80, 10, 10), strict=True))  # percent


def columns_text(preset: Preset) -> str:
    """The columns of a preset, by their names; of many, the first ones and how many more."""
    numbers = ", ".join(f"{number} {label}" for number, label in enumerate(Label))
    fields = EXPORT_FIELDS[preset]
    names = [f"{name} ({numbers})" if field.kind is FieldKind.CLASS else name for name, field in fields.items()]
    text = ", ".join(names[:_MAX_COLUMNS_NAMED])
    if (more := len(names) - _MAX_COLUMNS_NAMED) > 0:
        text = tr("{names} and {columns}", names=text, columns=count(more, "more column"))
    return tr("{names}; only pairs with answers about kinds", names=text) if preset.is_of_kinds else text


class OptionsForm(Form):
    """options: the values of the form. problem: why they cannot be used, "" if they can."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._pairs_page_filter = ALL_PAIRS
        self._fields = BoundFields(ExportOptions)
        self._targets: Targets | None = None  # of the project's split
        self._is_split_known = False
        with self.filling():
            self._add_scope()
            self._add_preset()
            self._add_card()
            self._add_splits()
            self._add_classes()
            self._add_exclusions()
            self._add_seed()
        self.column.addStretch(1)
        assert self._fields.names == {one.name for one in fields(ExportOptions)}

    @property
    def options(self) -> ExportOptions:
        return ExportOptions(**self._fields.values)

    @property
    def _is_table(self) -> bool:
        return FileFormat(self.format.currentData()) in (FileFormat.CSV, FileFormat.TSV)

    @property
    def problem(self) -> str:
        if self.in_splits.isChecked() and not self._read_shares():
            return tr("Give at least one split some of the papers.")
        return self._read_years()[1]

    def _read_shares(self) -> tuple[tuple[str, float], ...]:
        return tuple((name, float(box.value())) for name, box in self._shares.items() if box.value())

    def _read_years(self) -> tuple[tuple[YearRange, ...], str]:
        """The ranges of years if pairs are split by these, and why they cannot be used."""
        if not self.by_year.isChecked():
            return (), ""
        try:
            return read_year_ranges(self.years.toPlainText().splitlines()), ""
        except UserError as exc:
            return (), f"{exc} {exc.hint}".strip()

    def show_options(self, options: ExportOptions) -> None:
        """Fill in these options, except for the scope, which follows the Pairs page, and what the split decides."""
        with self.filling():
            self._fields.show(options)
            shares = dict(options.shares)
            ways = (
                (self.project_split, options.split),
                (self.in_splits, shares),
                (self.by_year, options.years),
                (self.as_imported, options.as_imported),
            )
            if options.split is not None:
                self._split = options.split
                self.only_gold.setChecked(options.split.gold)
            next((button for button, chosen in ways if chosen), self.one_file).setChecked(True)
            if options.years:
                self.years.setPlainText(year_ranges_text(options.years))
            if shares:
                for name, box in self._shares.items():
                    box.setValue(round(shares.get(name, 0)))
            self._follow_project_split()

    def show_filter(self, filter: PairFilter) -> None:
        """The filter of the Pairs page. When it starts or stops being all pairs, the scope follows."""
        if (filter == ALL_PAIRS) != (self._pairs_page_filter == ALL_PAIRS):
            (self.all_pairs if filter == ALL_PAIRS else self.filtered_pairs).setChecked(True)
        self._pairs_page_filter = filter
        self._filter_text.setText(filter_text(filter) or tr("The Pairs page shows all pairs."))
        if self.filtered_pairs.isChecked():
            self._on_field_changed()

    def show_state(self) -> None:
        self._preset_text.setText(columns_text(Preset(self.preset.currentData())))
        self.safe_cells.setVisible(self._is_table)
        self.name.setVisible(self.card.isChecked())
        options = self.options
        self.only_gold.setVisible(self.project_split.isChecked())
        self._split_box.setEnabled(self.in_splits.isChecked())
        self.years.setVisible(self.by_year.isChecked())
        self.keep_released.setEnabled(not self.one_file.isChecked())
        self.near_duplicates.setEnabled(not self.one_file.isChecked())
        self._split_problem.show_text(self.problem, "bad")
        self._split_note.setText(gap_note(options) or share_note(options.shares))
        self._split_note.setVisible(bool(self._split_note.text()))
        self._filter_text.setEnabled(self.filtered_pairs.isChecked())

    def _add_scope(self) -> None:
        self.add_heading(tr("Pairs"))
        self.all_pairs, self.filtered_pairs = self.add_radio_buttons(
            tr("&All pairs"), tr("Pairs that the Pairs page &shows")
        )
        self._filter_text = self.add_text(tr("The Pairs page shows all pairs."))
        self._filter_text.setContentsMargins(self.theme.px(28), 0, 0, 0)
        self._fields.bind_by("scope", lambda: self._pairs_page_filter if self.filtered_pairs.isChecked() else ALL_PAIRS)

    def _add_preset(self) -> None:
        self.add_heading(tr("Format"))
        self.preset = ComboBox()
        self.preset.setAccessibleName(tr("Format"))
        for preset in Preset:
            self.preset.addItem(_PRESET_NAMES[preset], preset)
        self.column.addWidget(self.preset)
        self._preset_text = self.add_text()
        self._fields.bind("preset", self.preset)
        self.preset.currentIndexChanged.connect(self._on_field_changed)
        self.format = ComboBox()
        self.format.setAccessibleName(tr("Kind of files"))
        for kind, name in _FORMAT_NAMES.items():
            self.format.addItem(name, kind)
        self.column.addWidget(self.format)
        self._fields.bind("format", self.format)
        self.format.currentIndexChanged.connect(self._on_field_changed)
        tip = tr(
            "An apostrophe is put before cells that a spreadsheet would take for formulas; imports take it away again"
        )
        self.safe_cells = self.add_check_box(tr("Protect against spreadsheet for&mulas"), tip)
        self._fields.bind_by(
            "safe_cells", lambda: self.safe_cells.isChecked() and self._is_table, self.safe_cells.setChecked
        )

    def _add_card(self) -> None:
        self.add_heading(tr("Documentation"))
        tip = tr(
            "README.md for the Hugging Face hub: contents, sources, figures and licences. With Croissant metadata, "
            "checksums, and a manifest to reproduce the same files."
        )
        self.card = self._fields.bind("card", self.add_check_box(tr("&Data card and manifest"), tip))
        self.name = QLineEdit()
        self.name.setAccessibleName(tr("Name of the data set"))
        self.name.setPlaceholderText(tr("Name of the data set"))
        self.name.setMaxLength(100)
        self.name.editingFinished.connect(self._on_field_changed)
        self._fields.bind_by(
            "name", lambda: " ".join(self.name.text().split()) if self.card.isChecked() else "", self.name.setText
        )
        self.column.addWidget(self.name)

    def _add_splits(self) -> None:
        self.add_heading(tr("Files"))
        self.one_file, self.project_split, self.in_splits, self.by_year, self.as_imported = self.add_radio_buttons(
            tr("One fi&le"),
            tr("By the project's s&plit"),
            tr("Split &by paper"),
            tr("Split by &year"),
            tr("Split of impor&ted files"),
        )
        self._split = SplitOptions()
        self._fields.bind_by("split", lambda: self._split if self.project_split.isChecked() else None)
        self._fields.bind_by("shares", lambda: self._read_shares() if self.in_splits.isChecked() else ())
        self._fields.bind_by("years", lambda: self._read_years()[0])
        self._fields.bind_by("as_imported", self.as_imported.isChecked)
        tip = tr("Train, dev and test papers as they are split in this project; no sentence of dev or test is in train")
        set_tip(self.project_split, tip)
        self.project_split.setVisible(False)
        set_tip(
            self.by_year, tr("Each split gets the papers of some years. Papers without a year are left out and named")
        )
        set_tip(self.as_imported, tr("The splits given in the imported files. Pairs without one are left out"))
        tip = tr(
            "All pairs of a paper are in one split, every domain has the same shares, and no sentence is in two splits."
        )
        set_tip(self.in_splits, tip)
        self._split_box = QWidget()
        grid = QGridLayout(self._split_box)
        grid.setContentsMargins(self.theme.px(28), 0, 0, 0)
        grid.setHorizontalSpacing(self.theme.px(8))
        grid.setVerticalSpacing(self.theme.px(2))
        self._shares: dict[str, QSpinBox] = {}
        for column, (name, share) in enumerate(_DEFAULT_SHARES.items()):
            box = self.create_number(0, 100, tr("Share of {name}", name=name), value=share, unit=" %")
            box.setMinimumWidth(self.theme.px(72))
            label = PlainLabel(name.capitalize(), type="small")
            label.setBuddy(box)
            grid.addWidget(label, 0, column)
            grid.addWidget(box, 1, column)
            self._shares[name] = box
        self.column.insertWidget(self.column.indexOf(self.by_year), self._split_box)
        self.years = QPlainTextEdit()
        self.years.setAccessibleName(tr("Years of each split"))
        self.years.setPlaceholderText(_YEARS_EXAMPLE)
        set_tip(
            self.years,
            tr("One line for each domain, a line without a name for the others; dev and test may share years"),
        )
        self.years.setTabChangesFocus(True)
        self.years.setFixedHeight(self.theme.px(72))
        self.years.textChanged.connect(self._on_field_changed)
        indented = row_of(self.years, margins=(self.theme.px(28), 0, 0, 0))
        self.column.insertLayout(self.column.indexOf(self.as_imported), indented)
        tip = tr(
            "As many of each class and domain as the targets say; if switched off, pairs without a gold label have "
            "their distant label"
        )
        self.only_gold = self.add_check_box(tr("Dev and test: only &gold labels"), tip)
        self.only_gold.setChecked(True)
        self.only_gold.toggled.connect(self._set_gold)
        self._split_note = self.add_text()
        self._split_problem = Notice(self.theme)
        self.column.addWidget(self._split_problem)
        tip = tr("Only papers that are in no release yet are assigned to a split")
        self.keep_released = self.add_check_box(tr("Released papers &keep their split"), tip)
        self._fields.bind("keep_released", self.keep_released).setChecked(True)
        self.keep_released.setVisible(False)

    def show_project_split(self, targets: Targets | None) -> None:
        """Offer the project's split, with these targets, and no other; None if its papers are not split."""
        before = self.options
        self._targets, self._is_split_known = targets, True
        is_split = targets is not None
        self.project_split.setVisible(is_split)
        for button in (self.in_splits, self.by_year, self.as_imported):
            button.setVisible(not is_split)
        self._split_box.setVisible(not is_split)
        self._follow_project_split()
        self.show_state()
        if self.options != before:
            self.changed.emit()

    def _follow_project_split(self) -> None:
        """Replace a chosen way that is not offered by the one that is, and the targets by those of the project."""
        if not self._is_split_known:
            return
        if self._targets is None:
            if self.project_split.isChecked():
                self.one_file.setChecked(True)
            return
        self._split = replace(self._split, dev=self._targets.dev, test=self._targets.test)
        if self.in_splits.isChecked() or self.by_year.isChecked() or self.as_imported.isChecked():
            self.project_split.setChecked(True)

    @Slot(bool)
    def _set_gold(self, gold: bool) -> None:
        self._split = replace(self._split, gold=gold)

    def show_has_releases(self, has_releases: bool) -> None:
        """Offer to keep released papers where they are, if there are any."""
        self.keep_released.setVisible(has_releases)

    def _add_classes(self) -> None:
        self.add_heading(tr("Classes"))
        self.balance = self.add_check_box(
            tr("Same number of pairs in each &class"),
            tr("In each split and domain; from larger classes, pairs are drawn at random"),
        )
        self._fields.bind("balance", self.balance)
        self.balance_note = BalanceNote(self.theme)
        self.column.addWidget(self.balance_note)
        self.implicit = self.add_check_box(
            tr("Pairs w&ithout a linking phrase"), tr("These pairs have no label unless annotators gave one")
        )
        linked = frozenset(Strategy) - {Strategy.IMPLICIT}
        self._fields.bind_by(
            "strategies",
            lambda: frozenset(Strategy) if self.implicit.isChecked() else linked,
            lambda strategies: self.implicit.setChecked(Strategy.IMPLICIT in strategies),
        )

    def _add_exclusions(self) -> None:
        self.add_heading(tr("Leave out"))
        tip = tr("Leave out pairs that have only a distant label, from their linking phrase")
        self.settled = self.add_check_box(tr("Pairs that are &not annotated"), tip)
        tip = tr("Papers with a licence that is unknown or does not allow sharing: see the papers' details")
        self.redistributable = self.add_check_box(tr("&Papers that may not be shared"), tip)
        tip = tr(
            "Pairs with a sentence that is nearly the same as one in another split, up to a few letters. This can "
            "take a minute"
        )
        self.near_duplicates = self.add_check_box(tr("Near-d&uplicates in other splits"), tip)
        self.flags = {flag: self.add_check_box(capitalized(FLAGS[flag]), tip) for flag, tip in _FLAG_TIPS.items()}
        self._fields.bind("settled", self.settled)
        self._fields.bind("redistributable_only", self.redistributable)
        self._fields.bind("drop_near_duplicates", self.near_duplicates)
        self._fields.bind_members("without", self.flags, frozenset)

    def _add_seed(self) -> None:
        self.add_heading(tr("Seed"))
        self.seed = self._fields.bind("seed", self.create_seed(tr("Seed")))
        set_tip(
            self.seed,
            tr("Papers and pairs are drawn at random: the same number always gives the same split and the same pairs."),
        )
        self.seed.setMaximumWidth(self.theme.px(140))
        self.column.addWidget(self.seed)
