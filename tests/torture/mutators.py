"""Changes files as nobody would write them: byte by byte, word by word, and along their structure.

Each takes bytes that a reader accepts, and a generator of random numbers; the same numbers make the same file.
"""

from __future__ import annotations

import copy
import gzip
import io
import json
import random
import re
import struct
import sys
import tarfile
import zipfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from lxml import etree

Mutator = Callable[[bytes, random.Random], bytes]

NUMBERS = (
    *("0", "-1", "1", "255", "256", "65536", "2147483647", "2147483648", "-2147483649", "4294967296"),
    *("9223372036854775807", "9223372036854775808", "18446744073709551616", "1e308", "1e309", "-1e999", "1e-400"),
    *("NaN", "Infinity", "-0.0", "0x7f", "1_000", "٣", "9" * 400, "9" * 5_000, "2026-13-45", "0001-01-01T00:00:00Z"),
)
TEXTS = (
    *(
        "",
        " ",
        "\0",
        "a\0b",
        "\ufeff",
        "\ufffe",
        "\uffff",
        "\u202e",
        "\u200b" * 50,
        "é" * 3,
        "e\u0301",
        "𝔘𝔫𝔦",
        "\x1b[31m",
    ),
    *(
        "../../../../etc/passwd",
        "/etc/passwd",
        "C:\\CON",
        "\\\\host\\share",
        "file:///etc/passwd",
        "http://127.0.0.1:9/",
    ),
    *("<b>x</b>", "&amp;", "]]>", "<!--", "%s%n", "{0}", "${x}", "=1+1", "'; DROP TABLE pairs; --", "a" * 70_000),
    *("\r\n", "\n" * 2_000, '"', '""', ",", "\t", "\\", "\\u0000", "\\ud800", "nan", "null", "true", "(((((", "[" * 60),
)
BYTES = (
    b"\0",
    b"\xff",
    b"\xff\xfe",
    b"\xfe\xff",
    b"\xef\xbb\xbf",
    b"\xed\xa0\x80",
    b"\xc3",
    b"\xf8\x88\x80",
    b"\x1f\x8b",
)
_TOKEN = re.compile(rb"[A-Za-z_:.-]+|\d+(?:\.\d+)?|\"[^\"]*\"|[^\w\s]")
_NUMBER = re.compile(rb"-?\d+(?:\.\d+)?")
_DEPTHS = (10, 100, 300, 1_000, 5_000, 100_000)


def any_of(*mutators: Mutator, again: float = 0.4) -> Mutator:
    """One of the mutators, and with this probability another one on top."""

    def mutate(data: bytes, draw: random.Random) -> bytes:
        data = draw.choice(mutators)(data, draw)
        while draw.random() < again and len(data) < 500_000:
            data = draw.choice(mutators)(data, draw)
        return data

    return mutate


def change_bytes(data: bytes, draw: random.Random) -> bytes:
    """Bits, bytes and pieces set, dropped, doubled, moved or cut off."""
    changed = bytearray(data)
    for _ in range(draw.choice((1, 1, 2, 5, 30))):
        at = draw.randrange(len(changed) + 1)
        size = min(len(changed) - at, draw.choice((1, 2, 4, 16, 200, 5_000)))
        match draw.randrange(8):
            case 0 if size:
                changed[at] ^= 1 << draw.randrange(8)
            case 1 if size:
                changed[at] = draw.randrange(256)
            case 2:
                del changed[at : at + size]
            case 3:
                changed[at:at] = changed[at : at + size] * draw.choice((1, 3, 50))
            case 4:
                changed[at:at] = draw.choice(BYTES) * draw.choice((1, 1, 100))
            case 5:
                to = draw.randrange(len(changed) + 1)
                changed[to:to] = changed[at : at + size]
            case 6:
                changed[at : at + 4] = struct.pack("<I", draw.choice((0, 1, 0x7FFFFFFF, 0xFFFFFFFF, 0x10000)))
            case _ if draw.random() < 0.2:
                del changed[at:]
    return bytes(changed)


def change_tokens(data: bytes, draw: random.Random) -> bytes:
    """Words, numbers and signs replaced by extreme ones, or by others of the file."""
    tokens = list(_TOKEN.finditer(data))
    if not tokens:
        return change_bytes(data, draw)
    pieces = bytearray(data)
    for token in sorted(draw.sample(tokens, min(len(tokens), draw.choice((1, 1, 2, 4)))), key=lambda one: -one.start()):
        new: bytes
        if _NUMBER.fullmatch(token[0]) and draw.random() < 0.7:
            new = draw.choice(NUMBERS).encode()
        elif draw.random() < 0.5:
            new = draw.choice(TEXTS).encode("utf-8", "surrogatepass")
        else:
            new = draw.choice(tokens)[0] * draw.choice((0, 1, 1, 2, 500))
        pieces[token.start() : token.end()] = new
    return bytes(pieces)


