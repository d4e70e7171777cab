"""The widgets inside the window: banner, sidebar, pages and status bar, and the overlays above them."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt, Slot
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QWidget

from desktop.ui.pages.start.page import StartPage
from desktop.ui.services.runner import JobRunner
from desktop.ui.services.settings_store import SettingsStore
from desktop.ui.shell.notifications import Toast
from desktop.ui.shell.page_stack import PageStack
from desktop.ui.shell.sidebar import Sidebar
from desktop.ui.shell.status_bar.activity import Activity
from desktop.ui.shell.status_bar.jobs_panel import JobsPanel
from desktop.ui.shell.status_bar.status_bar import StatusBar
from desktop.ui.shell.steps_bar import StepsBar
from desktop.ui.theme import READING, Theme
from desktop.ui.widgets.layouts import column_of, row_of, stretched
from desktop.ui.widgets.notices import Banner

_NARROW_WIDTH_PX = 1100  # in a narrower window the sidebar shows its names below the icons


class CentralWidget(QWidget):
    """All widgets of the window."""

    def __init__(self, settings_store: SettingsStore, theme: Theme, runner: JobRunner, activity: Activity) -> None:
        super().__init__()
        self._theme = theme
        self.notice, self.offer = Banner(theme), Banner(theme)
        self.offer.dismissed.connect(self.hide_offer)
        self.sidebar = Sidebar(theme)
        self.start = StartPage(settings_store, theme, runner)
        self.stack = PageStack(self.start)
        self.stack.badge_changed.connect(self.sidebar.set_badge)
        self.status_bar = StatusBar(activity, runner, theme)
        self.steps = StepsBar(settings_store, theme, runner)
        self.setLayout(
            column_of(
                self.notice,
                self.offer,
                stretched(
                    row_of(self.sidebar, stretched(column_of(self.steps, stretched(self.stack), spacing=0)), spacing=0)
                ),
                self.status_bar,
                spacing=0,
            )
        )
        self.drop_overlay = DropOverlay(theme, self)
        self.jobs = JobsPanel(activity, theme, self)
        self.toast = Toast(theme, self)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.sidebar.set_narrow(self.width() < self._theme.px(_NARROW_WIDTH_PX))

    def show_notice(self, text: str, action: str = "") -> None:
        """Show a notice above all pages, with a button for `action`; "" for none."""
        if (text, action) != (self.notice.text(), self.notice.button.text()):
            self.notice.show_text(text, action)

    def show_offer(self, text: str, action: str) -> None:
        """Show what can be done about something in this project, until it is done or dismissed."""
        self.offer.show_text(text, action, can_close=True)

    @Slot()
    def hide_offer(self) -> None:
        self.offer.show_text("")


class DropOverlay(QWidget):
    """Covers a page while files are dragged over the window, and says what a drop would do."""

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
        """Cover `page`, a widget with the same parent."""
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
        background = theme.color("paper")
        background.setAlphaF(0.88)
        painter.fillRect(self.rect(), background)
        margin = theme.px(16)
        frame = QRectF(self.rect()).adjusted(margin, margin, -margin, -margin)
        painter.setPen(QPen(theme.color("accent"), theme.px(2), Qt.PenStyle.DashLine))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(frame, theme.px(8), theme.px(8))
        painter.setPen(theme.color("ink"))
        painter.setFont(theme.font(READING, bold=True))
        painter.drawText(frame, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, self._text)
