"""Finds what the codes of composite fonts show that lack a Unicode map, and writes the maps into the PDF.

PDFium takes the codes of such a font for characters, but they are the numbers of its glyphs. Mostly these are in the
order of ASCII, so that all letters are shifted by one constant: the right one makes words. Signs outside of ASCII
follow the same order where it is that of TrueType or of Adobe. Where no shift makes words, the letters are found by the
words' forms. Codes that remain become private ones, which `lost_glyphs` reads or says to be unreadable.
"""

from __future__ import annotations

import io
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from miner.parsing.embedded.font_dictionaries import SUBSET, reading, resolved
from miner.parsing.embedded.known_shapes import Outlines, agrees, shown_by_shape
from miner.parsing.embedded.lines import TextLine
from miner.parsing.embedded.unknown_codes import letters_of
from miner.parsing.words import known_words

FIRST_PRIVATE, LAST_PRIVATE = 0xE000, 0xF8E4
_MIN_CODES = 200  # of a font whose letters are found without another's
_MIN_SHARE = 0.4  # of its words that are known if the letters are right
_MIN_SUSPICIOUS = (
    60  # codes of a font of which PDFium knows no character, as of some for charts, unless others are such fonts
)
_OF_COMPOSITE = range(0x100, 0xE000)  # codes that other fonts have not
_MIN_COVERED = 0.95  # of its codes, by a shift
_FREQUENT = 12  # codes, among which are those of "e" and "t"
_WORD = re.compile(r"(?<![^\W\d_])[^\W\d_]{4,}(?![^\W\d_])")
_OF_NUMBERS = re.compile(r"[\s\d.,:%+*()/−–-]+")
_SIGNS = re.compile(r"Symbol|Wingdings|Webdings|Dingbats|Math|^CM(?:MI|SY|EX)|Marlett", re.I)  # read by their names

_TRUETYPE_SHIFT, _ADOBE_SHIFT = 29, 31
_TRUETYPE = (  # glyphs 98 to 209 of TrueType's standard order
    "ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûü†°¢£§•¶ß®©™´¨≠ÆØ∞±≤≥¥µ∂∑∏π∫ªºΩæø¿¡¬√ƒ≈∆«»… ÀÃÕŒœ–—“”‘’÷◊ÿŸ⁄¤‹›ﬁﬂ‡·‚„‰ÂÊÁËÈÍÎÏÌÓÔ"
)
_MAX_EMPTY = 1_000  # bytes of a map without a character
_NO_BREAK_SPACE = 172  # which some fonts leave out
_ADOBE = "¡¢£⁄¥ƒ§¤'“«‹›ﬁﬂ–†‡·¶•‚„”»…‰¿"  # glyphs 96 to 123 of Adobe's standard order
_PROSE_SIGNS = frozenset("–—“”‘’ﬁﬂ")

Table = dict[int, str]


def unmapped_fonts(texts: Mapping[str, Sequence[str]]) -> list[str]:
    """The names of fonts whose codes are taken for characters that make no words; mostly none.

    `texts`: what PDFium reads in fonts of which it does not know the characters, in pieces, by the font's name; of each
    piece the first character is such a one.
    """
    found: list[str] = []
    short: list[str] = []
    for name, parts in texts.items():
        codes = _OF_NUMBERS.sub(" ", "".join(parts))
        letters = sum(len(word) for word in _WORD.findall(codes) if word.casefold() in known_words())
        is_unread = letters < _MIN_SHARE * len(codes)
        is_composite = any(ord(part[0]) in _OF_COMPOSITE for part in parts)
        if not _SIGNS.search(name) and (is_unread or is_composite):
            (found if len(codes) >= _MIN_SUSPICIOUS or is_composite else short).append(name)
    return found + short if found else []


def with_private_codes(pdf: bytes, fonts: Iterable[str]) -> bytes:
    """The PDF with a map for each composite font of these names that has none; as it is without such a font."""
    return _with_maps(pdf, dict.fromkeys(fonts, _private_codes()))


