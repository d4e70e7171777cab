"""Feedback on a pilot round: each annotator's answers beside the reference's (MSciNLI, appendix A.3.1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from desktop.jobs.review.annotation_rounds import get_round
from desktop.jobs.transactions import read_job
from desktop.translation import tr
from miner.errors import UserError
from miner.records import Answer
from storage.annotation.annotation_rounds import RoundKind
from storage.annotation.annotators import Role
from storage.project import Stores


@dataclass(frozen=True, slots=True)
class PilotQuestion:
    """A pair of the round with the reference's answer, and the others' by name; None where they have not answered."""

    key: str
    premise: str
    hypothesis: str
    reference: Answer
    answers: Mapping[str, Answer | None]

    @property
    def differing(self) -> list[str]:
        """The names of those who answered something else."""
        return [name for name, answer in self.answers.items() if answer is not None and answer is not self.reference]


@dataclass(frozen=True, slots=True)
class PilotScore:
    """An annotator's agreement with the reference: on `agreed` of `compared` pairs that both have answered."""

    name: str
    compared: int
    agreed: int

    @property
    def agreement(self) -> float | None:
        """A share from 0.0 to 1.0; None if the two have no pair in common."""
        return self.agreed / self.compared if self.compared else None


@dataclass(frozen=True, slots=True)
class PilotFeedback:
    """The feedback on a round: the annotators, those who agree most with the reference first; and all questions."""

    round: int
    reference: str
    ranking: tuple[PilotScore, ...]
    questions: tuple[PilotQuestion, ...]


@read_job("Comparing with the reference")
def pilot_feedback(stores: Stores, number: int) -> PilotFeedback:
    """Compare the answers to a pilot round with the reference's; `UserError` if there is none or it has no answers."""
    if get_round(stores, number).plan.kind is not RoundKind.PILOT:
        raise UserError(
            tr("Round {number} is not a pilot round.", number=number), hint=tr("Only pilot rounds have feedback.")
        )
    names = stores.annotators.names()
    answers = {key: stores.answers.of_pair(key) for key in stores.pairs.present(stores.annotation_rounds.keys(number))}
    reference, compared = find_people(stores, number, [one for of_pair in answers.values() for one in of_pair])
    questions = []
    for item in stores.rounds.items(list(answers), ""):
        of_pair = answers[item.pair.key]
        if reference in of_pair:
            by_name = {names.get(key, key): of_pair.get(key) for key in compared}
            pair = item.pair
            questions.append(PilotQuestion(pair.key, pair.premise, pair.hypothesis, of_pair[reference], by_name))
    scores = [_score(names.get(key, key), questions) for key in compared]
    ranking = tuple(sorted(scores, key=lambda one: (-(one.agreement or 0.0), -one.compared, one.name)))
    return PilotFeedback(number, names.get(reference, reference), ranking, tuple(questions))


def find_people(stores: Stores, number: int, given: Sequence[str]) -> tuple[str, list[str]]:
    """The key of the reference, and of those who are compared with them.

    given: who gave each answer to the round. `UserError` if none of them is a reference.
    """
    roles = {one.key: one.role for one in stores.annotators.all()}
    references = [key for key in given if roles.get(key) is Role.REFERENCE]
    if not references:
        raise UserError(
            tr("No reference annotator has answered round {number} yet.", number=number),
            hint=tr("Give somebody the role of the reference, and let them answer it too."),
        )
    reference = max(sorted(set(references)), key=references.count)
    assigned = [one.annotator for one in stores.annotation_rounds.assignments(number)]
    compared = [key for key in dict.fromkeys([*assigned, *given]) if roles.get(key, Role.ANNOTATOR) is Role.ANNOTATOR]
    return reference, compared


def _score(name: str, questions: list[PilotQuestion]) -> PilotScore:
    pairs = [(one.answers[name], one.reference) for one in questions if one.answers[name] is not None]
    return PilotScore(name, len(pairs), sum(answer is reference for answer, reference in pairs))
