"""Imported by the server that workers are forked from: spaCy's English model is loaded there, once for all workers."""

from __future__ import annotations

from typing import Any

from miner.mining.sentence_analysis import import_spacy, model_package

# What `SentenceAnalyzer` and `load_sentence_judge` leave out; anything else is loaded as in the program.
EXCLUDED = (
    ("parser", "ner", "lemmatizer", "attribute_ruler", "senter"),
    ("ner", "lemmatizer", "attribute_ruler", "senter"),
)

spacy = import_spacy(with_torch=False)
package = model_package(None)
load = spacy.load
loaded: dict[tuple[str, tuple[str, ...]], Any] = {}
if package is not None and not package.endswith("_trf"):
    loaded = {(package, excluded): load(package, exclude=list(excluded)) for excluded in EXCLUDED}


def take_or_load(name: str, *, exclude: list[str]) -> Any:  # spaCy's Language
    """The model that the server loaded, which a worker gets once; or another, loaded now."""
    return loaded.pop((name, tuple(exclude)), None) or load(name, exclude=exclude)


spacy.load = take_or_load
