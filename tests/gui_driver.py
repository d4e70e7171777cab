"""Runs the real program in this process under the control of a script, for benchmarks and screenshots.

    def script(window):
        yield lambda: window.context is not None
        window.show_page("pairs")

    code = drive(["file.pairwright"], script)

A script is a generator. It yields conditions, and goes on when they are true. The program ends with its script.
"""

from __future__ import annotations

import sys
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from desktop import app

if TYPE_CHECKING:
    from desktop.ui.shell.window import MainWindow

Wait = Callable[[], Any]
Script = Iterator[Wait]
TIMEOUT_S = 300.0  # for each condition


def drive(arguments: Sequence[str], script: Callable[[MainWindow], Script]) -> int:
    """The program's exit code; 1 when the script failed."""
    from PySide6.QtCore import QTimer
    from PySide6.QtWidgets import QApplication, QMainWindow

    run = QApplication.exec
    failed: list[str] = []

    def run_with_script() -> int:
        [window] = [widget for widget in QApplication.topLevelWidgets() if isinstance(widget, QMainWindow)]
        steps = script(window)  # type: ignore[arg-type]  # it is a MainWindow
        timer = QTimer()
        waiting: list[Wait] = [lambda: True]
        since = [time.monotonic()]

        def check() -> None:
            try:
                if not waiting[0]():
                    if time.monotonic() - since[0] > TIMEOUT_S:
                        raise TimeoutError(f"waited {TIMEOUT_S:.0f} s for {_source(waiting[0])}")
                    return
                waiting[0] = next(steps)
                since[0] = time.monotonic()
            except StopIteration:
                timer.stop()
                window.close_now()
            except BaseException:  # noqa: BLE001  the program would show it as a problem and go on
                failed.append(traceback.format_exc())
                timer.stop()
                window.close_now()

        timer.timeout.connect(check)
        timer.start(2)
        return run()

    QApplication.exec = staticmethod(run_with_script)  # type: ignore[method-assign]
    try:
        code = app.main(list(arguments))
    finally:
        QApplication.exec = run  # type: ignore[method-assign]
    if failed:
        print(*failed, file=sys.stderr)
        return 1
    return code


def _source(wait: Wait) -> str:
    code = getattr(wait, "__code__", None)
    return f"line {code.co_firstlineno} of {code.co_filename}" if code else repr(wait)


def pause(seconds: float) -> Wait:
    """A condition that becomes true after so many seconds."""
    end = time.monotonic() + seconds
    return lambda: time.monotonic() >= end
