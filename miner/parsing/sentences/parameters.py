"""What the splitter knows about words: learnt from papers, shipped as a small file, stored with each project."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any

from miner import codec


@dataclass(frozen=True, slots=True)
class _Words:
    """The words of each kind, joined by spaces."""

    made_by: str
    abbreviations: str
    starters: str


@dataclass(frozen=True, slots=True)
class SplitterParameters:
    """Words in lower case that decide whether a stop ends a sentence.

    `abbreviations`: without their final stop. `starters`: words that often start sentences; before one of them an
    abbreviation may end a sentence. `made_by`: what the words were learnt from, for users.
    """

    abbreviations: frozenset[str] = frozenset()
    starters: frozenset[str] = frozenset()
    made_by: str = field(default="", compare=False)

    @classmethod
    def bundled(cls) -> SplitterParameters:
        """The parameters shipped with the program, learnt from papers of several domains."""
        return cls.from_data(json.loads(files(__package__).joinpath("bundled.json").read_bytes()))

    @classmethod
    def from_data(cls, data: Any) -> SplitterParameters:
        """The parameters whose `to_data` is `data`; `ValueError` for other data."""
        words = codec.from_data(_Words, data)
        return cls(frozenset(words.abbreviations.split()), frozenset(words.starters.split()), words.made_by)

    def to_data(self) -> dict[str, str]:
        """Data for JSON; equal parameters give equal data."""
        return {"made_by": self.made_by, **self._words()}

    def file_text(self) -> str:
        """The content of the file of bundled parameters."""
        return json.dumps(self.to_data(), indent=1, ensure_ascii=False) + "\n"

    def merged_with(self, other: SplitterParameters) -> SplitterParameters:
        """The words of both."""
        return SplitterParameters(
            self.abbreviations | other.abbreviations,
            self.starters | other.starters,
            "; ".join(filter(None, (self.made_by, other.made_by))),
        )

    @property
    def digest(self) -> str:
        """Identifies the words, for provenance: 12 hex digits of their SHA-256, without `made_by`."""
        return hashlib.sha256(json.dumps(self._words()).encode()).hexdigest()[:12]

    def _words(self) -> dict[str, str]:
        return {"abbreviations": " ".join(sorted(self.abbreviations)), "starters": " ".join(sorted(self.starters))}
