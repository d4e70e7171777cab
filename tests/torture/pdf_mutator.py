"""Changes PDFs along their structure: their objects, and the words of their streams."""

from __future__ import annotations

import random
import re
import zlib
from collections.abc import Sequence
from contextlib import suppress

from tests.torture.mutators import change_bytes, change_tokens, nest

_OBJECT = re.compile(rb"(\d+ \d+ obj\b)(.*?)(endobj)", re.S)
_STREAM = re.compile(rb"(.*?)stream\r?\n(.*?)\r?\n?endstream", re.S)
_WORDS = (
    *(b"/Kids", b"/Parent", b"/Contents", b"/Resources", b"/Font", b"/Encoding", b"/ToUnicode", b"/Widths", b"/Length"),
    *(
        b"/FirstChar",
        b"/LastChar",
        b"/MediaBox",
        b"/Rotate",
        b"/Filter",
        b"/FlateDecode",
        b"/LZWDecode",
        b"/DecodeParms",
    ),
    *(
        b"/Predictor",
        b"/Columns",
        b"/Subtype",
        b"/Type3",
        b"/Type0",
        b"/TrueType",
        b"/CIDFontType2",
        b"/DescendantFonts",
    ),
    *(
        b"/CharProcs",
        b"/FontMatrix",
        b"/XObject",
        b"/Form",
        b"/Image",
        b"/Annots",
        b"/StructParents",
        b"/ObjStm",
        b"/N",
    ),
    *(b"/Differences", b"/FontDescriptor", b"/FontFile2", b"/W", b"/DW", b"/CIDToGIDMap", b"/Identity-H", b"/UserUnit"),
    *(
        b"BT",
        b"ET",
        b"Tj",
        b"TJ",
        b"Tf",
        b"Td",
        b"Tm",
        b"Tr",
        b"Tz",
        b"Ts",
        b"Tw",
        b"Tc",
        b"cm",
        b"q",
        b"Q",
        b"Do",
        b"re",
    ),
    *(
        b"f",
        b"W n",
        b"BI",
        b"ID",
        b"EI",
        b"sh",
        b"gs",
        b"BMC",
        b"EMC",
        b"BDC",
        b"null",
        b"<<",
        b">>",
        b"[",
        b"]",
        b"(",
        b")",
    ),
)


def change_pdf(data: bytes, draw: random.Random) -> bytes:
    """Objects, dictionaries, references and streams of a PDF changed; its table of objects as it was, new, or none."""
    found = list(_OBJECT.finditer(data))
    if not found:
        return change_bytes(data, draw)
    bodies = [one[2] for one in found]
    for _ in range(draw.choice((1, 1, 2, 3, 6))):
        at = draw.randrange(len(bodies))
        bodies[at] = _change_object(bodies[at], bodies, draw)
    if draw.random() < 0.3:  # a table of the old places
        end = found[-1].end()
        objects = b"".join(one[1] + body + b"endobj\n" for one, body in zip(found, bodies, strict=True))
        return data[: found[0].start()] + objects + data[end:]
    made, places = bytearray(data[: found[0].start()]), []
    for one, body in zip(found, bodies, strict=True):
        places.append((int(one[1].split()[0]), len(made)))
        made += one[1] + body + b"endobj\n"
    table, trailer = len(made), re.search(rb"trailer\s*<<.*?>>", data, re.S)
    made += b"xref\n" + b"".join(b"%d 1\n%010d 00000 n \n" % place for place in places)
    made += (trailer[0] if trailer else b"trailer <</Root 1 0 R>>") + b"\nstartxref\n%d\n%%%%EOF\n" % table
    return bytes(made)


def _change_object(body: bytes, bodies: Sequence[bytes], draw: random.Random) -> bytes:
    stream = _STREAM.match(body)
    if stream and draw.random() < 0.6:
        dictionary, content = stream[1], stream[2]
        is_packed = b"/FlateDecode" in dictionary and b"/ASCII85Decode" not in dictionary
        if is_packed:
            with suppress(zlib.error):
                content = zlib.decompressobj().decompress(content, 1_000_000)
        change = draw.choice((change_tokens, change_bytes, _change_words, _swap_words))
        content = change(content, draw)
        if is_packed and draw.random() < 0.9:
            content = zlib.compress(content)
        if draw.random() < 0.8:
            dictionary = re.sub(rb"/Length \d+(?! \d+ R)", b"/Length %d" % len(content), dictionary)
        return dictionary + b"stream\n" + content + b"\nendstream\n"
    match draw.randrange(6):
        case 0:
            return draw.choice(bodies)
        case 1:
            number = b"%d" % draw.randrange(len(bodies) + 3)
            return re.sub(rb"\d+ 0 R", number + b" 0 R", body, count=draw.choice((1, 1, 0)))
        case 2:
            return change_tokens(body, draw)
        case 3:
            return nest(draw.choice((b"[", b"<<", b"<</Kids[")), b"")(body, draw)
        case 4:
            return change_bytes(body, draw)
        case _:
            return _change_words(body, draw)


def _change_words(content: bytes, draw: random.Random) -> bytes:
    """PDF's own words in the place of others, or among them."""
    tokens = list(re.finditer(rb"/?[A-Za-z*']+", content))
    if not tokens:
        return content + draw.choice(_WORDS)
    changed = bytearray(content)
    for token in sorted(draw.sample(tokens, min(len(tokens), draw.choice((1, 2, 5)))), key=lambda one: -one.start()):
        changed[token.start() : token.end()] = draw.choice(_WORDS) + b" " * draw.randrange(2)
    return bytes(changed)


def _swap_words(content: bytes, draw: random.Random) -> bytes:
    """Lines in another order, or again and again."""
    lines = content.split(b"\n")
    at, to = draw.randrange(len(lines)), draw.randrange(len(lines))
    lines[at:at] = [lines[to]] * draw.choice((1, 1, 20, 3_000))
    return b"\n".join(lines)
