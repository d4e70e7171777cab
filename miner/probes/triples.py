"""LevyHolt and SherLIiC files: pairs of propositions, and whether one gives the other (Directional inference, §2).

A line is `subject,predicate,object TAB subject,predicate,object TAB True|False TAB language`; the hypothesis stands
first. In files for the hypothesis alone, the premise is one word.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from miner.errors import UserError

MAX_LINE = 10_000  # characters


class ProbeGroup(StrEnum):
    """What a pair is, and what its converse is. DIR_TRUE: it holds, its converse does not; DIR_FALSE: the reverse."""

    PARAPHRASES = "Paraphrases"
    UNRELATED = "Unrelated"
    DIR_TRUE = "DirTrue"
    DIR_FALSE = "DirFalse"


_FOLDERS = {
    "symposi": ProbeGroup.PARAPHRASES,
    "symnegi": ProbeGroup.UNRELATED,
    "dirposi": ProbeGroup.DIR_TRUE,
    "dirnegi": ProbeGroup.DIR_FALSE,
}
_PARTS = ("train", "dev", "test")
_SOURCES = {  # the released folder that has each group's pairs; that of paraphrases with DirTrue has other ones
    ProbeGroup.DIR_TRUE: "dirposi_dirnegi",
    ProbeGroup.DIR_FALSE: "dirposi_dirnegi",
    ProbeGroup.PARAPHRASES: "symposi_symnegi",
    ProbeGroup.UNRELATED: "symposi_symnegi",
}


class TriplePair(NamedTuple):
    """Two propositions as plain text, the premise first, and whether the premise gives the hypothesis."""

    premise: str
    hypothesis: str
    holds: bool


class BadTriple(NamedTuple):
    """A line that cannot be read, and why."""

    line: int
    problem: str


def read_triples(lines: Iterable[str]) -> Iterator[tuple[int, TriplePair | BadTriple]]:
    """The pairs of a file with their line numbers, from 1. Empty lines are skipped."""
    for number, line in enumerate(lines, 1):
        text = line.rstrip("\r\n")
        if not text.strip():
            continue
        fields = text.split("\t")
        if len(text) > MAX_LINE or len(fields) not in (3, 4):
            problem = f"there are {len(fields)} columns, not 3 or 4" if len(text) <= MAX_LINE else "it is too long"
            yield number, BadTriple(number, problem)
        elif fields[2].strip() not in ("True", "False"):
            yield number, BadTriple(number, f"“{fields[2][:40]}” is neither True nor False")
        else:
            hypothesis, premise = map(_sentence, fields[:2])
            ok = TriplePair(premise, hypothesis, fields[2].strip() == "True")
            yield number, ok if premise and hypothesis else BadTriple(number, "a proposition is empty")


def read_released_groups(folder: Path) -> dict[str, dict[ProbeGroup, list[TriplePair]]]:
    """The four groups of the released LevyHolt folders, by part; `UserError` where a file is missing or cannot be read.

    The released folder of paraphrases with DirTrue has other numbers of pairs than the paper, so it is not read.
    """
    found: dict[str, dict[ProbeGroup, list[TriplePair]]] = {}
    for part in _PARTS:
        groups: dict[ProbeGroup, list[TriplePair]] = {group: [] for group in ProbeGroup}
        for name in dict.fromkeys(_SOURCES.values()):
            first, second = (_FOLDERS[half] for half in name.split("_"))
            path = folder / name / f"{part}.txt"
            try:
                with path.open(encoding="utf-8") as file:
                    for line, row in read_triples(file):
                        if isinstance(row, BadTriple):
                            raise UserError(f"{path}: line {line} cannot be read: {row.problem}.")
                        groups[first if row.holds else second].append(row)
            except (OSError, UnicodeDecodeError) as exc:
                raise UserError(
                    f"{path} cannot be read.", hint="It must be a text file of the released folders."
                ) from exc
        found[part] = groups
    return found


def _sentence(proposition: str) -> str:
    return " ".join(part.strip() for part in proposition.split(",", 2)).strip()
