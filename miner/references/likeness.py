"""Compares titles, names and years of two descriptions of papers."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from enum import IntEnum

from miner.letters import plain_letters

SIMILARITY = 0.92  # of letters: a word of twelve, a hyphen, an ending
_MIN_WORDS, _MIN_LETTERS = 5, 25  # of a title that no other paper has by chance
_MAX_NUMBERING = 3  # words, as "part 2 of 3" has
_LIGATURES = ("fi", "fl", "ff", "ffi", "ffl", "ft", "tt", "th")
_MAX_LOST = 20  # letters of ligatures
_WORD = re.compile(r"[^\W_]+")
_NUMBER = re.compile(r"\d+|[ivx]+", re.ASCII)


class TitleAgreement(IntEnum):
    """How far two titles agree."""

    NO = 0
    SIMILAR = 1
    EQUAL = 2


def normal_title(title: str) -> str:
    """The words of a title, without case and punctuation: equal for two spellings of the title.

    >>> normal_title("Sand-dunes: “Wind” & more")
    'sand dunes wind more'
    """
    title = html.unescape(title) if "&" in title else title
    return " ".join(_WORD.findall(plain_letters(title)))


def is_telling(title: str) -> bool:
    """Whether a normal title is so long that no other paper has it by chance.

    >>> is_telling("editorial"), is_telling("the influence of wind on dunes")
    (False, True)
    """
    return title.count(" ") + 1 >= _MIN_WORDS and len(title) >= _MIN_LETTERS


def titles_alike(one: str, other: str) -> TitleAgreement:
    """How far two titles agree.

    >>> titles_alike("Wind and sand on dunes", "Wind and sand on dunes.").name
    'EQUAL'
    >>> titles_alike("The influence of wind on dunes, part 1", "The influence of wind on dunes, part 2").name
    'NO'
    """
    one, other = normal_title(one), normal_title(other)
    if not one or not other:
        return TitleAgreement.NO
    if one == other:
        return TitleAgreement.EQUAL
    return TitleAgreement.SIMILAR if is_similar(one, other) else TitleAgreement.NO


def is_similar(one: str, other: str) -> bool:
    """Whether two different normal titles may be the same: nearly the same letters, or one begins with the other."""
    if not (is_telling(one) and is_telling(other)):
        return False
    short, long = sorted((one, other), key=len)
    if long.startswith(f"{short} "):
        rest = long[len(short) :]
        return rest.count(" ") > _MAX_NUMBERING or not _numbers(rest)
    if _numbers(one) != _numbers(other):
        return False
    matcher = SequenceMatcher(None, one, other, autojunk=False)
    return (
        matcher.real_quick_ratio() >= SIMILARITY
        and matcher.quick_ratio() >= SIMILARITY
        and matcher.ratio() >= SIMILARITY
    )


def is_same_but_for_glyphs(one: str, other: str) -> bool:
    """Whether two normal titles differ in spaces and in ligatures alone, which PDFs lose.

    >>> is_same_but_for_glyphs("inf luence of signi cance", "influence of significance")
    True
    """
    one, other = one.replace(" ", ""), other.replace(" ", "")
    if one == other:
        return True
    if abs(len(one) - len(other)) > _MAX_LOST:
        return False
    blocks = SequenceMatcher(None, one, other, autojunk=False).get_opcodes()
    parts = [(one[a:b], other[c:d]) for kind, a, b, c, d in blocks if kind != "equal"]
    lost = [tuple(filter(None, pair)) for pair in parts]
    return len({bool(first) for first, _ in parts}) == 1 and all(len(t) == 1 and t[0] in _LIGATURES for t in lost)


def _numbers(title: str) -> list[str]:
    """What tells parts and studies of a series apart: part 1, part II, study 2."""
    return sorted(word for word in title.split() if _NUMBER.fullmatch(word) or (len(word) == 1 and word != "a"))


def family_name(name: str) -> str:
    """The last word of a name, in plain letters, without "Jr." and the like.

    >>> family_name("Ada B. Lovelace, Jr."), family_name("Juan de la Cruz")
    ('lovelace', 'cruz')
    """
    words = [word for word in _WORD.findall(plain_letters(name)) if word not in ("jr", "sr", "ii", "iii", "iv")]
    return words[-1] if words else ""


def authors_agree(one: Sequence[str], other: Sequence[str]) -> bool | None:
    """Whether the first authors have the same family name; None if either list is empty."""
    if not one or not other:
        return None
    first, second = family_name(one[0]), family_name(other[0])
    return first == second or first in plain_letters(other[0]).split() or second in plain_letters(one[0]).split()


def years_agree(one: int | None, other: int | None) -> bool | None:
    """Whether the years are equal or adjacent, as those online and in print; None if either is not known."""
    return None if one is None or other is None else abs(one - other) <= 1
