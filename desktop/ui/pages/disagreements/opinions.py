"""Who says what of a pair: the phrase, people and the model side by side, a row for each class."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QToolButton, QWidget

from desktop.text import chance, count
from desktop.ui.judging.label_chip import BAR, paint_bar, paint_letter
from desktop.ui.theme import BODY, SMALL, Theme
from desktop.ui.widgets.labels import PlainLabel, set_tip
from miner.records import Answer, Label, Strategy
from storage.annotation.rounds import ReviewItem

_NAMES, _GAP, _TEXT = 124, 28, 52  # px as drawn: the classes' column, between columns, a number behind a bar
_HEAD, _ROW = 44, 22
_PAD = 16
_PEOPLE = "People"


@dataclass(frozen=True, slots=True)
class Column:
    """What `who` says: `shares` of each label, 0 to 1, and a few words behind its bar."""

    who: str
    below: str
    shares: Mapping[Label, float]
    words: Mapping[Label, str]


class DoubtLine(QWidget):
    """How much the label is doubted, and why; on as many lines as that takes."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.doubt = PlainLabel()
        self.doubt.setProperty("type", "heading")
        self.why = PlainLabel()
        self.why.setWordWrap(True)
        self.why.setProperty("type", "muted")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(theme.px(8))
        row.addWidget(self.doubt, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(self.why, 1, Qt.AlignmentFlag.AlignTop)

    def show_doubt(self, item: ReviewItem, why: str) -> None:
        doubt = item.suggestion.doubt if item.suggestion else None
        self.doubt.setText("" if doubt is None else f"Doubt {chance(doubt)}")
        self.doubt.setVisible(doubt is not None)
        self.why.setText(why)


class Opinions(QWidget):
    """Three columns over the same four rows, so that who disagrees is seen before anything is read."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.columns: tuple[Column, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.keep, self.accept = (QToolButton(self) for _ in range(2))
        for button in (self.keep, self.accept):
            button.setProperty("look", "quiet")
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.show_keys("", "")
        theme.changed.connect(self.update)

    def show_keys(self, keep: str, accept: str) -> None:
        """The keys that keep the distant label, and accept the suggestion."""
        self._keys = keep, accept
        for button, key, tip in (
            (self.keep, keep, "Keep the distant label: it is right"),
            (self.accept, accept, "Accept the suggestion; it is recorded as accepted"),
        ):
            set_tip(button, tip)
            button.setAccessibleName(f"{tip.partition(';')[0]}, key {key}" if key else tip)
        self._place_buttons()

    def allow(self, answers: bool) -> None:
        """Whether anything can be saved."""
        for button in (self.keep, self.accept):
            button.setEnabled(answers)

    def show_item(self, item: ReviewItem, answers: Mapping[str, Answer]) -> None:
        """`answers`: that hold, by annotator."""
        self.columns = (_mining(item), _people(answers), _model(item))
        self.setAccessibleName(". ".join(map(_spoken, self.columns)))
        self.keep.setVisible(item.pair.distant_label is not None)
        self.accept.setVisible(item.suggestion is not None)
        self.update()

    def sizeHint(self) -> QSize:
        px = self._theme.px
        return QSize(px(640), px(_HEAD) + len(Label) * px(_ROW) + px(_PAD) // 2)

    def minimumSizeHint(self) -> QSize:
        return QSize(self._theme.px(380), self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self.columns:
            return
        theme, px = self._theme, self._theme.px
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(theme.color("line"), 1))
        painter.setBrush(theme.color("card"))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), px(8), px(8))
        for place, label in enumerate(Label):
            self._paint_name(painter, label, self._middle(place))
        for column, (left, width) in zip(self.columns, self._places(), strict=True):
            self._paint_column(painter, column, left, width)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_buttons()

    @property
    def _has_words(self) -> bool:
        """There is room for the classes' words."""
        return self.width() >= self._theme.px(600)

    def _places(self) -> list[tuple[float, float]]:
        """Left and width of each column."""
        px = self._theme.px
        start = px(_PAD) + px(_NAMES if self._has_words else 30)
        width = (self.width() - start - px(_PAD) - 2 * px(_GAP)) / 3
        return [(start + place * (width + px(_GAP)), width) for place in range(3)]

    def _place_buttons(self) -> None:
        """At the right ends of the heads they belong to."""
        places = self._places()
        for button, word, key, (left, width) in (
            (self.keep, "keep", self._keys[0], places[0]),
            (self.accept, "accept", self._keys[1], places[2]),
        ):
            button.setText(f"{key} {word}".strip() if self._has_words or not key else key)
            button.resize(button.sizeHint())
            button.move(round(left + width) - button.width() + self._theme.px(8), self._theme.px(3))

    def _middle(self, place: int) -> float:
        px = self._theme.px
        return px(_HEAD) + place * px(_ROW) + px(_ROW) / 2

    def _paint_name(self, painter: QPainter, label: Label, middle: float) -> None:
        theme, px = self._theme, self._theme.px
        paint_letter(painter, theme, label.value, px(_PAD), middle)
        if self._has_words:
            font = theme.font(BODY)
            metrics = QFontMetrics(font)
            painter.setFont(font)
            painter.setPen(theme.color("ink"))
            baseline = middle + (metrics.ascent() - metrics.descent()) / 2
            painter.drawText(QPointF(px(_PAD) + px(26), baseline), label.value.capitalize())

    def _paint_column(self, painter: QPainter, column: Column, left: float, width: float) -> None:
        theme, px = self._theme, self._theme.px
        side = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        title = column.who
        if self._has_words:
            title += " say" if column.who == _PEOPLE else " says"
        for text, size, token, top in ((title, BODY, "ink", 8), (column.below, SMALL, "muted", 25)):
            font = theme.font(size, bold=token == "ink")
            room = width if column.who == _PEOPLE else width - max(self.keep.width(), self.accept.width())
            shown = QFontMetrics(font).elidedText(text, Qt.TextElideMode.ElideRight, round(room))
            painter.setFont(font)
            painter.setPen(theme.color(token))
            painter.drawText(QRectF(left, px(top), width, px(18)), side, shown)
        highest = max(column.shares.values(), default=0.0)
        room = px(_TEXT)
        for place, label in enumerate(Label):
            middle = self._middle(place)
            share = column.shares.get(label, 0.0)
            track = QRectF(left, middle - px(BAR) / 2, max(0.0, width - room), px(BAR))
            paint_bar(painter, theme, track, label.value, share)
            if words := column.words.get(label, ""):
                font = theme.font(SMALL, bold=share == highest)
                painter.setFont(font)
                painter.setPen(theme.color("ink" if share == highest else "muted"))
                place_of_text = QRectF(left + width - room + px(6), middle - px(9), room - px(6), px(18))
                shown = QFontMetrics(font).elidedText(words, Qt.TextElideMode.ElideRight, round(room - px(6)))
                right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
                painter.drawText(place_of_text, right, shown)


def _mining(item: ReviewItem) -> Column:
    pair = item.pair
    shares = {pair.distant_label: 1.0} if pair.distant_label else {}
    none = "no label" if not shares else ""
    match pair.strategy:
        case Strategy.LINKED:
            return Column("Phrase", f"“{pair.phrase}”" if pair.phrase else none, shares, {})
        case Strategy.IMPORTED:
            return Column("File", none or "imported with this label", shares, {})
        case Strategy.IMPLICIT:
            return Column("Mining", none or "neighbours without a phrase", shares, {})
        case _:
            return Column("Mining", none or "drawn at random", shares, {})


def _people(answers: Mapping[str, Answer]) -> Column:
    by_label: dict[Label, list[str]] = {}
    unclear = [name for name, answer in answers.items() if answer is Answer.UNCLEAR]
    for name, answer in answers.items():
        if answer is not Answer.UNCLEAR:
            by_label.setdefault(Label(answer.value), []).append(name)
    below = count(len(answers), "answer") if answers else "nobody yet"
    if unclear:
        below += f", {len(unclear):,} unclear"
    shares = {label: len(names) / len(answers) for label, names in by_label.items()}
    words = {label: names[0] if len(names) == 1 else f"{len(names):,}" for label, names in by_label.items()}
    return Column(_PEOPLE, below, shares, words)


def _model(item: ReviewItem) -> Column:
    made = item.suggestion
    if made is None:
        return Column("Model", "nothing yet", {}, {})
    shares = dict(zip(Label, made.probabilities, strict=True))
    return Column("Model", made.model, shares, {label: chance(share) for label, share in shares.items()})


def _spoken(column: Column) -> str:
    said = [f"{label.value} {column.words.get(label, '')}".strip() for label, share in column.shares.items() if share]
    return f"{column.who}: {', '.join(said) or 'nothing'} ({column.below})"
