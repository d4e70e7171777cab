"""Lines of S2ORC and peS2o as they are published, as the fields of papers that `miner.parsing.json_lines` reads.

S2ORC: one text with annotations by offsets (2023 and later), or paragraphs with spans (2020, and CORD-19). peS2o: plain
text whose lines are title, abstract, headings and paragraphs. Sources: https://github.com/allenai/s2orc and
https://huggingface.co/datasets/allenai/peS2o.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import Any, NamedTuple

from miner.parsing.tei_prose import is_superscript
from miner.records import FORMULA

_ABSTRACT = "Abstract"
_YEAR = re.compile(r"(1[5-9]\d\d|20\d\d)(?:-\d\d.*)?", re.DOTALL)
_LICENCE = re.compile(r"CC-?(BY|0)-?(NC)?-?(SA|ND)?", re.IGNORECASE)
_MAX_TITLE = 300  # characters
_MAX_HEADING = 100
_MAX_HEADING_WORDS = 12
_HEADING = re.compile(r"(?:[\dIVX]+(?:\.\d+)*\.?\s+)?[A-Z][^.!?;]*[^.!?;:,\s]")


class _Span(NamedTuple):
    start: int
    end: int
    attributes: dict[str, Any]


def published_fields(line: dict[str, Any]) -> dict[str, Any] | None:
    """The line's paper as fields of ours; None if the line is of neither corpus.

    `source` names the corpus and the paper's id there. `ValueError` says what is wrong with the line.
    """
    body = line.get("content", line.get("body"))
    if isinstance(body, dict) and isinstance(body.get("text"), str) and isinstance(body.get("annotations"), dict):
        return _annotated(line, body)
    parsed = line.get("pdf_parse") if isinstance(line.get("pdf_parse"), dict) else line
    if isinstance(parsed, dict) and isinstance(parsed.get("body_text"), list):
        return _paragraphed(line, parsed)
    is_document = "id" in line and any(isinstance(line.get(name), str) for name in ("source", "version", "created"))
    if is_document and isinstance(line.get("text"), str) and "sections" not in line:
        return _plain(line)
    return None


def _annotated(line: dict[str, Any], body: dict[str, Any]) -> dict[str, Any]:
    text, annotations = body["text"], body["annotations"]

    def spans(name: str) -> list[_Span]:
        return list(_spans(annotations.get(name), len(text)))

    titles = spans("title")
    abstracts, headings = spans("abstract"), spans("sectionheader")
    left_out = [*abstracts, *spans("figure"), *spans("table"), *spans("bibentry")]
    marks = [*((span, False) for span in spans("formula")), *((span, True) for span in spans("bibref"))]
    marks.sort(key=_place)
    mark_starts, heading_starts = [span.start for span, _ in marks], [span.start for span in headings]
    covered = _Cover(left_out)

    def marked(paragraph: _Span) -> str:
        first, last = bisect_left(mark_starts, paragraph.start), bisect_left(mark_starts, paragraph.end)
        return _marked(text, paragraph, marks[first:last])

    sections = [_section(_ABSTRACT, [marked(abstract) for abstract in abstracts])] if abstracts else []
    for paragraph in spans("paragraph"):
        if paragraph.start in covered:
            continue
        above = bisect_left(heading_starts, paragraph.start) - 1
        heading = headings[above] if above >= 0 else None
        number = str(heading.attributes.get("n") or "") if heading else ""
        title = f"{number} {text[heading.start : heading.end]}".strip() if heading else ""
        if not sections or sections[-1]["title"] != title:
            sections.append(_section(title, []))
        sections[-1]["paragraphs"].append(marked(paragraph))
    venues, source = spans("venue"), body.get("source")
    access = _dict(line.get("openaccessinfo")) or _dict(_dict(source).get("oainfo"))
    return {
        "title": line.get("title") or (text[titles[0].start : titles[0].end] if titles else ""),
        "authors": _names(line.get("authors"))
        or _joined_names(text, spans("author"), [*spans("authorfirstname"), *spans("authorlastname")]),
        "year": _year(line.get("year") or line.get("publicationdate")),
        "doi": _doi(line),
        "license": _licence(access.get("license") or line.get("license")),
        "journal": line.get("venue") or (text[venues[0].start : venues[0].end] if venues else ""),
        "sections": sections,
        "source": f"S2ORC {line.get('corpusid', '')}".strip(),
    }


class _Cover:
    """The places that any of some spans covers."""

    def __init__(self, spans: Iterable[_Span]) -> None:
        ordered = sorted(spans, key=lambda span: span.start)
        self._starts = [span.start for span in ordered]
        self._ends = list(accumulate((span.end for span in ordered), max))

    def __contains__(self, place: int) -> bool:
        index = bisect_right(self._starts, place) - 1
        return index >= 0 and place < self._ends[index]


def _paragraphed(line: dict[str, Any], parsed: dict[str, Any]) -> dict[str, Any]:
    metadata = _dict(line.get("metadata"))
    sections: list[dict[str, Any]] = []
    for name in ("abstract", "body_text"):
        paragraphs = parsed.get(name)
        if isinstance(paragraphs, str):
            paragraphs = [{"text": paragraphs}]
        for paragraph in paragraphs if isinstance(paragraphs, list) else ():
            if not isinstance(paragraph, dict) or not isinstance(paragraph.get("text"), str):
                raise ValueError("a paragraph that is not text")
            title = _ABSTRACT if name == "abstract" else _heading(paragraph)
            if not sections or sections[-1]["title"] != title:
                sections.append(_section(title, []))
            text = paragraph["text"]
            marks = [(span, False) for span in _spans(paragraph.get("eq_spans"), len(text))]
            marks += [(span, True) for span in _spans(paragraph.get("cite_spans"), len(text))]
            sections[-1]["paragraphs"].append(_marked(text, _Span(0, len(text), {}), sorted(marks, key=_place)))
    given = line.get("paper_id") or line.get("corpusid") or ""
    return {
        "title": line.get("title") or metadata.get("title"),
        "authors": _names(line.get("authors") or metadata.get("authors")),
        "year": _year(line.get("year") or metadata.get("year")),
        "doi": _doi(line) or metadata.get("doi"),
        "license": _licence(line.get("license") or metadata.get("license")),
        "journal": line.get("journal") or line.get("venue") or metadata.get("journal") or metadata.get("venue"),
        "sections": sections,
        "source": f"S2ORC {given}".strip(),
    }


def _plain(line: dict[str, Any]) -> dict[str, Any]:
    """A document of peS2o. Headings are told by their shape."""
    metadata = _dict(line.get("metadata"))
    lines = [text for raw in line["text"].split("\n") if (text := raw.strip())]
    title = metadata.get("title")
    if lines and len(lines) > 1 and len(lines[0]) <= _MAX_TITLE:
        title = title or lines[0]
        lines = lines[1:]
    sections = [_section(_ABSTRACT, [])]
    for number, text in enumerate(lines):
        if number + 1 < len(lines) and _is_heading(text):
            sections.append(_section(text, []))
        else:
            sections[-1]["paragraphs"].append(text)
    return {
        "title": title,
        "authors": _names(metadata.get("authors")),
        "year": _year(metadata.get("year") or line.get("created")),
        "doi": metadata.get("doi") or _doi(metadata),
        "license": _licence(metadata.get("license")),
        "journal": metadata.get("venue") or metadata.get("journal"),
        "sections": sections,
        "source": f"peS2o {line['id']}",
    }


def _is_heading(text: str) -> bool:
    return len(text) <= _MAX_HEADING and len(text.split()) <= _MAX_HEADING_WORDS and bool(_HEADING.fullmatch(text))


def _section(title: str, paragraphs: list[str]) -> dict[str, Any]:
    return {"title": title, "paragraphs": paragraphs}


def _heading(paragraph: dict[str, Any]) -> str:
    number, title = paragraph.get("sec_num"), paragraph.get("section")
    named = title.replace(" ::: ", " / ").replace("::", " / ") if isinstance(title, str) else ""
    return f"{number} {named}".strip() if isinstance(number, str) else named


def _spans(value: object, length: int) -> Iterator[_Span]:
    """The valid spans of an annotation, which is a list, or a string of one; in the order of the text."""
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError) as exc:
            raise ValueError("an annotation that is not JSON") from exc
    found = []
    for item in value if isinstance(value, list) else ():
        if not isinstance(item, dict):
            continue
        start, end = item.get("start"), item.get("end")
        if isinstance(start, str) and isinstance(end, str) and start.isdecimal() and end.isdecimal():
            start, end = int(start[:9]), int(end[:9])
        if isinstance(start, int) and isinstance(end, int) and 0 <= start < end <= length:
            found.append(_Span(start, end, _dict(item.get("attributes"))))
    yield from sorted(found, key=lambda span: (span.start, span.end))


def _place(mark: tuple[_Span, bool]) -> tuple[int, int]:
    return mark[0].start, mark[0].end


def _marked(text: str, paragraph: _Span, marks: Sequence[tuple[_Span, bool]]) -> str:
    """The paragraph's text, with `FORMULA` for formulas and without citations that were printed as superscripts."""
    pieces, at = [], paragraph.start
    for span, is_citation in marks:
        if span.start < at or span.end > paragraph.end:
            continue
        content, before = text[span.start : span.end], text[max(paragraph.start, span.start - 200) : span.start]
        if is_citation and not is_superscript(content, before):
            continue
        pieces += [text[at : span.start], "" if is_citation else FORMULA]
        at = span.end
    return "".join([*pieces, text[at : paragraph.end]])


