"""What the command line shows: progress bars on stderr, tables and plain numbers on stdout."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from typing import NoReturn

from tqdm import tqdm

from miner.progress import Tick


class Bar:
    """Listens to a job and draws its bar with rate and time left; nothing where stderr is not a terminal."""

    def __init__(self, title: str, *, quiet: bool = False) -> None:
        hidden = True if quiet else None  # None: tqdm looks whether stderr is a terminal
        self._bar: tqdm[NoReturn] = tqdm(
            desc=title, file=sys.stderr, disable=hidden, unit="", dynamic_ncols=True, mininterval=0.2, leave=False
        )

    def __call__(self, tick: Tick) -> None:
        if tick.total != self._bar.total:
            self._bar.total = tick.total
        if tick.note:
            self._bar.set_postfix_str(tick.note[:40], refresh=False)
        self._bar.update(tick.done - self._bar.n)

    def close(self) -> None:
        self._bar.close()


def count(number: int, noun: str, plural: str = "") -> str:
    """ "1 paper", "1,204 papers"."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Columns under their heads, numbers to the right with thousands separators; empty when there are no rows."""
    given = list(rows)
    if not given:
        return ""
    cells = [[f"{cell:,}" if isinstance(cell, int) else str(cell) for cell in row] for row in given]
    widths = [max(len(row[n]) for row in [list(head), *cells]) for n in range(len(head))]
    numeric = [all(isinstance(row[n], int | float) for row in given) for n in range(len(head))]

    def line(row: Sequence[str]) -> str:
        aligned = [
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, right in zip(row, widths, numeric, strict=True)
        ]
        return "  ".join(aligned).rstrip()

    return "\n".join(line(row) for row in [head, *cells])
