"""The window's composition root: main() builds settings, theme, runner and window, in that order."""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType

from desktop import logs
from desktop.settings import Paths


def main(argv: Sequence[str] | None = None) -> int:
    """Open the window, perhaps on a project; its exit code."""
    multiprocessing.freeze_support()
    options = _parser().parse_args(argv)
    paths = Paths.below(options.data_dir) if options.data_dir else Paths.default()
    logs.start(verbose=options.verbose, file=paths.log)

    from PySide6.QtCore import QTimer
    from PySide6.QtWidgets import QApplication

    from desktop.ui.keeper import SettingsKeeper
    from desktop.ui.main_window import MainWindow
    from desktop.ui.problems import Problem, Problems
    from desktop.ui.runner import JobRunner
    from desktop.ui.theme import Theme

    QApplication.setStyle("Fusion")
    app = QApplication(sys.argv[:1])
    app.setApplicationName("pairwright")
    app.setApplicationDisplayName("Pairwright")
    app.setDesktopFileName("pairwright")
    keeper = SettingsKeeper(paths)
    theme = Theme(app)
    problems = Problems(paths.log)
    runner = JobRunner()
    _catch(problems.show)
    window = MainWindow(keeper, theme, runner, problems)
    if keeper.note:
        problems.add(Problem(keeper.note))
    window.show()
    if options.project:
        QTimer.singleShot(0, lambda: window.open(options.project.absolute(), create=False))
    if options.quit_when_ready:
        QTimer.singleShot(0, lambda: QTimer.singleShot(0, app.quit))
    code = app.exec()
    runner.stop()
    return code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="pairwright", description="Opens the window.")
    parser.add_argument("project", nargs="?", type=Path, metavar="FILE", help="a project to open")
    parser.add_argument("--data-dir", type=Path, metavar="DIR", help="where settings and the log are kept")
    parser.add_argument("--verbose", action="store_true", help="log what happens, to stderr")
    parser.add_argument("--quit-when-ready", action="store_true", help=argparse.SUPPRESS)
    return parser


def _catch(show: Callable[[BaseException], None]) -> None:
    """Whatever flies to the top becomes a problem to show; the program goes on."""

    def on_exception(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt):
            os._exit(130)
        show(error)

    sys.excepthook = on_exception
    threading.excepthook = lambda args: on_exception(
        args.exc_type, args.exc_value or args.exc_type(), args.exc_traceback
    )
