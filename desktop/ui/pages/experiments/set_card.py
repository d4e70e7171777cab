"""The form of a data set: the source of its pairs, and its parts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QGridLayout,
    QVBoxLayout,
    QWidget,
)

from desktop.text import count
from desktop.translation import tr
from desktop.ui.pages.experiments.file_fields import FileFields
from desktop.ui.services.display_names import filter_text
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.widgets.buttons import icon_button, push_button
from desktop.ui.widgets.flow_layout import FlowLayout
from desktop.ui.widgets.labels import ElidedLabel, PlainLabel, set_tip
from desktop.ui.widgets.layouts import STRETCH, CardFrame, column_of, row_of, stretched
from desktop.ui.widgets.notices import Notice
from miner import codec
from miner.lab.experiments.experiment import PARTS, LabelChoice, ProbeSet, Subset
from storage.pairs.filters import PairFilter

_LABELS = {
    LabelChoice.FIRST_GOLD.value: tr("gold; distant only where there is none at all"),
    LabelChoice.EITHER.value: tr("gold or distant"),
    LabelChoice.GOLD.value: tr("gold"),
    LabelChoice.DISTANT.value: tr("distant"),
}
_PART_NAMES = {"train": tr("Train"), "dev": tr("Dev"), "test": tr("Test")}
_SUBSETS = {
    Subset.EASY.value: tr("the easiest"),
    Subset.HARD.value: tr("the hardest"),
    Subset.AMBIGUOUS.value: tr("the most ambiguous"),
    Subset.WITHOUT_HARD.value: tr("all but the hardest"),
}
_PROBES = {
    ProbeSet.DIRECTIONAL.value: tr("DirTrue against DirFalse: direction"),
    ProbeSet.SYMMETRIC.value: tr("Paraphrases against Unrelated: likeness"),
    ProbeSet.PARAPHRASES_DIR_TRUE.value: tr("Paraphrases against DirTrue"),
    ProbeSet.PARAPHRASES_DIR_FALSE.value: tr("Paraphrases against DirFalse"),
    ProbeSet.DIR_TRUE_UNRELATED.value: tr("DirTrue against Unrelated"),
    ProbeSet.DIR_FALSE_UNRELATED.value: tr("DirFalse against Unrelated"),
    ProbeSet.FULL.value: tr("All four groups"),
}
_NEGATIVES = {ProbeSet.NEGATIVES.value: tr("Statements in papers against narrower statements")}
_THRESHOLDS = {  # of negatives: what they are called, their bounds and defaults
    "predicates": (tr("Predicates of two things"), 2, 10_000, 3),
    "argument_pairs": (tr("Uses of a predicate"), 1, 1_000_000, 10),
    "quota": (tr("Negatives for a positive predicate"), 0, 1_000, 2),
}
_ALL_PAIRS = tr("All pairs of the project")
_MESH_OF_ALL, _NEGATIVES_OF_ALL = tr("Made of all pairs of the project"), tr("Made of all papers of the project")


class SetCard(CardFrame):
    """Fields of one data set. others: the names of the other sets."""

    removed = Signal()
    renamed = Signal(str)

    def __init__(
        self,
        context: ProjectContext,
        fields: FileFields,
        name: str,
        others: Sequence[str],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.context, self._fields, self.name, self._others = context, fields, name, others
        self._place = ("data", name)
        self._counts: dict[str, PlainLabel] = {}
        theme, px = context.theme, context.theme.px
        self.setAccessibleName(tr("Data set {name}", name=name))
        self.name_field = fields.plain_line(name, tr("Name of the data set {name}", name=name))
        self.name_field.setMaximumWidth(px(240))
        self.name_field.editingFinished.connect(self._on_renamed)
        self.remove = icon_button(
            theme, "trash-2", tr("Remove this data set"), tr("Remove the data set {name}", name=name)
        )
        self.remove.clicked.connect(self.removed)
        column = column_of(
            row_of(stretched(self.name_field), STRETCH, self.remove, spacing=px(8)),
            spacing=px(8),
            margins=(px(12), px(10), px(12), px(10)),
        )
        self.setLayout(column)
        source = self._source
        add = {"files": self._add_files, "union": self._add_union, "of": self._add_subset, "": self._add_filter}
        if self._is_probe:
            self._add_probe(column)
        add[source](column)
        if source != "of":
            self._add_parts(column)
        self.notice = Notice(theme)
        column.addWidget(self.notice)

    @property
    def _is_probe(self) -> bool:
        """Whether the set is a probe, made from the project's pairs or from triples."""
        return any(self._fields.value((*self._place, key)) for key in ("probe", "triples"))

    @property
    def _is_negatives(self) -> bool:
        return self._fields.value((*self._place, "probe")) in _NEGATIVES

    @property
    def _source(self) -> str:
        """The source of the pairs: files, union, of (another set), or "" for the project or a folder of triples."""
        return next((key for key in ("files", "union", "of") if self._fields.value((*self._place, key))), "")

    def show_pairs(self, pairs: Mapping[str, Mapping[str, int]] | None) -> None:
        """Show how many pairs the parts have; None while that is not known."""
        own = None if pairs is None else pairs.get(self.name)
        for part, label in self._counts.items():
            number = None if own is None else own.get(part)
            label.setText("" if number is None else count(number, "pair"))

    # Where pairs come from

    def _add_probe(self, column: QVBoxLayout) -> None:
        """Add fields for the groups of a probe, and for a folder of triples that replaces the project's pairs."""
        place = (*self._place, "probe")
        choices = _NEGATIVES if self._is_negatives else _PROBES
        groups = self._fields.choice(place, tr("Probe of {name}", name=self.name), choices, ProbeSet.FULL.value)
        column.addLayout(row_of(self._fields.labelled(tr("Probe"), groups), STRETCH))
        if self._is_negatives:
            self._add_thresholds(column)
        if self._is_negatives or self._source:
            return
        name = tr("Folder of triples of {name}", name=self.name)
        folder = self._fields.file((*self._place, "triples"), name, tr("none: of the project’s pairs"), is_folder=True)
        set_tip(folder, tr("Files of LevyHolt or SherLIiC, instead of a probe built from the pairs of this project"))
        column.addWidget(self._fields.labelled(tr("Triples"), folder))

    def _add_thresholds(self, column: QVBoxLayout) -> None:
        thresholds = QWidget()
        flow = FlowLayout(self.context.theme.px(8), thresholds)
        for key, (text, least, most, usual) in _THRESHOLDS.items():
            name = tr("{text}, of {name}", text=text, name=self.name)
            field = self._fields.number((*self._place, "negatives", key), name, least, most, usual)
            flow.addWidget(self._fields.labelled(text, field))
        column.addWidget(thresholds)

    def _add_filter(self, column: QVBoxLayout) -> None:
        if self._fields.value((*self._place, "triples")):
            return
        where = self._fields.value((*self._place, "where"), {})
        self.filter_label = ElidedLabel(self._filter_text(where))
        use = push_button(
            tr("Use the filter of Pairs"),
            lambda: self._set_filter(self.context.pairs_page_filter),
            tip=tr("Take the pairs that the Pairs page shows now"),
            name=tr("Use the filter of Pairs for {name}", name=self.name),
        )
        text = tr("All papers") if self._is_negatives else tr("All pairs")
        name = tr("Use {everything} for {name}", everything=text.lower(), name=self.name)
        everything = push_button(text, lambda: self._set_filter(PairFilter()), name=name)
        column.addLayout(row_of(stretched(self.filter_label), use, everything, spacing=self.context.theme.px(8)))
        if self._is_probe:
            return
        tip = tr("This set is replaced by one set for each domain of its pairs, with the name of the domain")
        each = QCheckBox(tr("A set for each domain"))
        each.setChecked(self._fields.value((*self._place, "each")) == "domain")
        set_tip(each, tip)
        each.toggled.connect(lambda on: self._fields.edit((*self._place, "each"), "domain" if on else None))
        column.addLayout(row_of(self._labels_field(), each, STRETCH))

    def _set_filter(self, filter: PairFilter) -> None:
        where = codec.to_data(filter) if filter != PairFilter() else None
        empty = codec.to_data(PairFilter())
        if where is not None:
            where = {key: value for key, value in where.items() if value != empty.get(key) and value is not None}
        self._fields.edit((*self._place, "where"), where)
        self.filter_label.setText(self._filter_text(where or {}))

    def _filter_text(self, where: object) -> str:
        try:
            chosen = filter_text(codec.from_data(PairFilter, where))
        except ValueError:
            return tr("The filter in the file cannot be used.")
        if not self._is_probe:
            return chosen or _ALL_PAIRS
        return (
            tr("Made of: {chosen}", chosen=chosen)
            if chosen
            else _NEGATIVES_OF_ALL
            if self._is_negatives
            else _MESH_OF_ALL
        )

    def _add_files(self, column: QVBoxLayout) -> None:
        grid = QGridLayout()
        grid.setHorizontalSpacing(self.context.theme.px(12))
        for row, part in enumerate(PARTS):
            label = PlainLabel(tr("{part_name} file", part_name=_PART_NAMES[part]), type="muted")
            grid.addWidget(label, row, 0)
            name = tr("{part_name} file of {name}", part_name=_PART_NAMES[part], name=self.name)
            grid.addWidget(self._fields.file((*self._place, "files", part), name, "none"), row, 1)
        column.addLayout(grid)

    def _add_union(self, column: QVBoxLayout) -> None:
        members = self._fields.value((*self._place, "union"), [])
        label = PlainLabel(tr("Built from"), type="muted")
        row = row_of(label, spacing=self.context.theme.px(12))
        plain = [name for name in self._others if not self._is_made(name)]
        chosen = [name for name in plain if name in members]

        def toggle(name: str, on: bool) -> None:
            chosen[:] = [one for one in plain if (on if one == name else one in chosen)]
            self._fields.edit((*self._place, "union"), list(chosen))

        for name in plain:
            box = QCheckBox(name.replace("&", "&&"))
            box.setChecked(name in chosen)
            box.toggled.connect(lambda on, name=name: toggle(name, on))
            row.addWidget(box)
        row.addStretch(1)
        column.addLayout(row)

    def _add_subset(self, column: QVBoxLayout) -> None:
        share = self._fields.plain_number(
            round(100 * float(self._fields.value((*self._place, "share"), 0.33))),
            1,
            99,
            tr("Share of {name}", name=self.name),
            " %",
        )
        share.valueChanged.connect(lambda value: self._fields.edit((*self._place, "share"), value / 100))
        names = {name: name for name in self._others if not self._is_made(name)}
        about = PlainLabel(tr("by training dynamics"), type="muted")
        column.addLayout(
            row_of(
                self._fields.choice((*self._place, "subset"), tr("Which pairs"), _SUBSETS, "easy"),
                share,
                PlainLabel("of"),
                self._fields.choice((*self._place, "of"), tr("Set"), names, ""),
                about,
                STRETCH,
                spacing=self.context.theme.px(8),
            )
        )

    def _is_made(self, name: str) -> bool:
        """Whether a set is made from other sets."""
        return bool(self._fields.value(("data", name, "union")) or self._fields.value(("data", name, "of")))

    # Parts

    def _labels_field(self) -> QWidget:
        place = (*self._place, "labels")
        return self._fields.labelled(
            tr("Labels"),
            self._fields.choice(place, tr("Labels of {name}", name=self.name), _LABELS, tr("gold or distant")),
        )

    def _add_parts(self, column: QVBoxLayout) -> None:
        grid = QGridLayout()
        grid.setHorizontalSpacing(self.context.theme.px(8))
        grid.setVerticalSpacing(self.context.theme.px(4))
        for row, part in enumerate(PARTS):
            self._add_part(grid, row, part)
        grid.setColumnStretch(5, 1)
        column.addLayout(grid)

    def _add_part(self, grid: QGridLayout, row: int, part: str) -> None:
        fields, place = self._fields, (*self._place, part)
        name = tr("{part_name} part of {name}", part_name=_PART_NAMES[part], name=self.name)
        box = QCheckBox(_PART_NAMES[part])
        box.setChecked(fields.value(place) is not None)
        box.setAccessibleName(name)
        grid.addWidget(box, row, 0)
        sample = fields.number(
            (*place, "sample"), tr("Pairs of the {name}", name=name), 0, 100_000_000, 0, zero=tr("all pairs")
        )
        sample.setFixedWidth(self.context.theme.px(116))
        balanced = fields.check((*place, "balanced"), "balanced", tip=tr("Same number of pairs of each class"))
        balanced.setAccessibleName(tr("{name}: balanced", name=name))
        controls: list[QWidget] = [sample, balanced]
        if not self._is_probe:  # whose pairs are made with their labels
            labels = fields.choice(
                (*place, "labels"), tr("Labels of the {name}", name=name), {None: tr("as the set"), **_LABELS}, None
            )
            controls.insert(0, labels)
        for number, control in enumerate(controls, 1):
            grid.addWidget(control, row, number)
            control.setEnabled(box.isChecked())
        self._counts[part] = PlainLabel()
        self._counts[part].setProperty("type", "small")
        self._counts[part].setMinimumWidth(self.context.theme.px(72))
        grid.addWidget(self._counts[part], row, 4)

        def toggle(on: bool) -> None:
            fields.edit(place, {} if on else None)
            for control in controls:
                control.setEnabled(on)

        box.toggled.connect(toggle)

    def _on_renamed(self) -> None:
        name = " ".join(self.name_field.text().split())
        if name and name != self.name and name not in self._others:
            self.renamed.emit(name)
        else:
            self.name_field.setText(self.name)
