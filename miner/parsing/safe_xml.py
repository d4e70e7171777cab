"""Reads untrusted XML into a tree: nothing is fetched, no DTD loaded, no entity expanded, and sizes are limited."""

from __future__ import annotations

from typing import Any, TypeAlias

from lxml import etree

from miner.errors import UnreadableFile

MAX_BYTES = 64 * 1024 * 1024
MAX_ELEMENTS = 300_000

Element: TypeAlias = etree._Element


def xml_tree(content: bytes, *, what: str, hint: str, doctype: bool = False) -> Element:
    """The root of an XML document.

    doctype: whether it may name a DTD, as publishers' files do; it must not declare anything itself.
    `what` and `hint` name the kind of file, and what to do. `UnreadableFile` with code `too_large`, `doctype`,
    `too_deep` or `damaged` (not XML, or cut short).
    """
    # An element has one or two "<"; they are counted before parsing, so that the tree cannot fill the memory.
    if len(content) > MAX_BYTES or content.count(b"<") > 3 * MAX_ELEMENTS:
        raise too_large(what, hint)
    if b"<!ENTITY" in content or (not doctype and b"<!DOCTYPE" in content):
        raise _declares(what, hint, doctype=doctype)
    try:
        root = etree.fromstring(
            content,
            etree.XMLParser(
                resolve_entities=False,
                no_network=True,
                load_dtd=False,
                dtd_validation=False,
                attribute_defaults=False,
                huge_tree=False,
                recover=False,
                remove_comments=True,
                remove_pis=True,
            ),
        )
    except etree.XMLSyntaxError as exc:
        if "depth" in str(exc).lower():
            raise too_deep(hint) from exc
        if "XML_PARSE_HUGE" in str(exc):
            raise UnreadableFile(
                "too_large", "A piece of text in this XML is longer than any paper.", hint=hint
            ) from exc
        raise UnreadableFile(
            "damaged",
            f"This is not well-formed XML, or it is cut short: {exc.msg}.",
            hint="Make or download the file again.",
        ) from exc
    # In an encoding that hides the declarations from the searches above.
    declared: Any = root.getroottree().docinfo.internalDTD
    if declared is not None and (not doctype or declared.entities()):
        raise _declares(what, hint, doctype=doctype)
    return root


def too_large(what: str, hint: str) -> UnreadableFile:
    sizes = f"at most {MAX_BYTES >> 20} MB and {MAX_ELEMENTS:,} elements are read"
    return UnreadableFile("too_large", f"This {what} is too large: {sizes}.", hint=hint)


def too_deep(hint: str) -> UnreadableFile:
    return UnreadableFile("too_deep", "The XML is nested more than 256 levels deep, which no paper is.", hint=hint)


def _declares(what: str, hint: str, *, doctype: bool) -> UnreadableFile:
    if doctype:
        text = "The XML declares entities of its own, as no publisher's does; it is refused for safety."
    else:
        text = f"The XML has a DOCTYPE, which {what} never has; it is refused for safety."
    return UnreadableFile("doctype", text, hint=hint)
