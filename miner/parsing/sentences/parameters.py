"""What the splitter has to know about words: learnt from papers, shipped as a small file, kept with a project."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files


@dataclass(frozen=True)
class Parameters:
    """Words by how they stand around stops; all in lower case, abbreviations without their last stop.

    `collocations` are pairs of an abbreviation or initial and the word after it that belong together ("e", "coli").
    `starters` are words that open sentences: in front of one of them even an abbreviation may end a sentence.
    `source` says what they were learnt from.
    """

    abbreviations: frozenset[str] = frozenset()
    collocations: frozenset[tuple[str, str]] = frozenset()
    starters: frozenset[str] = frozenset()
    source: str = ""

    @classmethod
    def bundled(cls) -> Parameters:
        """The parameters shipped with the program, learnt from papers of several domains."""
        return cls.from_json(files(__package__).joinpath("bundled.json").read_text(encoding="utf-8"))

    @classmethod
    def from_json(cls, text: str) -> Parameters:
        held = json.loads(text)
        return cls(
            frozenset(held["abbreviations"]),
            frozenset((first, second) for first, second in map(str.split, held["collocations"])),
            frozenset(held["starters"]),
            held["source"],
        )

    def to_json(self) -> str:
        """Sorted, one list a line: the same parameters are the same text."""
        held = {
            "source": self.source,
            "abbreviations": sorted(self.abbreviations),
            "collocations": sorted(map(" ".join, self.collocations)),
            "starters": sorted(self.starters),
        }
        lines = [f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in held.items()]
        return "{\n" + ",\n".join(lines) + "\n}\n"

    @cached_property
    def digest(self) -> str:
        """Short name of the content, for provenance."""
        return hashlib.sha256(self.to_json().encode()).hexdigest()[:12]
