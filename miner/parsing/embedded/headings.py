"""Tells headings from prose, cautiously: a false heading costs a sentence, a missed one is glued to the next."""

from __future__ import annotations

import re
from enum import Enum, auto

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


def is_heading(line: Line, style: Style, *, alone: bool, short: bool) -> bool:
    """Whether this line is (part of) a heading. `alone`: white space above; `short`: it ends well inside its column."""
    text = line.text
    letters = sum(map(str.isalpha, text))
    if letters < 3 or len(text) > 120 or letters < 0.5 * len(text.replace(" ", "")) or line.gaps > 1:
        return False
    bold = line.bold > 0.9 and not style.bold
    if line.hyphen and not bold:
        return False
    ends = text[-1] in ".;," and not re.search(r"\b(?:et al|etc)\.$", text)
    numbered = _NUMBERED.match(text)
    large = line.size > max(style.sizes) + 0.7
    caps = text.isupper() and letters >= 4
    small = line.size < style.body - (1.2 if bold or caps else 0.6)
    if small and part_of(text) not in (Part.ABSTRACT, Part.REFERENCES):
        return False
    if is_known(text) and (bold or large or caps or alone or numbered):
        return True
    if not (numbered or text[0].isupper() or text[0].isdigit()):
        return False
    if large and line.maths < 0.3 and (alone or bold or numbered):
        return True
    if bold and not small and not text.endswith((",", ";")):
        return True
    if numbered and (caps or line.italic > 0.9) and not text.endswith((",", ";")):
        return True
    if short and numbered and alone and not ends and text[0].isdigit() and len(text) < 90:
        return True
    if short and caps and alone and not ends and len(text) < 90 and " " in text:
        return True
    return line.italic > 0.9 and alone and not ends and len(text) < 80 and line.maths < 0.1
