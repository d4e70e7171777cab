"""`make bench`: measures every figure beside its goal, prints them and writes BENCHMARKS.md.

Speeds are ratios against a named peer in the same run, so that another machine gives the same table. Name parts to run
only those, and leave the other tables as they are: `python -m tests.bench sentences storing`.
"""

from __future__ import annotations

import importlib
import os
import platform
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared"
PARTS = (
    "extraction",
    "metadata",
    "damaged_fonts",
    "publishers_xml",
    "reading",
    "sentences",
    "mining",
    "neutral",
    "phrases",
    "storing",
    "splits",
    "agreement",
    "kinds",
    "classifier",
    "doubt",
    "precision",
    "orders",
    "conformal",
    "speed",
    "models",
    "experiments",
    "maps",
    "window",
    "corpora",
)
TABLE = ROOT / "BENCHMARKS.md"
os.environ["OMP_WAIT_POLICY"] = "PASSIVE"  # before torch is imported
os.environ["HF_HUB_OFFLINE"] = "1"
HEAD = ("Figure", "Measured", "Goal", "Met", "Against")


def rows(part: str) -> Iterator[tuple[str, ...]]:
    measure = importlib.import_module(f"tests.bench.{part}").measure
    for figure, measured, goal, against, met in measure(SHARED):
        row = (figure, measured, goal, {True: "yes", False: "no", None: "-"}[met], against)
        print("  ".join(row), flush=True)
        yield row


def _written() -> dict[str, str]:
    """The tables of earlier runs, by part."""
    text = TABLE.read_text(encoding="utf-8") if TABLE.exists() else ""
    found = (section.partition("\n\n") for section in text.split("\n## ")[1:])
    return {name.lower().replace(" ", "_"): table.strip() for name, _, table in found}


def main() -> int:
    if not SHARED.is_dir():
        print(
            "The benchmark needs the test corpora beside the checkout, in ../shared; they are not here.",
            file=sys.stderr,
        )
        return 1
    tables = _written()
    for part in sys.argv[1:] or PARTS:
        lines = ["| " + " | ".join(HEAD) + " |", "|---" * len(HEAD) + "|"]
        for row in rows(part):
            lines.append("| " + " | ".join(cell.replace("|", "/") for cell in row) + " |")
            tables[part] = "\n".join(lines)
            _write(tables)
    return 0


def _write(tables: dict[str, str]) -> None:
    """After every figure: the next may take long, and be stopped."""
    head = (
        "# Benchmarks\n\nWritten by `make bench`; do not edit. Speeds are ratios of the same run, one process unless "
        f"said otherwise.\nPython {platform.python_version()}, {platform.system()} {platform.machine()}.\n"
    )
    parts = [f"\n## {part.capitalize().replace('_', ' ')}\n\n{tables[part]}\n" for part in PARTS if part in tables]
    TABLE.write_text(head + "".join(parts), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
