"""The next steps of annotation, and those of open rounds: whose answers they wait for, in a sentence."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

from desktop.jobs.review.annotation_rounds import AnnotationRoundProgress, AssignmentProgress
from desktop.text import count, listed
from desktop.translation import tr
from storage.annotation.annotation_rounds import AssignmentState, RoundAsks

MAX_LISTED = 6  # people in a sentence
_NUMBER_WORDS = (
    tr("No"),
    tr("One"),
    tr("Two"),
    tr("Three"),
    tr("Four"),
    tr("Five"),
    tr("Six"),
    tr("Seven"),
    tr("Eight"),
    tr("Nine"),
)


class StepKind(StrEnum):
    """The kind of the next step. MERGE and SEND are about answer files; START_ROUND opens the dialog for a new round.

    MINE: add papers. ADD_PHRASES: switch on more linking phrases. SPLIT: choose the papers for dev and test.
    """

    MINE = "mine"
    ADD_PHRASES = "add_phrases"
    ADD_PEOPLE = "add_people"
    ANSWER = "answer"
    SEND = "send"
    MERGE = "merge"
    CHOOSE_ADJUDICATOR = "choose_adjudicator"
    ADJUDICATE = "adjudicate"
    SPLIT = "split"
    START_ROUND = "start_round"
    EXPORT = "export"


class AnnotationStep(NamedTuple):
    """What to do next, as a sentence, and the text of its button. round: the number of the round that it is about."""

    step: StepKind
    sentence: str
    action: str
    round: int = 0


def open_round_step(rounds: Sequence[AnnotationRoundProgress], annotator: str) -> AnnotationStep | None:
    """What to do next for the answers that these rounds still wait for; None if they wait for none."""
    is_open = [one for one in rounds if one.round.is_open]
    return own_assignment(is_open, annotator) or unsent_files(is_open, annotator) or sent_files(is_open)


def own_assignment(rounds: Sequence[AnnotationRoundProgress], annotator: str) -> AnnotationStep | None:
    for one in rounds:
        for assigned in one.assignments:
            if assigned.assignment.annotator == annotator and assigned.left:
                size = assigned.assignment.size
                waiting = tr(
                    "{left:,} of {pairs} of round {number}",
                    left=assigned.left,
                    pairs=count(size, "pair"),
                    number=one.round.number,
                )
                verb = tr("wait for your answer") if assigned.left > 1 else tr("waits for your answer")
                verb += "." if is_of_relations(one) else tr(" about kinds of reasoning.")
                action = tr("Go on answering") if assigned.left < size else tr("Start answering")
                return AnnotationStep(StepKind.ANSWER, f"{waiting} {verb}", action, one.round.number)
    return None


def unsent_files(rounds: Sequence[AnnotationRoundProgress], annotator: str) -> AnnotationStep | None:
    for one in rounds:
        unsent = [
            assigned
            for assigned in one.assignments
            if assigned.left
            and assigned.assignment.state is AssignmentState.OPEN
            and assigned.assignment.annotator != annotator
        ]
        if unsent:
            files = "file" if len(unsent) == 1 else "files"
            sentence = tr(
                "Round {number} is ready for {names}: send them their {files}.",
                number=one.round.number,
                names=_names(unsent),
                files=files,
            )
            return AnnotationStep(StepKind.SEND, sentence, tr("Send…"), one.round.number)
    return None


def sent_files(rounds: Sequence[AnnotationRoundProgress]) -> AnnotationStep | None:
    if out := files_out(rounds):
        sentence = tr(
            "{word} {file} not come back yet: {names}.",
            word=number_word(len(out)),
            file=tr("file has") if len(out) == 1 else tr("files have"),
            names=_names(out),
        )
    elif unfinished := _waiting(rounds, AssignmentState.MERGED):
        left = sum(one.left for one in unfinished)
        sentence = tr(
            "{names} sent a file back with {pairs} left to answer.", names=_names(unfinished), pairs=count(left, "pair")
        )
    else:
        return None
    return AnnotationStep(StepKind.MERGE, sentence, tr("Merge answer files…"))


def files_out(rounds: Sequence[AnnotationRoundProgress]) -> list[AssignmentProgress]:
    """The assignments of open rounds whose answer files were sent and not yet returned."""
    return _waiting(rounds, AssignmentState.SENT)


def _waiting(rounds: Sequence[AnnotationRoundProgress], state: AssignmentState) -> list[AssignmentProgress]:
    """The assignments of open rounds in a state that have pairs left to answer."""
    return [assigned for one in rounds for assigned in one.waiting if assigned.assignment.state is state]


def is_of_relations(one: AnnotationRoundProgress) -> bool:
    return one.round.plan.asks is RoundAsks.RELATION


def _names(assignments: Sequence[AssignmentProgress]) -> str:
    names = list(dict.fromkeys(one.name for one in assignments))
    more = [tr("{names:,} more", names=len(names) - MAX_LISTED)] if len(names) > MAX_LISTED else []
    return listed([*names[:MAX_LISTED], *more])


def number_word(number: int) -> str:
    return _NUMBER_WORDS[number] if number < len(_NUMBER_WORDS) else f"{number:,}"
