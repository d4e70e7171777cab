"""A file dialog starts where the last one for the same purpose ended."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QDialog, QFileDialog, QWidget
from pytestqt.qtbot import QtBot

from desktop import ui
from desktop.ui.widgets.file_dialogs import (
    FileDialog,
    LastFolders,
    Purpose,
    choose_file,
    choose_files,
    choose_folder,
    choose_target,
)


def test_a_dialog_starts_where_the_last_one_of_its_purpose_ended(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    LastFolders(QSettings(str(tmp_path / "window.ini"), QSettings.Format.IniFormat), window)
    dialog = QDialog(window)  # dialogs find the folders by their parents
    home, elsewhere = tmp_path / "home", tmp_path / "elsewhere"
    for folder in (home, elsewhere):
        folder.mkdir()
    file = elsewhere / "one.pdf"
    starts: list[str] = []

    def answer(value: object) -> object:
        return lambda *arguments: starts.append(arguments[2]) or value

    monkeypatch.setattr(QFileDialog, "getOpenFileNames", answer(([str(file)], "")))
    monkeypatch.setattr(QFileDialog, "getOpenFileName", answer((str(file), "")))
    monkeypatch.setattr(QFileDialog, "getSaveFileName", answer(("", "")))
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", answer(str(home)))
    assert choose_file(dialog, Purpose.PAPERS, "Open", home) == file
    assert choose_files(dialog, Purpose.PAPERS, "Add") == [file]
    assert choose_target(window, Purpose.PAPERS, "Save", home / "x.csv") is None
    assert choose_folder(window, Purpose.EXPORT, "Export to") == home
    assert starts == [str(home), str(elsewhere), str(elsewhere / "x.csv"), ""]
    assert FileDialog(dialog, Purpose.EXPORT, "Export to").directory().path() == str(home)
    elsewhere.rmdir()
    assert choose_file(window, Purpose.PAPERS, "Open", home) == file
    assert starts[-1] == str(home)


def test_all_file_dialogs_remember() -> None:
    dialogs = re.compile(r"\bQFileDialog[.(]")
    found = [path.name for path in Path(ui.__file__).parent.rglob("*.py") if dialogs.search(path.read_text("utf-8"))]
    assert found == ["file_dialogs.py"]
