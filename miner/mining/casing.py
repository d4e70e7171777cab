"""The case of a hypothesis' first letter: one policy for all classes, so that it does not reveal the class.

In the published SciNLI dev and test sets 8.1 % of neutral hypotheses start with a capital and 0.6-1.8 % of the others.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from functools import cached_property

from miner.mining.patterns import words
from miner.mining.settings import Casing

_FIRST_WORD = re.compile(r"([\"'“‘(\[]*)([^\W\d_])([^\W_]*)")
_CAPITAL_IN_SENTENCE = re.compile(r" (?<=[^.?!:;\"”'’\n] )([^\W\d_a-z][^\W_]*)")
_PLAIN = re.compile(r" ([^\W\d_A-Z][^\W_]*)")
# "Smith et al.", "Smith and Jones (2010)", "Smith (2010)", "Smith's"
_AUTHOR = re.compile(r"(?:et al\b|(?:and|&) [A-Z][\w-]+,? [(\[]?(?:1[89]|20)\d\d|[(\[](?:1[89]|20)\d\d)")
# They begin most sentences and are no names, whatever the paper's headings and titles make of them.
_COMMON = words(
    "the a an this that these those we it they he she you one our its their his her my there here such no all some "
    "any each every both most several in for by if when since as at on from because while although given during under "
    "after before to with among however thus therefore not other another many more what how which where who two three "
    "four figure figures fig figs table tables section sections equation eq eqs theorem lemma proposition corollary "
    "algorithm appendix chapter definition example remark"
)


class FirstLetter:
    """Applies the policy to the hypotheses of one paper; `text` gives the paper's prose when it is first needed."""

    def __init__(self, policy: Casing, text: Callable[[], str]) -> None:
        self._policy = policy
        self._read = text
        self._names: dict[tuple[str, bool], bool] = {}

    def apply(self, hypothesis: str, *, after_phrase: bool) -> str:
        """The hypothesis with its first letter by the policy.

        `after_phrase`: a phrase was removed before it, so that in the paper it stands in mid-sentence and would else be
        evidence for itself.
        """
        found = _FIRST_WORD.match(hypothesis)
        if found is None:
            return hypothesis
        at, head = found.end(1), found[2] + found[3]
        if any(not letter.islower() for letter in found[3]):  # BERT, mRNA, F1
            return hypothesis
        if self._policy is Casing.RESTORE:
            return hypothesis[:at] + found[2].upper() + hypothesis[at + 1 :]
        if found[2].islower() or self._keeps_capital(head, hypothesis[found.end() :].lstrip(), after_phrase):
            return hypothesis
        return hypothesis[:at] + found[2].lower() + hypothesis[at + 1 :]

    def _keeps_capital(self, head: str, following: str, after_phrase: bool) -> bool:
        if head.lower() in _COMMON:
            return False
        if len(head) == 1 or _AUTHOR.match(following):  # I, X, T cells; Smith et al.
            return True
        known = self._names.get((head, after_phrase))
        if known is None:
            known = self._names[head, after_phrase] = self._is_name(head, own=int(after_phrase))
        return known

    def _is_name(self, head: str, own: int) -> bool:
        """Whether the paper capitalizes the word in mid-sentence more often than not, its `own` use excluded."""
        capital = self._capitals[head] - own
        return capital > 0 and capital > self._plain[head.lower()]

    @cached_property
    def _capitals(self) -> Counter[str]:
        return Counter(_CAPITAL_IN_SENTENCE.findall(self._text))

    @cached_property
    def _plain(self) -> Counter[str]:
        return Counter(_PLAIN.findall(self._text))

    @cached_property
    def _text(self) -> str:
        return self._read()
