"""Corrects fonts whose text is not what is printed.

What a font gets wrong is learned from the paper itself, and corrected where the evidence is clear: a sign that stands
where only "Th" makes words, spaces after "fi" within words, brackets and signs that come out as Icelandic letters.
Fonts of mathabx, a package for TeX, are known by their names.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache, partial

from miner.parsing.embedded.characters import has_ligature_stem

_MIN_WORDS = 5  # that become words
_MIN_DIFFERENT_WORDS = 3
_MIN_SHARE = 0.8  # of the words with a sign in place of "Th"

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
_BRACKETS = str.maketrans("ðÞ¼þ", "()=+")
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


def learn_corrections(texts: Iterable[str]) -> list[Callable[[str], str]]:
    """What corrects the text of each line of a paper with these lines; mostly nothing."""
    text = "\n".join(["", *texts])
    corrections: list[Callable[[str], str]] = []
    if sign := _sign_of_th(text):
        corrections.append(partial(re.compile(_SIGN_OF_TH.format(re.escape(sign))).sub, "Th"))
    if _has_split_ligatures(text):
        corrections.append(partial(_SPLIT_LIGATURE.sub, _joined))
    if _has_icelandic_brackets(text):
        corrections.append(_with_brackets)
    return corrections


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


def _with_brackets(text: str) -> str:
    return text.translate(_BRACKETS)


def _has_icelandic_brackets(text: str) -> bool:
    """Whether ð and Þ are brackets: in Icelandic Þ starts words, and ð is in them."""
    opening, closing = text.count("ð"), text.count("Þ")
    if min(opening, closing) < _MIN_WORDS:
        return False
    return len(_ICELANDIC.findall(text)) < (1 - _MIN_SHARE) * (opening + closing)
