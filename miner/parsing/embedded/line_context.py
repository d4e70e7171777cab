"""Corrects the kinds of lines by the lines around them: digits amid prose, pieces of formulas, words in figures."""

from __future__ import annotations

import re
from collections.abc import Sequence

from miner.parsing.embedded.layout import FULL_LINE, LARGER, WORD, PageColumn, PageColumns, PageStyles, Style
from miner.parsing.embedded.line_kinds import (
    LEADERS,
    LOOSE_LINE,
    NEXT_LINE,
    WHITE_SPACE,
    WORDY,
    LineKind,
    follows,
    has_maths,
)
from miner.parsing.embedded.lines import ALL_OF_LINE, BULLETS, MOST_OF_LINE, TextLine
from miner.parsing.embedded.paragraphs import ends_open

_STOP_OR_ENUMERATOR = re.compile(r"[a-z)][.:]\s+[A-Z]|^\(?\w{1,4}[.)]\s")
_STATISTIC = re.compile(  # "χ2 > 4.21", "(β = −0.103", "11.8 ± 0.6"
    r"(?:[^\W\d_]{1,5}\d?|[\d.]{1,12})(?:\s?\([\d, ]{1,20}\))?\s?[=<>≤≥±]\s?[-−–]?[\d.,]{0,12}\d%?(?![^\s,;.)\]])"
)

# Edges and widths.
_FLUSH = 0.3  # of the body size: a line that starts farther in is indented or displayed (±20 %: same)
_SAME_EDGE = 1  # point; edges of lines below one another that are closer are the same
_FULL = 1.5  # of the body size: a line that ends closer to the column's right edge fills it
_MAX_INDENT = 2.5  # of the body size: the first line of a paragraph starts at most so far in (±20 %: same)
_MAX_HANGING = 3  # of the body size: the lines below a bullet start at most so far in (±20 %: same)
_DISPLAYED, _MAX_DISPLAYED = 2.5, 0.6  # body sizes left of a displayed formula; of the column's width (±20 %: same)
_HALF_COLUMN = 0.5  # of the column's width: shorter lines may be pieces, of formulas or figures
_BESIDE = 2  # of the body size between edges that may be of one paragraph; of the line distance beside a formula

# Steps between baselines, in line distances.
_MIN_STEP = 0.75  # a smaller one is to a script (±20 %: same)
_FIRST_LINE = 1.3  # to the prose below the first line of a paragraph (±20 %: same)
_BESIDE_FORMULA = 1.5  # above and below a line amid a sentence, which its formulas raise (±20 %: same)
_THREE_LINES = 2.8  # from the first to the third line of a paragraph
_NEIGHBOURS, _NEAR = 3, 4  # lines around, which correct a column's right edge; their distance (±20 %: same)
_IN_EMPHASIS = 1.5  # of the type size: between lines of a paragraph that is all in bold or italics

# Text.
_MIN_ABOVE = 30  # characters of a line of prose that a short line below may end (±20 %: same)
_ALL_MATHS = 0.6  # of the characters in fonts of mathematics: such a line is prose only if it has words enough
_FEW_WORDS = 3  # words; with more the line is no formula, nor a piece of one
_MIN_FIRST_WORDS = 8  # of a line with a gap that begins a paragraph; a row of a table has fewer (±20 %: same)
_MAX_BOLD_HEADING, _MAX_ITALIC_HEADING = 3, 2  # lines of a heading; longer ones are abstracts, asides and prose
_LONG_LINE, _LONG_HYPHENATED = 45, 40  # characters of prose outside of columns; with a final hyphen (±20 %: same)

_UNSURE_KINDS = (LineKind.PROSE, LineKind.FORMULA, LineKind.SMALL, LineKind.TABLE)


def correct_line_kinds(
    lines: Sequence[TextLine], kinds: list[LineKind], styles: PageStyles, columns: PageColumns
) -> None:
    """Correct in place the kinds that `line_kinds` gave to lines of prose, tables, formulas and small type."""
    _correct_isolated_lines(lines, kinds, styles, columns)
    _reclassify_bold_paragraphs(lines, kinds, styles)
    _reclassify_isolated_groups(lines, kinds, styles, columns)


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
        and line.baseline - above.baseline < NEXT_LINE * style.pitch
        and abs(line.x0 - above.x0) < _SAME_EDGE
        and line.size == above.size
        and line.gaps == 0
        and len(above.text) > _MIN_ABOVE
        and (above.hyphen or ends_open(above.text))
        and (_closes_with_stop(line.text) or _is_statistics(line.text))
    )


def _closes_with_stop(text: str) -> bool:
    return text.endswith((".", ".)", "?")) and not has_maths(_STATISTIC.sub("", text))


