"""Tells headings from prose, cautiously: a false heading costs a sentence, a missed one is glued to the next."""

from __future__ import annotations

import re
from enum import Enum, auto

from miner.parsing.embedded.lines import Line
from miner.parsing.embedded.style import Style

_NUMBERED = re.compile(
    r"^(?:(?:section|chapter|part)\s+)?(?:\d{1,2}(?:\.\d{1,2}){0,3}\.?|[IVX]{1,5}\.|[A-H](?:\.\d{1,2})*\.?)\s*[|:—–-]?\s+(?=[A-Z“\"'])",
    re.I,
)
_KNOWN = re.compile(
    r"(?:abstract|summary|introduction|background|related works?|materials? and methods?|methods?(?: and materials?)?|methodology|"
    r"results?(?: and discussions?)?|(?:general )?discussions?(?: and conclusions?)?|conclusions?(?: and future works?| and discussions?)?|"
    r"concluding remarks|limitations?|future works?|experiments?|evaluation|preliminaries|key ?words|index terms|"
    r"references?(?: and notes)?|bibliography|literature cited|works cited|notes|appendix|appendices|supplementary (?:material|information)s?|"
    r"acknowledge?ments?|funding|author contributions?|authors['’] contributions?|conflicts? of interests?|competing interests?|"
    r"data availability(?: statement)?|ethics statement|ethical considerations|availability|abbreviations|declarations?)",
    re.I,
)
_SKIP = re.compile(
    r"(?:acknowledge?ments?|funding|financial (?:support|disclosure)|(?:author|authors?['’]s?) (?:contributions?|information|details|affiliations)|contributions?|"
    r"(?:declaration of |statement of |disclosure of )?(?:conflicts?|conflicting|competing)(?: of)?(?: financial)? interests?.*|disclosures?|disclosure statements?|"
    r"(?:data|code|materials?)(?:,? (?:and |& )?(?:data|code|materials?))? (?:availability|access).*|availability of (?:data|supporting data|code).*|"
    r"ethics(?: approval| statement).*|ethical approval.*|consent .*|declarations?|abbreviations|"
    r"supplementary (?:material|information|data)s?|supporting information|additional (?:files?|information|material)|"
    r"key ?words.*|index terms.*|ccs concepts|acm reference format|table of contents|contents|list of (?:figures|tables)|orcid.*|about the authors?|biograph(?:y|ies)|"
    r"publisher['’]?s['’]? note|open access|citation|copyright|correspondence|author(?:s)? summary|credit author.*|credit authorship.*|notes on contributors?|"
    r"peer review.*|provenance|grant support|sources? of funding|role of (?:the )?fund.*|pre-publication history)[:.]?",
    re.I,
)
_REFERENCES = re.compile(
    r"(?:references?(?: and notes| cited| list)?|bibliography|(?:literature|works|references) cited|literature|notes and references)[:.]?",
    re.I,
)


class Part(Enum):
    ABSTRACT = auto()
    BODY = auto()
    REFERENCES = auto()
    ANNEX = auto()
    SKIP = auto()
    FRONT = auto()


def bare(title: str) -> str:
    """The heading's words without its number."""
    return re.sub(r"\s+", " ", _NUMBERED.sub("", title, count=1)).strip(" .:|–—■")


def part_of(title: str) -> Part:
    """What stands under this heading."""
    words = bare(title)
    if re.sub(r"\s", "", words).casefold() in ("abstract", "summary", "executivesummary"):
        return Part.ABSTRACT
    if _REFERENCES.fullmatch(words):
        return Part.REFERENCES
    if _SKIP.fullmatch(words):
        return Part.SKIP
    if re.match(r"(?:appendi(?:x|ces)|annex|supplement)", words, re.I):
        return Part.ANNEX
    return Part.BODY


def is_known(text: str) -> bool:
    words = bare(text)
    return (
        bool(_KNOWN.fullmatch(words) or _SKIP.fullmatch(words) or _REFERENCES.fullmatch(words))
        and not words[:1].islower()
    )


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
    if is_known(text) and (bold or large or caps or alone or numbered):
        return True
    if not (numbered or text[0].isupper() or text[0].isdigit()):
        return False
    if large and line.maths < 0.3 and (alone or bold or numbered):
        return True
    if bold and line.size > style.body - 1.2 and not text.endswith((",", ";")):
        return True
    if numbered and (caps or line.italic > 0.9) and not text.endswith((",", ";")):
        return True
    if short and numbered and alone and not ends and text[0].isdigit() and len(text) < 90:
        return True
    if short and caps and alone and not ends and len(text) < 90 and " " in text:
        return True
    return line.italic > 0.9 and alone and not ends and len(text) < 80 and line.maths < 0.1
