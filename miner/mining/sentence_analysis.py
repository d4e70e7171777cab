"""Whether sentences are English and have a finite verb: by rules, and by spaCy where the rules find no verb.

Rules come first because spaCy's tokeniser alone takes longer than all other steps of mining, its tagger far longer.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, entry_points, version
from types import ModuleType
from typing import TYPE_CHECKING, NamedTuple

from miner.errors import UserError
from miner.mining.linking_phrases import word_set

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

# Forms that are always finite verbs; three sentences of four contain one.
_FINITE_VERBS = word_set(
    "is are was were has have had does did can could would should may might must cannot am isn't aren't wasn't weren't "
    "don't doesn't didn't can't won't couldn't wouldn't shouldn't will shall"
)
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

_CLITICS = word_set("'s ’s 're ’re 've ’ve 'll ’ll 'd ’d n't n’t does did do be")
_PERSONAL_PRONOUNS = word_set("we they i he she it who which you")
_PUNCTUATION = ",.;:!?()[]{}\"'“”‘’"
_ADVERBS = word_set(
    "also only still then often even first always now not both all each never thus however first next again"
)
_FOLLOWERS_OF_VERBS = word_set("on with to into more less that")
_NOT_BEFORE_VERBS = word_set(
    "the a an of in on by with for from to and or as at than its their our his her this that these those is into no "
    "more most less very between using under over such each all any both per via within without across through during "
    "after before about against among around above below behind beyond near upon toward towards throughout despite "
    "unlike like along since until because while whereas although when where if only also except including regarding "
    "given plus"
)
_DETERMINERS = word_set("the a an this these that their its our no")
_IMPERATIVES = word_set(
    "let note see consider recall assume suppose observe denote notice define remember refer set take"
)
# The verbs science reports with; they count as they are and with -s, -es, -d or -ed.
_VERB_STEMS = (
    "show suggest indicate demonstrate provide require propose present describe contain include consist depend lead "
    "allow enable follow appear seem remain become increase decrease reveal confirm support explain reflect represent "
    "correspond differ vary involve perform produce occur affect cause yield achieve outperform improve reduce imply "
    "assume apply obtain report observe examine investigate explore evaluate compare consider examine address "
    "introduce exist tend play make take give find see use need want help serve act belong refer relate rely focus "
    "aim capture struggle infect adhere operate concentrate cooperate deal face employ retain extract transfer align "
    "amount accord elicit abolish better drift remove complicate cluster merit warrant merge integrate combine "
    "leverage generate predict estimate measure define denote determine identify highlight emphasize argue claim note "
    "conclude hypothesize state mention discuss receive exhibit display possess lack hold keep get go come begin "
    "start end stop fail succeed satisfy converge diverge grow rise fall drop exceed range encode express inhibit "
    "induce activate bind regulate mediate promote prevent contribute result agree suffer benefit stem arise emerge "
    "originate work learn treat know think believe expect feel mean ensure guarantee preserve maintain change create "
    "form share offer illustrate adopt utilize conduct enhance construct select facilitate comprise extend "
    "incorporate validate compute design develop establish implement run reach prove optimize derive replace "
    "encourage train pose surpass assess control deliver adapt analyze add generalize build recover assign collect "
    "minimize cover summarize restrict eliminate formulate mitigate quantify decompose incur enforce characterize "
    "isolate maximize verify stabilize expand seek degrade motivate balance guide accept aggregate bridge drive "
    "influence raise solve specify demand constrain attribute interact translate entail persist weaken impose outline "
    "suppress infer update evolve exploit admit embed avoid inherit distort attempt match lie discover complement "
    "permit refine simplify transform respond attain correlate participate encounter strengthen divide overlook "
    "overcome resemble coincide recommend exclude target carry perturb vanish center map adjust complete bundle "
    "undergo"
)
_IRREGULAR_FORMS = word_set(
    "found made gave became led took saw began kept held chose got went came lay rose fell grew knew wrote underwent "
    "meant felt thought brought built arose drew ran sought left lost met paid said sent shown showed stood taught "
    "told won"
)


class SentenceProperties(NamedTuple):
    """What the filters need to know about a sentence. `has_verb`: a finite verb, or an imperative at its start."""

    has_verb: bool
    english: bool


def _verb_forms() -> frozenset[str]:
    forms = set(_IRREGULAR_FORMS)
    for stem in _VERB_STEMS.split():
        base = stem[:-1] + "i" if stem.endswith("y") and stem[-2] not in "aeo" else stem
        forms |= {stem, stem + "s", base + "es", base + ("d" if stem.endswith("e") else "ed")}
    return frozenset(forms)


_VERB_FORMS = _verb_forms()
_VERB_ENDINGS = ("ize", "izes", "ise", "ises", "ifies", "ify", "ates")


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
        package = _model_package(model)
        if package is None:
            return cls.rules()
        spacy = _import_spacy(with_torch=package.endswith("_trf"))
        nlp = spacy.load(package, exclude=["parser", "ner", "lemmatizer", "attribute_ruler", "senter"])
        return cls(nlp, _full_name(package, _version(package) or str(nlp.meta["version"])))

    @classmethod
    def name_of(cls, model: str | None = None) -> str:
        """The name of the analyzer that `load` would return, without loading the model."""
        package = _model_package(model)
        if package is None:
            return cls.name_of_rules()
        model_version = _version(package)
        return _full_name(package, model_version) if model_version else cls.load(model).name

    @classmethod
    def rules(cls) -> SentenceAnalyzer:
        """An analyzer without a model: spaCy's tokeniser and rules for verbs."""
        return cls(_import_spacy(with_torch=False).blank("en"), cls.name_of_rules())

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
            has_verb = not _FINITE_VERBS.isdisjoint(token_set) or _has_verb(
                [word.strip(_PUNCTUATION) for word in tokens]
            )
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
            return [_has_verb([token.text for token in self._nlp.make_doc(sentence)]) for sentence in sentences]


