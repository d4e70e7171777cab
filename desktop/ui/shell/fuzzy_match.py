"""Finding commands and settings by a few of their letters."""

from __future__ import annotations

from typing import NamedTuple


class Match(NamedTuple):
    """How well the letters fit, and where they stand in the text."""

    score: float
    places: tuple[int, ...]


def match(typed: str, text: str) -> Match | None:
    """How the letters typed stand in a text, in this order, gaps allowed; None when they do not.

    Words' beginnings and unbroken runs count most, then short texts: "ap" finds "Add papers" before "Map".
    """
    wanted = "".join(typed.split()).casefold()
    if not wanted:
        return Match(0.0, ())
    low = text.casefold()
    if len(low) != len(text):  # a letter that folds to two; places would be off
        low = text.lower() if len(text.lower()) == len(text) else text
    best: Match | None = None
    start = low.find(wanted[0])
    while start >= 0:
        found = _from(start, wanted, low)
        if found is not None and (best is None or found.score > best.score):
            best = found
        start = low.find(wanted[0], start + 1)
    return best


def _from(start: int, wanted: str, text: str) -> Match | None:
    places = [start]
    score = _worth(text, start, None)
    for letter in wanted[1:]:
        before = places[-1]
        follows = before + 1 if text[before + 1 : before + 2] == letter else -1
        word = _word_with(letter, text, before + 1)
        at = follows if follows >= 0 else word if word >= 0 else text.find(letter, before + 1)
        if at < 0:
            return None
        places.append(at)
        score += _worth(text, at, before)
    return Match(score - len(text) / 100, tuple(places))


def _word_with(letter: str, text: str, start: int) -> int:
    """Where the next word begins that has this letter first; -1 for none."""
    for at in range(start, len(text)):
        if text[at] == letter and _begins(text, at):
            return at
    return -1


def _worth(text: str, at: int, before: int | None) -> float:
    if before is not None and at == before + 1:
        return 2.0
    if at == 0:
        return 3.0
    return 2.0 if _begins(text, at) else 0.2


def _begins(text: str, at: int) -> bool:
    return at == 0 or not text[at - 1].isalnum()
