"""The pair on the screen, two sentences in large type, and the line about the pair answered before it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
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
    QWidget,
)

from desktop.text import chance
from desktop.translation import tr
from desktop.ui.judging.answer_session import AnsweredPair
from desktop.ui.judging.label_chip import LabelChip
from desktop.ui.theme import LINE_HEIGHT, READING, Theme
from desktop.ui.widgets.flow_layout import FlowLayout
from desktop.ui.widgets.labels import ElidedLabel, PlainLabel
from desktop.ui.widgets.layouts import STRETCH, column_of, row_of, stretched
from desktop.ui.widgets.notices import IconLabel
from miner.records import Label, Strategy, Suggestion
from storage.annotation.marks import reason_text
from storage.annotation.rounds import ReviewItem

_LINE_LENGTH = 72  # characters
_DESCENT_PX = 8  # height below the letters of the last line, which may be hidden
_PREMISE_LINES = 4  # always visible in a tall window; enough for nine premises in ten
_SMALL = 0.75  # of the size of sentences, where these would not be whole on the screen
_NARROW_WIDTH_PX = 620  # of the line about the previous answer


class _WrappedLabel(PlainLabel):
    """A label that is as high as its wrapped text needs; QLabel would request the height for a narrow label."""

    def __init__(self) -> None:
        super().__init__()
        self.setWordWrap(True)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, 0)


class _SentenceLabel(_WrappedLabel):
    def __init__(self, theme: Theme, name: str) -> None:
        super().__init__()
        self._name = name
        self._theme = theme
        self.setFont(theme.reading_font())
        self.setTextFormat(Qt.TextFormat.RichText)
        self.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)

    @property
    def is_laid_out(self) -> bool:
        """Whether the label is high enough for its text."""
        return self.height() >= self.heightForWidth(self.width())

    def show_text(self, text: str) -> None:
        self.setText(f'<p style="line-height:{self._theme.reading_spacing()}%; margin:0">{escape(text)}</p>')
        self.setAccessibleName(f"{self._name}: {text}")


class _PaintedWidget(QWidget):
    """A widget that emits a signal when it was painted."""

    painted = Signal()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        self.painted.emit()


class PairView(QScrollArea):
    """Premise and hypothesis, with the results of mining and of a model below them, unless these are hidden.

    `is_seen`: both sentences were visible to their ends.
    """

    def __init__(self, theme: Theme, tall_height: int = 600, parent: QWidget | None = None) -> None:
        """`tall_height`: height of the window in px from which on long premises have room."""
        super().__init__(parent)
        self._theme, self._tall_height = theme, tall_height
        self.likely_text: Callable[[Sequence[float]], str] = lambda probabilities: ""
        self._shown_text = ("", "", "")  # key, premise, hypothesis
        self._seen_height = 0  # px of the content, from its top, that were on the screen
        self.is_seen = False
        self._is_tight = self._is_small = False
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.viewport().setAutoFillBackground(False)
        self.premise = _SentenceLabel(theme, tr("Premise"))
        self.hypothesis = _SentenceLabel(theme, tr("Hypothesis"))
        self.source_label = ElidedLabel(type="small")
        self.origin_label = PlainLabel(type="muted")
        self.distant_chip = LabelChip(theme)
        self.model_label = PlainLabel(type="muted")
        self.suggested_chip = LabelChip(theme)
        self.confidence_label = PlainLabel(type="muted")
        self.marks_label = _WrappedLabel()
        self.marks_label.setProperty("type", "muted")
        column = QWidget()
        column.setMaximumWidth(text_width(theme))
        self.flagged_label = QWidget()
        flag_text = PlainLabel(tr("Flagged"), type="warning")
        self.flagged_label.setLayout(row_of(IconLabel(theme, "flag", "warning", 14), flag_text, spacing=theme.px(4)))
        self._source = QWidget()
        self._source.setLayout(row_of(stretched(self.source_label), self.flagged_label, spacing=theme.px(12)))
        layout = column_of(self._source, spacing=theme.px(4), margins=(0, theme.px(8), 0, theme.px(8)))
        column.setLayout(layout)
        self._gap = QSpacerItem(0, theme.px(20))
        layout.addItem(self._gap)
        self._captions = _small_label(tr("Premise")), _small_label(tr("Hypothesis"))
        layout.addWidget(self._captions[0])
        layout.addWidget(self.premise)
        layout.addSpacing(theme.px(12))
        layout.addWidget(self._captions[1])
        layout.addWidget(self.hypothesis)
        layout.addSpacing(theme.px(12))
        origin_row = FlowLayout(theme.px(8))
        for parts in (
            (self.origin_label, self.distant_chip),
            (self.model_label, self.suggested_chip, self.confidence_label),
        ):
            origin_row.addWidget(_together(theme, parts))
        layout.addLayout(origin_row)
        layout.addWidget(self.marks_label)
        layout.addStretch(1)
        content = self._content = _PaintedWidget()
        content.painted.connect(self._on_painted)
        content.setLayout(row_of(STRETCH, stretched(column, 1000), STRETCH, spacing=0))
        self.setWidget(content)
        self.more_button = QPushButton(self)
        self.more_button.setProperty("look", "more")
        self.more_button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.more_button.setIcon(theme.icon("chevron-down", "accent"))
        self.more_button.clicked.connect(self.scroll_down)
        self.more_button.hide()
        self.show_key("")

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give the premise less room in a low window. The window's height decides, as no panel changes that."""
        bar = self.verticalScrollBar()
        was_at_end = 0 < bar.maximum() == bar.value()
        super().resizeEvent(event)
        self._reserve_lines()
        self._gap.changeSize(0, self._theme.px(20 if self._is_tall else 8))
        if was_at_end:
            bar.setValue(bar.maximum())
        self._place_more_button()

    @property
    def _is_tall(self) -> bool:
        return self.window().height() >= self._theme.px(self._tall_height)

    def _reserve_lines(self) -> None:
        """Reserve the height of most premises, so that the hypothesis has the same place for every pair."""
        lines = 0 if self._is_tight else _PREMISE_LINES if self._is_tall else 2
        self.premise.setMinimumHeight(self._theme.px(LINE_HEIGHT) * lines)

    def set_tight(self, tight: bool) -> None:
        """Set whether the premise has only the height of its own lines."""
        if tight != self._is_tight:
            self._is_tight = tight
            self._reserve_lines()

    def hide_source(self, hidden: bool) -> None:
        """Set whether to hide the line above the premise, with the paper and the flag."""
        self._source.setVisible(not hidden)

    def hide_captions(self, hidden: bool) -> None:
        """Set whether to hide "Premise" and "Hypothesis" above the sentences."""
        for caption in self._captions:
            caption.setVisible(not hidden)

    def set_small(self, small: bool) -> None:
        """Set whether the sentences are in smaller type, but not smaller than the type at 100 % scale."""
        if small != self._is_small:
            self._is_small = small
            size = max(READING / self._theme.scale, READING * _SMALL) if small else READING
            for sentence in (self.premise, self.hypothesis):
                sentence.setFont(self._theme.reading_font(round(size)))

    @property
    def lacks_room(self) -> bool:
        """Whether a sentence of the pair is only partly visible."""
        px, width = self._theme.px, min(self.viewport().width(), text_width(self._theme))
        premise = max(self.premise.heightForWidth(width), self.premise.minimumHeight())
        above = [one for one in (*self._captions, self._source) if not one.isHidden()]
        gaps = px(8) + self._gap.sizeHint().height() + px(12) + (3 + len(above)) * px(4) - px(_DESCENT_PX)
        needed = gaps + premise + self.hypothesis.heightForWidth(width)
        return self.viewport().height() < needed + sum(label.sizeHint().height() for label in above)

    @property
    def key(self) -> str:
        """The key of the shown pair; "" before the first."""
        return self._shown_text[0]

    @property
    def is_painted(self) -> bool:
        """Whether any part of the pair has been painted."""
        return self._seen_height > 0

    def show_key(self, hint: str) -> None:
        """Show the key that scrolls down."""
        self.more_button.setText(tr(" More below · {hint}", hint=hint) if hint else tr(" More below"))
        self.more_button.setAccessibleName(tr("The pair continues below"))
        self._place_more_button()

    @Slot()
    def scroll_down(self) -> None:
        self._scroll(1)

    @Slot()
    def scroll_up(self) -> None:
        self._scroll(-1)

    def _scroll(self, pages: int) -> None:
        """Scroll by a page, so that the last line becomes the first; but at first only to the end of the pair."""
        bar, line = self.verticalScrollBar(), self._theme.px(LINE_HEIGHT)
        place = bar.value() + pages * max(line, self.viewport().height() - line - self.more_button.height())
        end = self._end - self.viewport().height()
        bar.setValue(min(place, end) if bar.value() < end else place)

    @property
    def _end(self) -> int:
        """The end of the hypothesis, in pixels from the top of the content."""
        below = self.hypothesis.mapTo(self._content, QPoint(0, self.hypothesis.height())).y()
        return below - self._theme.px(_DESCENT_PX)

    @Slot()
    def _on_painted(self) -> None:
        """Record how far the pair was on the screen, from its top without gaps."""
        top, height = self.verticalScrollBar().value(), self.viewport().height()
        end = self._end
        if not self.is_seen and self.premise.is_laid_out and self.hypothesis.is_laid_out:
            if top <= self._seen_height:
                self._seen_height = max(self._seen_height, top + height)
            self.is_seen = self._seen_height >= end
        if self.more_button.isHidden() == (top + height < end):
            self.more_button.setVisible(top + height < end)

    def _place_more_button(self) -> None:
        height, port = self.more_button.sizeHint().height(), self.viewport().geometry()
        self.more_button.setGeometry(port.left(), port.bottom() + 1 - height, port.width(), height)

    def show_item(self, item: ReviewItem, *, blind: bool) -> None:
        """`blind`: hide what mining and the model say."""
        text = (item.pair.key, item.pair.premise, item.pair.hypothesis)
        if text != self._shown_text:
            self._shown_text, self._seen_height, self.is_seen = text, 0, False
            self.verticalScrollBar().setValue(0)
        self.premise.show_text(item.pair.premise)
        self.hypothesis.show_text(item.pair.hypothesis)
        self.source_label.setText(_source_text(item))
        self.show_origin(None if blind else item)
        self.flagged_label.setVisible(item.flagged)
        self.marks_label.setText(_marks_text(item))
        self.marks_label.setVisible(bool(self.marks_label.text()))
        self._content.update()

    def show_origin(self, item: ReviewItem | None) -> None:
        """Show the results of mining and of a model for the pair; None hides both."""
        origin, label = origin_text(item) if item else ("", None)
        self.origin_label.setText(origin[:1].upper() + origin[1:])
        self.distant_chip.show_label(label.value if label else "")
        suggestion = item.suggestion if item else None
        self.model_label.setText(tr("· model suggestion") if suggestion else "")
        self.suggested_chip.show_label(suggestion.label.value if suggestion else "")
        self.confidence_label.setText(self._confidence_text(suggestion) if suggestion else "")

    def _confidence_text(self, suggestion: Suggestion) -> str:
        """The confidence, and the classes that the model leaves, if it is not the suggested one alone."""
        likely = self.likely_text(suggestion.probabilities)
        shown = "" if likely == suggestion.label.value else likely
        return " · ".join(filter(None, (chance(suggestion.confidence), shown)))


