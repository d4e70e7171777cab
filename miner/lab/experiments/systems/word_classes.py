"""Which words of a sentence are nouns, verbs, adjectives and adverbs: by spaCy's tagger, or by rules without one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from miner.mining.linking_phrases import word_set
from miner.mining.sentence_analysis import full_name, import_spacy, model_package, model_version
from miner.mining.verbs import FINITE_VERBS

if TYPE_CHECKING:
    from spacy.language import Language

WORD_CLASSES = ("noun", "verb", "adjective", "adverb")
_TAGS = {"NN": "noun", "VB": "verb", "JJ": "adjective", "RB": "adverb"}
_WORD = re.compile(r"[A-Za-z]+(?:[-'’][A-Za-z]+)*|\d+(?:[.,]\d+)*")
_ADVERB = re.compile(r".{2,}ly$")
_ADJECTIVE = re.compile(r".{3,}(?:al|able|ible|ive|ous|ic|ful|less|ary|ant|(?<!m)ent)$")
_VERB = re.compile(r".{2,}(?:ed|ing|ize|izes|ise|ises|ify|ifies)$")
_FUNCTION_WORDS = word_set(
    "a an the of to in on at by for from with as that which who whose this these those it its they their them we our "
    "us he she his her i you your my me and or but nor so yet if than then because while when where there here not no "
    "into over under between among through during before after above below out up down off again further once"
)


class TaggedWord(NamedTuple):
    """A word in lower case. word_class: one of `WORD_CLASSES`, "" for others."""

    text: str
    word_class: str


class WordTagger:
    """Tags words. name: the model or rules with their versions, on which results depend."""

    def __init__(self, nlp: Language | None, name: str) -> None:
        self._nlp = nlp
        self.name = name

    @classmethod
    def load(cls) -> WordTagger:
        """With the installed English model of spaCy, or by rules."""
        package = model_package(None)
        if package is None:
            return cls(None, "rules")
        spacy = import_spacy(with_torch=package.endswith("_trf"))
        nlp = spacy.load(package, exclude=["parser", "ner", "lemmatizer", "attribute_ruler", "senter"])
        return cls(nlp, full_name(package, model_version(package) or str(nlp.meta["version"])))

    def tag(self, sentences: Sequence[str]) -> Iterator[list[TaggedWord]]:
        """The words of each sentence, in order."""
        if self._nlp is None:
            yield from map(_by_rules, sentences)
            return
        for start in range(0, len(sentences), 1_000):
            with self._nlp.memory_zone():  # else spaCy's vocabulary grows with every sentence
                for doc in self._nlp.pipe(sentences[start : start + 1_000], batch_size=128):
                    words = ((token.lower_, token.tag_) for token in doc if not token.is_punct and not token.is_space)
                    yield [TaggedWord(str(text), _TAGS.get(tag[:2], "")) for text, tag in words]


def _by_rules(sentence: str) -> list[TaggedWord]:
    return [TaggedWord(word, _class_by_ending(word)) for word in map(str.lower, _WORD.findall(sentence))]


def _class_by_ending(word: str) -> str:
    if word in _FUNCTION_WORDS or word[0].isdigit():
        return ""
    if word in FINITE_VERBS or _VERB.match(word):
        return "verb"
    if _ADVERB.match(word):
        return "adverb"
    return "adjective" if _ADJECTIVE.match(word) else "noun"
