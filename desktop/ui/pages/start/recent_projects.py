"""The recent projects on the start page: name, folder and date of each; struck out when the file is missing."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QColor, QGuiApplication, QKeyEvent, QKeySequence, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QMenu, QPushButton, QSizePolicy, QToolButton, QWidget

from desktop.translation import tr
from desktop.ui.theme import SMALL, Theme
from desktop.ui.widgets.labels import set_tip
from desktop.ui.widgets.layouts import row_of, stretched
from miner.progress import Job, Progress

_FAR = 1_000_000  # steps, to the first or the last project


class RecentProject(NamedTuple):
    """A project file and when it was last changed; `changed` is None when the file is missing."""

    path: Path
    changed: datetime | None


def read_recent_projects(paths: list[Path]) -> Job[list[RecentProject]]:
    """Look up when the projects were changed. This may take long: a drive may be asleep, a server unreachable."""

    def work(progress: Progress) -> list[RecentProject]:
        projects = []
        for path in paths:
            try:
                changed = datetime.fromtimestamp(path.stat().st_mtime)
            except OSError:
                changed = None
            projects.append(RecentProject(path, changed))
        return projects

    return Job(tr("Looking for recent projects"), work)


def relative_date(then: datetime, now: datetime) -> str:
    """A date in words.

    >>> now = datetime(2025, 3, 20)
    >>> relative_date(now, now), relative_date(datetime(2025, 3, 17), now), relative_date(datetime(2025, 1, 2), now)
    ('today', '3 days ago', '2 January 2025')
    """
    days = (now.date() - then.date()).days
    if days < 1:
        return "today"
    if days == 1:
        return "yesterday"
    return tr("{days} days ago", days=days) if days < 14 else f"{then.day} {then:%B %Y}"


class _RecentProjectButton(QAbstractButton):
    """The button that opens a recent project. It paints itself, to elide each of its two lines."""

    stepped = Signal(int)  # how many projects to move the keyboard focus down, or up: less than 0
    removed = Signal()

    def __init__(self, theme: Theme, recent: RecentProject, now: datetime, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._recent = recent
        self._date_text = "missing" if recent.changed is None else relative_date(recent.changed, now)
        self.setText(recent.path.stem)
        self.setAccessibleName(
            tr(
                "{stem}, {date_text}, in {parent}",
                stem=recent.path.stem,
                date_text=self._date_text,
                parent=recent.path.parent,
            )
        )
        set_tip(self, str(recent.path))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(self._theme.px(320), self._theme.px(52))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        match event.key():
            case Qt.Key.Key_Down | Qt.Key.Key_Up:
                self.stepped.emit(1 if event.key() == Qt.Key.Key_Down else -1)
            case Qt.Key.Key_Home | Qt.Key.Key_End:
                self.stepped.emit(_FAR if event.key() == Qt.Key.Key_End else -_FAR)
            case Qt.Key.Key_C if event.matches(QKeySequence.StandardKey.Copy):
                QGuiApplication.clipboard().setText(str(self._recent.path))
            case Qt.Key.Key_Delete | Qt.Key.Key_Backspace:
                self.removed.emit()
            case Qt.Key.Key_Return | Qt.Key.Key_Enter:
                self.click()
            case _:
                super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, px = self._theme, self._theme.px
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = self.rect().adjusted(1, 1, -1, -1)
        if self.underMouse() or self.isDown():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color("selected" if self.isDown() else "hover"))
            painter.drawRoundedRect(box, px(6), px(6))
        if self.hasFocus():
            pen = painter.pen()
            pen.setColor(theme.color("accent"))
            pen.setWidth(2)
            pen.setStyle(Qt.PenStyle.SolidLine)
            painter.setPen(pen)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(box, px(6), px(6))
        is_missing = self._recent.changed is None
        inner = box.adjusted(px(12), px(7), -px(12), -px(7))
        painter.setFont(theme.font(SMALL))
        muted = QColor(theme.tokens.muted)
        painter.setPen(muted)
        date_width = painter.fontMetrics().horizontalAdvance(self._date_text)
        top = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop
        painter.drawText(inner, top, self._date_text)
        folder = painter.fontMetrics().elidedText(
            _short_path(self._recent.path.parent), Qt.TextElideMode.ElideMiddle, inner.width()
        )
        painter.drawText(inner, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom, folder)
        font = theme.font(bold=True)
        font.setStrikeOut(is_missing)
        painter.setFont(font)
        painter.setPen(muted if is_missing else theme.color("ink"))
        name_width = inner.width() - date_width - px(12)
        name = painter.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, name_width)
        painter.drawText(inner, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop, name)


class RecentProjectRow(QWidget):
    """The button that opens a recent project, and one that removes it from the list."""

    opened = Signal(object)  # Path
    removed = Signal(object)  # Path
    stepped = Signal(int)  # how many projects to move the keyboard focus down, or up: less than 0

    def __init__(self, theme: Theme, recent: RecentProject, now: datetime, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.path = recent.path
        self.is_missing = recent.changed is None
        self.open_button = _RecentProjectButton(theme, recent, now)

        self.open_button.clicked.connect(lambda: self.opened.emit(self.path))
        self.open_button.removed.connect(lambda: self.removed.emit(self.path))
        self.open_button.stepped.connect(self.stepped)
        self.open_button.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.open_button.customContextMenuRequested.connect(self._show_menu)
        self.remove_button: QAbstractButton = QPushButton(tr("Remove from list")) if self.is_missing else QToolButton()
        self.remove_button.setProperty("look", "link" if self.is_missing else "quiet")
        self.remove_button.setIconSize(QSize(theme.px(14), theme.px(14)))
        if not self.is_missing:
            self.remove_button.setIcon(theme.icon("x", "muted"))
        set_tip(self.remove_button, tr("Remove from list (Delete); the file stays"))
        self.remove_button.setAccessibleName(tr("Remove {stem} from list", stem=recent.path.stem))
        self.remove_button.clicked.connect(lambda: self.removed.emit(self.path))
        self.setLayout(row_of(stretched(self.open_button), self.remove_button, spacing=0))
        self.setFocusProxy(self.open_button)

    def _show_menu(self, position: QPoint) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(tr("Open"), self.open_button.click)
        menu.addAction(tr("Remove from list"), lambda: self.removed.emit(self.path))
        menu.popup(self.open_button.mapToGlobal(position))


def _short_path(folder: Path) -> str:
    """The folder as text, with "~" for the home folder."""
    try:
        return f"~/{folder.relative_to(Path.home())}" if folder != Path.home() else "~"
    except ValueError:
        return str(folder)
