"""Shows a file in the file manager of the system."""

from __future__ import annotations

import sys
from pathlib import Path

from PySide6.QtCore import QProcess, QUrl
from PySide6.QtGui import QDesktopServices

_SERVICE, _OBJECT = "org.freedesktop.FileManager1", "/org/freedesktop/FileManager1"


def show_file(path: Path) -> bool:
    """Open the file's folder with the file selected, if the system can do that; returns whether it was opened.

    https://www.freedesktop.org/wiki/Specifications/file-manager-interface
    """
    if sys.platform == "darwin":
        return _started("open", ["-R", str(path)])
    if sys.platform == "win32":
        return _started("explorer", ["/select,", str(path)])
    return _show_by_dbus(path) or QDesktopServices.openUrl(QUrl.fromLocalFile(str(path.parent)))


def _started(program: str, arguments: list[str]) -> bool:
    found = QProcess.startDetached(program, arguments)
    return bool(found[0] if isinstance(found, tuple) else found)


def _show_by_dbus(path: Path) -> bool:
    try:
        from PySide6.QtDBus import QDBusConnection, QDBusMessage
    except ImportError:  # without the library of D-Bus
        return False
    bus = QDBusConnection.sessionBus()
    if not bus.isConnected() or not bus.interface().isServiceRegistered(_SERVICE).value():
        return False
    message = QDBusMessage.createMethodCall(_SERVICE, _OBJECT, _SERVICE, "ShowItems")
    message.setArguments([[QUrl.fromLocalFile(str(path)).toString(QUrl.ComponentFormattingOption.FullyEncoded)], ""])
    return bus.send(message)
