"""The running text of a TEI paragraph and where it stands on the pages."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import TypeAlias

from lxml import etree

from miner.records import Box, Paragraph, Span

MAX_SENTENCE = 20_000  # characters; a longer <s> is no sentence, and its paragraph is left out

Element: TypeAlias = etree._Element

_SKIPPED = {"note", "figure", "table", "formula", "list", "listBibl"}
_BARE_NUMBERS = re.compile(r"\d{1,3}(?: ?[,;–-] ?\d{1,3})* ?[,;]?")
# "see ref. 12", "in Section 3" (GROBID takes such numbers for citations): the number belongs to the sentence.
_WANTS_NUMBER = re.compile(
    r"\b(?:refs?|references?|figs?|figures?|tables?|sections?|eqs?|equations?|chapter|appendix|theorem|lemma"
    r"|proposition|definition|corollary|algorithm|assumption)\.?\s*$",
    re.IGNORECASE,
)
_NEAR = 200  # characters before a reference that decide what it is
_LAST_WORD, _FIRST_WORD = re.compile(r"(?:[^\W_]{1,2}|[)\]])\Z"), re.compile(r"[^\W_]{1,2}")
# These see single spaces only; with \s+ hostile runs of white space would take quadratic time.
_LEFT_OVER = re.compile(r"\( ?\)|\[ ?\]")
_SPACE_BEFORE_MARK = re.compile(r" (?=[,.;:!?)\]]+(?: |$))")
_SPACE_AFTER_OPENING = re.compile(r"(?<=[(\[]) ")
_INVISIBLE = dict.fromkeys(map(ord, "\u00ad\u200b\u2060\ufeff"))


def local(element: Element) -> str:
    """The element's name without its namespace; "" for what is not an element."""
    return etree.QName(element).localname if isinstance(element.tag, str) else ""


def flat(element: Element) -> str:
    """The element's text: NFC, white space collapsed, without footnote marks and superscript citation numbers."""
    return _clean(_run(element.text, element))


def paragraph(element: Element, *, after_break: bool) -> Paragraph | None:
    """The paragraph a `<p>` holds, unsplit, with a box a line where GROBID gave coordinates; None without text."""
    if any(len("".join(map(str, child.itertext()))) > MAX_SENTENCE for child in element if local(child) == "s"):
        return None
    text, spans = "", list[Span]()
    for piece, boxes in _pieces(element):
        if piece:
            text += " " * bool(text)  # GROBID writes </s><s> with nothing between
            spans += _lines(len(text), len(piece), boxes)
            text += piece
    return Paragraph(text, spans=tuple(spans), after_break=after_break) if text else None


def _pieces(element: Element) -> Iterable[tuple[str, Sequence[Box]]]:
    """Each `<s>` with its boxes, and what stands between them with none; the whole paragraph where none is marked."""
    if all(local(child) != "s" for child in element):
        yield flat(element), _boxes(element)
        return
    lead, loose = element.text, list[Element]()
    for child in element:
        if local(child) == "s":
            yield _clean(_run(lead, loose)), ()
            yield flat(child), _boxes(child)
            lead, loose = child.tail, []
        else:
            loose.append(child)
    yield _clean(_run(lead, loose)), ()


def _run(lead: str | None, elements: Iterable[Element]) -> str:
    """`lead`, then each element's text and what follows it."""
    text = _Text(lead or "")
    for element in elements:
        tail = element.tail or ""
        name = local(element)
        if name == "ref":
            content = flat(element)
            if element.get("type") == "foot":  # may even say "foot_0"
                text.add(" ")
            elif element.get("type") == "bibr" and _is_superscript(content, text.near):
                text.add(" ")
                follower = element.getnext()
                if tail.strip() in {",", ";", "-", "–"} and follower is not None and local(follower) == "ref":
                    tail = " "
            else:
                text.add_apart(content)
            text.add_apart(tail)
        else:
            text.add(" " if name in _SKIPPED else _run(element.text, element))
            text.add(tail)
    return text.whole


class _Text:
    """Text that grows; only its end is looked at, so that a paragraph of any length is put together in linear time."""

    def __init__(self, start: str) -> None:
        self._pieces, self.near = [start], start[-_NEAR:]

    @property
    def whole(self) -> str:
        return "".join(self._pieces)

    def add(self, more: str) -> None:
        self._pieces.append(more)
        self.near = (self.near + more[-_NEAR:])[-_NEAR:]

    def add_apart(self, more: str) -> None:
        """Add, after a space where a reference's edge fuses words ("and" + "4"), but not in "S" + "2", "3" + "b"."""
        fused = _LAST_WORD.search(self.near[-2:]), _FIRST_WORD.match(more)
        if all(fused) and not any(word and len(word[0]) == 1 and word[0].isalpha() for word in fused):
            self.add(" ")
        self.add(more)


def _is_superscript(content: str, before: str) -> bool:
    """Whether a citation of bare numbers was printed as a superscript, not as part of the sentence or in brackets."""
    if not _BARE_NUMBERS.fullmatch(content):
        return False
    open_bracket = max(before.rfind("("), before.rfind("[")) > max(before.rfind(")"), before.rfind("]"))
    return not open_bracket and not _WANTS_NUMBER.search(before[-20:])


def _clean(text: str) -> str:
    text = " ".join(unicodedata.normalize("NFC", text.translate(_INVISIBLE)).split())
    text = _SPACE_AFTER_OPENING.sub("", _SPACE_BEFORE_MARK.sub("", _LEFT_OVER.sub("", text)))
    return " ".join(text.split())


def _boxes(element: Element) -> list[Box]:
    """The element's `coords`, those of five sound fields only (a host with decimal commas writes nine)."""
    found = []
    for group in element.get("coords", "").split(";"):
        fields = group.split(",")
        try:
            page, x, y, width, height = int(fields[0]), *map(float, fields[1:])
        except ValueError:
            continue
        if page >= 1 and width > 0 and height > 0 and all(map(math.isfinite, (x, y, width, height))):
            found.append(Box(page, x, y, x + width, y + height))
    return found


def _lines(start: int, length: int, boxes: Sequence[Box]) -> Iterable[Span]:
    """Spans of `length` characters from `start`, dealt to the boxes by their widths."""
    total = sum(box.x1 - box.x0 for box in boxes)
    width, at = 0.0, 0
    for box in boxes:
        width += box.x1 - box.x0
        end = round(length * width / total)
        if end > at:
            yield Span(start + at, start + end, box)
        at = end
