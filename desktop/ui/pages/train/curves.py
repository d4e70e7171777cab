"""How a training goes: the loss falling, and the score on the pairs kept for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPen
from PySide6.QtWidgets import QWidget

from desktop.text import points
from desktop.ui.theme import Theme
from desktop.ui.widgets.marks import Mark, Marks, Place

_TITLE, _AXIS, _GUTTER = 22.0, 22.0, 40.0  # pixels as drawn
_BETWEEN = 16.0
_RIGHT, _MIDDLE = Qt.AlignmentFlag.AlignRight, Qt.AlignmentFlag.AlignHCenter
_STEPS = 4  # ticks below, at most


class Stage(NamedTuple):
    """A part of a training with steps of its own, which begin at `start` of the whole."""

    name: str
    start: int
    steps: int


class Point(NamedTuple):
    step: int
    value: float
    note: str = ""


class Course(NamedTuple):
    """A training so far: stages one after the other, `loss` and `dev` (macro F1, 0 to 1) by step of the whole."""

    stages: tuple[Stage, ...] = ()
    loss: tuple[tuple[Point, ...], ...] = ()
    dev: tuple[tuple[Point, ...], ...] = ()
    steps: int = 0


def course(history: Mapping[str, Any], *, steps: Mapping[str, int] | None = None) -> Course:
    """What a run's history tells; `steps`: how many a stage will have, where that is known."""
    names = list(dict.fromkeys(line[0] for line in (*history.get("loss", ()), *history.get("dev", ()))))
    stages, start, losses, devs = [], 0, [], []
    for name in names:
        loss = [(step, value) for stage, step, value in history.get("loss", ()) if stage == name]
        dev = [line for line in history.get("dev", ()) if line[0] == name]
        seen = max((step for step, *_ in [*loss, *(line[1:] for line in dev)]), default=0)
        length = max(seen, (steps or {}).get(name, 0))
        stages.append(Stage(name, start, length))
        losses.append(tuple(Point(start + step, value) for step, value in loss))
        devs.append(tuple(_dev_points(dev, name, start)))
        start += length
    return Course(tuple(stages), tuple(losses), tuple(devs), start)


def _dev_points(lines: Sequence[Sequence[Any]], stage: str, start: int) -> list[Point]:
    best = max((line[3]["macro_f1"] for line in lines), default=0.0)
    found = []
    for _, step, epoch, scores in lines:
        value = scores["macro_f1"]
        where = f"{stage[:1].upper()}{stage[1:]}, epoch {epoch}" if stage else f"Epoch {epoch}"
        note = f"{where}, step {step:,}: macro F1 {points(value)}, right {points(scores['accuracy'])} %"
        found.append(Point(start + step, value, note + (", the best so far." if value == best else ".")))
    return found


