"""Two papers side by side, with a choice of the text that stays, and of a value for each field that differs."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, Signal, Slot
from PySide6.QtWidgets import QButtonGroup, QGridLayout, QHBoxLayout, QRadioButton, QWidget

from desktop.jobs.descriptions.stock import PARSER_NAMES
from desktop.jobs.papers.duplicates import FIELDS, ComparedPaper, ComparedPapers, values_of
from desktop.text import count
from desktop.translation import tr
from desktop.ui.theme import Theme
from desktop.ui.widgets.labels import PlainLabel
from desktop.ui.widgets.layouts import aligned, row_of
from storage.papers.metadata import PaperMetadata

_NAMES = {
    "title": tr("Title"),
    "authors": tr("Authors"),
    "year": tr("Year"),
    "journal": tr("Journal"),
    "doi": "DOI",
    "licence": tr("Licence"),
    "domain": tr("Domain"),
    "keywords": tr("Keywords"),
}
_PARSER_NAMES = PARSER_NAMES | {"embedded": tr("built-in parser")}  # within a sentence
_UNKNOWN = tr("not known")
_INDENT_PX = 32  # of a value without a button
_TEXT = "text"  # the row that chooses whose text stays


class PaperComparison(QWidget):
    """A row for each field. Where the values differ, its name is bold and one of them is chosen."""

    kept_changed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._comparison: ComparedPapers | None = None
        self._content: QWidget | None = None
        self._groups: dict[str, QButtonGroup] = {}  # by field; the ids of the buttons are 0 and 1
        self._chosen_by_hand: set[str] = set()
        self._layout = QHBoxLayout(self)
        self._layout.setContentsMargins(0, 0, theme.px(8), 0)

    @property
    def kept(self) -> str:
        """The MD5 of the paper whose text stays."""
        assert self._comparison is not None
        return self._comparison.papers[self._groups[_TEXT].checkedId()].md5

    def changes(self) -> PaperMetadata:
        """The chosen values of the paper that is merged into the other."""
        assert self._comparison is not None
        kept = self._groups[_TEXT].checkedId()
        fields = [field for field, group in self._groups.items() if field != _TEXT and group.checkedId() != kept]
        return values_of(self._comparison.papers[1 - kept].summary, fields)

    def show_papers(self, comparison: ComparedPapers) -> None:
        """Show two papers; the better text and its paper's values are chosen at first."""
        self._comparison = comparison
        self._groups, self._chosen_by_hand = {}, set()
        if self._content is not None:
            self._layout.removeWidget(self._content)
            self._content.deleteLater()
        self._content = QWidget()
        grid = QGridLayout(self._content)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(self._theme.px(16))
        grid.setVerticalSpacing(self._theme.px(8))
        grid.setColumnStretch(1, 1)
        grid.setColumnStretch(2, 1)
        self._add_choice(grid, _TEXT, tr("Text that stays"), [_text_of(paper) for paper in comparison.papers])
        for field in FIELDS:
            values = [_value_text(paper, field) for paper in comparison.papers]
            if values[0] == values[1]:
                if values[0] != _UNKNOWN:
                    self._add_facts(grid, _NAMES[field], values)
            else:
                self._add_choice(grid, field, _NAMES[field], values)
        grid.setRowMinimumHeight(grid.rowCount(), self._theme.px(8))
        for name, values in _facts(comparison):
            self._add_facts(grid, name, values)
        grid.setRowStretch(grid.rowCount(), 1)
        side = [paper.md5 for paper in comparison.papers].index(comparison.kept)
        self._groups[_TEXT].button(side).setChecked(True)
        self._choose_values()
        self._layout.addWidget(self._content)

    def _add_choice(self, grid: QGridLayout, field: str, name: str, values: list[str]) -> None:
        group = QButtonGroup(self._content)
        self._groups[field] = group
        row = grid.rowCount()
        self._add_name(grid, row, name, differs=True)
        for side, value in enumerate(values):
            button = QRadioButton()
            button.setAccessibleName(f"{name}: {value}, {'left' if side == 0 else 'right'}")
            group.addButton(button, side)
            label = _value_label(value)
            label.setProperty("side", side)
            label.installEventFilter(_ClickThrough(button))
            cell = row_of(aligned(button, Qt.AlignmentFlag.AlignTop), spacing=self._theme.px(4))
            cell.addWidget(label, 1, Qt.AlignmentFlag.AlignVCenter)
            grid.addLayout(cell, row, 1 + side)
        if field == _TEXT:
            group.idToggled.connect(self._on_kept_changed)
        else:
            group.idClicked.connect(lambda _, field=field: self._chosen_by_hand.add(field))

    def _add_facts(self, grid: QGridLayout, name: str, values: list[str]) -> None:
        row = grid.rowCount()
        self._add_name(grid, row, name, differs=False)
        for side, value in enumerate(values):
            label = _value_label(value)
            label.setIndent(self._theme.px(_INDENT_PX))
            grid.addWidget(label, row, 1 + side)

    def _add_name(self, grid: QGridLayout, row: int, name: str, *, differs: bool) -> None:
        label = PlainLabel(name)
        if differs:
            font = label.font()
            font.setBold(True)
            label.setFont(font)
            label.setContentsMargins(0, self._theme.px(3), 0, 0)  # level with the button's middle
        else:
            label.setProperty("type", "muted")
        grid.addWidget(label, row, 0, Qt.AlignmentFlag.AlignTop)

    @Slot(int, bool)
    def _on_kept_changed(self, _: int, is_checked: bool) -> None:
        if is_checked:
            self._choose_values()
            self.kept_changed.emit()

    def _choose_values(self) -> None:
        """Choose the values of the paper that stays, or the other paper's where it has none."""
        assert self._comparison is not None
        kept = self._groups[_TEXT].checkedId()
        for field, group in self._groups.items():
            if field != _TEXT and field not in self._chosen_by_hand:
                has_value = bool(getattr(self._comparison.papers[kept].summary, field))
                group.button(kept if has_value else 1 - kept).setChecked(True)


class _ClickThrough(QObject):
    """Lets a click on a label choose the button that it belongs to, as a button's own text cannot wrap."""

    def __init__(self, button: QRadioButton) -> None:
        super().__init__(button)
        self._button = button

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.MouseButtonRelease:
            self._button.click()
        return False


def _value_label(value: str) -> PlainLabel:
    label = PlainLabel(value, wraps=True)
    if value == _UNKNOWN:
        label.setProperty("type", "muted")
    return label


def _value_text(paper: ComparedPaper, field: str) -> str:
    value = getattr(paper.summary, field)
    if isinstance(value, tuple):
        return ("; " if field == "authors" else ", ").join(value) or _UNKNOWN
    return str(value or _UNKNOWN)


def _text_of(paper: ComparedPaper) -> str:
    parser = _PARSER_NAMES.get(paper.summary.parser, paper.summary.parser)
    return f"{count(paper.sentences, 'sentence')}, {parser}"


def _facts(comparison: ComparedPapers) -> list[tuple[str, list[str]]]:
    """Facts without a choice: their names, and a value for each paper."""
    details = [paper.details for paper in comparison.papers]
    rows = [
        (tr("File"), ["\n".join(file.path.name for file in one.files) or _UNKNOWN for one in details]),
        (tr("Pairs"), [f"{one.line.pairs:,}" for one in details]),
        (tr("Answered pairs"), [f"{one.answered:,}" for one in details]),
    ]
    splits = [paper.split or "none" for paper in comparison.papers]
    return [*rows, (tr("Split"), splits)] if set(splits) != {"none"} else rows
