"""The running text of a paragraph in a publisher's XML: JATS, the DTDs of NLM before it, and BioMed Central's own."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import NamedTuple

from miner.parsing.embedded.lines import is_note_number, is_power
from miner.parsing.safe_xml import Element
from miner.records import FORMULA


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


BLOCKS = _names(
    "disp-formula disp-formula-group list def-list disp-quote preformat code verse-group speech array "
    "chem-struct-wrap display-formula ul ol l quote"
)
"""Text does not continue across them."""
_FLOATS = _names(
    "fig fig-group table-wrap table-wrap-group table boxed-text fn fn-group supplementary-material media graphic "
    "label object-id target index-term alt-text long-desc ref-list glossary caption kwd-group floats-wrap "
    "question-wrap notes tbl suppl file def note annotation related-article processing-instruction title bibl-ref"
)
"""Left out of the text they stand in. In BioMed Central's XML figures and tables are `fig` and `tbl`."""
_FORMULAS = _names("inline-formula tex-math math private-char inline-graphic chem-struct")
_CITED = frozenset(("bibr", "other-bibr"))
_NOTE_MARKS = frozenset(("fn", "table-fn", "author-notes", "aff", "corresp", "contrib"))
_PLAIN_MATHS = _names("math mrow mi mn mo mtext mstyle mspace msub msup msubsup mfenced semantics")
_MAX_PLAIN_MATHS = 40  # characters of a formula that is read like text: "p < 0.05", "R2"
_CITATION_NUMBERS = re.compile(r"[\s\d,;–—‐−†‡*a-d-]*\d[\s\d,;–—‐−†‡*a-d-]*")
_YEAR = re.compile(r"\d{4}")
_BEFORE_NUMBER = re.compile(r"\b(?:refs?|references?)\.?\s*$", re.IGNORECASE)
# Citation numbers in the text, until it is known whether they are superscripts; XML cannot contain these characters.
_START, _END, _RAISED = "\x01", "\x02", "\x03"
_CITATION_RUN = re.compile(r" ?\x01[^\x02]*\x02(?: ?[,;–—‐-]? ?\x01[^\x02]*\x02)*")
_CONTEXT_LENGTH = 200  # characters before a citation that show whether it is in brackets
_EMPTY_BRACKETS = re.compile(r"\( ?[,;–-]? ?\)|\[ ?[,;–-]? ?\]")
_SPACE_BEFORE_MARK = re.compile(r" (?=[,.;:!?)\]]+(?: |$))")
_SPACE_AFTER_OPENING = re.compile(r"(?<=[(\[]) ")
_CHARACTERS = (*((invisible, "") for invisible in "\u00ad\u200b\u2060\ufeff"), ("\u2010", "-"), ("\u2011", "-"))
_UNTIDY = (
    " ,",
    " .",
    " ;",
    " :",
    " !",
    " ?",
    " )",
    " ]",
    "( ",
    "[ ",
    "()",
    "[]",
    "(,",
    "[,",
    "(;",
    "[;",
    "(–",
    "[–",
    "[-",
    "(-",
)
_ORDINAL = re.compile(r"(?:st|nd|rd|th)\b")
# What some publishers add for the screen: "Table 3(Tab. 3)", "(Lee, 2009[49])".
_SAID_TWICE = re.compile(r"\b((?:Table|Figure)s? (\w{1,4}))\((?:Tab|Fig)\. ?\2\)")
_NUMBER_AFTER_YEAR = re.compile(r"((?:19|20)\d\d[a-z]?)\[\d{1,3}\]")
_MAX_HEADING_LENGTH = 100  # characters of a heading at the start of a paragraph
_SENTENCE_START = re.compile(r"\s*[\"“‘'(\[]?[A-Z0-9]")


class Piece(NamedTuple):
    """Text between two blocks of a paragraph. heading: of its first words, where they are a heading of their own.

    after_break: the last sentence before is no neighbour of its first one.
    """

    text: str
    after_break: bool
    heading: str = ""


