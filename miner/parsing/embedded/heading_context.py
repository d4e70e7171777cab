"""Corrects headings by the lines around them: their second lines, items of lists, heads of tables."""

from __future__ import annotations

import re
from collections.abc import Sequence

from miner.parsing.embedded.document_parts import NUMBER_PREFIX, is_common_heading
from miner.parsing.embedded.layout import PageStyles, Style
from miner.parsing.embedded.line_kinds import (
    FLOAT_KINDS,
    LOOSE_LINE,
    NEXT_LINE,
    TEXT_KINDS,
    WHITE_SPACE,
    LineKind,
    follows,
)
from miner.parsing.embedded.lines import ALL_OF_LINE, MOST_OF_LINE, TextLine
from miner.parsing.embedded.paragraphs import ends_open

_SUBSECTION = re.compile(r"\d+\.\d+")
_ITEM = re.compile(r"\(?\w{1,2}[.):]|\W\s|[“\"'‘]")
_ITEM_NUMBER = re.compile(r"\(?(\d{1,2})[.)]\s")
_TITLE = re.compile(r"[^\W\d_][\w\s,’'()/&–‐-]*[\w)]")
_CLAUSE = re.compile(
    r"\b(?:is|are|was|were|has|have|had|can|could|may|might|will|would|should|do|does|did|that|which|we)\b"
    r"|\b(?:of|the|a|an|in|to|and|or|for|with|by|on|from|as|at)$"
)
_PLAIN_KINDS = (LineKind.PROSE, LineKind.SMALL)

# Steps between baselines, in line distances where nothing else is said.
_IN_HEADING = 1.6  # of the type size: between the lines of a heading in larger type
_IN_SENTENCE = 1.3  # from a line of prose to one that goes on with its sentence in the type of a heading (±20 %: same)
_MAX_ABOVE = 4  # above a heading in plain type; a larger white space may have held a figure (±20 %: same)
_NEAR_FLOAT = 1.6  # between a table or figure and words of it that look like headings (±20 %: same)
_SMALLER_STEP = 0.75  # of the step above: below a heading the text is closer than above it (±20 %: same)
_EQUAL_STEP = 1  # points by which the step below a heading may exceed that above (±20 %: same)

# Type.
_ONE_SIZE = 0.2  # points by which sizes of the lines of a heading differ (±20 %: same)
_ALIKE = 0.3  # difference of the shares of bold or italics in two lines of a sentence (±20 %: same)
_SOME_BOLD = 0.05  # of the characters of a line of prose in bold: the bold of the next line begins in it (±20 %: same)
_MIN_PLAIN, _MIN_SMALL = 0.9, 0.75  # of the body size: of a heading in plain type; of one in bold or italics
_MAX_MATHS = 0.1  # of the characters in fonts of mathematics, of a heading in plain type (±20 %: same)

# Text and edges.
_MAX_LINE, _MAX_SMALL = 100, 80  # characters of a heading's line; of one in small type (±20 %: same)
_LONG_WORD, _MIN_CAPITALS = 4, 0.7  # letters; share of such words with capitals, in two lines (±20 %: same)
_SHORT = 0.25  # of the width of the line below, by which a heading is shorter
_LEFT, _MAX_INDENT = 1, 3  # points left of a heading, body sizes right of it, at which the paragraph below begins


def correct_headings(lines: Sequence[TextLine], kinds: list[LineKind], styles: PageStyles) -> None:
    """Correct in place which lines are headings, by the lines around them."""
    for index in range(1, len(lines)):
        if LineKind.HEADING not in kinds[index - 1 : index + 1]:
            continue
        above, line, style = lines[index - 1], lines[index], styles.of(lines[index])
        if kinds[index] is LineKind.HEADING and kinds[index - 1] is LineKind.PROSE and _goes_on(above, line, style):
            kinds[index] = LineKind.PROSE
        elif kinds[index - 1] is LineKind.HEADING:
            if kinds[index] is not LineKind.HEADING and _continues_heading(above, line, style):
                kinds[index] = LineKind.HEADING
            elif kinds[index] is LineKind.PROSE and _begins_item(above, line, style):
                kinds[index - 1] = LineKind.PROSE
    _restore_items(lines, kinds, styles)
    _find_small_headings(lines, kinds, styles)
    _find_plain_headings(lines, kinds, styles)
    _remove_heads_of_floats(lines, kinds, styles)


def _continues_heading(above: TextLine, line: TextLine, style: Style) -> bool:
    """Whether the line is the next of a heading, in the same type."""
    if (
        not follows(above, line, style)
        or line.baseline - above.baseline > _IN_HEADING * line.size
        or abs(line.size - above.size) > _ONE_SIZE
        or above.text[-1] in ".:?!"
        or len(line.text) > _MAX_LINE
    ):
        return False
    if line.text.isupper() and above.text.isupper():
        return True
    if line.text[-1:] in ".:;," or (line.lead != line.text and line.lead.endswith((".", ":", "?"))):
        return False
    bold = min(above.bold, line.bold) > ALL_OF_LINE and not style.bold
    return bold or min(above.italic, line.italic) > ALL_OF_LINE or style.is_larger(line)