def with_maps(pdf: bytes, lines: Iterable[TextLine], fonts: Iterable[str], outlines: Mapping[str, Outlines]) -> bytes:
    """The PDF with the maps of these fonts; `lines`, `outlines`: what is read of it with private codes."""
    tables: dict[str, Table] = {}
    texts = _texts(lines, frozenset(fonts))
    for name, text in sorted(texts.items(), key=lambda item: (-len(item[1]), item[0])):
        tables[name] = _letters(text, list(tables.values()))
    _add_shapes(tables, texts, outlines)
    return _with_maps(pdf, {name: _private_codes() | table for name, table in tables.items()})


def _add_shapes(tables: Mapping[str, Table], texts: Mapping[str, str], outlines: Mapping[str, Outlines]) -> None:
    """Add what the codes show that have the shapes of known characters, first in fonts of which most is known."""
    others = [
        {shown: outline for shown, outline in some.items() if not _is_private(shown)} for some in outlines.values()
    ]
    for name in sorted(tables, key=lambda name: (-len(tables[name]), name)):
        table = tables[name]
        own = {code: outline for code, outline in outlines.get(name, {}).items() if _is_private(code)}
        if not table:  # of few words, as of names: that of a font before is right where it shows such shapes
            read = (other for other in tables.values() if other and agrees(own, _shown(own, other)))
            table |= next(read, {})
        known = _shown(own, table)
        table.update({ord(code) - FIRST_PRIVATE: shown for code, shown in shown_by_shape(own, known, others).items()})
        others.append({shown: own[code] for code, shown in _shown(own, table).items()})


def _shown(codes: Iterable[str], table: Table) -> dict[str, str]:
    """What a font's codes show, as far as the table tells."""
    numbers = {code: ord(code) - FIRST_PRIVATE for code in sorted(codes)}
    return {code: table[number] for code, number in numbers.items() if number in table}


def _is_private(code: str) -> bool:
    return FIRST_PRIVATE < ord(code) <= LAST_PRIVATE


def _private_codes() -> Table:
    return {code - FIRST_PRIVATE: chr(code) for code in range(FIRST_PRIVATE + 1, LAST_PRIVATE + 1)}


def _texts(lines: Iterable[TextLine], fonts: frozenset[str]) -> dict[str, str]:
    """What the lines have in each font, which a font of the same name may have a map for elsewhere."""
    pieces: defaultdict[str, list[str]] = defaultdict(list)
    for line in lines:
        text, offset, runs = line.characters
        for run in runs:
            piece = text[run.start - offset : run.end - offset]
            if run.font in fonts and FIRST_PRIVATE < ord(piece[:1] or " ") <= LAST_PRIVATE:
                pieces[run.font].append(piece)
    return {name: "\n".join(some).replace("\r", "") for name, some in pieces.items()}


def _letters(text: str, others: Iterable[Table]) -> Table:
    """What the codes in a text of one font show: as in another font, shifted, or by the forms of words."""
    tables = [*others, *(_by_shift(text, shift) for shift in _shifts(text))]
    known = [sum(_known(_words(text, table))) for table in tables]
    best = max(range(len(tables)), key=known.__getitem__)
    is_read = known[best] > 0 and _is_read(_words(text, tables[best]))
    if is_read and (len(text) < _MIN_CODES or _covered(text, tables[best]) > _MIN_COVERED):
        return tables[best]
    letters = {ord(code) - FIRST_PRIVATE: letter for code, letter in letters_of(text).items()}
    if not letters or (is_read and known[best] > sum(_known(_words(text, letters)))):
        return tables[best] if is_read else {}
    return letters


def _covered(text: str, table: Table) -> float:
    """The share of a text's codes that are in the table."""
    codes = [ord(code) - FIRST_PRIVATE for code in text if ord(code) > FIRST_PRIVATE]
    return sum(code in table for code in codes) / max(1, len(codes))


def _words(text: str, table: Table) -> Counter[str]:
    return Counter(_WORD.findall(text.translate({FIRST_PRIVATE + code: shown for code, shown in table.items()})))


