"""Corrects fonts whose text is not what is printed.

What a font gets wrong is learned from the paper itself, and corrected where the evidence is clear: control characters
in place of ligatures, a sign that stands where only "Th" makes words, spaces after "fi" within words, brackets that
come out as Icelandic letters. Fonts of mathabx, a package for TeX, are known by their names.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple

from miner.parsing.embedded.characters import LIGATURES, has_ligature_stem

_MIN_WORDS = 5  # that become words
_MIN_DIFFERENT_WORDS = 3
_MIN_SHARE = 0.8  # of the words with a sign in place of "Th"

_CONTROL_CHARACTER = re.compile(r"[\x01-\x08\x0b-\x1f]")
_WORD_WITH_CODES = re.compile(r"(?<![^\W\d_])[^\W\d_]*[\x01-\x08\x0b-\x1f](?:[^\W\d_]|[\x01-\x08\x0b-\x1f])*")
_SIGN_BEFORE_WORD = re.compile(r"[\s(\[“\"‘]([^\w\s()\[\]{}\"“”‘’'`´/\\~@$€£-])([a-z]+)")
_AFTER_TH = re.compile(
    r"e|is|us|at|an|en|ese|ere|ey|eir|em|eirs|ose|ird|irdly|ree|irty|irteen|irds?|ink|ough|rough|roughout|ousands?|reats?|"
    r"resholds?|erefore|ereby|ereafter|erein|ereof|erapy|erapeutic|ermal|eory|eories|eoretical(?:ly)?|eorems?|emes?|"
    r"emselves|ings?|in|ick|ickness|orough(?:ly)?|e[nr][a-z]+|omas|ompson|ailand|rombo[a-z]+|yroid"
)
_SIGN_OF_TH = rf"(?<![^\s(\[“\"‘]){{}}(?=(?:{_AFTER_TH.pattern})\b)"
_SPLIT_LIGATURE = re.compile(r"\b([A-Za-z]*(ffi|ffl|fi|fl|ff)) ([a-z]+)")
_WHOLE_WORDS = re.compile(
    r"(?:|cut|pay|take|trade|lay|spin|roll|kick|play|stand|run|fall)off|staff|stuff|buff|cliff|stiff|tariff|sheriff|diff|bluff|puff|cuff|"
    r"wifi|scifi|hifi|lofi",
    re.I,
)
_FUNCTION_WORD = re.compile(
    r"a|an|and|are|as|at|be|but|by|can|et|for|from|had|has|have|he|in|is|it|its|may|not|of|on|or|she|that|the|their|these|they|"
    r"this|to|was|we|were|which|who|will|with"
)
_ICELANDIC = re.compile(r"Þ[a-z]|[a-zæö]ð[a-zæö]")
_BRACKETS = dict(zip("ðÞ¼þ", "()=+", strict=True))
_MATHABX = re.compile(r"math([ax])\d+$")
_MATHABX_SYMBOLS: Mapping[str, dict[int, int]] = {
    "a": str.maketrans(
        "pqrstu“‰ďěăąĎĂP`´˘ˆ˚¨˝8ÑÐñôBD@HYXKR^_”„«»}{|zxy‘b",
        "()[]{}=≠≤≥<>⊆⊂∈+−±×∗·∘∞→←⇒⇔∂∃∀∅∪∩⊥∉∧∨≡∼≈≃‖/|\\⟨⟩⊕⊗",
    ),
    "x": str.maketrans("řşśżÿźŤŞ", "∑∫∏∫∑∏⋃⋂"),
}


@lru_cache(maxsize=256)
def symbols(font: str) -> dict[int, int] | None:
    """What is printed for the characters of a font that is known to be wrong, as a table for `str.translate`.

    >>> "x P r0, 8q".translate(symbols("TeX-matha10"))
    '⟨ ∈ [0, ∞)'
    """
    found = _MATHABX.search(font)
    return _MATHABX_SYMBOLS[found[1]] if found else None


class Correction(NamedTuple):
    """Replaces in a text what `wrong` finds."""

    wrong: re.Pattern[str]
    replacement: Callable[[re.Match[str]], str]

    def apply(self, text: str) -> str:
        return self.wrong.sub(self.replacement, text)

    def positions(self, text: str) -> list[int]:
        """Where characters of the text are repaired; not where they are only removed."""
        found = ((match, self.replacement(match)) for match in self.wrong.finditer(text))
        return [match.start() for match, new in found if new and new != match[0]]


def learn_corrections(texts: Iterable[str]) -> list[Correction]:
    """What corrects the text of each line of a paper with these lines, one after the other; mostly nothing."""
    text = "\n".join(["", *texts])
    corrections: list[Correction] = []
    if _CONTROL_CHARACTER.search(text):
        ligatures = _ligatures_of_codes(text)
        corrections.append(Correction(_CONTROL_CHARACTER, lambda found: ligatures.get(found[0], "")))
        text = corrections[0].apply(text)
    if sign := _sign_of_th(text):
        corrections.append(Correction(re.compile(_SIGN_OF_TH.format(re.escape(sign))), lambda _: "Th"))
    if _has_split_ligatures(text):
        corrections.append(Correction(_SPLIT_LIGATURE, _joined))
    if _has_icelandic_brackets(text):
        corrections.append(Correction(re.compile("[ðÞ¼þ]"), lambda found: _BRACKETS[found[0]]))
    return corrections


def _ligatures_of_codes(text: str) -> dict[str, str]:
    """The ligature of each control character in the text.

    Fonts without a Unicode table leave ligatures as control characters. Which one stands for which ligature differs
    between fonts, but hardly within a paper. Each becomes the ligature that completes most words with known stems; one
    that completes none stands for nothing.
    """
    votes: dict[str, Counter[str]] = {}
    for word in _WORD_WITH_CODES.findall(text):
        codes = set(_CONTROL_CHARACTER.findall(word))
        if len(codes) == 1 and len(word) >= 4:
            [code] = codes
            for ligature in LIGATURES:
                if has_ligature_stem(word.replace(code, ligature), ligature):
                    votes.setdefault(code, Counter())[ligature] += 1
    return {code: max(sorted(counts), key=counts.__getitem__) for code, counts in votes.items()}


def _sign_of_th(text: str) -> str:
    """The sign that stands for "Th" at the start of words, "" if there is none."""
    words: dict[str, Counter[str]] = {}
    for sign, word in _SIGN_BEFORE_WORD.findall(text):
        words.setdefault(sign, Counter())[word] += 1
    for sign, counts in words.items():
        known = {word: count for word, count in counts.items() if _AFTER_TH.fullmatch(word)}
        total = sum(known.values())
        if total >= max(_MIN_WORDS, _MIN_SHARE * counts.total()) and len(known) >= _MIN_DIFFERENT_WORDS:
            return sign
    return ""


def _has_split_ligatures(text: str) -> bool:
    if text.count("fi ") + text.count("fl ") < _MIN_DIFFERENT_WORDS:
        return False
    words = Counter(
        (left + right).casefold()
        for left, ligature, right in _SPLIT_LIGATURE.findall(text)
        if not _WHOLE_WORDS.fullmatch(left) and has_ligature_stem(left + right, ligature)
    )
    return words.total() >= _MIN_WORDS and len(words) >= _MIN_DIFFERENT_WORDS


def _joined(found: re.Match[str]) -> str:
    left, ligature, right = found.groups()
    is_end = left != ligature and (_FUNCTION_WORD.fullmatch(right) or _WHOLE_WORDS.fullmatch(left))
    return found[0] if is_end else left + right


def _has_icelandic_brackets(text: str) -> bool:
    """Whether ð and Þ are brackets: in Icelandic Þ starts words, and ð is in them."""
    opening, closing = text.count("ð"), text.count("Þ")
    if min(opening, closing) < _MIN_WORDS:
        return False
    return len(_ICELANDIC.findall(text)) < (1 - _MIN_SHARE) * (opening + closing)
