"""Output of commands: progress bars, tables, JSON, and standard streams that may be closed."""

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

_LONG_LIST_LENGTH = 1_000
_BAR = "{desc}: {percentage:3.0f}% |{bar:12}| {n_fmt}/{total_fmt}, {remaining} left{postfix}"
_MAX_TITLE_LENGTH, _MAX_NOTE_LENGTH = 28, 40  # so that all fits into a line of 80 characters


class ProgressBar:
    """Draws the progress of a job and the time left on stderr, if that is a terminal."""

    def __init__(self, title: str, *, quiet: bool = False) -> None:
        hidden = True if quiet else None  # None: tqdm draws only on a terminal
        self._bar: tqdm[NoReturn] = tqdm(
            desc=shortened(one_line(title), _MAX_TITLE_LENGTH),
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
            self._bar.bar_format = _BAR if tick.total else None  # without a total tqdm shows the number only
        if tick.note:
            self._bar.set_postfix_str(shortened(one_line(tick.note), _MAX_NOTE_LENGTH), refresh=False)
        self._bar.update(tick.done - self._bar.n)

    def close(self) -> None:
        self._bar.close()


class LossyStream(io.TextIOBase):
    """Writes to a stream and ignores errors, such as of a full disk or a closed pipe."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        with self._ignoring_errors():
            self._stream.write(text)
        return len(text)

    def flush(self) -> None:
        with self._ignoring_errors():
            self._stream.flush()

    def isatty(self) -> bool:
        return self._stream.isatty()

    def fileno(self) -> int:
        return self._stream.fileno()

    @property
    def encoding(self) -> str:  # type: ignore[override]  # a plain attribute there
        return self._stream.encoding

    @contextmanager
    def _ignoring_errors(self) -> Iterator[None]:
        try:
            yield
        except (OSError, ValueError):
            discard(self._stream)


def discard(stream: TextIO) -> None:
    """Redirect a stream to the null device, so that flushing it at exit does not fail again."""
    with suppress(OSError, ValueError):  # not a file of the system
        null_device = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null_device, stream.fileno())
        os.close(null_device)


def open_standard_streams() -> None:
    """Open the standard streams that are closed; otherwise the next file opened would get their file descriptor."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # gets the lowest free file descriptor
    sys.stdin = sys.stdin or open(os.devnull, encoding="utf-8")  # noqa: PTH123, SIM115  for as long as the program runs
    sys.stdout = sys.stdout or open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115
    sys.stderr = sys.stderr or open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115


def as_json_text(data: object) -> str:
    """The data as JSON, in ASCII for any encoding of the output; NaN and infinities become null.

    A long list has one item per line, since indenting takes json ten times as long.
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
    return isinstance(value, list) and len(value) > _LONG_LIST_LENGTH


def _finite(data: object) -> object:
    """The data with null in place of NaN and infinities, which JSON lacks."""
    if isinstance(data, float):
        return data if math.isfinite(data) else None
    if isinstance(data, dict):
        return {key: _finite(value) for key, value in data.items()}
    return [_finite(value) for value in data] if isinstance(data, list | tuple) else data


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table with numbers aligned right; "" without rows."""
    records = list(rows)
    if not records:
        return ""
    cells = [[f"{cell:,}" if isinstance(cell, int) else str(cell) for cell in row] for row in records]
    widths = [max(len(row[n]) for row in [list(head), *cells]) for n in range(len(head))]
    numeric = [all(isinstance(row[n], int | float) for row in records) for n in range(len(head))]

    def line(row: Sequence[str]) -> str:
        aligned = [
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, right in zip(row, widths, numeric, strict=True)
        ]
        return "  ".join(aligned).rstrip()

    return "\n".join(line(row) for row in [head, *cells])
