"""Joins lines into paragraphs, and decides which hyphens at line ends belong to the word."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from miner.parsing.embedded.lines import TextLine
from miner.records import FORMULA, Box, Paragraph, Span

_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_ASCII_WORD = re.compile(r"[a-z]+(?:-[a-z]+)*")  # the same in a text of ASCII in lower case, and faster
_LETTERS_AND_HYPHENS = "".join(
    chr(code).lower() if chr(code).isascii() and (chr(code).isalpha() or code == ord("-")) else " "
    for code in range(256)
).encode()
_UNSPACED = re.compile(r"[\u3000-\u30ff\u3400-\u9fff\uff00-\uffef]")  # Chinese and Japanese
_LAST = re.compile(r"([^\W\d_]+(?:-[^\W\d_]+)*)$")
_FIRST = re.compile(r"([^\W\d_]+(?:-[^\W\d_]+)*)")
_ACRONYM = re.compile(r"[A-Z]{2}$")
_HYPHENS = str.maketrans("‐‑", "--")
_MAY_BREAK = frozenset("-–—/.?=&_#~%+")
_BROKEN_AT_SLASH = re.compile(r"\S/$")  # "and/ | or", "http:// | www"
_BROKEN_AT_DASH = re.compile(r"[^\W_][)\]]?[–—]$|[^\W_]-$")  # "Navier– | Stokes", "2011- | 0200"
_OPEN_ADDRESS = re.compile(r"(?:https?://|\bwww\.)\S*[.?=&_#~%+-]$")
_SUSPENDING = re.compile(r"(?:and|or|to|nor)(?![\w-])")  # "pre- | and post-test"
_END = 60  # characters at the end of a text that are looked at: more than a citation in brackets (±20 %: same)
_MIN_PART, _MIN_OPEN_PART = 4, 3  # letters of the parts of a compound; of a first part that is written with a hyphen

# A stop, and perhaps "[3, 4]", the end of a proof, a note's mark or "(Smith, 2010)".
_ENDED = re.compile(
    r"[.!?:。！？：؟][\"”’'»)\]]*"
    r"(?:\s?\[[\d,\s–-]+\]|\s?[□■∎◻◽▢]|[*∗†‡§¶]{1,3}|\s\([^\W\d_][^()]{2,50}\b(?:1[89]|20)\d\d[a-z]?\))?$"
)
_ABBREVIATED = re.compile(
    r"(?:https?://[\w-]*|\bwww|"
    r"\bet al|\b(?:Eqs?|Figs?|Tabs?|Refs?|Secs?|Sects?|Chaps?|Thms?|Nos?|Vols?|Drs?|Profs?|Mrs?|St)|"
    r"\b(?:eqs?|figs?|refs?|e\.g|i\.e|cf|vs|viz|approx|ca|resp|spp?|ssp|var|subsp))\.$"
)


def vocabulary(lines: Sequence[TextLine]) -> Counter[str]:
    """How often each word occurs within a line, in lower case. A compound with hyphens is one word."""
    tokens = " ".join([line.text for line in lines]).split()
    words = _count_ascii(" ".join(filter(str.isascii, tokens)))
    words.update(_words(" ".join([token for token in tokens if not token.isascii()])))
    is_broken = False  # the word that the line before ends with
    for line in lines:
        if is_broken or line.hyphen:
            found = _words(line.text)
            start = 1 if is_broken else 0
            words.subtract(found[:start])
            words.subtract(found[start:][-1:] if line.hyphen else ())
            is_broken = line.hyphen
    return words


def _count_ascii(text: str) -> Counter[str]:
    """How often each of `_words` occurs in a text of ASCII; counted first and then cut at hyphens, which is faster."""
    words = Counter(text.encode().translate(_LETTERS_AND_HYPHENS).decode().split())
    for word in [word for word in words if "-" in word and not _ASCII_WORD.fullmatch(word)]:
        count = words.pop(word)
        for part in _ASCII_WORD.findall(word):
            words[part] += count
    return words


def _words(text: str) -> list[str]:
    if text.isascii():
        return _ASCII_WORD.findall(text.lower())
    return _WORD.findall(text.casefold().translate(_HYPHENS))


_CLOSED_FIRST_PARTS = re.compile(  # not "further-more", not "under-stand"
    "any|back|every|further|how|high|like|mean|more|none|other|out|over|some|them|there|through|under|what|when|where|with"
)
_OPEN_FIRST_PARTS = re.compile(  # "two-sample", "non-human", "point-of-care"
    "one|two|three|four|five|six|seven|eight|nine|non|well|self|peer|low|short|long|half|quasi|eco|lone|"
    "of|to|and|by|in|on|the"
)
_SECOND_PARTS = re.compile(
    r"accessible|associated|aware(?:ness)?|based|controlled|defined|dependent|derived|dimensional|directed|driven|"
    r"established|focused|free|grained|guided|induced|level|like|lived|mediated|of|only|order|oriented|related|reported|"
    r"reviewed|scale|sensitive|sided|source|specific|term|the|time|to|trained|treated|tuned|weighted|wide|world"
)


def ends_open(text: str) -> bool:
    """Whether the last sentence of this text is incomplete."""
    if text[-1:].isalnum():  # as most lines
        return True
    end = text[-_END:]
    return not _ENDED.search(end) or _ABBREVIATED.search(end) is not None


class ParagraphBuilder:
    """Builds a paragraph line by line."""

    def __init__(self, words: Counter[str], *, after_break: bool) -> None:
        self._words = words
        self._text = ""
        self._spans: list[Span] = []
        self._hyphen = False
        self._is_open: bool | None = None  # not known
        self.after_break = after_break

    def __bool__(self) -> bool:
        return bool(self._text)

    @property
    def text(self) -> str:
        return self._text

    @property
    def is_open(self) -> bool:
        """Whether the last sentence is incomplete."""
        if self._is_open is None:
            self._is_open = self._hyphen or ends_open(self._text)
        return self._is_open

    def add(self, line: TextLine, text: str) -> None:
        if self._text:
            self._text += self._separator(text)
        start = len(self._text)
        self._text += text
        self._hyphen, self._is_open = line.hyphen, None
        box = Box(line.page, round(line.x0, 1), round(line.y0, 1), round(line.x1, 1), round(line.y1, 1))
        self._spans.append(Span(start, len(self._text), box))

    def add_gap(self, lines: Sequence[TextLine]) -> None:
        """Mark lines of the paragraph that cannot be read, such as inline formulas."""
        start = len(self._text) + 1
        self._text += f" {FORMULA}"
        self._hyphen, self._is_open = False, None
        edges = min(x.x0 for x in lines), min(x.y0 for x in lines), max(x.x1 for x in lines), max(x.y1 for x in lines)
        self._spans.append(Span(start, len(self._text), Box(lines[0].page, *(round(edge, 1) for edge in edges))))

    def _separator(self, text: str) -> str:
        if not self._hyphen:
            return "" if self._goes_on_unspaced(text) else " "
        last, first = _LAST.search(self._text[-_END:].rpartition(" ")[2]), _FIRST.match(text)
        if not last or not first:
            return "-"
        left, right = last[1].casefold(), first[1].casefold()
        if _SUSPENDING.match(text) and not self._words[left + right]:
            return "- "
        if text[:1].isupper() or _ACRONYM.search(last[1]):  # "ER-positive", but not "Git-Hub"
            return "" if self._words[left + right] > self._words[f"{left}-{right}"] else "-"
        return "-" if self._keeps_hyphen(left, right) else ""

    def _goes_on_unspaced(self, text: str) -> bool:
        """Whether a line without a hyphen at its end, and the line with this text, have no space between them."""
        if _UNSPACED.match(self._text[-1:]):
            return _UNSPACED.match(text) is not None
        if self._text[-1:] not in _MAY_BREAK:
            return False  # nearly always
        end, first = self._text[-_END:], text[:1]
        if ("://" in end or "www." in end) and _OPEN_ADDRESS.search(end):
            return first.islower() or first.isdigit() or end[-1] not in ".-"
        if end[-1] == "/":
            return _BROKEN_AT_SLASH.search(end) is not None and (first.isalnum() or first == "(")
        is_open = _BROKEN_AT_DASH.search(end) is not None
        return is_open and first.isalnum() and not _SUSPENDING.match(text)

    def _keeps_hyphen(self, left: str, right: str) -> bool:
        """Whether the paper writes left-right with a hyphen, by its other words, or by the parts of the compound."""
        words = self._words
        hyphenated, joined = words[f"{left}-{right}"], words[left + right]
        if hyphenated != joined:
            return hyphenated > joined
        is_compound = "-" in left
        left = left.rpartition("-")[2]
        head, hyphen, _ = right.partition("-")
        if hyphen:  # root-mean-square, but not ser-vice-related
            return words[head] > 0 and not words[left + head]
        if words[left + right] or _CLOSED_FIRST_PARTS.fullmatch(left):
            return False
        if len(left) == 1 or (words[left] and _SECOND_PARTS.fullmatch(right)):
            return True
        if not words[right] or len(right) < _MIN_PART:
            return False
        if _OPEN_FIRST_PARTS.fullmatch(left):
            return is_compound or len(left) >= _MIN_OPEN_PART
        return words[left] > 0 and len(left) >= _MIN_PART

    def paragraph(self) -> Paragraph:
        return Paragraph(self._text, spans=tuple(self._spans), after_break=self.after_break)
