"""`make bench`: measures every figure beside its goal, prints them and writes BENCHMARKS.md.

Speeds are ratios against a named peer in the same run, so that another machine gives the same table. Name parts to run
only those: `python -m tests.bench sentences storing`.
"""

from __future__ import annotations

import importlib
import platform
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared"
PARTS = ("extraction", "sentences", "mining", "storing", "window")
HEAD = ("Figure", "Measured", "Goal", "Met", "Against")


def rows(part: str) -> Iterator[tuple[str, ...]]:
    measure = importlib.import_module(f"tests.bench.{part}").measure
    for figure, measured, goal, against, met in measure(SHARED):
        row = (figure, measured, goal, {True: "yes", False: "no", None: "-"}[met], against)
        print("  ".join(row), flush=True)
        yield row


def main() -> int:
    if not SHARED.is_dir():
        print(
            "The benchmark needs the test corpora beside the checkout, in ../shared; they are not here.",
            file=sys.stderr,
        )
        return 1
    chosen = sys.argv[1:] or list(PARTS)
    lines = [
        "# Benchmarks",
        "",
        "Written by `make bench`; do not edit. Speeds are ratios of the same run, one process unless said otherwise.",
        f"Python {platform.python_version()}, {platform.system()} {platform.machine()}.",
    ]
    for part in chosen:
        lines += ["", f"## {part.capitalize()}", "", "| " + " | ".join(HEAD) + " |", "|---" * len(HEAD) + "|"]
        lines += ["| " + " | ".join(cell.replace("|", "/") for cell in row) + " |" for row in rows(part)]
    if chosen == list(PARTS):
        (ROOT / "BENCHMARKS.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
