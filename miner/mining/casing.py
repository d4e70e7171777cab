"""The case of a hypothesis' first letter: the same policy for all classes, so that the case does not reveal the class.

In the published SciNLI dev and test sets 8.1 % of neutral hypotheses start with a capital and 0.6-1.8 % of the others.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from functools import cached_property

from miner.mining.linking_phrases import word_set
from miner.mining.settings import Casing
from miner.records import FORMULA

_FIRST_WORD = re.compile(r"([\"'“‘(\[]*)([^\W\d_])([^\W_]*)")
_CAPITAL_IN_SENTENCE = re.compile(r" (?<=[^.?!:;\"”'’\n] )([^\W\d_a-z][^\W_]*)")
_LOWER_IN_SENTENCE = re.compile(r" ([^\W\d_A-Z][^\W_]*)")
# After the first author: "Smith et al.", "Smith and Jones (2010)", "Smith, Jones, and Berg [26]", "Smith (2010)".
_CITED_AUTHOR_REST = re.compile(
    r" et\.? al\b|(?:, [^\W\d_a-z][\w’'-]+)*,? (?:and|&) [^\W\d_a-z][\w’'-]+,? ?(?:[(\[]?(?:1[89]|20)\d\d|\[\d)"
    r"| ?[(\[](?:1[89]|20)\d\d"
)
# After the first word of a name of several words, or after an author or another name: "Edison International",
# "Navier–Stokes", "Kim [26]", "Kim and Park (7)", "Duncan’s test", "Kim, Park, and others", "Danish and Swedish".
_REST_OF_NAME = re.compile(
    r" ?\[(?:\d|CITE)|['’]s\b|[ ‐‑–-](?P<next>[^\W\d_a-z][^\W\d_A-Z][^\W\d_]*)| (?:and|or|&) [^\W\d_a-z][^\W\d_A-Z]"
    r"|(?:, [^\W\d_a-z][^\W\d_A-Z]+)+,"
)
# Words that open a sentence before a name, and are none: "Using Bayesian methods", "Unlike Europe", "Non-European".
_BEFORE_NAMES = re.compile(
    r".+(?:ing|ed|ly)|today|nature|(?:un)?like|let|per|via|across|within|without|towards?|beyond|despite|throughout|against"
    r"|see|note|consider|suppose|recall|assume|denote|non|pre|post|anti|semi|multi|sub|trans|inter|intra|quasi|pseudo"
    r"|cross|self|super|mid|co|re|pan|neo|proto"
)
# Words that begin most sentences and are no names, even where the paper's headings capitalize them.
_COMMON_OPENINGS = word_set(
    "the a an this that these those we it they he she you one our its their his her my there here such no all some "
    "any each every both most several in for by if when since as at on from because while although given during under "
    "after before to with among however thus therefore not other another many more what how which where who two three "
    "four figure figures fig figs table tables section sections equation eq eqs theorem lemma proposition corollary "
    "algorithm appendix chapter definition example remark"
)


class FirstLetterCasing:
    """Applies a `Casing` to the hypotheses of one paper. `text` returns its prose; it is called only when needed."""

    def __init__(self, policy: Casing, text: Callable[[], str]) -> None:
        self._policy = policy
        self._read_text = text
        self._is_name_cache: dict[tuple[str, bool], bool] = {}

    def apply(self, hypothesis: str, *, after_phrase: bool) -> str:
        """The hypothesis with the case of its first letter set by the policy.

        Under `Casing.LOWER` names, acronyms and formulas keep their capital. `after_phrase`: a linking phrase was
        removed in front of the hypothesis, so its first word stands inside a sentence of the paper; this use does not
        count as evidence that the word is a name.
        """
        match = _FIRST_WORD.match(hypothesis)
        if match is None or hypothesis.startswith(FORMULA):
            return hypothesis
        start, word = match.end(1), match[2] + match[3]
        if any(not letter.islower() for letter in match[3]):  # BERT, mRNA, F1
            return hypothesis
        if self._policy is Casing.RESTORE:
            return hypothesis[:start] + match[2].upper() + hypothesis[start + 1 :]
        if match[2].islower() or self._keeps_capital(word, hypothesis[match.end() :], after_phrase):
            return hypothesis
        return hypothesis[:start] + match[2].lower() + hypothesis[start + 1 :]

    def _keeps_capital(self, word: str, following: str, after_phrase: bool) -> bool:
        if word.lower() in _COMMON_OPENINGS:
            return False
        if len(word) == 1 or _CITED_AUTHOR_REST.match(following):  # I, X, T cells; Smith et al.
            return True
        is_name = self._is_name_cache.get((word, after_phrase))
        if is_name is None:
            is_name = self._is_name_cache[word, after_phrase] = self._is_name(word, own_uses=int(after_phrase))
        return is_name or self._starts_name(word, following)

    def _is_name(self, word: str, own_uses: int) -> bool:
        """Whether the paper capitalizes the word inside sentences more often than not, `own_uses` not counted."""
        capital_uses = self._capital_counts[word] - own_uses
        return capital_uses > 0 and capital_uses > self._lower_counts[word.lower()]

    def _starts_name(self, word: str, following: str) -> bool:
        """Whether the word is the first of a name of several words, and the paper never writes it in lower case."""
        rest = _REST_OF_NAME.match(following)
        if rest is None or (rest["next"] or "").lower() in _COMMON_OPENINGS:
            return False
        return not _BEFORE_NAMES.fullmatch(word.lower()) and not self._lower_counts[word.lower()]

    @cached_property
    def _capital_counts(self) -> Counter[str]:
        return Counter(_CAPITAL_IN_SENTENCE.findall(self._text))

    @cached_property
    def _lower_counts(self) -> Counter[str]:
        return Counter(_LOWER_IN_SENTENCE.findall(self._text))

    @cached_property
    def _text(self) -> str:
        return self._read_text()
