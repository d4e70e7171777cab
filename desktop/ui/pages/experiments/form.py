"""An experiment as a form: what it asks, its data sets, its systems, its runs and its tables."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import (
    QGridLayout,
    QMenu,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from desktop.jobs.models.registry import load_choices
from desktop.translation import tr
from desktop.ui.pages.experiments.file_fields import FileFields
from desktop.ui.pages.experiments.set_card import SetCard
from desktop.ui.pages.experiments.system_card import KIND_NAMES, NEW_SYSTEMS, SystemCard
from desktop.ui.services.display_names import DEVICE_NAMES, capitalized
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.widgets.buttons import push_button
from desktop.ui.widgets.fields import ComboBox, FormScrollArea
from desktop.ui.widgets.flow_layout import FlowLayout
from desktop.ui.widgets.labels import PlainLabel, set_tip
from desktop.ui.widgets.layouts import card_of, column_of, row_of, stretched
from miner.errors import UserError
from miner.lab.experiments.experiment import SignificanceTest, TableAxis, TableScore
from miner.lab.experiments.experiment_file import parse_experiment
from miner.lab.experiments.file_editing import Path as FilePlace
from miner.lab.experiments.file_editing import (
    add_set,
    add_table,
    file_values,
    rename_set,
    set_value,
)
from miner.options import DEVICES

if TYPE_CHECKING:
    from desktop.jobs.lab.experiments.check import ExperimentCheck
    from desktop.jobs.models.registry import ModelChoice

_ROWS = {TableAxis.SYSTEM.value: tr("systems"), TableAxis.TRAIN.value: tr("train sets")}
_COLUMNS = {
    TableAxis.SCORE.value: tr("scores"),
    TableAxis.TEST.value: tr("test sets"),
    TableAxis.TRAIN.value: tr("train sets"),
    TableAxis.CLASS.value: tr("classes"),
    TableAxis.DOMAIN.value: tr("domains"),
    TableAxis.STRATEGY.value: tr("strategies"),
    TableAxis.PHRASE.value: tr("linking phrases"),
    TableAxis.LENGTH.value: tr("lengths"),
    TableAxis.KIND.value: tr("kinds of reasoning"),
}
_SCORES = {
    TableScore.MACRO_F1.value: tr("macro F1"),
    TableScore.ACCURACY.value: tr("accuracy"),
    TableScore.PRECISION.value: tr("precision"),
    TableScore.RECALL.value: tr("recall"),
    TableScore.AUC_NORM.value: tr("AUC, normalized (two classes)"),
    TableScore.AUC_50.value: tr("AUC above one half (two classes)"),
}
_TESTS = {
    SignificanceTest.PAIRED_T.value: tr("paired t-test"),
    SignificanceTest.BOOTSTRAP.value: tr("bootstrap"),
    SignificanceTest.NONE.value: tr("no test"),
}
_AGAINST = {
    "first": tr("against the first row"),
    "best": tr("against the best"),
    "diagonal": tr("against the own domain"),
    "all": tr("against each other"),
}
_NEW_SETS: dict[str, tuple[str, dict[str, Any]]] = {  # the menu's text, the name, and what the set begins with
    tr("Pairs of this project"): ("project", {"train": {"labels": "distant", "balanced": True}, "dev": {}, "test": {}}),
    tr("Files"): ("files", {"files": {"test": "test.csv"}, "test": {}}),
    tr("Other sets together"): ("together", {"union": [], "train": {}, "dev": {}}),
}


class ExperimentForm(QWidget):
    """Shows a file's text; `text` is it with what was changed here. What the form does not show stays as it is."""

    changed = Signal(str)  # the new text
    device_changed = Signal()

    def __init__(self, context: ProjectContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.context = context
        self.text = ""
        self.systems: list[SystemCard] = []
        self.sets: list[SetCard] = []
        self.device = ComboBox()
        self.device.setAccessibleName(tr("Device"))
        for device in DEVICES:
            self.device.addItem(DEVICE_NAMES[device], device)
        self.device.currentIndexChanged.connect(lambda _: self.device_changed.emit())
        self._home = context.path.parent
        self._choices: Sequence[ModelChoice] = ()
        self._check: ExperimentCheck | None = None
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(context.theme.px(6))
        self._area: FormScrollArea | None = None

    def show_text(self, text: str, home: Path) -> bool:
        """Show a file; whether it has a form. home: that its paths are relative to."""
        if text == self.text and home == self._home and self._area is not None:
            return True
        try:
            values = file_values(text)
        except UserError:
            return False
        if not _has_form(values):
            return False
        self.text, self._home = text, home
        self._build(values)
        return True

    @property
    def device_name(self) -> str:
        return str(self.device.currentData())

    def read_choices(self) -> None:
        """Read again which models there are to start from."""
        job = load_choices(self.context.project)
        self.context.read(job, self._show_choices)

    @property
    def has_choices(self) -> bool:
        """Whether the models to start from are known."""
        return bool(self._choices)

    @Slot(object)
    def _show_choices(self, choices: Sequence[ModelChoice]) -> None:
        self._choices = choices = [choice for choice in choices if not choice.problem]
        for card in self.systems:
            card.show_choices(choices)

    def show_check(self, check: ExperimentCheck | None) -> None:
        """Show how many pairs there are and what is missing; None while that is not known."""
        self._check = check
        for card in self.sets:
            card.show_pairs(None if check is None else check.pairs)
            gaps = [] if check is None else [gap.text for gap in check.gaps if gap.place[:2] == ("data", card.name)]
            card.notice.show_text(" ".join(gaps), "warning")
        for number, system in enumerate(self.systems):
            gaps = [] if check is None else [gap.text for gap in check.gaps if gap.place[:2] == ("system", number)]
            system.notice.show_text(" ".join(gaps), "warning")

    # Changes

    def _edit(self, place: FilePlace, value: Any) -> None:
        """A field was changed: the file follows, and the form stays as it is."""
        self._take(set_value(self.text, place, value))

    def _take(self, text: str) -> None:
        if text != self.text:
            self.text = text
            self.changed.emit(text)

    def _restructure(self, text: str) -> None:
        """Systems, sets or tables were added or removed: the form is made anew, at the same place."""
        place = self._area.verticalScrollBar().value() if self._area is not None else 0
        self.text = text
        self._build(file_values(text))
        assert self._area is not None
        self._area.verticalScrollBar().setValue(place)
        self.changed.emit(text)

    def add_system(self, kind: str) -> None:
        """Add a system of a kind behind the others."""
        self._restructure(add_table(self.text, "system", {"kind": kind, **NEW_SYSTEMS.get(kind, {})}))
        self.systems[-1].name.setFocus()

    def add_set(self, what: str) -> None:
        """Add a data set: a key of the menu."""
        name, value = _NEW_SETS[what]
        names = [card.name for card in self.sets]
        if value.get("union") == []:
            value = {**value, "union": [one for one in names if not self._fields.value(("data", one, "union"))][:2]}
        free = name if name not in names else next(f"{name} {n}" for n in range(2, 1_000) if f"{name} {n}" not in names)
        self._restructure(add_set(self.text, free, value))
        self.sets[-1].name_field.setFocus()

    # Layout

    def _build(self, values: dict[str, Any]) -> None:
        theme, px = self.context.theme, self.context.theme.px
        self._fields = FileFields(theme, values, self._edit, self._home)
        self.device.setParent(None)
        old = self._area
        if old is not None:
            self._layout.removeWidget(old)
            old.hide()
            old.deleteLater()
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, px(4), px(12), px(8))
        column.setSpacing(px(8))
        self._add_about(column)
        self._add_sets(column, values)
        self._add_systems(column, values)
        self._add_runs(column)
        self._add_tables(column, values)
        column.addStretch(1)
        self._area = FormScrollArea(page)
        self._layout.addWidget(self._area)
        self._show_choices(self._choices)
        self.show_check(self._check)

    def _heading(self, column: QVBoxLayout, text: str, button: QWidget | None = None) -> None:
        if column.count():
            column.addSpacing(self.context.theme.px(8))
        label = PlainLabel(text, type="heading")
        row = row_of(stretched(label))
        if button is not None:
            row.addWidget(button)
        column.addLayout(row)

    def _add_about(self, column: QVBoxLayout) -> None:
        grid = QGridLayout()
        grid.setHorizontalSpacing(self.context.theme.px(12))
        for row, (key, text, hint) in enumerate(
            (
                ("name", tr("Name"), tr("in the list of experiments")),
                ("question", tr("Question"), tr("that it is to answer")),
            )
        ):
            label = PlainLabel(text, type="muted")
            field = self._fields.line((key,), text, hint)
            label.setBuddy(field)
            grid.addWidget(label, row, 0)
            grid.addWidget(field, row, 1)
        column.addLayout(grid)

    def _add_sets(self, column: QVBoxLayout, values: dict[str, Any]) -> None:
        menu = QMenu(self)
        for what in _NEW_SETS:
            menu.addAction(what).triggered.connect(lambda _=False, what=what: self.add_set(what))
        self._heading(column, tr("Data sets"), self._menu_button(tr("Add a data set"), menu))
        names = [name for name, one in values.get("data", {}).items() if isinstance(one, dict)]
        self.sets = []
        for name in names:
            card = SetCard(self.context, self._fields, name, [other for other in names if other != name])
            card.removed.connect(lambda name=name: self._restructure(set_value(self.text, ("data", name), None)))
            card.renamed.connect(lambda new, name=name: self._restructure(rename_set(self.text, name, new)))
            column.addWidget(card)
            self.sets.append(card)

    def _add_systems(self, column: QVBoxLayout, values: dict[str, Any]) -> None:
        menu = QMenu(self)
        for kind, text in KIND_NAMES.items():
            menu.addAction(text).triggered.connect(lambda _=False, kind=kind: self.add_system(kind))
        self._heading(column, tr("Systems"), self._menu_button(tr("Add a system"), menu))
        sets = list(values.get("data", {}))
        titles = self._titles()
        self.systems = []
        for number, one in enumerate(values.get("system", [])):
            if not isinstance(one, dict):
                continue
            card = SystemCard(self._fields, number, sets, titles[number] if number < len(titles) else "")
            card.removed.connect(lambda n=number: self._restructure(set_value(self.text, ("system", n), None)))
            column.addWidget(card)
            self.systems.append(card)

    def _titles(self) -> list[str]:
        """What systems are called where the file gives them no name."""
        try:
            return [system.title for system in parse_experiment(self.text).systems]
        except UserError:
            return []

    def _add_runs(self, column: QVBoxLayout) -> None:
        self._heading(column, tr("Runs"))
        line = QWidget()
        flow = FlowLayout(self.context.theme.px(8), line)
        seeds = self._fields.numbers(("seeds",), tr("Seeds"), (1, 2, 3))
        set_tip(
            seeds,
            tr(
                "One run of each system for each seed (start of the random numbers); two or more give a "
                "standard deviation and a t-test"
            ),
        )
        flow.addWidget(self._fields.labelled(tr("Seeds"), seeds))
        flow.addWidget(self._fields.labelled(tr("On"), self.device))
        overlap = tr("Compute a cell even if pairs of its test part are also in its train part")
        flow.addWidget(self._fields.check(("allow_overlap",), tr("Allow overlap"), tip=overlap))
        column.addWidget(line)

    def _add_tables(self, column: QVBoxLayout, values: dict[str, Any]) -> None:
        button = push_button(
            tr("Add a table"),
            lambda: self._restructure(add_table(self.text, "table", {"rows": "system", "columns": "class"})),
        )
        self._heading(column, tr("Tables"), button)
        fields, px = self._fields, self.context.theme.px
        for number, _ in enumerate(values.get("table", [])):
            place = ("table", number)
            name = tr("table {number}", number=number + 1)
            remove = QToolButton()
            remove.setProperty("look", "quiet")
            self.context.theme.set_icon(remove, "trash-2")
            set_tip(remove, tr("Remove this table"))
            remove.setAccessibleName(tr("Remove {name}", name=name))
            remove.clicked.connect(
                lambda _=False, n=number: self._restructure(set_value(self.text, ("table", n), None))
            )
            line = QWidget()
            flow = FlowLayout(px(8), line)
            rows = fields.choice((*place, "rows"), tr("Rows of {name}", name=name), _ROWS, "system")
            columns = fields.choice((*place, "columns"), tr("Columns of {name}", name=name), _COLUMNS, "score")
            flow.addWidget(fields.labelled(tr("Rows"), rows))
            flow.addWidget(fields.labelled(tr("Columns"), columns))
            flow.addWidget(fields.choice((*place, "of"), tr("Score of {name}", name=name), _SCORES, "macro_f1"))
            flow.addWidget(fields.choice((*place, "test"), tr("Test of {name}", name=name), _TESTS, "paired_t"))
            flow.addWidget(
                fields.choice(
                    (*place, "against"), tr("{name}: tested against", name=capitalized(name)), _AGAINST, "first"
                )
            )
            title = fields.line((*place, "title"), tr("Title of {name}", name=name), tr("Title"))
            inside = column_of(
                row_of(stretched(title), remove, spacing=px(12)),
                line,
                spacing=px(8),
                margins=(px(12), px(10), px(12), px(10)),
            )
            column.addWidget(card_of(inside, name=capitalized(name)))

    def _menu_button(self, text: str, menu: QMenu) -> QPushButton:
        button = QPushButton(f"{text}…")
        button.setMenu(menu)
        button.setAccessibleName(text)
        return button


def _has_form(values: dict[str, Any]) -> bool:
    """Whether sets, systems and tables are what they are in an experiment, so that fields can show them."""
    sets = values.get("data", {})
    lists = [values.get("system", []), values.get("table", [])]
    return (
        isinstance(sets, dict)
        and all(isinstance(one, dict) and _set_has_form(one) for one in sets.values())
        and all(isinstance(one, list) and all(isinstance(table, dict) for table in one) for one in lists)
    )


def _set_has_form(values: dict[str, Any]) -> bool:
    share = values.get("share", 0.5)
    return isinstance(values.get("union", []), list) and isinstance(share, int | float) and 0 <= share <= 1
