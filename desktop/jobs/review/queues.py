"""Jobs about the queues in Review: list them with the pairs that wait, switch to one, and load the page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from desktop.jobs.review import annotation_rounds
from desktop.jobs.review.rounds import RoundProgress, current_round, find_waiting
from desktop.jobs.transactions import read_job
from desktop.translation import tr
from miner.errors import UserError
from miner.progress import Job, Progress
from storage.annotation.annotation_rounds import AssignmentState, RoundAsks
from storage.annotation.annotators import Role
from storage.annotation.rounds import ERRORS_QUEUE, OWN_QUEUE, TIES_QUEUE, QueueId, QueueKind, RoundOrder
from storage.project import Project
from storage.settings import BLIND, GUIDELINES
from storage.stores import Stores


class WaitingQueue(NamedTuple):
    """A queue that the annotator can continue or start. waiting: how many of its pairs wait, at least 1."""

    id: QueueId
    waiting: int


@dataclass(frozen=True, slots=True)
class LoadedReview:
    """What the Review page shows at first.

    progress: of the current queue; None if the annotator has none. queues: the queues to continue or start, including
    the current one. pairs: how many pairs the project has; 0, and not counted, if there is a queue. domains: how many
    papers each has. suggested: whether there are suggestions of a model.
    """

    progress: RoundProgress | None
    pairs: int
    domains: dict[str, int]
    guidelines: str
    blind: bool
    suggested: bool = False
    queues: tuple[WaitingQueue, ...] = ()


@read_job("Opening the review")
def load_review(stores: Stores, annotator: str) -> LoadedReview:
    """The annotator's queue, what else waits, and what is needed to start a new one."""
    round_progress = current_round.within(stores, annotator)
    return LoadedReview(
        round_progress,
        0 if round_progress else stores.pairs.count(),
        stores.papers.domain_counts(),
        stores.settings.get(GUIDELINES),
        stores.settings.get(BLIND),
        stores.suggestions.current_run() is not None,
        list_queues.within(stores, annotator),
    )


@read_job("Counting what waits")
def list_queues(stores: Stores, annotator: str) -> tuple[WaitingQueue, ...]:
    """The queues that the annotator can continue or start."""
    if not annotator:
        return ()
    found = [WaitingQueue(queue, len(_waiting(stores, annotator, queue))) for queue in _possible(stores, annotator)]
    return tuple(queue for queue in found if queue.waiting)


class OwnQueue(NamedTuple):
    """The annotator's own queue. order: None if there is none. waiting: how many of its pairs wait."""

    order: RoundOrder | None
    waiting: int


@read_job("Counting pairs that wait")
def find_own_queue(stores: Stores, annotator: str) -> OwnQueue:
    """What waits in the annotator's own queue, which a new one would replace."""
    round = stores.queues.find(annotator, OWN_QUEUE)
    return OwnQueue(None if round is None else round.order, len(_waiting(stores, annotator, OWN_QUEUE)))


def take_up(project: Project, annotator: str, queue: QueueId) -> Job[None]:
    """Make a queue the current one, as it was left; start an assigned round or ties.

    `UserError` if no pair waits there.
    """
    if queue.kind is QueueKind.ASSIGNED:
        return annotation_rounds.start_assignment(project, annotator, queue.number)
    if queue.kind is QueueKind.TIES:
        return annotation_rounds.start_ties(project, annotator)

    def work(progress: Progress) -> None:
        with project.transaction() as stores:
            if not stores.queues.take_up(annotator, queue):
                raise UserError(tr("This queue is gone."), hint=tr("Start a new one."))

    return Job(tr("Opening a queue"), work)


def _possible(stores: Stores, annotator: str) -> list[QueueId]:
    """The queues that the annotator has or may start, whether or not pairs wait in them."""
    stored = stores.queues.ids(annotator)
    assigned = [
        QueueId(QueueKind.ASSIGNED, round.number)
        for round, one in annotation_rounds.open_assignments(stores, annotator, RoundAsks.RELATION)
        if one.state is not AssignmentState.SENT
    ]
    is_adjudicator = stores.annotators.get(annotator).role is Role.ADJUDICATOR
    return [
        *(queue for queue in (OWN_QUEUE,) if queue in stored),
        *assigned,
        *((TIES_QUEUE,) if is_adjudicator else ()),
        *(queue for queue in (ERRORS_QUEUE,) if queue in stored),
    ]


def _waiting(stores: Stores, annotator: str, queue: QueueId) -> Sequence[str]:
    """The keys of a queue's pairs that wait."""
    if queue.kind is QueueKind.ASSIGNED:
        keys = stores.annotation_rounds.keys(queue.number)
        return find_waiting(stores, annotator, RoundOrder.ASSIGNED, keys)
    if queue.kind is QueueKind.TIES:
        return stores.adjudication.ties(annotator)
    round = stores.queues.find(annotator, queue)
    return () if round is None else find_waiting(stores, annotator, round.order, round.keys)
