"""A sitting with doubtful labels: each pair is settled once, and the queue may change behind the one on the screen."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from desktop.jobs.review import disagreements
from desktop.jobs.review.answers import ActionResult
from desktop.jobs.review.disagreements import DoubtedPair
from desktop.ui.pages.review.row import Row
from desktop.ui.pages.review.session import Session
from desktop.ui.services.project_context import ProjectContext
from miner.progress import Job
from miner.records import Answer
from storage.annotation.rounds import ReviewItem


class Doubts(Session):
    def __init__(self, context: ProjectContext) -> None:
        super().__init__(context)
        self.blind = False
        self._doubted: dict[str, DoubtedPair] = {}

    def start(self, doubted: Sequence[DoubtedPair]) -> None:
        """Show the first of them."""
        self._know(doubted)
        keys = [one.key for one in doubted]
        self.begin(Row.of_all(keys), items=[one.item for one in doubted])

    def renew(self, doubted: Sequence[DoubtedPair]) -> None:
        """The queue is another by now: the pair on the screen stays, the others come after it."""
        self._know(doubted)
        self.row.renew([one.key for one in doubted])
        self._items.update({one.key: one.item for one in doubted})
        here = self.row.current
        self.forget(() if here in {one.key for one in doubted} or here is None else (here,))

    def about(self, item: ReviewItem) -> DoubtedPair | None:
        """What the queue knew of a pair, the pair itself as it is now; None of one that was not in it."""
        known = self._doubted.get(item.pair.key)
        if known is None or item.suggestion is None:
            return None
        return DoubtedPair(item, item.suggestion, known.answers, known.why)

    def keep(self) -> None:
        """Answer with the distant label."""
        self._take_here(self._keep)

    def answering(self, item: ReviewItem, answer: Answer) -> Job[ActionResult]:
        doubted = self.about(item)
        if doubted is None:
            return super().answering(item, answer)
        return disagreements.answer(self._context.project, doubted, self._context.annotator, answer)

    def _keep(self) -> None:
        item = self._the_item()
        doubted = self.about(item)
        if item.pair.distant_label is None:
            self.told.emit("This pair has no distant label to keep.")
            return
        answer = Answer(item.pair.distant_label.value)
        if doubted is None:
            self._answer(answer)
            return
        job = disagreements.answer(self._context.project, doubted, self._context.annotator, answer)
        self._save(job, partial(self._answered, item, answer))

    def _know(self, doubted: Sequence[DoubtedPair]) -> None:
        self._doubted.update({one.key: one for one in doubted})
