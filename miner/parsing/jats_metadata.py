"""What a publisher's XML says of a paper: title, authors, year, DOI, journal, licence, keywords, language."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from miner.parsing.jats_prose import flat_text, local_name
from miner.parsing.licences import find_licence
from miner.parsing.safe_xml import Element
from miner.records import FieldSource

SOURCE = "publisher's XML"
_LANG = "{http://www.w3.org/XML/1998/namespace}lang"
_HREF = "{http://www.w3.org/1999/xlink}href"
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")
_DOI = re.compile(r"10\.\d{4,9}/\S+")
# Dates of a version of record: not of a manuscript's deposit, a release at PubMed Central, or a retraction.
_OTHER_DATES = re.compile(
    r".*(?:nihms|pmc|submit|received|accepted|retract|correct|preprint|update|rev-).*", re.IGNORECASE
)
_MAX_KEYWORDS = 50
_OTHER_KEYWORDS = re.compile(r".*(?:abbr|jel|msc|pacs|mesh|publisher|heading).*", re.IGNORECASE)


def read_metadata(article: Element) -> dict[str, Any]:
    """The fields of `Paper` that the XML fills, by name, with `sources`."""
    meta = article.find("{*}front/{*}article-meta")
    if meta is not None:
        found = _of_jats(article, meta)
    else:
        front = article.find("{*}fm")
        found = {} if front is None else _of_biomed_central(article, front)
    found["language"] = article.get(_LANG, "")[:2].lower()
    named = ("title", "authors", "year", "doi", "journal", "licence", "keywords", "language")
    return {**found, "sources": tuple(FieldSource(name, SOURCE) for name in named if found.get(name))}


def _of_jats(article: Element, meta: Element) -> dict[str, Any]:
    return {
        "title": _title(meta),
        "authors": tuple(_authors(meta)),
        "year": _year(meta),
        "doi": _doi(element.text for element in meta.iterfind("{*}article-id") if element.get("pub-id-type") == "doi"),
        "journal": flat_text(article.find("{*}front/{*}journal-meta//{*}journal-title")),
        "licence": _licence(meta),
        "keywords": _keywords(meta),
    }


def _title(meta: Element) -> str:
    """The title and its subtitle, as it is printed on the page."""
    group = meta.find("{*}title-group")
    if group is None:
        return ""
    title = flat_text(group.find("{*}article-title")).rstrip("*†‡ ")
    subtitle = flat_text(group.find("{*}subtitle"))
    if not subtitle:
        return title
    return f"{title}{'' if title[-1:] in ':?!.' else ':'} {subtitle}"


def _authors(meta: Element) -> Iterator[str]:
    """Names as they are printed, "Given Surname"; those of groups too."""
    for contributor in meta.iterfind("{*}contrib-group/{*}contrib"):
        if contributor.get("contrib-type", "author") not in ("author", "aut"):
            continue
        for child in contributor:
            match local_name(child):
                case "name" | "string-name":
                    name = _name(child)
                case "name-alternatives":
                    name = _name(child[0]) if len(child) else ""
                case "collab":
                    name = flat_text(child.find("{*}institution")) or " ".join((child.text or "").split())
                case _:
                    continue
            if name:
                yield name
                break


def _name(element: Element) -> str:
    parts = {local_name(part): flat_text(part) for part in element}
    is_eastern = element.get("name-style") == "eastern"
    order = ("surname", "given-names") if is_eastern else ("prefix", "given-names", "surname")
    name = " ".join(filter(None, (parts.get(part, "") for part in order if part != "prefix")))
    suffix = parts.get("suffix", "")
    return f"{name} {suffix}".strip() if name else flat_text(element)


def _year(meta: Element) -> int | None:
    """The earliest year in which the article was published, online, in print or in a collection."""
    years = []
    for date in meta.iterfind("{*}pub-date"):
        if _OTHER_DATES.fullmatch(f"{date.get('pub-type', '')} {date.get('date-type', '')}"):
            continue
        if year := _YEAR.fullmatch((date.findtext("{*}year") or date.get("iso-8601-date", "")[:4]).strip()):
            years.append(int(year[0]))
    if years:
        return min(years)
    stated = _YEAR.fullmatch((meta.findtext("{*}permissions/{*}copyright-year") or "").strip())
    return int(stated[0]) if stated else None


def _doi(texts: Iterable[str | None]) -> str | None:
    for text in texts:
        if found := _DOI.search(text or ""):
            return found[0]
    return None


def _licence(meta: Element) -> str:
    """The licence of the article, by the addresses and the words of its statements: the strictest of them."""
    said: list[str] = []
    for element in (*meta.iterfind("{*}permissions/{*}license"), *meta.iterfind("{*}license")):
        said += (part.get(_HREF, "") for part in element.iter())
        said += (" ".join("".join(map(str, element.itertext())).split()), element.get("license-type", ""))
    said += (flat_text(stated) for stated in meta.iterfind("{*}permissions/{*}copyright-statement"))
    said += (flat_text(stated) for stated in meta.iterfind("{*}copyright-statement"))
    return find_licence(" \n ".join(said))


def _keywords(meta: Element) -> tuple[str, ...]:
    """The authors' keywords, else the subjects, which are broader."""
    language = meta.getparent().getparent().get(_LANG, "en")[:2]  # type: ignore[union-attr]  # of the article
    found: list[str] = []
    for group in meta.iterfind("{*}kwd-group"):
        other = _OTHER_KEYWORDS.fullmatch(group.get("kwd-group-type", ""))
        if not other and group.get(_LANG, language)[:2] == language:
            found += (flat_text(keyword).rstrip(",;. ") for keyword in group.iterfind(".//{*}kwd"))
    if not found:
        for subject in meta.iterfind("{*}article-categories//{*}subject"):
            holder = subject.getparent()
            if holder is not None and holder.get("subj-group-type", "") != "heading":
                found.append(flat_text(subject))
    return tuple(dict.fromkeys(filter(None, found)))[:_MAX_KEYWORDS]


def _of_biomed_central(article: Element, front: Element) -> dict[str, Any]:
    bibl = front.find("{*}bibl")
    if bibl is None:
        return {}
    dates = (flat_text(element) for element in bibl.iterfind("{*}pubdate"))
    years = [int(found[0]) for date in dates if (found := _YEAR.search(date))]
    names = (
        " ".join(filter(None, (flat_text(author.find(f"{{*}}{part}")) for part in ("fnm", "mi", "snm", "suf"))))
        for author in bibl.iterfind("{*}aug/{*}au")
    )
    groups = (flat_text(author.find("{*}cnm")) for author in bibl.iterfind("{*}aug/{*}au"))
    pairs = zip(names, groups, strict=True)
    return {
        "title": flat_text(bibl.find("{*}title")),
        "authors": tuple(filter(None, (name or group for name, group in pairs))),
        "year": min(years, default=None),
        "doi": _doi(element.text for element in bibl.iterfind(".//{*}pubid[@idtype='doi']")),
        "journal": flat_text(bibl.find("{*}source")),
        "licence": find_licence(" ".join(" ".join(map(str, part.itertext())) for part in front.iterfind("{*}cpyrt"))),
        "keywords": tuple(filter(None, (flat_text(word) for word in front.iterfind("{*}kwdg/{*}kwd"))))[:_MAX_KEYWORDS],
    }
