"""What a model learns from: labelled pairs, as a file that stays as it was while the project goes on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from hashlib import blake2b
from pathlib import Path

from miner import codec
from miner.atomic_files import atomic_file
from miner.errors import UserError
from miner.paths import write_hint
from miner.records import Label

LABELS = tuple(Label)
"""The order of classes in every array and file of a model: contrasting, reasoning, entailment, neutral."""


class Source(StrEnum):
    """Who gave an example its label: a linking phrase or a draw, a person, a model that a person or a limit trusted."""

    DISTANT = "distant"
    ANSWER = "answer"
    ACCEPTED = "accepted"
    IMPLICIT = "implicit"


@dataclass(frozen=True, slots=True)
class Example:
    """A pair with its label, an index of `LABELS`. `dev`: kept to choose and to calibrate by, never learned from.

    `known`: the model that the training starts from has learned it before, so it measures nothing. `dev_split`: it is
    of the data's own dev split, so no model of a fold learns it either.
    """

    key: str
    paper: str
    premise: str
    hypothesis: str
    label: int
    source: Source = Source.DISTANT
    dev: bool = False
    known: bool = False
    dev_split: bool = False


def write_examples(path: Path, examples: Iterable[Example]) -> str:
    """Write them as JSON lines, whole or not at all; their fingerprint, which tells them from all others.

    `UserError` where the disk is full.
    """
    digest = blake2b(digest_size=16)

    def lines() -> Iterator[str]:
        for example in examples:
            line = codec.encode(example, ascii_only=True) + "\n"
            digest.update(line.encode())
            yield line

    write_lines(path, lines())
    return digest.hexdigest()


def write_lines(path: Path, lines: Iterable[str]) -> None:
    """A file of these lines, whole or not at all; `UserError` where the disk is full or refuses."""
    try:
        with atomic_file(path) as part, part.open("w", encoding="utf-8") as file:
            file.writelines(lines)
    except OSError as exc:
        raise UserError(f"{path} cannot be written: {exc.strerror}.", hint=write_hint(exc)) from exc


def read_examples(path: Path) -> Iterator[Example]:
    """Those that `write_examples` wrote."""
    with path.open(encoding="utf-8") as file:
        for line in file:
            yield codec.decode(Example, line)


def missing_classes(examples: Sequence[Example]) -> list[Label]:
    """The relations of which there is no example to learn from."""
    there = {example.label for example in examples if not example.dev}
    return [label for number, label in enumerate(LABELS) if number not in there]
