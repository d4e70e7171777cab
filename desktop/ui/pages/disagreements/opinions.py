"""What the phrase, people and the model say about a pair, side by side, with a row for each class."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QToolButton, QWidget

from desktop.text import chance, count
from desktop.translation import tr
from desktop.ui.judging.label_chip import BAR_HEIGHT_PX, paint_bar, paint_letter
from desktop.ui.theme import BODY, SMALL, Theme
from desktop.ui.widgets.labels import PlainLabel, set_tip
from desktop.ui.widgets.layouts import aligned, column_of, row_of
from miner.records import Answer, Label, Strategy
from storage.annotation.rounds import ReviewItem

_NAMES_WIDTH_PX = 124  # of the column with the names of the classes
_COLUMN_GAP_PX = 28
_TEXT_WIDTH_PX = 52  # of the text behind a bar
_HEAD_HEIGHT_PX = 44
_ROW_HEIGHT_PX = 22
_PADDING_PX = 16
_PEOPLE = tr("Annotators")


@dataclass(frozen=True, slots=True)
class OpinionColumn:
    """`shares`: a number from 0 to 1 for each label; `texts`: what is written behind its bar."""

    title: str
    subtitle: str
    shares: Mapping[Label, float]
    texts: Mapping[Label, str]


class DoubtLine(QWidget):
    """How much the label is doubted, and why; and how often such doubts were right."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.doubt_label = PlainLabel(type="heading")
        self.reason = PlainLabel(type="muted", wraps=True)
        row = row_of(aligned(self.doubt_label, Qt.AlignmentFlag.AlignTop), spacing=theme.px(8))
        row.addWidget(self.reason, 1, Qt.AlignmentFlag.AlignTop)
        self.record = PlainLabel(type="small", wraps=True)
        self.setLayout(column_of(row, self.record, spacing=theme.px(4)))

    def show_doubt(self, item: ReviewItem, why: str) -> None:
        doubt = item.suggestion.doubt if item.suggestion else None
        self.doubt_label.setText("" if doubt is None else tr("Doubt {doubt}", doubt=chance(doubt)))
        self.doubt_label.setVisible(doubt is not None)
        self.reason.setText(why)

    def show_record(self, text: str) -> None:
        """Show how often such doubts were right; "" hides the line."""
        self.record.setText(text)
        self.record.setVisible(bool(text))


