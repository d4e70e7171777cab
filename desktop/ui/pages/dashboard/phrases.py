"""The card of linking phrases: a table of how many pairs each made, and how often people agree with its relation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from PySide6.QtCore import QModelIndex, QObject, QRectF, Qt, Slot
from PySide6.QtGui import QPainter, QResizeEvent
from PySide6.QtWidgets import QWidget

from desktop.text import count as counted
from desktop.text import percent
from desktop.translation import tr
from desktop.ui.theme import LETTERS, SMALL, Theme
from desktop.ui.widgets.card import Card
from desktop.ui.widgets.cell_delegates import INTERVAL_ROLE, CellDelegate, Index, IntervalDelegate
from desktop.ui.widgets.sortable_table import SortableTableModel, SortableTableView, TableColumn
from miner.statistics import Interval, wilson
from storage.pairs.filters import PairFilter
from storage.pairs.statistics import PairCount

_NO_VALUE = "–"
# In unscaled pixels:
_RANGE_TEXT_WIDTH = 80  # the bar is behind the text
_RANGE_MIN_WIDTH = 150
_RELATION_CHIP_WIDTH = 26  # with the gap behind it

_MAX_VISIBLE_ROWS = 16


@dataclass(frozen=True, slots=True)
class PhraseRow:
    """The figures of a linking phrase.

    share: of all pairs mined by a phrase. answered: pairs with a label by people; answers without a majority, accepted
    suggestions and bad pairs do not count. agreed: answered pairs with the relation that the phrase announces.
    """

    phrase: str
    relation: str
    pairs: int
    share: float
    answered: int
    agreed: int

    @property
    def agreement(self) -> float | None:
        return self.agreed / self.answered if self.answered else None

    @property
    def interval(self) -> Interval:
        return wilson(self.agreed, self.answered)

    @property
    def note(self) -> str:
        pairs = tr("{pairs} mined with “{phrase}”. ", pairs=counted(self.pairs, "pair"), phrase=self.phrase)
        if not self.answered:
            return pairs + tr("None of them has a label from annotators yet.")
        low, high = self.interval
        return pairs + (
            tr(
                "Annotators confirm {agreed:,} of {answered:,} whose votes have a majority ({agreed_2}); 95 % interval "
                "for all its pairs: {range_phrase}.",
                agreed=self.agreed,
                answered=self.answered,
                agreed_2=percent(self.agreed / self.answered),
                range_phrase=_range_phrase(low, high),
            )
        )


def _range_phrase(low: float, high: float) -> str:
    return tr("{low:.0f} to {high:.0f} %", low=low * 100, high=high * 100)


def phrase_rows(counts: Iterable[PairCount], domain: str | None) -> list[PhraseRow]:
    """A row for each phrase and relation, the most frequent first. domain: None for all domains."""
    pairs: Counter[tuple[str, str]] = Counter()
    answered: Counter[tuple[str, str]] = Counter()
    agreed: Counter[tuple[str, str]] = Counter()
    for row in counts:
        if not row.phrase or (domain is not None and row.domain != domain):
            continue
        key = (row.phrase, row.distant)
        pairs[key] += row.pairs
        if row.has_majority and not row.accepted:
            answered[key] += row.pairs
            agreed[key] += row.pairs * (row.gold == row.distant)
    total = pairs.total()
    return [PhraseRow(*key, number, number / total, answered[key], agreed[key]) for key, number in pairs.most_common()]


def _agreement_text(row: PhraseRow) -> str:
    return _NO_VALUE if row.agreement is None else percent(row.agreement)


def _range_text(row: PhraseRow) -> str:
    if not row.answered:
        return _NO_VALUE
    return f"{row.interval.low * 100:.0f}–{row.interval.high * 100:.0f} %"


COLUMNS: tuple[TableColumn[PhraseRow], ...] = (
    TableColumn(tr("Phrase"), lambda row: row.phrase, lambda row: row.phrase.casefold(), is_left_aligned=True),
    TableColumn(
        tr("Relation"),
        lambda row: row.relation,
        lambda row: row.relation,
        tr("The relation that the phrase stands for."),
        is_left_aligned=True,
    ),
    TableColumn(tr("Pairs"), lambda row: f"{row.pairs:,}", lambda row: row.pairs, tr("Pairs mined with the phrase.")),
    TableColumn(
        tr("Share"),
        lambda row: percent(row.share),
        lambda row: row.share,
        tr("Share of all pairs mined with a linking phrase."),
    ),
    TableColumn(
        tr("Answered"),
        lambda row: f"{row.answered:,}",
        lambda row: row.answered,
        tr("Pairs that have a label from annotators, so without ties and “unclear”."),
    ),
    TableColumn(
        tr("Agree"),
        _agreement_text,
        lambda row: -1.0 if row.agreement is None else row.agreement,
        tr("Of the answered pairs, the share for which annotators confirm the relation of the phrase."),
    ),
    TableColumn(
        tr("Range"),
        _range_text,
        lambda row: row.interval.low if row.answered else -1.0,
        tr("95 % confidence interval of this share (Wilson)."),
        is_left_aligned=True,
    ),
)
RELATION, PAIRS, SHARE, RANGE = 1, 2, 3, len(COLUMNS) - 1


class PhraseFiguresModel(SortableTableModel[PhraseRow]):
    """The phrases, the most frequent first unless sorted."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(COLUMNS, PAIRS, parent)

    def row_key(self, row: PhraseRow) -> tuple[str, str]:
        return row.phrase, row.relation

    def tie_key(self, row: PhraseRow) -> tuple[int, str]:
        return -row.pairs, row.phrase

    def row_tip(self, row: PhraseRow) -> str:
        return row.note

    def pair_filter(self, index: int, domain: str | None) -> PairFilter:
        """The pairs of a row."""
        row = self.rows[index]
        domains = frozenset[str]() if domain is None else frozenset((domain,))
        return PairFilter(phrases=frozenset((row.phrase,)), distant=frozenset((row.relation,)), domains=domains)

    def tsv(self) -> str:
        """The table as tab-separated text; shares from 0 to 1, the range as two columns."""
        titles = [column.title for column in COLUMNS[:-1]] + [tr("Lowest likely"), tr("Highest likely")]
        return "".join("\t".join(line) + "\n" for line in (titles, *map(_tsv_values, self.rows)))

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if role == INTERVAL_ROLE and index.column() == RANGE:
            row = self.rows[index.row()]
            return (row.agreement, row.interval) if row.answered else None
        return super().data(index, role)


