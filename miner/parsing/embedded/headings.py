"""Tells headings from prose, cautiously: a false heading costs a sentence, a missed one is glued to the next."""

from __future__ import annotations

import re
from enum import Enum, auto
from typing import NamedTuple

from miner.parsing.embedded.lines import Line
from miner.parsing.embedded.style import Style
from miner.parsing.headings import section_kind
from miner.records import SectionKind

_NUMBERED = re.compile(
    r"^(?:(?:section|chapter|part)\s+)?(?:\d{1,2}(?:\.\d{1,2}){0,3}\.?|[IVX]{1,5}\.|[A-H](?:\.\d{1,2})*\.?)"
    r"\s*[|:—–-]?\s+(?=[A-Z“\"'])",
    re.I,
)
_KNOWN = re.compile(
    r"introduction|background|related works?|materials? and methods?|methods?(?: and materials?)?|methodology|"
    r"results?(?: and discussions?)?|(?:general )?discussions?(?: and conclusions?)?|"
    r"conclusions?(?: and (?:future works?|discussions?))?|concluding remarks|limitations?|future works?|experiments?|"
    r"evaluation|preliminaries|ethical considerations",
    re.I,
)
_NOTICE = re.compile(
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
_TOPIC = re.compile(r"(?:data|code|materials?|software|ethic\w*|contents|notes)\b", re.I)


class Part(Enum):
    ABSTRACT = auto()
    BODY = auto()
    REFERENCES = auto()
    ANNEX = auto()
    SKIP = auto()
    FRONT = auto()


_PARTS = {SectionKind.BODY: Part.BODY, SectionKind.ABSTRACT: Part.ABSTRACT, SectionKind.ANNEX: Part.ANNEX}


def bare(title: str) -> str:
    """The heading's words without its number."""
    return re.sub(r"\s+", " ", _NUMBERED.sub("", title, count=1)).strip(" .:|–—■")


def part_of(title: str) -> Part:
    """What stands under this heading."""
    words = bare(title)
    if _REFERENCES.fullmatch(words):
        return Part.REFERENCES
    if _NOTICE.fullmatch(words):
        return Part.SKIP
    if _TOPIC.match(words) and _NUMBERED.match(title):
        return Part.BODY  # "6.2 Data availability in language models" is a subject, not a statement
    kind = section_kind(title.strip(" .:|–—■"))
    return Part.SKIP if kind is None else _PARTS[kind]


def is_known(text: str) -> bool:
    """Whether these are a heading's words in any paper."""
    words = bare(text)
    return not words[:1].islower() and bool(_KNOWN.fullmatch(words) or part_of(text) is not Part.BODY)


class _Look(NamedTuple):
    """How a line is set, compared with the paper's prose."""

    bold: bool
    italic: bool
    caps: bool
    large: bool
    small: bool
    numbered: bool
    stopped: bool  # ends with a punctuation mark

    @property
    def stands_out(self) -> bool:
        return self.bold or self.large or self.caps or self.numbered


def is_heading(line: Line, style: Style, *, alone: bool, short: bool) -> bool:
    """Whether this line is (part of) a heading. `alone`: white space above; `short`: it ends well inside its column."""
    if not _is_wordy(line):
        return False
    look = _look(line, style)
    if line.hyphen and not look.bold:
        return False
    if look.small and part_of(line.text) not in (Part.ABSTRACT, Part.REFERENCES):
        return False
    if is_known(line.text) and (alone or look.stands_out):
        return True
    if not (look.numbered or _opens_upper(line.text)):
        return False
    return _is_emphasized(line, look, alone=alone) or (alone and _is_set_apart(line, look, short=short))


def _opens_upper(text: str) -> bool:
    return text[0].isupper() or text[0].isdigit()


def _is_wordy(line: Line) -> bool:
    """Whether the line has the length and the letters of a heading."""
    text = line.text
    letters = sum(map(str.isalpha, text))
    return letters >= 3 and len(text) <= 120 and letters >= 0.5 * len(text.replace(" ", "")) and line.gaps <= 1


def _look(line: Line, style: Style) -> _Look:
    text = line.text
    bold = line.bold > 0.9 and not style.bold
    caps = text.isupper() and sum(map(str.isalpha, text)) >= 4
    return _Look(
        bold=bold,
        italic=line.italic > 0.9,
        caps=caps,
        large=line.size > max(style.sizes) + 0.7,
        small=line.size < style.body - (1.2 if bold or caps else 0.6),
        numbered=_NUMBERED.match(text) is not None,
        stopped=text[-1] in ".;," and not _ABBREVIATED.search(text),
    )


def _is_emphasized(line: Line, look: _Look, *, alone: bool) -> bool:
    """Whether the line stands out by its size, weight, capitals or slant."""
    if look.large and line.maths < 0.3 and (alone or look.bold or look.numbered):
        return True
    if line.text.endswith((",", ";")):
        return False
    return (look.bold and not look.small) or (look.numbered and (look.caps or look.italic))


def _is_set_apart(line: Line, look: _Look, *, short: bool) -> bool:
    """Whether a line below white space is a heading, though in no other type than the prose or in italics."""
    text = line.text
    if look.stopped:
        return False
    if short and len(text) < 90 and ((look.numbered and text[0].isdigit()) or (look.caps and " " in text)):
        return True
    return look.italic and len(text) < 80 and line.maths < 0.1
