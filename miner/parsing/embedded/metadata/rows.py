"""The rows of a page as they are seen: lines that PDFium broke at raised marks are put together again."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from miner.parsing.embedded.characters import clean_text
from miner.parsing.embedded.lines import SCRIPT_SIZE, TextLine

MARK = "\ufdd0"
"""No character of any text; stands in `Row.marked` for raised characters: notes and numbers of affiliations."""

_MAX_STEP = 24.0  # points from a raised mark to the baseline of its row
_LAST_ROWS = 6  # to which a line may belong: a raised mark is up to half a line above its row
_SMALL = 0.8  # of the size of a row's larger lines; smaller ones are marks
_SAME_ROW, _RAISED_MARK = 0.25, 0.6  # type sizes between baselines of one row: of lines of one size; of a mark
_MAX_GAP = 0.6  # type sizes between the lines of a row; columns are farther apart
_SAME_SIZE = 0.2  # of the larger size, by which lines of one row differ
_MIN_LARGE_LETTERS = 0.08  # of a row's characters in large size, so that the others are small capitals
_MIN_RAISE = 0.12  # of the type size: characters that stand higher are marks
_HALF = 0.5  # of a row's characters
_MARK_ONLY = re.compile(r"[\d\s,;*†‡§¶#∗⁎∥|()a-z–-]{1,12}")
_ICON = re.compile("[\ue000-\uf8ff]+")  # ORCID's sign and the like, of a font of signs


@dataclass(frozen=True)
class Row:
    """Lines that stand side by side without a gap. `size`: of the larger letters, if the others are small capitals.

    `text` is without raised marks; in `marked` they are `MARK`.
    """

    text: str
    size: float
    bold: float
    italic: float
    x0: float
    y0: float
    x1: float
    y1: float
    baseline: float
    hyphen: bool
    lines: tuple[TextLine, ...]

    @property
    def is_bold(self) -> bool:
        """Whether most of the row is in bold."""
        return self.bold > _HALF

    @property
    def is_italic(self) -> bool:
        """Whether most of the row is in italics."""
        return self.italic > _HALF

    @cached_property
    def marked(self) -> str:
        least = _SMALL * max(line.size for line in self.lines)
        return _join([_marked(line) if line.size >= least else MARK for line in self.lines])


def read_rows(lines: Iterable[TextLine]) -> list[Row]:
    """The upright rows of a page, from top to bottom and from left to right."""
    upright = sorted((line for line in lines if line.upright and line.text), key=lambda line: (line.baseline, line.x0))
    rows: list[list[TextLine]] = []
    for line in upright:
        for row in reversed(rows[-_LAST_ROWS:]):
            if line.baseline - row[0].baseline > _MAX_STEP:
                rows.append([line])
                break
            if _is_beside(row[0], line):
                row.append(line)
                break
        else:
            rows.append([line])
    found = [_row(group) for row in rows for group in _without_gaps(row)]
    return sorted(found, key=lambda row: (row.baseline, row.x0))


def _is_beside(line: TextLine, other: TextLine) -> bool:
    size = max(line.size, other.size)
    step = abs(line.baseline - other.baseline)
    is_small = min(line.size, other.size) < _SMALL * size
    return step <= (_RAISED_MARK if is_small else _SAME_ROW) * size


def _without_gaps(lines: list[TextLine]) -> Iterator[list[TextLine]]:
    lines.sort(key=lambda line: line.x0)
    group = [lines[0]]
    for line, other in pairwise(lines):
        gap = other.x0 - max(each.x1 for each in group)
        if gap > _MAX_GAP * max(line.size, other.size) or not _may_be_one(line, other):
            yield group
            group = []
        group.append(other)
    yield group


def _may_be_one(line: TextLine, other: TextLine) -> bool:
    if abs(line.size - other.size) < _SAME_SIZE * max(line.size, other.size):
        return True
    small = min(line, other, key=lambda each: each.size)
    return _MARK_ONLY.fullmatch(small.text) is not None


def _row(lines: Sequence[TextLine]) -> Row:
    if len(lines) == 1:
        line = lines[0]
        edges = line.x0, line.y0, line.x1, line.y1
        return Row(line.text, _size(line), line.bold, line.italic, *edges, line.baseline, line.hyphen, (line,))
    main = max(lines, key=lambda line: (line.size, len(line.text)))
    full = [line for line in lines if line.size >= _SMALL * main.size]
    count = sum(len(line.text) for line in full) or 1
    return Row(
        text=_join([line.text for line in full]),
        size=max(_size(line) for line in full),
        bold=sum(line.bold * len(line.text) for line in full) / count,
        italic=sum(line.italic * len(line.text) for line in full) / count,
        x0=min(line.x0 for line in full),
        y0=min(line.y0 for line in full),
        x1=max(line.x1 for line in lines),
        y1=max(line.y1 for line in full),
        baseline=main.baseline,
        hyphen=lines[-1].hyphen,
        lines=tuple(lines),
    )


def _join(texts: Sequence[str]) -> str:
    return re.sub(r" ([,;.])", r"\1", " ".join(texts).strip())


def _size(line: TextLine) -> float:
    """The size of the larger letters: of "L" in "LORA" with small capitals."""
    characters = line.characters
    if not characters.text or not line.text.isupper():
        return line.size
    counts: dict[float, int] = {}
    for run in characters.runs:
        piece = characters.text[run.start - characters.offset : run.end - characters.offset]
        counts[run.size] = counts.get(run.size, 0) + sum(map(str.isalpha, piece))
    return max(
        (size for size, count in counts.items() if count >= _MIN_LARGE_LETTERS * len(line.text)), default=line.size
    )


def _marked(line: TextLine) -> str:
    words = line.text.split()
    if line.gaps and len(words) == 2 * (line.gaps + 1) and "," not in line.text:  # columns of names of two words
        return f" {MARK} ".join(f"{words[at]} {words[at + 1]}" for at in range(0, len(words), 2))
    characters = line.characters
    if not characters.text or not characters.runs:
        return f"{MARK if line.note_before else ''} {line.text} {MARK if line.note_after else ''}"
    pieces = []
    for run in characters.runs:
        piece = characters.text[run.start - characters.offset : run.end - characters.offset]
        is_raised = abs(run.baseline - line.baseline) > _MIN_RAISE * line.size and run.baseline < line.baseline
        is_small = run.size < SCRIPT_SIZE * line.size and not any(map(str.isalpha, piece))
        if piece.strip() and (is_raised or is_small):
            pieces.append(f" {MARK} ")
        else:
            pieces.append(_ICON.sub(MARK, piece))
    return clean_text("".join(pieces))
