"""The pair: two sentences in big type, always at the same place."""

from __future__ import annotations

from html import escape

from PySide6.QtCore import QPoint, QSize, Qt, Signal, Slot
from PySide6.QtGui import QFontMetrics, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QSpacerItem,
    QVBoxLayout,
    QWidget,
)

from desktop.text import chance
from desktop.ui.judging.label_chip import LabelChip
from desktop.ui.theme import LINE_HEIGHT, Theme
from desktop.ui.widgets.labels import ElidedLabel, PlainLabel
from desktop.ui.widgets.notices import IconLabel
from miner.records import Label, Strategy
from storage.annotation.marks import RejectReason
from storage.annotation.rounds import ReviewItem

REJECT_REASONS = {
    RejectReason.BROKEN_SENTENCE: "Broken sentence",
    RejectReason.WRONG_BOUNDARY: "Wrong boundary",
    RejectReason.NOT_PROSE: "Not prose",
    RejectReason.OTHER: "Other",
}
LINE = 72  # characters
_CUT = 8  # px of a last line that may be hidden: what is below its letters
_LINES = 4  # room that a premise has before the hypothesis has to give way; nine in ten need no more


class _Wrapped(PlainLabel):
    """Text of many lines, as high as its width makes it: QLabel would ask for more, as if it were narrow."""

    def __init__(self) -> None:
        super().__init__()
        self.setWordWrap(True)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, 0)


class _Sentence(_Wrapped):
    def __init__(self, theme: Theme, name: str) -> None:
        super().__init__()
        self._name = name
        self._spacing = theme.reading_spacing()
        self.setFont(theme.reading_font())
        self.setTextFormat(Qt.TextFormat.RichText)
        self.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)

    @property
    def is_laid_out(self) -> bool:
        """Whether it has the height that its text needs."""
        return self.height() >= self.heightForWidth(self.width())

    def show_text(self, text: str) -> None:
        self.setText(f'<p style="line-height:{self._spacing}%; margin:0">{escape(text)}</p>')
        self.setAccessibleName(f"{self._name}: {text}")


class _Ground(QWidget):
    painted = Signal()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        self.painted.emit()


