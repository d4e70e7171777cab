"""Marks what other programs leave in running text: placeholders of formulas, citation numbers fused with words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from miner.libraries import np
from miner.records import FORMULA

_PLACEHOLDER = "[FORMULA]"
# What other programs put around placeholders, and what stands there in prose.
_SPACED = {f"{FORMULA} {mark}": FORMULA + mark for mark in ",.;:)]"} | {
    f"{mark} {FORMULA}": mark + FORMULA for mark in "(["
}
_ONLY_FORMULAS = re.compile(r"(?:\[formula\][\s,.;]*)+")
# A displayed formula that no stop ends, and the sentence after it.
_SENTENCE_AFTER_FORMULA = re.compile(
    r"\[formula\] (?=(?:The|This|These|Those|We|Our|It|There|Here|Hence|Thus|Therefore|However|Then|Note|Using|Consider"
    r"|Assuming|Unlike|Let|Since|As|In|For|To|If|When)"
    r"\s[a-z])"
)

# "trion50,56 and", "rates.63–66 Taken", "beaches.7However"; but no decimals and no "heatmap.2 function".
_NUMBERS = re.compile(
    r"[0-9]{1,3}(?:[,–-][0-9]{1,3})*(?=[.,;:)]{0,3}(?:\s|$)|\.?[A-Z][a-z])(?!(?<=[a-z]\.[0-9])\s[a-z])"
)
_WORD_BEFORE = re.compile(r"(?<![\w.])([A-Za-z]?[a-z]{3,})\)?[.,;:]?$")
_PUNCTUATION = ".,;:!?()[]'\"“”‘’"
_LABELS = re.compile(  # "Table2" is no citation
    "(?:fig|figure|table|section|eqn|equation|step|phase|type|grade|week|day|group|stage|chapter|chromosome|vitamin"
    "|sample|level|layer|task|model|version|part|article|theorem|lemma|number)s?"
)
_IS_STOP = np.array([chr(code) in ".,;:)" for code in range(128)])
_BRACKETED = re.compile(r"\[\d{1,3}(?:\s?[,;–-]\s?\d{1,3})*\]")
_MIN_CITATIONS = 6  # of a paper whose citations are fused; with fewer they may be names of genes, models or figures
_MIN_NEW_SHARE = 0.4  # of different numbers; senses of words are numbered "crook1, crook2, plough1, plough2"
_MIN_KNOWN_SHARE = 0.5  # of the words before them that the paper also writes without digits


class _FusedCitation(NamedTuple):
    """Numbers at `start` to `end` of the prose, after `word` and the stop that stands between."""

    start: int
    end: int
    word: str
    numbers: str
    stop: str

    @property
    def highest(self) -> int:
        return max(int(number) for number in re.findall(r"\d+", self.numbers))


def has_formula(text: str) -> bool:
    """Whether a formula was left out of the text."""
    return _PLACEHOLDER in text or FORMULA in text


def mark_formulas(text: str) -> list[str]:
    """The paragraphs of a text with all placeholders as `FORMULA`; after a displayed formula another one begins.

    A paragraph of formulas alone becomes "".

    >>> mark_formulas("Let [FORMULA] be ( [FORMULA] ) small.")
    ['Let [formula] be ([formula]) small.']
    """
    if not has_formula(text):
        return [text]
    text = text.replace(_PLACEHOLDER, FORMULA)
    for spaced, joined in _SPACED.items():
        text = text.replace(spaced, joined)
    borders = [match.end() for match in _SENTENCE_AFTER_FORMULA.finditer(text)]
    parts = [text[start:end].strip() for start, end in pairwise([0, *borders, len(text)])]
    return ["" if _ONLY_FORMULAS.fullmatch(part) else part for part in parts]


def mark_citations(texts: list[str]) -> list[str]:
    """The texts of a paper with citation numbers in brackets where they are fused with words: "trion [50,56]".

    Only where the paper has many numbers after words that it also writes without: "fgfr2" and "Qwen2" are names.
    The same list where there are none.
    """
    prose = "".join(f"\n\n{text}" for text in texts)
    starts = _digits_after_letters(prose)
    if len(starts) < _MIN_CITATIONS:
        return texts
    citations = list(_fused_citations(prose, starts))
    uses = Counter((citation.word, citation.numbers) for citation in citations)
    if len({numbers for _, numbers in uses}) < max(_MIN_CITATIONS, _MIN_NEW_SHARE * len(uses)):
        return texts
    if prose.count("[") > len(uses) and len(_BRACKETED.findall(prose)) > len(uses):
        return texts
    words = {token.strip(_PUNCTUATION) for token in set(prose.split())}
    words |= {word.lower() for word in words}
    if sum(word in words for word, _ in uses) < _MIN_KNOWN_SHARE * len(uses):
        return texts
    highest = max(citation.highest for citation in citations if citation.word in words)
    marked = _marked(
        prose,
        [
            citation
            for citation in citations
            if citation.word in words
            or (len(citation.word) > 3 and citation.highest <= highest and uses[citation.word, citation.numbers] == 1)
        ],
    )
    return marked.split("\n\n")[1:]


def _digits_after_letters(prose: str) -> list[int]:
    """Where digits follow a lower-case letter, or the stop after one; many times faster than a search."""
    codes = np.frombuffer(prose.encode("utf-32-le"), np.uint32)
    digits = np.flatnonzero(codes - ord("0") < 10)
    before, further = codes[digits - 1], codes[digits - 2]
    after_stop = _IS_STOP[np.minimum(before, len(_IS_STOP) - 1)] & (further - ord("a") < 26)
    found: list[int] = digits[(before - ord("a") < 26) | after_stop].tolist()
    return found


def _fused_citations(prose: str, starts: Iterable[int]) -> Iterator[_FusedCitation]:
    for start in starts:
        numbers = _NUMBERS.match(prose, start)
        word = _WORD_BEFORE.search(prose, start - 40 if start > 40 else 0, start) if numbers else None
        if numbers and word and not _LABELS.fullmatch(word[1].lower()):
            stop = prose[start - 1] if prose[start - 1] in ".,;:" else ""
            yield _FusedCitation(start, numbers.end(), word[1], numbers[0], stop)


def _marked(text: str, citations: Sequence[_FusedCitation]) -> str:
    pieces, end = [], 0
    for citation in citations:
        start = citation.start - len(citation.stop)
        space = " " * text[citation.end : citation.end + 1].isalpha()
        pieces.append(f"{text[end:start]} [{citation.numbers}]{citation.stop}{space}")
        end = citation.end
    return "".join(pieces) + text[end:]