class PreviousAnswer(QWidget):
    """The line about the previous pair: its answer, what mining and the model say, and a button to change it."""

    change_requested = Signal(str)  # the pair's key

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._key, self._origin, self._key_hint = "", "", ""
        self.setFixedHeight(theme.px(30))
        self._lead_label = PlainLabel(tr("Previous:"))
        self.answer_chip = LabelChip(theme)
        self.origin_label = ElidedLabel()
        self.origin_label.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        self.distant_chip = LabelChip(theme, words=False)
        self.model_label = PlainLabel(tr("· model"))
        self.suggested_chip = LabelChip(theme, words=False)
        self.confidence_label = PlainLabel()
        lead = (self._lead_label, self.answer_chip, self.origin_label)
        self._widgets = (*lead, self.distant_chip, self.model_label, self.suggested_chip, self.confidence_label)
        self.change_button = QPushButton(tr("Change"))
        self.change_button.setProperty("look", "link")
        self.change_button.setAccessibleName(tr("Change the previous answer"))
        self.change_button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.change_button.clicked.connect(self._on_clicked)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(theme.px(8))
        for widget in self._widgets:
            if isinstance(widget, QLabel):
                widget.setProperty("type", "muted")
            layout.addWidget(widget)
        layout.addSpacing(theme.px(8))
        layout.addWidget(self.change_button)
        layout.addStretch(1)
        self.clear()

    def show_answer(self, answered: AnsweredPair, key_hint: str, *, blind: bool) -> None:
        """`blind`: hide what mining and the model say."""
        self._key = answered.item.pair.key
        self.answer_chip.show_label(answered.answer.value if answered.answer else "")
        origin, label = ("", None) if blind else origin_text(answered.item)
        lead = "accepted" if answered.accepted else ""
        if answered.answer is None:
            lead = tr("bad pair ({reason_text})", reason_text=reason_text(answered.item.bad or ""))
        self._lead_label.setText(tr("Previous: {lead}", lead=lead).rstrip())
        self._origin, self._key_hint = f"· {origin}", key_hint
        self.distant_chip.show_label(label.value if label else "")
        suggestion = None if blind else answered.item.suggestion
        self.suggested_chip.show_label(suggestion.label.value if suggestion else "")
        self.confidence_label.setText(chance(suggestion.confidence) if suggestion else "")
        self.model_label.setVisible(suggestion is not None)
        self.confidence_label.setVisible(suggestion is not None)
        self._update_text()
        for widget in (self._lead_label, self.change_button):
            widget.setVisible(True)
        self.origin_label.setVisible(bool(origin))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._update_text()

    def _update_text(self) -> None:
        """Use shorter text when a panel leaves little room."""
        is_narrow = self.width() < self._theme.px(_NARROW_WIDTH_PX)
        self.answer_chip.show_words(not is_narrow)
        self.origin_label.setText(tr("· distant") if is_narrow and self.distant_chip.label else self._origin)
        self.change_button.setText(
            tr("Change") if is_narrow or not self._key_hint else tr("Change ({key_hint})", key_hint=self._key_hint)
        )

    def clear(self) -> None:
        """Show nothing."""
        self._key = ""
        for widget in (*self._widgets, self.change_button):
            widget.setVisible(False)

    @Slot()
    def clear_key_hint(self) -> None:
        """Hide the undo key, since it would now undo a later action first."""
        self._key_hint = ""
        self._update_text()

    @property
    def key(self) -> str:
        """The key of the previous pair; "" without one."""
        return self._key

    @Slot()
    def _on_clicked(self) -> None:
        self.change_requested.emit(self._key)


