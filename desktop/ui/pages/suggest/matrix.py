"""Phrase, model and people against each other: a cell for what two of them say, and in it what the third says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Literal

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QWidget

from desktop.text import count
from desktop.ui.judging.label_chip import paint_letter
from desktop.ui.pages.dashboard.words import listed, percent
from desktop.ui.theme import BODY, Theme
from desktop.ui.widgets.marks import Mark, Marks, Place, mixed
from miner.records import Label
from storage.models.suggestions import MatrixCell
from storage.pairs.filters import PairFilter, with_value

Rows = Literal["distant", "gold"]
_CELL, _HEAD, _SUM = 44.0, 28.0, 28.0  # pixels as drawn
_WORDS = 480  # pixels as drawn, from which there is room for the classes' words
_STRONGEST = 0.4  # of the accent in a cell; text stays readable on it
_RIGHT, _MIDDLE = Qt.AlignmentFlag.AlignRight, Qt.AlignmentFlag.AlignHCenter
_CORNERS = {"distant": "phrase ↓ model →", "gold": "people ↓ model →"}
_ORDER = (*(label.value for label in Label), "")


class Matrix(Marks):
    """Rows are what the phrase says ("distant") or people ("gold"), columns what the model suggests.

    The line in a cell shows what the third one says of its pairs, in the classes' colours.
    """

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, "What phrase, model and people say of the pairs", parent)
        self.rows: Rows = "distant"
        self._cells: list[MatrixCell] = []
        self._shown: list[str] = []

    def show_cells(self, cells: Iterable[MatrixCell], rows: Rows) -> None:
        self.rows = rows
        self._cells = [cell for cell in cells if cell.suggested and (rows == "distant" or cell.gold)]
        said = {getattr(cell, rows) for cell in self._cells}
        self._shown = [label for label in _ORDER if label or "" in said]
        self.updateGeometry()
        self.arrange()

    @property
    def is_empty(self) -> bool:
        return not self._cells

    def sizeHint(self) -> QSize:
        return QSize(self.theme.px(520), self.theme.px(_HEAD + _CELL * max(4, len(self._shown)) + _SUM))

    def minimumSizeHint(self) -> QSize:
        return QSize(self.theme.px(300), self.sizeHint().height())

    def lay_out(self) -> None:
        px = self.theme.px
        self._words = self.width() >= px(_WORDS)
        longest = max(self.width_of(_name(label), size=BODY) for label in (*_ORDER,))
        self._gutter = px(26) + (longest + px(12) if self._words else 0)
        total = f"{sum(cell.pairs for cell in self._cells):,}"
        self._room = self.width_of(total, size=BODY) + px(16)
        self._step = max(1.0, (self.width() - self._gutter - self._room) / len(Label))
        for row, said in enumerate(self._shown):
            whole = sum(cell.pairs for cell in self._cells if getattr(cell, self.rows) == said)
            for column, label in enumerate(Label):
                left, top = self._gutter + column * self._step, px(_HEAD) + row * px(_CELL)
                box = QRectF(left, top, self._step - px(3), px(_CELL) - px(3))
                self._add(said, label.value, whole, box)

    def _add(self, said: str, suggested: str, whole: int, box: QRectF) -> None:
        cells = [cell for cell in self._cells if getattr(cell, self.rows) == said and cell.suggested == suggested]
        pairs = sum(cell.pairs for cell in cells)
        third: Counter[str] = Counter()
        for cell in cells:
            third[cell.gold if self.rows == "distant" else cell.distant] += cell.pairs
        asked = self._asked(said, suggested)
        note = self._note(said, suggested, pairs, whole, third)
        self.places.append(Place(Mark(note, asked if pairs else None), box, box))
        self._add_third(said, suggested, third, box)

    def _add_third(self, said: str, suggested: str, third: Counter[str], box: QRectF) -> None:
        """The line at the foot of a cell, a part for each thing that is said."""
        px = self.theme.px
        known = [label for label in _ORDER if label and third[label]]
        whole = sum(third[label] for label in known)
        left, width = box.left() + px(6), box.width() - px(12)
        for label in known:
            wide = width * third[label] / whole
            painted = QRectF(left, box.bottom() - px(8), wide, px(4))
            asked = replace(self._asked(said, suggested), accepted=False)  # one of the two is what people say
            opens = with_value(asked, self._third, frozenset((label,)))
            note = f"{self._start(said, suggested)}, and {self._third_say} {label}: {count(third[label], 'pair')}."
            found = painted.adjusted(0, -px(3), 0, px(4))
            self.places.append(Place(Mark(note, opens), painted, found, part=True))
            left += wide

    def _asked(self, said: str, suggested: str) -> PairFilter:
        """A cell's pairs; an accepted suggestion is no word of people's."""
        of_model = PairFilter(suggested=frozenset((suggested,)), accepted=None if self.rows == "distant" else False)
        return with_value(of_model, self.rows, frozenset((said,)))

    @property
    def _third(self) -> Rows:
        return "gold" if self.rows == "distant" else "distant"

    @property
    def _third_say(self) -> str:
        return "people say" if self.rows == "distant" else "the phrase says"

    def _start(self, said: str, suggested: str) -> str:
        who = "The phrase says" if self.rows == "distant" else "People say"
        first = f"{who} {said}" if said else "No phrase says anything"
        joint = "and so does the model" if said == suggested else f"the model says {suggested}"
        return f"{first}, {joint}"

    def _note(self, said: str, suggested: str, pairs: int, whole: int, third: Counter[str]) -> str:
        share = f", {percent(pairs / whole)} of the row" if pairs and whole else ""
        note = f"{self._start(said, suggested)}: {count(pairs, 'pair')}{share}."
        known = [f"{third[label]:,} {label}" for label in _ORDER if label and third[label]]
        if known and self.rows == "distant":
            note += f" People say: {listed(known)}."
        elif known:
            note += f" The phrase says: {listed(known)}."
        return note

    # Painting

    def draw(self, painter: QPainter) -> None:
        theme, px = self.theme, self.theme.px
        for column, label in enumerate(Label):
            self._head(painter, label.value, self._gutter + column * self._step)
        if self._words:
            corner = QRectF(0, 0, self._gutter, px(_HEAD) - px(4))
            self.text(painter, corner, _CORNERS[self.rows], theme.color("muted"))
        for row, said in enumerate(self._shown):
            middle = px(_HEAD) + (row + 0.5) * px(_CELL) - px(1.5)
            paint_letter(painter, theme, said, 0, middle)
            if self._words:
                box = QRectF(px(26), middle - px(12), self._gutter, px(24))
                self.text(painter, box, _name(said), theme.color("ink"), size=BODY)
        whole = [place for place in self.places if not place.part]
        counts = self._counts()
        for place, (said, suggested) in zip(whole, self._keys(), strict=False):
            row = sum(number for (other, _), number in counts.items() if other == said)
            self._cell(painter, place.painted, counts[said, suggested], row, said == suggested)
        for place in self.places:
            if place.part:
                label = next(iter(getattr(place.mark.opens, self._third)))
                self.fill(painter, place.painted, theme.label_text_color(label))
        self._sums(painter, counts)

    def _head(self, painter: QPainter, label: str, left: float) -> None:
        theme, px = self.theme, self.theme.px
        middle = px(_HEAD) / 2 - px(2)
        if not self._words:
            paint_letter(painter, theme, label, left + (self._step - px(21)) / 2, middle)
            return
        wide = px(24) + self.width_of(label, size=BODY)
        start = left + max(0.0, (self._step - px(3) - wide) / 2)
        paint_letter(painter, theme, label, start, middle)
        box = QRectF(start + px(24), middle - px(12), self._step - px(27), px(24))
        self.text(painter, box, label, theme.color("ink"), size=BODY)

    def _cell(self, painter: QPainter, box: QRectF, pairs: int, row: int, agrees: bool) -> None:
        theme, px = self.theme, self.theme.px
        share = pairs / row if row else 0.0
        self.fill(painter, box, mixed(theme.color("accent"), theme.color("card"), _STRONGEST * share), px(4))
        painter.setPen(QPen(theme.color("muted" if agrees else "line"), 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), px(4), px(4))
        text = box.adjusted(px(4), px(2), -px(4), -px(8))
        color = theme.color("ink" if pairs else "muted")
        self.text(painter, text, f"{pairs:,}" if pairs else "–", color, side=_MIDDLE, bold=agrees, size=BODY)

    def _sums(self, painter: QPainter, counts: Counter[tuple[str, str]]) -> None:
        theme, px = self.theme, self.theme.px
        muted, bottom = theme.color("muted"), px(_HEAD) + len(self._shown) * px(_CELL)
        for row, said in enumerate(self._shown):
            number = sum(counts[said, label.value] for label in Label)
            box = QRectF(self.width() - self._room, px(_HEAD) + row * px(_CELL), self._room, px(_CELL - 3))
            self.text(painter, box, f"{number:,}", muted, side=_RIGHT)
        for column, label in enumerate(Label):
            number = sum(counts[said, label.value] for said in self._shown)
            box = QRectF(self._gutter + column * self._step, bottom, self._step - px(3), px(_SUM))
            self.text(painter, box, f"{number:,}", muted, side=_MIDDLE)
        box = QRectF(self.width() - self._room, bottom, self._room, px(_SUM))
        self.text(painter, box, f"{sum(counts.values()):,}", muted, side=_RIGHT)

    def _counts(self) -> Counter[tuple[str, str]]:
        counts: Counter[tuple[str, str]] = Counter()
        for cell in self._cells:
            counts[getattr(cell, self.rows), cell.suggested] += cell.pairs
        return counts

    def _keys(self) -> Sequence[tuple[str, str]]:
        """Row and column of each cell, as they are placed."""
        return [(said, label.value) for said in self._shown for label in Label]


def _name(label: str) -> str:
    return label or "no label"
