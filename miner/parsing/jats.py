"""Parses publishers' XML into papers: JATS, the DTDs of NLM before it, and the `art` of BioMed Central."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.entities import html5

from lxml import etree

from miner.errors import UnreadableFile
from miner.parsing.files import Hashes, hash_content
from miner.parsing.jats_metadata import read_metadata
from miner.parsing.jats_prose import BLOCKS, flat_text, local_name, read_pieces
from miner.parsing.parse_ranks import JATS
from miner.parsing.safe_xml import Element, xml_tree
from miner.parsing.section_kinds import PATH_SEPARATOR, section_kind
from miner.records import FORMULA, Paper, Paragraph, Section, SectionKind
from miner.versions import JATS_VERSION

ROOTS = ("article", "art")
_HINT = "Download it again from the publisher or PubMed Central, or add the PDF."
_MAX_TITLE_LENGTH = 300  # characters; longer headings are prose by mistake
_OTHER_ABSTRACTS = re.compile(
    r"graphical|teaser|toc|web-summary|key-?points?|highlights?|executive-summary|video|precis|plain-language.*|ascii",
    re.IGNORECASE,
)
_ONLY_FORMULAS = re.compile(r"(?:\[formula\][\s,.;:]*)+")
_GROUPS = frozenset(("statement", "sec", "app", "app-group"))
_SECTION_TYPES = re.compile(
    r"(?:data-availability|coi-statement|supplementary-material|display-objects|ethics-.*).*", re.I
)
_ARTICLE_TYPES = {"addendum": "an addendum", "editorial": "an editorial", "obituary": "an obituary"}


def parse_jats(xml: bytes, known: Hashes | None = None) -> Paper:
    """The paper in a publisher's XML: metadata, and abstract, body and appendices; sentences are not split yet.

    Its MD5 is that of the XML. `known`: the hashes of the XML, if the caller has them. `UnreadableFile` as `xml_tree`;
    `not_jats`; and `no_text` where no paragraph has text, as in many corrections.
    """
    root = xml_tree(xml, what="XML", hint=_HINT, doctype=True)
    _replace_entities(root)
    article = _article(root)
    sections = tuple(_sections(article))
    if not sections:
        raise UnreadableFile(
            "no_text", f"This is {_kind_of_article(article)} without text.", hint=_no_text_hint(article)
        )
    identity = known or hash_content(xml)
    return Paper(
        md5=identity.md5,
        sha256=identity.sha256,
        parser=JATS,
        parser_version=JATS_VERSION,
        sections=sections,
        **read_metadata(article),
    )


def _article(root: Element) -> Element:
    """The article itself; archives wrap one in other elements."""
    if local_name(root) in ROOTS and any(local_name(child) in ("front", "fm", "body", "bdy") for child in root):
        return root
    articles = [element for element in root.iter("{*}article") if element.find("{*}front") is not None]
    if len(articles) == 1:
        return articles[0]
    if len(articles) > 1:
        what = f"This XML holds {len(articles):,} articles in one file."
        raise UnreadableFile("not_jats", what, hint="Unpack the archive that it is in, and add the file.")
    what = f"This is XML, but neither JATS nor GROBID's TEI: its root is <{local_name(root)}>."
    raise UnreadableFile("not_jats", what, hint=_HINT)


def _replace_entities(root: Element) -> None:
    """Write the characters for entities that only the DTD defines, by HTML's names, which are ISO's; else a mark."""
    for node in list(root.iter(etree.Entity)):
        parent, before = node.getparent(), node.getprevious()
        if parent is None:
            continue
        character = html5.get(f"{str(node.text).strip('&;')};", FORMULA) + (node.tail or "")
        if before is None:
            parent.text = (parent.text or "") + character
        else:
            before.tail = (before.tail or "") + character
        parent.remove(node)


def _sections(article: Element) -> Iterator[Section]:
    language = _language(article)
    for abstract in article.iterfind("{*}front/{*}article-meta/{*}abstract"):
        if _OTHER_ABSTRACTS.fullmatch(abstract.get("abstract-type", "")) or _language(abstract, language) != language:
            continue
        yield from _division(abstract, SectionKind.ABSTRACT, ("Abstract",), is_titled=True)
    for abstract in article.iterfind("{*}fm/{*}abs"):
        yield from _division(abstract, SectionKind.ABSTRACT, ("Abstract",), is_titled=True)
    for body in (*article.iterfind("{*}body"), *article.iterfind("{*}bdy")):
        yield from _division(body, SectionKind.BODY, ())
    for back in (*article.iterfind("{*}back"), *article.iterfind("{*}bm")):
        for part in back:
            if local_name(part) in ("app", "app-group", "sec"):
                yield from _division(part, SectionKind.ANNEX, ())


def _language(element: Element, default: str = "en") -> str:
    return element.get("{http://www.w3.org/XML/1998/namespace}lang", default)[:2].lower()


def _division(
    division: Element, kind: SectionKind, path: tuple[str, ...], *, is_titled: bool = False
) -> Iterator[Section]:
    """The division's paragraphs as sections, in the order of its subdivisions; nothing under headings of back matter.

    path: the titles above it. is_titled: the last of them is its own, whatever its title is.
    """
    if _SECTION_TYPES.match(division.get("sec-type", "")) or division.get("specific-use") == "hidden":
        return
    title = _title(division)
    heading_kind = section_kind(title) if title else kind
    if heading_kind is None:
        return
    if heading_kind is SectionKind.ANNEX:
        kind = SectionKind.ANNEX
    is_said = bool(path) and heading_kind is SectionKind.ABSTRACT and (is_titled or title == path[-1])
    if title and not is_said:
        path = (*path, title)
    paragraphs: list[Paragraph] = []
    after_break = skips = False
    for child in division:
        name = local_name(child)
        if name == "p":
            found = list(read_pieces(child))
            for piece in found:
                if piece.heading:  # a heading of its own kind, until the next one
                    skips = section_kind(piece.heading) is None
                text = "" if _ONLY_FORMULAS.fullmatch(piece.text) else piece.text
                if text and not skips:
                    paragraphs.append(Paragraph(text, after_break=after_break or piece.after_break))
                    after_break = False
                after_break = after_break or not text or skips
            after_break = after_break or not found or _ends_with_block(child)
        elif name in _GROUPS:
            if paragraphs:
                yield Section(PATH_SEPARATOR.join(path), tuple(paragraphs), kind)
                paragraphs = []
            yield from _division(child, kind, path)
            after_break = True
        elif name in BLOCKS or (name == "table-wrap" and child.get("position") == "anchor"):
            after_break = True
    if paragraphs:
        yield Section(PATH_SEPARATOR.join(path), tuple(paragraphs), kind)


def _ends_with_block(paragraph: Element) -> bool:
    return bool(len(paragraph)) and local_name(paragraph[-1]) in BLOCKS and not (paragraph[-1].tail or "").strip()


def _title(division: Element) -> str:
    for child in division:
        if local_name(child) in ("title", "st"):
            return flat_text(child)[:_MAX_TITLE_LENGTH]
    return ""


def _kind_of_article(article: Element) -> str:
    """What the XML says it is, such as "a correction"."""
    kind = re.sub(r"[^a-z]+", " ", article.get("article-type", "").lower()).strip()[:60]
    if not kind or kind in ("other", "research article"):
        return "an article"
    return _ARTICLE_TYPES.get(kind) or f"{'an' if kind[0] in 'aeiou' else 'a'} {kind}"


def _no_text_hint(article: Element) -> str:
    if article.find("{*}body") is None and article.find("{*}bdy") is None:
        return "This XML holds only metadata; add the PDF."
    return "Its body has no paragraphs that count as prose."