def _goes_on(above: TextLine, line: TextLine, style: Style) -> bool:
    """Whether a heading goes on with the sentence of the prose line above, in its type or in bold that begins there."""
    near = follows(above, line, style) and line.baseline - above.baseline < _IN_SENTENCE * style.pitch
    alike = abs(above.bold - line.bold) < _ALIKE and abs(above.italic - line.italic) < _ALIKE
    if not (near and ends_open(above.text)) or is_common_heading(line.text):
        return False
    return alike or (above.bold > _SOME_BOLD and not above.lead and not above.hyphen and line.size == above.size)


def _begins_item(heading: TextLine, line: TextLine, style: Style) -> bool:
    """Whether a heading in the type of the body is the first line of an item or sentence that the next line ends."""
    if heading.bold > ALL_OF_LINE or style.is_larger(heading) or heading.text.isupper():
        return False
    near = follows(heading, line, style) and line.baseline - heading.baseline < LOOSE_LINE * style.pitch
    return near and line.text[:1].islower() and not is_common_heading(heading.text)


def _restore_items(lines: Sequence[TextLine], kinds: list[LineKind], styles: PageStyles) -> None:
    """Headings in the type of the body that are numbered line by line are the items of a list."""
    for index, line in enumerate(lines):
        if kinds[index] is not LineKind.HEADING or _item_number(line.text) is None:
            continue
        style = styles.of(line)
        beside = [at for at in (index - 1, index + 1) if 0 <= at < len(lines) and kinds[at] in TEXT_KINDS]
        if not _stands_out(line, style) and any(_counts_on(min(index, at), lines, style) for at in beside):
            kinds[index] = LineKind.PROSE


def _item_number(text: str) -> int | None:
    number = _ITEM_NUMBER.match(text)
    return int(number[1]) if number else None


def _stands_out(line: TextLine, style: Style) -> bool:
    is_emphasized = line.bold > MOST_OF_LINE or line.italic > MOST_OF_LINE or line.text.isupper()
    return is_emphasized or style.is_larger(line) or is_common_heading(line.text)


def _counts_on(first: int, lines: Sequence[TextLine], style: Style) -> bool:
    """Whether the line behind the first is right below it and has the next number."""
    line, below = lines[first : first + 2]
    number, following = _item_number(line.text), _item_number(below.text)
    return number is not None and following == number + 1 and follows(line, below, style)


def _find_plain_headings(lines: Sequence[TextLine], kinds: list[LineKind], styles: PageStyles) -> None:
    """One or two lines in plain type are a heading where only the space above tells them from the paragraph below."""
    for index in range(1, len(lines) - 1):
        above, line = lines[index - 1], lines[index]
        step = line.baseline - above.baseline
        if step < above.size or kinds[index - 1] is not LineKind.PROSE or kinds[index] not in _PLAIN_KINDS:
            continue
        style = styles.of(line)
        if not LOOSE_LINE * style.pitch < step < _MAX_ABOVE * style.pitch or above.page != line.page:
            continue
        is_long = not _is_short_beside(line, lines[index + 1]) and lines[index + 1].size == line.size
        end = index + (2 if is_long else 1)
        if above.text[-1] in ":;" or ends_open(above.text):
            continue
        if (
            end == len(lines)
            or kinds[end] is not LineKind.PROSE
            or not _is_plain_heading(lines[index:end], above, style)
        ):
            continue
        if _is_title_of(lines[end - 1], end, step, lines, kinds, style):
            kinds[index:end] = [LineKind.HEADING] * (end - index)


def _is_short_beside(line: TextLine, below: TextLine) -> bool:
    return line.x1 < below.x1 - _SHORT * (below.x1 - below.x0)


def _is_plain_heading(heading: Sequence[TextLine], above: TextLine, style: Style) -> bool:
    """Whether these lines below the end of a paragraph have the form of a heading."""
    first, last = heading[0], heading[-1]
    text = " ".join(line.text for line in heading)
    if len(heading) > 1:
        words = [word for word in text.split() if len(word) >= _LONG_WORD]
        near = last.baseline - first.baseline < WHITE_SPACE * style.pitch
        if not near or sum(word[0].isupper() for word in words) < _MIN_CAPITALS * len(words):
            return False
    return (
        _MIN_PLAIN * style.body < first.size <= max(style.sizes)
        and first.x0 < above.x1
        and above.x0 < first.x1
        and len(text) < _MAX_LINE
        and text[0].isupper()
        and _TITLE.fullmatch(text) is not None
        and text.count("(") == text.count(")")
        and not _CLAUSE.search(text)
        and all(line.gaps == 0 and not line.hyphen and line.maths < _MAX_MATHS for line in heading)
    )


