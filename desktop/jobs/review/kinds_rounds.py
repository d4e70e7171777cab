"""Jobs about rounds that ask for kinds of reasoning: the annotator's queue, and rounds for one annotator."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from desktop.jobs.review.annotation_rounds import get_round, open_assignments, start_annotation_round
from desktop.jobs.review.annotator import register_annotator
from desktop.jobs.review.kind_answers import KindsItem, load_kinds_items
from desktop.jobs.transactions import read_job, write_job
from desktop.translation import tr
from miner.errors import UserError
from miner.kinds.questionnaire import next_question
from miner.kinds.taxonomy import released_text
from miner.progress import Job, Progress
from storage.annotation.annotation_rounds import USUAL_KINDS_PAIRS, AnnotationRound, RoundAsks, RoundKind, RoundPlan
from storage.annotation.kinds import StoredTaxonomy, identify_taxonomy
from storage.project import Project
from storage.settings import ASSIGNMENT, GUIDELINES
from storage.stores import Stores


@dataclass(frozen=True, slots=True)
class KindsQueue:
    """An annotator's part of a round that asks for kinds. pairs: the keys of its existing pairs, in order.

    waiting: the keys of pairs that are neither complete nor bad. gone: how many pairs were removed with papers, or by
    mining papers again. plan: how the round was drawn.
    """

    round: int
    plan: RoundPlan
    taxonomy: StoredTaxonomy
    pairs: tuple[KindsItem, ...]
    waiting: tuple[str, ...]
    gone: int

    @property
    def keys(self) -> tuple[str, ...]:
        return tuple(one.pair.key for one in self.pairs)


@dataclass(frozen=True, slots=True)
class LoadedKinds:
    """What the page shows at first.

    queue: the annotator's open round that has pairs waiting, else their last open round; None without any. open: the
    numbers of all their open rounds. joinable: the numbers of rounds of others that they could join. pairs: how many
    pairs the project has; 0, and not counted, if there is a queue. taxonomy: the queue's taxonomy, else TaxiNLI's.
    """

    queue: KindsQueue | None
    open: tuple[int, ...]
    joinable: tuple[int, ...]
    pairs: int
    taxonomy: StoredTaxonomy
    guidelines: str


@read_job("Opening the questions about kinds")
def load_kinds(stores: Stores, annotator: str, number: int | None = None) -> LoadedKinds:
    """The annotator's queue. number: of the round to load, if it is assigned to them; else the first that waits."""
    own = [round for round, _ in open_assignments(stores, annotator, RoundAsks.KINDS)]
    queues = [_queue(stores, one, annotator) for one in own]
    chosen = [one for one in queues if one.round == number] or [one for one in queues if one.waiting]
    queue = next(iter([*chosen, *reversed(queues)]), None)
    others = [one for one in stores.annotation_rounds.all() if one not in own]
    joinable = tuple(one.number for one in others if _can_be_joined(one))
    pairs = 0 if queue else stores.pairs.count()
    taxonomy = queue.taxonomy if queue else identify_taxonomy(released_text())
    numbers, guidelines = tuple(one.round for one in queues), stores.settings.get(GUIDELINES)
    return LoadedKinds(queue, numbers, joinable, pairs, taxonomy, guidelines)


@read_job("Counting pairs that wait")
def count_waiting(stores: Stores, annotator: str) -> int:
    """How many pairs wait in the annotator's queue, as `load_kinds` gives it, without reading them."""
    own = open_assignments(stores, annotator, RoundAsks.KINDS)
    left = stores.annotation_rounds.left() if own else {}
    return next((left[one.uid] for _, one in own if left.get(one.uid)), 0)


def start_kinds(project: Project, annotator: str, pairs: int = USUAL_KINDS_PAIRS) -> Job[KindsQueue]:
    """Draw pairs only for this annotator (a key), evenly from classes and domains; `UserError` if none is left."""

    def work(progress: Progress) -> KindsQueue:
        with project.read_transaction() as stores:
            if (sent := stores.settings.get(ASSIGNMENT)) is not None:
                raise UserError(
                    tr(
                        "This file is for the answers of {name} to round {round:,} alone.",
                        name=sent.name,
                        round=sent.round,
                    )
                )
            name = stores.annotators.get(annotator).name
        known = register_annotator(project, name).work(progress)
        plan = RoundPlan(asks=RoundAsks.KINDS, pairs=pairs)
        started = start_annotation_round(project, plan, [known.name]).work(progress)
        with project.read_transaction() as stores:
            return _queue(stores, started.progress.round, known.key)

    return Job(tr("Drawing pairs"), work, if_stopped=tr("No pairs were drawn."))


@write_job("Joining a round")
def join_kinds(stores: Stores, annotator: str, number: int) -> KindsQueue:
    """Assign a round of others to this annotator (a key) too, so that agreement can be measured."""
    round = get_round(stores, number)
    if not _can_be_joined(round):
        raise UserError(tr("Round {number} cannot be joined.", number=number), hint=tr("Draw pairs of your own."))
    with stores.actions.deciding(tr("Join round {number}", number=number), datetime.now(UTC)):
        stores.annotation_rounds.assign(number, annotator)
    return _queue(stores, round, annotator)


def _can_be_joined(round: AnnotationRound) -> bool:
    """Whether the round asks for kinds, is open, gives all its pairs to everybody, and has answers that count."""
    plan = round.plan
    return round.is_open and plan.asks_kinds and plan.kind is not RoundKind.PILOT and plan.overlap is None


def _queue(stores: Stores, round: AnnotationRound, annotator: str) -> KindsQueue:
    assert round.taxonomy is not None
    taxonomy = StoredTaxonomy(round.taxonomy, stores.kinds.taxonomy(round.taxonomy))
    keys = stores.annotation_rounds.keys(round.number, annotator)
    pairs = load_kinds_items.within(stores, keys, annotator, taxonomy)
    waiting = tuple(
        one.pair.key for one in pairs if one.status != "bad" and next_question(taxonomy.taxonomy, one.kinds) is not None
    )
    return KindsQueue(round.number, round.plan, taxonomy, tuple(pairs), waiting, len(keys) - len(pairs))
