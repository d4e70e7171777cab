"""CSL-JSON, as Zotero and others export it, and the JSON of Better BibTeX, whose entries are Zotero's own items.

The entries of an array are decoded one at a time, so that memory does not grow with the file, and a wrong one is
reported by its line.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

from miner.references.file_links import plain_links, split_files
from miner.references.names import authors, name_from_parts
from miner.references.reference import (
    BrokenEntry,
    Reference,
    References,
    check_number,
    plain_doi,
    plain_text,
    plain_year,
    split_keywords,
    unique,
)

FORMAT = "CSL-JSON"
_ITEMS = re.compile(r'"items"\s*:\s*\[')
_BETWEEN = re.compile(r"[\s,]*")
_NO_PAPERS = ("attachment", "note", "annotation")


def read_csl_json(text: str, on_part: Callable[[int, int], None]) -> References:
    """The entries of a file. `on_part` is called with the characters read, and all, and may raise to stop."""
    entries: list[Reference] = []
    failed: list[BrokenEntry] = []
    for number, (position, line, item) in enumerate(_items(text)):
        if number % 500 == 0:
            check_number(number)
            on_part(position, len(text))
        if isinstance(item, ValueError):
            failed.append(BrokenEntry(line, f"it is not JSON ({item}), so nothing behind it was read"))
        elif not isinstance(item, dict):
            failed.append(BrokenEntry(line, "it is not a JSON object"))
        elif item.get("itemType") not in _NO_PAPERS:
            entries.append(_reference(line, item))
    return References(FORMAT, tuple(entries), tuple(failed))


def _items(text: str) -> Iterator[tuple[int, int, Any]]:
    """Position, line and value of each item; a `ValueError` in its place ends the items."""
    decoder = json.JSONDecoder()
    start = _BETWEEN.match(text).end()  # type: ignore[union-attr]  # it matches anything
    if text[start : start + 1] == "{":
        items = _ITEMS.search(text)
        position = items.end() if items else start
    else:
        position = start + 1
    line, counted = 1, 0
    while True:
        position = _BETWEEN.match(text, position).end()  # type: ignore[union-attr]
        line += text.count("\n", counted, position)
        counted = position
        if text[position : position + 1] in ("]", ""):
            return
        try:
            item, end = decoder.raw_decode(text, position)
        except json.JSONDecodeError as exc:
            yield position, line, ValueError(f"{exc.msg} in line {exc.lineno:,}")
            return
        except (RecursionError, ValueError) as exc:
            yield position, line, ValueError(str(exc))
            return
        yield position, line, item
        position = end


def _reference(line: int, item: dict[str, Any]) -> Reference:
    def first(*names: str) -> str:
        return next((text for name in names if (text := plain_text(item.get(name)))), "")

    return Reference(
        line=line,
        key=first("citation-key", "citationKey", "id", "key"),
        title=first("title"),
        authors=authors(map(_name, _objects(item.get("author")) or _creators(item))),
        year=plain_year(_issued(item.get("issued")), first("date", "year")),
        doi=plain_doi(first("DOI", "doi"), first("URL", "url")),
        journal=first("container-title", "publicationTitle", "proceedingsTitle"),
        keywords=_keywords(item),
        files=_files(item),
    )


def _objects(value: object) -> list[dict[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _creators(item: dict[str, Any]) -> list[dict[str, Any]]:
    return [creator for creator in _objects(item.get("creators")) if creator.get("creatorType", "author") == "author"]


def _name(person: dict[str, Any]) -> str:
    def part(*names: str) -> str:
        return next((text for name in names if (text := plain_text(person.get(name)))), "")

    particle = part("non-dropping-particle", "dropping-particle")
    name = name_from_parts(part("family", "lastName"), part("given", "firstName"), part("suffix"), particle)
    return name or part("literal", "name")


def _issued(issued: object) -> str:
    if not isinstance(issued, dict):
        return plain_text(issued)
    parts = issued.get("date-parts")
    while isinstance(parts, list) and parts:
        parts = parts[0]
    return plain_text(parts) or plain_text(issued.get("raw")) or plain_text(issued.get("literal"))


def _keywords(item: dict[str, Any]) -> tuple[str, ...]:
    stated = item.get("keyword", item.get("keywords"))
    if isinstance(stated, str):
        return split_keywords(stated)
    if isinstance(stated, list):
        return unique(stated)
    tags = item.get("tags")
    listed = tags if isinstance(tags, list) else []
    return unique([tag.get("tag") if isinstance(tag, dict) else tag for tag in listed])


def _files(item: dict[str, Any]) -> tuple[str, ...]:
    links = [
        text
        for attachment in _objects(item.get("attachments"))
        for text in (attachment.get("path"), attachment.get("localPath"))
    ]
    stated = item.get("file")
    return plain_links([link for link in links if isinstance(link, str)]) or (
        split_files(stated) if isinstance(stated, str) else ()
    )
