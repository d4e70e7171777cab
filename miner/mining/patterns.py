"""Linking phrases at the start of a sentence, and the rules for when they link.

Lexicon: SciNLI (Sadat and Caragea, ACL 2022), Table 2 = MSciNLI, Table 11. Traps: measured on 91,556 pairs of 8,078
papers; there a comma follows in 94-99 % of uses, and without one most phrases usually mean something else.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from miner.records import Label


@dataclass(frozen=True, slots=True)
class Phrase:
    """A linking phrase and the relation it announces.

    `on`: pairs are mined by it. One that is off is still known: no sentence that starts with it is drawn for a neutral
    pair. `extended`: not of the papers' lexicon.
    """

    text: str
    label: Label
    on: bool = True
    extended: bool = False


def _phrases(label: Label, *texts: str, extended: bool = False) -> tuple[Phrase, ...]:
    return tuple(Phrase(text, label, on=not extended, extended=extended) for text in texts)


SCINLI = (
    *_phrases(Label.CONTRASTING, "However", "On the other hand", "In contrast", "On the contrary"),
    *_phrases(Label.REASONING, "Therefore", "Thus", "Consequently", "As a result", "As a consequence"),
    *_phrases(Label.REASONING, "From here, we can infer"),
    *_phrases(Label.ENTAILMENT, "Specifically", "Precisely", "In particular", "Particularly", "That is"),
    *_phrases(Label.ENTAILMENT, "In other words"),
)
# Left out for their mixed sense: Instead, Then, Indeed, In fact, In turn, While, Rather, To this end.
EXTENDED = (
    *_phrases(Label.CONTRASTING, "Nevertheless", "Conversely", "Nonetheless", "By contrast", "Yet", extended=True),
    *_phrases(Label.REASONING, "Hence", "Accordingly", "For this reason", extended=True),
    *_phrases(Label.ENTAILMENT, "More specifically", "More precisely", "Namely", "In short", extended=True),
    *_phrases(Label.ENTAILMENT, "Equivalently", extended=True),
)
LEXICON = SCINLI + EXTENDED


def words(text: str) -> frozenset[str]:
    """The words of a list written as running text."""
    return frozenset(text.split())


# Openings that no linked hypothesis has, so that one in a neutral hypothesis would tell its class.
CONNECTIVES = re.compile(
    r"(?:Moreover|Furthermore|Additionally|In addition|Besides|Also|Similarly|Likewise|Finally"
    r"|First(?:ly)?|Second(?:ly)?|Third(?:ly)?|Then|Next|Lastly|Instead|Indeed|In fact|In turn|Rather"
    r"|Meanwhile|Subsequently|Overall|Notably|Still|Interestingly|Importantly|Further|Again|Otherwise"
    r"|For (?:example|instance)|To this end|In (?:summary|conclusion)|But|And|Or|So|On the one hand"
    r"|In (?:this|that) (?:case|way)|At the same time|To summarize|Alternatively|Afterwards)\b"
)


class Link(NamedTuple):
    """A sentence starts with `phrase`; what it links starts at character `rest`.

    `trap` is None when the phrase links, or else the reason why it does not. `comma`: a comma, colon or semicolon
    follows.
    """

    phrase: Phrase
    rest: int
    comma: bool
    trap: str | None


# A clause begins: what may follow without a comma ("Thus the", "Therefore we", "However there").
_SUBJECT = words(
    "the a an this that these those we it they he she i you one our its their his her my there here such no all some "
    "any each every both most several neither either nothing"
)
# What may follow only the phrases that modify nothing ("Thus in order to", "However if"; not "Particularly in").
_OPENER = words(
    "in for by if when since as at on from because while whereas although though given during under after before "
    "unless once within among between using to with"
)
_MODIFY_NOTHING = frozenset(
    ("however", "therefore", "thus", "hence", "consequently", "nevertheless", "nonetheless", "on the other hand")
)
# Adverbs with no other use at the start of a sentence: any word may follow ("Therefore fast methods are used").
_ONLY_LINK = frozenset(("therefore", "consequently", "nevertheless", "nonetheless"))
# The phrase is a degree adverb or a demonstrative unless punctuation sets it apart, so no rule accepts it alone.
_NEEDS_COMMA = {
    "that is": "trap_that_is",
    "particularly": "trap_particularly",
    "precisely": "trap_precisely",
    "more precisely": "trap_precisely",
    "namely": "trap_no_comma",
    "yet": "trap_yet",
}
# "However small": an adjective or adverb of degree, or one in -ly.
_DEGREES = words(
    "much many few little small large big great long short hard strong weak simple complex brief high low well good "
    "bad slight crude imperfect accurate important interesting plausible tempting controversial common rare fast slow"
)
# Phrase -> (next words, reason): another construction begins with the same words.
_CONSTRUCTIONS = {
    "in contrast": (("to", "with", "of"), "trap_in_contrast_to"),
    "by contrast": (("to", "with"), "trap_in_contrast_to"),
    "on the contrary": (("to", "with", "of"), "trap_in_contrast_to"),
    "conversely": (("to",), "trap_in_contrast_to"),
    "as a result": (("of", "from"), "trap_as_a_result_of"),
    "as a consequence": (("of",), "trap_as_a_result_of"),
    "thus": (("far",), "trap_thus_far"),
}
TRAPS = {
    "trap_in_contrast_to": "“In contrast to …”, “On the contrary to …”: a preposition, not a link.",
    "trap_as_a_result_of": "“As a result of …”, “As a consequence of …”: a preposition, not a link.",
    "trap_thus_far": "“Thus far”: means until now.",
    "trap_that_is": "“That is why …”, “That is the …”: a statement about “that”, not a restatement.",
    "trap_however_degree": "“However small …”: a degree, not a contrast.",
    "trap_particularly": "“Particularly noteworthy …”, “Particularly in …”: a degree, not a link.",
    "trap_precisely": "“Precisely the …”: a degree, not a link.",
    "trap_yet": "“Yet another …”, “Yet to be …”: not a contrast.",
    "trap_no_comma": "No comma after the phrase, and none of the rules that accept it without one.",
}

_WORD = re.compile(r"[^\W_]+")
_PUNCTUATION = re.compile(r"\s*([,:;，：；]?)\s*")
_THAT = re.compile(r"that\s+")


def phrase_key(text: str) -> str:
    """The words alone in lower case: equal for two spellings of one phrase."""
    return " ".join(_WORD.findall(text)).casefold()


def _spelling(text: str) -> str:
    """A pattern for the phrase: capital first letter, the rest in any case, with any white space and punctuation."""
    joints = {"'": "['’‘`]", "’": "['’‘`]", "-": "[-‐‑–]", ",": r"\s*,?"}
    pieces = []
    for word in text.split():
        pieces.append("".join(joints.get(letter, re.escape(letter)) for letter in word))
    rest = r"\s+".join(pieces)[len(re.escape(text[0])) :]
    return f"{re.escape(text[0].upper())}(?i:{rest})"


class Matcher:
    """Finds the linking phrase that a sentence starts with."""

    def __init__(self, phrases: Iterable[Phrase]) -> None:
        known = sorted(phrases, key=lambda phrase: (-len(phrase.text), phrase.text))
        self._phrases = {phrase_key(phrase.text): phrase for phrase in known}
        spellings = "|".join(_spelling(phrase.text) for phrase in known)
        self._start = re.compile(rf"({spellings})(?![\w\-‐‑])" if known else r"(?!)")

    def starts(self, text: str, start: int = 0) -> bool:
        """Whether a phrase, on or off, stands at `start`, linking or not."""
        return self._start.match(text, start) is not None

    def find(self, text: str, start: int = 0) -> Link | None:
        """The phrase at `start` of `text`, on or off, and whether it links there; None when there is none."""
        found = self._start.match(text, start)
        if found is None:
            return None
        key = phrase_key(found[1])
        punctuation = _PUNCTUATION.match(text, found.end())
        assert punctuation is not None  # it matches the empty string
        rest, comma = punctuation.end(), bool(punctuation[1])
        if key.endswith(" infer") and (that := _THAT.match(text, rest)):
            return Link(self._phrases[key], that.end(), comma, None)
        return Link(self._phrases[key], rest, comma, None if comma else _trap(key, text, rest))


@lru_cache(maxsize=8)
def matcher_of(phrases: tuple[Phrase, ...]) -> Matcher:
    """The compiled matcher; the same one for the same phrases."""
    return Matcher(phrases)


def _trap(key: str, text: str, rest: int) -> str | None:
    """Why `key`, followed by `text[rest:]` without punctuation, does not link; None when a rule accepts it."""
    if key in _NEEDS_COMMA:
        return _NEEDS_COMMA[key]
    word = _WORD.match(text, rest)
    follower = word[0].casefold() if word else ""
    words, reason = _CONSTRUCTIONS.get(key, ((), ""))
    if follower in words:
        return reason
    if key in _ONLY_LINK and text[rest : rest + 1].isalpha():
        return None
    if follower in _SUBJECT or (follower in _OPENER and key in _MODIFY_NOTHING):
        return None
    if key == "however" and (follower in _DEGREES or follower.endswith("ly")):
        return "trap_however_degree"
    return "trap_no_comma"
