"""Compares texts by their letters and digits alone: as spaces, hyphens, accents and case differ between sources."""

from __future__ import annotations

import unicodedata


def letters(text: str) -> str:
    """The letters and digits of the text, without accents and case.

    >>> letters("Ocean-wide  Éclat: “2°”")
    'oceanwideeclat2'
    """
    if not text.isascii():
        text = unicodedata.normalize("NFKD", text)
    return "".join(filter(str.isalnum, text)).casefold()


def locate(statement: str, part: str) -> tuple[int, int] | None:
    """Where the letters of `part` stand in the statement, from its first to behind its last; None if nowhere."""
    positions: list[int] = []
    found: list[str] = []
    for at, character in enumerate(statement):
        folded = letters(character)
        found.append(folded)
        positions += [at] * len(folded)
    wanted = letters(part)
    start = "".join(found).find(wanted) if wanted else -1
    return None if start < 0 else (positions[start], positions[start + len(wanted) - 1] + 1)


def likeness(one: str, other: str) -> float:
    """The share of the longer text's three-letter pieces that the other text has too, 0.0 to 1.0."""
    pieces, others = _pieces(letters(one)), _pieces(letters(other))
    return len(pieces & others) / max(1, len(pieces), len(others))


def _pieces(text: str) -> set[str]:
    return {text[at : at + 3] for at in range(len(text) - 2)}
