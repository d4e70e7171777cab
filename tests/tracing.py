"""Which of our files one action of a person crosses, and with how many calls: `python -m tests.tracing key`.

Also `pdf` and `grobid`: one PDF added from the command line, without and with GROBID, worker processes included.

The real program does it once, in all of its threads. Prints every file in the order in which it is first reached, with
its number of calls, then how many files there are, how many calls, and how many of them lead into another file. Calls
below those that Qt makes to lay out and paint widgets are not among them: how many files they are in is told apart.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any

from miner.processes import pool
from tests.gui_driver import drive, pause
from tests.sample_papers import SAMPLES

if TYPE_CHECKING:
    from desktop.ui.shell.window import MainWindow
    from tests.gui_driver import Wait

ROOT = Path(__file__).resolve().parents[1]
_OURS = tuple(f"{ROOT / package}{os.sep}" for package in ("desktop", "storage", "miner"))
_SAVE_TO = "PAIRWRIGHT_TRACING_FOLDER"  # in the environment of worker processes
_ITEM_DONE = "attempt"  # the function of miner.processes that a worker calls for each item
_NO_FUNCTIONS = frozenset({"<module>", "<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>"})
_DRAWING = frozenset(
    {
        *("paintEvent", "resizeEvent", "sizeHint", "minimumSizeHint", "heightForWidth", "hasHeightForWidth"),
        *("setGeometry", "minimumSize", "expandingDirections", "drawControl", "drawPrimitive", "pixelMetric"),
    }
)


@dataclass(slots=True)
class Counted:
    """`calls` by file, in the order in which they were first reached; `moves`: those whose caller is in another file.

    `drawing`: files reached below what Qt calls to lay out and paint. `saved`: how many files were crossed until what
    was done was on disk.
    """

    calls: dict[str, int] = field(default_factory=dict)
    saved: int = 0
    moves: int = 0
    drawing: set[str] = field(default_factory=set)

    def save(self, folder: Path) -> None:
        """Write what was counted so far; one file for each process."""
        (folder / f"{os.getpid()}.json").write_text(json.dumps([self.calls, self.moves]))

    def add_saved(self, folder: Path) -> None:
        """Count what other processes saved too."""
        for path in sorted(folder.glob("*.json")):
            calls, moves = json.loads(path.read_text())
            for file, number in calls.items():
                self.calls[file] = self.calls.get(file, 0) + number
            self.moves += moves

    def report(self) -> str:
        width = len(str(max(self.calls.values(), default=0)))
        lines = [f"{calls:{width}} {file}" for file, calls in self.calls.items()]
        lines.append(f"{len(self.calls)} files, {sum(self.calls.values())} calls, {self.moves} into another file")
        if self.saved:
            lines.append(f"{self.saved} files until it was on disk")
        lines.append(f"{len(self.drawing)} files to lay out and paint: {', '.join(sorted(self.drawing))}")
        return "\n".join(lines)


class Trace:
    """Calls of functions in desktop, storage and miner, counted between `start` and `stop` in every thread.

    Make it before the threads are started that it is to see.
    """

    def __init__(self, saved_before: str = "") -> None:
        """`saved_before`: what is done is on disk when this function is called."""
        self._saved_before = saved_before
        self.counted: list[Counted] = []
        self._now = Counted()
        self._counts = False
        self._lock = threading.Lock()
        threading.setprofile(self._on_event)
        sys.setprofile(self._on_event)

    def start(self) -> None:
        self._now, self._counts = Counted(), True

    def stop(self, *, forget: bool = False) -> None:
        self._counts = False
        if not forget:
            self.counted.append(self._now)

    def _on_event(self, frame: FrameType, event: str, _: object) -> None:
        if not self._counts or not _is_ours(frame):
            return
        if event == "return" and _SAVE_TO in os.environ and frame.f_code.co_name == _ITEM_DONE:
            self._now.save(Path(os.environ[_SAVE_TO]))
        if event != "call":
            return
        if any(caller.f_code.co_name == "<module>" and _is_in_our_file(caller) for caller in _callers(frame)):
            return  # a module is being imported
        callers = [caller for caller in _callers(frame) if _is_ours(caller)]
        file = _file(frame)
        with self._lock:
            now = self._now
            if any(one.f_code.co_name in _DRAWING for one in (frame, *callers)):
                now.drawing.add(file)
                return
            if frame.f_code.co_qualname == self._saved_before:
                now.saved = len(now.calls)
            now.calls[file] = now.calls.get(file, 0) + 1
            now.moves += not callers or _file(callers[0]) != file


def _is_ours(frame: FrameType) -> bool:
    """A function of ours, or the body of a class."""
    return _is_in_our_file(frame) and frame.f_code.co_name not in _NO_FUNCTIONS


def _is_in_our_file(frame: FrameType) -> bool:
    return frame.f_code.co_filename.startswith(_OURS)


def _callers(frame: FrameType) -> Iterator[FrameType]:
    """From the nearest outwards."""
    while (caller := frame.f_back) is not None:
        yield caller
        frame = caller


def _file(frame: FrameType) -> str:
    return Path(frame.f_code.co_filename).relative_to(ROOT).as_posix()


def key(folder: Path) -> Trace:
    """A key that answers in Review, from its event until the next pair is painted.

    Of eight keys that with the most files: at some of them pairs are read ahead.
    """
    project = folder / "samples.pairwright"
    pairwright = [sys.executable, "-m", "desktop", "--quiet", "--project", str(project)]
    for arguments in (["new", str(project)], ["add", str(SAMPLES)], ["mine"]):
        subprocess.run([*pairwright, *arguments], check=True, stdout=subprocess.DEVNULL)
    trace = Trace("CommandQueue._on_saved")

    def script(window: MainWindow) -> Iterator[Wait]:
        from PySide6.QtCore import Qt
        from PySide6.QtTest import QTest
        from PySide6.QtWidgets import QApplication

        from tests.bench.window_watch import PaintTimer

        yield lambda: window.context is not None and window.current_page()
        assert window.context is not None
        window.context.set_annotator("tracing")
        window.show_page("review")
        page: Any = window.page("review")
        yield lambda: page.first_round.isVisible()
        page.start_first_round()
        session = page.session
        yield lambda: session.item is not None
        yield pause(3)  # the other pages are built, and pairs are read ahead
        yield lambda: not window.runner.running
        painted = PaintTimer(window)
        for pressed in (Qt.Key.Key_1, *[Qt.Key.Key_2] * 8):  # the first one makes what is made once
            before = session.item
            painted.wait_for(lambda before=before: session.item not in (before, None))
            trace.start()
            QTest.keyClick(QApplication.focusWidget() or window, pressed)
            yield lambda: painted.at is not None
            trace.stop(forget=pressed == Qt.Key.Key_1)
            yield pause(0.5)

    if drive(["--data-dir", str(folder / "data"), str(project)], script):
        sys.exit(1)
    return trace


def pdf(folder: Path, *more: str) -> Trace:
    """`pairwright add PAPER.pdf` into an empty project."""
    from desktop.cli.main import main

    project = ["--quiet", "--project", str(folder / "one.pairwright")]
    if main([*project, "new", str(folder / "one.pairwright")]):
        sys.exit(1)
    trace = Trace()
    os.environ[_SAVE_TO] = str(folder)
    trace.start()
    code = main([*project, "add", str(SAMPLES / "coastal" / "permeable-groynes.pdf"), "--jobs", "1", *more])
    trace.stop()
    if code:
        sys.exit(code)
    trace.counted[0].add_saved(folder)
    return trace


def grobid(folder: Path) -> Trace:
    """The same PDF by a GROBID that answers at once, with a paper of ours."""
    replay = ROOT / "tests" / "miner" / "parsing" / "grobid" / "replay"
    command = [sys.executable, str(replay), "--tei", str(ROOT / "tests" / "data" / "tei")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            url = server.stdout.readline().split()[0]
            return pdf(folder, "--parser", "grobid", "--grobid", url)
        finally:
            server.terminate()


if __name__ == "__mp_main__" and _SAVE_TO in os.environ:  # in a worker process of the program that is traced
    pool.confine = lambda *_: None  # else it could not save what was counted
    Trace().start()

PARTS: dict[str, Callable[[Path], Trace]] = {"key": key, "pdf": pdf, "grobid": grobid}

if __name__ == "__main__":
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    with tempfile.TemporaryDirectory() as made:
        counted = PARTS[sys.argv[1]](Path(made)).counted
        print(max(counted, key=lambda one: len(one.calls)).report())
        print("files each time:", *(len(one.calls) for one in counted))
