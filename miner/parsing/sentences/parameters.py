"""What the splitter knows about words: learnt from papers, shipped as a small file, kept with a project."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any

from miner import codec


@dataclass(frozen=True, slots=True)
class _Words:
    """The words of each kind in one text, parted by spaces."""

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
        return cls.from_data(json.loads(files(__package__).joinpath("bundled.json").read_bytes()))

    @classmethod
    def from_data(cls, data: Any) -> Parameters:
        """What `to_data` gave; ValueError when it is nothing of the kind."""
        held = codec.from_data(_Words, data)
        return cls(frozenset(held.abbreviations.split()), frozenset(held.starters.split()), held.made_by)

    def to_data(self) -> dict[str, str]:
        """For JSON: the same parameters are the same data."""
        return {"made_by": self.made_by, **self._words()}

    def file_text(self) -> str:
        """What the file of bundled parameters holds."""
        return json.dumps(self.to_data(), indent=1, ensure_ascii=False) + "\n"

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
