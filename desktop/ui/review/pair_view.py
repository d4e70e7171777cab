"""The pair: two sentences in big type, always at the same place."""

from __future__ import annotations

from html import escape

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QScrollArea, QSizePolicy, QSpacerItem, QVBoxLayout, QWidget

from desktop.ui.review import words
from desktop.ui.review.chip import Chip
from desktop.ui.theme import Theme
from desktop.ui.widgets.elided import ElidedLabel
from desktop.ui.widgets.numbers import decimals
from desktop.ui.widgets.plain import PlainLabel
from storage.rounds import ReviewItem

LINE = 72  # characters
LEADING = 27  # px from line to line
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
        self._spacing = round(100 * theme.px(LEADING) / QFontMetrics(theme.reading_font()).height())
        self.setFont(theme.reading_font())
        self.setTextFormat(Qt.TextFormat.RichText)
        self.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)

    def show_text(self, text: str) -> None:
        self.setText(f'<p style="line-height:{self._spacing}%; margin:0">{escape(text)}</p>')
        self.setAccessibleName(f"{self._name}: {text}")


class PairView(QScrollArea):
    """Premise and hypothesis; below them what is known, once it may be known."""

    def __init__(self, theme: Theme, roomy: int = 600, parent: QWidget | None = None) -> None:
        """`roomy`: px of the window's height that leave room for long premises."""
        super().__init__(parent)
        self._theme, self._roomy = theme, roomy
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
        self.distant = Chip(theme)
        self.opinion = PlainLabel()
        self.opinion.setProperty("type", "muted")
        self.suggested = Chip(theme)
        self.sure = PlainLabel()
        self.sure.setProperty("type", "muted")
        self.marks = _Wrapped()
        self.marks.setProperty("type", "muted")
        column = QWidget()
        column.setMaximumWidth(text_width(theme))
        layout = QVBoxLayout(column)
        layout.setContentsMargins(0, theme.px(8), 0, theme.px(8))
        layout.setSpacing(theme.px(4))
        layout.addWidget(self.source)
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
        around = QWidget()
        across = QHBoxLayout(around)
        across.setContentsMargins(0, 0, 0, 0)
        across.addStretch(1)
        across.addWidget(column, 1000)
        across.addStretch(1)
        self.setWidget(around)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Less room for the premise in a low window; by the window's height, which no panel changes."""
        super().resizeEvent(event)
        px, is_roomy = self._theme.px, self.window().height() >= self._theme.px(self._roomy)
        self.premise.setMinimumHeight(px(LEADING) * (_LINES if is_roomy else 2))
        self._gap.changeSize(0, px(20 if is_roomy else 8))

    def show_item(self, item: ReviewItem, *, blind: bool) -> None:
        """`blind`: what mining knew stays hidden."""
        self.premise.show_text(item.pair.premise)
        self.hypothesis.show_text(item.pair.hypothesis)
        self.source.setText(words.source(item))
        self.show_origin(None if blind else item)
        self.marks.setText(words.marks(item))
        self.marks.setVisible(bool(self.marks.text()))
        self.verticalScrollBar().setValue(0)

    def show_origin(self, item: ReviewItem | None) -> None:
        """What mining knew of the pair, and what a model says; None hides it."""
        told, label = words.origin(item) if item else ("", None)
        self.origin.setText(told[:1].upper() + told[1:])
        self.distant.show_label(label.value if label else "")
        made = item.suggestion if item else None
        self.opinion.setText("· the model says" if made else "")
        self.suggested.show_label(made.label.value if made else "")
        self.sure.setText(decimals(made.confidence) if made else "")


def text_width(theme: Theme) -> int:
    """Pixels of a full line of reading text."""
    sample = "the cause of which, as far as we know, is not settled by the data we have "
    return QFontMetrics(theme.reading_font()).horizontalAdvance((sample * 2)[:LINE])


def _small(text: str) -> QLabel:
    label = PlainLabel(text)
    label.setProperty("type", "small")
    return label
