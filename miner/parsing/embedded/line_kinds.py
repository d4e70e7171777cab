"""Classifies lines: prose, headings, captions, formulas, tables and small type."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import Enum, auto

from miner.parsing.embedded.captions import continues_caption, opens_caption, opens_table_note
from miner.parsing.embedded.characters import count_letters
from miner.parsing.embedded.headings import is_heading
from miner.parsing.embedded.layout import PageColumn, PageColumns, PageStyles, Style
from miner.parsing.embedded.lines import BULLETS, TextLine
from miner.parsing.embedded.paragraphs import ends_open

_MIN_LEADERS = 5
_LEADERS = re.compile(rf"(?:\.\s?){{{_MIN_LEADERS}}}")  # in a table of contents
_STOP_OR_ENUMERATOR = re.compile(r"[a-z)][.:]\s+[A-Z]|^\(?\w{1,4}[.)]\s")
_ALGORITHM = re.compile(r"\d{1,2}:\s|.*←")
_WORD = re.compile(r"[^\W\d_]{2,}")
_LONG_WORD = re.compile(r"[^\W\d_]{5}")
_STATISTIC = re.compile(  # "χ2 > 4.21", "(β = −0.103", "11.8 ± 0.6"
    r"(?:[^\W\d_]{1,5}\d?|[\d.]{1,12})(?:\s?\([\d, ]{1,20}\))?\s?[=<>≤≥±]\s?[-−–]?[\d.,]{0,12}\d%?(?![^\s,;.)\]])"
)
_MATHS = re.compile(r"[=≤≥≈∑∫∏√→∈<>±×≡∝]|\(\d+[a-z]?\)$")


class LineKind(Enum):
    PROSE = auto()
    HEADING = auto()
    CAPTION = auto()
    FORMULA = auto()
    SMALL = auto()
    TABLE = auto()
    REFERENCE = auto()


_UNSURE_KINDS = (LineKind.PROSE, LineKind.FORMULA, LineKind.SMALL, LineKind.TABLE)
_FLOAT_KINDS = (LineKind.TABLE, LineKind.SMALL, LineKind.CAPTION)


def follows(above: TextLine, line: TextLine, style: Style) -> bool:
    """Whether the line is the next below in the same column."""
    down = line.baseline - above.baseline
    return (
        above.page == line.page
        and 0 < down < 2.2 * max(style.pitch, line.size)
        and line.x0 < above.x1
        and above.x0 < line.x1
    )


def stands_between(above: TextLine, line: TextLine, below: TextLine, style: Style) -> bool:
    """Whether the line stands between two lines of a column that are too close for a figure, a table or a note."""
    return (
        above.page == line.page == below.page
        and above.baseline + 1 < line.baseline < below.baseline - 1
        and below.baseline - above.baseline < 2.5 * max(style.pitch, below.size)
        and max(line.x0, below.x0) < above.x1
        and max(line.x0, above.x0) < below.x1
        and max(above.x0, below.x0) < line.x1
    )


def line_kinds(lines: Sequence[TextLine], styles: PageStyles, columns: PageColumns) -> list[LineKind]:
    """The kind of each line, in order."""
    kinds: list[LineKind] = []
    for index, line in enumerate(lines):
        above = lines[index - 1] if index else None
        kinds.append(_kind(line, above, kinds[-1] if kinds else None, styles.of(line), columns.of(line)))
    _correct_isolated_lines(lines, kinds, styles, columns)
    _reclassify_bold_paragraphs(lines, kinds, styles)
    _reclassify_isolated_groups(lines, kinds, styles, columns)
    return kinds


def _kind(
    line: TextLine, above: TextLine | None, previous_kind: LineKind | None, style: Style, column: PageColumn | None
) -> LineKind:
    """The kind of a line; `above` is the line before, `previous_kind` its kind."""
    previous = above if above is not None and follows(above, line, style) else None
    alone = previous is None or line.baseline - previous.baseline > 1.25 * style.pitch
    short = column is None or line.x1 < column.right - 0.1 * column.width
    if previous is not None and previous_kind is LineKind.CAPTION and continues_caption(line, previous, style):
        return LineKind.CAPTION
    if (alone or line.size not in style.sizes) and opens_caption(line, above):
        return LineKind.CAPTION
    if previous is not None and previous_kind in _FLOAT_KINDS and opens_table_note(line):
        return LineKind.CAPTION
    if previous is not None and previous_kind is LineKind.HEADING and line.size == previous.size > style.body + 2:
        return LineKind.HEADING  # a title goes on
    is_formula = _is_formula(line)
    is_equation = is_formula and not _LONG_WORD.search(line.text)
    if not is_equation and is_heading(line, style, alone=alone, short=short):
        return LineKind.HEADING
    if line.size not in style.sizes:
        return LineKind.SMALL
    if is_formula:
        return LineKind.FORMULA
    return LineKind.TABLE if _is_tabular(line) or _ALGORITHM.match(line.text) else LineKind.PROSE


def _is_tabular(line: TextLine) -> bool:
    """Whether the line has gaps or leaders, or more figures than words."""
    text = line.text
    return (
        line.gaps > 0
        or count_letters(text) < 0.6 * (len(text) - text.count(" "))
        or (text.count(".") >= _MIN_LEADERS and _LEADERS.search(text) is not None)
    )


def _has_maths(text: str) -> bool:
    may_have = not text.isascii() or text[-1:] == ")" or "=" in text or "<" in text or ">" in text
    return may_have and _MATHS.search(text) is not None


def _is_formula(line: TextLine) -> bool:
    """Whether the line is displayed mathematics rather than words."""
    text = line.text
    if line.maths <= 0.25 and not _has_maths(text):
        return False
    words = [word for word in _WORD.findall(text) if len(word) > 2]
    if line.maths > 0.5 and len(words) < 3:
        return True
    return sum(map(len, words)) < 0.5 * (len(text) - text.count(" "))


def _correct_isolated_lines(
    lines: Sequence[TextLine], kinds: list[LineKind], styles: PageStyles, columns: PageColumns
) -> None:
    """Lines with many digits within prose become prose; short pieces beside a formula become formula."""
    before: TextLine | None = None  # the last line of prose
    for index, line in enumerate(lines):
        before = lines[index - 1] if index and kinds[index - 1] is LineKind.PROSE else before
        kind = kinds[index]
        if kind not in _UNSURE_KINDS:
            continue
        column, style = columns.of(line), styles.of(line)
        if kind in (LineKind.TABLE, LineKind.FORMULA) and _ends_sentence(index, lines, kinds, style):
            kinds[index] = LineKind.PROSE
        elif column is None:
            continue
        elif kind in (LineKind.TABLE, LineKind.FORMULA):
            if _goes_on_above(index, before, lines, kinds, style, column) or _is_within_prose(
                index, lines, kinds, style, _text_column(index, lines, kinds, style, column)
            ):
                kinds[index] = LineKind.PROSE
        elif kind is LineKind.SMALL:
            if _is_between_prose(index, lines, kinds, style):
                kinds[index] = LineKind.PROSE
        elif kind is LineKind.PROSE and _is_displayed(line, style, column):
            kinds[index] = LineKind.FORMULA
        elif kind is LineKind.PROSE and _is_fragment(line, style, column):
            above = _prose_line_at(index - 1, lines, kinds)
            if above is not None and _reaches_column_end(above, column) and _is_next(above, line, style):
                continue
            beside = (other for other in (index - 1, index + 1) if 0 <= other < len(lines))
            if any(_is_formula_beside(lines[other], kinds[other], line, style) for other in beside):
                kinds[index] = LineKind.FORMULA


def _ends_sentence(index: int, lines: Sequence[TextLine], kinds: Sequence[LineKind], style: Style) -> bool:
    """Whether a short line ends the sentence of the line right above it, as "1886." or "(df = 11; p < 0.01)." may."""
    line, above = lines[index], _prose_line_at(index - 1, lines, kinds)
    return (
        above is not None
        and follows(above, line, style)
        and line.baseline - above.baseline < 1.2 * style.pitch
        and abs(line.x0 - above.x0) < 1
        and line.size == above.size
        and line.gaps == 0
        and len(above.text) > 30
        and (above.hyphen or ends_open(above.text))
        and (_closes_with_stop(line.text) or _is_statistics(line.text))
    )


def _closes_with_stop(text: str) -> bool:
    return text.endswith((".", ".)", "?")) and not _MATHS.search(_STATISTIC.sub("", text))


def _is_statistics(text: str) -> bool:
    """Whether all that is mathematics in the text compares values with numbers, as statistics within prose do."""
    rest = _STATISTIC.sub("", text)
    return len(rest) < len(text) and (text[0] == "(" or text[-1] in ").") and not _MATHS.search(rest)


def _goes_on_above(
    index: int,
    before: TextLine | None,
    lines: Sequence[TextLine],
    kinds: Sequence[LineKind],
    style: Style,
    column: PageColumn,
) -> bool:
    """Whether the line goes on with the sentence of the last prose, at the top of a column or below a full line."""
    line = lines[index]
    if before is None or line.text[0].isupper() or line.gaps > 1 or not (before.hyphen or ends_open(before.text)):
        return False
    is_full = line.x1 > column.right - 1.5 * style.body and _is_flush(line, style, column)
    if not is_full or not (before.hyphen or line.text[0].islower() or _is_statistics(line.text)):
        return False
    if follows(before, line, style):
        return before.hyphen and line.baseline - before.baseline < 1.4 * style.pitch
    is_top = line.page > before.page or line.baseline < before.baseline
    if not is_top or index + 1 == len(lines) or not (_plain_words(line) > 3 or _is_statistics(line.text)):
        return False
    below = lines[index + 1]
    is_near = follows(line, below, style) and below.baseline - line.baseline < 1.4 * style.pitch
    return is_near and (kinds[index + 1] is LineKind.PROSE or _is_statistics(below.text))


def _text_column(
    index: int, lines: Sequence[TextLine], kinds: Sequence[LineKind], style: Style, column: PageColumn
) -> PageColumn:
    """The column, no wider than the prose lines around this line: two columns may have been taken for one."""
    line = lines[index]
    ends = [
        other.x1
        for other, kind in zip(lines[max(0, index - 3) : index + 4], kinds[max(0, index - 3) : index + 4], strict=False)
        if kind is LineKind.PROSE
        and other.page == line.page
        and abs(other.baseline - line.baseline) < 4 * style.pitch
        and other.x0 < line.x1
        and line.x0 < other.x1
    ]
    return column._replace(right=min(column.right, max(ends))) if len(ends) > 1 else column


def _is_within_prose(
    index: int, lines: Sequence[TextLine], kinds: Sequence[LineKind], style: Style, column: PageColumn
) -> bool:
    """Whether a line that looks like a table's or a formula's is part of the paragraph around it."""
    line = lines[index]
    if _LEADERS.search(line.text) or (line.maths >= 0.6 and _plain_words(line) < 4):
        return False
    above, below = _prose_line_at(index - 1, lines, kinds), _prose_line_at(index + 1, lines, kinds)
    inside = _continues_line(line, above, style, column)
    goes_on = below is not None and follows(line, below, style)
    full, wordy = line.x1 > column.right - 1.5 * style.body, len(_WORD.findall(line.text)) > 2
    if full and goes_on and _is_flush(line, style, column) and (inside or (wordy and not line.gaps)):
        return True
    if full and line.gaps == 1 and _opens_paragraph(line, below, style, column):
        return True
    if not inside:
        return above is not None and goes_on and wordy and not line.gaps and _is_close(above, line, below, style)
    if line.gaps >= 2:
        return False
    return full or goes_on or wordy or _closes_paragraph(line, above, style)


def _opens_paragraph(line: TextLine, below: TextLine | None, style: Style, column: PageColumn) -> bool:
    """Whether a line with a gap, behind a sentence, a run-in heading or "(i)", is the first of the prose below it."""
    return (
        below is not None
        and follows(line, below, style)
        and below.baseline - line.baseline < 1.3 * style.pitch
        and _is_flush(below, style, column)
        and -1 < line.x0 - below.x0 < 2.5 * style.body
        and (len(_WORD.findall(line.text)) > 7 or line.lead_bold)
        and _STOP_OR_ENUMERATOR.search(line.text) is not None
    )


def _is_close(above: TextLine, line: TextLine, below: TextLine | None, style: Style) -> bool:
    """Whether three lines are as close as those of a paragraph."""
    if below is None or not follows(above, line, style):
        return False
    return below.baseline - above.baseline < 2.8 * style.pitch


def _is_between_prose(index: int, lines: Sequence[TextLine], kinds: Sequence[LineKind], style: Style) -> bool:
    """Whether a line that is mostly in another size, such as names in small capitals, is one of a paragraph's lines."""
    line, above, below = lines[index], _prose_line_at(index - 1, lines, kinds), _prose_line_at(index + 1, lines, kinds)
    if above is None or below is None:
        return False
    steps = (line.baseline - above.baseline, below.baseline - line.baseline)
    is_amid = ends_open(above.text) and below.text[0].islower() and _plain_words(line) > 3  # raised by its formulas
    return (
        all(0.75 < step / style.pitch < (1.5 if is_amid else 1.25) for step in steps)
        and abs(line.x0 - below.x0) < 1
        and abs(line.x1 - above.x1) < 2 * style.body
        and line.gaps == 0
    )


