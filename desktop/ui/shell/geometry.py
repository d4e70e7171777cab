"""Where a window was and how large, and where it goes on a screen that is another one now."""

from __future__ import annotations

from PySide6.QtCore import QByteArray, QSettings, QSize
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMainWindow

_TITLE_BAR = 40  # px
_SEEN = QSize(200, 100)  # of a window must be on some screen


def restore(window: QMainWindow, kept: QSettings, size: QSize) -> None:
    """As it was left, else of `size`; never larger than a screen, and always to be seen on one."""
    geometry = kept.value("geometry")
    if not (isinstance(geometry, QByteArray) and window.restoreGeometry(geometry)):
        window.resize(size)
    screens = [screen.availableGeometry() for screen in QGuiApplication.screens()]
    if not screens:
        return
    if not window.isMaximized():
        widest, highest = max(s.width() for s in screens), max(s.height() for s in screens) - _TITLE_BAR
        window.resize(min(window.width(), widest), min(window.height(), highest))
    seen = [window.frameGeometry().intersected(screen) for screen in screens]
    if not any(part.width() >= _SEEN.width() and part.height() >= _SEEN.height() for part in seen):
        window.move(screens[0].center() - window.rect().center())


def keep(window: QMainWindow, kept: QSettings) -> None:
    kept.setValue("geometry", window.saveGeometry())
    kept.sync()
