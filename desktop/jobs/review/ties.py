"""Jobs about ties: list the pairs that wait for an adjudicator, and decide them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import NamedTuple

from desktop.jobs.review.people import find_person, list_people
from desktop.jobs.transactions import read_job
from desktop.text import count
from desktop.translation import tr
from miner.errors import UserError
from miner.progress import Job, Progress
from miner.records import Answer
from storage.annotation.annotators import Annotator, Role
from storage.annotation.answer_context import AnswerContext
from storage.annotation.answers import NewAnswer
from storage.changes import Changes
from storage.project import Project
from storage.stores import Stores


class Tie(NamedTuple):
    """A pair whose votes have no majority, as an adjudicator sees it: without the votes and the linking phrase."""

    key: str
    premise: str
    hypothesis: str


@dataclass(frozen=True, slots=True)
class DecidedTies:
    """The decisions of an adjudicator, by pair, and how many ties are left."""

    adjudicator: Annotator
    decisions: Mapping[str, Answer]
    left: int
    changes: Changes


@read_job("Looking for ties")
def load_ties(stores: Stores) -> list[Tie]:
    """The ties that no adjudicator has decided, by key."""
    pairs = [stores.pairs.get(key) for key in stores.adjudication.ties()]
    return [Tie(pair.key, pair.premise, pair.hypothesis) for pair in pairs]


@read_job("Counting ties")
def count_ties(stores: Stores) -> int:
    """How many ties no adjudicator has decided."""
    return len(stores.adjudication.ties())


def decide_ties(project: Project, decisions: Mapping[str, Answer], name: str = "") -> Job[DecidedTies]:
    """Decide ties as one action, which anybody may undo. decisions: answers by the pair's key, or the start of it.

    name: the adjudicator's; not needed where there is only one. `UserError`, and nothing is decided, unless all keys
    are of ties, and the person is an adjudicator.
    """

    def work(progress: Progress) -> DecidedTies:
        at = datetime.now(UTC)
        with project.transaction() as stores:
            who = _adjudicator(stores, name)
            ties = stores.adjudication.ties()
            found = {_tie_of(key, ties): answer for key, answer in decisions.items()}
            if len(found) < len(decisions):
                raise UserError(tr("A tie is decided twice."), hint=tr("Give one label for each pair."))
            action = stores.actions.begin("", tr("Decide {ties}", ties=count(len(found), "tie")), at)
            seen = AnswerContext(blind=True)
            answers = [NewAnswer(key, who.key, at, answer, seen=seen) for key, answer in found.items()]
            stores.answers.append(answers, action=action)
            left = len(stores.adjudication.ties())
        return DecidedTies(who, found, left, Changes(annotated_keys=frozenset(found)))

    return Job(tr("Deciding ties"), work)


def _adjudicator(stores: Stores, name: str) -> Annotator:
    known = [one for one in list_people.within(stores) if one.role is Role.ADJUDICATOR]
    if not name:
        if len(known) == 1:
            return stores.annotators.get(known[0].key)
        what = tr("Several adjudicators are here") if known else tr("Nobody has the role adjudicator")
        hint = tr("Name one: --as NAME.") if known else tr("To add one: pairwright people add NAME --role adjudicator")
        raise UserError(f"{what}.", hint=hint)
    who = find_person(stores, name)
    if who.role is not Role.ADJUDICATOR:
        raise UserError(
            tr("{name} is no adjudicator, so these answers would be votes.", name=who.name),
            hint=tr("Give the role of an adjudicator to somebody who has not voted on these pairs."),
        )
    return who


def _tie_of(key: str, ties: list[str]) -> str:
    found = [tie for tie in ties if tie.startswith(key.strip().lower())] if key.strip() else []
    if len(found) == 1:
        return found[0]
    what = tr("Several ties begin with “{key}”.", key=key) if found else tr("No tie begins with “{key}”.", key=key)
    raise UserError(tr("{what} Nothing was decided.", what=what), hint=tr("The ties and their ids: pairwright ties"))