def _is_next(above: TextLine, line: TextLine, style: Style) -> bool:
    """Whether the line is the next of a paragraph: right below the other, and not far to its left or right."""
    return line.baseline - above.baseline < 1.2 * style.pitch and abs(line.x0 - above.x0) < 2 * style.body


def _prose_line_at(index: int, lines: Sequence[TextLine], kinds: Sequence[LineKind]) -> TextLine | None:
    return lines[index] if 0 <= index < len(lines) and kinds[index] is LineKind.PROSE else None


def _closes_paragraph(line: TextLine, above: TextLine | None, style: Style) -> bool:
    """Whether the line ends the sentence of the full line right above it, as "1983):" or "67.65%" may."""
    if above is None or line.baseline - above.baseline >= 1.2 * style.pitch:
        return False
    return line.text.endswith(".") or (line.gaps == 0 and ends_open(above.text) and not _MATHS.search(line.text))


def _continues_line(line: TextLine, above: TextLine | None, style: Style, column: PageColumn) -> bool:
    """Whether the line stands right below a full line, at the column's edge or at that line's."""
    if above is None or not follows(above, line, style) or line.baseline - above.baseline >= 1.4 * style.pitch:
        return False
    hangs = above.text[:1] in BULLETS and 0 < line.x0 - above.x0 < 3 * style.body
    return _reaches_column_end(above, column) and (
        hangs or _is_flush(line, style, column) or abs(line.x0 - above.x0) < 1
    )


