"""The tables of rounds and of people."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from desktop.jobs.review.annotate_overview import round_kind
from desktop.jobs.review.annotation_rounds import AnnotationRoundProgress
from desktop.jobs.review.people import ROLE_MEANINGS, ROLE_NAMES, Person
from desktop.text import count, listed, percent
from desktop.translation import tr
from desktop.ui.widgets.sortable_table import SortableTableModel, TableColumn
from storage.annotation.annotation_rounds import AssignmentState

_KINDS_TIP = tr("Pairs for which all questions about kinds of reasoning are answered")
_STATES = {
    AssignmentState.OPEN: "",
    AssignmentState.SENT: tr(" (file sent)"),
    AssignmentState.MERGED: tr(" (file merged)"),
}


def _waiting(row: AnnotationRoundProgress) -> str:
    """The names of the annotators who have still to answer."""
    if not row.round.is_open:
        return "closed"
    waiting = [f"{one.name}{_STATES[one.assignment.state]}" for one in row.waiting]
    return tr("waiting for {waiting}", waiting=listed(waiting)) if waiting else tr("all answered")


def _kind(row: AnnotationRoundProgress) -> str:
    return round_kind(row.round.plan)


def _share(row: AnnotationRoundProgress) -> float:
    return row.answered / row.answers if row.answers else 0.0


class RoundsTableModel(SortableTableModel[AnnotationRoundProgress]):
    """The annotation rounds, the newest first."""

    def __init__(self) -> None:
        columns: tuple[TableColumn[AnnotationRoundProgress], ...] = (
            TableColumn(tr("Round"), lambda row: f"{row.round.number:,}", _number),
            TableColumn(tr("Kind"), _kind, _kind, "", True),
            TableColumn(tr("Pairs"), lambda row: f"{row.round.size:,}", lambda row: row.round.size),
            TableColumn(
                tr("Answered"),
                lambda row: percent(_share(row)),
                _share,
                tr("Share of the answers of all annotators that are given"),
            ),
            TableColumn(tr("State"), _waiting, _waiting, "", True),
        )
        super().__init__(columns, 0)

    def row_key(self, row: AnnotationRoundProgress) -> Hashable:
        return row.round.uid

    def tie_key(self, row: AnnotationRoundProgress) -> Any:
        return row.round.number

    def row_tip(self, row: AnnotationRoundProgress) -> str:
        parts = [
            tr(
                "{name}{state}: {answered:,} of {size:,}",
                name=one.name,
                state=_STATES[one.assignment.state],
                answered=one.answered,
                size=one.assignment.size,
            )
            for one in row.assignments
        ]
        return "\n".join(
            [
                tr(
                    "Drawn {created_at:%Y-%m-%d}, seed {seed}",
                    created_at=row.round.created_at,
                    seed=row.round.plan.seed,
                ),
                *parts,
            ]
        )


class PeopleTableModel(SortableTableModel[Person]):
    """The annotators, those with the most answers first."""

    def __init__(self) -> None:
        columns: tuple[TableColumn[Person], ...] = (
            TableColumn(tr("Name"), lambda row: row.name, lambda row: row.name.casefold(), "", True),
            TableColumn(tr("Role"), lambda row: ROLE_NAMES[row.role], lambda row: row.role, "", True),
            TableColumn(tr("Answers"), lambda row: f"{row.answers:,}", lambda row: row.answers, tr("Answered pairs")),
            TableColumn(tr("Kinds"), lambda row: f"{row.kinds:,}", lambda row: row.kinds, _KINDS_TIP),
        )
        super().__init__(columns, 2)

    def row_key(self, row: Person) -> Hashable:
        return row.key

    def tie_key(self, row: Person) -> Any:
        return row.name.casefold(), row.key

    def row_tip(self, row: Person) -> str:
        kinds = tr(" and {pairs} with kinds", pairs=count(row.kinds, "pair")) if row.kinds else ""
        return f"{row.name}, {count(row.answers, 'answer')}{kinds}. {ROLE_MEANINGS[row.role]}"


def _number(row: AnnotationRoundProgress) -> int:
    return row.round.number
