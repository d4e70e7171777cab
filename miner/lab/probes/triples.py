"""LevyHolt and SherLIiC files: pairs of propositions, and whether one gives the other (Directional inference, §2).

A line is `subject,predicate,object TAB subject,predicate,object TAB True|False TAB language`; the hypothesis stands
first. In released files for the hypothesis alone, the premise is the word "true"; an experiment's `input =
"hypothesis"` leaves it empty instead.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

from miner.errors import UserError
from miner.paths import check_ordinary, is_file, is_folder
from miner.splits import SPLITS

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


class GroupedTriple(NamedTuple):
    """A pair of a file with its group. key: where it stands; of a pair and its converse, where the first one does."""

    key: str
    pair: TriplePair
    group: ProbeGroup


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


def read_triples_folder(folder: Path) -> dict[str, list[GroupedTriple]]:
    """The pairs of a folder, by part: of LevyHolt's released folders, or of train.txt, dev.txt and test.txt.

    Of the released folders the groups have the sizes of the paper; that of paraphrases with DirTrue has other ones, so
    it is not read. `UserError` where a file is missing or a line cannot be read.
    """
    if not is_folder(folder):
        what = f"There is no folder of triples {folder}."
        raise UserError(what, hint="Name LevyHolt's folder, or one with train.txt, dev.txt and test.txt.")
    names = dict.fromkeys(_SOURCES.values())
    if all(is_folder(folder / name) for name in names):
        return {part: list(_released_part(folder, part)) for part in SPLITS}
    there = {part: path for part in SPLITS if is_file(path := folder / f"{part}.txt")}
    if not there:
        hint = f"There should be train.txt, dev.txt and test.txt, or LevyHolt's folders {', '.join(names)}."
        raise UserError(f"{folder} has no triples.", hint=hint)
    return read_triples_files(there)


def read_triples_files(files: Mapping[str, Path]) -> dict[str, list[GroupedTriple]]:
    """The pairs of files by part. Their groups follow from their converses; a pair without one counts as symmetric.

    A pair and its converse are put into the part of one of both, which a hash chooses (Directional inference, note 3).
    `UserError` where a file or a line cannot be read.
    """
    rows = [(part, f"{part}/{path.name}:{line}", pair) for part, path in files.items() for line, pair in _rows(path)]
    holds = {_texts(pair): pair.holds for _, _, pair in rows}
    places: dict[frozenset[str], list[int]] = {}
    for number, (_, _, pair) in enumerate(rows):
        places.setdefault(frozenset(_texts(pair)), []).append(number)
    found: dict[str, list[GroupedTriple]] = {part: [] for part in files}
    for _, _, pair in rows:
        same = places[frozenset(_texts(pair))]
        key = rows[same[0]][1]
        is_directed = holds.get(_texts(pair)[::-1], pair.holds) is not pair.holds
        part = rows[same[0] if _is_even(key) else same[-1]][0]
        found[part].append(GroupedTriple(key, pair, _GROUPS[pair.holds, is_directed]))
    return found


_GROUPS = {  # by whether a pair holds, and whether its converse does not do the same
    (True, True): ProbeGroup.DIR_TRUE,
    (False, True): ProbeGroup.DIR_FALSE,
    (True, False): ProbeGroup.PARAPHRASES,
    (False, False): ProbeGroup.UNRELATED,
}


def _released_part(folder: Path, part: str) -> Iterator[GroupedTriple]:
    for name in dict.fromkeys(_SOURCES.values()):
        first, second = (_FOLDERS[half] for half in name.split("_"))
        keys: dict[tuple[str, str], str] = {}
        for line, pair in _rows(folder / name / f"{part}.txt"):
            key = keys.setdefault(_texts(pair), keys.get(_texts(pair)[::-1], f"{name}/{part}.txt:{line}"))
            yield GroupedTriple(key, pair, first if pair.holds else second)


def _rows(path: Path) -> Iterator[tuple[int, TriplePair]]:
    try:
        check_ordinary(path)
        with path.open(encoding="utf-8") as file:
            for line, row in read_triples(file):
                if isinstance(row, BadTriple):
                    hint = "A line is: subject,predicate,object, a tab, the premise likewise, a tab, True or False."
                    raise UserError(f"{path}: line {line:,} cannot be read: {row.problem}.", hint=hint)
                yield line, row
    except (OSError, UnicodeDecodeError) as exc:
        raise UserError(f"{path} cannot be read.", hint="It must be a text file of the released folders.") from exc


def _texts(pair: TriplePair) -> tuple[str, str]:
    return pair.premise.casefold(), pair.hypothesis.casefold()


def _is_even(key: str) -> bool:
    return blake2b(key.encode("utf-8", "surrogatepass"), digest_size=1).digest()[0] % 2 == 0


def _sentence(proposition: str) -> str:
    return " ".join(part.strip() for part in proposition.split(",", 2)).strip()
