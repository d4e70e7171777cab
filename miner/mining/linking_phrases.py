"""Linking phrases at the start of a sentence, and the rules for when they link.

Lexicon: SciNLI (Sadat and Caragea, ACL 2022), Table 2 = MSciNLI, Table 11. The rules were measured on 91,556 pairs of
8,078 papers: there a comma follows the phrase in 94-99 % of uses; without a comma most phrases mean something else.
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

    `on`: pairs are mined by it. If it is off, sentences that start with it are still never drawn for neutral pairs.
    `extended`: it is not in the lexicon of SciNLI and MSciNLI.
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


def word_set(text: str) -> frozenset[str]:
    """The set of the words in a text."""
    return frozenset(text.split())


# No linked hypothesis starts with one of these. A neutral hypothesis must not either: it would reveal its class.
CONNECTIVES = re.compile(
    r"(?:Moreover|Furthermore|Additionally|In addition|Besides|Also|Similarly|Likewise|Finally"
    r"|First(?:ly)?|Second(?:ly)?|Third(?:ly)?|Then|Next|Lastly|Instead|Indeed|In fact|In turn|Rather"
    r"|Meanwhile|Subsequently|Overall|Notably|Still|Interestingly|Importantly|Further|Again|Otherwise"
    r"|For (?:example|instance)|To this end|In (?:summary|conclusion)|But|And|Or|So|On the one hand"
    r"|In (?:this|that) (?:case|way)|At the same time|To summarize|Alternatively|Afterwards)\b"
)


class PhraseMatch(NamedTuple):
    """A phrase at the start of a sentence; the linked clause starts at character `rest`.

    `trap`: None when the phrase links, otherwise the reason why it does not, a key of
    `miner.mining.drop_reasons.DROP_TEXTS`. `comma`: a comma, colon or semicolon follows the phrase.
    """

    phrase: Phrase
    rest: int
    comma: bool
    trap: str | None


# Words that begin a clause; they may follow any phrase without a comma ("In particular we", "Specifically the").
_CLAUSE_OPENINGS = word_set(
    "the a an this that these those we it they he she i you one our its their his her my there here such no all some "
    "any each every both most several neither either nothing if"
)
# Phrases with hardly another use at the start of a sentence: any clause may follow ("Thus fast methods are used").
# Others may be part of a noun phrase or say how much: "In particular cases", "Specifically for lakes".
_PURE_CONNECTIVES = word_set(
    "however therefore thus hence consequently nevertheless nonetheless accordingly conversely yet"
) | {
    *("as a result", "as a consequence", "for this reason", "in other words"),
    *("on the other hand", "on the contrary", "in contrast", "by contrast"),
}
# Phrases that link only before a comma: otherwise they are adverbs of degree or demonstratives.
_COMMA_REQUIRED = {
    "that is": "trap_that_is",
    "particularly": "trap_particularly",
    "precisely": "trap_precisely",
    "more precisely": "trap_precisely",
    "namely": "trap_no_comma",
}
# "However small": adjectives and adverbs of degree; so are most words in -ly.
_DEGREE_WORDS = word_set(
    "much many few little small large big great long short hard strong weak simple complex brief high low well good "
    "bad slight crude imperfect accurate important interesting plausible tempting controversial common rare fast slow"
)
_NO_DEGREE = word_set(
    "only recently currently usually generally typically previously unfortunately apparently early notably "
    "interestingly importantly surprisingly remarkably additionally specifically similarly occasionally"
)
# "However promising these results are": what follows a degree; before a noun it links ("However small lakes froze").
_AFTER_DEGREE = re.compile(
    r"\s*,|\s+(?:the|a|an|this|these|that|those|it|they|we|our|its|their|one|he|she|you|and|or|as)\b"
)
_NO_NOUN = re.compile(r"\s*,|\s+(?:by|in|with|from|to|as|for|on|at|into|through|via|using|that)\b")
# Words in -ing that may open a clause: prepositions and pronouns.
_NO_PARTICIPLES = word_set("using considering following regarding concerning assuming depending during everything")
# "Thus making moss is hard": the word in -ing is the subject of a clause; in "Thus making the lake that is" it is not.
# So is what comes before "we": "Thus combining (2) with (3) we find".
_GERUND_CLAUSE = re.compile(
    r"(?:\([^()]*\)|(?!,|;|:|\b(?:that|which|who|whether|how|what|where|when|if|as|it|they)\b)[^(])*?"
    r"\b(?:is|are|was|were|may|might|can|could|will|would|should|must|has|have|requires|leads|makes|allows|enables"
    r"|gives|provides|simplifies|helps|harms|reduces|improves|increases|yields|becomes|remains)\b"
    r"|(?:\([^()]*\)|(?!;|:|\b(?:that|which|who|whether|how|what|where|when|if|as)\b)[^(])*?(?<=[,)\]\d])\s(?:we|one)\s"
)
# "Thus obtained values": participles that say how something was made.
_MANNER_PARTICIPLES = word_set(
    "obtained defined prepared constructed derived generated produced formed computed calculated modified described"
)
_NO_MANNER = word_set("based compared")  # "Thus based on its depth, the lake"
# "Specifically for lakes, we dug", "In particular Lake Orta froze": unlike "Specifically designed" and "In particular
# cases", which are one.
_SPECIFYING = word_set("specifically") | {"in particular"}
_PARTICULAR_CLAUSE = re.compile(
    r"(?:\([^()]*\)|,\s(?:such\sas|including)\s[^,;]*,|(?!\b(?:cases?|circumstances|situations?|instances?|conditions"
    r"|contexts?|settings?|environments?|regions|areas|fields|domains|species|years)\b|[,;:])[^(])*?"
    r"\b(?:is|are|was|were|has|have|had|can|could|may|might|will|would|should|must|do|does|did|show(?:s|ed)?|seem|appear"
    r"|induce|yield(?:s|ed)?|reveal(?:s|ed)?)\b"
)
_AFTER_SPECIFYING = word_set(
    "for in on at by with under during among within across when where if because since as from regarding concerning "
    "considering using note consider observe recall only even some many there"
)
# "Thus similar to the moss": an adjective before a preposition modifies nothing that follows.
_ADJECTIVE = re.compile(r"\w{2,}(?:able|ible|ous|ful|less|ic)|similar|different|likely|unlikely|important|equivalent")
# Phrase -> (next words, reason): other constructions that begin with the same words.
_OTHER_CONSTRUCTIONS = {
    "in contrast": (word_set("to with of"), "trap_in_contrast_to"),
    "by contrast": (word_set("to with of"), "trap_in_contrast_to"),
    "on the contrary": (word_set("to with of"), "trap_in_contrast_to"),
    "conversely": (word_set("to"), "trap_in_contrast_to"),
    "as a result": (word_set("of from to"), "trap_as_a_result_of"),
    "as a consequence": (word_set("of from to"), "trap_as_a_result_of"),
    "accordingly": (word_set("to with"), "trap_no_comma"),
    "for this reason": (word_set("alone"), "trap_no_comma"),
    "thus": (word_set("far"), "trap_thus_far"),
    "yet": (word_set("another again to more other further"), "trap_yet"),
}
_TO_US = re.compile(r"to\s(?:our|my|the|date)\b")  # "Yet to our knowledge", unlike "Yet to be drained"
_CONJUNCTIONS = word_set("and or nor but")
# "In contrast agents", "In contrast-enhanced images": the word is part of another noun.
_CONTRAST_COMPOUND = re.compile(
    r"(?:agents?|media|medium|materials?|enhance\w*|imag\w*|sensitivity|ratios?|modes?|between|studies|learning)\b"
)
_WORD = re.compile(r"[^\W_]+")
_NEXT_CLAUSE = re.compile(
    r"[\w(\[|“\"‘'‖∥∇∂∑∏∫√∀∃⟨¬~∼˜ˆ<>≤≥±]"
)  # a clause may also begin with a number, a bracket or a formula
_PUNCTUATION = re.compile(r"\s*([,:;，：；]?)\s*")
_LIST_LABEL = r"(?:\(?(?:\d{1,2}|[ivx]{1,4}|[a-h])\)|[•▪■●❶-❿])\s+"
_LIST_LABEL_START = re.compile(_LIST_LABEL)
_FOLLOWING_THAT = re.compile(r"that\s+")
_SPEAKING = re.compile(r"speaking\s*[,:]\s*")  # "Specifically speaking, the lake froze"
_SPEAKING_PHRASES = word_set("specifically precisely") | {"more specifically", "more precisely"}
_TO_SAY = re.compile(r"to say(?:\s*(?P<comma>[,:;])\s*|\s+)(?:that\s+)?")


def phrase_key(text: str) -> str:
    """The words alone in lower case: equal for all spellings of one phrase.

    >>> phrase_key("On the other-hand,")
    'on the other hand'
    """
    return " ".join(_WORD.findall(text)).casefold()


def list_label(text: str) -> str:
    """The number, letter or bullet of a list's item that the sentence starts with, and the space after it; "" without.

    >>> list_label("(2) In contrast, it froze.")
    '(2) '
    """
    label = _LIST_LABEL_START.match(text)
    return label[0] if label else ""


def _spelling(text: str) -> str:
    """A pattern for the phrase: capital first letter, the rest in any case; variants of spaces, hyphens, quotes."""
    variants = {"'": "['’‘`]", "’": "['’‘`]", "-": "[-‐‑–]", ",": r"\s*,?"}
    words_spelled = []
    for word in text.split():
        words_spelled.append("".join(variants.get(letter, re.escape(letter)) for letter in word))
    rest = r"\s+".join(words_spelled)[len(re.escape(text[0])) :]
    return f"{re.escape(text[0].upper())}(?i:{rest})"


class PhraseMatcher:
    """Finds the linking phrase that a sentence starts with, also behind the label of a list's item such as "(2)".

    >>> matcher = PhraseMatcher(LEXICON)
    >>> sentence = "However, the samples were small."
    >>> link = matcher.find(sentence)
    >>> link.phrase.label.value, sentence[link.rest :], link.trap
    ('contrasting', 'the samples were small.', None)
    >>> matcher.find("However small the samples were, they sufficed.").trap
    'trap_however_degree'
    >>> matcher.find("The samples were small.") is None
    True
    """

    def __init__(self, phrases: Iterable[Phrase]) -> None:
        by_length = sorted(phrases, key=lambda phrase: (-len(phrase.text), phrase.text))
        self._phrases = {phrase_key(phrase.text): phrase for phrase in by_length}
        spellings = "|".join(_spelling(phrase.text) for phrase in by_length)
        self._pattern = re.compile(rf"(?:{_LIST_LABEL})?({spellings})(?![\w\-‐‑])" if by_length else r"(?!)")

    def starts(self, text: str, start: int = 0) -> bool:
        """Whether a phrase, on or off, stands at `start`, whether it links there or not."""
        return self._pattern.match(text, start) is not None

    def find(self, text: str, start: int = 0) -> PhraseMatch | None:
        """The phrase at `start` of `text`, on or off, and whether it links there; None without a phrase."""
        match = self._pattern.match(text, start)
        if match is None:
            return None
        key = phrase_key(match[1])
        punctuation = _PUNCTUATION.match(text, match.end())
        assert punctuation is not None  # it matches the empty string
        rest, comma = punctuation.end(), bool(punctuation[1])
        if key.endswith(" infer") and (that := _FOLLOWING_THAT.match(text, rest)):
            return PhraseMatch(self._phrases[key], that.end(), comma, None)
        if key == "that is" and not comma and (to_say := _TO_SAY.match(text, rest)):
            return PhraseMatch(self._phrases[key], to_say.end(), bool(to_say["comma"]), None)
        if key in _SPEAKING_PHRASES and not comma and (speaking := _SPEAKING.match(text, rest)):
            return PhraseMatch(self._phrases[key], speaking.end(), comma=True, trap=None)
        return PhraseMatch(self._phrases[key], rest, comma, None if comma else _drop_reason(key, text, rest))

    def end_of_phrases(self, sentence: str, link: PhraseMatch) -> int:
        """Where the sentence continues after its phrase, or after two with one meaning: "However, in contrast,"."""
        following = sentence[link.rest :]
        second = self.find(following[:1].upper() + following[1:])
        if second is None or second.trap or not second.comma or second.phrase.label is not link.phrase.label:
            return link.rest
        return link.rest + second.rest


@lru_cache(maxsize=8)
def phrase_matcher(phrases: tuple[Phrase, ...]) -> PhraseMatcher:
    """A matcher for these phrases; compiled once for equal phrases."""
    return PhraseMatcher(phrases)


def _drop_reason(key: str, text: str, rest: int) -> str | None:
    """Why the phrase `key`, followed by `text[rest:]` without a comma, does not link; None where it does."""
    if key in _COMMA_REQUIRED:
        return _COMMA_REQUIRED[key]
    word = _WORD.match(text, rest)
    next_word = word[0].casefold() if word else ""
    other_words, reason = _OTHER_CONSTRUCTIONS.get(key, (frozenset[str](), ""))
    if next_word in other_words and not (key == "yet" and _TO_US.match(text, rest)):
        return reason
    if next_word in _CLAUSE_OPENINGS:
        return None
    if key in _SPECIFYING and _NEXT_CLAUSE.match(text, rest):
        links = next_word in _AFTER_SPECIFYING or not text[rest].islower()
        links = links or (key == "in particular" and _PARTICULAR_CLAUSE.match(text, rest) is not None)
        return None if links else "trap_no_comma"
    if key == "however" and _is_degree(next_word, text, word.end() if word else rest):
        return "trap_however_degree"
    if key not in _PURE_CONNECTIVES or next_word in _CONJUNCTIONS or not _NEXT_CLAUSE.match(text, rest):
        return "trap_no_comma"
    return "trap_no_comma" if word and _modifies(key, next_word, text, word.end()) else None


def _is_degree(next_word: str, text: str, end: int) -> bool:
    """Whether "However" says how much, as in "However small a lake is"; the word after it ends at `end` of `text`."""
    says_degree = next_word in _DEGREE_WORDS or next_word.endswith(("ly", "ing")) or _ADJECTIVE.fullmatch(next_word)
    if not says_degree or next_word in _NO_DEGREE or next_word in _NO_PARTICIPLES:
        return False
    return _AFTER_DEGREE.match(text, end) is not None


def _modifies(key: str, next_word: str, text: str, end: int) -> bool:
    """Whether the phrase belongs to the next word, which ends at `end` of `text`: "Thus making", "In contrast media".

    Of the adverbs only "thus" and "hence" stand before participles and adjectives in this way.
    """
    if key in ("in contrast", "by contrast"):
        return _CONTRAST_COMPOUND.match(next_word) is not None
    if key not in ("thus", "hence"):
        return False
    if next_word.endswith("ing") and len(next_word) > 4:
        return next_word not in _NO_PARTICIPLES and not _GERUND_CLAUSE.match(text, end)
    if next_word.endswith("ed"):
        manner = next_word in _MANNER_PARTICIPLES or _NO_NOUN.match(text, end) is not None
        return manner and next_word not in _NO_MANNER
    return _ADJECTIVE.fullmatch(next_word) is not None and _NO_NOUN.match(text, end) is not None
