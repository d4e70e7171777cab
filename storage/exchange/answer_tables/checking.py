"""Checks the rows of an answer table against what was sent, and sorts them by assignment.

Good rows are taken although others are refused. One pair may have several rows: those with the same label are one
answer. Different labels of one person that all have times are a history, of which the latest holds; otherwise all
of them are refused, since nothing says which one is meant.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from miner.errors import UserError
from miner.records import Answer
from storage.annotation.annotation_rounds import Assignment
from storage.exchange.answer_tables.labels import read_label
from storage.exchange.answer_tables.reading import ReturnedRow, read_rows
from storage.exchange.answer_tables.row_ids import RowIds, find_row_id
from storage.exchange.answer_tables.sentence_match import readings, same_sentence
from storage.stores import Stores

MAX_REFUSALS = 20
"""So many rows are told; of the rest, how many there are."""
_ROWS_AT_ONCE = 500
_MAX_SHOWN = 40  # characters of what a cell holds


class RefusedRow(NamedTuple):
    """A row, or `rows` of them, that were not taken. place: such as "line 3"."""

    place: str
    reason: str
    rows: int = 1


class TableAnswer(NamedTuple):
    """A row with a label that counts. at: None if the file does not say when it was given."""

    answer: Answer
    at: datetime | None
    seconds: float | None
    place: str
    by: str


@dataclass(slots=True)
class AnsweredRows:
    """A table's answers for an assignment. answers: of each pair, by key, the oldest first."""

    assignment: Assignment
    answers: dict[str, list[TableAnswer]] = field(default_factory=dict)


@dataclass(slots=True)
class AnswerTable:
    """An answer table, checked. parts: by the assignment's uid, also those with no answer yet.

    refused: how many rows were refused; refusals: the first of them. changed_at: when the file was last changed.
    hypotheses: of the pairs with an answer, as the file has them.
    """

    path: Path
    changed_at: datetime
    parts: dict[str, AnsweredRows] = field(default_factory=dict)
    hypotheses: dict[str, str] = field(default_factory=dict)
    refused: int = 0
    refusals: list[RefusedRow] = field(default_factory=list)

    def refuse(self, place: str, reason: str, rows: int = 1) -> None:
        """Count rows that are not taken."""
        self.refused += rows
        if len(self.refusals) < MAX_REFUSALS:
            self.refusals.append(RefusedRow(place, reason, rows))


def read_answer_table(stores: Stores, ids: RowIds, path: Path) -> AnswerTable:
    """The answers in a table, and the rows that do not count. `UserError` if it is unreadable or of another project."""
    table = AnswerTable(path, _changed_at(path))
    rows = read_rows(path)
    while batch := list(islice(rows, _ROWS_AT_ONCE)):
        _check_rows(stores, ids, batch, table)
    if not table.parts:
        raise UserError(
            f"{path} holds no pair that was sent from this project.",
            hint="Open the project that it was sent from, and merge it there; or choose the file that was sent back.",
        )
    for part in table.parts.values():
        for key in list(part.answers):
            if (kept := _history(table, part.answers[key])) is None:
                del part.answers[key]
            else:
                part.answers[key] = kept
    return table


def _changed_at(path: Path) -> datetime:
    try:
        return datetime.fromtimestamp(path.stat().st_mtime, UTC)
    except (OSError, ValueError, OverflowError):
        return datetime.now(UTC)  # reading it says what is wrong


def _check_rows(stores: Stores, ids: RowIds, rows: Sequence[ReturnedRow], table: AnswerTable) -> None:
    found = [ids.find(find_row_id(row.id)) for row in rows]
    known = stores.sent_assignments.known_texts([pair.key for pair in found if pair is not None])
    for row, pair in zip(rows, found, strict=True):
        if pair is None:
            table.refuse(row.place, _unknown(row))
            continue
        part = table.parts.setdefault(pair.assignment, AnsweredRows(ids.assignments[pair.assignment]))
        try:
            if pair.key in known:  # else the pair was removed, and so were its sentences
                _check_texts(row, known[pair.key])
            if row.problem:
                raise ValueError(row.problem)
            answer = _label(row.label)
        except ValueError as exc:
            table.refuse(row.place, str(exc))
            continue
        if answer is not None:
            given = TableAnswer(answer, row.at, row.seconds, row.place, row.by)
            part.answers.setdefault(pair.key, []).append(given)
            table.hypotheses.setdefault(pair.key, readings(str(row.hypothesis or ""))[0])


def _unknown(row: ReturnedRow) -> str:
    """Why a row is of no pair."""
    if row.id in (None, ""):
        return row.problem or "its id is missing"
    if not isinstance(row.id, str):
        return "its id is no text"
    if id := find_row_id(row.id):
        return f"{id} is no id of a pair that was sent from this project"
    return f"“{readings(row.id[:_MAX_SHOWN])[0]}” is no id of a pair"


def _label(cell: object) -> Answer | None:
    first, *others = readings(cell) if isinstance(cell, str) else [cell]
    for other in others:  # white space beside it that was read in a wrong encoding
        with suppress(ValueError):
            return read_label(other)
    return read_label(first)


def _check_texts(row: ReturnedRow, known: tuple[set[str], set[str]]) -> None:
    """Raise `ValueError` unless the sentences are those that were sent."""
    for name, returned, sent in zip(("premise", "hypothesis"), (row.premise, row.hypothesis), known, strict=True):
        if not isinstance(returned, str) or not returned.strip():
            raise ValueError(f"its {name} is missing, so nothing says that it is the one that was sent")
        if not same_sentence(sent, returned):
            raise ValueError(f"its {name} is not the one that was sent")


def _history(table: AnswerTable, given: list[TableAnswer]) -> list[TableAnswer] | None:
    """The answers to one pair, the oldest first; None if they contradict each other, which is said."""
    if len({one.answer for one in given}) == 1:
        return [max(given, key=_time)]
    times = [one.at for one in given if one.at is not None]
    people = {one.by for one in given}
    latest = {(one.at, one.answer) for one in given}
    if len(times) == len(given) and len(people) == 1 and len(latest) == len(set(times)):
        return sorted(given, key=_time)
    first = given[0]
    other = next(one for one in given if one.answer != first.answer)
    whose = "two people give" if len(people) > 1 else "they give"
    table.refuse(
        f"{first.place} and {other.place}",
        f"{whose} one pair two labels, {first.answer} and {other.answer}",
        len(given),
    )
    return None


def _time(given: TableAnswer) -> datetime:
    return given.at or datetime.min.replace(tzinfo=UTC)


def answer_time(table: AnswerTable, earliest: datetime, now: datetime) -> datetime:
    """When the answers of a table without times count as given: when the file was last changed, if that can be.

    earliest: when the round was drawn. Fractions of a second, which not all file systems keep, do not count.
    """
    return min(max(table.changed_at.replace(microsecond=0), earliest), now)
