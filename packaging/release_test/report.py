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
    Print a line each; whether there were some, and all passed."""
    failed, skipped = [], []
    chosen = [check for check in checks if not wanted or any(word in check.__name__ for word in wanted)]
    for check in chosen:
        sentence = (check.__doc__ or check.__name__).strip().splitlines()[0].rstrip(".")
        begun = time.monotonic()
        try:
            outcome, figure = "pass", check(world)
        except Skipped as reason:
            outcome, figure = "skip", str(reason)
            skipped.append(sentence)
        except (Failed, subprocess.TimeoutExpired) as error:
            outcome, figure = "FAIL", str(error)
        except Exception:  # noqa: BLE001 - the others are run all the same
            outcome, figure = "FAIL", traceback.format_exc()
        if outcome == "FAIL":
            failed.append(sentence)
        print(f"{outcome}  {sentence}: {figure}  ({time.monotonic() - begun:.0f} s)", flush=True)
    passed = len(chosen) - len(failed) - len(skipped)
    print(f"{passed} checks passed, {len(failed)} failed, {len(skipped)} could not be made.", file=sys.stderr)
    return passed == len(chosen) > 0


def demand(holds: bool, otherwise: str) -> None:
    """Fail with the text unless it holds."""
    if not holds:
        raise Failed(otherwise)
