"""Which part of the paper a heading announces, and so whether the text below it counts.

`miner.parsing.section_kinds` decides for all parsers; this adds what only the pages of a PDF have: the list of
references, notices, and the lines before the paper's text.
"""

from __future__ import annotations

import re
from enum import Enum, auto
from functools import lru_cache

from miner.parsing.section_kinds import section_kind
from miner.records import SectionKind

NUMBER_PREFIX = re.compile(
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
    r"key ?words?(?: and phrases)?(?:\s*[^\w\s].*)?|index terms.*|ccs concepts|acm reference format|orcid.*|"
    r"about the authors?|open access|citation|to cite this.*|how to cite.*|"
    r"correspondence(?: (?:to|address|should|details|and requests)\b.*|:.*)?|corresponding authors?.*|"
    r"article (?:info|history).*|peer[- ]review(?:ed|ers?)?(?: (?:information|history|file|reports?|statement))?|"
    r"funders? had no role.*|ethics statement|biograph(?:y|ies)(?: of (?:the )?authors?.*)?|notes on contributors?",
    re.I,
)
_REFERENCES = re.compile(
    r"references?(?: and notes| cited| list)?|bibliography|(?:literature|works|references) cited|literature|"
    r"notes and references",
    re.I,
)
_MONTH = r"(?:jan|feb|mar|apr|may|june?|july?|aug|sep|oct|nov|dec)"
_DATE = rf"\d{{1,2}}(?:st|nd|rd|th)?[ -]{_MONTH}|{_MONTH}\w*\.? \d|\d{{4}}-\d|\d{{1,2}}[./-]\d{{1,2}}[./-]\d"
_IMPRINT = re.compile(
    r"©|\(c\) \d{4}|copyright(?:\s*[©:]| \(c\)| \d{4}| (?:is )?(?:held|owned|retained) | by )|"
    rf"(?:received|accepted|revised|published)(?: online)?:? (?:{_DATE})|"
    r"(?:address for )?correspondence(?:\s*[:*]| (?:to|should|concerning|and requests)\b)|\W*corresponding authors?\b|"
    r"e-?mails?:|this (?:article|work) is licensed|permission to (?:make|copy)|open access this|doi:|https?://\S+$|"
    r"to cite this|cite this|how to cite|citation:",
    re.I,
)
_SUPPLEMENT = re.compile(r"supplement\w*|supporting information", re.I)
_STATEMENT_TOPIC = re.compile(r"(?:data|code|materials?|software|ethic\w*|contents|notes)\b", re.I)


class DocumentPart(Enum):
    """FRONT: before the first heading of the text. SKIP: text that does not count, such as acknowledgements.

    SUPPLEMENT: supplementary material below the references, which counts if it reads as prose.
    """

    ABSTRACT = auto()
    BODY = auto()
    REFERENCES = auto()
    ANNEX = auto()
    SUPPLEMENT = auto()
    SKIP = auto()
    FRONT = auto()


_PARTS = {
    SectionKind.BODY: DocumentPart.BODY,
    SectionKind.ABSTRACT: DocumentPart.ABSTRACT,
    SectionKind.ANNEX: DocumentPart.ANNEX,
}


def _without_number(title: str) -> str:
    """The words of a heading without its number."""
    number = NUMBER_PREFIX.match(title)
    return " ".join((title[number.end() :] if number else title).split()).strip(" .:|–—■")


@lru_cache(maxsize=1024)
def document_part(title: str) -> DocumentPart:
    """The part of the document under this heading."""
    words = _without_number(title)
    if _REFERENCES.fullmatch(words):
        return DocumentPart.REFERENCES
    if _NOTICE_HEADING.fullmatch(words):
        return DocumentPart.SKIP
    if _STATEMENT_TOPIC.match(words) and NUMBER_PREFIX.match(title):
        return DocumentPart.BODY  # "6.2 Data availability in language models" is a subject, not a statement
    kind = section_kind(title.strip(" .:|–—■"))
    return DocumentPart.SKIP if kind is None else _PARTS[kind]


def is_supplement(title: str) -> bool:
    """Whether the heading announces supplementary material: below the references it may be printed in full."""
    return bool(_SUPPLEMENT.match(_without_number(title)))


def opens_imprint(text: str) -> bool:
    """Whether a paragraph that begins so is an imprint: dates, an address, a licence."""
    return bool(_IMPRINT.match(text))


def is_common_heading(text: str) -> bool:
    """Whether the text is a heading that is common in papers."""
    words = _without_number(text)
    return not words[:1].islower() and bool(
        _KNOWN_HEADING.fullmatch(words) or document_part(text) is not DocumentPart.BODY
    )
