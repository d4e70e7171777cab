"""The left side of the Export page: which pairs, and in which shape."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QButtonGroup,
    QCheckBox,
    QComboBox,
    QGridLayout,
    QLabel,
    QRadioButton,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from desktop.jobs.results import FLAGS
from desktop.ui.pages.export.words import PRESETS
from desktop.ui.services.display_names import filter_text
from desktop.ui.theme import Theme
from desktop.ui.widgets.fields import pad_number
from desktop.ui.widgets.labels import PlainLabel, set_tip
from desktop.ui.widgets.notices import Notice
from miner.records import Strategy
from miner.splits import SPLITS
from storage.dataset.options import ALL_PAIRS, ExportOptions, Preset
from storage.pairs.filters import PairFilter

_SHARES = dict(zip(SPLITS, (80, 10, 10), strict=True))
_SEED = 1_000_000_000


class OptionsForm(QWidget):
    """`options` are what it shows now; `problem` says why they cannot be used, "" when they can."""

    changed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._shown = ALL_PAIRS
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, theme.px(12), 0)
        self._layout.setSpacing(theme.px(4))
        self._add_scope()
        self._add_preset()
        self._add_splits()
        self._add_classes()
        self._layout.addStretch(1)
        self._on_changed()

    @property
    def options(self) -> ExportOptions:
        shares = tuple((name, float(box.value())) for name, box in self._shares.items() if box.value())
        wanted = frozenset(Strategy) if self.implicit.isChecked() else frozenset(Strategy) - {Strategy.IMPLICIT}
        return ExportOptions(
            preset=Preset(self.preset.currentData()),
            shares=shares if self.in_splits.isChecked() else (),
            balance=self.balance.isChecked(),
            seed=self.seed.value(),
            strategies=wanted,
            settled=self.settled.isChecked(),
            without=frozenset(flag for flag, box in self.flags.items() if box.isChecked()),
            scope=self._shown if self.shown.isChecked() else ALL_PAIRS,
        )

    @property
    def problem(self) -> str:
        if self.in_splits.isChecked() and not any(box.value() for box in self._shares.values()):
            return "Give at least one split some of the papers."
        return ""

    def show_options(self, options: ExportOptions) -> None:
        """Take these, but for the scope: that is the table's affair."""
        self.blockSignals(True)
        self.preset.setCurrentIndex(self.preset.findData(options.preset))
        shares = dict(options.shares)
        (self.in_splits if shares else self.one_file).setChecked(True)
        if shares:
            for name, box in self._shares.items():
                box.setValue(round(shares.get(name, 0)))
        self.balance.setChecked(options.balance)
        self.settled.setChecked(options.settled)
        self.seed.setValue(options.seed)
        self.implicit.setChecked(Strategy.IMPLICIT in options.strategies)
        for flag, check in self.flags.items():
            check.setChecked(flag in options.without)
        self.blockSignals(False)
        self._on_changed()

    def show_filter(self, shown: PairFilter) -> None:
        """What the table of pairs shows now: what is exported, from when it is less than all pairs."""
        if (shown == ALL_PAIRS) != (self._shown == ALL_PAIRS):
            (self.all_pairs if shown == ALL_PAIRS else self.shown).setChecked(True)
        self._shown = shown
        words = filter_text(shown)
        self._filter.setText(words or "The Pairs page shows all pairs.")
        if self.shown.isChecked():
            self._on_changed()

    def _add_scope(self) -> None:
        self._heading("Pairs")
        self.all_pairs = QRadioButton("&All pairs")
        self.shown = QRadioButton("What the Pairs page &shows")
        self._choice(self.all_pairs, self.shown)
        self.all_pairs.setChecked(True)
        self._filter = self._small("The Pairs page shows all pairs.")
        self._filter.setContentsMargins(self._theme.px(28), 0, 0, 0)

    def _add_preset(self) -> None:
        self._heading("Format")
        self.preset = QComboBox()
        self.preset.setAccessibleName("Format")
        for preset, (name, _) in PRESETS.items():
            self.preset.addItem(name, preset)
        self._layout.addWidget(self.preset)
        self._fields = self._small("")
        self.preset.currentIndexChanged.connect(self._on_changed)

    def _add_splits(self) -> None:
        self._heading("Files")
        self.one_file = QRadioButton("One fi&le")
        self.in_splits = QRadioButton("Split &by paper")
        tip = "A paper's pairs are all in one split, every domain is split alike, and no sentence is in two splits."
        set_tip(self.in_splits, tip)
        self._choice(self.one_file, self.in_splits)
        self.one_file.setChecked(True)
        self._split_box = QWidget()
        grid = QGridLayout(self._split_box)
        grid.setContentsMargins(self._theme.px(28), 0, 0, 0)
        grid.setHorizontalSpacing(self._theme.px(8))
        grid.setVerticalSpacing(self._theme.px(2))
        self._shares: dict[str, QSpinBox] = {}
        for column, (name, share) in enumerate(_SHARES.items()):
            box = QSpinBox()
            box.setRange(0, 100)
            box.setValue(share)
            box.setSuffix(" %")
            box.setMinimumWidth(self._theme.px(72))
            pad_number(box, self._theme)
            box.setAccessibleName(f"Share of {name}")
            label = PlainLabel(name.capitalize())
            label.setProperty("type", "small")
            label.setBuddy(box)
            grid.addWidget(label, 0, column)
            grid.addWidget(box, 1, column)
            box.valueChanged.connect(self._on_changed)
            self._shares[name] = box
        self._layout.addWidget(self._split_box)
        self._split_problem = Notice(self._theme)
        self._layout.addWidget(self._split_problem)

    def _add_classes(self) -> None:
        self._heading("Classes")
        self.balance = self._check(
            "As many of each &class", "In each split and domain, by drawing from the larger ones"
        )
        self.implicit = self._check("Pairs w&ithout a linking phrase", "They have no label unless people gave one")
        self._heading("Leave out")
        tip = "Their label is the one of their linking phrase; pairs whose label people agree on are exported"
        self.settled = self._check("Pairs that &nobody settled", tip)
        self.flags = {flag: self._check(text, tip) for flag, (text, tip) in FLAGS.items()}
        self._heading("Seed")
        self.seed = QSpinBox()
        self.seed.setRange(0, _SEED)
        self.seed.setValue(1)
        self.seed.setAccessibleName("Seed")
        set_tip(self.seed, "Decides which papers go into which split and which pairs balance the classes.")
        self.seed.setMaximumWidth(self._theme.px(140))
        pad_number(self.seed, self._theme)
        self.seed.valueChanged.connect(self._on_changed)
        self._layout.addWidget(self.seed)

    def _heading(self, text: str) -> None:
        if self._layout.count():
            self._layout.addSpacing(self._theme.px(12))
        label = PlainLabel(text)
        label.setProperty("type", "heading")
        self._layout.addWidget(label)

    def _small(self, text: str) -> QLabel:
        label = PlainLabel(text)
        label.setProperty("type", "small")
        label.setWordWrap(True)
        self._layout.addWidget(label)
        return label

    def _choice(self, *buttons: QRadioButton) -> None:
        group = QButtonGroup(self)
        for button in buttons:
            group.addButton(button)
            self._layout.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
        group.buttonToggled.connect(self._on_toggled)

    def _check(self, text: str, tip: str) -> QCheckBox:
        box = QCheckBox(text)
        set_tip(box, tip)
        box.toggled.connect(self._on_changed)
        self._layout.addWidget(box, 0, Qt.AlignmentFlag.AlignLeft)
        return box

    @Slot(object, bool)
    def _on_toggled(self, _: object, on: bool) -> None:
        if on:
            self._on_changed()

    @Slot()
    def _on_changed(self) -> None:
        if not hasattr(self, "seed"):  # still being built
            return
        self._fields.setText(PRESETS[Preset(self.preset.currentData())][1])
        self._split_box.setEnabled(self.in_splits.isChecked())
        self._split_problem.show_text(self.problem, "bad")
        self._filter.setEnabled(self.shown.isChecked())
        self.changed.emit()
