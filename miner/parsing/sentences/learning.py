"""Learning without labels, by NLTK's Punkt, which words around a stop are abbreviations, collocations and openers."""

from __future__ import annotations

from collections.abc import Iterable

from miner.parsing.sentences.abbreviations import ABBREVIATIONS
from miner.parsing.sentences.parameters import Parameters


def learn(paragraphs: Iterable[str], source: str = "the project's papers") -> Parameters:
    """Parameters of the paragraphs' own language, with the bundled ones merged in; the same for the same paragraphs."""
    return merge(Parameters.bundled(), train(paragraphs, source))


def merge(known: Parameters, learnt: Parameters) -> Parameters:
    return Parameters(
        known.abbreviations | learnt.abbreviations,
        known.collocations | learnt.collocations,
        known.starters | learnt.starters,
        f"{known.source}; {learnt.source}",
    )


def train(paragraphs: Iterable[str], source: str) -> Parameters:
    """What Punkt finds in the paragraphs alone; memory stays bounded because rare words are forgotten as it goes."""
    from nltk.tokenize.punkt import PunktTrainer  # takes a while to load, and only learning needs it

    trainer = PunktTrainer()
    trainer.INCLUDE_ABBREV_COLLOCS = True
    for number, text in enumerate(_batches(paragraphs), 1):
        trainer.train(text, finalize=False)
        if number % 20 == 0:
            trainer.freq_threshold()
    trainer.finalize_training()
    found = trainer.get_params()
    return Parameters(
        frozenset(word for word in found.abbrev_types if word.replace(".", "").isalpha()) | ABBREVIATIONS,
        frozenset(pair for pair in found.collocations if all(word.isalpha() for word in pair)),
        frozenset(filter(str.isalpha, found.sent_starters)),
        source,
    )


def _batches(paragraphs: Iterable[str], characters: int = 1_000_000) -> Iterable[str]:
    batch: list[str] = []
    size = 0
    for text in paragraphs:
        batch.append(text)
        size += len(text)
        if size >= characters:
            yield "\n".join(batch)
            batch, size = [], 0
    yield "\n".join(batch)