class PairView(QScrollArea):
    """Premise and hypothesis; below them what is known, once it may be known.

    It knows whether all of both sentences was on the screen: `is_seen`.
    """

    def __init__(self, theme: Theme, roomy: int = 600, parent: QWidget | None = None) -> None:
        """`roomy`: px of the window's height that leave room for long premises."""
        super().__init__(parent)
        self._theme, self._roomy = theme, roomy
        self._shown = ("", "", "")  # key, premise, hypothesis
        self._seen_to = 0  # px from the top of what is scrolled
        self.is_seen = False
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.viewport().setAutoFillBackground(False)
        self.premise = _Sentence(theme, "Premise")
        self.hypothesis = _Sentence(theme, "Hypothesis")
        self.source = ElidedLabel()
        self.source.setProperty("type", "small")
        self.origin = PlainLabel()
        self.origin.setProperty("type", "muted")
        self.distant = LabelChip(theme)
        self.opinion = PlainLabel()
        self.opinion.setProperty("type", "muted")
        self.suggested = LabelChip(theme)
        self.sure = PlainLabel()
        self.sure.setProperty("type", "muted")
        self.marks = _Wrapped()
        self.marks.setProperty("type", "muted")
        column = QWidget()
        column.setMaximumWidth(text_width(theme))
        layout = QVBoxLayout(column)
        layout.setContentsMargins(0, theme.px(8), 0, theme.px(8))
        layout.setSpacing(theme.px(4))
        self.flagged = QWidget()
        flagged = QHBoxLayout(self.flagged)
        flagged.setContentsMargins(0, 0, 0, 0)
        flagged.setSpacing(theme.px(4))
        flagged.addWidget(IconLabel(theme, "flag", "warning", 14))
        told_flagged = PlainLabel("Flagged")
        told_flagged.setProperty("type", "warning")
        flagged.addWidget(told_flagged)
        above = QHBoxLayout()
        above.setSpacing(theme.px(12))
        above.addWidget(self.source, 1)
        above.addWidget(self.flagged)
        layout.addLayout(above)
        self._gap = QSpacerItem(0, theme.px(20))
        layout.addItem(self._gap)
        layout.addWidget(_small("Premise"))
        layout.addWidget(self.premise)
        layout.addSpacing(theme.px(12))
        layout.addWidget(_small("Hypothesis"))
        layout.addWidget(self.hypothesis)
        layout.addSpacing(theme.px(12))
        told = QHBoxLayout()
        told.setSpacing(theme.px(8))
        for widget in (self.origin, self.distant, self.opinion, self.suggested, self.sure):
            told.addWidget(widget)
        told.addStretch(1)
        layout.addLayout(told)
        layout.addWidget(self.marks)
        layout.addStretch(1)
        around = self._ground = _Ground()
        around.painted.connect(self._on_painted)
        across = QHBoxLayout(around)
        across.setContentsMargins(0, 0, 0, 0)
        across.addStretch(1)
        across.addWidget(column, 1000)
        across.addStretch(1)
        self.setWidget(around)
        self.more = QPushButton(self)
        self.more.setProperty("look", "more")
        self.more.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.more.setIcon(theme.icon("chevron-down", "accent"))
        self.more.clicked.connect(self.scroll_down)
        self.more.hide()
        self.show_key("")

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Less room for the premise in a low window; by the window's height, which no panel changes."""
        bar = self.verticalScrollBar()
        was_at_end = 0 < bar.maximum() == bar.value()
        super().resizeEvent(event)
        px, is_roomy = self._theme.px, self.window().height() >= self._theme.px(self._roomy)
        self.premise.setMinimumHeight(px(LINE_HEIGHT) * (_LINES if is_roomy else 2))
        self._gap.changeSize(0, px(20 if is_roomy else 8))
        if was_at_end:
            bar.setValue(bar.maximum())
        self._place_more()

    # PairColumn on

    @property
    def is_painted(self) -> bool:
        """Whether some of the pair was on the screen."""
        return self._seen_to > 0

    def show_key(self, hint: str) -> None:
        """The key that scrolls down."""
        self.more.setText(f" More below · {hint}" if hint else " More below")
        self.more.setAccessibleName("More of the pair below")
        self._place_more()

    @Slot()
    def scroll_down(self) -> None:
        self._scroll(1)

    @Slot()
    def scroll_up(self) -> None:
        self._scroll(-1)

    def _scroll(self, pages: int) -> None:
        """Page by page; what was the last line is the first one then."""
        bar, line = self.verticalScrollBar(), self._theme.px(LINE_HEIGHT)
        bar.setValue(bar.value() + pages * max(line, self.viewport().height() - line - self.more.height()))

    @Slot()
    def _on_painted(self) -> None:
        """Note how far the pair was on the screen, page after page from its top."""
        top, height = self.verticalScrollBar().value(), self.viewport().height()
        end = self.hypothesis.mapTo(self._ground, QPoint(0, self.hypothesis.height())).y() - self._theme.px(_CUT)
        if not self.is_seen and self.premise.is_laid_out and self.hypothesis.is_laid_out:
            if top <= self._seen_to:
                self._seen_to = max(self._seen_to, top + height)
            self.is_seen = self._seen_to >= end
        if self.more.isHidden() == (top + height < end):
            self.more.setVisible(top + height < end)

    def _place_more(self) -> None:
        height, port = self.more.sizeHint().height(), self.viewport().geometry()
        self.more.setGeometry(port.left(), port.bottom() + 1 - height, port.width(), height)

    def show_item(self, item: ReviewItem, *, blind: bool) -> None:
        """`blind`: what mining knew stays hidden."""
        shown = (item.pair.key, item.pair.premise, item.pair.hypothesis)
        if shown != self._shown:
            self._shown, self._seen_to, self.is_seen = shown, 0, False
            self.verticalScrollBar().setValue(0)
        self.premise.show_text(item.pair.premise)
        self.hypothesis.show_text(item.pair.hypothesis)
        self.source.setText(_source_text(item))
        self.show_origin(None if blind else item)
        self.flagged.setVisible(item.flagged)
        self.marks.setText(_marks_text(item))
        self.marks.setVisible(bool(self.marks.text()))
        self._ground.update()

    def show_origin(self, item: ReviewItem | None) -> None:
        """What mining knew of the pair, and what a model says; None hides it."""
        told, label = origin_text(item) if item else ("", None)
        self.origin.setText(told[:1].upper() + told[1:])
        self.distant.show_label(label.value if label else "")
        made = item.suggestion if item else None
        self.opinion.setText("· the model says" if made else "")
        self.suggested.show_label(made.label.value if made else "")
        self.sure.setText(chance(made.confidence) if made else "")


def text_width(theme: Theme) -> int:
    """Pixels of a full line of reading text."""
    sample = "the cause of which, as far as we know, is not settled by the data we have "
    return QFontMetrics(theme.reading_font()).horizontalAdvance((sample * 2)[:LINE])


def _small(text: str) -> QLabel:
    label = PlainLabel(text)
    label.setProperty("type", "small")
    return label


def _source_text(item: ReviewItem) -> str:
    """Which paper a pair is from."""
    parts = (item.title or "Untitled paper", str(item.year or ""), item.domain)
    return " · ".join(part for part in parts if part)


def origin_text(item: ReviewItem) -> tuple[str, Label | None]:
    """What mining knew of a pair: words, and the distant label they end in."""
    pair = item.pair
    if pair.strategy is Strategy.LINKED and pair.phrase:
        return f"the phrase “{pair.phrase}” says", pair.distant_label
    if pair.strategy is Strategy.IMPORTED:
        return ("imported as" if pair.distant_label else "imported without a label"), pair.distant_label
    if pair.strategy is Strategy.IMPLICIT:
        return "neighbours without a linking phrase", pair.distant_label
    return "drawn at random as", pair.distant_label


def reason_text(reason: str) -> str:
    """A reason why a pair is bad, as people read it."""
    return REJECT_REASONS[RejectReason(reason)] if reason in set(RejectReason) else reason


def _marks_text(item: ReviewItem) -> str:
    """What the annotator has marked about a pair, beside the flag."""
    parts = []
    if item.bad is not None:
        parts.append(f"Taken out: {reason_text(item.bad).lower()}")
    elif item.status == "bad":
        parts.append("Taken out by another annotator")
    if item.note:
        parts.append(f"Note: {item.note}")
    if not item.current:
        parts.append("No longer mined by the present settings")
    return " · ".join(parts)
