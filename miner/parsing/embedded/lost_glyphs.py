"""Finds the letters of glyphs whose font does not name them, by the words that they complete.

A font without a Unicode table leaves ligatures in the text as control characters or as characters for private use, or
leaves them out. Which one stands for which letters differs between fonts, but hardly within a paper.
"""

from __future__ import annotations

import re
from collections import Counter

from miner.parsing.embedded.characters import GLYPH_CODES
from miner.parsing.words import LIGATURES, known_words, wholes_of
from miner.records import UNREADABLE

CODE = re.compile(f"[{GLYPH_CODES}]")
_LETTER = r"[^\W\d_]"
_WORD = re.compile(rf"(?<!{_LETTER}){_LETTER}*[{GLYPH_CODES}](?:{_LETTER}|[{GLYPH_CODES}])*")
_WORD_END = re.compile(rf"(?:{_LETTER}|[{GLYPH_CODES}])*$")
_WORD_START = re.compile(rf"(?:{_LETTER}|[{GLYPH_CODES}])*")
_PLAIN_WORD = re.compile(rf"{_LETTER}{{4,}}")
_OTHERS = ("-", "’", "")  # what a code may be that is no ligature; "" shows nothing
_MAX_BY_CHANCE = 5  # in one word of so many, ligatures complete what is none of theirs
_MIN_VOTE = 3  # letters of a word that tells something
_MIN_LENGTH = 6  # of a single word that tells what a code stands for
_MIN_SHARE = 0.8  # of the words that a code makes with any letters
_SURE_SHARE, _MIN_SURE = 0.95, 5  # of the words: such a code stands for these letters in words that are not known, too
_MIN_WHOLE = 4  # letters of a word
_AFTER_TH = frozenset(("e", "is", "us", "at", "en", "ere", "ey", "eir", "ese", "ose", "an", "ough", "ree"))
_ROUNDS = 4  # of words with several codes the others must be known
_LIGATURES_OF_TEX = ("ff", "fi", "fl", "ffi", "ffl")
_OF_TEX = {chr(first + at): letters for first in (11, 27) for at, letters in enumerate(_LIGATURES_OF_TEX)}
"""Of TeX's encodings, which tell where words leave a choice."""
_MIN_TEX_SHARE = 0.6
_MIN_POSSIBLE = 2  # words that only these letters complete, of a code that stands for others in another font
_OLD_STYLE = {0xF730 + digit: str(digit) for digit in range(10)} | {0xF761 + at: chr(65 + at) for at in range(26)}
"""Digits and small capitals in Adobe's part of the private codes."""

_MIN_WITHOUT, _MIN_SHARE_WITHOUT = 8, 0.002  # different words without a ligature; their share of all words
_RATES = (("fi", 0.0017), ("fl", 0.0004), ("ff", 0.0004))  # of all characters of a paper, at least
_EXPECTED = 0.3  # of that: where it has less, the fonts of most of its text may lack the ligature
_LOWER_CASE = re.compile(r"(?<![^\W_])[a-z]{3,}(?![^\W_]|[@.]\w)")


