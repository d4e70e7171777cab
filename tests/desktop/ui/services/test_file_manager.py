"""A file is shown in the file manager of each system, and its folder where the system cannot select it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QProcess
from PySide6.QtGui import QDesktopServices
from pytestqt.qtbot import QtBot

from desktop.ui.services import file_manager


def test_a_file_is_shown_by_what_the_system_has(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[object] = []
    monkeypatch.setattr(QProcess, "startDetached", lambda *call: started.append(call) or (True, 1))
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: started.append(Path(url.toLocalFile())) or True)
    file = tmp_path / "a paper.pdf"
    for platform in ("darwin", "win32"):
        monkeypatch.setattr(sys, "platform", platform)
        assert file_manager.show_file(file)
    assert started == [("open", ["-R", str(file)]), ("explorer", ["/select,", str(file)])]
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", f"unix:path={tmp_path}/none")
    assert file_manager.show_file(file)
    assert started[2:] == [tmp_path]