def local_name(element: Element) -> str:
    """The element's name without its namespace."""
    tag = element.tag
    return (tag.rpartition("}")[2] if "}" in tag else tag) if isinstance(tag, str) else ""


def flat_text(element: Element | None) -> str:
    """The element's text in NFC with single spaces, without notes and their marks; "" for None."""
    if element is None:
        return ""
    prose = _Prose()
    prose.read_children(element)
    return " ".join(filter(None, map(_settled, prose.texts())))


def read_pieces(element: Element) -> Iterator[Piece]:
    """The text of a paragraph between its display formulas, lists and other blocks; nothing if it has no text."""
    heading, prose = _leading_heading(element), _Prose()
    if heading:
        first, *others = element
        prose.add((first.tail or "").lstrip(" \n\t.:"))
        for child in others:
            prose.read(child)
    else:
        prose.read_children(element)
    for number, raw in enumerate(prose.texts()):
        text = _settled(raw)
        if text or (heading and not number):
            yield Piece(text, number > 0 or bool(heading), "" if number else heading)


def _leading_heading(element: Element) -> str:
    """The heading that a paragraph starts with: its first element, in type of its own; "" if there is none."""
    if (element.text or "").strip() or not len(element):
        return ""
    first = element[0]
    if local_name(first) not in ("bold", "b", "italic", "it", "underline", "sc"):
        return ""
    text, tail = _plain_text(first), (first.tail or "").lstrip()
    if not text or len(text) > _MAX_HEADING_LENGTH or not any(map(str.isalpha, text)):
        return ""
    is_alone = not tail and len(element) == 1
    is_ended = text[-1] in ".:" or tail[:1] == ":" or (tail[:1] == "." and local_name(first) in ("bold", "b"))
    rest = tail.lstrip(".:")
    goes_on = bool(rest) and _SENTENCE_START.match(rest) is not None
    return text.rstrip(" .:") if is_alone or (is_ended and goes_on) else ""


class _Prose:
    """Collects the text of a paragraph; a block starts the next text."""

    def __init__(self) -> None:
        self._texts: list[list[str]] = [[]]
        self._context = ""

    def texts(self) -> list[str]:
        return ["".join(pieces) for pieces in self._texts]

    def add(self, text: str) -> None:
        if text:
            self._texts[-1].append(text)
            self._context = (self._context + text)[-_CONTEXT_LENGTH:]

    def read(self, element: Element) -> None:
        """Add the element's text, and the text after it."""
        name = local_name(element)
        if name:
            if name in BLOCKS or (name == "table-wrap" and element.get("position") == "anchor"):
                self._texts.append([])
                self._context = ""
            elif name in _FLOATS:
                pass
            elif name in _FORMULAS:
                self.add(_formula(element))
            elif name == "xref":
                self._read_reference(element)
            elif name in ("sup", "sub"):
                self._read_script(element, raised=name == "sup")
            elif name == "abbrgrp":  # BioMed Central's citations, which print as [1,2]
                numbers = [_plain_text(child) for child in element]
                self.add(f" [{','.join(filter(None, numbers))}]" if any(numbers) else "")
            elif name in ("break", "p", "sec", "list-item"):
                self.add(" ")
                self.read_children(element)
                self.add(" ")
            elif name == "alternatives":
                if any(local_name(child) in _FORMULAS for child in element):
                    self.add(_formula(element))
                elif len(element):
                    self.read(element[0])
            else:
                self.read_children(element)
        self.add(element.tail or "")

    def read_children(self, element: Element) -> None:
        """Add all that is in the element."""
        self.add(element.text or "")
        for child in element:
            self.read(child)

    def _read_reference(self, element: Element) -> None:
        kind = element.get("ref-type", "")
        content = _plain_text(element)
        is_raised = element.find(".//{*}sup") is not None
        number = content.strip("[]()") if is_raised else content
        if kind in _CITED and _CITATION_NUMBERS.fullmatch(number) and not _YEAR.search(content):
            self.add(f"{_START}{_RAISED if is_raised else ''}{content}{_END}")
        elif kind not in _NOTE_MARKS or len(content) > (1 if content.isalpha() else 3):
            self.read_children(element)

    def _read_script(self, element: Element, *, raised: bool) -> None:
        """A superscript: citation numbers, a note's mark, an exponent; or a subscript."""
        if raised:
            content = _plain_text(element)
            references = element.findall(".//{*}xref")
            if references and _CITATION_NUMBERS.fullmatch(content.strip("[]()")):
                if all(reference.get("ref-type") in _NOTE_MARKS for reference in references):
                    return
                self.add(f"{_START}{_RAISED}{content}{_END}")
                return
            follower = element.tail or ""
            if content and not references and is_note_number(content, self._context, follower):
                return
            if is_power(self._context, content):
                self.add("^")
        if self._texts[-1] and (
            not raised or (self._context[-2:-1].isdigit() and _ORDINAL.match(_plain_text(element)))
        ):
            self._texts[-1][-1] = self._texts[-1][-1].rstrip(" ")
        self.read_children(element)


