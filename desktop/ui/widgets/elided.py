"""A label of one line that ends in an ellipsis where its text does not fit."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from desktop.ui.widgets.plain import PlainLabel, set_tip


class ElidedLabel(PlainLabel):
    """The whole text is its tool tip while some of it is hidden."""

    def __init__(
        self,
        text: str = "",
        mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(text, parent)
        self._mode = mode
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        shown = self.fontMetrics().elidedText(self.text(), self._mode, self.contentsRect().width())
        set_tip(self, self.text() if shown != self.text() else "")
        flags = self.alignment().value | Qt.TextFlag.TextSingleLine.value
        self.style().drawItemText(
            painter, self.contentsRect(), flags, self.palette(), self.isEnabled(), shown, self.foregroundRole()
        )