def _tsv_values(row: PhraseRow) -> list[str]:
    values = [row.phrase, row.relation, str(row.pairs), f"{row.share:.4f}", str(row.answered)]
    shares = (row.agreement, *row.interval) if row.answered else (None, None, None)
    return values + ["" if share is None else f"{share:.4f}" for share in shares]


class RelationChipDelegate(CellDelegate):
    """Paints a relation after the letter of its class."""

    def paint_contents(self, painter: QPainter, box: QRectF, text: str, index: Index) -> None:
        theme = self.theme
        chip = QRectF(box.left(), box.center().y() - theme.px(9), theme.px(18), theme.px(18))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.label_text_color(text))
        painter.drawRoundedRect(chip, theme.px(4), theme.px(4))
        painter.setPen(theme.color("card"))
        painter.setFont(theme.font(SMALL, bold=True))
        painter.drawText(chip, Qt.AlignmentFlag.AlignCenter, LETTERS.get(text, _NO_VALUE))
        painter.setPen(theme.color("ink"))
        painter.setFont(theme.font())
        painter.drawText(box.adjusted(theme.px(_RELATION_CHIP_WIDTH), 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, text)


class PhraseCard(Card):
    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, tr("Which phrases can be trusted?"), parent)
        self.domain: str | None = None
        self.add_button("", "copy", tr("Copy numbers")).clicked.connect(self.copy)
        self.model = PhraseFiguresModel(self)
        self.table = SortableTableView(theme, self.model, self.question)
        self.table.setItemDelegateForColumn(RELATION, RelationChipDelegate(theme, self))
        self.table.setItemDelegateForColumn(RANGE, IntervalDelegate(theme, _RANGE_TEXT_WIDTH, self))
        self.table.horizontalHeader().setStretchLastSection(True)
        self.table.activated.connect(self._open_pairs)
        self.table.selectionModel().currentRowChanged.connect(self._show_note)
        self.body.addWidget(self.table)

    def show_counts(self, counts: list[PairCount], domain: str | None) -> None:
        self.domain = domain
        rows = phrase_rows(counts, domain)
        self.model.show_rows(rows)
        self.table.fit_height(_MAX_VISIBLE_ROWS)
        self._fit_columns()
        answered, agreed = sum(row.answered for row in rows), sum(row.agreed for row in rows)
        self.summary = tr("No pairs were mined with a linking phrase.")
        if rows:
            phrases = counted(len(rows), "phrase")
            self.summary = tr("{phrases}. None of their pairs has a label from annotators yet.", phrases=phrases)
        if answered:
            self.summary = tr(
                "Of {pairs} mined with a linking phrase whose votes have a majority, annotators confirm the label of "
                "{agreed:,}.",
                agreed=agreed,
                pairs=counted(answered, "pair"),
            )
        self.body.setCurrentIndex(1)
        self._show_note(self.table.currentIndex())

    def tsv(self) -> str:
        return self.model.tsv()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_columns()

    def _fit_columns(self) -> None:
        """Fit columns to their texts; where the card is narrow, hide the share, then the relation."""
        widths = {column: self.table.needed_width(column) for column in range(RANGE)}
        widths[RELATION] += self._theme.px(_RELATION_CHIP_WIDTH)
        spare = self.width() - self._theme.px(_RANGE_MIN_WIDTH + 32) - sum(widths.values())
        for column in range(RANGE):  # the range fills the rest
            self.table.setColumnWidth(column, widths[column])
        for column in (SHARE, RELATION):
            self.table.setColumnHidden(column, spare < 0)
            spare += widths[column]

    @Slot(QModelIndex)
    def _show_note(self, current: QModelIndex) -> None:
        self.show_note(self.model.rows[current.row()].note if current.isValid() else "")

    @Slot(QModelIndex)
    def _open_pairs(self, index: QModelIndex) -> None:
        self.opened.emit(self.model.pair_filter(index.row(), self.domain))
