"""Parses GROBID's TEI into papers: safely, since the XML is untrusted, and only the prose that counts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from lxml import etree

from miner.errors import UnreadableFile
from miner.parsing.files import Hashes, hash_content
from miner.parsing.licences import find_licence
from miner.parsing.parse_ranks import GROBID
from miner.parsing.safe_xml import MAX_ELEMENTS, Element, too_deep, too_large, xml_tree
from miner.parsing.section_kinds import section_kind
from miner.parsing.tei_prose import flat_text, local_name, read_paragraph
from miner.records import METADATA, FieldSource, Paper, Paragraph, Section, SectionKind
from miner.versions import TEI_VERSION

_REMAKE_HINT = "Make the TEI again with GROBID, or add the PDF."
MAX_DEPTH = 256
_MAX_TITLE_LENGTH = 300  # characters; longer headings are prose by mistake

_TEI = "{http://www.tei-c.org/ns/1.0}"
_BREAKS = {"formula", "list", "table", "quote"}  # text does not continue across them; figures and notes only float


@dataclass(frozen=True, slots=True)
class GrobidApplication:
    """The version and parameters of the GROBID that made a TEI, by the TEI itself; "" where it does not say."""

    version: str = ""
    revision: str = ""
    parameters: str = ""


def parse_tei(tei: bytes, known: Hashes | None = None) -> Paper:
    """The paper in a TEI document: metadata, and abstract, body and annex; sentences are not split yet.

    The paper's MD5 is that of the PDF in the TEI's header, or of the TEI where it names none. `known`: the hashes of
    the TEI, if the caller has them. `UnreadableFile` as `safe_tree`, and `no_text` where no paragraph has text.
    """
    root = safe_tree(tei)
    header = root.find(f"{_TEI}teiHeader")
    sections = tuple(_sections(root))
    if not sections:
        raise UnreadableFile(
            "no_text", "No text recognised.", hint="If the PDF is a scan, run OCR on it and add it again."
        )
    grobid = grobid_application(root)
    version = " ".join(filter(None, (grobid.version or "unknown", grobid.revision)))
    identity = known or hash_content(tei)
    paper = Paper(
        md5=pdf_md5(root) or identity.md5,
        sha256=identity.sha256,
        title=_title(header),
        authors=tuple(_authors(header)),
        year=_year(header),
        doi=_doi(header),
        pages=len(root.findall(f"{_TEI}facsimile/{_TEI}surface")) or None,
        parser=GROBID,
        parser_version=f"{version}, reader {TEI_VERSION}",
        licence=_licence(header),
        journal=_journal(header),
        sections=sections,
    )
    found = [field for field in METADATA if getattr(paper, field)]
    return replace(paper, sources=tuple(FieldSource(field, "GROBID") for field in found))


def safe_tree(tei: bytes) -> Element:
    """The root of an untrusted TEI document. Nothing is fetched, no entity is expanded.

    `UnreadableFile` with code `too_large`, `doctype`, `too_deep`, `damaged` (not XML, or cut short) or `not_tei`.
    """
    root = xml_tree(tei, what="TEI", hint=_REMAKE_HINT)
    if root.tag != f"{_TEI}TEI":
        raise UnreadableFile(
            "not_tei", f"This is XML but not TEI: its root is <{etree.QName(root).localname}>.", hint=_REMAKE_HINT
        )
    _check_size(root)
    return root


def pdf_md5(root: Element) -> str | None:
    """The MD5 of the PDF that the TEI was made from, lower-case hex; None where the TEI does not say."""
    for idno in root.iterfind(f"{_TEI}teiHeader/{_TEI}fileDesc/{_TEI}sourceDesc//{_TEI}idno[@type='MD5']"):
        value = (idno.text or "").strip().lower()
        if re.fullmatch(r"[0-9a-f]{32}", value):
            return value
    return None


def grobid_application(root: Element) -> GrobidApplication:
    element = root.find(f"{_TEI}teiHeader//{_TEI}appInfo/{_TEI}application[@ident='GROBID']")
    if element is None:
        return GrobidApplication()
    labels = {label.get("type"): (label.text or "").strip() for label in element.iterfind(f"{_TEI}label")}
    return GrobidApplication(element.get("version", ""), labels.get("revision", ""), labels.get("parameters", ""))


def _check_size(root: Element) -> None:
    depth = elements = 0
    for event, _ in etree.iterwalk(root, events=("start", "end")):
        depth += 1 if event == "start" else -1
        elements += event == "start"
        if depth > MAX_DEPTH:
            raise too_deep(_REMAKE_HINT)
        if elements > MAX_ELEMENTS:
            raise too_large("TEI", _REMAKE_HINT)


def _sections(root: Element) -> Iterator[Section]:
    for abstract in root.iterfind(f"{_TEI}teiHeader/{_TEI}profileDesc/{_TEI}abstract"):
        yield from _division(abstract, SectionKind.ABSTRACT, "Abstract")
    for body in root.iterfind(f"{_TEI}text/{_TEI}body"):
        yield from _division(body, SectionKind.BODY, "")
    for annex in root.iterfind(f"{_TEI}text/{_TEI}back/{_TEI}div[@type='annex']"):
        yield from _division(annex, SectionKind.ANNEX, "")


def _division(division: Element, kind: SectionKind, title: str) -> Iterator[Section]:
    """The division's own paragraphs as a section, then its subdivisions; nothing under a heading of back matter.

    GROBID sometimes puts funding, contributions and similar sections into the body or an annex.
    """
    paragraphs: list[Paragraph] = []
    after_break = False
    subdivisions: list[Element] = []
    for child in division:
        name = local_name(child)
        if name == "head" and not paragraphs:
            title = flat_text(child)[:_MAX_TITLE_LENGTH] or title
            heading_kind = section_kind(title)
            if heading_kind is None:
                return
            if heading_kind is SectionKind.ANNEX:
                kind = SectionKind.ANNEX
        elif name == "p":
            child_paragraph = read_paragraph(child, after_break=after_break)
            if child_paragraph is not None:
                paragraphs.append(child_paragraph)
            after_break = child_paragraph is None
        elif name == "div":
            subdivisions.append(child)
        after_break = after_break or name in _BREAKS
    if paragraphs:
        yield Section(title, tuple(paragraphs), kind)
    for child in subdivisions:
        yield from _division(child, kind, title)


def _title(header: Element | None) -> str:
    if header is None:
        return ""
    titles = header.findall(f"{_TEI}fileDesc/{_TEI}titleStmt/{_TEI}title")
    main = [title for title in titles if title.get("type") == "main"] or titles
    return flat_text(main[0]) if main else ""


def _authors(header: Element | None) -> Iterator[str]:
    if header is None:
        return
    for name in header.iterfind(
        f"{_TEI}fileDesc/{_TEI}sourceDesc/{_TEI}biblStruct/{_TEI}analytic/{_TEI}author/{_TEI}persName"
    ):
        parts = [flat_text(part) for part in name if local_name(part) in ("forename", "surname")]
        if any(parts):
            yield " ".join(filter(None, parts))


def _year(header: Element | None) -> int | None:
    if header is None:
        return None
    description = f"{_TEI}fileDesc/"
    for path in (
        f"{_TEI}publicationStmt/{_TEI}date",
        f"{_TEI}sourceDesc/{_TEI}biblStruct/{_TEI}monogr/{_TEI}imprint/{_TEI}date",
    ):
        for date in header.iterfind(description + path):
            year = re.match(r"(?:1[5-9]|20)\d\d(?!\d)", date.get("when", ""))
            if year and date.get("type", "published") == "published":
                return int(year[0])
    for idno in header.iterfind(f"{description}{_TEI}sourceDesc/{_TEI}biblStruct/{_TEI}idno[@type='arXiv']"):
        submitted = re.search(r"\b(\d\d)\d\d\.\d{4}", idno.text or "")
        if submitted:
            return 2000 + int(submitted[1])
    return None


def _doi(header: Element | None) -> str | None:
    if header is None:
        return None
    idno = header.find(f"{_TEI}fileDesc/{_TEI}sourceDesc/{_TEI}biblStruct/{_TEI}idno[@type='DOI']")
    value = re.search(r"10\.\d{4,9}/\S+", (idno.text or "") if idno is not None else "")
    return value[0] if value else None


def _journal(header: Element | None) -> str:
    if header is None:
        return ""
    title = header.find(f"{_TEI}fileDesc/{_TEI}sourceDesc/{_TEI}biblStruct/{_TEI}monogr/{_TEI}title[@level='j']")
    return flat_text(title) if title is not None else ""


def _licence(header: Element | None) -> str:
    """The licence in the header's `availability`, by its text or the address of its `licence`."""
    element = None if header is None else header.find(f"{_TEI}fileDesc/{_TEI}publicationStmt/{_TEI}availability")
    if element is None:
        return ""
    targets = " ".join(licence.get("target", "") for licence in element.iterfind(f"{_TEI}licence"))
    return find_licence(f"{targets} {flat_text(element)}")