class GlyphCodes:
    """What the codes in a paper's text stand for."""

    def __init__(self, text: str) -> None:
        self._own = {word for word, count in Counter(_PLAIN_WORD.findall(text.casefold())).items() if count > 1}
        self._letters: dict[str, str] = {}
        self._sure: set[str] = set()
        self._possible: dict[str, set[str]] = {}
        lines = "\n".join(filter(CODE.search, text.split("\n")))
        words = {word for word in _WORD.findall(lines) if len(word) > 1}
        for _ in range(_ROUNDS):
            if not (found := self._learn(words)):
                break
            self._letters |= found
            words = {CODE.sub(lambda code: self._letters.get(code[0], code[0]), word) for word in words}

    def letters(self, found: re.Match[str]) -> str:
        """The text in place of a code in a line: its letters, "" for a bullet, `UNREADABLE` if they are unknown."""
        code, line, at = found[0], found.string, found.start()
        if ord(code) in _OLD_STYLE:
            return _OLD_STYLE[ord(code)]
        before = _WORD_END.search(line, line.rfind(" ", 0, at) + 1, at)
        after = _WORD_START.match(line, at)
        word = f"{before[0] if before else ''}{after[0] if after else ''}"
        if len(word) > 1:
            word = CODE.sub(lambda other: self._letters.get(other[0], other[0]) if other[0] != code else code, word)
            known = self._letters.get(code)
            if known is not None and self._is_word(word.replace(code, known)):
                return known
            if known is not None and code in self._sure and _is_at_edge(line, at):
                return known
            whole = [letters for letters in LIGATURES if self._may_be(word.replace(code, letters))]
            if "Th" in whole:
                is_th = word[0] == code and (word[1:] in _AFTER_TH or (len(whole) == 1 and len(word) >= _MIN_LENGTH))
                whole = ["Th"] if is_th else [letters for letters in whole if letters != "Th"]
            if len(whole) > 1 and known not in whole:
                whole = [letters for letters in whole if letters in self._possible.get(code, ())] or whole
            if len(whole) == 1:  # of another font
                return whole[0]
            if known is not None and (code in self._sure or not whole):
                return known
        is_bullet = at == 0 and line[1:2] in ("", " ")
        return "" if is_bullet else UNREADABLE

    def _may_be(self, word: str) -> bool:
        """Whether letters may complete a word if its code tells nothing: it is known, long enough, in one case."""
        is_long = len(word) >= _MIN_WHOLE or word.startswith("Th")
        return is_long and (word[1:].islower() or word.isupper()) and self._is_word(word)

    def _is_word(self, word: str) -> bool:
        parts = word.casefold().replace("’", "-").split("-")
        return all(part in known_words() or part in self._own or (part == "s" and len(parts) > 1) for part in parts)

    def _learn(self, words: set[str]) -> dict[str, str]:
        """The letters of each code that complete most words in which it is the only unknown one, as no others do."""
        by_code: dict[str, list[str]] = {}
        for word in words:
            codes = set(CODE.findall(word))
            if len(codes) == 1:
                by_code.setdefault(codes.pop(), []).append(word)
        found = {code: self._fitting(code, some) for code, some in by_code.items()}
        return {code: letters for code, letters in found.items() if letters is not None}

    def _fitting(self, code: str, words: list[str]) -> str | None:
        """The letters that complete most of the words that any complete; None if that is not clear."""
        for candidates in (LIGATURES, _OTHERS):
            votes, only = Counter[str](), Counter[str]()
            longest = completed = 0
            for word in words:
                wholes = ((letters, word.replace(code, letters)) for letters in candidates)
                fitting = [letters for letters, whole in wholes if len(whole) >= _MIN_VOTE and self._is_word(whole)]
                if "" in fitting and code in (word[0], word[-1]):  # it may be a sign
                    fitting.remove("")
                votes.update(fitting)
                only.update(fitting if len(fitting) == 1 else ())
                if fitting:
                    completed += 1
                    longest = max(longest, len(word) + 1)
            self._possible.setdefault(code, set()).update(
                letters for letters, count in only.items() if count >= _MIN_POSSIBLE
            )
            best, second = sorted(candidates, key=lambda letters: -votes[letters])[:2]
            is_clear = votes[best] >= _MIN_SHARE * completed and votes[best] > 2 * votes[second]
            if is_clear and (votes[best] > 1 or longest >= _MIN_LENGTH):
                if votes[best] >= _SURE_SHARE * completed and votes[best] >= _MIN_SURE:
                    self._sure.add(code)
                return best
            of_tex = _OF_TEX.get(code, "")
            if of_tex and 0 < votes[of_tex] == votes[best] >= _MIN_TEX_SHARE * completed:
                return of_tex
            if _MAX_BY_CHANCE * completed > len(words):
                return None
        return None


def _is_at_edge(line: str, at: int) -> bool:
    """Whether the word with this place begins or ends its line, so that it may be a part of one."""
    return " " not in line[:at] or " " not in line[at:]


def is_hyphenated(text: str, following: str) -> bool:
    """Whether the hyphen at a line's end divides a word; asked where a code beside it hides this from PDFium.

    `following`: the line after it.
    """
    return text.endswith("-") and (CODE.match(text[-2:-1]) or CODE.match(following)) is not None


def words_without_ligatures(text: str) -> dict[str, str]:
    """The words from which a ligature is missing without a trace, with the complete words; mostly none.

    A paper lacks ligatures if many different words are unknown, but known words with a ligature added.
    """
    if all(text.count(ligature) > _EXPECTED * rate * len(text) for ligature, rate in _RATES):
        return {}
    counts = Counter(_LOWER_CASE.findall(text))
    whole = {}
    for word in counts.keys() - known_words():
        if len(complete := wholes_of(word)) == 1:
            [whole[word]] = complete
    affected = sum(counts[word] for word in whole)
    is_lacking = len(whole) >= _MIN_WITHOUT and affected >= _MIN_SHARE_WITHOUT * counts.total()
    return whole if is_lacking else {}