class Curves(Marks):
    """Loss above, macro F1 on the pairs kept below, both by step."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, "Loss and macro F1 by step", parent)
        self._course = Course()

    def show_course(self, found: Course) -> None:
        self._course = found
        self.arrange()

    def sizeHint(self) -> QSize:
        return QSize(self.theme.px(480), self.theme.px(260))

    def minimumSizeHint(self) -> QSize:
        return QSize(self.theme.px(240), self.theme.px(190))

    # Where things are

    def _panels(self) -> tuple[QRectF, QRectF]:
        px = self.theme.px
        room = max(2.0, self.height() - 2 * px(_TITLE) - px(_AXIS) - px(_BETWEEN))
        left, width = px(_GUTTER), max(1.0, self.width() - px(_GUTTER) - px(12))
        upper = QRectF(left, px(_TITLE), width, room * 0.42)
        lower = QRectF(left, upper.bottom() + px(_BETWEEN) + px(_TITLE), width, room * 0.58)
        return upper, lower

    def _at(self, panel: QRectF, point: Point, low: float, high: float) -> QPointF:
        across = point.step / max(1, self._course.steps)
        up = (point.value - low) / ((high - low) or 1.0)
        return QPointF(panel.left() + across * panel.width(), panel.bottom() - up * panel.height())

    @property
    def _f1_limits(self) -> tuple[float, float]:
        values = [point.value for line in self._course.dev for point in line]
        return _around(min(values, default=0.0), max(values, default=1.0), 0.05, 1.0)

    @property
    def _loss_limits(self) -> tuple[float, float]:
        values = [point.value for line in self._course.loss for point in line]
        return _around(min(values, default=0.0), max(values, default=1.0), 0.1, 1e9)

    def lay_out(self) -> None:
        _, lower = self._panels()
        dot = self.theme.px(5)
        for line in self._course.dev:
            for point in line:
                at = self._at(lower, point, *self._f1_limits)
                painted = QRectF(at.x() - dot, at.y() - dot, 2 * dot, 2 * dot)
                found = painted.adjusted(-dot, -lower.height(), dot, lower.height())
                self.places.append(Place(Mark(point.note), painted, found))

    # Painting

    def draw(self, painter: QPainter) -> None:
        upper, lower = self._panels()
        theme = self.theme
        self._panel(painter, upper, "Loss", self._loss_limits, lambda value: f"{value:.3g}")
        self._panel(
            painter, lower, "Macro F1 on the pairs kept for it", self._f1_limits, lambda value: f"{100 * value:.3g}"
        )
        for stage in self._course.stages:
            if stage.start:
                at = self._at(upper, Point(stage.start, 0), 0, 1).x()
                painter.setPen(QPen(theme.color("line"), 1, Qt.PenStyle.DashLine))
                painter.drawLine(QPointF(at, upper.top()), QPointF(at, lower.bottom()))
        for line in self._course.loss:
            self._line(painter, upper, line, self._loss_limits, "muted")
        for line in self._course.dev:
            self._line(painter, lower, line, self._f1_limits, "accent")
        for place in self.places:
            best = place.mark.note.endswith("the best so far.")
            painter.setPen(QPen(theme.color("accent"), theme.px(2)))
            painter.setBrush(theme.color("accent" if best else "card"))
            painter.drawEllipse(place.painted.adjusted(1, 1, -1, -1))
        self._below(painter, lower)

    def _panel(self, painter: QPainter, box: QRectF, title: str, limits: tuple[float, float], text: Any) -> None:
        theme, px = self.theme, self.theme.px
        head = QRectF(0, box.top() - px(_TITLE) - px(2), self.width(), px(_TITLE - 4))
        self.text(painter, head, title, theme.color("ink"), bold=True)
        low, high = limits
        for share in (0.0, 0.5, 1.0):
            y = round(box.bottom() - share * box.height()) + 0.5
            painter.setPen(QPen(theme.color("line"), 1))
            painter.drawLine(QPointF(box.left(), y), QPointF(box.right(), y))
            number = QRectF(0, y - px(9), box.left() - px(8), px(18))
            self.text(painter, number, text(low + share * (high - low)), theme.color("muted"), side=_RIGHT)

    def _line(
        self, painter: QPainter, box: QRectF, points: Sequence[Point], limits: tuple[float, float], token: str
    ) -> None:
        if not points:
            return
        path = QPainterPath(self._at(box, points[0], *limits))
        for point in points[1:]:
            path.lineTo(self._at(box, point, *limits))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(self.theme.color(token), self.theme.px(2) if token == "accent" else self.theme.px(1.5)))
        painter.drawPath(path)

    def _below(self, painter: QPainter, box: QRectF) -> None:
        """Steps, or the names of stages where there are several."""
        px, muted = self.theme.px, self.theme.color("muted")
        stages, whole = self._course.stages, max(1, self._course.steps)
        if len(stages) > 1:
            for stage in stages:
                left = box.left() + stage.start / whole * box.width()
                wide = stage.steps / whole * box.width()
                name = QRectF(left, box.bottom() + px(3), wide - px(2), px(_AXIS - 4))
                self.text(painter, name, stage.name or "all labels", muted)
            return
        for tick in range(_STEPS + 1):
            step = round(self._course.steps * tick / _STEPS)
            at = box.left() + step / whole * box.width()
            number = QRectF(at - px(40), box.bottom() + px(3), px(80), px(_AXIS - 4))
            side = _MIDDLE
            if tick == _STEPS:
                number, side = QRectF(box.right() - px(80), number.top(), px(80) + px(12), number.height()), _RIGHT
            elif not tick:
                number, side = QRectF(box.left(), number.top(), px(80), number.height()), Qt.AlignmentFlag.AlignLeft
            text = f"{step:,} steps" if tick == _STEPS else f"{step:,}"
            self.text(painter, number, text if self._course.steps else "", muted, side=side)


def _around(low: float, high: float, step: float, most: float) -> tuple[float, float]:
    """Round bounds with some room."""
    bottom = max(0.0, step * int((low - step / 2) / step))
    top = min(most, step * (int((high + step / 2) / step) + 1))
    return (bottom, top) if top - bottom >= 2 * step - 1e-9 else (bottom, bottom + 2 * step)