def _reaches_column_end(line: TextLine, column: PageColumn) -> bool:
    return line.x1 > column.right - 0.15 * column.width


def _is_flush(line: TextLine, style: Style, column: PageColumn) -> bool:
    return line.x0 - column.left < 0.3 * style.body


def _is_displayed(line: TextLine, style: Style, column: PageColumn) -> bool:
    """Whether the line is a formula with words such as "min", away from both edges of the column."""
    if line.x0 - column.left < 2.5 * style.body or line.x1 - line.x0 > 0.6 * column.width:
        return False
    return bool(_MATHS.search(line.text)) and _plain_words(line) < 4


def _plain_words(line: TextLine) -> int:
    words = (token.rstrip(".,;:") for token in line.text.split())
    return sum(len(word) > 1 and word.isalpha() for word in words)


def _is_fragment(line: TextLine, style: Style, column: PageColumn) -> bool:
    """Whether the line is a short piece away from the column's edge."""
    away = not _is_flush(line, style, column) and line.x1 - line.x0 < 0.5 * column.width
    return away and len(_WORD.findall(line.text)) < 4


def _is_formula_beside(other: TextLine, kind: LineKind, line: TextLine, style: Style) -> bool:
    return (
        kind is LineKind.FORMULA and other.page == line.page and abs(other.baseline - line.baseline) < 2 * style.pitch
    )


