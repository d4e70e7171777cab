"""Corrects fonts whose text is not what is printed.

What a font gets wrong is learned from the paper itself, and corrected where the evidence is clear: codes in place of
ligatures, ligatures that left nothing, a sign that stands where only "Th" makes words, spaces within words, brackets
that come out as Icelandic letters.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from typing import NamedTuple

from miner.parsing.embedded.characters import has_ligature_stem
from miner.parsing.embedded.cut_words import cut_words
from miner.parsing.embedded.lost_glyphs import CODE, GlyphCodes, words_without_ligatures
from miner.parsing.words import is_known
from miner.records import UNREADABLE

_MIN_WORDS = 5  # that become words
_MIN_DIFFERENT_WORDS = 3
_MIN_UNKNOWN = 5  # letters of a name or the like after "Th", which no list of words has
_MIN_SHARE = 0.8  # of the words with a sign in place of "Th", of the brackets
_MIN_BRACKETS = 4

_SIGN_BEFORE_WORD = re.compile(  # what is before the sign is looked at last, which is much faster
    r"([^a-zA-Z\s()\[\]{}\"“”‘’'`´/\\~@$€£_-])(?=[a-z])(?<![^\s(\[“\"‘.].)([a-z]+)"
)
_SIGN_OF_TH = r"(?<![^\s(\[“\"‘.]){}(?=[a-z])"
_AFTER_NUMBERED = re.compile(r"\b(?:[Ff]ig(?:s|ures?)?|[Tt]ab(?:les?)?|[Ee]qs?|[Ss]ections?)\.?\s$")  # "Fig. 3e"
_LETTERS = re.compile(r"[a-z]+")
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
_BRACKETS = dict(zip("ðÞ¼þ", "()=+", strict=True))
_IN_BRACKETS = re.compile(r"ð[^ðÞ]{0,80}Þ")
_CLOSING = re.compile(r"(?<=[\w)\]%])Þ")


class Correction(NamedTuple):
    """Replaces in a text what `wrong` finds."""

    wrong: re.Pattern[str]
    replacement: Callable[[re.Match[str]], str]

    def apply(self, text: str) -> str:
        return self.wrong.sub(self.replacement, text)

    def positions(self, text: str) -> list[int]:
        """Where characters of the text are repaired; not where they are only removed, or cannot be read."""
        found = ((match, self.replacement(match)) for match in self.wrong.finditer(text))
        return [match.start() for match, new in found if new not in ("", match[0], UNREADABLE)]


def learn_corrections(text: str) -> list[Correction]:
    """What corrects each line of a paper with this text, one after the other; mostly nothing."""
    text = f"\n{text}"
    corrections: list[Correction] = []

    def add(wrong: re.Pattern[str], replacement: Callable[[re.Match[str]], str]) -> str:
        corrections.append(Correction(wrong, replacement))
        return "\n".join(map(corrections[-1].apply, text.split("\n")))

    if CODE.search(text):
        text = add(CODE, _remembered(GlyphCodes(text).letters))
    if whole := words_without_ligatures(text):
        text = add(_any_of(whole), lambda found: whole[found[0]])
    if sign := _sign_of_th(text):
        text = add(re.compile(_SIGN_OF_TH.format(re.escape(sign))), _th)
    if _has_split_ligatures(text):
        text = add(_SPLIT_LIGATURE, _joined)
    if cut := cut_words(text):
        text = add(_any_of(cut), lambda found: cut[found[0]])
    if _has_icelandic_brackets(text):
        add(re.compile("[ðÞ¼þ]"), lambda found: _BRACKETS[found[0]])
    return corrections


def _remembered(replacement: Callable[[re.Match[str]], str]) -> Callable[[re.Match[str]], str]:
    """The same replacement, found once for each place in a line: each line is gone through several times."""
    known: dict[tuple[str, int], str] = {}

    def replace(found: re.Match[str]) -> str:
        place = found.string, found.start()
        if place not in known:
            known[place] = replacement(found)
        return known[place]

    return replace


def _any_of(words: Iterable[str]) -> re.Pattern[str]:
    return re.compile(rf"(?<![^\W_])(?:{'|'.join(map(re.escape, sorted(words)))})(?![^\W_])")


def _th(found: re.Match[str]) -> str:
    """ "Th" for the sign that stands for it, where it begins a word."""
    rest = _LETTERS.match(found.string, found.end())
    if rest is None or not _follows_th(rest[0]):
        return found[0]
    if rest[0] == "e" and _AFTER_NUMBERED.search(found.string, 0, found.start()):
        return found[0]
    return "Th"


def _follows_th(rest: str) -> bool:
    """Whether these letters make a word after "Th"; of single letters only "e" counts."""
    return (
        rest == "e" or (len(rest) > 1 and is_known(f"th{rest}")) or (len(rest) >= _MIN_UNKNOWN and not is_known(rest))
    )


def _sign_of_th(text: str) -> str:
    """The sign that stands for "Th" at the start of words, "" if there is none."""
    words: dict[str, Counter[str]] = {}
    for sign, word in _SIGN_BEFORE_WORD.findall(text):
        words.setdefault(sign, Counter())[word] += 1
    for sign, counts in words.items():
        known = {word: count for word, count in counts.items() if _follows_th(word)}
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
    """Whether ð and Þ are brackets: in Icelandic Þ only begins words."""
    closing = text.count("Þ")
    if closing < _MIN_BRACKETS or 2 * len(_CLOSING.findall(text)) < closing:
        return False
    return 2 * len(_IN_BRACKETS.findall(text)) >= _MIN_SHARE * (text.count("ð") + closing)
