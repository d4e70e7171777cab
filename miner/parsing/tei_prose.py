"""The running text of a TEI paragraph, and where it is on the pages."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import TypeAlias

from lxml import etree

from miner.records import Box, Paragraph, Span

MAX_SENTENCE = 20_000  # characters; a longer <s> is no sentence, and its paragraph is left out

Element: TypeAlias = etree._Element

_SKIPPED_ELEMENTS = {"note", "figure", "table", "formula", "list", "listBibl"}
_CITATION_NUMBERS = re.compile(r"\d{1,3}(?: ?[,;–-] ?\d{1,3})* ?[,;]?")
# "see ref. 12", "in Section 3": GROBID marks such numbers as citations, but they belong to the sentence.
_BEFORE_NUMBER = re.compile(
    r"\b(?:refs?|references?|figs?|figures?|tables?|sections?|eqs?|equations?|chapter|appendix|theorem|lemma"
    r"|proposition|definition|corollary|algorithm|assumption)\.?\s*$",
    re.IGNORECASE,
)
_MAX_COORDINATE = 1e5  # points; larger ones, and pages of higher numbers, are of no PDF
_CONTEXT_LENGTH = 200  # characters before a reference that show what kind of reference it is
_LAST_WORD, _FIRST_WORD = re.compile(r"(?:[^\W_]{1,2}|[)\]])\Z"), re.compile(r"[^\W_]{1,2}")
# Single spaces only: with \s+ long runs of white space would take quadratic time.
_EMPTY_BRACKETS = re.compile(r"\( ?\)|\[ ?\]")
_SPACE_BEFORE_MARK = re.compile(r" (?=[,.;:!?)\]]+(?: |$))")
_SPACE_AFTER_OPENING = re.compile(r"(?<=[(\[]) ")
_INVISIBLE = dict.fromkeys(map(ord, "\u00ad\u200b\u2060\ufeff"))


def local_name(element: Element) -> str:
    """The element's name without its namespace; "" for comments and processing instructions."""
    return etree.QName(element).localname if isinstance(element.tag, str) else ""


def flat_text(element: Element) -> str:
    """The element's text in NFC with single spaces, without footnote marks and superscript citation numbers."""
    return _clean(_text_of_run(element.text, element))


def read_paragraph(element: Element, *, after_break: bool) -> Paragraph | None:
    """The paragraph of a `<p>`, without sentences, with boxes where GROBID gave coordinates; None without text."""
    if any(len("".join(map(str, child.itertext()))) > MAX_SENTENCE for child in element if local_name(child) == "s"):
        return None
    text, spans = "", list[Span]()
    for piece, boxes in _pieces(element):
        if piece:
            text += " " * bool(text)  # GROBID writes </s><s> with nothing between
            spans += _lines(len(text), len(piece), boxes)
            text += piece
    return Paragraph(text, spans=tuple(spans), after_break=after_break) if text else None


def _pieces(element: Element) -> Iterable[tuple[str, Sequence[Box]]]:
    """Text and boxes of each `<s>`, and text between them, without boxes; the whole paragraph where it has no `<s>`."""
    if all(local_name(child) != "s" for child in element):
        yield flat_text(element), _boxes(element)
        return
    leading, between = element.text, list[Element]()
    for child in element:
        if local_name(child) == "s":
            yield _clean(_text_of_run(leading, between)), ()
            yield flat_text(child), _boxes(child)
            leading, between = child.tail, []
        else:
            between.append(child)
    yield _clean(_text_of_run(leading, between)), ()


def _text_of_run(leading: str | None, elements: Iterable[Element]) -> str:
    """`leading`, then the text of each element and the text after it."""
    text = _TextBuilder(leading or "")
    for element in elements:
        tail = element.tail or ""
        name = local_name(element)
        if name == "ref":
            content = flat_text(element)
            if element.get("type") == "foot":  # its text may be "foot_0"
                text.add(" ")
            elif element.get("type") == "bibr" and is_superscript(content, text.context):
                text.add(" ")
                follower = element.getnext()
                if tail.strip() in {",", ";", "-", "–"} and follower is not None and local_name(follower) == "ref":
                    tail = " "
            else:
                text.add_apart(content)
            text.add_apart(tail)
        else:
            text.add(" " if name in _SKIPPED_ELEMENTS else _text_of_run(element.text, element))
            text.add(tail)
    return text.text


class _TextBuilder:
    """Builds text from pieces. `context` is the end of the text, so that building takes linear time."""

    def __init__(self, start: str) -> None:
        self._pieces, self.context = [start], start[-_CONTEXT_LENGTH:]

    @property
    def text(self) -> str:
        return "".join(self._pieces)

    def add(self, more: str) -> None:
        self._pieces.append(more)
        self.context = (self.context + more[-_CONTEXT_LENGTH:])[-_CONTEXT_LENGTH:]

    def add_apart(self, more: str) -> None:
        """Add text; a space separates it where it would join a word ("and" + "4"), but not in "S" + "2", "3" + "b"."""
        edges = _LAST_WORD.search(self.context[-2:]), _FIRST_WORD.match(more)
        if all(edges) and not any(word and len(word[0]) == 1 and word[0].isalpha() for word in edges):
            self.add(" ")
        self.add(more)


def is_superscript(content: str, before: str) -> bool:
    """Whether a citation of numbers alone was printed as a superscript: not in brackets, no part of the sentence."""
    if not _CITATION_NUMBERS.fullmatch(content):
        return False
    open_bracket = max(before.rfind("("), before.rfind("[")) > max(before.rfind(")"), before.rfind("]"))
    return not open_bracket and not _BEFORE_NUMBER.search(before[-20:])


def _clean(text: str) -> str:
    text = " ".join(unicodedata.normalize("NFC", text.translate(_INVISIBLE)).split())
    text = _SPACE_AFTER_OPENING.sub("", _SPACE_BEFORE_MARK.sub("", _EMPTY_BRACKETS.sub("", text)))
    return " ".join(text.split())


def _boxes(element: Element) -> list[Box]:
    """The boxes of the element's `coords`. Invalid ones are skipped (some servers write decimal commas)."""
    boxes = []
    for group in element.get("coords", "").split(";"):
        fields = group.split(",")
        try:
            page, x, y, width, height = int(fields[0]), *map(float, fields[1:])
        except ValueError:
            continue
        box = Box(page, x, y, x + width, y + height)
        if all(abs(number) < _MAX_COORDINATE for number in box) and page >= 1 and box.x1 > x and box.y1 > y:
            boxes.append(box)
    return boxes


def _lines(start: int, length: int, boxes: Sequence[Box]) -> Iterable[Span]:
    """`length` characters from `start`, divided among the boxes in proportion to their widths."""
    total = sum(box.x1 - box.x0 for box in boxes)
    width, at = 0.0, 0
    for box in boxes:
        width += box.x1 - box.x0
        end = round(length * width / total)
        if end > at:
            yield Span(start + at, start + end, box)
        at = end