class OpinionTable(QWidget):
    """Three columns with the same rows, so that a disagreement is visible at a glance."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.columns: tuple[OpinionColumn, ...] = ()
        self._is_low = False
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.keep_button, self.accept_button = (QToolButton(self) for _ in range(2))
        for button in (self.keep_button, self.accept_button):
            button.setProperty("look", "quiet")
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.show_keys("", "")
        theme.changed.connect(self.update)

    def show_keys(self, keep: str, accept: str) -> None:
        """Show the keys that keep the distant label and accept the suggestion."""
        self._keys = keep, accept
        for button, key, tip in (
            (self.keep_button, keep, tr("Keep the distant label: it is right")),
            (self.accept_button, accept, tr("Accept the suggestion; it is recorded as accepted, not as your answer")),
        ):
            set_tip(button, tip)
            button.setAccessibleName(
                tr("{partition}, key {key}", partition=tip.partition(";")[0], key=key) if key else tip
            )
        self._move_buttons()

    def set_saving_enabled(self, enabled: bool) -> None:
        """Enable or disable the buttons."""
        for button in (self.keep_button, self.accept_button):
            button.setEnabled(enabled)

    def show_item(self, item: ReviewItem, answers: Mapping[str, Answer], likely: str = "") -> None:
        """Show a pair. `answers`: the current answer of each annotator; `likely`: the classes that the model leaves."""
        self.columns = (_mining_column(item), _people_column(answers), _model_column(item, likely))
        self.setAccessibleName(". ".join(map(_accessible_text, self.columns)))
        self.keep_button.setVisible(item.pair.distant_label is not None)
        self.accept_button.setVisible(item.suggestion is not None)
        self.update()

    def set_low(self, low: bool) -> None:
        """Set whether to save height for the pair: each column then shows only its label with the highest share."""
        self._is_low = low
        self._move_buttons()
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        px = self._theme.px
        rows = 0 if self._is_low else len(Label)
        return QSize(px(640), px(_HEAD_HEIGHT_PX) + rows * px(_ROW_HEIGHT_PX) + px(_PADDING_PX) // 2)

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
        for row, label in enumerate(() if self._is_low else Label):
            self._paint_name(painter, label, self._row_center(row))
        for column, (left, width) in zip(self.columns, self._column_rects(), strict=True):
            self._paint_column(painter, column, left, width)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._move_buttons()

    @property
    def _is_wide(self) -> bool:
        """Whether there is room for the names of the classes."""
        return self.width() >= self._theme.px(600)

    @property
    def _are_buttons_below(self) -> bool:
        """Whether the buttons are beside the labels, because there is no room for them beside the titles."""
        return self._is_low and not self._is_wide

    def _column_rects(self) -> list[tuple[float, float]]:
        """Left edge and width of each column."""
        px = self._theme.px
        names = 0 if self._is_low else px(_NAMES_WIDTH_PX if self._is_wide else 30)
        start = px(_PADDING_PX) + names
        width = (self.width() - start - px(_PADDING_PX) - 2 * px(_COLUMN_GAP_PX)) / 3
        return [(start + number * (width + px(_COLUMN_GAP_PX)), width) for number in range(3)]

    def _move_buttons(self) -> None:
        """Put each button at the right end of its column's head, beside the title or the label."""
        columns = self._column_rects()
        top = self._theme.px(20 if self._are_buttons_below else 3)
        for button, word, key, (left, width) in (
            (self.keep_button, "keep", self._keys[0], columns[0]),
            (self.accept_button, "accept", self._keys[1], columns[2]),
        ):
            button.setText(f"{key} {word}".strip() if self._is_wide or not key else key)
            button.resize(button.sizeHint())
            button.move(round(left + width) - button.width() + self._theme.px(8), top)

    def _row_center(self, row: int) -> float:
        px = self._theme.px
        return px(_HEAD_HEIGHT_PX) + row * px(_ROW_HEIGHT_PX) + px(_ROW_HEIGHT_PX) / 2

    def _paint_name(self, painter: QPainter, label: Label, center: float) -> None:
        theme, px = self._theme, self._theme.px
        paint_letter(painter, theme, label.value, px(_PADDING_PX), center)
        if self._is_wide:
            font = theme.font(BODY)
            metrics = QFontMetrics(font)
            painter.setFont(font)
            painter.setPen(theme.color("ink"))
            baseline = center + (metrics.ascent() - metrics.descent()) / 2
            painter.drawText(QPointF(px(_PADDING_PX) + px(26), baseline), label.value.capitalize())

    def _paint_column(self, painter: QPainter, column: OpinionColumn, left: float, width: float) -> None:
        theme, px = self._theme, self._theme.px
        side = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        subtitle = "" if self._is_low and column.shares else column.subtitle
        for text, size, token, top in ((column.title, BODY, "ink", 8), (subtitle, SMALL, "muted", 25)):
            font = theme.font(size, bold=token == "ink")
            button_width = max(self.keep_button.width(), self.accept_button.width())
            room = width if column.title == _PEOPLE or self._are_buttons_below else width - button_width
            shown = QFontMetrics(font).elidedText(text, Qt.TextElideMode.ElideRight, round(room))
            painter.setFont(font)
            painter.setPen(theme.color(token))
            painter.drawText(QRectF(left, px(top), width, px(18)), side, shown)
        if self._is_low:
            self._paint_first(painter, column, left, width)
            return
        highest = max(column.shares.values(), default=0.0)
        room = px(_TEXT_WIDTH_PX)
        for row, label in enumerate(Label):
            center = self._row_center(row)
            share = column.shares.get(label, 0.0)
            track = QRectF(left, center - px(BAR_HEIGHT_PX) / 2, max(0.0, width - room), px(BAR_HEIGHT_PX))
            paint_bar(painter, theme, track, label.value, share)
            if text := column.texts.get(label, ""):
                font = theme.font(SMALL, bold=share == highest)
                painter.setFont(font)
                painter.setPen(theme.color("ink" if share == highest else "muted"))
                text_rect = QRectF(left + width - room + px(6), center - px(9), room - px(6), px(18))
                shown = QFontMetrics(font).elidedText(text, Qt.TextElideMode.ElideRight, round(room - px(6)))
                right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
                painter.drawText(text_rect, right, shown)

    def _paint_first(self, painter: QPainter, column: OpinionColumn, left: float, width: float) -> None:
        """Paint the label with the highest share, and what is written behind its bar."""
        if not column.shares:
            return
        theme, px = self._theme, self._theme.px
        label = max(column.shares, key=lambda one: column.shares[one])
        paint_letter(painter, theme, label.value, left, px(36))
        room = width - px(26)
        if self._are_buttons_below and column.title != _PEOPLE:
            room -= max(self.keep_button.width(), self.accept_button.width())
        font = theme.font(BODY)
        metrics = QFontMetrics(font)
        painter.setFont(font)
        painter.setPen(theme.color("ink"))
        short = column.texts.get(label, "")  # the letter tells the class
        text = f"{label.value.capitalize()} {short}".rstrip()
        if metrics.horizontalAdvance(text) > room:
            text = short
        shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, round(room))
        rect = QRectF(left + px(26), px(27), room, px(18))
        painter.drawText(rect, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, shown)


