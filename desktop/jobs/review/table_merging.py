"""Merges an answer table into the project, as part of an action."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from desktop.jobs.review.merge_results import CLOCK_TOLERANCE, MergedFile
from storage.annotation.annotation_rounds import RoundAsks, RoundKind
from storage.annotation.answer_context import AnswerContext
from storage.annotation.merging import ReturnedAnswer
from storage.exchange.answer_tables.checking import AnsweredRows, AnswerTable, answer_time
from storage.exchange.sent_pairs import assigned_keys
from storage.stores import Stores

_ORIGIN = "answer table"


def merge_table(
    stores: Stores, table: AnswerTable, *, action: int, now: datetime
) -> tuple[list[MergedFile], list[str]]:
    """Merge a table; returns the result for each assignment that it has rows of, and the pairs that changed.

    Answers without a time, such as answers in spreadsheets, count as given when the file was last changed, but not
    before the round was drawn nor after now: so the later of two files counts, in whatever order they are merged. A
    copy of a file has another time, so answers that were all merged together before keep the time that they had then,
    and a file that is merged again changes nothing, even if other files were merged since.
    """
    merged: list[MergedFile] = []
    changed: list[str] = []
    for part in sorted(table.parts.values(), key=lambda one: (one.assignment.round, one.assignment.annotator)):
        one, keys = _merge_part(stores, table, part, action, now)
        merged.append(one)
        changed += keys
    return merged, changed


def _merge_part(
    stores: Stores, table: AnswerTable, part: AnsweredRows, action: int, now: datetime
) -> tuple[MergedFile, tuple[str, ...]]:
    assignment = part.assignment
    round = stores.annotation_rounds.get(assignment.round)
    assert round is not None
    untimed = {key: given[-1].answer.value for key, given in part.answers.items() if given[-1].at is None}
    at = stores.merging.time_of(assignment.uid, untimed) if untimed else None
    answers = _returned(part, at or answer_time(table, round.created_at, now))
    counts = stores.merging.merge(assignment.uid, assignment.annotator, answers, (), action=action)
    keys = set(part.answers)
    merged = MergedFile(
        path=table.path,
        round=assignment.round,
        name=stores.annotators.get(assignment.annotator).name,
        called="",
        pairs=len(keys | assigned_keys(stores, assignment)),
        new=counts.new,
        known=counts.known,
        agreeing=counts.agreeing,
        bad=0,
        unanswered=stores.annotation_rounds.left().get(assignment.uid, 0),
        marks=0,
        gone=len(keys) - len(stores.pairs.present(list(keys))),
        ahead=sum(answer.at > now + CLOCK_TOLERANCE for answer in answers),
        conflicts=counts.conflicts,
        in_train=count_train_answers(stores, assignment.round, list(part.answers)),
        hypotheses={one.pair_key: table.hypotheses[one.pair_key] for one in counts.conflicts},
    )
    return merged, counts.changed


def count_train_answers(stores: Stores, round: int, keys: Sequence[str]) -> int:
    """How many of these pairs, answered in a round for gold labels, are train pairs by now."""
    found = stores.annotation_rounds.get(round)
    if found is None or found.plan.kind is not RoundKind.BENCHMARK or found.plan.asks is not RoundAsks.RELATION:
        return 0
    return stores.split_counts.count_in(sorted(set(keys)), "train")


def _returned(part: AnsweredRows, untimed: datetime) -> list[ReturnedAnswer]:
    """The answers to each pair, the oldest first. untimed: the time of answers that have none."""
    return [
        ReturnedAnswer(
            key,
            one.at or untimed,
            one.answer,
            AnswerContext(blind=True, seconds=one.seconds, round=part.assignment.round, origin=_ORIGIN),
            is_timed=one.at is not None,
        )
        for key, given in part.answers.items()
        for one in given
    ]
