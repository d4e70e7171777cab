"""Finds words that a stray space cuts in two, such as "inf luenza"."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from miner.parsing.words import known_words, wholes_of

_LEFT = re.compile(r"[(\[“\"‘]?([A-Za-z][a-z]{1,15})")
_BEHIND = '.,;:!?)]”"’'
_RIGHT = re.compile(rf"([a-z]{{2,15}})[{re.escape(_BEHIND)}]*(?:\n.*)?", re.S)
_MIN_LENGTH = 6  # of the whole word
_MIN_LOST = 5  # different words in which a space is in place of a ligature
_MIN_ENDING = 50  # words of the list that end so
_MIN_KNOWN_RIGHT, _MAX_KNOWN_LEFT = 4, 3  # letters of a part that is a word itself
_MIN_SHARE = 0.6  # of a part's occurrences that are cut words; else it is a word, or a name


def cut_words(text: str) -> dict[str, str]:
    """The words of a text that a space cuts in two, each with the whole word.

    The whole is a known word, and one of its parts is not. Most occurrences of that part must be in cut words.

    >>> cut_words("The inf luenza of the flu season")
    {'inf luenza': 'influenza'}
    """
    tokens = text.split(" ")
    lefts, rights = _unknown_parts(tokens)
    cut: dict[str, tuple[str, str]] = {}
    lost: dict[str, str] = {}  # with a ligature in place of the space
    cut_parts = Counter[str]()
    for at in [at for at, token in enumerate(tokens) if token in lefts or token in rights]:
        token = tokens[at]
        if at and token in rights and (left := _LEFT.fullmatch(tokens[at - 1])):
            parts = left[1], rights[token]
            if _is_cut(*parts):
                cut[" ".join(parts)] = parts
                cut_parts[token] += 1
                continue
            if whole := _with_ligature(*parts):
                lost[" ".join(parts)] = whole
        if token in lefts and at + 1 < len(tokens) and (right := _RIGHT.fullmatch(tokens[at + 1])):
            parts = lefts[token], right[1]
            if _is_cut(*parts):
                cut[" ".join(parts)] = parts
                cut_parts[token] += 1
    sure = {part for part, count in cut_parts.items() if count >= _MIN_SHARE * tokens.count(part)}
    sure_words = {match[1] for part in sure for match in (_LEFT.match(part), _RIGHT.match(part)) if match}
    joined = {pair: "".join(found) for pair, found in cut.items() if not sure_words.isdisjoint(found)}
    return joined | lost if len(lost) >= _MIN_LOST else joined


def _unknown_parts(tokens: Sequence[str]) -> tuple[dict[str, str], dict[str, str]]:
    """The tokens that may be the left part of a cut word and those that may be the right one, with their letters.

    Parts that are words themselves are left out.
    """
    known = known_words()
    lefts: dict[str, str] = {}
    rights: dict[str, str] = {}
    for token in set(tokens) - known:
        if token.partition("\n")[0].rstrip(_BEHIND).lower() in known:  # as most, told faster
            continue
        if (found := _LEFT.fullmatch(token)) and found[1].casefold() not in known:
            lefts[token] = found[1]
        if (found := _RIGHT.fullmatch(token)) and found[1] not in known:
            rights[token] = found[1]
    return lefts, rights


def _with_ligature(left: str, right: str) -> str:
    """The known word of which these are the parts before and after a missing ligature; "" if it is not one."""
    if not wholes_of((left + right).casefold()):  # nearly always
        return ""
    wholes = {ligature.join((left, right)) for ligature in ("fi", "fl", "ff", "ffi", "ffl")}
    known = [whole for whole in wholes if len(whole) > _MIN_LENGTH and whole.casefold() in known_words()]
    return known[0] if len(known) == 1 else ""


def _is_cut(left: str, right: str) -> bool:
    """Whether these are the two parts of a cut word, not two words."""
    whole = (left + right).casefold()
    return len(whole) >= _MIN_LENGTH and whole in known_words() and _may_be_cut(left.casefold(), right)


def _may_be_cut(left: str, right: str) -> bool:
    """Whether both parts are no words, or one only as a short word at the start, or before an ending of many words."""
    known = known_words()
    if right in known:
        return left not in known and len(right) >= _MIN_KNOWN_RIGHT
    return left not in known or len(left) <= _MAX_KNOWN_LEFT or _is_ending(right)


@lru_cache(maxsize=1024)
def _is_ending(part: str) -> bool:
    return sum(word.endswith(part) for word in known_words()) >= _MIN_ENDING
