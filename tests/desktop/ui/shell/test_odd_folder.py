"""The program lies in a folder that somebody named as they like."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import PySide6
import pytest
import shiboken6

ROOT = Path(__file__).parents[4]


@pytest.mark.skipif(os.name != "posix", reason="the libraries are linked in place of copied")
def test_the_window_opens_and_has_its_style_below_a_name_with_umlaut_space_and_comma(tmp_path: Path) -> None:
    folder = tmp_path / "Zoë Müller, ß"
    for package in (PySide6, shiboken6):
        origin = Path(package.__file__).parent
        shutil.copytree(origin, folder / origin.name, copy_function=os.symlink)
    for library in (folder / "PySide6" / "Qt" / "lib").glob("libQt6Core.*"):  # Qt looks for all else from here
        origin = library.readlink()
        library.unlink()
        shutil.copy(origin, library)
    shutil.copytree(ROOT / "desktop" / "ui" / "theme", folder / "theme")
    code = """
import sys
from desktop.ui.shell.application import Application
import desktop.ui.theme as theme
from pathlib import Path
theme._HERE = Path(sys.argv[1]) / "theme"
app = Application(["pairwright"])
held = theme.Theme(app)
held.apply("light", 1.0)
from PySide6.QtWidgets import QWidget
widget = QWidget()
widget.show()
app.processEvents()
print(app.platformName(), app.libraryPaths())
"""
    environment = os.environ | {"PYTHONPATH": f"{folder}:{ROOT}", "QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run(
        [sys.executable, "-c", code, str(folder)], env=environment, capture_output=True, text=True, timeout=60
    )
    assert done.stdout.startswith("offscreen"), done.stderr
    assert "Zoë" in done.stdout
    assert "parse" not in done.stderr
