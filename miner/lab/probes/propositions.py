"""Propositions of sentences by spaCy's parser: a subject, a predicate, an object (Directional inference, app. D)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from miner.errors import UserError
from miner.installation import how_installed
from miner.mining.sentence_analysis import full_name, import_spacy, model_package, model_version

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc, Token

RULES = 1
"""Raised when other propositions are found in the same sentences."""
_SUBJECTS = frozenset(("nsubj", "csubj"))
_OBJECTS = frozenset(("dobj", "obj"))
_PASSIVE_SUBJECTS = frozenset(("nsubjpass",))
_PREPOSITIONS = frozenset(("prep", "agent"))
_OF_PREPOSITIONS = frozenset(("pobj",))
_ARGUMENTS = _SUBJECTS | _PASSIVE_SUBJECTS | _OBJECTS | _OF_PREPOSITIONS | {"conj"}
_LAST_PARTS = ("attribute_ruler", "lemmatizer")  # of the pipeline: word classes and lemmas
_ARGUMENT_TAGS = frozenset(("NN", "NNS", "NNP", "NNPS"))
_ARGUMENT = re.compile(r"[^\W\d_][\w-]*(?: [\w-]+){0,3}$")
_PER_ZONE = 500  # sentences
MAX_TERM = 200  # characters


class Proposition(NamedTuple):
    """What a sentence says: all three in small letters, verbs and arguments by their lemmas."""

    subject: str
    predicate: str
    object: str


class PropositionReader:
    """Finds the propositions of sentences.

    Word classes and lemmas are found for those sentences and words alone that may be in one, which takes less time.
    """

    def __init__(self, nlp: Language) -> None:
        self._nlp = nlp
        names = nlp.pipe_names[-len(_LAST_PARTS) :]
        lasts = [nlp.get_pipe(name) for name in names]
        self._last: tuple[Any, Any] | None = None
        if tuple(names) == _LAST_PARTS and hasattr(lasts[1], "lemmatize"):
            self._last = lasts[0], lasts[1]

    @classmethod
    def load(cls) -> PropositionReader:
        """With the installed English model; `UserError` without one, as there are no rules for it."""
        return cls(load_parser(exclude=("ner", "senter")))

    @classmethod
    def name_of(cls) -> str:
        """The name of the model and rules of `load`, by which propositions are kept; `UserError` in the same cases."""
        package = _installed_parser()
        return f"{full_name(package, model_version(package) or 'unknown')}, rules {RULES}"

    def read(self, sentences: Sequence[str]) -> Iterator[list[Proposition]]:
        """The propositions of each sentence, in order, none twice."""
        for start in range(0, len(sentences), _PER_ZONE):
            with self._nlp.memory_zone():  # else spaCy's vocabulary grows with every sentence
                some = sentences[start : start + _PER_ZONE]
                for doc in self._nlp.pipe(some, batch_size=64, disable=_LAST_PARTS if self._last else ()):
                    yield [said for said in dict.fromkeys(self._propositions(doc)) if all(map(is_term, said))]

    def _propositions(self, doc: Doc) -> Iterator[Proposition]:
        if self._last is not None:
            if not _may_say_something(doc):
                return
            ruler, lemmatizer = self._last
            ruler(doc)
            for token in doc:
                is_used = token.pos_ == "VERB" or token.dep_ in _ARGUMENTS
                if is_used and (lemmatizer.overwrite or not token.lemma):
                    token.lemma_ = lemmatizer.lemmatize(token)[0]
        yield from _propositions(doc)


def load_parser(*, exclude: Sequence[str] = ()) -> Language:
    """The installed English model without these parts; `UserError` if no model with a parser is installed."""
    package = _installed_parser()
    spacy = import_spacy(with_torch=package.endswith("_trf"))
    nlp: Language = spacy.load(package, exclude=list(exclude))
    if "parser" not in nlp.component_names and "parser" not in exclude:
        raise UserError(f"The spaCy model {package} has no parser, which propositions need.", hint=_remedy())
    return nlp


def is_term(text: object) -> bool:
    """Whether a text can be a part of a proposition: one line that can be printed."""
    return isinstance(text, str) and 0 < len(text) <= MAX_TERM and text.isprintable()


def _installed_parser() -> str:
    package = model_package(None)
    if package is None:
        raise UserError("Propositions need an English model of spaCy, and none is installed.", hint=_remedy())
    return package


def _remedy() -> str:
    return how_installed().remedy("spacy-model")


def _propositions(doc: Doc) -> Iterator[Proposition]:
    for token in doc:
        if token.pos_ == "VERB" and not _is_negated(token):
            yield from _of_verb(token)


def _may_say_something(doc: Doc) -> bool:
    """Whether a word of the sentence has a subject and an object, whatever the word is. No lemma is needed for it."""
    for token in doc:
        subjects = _SUBJECTS | _PASSIVE_SUBJECTS
        if (_has(token, subjects) or (token.dep_ == "conj" and _has(token.head, subjects))) and (
            _has(token, _OBJECTS)
            or any(child.dep_ in _PREPOSITIONS and _has(child, _OF_PREPOSITIONS) for child in token.children)
        ):
            return True
    return False


def _has(head: Token, kinds: frozenset[str]) -> bool:
    return next(_argument_tokens(head, kinds), None) is not None


def _of_verb(verb: Token) -> Iterator[Proposition]:
    predicate = " ".join([verb.lemma_.lower(), *(child.lower_ for child in verb.children if child.dep_ == "prt")])
    subjects, passive = _arguments(verb, _SUBJECTS), _arguments(verb, _PASSIVE_SUBJECTS)
    if not subjects and not passive and verb.dep_ == "conj" and verb.head.pos_ == "VERB":
        if _arguments(verb, _OBJECTS) or not _arguments(verb.head, _PASSIVE_SUBJECTS):
            subjects = _arguments(verb.head, _SUBJECTS)
        else:
            passive = _arguments(verb.head, _PASSIVE_SUBJECTS)
    for subject in subjects:
        for object in _arguments(verb, _OBJECTS):
            yield Proposition(subject, predicate, object)
        for preposition, object in _prepositional(verb):
            yield Proposition(subject, f"{predicate} {preposition}", object)
    for patient in passive:
        for agent in (child for child in verb.children if child.dep_ == "agent"):
            for subject in _arguments(agent, _OF_PREPOSITIONS):
                yield Proposition(subject, predicate, patient)
        for preposition, object in _prepositional(verb):
            yield Proposition(patient, f"be {verb.lower_} {preposition}", object)


def _prepositional(verb: Token) -> Iterator[tuple[str, str]]:
    for child in verb.children:
        if child.dep_ == "prep":
            for object in _arguments(child, _OF_PREPOSITIONS):
                yield child.lower_, object


def _arguments(head: Token, kinds: frozenset[str]) -> list[str]:
    """The nouns that depend on `head` in one of these ways, with those they are joined to by "and"."""
    return [name for token in _argument_tokens(head, kinds) if (name := _name(token))]


def _argument_tokens(head: Token, kinds: frozenset[str]) -> Iterator[Token]:
    for child in head.children:
        if child.dep_ in kinds:
            for token in (child, *(other for other in child.conjuncts if other.i > child.i)):
                if token.tag_ in _ARGUMENT_TAGS:
                    yield token


def _name(noun: Token) -> str:
    """The noun's lemma with the nouns before it: "grass root"; "" for what is no word."""
    compounds = [child.lower_ for child in noun.lefts if child.dep_ == "compound"]
    name = " ".join([*compounds[-2:], noun.lemma_.lower()])
    return name if _ARGUMENT.match(name) else ""


def _is_negated(verb: Token) -> bool:
    words: Any = verb.children
    return any(child.dep_ == "neg" or child.lower_ in ("no", "never", "hardly") for child in words)
