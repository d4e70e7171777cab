"""Whether sentences are English and have a finite verb: by rules, and by spaCy where the rules find no verb.

Rules come first because spaCy's tokeniser alone takes longer than all other steps of mining, its tagger far longer.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.metadata import PackageNotFoundError, entry_points, version
from itertools import pairwise
from threading import get_ident
from types import ModuleType
from typing import TYPE_CHECKING, NamedTuple

from miner.errors import UserError
from miner.installation import how_installed
from miner.mining.linking_phrases import word_set
from miner.mining.verbs import FINITE_VERBS, contains_verb

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

NO_MODEL = "none"  # as the name of a language model: use rules instead
_ENGLISH = word_set(
    "the of and to in a an that is are was were for on with as by this these it we from at be which has have not can "
    "or their our its they there been than but also may between into such more when both"
)
# None of these is an English word or a usual part of names.
_FOREIGN = word_set(
    "und ist nicht mit für wird werden sich auch eine einer einem dass wurde oder "
    "le les est une dans pour qui sur avec sont pas aux cette être nous "
    "el los las una del por para como más es son fue entre "
    "il della che sono nel gli delle degli una è con "
    "uma não os em com são dos foi pela "
    "het een dat niet zijn voor och att som är"
)
_NOT_LATIN = re.compile(r"[\u0400-\u1dff\u2e80-\ua71f\uac00-\ud7ff\uf900-\ufaff\ufb1d-\ufefc]")
_FINITE_TAGS = frozenset(("VBD", "VBP", "VBZ", "MD"))
_NOUN_TAGS = frozenset(("NNS", "NNPS", "NN", "NNP", "PRP"))

# "the deeper the lake, the later the frost"
_PROPORTION = re.compile(r"(?:^|, )the (?:more|less|\w+er)\b.*, the (?:more|less|\w+er)\b", re.IGNORECASE)

_PUNCTUATION = ",.;:!?()[]{}|\"'“”‘’"


class SentenceProperties(NamedTuple):
    """What the filters need to know about a sentence. `has_verb`: a finite verb, or an imperative at its start."""

    has_verb: bool
    english: bool


class SentenceAnalyzer:
    """Analyzes sentences. `name`: its rules or model with their versions, for provenance."""

    def __init__(self, nlp: Language, name: str) -> None:
        self._nlp = nlp
        self._has_tagger = nlp.has_pipe("tagger")
        self.name = name

    @classmethod
    def load(cls, model: str | None = None) -> SentenceAnalyzer:
        """An analyzer with this spaCy model. By default: the installed English model, or rules alone without one.

        `UserError` when the model is not installed.
        """
        package = model_package(model)
        if package is None:
            return cls.rules()
        spacy = import_spacy(with_torch=package.endswith("_trf"))
        nlp = spacy.load(package, exclude=["parser", "ner", "lemmatizer", "attribute_ruler", "senter"])
        return cls(nlp, full_name(package, model_version(package) or str(nlp.meta["version"])))

    @classmethod
    def name_of(cls, model: str | None = None) -> str:
        """The name of the analyzer that `load` would return, without loading the model."""
        package = model_package(model)
        if package is None:
            return cls.name_of_rules()
        found = model_version(package)
        return full_name(package, found) if found else cls.load(model).name

    @classmethod
    def rules(cls) -> SentenceAnalyzer:
        """An analyzer without a model: spaCy's tokeniser and rules for verbs."""
        return cls(import_spacy(with_torch=False).blank("en"), cls.name_of_rules())

    @staticmethod
    def name_of_rules() -> str:
        return f"rules, spaCy {version('spacy')}"

    def analyze(self, sentences: Sequence[str]) -> list[SentenceProperties]:
        """The properties of each sentence, in order."""
        properties: list[SentenceProperties] = []
        undecided: list[int] = []
        for position, sentence in enumerate(sentences):
            tokens = sentence.split()
            token_set = frozenset(tokens)
            has_verb = not FINITE_VERBS.isdisjoint(token_set) or contains_verb(
                [word.strip(_PUNCTUATION) for word in tokens]
            )
            has_verb = has_verb or _PROPORTION.search(sentence) is not None
            properties.append(SentenceProperties(has_verb, _is_english(sentence, token_set)))
            if not has_verb:
                undecided.append(position)
        if undecided:
            verbs = self._verbs([sentences[position] for position in undecided])
            for position, has_verb in zip(undecided, verbs, strict=True):
                properties[position] = properties[position]._replace(has_verb=has_verb)
        return properties

    def _verbs(self, sentences: Sequence[str]) -> list[bool]:
        # The zone frees the words of these sentences; otherwise spaCy's vocabulary grows with every paper.
        with self._nlp.memory_zone():
            if self._has_tagger:
                return [_has_tagged_verb(doc) for doc in self._nlp.pipe(sentences)]
            return [contains_verb([token.text for token in self._nlp.make_doc(sentence)]) for sentence in sentences]


