"""What a PDF's document information and its XMP packets say: of the paper, or of a template or picture in the file."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from miner.parsing.embedded.metadata.sources import Source
from miner.parsing.text import tidy

LICENCE_KEY = "License"  # of the document information; arXiv's own
_MAX_PACKETS = 500
_MAX_PACKET = 200_000  # bytes
_OPEN, _CLOSE = b"<rdf:RDF", b"</rdf:RDF>"
_TAGS = {
    "title": ("dc:title",),
    "authors": ("dc:creator",),
    "doi": ("prism:doi", "pdfx:doi", "crossmark:DOI", "dc:identifier"),
    "journal": ("prism:publicationName",),
    "date": ("prism:coverDate", "prism:publicationDate", "prism:coverDisplayDate"),
    "rights": ("dc:rights", "xmpRights:WebStatement", "xmpRights:UsageTerms", "prism:copyright"),
}
_NAMES = "|".join(name for names in _TAGS.values() for name in names)
# Each search ends at the next element, so that the time grows with the length of a hostile packet only.
_ELEMENT = re.compile(rf"<({_NAMES})\b[^<>]{{0,300}}(?<!/)>")
_ATTRIBUTE = re.compile(rf"\s({_NAMES})\s?=\s?(?:\"([^\"<]{{0,2000}})\"|'([^'<]{{0,2000}})')")
_HAS_ATTRIBUTE = re.compile(r"(?:dc|prism|pdfx|crossmark|xmpRights):\w{3,30}\s?=")
_MAX_VALUE = 10_000  # characters
_ITEM = re.compile(r"<rdf:li\b[^<>]{0,200}>([^<]{1,2000})")
_TAG = re.compile(r"<[^<>]{0,500}>")
_YEAR = re.compile(r"(?<!\d)(?:19[5-9]|20[0-4])\d(?!\d)")


@dataclass(frozen=True, slots=True)
class EmbeddedStatement:
    """What one source in the file says; empty where it says nothing. It is believed or rejected as a whole.

    rights: the texts that may name a licence. citation: a text that may hold the journal, the year and the DOI.
    """

    source: Source
    title: str = ""
    authors: tuple[str, ...] = ()
    doi: str = ""
    journal: str = ""
    year: int | None = None
    rights: str = ""
    citation: str = ""


def read_statements(pdf: bytes, document_info: Mapping[str, str]) -> list[EmbeddedStatement]:
    """The document information first, then the different XMP packets in the order of the file."""
    info = {key: decode(value) for key, value in document_info.items()}
    statements = [
        EmbeddedStatement(
            Source.INFO,
            info.get("Title", ""),
            (info["Author"],) if info.get("Author") else (),
            rights=info.get(LICENCE_KEY, ""),
            citation=info.get("Subject", ""),
        )
    ]
    return statements + list(dict.fromkeys(filter(None, map(_read_packet, _packets(pdf)))))


def decode(text: str) -> str:
    """The text with character references resolved, also those that were escaped twice ("&amp;#x2010;")."""
    return tidy(html.unescape(html.unescape(text))) if "&" in text else tidy(text)


def _packets(pdf: bytes) -> Iterator[str]:
    """The XMP packets that are not compressed, as a catalogue's rarely are."""
    at = 0
    for _ in range(_MAX_PACKETS):
        start = pdf.find(_OPEN, at)
        if start < 0:
            return
        end = pdf.find(_CLOSE, start, start + _MAX_PACKET)
        if end < 0:
            at = start + len(_OPEN)
            continue
        yield pdf[start:end].decode("utf-8", "replace")
        at = end


def _read_packet(packet: str) -> EmbeddedStatement | None:
    values: dict[str, list[str]] = {}
    for match in _ELEMENT.finditer(packet):
        end = packet.find(f"</{match[1]}>", match.end(), match.end() + _MAX_VALUE)
        if end >= 0:
            content = packet[match.end() : end]
            values.setdefault(match[1], [decode(item) for item in _ITEM.findall(content)] or [_plain(content)])
    for match in _ATTRIBUTE.finditer(packet) if _HAS_ATTRIBUTE.search(packet) else ():
        values.setdefault(match[1], [decode(match[2] or match[3] or "")])
    said = {
        field: [value for name in names for value in values.get(name, ()) if value] for field, names in _TAGS.items()
    }
    if not any(said.values()):
        return None
    date = _YEAR.search(" ".join(said["date"]))
    return EmbeddedStatement(
        Source.XMP,
        next(iter(said["title"]), ""),
        tuple(said["authors"]),
        next((doi for doi in said["doi"] if "10." in doi), ""),
        next(iter(said["journal"]), ""),
        int(date[0]) if date else None,
        " ".join(said["rights"]),
    )


def _plain(content: str) -> str:
    return decode(_TAG.sub(" ", content))