def _known(words: Counter[str]) -> Iterable[int]:
    return (count for word, count in words.items() if word.casefold() in known_words())


def _is_read(words: Counter[str]) -> bool:
    """Whether enough of these words are known."""
    return sum(_known(words)) > _MIN_SHARE * words.total()


def _shifts(text: str) -> list[int]:
    """The shifts that make one of the most frequent codes an "e" or a "t"."""
    counts = Counter(ord(code) - FIRST_PRIVATE for code in text if ord(code) > FIRST_PRIVATE)
    codes = [code for code, _ in counts.most_common(_FREQUENT)]
    return list(dict.fromkeys([_TRUETYPE_SHIFT, *(ord(letter) - code for letter in "et" for code in codes)]))


def _by_shift(text: str, shift: int) -> Table:
    table = {shown - shift: chr(shown) for shown in range(32, 127) if shown > shift}
    if shift == _ADOBE_SHIFT:
        return table | dict(enumerate(_ADOBE, 96)) | {8: "’", 65: "‘"}
    if shift == _TRUETYPE_SHIFT:
        whole = dict(enumerate(_TRUETYPE, 98))
        short = {code - (code > _NO_BREAK_SPACE): shown for code, shown in whole.items() if code != _NO_BREAK_SPACE}
        codes = [ord(code) - FIRST_PRIVATE for code in text]
        fit = [sum(signs.get(code, "") in _PROSE_SIGNS for code in codes) for signs in (whole, short)]
        return table | (short if fit[1] > fit[0] else whole)
    return table


def _with_maps(pdf: bytes, tables: Mapping[str, Table]) -> bytes:
    """The PDF with these maps appended to it; as it is where it cannot be read, or no font lacks one."""
    from pypdf import PdfReader, PdfWriter
    from pypdf.generic import NameObject, StreamObject

    with reading():
        if not any(_lacking(PdfReader(io.BytesIO(pdf)).pages, tables)):  # a writer would read all of the PDF
            return pdf
        writer = PdfWriter(io.BytesIO(pdf), incremental=True)
        for font, table in _lacking(writer.pages, tables):
            stream = StreamObject()
            stream.set_data(_cmap(table))
            font[NameObject("/ToUnicode")] = writer._add_object(stream)
        written = io.BytesIO()
        writer.write(written)
        return written.getvalue()
    return pdf


def _lacking(pages: Iterable[Any], tables: Mapping[str, Table]) -> Iterator[tuple[Any, Table]]:
    """The fonts of the pages that lack a map, with theirs; a font that has got one is not given again."""
    from pypdf.generic import DictionaryObject

    for page in pages:
        for font in map(resolved, resolved(resolved(page.get("/Resources")).get("/Font")).values()):
            name = SUBSET.sub("", str(font.get("/BaseFont", ""))).lstrip("/").removesuffix("-Identity-H")
            if (table := tables.get(name)) and isinstance(font, DictionaryObject) and _lacks_map(font):
                yield font, table


def _lacks_map(font: Mapping[str, object]) -> bool:
    is_composite = font.get("/Subtype") == "/Type0" and font.get("/Encoding") == "/Identity-H"
    return is_composite and ("/ToUnicode" not in font or _is_empty(resolved(font["/ToUnicode"])))


def _is_empty(cmap: Any) -> bool:
    """Whether a map is without a character."""
    is_short = hasattr(cmap, "get_data") and len(cmap._data) < _MAX_EMPTY
    return is_short and not re.search(rb"\bbf(?:char|range)|usecmap", cmap.get_data())


def _cmap(table: Table) -> bytes:
    rows = [f"<{code:04x}> <{text.encode('utf-16-be').hex()}>" for code, text in sorted(table.items()) if code > 0]
    blocks = (rows[at : at + 100] for at in range(0, len(rows), 100))
    body = "\n".join(f"{len(block)} beginbfchar\n" + "\n".join(block) + "\nendbfchar" for block in blocks)
    head = "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /Codes def /CMapType 2 def"
    return f"{head}\n1 begincodespacerange <0000> <ffff> endcodespacerange\n{body}\nendcmap end end".encode()