def _is_statistics(text: str) -> bool:
    """Whether all that is mathematics in the text compares values with numbers, as statistics within prose do."""
    rest = _STATISTIC.sub("", text)
    return len(rest) < len(text) and (text[0] == "(" or text[-1] in ").") and not has_maths(rest)


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
    is_full = line.x1 > column.right - _FULL * style.body and _is_flush(line, style, column)
    if not is_full or not (before.hyphen or line.text[0].islower() or _is_statistics(line.text)):
        return False
    if follows(before, line, style):
        return before.hyphen and line.baseline - before.baseline < LOOSE_LINE * style.pitch
    is_top = line.page > before.page or line.baseline < before.baseline
    if not is_top or index + 1 == len(lines) or not (_plain_words(line) > _FEW_WORDS or _is_statistics(line.text)):
        return False
    below = lines[index + 1]
    is_near = follows(line, below, style) and below.baseline - line.baseline < LOOSE_LINE * style.pitch
    return is_near and (kinds[index + 1] is LineKind.PROSE or _is_statistics(below.text))


def _text_column(
    index: int, lines: Sequence[TextLine], kinds: Sequence[LineKind], style: Style, column: PageColumn
) -> PageColumn:
    """The column, no wider than the prose lines around this line: two columns may have been taken for one."""
    line, near = lines[index], slice(max(0, index - _NEIGHBOURS), index + _NEIGHBOURS + 1)
    ends = [
        other.x1
        for other, kind in zip(lines[near], kinds[near], strict=True)
        if kind is LineKind.PROSE
        and other.page == line.page
        and abs(other.baseline - line.baseline) < _NEAR * style.pitch
        and other.x0 < line.x1
        and line.x0 < other.x1
    ]
    return column._replace(right=min(column.right, max(ends))) if len(ends) > 1 else column


def _is_within_prose(
    index: int, lines: Sequence[TextLine], kinds: Sequence[LineKind], style: Style, column: PageColumn
) -> bool:
    """Whether a line that looks like a table's or a formula's is part of the paragraph around it."""
    line = lines[index]
    if LEADERS.search(line.text) or (line.maths >= _ALL_MATHS and _plain_words(line) <= _FEW_WORDS):
        return False
    above, below = _prose_line_at(index - 1, lines, kinds), _prose_line_at(index + 1, lines, kinds)
    inside = _continues_line(line, above, style, column)
    goes_on = below is not None and follows(line, below, style)
    full, wordy = line.x1 > column.right - _FULL * style.body, len(WORD.findall(line.text)) > WORDY
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
        and below.baseline - line.baseline < _FIRST_LINE * style.pitch
        and _is_flush(below, style, column)
        and -_SAME_EDGE < line.x0 - below.x0 < _MAX_INDENT * style.body
        and (len(WORD.findall(line.text)) >= _MIN_FIRST_WORDS or line.lead_bold)
        and _STOP_OR_ENUMERATOR.search(line.text) is not None
    )


def _is_close(above: TextLine, line: TextLine, below: TextLine | None, style: Style) -> bool:
    """Whether three lines are as close as those of a paragraph."""
    if below is None or not follows(above, line, style):
        return False
    return below.baseline - above.baseline < _THREE_LINES * style.pitch


def _is_between_prose(index: int, lines: Sequence[TextLine], kinds: Sequence[LineKind], style: Style) -> bool:
    """Whether a line that is mostly in another size, such as names in small capitals, is one of a paragraph's lines."""
    line, above, below = lines[index], _prose_line_at(index - 1, lines, kinds), _prose_line_at(index + 1, lines, kinds)
    if above is None or below is None:
        return False
    steps = (line.baseline - above.baseline, below.baseline - line.baseline)
    is_amid = ends_open(above.text) and below.text[0].islower() and _plain_words(line) > _FEW_WORDS
    largest = _BESIDE_FORMULA if is_amid else WHITE_SPACE
    return (
        all(_MIN_STEP < step / style.pitch < largest for step in steps)
        and abs(line.x0 - below.x0) < _SAME_EDGE
        and abs(line.x1 - above.x1) < _BESIDE * style.body
        and line.gaps == 0
    )


def _is_next(above: TextLine, line: TextLine, style: Style) -> bool:
    """Whether the line is the next of a paragraph: right below the other, and not far to its left or right."""
    return line.baseline - above.baseline < NEXT_LINE * style.pitch and abs(line.x0 - above.x0) < _BESIDE * style.body


def _prose_line_at(index: int, lines: Sequence[TextLine], kinds: Sequence[LineKind]) -> TextLine | None:
    return lines[index] if 0 <= index < len(lines) and kinds[index] is LineKind.PROSE else None


