"""Filters that drop broken sentences; each has a name, by which it is counted and switched off.

SciNLI (section 3.3) cleaned its sentences by hand; these rules stand in for that.
"""

from __future__ import annotations

import re
from collections.abc import Collection

FILTERS = {
    "fragment": "The sentence starts in lower case or with punctuation: its beginning is missing.",
    "no_final_punctuation": "No full stop, question or exclamation mark at the end: the sentence is unfinished.",
    "brackets": "More opening than closing brackets, or the other way round.",
    "too_short": "Fewer words than the lower limit.",
    "too_long": "More words than the upper limit.",
    "math": "A quarter or more of the words are formulas, symbols or single letters.",
    "citation_only": "Nothing but a citation.",
    "heading_glued": "A heading stands at the beginning of the sentence.",
    "second_phrase": "After the linking phrase comes another one.",
    "not_english": "The sentence is not English.",
    "no_verb": "No finite verb.",
    "duplicate": "The same two sentences stand in another pair.",
}
"""Every cleaning filter and what it drops, in the order they are applied."""

_ENUMERATOR = re.compile(r"(?:^|(?<=[\s:;,.]))\(?[A-Za-z\d]{1,4}[)\]]|[:;=]-?[()]")
# "… in Fig. | 2 and Fig. 6, our method", "3. identification of": what follows belongs to the number's lost beginning.
_NUMBER_END = re.compile(
    r"\d{1,3}[a-z]?(?:\s*[,;)·=](?!\s*\d)|\.\s+[a-z]|\s+(?:and|or|shows?|reveals?|presents|illustrates|is|are|was|were|we|the)\b)"
)
_TWO_CASES = re.compile(r"\w*[A-ZΑ-Ω\d]")
_END = re.compile(r"[.!?…][\"'”’»)\]]*(?:\s*[\[(][\d,;\s–-]+[\])]|(?<=[^\W\d]\.)\s?\d{1,3}(?:\s?[,–-]\s?\d{1,3})*)?$")
_MATH_WORD = re.compile(
    r"\W*(?:\[formula\]|[b-hj-zB-HJ-Z]|[^\W\d_a-zA-Z\u00c0-\u024f]|[a-zA-Z]?[\d.,]*[=<>≤≥≈∼±×÷∈∉⊂⊆∪∩∀∃∑∏∫√∞∂∇→←↔⇒⇔∝≠≡∥^_\\|{}+*/~]\S*"
    r"|\S*[=∈∑∏∫√∂∇≤≥≠≡⊂⊆⊗⊕^\\{}]\S*)\W*",
    re.IGNORECASE,
)
_LONG_WORD = 100  # characters
_PLAIN = re.compile(r"[A-Za-z][a-z’'-]+[,.;:!?)\]\"”]*")
_BRACKETED = re.compile(r"\([^()\d]*\d[^()]*\)|\[[^\[\]]*\]")
_NAMES = re.compile(
    r"\b(?:[A-Z]\w*|et|al|and|see|also|cf|e|g|i|in|for|an?|the|review|overview|details?|more|reviewed|by|from|of)\b|\d+"
)
_WORD_WORD = re.compile(r"[^\W\d_]{2,}")
_SECTION_NUMBER = re.compile(r"(?:\d{1,2}(?:\.\d{1,2})+\.?|\d{1,2}\.|[IVX]{2,4}\.)\s+[A-Z]")
_HEADING = re.compile(
    r"(?:Abstract|Introduction|Background|Related Works?|Materials|Methods?|Methodology|Results|Discussion|Conclusions?"
    r"|Objectives?|Experiments|Evaluation|Acknowledge?ments?|Limitations|Purpose|Aims?|Findings|Significance)"
    r"(?:\s(?:and|&)\s[A-Z]?[a-z]+)?:?\s+(?=[A-Z][a-z]*\s[a-z])"
)
# "Statistical analysis The data were": a word that opens a clause, capital, right after a word.
_CLAUSE_INSIDE = re.compile(
    r"(?:[^\s.,:;!?()\[\]\"“”‘’'–—/-]+\s){1,8}"
    r"(?:The|This|These|Those|We|Our|It|There|In|For|To|As|When|Since|Although|While|However|Thus|Therefore|Moreover|An|If|Here|Each|By)\s"
    r"(?:[a-z]+)\s"
)


def surface_problem(
    text: str, on: Collection[str], *, min_words: int, max_words: int, whole: bool = True
) -> str | None:
    """The first filter of those `on` that drops the sentence by its text alone; None when all pass.

    `whole` says that the text starts as the paper's sentence does, so that its beginning can be judged too.
    """
    if whole and "fragment" in on and _is_fragment(text):
        return "fragment"
    if "no_final_punctuation" in on and text[-1:] not in ".?!" and not _END.search(text):
        return "no_final_punctuation"
    if "brackets" in on and _is_unbalanced(text):
        return "brackets"
    words = text.split()
    if "too_short" in on and sum(map(_has_alphanumeric, words)) < min_words:
        return "too_short"
    if "too_long" in on and len(words) > max_words and sum(map(_has_alphanumeric, words)) > max_words:
        return "too_long"
    if "math" in on and _is_math(words):
        return "math"
    if "citation_only" in on and len(words) < 40 and _is_citation(text):
        return "citation_only"
    if whole and "heading_glued" in on and _has_heading(text):
        return "heading_glued"
    return None


def _has_alphanumeric(word: str) -> bool:
    return word.isalnum() or any(map(str.isalnum, word))


def _is_fragment(text: str) -> bool:
    if _NUMBER_END.match(text):
        return True
    first = text.lstrip("\"'“‘«([")[:1]
    if first.isupper() or first.isdigit():
        return False
    if not first.isalpha():
        return first not in "¿¡§#$€£~<>≤≥±" if first else True
    # "mRNA levels", "p53 is", "α-synuclein" begin a sentence as they are; so do scripts without case.
    word = text.lstrip("\"'“‘«([").split(maxsplit=1)[0]
    return first.islower() and first.isascii() and _TWO_CASES.match(word) is None


def _is_unbalanced(text: str) -> bool:
    """All kinds count as one, so that [0, 1) is balanced; the enumeration "a) …" does not count."""
    if _surplus(text) == 0:
        return False
    return _surplus(_ENUMERATOR.sub("", text)) != 0


def _surplus(text: str) -> int:
    return text.count("(") + text.count("[") - text.count(")") - text.count("]")


def _is_math(words: list[str]) -> bool:
    suspects = sum(1 for word in words if _PLAIN.fullmatch(word) is None and _is_math_word(word))
    return suspects * 4 >= len(words)


def _is_math_word(word: str) -> bool:
    """Not of words of `_LONG_WORD` characters or more: the pattern's time is quadratic."""
    return len(word) > _LONG_WORD or _MATH_WORD.fullmatch(word) is not None


def _is_citation(text: str) -> bool:
    rest = _NAMES.sub(" ", _BRACKETED.sub(" ", text))
    return _WORD_WORD.search(rest) is None


def _has_heading(text: str) -> bool:
    return any(pattern.match(text) for pattern in (_SECTION_NUMBER, _HEADING, _CLAUSE_INSIDE))
