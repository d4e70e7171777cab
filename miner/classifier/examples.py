"""Training examples: labelled pairs in a file, so that later changes of the project do not affect a run."""

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


class LabelSource(StrEnum):
    """Source of a label: linking phrase or neutral draw, annotator, accepted suggestion, confident suggestion."""

    DISTANT = "distant"
    ANSWER = "answer"
    ACCEPTED = "accepted"
    IMPLICIT = "implicit"


@dataclass(frozen=True, slots=True)
class TrainingExample:
    """A pair with its label, an index of its classes (`LABELS` by default). `dev`: a dev pair, which is never learned.

    `known`: the start model has learned it, so it cannot measure the new one. `dev_split`: it belongs to the dev split
    of the data, so models of folds do not learn it either.
    """

    key: str
    paper: str
    premise: str
    hypothesis: str
    label: int
    source: LabelSource = LabelSource.DISTANT
    dev: bool = False
    known: bool = False
    dev_split: bool = False


def write_examples(path: Path, examples: Iterable[TrainingExample]) -> str:
    """Write the examples as JSON lines, atomically; return a hash of them.

    `UserError` where the file cannot be written.
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
    """Write the lines to a file, atomically; `UserError` where that fails."""
    try:
        with atomic_file(path) as part, part.open("w", encoding="utf-8", newline="\n") as file:
            file.writelines(lines)
    except OSError as exc:
        raise UserError(f"{path} cannot be written: {exc.strerror}.", hint=write_hint(exc)) from exc


def read_examples(path: Path) -> Iterator[TrainingExample]:
    """The examples that `write_examples` wrote."""
    with path.open(encoding="utf-8") as file:
        for line in file:
            yield codec.decode(TrainingExample, line)


def missing_classes(examples: Sequence[TrainingExample], classes: Sequence[str] = LABELS) -> list[str]:
    """The classes without an example to learn."""
    there = {example.label for example in examples if not example.dev}
    return [label for number, label in enumerate(classes) if number not in there]
