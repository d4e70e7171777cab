"""Tries what `make release` made: on a bare Debian, and as pip, pipx and uv install it. A line a check; all are made.

    python packaging/release_test/run.py [WORD ...] [--release FOLDER] [--work FOLDER]

With words, only the checks whose function's name holds one of them. Pictures of the window are in the work folder.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import bad_input_checks
import index_checks
import package_checks
from report import run_checks
from screen import virtual_screen
from world import ROOT, World


def main() -> int:
    parser = argparse.ArgumentParser(description="Tries what `make release` made.")
    parser.add_argument("words", nargs="*", metavar="WORD")
    parser.add_argument("--release", type=Path, default=ROOT / "build" / "release", metavar="FOLDER")
    parser.add_argument("--work", type=Path, default=ROOT / "build" / "release-test", metavar="FOLDER")
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    checks = [*index_checks.CHECKS, *package_checks.CHECKS, *bad_input_checks.CHECKS]
    with virtual_screen() as display:
        world = World(options.release.resolve(), options.work.resolve(), display)
        return 0 if run_checks(checks, world, options.words) else 1


if __name__ == "__main__":
    sys.exit(main())
