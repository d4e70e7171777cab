"""How much of a text is restored whose fonts say nothing of it: PDFs that are damaged on purpose.

The letters of fonts that are whole are what the same parser reads in the undamaged file.
"""

from __future__ import annotations

import io
import logging
import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pypdf
from pypdf.generic import ArrayObject, DictionaryObject, NameObject, NumberObject

from miner.errors import UnreadableFile
from miner.parsing.embedded import parse_pdf
from miner.records import UNREADABLE

_LIGATURE_NAME = re.compile(r"/(?:ff|fi|fl|ffi|ffl|f_f|f_i|f_l|f_f_i|f_f_l|f_t|t_t|T_h|t_i)$")
_TEX_LIGATURES = range(11, 16)
_TEX_FONT = re.compile(r"(?:CM(?!SY|MI|EX)|SFR|SFB|SFT|SFS)\w*\d+$")
_WORD = re.compile(rf"[^\W\d_](?:[^\W\d_]|{UNREADABLE})*|{UNREADABLE}(?:[^\W\d_]|{UNREADABLE})+")
_HAS_LIGATURE = re.compile("f[fil]")
_EACH, _FIRST = 5, 1  # of every fifth file that one which was not used when the rules were made


def measure(shared: Path) -> Iterator[tuple[str, str, str, str, bool | None]]:
    """Words restored, unreadable and wrong of all that are lost, in simple fonts (TeX and others) and composite ones."""
    files = [path for name in ("corpus", "jats") for path in sorted((shared / "data" / name).glob("*.pdf"))]
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    ways: tuple[tuple[str, Callable[[Any], bool], bool], ...] = (
        ("ligatures of simple fonts: no Unicode map, no names", _without_ligatures, True),
        ("composite fonts: no Unicode map", _without_map, False),
    )
    for name, damage, ligatures_only in ways:
        counts = Counter[str]()
        for path in files[_FIRST::_EACH]:
            counts += _compare(path.read_bytes(), damage, ligatures_only=ligatures_only)
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
    if not any([damage(font) for font in fonts]):
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


def _compare(pdf: bytes, damage: Callable[[Any], bool], *, ligatures_only: bool) -> Counter[str]:
    """How many words of the file are lost by the damage, and what becomes of them."""
    try:
        if (worse := damaged(pdf, damage)) is None:
            return Counter()
        whole, mended = _words(pdf), _words(worse)
    except (UnreadableFile, pypdf.errors.PyPdfError):
        return Counter()
    lost = Counter({word: n for word, n in whole.items() if not ligatures_only or _HAS_LIGATURE.search(word)})
    missing = lost - mended
    unreadable = sum(count for word, count in mended.items() if UNREADABLE in word)
    wrong = sum((Counter({word: n for word, n in (mended - whole).items() if UNREADABLE not in word})).values())
    restored = lost.total() - missing.total()
    return Counter(files=1, lost=lost.total(), restored=restored, unreadable=unreadable, wrong=wrong)


def _words(pdf: bytes) -> Counter[str]:
    paper = parse_pdf(pdf)
    return Counter(word for s in paper.sections for p in s.paragraphs for word in _WORD.findall(p.text) if len(word) > 1)
