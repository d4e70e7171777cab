"""Jobs of annotation rounds: preview, draw and close them, and answer an assignment or the ties in Review."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from desktop.jobs.review.lacking_votes import earlier_text
from desktop.jobs.review.people import list_people
from desktop.jobs.review.round_refusals import (
    ROLES,
    nothing_to_draw,
    open_votes,
    require_annotators,
    require_domains,
    require_roles,
    require_split,
)
from desktop.jobs.review.shortages import Shortage, find_shortage
from desktop.jobs.transactions import read_job, write_job
from desktop.text import count
from desktop.translation import tr
from miner.errors import UserError
from miner.kinds.taxonomy import released_text
from miner.progress import Job, Progress
from storage.annotation.annotation_rounds import (
    MAX_ROUND_PAIRS,
    AnnotationRound,
    Assignment,
    RoundAsks,
    RoundKind,
    RoundPlan,
    Targets,
)
from storage.annotation.annotators import Role
from storage.annotation.round_draw import RoundDraw
from storage.annotation.rounds import TIES_QUEUE, Round, RoundOrder
from storage.changes import Changes
from storage.pairs.filters import PairFilter
from storage.project import Project
from storage.settings import GOLD, TARGETS
from storage.stores import Stores


@dataclass(frozen=True, slots=True)
class AssignmentProgress:
    """An assignment, with its annotator's name, how many pairs they have `left` to answer, and have `answered`.

    The others are bad, or no longer in the project.
    """

    assignment: Assignment
    name: str
    left: int
    answered: int


@dataclass(frozen=True, slots=True)
class AnnotationRoundProgress:
    """A round and the progress of each annotator."""

    round: AnnotationRound
    assignments: tuple[AssignmentProgress, ...]

    @property
    def answered(self) -> int:
        """How many of the needed answers are there, over all annotators."""
        return sum(one.answered for one in self.assignments)

    @property
    def answers(self) -> int:
        """How many answers are needed, over all annotators."""
        return sum(one.answered + one.left for one in self.assignments)

    @property
    def waiting(self) -> list[AssignmentProgress]:
        """The annotators whom the round waits for; a closed one waits for nobody."""
        return [one for one in self.assignments if one.left] if self.round.is_open else []


@dataclass(frozen=True, slots=True)
class RoundPreview:
    """The pairs that a round would get. names: of the people to ask. shortage: the strata with too few pairs."""

    draw: RoundDraw
    names: tuple[str, ...]
    shortage: Shortage


@dataclass(frozen=True, slots=True)
class StartedRound:
    """A new round. shortage: the strata that got fewer pairs than wanted.

    votes: how many votes a gold label takes by the rule of gold, which a round never changes. lacking: how many pairs
    will still lack some when all have answered. added: the names of those who were new in the project.
    """

    progress: AnnotationRoundProgress
    draw: RoundDraw
    shortage: Shortage
    votes: int
    lacking: int
    changes: Changes
    added: tuple[str, ...] = ()

    @property
    def votes_note(self) -> str:
        """What votes the pairs have and lack, if not exactly those who are asked make the gold labels; else ""."""
        round, asked = self.progress.round, len(self.progress.assignments)
        if round.plan.kind is not RoundKind.BENCHMARK or round.plan.asks_kinds:
            return ""
        votes = count(self.votes, "vote")
        note = ""
        if self.lacking == round.size and not self.draw.lacking and asked < self.votes:
            note = tr(
                "A gold label needs {votes}, and this round asks {people}: the other votes are still needed.",
                votes=votes,
                people=count(asked, "person", "people"),
            )
        elif self.lacking:
            note = tr(
                "A gold label needs {votes}: {pairs} of this round will still lack some.",
                votes=votes,
                pairs=count(self.lacking, "pair"),
            )
        elif asked > self.votes:
            note = tr(
                "A gold label needs {votes}, and this round asks {people}: all answers count.",
                votes=votes,
                people=count(asked, "person", "people"),
            )
        return " ".join(filter(None, [earlier_text(self.draw), note]))


@read_job("Reading the rounds")
def list_rounds(stores: Stores) -> list[AnnotationRoundProgress]:
    """All annotation rounds by number."""
    names, progress = stores.annotators.names(), stores.annotation_rounds.progress()
    assignments: dict[int, list[AssignmentProgress]] = {}
    for one in stores.annotation_rounds.assignments():
        name = names.get(one.annotator, one.annotator)
        assignments.setdefault(one.round, []).append(AssignmentProgress(one, name, *progress.get(one.uid, (0, 0))))
    return [
        AnnotationRoundProgress(round, tuple(sorted(assignments.get(round.number, ()), key=lambda one: one.name)))
        for round in stores.annotation_rounds.all()
    ]


@read_job("Reading the targets")
def load_targets(stores: Stores) -> Targets:
    """How many gold pairs the benchmark is to have."""
    return stores.settings.get(TARGETS)


@write_job("Saving the targets")
def save_targets(stores: Stores, targets: Targets) -> Changes:
    """Change how many gold pairs the benchmark is to have; `UserError` for a domain without pairs."""
    require_domains(stores, targets.domains)
    with stores.actions.deciding(tr("Change the targets"), datetime.now(UTC)):
        stores.settings.put(TARGETS, targets)
    return Changes(settings=True)


@read_job("Counting the pairs of a round")
def preview_round(stores: Stores, plan: RoundPlan, names: Sequence[str] = ()) -> RoundPreview:
    """What a round with this plan would get; nothing is stored.

    names: of those to ask; without names, everybody as in `start_annotation_round`, or, if these would get no pair but
    those that lack votes of earlier rounds, people who can give these votes.
    """
    require_domains(stores, plan.domains)
    preview = _preview(stores, plan, _different(names) or _default_names(stores, plan.kind))
    if names or preview.draw.lacking < len(preview.draw.pairs):
        return preview
    votes = open_votes(stores, plan, preview.draw)
    return _preview(stores, plan, votes.names) if votes.names else preview


def _preview(stores: Stores, plan: RoundPlan, asked: Sequence[str]) -> RoundPreview:
    require_roles(stores, plan, asked)
    people = [stores.annotators.find(name) for name in asked]
    keys = [name if one is None else one.key for name, one in zip(asked, people, strict=True)]
    draw = stores.round_draws.draw(plan, keys)
    return RoundPreview(draw, tuple(asked), find_shortage(stores, draw.shortages))


def start_annotation_round(
    project: Project,
    plan: RoundPlan,
    names: Sequence[str] = (),
    *,
    taxonomy: str = "",
    targets: Targets | None = None,
    now: datetime | None = None,
) -> Job[StartedRound]:
    """Draw a round and give it to annotators.

    names: who gets the round; without names, everybody with a role of `ROLES`, who must be three for a benchmark. Names
    that the project does not know are added. taxonomy: the text of a taxonomy's file, for a round that asks for kinds;
    "" for TaxiNLI's. targets: the project's from now on; undo takes back both. `UserError` if there are no pairs to
    draw, or too many for a round.
    """

    def work(progress: Progress) -> StartedRound:
        at = now or datetime.now(UTC)
        with project.transaction() as stores:
            require_domains(stores, plan.domains)
            require_split(stores, plan)
            asked = _different(names) or _default_names(stores, plan.kind)
            require_annotators(plan, asked, is_default=not names)
            require_roles(stores, plan, asked)
            known = stores.annotators.names()
            with stores.actions.deciding(tr("Draw a round"), at):
                annotators = [stores.annotators.ensure(name, ROLES[plan.kind][0]) for name in asked]
                with stores.cancellable(progress):
                    draw = stores.round_draws.draw(plan, [one.key for one in annotators])
                if not draw.pairs:
                    raise nothing_to_draw(stores, plan, draw, {one.key for one in annotators})
                if len(draw.pairs) > MAX_ROUND_PAIRS:
                    what = tr(
                        "A round has at most {max_round_pairs:,} pairs; this one would have {pairs:,}.",
                        max_round_pairs=MAX_ROUND_PAIRS,
                        pairs=len(draw.pairs),
                    )
                    raise UserError(what, hint=tr("Draw fewer pairs of each class, or from fewer domains."))
                digest = stores.kinds.put_taxonomy(taxonomy or released_text()).digest if plan.asks_kinds else None
                round = stores.annotation_rounds.add(plan, draw.pairs, [one.key for one in annotators], at, digest)
                if targets is not None:
                    stores.settings.put(TARGETS, targets)
            found = next(one for one in list_rounds.within(stores) if one.round.number == round.number)
            votes, shortage = stores.settings.get(GOLD).votes, find_shortage(stores, draw.shortages)
            lacking = stores.lacking_votes.within(round.number)
        added = tuple(one.name for one in annotators if one.key not in known)
        return StartedRound(found, draw, shortage, votes, lacking, Changes(settings=True), added)

    return Job(tr("Drawing a round"), work, if_stopped=tr("No round was drawn."))


@write_job("Closing a round")
def close_round(stores: Stores, number: int, *, is_open: bool = False) -> AnnotationRoundProgress:
    """Close a round, so that its missing answers are no longer waited for, or reopen it. All answers are kept."""
    get_round(stores, number)
    title = tr("Open round {number} again", number=number) if is_open else tr("Close round {number}", number=number)
    with stores.actions.deciding(title, datetime.now(UTC)):
        stores.annotation_rounds.set_open(number, is_open)
    return next(one for one in list_rounds.within(stores) if one.round.number == number)


@write_job("Opening a round")
def start_assignment(stores: Stores, annotator: str, number: int) -> None:
    """Make a round the annotator's current queue, as it was left; `UserError` if it is done or not assigned to them."""
    round = get_round(stores, number)
    if not any(one.annotator == annotator for one in stores.annotation_rounds.assignments(number)):
        name = stores.annotators.get(annotator).name
        raise UserError(
            tr("Round {number} is not assigned to {name}.", number=number, name=name),
            hint=tr("Assign it, or choose another name."),
        )
    if not round.is_open:
        raise UserError(tr("Round {number} is closed.", number=number), hint=tr("Open it again to go on with it."))
    if round.plan.asks_kinds:
        raise UserError(
            tr("Round {number} asks for kinds of reasoning.", number=number),
            hint=tr("Answer it on the page Kinds."),
        )
    keys = stores.annotation_rounds.keys(number)
    _start(stores, annotator, Round(number, RoundOrder.ASSIGNED, PairFilter(), len(keys), keys, round.plan.seed))


