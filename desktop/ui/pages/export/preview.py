"""The preview of the Export page: pairs by file and class, and the first rows of each file."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Slot
from PySide6.QtGui import QFontDatabase, QResizeEvent
from PySide6.QtWidgets import (
    QGridLayout,
    QHeaderView,
    QLabel,
    QPlainTextEdit,
    QWidget,
)

from desktop.jobs.exchange.receipt_text import left_out_text, split_text
from desktop.jobs.exchange.split_text import papers_left_out_text
from desktop.text import count
from desktop.translation import tr
from desktop.ui.theme import LETTERS, Theme
from desktop.ui.widgets.fields import TabBar
from desktop.ui.widgets.labels import PlainLabel, set_tip
from desktop.ui.widgets.layouts import card_of, column_of, remove_widgets, stretched
from desktop.ui.widgets.notices import Notice
from desktop.ui.widgets.tables import RowTableView
from miner.records import Label
from miner.year_ranges import YearRange
from storage.exchange.pair_export import ONE_FILE, ExportPreview

Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()
_LABELS = (*Label, "")  # "" for pairs without a label
_NARROW_WIDTH = 500  # unscaled pixels, below which classes are shown by their letters
_FIELDS = (  # alternative names
    ("label", "gold_label"),
    ("sentence1", "premise", "prem"),
    ("sentence2", "hypothesis", "hyp"),
)
_LABEL_COLUMN = 0


class PreviewPane(QWidget):
    """Counts by file and class, notes on what is left out, and the first rows of each file."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._preview: ExportPreview | None = None
        self._lines: dict[str, tuple[str, ...]] = {}
        self._is_narrow = False
        self._grid = QGridLayout()
        self._grid.setContentsMargins(theme.px(16), theme.px(12), theme.px(16), theme.px(12))
        self._grid.setHorizontalSpacing(theme.px(16))
        self._grid.setVerticalSpacing(theme.px(6))
        self.notes = PlainLabel(type="small", wraps=True, selectable=True)
        self.unmined = Notice(theme)
        self.files = TabBar()
        self.files.setExpanding(False)
        self.files.setDrawBase(False)
        self.files.setAccessibleName(tr("Files that will be written"))
        self.files.currentChanged.connect(self._show_lines)
        self.rows = ExportRowsView(theme)
        self.rows_text = PlainLabel(type="small")
        self.setLayout(
            column_of(
                card_of(self._grid),
                self.notes,
                self.unmined,
                self.files,
                stretched(self.rows),
                self.rows_text,
                spacing=theme.px(8),
            )
        )
        theme.changed.connect(self._on_theme)

    @Slot()
    def _on_theme(self) -> None:
        if self._preview is not None:
            self._show_counts_table(self._preview)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        is_narrow = self.width() < self._theme.px(_NARROW_WIDTH)
        if is_narrow != self._is_narrow:
            self._is_narrow = is_narrow
            if self._preview is not None:
                self._show_counts_table(self._preview)

    def show_preview(self, preview: ExportPreview, years: Sequence[YearRange]) -> None:
        """years: of the export's options."""
        self._preview = preview
        self._show_counts_table(preview)
        notes = split_text(preview.split_by), left_out_text(preview.left_out)
        text = "\n".join(filter(None, (*notes, papers_left_out_text(preview.papers_left_out, years))))
        self.notes.setText(text)
        self.notes.setVisible(bool(text))
        text = tr(
            "{have} to be mined: pairs may be missing or out of date.",
            have=count(preview.unmined, "paper has", "papers have"),
        )
        self.unmined.show_text(tr("{text} Mine again first.", text=text) if preview.unmined else "", "warning")
        self.show_lines(preview.lines)

    def show_lines(self, lines: dict[str, tuple[str, ...]]) -> None:
        """The first lines of each file. They come before the counts."""
        self._lines = lines
        self._show_file_tabs(list(lines))
        self._show_lines()

    def _show_file_tabs(self, names: list[str]) -> None:
        if [self.files.tabText(tab) for tab in range(self.files.count())] == names:
            return
        self.files.blockSignals(True)
        while self.files.count():
            self.files.removeTab(0)
        for name in names:
            self.files.addTab(name)
        self.files.blockSignals(False)

    def _show_counts_table(self, preview: ExportPreview) -> None:
        remove_widgets(self._grid)
        names = [Path(name).stem for name in preview.lines]
        table: dict[str, dict[str, int]] = {}
        for (split, label, _), rows in preview.counts.items():
            name = split if split in names else ONE_FILE
            row = table.setdefault(name, {})
            row[label] = row.get(label, 0) + rows
        columns = [label for label in _LABELS if label or any(label in row for row in table.values())]
        for column, label in enumerate(columns, start=1):
            header = self._add_cell(0, column, self._class_name(label), "small", label)
            set_tip(header, label.capitalize())
            header.setAccessibleName(label.capitalize() or tr("No label"))
        self._add_cell(0, len(columns) + 1, tr("Total"), "small")
        for grid_row, name in enumerate(names, start=1):
            row = table.get(name, {})
            self._add_cell(
                grid_row, 0, tr("Pairs") if name == ONE_FILE else name.capitalize(), "", is_left_aligned=True
            )
            for column, label in enumerate(columns, start=1):
                self._add_cell(grid_row, column, f"{row.get(label, 0):,}")
            self._add_cell(grid_row, len(columns) + 1, f"{sum(row.values()):,}", "heading")
        self._grid.setColumnStretch(0, 1)

    def _class_name(self, label: str) -> str:
        if not label:
            return "–" if self._is_narrow else tr("No label")
        return LETTERS[label] if self._is_narrow else f"{LETTERS[label]} {label.capitalize()}"

    def _add_cell(
        self, row: int, column: int, text: str, text_type: str = "", tone: str = "", *, is_left_aligned: bool = False
    ) -> QLabel:
        label = PlainLabel(text)
        if text_type:
            label.setProperty("type", text_type)
        if tone:
            label.set_tone(tone)
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        side = Qt.AlignmentFlag.AlignLeft if is_left_aligned else Qt.AlignmentFlag.AlignRight
        self._grid.addWidget(label, row, column, side)
        return label

    @Slot()
    def _show_lines(self) -> None:
        name = self.files.tabText(self.files.currentIndex())
        lines = self._lines.get(name, ())
        self.rows.show_lines(lines)
        if not lines:
            self.rows_text.setText(tr("No pair is in this file."))
        else:
            self.rows_text.setText(
                tr(
                    "{name} begins with {value}.",
                    name=name,
                    value=tr("this row") if len(lines) == 1 else tr("these {lines} rows", lines=len(lines)),
                )
            )