def installed_models() -> list[str]:
    """The names of the installed spaCy models for English, sorted; found as spaCy itself finds them."""
    return sorted({entry.name for entry in entry_points(group="spacy_models") if entry.name.startswith("en_")})


def import_spacy(*, with_torch: bool) -> ModuleType:
    """The module spaCy. It would import torch where that is installed, which takes seconds; so hide torch from it."""
    hiding = _HiddenTorch() if not with_torch and "torch" not in sys.modules else None
    if hiding is not None:
        sys.meta_path.insert(0, hiding)
    try:
        import spacy
    finally:
        if hiding is not None:
            sys.meta_path.remove(hiding)
    return spacy


class _HiddenTorch(MetaPathFinder):
    """Lets imports of torch fail in the thread that made it, as where it is not installed; other threads see it."""

    def __init__(self) -> None:
        self._thread = get_ident()

    def find_spec(self, fullname: str, path: object = None, target: object = None) -> None:
        if fullname == "torch" and get_ident() == self._thread:
            raise ModuleNotFoundError("torch is not imported with spaCy", name=fullname)


def model_package(model: str | None) -> str | None:
    """The installed model to load: this model, or by default the first English one; None where there is none."""
    if model is None:
        return next(iter(installed_models()), None)
    if model not in {entry.name for entry in entry_points(group="spacy_models")}:
        raise UserError(
            f"The spaCy model “{model}” is not installed.",
            hint=f"{how_installed().spacy_remedy(model)} (without a model, rules do the same work).",
        )
    return model


def model_version(package: str) -> str | None:
    """The version of an installed model; None if it cannot be told without loading it."""
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def full_name(package: str, number: str) -> str:
    """The name of a model, for provenance; `number`: its version."""
    return f"{package} {number}, spaCy {version('spacy')}"


def _is_english(sentence: str, token_set: frozenset[str]) -> bool:
    if not sentence.isascii() and len(_NOT_LATIN.findall(sentence)) * 4 > len(sentence):
        return False
    foreign_count = len(token_set & _FOREIGN)
    return foreign_count < 2 or foreign_count <= len(token_set & _ENGLISH)


def _has_tagged_verb(doc: Doc) -> bool:
    """A finite verb, or an imperative at the beginning.

    The tagger often takes a plural verb for an infinitive; after a noun, and without "to", it is finite.
    """
    if any(token.tag_ in _FINITE_TAGS for token in doc) or (len(doc) > 0 and doc[0].tag_ == "VB"):
        return True
    return any(second.tag_ == "VB" and first.tag_ in _NOUN_TAGS for first, second in pairwise(doc))


def load_analyzer(model: str | None) -> SentenceAnalyzer:
    """The analyzer with a language model, see `SentenceAnalyzer.load`; for `NO_MODEL`, an analyzer by rules."""
    return SentenceAnalyzer.rules() if model == NO_MODEL else SentenceAnalyzer.load(model)


def name_of_analyzer(model: str | None) -> str:
    """The name of the analyzer that `load_analyzer` would return, without loading the model."""
    return SentenceAnalyzer.name_of_rules() if model == NO_MODEL else SentenceAnalyzer.name_of(model)