def _mining_column(item: ReviewItem) -> OpinionColumn:
    pair = item.pair
    shares = {pair.distant_label: 1.0} if pair.distant_label else {}
    none = tr("no label") if not shares else ""
    match pair.strategy:
        case Strategy.LINKED:
            return OpinionColumn(
                tr("Distant label"), tr("from “{phrase}”", phrase=pair.phrase) if pair.phrase else none, shares, {}
            )
        case Strategy.IMPORTED:
            return OpinionColumn(tr("Label"), none or "imported", shares, {})
        case Strategy.IMPLICIT:
            return OpinionColumn(tr("Distant label"), none or tr("adjacent, no linking phrase"), shares, {})
        case _:
            return OpinionColumn(tr("Distant label"), none or tr("drawn at random"), shares, {})


def _people_column(answers: Mapping[str, Answer]) -> OpinionColumn:
    by_label: dict[Label, list[str]] = {}
    unclear = [name for name, answer in answers.items() if answer is Answer.UNCLEAR]
    for name, answer in answers.items():
        if answer is not Answer.UNCLEAR:
            by_label.setdefault(Label(answer.value), []).append(name)
    subtitle = count(len(answers), "answer") if answers else tr("no answer yet")
    if unclear:
        subtitle += tr(", {unclear:,} unclear", unclear=len(unclear))
    shares = {label: len(names) / len(answers) for label, names in by_label.items()}
    texts = {label: names[0] if len(names) == 1 else f"{len(names):,}" for label, names in by_label.items()}
    return OpinionColumn(_PEOPLE, subtitle, shares, texts)


def _model_column(item: ReviewItem, likely: str) -> OpinionColumn:
    suggestion = item.suggestion
    if suggestion is None:
        return OpinionColumn(tr("Model"), tr("no suggestion yet"), {}, {})
    shares = dict(zip(Label, suggestion.probabilities, strict=True))
    return OpinionColumn(
        tr("Model"),
        tr("{model}: {likely}", model=suggestion.model, likely=likely)
        if likely not in ("", suggestion.label.value)
        else suggestion.model,
        shares,
        {label: chance(share) for label, share in shares.items()},
    )


def _accessible_text(column: OpinionColumn) -> str:
    texts = [f"{label.value} {column.texts.get(label, '')}".strip() for label, share in column.shares.items() if share]
    return f"{column.title}: {', '.join(texts) or 'nothing'} ({column.subtitle})"
