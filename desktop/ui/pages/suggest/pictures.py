"""What the model suggests and how sure it is, painted: bars by class, and a histogram of confidence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QWidget

from desktop.text import count
from desktop.ui.judging.label_chip import paint_letter
from desktop.ui.pages.dashboard.words import percent
from desktop.ui.theme import Theme
from desktop.ui.widgets.marks import Mark, Marks, Place
from miner.records import Label
from storage.pairs.filters import PairFilter

_ROW, _GAP = 32.0, 8.0  # pixels as drawn
_TALL, _AXIS = 112.0, 22.0
_BELOW_CHANCE = 5  # twentieths below a quarter, where no suggestion of four can be
_RIGHT = Qt.AlignmentFlag.AlignRight
_MIDDLE = Qt.AlignmentFlag.AlignHCenter


class ClassBars(Marks):
    """How many pairs are suggested to be of each class."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, "Pairs by suggested class", parent)
        self._counts: Mapping[Label, int] = {}

    def show_counts(self, counts: Mapping[Label, int]) -> None:
        self._counts = counts
        self.arrange()

    def sizeHint(self) -> QSize:
        return QSize(self.theme.px(280), self.theme.px(_ROW * len(Label)))

    def minimumSizeHint(self) -> QSize:
        return QSize(self.theme.px(200), self.sizeHint().height())

    def lay_out(self) -> None:
        px = self.theme.px
        self._names = px(26) + max(self.width_of(label.value, size=13) for label in Label) + px(12)
        self._room = self.width_of(f"{max(self._counts.values(), default=0):,}", bold=True) + px(52)
        total, most = sum(self._counts.values()), max(self._counts.values(), default=0) or 1
        width = max(1.0, self.width() - self._names - self._room)
        for row, label in enumerate(Label):
            number = self._counts.get(label, 0)
            share = percent(number / total) if total else "none"
            note = f"The model suggests {label.value} for {count(number, 'pair')}, {share} of those it judged."
            opens = PairFilter(suggested=frozenset((label.value,))) if number else None
            top = row * px(_ROW)
            bar = QRectF(self._names, top + px(7), max(px(2), width * number / most), px(_ROW) - px(14))
            self.places.append(Place(Mark(note, opens), bar, QRectF(0, top, self.width(), px(_ROW))))

    def draw(self, painter: QPainter) -> None:
        theme, px = self.theme, self.theme.px
        total = sum(self._counts.values())
        for label, place in zip(Label, self.places, strict=False):
            row, number = place.found, self._counts.get(label, 0)
            paint_letter(painter, theme, label.value, 0, row.center().y())
            names = QRectF(px(26), row.top(), self._names, row.height())
            self.text(painter, names, label.value, theme.color("ink"), size=13)
            self.fill(painter, place.painted, theme.label_text_color(label.value), px(2))
            after = QRectF(place.painted.right() + px(_GAP), row.top(), self._room, row.height())
            self.text(painter, after, f"{number:,}", theme.color("ink"), bold=True)
            after.adjust(self.width_of(f"{number:,}", bold=True) + px(6), 0, 0, 0)
            self.text(painter, after, percent(number / total) if number else "", theme.color("muted"))


class Histogram(Marks):
    """How many pairs are suggested with each confidence, in twentieths from a quarter up."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, "Pairs by the model's confidence", parent)
        self._bins: Sequence[int] = ()

    def show_bins(self, bins: Sequence[int]) -> None:
        self._bins = bins
        self.arrange()

    def sizeHint(self) -> QSize:
        return QSize(self.theme.px(280), self.theme.px(_TALL + _AXIS + 12))

    def minimumSizeHint(self) -> QSize:
        return QSize(self.theme.px(200), self.sizeHint().height())

    @property
    def _step(self) -> float:
        return self.width() / max(1, len(self._bins) - self._first)

    @property
    def _first(self) -> int:
        return 0 if any(self._bins[:_BELOW_CHANCE]) else min(_BELOW_CHANCE, len(self._bins))

    def lay_out(self) -> None:
        px, total = self.theme.px, sum(self._bins)
        most, number = max(self._bins, default=0) or 1, len(self._bins)
        base = self.height() - px(_AXIS)
        for index in range(self._first, number):
            pairs = self._bins[index]
            low, high = round(100 * index / number), round(100 * (index + 1) / number)
            left = (index - self._first) * self._step
            tall = (base - px(12)) * pairs / most
            tall = max(tall, px(2)) if pairs else 0.0
            opens = PairFilter(confidence=(low, high if high == 100 else high - 1)) if pairs else None
            note = f"{count(pairs, 'pair')} with a confidence from {low} to {high} %, {percent(pairs / max(total, 1))}."
            bar = QRectF(left, base - tall, max(1.0, self._step - px(2)), tall)
            self.places.append(Place(Mark(note, opens), bar, QRectF(left, 0, self._step, base)))

    def draw(self, painter: QPainter) -> None:
        theme, px = self.theme, self.theme.px
        base = self.height() - px(_AXIS)
        for place in self.places:
            self.fill(painter, place.painted, theme.color("accent"), px(2))
        painter.setPen(QPen(theme.color("line"), 1))
        painter.drawLine(QPointF(0, base + 0.5), QPointF(self.width(), base + 0.5))
        if not self._bins:
            return
        for tick in range(0, 101, 25):
            at = (tick * len(self._bins) / 100 - self._first) * self._step
            if at < -1:
                continue
            box = QRectF(at - px(24), base + px(2), px(48), px(_AXIS - 2))
            side = _MIDDLE
            if at < px(24):
                box, side = QRectF(0, box.top(), px(48), box.height()), Qt.AlignmentFlag.AlignLeft
            elif at > self.width() - px(24):
                box, side = QRectF(self.width() - px(60), box.top(), px(60), box.height()), _RIGHT
            self.text(painter, box, f"{tick} %", theme.color("muted"), side=side)
