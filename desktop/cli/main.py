"""Runs one command, prints its result, and turns errors into messages and exit codes."""

from __future__ import annotations

import io
import multiprocessing
import sys
import traceback
from collections.abc import Sequence
from contextlib import redirect_stderr
from pathlib import Path
from pkgutil import resolve_name
from typing import TYPE_CHECKING

from desktop import logs
from desktop.cli.arguments import build_parser
from desktop.cli.interrupts import Interrupts
from desktop.cli.output import LossyStream, as_json_text, discard, open_standard_streams
from desktop.text import visible
from miner.errors import UserError
from miner.installation import CLASH_HINT, find_clashes
from miner.paths import PROJECT_SUFFIX, system_error
from miner.progress import KEPT, Cancelled

if TYPE_CHECKING:
    from desktop.cli.execution import CommandResult

OK, USER_ERROR, BUG = 0, 1, 2


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    multiprocessing.freeze_support()
    open_standard_streams()
    for stream in (sys.stdout, sys.stderr):  # file names may hold characters that the terminal cannot show
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    interrupts = Interrupts()
    with interrupts.listening(), redirect_stderr(LossyStream(sys.stderr)):
        try:
            return _run(sys.argv[1:] if argv is None else argv, interrupts)
        except KeyboardInterrupt:  # a second interrupt while the first was reported
            return interrupts.exit_code


def _run(argv: Sequence[str], interrupts: Interrupts) -> int:
    as_json = "--json" in argv
    if argv and argv[0].endswith(PROJECT_SUFFIX) and not argv[0].startswith("-"):  # pairwright psy.pairwright stats
        argv = ["--project", *argv]
    try:
        parser = build_parser()
        options = parser.parse_args(argv)
        options.interrupts = interrupts
        _require_current_folder()
        logs.start(verbose=options.verbose)
        if options.runs is None:
            return _print_result(parser.format_help().rstrip("\n"), OK)
        run = resolve_name(f"{__package__}.{options.runs}")  # imports the database and the parsers only now
        result: CommandResult = run(options)
    except UserError as exc:
        return _print_error(USER_ERROR, str(exc), exc.hint, as_json=as_json)
    except (Cancelled, KeyboardInterrupt) as exc:
        hint = f"{KEPT[:-1]}; the same command goes on from there." if str(exc) in ("", KEPT) else str(exc)
        return _print_error(interrupts.exit_code, "Cancelled.", hint, as_json=as_json)
    except Exception as exc:  # noqa: BLE001  the only place where bugs are caught
        if error := system_error(exc):
            return _print_error(USER_ERROR, str(error), error.hint, as_json=as_json)
        if isinstance(exc, ImportError) and (clashes := find_clashes()):
            return _print_error(USER_ERROR, " ".join(clashes), CLASH_HINT, as_json=as_json)
        print(visible(traceback.format_exc()), file=sys.stderr)
        hint = "Nothing saved is lost. Please report the lines above."
        return _print_error(BUG, "This is a bug of Pairwright.", hint, as_json=as_json)
    for note in result.notes:
        print(visible(note), file=sys.stderr)
    return _print_result(
        as_json_text(result.data) if options.json else visible(result.text), OK if result.ok else USER_ERROR
    )


def _require_current_folder() -> None:
    try:
        Path.cwd()
    except OSError as exc:
        raise UserError(f"The current folder cannot be used: {exc.strerror}.", hint="Change to another one.") from exc


def _print_error(code: int, message: str, hint: str, *, as_json: bool) -> int:
    print(visible(f"error: {message}" if code == USER_ERROR else message), file=sys.stderr)
    if hint:
        print(visible(hint), file=sys.stderr)
    return _print_result(as_json_text({"error": message, "hint": hint}), code) if as_json else code


def _print_result(text: str, code: int) -> int:
    """Print a result; the exit code, which is not `code` if the result cannot be written."""
    try:
        print(text, flush=True)
    except BrokenPipeError:  # the reader has closed the pipe
        discard(sys.stdout)
    except OSError as exc:
        discard(sys.stdout)
        message = f"The result cannot be written: {exc.strerror}."
        return _print_error(code or USER_ERROR, message, "What the command did is kept.", as_json=False)
    return code
