"""How often a model's doubts have been right, and of which classes its doubted labels are listed."""

from __future__ import annotations

from dataclasses import dataclass, replace

from desktop.jobs.pairs.held_out import without_held_out
from desktop.jobs.transactions import read_job
from miner.classifier.checkpoints import STARTER_NAME
from miner.records import Label
from miner.statistics import wilson
from storage.models.suggestion_statistics import DOUBTED_PERCENT, ClassDoubts
from storage.pairs.filters import PairFilter, PairStatus
from storage.settings import LABEL_NOISE
from storage.stores import Stores

MIN_ANSWERED = 10
"""Answered doubted labels, from which on they decide whether a class is listed."""
STARTER_RIGHT_IN_TEN = 4
"""Of ten labels that the starter doubts, how many are wrong, in papers of NLP that it has not learned, read by hand.

See `tests/bench/doubt_verdicts.csv`: 12 of the 30 most doubtful, and 5 of 30 drawn at random.
"""
DOUBTED = PairFilter(doubt=(DOUBTED_PERCENT, None))


@dataclass(frozen=True, slots=True)
class DoubtRecord:
    """The doubted labels of the current suggestions, by class.

    model: its name. found_rarely: the classes of which it suggests fewer than half of the labels, so that its doubts
    about the others are mostly errors of its own.
    """

    model: str = ""
    classes: tuple[tuple[Label, ClassDoubts], ...] = ()
    found_rarely: frozenset[Label] = frozenset()

    @property
    def listed(self) -> frozenset[Label]:
        """The classes whose doubted labels are listed: those where people found the model right, or could."""
        return frozenset(label for label, doubts in self.classes if self._is_listed(label, doubts))

    @property
    def unlisted(self) -> tuple[tuple[Label, ClassDoubts], ...]:
        """The classes whose doubted labels are not listed, if there are any."""
        return tuple((label, doubts) for label, doubts in self.classes if doubts.doubted and label not in self.listed)

    def left_out(self, filter: PairFilter) -> tuple[tuple[Label, ClassDoubts], ...]:
        """Those of `unlisted` that the filter's list lacks: none if the filter names classes, or allows less doubt."""
        low, _ = filter.doubt or (None, None)
        return () if low is None or low < DOUBTED_PERCENT or filter.distant else self.unlisted

    @property
    def answered(self) -> int:
        """How many doubted labels of the listed classes people have settled."""
        return sum(doubts.answered for label, doubts in self.classes if label in self.listed)

    @property
    def wrong(self) -> int:
        """How many of `answered` people gave another label."""
        return sum(doubts.wrong for label, doubts in self.classes if label in self.listed)

    @property
    def right_in_ten(self) -> int | None:
        """Of ten doubted labels, how many were wrong where people had labelled them; None if this was not measured."""
        return STARTER_RIGHT_IN_TEN if self.model == STARTER_NAME else None

    def _is_listed(self, label: Label, doubts: ClassDoubts) -> bool:
        if doubts.answered < MIN_ANSWERED:
            return label not in self.found_rarely
        return wilson(doubts.wrong, doubts.answered).high >= 0.5


@read_job("Looking for doubtful labels")
def load_doubt_record(stores: Stores) -> DoubtRecord:
    """The record of the current suggestions."""
    return doubt_record(stores)


def doubt_record(stores: Stores) -> DoubtRecord:
    """The record of the current suggestions; all of it is read by an index."""
    run, noise = stores.suggestions.current_run(), stores.settings.get(LABEL_NOISE)
    if run is None:
        return DoubtRecord()
    found_rarely = frozenset(noise.found_rarely) if noise is not None and noise.run == run.id else frozenset[Label]()
    return DoubtRecord(run.model, tuple(stores.suggestion_statistics.doubted_by_class().items()), found_rarely)


def only_listed(filter: PairFilter, record: DoubtRecord) -> PairFilter:
    """A filter for doubted labels without those of classes that are not listed, unless it names the classes itself."""
    if not record.left_out(filter):
        return filter
    none = frozenset({""})  # pairs without a label, which have no doubt
    return replace(filter, distant=frozenset(label.value for label in record.listed) or none)


def unanswered_doubts(stores: Stores, record: DoubtRecord, filter: PairFilter = DOUBTED) -> PairFilter:
    """The doubted labels of a filter that nobody has answered: of listed classes, without dev and test papers."""
    unanswered = replace(filter, doubt=DOUBTED.doubt, statuses=frozenset({PairStatus.OPEN}))
    return without_held_out(stores, only_listed(unanswered, record))
