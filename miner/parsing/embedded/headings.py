"""Recognizes headings, cautiously: a false heading loses a sentence, a missed one is joined to the next sentence."""

from __future__ import annotations

import re
from enum import Enum, auto
from typing import NamedTuple

from miner.parsing.embedded.layout import Style
from miner.parsing.embedded.lines import TextLine
from miner.parsing.section_kinds import section_kind
from miner.records import SectionKind

_NUMBER_PREFIX = re.compile(
    r"^(?:(?:section|chapter|part)\s+)?(?:\d{1,2}(?:\.\d{1,2}){0,3}\.?|[IVX]{1,5}\.|[A-H](?:\.\d{1,2})*\.?)"
    r"\s*[|:—–-]?\s+(?=[A-Z“\"'])",
    re.I,
)
_KNOWN_HEADING = re.compile(
    r"introduction|background|related works?|materials? and methods?|methods?(?: and materials?)?|methodology|"
    r"results?(?: and discussions?)?|(?:general )?discussions?(?: and conclusions?)?|"
    r"conclusions?(?: and (?:future works?|discussions?))?|concluding remarks|limitations?|future works?|experiments?|"
    r"evaluation|preliminaries|ethical considerations",
    re.I,
)
_NOTICE_HEADING = re.compile(
    r"key ?words.*|index terms.*|ccs concepts|acm reference format|orcid.*|about the authors?|open access|citation|"
    r"to cite this.*|how to cite.*|correspond(?:ence|ing author).*|article (?:info|history).*|peer[- ]review.*|"
    r"declarations?|(?:role of )?(?:the )?fund(?:ing|ers?)(?: source| statement| had no role.*)?|grant support|"
    r"sources? of funding|ethics statement|biograph(?:y|ies)|notes on contributors?|disclosure statements?",
    re.I,
)
_REFERENCES = re.compile(
    r"references?(?: and notes| cited| list)?|bibliography|(?:literature|works|references) cited|literature|"
    r"notes and references",
    re.I,
)
_ABBREVIATED = re.compile(r"\b(?:et al|etc)\.$")
_STATEMENT_TOPIC = re.compile(r"(?:data|code|materials?|software|ethic\w*|contents|notes)\b", re.I)


class DocumentPart(Enum):
    ABSTRACT = auto()
    BODY = auto()
    REFERENCES = auto()
    ANNEX = auto()
    SKIP = auto()
    FRONT = auto()


_PARTS = {
    SectionKind.BODY: DocumentPart.BODY,
    SectionKind.ABSTRACT: DocumentPart.ABSTRACT,
    SectionKind.ANNEX: DocumentPart.ANNEX,
}


def without_number(title: str) -> str:
    """The words of a heading without its number."""
    return re.sub(r"\s+", " ", _NUMBER_PREFIX.sub("", title, count=1)).strip(" .:|–—■")


def document_part(title: str) -> DocumentPart:
    """The part of the document under this heading."""
    words = without_number(title)
    if _REFERENCES.fullmatch(words):
        return DocumentPart.REFERENCES
    if _NOTICE_HEADING.fullmatch(words):
        return DocumentPart.SKIP
    if _STATEMENT_TOPIC.match(words) and _NUMBER_PREFIX.match(title):
        return DocumentPart.BODY  # "6.2 Data availability in language models" is a subject, not a statement
    kind = section_kind(title.strip(" .:|–—■"))
    return DocumentPart.SKIP if kind is None else _PARTS[kind]


def is_common_heading(text: str) -> bool:
    """Whether the text is a heading that is common in papers."""
    words = without_number(text)
    return not words[:1].islower() and bool(
        _KNOWN_HEADING.fullmatch(words) or document_part(text) is not DocumentPart.BODY
    )


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
    if not _is_wordy(line):
        return False
    typography = _typography(line, style)
    if line.hyphen and not typography.bold:
        return False
    if typography.small and document_part(line.text) not in (DocumentPart.ABSTRACT, DocumentPart.REFERENCES):
        return False
    if is_common_heading(line.text) and (alone or typography.stands_out):
        return True
    if not (typography.numbered or _opens_upper(line.text)):
        return False
    return _is_emphasized(line, typography, alone=alone) or (alone and _is_set_apart(line, typography, short=short))


def _opens_upper(text: str) -> bool:
    return text[0].isupper() or text[0].isdigit()


def _is_wordy(line: TextLine) -> bool:
    """Whether the line has the length and the letters of a heading."""
    text = line.text
    letters = sum(map(str.isalpha, text))
    return letters >= 3 and len(text) <= 120 and letters >= 0.5 * len(text.replace(" ", "")) and line.gaps <= 1


def _typography(line: TextLine, style: Style) -> _Typography:
    text = line.text
    bold = line.bold > 0.9 and not style.bold
    caps = text.isupper() and sum(map(str.isalpha, text)) >= 4
    return _Typography(
        bold=bold,
        italic=line.italic > 0.9,
        caps=caps,
        large=line.size > max(style.sizes) + 0.7,
        small=line.size < style.body - (1.2 if bold or caps else 0.6),
        numbered=_NUMBER_PREFIX.match(text) is not None,
        ends_with_mark=text[-1] in ".;," and not _ABBREVIATED.search(text),
    )


def _is_emphasized(line: TextLine, typography: _Typography, *, alone: bool) -> bool:
    """Whether the line stands out by its size, weight, capitals or slant."""
    if typography.large and line.maths < 0.3 and (alone or typography.bold or typography.numbered):
        return True
    if line.text.endswith((",", ";")):
        return False
    return (typography.bold and not typography.small) or (
        typography.numbered and (typography.caps or typography.italic)
    )


def _is_set_apart(line: TextLine, typography: _Typography, *, short: bool) -> bool:
    """Whether a line below white space is a heading, though in no other type than the prose or in italics."""
    text = line.text
    if typography.ends_with_mark:
        return False
    if short and len(text) < 90 and ((typography.numbered and text[0].isdigit()) or (typography.caps and " " in text)):
        return True
    return typography.italic and len(text) < 80 and line.maths < 0.1
