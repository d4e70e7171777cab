"""The sidebar: a button for each page, with a badge that counts what is to do there."""

from __future__ import annotations

from collections.abc import Collection

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QButtonGroup, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from desktop.ui.theme import SMALL, Theme
from desktop.ui.widgets.labels import set_tip

_SHORT_NAME_LENGTH = 8  # letters of a name that lacks room: "Disagree."


class SidebarButton(QToolButton):
    """The button of a page. `badge`: the number of things to do there."""

    def __init__(self, theme: Theme, icon: str, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._text = text
        self._metrics = QFontMetrics(theme.font(bold=True))
        self._margins = theme.px(12 + 18 + 12 + 12 + 6)
        self.badge = 0
        theme.set_icon(self, icon)
        self.setProperty("look", "sidebar")
        self.setCheckable(True)
        self.setIconSize(QSize(theme.px(18), theme.px(18)))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.set_narrow(False)
        self.set_badge(0)

    def set_narrow(self, narrow: bool) -> None:
        style = Qt.ToolButtonStyle.ToolButtonIconOnly if narrow else Qt.ToolButtonStyle.ToolButtonTextBesideIcon
        self.setToolButtonStyle(style)

    def set_badge(self, count: int) -> None:
        self.badge = count
        self.setAccessibleName(f"{self._text}, {count:,} waiting" if count else self._text)
        set_tip(self, self.accessibleName())
        self._fit_text()
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_text()

    def _fit_text(self) -> None:
        """Shorten the name if it lacks room beside the badge."""
        badge = self._metrics.horizontalAdvance(self._badge_text()) if self.badge else 0
        fits = self._metrics.horizontalAdvance(self._text) <= self.width() - self._margins - badge
        text = self._text if fits else f"{self._text[:_SHORT_NAME_LENGTH]}."
        self.setText(f"  {text}")  # a style sheet cannot set the space between icon and text

    def _badge_text(self) -> str:
        return f"{self.badge:,}" if self.badge < 10_000 else f"{self.badge // 1000:,}k"

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self.badge:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        theme = self._theme
        narrow = self.toolButtonStyle() == Qt.ToolButtonStyle.ToolButtonIconOnly
        if narrow:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color("accent"))
            size = theme.px(8)
            painter.drawEllipse(self.width() - size - theme.px(6), theme.px(6), size, size)
            return
        painter.setFont(theme.font(SMALL))
        painter.setPen(QColor(theme.tokens.muted))
        right = self.rect().adjusted(0, 0, -theme.px(12), 0)
        painter.drawText(right, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, self._badge_text())


class Sidebar(QWidget):
    """The buttons of all pages; exactly one is checked."""

    page_selected = Signal(str)  # a page's name

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setProperty("look", "sidebar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName("Pages")
        self._buttons: dict[str, SidebarButton] = {}
        self._group = QButtonGroup(self)
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(theme.px(8), theme.px(12), theme.px(8), theme.px(12))
        self._layout.setSpacing(theme.px(4))
        self._has_bottom_group = False
        self.set_narrow(False)

    def add(self, name: str, text: str, icon: str, *, below: bool = False) -> None:
        """Add a button for a page; with `below`, at the bottom of the sidebar."""
        if below and not self._has_bottom_group:
            self._has_bottom_group = True
            self._layout.addStretch(1)
        button = SidebarButton(self._theme, icon, text, self)
        button.clicked.connect(lambda: self.page_selected.emit(name))
        self._group.addButton(button)
        self._layout.addWidget(button)
        self._buttons[name] = button

    def show_page(self, name: str) -> None:
        if name in self._buttons:
            self._buttons[name].setChecked(True)

    def offer(self, names: Collection[str]) -> None:
        """Show the buttons of these pages only."""
        for name, button in self._buttons.items():
            button.setVisible(name in names)

    def set_badge(self, name: str, count: int) -> None:
        self._buttons[name].set_badge(count)

    def clear_badges(self) -> None:
        for button in self._buttons.values():
            button.set_badge(0)

    def set_narrow(self, narrow: bool) -> None:
        self.setFixedWidth(self._theme.px(56 if narrow else 192))
        for button in self._buttons.values():
            button.set_narrow(narrow)
