"""Puts the symbols that are printed in place of the characters that a page's text has for them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from miner.parsing.embedded.lines import TextRun
from miner.parsing.embedded.lost_glyphs import CODE
from miner.parsing.embedded.symbol_fonts import needs_error, symbols

_FONT_OF_SIGNS = re.compile(r"Adv(?:P|M|T)|Pi\b|Pi[-\d]|Mathematical|Universal|Sym|^R?MT|Greek|Euclid")


@lru_cache(maxsize=256)
def _may_be_of_signs(font: str) -> bool:
    return _FONT_OF_SIGNS.search(font) is not None


def printed_symbols(
    text: str,
    runs: Sequence[TextRun],
    has_error: Callable[[int], int],
    named: Callable[[str], Mapping[int, str]],
    repaired: Counter[str],
) -> str:
    """The page's text with the symbols of fonts that show others, as long as before; `repaired` is given their fonts.

    `has_error`: whether PDFium does not know the character at this index. `named`: what the codes of a font show by the
    names of its glyphs.
    """
    pieces, done = [], 0
    has_codes = CODE.search(text) is not None
    all_fonts = {(run.font, run.maths) for run in runs}
    fonts = {font for font, is_maths in all_fonts if has_codes or is_maths or _may_be_of_signs(font)}
    for run in runs if fonts else ():
        if run.font not in fonts:
            continue
        table = symbols(run.font) if run.maths or has_codes else None
        piece = new = text[run.start : run.end]
        if table:
            new = _translated(piece, run.font, table, run.start, has_error)
        is_unknown = has_codes and CODE.search(new) and not needs_error(run.font)
        if is_unknown or (new == piece and _may_be_of_signs(run.font) and has_error(run.start) == 1):
            new = new.translate(named(run.font))
        if new != piece:
            pieces += [text[done : run.start], new]
            repaired[run.font] += sum(one != other for one, other in zip(piece, new, strict=True))
            done = run.end
    return "".join([*pieces, text[done:]]) if pieces else text


def _translated(
    piece: str, font: str, table: Mapping[int, int | str], start: int, has_error: Callable[[int], int]
) -> str:
    """The characters by the table; in fonts that name most symbols only those letters that PDFium does not know."""
    new = piece.translate(table)
    if new == piece or not needs_error(font):
        return new
    pairs = zip(piece, new, strict=True)
    return "".join(
        new if not old.isalnum() or has_error(start + at) == 1 else old for at, (old, new) in enumerate(pairs)
    )
