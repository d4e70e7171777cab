"""Word vectors for a vocabulary of stems: from a GloVe text file, from a spaCy model, or random ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeAlias

from miner.errors import UserError
from miner.installation import how_installed
from miner.libraries import NDArray, np
from miner.paths import check_ordinary, expand_home

Array: TypeAlias = "NDArray[np.float32]"
SPACY = "spacy:"
_RANDOM_SCALE = 0.1
_FILE_HINT = "The file is damaged or cut off: get it again, or correct the line."
_HINT = 'Name a GloVe text file (a word and its numbers a line), "spacy:" and a model, or "" for random vectors.'


class WordVectors(NamedTuple):
    """values: (stems + 2, width); row 0 is padding, row 1 unknown stems. found: share of stems with a vector."""

    values: Array
    found: float


def load_vectors(source: str, forms: Sequence[tuple[str, str]], width: int, seed: int) -> WordVectors:
    """The vector of each stem, or of its most frequent word; random where the source has neither.

    forms: stems, each with its most frequent word. width: of random vectors only; files and models have their own.
    `UserError` where the source cannot be read.
    """
    wanted = {word for form in forms for word in form}
    vectors = dict(_read(source, wanted)) if source else {}
    if source and not vectors:
        raise UserError(f"{source} has no vector for any word of the training pairs.", hint=_HINT)
    size = len(next(iter(vectors.values()))) if vectors else width
    draw = np.random.default_rng(seed)
    values = (draw.standard_normal((len(forms) + 2, size)) * _RANDOM_SCALE).astype(np.float32)
    values[0] = 0
    found = 0
    for number, (stem, word) in enumerate(forms, 2):
        vector = vectors.get(stem, vectors.get(word))
        if vector is not None:
            values[number] = vector
            found += 1
    return WordVectors(values, found / max(1, len(forms)))


def _read(source: str, wanted: set[str]) -> Iterator[tuple[str, Array]]:
    if source.startswith(SPACY):
        yield from _of_spacy(source.removeprefix(SPACY), wanted)
        return
    path = expand_home(source)
    width = 0
    try:
        check_ordinary(path)
        with path.open(encoding="utf-8", errors="replace") as file:
            for number, line in enumerate(file, 1):
                word, _, rest = line.rstrip("\n").partition(" ")
                if number == 1 and len(rest.split()) == 1:  # word2vec's text files begin with their size
                    continue
                if word not in wanted:
                    continue
                vector = np.array(rest.split(), np.float32)
                width = width or len(vector)
                if problem := _problem(vector, width):
                    raise UserError(f"{path}, line {number:,}, {problem}.", hint=_FILE_HINT)
                yield word, vector
    except OSError as exc:
        raise UserError(f"The vectors in {path} cannot be read: {exc.strerror}.", hint=_HINT) from exc
    except ValueError as exc:
        raise UserError(f"{path} is not a file of word vectors.", hint=_HINT) from exc


def _problem(vector: Array, width: int) -> str:
    """What is wrong with a line's numbers; "" if nothing is."""
    if not len(vector):
        return "has no numbers"
    if len(vector) != width:
        return f"has {len(vector):,} numbers, others {width:,}"
    return "" if np.isfinite(vector).all() else "has a number that is none"


def _of_spacy(name: str, wanted: set[str]) -> Iterator[tuple[str, Array]]:
    import spacy

    try:
        vocabulary = spacy.load(name, exclude=["tok2vec", "tagger", "parser", "ner", "lemmatizer"]).vocab
    except (OSError, ValueError) as exc:
        hint = f"{how_installed().spacy_remedy(name)}. {_HINT}"
        raise UserError(f"The spaCy model {name} is not installed.", hint=hint) from exc
    if not vocabulary.vectors_length:
        raise UserError(
            f"The spaCy model {name} has no word vectors.", hint="Take a larger one, such as en_core_web_md."
        )
    for word in sorted(wanted):
        if vocabulary.has_vector(word):
            yield word, np.asarray(vocabulary.get_vector(word), np.float32)
