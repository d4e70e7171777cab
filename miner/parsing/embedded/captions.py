"""Recognizes captions of figures and tables."""

from __future__ import annotations

import re

from miner.parsing.embedded.layout import Style
from miner.parsing.embedded.lines import ALL_OF_LINE, TextLine

_CAPTION = re.compile(
    r"(?i:(?:supplementary|extended data|online|web|additional|S\d+)\s+)?"
    r"(?i:fig(?:ure)?s?|tab(?:le)?s?|algorithm|listing|scheme|box|plate|chart|exhibit|photo|map|image)\b\.?\s*"
    r"(?:S?\d+|[IVX]+|[A-Z])(?:[.\-]\d+)*[a-z]?(?:\s*[.:|–—)](?!\d|[a-z]\b)|\s+(?=[A-Z(“])|\s*$)|"
    r"S\d+ (?:Fig|Table)\."
)
_TABLE_NOTE = re.compile(r"(?:Notes?|Sources?|Abbreviations?)\s*[:.—–]\s*\S|\*+\s?[pP]\s?[<≤]")

# Steps of baselines at most to the next line of a caption, in type sizes: prose below a caption stands farther off.
_BELOW_NUMBER = 1.7  # below a line of its own with the number (±20 %: same)
_IN_BOLD = 1.6  # between lines in bold, as no prose is
_IN_CAPTION = 1.35
_PITCH = 1.05  # of the line distance: that of the prose is near enough, where it is larger
_SAME_SIZE = 0.4  # points by which the sizes of the lines of a caption differ (±20 %: same)


def opens_table_note(line: TextLine) -> bool:
    """Whether the line begins like the note below a table: "Note: N = 12"."""
    return bool(_TABLE_NOTE.match(line.text))


def continues_caption(line: TextLine, above: TextLine, style: Style) -> bool:
    """Whether the line is the next of a caption: close below it, or in bold as no prose is, or below its number."""
    step = line.baseline - above.baseline
    if _CAPTION.fullmatch(above.text):
        return step < _BELOW_NUMBER * line.size
    bold = min(line.bold, above.bold) > ALL_OF_LINE and not style.bold
    near = (_IN_BOLD if bold else _IN_CAPTION) * line.size
    return abs(line.size - above.size) < _SAME_SIZE and step < max(near, _PITCH * style.pitch)


def opens_caption(line: TextLine, above: TextLine | None) -> bool:
    """Whether the line begins like "Figure 2:" or "Figure 2 Boats", and not like "Figure 2 shows boats"."""
    caption = _CAPTION.match(line.text)
    if caption is None:
        return False
    in_brackets = above is not None and above.text.count("(") > above.text.count(")")
    return not (caption[0].endswith(")") and in_brackets)
