"""The window is there at once: nothing heavy is loaded before somebody asks for it, and no display is no crash."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[4]
HEAVY = ("torch", "transformers", "spacy", "grobid_client", "pyqtgraph", "sqlalchemy", "alembic", "pypdfium2", "nltk",
         "numpy", "lxml", "requests")  # fmt: skip
SHOW = """
import json, sys
from desktop import app
code = app.main(["--data-dir", sys.argv[1], "--quit-when-ready"])
print(json.dumps([code, sorted(name.partition(".")[0] for name in sys.modules)]))
"""


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    inherited = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
    inherited.pop("QT_QPA_PLATFORM", None)
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env=inherited | environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_nothing_heavy_is_loaded_for_the_start_page(tmp_path: Path) -> None:
    done = run("-c", SHOW, str(tmp_path), QT_QPA_PLATFORM="offscreen")
    assert done.returncode == 0, done.stderr
    code, modules = json.loads(done.stdout.splitlines()[-1])
    assert code == 0
    assert sorted(set(HEAVY) & set(modules)) == []
    assert "PySide6" in modules


@pytest.mark.skipif(sys.platform in ("darwin", "win32"), reason="there is always a display")
def test_without_a_display_there_is_a_sentence() -> None:
    done = run("-m", "desktop")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "There is no display to open a window on. The commands need none: pairwright --help\n"


def test_the_window_opens_on_the_project_it_is_given_and_on_one_that_macos_asks_it_to_open(
    tmp_path: Path, project_path: Path
) -> None:
    other = project_path.with_name("double-clicked.pairwright")
    shutil.copyfile(project_path, other)
    code = """
import sys
from PySide6.QtCore import QCoreApplication, QTimer
from PySide6.QtGui import QFileOpenEvent
from desktop import app
from desktop.ui.shell.window import MainWindow
show = MainWindow.show_page
files = sys.argv[3:]
def showing(self, name):
    show(self, name)
    print(name, self.windowTitle(), flush=True)
    if files:
        event = QFileOpenEvent(files.pop())
        QTimer.singleShot(0, lambda: QCoreApplication.sendEvent(QCoreApplication.instance(), event))
    else:
        QTimer.singleShot(0, self.close)
MainWindow.show_page = showing
sys.exit(app.main(["--data-dir", sys.argv[1], sys.argv[2]]))
"""
    arguments = (str(tmp_path / "data"), str(project_path), str(other))
    done = run("-c", code, *arguments, QT_QPA_PLATFORM="offscreen", PYTHONUTF8="1")
    titles = "papers samples.pairwright — Pairwright\npapers double-clicked.pairwright — Pairwright\n"
    assert (done.returncode, done.stdout) == (0, titles), done.stderr
    left = {path.name for path in project_path.parent.glob("*samples*")}
    assert left == {project_path.name, "samples.backups"}
    assert str(project_path) in (tmp_path / "data" / "settings.toml").read_text(encoding="utf-8")
