"""What the command line shows: progress bars on stderr, tables and plain numbers on stdout."""

from __future__ import annotations

import io
import json
import math
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import NoReturn, TextIO

from tqdm import tqdm

from desktop.text import one_line, shortened
from miner.progress import Tick

_LONG = 1_000  # members of a list
_BAR = "{desc}: {percentage:3.0f}% |{bar:12}| {n_fmt}/{total_fmt}, {remaining} left{postfix}"
_TITLE, _NOTE = 28, 40  # characters at most, so that a line of 80 has room for all of it


class Bar:
    """Listens to a job and draws its bar with the time left; nothing where stderr is not a terminal."""

    def __init__(self, title: str, *, quiet: bool = False) -> None:
        hidden = True if quiet else None  # None: tqdm looks whether stderr is a terminal
        self._bar: tqdm[NoReturn] = tqdm(
            desc=shortened(one_line(title), _TITLE),
            file=sys.stderr,
            disable=hidden,
            unit="",
            dynamic_ncols=True,
            mininterval=0.2,
            leave=False,
        )

    def __call__(self, tick: Tick) -> None:
        if tick.total != self._bar.total:
            self._bar.total = tick.total
            self._bar.bar_format = _BAR if tick.total else None  # tqdm's own says how many, where nobody knows of what
        if tick.note:
            self._bar.set_postfix_str(shortened(one_line(tick.note), _NOTE), refresh=False)
        self._bar.update(tick.done - self._bar.n)

    def close(self) -> None:
        self._bar.close()


class Unfailing(io.TextIOBase):
    """A stream for what is said in passing: once it is full or closed, what it is told is lost."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        with self._or_lost():
            self._stream.write(text)
        return len(text)

    def flush(self) -> None:
        with self._or_lost():
            self._stream.flush()

    def isatty(self) -> bool:
        return self._stream.isatty()

    def fileno(self) -> int:
        return self._stream.fileno()

    @property
    def encoding(self) -> str:  # type: ignore[override]  # a plain attribute there
        return self._stream.encoding

    @contextmanager
    def _or_lost(self) -> Iterator[None]:
        try:
            yield
        except (OSError, ValueError):
            discard(self._stream)


def discard(stream: TextIO) -> None:
    """What the stream still holds, and all that it will be given, goes nowhere; else it would fail again at the end."""
    with suppress(OSError, ValueError):  # no file of the system
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)


def open_standard_streams() -> None:
    """Where the program was started without one: else the next file it opens would be taken for it."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest number that is free
    sys.stdin = sys.stdin or open(os.devnull, encoding="utf-8")  # noqa: PTH123, SIM115  for as long as the program runs
    sys.stdout = sys.stdout or open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115
    sys.stderr = sys.stderr or open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115


def as_json_text(data: object) -> str:
    """In ASCII, so that it is JSON in whatever encoding the terminal or the pipe has; null for what is no number.

    Of a long list a row a line: json indents in Python, which takes ten times as long.
    """
    if not isinstance(data, dict) or not any(_is_long(value) for value in data.values()):
        return json.dumps(_finite(data), indent=2, allow_nan=False)
    return "{\n" + ",\n".join(f"  {json.dumps(name)}: {_member(value)}" for name, value in data.items()) + "\n}"


def _member(value: object) -> str:
    if isinstance(value, list) and _is_long(value):
        rows = (json.dumps(_finite(row), allow_nan=False) for row in value)
        return "[\n    " + ",\n    ".join(rows) + "\n  ]"
    return json.dumps(_finite(value), indent=2, allow_nan=False).replace("\n", "\n  ")


def _is_long(value: object) -> bool:
    return isinstance(value, list) and len(value) > _LONG


def _finite(data: object) -> object:
    """Without infinities and NaN, which JSON does not know."""
    if isinstance(data, float):
        return data if math.isfinite(data) else None
    if isinstance(data, dict):
        return {key: _finite(value) for key, value in data.items()}
    return [_finite(value) for value in data] if isinstance(data, list | tuple) else data


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
