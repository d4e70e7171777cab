"""The one broadcast of what changed in the project."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal


class ProjectEvents(QObject):
    changed = Signal(object)  # Changes
