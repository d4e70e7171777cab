"""Starts the window: creates the application, settings, theme, job runner and main window."""

from __future__ import annotations

import argparse
import logging
import multiprocessing
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from desktop import logs
from desktop.cli.interrupts import ENDING_SIGNALS
from desktop.display import QT_HINT, has_display
from desktop.settings import Paths
from miner.installation import missing_extra

if TYPE_CHECKING:
    from PySide6.QtCore import QObject

log = logging.getLogger(__name__)


def main(argv: Sequence[str] | None = None) -> int:
    """Open the window, on a project if one is given; the exit code."""
    multiprocessing.freeze_support()
    parser = build_parser()
    options = parser.parse_args(argv)
    if not has_display():
        parser.exit(1, "There is no display to open a window on. The commands need none: pairwright --help\n")
    if problem := missing_extra("window"):
        parser.exit(1, f"{problem}\n{problem.hint}\n")
    paths = Paths.below(options.data_dir) if options.data_dir else Paths.default()
    logs.start(verbose=options.verbose, file=paths.log)

    try:
        from PySide6.QtCore import QLocale, QTimer
        from PySide6.QtWidgets import QApplication
    except ImportError as exc:
        parser.exit(1, f"The window does not start: {exc}.\n{QT_HINT}\n")

    from desktop.ui.services.language import use_language
    from desktop.ui.shell.application import Application

    QApplication.setStyle("Fusion")
    app = Application(sys.argv[:1])
    use_language(app, QLocale(options.language) if options.language else QLocale.system(), options.translations)

    # After the language: modules have texts of their own.
    from desktop.ui.services.problems import Problem, Problems
    from desktop.ui.services.runner import JobRunner
    from desktop.ui.services.settings_store import SettingsStore
    from desktop.ui.shell.garbage_collector import GarbageCollector
    from desktop.ui.shell.window import MainWindow
    from desktop.ui.theme import Theme
    from desktop.ui.widgets.file_dialogs import LastFolders

    GarbageCollector(app)
    settings_store = SettingsStore(paths)
    theme = Theme(app)
    problems = Problems(paths.log)
    runner = JobRunner()
    _install_exception_hooks(problems.report)
    window = MainWindow(settings_store, theme, runner, problems)
    LastFolders(settings_store.window_settings, window)
    _close_on_signals(window.close_now, window)
    if settings_store.load_error:
        problems.add(Problem(settings_store.load_error))
    app.file_opened.connect(lambda file: window.project_commands.open_or_add([Path(file)]))
    window.show()
    if options.project:
        QTimer.singleShot(0, lambda: window.open(options.project.absolute(), create=False))
    if options.sample:
        QTimer.singleShot(0, window.project_commands.open_sample)
    if options.quit_when_ready:
        QTimer.singleShot(0, lambda: QTimer.singleShot(0, window.close_now))
    code = app.exec()
    if not window.shut_down():
        log.warning("a job did not end in time; what it had finished is kept")
        logging.shutdown()
        os._exit(code)  # else its thread would keep the process alive
    return code


def build_parser() -> argparse.ArgumentParser:
    """The parser of the window's options."""
    parser = argparse.ArgumentParser(prog="pairwright", description="Opens the window.")
    parser.add_argument("project", nargs="?", type=Path, metavar="FILE", help="a project to open")
    parser.add_argument("--data-dir", type=Path, metavar="DIR", help="where settings and the log are kept")
    parser.add_argument("--sample", action="store_true", help="open the sample project")
    parser.add_argument("--verbose", action="store_true", help="log what happens, to stderr")
    parser.add_argument("--language", metavar="NAME", help="such as de or pt_BR, in place of the system's language")
    parser.add_argument("--translations", type=Path, metavar="DIR", help=argparse.SUPPRESS)
    parser.add_argument("--quit-when-ready", action="store_true", help=argparse.SUPPRESS)
    return parser


def _install_exception_hooks(report: Callable[[BaseException], None]) -> None:
    """Report every uncaught exception of any thread; the program goes on."""

    def on_exception(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt):
            os._exit(130)
        report(error)

    sys.excepthook = on_exception
    threading.excepthook = lambda args: on_exception(
        args.exc_type, args.exc_value or args.exc_type(), args.exc_traceback
    )


def _close_on_signals(close: Callable[[], object], owner: QObject) -> None:
    """Close the window at Ctrl-C in the terminal and at the end of the session."""
    from PySide6.QtCore import QSocketNotifier

    reader, writer = socket.socketpair()
    for end in (reader, writer):
        end.setblocking(False)
    signal.set_wakeup_fd(writer.fileno())  # Python runs its own signal handlers only when Qt returns to Python
    for name in ENDING_SIGNALS:
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), lambda *_: None)
    notifier = QSocketNotifier(reader.fileno(), QSocketNotifier.Type.Read, owner)

    def on_signal() -> None:
        writer.fileno()  # keeps both ends alive as long as the notifier
        reader.recv(64)
        close()

    notifier.activated.connect(on_signal)