def _plain_text(element: Element) -> str:
    return " ".join("".join(map(str, element.itertext())).split())


def _formula(element: Element) -> str:
    """A short formula on one line as text, any other as `FORMULA`; what prints as in the PDF is kept."""
    maths = element if local_name(element) == "math" else element.find(".//{*}math")
    if maths is None:
        plain = all(local_name(child) in ("italic", "bold", "sub", "sup", "it", "b") for child in element.iter()
                    if child is not element)  # fmt: skip
        text = _plain_text(element)
        is_text = local_name(element) == "inline-formula" and plain and text and len(text) <= _MAX_PLAIN_MATHS
        return text if is_text else FORMULA
    pieces: list[str] = []
    for part in maths.iter():
        name = local_name(part)
        if name == "annotation":
            continue
        if name not in _PLAIN_MATHS or sum(map(len, pieces)) > _MAX_PLAIN_MATHS:
            return FORMULA
        text = (part.text or "").strip()
        if name == "mo" and len(text) == 1 and text in "=<>≤≥≈∼~±×+−→≠":
            text = f" {text} "
        pieces.append(text)
    text = " ".join("".join(pieces).split())
    return text if 0 < len(text) <= _MAX_PLAIN_MATHS else FORMULA


def _settled(raw: str) -> str:
    return _clean(_settle_citations(raw))


def _settle_citations(raw: str) -> str:
    """The text without citations that were printed as superscripts; those in brackets stay."""
    if not raw.isascii():
        for character, replacement in _CHARACTERS:
            raw = raw.replace(character, replacement)
    text = " ".join(raw.split())
    if _START not in text:
        return text
    pieces, end = [], 0
    for run in _CITATION_RUN.finditer(text):
        pieces.append(text[end : run.start()])
        end = run.end()
        before = text[max(0, run.start() - _CONTEXT_LENGTH) : run.start()]
        is_raised = _RAISED in run[0]
        in_brackets = max(before.rfind("("), before.rfind("[")) > max(before.rfind(")"), before.rfind("]"))
        if (in_brackets and not is_raised) or _BEFORE_NUMBER.search(before[-20:]):
            pieces.append(run[0])
        elif text[end : end + 1].isalnum():
            pieces.append(" ")
    pieces.append(text[end:])
    return "".join(pieces).replace(_START, "").replace(_END, "").replace(_RAISED, "")


def _clean(text: str) -> str:
    if not text.isascii():
        text = unicodedata.normalize("NFC", text)
    if "(Tab" in text or "(Fig" in text:
        text = _SAID_TWICE.sub(r"\1", text)
    if "[" in text:
        text = _NUMBER_AFTER_YEAR.sub(r"\1", text)
    if any(untidy in text for untidy in _UNTIDY):
        text = _SPACE_AFTER_OPENING.sub("", _SPACE_BEFORE_MARK.sub("", _EMPTY_BRACKETS.sub("", text)))
        text = " ".join(text.split())
    return text
