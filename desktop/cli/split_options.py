"""Reads the options that say how a data set is split."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from miner.errors import UserError
from miner.paths import check_ordinary, is_file
from miner.splits import PaperSplit
from miner.year_ranges import YearRange, read_year_ranges

_MAX_BYTES = 10_000_000  # of a file of names or years


def read_lines(texts: Iterable[str]) -> list[str]:
    """The texts; a text that is the path of a file is replaced by the file's lines."""
    lines: list[str] = []
    for text in texts:
        path = Path(text)
        if path.suffix and is_file(path):
            try:
                check_ordinary(path, _MAX_BYTES)
                lines += path.read_text(encoding="utf-8").splitlines()
            except (OSError, UnicodeDecodeError) as exc:
                raise UserError(f"{path} cannot be read.", hint="It should be a text file in UTF-8.") from exc
        else:
            lines.append(text)
    return lines


def read_years(texts: Iterable[str]) -> tuple[YearRange, ...]:
    """The ranges of years that options give; none for no option."""
    lines = read_lines(texts)
    return read_year_ranges(lines) if lines else ()


def require_no_split(split: PaperSplit | None) -> None:
    """Raise `UserError` if an export asks for another split than the project's."""
    if split is not None:
        raise UserError(
            "The project's papers are split already, and every export uses that split.",
            hint="To see it: pairwright split. To change it: pairwright split set. To export one file: --one-file",
        )
