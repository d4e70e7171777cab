"""What is inside the window: notice, sidebar, pages, status bar, and what lies over them."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from desktop.ui.pages.start.page import StartPage
from desktop.ui.services.runner import JobRunner
from desktop.ui.services.settings_store import SettingsStore
from desktop.ui.shell.navigation import NAVIGATION
from desktop.ui.shell.notifications import Toast
from desktop.ui.shell.page_stack import PageStack
from desktop.ui.shell.sidebar import Sidebar
from desktop.ui.shell.status_bar.activity import Activity
from desktop.ui.shell.status_bar.jobs_panel import JobsPanel
from desktop.ui.shell.status_bar.status_bar import StatusBar
from desktop.ui.theme import READING, Theme
from desktop.ui.widgets.notices import Banner

_NARROW = 1100  # px: below, the sidebar shows icons only


class CentralWidget(QWidget):
    """Built anew at another scale, since sizes are given when a widget is built."""

    def __init__(self, settings_store: SettingsStore, theme: Theme, runner: JobRunner, activity: Activity) -> None:
        super().__init__()
        self._theme = theme
        self.notice = Banner(theme)
        self.sidebar = Sidebar(theme)
        for item in NAVIGATION:
            self.sidebar.add(item.name, item.text, item.icon, below=item.below)
        self.start = StartPage(settings_store, theme, runner)
        self.stack = PageStack(self.start)
        self.stack.badge_changed.connect(self.sidebar.set_badge)
        self.status_bar = StatusBar(activity, runner, theme)
        across = QHBoxLayout()
        across.setContentsMargins(0, 0, 0, 0)
        across.setSpacing(0)
        across.addWidget(self.sidebar)
        across.addWidget(self.stack, 1)
        down = QVBoxLayout(self)
        down.setContentsMargins(0, 0, 0, 0)
        down.setSpacing(0)
        down.addWidget(self.notice)
        down.addLayout(across, 1)
        down.addWidget(self.status_bar)
        self.drop_overlay = DropOverlay(theme, self)
        self.jobs = JobsPanel(activity, theme, self)
        self.toast = Toast(theme, self)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.sidebar.set_narrow(self.width() < self._theme.px(_NARROW))

    def show_notice(self, text: str, action: str = "") -> None:
        """The notice above all pages, and its button; "" for none."""
        if (text, action) != (self.notice.text(), self.notice.button.text()):
            self.notice.tell(text, action)


class DropOverlay(QWidget):
    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._text = ""
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    @property
    def text(self) -> str:
        return self._text

    def show_over(self, page: QWidget, text: str) -> None:
        """Cover `page`, which has the same parent."""
        self._text = text
        self.setAccessibleName(text)
        self.setGeometry(page.geometry())
        self.raise_()
        self.show()
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._theme
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ground = theme.color("paper")
        ground.setAlphaF(0.88)
        painter.fillRect(self.rect(), ground)
        margin = theme.px(16)
        frame = QRectF(self.rect()).adjusted(margin, margin, -margin, -margin)
        painter.setPen(QPen(theme.color("accent"), theme.px(2), Qt.PenStyle.DashLine))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(frame, theme.px(8), theme.px(8))
        painter.setPen(theme.color("ink"))
        painter.setFont(theme.font(READING, bold=True))
        painter.drawText(frame, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, self._text)
