"""The sample of a corpus' pairs: a table, and below it the pair whose row is selected."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtWidgets import QHeaderView, QPushButton, QWidget

from desktop.text import count, one_line
from desktop.translation import tr
from desktop.ui.judging.label_chip import LabelChip, letter_pixmap
from desktop.ui.services.display_names import NO_LABEL, STRATEGIES, capitalized
from desktop.ui.theme import Theme
from desktop.ui.widgets.labels import ElidedLabel, PlainLabel
from desktop.ui.widgets.layouts import STRETCH, card_of, column_of, row_of, stretched
from desktop.ui.widgets.sortable_table import Index, SortableTableModel, SortableTableView, TableColumn

if TYPE_CHECKING:
    from desktop.jobs.corpus.overview import PairSample, SampledPair

_LABEL_COLUMN, _PREMISE_COLUMN, _HYPOTHESIS_COLUMN, _PHRASE_COLUMN, _TITLE_COLUMN = range(5)
_WIDTHS = {_LABEL_COLUMN: 124, _PHRASE_COLUMN: 116, _TITLE_COLUMN: 160}  # unscaled pixels
_NARROW_PX = 900  # in a narrower table the title and the phrase are below it only


class SampleModel(SortableTableModel["SampledPair"]):
    """The rows of a sample, in its random order until the user sorts them."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        def column(title: str, name: str) -> TableColumn[SampledPair]:
            def text(pair: SampledPair) -> str:
                return one_line(str(getattr(pair, name)))

            return TableColumn(title, text, lambda pair: text(pair).casefold(), is_left_aligned=True)

        columns: list[TableColumn[SampledPair]] = [
            TableColumn(
                tr("Distant label"), lambda pair: pair.label or NO_LABEL, lambda pair: pair.label, is_left_aligned=True
            ),
            column(tr("Premise"), "premise"),
            column(tr("Hypothesis"), "hypothesis"),
            column(tr("Linking phrase"), "phrase"),
            column(tr("Paper"), "title"),
            TableColumn(tr("Year"), lambda pair: str(pair.year) if pair.year else "–", lambda pair: pair.year or 0),
        ]
        super().__init__(columns, -1, parent)
        self._theme = theme
        self._places: dict[str, int] = {}

    def show_sample(self, sample: PairSample) -> None:
        self._places = {pair.key: place for place, pair in enumerate(sample.pairs)}
        self.show_rows(sample.pairs)

    def row_key(self, row: SampledPair) -> str:
        return row.key

    def tie_key(self, row: SampledPair) -> int:
        return self._places.get(row.key, 0)

    def row_tip(self, row: SampledPair) -> str:
        return ""

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        if column >= 0:
            super().sort(column, order)
        else:  # as the rows came
            self.order = (column, order)
            self.show_rows(self.rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if role == Qt.ItemDataRole.DecorationRole and index.isValid() and index.column() == _LABEL_COLUMN:
            return letter_pixmap(self._theme, self.rows[index.row()].label)
        return super().data(index, role)

    def _sorted(self, rows: Iterable[SampledPair]) -> list[SampledPair]:
        if self.order[0] < 0:
            return sorted(rows, key=self.tie_key)
        return super()._sorted(rows)


class SampleView(QWidget):
    """Shows a sample, and requests another."""

    another_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        px = theme.px
        self.status = PlainLabel(type="muted", wraps=True)
        self.another = QPushButton(tr("Another sample"))
        self.another.setAutoDefault(False)
        self.another.clicked.connect(self.another_requested)
        self.model = SampleModel(theme, self)
        self.table = SortableTableView(theme, self.model, tr("Sample of pairs"))
        self.table.selectionModel().currentRowChanged.connect(self._show_current)
        self.setLayout(
            column_of(
                row_of(stretched(self.status), self.another),
                stretched(self.table),
                self._build_details(),
                spacing=px(8),
                margins=(0, px(12), 0, 0),
            )
        )
        theme.changed.connect(self._fit)

    def show_waiting(self, text: str) -> None:
        """Show that a sample is being read; the previous one stays until it arrives."""
        self.status.setText(text)

    def show_problem(self, text: str) -> None:
        """Show why there is no sample."""
        self.status.setText(text)
        self.model.show_rows([])
        self._show_pair(None)

    def show_sample(self, sample: PairSample) -> None:
        self.model.show_sample(sample)
        self._fit()
        if sample.pairs:
            shards = count(sample.of_shards, "shard")
            self.status.setText(
                tr(
                    "{pairs}, drawn at random from {read:,} of {shards}.",
                    pairs=count(len(sample.pairs), "pair"),
                    read=sample.shards,
                    shards=shards,
                )
            )
            self.table.selectRow(0)
        else:
            self.show_problem(tr("There are no such pairs. Choose another domain or other years."))

    def _build_details(self) -> QWidget:
        px = self._theme.px
        self.chip = LabelChip(self._theme)
        self.how = PlainLabel(type="muted")
        self.paper = ElidedLabel(type="muted")
        self.premise, self.hypothesis = PlainLabel(), PlainLabel()
        layout = column_of(
            row_of(self.chip, self.how, STRETCH, spacing=px(12)),
            spacing=px(6),
            margins=(px(16), px(12), px(16), px(12)),
        )
        for label, name in ((self.premise, tr("Premise")), (self.hypothesis, tr("Hypothesis"))):
            label.setWordWrap(True)
            label.setAlignment(Qt.AlignmentFlag.AlignTop)
            label.setMinimumHeight(px(36))
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            label.setAccessibleDescription(name)
            layout.addWidget(label)
        layout.addWidget(self.paper)
        return card_of(layout)

    @Slot()
    def _show_current(self) -> None:
        row = self.table.currentIndex().row()
        self._show_pair(self.model.rows[row] if 0 <= row < len(self.model.rows) else None)

    def _show_pair(self, pair: SampledPair | None) -> None:
        self.chip.show_label(pair.label if pair else "")
        how = capitalized(STRATEGIES.get(pair.strategy, pair.strategy)) if pair else ""
        self.how.setText(f"{how} · “{pair.phrase}”" if pair and pair.phrase else how)
        self.premise.setText(one_line(pair.premise) if pair else "")
        self.hypothesis.setText(one_line(pair.hypothesis) if pair else "")
        year = f" · {pair.year}" if pair and pair.year else ""
        self.paper.setText(f"{one_line(pair.title)}{year}" if pair else "")

    @Slot()
    def _fit(self) -> None:
        px = self._theme.px
        head = self.table.horizontalHeader()
        is_narrow = self.width() < px(_NARROW_PX)
        self.table.fit_columns(_PREMISE_COLUMN)
        for column, width in _WIDTHS.items():
            head.resizeSection(column, px(width))
        head.setSectionResizeMode(_HYPOTHESIS_COLUMN, QHeaderView.ResizeMode.Stretch)
        for column in (_PHRASE_COLUMN, _TITLE_COLUMN):
            self.table.setColumnHidden(column, is_narrow)

    def resizeEvent(self, event: object) -> None:
        super().resizeEvent(event)  # type: ignore[arg-type]
        self._fit()
