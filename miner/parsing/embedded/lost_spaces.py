"""Restores spaces that PDFium misses because they are narrow, as in a tightly set line."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from miner.libraries import np
from miner.parsing.embedded.lines import TextRun
from miner.parsing.words import is_known

_MIN_SPACE, _MAX_SPACE = 0.13, 0.6  # of the height of the glyphs
_MAX_TRACKING = 0.06  # of the height; between the letters of a word
_MIN_LETTERS = 4  # of both words
_MAX_SHIFT = 0.1  # of the height, by which a letter stands above or below the one before; scripts do by more
_NARROW, _MAX_KERNING = 0.07, 0.03  # of the height: a gap that divides known words, and any other between their letters


def find_lost_spaces(text: str, seen: np.ndarray, ink: np.ndarray, space: np.ndarray) -> list[int]:
    """Indices of the letters in `text` before which a space is missing: one wide gap amid letters that have none.

    A narrower gap is enough between two known words that make no word together, such as "vaccine" and "from".

    `seen`, `ink`, `space`: of each glyph its index in the text, its box, and the distance to the glyph before.
    """
    height = ink[:, 3] - ink[:, 1]
    wide = (space > _NARROW * height) & (space < _MAX_SPACE * height) & (np.diff(seen, prepend=-2) == 1)
    return [int(seen[at]) for at in np.flatnonzero(wide).tolist() if _divides_words(at, text, seen, ink, space)]


def _divides_words(at: int, text: str, seen: np.ndarray, ink: np.ndarray, space: np.ndarray) -> bool:
    height = ink[at, 3] - ink[at, 1]
    if abs(ink[at, 1] - ink[at - 1, 1]) > _MAX_SHIFT * height:  # a script
        return False
    here = int(seen[at])
    start = end = here
    while start > 0 and text[start - 1].isalpha():
        start -= 1
    while end < len(text) and text[end].isalpha():
        end += 1
    before, after = here - start, end - here
    if not before or not after or before + after < _MIN_LETTERS:
        return False
    others = np.delete(space[at - before + 1 : at + after], before - 1)
    if space[at] > _MIN_SPACE * height:
        return bool((others < _MAX_TRACKING * height).all())
    return bool((others < _MAX_KERNING * height).all()) and _are_two_words(text[start:here], text[here:end])


def _are_two_words(left: str, right: str) -> bool:
    return len(left) > 1 and len(right) > 1 and is_known(left) and is_known(right) and not is_known(left + right)


def insert_spaces(text: str, runs: Sequence[TextRun], before: Sequence[int]) -> tuple[str, list[TextRun]]:
    """The text with a space before each of these indices, and its runs."""
    edges = [0, *before, len(text)]
    pieces = [text[start:end] for start, end in pairwise(edges)]
    starts, ends = [run.start for run in runs], [run.end for run in runs]
    moved = zip(runs, shift(starts, before), shift(ends, before), strict=True)
    return " ".join(pieces), [run._replace(start=start, end=end) for run, start, end in moved]


def shift(indices: Sequence[int], before: Sequence[int]) -> list[int]:
    """Where these indices of a text are after `insert_spaces`."""
    places = np.asarray(indices, dtype=np.int64)
    moved: list[int] = (places + np.searchsorted(before, places, side="right")).tolist()
    return moved