@write_job("Looking for ties")
def start_ties(stores: Stores, annotator: str) -> None:
    """Make the ties the annotator's current queue; `UserError` unless they are an adjudicator and there are ties.

    The ties of the last such queue come first, decided or not, while some of them wait.
    """
    who = stores.annotators.get(annotator)
    if who.role is not Role.ADJUDICATOR:
        raise UserError(
            tr("{name} is no adjudicator, so these answers would be votes.", name=who.name),
            hint=tr("Give the role of an adjudicator to somebody who has not voted on these pairs."),
        )
    ties = stores.adjudication.ties(annotator)
    last = stores.queues.find(annotator, TIES_QUEUE)
    number = last.number if last else 1
    if last is not None and stores.rounds.unanswered(last.keys, annotator):
        ties = list(dict.fromkeys((*last.keys, *ties)))
    elif last is not None:
        number += 1
    _start(stores, annotator, Round(number, RoundOrder.TIES, PairFilter(), len(ties), tuple(ties), 0))


def get_round(stores: Stores, number: int) -> AnnotationRound:
    """The round with this number; `UserError` if there is none."""
    if (round := stores.annotation_rounds.get(number)) is not None:
        return round
    last = len(stores.annotation_rounds.all())
    hint = tr("There are rounds 1 to {last}.", last=last) if last else tr("None was drawn yet.")
    raise UserError(tr("There is no round {number}.", number=number), hint=hint)


