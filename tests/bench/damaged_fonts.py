"""How much of a text is restored whose fonts say nothing of it: PDFs that are damaged on purpose.

The letters of fonts that are whole are what the same parser reads in the undamaged file.
"""

from __future__ import annotations

import io
import logging
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pypdf
import pypdfium2
from pypdf.generic import ArrayObject, DictionaryObject, NameObject, NumberObject

from miner.errors import UnreadableFile
from miner.parsing.embedded import parse_pdf
from miner.records import UNREADABLE

_LIGATURE_NAME = re.compile(r"/(?:ff|fi|fl|ffi|ffl|f_f|f_i|f_l|f_f_i|f_f_l|f_t|t_t|T_h|t_i)$")
_TEX_LIGATURES = range(11, 16)
_TEX_FONT = re.compile(r"(?:CM(?!SY|MI|EX)|SFR|SFB|SFT|SFS)\w*\d+$")
_WORD = re.compile(rf"[^\W\d_](?:[^\W\d_]|{UNREADABLE})*|{UNREADABLE}(?:[^\W\d_]|{UNREADABLE})+")
_EACH, _FIRST = 5, 1  # of every fifth file that one which was not used when the rules were made


def measure(shared: Path) -> Iterator[tuple[str, str, str, str, bool | None]]:
    """Of the words that are lost in simple fonts (TeX's and others) and composite ones: restored, unreadable, wrong."""
    files = [path for name in ("corpus", "jats") for path in sorted((shared / "data" / name).glob("*.pdf"))]
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    ways: tuple[tuple[str, Callable[[Any], bool]], ...] = (
        ("simple fonts without Unicode map and names of ligatures", _without_ligatures),
        ("composite fonts without Unicode map", _without_map),
    )
    for name, damage in ways:
        counts = Counter[str]()
        for path in files[_FIRST::_EACH]:
            counts += _compare(path.read_bytes(), damage)
        lost = max(1, counts["lost"])
        restored = counts["restored"] / lost
        of = f"of {counts['lost']:,} words in {counts['files']} PDFs"
        yield f"{name}: restored", f"{100 * restored:.2f} % {of}", "≥ 99 %", "the undamaged files", restored >= 0.99
        wrong = f"{counts['wrong']} words; {counts['unreadable']} unreadable"
        yield f"{name}: wrong", wrong, "0", "the undamaged files", not counts["wrong"]


def damaged(pdf: bytes, damage: Callable[[Any], bool]) -> bytes | None:
    """The PDF with its fonts damaged; None if no font is."""
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(pdf))
    objects = [item.get_object() for item in writer._objects if item is not None]
    fonts = [one for one in objects if isinstance(one, DictionaryObject) and one.get("/Type") == "/Font"]
    if not sum(map(damage, fonts)):
        return None
    written = io.BytesIO()
    writer.write(written)
    return written.getvalue()


def _without_map(font: Any) -> bool:
    is_mapped = font.get("/Subtype") == "/Type0" and "/ToUnicode" in font
    if is_mapped:
        del font["/ToUnicode"]
    return is_mapped


def _without_ligatures(font: Any) -> bool:
    if font.get("/Subtype") not in ("/Type1", "/TrueType"):
        return False
    font.pop("/ToUnicode", None)
    encoding = font.get("/Encoding")
    encoding = encoding.get_object() if encoding is not None else None
    if isinstance(encoding, DictionaryObject) and "/Differences" in encoding:
        items = encoding["/Differences"].get_object()
        renamed = [at for at, item in enumerate(items) if _LIGATURE_NAME.match(str(item))]
        for at in renamed:
            items[at] = NameObject(f"/G{at}")
        return bool(renamed)
    if encoding is None and _TEX_FONT.search(str(font.get("/BaseFont"))):
        names = [NameObject(f"/G{code}") for code in _TEX_LIGATURES]
        differences = ArrayObject([NumberObject(_TEX_LIGATURES[0]), *names])
        font[NameObject("/Encoding")] = DictionaryObject({NameObject("/Differences"): differences})
        return True
    return False


def _compare(pdf: bytes, damage: Callable[[Any], bool]) -> Counter[str]:
    """How many words of the file are lost by the damage, and what becomes of them.

    Lost is what PDFium alone no longer reads. Wrong is what no page of the undamaged file has.
    """
    try:
        if (worse := damaged(pdf, damage)) is None:
            return Counter()
        whole, mended = _words(pdf), _words(worse)
        read, read_worse = _read_words(pdf), _read_words(worse)
    except (UnreadableFile, pypdf.errors.PyPdfError, pypdfium2.PdfiumError):
        return Counter()
    lost = (read - read_worse) & whole
    missing = (whole - mended) & lost
    unreadable = sum(count for word, count in mended.items() if UNREADABLE in word)
    wrong = sum(count for word, count in (mended - whole).items() if UNREADABLE not in word and word not in read)
    restored = lost.total() - missing.total()
    return Counter(files=1, lost=lost.total(), restored=restored, unreadable=unreadable, wrong=wrong)


def _words(pdf: bytes) -> Counter[str]:
    """The words of the paper's paragraphs."""
    return _counted("\n".join(p.text for section in parse_pdf(pdf).sections for p in section.paragraphs))


def _read_words(pdf: bytes) -> Counter[str]:
    """The words of the pages as PDFium reads them."""
    with closing(pypdfium2.PdfDocument(pdf)) as document:
        texts = [page.get_textpage().get_text_range() for page in document]
    return _counted("\n".join(texts).replace("\ufffe\r\n", ""))


def _counted(text: str) -> Counter[str]:
    return Counter(word for word in _WORD.findall(unicodedata.normalize("NFKC", text)) if len(word) > 1)
