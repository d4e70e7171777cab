"""Says of every line what it is: prose, or one of the things that stand between prose."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import Enum, auto

from miner.parsing.embedded.columns import Column, Columns
from miner.parsing.embedded.headings import is_heading
from miner.parsing.embedded.lines import Line
from miner.parsing.embedded.style import Style

_CAPTION = re.compile(
    r"(?:(?:supplementary|extended data|online|web|additional)\s+)?"
    r"(?:fig(?:ure)?s?|tab(?:le)?s?|algorithm|listing|scheme|box|plate|chart|exhibit|photo|map|image)\b\.?\s*"
    r"(?:S?\d+|[IVX]+|[A-Z])(?:[.\-]\d+)*[a-z]?(?:\s*[.:|–—)]|\s+[A-Z(“]|\s*$)",
    re.I,
)
_AS_SUBJECT = re.compile(
    r"\s*(?:shows?|illustrates?|presents?|and|gives?|depicts?|lists?|provides?|summari[sz]es?|in|is|are|of|we|for|to|also|the|by)\b"
)
_LEADERS = re.compile(r"(?:\.\s?){5}")  # of a table of contents
_WORD = re.compile(r"[^\W\d_]{2,}")
_MATHS = re.compile(r"[=≤≥≈∑∫∏√→∈<>±×≡∝]|\(\d+[a-z]?\)$")


class LineKind(Enum):
    PROSE = auto()
    HEADING = auto()
    CAPTION = auto()
    FORMULA = auto()
    SMALL = auto()
    TABLE = auto()
    REFERENCE = auto()


def follows(above: Line, line: Line, style: Style) -> bool:
    """Whether the line is the next below in the same column."""
    down = line.baseline - above.baseline
    return (
        above.page == line.page
        and 0 < down < 2.2 * max(style.pitch, line.size)
        and line.x0 < above.x1
        and above.x0 < line.x1
    )


def line_kinds(lines: Sequence[Line], style: Style, columns: Columns) -> list[LineKind]:
    """One kind a line."""
    found: list[LineKind] = []
    for index, line in enumerate(lines):
        above = lines[index - 1] if index else None
        found.append(_kind(line, above, found[-1] if found else None, style, columns.of(line)))
    _mend(lines, found, style, columns)
    _drop_bold(lines, found, style)
    _drop_islands(lines, found, style, columns)
    return found


def _kind(line: Line, above: Line | None, was: LineKind | None, style: Style, column: Column | None) -> LineKind:
    near = above is not None and follows(above, line, style)
    step = line.baseline - above.baseline if above is not None and near else 0.0
    alone = not near or step > 1.25 * style.pitch
    short = column is None or line.x1 < column.right - 0.1 * column.width
    if (
        was is LineKind.CAPTION
        and above is not None
        and near
        and abs(line.size - above.size) < 0.4
        and step < max(1.35 * line.size, 1.05 * style.pitch)
    ):
        return LineKind.CAPTION
    caption = _CAPTION.match(line.text)
    if (
        caption
        and (alone or line.size not in style.sizes)
        and not _AS_SUBJECT.match(line.text[caption.end() - 1 :].lower())
        and not (caption[0].endswith(")") and above is not None and above.text.count("(") > above.text.count(")"))
    ):
        return LineKind.CAPTION
    title_goes_on = was is LineKind.HEADING and above is not None and near and line.size == above.size > style.body + 2
    if title_goes_on or is_heading(line, style, alone=alone, short=short):
        return LineKind.HEADING
    if line.size not in style.sizes:
        return LineKind.SMALL
    if _is_formula(line):
        return LineKind.FORMULA
    dense = line.text.replace(" ", "")
    if sum(map(str.isalpha, dense)) < 0.6 * len(dense) or line.gaps or _LEADERS.search(line.text):
        return LineKind.TABLE
    return LineKind.PROSE


def _is_formula(line: Line) -> bool:
    """Whether the line is displayed mathematics rather than words."""
    words = [word for word in _WORD.findall(line.text) if len(word) > 2]
    if line.maths > 0.5 and len(words) < 3:
        return True
    dense = line.text.replace(" ", "")
    return bool(line.maths > 0.25 or _MATHS.search(line.text)) and sum(map(len, words)) < 0.5 * len(dense)


def _mend(lines: Sequence[Line], found: list[LineKind], style: Style, columns: Columns) -> None:
    """Lines of figures inside prose are prose; short pieces beside a formula are the formula's."""
    for index, line in enumerate(lines):
        column = columns.of(line)
        if column is None:
            continue
        flush = line.x0 - column.left < 0.3 * style.body
        full = line.x1 > column.right - 1.5 * style.body
        if found[index] in (LineKind.TABLE, LineKind.FORMULA):
            above, below = index - 1, index + 1
            held = above >= 0 and found[above] is LineKind.PROSE and follows(lines[above], line, style)
            goes_on = below < len(lines) and found[below] is LineKind.PROSE and follows(line, lines[below], style)
            step = line.baseline - lines[above].baseline
            words = len(_WORD.findall(line.text))
            inside = held and step < 1.4 * style.pitch and _full(lines[above], column)
            inside &= flush or abs(line.x0 - lines[above].x0) < 1
            closes = line.text.endswith(".") and step < 1.2 * style.pitch
            opens = flush and full and goes_on and words > 2 and not line.gaps
            filled = inside and flush and full and goes_on
            fits = opens or (inside and (full or goes_on or closes or words > 2))
            if line.maths < 0.6 and not _LEADERS.search(line.text) and (filled or (fits and line.gaps < 2)):
                found[index] = LineKind.PROSE
        elif (
            found[index] is LineKind.PROSE
            and not flush
            and line.x1 - line.x0 < 0.5 * column.width
            and len(_WORD.findall(line.text)) < 4
        ):
            near = [
                other for other in (index - 1, index + 1) if 0 <= other < len(lines) and lines[other].page == line.page
            ]
            if any(
                found[other] is LineKind.FORMULA and abs(lines[other].baseline - line.baseline) < 2 * style.pitch
                for other in near
            ):
                found[index] = LineKind.FORMULA