def _joined_names(text: str, authors: Sequence[_Span], parts: Iterable[_Span]) -> list[str]:
    """The names of authors by their parts, as an author's span has affiliations too."""
    starts = [author.start for author in authors]
    names: list[list[str]] = [[] for _ in authors]
    for part in sorted(parts, key=lambda span: span.start):
        index = bisect_right(starts, part.start) - 1
        if index >= 0 and part.end <= authors[index].end:
            names[index].append(text[part.start : part.end])
    return [" ".join(name) for name in names if name]


def _names(value: object) -> list[str]:
    """Names from texts, or from objects with a name or its parts."""
    names = []
    for author in value if isinstance(value, list) else ():
        if isinstance(author, str):
            names.append(author)
        elif isinstance(author, dict):
            middle = author.get("middle")
            parts = [author.get("first"), *(middle if isinstance(middle, list) else [middle]), author.get("last")]
            parts.append(author.get("suffix"))
            name = author.get("name") or " ".join(part for part in parts if isinstance(part, str) and part)
            names += [name] if isinstance(name, str) and name else []
    return names


def _doi(line: dict[str, Any]) -> str | None:
    ids = {**_dict(line.get("externalids")), **_dict(line.get("externalIds")), **line}
    found = next((ids[name] for name in ("doi", "DOI") if isinstance(ids.get(name), str)), None)
    return found or None


def _year(value: object) -> int | None:
    found = _YEAR.fullmatch(str(value or ""))
    return int(found[1]) if found else None


def _licence(value: object) -> str:
    """The licence as people write it; Semantic Scholar has "CCBYNC" or "cc-by-nc"."""
    text = value if isinstance(value, str) else ""
    found = _LICENCE.fullmatch(text.strip())
    return "-".join(["CC", *(part.upper() for part in found.groups() if part)]) if found else text


def _dict(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
