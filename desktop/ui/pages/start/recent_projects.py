"""A project on the start page: its name, where it lies and when it was last changed; greyed when it is gone."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QMenu, QPushButton, QSizePolicy, QToolButton, QWidget

from desktop.ui.theme import SMALL, Theme
from desktop.ui.widgets.labels import set_tip
from miner.progress import Job, Progress


class RecentProject(NamedTuple):
    """`changed` None: there is no such file now."""

    path: Path
    changed: datetime | None


def read_recent_projects(paths: list[Path]) -> Job[list[RecentProject]]:
    """How the projects are now; a drive that sleeps or a server that is away may take its time to say."""

    def work(progress: Progress) -> list[RecentProject]:
        found = []
        for path in paths:
            try:
                changed = datetime.fromtimestamp(path.stat().st_mtime)
            except OSError:
                changed = None
            found.append(RecentProject(path, changed))
        return found

    return Job("Looking for recent projects", work)


def relative_date(then: datetime, now: datetime) -> str:
    """Such as today, yesterday, 3 days ago, 12 March 2025."""
    days = (now.date() - then.date()).days
    if days < 1:
        return "today"
    if days == 1:
        return "yesterday"
    return f"{days} days ago" if days < 14 else f"{then.day} {then:%B %Y}"


class _RecentProjectButton(QAbstractButton):
    """The part of a recent project that opens it; drawn, so that both lines end in an ellipsis where they must."""

    stepped = Signal(int)
    removed = Signal()

    def __init__(self, theme: Theme, recent: RecentProject, now: datetime, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._recent = recent
        self._when = "missing" if recent.changed is None else relative_date(recent.changed, now)
        self.setText(recent.path.stem)
        self.setAccessibleName(f"{recent.path.stem}, {self._when}, in {recent.path.parent}")
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
        gone = self._recent.changed is None
        inner = box.adjusted(px(12), px(7), -px(12), -px(7))
        painter.setFont(theme.font(SMALL))
        muted = QColor(theme.tokens.muted)
        painter.setPen(muted)
        width = painter.fontMetrics().horizontalAdvance(self._when)
        top = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop
        painter.drawText(inner, top, self._when)
        place = painter.fontMetrics().elidedText(
            _short_path(self._recent.path.parent), Qt.TextElideMode.ElideMiddle, inner.width()
        )
        painter.drawText(inner, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom, place)
        font = theme.font(bold=True)
        font.setStrikeOut(gone)
        painter.setFont(font)
        painter.setPen(muted if gone else theme.color("ink"))
        room = inner.width() - width - px(12)
        name = painter.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, room)
        painter.drawText(inner, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop, name)


class RecentProjectRow(QWidget):
    opened = Signal(object)  # Path
    removed = Signal(object)  # Path
    stepped = Signal(int)

    def __init__(self, theme: Theme, recent: RecentProject, now: datetime, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.path = recent.path
        self.is_gone = recent.changed is None
        self.row = _RecentProjectButton(theme, recent, now)
        self.row.setEnabled(True)
        self.row.clicked.connect(lambda: self.opened.emit(self.path))
        self.row.removed.connect(lambda: self.removed.emit(self.path))
        self.row.stepped.connect(self.stepped)
        self.row.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.row.customContextMenuRequested.connect(self._show_menu)
        self.remove: QAbstractButton = QPushButton("Remove from list") if self.is_gone else QToolButton()
        self.remove.setProperty("look", "link" if self.is_gone else "quiet")
        self.remove.setIconSize(QSize(theme.px(14), theme.px(14)))
        if not self.is_gone:
            self.remove.setIcon(theme.icon("x", "muted"))
        set_tip(self.remove, "Remove from list (Delete); the file stays")
        self.remove.setAccessibleName(f"Remove {recent.path.stem} from list")
        self.remove.clicked.connect(lambda: self.removed.emit(self.path))
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.row, 1)
        layout.addWidget(self.remove)
        self.setFocusProxy(self.row)

    def _show_menu(self, at: QPoint) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction("Open", self.row.click)
        menu.addAction("Remove from list", lambda: self.removed.emit(self.path))
        menu.popup(self.row.mapToGlobal(at))


def _short_path(folder: Path) -> str:
    try:
        return f"~/{folder.relative_to(Path.home())}" if folder != Path.home() else "~"
    except ValueError:
        return str(folder)
