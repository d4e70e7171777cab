"""What tests.bench.window measures in fresh processes: `python -m tests.bench.window_child PART DATA-DIR ...`.

The last line on stdout is what was found, as JSON; stalls are told on stderr. Times are of the monotonic clock, which
all processes share.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.driving import asleep, drive

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication, QMainWindow

    from desktop.ui.main_window import MainWindow
    from tests.bench.watching import Watchdog
    from tests.driving import Wait


Found = dict[str, Any]


def start_empty(data: Path) -> Found:
    """The least a Qt program can be."""
    from PySide6.QtWidgets import QApplication, QMainWindow

    QApplication.setStyle("Fusion")
    app = QApplication([])
    window = QMainWindow()
    window.resize(1280, 800)
    window.show()
    return _when_ready(app, window, app.exec)


def start_ours(data: Path) -> Found:
    from desktop.app import main

    def run() -> int:
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        [window] = [widget for widget in app.topLevelWidgets() if isinstance(widget, QMainWindow)]
        found.update(_when_ready(app, window, original))
        return 0

    from PySide6.QtWidgets import QApplication, QMainWindow

    found: Found = {}
    original = QApplication.exec
    QApplication.exec = staticmethod(run)  # type: ignore[method-assign]
    main(["--data-dir", str(data)])
    return found


def _when_ready(app: QApplication, window: QMainWindow, run: Callable[[], int]) -> Found:
    """Runs the program until its window has been painted and its thread is free; `ready`: when that was."""
    from PySide6.QtCore import QEvent, QObject, QTimer

    found: Found = {}

    class Eye(QObject):
        def eventFilter(self, _: QObject, event: QEvent) -> bool:
            if event.type() == QEvent.Type.Paint and not found:
                found["ready"] = 0.0
                QTimer.singleShot(0, ready)
            return False

    def ready() -> None:
        found["ready"] = time.monotonic()
        app.quit()

    eye = Eye(window)
    window.installEventFilter(eye)
    run()
    return found


def importing(data: Path, corpus: Path) -> Found:
    """Every PDF of a folder, added and mined with the Papers page in view, and nothing else to do for the window."""
    from desktop.jobs.mining import mine
    from desktop.jobs.papers import AddOptions, add
    from tests.bench.watching import Watchdog

    found: Found = {}

    def script(window: MainWindow) -> Iterator[Wait]:
        window.open(data / "import.pairwright", create=True)
        yield lambda: window.desk is not None
        yield asleep(2)
        assert window.desk is not None
        project = window.desk.project
        watchdog = Watchdog(window)
        started = time.perf_counter()
        pdfs = sorted(corpus.glob("*.pdf"))
        for job in (add(project, pdfs, AddOptions(domain="bench")), mine(project)):
            run = window.runner.start(job)
            ended: list[bool] = []
            run.ended.connect(lambda ended=ended: ended.append(True))
            yield lambda ended=ended: ended  # type: ignore[misc]
        found["seconds"] = time.perf_counter() - started
        found["papers"] = len(pdfs)
        _tell(watchdog, found)

    return _driven([], data, script, found)


def _driven(arguments: list[str], data: Path, script: Callable[[MainWindow], Iterator[Wait]], found: Found) -> Found:
    data.mkdir(parents=True, exist_ok=True)
    if drive(["--data-dir", str(data), *arguments], script):
        sys.exit(1)
    return found


def _tell(watchdog: Watchdog, found: Found) -> None:
    """The longest stall; and the worst of them on stderr, with where they were."""
    watchdog.stop()
    stalls = watchdog.stalls
    found["stall"] = stalls[0].seconds if stalls else 0.0
    for stall in stalls[:5]:
        print(f"{1000 * stall.seconds:.0f} ms at {stall.where}", file=sys.stderr)


PARTS: dict[str, Callable[..., Found]] = {"start_empty": start_empty, "start_ours": start_ours, "importing": importing}

if __name__ == "__main__":
    part, data, *rest = sys.argv[1:]
    result = PARTS[part](Path(data), *map(Path, rest))
    print(json.dumps(result), flush=True)
