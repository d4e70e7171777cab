"""Finds commands and settings by some of their letters."""

from __future__ import annotations

from typing import NamedTuple


class Match(NamedTuple):
    """A score, the higher the better, and the positions of the matched letters."""

    score: float
    positions: tuple[int, ...]


def match(typed: str, text: str) -> Match | None:
    """Match typed letters with letters of a text in the same order, gaps allowed; None if the text lacks some.

    Beginnings of words and adjacent letters score most, then short texts: "ap" finds "Add papers" before "Map".
    """
    letters = "".join(typed.split()).casefold()
    if not letters:
        return Match(0.0, ())
    folded = text.casefold()
    if len(folded) != len(text):  # a letter was folded to two, so positions would be wrong
        folded = text.lower() if len(text.lower()) == len(text) else text
    best: Match | None = None
    start = folded.find(letters[0])
    while start >= 0:
        found = _match_from(start, letters, folded)
        if found is not None and (best is None or found.score > best.score):
            best = found
        start = folded.find(letters[0], start + 1)
    return best


def _match_from(start: int, letters: str, text: str) -> Match | None:
    positions = [start]
    score = _letter_score(text, start, None)
    for letter in letters[1:]:
        before = positions[-1]
        follows = before + 1 if text[before + 1 : before + 2] == letter else -1
        word = _next_word_start(letter, text, before + 1)
        at = follows if follows >= 0 else word if word >= 0 else text.find(letter, before + 1)
        if at < 0:
            return None
        positions.append(at)
        score += _letter_score(text, at, before)
    return Match(score - len(text) / 100, tuple(positions))


def _next_word_start(letter: str, text: str, start: int) -> int:
    """The position of the next word that starts with this letter; -1 if there is none."""
    for at in range(start, len(text)):
        if text[at] == letter and _starts_word(text, at):
            return at
    return -1


def _letter_score(text: str, at: int, before: int | None) -> float:
    if before is not None and at == before + 1:
        return 2.0
    if at == 0:
        return 3.0
    return 2.0 if _starts_word(text, at) else 0.2


def _starts_word(text: str, at: int) -> bool:
    return at == 0 or not text[at - 1].isalnum()
