"""WordNet's verbs: which predicates are narrower than others, and which mean the same.

Read from the files data.verb and index.verb, whose format is wndb(5WN); NLTK's reader would want all the others too.
The data are not part of Pairwright. They are looked for where NLTK's downloader and Debian's package put them.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from miner.errors import UserError
from miner.installation import how_installed
from miner.paths import check_ordinary, is_file

_INDEX, _DATA = "index.verb", "data.verb"
_HYPONYM = "~"
_MAX_BYTES = 50_000_000


class Synset(NamedTuple):
    """Verbs with one meaning, and the offsets of the narrower synsets."""

    names: tuple[str, ...]
    hyponyms: tuple[int, ...]


def wordnet_folders() -> list[Path]:
    """Where WordNet may be, in the order in which it is looked for."""
    given = os.environ.get("NLTK_DATA", "").split(os.pathsep)
    homes = [Path(folder) for folder in given if folder]
    homes += [Path.home() / "nltk_data", Path(sys.prefix) / "nltk_data", Path("/usr/share/nltk_data")]
    return [home / "corpora" / "wordnet" for home in homes] + [Path("/usr/share/wordnet")]


class WordNet:
    """The verbs of one WordNet. senses: by verb, the offsets of its synsets, the most frequent one first."""

    def __init__(self, senses: Mapping[str, tuple[int, ...]], synsets: Mapping[int, Synset]) -> None:
        self._senses, self._synsets = senses, synsets
        self._narrower: dict[str, tuple[str, ...]] = {}

    @classmethod
    def load(cls, folder: Path | None = None) -> WordNet:
        """WordNet from this folder, by default from where it is found; `UserError` where there is none."""
        folders = [folder] if folder else wordnet_folders()
        found = next((one for one in folders if is_file(one / _INDEX) and is_file(one / _DATA)), None)
        if found is None:
            raise UserError("Negatives need WordNet, and it was not found.", hint=how_installed().wordnet_remedy())
        try:
            return cls(_read_index(_read(found / _INDEX)), _read_data(_read(found / _DATA)))
        except (OSError, ValueError, IndexError) as exc:
            raise UserError(f"The WordNet in {found} cannot be read.", hint=how_installed().wordnet_remedy()) from exc

    @cached_property
    def verbs(self) -> int:
        """How many verbs it has."""
        return len(self._senses)

    def narrower(self, predicate: str) -> Iterator[str]:
        """Predicates in which a span of words is replaced by a hyponym of its first sense, each once.

        "degrade" gives "decompose": the narrower one gives the wider one, which does not give it.
        """
        seen = {predicate}
        words = predicate.split()
        for start, end in _spans(len(words)):
            for hyponym in self._hyponyms(" ".join(words[start:end])):
                candidate = " ".join([*words[:start], hyponym, *words[end:]])
                if candidate not in seen:
                    seen.add(candidate)
                    yield candidate

    def same(self, predicate: str) -> frozenset[str]:
        """The predicate, and those in which a span is replaced by a synonym in any of its senses."""
        words = predicate.split()
        found = {predicate}
        for start, end in _spans(len(words)):
            for offset in self._senses.get(" ".join(words[start:end]), ()):
                found |= {" ".join([*words[:start], name, *words[end:]]) for name in self._names(offset)}
        return frozenset(found)

    def _hyponyms(self, verb: str) -> tuple[str, ...]:
        if verb not in self._narrower:
            below: set[int] = set()
            waiting = list(self._senses.get(verb, ())[:1])
            while waiting:
                synset = self._synsets.get(waiting.pop())
                new = [one for one in (synset.hyponyms if synset else ()) if one not in below]
                below.update(new)
                waiting += new
            self._narrower[verb] = tuple(sorted({name for one in below for name in self._names(one)} - {verb}))
        return self._narrower[verb]

    def _names(self, offset: int) -> tuple[str, ...]:
        synset = self._synsets.get(offset)
        return synset.names if synset else ()


def _read(path: Path) -> str:
    check_ordinary(path, _MAX_BYTES)
    return path.read_text(encoding="utf-8")


def _read_index(text: str) -> dict[str, tuple[int, ...]]:
    """`lemma pos synset_cnt p_cnt symbols… sense_cnt tagsense_cnt offsets…`; comments begin with a space."""
    found = {}
    for line in text.splitlines():
        if line and not line.startswith(" "):
            fields = line.split()
            found[fields[0].replace("_", " ")] = tuple(map(int, fields[len(fields) - int(fields[2]) :]))
    return found


def _read_data(text: str) -> dict[int, Synset]:
    """`offset file type w_cnt word id … p_cnt symbol offset pos numbers … | gloss`; w_cnt is hexadecimal."""
    found = {}
    for line in text.splitlines():
        if line and not line.startswith(" "):
            fields = line.partition("|")[0].split()
            words = int(fields[3], 16)
            pointers = 4 + 2 * words
            names = tuple(name.replace("_", " ").lower() for name in fields[4:pointers:2])
            rows = (fields[pointers + 1 + 4 * row :][:4] for row in range(int(fields[pointers])))
            below = tuple(int(row[1]) for row in rows if row[0] == _HYPONYM and row[2] == "v")
            found[int(fields[0])] = Synset(names, below)
    return found


def _spans(words: int) -> Iterator[tuple[int, int]]:
    """Every span of the words, the longer ones first."""
    return ((start, start + size) for size in range(words, 0, -1) for start in range(words - size + 1))
