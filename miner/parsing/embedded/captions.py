"""Recognizes captions of figures and tables."""

from __future__ import annotations

import re

from miner.parsing.embedded.layout import Style
from miner.parsing.embedded.lines import TextLine

_CAPTION = re.compile(
    r"(?:(?:supplementary|extended data|online|web|additional)\s+)?"
    r"(?:fig(?:ure)?s?|tab(?:le)?s?|algorithm|listing|scheme|box|plate|chart|exhibit|photo|map|image)\b\.?\s*"
    r"(?:S?\d+|[IVX]+|[A-Z])(?:[.\-]\d+)*[a-z]?(?:\s*[.:|–—)]|\s+[A-Z(“]|\s*$)",
    re.I,
)
_AS_SUBJECT = re.compile(
    r"\s*(?:shows?|illustrates?|presents?|and|gives?|depicts?|lists?|provides?|summari[sz]es?|in|is|are|of|we|for|to|also|the|by)\b"
)


def continues_caption(line: TextLine, above: TextLine, style: Style) -> bool:
    step = line.baseline - above.baseline
    return abs(line.size - above.size) < 0.4 and step < max(1.35 * line.size, 1.05 * style.pitch)


def opens_caption(line: TextLine, above: TextLine | None) -> bool:
    """Whether the line begins like "Figure 2:", and not like a sentence about a figure."""
    caption = _CAPTION.match(line.text)
    if caption is None or _AS_SUBJECT.match(line.text[caption.end() - 1 :].lower()):
        return False
    in_brackets = above is not None and above.text.count("(") > above.text.count(")")
    return not (caption[0].endswith(")") and in_brackets)
