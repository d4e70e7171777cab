"""Restores ligatures that fonts without a Unicode table leave as control characters.

Which control character stands for which ligature differs between fonts, but hardly within a paper. Each one becomes the
ligature that completes most words with known stems; one that completes none is dropped.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

_CONTROL_CHARACTER = re.compile(r"[\x01-\x08\x0b-\x1f]")
_WORD = re.compile(r"(?:[^\W\d_]|[\x01-\x08\x0b-\x1f])+")
_STEMS = {
    "fi": re.compile(
        r"^fi(?:rst|nd|nal|g|ve|eld|le|ll|t|x|ne|sh|re|lter|nite|nger)|de?fi(?:n|c)|speci?fi|identifi|signifi|benefi|classifi|con?fi[dgr]|"
        r"scienti|quanti|[a-z]ifi(?:c|e)|pro?fi[lt]|modifi|satisfi"
    ),
    "fl": re.compile(r"^fl(?:ow|at|ux|uid|oor|ip|ex|ag|oat|uct)|infl[uae]|refle|confli|workfl|overfl"),
    "ff": re.compile(
        r"^(?:eff(?:ect|ort)|diff(?:er|us)|aff(?:ect|ord)|off|suff(?:er)|staff|stuff|buffer|cutoff|trade-?off)"
    ),
    "ffi": re.compile(r"^(?:in|co|suf)?(?:effi|ffi)ci|diffic|suffic|offic|traffi|affi[nlr]|coeffi"),
    "ffl": re.compile(r"^(?:shuffl|affl|baffl|waffl)"),
}


def ligature_table(texts: Iterable[str]) -> dict[int, str | None]:
    """The ligature of each control character in these texts, as a table for `str.translate`."""
    votes: dict[str, Counter[str]] = {}
    for text in texts:
        if not _CONTROL_CHARACTER.search(text):
            continue
        for word in _WORD.findall(text):
            codes = set(_CONTROL_CHARACTER.findall(word))
            if len(codes) != 1 or len(word) < 4:
                continue
            code = codes.pop()
            for ligature, stems in _STEMS.items():
                if stems.search(word.replace(code, ligature).casefold()):
                    votes.setdefault(code, Counter())[ligature] += 1
    table: dict[int, str | None] = dict.fromkeys((*range(1, 9), *range(11, 32)))
    for code, counts in votes.items():
        table[ord(code)] = max(sorted(counts), key=counts.__getitem__)
    return table
