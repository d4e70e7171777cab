"""The right side of the Export page: the first rows of each file, and how many there are of what."""

from __future__ import annotations

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QTabBar, QVBoxLayout, QWidget

from desktop.jobs.results import left_out_text, split_text
from desktop.text import count
from desktop.ui.pages.export.rows import RowsView
from desktop.ui.theme import LETTERS, Theme
from desktop.ui.widgets.labels import PlainLabel, set_tip
from desktop.ui.widgets.notices import Notice
from miner.records import Label
from storage.exchange.pair_export import ONE_FILE, ExportPreview

_COLUMNS = (*Label, "")  # "" for pairs without a label
_NARROW = 500  # below it classes are told by their letters


class PreviewPane(QWidget):
    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._preview: ExportPreview | None = None
        self._lines: dict[str, tuple[str, ...]] = {}
        self._is_narrow = False
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(theme.px(8))
        self._counts = QFrame()
        self._counts.setProperty("look", "card")
        self._grid = QGridLayout(self._counts)
        self._grid.setContentsMargins(theme.px(16), theme.px(12), theme.px(16), theme.px(12))
        self._grid.setHorizontalSpacing(theme.px(16))
        self._grid.setVerticalSpacing(theme.px(6))
        layout.addWidget(self._counts)
        self.left_out = PlainLabel()
        self.left_out.setProperty("type", "small")
        self.left_out.setWordWrap(True)
        self.left_out.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        layout.addWidget(self.left_out)
        self.unmined = Notice(theme)
        layout.addWidget(self.unmined)
        self.files = QTabBar()
        self.files.setExpanding(False)
        self.files.setDrawBase(False)
        self.files.setAccessibleName("Files that will be written")
        self.files.currentChanged.connect(self._show_lines)
        layout.addWidget(self.files)
        self.rows = RowsView(theme)
        layout.addWidget(self.rows, 1)
        self.which = PlainLabel()
        self.which.setProperty("type", "small")
        layout.addWidget(self.which)
        theme.changed.connect(self._on_theme)

    @Slot()
    def _on_theme(self) -> None:
        if self._preview is not None:
            self._fill_grid(self._preview)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        is_narrow = self.width() < self._theme.px(_NARROW)
        if is_narrow != self._is_narrow:
            self._is_narrow = is_narrow
            if self._preview is not None:
                self._fill_grid(self._preview)

    def show_preview(self, preview: ExportPreview) -> None:
        self._preview = preview
        self._fill_grid(preview)
        text = "\n".join(filter(None, (split_text(preview.split_by), left_out_text(preview.left_out))))
        self.left_out.setText(text)
        self.left_out.setVisible(bool(text))
        text = f"{count(preview.unmined, 'paper is', 'papers are')} not mined yet, so pairs may be missing."
        self.unmined.show_text(f"{text} Mine again first." if preview.unmined else "", "warning")
        self.show_lines(preview.lines)

    def show_lines(self, lines: dict[str, tuple[str, ...]]) -> None:
        """The first lines of each file, while the rest is still being counted."""
        self._lines = lines
        self._fill_files(list(lines))
        self._show_lines()

    def _fill_files(self, names: list[str]) -> None:
        if [self.files.tabText(tab) for tab in range(self.files.count())] == names:
            return
        self.files.blockSignals(True)
        while self.files.count():
            self.files.removeTab(0)
        for name in names:
            self.files.addTab(name)
        self.files.blockSignals(False)

    def _fill_grid(self, preview: ExportPreview) -> None:
        while (item := self._grid.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.deleteLater()
        table: dict[str, dict[str, int]] = {}
        for (split, label, _), rows in preview.counts.items():
            name = split if f"{split}.jsonl" in preview.lines else ONE_FILE
            row = table.setdefault(name, {})
            row[label] = row.get(label, 0) + rows
        names = [name.removesuffix(".jsonl") for name in preview.lines]
        columns = [label for label in _COLUMNS if label or any(label in row for row in table.values())]
        for column, label in enumerate(columns, start=1):
            header = self._put(0, column, self._class_name(label), "small", label)
            set_tip(header, label.capitalize())
            header.setAccessibleName(label.capitalize() or "No label")
        self._put(0, len(columns) + 1, "Total", "small")
        for line, name in enumerate(names, start=1):
            row = table.get(name, {})
            self._put(line, 0, "Pairs" if name == ONE_FILE else name.capitalize(), "", left=True)
            for column, label in enumerate(columns, start=1):
                self._put(line, column, f"{row.get(label, 0):,}")
            self._put(line, len(columns) + 1, f"{sum(row.values()):,}", "heading")
        self._grid.setColumnStretch(0, 1)

    def _class_name(self, label: str) -> str:
        if not label:
            return "–" if self._is_narrow else "No label"
        return LETTERS[label] if self._is_narrow else f"{LETTERS[label]} {label.capitalize()}"

    def _put(self, row: int, column: int, text: str, look: str = "", tone: str = "", *, left: bool = False) -> QLabel:
        label = PlainLabel(text)
        if look:
            label.setProperty("type", look)
        if tone:
            label.set_tone(tone)
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        side = Qt.AlignmentFlag.AlignLeft if left else Qt.AlignmentFlag.AlignRight
        self._grid.addWidget(label, row, column, side)
        return label

    @Slot()
    def _show_lines(self) -> None:
        name = self.files.tabText(self.files.currentIndex())
        lines = self._lines.get(name, ())
        self.rows.show_lines(lines)
        if not lines:
            self.which.setText("No pair is in this file.")
        else:
            self.which.setText(f"{name} begins with {'this row' if len(lines) == 1 else f'these {len(lines)} rows'}.")