def text_width(theme: Theme) -> int:
    """Width in pixels of a full line of reading text."""
    sample = tr("the cause of which, as far as we know, is not settled by the data we have ")
    return QFontMetrics(theme.reading_font()).horizontalAdvance((sample * 2)[:_LINE_LENGTH])


def _together(theme: Theme, widgets: Iterable[QWidget]) -> QWidget:
    """A widget with these widgets side by side."""
    box = QWidget()
    row = QHBoxLayout(box)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(theme.px(8))
    for widget in widgets:
        row.addWidget(widget)
    return box


def _small_label(text: str) -> QLabel:
    return PlainLabel(text, type="small")


def _source_text(item: ReviewItem) -> str:
    """The paper of a pair: title, year, domain."""
    parts = (item.title or tr("Untitled paper"), str(item.year or ""), item.domain)
    return " · ".join(part for part in parts if part)


def origin_text(item: ReviewItem) -> tuple[str, Label | None]:
    """The result of mining for a pair: a text, and the distant label to show after it."""
    pair = item.pair
    if pair.strategy is Strategy.LINKED and pair.phrase:
        return tr("distant label, from “{phrase}”:", phrase=pair.phrase), pair.distant_label
    if pair.strategy is Strategy.IMPORTED:
        return (
            tr("imported with the label") if pair.distant_label else tr("imported without a label")
        ), pair.distant_label
    if pair.strategy is Strategy.IMPLICIT:
        return tr("adjacent sentences without a linking phrase"), pair.distant_label
    return tr("drawn at random, so labelled"), pair.distant_label


def _marks_text(item: ReviewItem) -> str:
    """The marks of a pair other than the flag."""
    parts = []
    if item.bad is not None:
        parts.append(tr("Bad pair: {reason_text}", reason_text=reason_text(item.bad)))
    elif item.status == "bad":
        parts.append(tr("Marked as bad by another annotator"))
    if item.tags:
        parts.append(tr("Error: {tags}", tags=", ".join(item.tags)))
    if item.note:
        parts.append(tr("Note: {note}", note=item.note))
    if item.edited:
        parts.append(tr("Corrected by hand"))
    if not item.current:
        parts.append(tr("No longer mined with the present settings"))
    return " · ".join(parts)
