"""A virtual screen with real key presses, a real mouse and real drags between two programs.

There is no window manager: `Screen.focus_window` gives a window the keyboard focus.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from ctypes.util import find_library
from pathlib import Path
from typing import TypeVar

from PIL import Image, ImageChops, ImageGrab

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
NEEDED = ("Xvfb", "xdotool")
WIDTH, HEIGHT = 1400, 900
TIMEOUT_S = 90.0  # a loaded machine starts the program slowly
CARET = 100  # pixels, of the blinking line where text is typed

T = TypeVar("T")


def missing() -> str:
    """What this machine lacks for a virtual screen, as a reason to skip; "" when all is there."""
    if not sys.platform.startswith("linux"):
        return "a virtual screen needs X11"
    lacking = [name for name in NEEDED if shutil.which(name) is None]
    lacking += ["libxcb-cursor0"] * (find_library("xcb-cursor") is None)  # Qt ends a program that lacks it
    return f"not installed here: {', '.join(lacking)}" if lacking else ""


def until(look: Callable[[], T | None], what: str, seconds: float = TIMEOUT_S) -> T:
    """What `look` finds, as soon as it finds something true; AssertionError with `what` when it takes too long."""
    end = time.monotonic() + seconds
    while not (found := look()):
        if time.monotonic() > end:
            raise AssertionError(f"waited {seconds:.0f} s for {what}")
        time.sleep(0.03)
    return found


class Screen:
    def __init__(self, display: str, folder: Path) -> None:
        self._folder = folder
        self._pictures = 0
        self._sources: list[subprocess.Popen[str]] = []
        self.environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith(("QT_", "XDG_", "WAYLAND"))},
            "DISPLAY": display,
            "QT_QPA_PLATFORM": "xcb",
            "XDG_RUNTIME_DIR": str(folder),
            "HOME": str(folder),
            "PYTHONPATH": str(ROOT),
        }

    def do(self, *words: object) -> str:
        """Run xdotool; what it printed, "" where it found nothing."""
        command = ["xdotool", *map(str, words)]
        done = subprocess.run(command, env=self.environment, capture_output=True, text=True, timeout=TIMEOUT_S)
        return done.stdout.strip()

    def windows(self, title: str) -> list[str]:
        """Ids of the windows on screen whose title matches."""
        return self.do("search", "--onlyvisible", "--name", title).split()

    def focus_window(self, title: str, seconds: float = TIMEOUT_S) -> str:
        """Wait for a window and give it the keyboard; its id."""

        def focused() -> str | None:
            found = self.windows(title)
            if not found:
                return None
            self.do("windowraise", found[-1], "windowfocus", found[-1])
            return found[-1] if self.do("getwindowfocus", "-f") == found[-1] else None

        return until(focused, f"a window named {title}", seconds)

    def press(self, *keys: str) -> None:
        """Press keys one after another, as fast as a quick person."""
        self.do("key", "--delay", 40, *keys)

    def press_until(self, key: str, look: Callable[[], T | None], what: str, *, again_after: float = 2) -> T:
        """Press a key, and again where nothing came of it: the page was not ready. What `look` finds."""
        end = time.monotonic() + TIMEOUT_S
        while time.monotonic() < end:
            self.press(key)
            with suppress(AssertionError):  # press it again
                return until(look, what, again_after)
        raise AssertionError(f"pressed {key} for {TIMEOUT_S:.0f} s for {what}")

    def write(self, text: str) -> None:
        self.do("type", "--delay", 25, text)

    def click(self, x: int, y: int) -> None:
        self.do("mousemove", x, y, "click", 1)

    def drop(self, paths: Sequence[Path], x: int, y: int) -> str:
        """Drag files from another program and drop them at a place; what that program says became of them."""
        away_x, away_y = WIDTH - 60, HEIGHT - 60
        command = [sys.executable, str(HERE / "drag_source.py"), str(away_x), str(away_y), *map(str, paths)]
        source = subprocess.Popen(command, env=self.environment, stdout=subprocess.PIPE, text=True)
        self._sources.append(source)
        assert source.stdout is not None
        assert source.stdout.readline().strip() == "ready"
        self.do("mousemove", away_x + 20, away_y + 20, "mousedown", 1)
        steps = 25
        for step in range(1, steps + 1):
            at = [round(start + (end - start) * step / steps) for start, end in ((away_x, x), (away_y, y))]
            self.do("mousemove", *at)
        self.do("mousemove", x + 2, y + 2)
        time.sleep(1)  # a drop too soon after the last move is one on what lay there before
        self.do("mouseup", 1)
        return source.stdout.readline().strip()

    def close(self) -> None:
        for source in self._sources:
            source.kill()
            source.communicate()

    def grab(self) -> Image.Image:
        """The whole screen."""
        return ImageGrab.grab(xdisplay=self.environment["DISPLAY"])

    def picture(self, name: str) -> Path:
        """The whole screen as a PNG."""
        self._pictures += 1
        path = self._folder / f"{self._pictures:02}-{name}.png"
        self.grab().save(path)
        return path

    def wait_until_still(self, seconds: float = 0.6) -> None:
        """Wait until nothing on the screen has changed for so long: the page has read what it shows."""
        last, since = self.grab(), time.monotonic()

        def is_still() -> bool:
            nonlocal last, since
            box = ImageChops.difference(now := self.grab(), last).getbbox()
            if box is not None and (box[2] - box[0]) * (box[3] - box[1]) > CARET:
                last, since = now, time.monotonic()
            return time.monotonic() - since > seconds

        until(is_still, "a screen on which nothing changes")

    def colors(self, box: tuple[int, int, int, int]) -> dict[tuple[int, int, int], int]:
        """How many pixels of each colour there are between left, top, right and bottom."""
        found = self.grab().convert("RGB").crop(box).getcolors(1 << 24) or []
        return {color: many for many, color in found if isinstance(color, tuple)}

    def clipboard(self) -> str:
        """The text that a program has copied."""
        code = (
            "import sys; from PySide6.QtGui import QGuiApplication; app = QGuiApplication(sys.argv[:1]);"
            "sys.stdout.buffer.write(app.clipboard().text().encode())"
        )
        command = [sys.executable, "-c", code]
        done = subprocess.run(command, env=self.environment, capture_output=True, check=True, timeout=TIMEOUT_S)
        return done.stdout.decode()


@contextmanager
def virtual_screen(folder: Path) -> Iterator[Screen]:
    """A screen of its own; its log and pictures go to `folder`."""
    read, write = os.pipe()
    with (folder / "xvfb.log").open("wb") as log:
        server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(write), "-screen", "0", f"{WIDTH}x{HEIGHT}x24", "-nolisten", "tcp", "-noreset"],
            pass_fds=(write,),
            stderr=log,
        )
    os.close(write)
    try:
        with os.fdopen(read) as answer:
            number = answer.readline().strip()
        assert number, (folder / "xvfb.log").read_text(errors="replace")
        screen = Screen(f":{number}", folder)
        try:
            yield screen
        finally:
            screen.close()
    finally:
        server.terminate()
        server.wait(10)


class Program:
    """The real program on a screen. When its `with` block fails, a picture of the screen is left."""

    def __init__(self, screen: Screen, data: Path, *arguments: object) -> None:
        self._screen = screen
        self._log = data.parent / "program.log"
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-X", "faulthandler", "-m", "desktop", "--data-dir", str(data), *map(str, arguments)],
                env=screen.environment,
                stderr=log,
                stdout=log,
                cwd=data.parent,
            )

    @property
    def is_running(self) -> bool:
        return self._process.poll() is None

    @property
    def output(self) -> str:
        """What it wrote to stdout and stderr."""
        return self._log.read_text(errors="replace")

    def kill(self) -> None:
        """Kill it with SIGKILL."""
        self._process.kill()
        assert self._process.wait(10) == -signal.SIGKILL

    def end(self) -> int:
        """Its exit code; waits for it to end by itself."""
        return self._process.wait(TIMEOUT_S)

    def __enter__(self) -> Program:
        return self

    def __exit__(self, failure: object, *_: object) -> None:
        if failure is not None:
            print("See", self._screen.picture("failed"))
        if self.is_running:
            self._process.kill()
            self._process.wait(10)