def change_encoding(data: bytes, draw: random.Random) -> bytes:
    """The same text in another encoding, or in two."""
    text = data.decode("utf-8", "replace")
    name = draw.choice(("utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-7", "latin-1", "cp1252", "cp037", "gb18030"))
    other = text.encode(name, "replace")
    if draw.random() < 0.3:
        return data[: len(data) // 2] + other[len(other) // 2 :]
    return other


def nest(opening: bytes, closing: bytes) -> Mutator:
    """Brackets within brackets, far too deep, at any place."""

    def mutate(data: bytes, draw: random.Random) -> bytes:
        at, depth = draw.randrange(len(data) + 1), draw.choice(_DEPTHS)
        return data[:at] + opening * depth + closing * (depth if draw.random() < 0.7 else 0) + data[at:]

    return mutate


def compress(data: bytes, draw: random.Random) -> bytes:
    """Zipped, cut off, twice, or with a bomb behind it."""
    match draw.randrange(5):
        case 0:
            return gzip.compress(data)
        case 1:
            return gzip.compress(data)[: -draw.randrange(1, 20)]
        case 2:
            return gzip.compress(gzip.compress(data))
        case 3:
            return gzip.compress(data + b" " * 20_000_000)
        case _:
            return change_bytes(gzip.compress(data), draw)


# JSON


def change_json(data: bytes, draw: random.Random) -> bytes:
    """Values of a JSON text, or of a line of it, replaced, dropped, doubled, renamed and nested."""
    lines = data.splitlines() if data.count(b"\n{") else [data]
    at = draw.randrange(len(lines)) if lines else 0
    try:
        tree = json.loads(lines[at])
    except (ValueError, RecursionError, IndexError):
        return change_tokens(data, draw)
    for _ in range(draw.choice((1, 1, 2, 4))):
        tree = change_values(tree, draw)
    lines[at] = _dumped(tree, draw)
    return b"\n".join(lines)


def change_values(tree: Any, draw: random.Random) -> Any:
    """The tree of a JSON or TOML text with one thing changed, somewhere."""
    places = list(_places(tree))
    if not places:
        return extreme_value(draw)
    holder, key = draw.choice(places)
    match draw.randrange(8):
        case 0:
            del holder[key]
        case 1 if isinstance(holder, dict):
            holder[draw.choice([*TEXTS[:20], *map(str, holder)])] = holder.pop(key)
        case 2 if isinstance(holder, list):
            holder[key:key] = [holder[key]] * draw.choice((1, 10, 1_000))
        case 3:
            other, name = draw.choice(places)
            with suppress(KeyError, IndexError):
                holder[key] = json.loads(json.dumps(other[name]))
        case 4:
            holder[key] = [holder[key]] if draw.random() < 0.5 else {"a": holder[key]}
        case 5 if isinstance(holder[key], str):
            at = draw.randrange(len(holder[key]) + 1)
            holder[key] = holder[key][:at] + draw.choice((*TEXTS, "\ud800", "\udfff")) + holder[key][at:]
        case _:
            holder[key] = extreme_value(draw)
    return tree


def extreme_value(draw: random.Random) -> Any:
    """A value that no reader expects."""
    deep: Any = 1
    for _ in range(draw.choice((0, 0, 0, 5, 400))):
        deep = [deep]
    numbers = (0, -1, 1, 2**31, 2**63, -(2**63) - 1, 2**64, 10**400, 0.5, 1e308, float("inf"), float("nan"), -0.0)
    return draw.choice((None, True, False, [], {}, "", deep, {"": {}}, *numbers, *TEXTS, *NUMBERS, "\ud800", "\udc80x"))


def _places(tree: Any, depth: int = 0) -> list[tuple[Any, Any]]:
    """Each place that a value stands at: its holder, and the key or index there."""
    if depth > 30 or not isinstance(tree, (dict, list)):
        return []
    found: list[tuple[Any, Any]] = []
    for key, value in list(tree.items() if isinstance(tree, dict) else enumerate(tree))[:300]:
        found += [(tree, key), *_places(value, depth + 1)]
    return found


def _dumped(tree: Any, draw: random.Random) -> bytes:
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        return json.dumps(tree, ensure_ascii=draw.random() < 0.5).encode("utf-8", "surrogatepass")
    finally:
        sys.set_int_max_str_digits(before)


# XML


def change_xml(data: bytes, draw: random.Random) -> bytes:
    """Elements dropped, doubled, moved, renamed, nested; values and texts replaced."""
    try:
        root = etree.fromstring(data, etree.XMLParser(resolve_entities=False, recover=True, huge_tree=True))
    except (etree.XMLSyntaxError, ValueError):
        return change_tokens(data, draw)
    if root is None:
        return change_tokens(data, draw)
    for _ in range(draw.choice((1, 1, 2, 5))):
        elements = [one for one in root.iter() if isinstance(one.tag, str)]
        with suppress(ValueError, TypeError, AssertionError):  # what lxml itself does not write
            _change_element(draw.choice(elements), elements, draw)
    xml = etree.tostring(root)
    if draw.random() < 0.15:
        xml = draw.choice(_PROLOGUES) + xml
    return xml


_PROLOGUES = (
    b'<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]>',
    b'<!DOCTYPE a SYSTEM "http://127.0.0.1:9/x.dtd">',
    b'<!DOCTYPE a [<!ENTITY b "bbbbbbbbbb"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;"><!ENTITY d "&c;&c;&c;&c;&c;&c;">]>',
    b'<?xml version="1.0" encoding="UTF-16"?>',
    b'<?xml version="1.1" encoding="x-none"?>',
    b"<?xml-stylesheet href='file:///etc/passwd'?>",
    b"\xef\xbb\xbf",
)


def _change_element(element: Any, elements: Sequence[Any], draw: random.Random) -> None:
    parent, other = element.getparent(), draw.choice(elements)
    match draw.randrange(9):
        case 0 if parent is not None:
            parent.remove(element)
        case 1 if parent is not None:
            for _ in range(draw.choice((1, 5, 300))):
                parent.append(copy.deepcopy(element))
        case 2 if element is not other and element not in other.iterancestors():
            element.append(other)
        case 3:
            element.tag = draw.choice((other.tag, "p", "{http://www.w3.org/1999/xhtml}b", "x"))
        case 4:
            for name in list(element.attrib) or ["coords"]:
                element.set(name, draw.choice((*NUMBERS, *TEXTS, "1,2,3;4,5;", "#b1 #b2")))
        case 5:
            for name in ("coords", "n", "type", "xml:lang", "target", "when", "rid"):
                element.set(name.replace("xml:", "{http://www.w3.org/XML/1998/namespace}"), draw.choice(NUMBERS))
        case 6:
            inner = element
            for _ in range(draw.choice((10, 200, 1_000))):
                inner = etree.SubElement(inner, draw.choice((element.tag, other.tag)))
            inner.text = "deep"
        case 7:
            element.tail = draw.choice((*TEXTS, *NUMBERS))
        case _:
            element.text = draw.choice((*TEXTS, *NUMBERS))


# Files of other forms


def change_archive(data: bytes, draw: random.Random) -> bytes:
    """A zip, tar or gzip of this content under any name, with any size said; or a bomb."""
    name = draw.choice(
        ("paper.pdf", "a/b.nxml", "../../out.xml", "/etc/x.xml", "a" * 60_000 + ".pdf", "", "\0.pdf", "x.zip")
    )
    content = data if draw.random() < 0.6 else b"\0" * draw.choice((0, 10, 3_000_000, 30_000_000))
    made = io.BytesIO()
    if draw.random() < 0.5:
        with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive, suppress(ValueError, struct.error):
            for number in range(draw.choice((1, 1, 3, 200))):
                entry = zipfile.ZipInfo(f"{number or ''}{name[:60_000]}")
                archive.writestr(entry, content if made.tell() < 1_000_000 else b"")
    else:
        with tarfile.open(fileobj=made, mode=draw.choice(("w", "w:gz", "w:bz2", "w:xz"))) as archive:
            member = tarfile.TarInfo(name.replace("\0", "0"))
            member.size, member.type = len(content), draw.choice((b"0", b"0", b"0", b"2", b"5", b"x", b"L", b"S"))
            archive.addfile(member, io.BytesIO(content))
    return made.getvalue() if draw.random() < 0.4 else change_bytes(made.getvalue(), draw)


def change_tensors(data: bytes, draw: random.Random) -> bytes:
    """The header of a safetensors file: its length, or a value of it."""
    length = int.from_bytes(data[:8], "little")
    header = change_json(data[8 : 8 + length], draw)
    said = len(header) if draw.random() < 0.8 else draw.choice((0, 1, 2**31, 2**63, 2**64 - 1))
    return said.to_bytes(8, "little") + header + data[8 + length :]
