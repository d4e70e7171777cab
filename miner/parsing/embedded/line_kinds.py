"""Classifies lines: prose, headings, captions, formulas, tables and small type."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import Enum, auto

from miner.parsing.embedded.captions import continues_caption, opens_caption, opens_table_note
from miner.parsing.embedded.characters import count_letters
from miner.parsing.embedded.headings import is_heading
from miner.parsing.embedded.layout import WORD, PageColumn, PageColumns, PageStyles, Style
from miner.parsing.embedded.lines import TextLine

_MIN_LEADERS = 5
LEADERS = re.compile(rf"(?:\.\s?){{{_MIN_LEADERS}}}")  # in a table of contents
_ALGORITHM = re.compile(r"\d{1,2}:\s|.*←")
_LONG_WORD = re.compile(r"[^\W\d_]{5}")
_MATHS = re.compile(r"[=≤≥≈∑∫∏√→∈<>±×≡∝]|\(\d+[a-z]?\)$")

# Steps between baselines, in line distances of the paper.
_MAX_STEP = 2.2  # also in type sizes; a line farther below does not follow: paragraphs with space between them do
_MAX_BETWEEN = 2.5  # also in type sizes; between two lines farther apart there may be a figure, a table or a note
WHITE_SPACE = 1.25  # a larger step is white space, as above headings and captions
NEXT_LINE = 1.2  # the next line of the same paragraph
LOOSE_LINE = 1.4  # the same where a line's formulas or scripts may push the lines apart (±20 %: same)
_OWN_LINE = 1  # points of a baseline above or below another; scripts have baselines as near (±20 %: same)

_SHORT_LINE = 0.1  # of the column's width; a heading ends farther from the right edge (±20 %: same)
_TITLE_SIZE = 2  # points above the body size; such a heading is the paper's title, and goes on below (±20 %: same)
_MIN_LETTERS = 0.6  # of a line's characters without spaces; in a table more are digits and signs
_MAX_MATHS = 0.25  # of a line's characters in fonts of mathematics: with more it may be a displayed formula
_MOSTLY_MATHS = 0.5  # with more it is one, if it has hardly a word
_MIN_WORD = 3  # letters of a word that tells prose from a formula, which has "if" and names of variables
WORDY = 2  # words; a line with more has words, not only names such as "min" and "max"
_MIN_IN_WORDS = 0.5  # of the characters without spaces are in words; of a formula fewer


class LineKind(Enum):
    """What a line is. SMALL: in another size than the prose, as notes. TABLE: also algorithms, words of figures."""

    PROSE = auto()
    HEADING = auto()
    CAPTION = auto()
    FORMULA = auto()
    SMALL = auto()
    TABLE = auto()
    REFERENCE = auto()


TEXT_KINDS = (LineKind.PROSE, LineKind.HEADING)
FLOAT_KINDS = (LineKind.TABLE, LineKind.SMALL, LineKind.CAPTION)


def follows(above: TextLine, line: TextLine, style: Style) -> bool:
    """Whether the line is the next below in the same column."""
    down = line.baseline - above.baseline
    return (
        above.page == line.page
        and 0 < down < _MAX_STEP * max(style.pitch, line.size)
        and line.x0 < above.x1
        and above.x0 < line.x1
    )


def stands_between(above: TextLine, line: TextLine, below: TextLine, style: Style) -> bool:
    """Whether the line stands between two lines of a column that are too close for a figure, a table or a note."""
    return (
        above.page == line.page == below.page
        and above.baseline + _OWN_LINE < line.baseline < below.baseline - _OWN_LINE
        and below.baseline - above.baseline < _MAX_BETWEEN * max(style.pitch, below.size)
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
    return kinds


def _kind(
    line: TextLine, above: TextLine | None, previous_kind: LineKind | None, style: Style, column: PageColumn | None
) -> LineKind:
    """The kind of a line; `above` is the line before, `previous_kind` its kind."""
    previous = above if above is not None and follows(above, line, style) else None
    alone = previous is None or line.baseline - previous.baseline > WHITE_SPACE * style.pitch
    short = column is None or line.x1 < column.right - _SHORT_LINE * column.width
    if previous is not None and previous_kind is LineKind.CAPTION and continues_caption(line, previous, style):
        return LineKind.CAPTION
    if (alone or line.size not in style.sizes) and opens_caption(line, above):
        return LineKind.CAPTION
    if previous is not None and previous_kind in FLOAT_KINDS and opens_table_note(line):
        return LineKind.CAPTION
    is_title = previous_kind is LineKind.HEADING and line.size > style.body + _TITLE_SIZE
    if previous is not None and is_title and line.size == previous.size:
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
        or count_letters(text) < _MIN_LETTERS * (len(text) - text.count(" "))
        or (text.count(".") >= _MIN_LEADERS and LEADERS.search(text) is not None)
    )


def has_maths(text: str) -> bool:
    may_have = not text.isascii() or text[-1:] == ")" or "=" in text or "<" in text or ">" in text
    return may_have and _MATHS.search(text) is not None


def _is_formula(line: TextLine) -> bool:
    """Whether the line is displayed mathematics rather than words."""
    text = line.text
    if line.maths <= _MAX_MATHS and not has_maths(text):
        return False
    words = [word for word in WORD.findall(text) if len(word) >= _MIN_WORD]
    if line.maths > _MOSTLY_MATHS and len(words) <= WORDY:
        return True
    return sum(map(len, words)) < _MIN_IN_WORDS * (len(text) - text.count(" "))
