"""Puts accents that are printed as characters of their own on the letters they stand above or below."""

from __future__ import annotations

import unicodedata

from miner.libraries import np
from miner.parsing.embedded.characters import code_table

_COMBINING = {
    "`": "\u0300",
    "\u02cb": "\u0300",
    "´": "\u0301",
    "\u02ca": "\u0301",
    "^": "\u0302",
    "ˆ": "\u0302",
    "~": "\u0303",
    "˜": "\u0303",
    "¯": "\u0304",
    "\u02c9": "\u0304",
    "˘": "\u0306",
    "˙": "\u0307",
    "¨": "\u0308",
    "˚": "\u030a",
    "˝": "\u030b",
    "ˇ": "\u030c",
    "¸": "\u0327",
    "˛": "\u0328",
}
_IS_ACCENT = code_table([*map(ord, _COMBINING)])
_DOTLESS = {"ı": "i", "ȷ": "j"}
_SIGNS = "`^~"  # signs of their own, unless with the letter below they are a known one
_SPACE, _HYPHEN, _REMOVED, _LINE_END_HYPHEN = 32, 45, 0, 0xFFFE
_LINE_ENDS = (10, 13)
_MAX_HEIGHT_ABOVE = 1.2  # heights of the accent, twice: between its middle and that of its letter
_MAX_SPACE = 0.15  # of the accent's height; a wider gap between the glyphs beside it is a space between words


def compose_accents(codes: np.ndarray, seen: np.ndarray, ink: np.ndarray) -> tuple[np.ndarray, np.ndarray, list[int]]:
    """Compose the page's characters in place. Returns the glyphs of `seen` that remain, their boxes, and the letters.

    The letters that now have an accent are given by their index in `codes`, once for each accent. `ink`: the glyphs'
    boxes. TeX prints é as ´ and e in either order, or the accents of a line at its end. The spaces that PDFium puts
    around an accent go with it.
    """
    marks = np.flatnonzero(_IS_ACCENT[codes[seen]])
    if not len(marks):
        return seen, ink, []
    letters: list[int] = []
    kept = np.ones(len(seen), dtype=bool)
    for mark in marks.tolist():
        letter = _letter(codes, seen, ink, mark)
        if letter is not None and (gone := _compose(codes, seen, mark, letter)) is not None:
            kept[gone] = False
            letters.append(int(seen[letter]))
            if gone == letter:  # the letter is now where the accent was
                ink[mark] = ink[letter]
            else:
                _close_up(codes, seen, ink, mark)
    kept &= codes[seen] != _LINE_END_HYPHEN
    return seen[kept], ink[kept], letters


def _compose(codes: np.ndarray, seen: np.ndarray, mark: int, letter: int) -> int | None:
    """Put the accent on the letter, in place; which of the two glyphs remains no longer, None if both do."""
    first, second = sorted((seen[mark], seen[letter]))
    base, sign = chr(codes[seen[letter]]), chr(codes[seen[mark]])
    composed = unicodedata.normalize("NFC", _DOTLESS.get(base, base) + _COMBINING[sign])
    if len(composed) == 1:
        codes[seen[letter]], codes[seen[mark]] = ord(composed), _REMOVED
    elif sign in _SIGNS:
        return None
    elif abs(mark - letter) > 1 or (codes[first + 1 : second] != _SPACE).any():
        codes[seen[mark]] = _REMOVED  # there is no room beside the letter, and elsewhere the accent says nothing
    else:
        codes[first], codes[second] = map(ord, composed)
        codes[first + 1 : second] = _REMOVED
        return max(mark, letter)
    return mark


def _letter(codes: np.ndarray, seen: np.ndarray, ink: np.ndarray, mark: int) -> int | None:
    """The letter that the accent stands above or below, by its index in `seen`."""
    x0, y0, x1, y1 = ink[mark].tolist()
    middle, height = (x0 + x1) / 2, y1 - y0
    over = (
        (ink[:, 0] <= middle)
        & (middle <= ink[:, 2])
        & (np.abs(ink[:, 1] + ink[:, 3] - y0 - y1) < _MAX_HEIGHT_ABOVE * height)
    )
    found = [index for index in np.flatnonzero(over).tolist() if index != mark and chr(codes[seen[index]]).isalpha()]
    return min(found, key=lambda index: abs(index - mark), default=None)


def _close_up(codes: np.ndarray, seen: np.ndarray, ink: np.ndarray, mark: int) -> None:
    """Remove what the accent has put between the glyphs before and after it."""
    before = seen[mark - 1] if mark else -1
    after = seen[mark + 1] if mark + 1 < len(seen) else len(codes)
    between = codes[before + 1 : after]
    if np.isin(between, _LINE_ENDS).any():
        if mark > 1 and codes[before] == _HYPHEN and chr(codes[seen[mark - 2]]).isalpha():
            codes[before] = _LINE_END_HYPHEN
    elif 0 < mark < len(seen) - 1 and ink[mark + 1, 0] - ink[mark - 1, 2] < _MAX_SPACE * (ink[mark, 3] - ink[mark, 1]):
        between[between == _SPACE] = _REMOVED
