"""Which kind of section a heading announces (method, section 4: which text counts)."""

from __future__ import annotations

import re

from miner.records import SectionKind

_NUMBER = re.compile(
    r"^(?:(?:section|appendix|annex)\s+)?(?:\d+(?:\.\d+)*|[ivxlc]+|[a-z])[.):]?\s+(?=\w)", re.IGNORECASE
)
_WITHOUT_PROSE = re.compile(
    "|".join(
        (
            r"acknow\w*ments?(?:(?:,| and| &) .*| of (?:funding|support|grants?)\b.*)?",
            r"funding(?: (?:sources?|information|statement|disclosure|declaration|support))?",
            r"(?:role of )?(?:the )?(?:funding source|funders?)|sources? of (?:funding|support)",
            r"financial (?:support|disclosures?)|grant (?:support|disclosures?|information)",
            r"references(?: cited)?|reference list|bibliography|(?:literature|works) cited|further reading",
            r"(?:(?:declaration|disclosure|statement)s? of )?(?:potential )?(?:conflicts? of|competing|conflicting)"
            r" (?:financial )?interests?(?: statement| disclosures?| and funding.*)?",
            r"(?:declaration|disclosure|statement)s? of interests?",
            r"(?:transparency )?declarations?"
            r"(?: (?:of|on) (?:the use of )?(?:generative )?(?:ai|llms?|artificial intelligence)\b.*)?",
            r"authors?['’]?s?['’]? "
            r"(?:contributions?|information|affiliations?|details|note|statement|biograph\w+|disclosures?)"
            r"(?: statements?)?|corresponding authors?",
            r"credit (?:author.*|.*contributions?.*)|contributors?|contributorship.*",
            r"(?:authorship )?contribution statements?|authorship contributions?|contributions? (?:by|of) the authors?",
            r"(?:data|code|materials?|software) (?:and \w+ )?(?:availability|accessibility|deposition|access)"
            r"(?: statement| and .*)?",
            r"availability of (?:(?:the|supporting|source|research) )*(?:data|code|materials?|software)\b.*",
            r"data sharing (?:statements?|plans?|polic(?:y|ies)|agreements?|and .*availability.*)",
            r"ethics|ethic\w* (?:approval|statement|declarations?|consent).*|institutional review board.*",
            r"compliance with ethic\w* (?:standards?|guidelines?|requirements?)",
            r"(?:informed )?consent (?:for|to) (?:publi|particip)\w*.*",
            r"supplement\w* (?:materials?|information|data|files?|tables?|figures?)|supporting information",
            r"additional (?:files?|information|material)(?: and declarations)?",
            r"abbreviations?(?: and acronyms)?|nomenclature|glossary|(?:table of )?contents",
            r"list of (?:figures|tables|abbreviations|symbols)",
            r"key ?words(?: and phrases)?|index terms|ccs concepts|highlights|graphical abstract",
            r"pre-publication history|publisher['’]?s note|open access|reprints and permissions?",
            r"copyright(?: (?:notice|statement|information|permissions?|and (?:licen\w+|permissions?)))?|copyright ©.*",
            r"(?:generative )?(?:ai|artificial intelligence) (?:statement|disclosure|declaration)|disclaimers?",
            r"disclosures?(?: statements?)?|provenance and peer review|(?:end|foot) ?notes|notes?",
        )
    ),
    re.IGNORECASE,
)
PATH_SEPARATOR = " / "
_NOTES = re.compile(r"\W*notes?\W*", re.IGNORECASE)
_ABSTRACT = re.compile(r"(?:abstract|summary|author summary|a\s?b\s?s\s?t\s?r\s?a\s?c\s?t)", re.IGNORECASE)
_ANNEX = re.compile(r"(?:appendix|appendices|annex)\b", re.IGNORECASE)


def section_kind(title: str) -> SectionKind | None:
    """The kind of section under this heading; None where its text does not count (references, funding and others).

    >>> section_kind("2.1 Methods"), section_kind("Acknowledgements")
    (<SectionKind.BODY: 'body'>, None)
    """
    words = " ".join(title.split()).strip(" .:")
    if _ANNEX.match(words):
        return SectionKind.ANNEX
    without_number = _NUMBER.sub("", words)
    if _WITHOUT_PROSE.fullmatch(without_number):
        return None
    return SectionKind.ABSTRACT if _ABSTRACT.fullmatch(words) else SectionKind.BODY  # "6 Summary" is a conclusion


def path_kind(path: str) -> SectionKind | None:
    """The kind of section under a path of headings, "Methods / Ethics statement"; None where any of them has no prose.

    Notes under another heading, such as notes on a species, are prose.

    >>> path_kind("Declarations / Funding statement"), path_kind("Taxa / Bos taurus / Notes")
    (None, <SectionKind.BODY: 'body'>)
    """
    first, *others = path.split(PATH_SEPARATOR)
    kinds = [section_kind(first), *(section_kind(heading) for heading in others if not _NOTES.fullmatch(heading))]
    if None in kinds or section_kind(path) is None:
        return None
    return SectionKind.ANNEX if SectionKind.ANNEX in kinds else kinds[0]
