"""Whether sentences are complete: by a dependency parse, or by rules where no parser is installed.

The papers parse with the Stanford PCFG parser and count trees with the root "S" (SciNLI, section 3.4). Here a sentence
is complete if the head of its parse is a finite verb with a subject, or an imperative at the beginning.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from miner.mining.sentence_analysis import SentenceAnalyzer, full_name, import_spacy, model_package, model_version

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_FINITE = frozenset(("VBD", "VBP", "VBZ", "MD"))
_SUBJECTS = frozenset(("nsubj", "nsubjpass", "csubj", "csubjpass", "expl"))
_AUXILIARIES = frozenset(("aux", "auxpass"))
_MAX_LENGTH = 2_000  # characters that are parsed; the time grows with them, and no sentence needs more


class SentenceJudge(NamedTuple):
    """judge: for each sentence, whether it is complete. name: of the parser or the rules, with versions.

    is_parser: by a dependency parse; the rules only look for a finite verb, and so find more sentences complete.
    """

    judge: Callable[[Sequence[str]], list[bool]]
    name: str
    is_parser: bool


def load_sentence_judge(model: str | None = None) -> SentenceJudge:
    """A judge with this spaCy model; by default with the installed English model, or by rules without one.

    `UserError` when the model is not installed. A model without a parser is not used.
    """
    package = model_package(model)
    if package is not None:
        spacy = import_spacy(with_torch=package.endswith("_trf"))
        nlp = spacy.load(package, exclude=["ner", "lemmatizer", "attribute_ruler", "senter"])
        if nlp.has_pipe("parser") and nlp.has_pipe("tagger"):

            def judge(sentences: Sequence[str]) -> list[bool]:
                with nlp.memory_zone():
                    return [_is_complete(doc) for doc in nlp.pipe(sentence[:_MAX_LENGTH] for sentence in sentences)]

            return SentenceJudge(judge, full_name(package, model_version(package) or str(nlp.meta["version"])), True)
    rules = SentenceAnalyzer.rules()
    return SentenceJudge(
        lambda sentences: [sentence.has_verb for sentence in rules.analyze(sentences)], rules.name, False
    )


def _is_complete(doc: Doc) -> bool:
    """Whether one of the parse's heads is a finite verb with a subject, or an imperative at the beginning.

    The tagger often takes a plural verb for an infinitive; with a subject, and without "to", it is finite.
    """
    for head in (token for token in doc if token.head == token):
        has_subject = any(child.dep_ in _SUBJECTS for child in head.children)
        if has_subject and (head.tag_ in _FINITE or _has_finite_auxiliary(head) or _is_bare_verb(head)):
            return True
        if not has_subject and _is_bare_verb(head) and all(child.i > head.i for child in head.children):
            return True
    return False


def _has_finite_auxiliary(head: Token) -> bool:
    return any(child.dep_ in _AUXILIARIES and child.tag_ in _FINITE for child in head.children)


def _is_bare_verb(head: Token) -> bool:
    return head.tag_ == "VB" and not any(child.tag_ == "TO" for child in head.children)
