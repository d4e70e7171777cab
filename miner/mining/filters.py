"""Filters that drop broken sentences. Each has a name: drops are counted by it, settings turn it off by it.

Those that judge a sentence by its text alone are here. `pair_builder` applies the others: `second_phrase`, `duplicate`
(by the keys of `identity`), and `not_english` and `no_verb` (decided by `sentence_analysis`). SciNLI (section 3.3)
cleaned its sentences by hand; these rules replace that.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from typing import NamedTuple

FILTERS = {
    "fragment": "The sentence starts in lower case or with punctuation: its beginning is missing.",
    "no_final_punctuation": "No full stop, question or exclamation mark at the end: the sentence is unfinished.",
    "brackets": "The numbers of opening and closing brackets differ.",
    "too_short": "Fewer words than the lower limit.",
    "too_long": "More words than the upper limit.",
    "math": "A quarter or more of the words are formulas, symbols or single letters.",
    "citation_only": "Nothing but a citation.",
    "heading_glued": "The sentence begins with a heading.",
    "second_phrase": "A second linking phrase follows the first one.",
    "not_english": "The sentence is not English.",
    "no_verb": "No finite verb.",
    "duplicate": "Another pair has the same two sentences.",
}
"""Every cleaning filter and what it drops, in the order of application."""

_ENUMERATION_MARK = re.compile(r"(?:^|(?<=[\s:;,.]))\(?[A-Za-z\d]{1,4}[)\]]|[:;=]-?[()]")
# "… in Fig. | 2 and Fig. 6, our method", "3. identification of": the sentence began before its number.
_LOST_NUMBER_START = re.compile(
    r"\d{1,3}[a-z]?(?:\s*[,;)·=](?!\s*\d)|\.\s+[a-z]|\s+(?:and|or|shows?|reveals?|presents|illustrates|is|are|was|were|we|the)\b)"
)
_MIXED_CASE_WORD = re.compile(r"\w*[A-ZΑ-Ω\d]")
_FINAL_PUNCTUATION = re.compile(
    r"[.!?…][\"'”’»)\]]*(?:\s*[\[(][\d,;\s–-]+[\])]|(?<=[^\W\d]\.)\s?\d{1,3}(?:\s?[,–-]\s?\d{1,3})*)?$"
)
_MATH_WORD = re.compile(
    r"\W*(?:\[formula\]|[b-hj-zB-HJ-Z]|[^\W\d_a-zA-Z\u00c0-\u024f]|[a-zA-Z]?[\d.,]*[=<>≤≥≈∼±×÷∈∉⊂⊆∪∩∀∃∑∏∫√∞∂∇→←↔⇒⇔∝≠≡∥^_\\|{}+*/~]\S*"
    r"|\S*[=∈∑∏∫√∂∇≤≥≠≡⊂⊆⊗⊕^\\{}]\S*)\W*",
    re.IGNORECASE,
)
_MAX_MATH_WORD_LENGTH = 100  # characters; the time of `_MATH_WORD` is quadratic
_PLAIN_WORD = re.compile(r"[A-Za-z][a-z’'-]+[,.;:!?)\]\"”]*")
_BRACKETED_CITATION = re.compile(r"\([^()\d]*\d[^()]*\)|\[[^\[\]]*\]")
_CITATION_WORDS = re.compile(
    r"\b(?:[A-Z]\w*|et|al|and|see|also|cf|e|g|i|in|for|an?|the|review|overview|details?|more|reviewed|by|from|of)\b|\d+"
)
_ORDINARY_WORD = re.compile(r"[^\W\d_]{2,}")
_NUMBERED_HEADING = re.compile(r"(?:\d{1,2}(?:\.\d{1,2})+\.?|\d{1,2}\.|[IVX]{2,4}\.)\s+[A-Z]")
_KNOWN_HEADING = re.compile(
    r"(?:Abstract|Introduction|Background|Related Works?|Materials|Methods?|Methodology|Results|Discussion|Conclusions?"
    r"|Objectives?|Experiments|Evaluation|Acknowledge?ments?|Limitations|Purpose|Aims?|Findings|Significance)"
    r"(?:\s(?:and|&)\s[A-Z]?[a-z]+)?:?\s+(?=[A-Z][a-z]*\s[a-z])"
)
# "Statistical analysis The data were": a word that opens a clause, capital, right after a word.
_CLAUSE_AFTER_HEADING = re.compile(
    r"(?:[^\s.,:;!?()\[\]\"“”‘’'–—/-]+\s){1,8}"
    r"(?:The|This|These|Those|We|Our|It|There|In|For|To|As|When|Since|Although|While|However|Thus|Therefore|Moreover|An|If|Here|Each|By)\s"
    r"(?:[a-z]+)\s"
)


def surface_problem(
    text: str, enabled: Collection[str], *, min_words: int, max_words: int, whole: bool = True
) -> str | None:
    """The name of the first enabled filter that drops the sentence by its text alone; None when it passes all.

    `enabled` holds names of `FILTERS`. `whole`: the text starts where the paper's sentence starts, so its beginning is
    checked too; after a removed linking phrase it is not.

    >>> surface_problem("We measured the boiling point.", FILTERS, min_words=4, max_words=120) is None
    True
    >>> surface_problem("and measured the boiling point.", FILTERS, min_words=4, max_words=120)
    'fragment'
    >>> surface_problem("We measured the boiling (see", FILTERS, min_words=4, max_words=120)
    'no_final_punctuation'
    """
    sentence = _Sentence(text, text.split(), min_words, max_words)
    for name, drops in _SURFACE_FILTERS.items():
        if name in enabled and (whole or name not in _BEGINNING_FILTERS) and drops(sentence):
            return name
    return None


class _Sentence(NamedTuple):
    """A sentence, its words and the limits of their number."""

    text: str
    words: list[str]
    min_words: int
    max_words: int


def _has_alphanumeric(word: str) -> bool:
    return word.isalnum() or any(map(str.isalnum, word))


def _is_unfinished(sentence: _Sentence) -> bool:
    return sentence.text[-1:] not in ".?!" and not _FINAL_PUNCTUATION.search(sentence.text)


def _is_too_short(sentence: _Sentence) -> bool:
    return sum(map(_has_alphanumeric, sentence.words)) < sentence.min_words


def _is_too_long(sentence: _Sentence) -> bool:
    words, limit = sentence.words, sentence.max_words
    return len(words) > limit and sum(map(_has_alphanumeric, words)) > limit


def _is_fragment(sentence: _Sentence) -> bool:
    text = sentence.text
    if _LOST_NUMBER_START.match(text):
        return True
    first = text.lstrip("\"'“‘«([")[:1]
    if first.isupper() or first.isdigit():
        return False
    if not first.isalpha():
        return first not in "¿¡§#$€£~<>≤≥±" if first else True
    # "mRNA levels", "p53 is", "α-synuclein" begin a sentence as they are; so do scripts without case.
    word = text.lstrip("\"'“‘«([").split(maxsplit=1)[0]
    return first.islower() and first.isascii() and _MIXED_CASE_WORD.match(word) is None


def _is_unbalanced(sentence: _Sentence) -> bool:
    """Whether a bracket is not closed. All kinds count alike: [0, 1) is balanced. An enumeration "a) …" is ignored."""
    text = sentence.text
    return _unclosed_brackets(text) != 0 and _unclosed_brackets(_ENUMERATION_MARK.sub("", text)) != 0


def _unclosed_brackets(text: str) -> int:
    return text.count("(") + text.count("[") - text.count(")") - text.count("]")


def _is_math(sentence: _Sentence) -> bool:
    words = sentence.words
    math_words = sum(1 for word in words if _PLAIN_WORD.fullmatch(word) is None and _is_math_word(word))
    return math_words * 4 >= len(words)


def _is_math_word(word: str) -> bool:
    """Whether the word is a formula, a symbol or a single letter; so is every word too long to check."""
    return len(word) > _MAX_MATH_WORD_LENGTH or _MATH_WORD.fullmatch(word) is not None


def _is_citation(sentence: _Sentence) -> bool:
    if len(sentence.words) >= 40:
        return False
    remaining_text = _CITATION_WORDS.sub(" ", _BRACKETED_CITATION.sub(" ", sentence.text))
    return _ORDINARY_WORD.search(remaining_text) is None


def _has_heading(sentence: _Sentence) -> bool:
    return any(pattern.match(sentence.text) for pattern in (_NUMBERED_HEADING, _KNOWN_HEADING, _CLAUSE_AFTER_HEADING))


_SURFACE_FILTERS: Mapping[str, Callable[[_Sentence], bool]] = {
    "fragment": _is_fragment,
    "no_final_punctuation": _is_unfinished,
    "brackets": _is_unbalanced,
    "too_short": _is_too_short,
    "too_long": _is_too_long,
    "math": _is_math,
    "citation_only": _is_citation,
    "heading_glued": _has_heading,
}
_BEGINNING_FILTERS = frozenset({"fragment", "heading_glued"})  # they check how the paper's sentence begins
