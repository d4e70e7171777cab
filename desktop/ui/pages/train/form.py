"""The form of the Train page: the model to start from, the labels to learn, and the recipe."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QAbstractSpinBox, QGridLayout, QLineEdit, QPushButton, QWidget

from desktop.jobs.exchange.split_text import split_way_text
from desktop.jobs.models.model_options import TrainOptions
from desktop.translation import tr
from desktop.ui.pages.train.text import RECIPE_TEXTS, training_data_text
from desktop.ui.services.display_names import DEVICE_NAMES, capitalized
from desktop.ui.theme import LETTERS, Theme
from desktop.ui.widgets.bound_fields import BoundFields
from desktop.ui.widgets.fields import ComboBox, NumberBox
from desktop.ui.widgets.form import Form
from desktop.ui.widgets.labels import PlainLabel, set_tip
from desktop.ui.widgets.layouts import STRETCH, row_of
from desktop.ui.widgets.model_combo_box import ModelComboBox
from desktop.ui.widgets.notices import Notice
from miner.classifier.checkpoints import STARTER_NAME
from miner.classifier.recipe import DEFAULT_FOLDS, PRESETS, Recipe
from miner.declared_options import DEVICES, option_names

if TYPE_CHECKING:
    from desktop.jobs.models.registry import ModelChoice
    from desktop.jobs.models.training_data import TrainingDataCounts
    from storage.dataset.export_options import ExportOptions

_MAX_RUNS = 20
Box = TypeVar("Box", bound=QAbstractSpinBox)
_SET_BY_RECIPE = {"batch_pairs", "learning_rate", "layers", "precision"}  # options of the command alone
_FOR_COMMANDS = {"filter", "labels"}


class TrainForm(Form):
    def __init__(self, theme: Theme, home: Path, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._home = home
        self._split_export: ExportOptions | None = None
        self._recipe_fields, self._fields = BoundFields(Recipe), BoundFields(TrainOptions)
        self._add_start()
        self._add_sources()
        self._add_recipe()
        self._add_details()
        self.column.addStretch(1)
        self._show_recipe()
        assert self._recipe_fields.names == {*option_names(Recipe), "seed"} - _SET_BY_RECIPE
        assert self._fields.names == {one.name for one in fields(TrainOptions)} - _FOR_COMMANDS

    # Values

    @property
    def choice(self) -> ModelChoice | None:
        return self.start.choice

    @property
    def recipe(self) -> Recipe:
        return replace(PRESETS[self.preset.currentData()], **self._recipe_fields.values)

    @property
    def options(self) -> TrainOptions:
        """The options of one run. Without a selected model, they start from the starter."""
        return TrainOptions(**self._fields.values)

    @property
    def uses_all_labels(self) -> bool:
        return self.distant.isChecked() and self.answers.isChecked()

    @property
    def options_by_seed(self) -> list[TrainOptions]:
        """The options of each run, one run for each seed."""
        options, seeds = self.options, self.seeds.value()
        runs = []
        for offset in range(seeds):
            seed = options.recipe.seed + offset
            name = (
                tr("{name}, seed {seed}", name=options.name, seed=seed) if options.name and seeds > 1 else options.name
            )
            runs.append(replace(options, recipe=replace(options.recipe, seed=seed), name=name))
        return runs

    def show_choices(self, choices: Sequence[ModelChoice]) -> None:
        """Offer these models to start from."""
        self.start.show_choices(choices)

    def show_split_export(self, options: ExportOptions | None) -> None:
        """The options of the project's last export in splits; its dev and test pairs can be left out of training."""
        if options == self._split_export:
            return
        self._split_export = options
        self.leave_out_export.setVisible(options is not None)
        if options is not None:
            split = tr("The splits of the last export: {split_way_text}.", split_way_text=split_way_text(options))
            set_tip(self.leave_out_export, tr("{split} The best epoch is chosen on the dev pairs", split=split))
        self.changed.emit()

    def show_counts(self, counts: TrainingDataCounts | None) -> None:
        """The labels to learn from; None while they are being counted."""
        self.sources.setText(tr("Counting…") if counts is None else training_data_text(counts))
        if counts is None:
            return
        classes = " · ".join(f"{LETTERS[name]} {number:,}" for name, number in counts.classes.items())
        self.classes.setText(classes)
        self.classes.setVisible(counts.pairs > 0)
        self.reserved.setText(str(counts.reserved))
        self.reserved.setVisible(bool(str(counts.reserved)))
        self.problem.show_text(f"{counts.problem} {counts.hint}".strip(), "bad")
        self.warning.show_text("" if counts.problem else " ".join(counts.warnings), "info")

    # Sections

    def _add_start(self) -> None:
        self.add_heading(tr("Start from"))
        self.start = ModelComboBox(self.theme, tr("Model to start from"), self._home)
        self.start.model_changed.connect(self._select_recipe)
        self._fields.bind_by("start", lambda: self.choice.reference if self.choice else STARTER_NAME)
        self.column.addWidget(self.start)
        self.name = self._fields.bind("name", QLineEdit())
        self.name.setPlaceholderText(tr("Name of the new model (optional)"))
        self.name.setAccessibleName(tr("Name of the new model"))
        self.name.setMaxLength(60)
        self.column.addSpacing(self.theme.px(4))
        self.column.addWidget(self.name)

    def _add_sources(self) -> None:
        self.add_heading(tr("Learn from"))
        self.distant = self.add_check_box(
            tr("&Distant labels"), tr("Labels from the linking phrases, for pairs that nobody has answered")
        )
        self.answers = self.add_check_box(
            tr("Answers of peop&le"), tr("Answered pairs; they have more weight than distant labels")
        )
        self.implicit = self.create_check_box(
            tr("Suggestions fro&m"),
            tr("Adjacent sentences without a linking phrase, labelled by suggestions of at least this confidence"),
        )
        for name, box in (("distant", self.distant), ("answers", self.answers)):
            self._fields.bind(name, box).setChecked(True)
        self.min_confidence = self._set_width(
            self.create_number(25, 100, tr("Lowest confidence of a suggestion to learn from"), value=95, unit=" %")
        )
        self._fields.bind_by(
            "implicit_above", lambda: self.min_confidence.value() / 100 if self.implicit.isChecked() else None
        )
        self.column.addLayout(row_of(self.implicit, STRETCH, self.min_confidence))
        self.min_confidence.setEnabled(False)
        self.implicit.toggled.connect(self.min_confidence.setEnabled)
        self.leave_out_export = self.add_check_box(tr("&Leave out exported dev and test"))
        self.leave_out_export.setChecked(True)
        self.leave_out_export.setVisible(False)
        self._fields.bind_by("split_export", lambda: self._split_export if self.leave_out_export.isChecked() else None)
        self.sources = self.add_text(tr("Counting…"))
        self.classes, self.reserved = self.add_text(), self.add_text()
        self.classes.setVisible(False)
        self.reserved.setVisible(False)
        self.problem, self.warning = Notice(self.theme), Notice(self.theme)
        self.column.addWidget(self.problem)
        self.column.addWidget(self.warning)

    def _add_recipe(self) -> None:
        self.add_heading(tr("Recipe"))
        self.preset = ComboBox()
        self.preset.setAccessibleName(tr("Recipe"))
        for name, recipe in PRESETS.items():
            self.preset.addItem(capitalized(recipe.name), name)
        self._fields.bind_by("recipe", lambda: self.recipe)
        self.preset.currentIndexChanged.connect(self._show_recipe)
        self.column.addWidget(self.preset)
        self.recipe_text = self.add_text()
        self.folds = self.add_check_box(
            tr("Cross-validate &all labels"),
            tr(
                "Also trains {folds} models on parts of the labels; each checks the labels it has not "
                "learned (out-of-fold), so that wrong labels can be found among all",
                folds=DEFAULT_FOLDS,
            ),
        )
        self.folds.setChecked(True)
        self._recipe_fields.bind_by("folds", lambda: DEFAULT_FOLDS if self.folds.isChecked() else 0)

    def _add_details(self) -> None:
        self.details_button = QPushButton()
        self.details_button.setCheckable(True)
        self.details_button.setProperty("look", "link")
        self.details_button.setCursor(Qt.CursorShape.PointingHandCursor)
        self.details_button.toggled.connect(self._show_details)
        self.column.addSpacing(self.theme.px(8))
        self.column.addWidget(self.details_button, 0, Qt.AlignmentFlag.AlignLeft)
        self.details = QWidget()
        grid = QGridLayout(self.details)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(self.theme.px(6))
        grid.setVerticalSpacing(self.theme.px(6))
        self.epochs = self._create_number("epochs", "", tr("Most epochs"))
        self.minutes = self._create_number("seconds", " min", tr("Time limit"))
        self.minutes.setSpecialValueText("none")
        self.seeds = self._set_width(
            self.create_number(1, _MAX_RUNS, tr("Number of runs, each with another seed"), value=1)
        )
        self.seed = self._set_width(self._recipe_fields.bind("seed", self.create_seed(tr("First seed"))))
        rows = ((tr("Most epochs"), self.epochs), (tr("Time limit"), self.minutes), (tr("Seeds"), self.seeds))
        for row, (text, box) in enumerate((*rows, (tr("First seed"), self.seed))):
            grid.addWidget(PlainLabel(text), row, 0)
            grid.addWidget(box, row, 1)
        self.device = ComboBox()
        self.device.setAccessibleName(tr("Device"))
        for device in DEVICES:
            self.device.addItem(DEVICE_NAMES[device], device)
        self._fields.bind("device", self.device)
        grid.addWidget(self.device, 4, 0, 1, 2)
        self.two_stage = self.create_check_box(
            tr("&Two stages"), tr("Learn from distant labels first, then from answers alone, at half the learning rate")
        )
        self.hypothesis_only = self.create_check_box(
            tr("&Hypothesis only"),
            tr("Hide the premise: the score shows how much the hypothesis alone reveals about the class"),
        )
        for row, (name, check) in enumerate((("two_stage", self.two_stage), ("hypothesis_only", self.hypothesis_only))):
            grid.addWidget(self._recipe_fields.bind(name, check), 5 + row, 0, 1, 2)
        self.column.addWidget(self.details)
        self._show_details(False)

    def _create_number(self, field: str, unit: str, name: str) -> NumberBox:
        """For a number of the recipe."""
        return self._set_width(self._recipe_fields.bind(field, self.create_number(0, 0, name, unit=unit)))

    def _set_width(self, box: Box) -> Box:
        box.setFixedWidth(self.theme.px(104))
        return box

    # Slots

    @Slot()
    def _select_recipe(self) -> None:
        """Select the recipe for the model to start from."""
        knows_task = self.choice is not None and self.choice.kind in ("starter", "project")
        self.preset.setCurrentIndex(self.preset.findData("starter" if knows_task else "quick"))
        self.changed.emit()

    @Slot(bool)
    def _show_details(self, on: bool) -> None:
        self.details.setVisible(on)
        self.details_button.setText(tr("Fewer settings") if on else tr("More settings"))

    @Slot()
    def _show_recipe(self) -> None:
        name = self.preset.currentData()
        self.recipe_text.setText(RECIPE_TEXTS[name])
        self.epochs.setValue(PRESETS[name].epochs)
        self.two_stage.setChecked(PRESETS[name].two_stage)
        self.changed.emit()