def installed_models() -> list[str]:
    """The names of the installed spaCy models for English, sorted; found as spaCy itself finds them."""
    return sorted({entry.name for entry in entry_points(group="spacy_models") if entry.name.startswith("en_")})


def _import_spacy(*, with_torch: bool) -> ModuleType:
    """The module spaCy. It would import torch where that is installed, which takes seconds; so hide torch from it."""
    hides_torch = not with_torch and "torch" not in sys.modules
    if hides_torch:
        sys.modules["torch"] = None  # type: ignore[assignment]  # an import then fails, as where it is not installed
    try:
        import spacy
    finally:
        if hides_torch:
            del sys.modules["torch"]
    return spacy


def _model_package(model: str | None) -> str | None:
    """The installed model to load: this one, or by default the first English one; None where there is none."""
    if model is None:
        return next(iter(installed_models()), None)
    if model not in {entry.name for entry in entry_points(group="spacy_models")}:
        raise UserError(
            f"The spaCy model “{model}” is not installed.",
            hint=f"Install it with: python -m spacy download {model}. Without a model, rules do the same work.",
        )
    return model


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _full_name(package: str, model_version: str) -> str:
    return f"{package} {model_version}, spaCy {version('spacy')}"


def _is_english(sentence: str, token_set: frozenset[str]) -> bool:
    if not sentence.isascii() and len(_NOT_LATIN.findall(sentence)) * 4 > len(sentence):
        return False
    foreign_count = len(token_set & _FOREIGN)
    return foreign_count < 2 or foreign_count <= len(token_set & _ENGLISH)


def _has_tagged_verb(doc: Doc) -> bool:
    """A finite verb, or an imperative at the beginning."""
    return any(token.tag_ in _FINITE_TAGS for token in doc) or (len(doc) > 0 and doc[0].tag_ == "VB")


def _has_verb(tokens: Sequence[str]) -> bool:
    """Whether the tokens have a finite verb, or an imperative first, by word lists, endings and neighbours.

    Generous: of 12,386 sentences of five domains it finds no verb in 94, the tags of a small spaCy model in 196 (mostly
    verbs tagged as nouns).
    """
    lower_tokens = [token.lower() for token in tokens]
    if lower_tokens and lower_tokens[0] in _IMPERATIVES:
        return True
    previous = ""
    for token, following in zip(lower_tokens, [*lower_tokens[1:], ""], strict=True):
        if token in _CLITICS or token in _FINITE_VERBS:
            return True
        if token in _ADVERBS or (token.endswith("ly") and token not in _VERB_FORMS):
            continue
        if previous and token.isalpha() and token not in _NOT_BEFORE_VERBS and _is_verb(previous, token, following):
            return True
        previous = token
    return False


def _is_verb(previous: str, token: str, following: str) -> bool:
    """Whether the token is a verb by its form and its neighbours."""
    if previous in _PERSONAL_PRONOUNS:
        return True
    has_verb_form = token in _VERB_FORMS or token.endswith(_VERB_ENDINGS)
    if previous in ("this", "that"):  # "this results in"
        return has_verb_form and token.endswith("s")
    if previous in _NOT_BEFORE_VERBS:
        return False
    if has_verb_form or (len(token) > 4 and token.endswith("ed") and following != "by"):
        return True
    if (
        following in _FOLLOWERS_OF_VERBS
        and token.endswith("s")
        and not token.endswith(("ss", "us"))
        and previous[-1] != "s"
    ):
        return True  # "the advice rests on", where a noun would rather be followed by "of" or "in"
    return following in _DETERMINERS and not token.endswith(("ing", "ed", "en", "ion"))
