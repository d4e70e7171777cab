"""The popover that says why a pair is shown now; the next key or click closes it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QWidget

from desktop.translation import tr
from desktop.ui.theme import Theme
from desktop.ui.widgets.labels import PlainLabel
from desktop.ui.widgets.layouts import CardFrame, column_of

_WIDTH_PX = 420


class WhyPopover(CardFrame):
    """A heading and a paragraph for each sentence, above the widget that it belongs to."""

    def __init__(self, theme: Theme, sentences: Sequence[str], parent: QWidget) -> None:
        super().__init__(parent.window())
        px = theme.px
        self._opener = parent
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setFixedWidth(px(_WIDTH_PX))
        self.sentences = tuple(sentences)
        self.setAccessibleName(tr("Why this pair?"))
        self.setAccessibleDescription(" ".join(sentences))
        heading = PlainLabel(tr("Why this pair?"), type="heading")
        layout = column_of(heading, spacing=px(8), margins=(px(16), px(12), px(16), px(12)))
        self.setLayout(layout)
        for sentence in sentences:
            label = PlainLabel(sentence, wraps=True)
            label.setFixedWidth(px(_WIDTH_PX - 32))  # the height follows from it
            layout.addWidget(label)

    def open_above(self, anchor: QWidget) -> None:
        """Show the popover above a widget, within the window."""
        self.adjustSize()
        window = anchor.window()
        corner = anchor.mapTo(window, QPoint(0, 0))
        x = max(0, min(corner.x(), window.width() - self.width()))
        self.move(x, max(0, corner.y() - self.height() - 4))
        self.show()
        self.raise_()
        self.setFocus(Qt.FocusReason.PopupFocusReason)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() is not Qt.FocusReason.ActiveWindowFocusReason:
            self.close()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._close()

    def _close(self) -> None:
        self._opener.setFocus()
        self.close()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride:  # else the keys of the page behind would answer
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Only close: no key may answer a pair behind the popover."""
        if event.key() not in (Qt.Key.Key_Shift, Qt.Key.Key_Control, Qt.Key.Key_Alt, Qt.Key.Key_Meta):
            self._close()
