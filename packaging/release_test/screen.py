"""A virtual screen, and pictures of it."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

# Run by the Python of an environment that has Qt: saves the screen; says which share of two pictures' pixels is equal.
_GRAB = """
import sys
from PySide6.QtGui import QGuiApplication
app = QGuiApplication([])
sys.exit(not app.primaryScreen().grabWindow(0).save(sys.argv[1]))
"""
_COMPARE = """
import sys
import numpy as np
from PySide6.QtGui import QImage
first, second = (QImage(path).convertToFormat(QImage.Format.Format_RGB32) for path in sys.argv[1:])
if first.size() != second.size():
    sys.exit(f"{first.width()}x{first.height()} and {second.width()}x{second.height()}")
one, two = (np.frombuffer(image.constBits(), np.uint32) for image in (first, second))
print((one == two).mean(), len(np.unique(one)))
"""


@contextmanager
def virtual_screen() -> Iterator[str]:
    """A screen of 1280x800; its name, for DISPLAY."""
    command = ["Xvfb", "-displayfd", "1", "-screen", "0", "1280x800x24", "-nolisten", "tcp", "-noreset"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
        try:
            assert server.stdout is not None
            yield f":{server.stdout.readline().strip()}"
        finally:
            server.terminate()


def take_picture(python: Path, display: str, path: Path) -> None:
    """Save what the screen shows."""
    environment = {"DISPLAY": display, "QT_QPA_PLATFORM": "xcb"}
    subprocess.run([python, "-c", _GRAB, path], env=environment, check=True, capture_output=True)


def compare_pictures(python: Path, first: Path, second: Path) -> tuple[float, int]:
    """The share of equal pixels, and how many colours the first has; ValueError where they differ in size."""
    done = subprocess.run([python, "-c", _COMPARE, first, second], capture_output=True, text=True)
    if done.returncode:
        raise ValueError(done.stderr.strip())
    share, colours = done.stdout.split()
    return float(share), int(colours)


def picture_at_rest(python: Path, display: str, path: Path, *, seconds: float = 120) -> bool:
    """Take a picture every 3 s until it stays the same, and is more than a background; whether that came in time."""
    before, alike, end = path.with_suffix(".before.png"), 0, time.monotonic() + seconds
    take_picture(python, display, path)
    while alike < 3 and time.monotonic() < end:
        time.sleep(3)
        path.replace(before)
        take_picture(python, display, path)
        share, colours = compare_pictures(python, path, before)
        alike = alike + 1 if share > 0.9995 and colours >= 50 else 0
    before.unlink(missing_ok=True)
    return alike == 3
