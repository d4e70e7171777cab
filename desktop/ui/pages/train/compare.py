"""Runs side by side: a column each, the best figure of a row in bold, and what each mistakes for what."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QWidget

from desktop.text import count, points
from desktop.ui.judging.label_chip import paint_letter
from desktop.ui.pages.dashboard.words import listed
from desktop.ui.pages.train import words
from desktop.ui.theme import BODY, Theme
from desktop.ui.widgets.marks import Mark, Marks, Place, mixed
from miner.records import Label
from storage.models.training_runs import RunState, TrainingRun

MOST = 4  # runs side by side
_ROW, _HEAD, _CELL = 25.0, 40.0, 28.0  # pixels as drawn
_STRONGEST = 0.45
_RIGHT, _MIDDLE = Qt.AlignmentFlag.AlignRight, Qt.AlignmentFlag.AlignHCenter
_HOW = "“pairwright evaluate” measures several models on the same ones."
_LABELS = tuple(label.value for label in Label)


class _Line(NamedTuple):
    """A row: `label` a class it is about, "" for none; `least`: the smallest is the best, None: no best."""

    name: str
    value: Callable[[TrainingRun], float | None]
    label: str = ""
    least: bool = False


def _of_class(label: str) -> Callable[[TrainingRun], float | None]:
    def value(run: TrainingRun) -> float | None:
        found = words.scores(run)
        return None if found is None else found["per_class"][label]["f1"]

    return value


_LINES = (
    _Line("Macro F1", lambda run: words.share(run, "macro_f1")),
    *(_Line(f"F1 of {label}", _of_class(label), label) for label in _LABELS),
    _Line("Right", lambda run: words.share(run, "accuracy")),
    _Line("Calibration error", lambda run: words.share(run, "ece"), least=True),
)


class Comparison(Marks):
    """Up to four runs. Each cell of a confusion says what it counts when pointed at."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, "Runs side by side", parent)
        self.runs: list[TrainingRun] = []

    def show_runs(self, runs: Sequence[TrainingRun]) -> None:
        self.runs = list(runs[:MOST])
        self.setMinimumHeight(self.sizeHint().height())
        self.arrange()

    def sizeHint(self) -> QSize:
        tall = _HEAD + _ROW * (len(_LINES) + 1) + 12 + _CELL * (len(_LABELS) + 1) + 8
        return QSize(self.theme.px(480), self.theme.px(tall))

    def tsv(self) -> str:
        """The figures as tab-separated text, shares from 0 to 1."""
        lines = [["", *(run.name for run in self.runs)]]
        for line in _LINES:
            values = [line.value(run) for run in self.runs]
            lines.append([line.name, *("" if value is None else f"{value:.4f}" for value in values)])
        return "".join("\t".join(line) + "\n" for line in lines)

    def best(self, line: int) -> float | None:
        """The best figure of a row; None where there is nothing to compare, or what was measured is not the same."""
        if not words.are_comparable([run for run in self.runs if words.scores(run)]):
            return None
        values = [value for run in self.runs if (value := _LINES[line].value(run)) is not None]
        if len(values) < 2:
            return None
        return min(values) if _LINES[line].least else max(values)

    # Where things are

    @property
    def _gutter(self) -> float:
        return self.theme.px(150)

    @property
    def _step(self) -> float:
        return max(1.0, (self.width() - self._gutter) / max(1, len(self.runs)))

    @property
    def _confusions(self) -> float:
        """The top of the confusions."""
        return self.theme.px(_HEAD + _ROW * (len(_LINES) + 1) + 12)

    def _column(self, number: int) -> QRectF:
        return QRectF(self._gutter + number * self._step, 0, self._step - self.theme.px(16), self.height())

    def lay_out(self) -> None:
        px = self.theme.px
        for number, run in enumerate(self.runs):
            found = words.scores(run)
            if found is None:
                continue
            column = self._column(number)
            side = min(px(_CELL * 2), (column.width() - px(26)) / len(_LABELS))
            left = column.left() + px(26)
            for row, said in enumerate(_LABELS):
                for place, suggested in enumerate(_LABELS):
                    pairs = found["confusion"][row][place]
                    box = QRectF(
                        left + place * side, self._confusions + px(_CELL) * (row + 1), side - px(2), px(_CELL - 2)
                    )
                    verb = "are suggested as such" if said == suggested else f"are suggested as {suggested}"
                    whole = count(sum(found["confusion"][row]), "pair")
                    note = f"{run.name}: of {whole} labelled {said}, {pairs:,} {verb}."
                    self.places.append(Place(Mark(note), box, box))

    # Painting

    def draw(self, painter: QPainter) -> None:
        theme, px = self.theme, self.theme.px
        for number, run in enumerate(self.runs):
            box = QRectF(self._column(number))
            box.setHeight(px(_HEAD) / 2)
            middle = Qt.TextElideMode.ElideMiddle  # names differ at their end
            self.text(painter, box, run.name, theme.color("ink"), bold=True, size=BODY, elide=middle)
            box.translate(0, px(_HEAD) / 2 - px(2))
            learned = words.learns_from(words.sources(run)) or words.COMES_WITH
            learned = f"stopped early · {learned}" if run.state is RunState.CANCELLED else learned
            self.text(painter, box, learned, theme.color("muted"))
        for row in range(len(_LINES)):
            self._row(painter, row)
        self._measured(painter)
        self._heads(painter)
        self._cells(painter)

    def _row(self, painter: QPainter, row: int) -> None:
        theme, px, line = self.theme, self.theme.px, _LINES[row]
        box = QRectF(0, px(_HEAD + _ROW * row), self._gutter, px(_ROW))
        painter.fillRect(QRectF(0, box.top(), self.width(), 1), theme.color("line"))
        if line.label:
            paint_letter(painter, theme, line.label, px(12), box.center().y())
            box.setLeft(px(38))
        self.text(painter, box, line.label or line.name, theme.color("muted" if line.label else "ink"), size=BODY)
        best = self.best(row)
        for number, run in enumerate(self.runs):
            value = line.value(run)
            place = QRectF(self._column(number))
            place.setTop(box.top())
            place.setHeight(box.height())
            bold = value is not None and value == best
            self.text(painter, place, words.shown(value), theme.color("ink"), bold=bold, size=BODY)

    def _measured(self, painter: QPainter) -> None:
        """On how many pairs each was measured."""
        theme, px = self.theme, self.theme.px
        box = QRectF(0, px(_HEAD + _ROW * len(_LINES)), self._gutter, px(_ROW))
        painter.fillRect(QRectF(0, box.top(), self.width(), 1), theme.color("line"))
        self.text(painter, box, "Measured on", theme.color("muted"), size=BODY)
        for number, run in enumerate(self.runs):
            found = words.scores(run)
            place = QRectF(self._column(number).left(), box.top(), self._column(number).width(), box.height())
            text = count(found["n"], "pair") if found else "–"
            self.text(painter, place, text, theme.color("muted"), size=BODY)

    def _heads(self, painter: QPainter) -> None:
        theme, px = self.theme, self.theme.px
        box = QRectF(0, self._confusions, self._gutter - px(12), px(_CELL))
        self.text(painter, box, "label ↓ suggestion →", theme.color("muted"))

    def _cells(self, painter: QPainter) -> None:
        theme, px, places = self.theme, self.theme.px, iter(self.places)
        for run in self.runs:
            found = words.scores(run)
            if found is None:
                continue
            for row, said in enumerate(_LABELS):
                whole = sum(found["confusion"][row]) or 1
                for column, suggested in enumerate(_LABELS):
                    box, pairs = next(places).painted, found["confusion"][row][column]
                    if not row:
                        paint_letter(painter, theme, suggested, box.center().x() - px(9), box.top() - px(_CELL) / 2)
                    if not column:
                        paint_letter(painter, theme, said, box.left() - px(26), box.center().y())
                    share = pairs / whole
                    ground = mixed(theme.color("accent"), theme.color("card"), _STRONGEST * share)
                    self.fill(painter, box, ground, px(3))
                    color = theme.color("ink" if pairs else "muted")
                    self.text(painter, box, f"{pairs:,}", color, side=_MIDDLE, bold=said == suggested)


def difference(runs: Sequence[TrainingRun]) -> str:
    """What comparing these comes to, in a line; figures of unlike pairs are not compared."""
    if told := words.seeds(runs):
        return told
    scored = [(value, run) for run in runs if (value := words.share(run, "macro_f1")) is not None]
    if len(scored) < len(runs):
        return "Not all of them were measured."
    if not words.are_comparable(runs):
        return f"They were measured on different pairs, so their figures cannot be compared. {_HOW}"
    (high, best), (low, other) = (end(scored, key=lambda one: one[0]) for end in (max, min))
    measured = words.scores(best)
    on = f" on the same {count(measured['n'], 'pair')}" if measured else ""
    stopped = [run.name for run in runs if run.state is RunState.CANCELLED]
    early = f" {listed(stopped)} {'was' if len(stopped) == 1 else 'were'} stopped early." if stopped else ""
    return f"{best.name} is {points(high - low)} points of macro F1 better than {other.name}{on}.{early}"