def _closes_paragraph(line: TextLine, above: TextLine | None, style: Style) -> bool:
    """Whether the line ends the sentence of the full line right above it, as "1983):" or "67.65%" may."""
    if above is None or line.baseline - above.baseline >= NEXT_LINE * style.pitch:
        return False
    return line.text.endswith(".") or (line.gaps == 0 and ends_open(above.text) and not has_maths(line.text))


def _continues_line(line: TextLine, above: TextLine | None, style: Style, column: PageColumn) -> bool:
    """Whether the line stands right below a full line, at the column's edge or at that line's."""
    if above is None or not follows(above, line, style) or line.baseline - above.baseline >= LOOSE_LINE * style.pitch:
        return False
    hangs = above.text[:1] in BULLETS and 0 < line.x0 - above.x0 < _MAX_HANGING * style.body
    return _reaches_column_end(above, column) and (
        hangs or _is_flush(line, style, column) or abs(line.x0 - above.x0) < _SAME_EDGE
    )


def _reaches_column_end(line: TextLine, column: PageColumn) -> bool:
    return line.x1 > column.right - FULL_LINE * column.width


def _is_flush(line: TextLine, style: Style, column: PageColumn) -> bool:
    return line.x0 - column.left < _FLUSH * style.body


def _is_displayed(line: TextLine, style: Style, column: PageColumn) -> bool:
    """Whether the line is a formula with words such as "min", away from both edges of the column."""
    if line.x0 - column.left < _DISPLAYED * style.body or line.x1 - line.x0 > _MAX_DISPLAYED * column.width:
        return False
    return has_maths(line.text) and _plain_words(line) <= _FEW_WORDS


def _plain_words(line: TextLine) -> int:
    words = (token.rstrip(".,;:") for token in line.text.split())
    return sum(len(word) > 1 and word.isalpha() for word in words)


def _is_fragment(line: TextLine, style: Style, column: PageColumn) -> bool:
    """Whether the line is a short piece away from the column's edge."""
    away = not _is_flush(line, style, column) and line.x1 - line.x0 < _HALF_COLUMN * column.width
    return away and len(WORD.findall(line.text)) <= _FEW_WORDS


def _is_formula_beside(other: TextLine, kind: LineKind, line: TextLine, style: Style) -> bool:
    return (
        kind is LineKind.FORMULA
        and other.page == line.page
        and abs(other.baseline - line.baseline) < _BESIDE * style.pitch
    )


def _reclassify_bold_paragraphs(lines: Sequence[TextLine], kinds: list[LineKind], styles: PageStyles) -> None:
    """Paragraphs all in bold are abstracts or asides, paragraphs all in italics are prose, not headings."""
    start = 0
    while start < len(lines):
        end = start + 1
        first, style = lines[start], styles.of(lines[start])
        if kinds[start] is LineKind.HEADING and first.size <= style.body + LARGER:
            while end < len(lines) and _continues_emphasis(first, lines[end - 1], lines[end], kinds[end], style):
                end += 1
            is_bold = first.bold >= MOST_OF_LINE
            if end - start > (_MAX_BOLD_HEADING if is_bold else _MAX_ITALIC_HEADING):
                plain = not is_bold and first.size in style.sizes
                kinds[start:end] = [LineKind.PROSE if plain else LineKind.SMALL] * (end - start)
        start = end


def _continues_emphasis(first: TextLine, above: TextLine, line: TextLine, kind: LineKind, style: Style) -> bool:
    """Whether the line goes on in bold or italics below `above`, in the paragraph that begins with `first`."""
    return (
        kind in (LineKind.HEADING, LineKind.SMALL, LineKind.PROSE)
        and (line.bold > MOST_OF_LINE or first.italic > ALL_OF_LINE < line.italic)
        and follows(above, line, style)
        and line.baseline - above.baseline < _IN_EMPHASIS * line.size
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
        before_formula = end < len(lines) and kinds[end] is LineKind.FORMULA and _plain_words(group[-1]) > _FEW_WORDS
        if not before_formula and not any(_fills_column(line, columns.of(line), style) for line in group):
            kinds[start:end] = [LineKind.TABLE] * (end - start)
        start = end


def _fills_column(line: TextLine, column: PageColumn | None, style: Style) -> bool:
    if column is None:
        return len(line.text) > _LONG_LINE
    if line.hyphen and len(line.text) > _LONG_HYPHENATED:
        return True
    if line.x1 - line.x0 > _HALF_COLUMN * column.width:
        return True
    return _is_flush(line, style, column) and (line.text[-1] in ".:?!,;" or line.text[0].islower())
