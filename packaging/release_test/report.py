"""Checks: functions whose docstring says what holds. Each gives its figure, or raises Failed with what was there."""

from __future__ import annotations

import subprocess
import sys
import time
import traceback
from collections.abc import Callable, Sequence
from typing import TypeVar

World = TypeVar("World")


class Failed(Exception):
    """What a check found instead of what it wants."""


class Skipped(Exception):
    """Why a check cannot be made here."""


def run_checks(checks: Sequence[Callable[[World], str]], world: World, wanted: list[str]) -> bool:
    """Run the checks whose names hold one of the wanted words, or all, one after the other whatever becomes of each.
    Print a line each; whether none failed."""
    failed = []
    for check in checks:
        sentence = (check.__doc__ or check.__name__).strip().splitlines()[0].rstrip(".")
        if wanted and not any(word in check.__name__ for word in wanted):
            continue
        begun = time.monotonic()
        try:
            outcome, figure = "pass", check(world)
        except Skipped as skipped:
            outcome, figure = "skip", str(skipped)
        except (Failed, subprocess.TimeoutExpired) as error:
            outcome, figure = "FAIL", str(error)
        except Exception:  # noqa: BLE001 - the others are run all the same
            outcome, figure = "FAIL", traceback.format_exc()
        if outcome == "FAIL":
            failed.append(sentence)
        print(f"{outcome}  {sentence}: {figure}  ({time.monotonic() - begun:.0f} s)", flush=True)
    print(f"{len(failed)} of the checks failed." if failed else "No check failed.", file=sys.stderr)
    return not failed


def demand(holds: bool, otherwise: str) -> None:
    """Fail with the text unless it holds."""
    if not holds:
        raise Failed(otherwise)