def _drop_bold(lines: Sequence[Line], found: list[LineKind], style: Style) -> None:
    """Whole paragraphs in bold are abstracts or asides, whole paragraphs in italics are prose: not headings."""
    start = 0
    while start < len(lines):
        end = start + 1
        if found[start] is LineKind.HEADING and lines[start].size <= style.body + 0.7:
            while (
                end < len(lines)
                and found[end] in (LineKind.HEADING, LineKind.SMALL, LineKind.PROSE)
                and (lines[end].bold > 0.6 or lines[start].italic > 0.9 < lines[end].italic)
                and follows(lines[end - 1], lines[end], style)
                and lines[end].baseline - lines[end - 1].baseline < 1.5 * lines[end].size
            ):
                end += 1
            if end - start > 3 or (end - start > 2 and lines[start].bold < 0.6):
                plain = lines[start].bold < 0.6 and lines[start].size in style.sizes
                found[start:end] = [LineKind.PROSE if plain else LineKind.SMALL] * (end - start)
        start = end


def _full(line: Line, column: Column) -> bool:
    return line.x1 > column.right - 0.15 * column.width


def _drop_islands(lines: Sequence[Line], found: list[LineKind], style: Style, columns: Columns) -> None:
    """Groups of short lines that no column holds are words in figures and tables."""
    start = 0
    while start < len(lines):
        if found[start] is not LineKind.PROSE:
            start += 1
            continue
        end = start + 1
        while end < len(lines) and found[end] is LineKind.PROSE and follows(lines[end - 1], lines[end], style):
            end += 1
        group = lines[start:end]
        if not any(_holds(line, columns.of(line), style) for line in group):
            found[start:end] = [LineKind.TABLE] * (end - start)
        start = end


def _holds(line: Line, column: Column | None, style: Style) -> bool:
    if column is None:
        return len(line.text) > 45
    if line.x1 - line.x0 > 0.5 * column.width:
        return True
    return line.x0 - column.left < 0.3 * style.body and (line.text[-1] in ".:?!,;" or line.text[0].islower())
