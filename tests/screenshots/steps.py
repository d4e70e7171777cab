"""What the scenes do in the window: open a project, run actions, close dialogs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from tests.gui_driver import Wait

if TYPE_CHECKING:
    from desktop.ui.shell.window import MainWindow
    from tests.screenshots.camera import Camera


def open_project(window: MainWindow, camera: Camera, project: Path) -> Iterator[Wait]:
    window.open(project)
    yield camera.wait_until(lambda: window.context is not None and window.context.path == project)
    yield camera.wait_until_idle()


def close_dialogs(window: MainWindow) -> None:
    from PySide6.QtWidgets import QApplication

    for widget in QApplication.topLevelWidgets():
        if widget is not window and widget.isVisible():
            widget.close()


def run_actions(window: MainWindow, camera: Camera, page: str, *names: str) -> Iterator[Wait]:
    for name in names:
        window.action_registry[f"{page}.{name}"].trigger()
        yield camera.wait_until_idle()
