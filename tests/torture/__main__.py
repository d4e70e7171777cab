"""`make torture`: breaks the program in every way that has a part here, and writes RELIABILITY.md.

Each part states a promise in its docstring, tries to break it for so many seconds, and counts. Name parts to run only
those: `python -m tests.torture crashes bit_rot --seconds 60 --seed 7`. The seed is printed and written; the same seed
draws the same trials. Ends with 1 if a promise was broken.
"""

from __future__ import annotations

import argparse
import importlib
import os
import platform
import sys
import time
from pathlib import Path

from tests.torture.budget import Budget

ROOT = Path(__file__).resolve().parents[2]
PARTS = tuple(
    sorted(
        path.stem
        for path in Path(__file__).parent.glob("*.py")
        if not path.stem.startswith("_") and "\ndef run(budget: Budget)" in path.read_text(encoding="utf-8")
    )
)
TABLE = ROOT / "RELIABILITY.md"
HEAD = ("What was tried or counted", "Measured", "Goal", "Met")
SECONDS = 300.0
os.environ["HF_HUB_OFFLINE"] = "1"
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.torture", description=__doc__)
    parser.add_argument("part", nargs="*", choices=[*PARTS, []], help="all, if none is named")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="for each part (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=time.time_ns() % 1_000_000, help="default: of the clock")
    parser.add_argument("--dry", action="store_true", help="print, but leave RELIABILITY.md as it is")
    options = parser.parse_args()
    is_met = True
    for name in options.part or PARTS:
        module = importlib.import_module(f"tests.torture.{name}")
        print(f"== {name}, seed {options.seed}, {options.seconds:g} s", flush=True)
        start = time.monotonic()
        lines = ["| " + " | ".join(HEAD) + " |", "|---" * len(HEAD) + "|"]
        for row in module.run(Budget(options.seconds, options.seed)):
            met = {True: "yes", False: "no", None: "-"}[row.met]
            print("  ".join((row.figure, row.measured, row.goal, met)), flush=True)
            lines.append("| " + " | ".join(cell.replace("|", "/") for cell in (*row[:3], met)) + " |")
            is_met = is_met and row.met is not False
        table = "\n".join(lines)
        after = f"Seed {options.seed}, {time.monotonic() - start:.0f} seconds."
        if not options.dry:
            _write(_written() | {name: f"{(module.__doc__ or '').strip()}\n\n{table}\n\n{after}"})
    return 0 if is_met else 1


def _written() -> dict[str, str]:
    """The sections of earlier runs, by part."""
    text = TABLE.read_text(encoding="utf-8") if TABLE.exists() else ""
    found = (section.partition("\n\n") for section in text.split("\n## ")[1:])
    return {name.lower().replace(" ", "_"): content.strip() for name, _, content in found}


def _write(sections: dict[str, str]) -> None:
    head = (
        "# Reliability\n\nWhat is promised, how each promise is tried to be broken, and what came of it. Written by "
        "`make torture`; do not edit.\nA short form of each part is in `make test`.\n"
        f"Python {platform.python_version()}, {platform.system()} {platform.machine()}.\n"
    )
    parts = [f"\n## {name.capitalize().replace('_', ' ')}\n\n{sections[name]}\n" for name in PARTS if name in sections]
    TABLE.write_text(head + "".join(parts), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