def _reclassify_bold_paragraphs(lines: Sequence[TextLine], kinds: list[LineKind], styles: PageStyles) -> None:
    """Paragraphs all in bold are abstracts or asides, paragraphs all in italics are prose, not headings."""
    start = 0
    while start < len(lines):
        end = start + 1
        first, style = lines[start], styles.of(lines[start])
        if kinds[start] is LineKind.HEADING and first.size <= style.body + 0.7:
            while end < len(lines) and _continues_emphasis(first, lines[end - 1], lines[end], kinds[end], style):
                end += 1
            is_bold = first.bold >= 0.6
            if end - start > 3 or (end - start > 2 and not is_bold):
                plain = not is_bold and first.size in style.sizes
                kinds[start:end] = [LineKind.PROSE if plain else LineKind.SMALL] * (end - start)
        start = end


def _continues_emphasis(first: TextLine, above: TextLine, line: TextLine, kind: LineKind, style: Style) -> bool:
    """Whether the line goes on in bold or italics below `above`, in the paragraph that begins with `first`."""
    return (
        kind in (LineKind.HEADING, LineKind.SMALL, LineKind.PROSE)
        and (line.bold > 0.6 or first.italic > 0.9 < line.italic)
        and follows(above, line, style)
        and line.baseline - above.baseline < 1.5 * line.size
    )


def _reclassify_isolated_groups(
    lines: Sequence[TextLine], kinds: list[LineKind], styles: PageStyles, columns: PageColumns
) -> None:
    """Groups of short lines outside of columns are words in figures and tables."""
    start = 0
    while start < len(lines):
        if kinds[start] is not LineKind.PROSE:
            start += 1
            continue
        end, style = start + 1, styles.of(lines[start])
        while end < len(lines) and kinds[end] is LineKind.PROSE and follows(lines[end - 1], lines[end], style):
            end += 1
        group = lines[start:end]
        before_formula = end < len(lines) and kinds[end] is LineKind.FORMULA and _plain_words(group[-1]) > 3
        if not before_formula and not any(_fills_column(line, columns.of(line), style) for line in group):
            kinds[start:end] = [LineKind.TABLE] * (end - start)
        start = end


def _fills_column(line: TextLine, column: PageColumn | None, style: Style) -> bool:
    if column is None:
        return len(line.text) > 45
    if line.hyphen and len(line.text) > 40:
        return True
    if line.x1 - line.x0 > 0.5 * column.width:
        return True
    return line.x0 - column.left < 0.3 * style.body and (line.text[-1] in ".:?!,;" or line.text[0].islower())