def open_assignments(stores: Stores, annotator: str, asks: RoundAsks) -> list[tuple[AnnotationRound, Assignment]]:
    """The open rounds that ask this and are assigned to the annotator (a key), by number, with these assignments."""
    rounds = {one.number: one for one in stores.annotation_rounds.all() if one.is_open and one.plan.asks is asks}
    own = [one for one in stores.annotation_rounds.assignments() if one.annotator == annotator]
    return [(rounds[one.round], one) for one in own if one.round in rounds]


def _start(stores: Stores, annotator: str, round: Round) -> None:
    """Make a queue the current one. Its skipped pairs stay skipped."""
    if not stores.rounds.unanswered(round.keys, annotator):
        raise UserError(tr("There is no unanswered pair among these."), hint=tr("All of them are answered."))
    skipped = stores.queues.skipped(annotator, round.queue)
    stores.queues.start(annotator, round)
    stores.queues.skip(annotator, round.queue, skipped)


def _default_names(stores: Stores, kind: RoundKind) -> list[str]:
    return [
        one.name for one in list_people.within(stores) if one.role in ROLES[kind] and not one.key.startswith(_IMPORTED)
    ]


_IMPORTED = "imported "  # the annotators of a data set's file, who cannot be asked


def _different(names: Sequence[str]) -> list[str]:
    """The names without repetitions of a person named before, as `AnnotatorStore.find` compares names."""
    found: dict[str, str] = {}
    for name in names:
        found.setdefault(" ".join(name.split()).casefold(), name)
    return list(found.values())