def _is_title_of(
    title: TextLine, below: int, step: float, lines: Sequence[TextLine], kinds: Sequence[LineKind], style: Style
) -> bool:
    """Whether a paragraph begins below the line, closer than the text above it, or at least with several lines."""
    line = lines[below]
    if line.size not in style.sizes or not line.text[0].isupper() or not follows(title, line, style):
        return False
    if not (-_LEFT < line.x0 - title.x0 < _MAX_INDENT * style.body and _is_short_beside(title, line)):
        return False
    down = line.baseline - title.baseline
    if down < min(_IN_SENTENCE * style.pitch, _SMALLER_STEP * step):
        return True
    goes_on = below + 1 < len(lines) and kinds[below + 1] is LineKind.PROSE
    near = goes_on and follows(line, lines[below + 1], style)
    return near and down <= step + _EQUAL_STEP and lines[below + 1].baseline - line.baseline < NEXT_LINE * style.pitch


def _find_small_headings(lines: Sequence[TextLine], kinds: list[LineKind], styles: PageStyles) -> None:
    """One or two lines in bold or italics between the paragraphs of a column are a heading, also in small type."""
    for index in range(1, len(lines) - 1):
        if kinds[index] is not LineKind.SMALL or kinds[index - 1] is not LineKind.PROSE:
            continue
        line, style = lines[index], styles.of(lines[index])
        end = index + 1
        if kinds[end] is LineKind.SMALL and abs(lines[end].size - line.size) < _ONE_SIZE:
            end += 1
        between = end < len(lines) and kinds[end] is LineKind.PROSE and follows(lines[end - 1], lines[end], style)
        if between and all(_is_small_heading(part, lines[end], style) for part in lines[index:end]):
            step = line.baseline - lines[index - 1].baseline
            if follows(lines[index - 1], line, style) and step > WHITE_SPACE * style.pitch:
                kinds[index:end] = [LineKind.HEADING] * (end - index)


def _is_small_heading(line: TextLine, below: TextLine, style: Style) -> bool:
    """Whether a line in small type has the form of a heading, at the left edge of the prose below."""
    emphasized = (line.bold > ALL_OF_LINE and not style.bold) or line.italic > ALL_OF_LINE
    flush = -_LEFT < below.x0 - line.x0 < _MAX_INDENT * style.body
    words = len(line.text) < _MAX_SMALL and line.text[:1].isupper() and line.text[-1:] not in ".,;:" and line.gaps == 0
    return emphasized and flush and words and line.size > _MIN_SMALL * style.body


def _remove_heads_of_floats(lines: Sequence[TextLine], kinds: list[LineKind], styles: PageStyles) -> None:
    """Headings amid a sentence, or between the lines of a table, are words in a figure or table."""
    before: TextLine | None = None  # of prose
    start = 0
    while start < len(lines):
        if kinds[start] is LineKind.PROSE:
            before = lines[start]
        if kinds[start] is not LineKind.HEADING:
            start += 1
            continue
        end = next((at for at in range(start, len(lines)) if kinds[at] is LineKind.PROSE), len(lines))
        heads = [at for at in range(start, end) if kinds[at] is LineKind.HEADING and not _is_sure(lines[at].text)]
        if heads and before is not None and end < len(lines) and _interrupts(before, heads[-1], end, lines, styles):
            false = heads
        else:
            false = [at for at in heads if _is_in_table(at, lines, kinds, styles.of(lines[at]))]
        for at in false:
            kinds[at] = LineKind.TABLE
        start = end


def _is_sure(text: str) -> bool:
    """Whether this is a heading wherever it stands."""
    return _SUBSECTION.match(text) is not None or is_common_heading(text)


def _interrupts(before: TextLine, heading: int, after: int, lines: Sequence[TextLine], styles: PageStyles) -> bool:
    """Whether a sentence goes on from before the heading to after it."""
    is_open = before.hyphen or ends_open(before.text)
    text = lines[after].text
    goes_on = text[:1].islower() or not (text[:1].isupper() or _ITEM.match(text))
    return is_open and goes_on and not follows(lines[heading], lines[after], styles.of(lines[after]))


def _is_in_table(index: int, lines: Sequence[TextLine], kinds: Sequence[LineKind], style: Style) -> bool:
    """Whether a table or figure goes on above and below this line and other headings beside it."""
    first = last = index
    while first and kinds[first - 1] is LineKind.HEADING:
        first -= 1
    while last + 1 < len(lines) and kinds[last + 1] is LineKind.HEADING:
        last += 1
    if first == 0 or last + 1 == len(lines):
        return False
    if any(NUMBER_PREFIX.match(line.text) or style.is_larger(line) for line in lines[first : last + 1]):
        return False
    return (
        kinds[first - 1] in FLOAT_KINDS
        and kinds[last + 1] in FLOAT_KINDS
        and (_is_near(lines[first - 1], lines[first], style) or _is_near(lines[last], lines[last + 1], style))
    )


def _is_near(line: TextLine, other: TextLine, style: Style) -> bool:
    return line.page == other.page and abs(line.baseline - other.baseline) < _NEAR_FLOAT * style.pitch