class ExportRowsModel(QAbstractTableModel):
    """The label and the sentences of each row, in columns named like the fields of the file."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._rows: list[dict[str, Any]] = []
        self._names: tuple[str, ...] = tuple(names[0] for names in _FIELDS)

    def show_lines(self, lines: Sequence[str]) -> None:
        self.beginResetModel()
        self._rows = [json.loads(line) for line in lines]
        if self._rows:
            self._names = tuple(next(name for name in names if name in self._rows[0]) for names in _FIELDS)
        self.endResetModel()

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(_FIELDS)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        row, column = self._rows[index.row()], index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return self._label_text(row) if column == _LABEL_COLUMN else str(row[self._names[column]])
        if role == Qt.ItemDataRole.ForegroundRole and column == _LABEL_COLUMN:
            return self._theme.label_text_color(row.get("label_text") or row[self._names[_LABEL_COLUMN]] or "")
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(_FIELDS):
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self._names[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        return None

    def _label_text(self, row: dict[str, Any]) -> str:
        """The label as it is written; a number is followed by the name of the class."""
        label, name = row[self._names[_LABEL_COLUMN]], row.get("label_text")
        if name:
            return f"{label} {name}"
        return "null" if label is None else str(label)


class ExportRowsView(QWidget):
    """A table of rows, and the selected row as it is written to the file."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._lines: tuple[str, ...] = ()
        self.model = ExportRowsModel(theme, self)
        self.table = RowTableView()
        self.table.setModel(self.model)
        self.table.setAccessibleName(tr("First rows of the file"))
        self.table.setProperty("look", "plain")
        self.table.setSelectionBehavior(RowTableView.SelectionBehavior.SelectRows)
        self.table.setSelectionMode(RowTableView.SelectionMode.SingleSelection)
        self.table.setEditTriggers(RowTableView.EditTrigger.NoEditTriggers)
        self.table.setWordWrap(False)
        self.table.setShowGrid(False)
        self.table.setTabKeyNavigation(False)
        self.table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.table.verticalHeader().hide()
        self.table.verticalHeader().setDefaultSectionSize(theme.px(28))
        header = self.table.horizontalHeader()
        header.setSectionsClickable(False)
        header.setHighlightSections(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(_LABEL_COLUMN, QHeaderView.ResizeMode.Fixed)
        self._fit_labels()
        theme.changed.connect(self._fit_labels)
        self.table.selectionModel().currentRowChanged.connect(self._show_line)
        self.selected_line = QPlainTextEdit()
        self.selected_line.setReadOnly(True)
        self.selected_line.setAccessibleName(tr("The selected row as it will be written"))
        self.selected_line.setTabChangesFocus(True)
        font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        font.setPixelSize(theme.px(12))
        self.selected_line.setFont(font)
        self.selected_line.setStyleSheet(
            f"QPlainTextEdit {{ min-height: {theme.px(68)}px; }}"
        )  # the theme's is for one line
        self.selected_line.setMaximumHeight(theme.px(120))
        self.setLayout(column_of(stretched(self.table, 4), stretched(self.selected_line), spacing=theme.px(8)))
        theme.changed.connect(self.table.viewport().update)

    @Slot()
    def _fit_labels(self) -> None:
        """Make the column of labels as wide as the widest one."""
        header = self.table.horizontalHeader()
        widest = max(header.fontMetrics().horizontalAdvance(f"0 {label}") for label in Label)
        header.resizeSection(_LABEL_COLUMN, widest + self._theme.px(28))

    @property
    def lines(self) -> tuple[str, ...]:
        """The rows as they are written to the file."""
        return self._lines

    def show_lines(self, lines: tuple[str, ...]) -> None:
        row = max(0, self.table.currentIndex().row())
        self._lines = lines
        self.model.show_lines(lines)
        self.selected_line.clear()
        if lines:
            self.table.selectRow(min(row, len(lines) - 1))

    @Slot(QModelIndex)
    def _show_line(self, current: QModelIndex) -> None:
        if 0 <= current.row() < len(self._lines):
            self.selected_line.setPlainText(self._lines[current.row()])
