"""What the splitter knows about words: learnt from papers, shipped as a small file, kept with a project."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from importlib.resources import files

from miner import codec


@dataclass(frozen=True, slots=True)
class _File:
    """The words of each kind in one line, parted by spaces."""

    made_by: str
    abbreviations: str
    starters: str


@dataclass(frozen=True, slots=True)
class Parameters:
    """Words by how they stand around stops, in lower case.

    `abbreviations` have a stop of their own (written here without the last one). `starters` open sentences: in front of
    one of them even an abbreviation may end a sentence. `made_by` says what they were learnt from, for people.
    """

    abbreviations: frozenset[str] = frozenset()
    starters: frozenset[str] = frozenset()
    made_by: str = field(default="", compare=False)

    @classmethod
    def bundled(cls) -> Parameters:
        """The parameters shipped with the program, learnt from papers of several domains."""
        return cls.from_json(files("miner.parsing.sentences").joinpath("bundled.json").read_text(encoding="utf-8"))

    @classmethod
    def from_json(cls, text: str) -> Parameters:
        """What `to_json` wrote."""
        held = codec.decode(_File, text)
        return cls(frozenset(held.abbreviations.split()), frozenset(held.starters.split()), held.made_by)

    def to_json(self) -> str:
        """The same parameters are the same text."""
        return json.dumps({"made_by": self.made_by, **self._words()}, indent=1, ensure_ascii=False) + "\n"

    def united(self, other: Parameters) -> Parameters:
        """All that either knows."""
        return Parameters(
            self.abbreviations | other.abbreviations,
            self.starters | other.starters,
            "; ".join(filter(None, (self.made_by, other.made_by))),
        )

    @property
    def digest(self) -> str:
        """Names the words in provenance: 12 hex digits of their SHA-256; how they were made does not count."""
        return hashlib.sha256(json.dumps(self._words()).encode()).hexdigest()[:12]

    def _words(self) -> dict[str, str]:
        return {"abbreviations": " ".join(sorted(self.abbreviations)), "starters": " ".join(sorted(self.starters))}
