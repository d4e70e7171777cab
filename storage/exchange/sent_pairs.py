"""The content of a sent assignment, whatever its form: its present pairs, and the names of its files."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from miner.errors import UserError
from storage.annotation.annotation_rounds import AnnotationRound, Assignment
from storage.annotation.annotators import Annotator
from storage.annotation.sent_assignments import SentAssignment, pairs_digest
from storage.convert import read_all
from storage.stores import Stores

_UNSAFE_CHARACTERS = re.compile(r"[^\w.-]+")
_MAX_NAME_LENGTH = 60  # characters of a name in a file's name
_PAIRS = """
    SELECT pairs.key, premise, hypothesis FROM annotation_round_pairs
    JOIN annotation_rounds ON annotation_rounds.id = round
    JOIN pairs ON pairs.key = annotation_round_pairs.pair_key
    WHERE number = ? AND status <> 'bad' AND coalesce(annotator, ?) = ? ORDER BY annotation_round_pairs.ordinal
"""


class SentPair(NamedTuple):
    """A pair of a sent assignment."""

    key: str
    premise: str
    hypothesis: str


@dataclass(frozen=True, slots=True)
class SentFile:
    """An assignment that was written. missing: pairs of the round that were removed or marked as bad since.

    beside: files that accompany it, such as instructions. size: of the file itself, in bytes. is_left: all files were
    there already, as they would have been written.
    """

    path: Path
    assignment: SentAssignment
    missing: int
    size: int
    beside: tuple[Path, ...] = ()
    is_left: bool = False


def file_stem(round: int, name: str) -> str:
    """What the names of an assignment's files begin with.

    >>> file_stem(2, "Anna Čech / Bonn")
    'round-2-Anna-Čech-Bonn'
    """
    return f"round-{round}-{_UNSAFE_CHARACTERS.sub('-', name).strip('-.')[:_MAX_NAME_LENGTH] or 'annotator'}"


def assigned_pairs(
    stores: Stores, round: AnnotationRound, assignment: Assignment, annotator: Annotator
) -> tuple[SentAssignment, list[SentPair]]:
    """What a file of this assignment is, and its pairs in the order of the round. `UserError` if no pair is left."""
    parameters = (round.number, annotator.key, annotator.key)
    pairs = list(read_all(SentPair, stores._connection.exec_driver_sql(_PAIRS, parameters)))
    if not pairs:
        raise UserError(
            f"No pair of round {round.number:,} is left to send.", hint="Its pairs were removed or marked as bad."
        )
    sent = SentAssignment(
        assignment.uid,
        round.uid,
        round.number,
        round.plan.kind,
        annotator.key,
        annotator.name,
        len(pairs),
        pairs_digest(pairs),
        round.taxonomy or "",
    )
    return sent, pairs


def assigned_keys(stores: Stores, assignment: Assignment) -> set[str]:
    """The pairs of an assignment that would be sent now."""
    parameters = (assignment.round, assignment.annotator, assignment.annotator)
    return {key for key, *_ in stores._connection.exec_driver_sql(_PAIRS, parameters)}
