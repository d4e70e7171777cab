"""Recognizes headings, cautiously: a false heading loses a sentence, a missed one is joined to the next sentence."""

from __future__ import annotations

import re
from typing import NamedTuple

from miner.parsing.embedded.characters import count_letters
from miner.parsing.embedded.document_parts import NUMBER_PREFIX, DocumentPart, document_part, is_common_heading
from miner.parsing.embedded.layout import Style
from miner.parsing.embedded.lines import ALL_OF_LINE, TextLine, without_bullet

_ABBREVIATED = re.compile(r"\b(?:et al|etc)\.$")
_NO_HEADING = re.compile(
    r"\d{1,2}:\s|\d{1,2}\s+(?:return|end\s(?:for|if|while))\b|.*(?:←|https?://|www\.)", re.I
)  # algorithms
_WORD, _ACRONYM = re.compile(r"[^\W\d_]{4}"), re.compile(r"[^\W\d_]{3}")
_SENTENCE = re.compile(r"\b[Ww]e\b")
_ENUMERATOR = re.compile(r"\(?\w{1,3}\)")
_NAMED = re.compile(r"([A-Z][\w’' ]{4,40}?)\s*[:.—–]\s*(?=\S)")

_MAX_LENGTH = 120  # characters of a line of a heading
_MIN_LETTERS, _MIN_LETTER_SHARE = 3, 0.5  # letters of a heading; their share of what is no space: formulas have fewer
_SMALLER, _SMALLER_EMPHASIZED = 0.6, 1.2  # points below the body size: small type, as of notes (±20 %: same)
_MAX_MATHS, _MAX_MATHS_PLAIN = 0.3, 0.1  # of the line in fonts of mathematics: large; in the body's (±20 %: same)
_MAX_PLAIN, _MAX_ITALIC = 90, 80  # characters of a heading with capitals or number; in italics (±20 %: same)
_MIN_LEAD = 3  # characters, and letters, of a run-in heading: a number or symbol in bold is none
_MAX_BOLD_LEAD, _MAX_ITALIC_LEAD = 12, 8  # words of a run-in heading; a whole sentence may be emphasized


class _Typography(NamedTuple):
    """The typography of a line, compared with the paper's prose."""

    bold: bool
    italic: bool
    caps: bool
    large: bool
    small: bool
    numbered: bool
    ends_with_mark: bool

    @property
    def stands_out(self) -> bool:
        return self.bold or self.large or self.caps or self.numbered


def is_heading(line: TextLine, style: Style, *, alone: bool, short: bool) -> bool:
    """Whether this line is (part of) a heading. `alone`: white space above; `short`: it ends well inside its column."""
    text = line.text
    if not text or len(text) > _MAX_LENGTH or line.gaps > 1 or (text[0].islower() and not NUMBER_PREFIX.match(text)):
        return False
    typography = _typography(line, style)
    if not (alone or typography.stands_out) or not _may_be_heading(text):
        return False
    if not typography.bold and (line.hyphen or _has_lead(line, style)):
        return False
    if not short and _has_lead(line, style) and line.lead[-1] not in ",;":
        return False
    if typography.small and document_part(line.text) not in (DocumentPart.ABSTRACT, DocumentPart.REFERENCES):
        return False
    if is_common_heading(line.text):
        return True
    if not (typography.numbered or _opens_upper(line.text)):
        return False
    return _is_emphasized(line, typography, alone=alone) or (alone and _is_set_apart(line, typography, short=short))


def _opens_upper(text: str) -> bool:
    return text[0].isupper() or text[0].isdigit()


def _may_be_heading(text: str) -> bool:
    """Whether the line has the letters of a heading."""
    letters = count_letters(text)
    is_wordy = letters >= _MIN_LETTERS and letters >= _MIN_LETTER_SHARE * (len(text) - text.count(" "))
    return is_wordy and not _NO_HEADING.match(text)


def _typography(line: TextLine, style: Style) -> _Typography:
    text = line.text
    number = NUMBER_PREFIX.match(text)
    words = len(text) - number.end() if number else len(text)  # the number may be in other type than the words
    bold = line.bold * len(text) > ALL_OF_LINE * words and not style.bold
    caps = text.isupper() and bool((_ACRONYM if number else _WORD).search(text)) and "=" not in text
    return _Typography(
        bold=bold,
        italic=line.italic * len(text) > ALL_OF_LINE * words,
        caps=caps,
        large=style.is_larger(line),
        small=line.size < style.body - (_SMALLER_EMPHASIZED if bold or caps else _SMALLER),
        numbered=number is not None,
        ends_with_mark=text[-1] in ".;," and not _ABBREVIATED.search(text),
    )


def _is_emphasized(line: TextLine, typography: _Typography, *, alone: bool) -> bool:
    """Whether the line stands out by its size, weight, capitals or slant."""
    if typography.large and line.maths < _MAX_MATHS and (alone or typography.bold or typography.numbered):
        return True
    if line.text.endswith((",", ";")):
        return False
    return (typography.bold and not typography.small) or (
        typography.numbered and (typography.caps or typography.italic) and not line.text.endswith(":")
    )


def _is_set_apart(line: TextLine, typography: _Typography, *, short: bool) -> bool:
    """Whether a line below white space is a heading, though in no other type than the prose or in italics."""
    text = line.text
    if typography.ends_with_mark or text.endswith(":") or _SENTENCE.search(text) or _closes_bracket(text):
        return False
    is_marked = (typography.numbered and text[0].isdigit()) or (typography.caps and " " in text)
    if short and len(text) < _MAX_PLAIN and is_marked:
        return True
    return typography.italic and len(text) < _MAX_ITALIC and line.maths < _MAX_MATHS_PLAIN


def _closes_bracket(text: str) -> bool:
    """Whether a bracket is closed that was not opened, as in a piece of a formula."""
    text = _ENUMERATOR.sub("", text, count=1) if _ENUMERATOR.match(text) else text
    return text.count(")") > text.count("(")


def run_in_heading(line: TextLine, style: Style) -> str:
    """The heading at the start of a line of prose, as in "**Boats of wood.** They are tarred"; "" without one."""
    if _has_lead(line, style):
        return line.lead
    named = _NAMED.match(line.text)
    if named and document_part(named[1]) in (DocumentPart.SKIP, DocumentPart.ABSTRACT):
        return named[1]
    return ""


def _has_lead(line: TextLine, style: Style) -> bool:
    """Whether the words that the line starts with in bold or italics are a heading."""
    text, lead = without_bullet(line.text), line.lead
    rest = text[len(lead) :].strip()
    if len(lead) < _MIN_LEAD or not rest or not text.startswith(lead) or not lead[0].isupper() | lead[0].isdigit():
        return False
    if count_letters(lead) < _MIN_LEAD:  # a number in bold before a heading in plain type
        return False
    words = len(lead.split())
    stopped = lead[-1] in ".:—–?" or rest[0] in ".:—–"
    if line.lead_bold:
        return words <= _MAX_BOLD_LEAD and not style.bold and (stopped or rest[0].isupper())
    return words <= _MAX_ITALIC_LEAD and stopped and count_letters(lead) > _MIN_LEAD
