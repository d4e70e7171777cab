"""Puts the signs that fonts of signs draw in place of the letters and digits that they say these are.

Looked at are only fonts that a page has no more than a few different characters of, each by itself: no font of prose.
"""

from __future__ import annotations

import ctypes
from collections import Counter
from collections.abc import Callable, Sequence

import pypdfium2.raw as raw

from miner.parsing.embedded.fonts import font_name
from miner.parsing.embedded.glyph_shapes import sign_of
from miner.parsing.embedded.lines import TextRun
from miner.parsing.embedded.outlines import read_outline

_MAX_RUN, _MAX_LENGTH = 3, 6  # characters of a run, with the spaces behind it
_MAX_DIFFERENT = 8
_TRUE_SIGNS = frozenset("()[]{}<=>-~±×·°|*")  # which fonts hardly say of others

Signs = dict[tuple[str, str], str]


def shown_signs(
    text: str, runs: Sequence[TextRun], font_at: Callable[[int], int | None], repaired: Counter[str], known: Signs
) -> str:
    """The page's text with the signs that are drawn, as long as before; `repaired` is given their fonts.

    `font_at`: the address of the font of the character at this index. `known`: what is known of the document's fonts,
    by the font's whole name and the character; is added to.
    """
    pieces: list[tuple[int, str]] = []
    for font, some in _runs_of_signs(text, runs).items():
        if not (address := font_at(some[0].start)):
            continue
        name = font_name(ctypes.cast(address, raw.FPDF_FONT))
        signs = {
            said: _sign(address, name, said, known) for said in {text[at] for run in some for at in _places(text, run)}
        }
        if any(signs.values()):
            found = [(at, sign) for run in some for at in _places(text, run) if (sign := signs[text[at]])]
            repaired[font] += len(found)
            pieces += found
    if not pieces:
        return text
    characters = list(text)
    for at, sign in pieces:
        characters[at] = sign
    return "".join(characters)


def _places(text: str, run: TextRun) -> list[int]:
    first = "¡" if run.maths else "!"  # letters and digits of mathematical fonts are what they say
    return [at for at in range(run.start, run.end) if first <= text[at] <= "ÿ" and text[at] not in _TRUE_SIGNS]


def _runs_of_signs(text: str, runs: Sequence[TextRun]) -> dict[str, list[TextRun]]:
    """The runs of each font that has nothing but a few characters by themselves."""
    prose = {run.font for run in runs if run.end - run.start > _MAX_LENGTH}
    found: dict[str, list[TextRun]] = {}
    for run in runs:
        if run.font not in prose:
            found.setdefault(run.font, []).append(run)
    return {font: some for font, some in found.items() if _are_signs(text, some)}


def _are_signs(text: str, runs: Sequence[TextRun]) -> bool:
    if any(len("".join(text[run.start : run.end].split())) > _MAX_RUN for run in runs):
        return False
    return len({text[at] for run in runs for at in _places(text, run)}) <= _MAX_DIFFERENT


def _sign(address: int, name: str, said: str, known: Signs) -> str:
    """The sign that is drawn for a character; "" for the character itself."""
    key = name, said
    if key not in known:
        font = ctypes.cast(address, raw.FPDF_FONT)
        outline = read_outline(font, ord(said)) if raw.FPDFFont_GetIsEmbedded(font) == 1 else None
        known[key] = sign_of(outline, said) if outline else ""
    return known[key]
