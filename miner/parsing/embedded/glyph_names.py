"""What glyphs show by their names, as publishers and TeX name them.

Adobe's names PDFium knows. It does not know those of ligatures with an underscore (`f_t`), of Adv fonts (`C20`: the
code in TeX's or in Adobe's symbols), of Mathematical Pi (`H9262`), and those of TeX; then it gives the code itself.
"""

from __future__ import annotations

import re

from miner.parsing.embedded.characters import ligature_code
from miner.parsing.embedded.symbol_fonts import ADOBE_SYMBOLS, TEX_SYMBOLS
from miner.parsing.words import LIGATURES

# Names of Linotype's Mathematical Pi: each is in public tables that were read off printed glyphs, two or more for most.
_PI_NUMBERS = (
    *(9004, 9018, 9021, 9024, 11001, 11002, 11003, 11005, 11006, 11011, 11013, 11015, 11021, 11022, 11032, 11034),
    *(11349, 11350, 20849, 20850, 20851, 20852, 20853, 20854),
    *(9278, 9280, 11009),
    *range(9251, 9276),
)
_PI_SIGNS = "ΔΣΦΩ+−×=±∼≡≈<>′°≤≥()[]{}ϕϵ∞αβγδεζηθικλμνξοπρσςτυφχψω"
_PI: dict[str, str] = {f"H{number}": sign for number, sign in zip(_PI_NUMBERS, _PI_SIGNS, strict=True)}
_TEX_NAMES: dict[str, str] = {
    "prime": "′",
    "bardbl": "‖",
    "negationslash": "̸",
    "epsilon1": "ε",
    "Delta1": "Δ",
    "mu1": "μ",
    "lscript": "ℓ",
    "similarequal": "≃",
    "lessmuch": "≪",
    "greatermuch": "≫",
    "lessequal1": "≤",
    "greaterequal1": "≥",
    "star": "∗",
    "openbullet": "∘",
}
_CODE_NAME = re.compile(r"C(\d{1,3})")
_LIGATURE_NAME = re.compile(r"[A-Za-z](?:_[a-z]){1,2}")
_ADOBE_SYMBOL_FONT = re.compile(r"AdvPSSym|^Symbol(?!Proportional)|Symbol(?:MT|Std)?(?:[,-]|$)")
_TEX_SYMBOL_FONT = re.compile(r"AdvP4C4E74|AdvMathSymb|cmsy", re.I)


def glyph_text(name: str, font: str) -> str:
    """What the glyph with this name shows in a font; "" if that is not known.

    >>> glyph_text("C20", "AdvP4C4E74"), glyph_text("C176", "AdvPSSym"), glyph_text("H9262", "MathematicalPi-One")
    ('≤', '°', 'μ')
    """
    name = name.removeprefix("/").split(".", 1)[0]
    if found := _CODE_NAME.fullmatch(name):
        if _ADOBE_SYMBOL_FONT.search(font):
            return ADOBE_SYMBOLS.get(int(found[1]), "")
        return TEX_SYMBOLS.get(int(found[1]), "") if _TEX_SYMBOL_FONT.search(font) else ""
    if _LIGATURE_NAME.fullmatch(name):
        letters = name.replace("_", "")
        return chr(ligature_code(letters)) if letters in LIGATURES else ""
    return _PI.get(name) or _TEX_NAMES.get(name, "")
