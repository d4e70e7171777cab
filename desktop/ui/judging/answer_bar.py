"""The answer buttons, and below them the other keys as links."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QSizePolicy, QToolButton, QWidget

from desktop.translation import tr
from desktop.ui.judging.label_chip import paint_letter
from desktop.ui.services.actions import ActionRegistry
from desktop.ui.theme import BODY, SMALL, Theme
from desktop.ui.widgets.flow_layout import FlowLayout
from desktop.ui.widgets.labels import set_tip
from desktop.ui.widgets.layouts import column_of
from miner.records import Answer


class AnswerButton(QAbstractButton):
    """A button that is checked if it is the annotator's answer.

    A click does not focus it, so that keys keep working.
    """

    def __init__(self, theme: Theme, answer: Answer, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.answer = answer
        self._key = ""
        self._has_room = True
        self.setText(answer.value.capitalize())
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        theme.changed.connect(self.update)

    def show_key(self, key: str) -> None:
        self._key = key
        self.setAccessibleName(tr("{self}, key {key}", self=self.text(), key=key) if key else self.text())
        set_tip(
            self,
            tr("Answer {value} ({key})", value=self.answer.value, key=key)
            if key
            else tr("Answer {value}", value=self.answer.value),
        )
        self.updateGeometry()
        self.update()

    def set_room(self, has_room: bool) -> None:
        """Put the word beside key and letter, or below them without room."""
        self._has_room = has_room
        self.updateGeometry()
        self.update()

    def nextCheckState(self) -> None:
        """Do nothing: only a saved answer checks the button, not a click."""

    def sizeHint(self) -> QSize:
        px = self._theme.px
        text = QFontMetrics(self._theme.font(BODY, bold=True)).horizontalAdvance(self.text())
        return QSize(px(10) + self._key_width() + px(18 + 8) + text + px(10), px(44 if self._has_room else 52))

    def minimumSizeHint(self) -> QSize:
        return QSize(self._theme.px(58), self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, px = self._theme, self._theme.px
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_frame(painter)
        painter.setOpacity(1.0 if self.isEnabled() else 0.45)
        middle = self.height() / 2 if self._has_room else px(18)
        x = float(px(10)) if self._has_room else (self.width() - self._key_width() - px(18)) / 2
        font = theme.font(BODY)
        metrics = QFontMetrics(font)
        baseline = middle + (metrics.ascent() - metrics.descent()) / 2
        if self._key:
            painter.setFont(font)
            painter.setPen(theme.color("muted"))
            painter.drawText(QPointF(x, baseline), self._key)
        x += self._key_width()
        paint_letter(painter, theme, self.answer.value, x, middle)
        if self._has_room:
            painter.setFont(theme.font(BODY, bold=self.isChecked()))
            painter.setPen(theme.color("ink"))
            painter.drawText(QPointF(x + px(18 + 8), baseline), self.text())
        else:
            painter.setFont(theme.font(SMALL, bold=self.isChecked()))
            painter.setPen(theme.color("ink"))
            below = QRectF(0, px(30), self.width(), px(18))
            word = painter.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, self.width() - px(6))
            painter.drawText(below, Qt.AlignmentFlag.AlignCenter, word)

    def _paint_frame(self, painter: QPainter) -> None:
        theme, px = self._theme, self._theme.px
        frame = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        fill = "selected" if self.isChecked() or self.isDown() else "hover" if self.underMouse() else "card"
        painter.setBrush(theme.color(fill if self.isEnabled() else "paper"))
        strong = self.hasFocus() or self.isChecked()
        color = theme.color("accent") if self.hasFocus() else theme.label_color(self.answer.value)
        painter.setPen(QPen(color, 2) if strong else QPen(theme.color("line"), 1))
        painter.drawRoundedRect(frame, px(8), px(8))

    def _key_width(self) -> int:
        if not self._key:
            return 0
        return QFontMetrics(self._theme.font(BODY)).horizontalAdvance(self._key) + self._theme.px(8)


HINTS = (  # action, text of its link
    ("accept", tr("accept")),
    ("skip", tr("skip")),
    ("context", tr("context")),
    ("note", tr("note")),
    ("flag", tr("flag")),
    ("bad", tr("bad pair")),
    ("tag", tr("tag")),
    ("edit.undo", tr("undo")),
    ("guide", tr("definitions")),
    ("why", tr("why")),
    ("help", tr("help")),
)
_SAVING_ACTIONS = frozenset(("accept", "keep", "skip", "note", "flag", "bad", "tag", "mend", "edit.undo"))


class AnswerBar(QWidget):
    """A button for each answer, a link for each of `hints`."""

    answered = Signal(object)  # Answer
    action_requested = Signal(str)  # the key of an action

    def __init__(
        self,
        actions: ActionRegistry,
        theme: Theme,
        page_name: str,
        hints: Sequence[tuple[str, str]] = HINTS,
        parent: QWidget | None = None,
    ) -> None:
        """`page_name`: the first part of the keys of the actions."""
        super().__init__(parent)
        self._actions, self._page_name = actions, page_name
        self._texts = {key if "." in key else f"{page_name}.{key}": text for key, text in hints}
        self.buttons = {answer: AnswerButton(theme, answer) for answer in Answer}
        self.hints: dict[str, QToolButton] = {}
        self._hidden_hints: set[str] = set()
        self._is_low = self._has_no_hints = False
        self._answers = QWidget()
        self._row = row = QHBoxLayout(self._answers)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(theme.px(8))
        for button in self.buttons.values():
            button.clicked.connect(self._on_clicked)
            row.addWidget(button, 1)
        self._links = links = FlowLayout(theme.px(4))
        for key in self._texts:
            hint = QToolButton()
            hint.setProperty("look", "quiet")
            hint.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            hint.setObjectName(key)
            hint.clicked.connect(self._on_hint)
            self.hints[key] = hint
            links.addWidget(hint)
        self.setLayout(column_of(self._answers, links, spacing=theme.px(8)))
        actions.keys_changed.connect(self.show_keys)
        self.show_keys()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        share = (self.width() - 4 * self._row.spacing()) / len(self.buttons)
        has_room = all(share >= button.sizeHint().width() for button in self.buttons.values())
        for button in self.buttons.values():
            button.set_room(has_room)
        if self._is_low:
            self._show_hints()

    def set_low(self, low: bool) -> None:
        """Set whether to save height for the pair: links that do not fit in one line are hidden, except the last."""
        self._is_low = low
        self._show_hints()

    def hide_hints(self, hidden: bool) -> None:
        """Set whether to leave out all links; their keys keep working."""
        self._has_no_hints = hidden
        self._show_hints()

    def _show_hints(self) -> None:
        """Show the links that are not hidden and fit."""
        offered = () if self._has_no_hints else self._texts
        shown = [key for key in offered if key in self._actions and key not in self._hidden_hints]
        widths = {key: self.hints[key].sizeHint().width() + self._links.spacing() for key in shown}
        room = self.width() + self._links.spacing() - (widths[shown[-1]] if shown else 0)
        for key, link in self.hints.items():
            room -= widths[key] if key in shown[:-1] else 0
            link.setVisible(key in shown and (room >= 0 or not self._is_low or key == shown[-1]))

    @Slot()
    def show_keys(self) -> None:
        """Show the current keys."""
        for answer, button in self.buttons.items():
            button.show_key(self._actions.hint(f"{self._page_name}.{answer.value}"))
        for key in self._texts:
            self._show_hint(key)
        self._show_hints()

    def _show_hint(self, key: str) -> None:
        text, shortcut, link = self._texts[key], self._actions.hint(key), self.hints[key]
        link.setText(f"{shortcut} {text}" if shortcut else text)
        link.setAccessibleName(
            tr("{text}, key {shortcut}", text=text.capitalize(), shortcut=shortcut) if shortcut else text.capitalize()
        )
        if key in self._actions:
            set_tip(link, self._actions[key].toolTip())

    def show_answer(self, mine: Answer | None) -> None:
        """Check the button of the annotator's answer."""
        for answer, button in self.buttons.items():
            button.setChecked(answer is mine)

    def show_flagged(self, flagged: bool) -> None:
        """Show whether the flag key flags or unflags the pair."""
        key = f"{self._page_name}.flag"
        self._texts[key] = "unflag" if flagged else "flag"
        self._show_hint(key)
        self._show_hints()

    def set_answers_visible(self, visible: bool) -> None:
        """Show or hide the buttons of the answers."""
        self._answers.setVisible(visible)

    def set_hint_visible(self, key: str, visible: bool) -> None:
        """Show or hide the link of an action."""
        if visible:
            self._hidden_hints.discard(key)
        else:
            self._hidden_hints.add(key)
        self._show_hints()

    def set_saving_enabled(self, enabled: bool) -> None:
        """Enable or disable everything that saves."""
        for button in self.buttons.values():
            button.setEnabled(enabled)
        for key, hint in self.hints.items():
            if key in _SAVING_ACTIONS or key.rpartition(".")[2] in _SAVING_ACTIONS:
                hint.setEnabled(enabled)

    @Slot()
    def _on_clicked(self) -> None:
        button = self.sender()
        assert isinstance(button, AnswerButton)
        self.answered.emit(button.answer)

    @Slot()
    def _on_hint(self) -> None:
        self.action_requested.emit(self.sender().objectName())
