"""The labels a model doubts: listing them, most doubtful first, and settling each; accepting suggestions in bulk."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from desktop.jobs.labels import Judged
from miner.progress import Job
from miner.records import Answer, Label
from storage.filters import PairFilter
from storage.project import Project
from storage.rounds import ReviewItem

if TYPE_CHECKING:
    from miner.records import Suggestion

DOUBTED = 50  # percent: from here on a pair is counted as doubted


@dataclass(frozen=True, slots=True)
class Doubted:
    """A pair whose distant label a model doubts, what people say of it, and a line on why it is doubted."""

    item: ReviewItem
    suggestion: Suggestion
    answers: Mapping[str, Answer]
    why: str

    @property
    def key(self) -> str:
        return self.item.pair.key

    @property
    def distant(self) -> Label | None:
        return self.item.pair.distant_label


@dataclass(frozen=True, slots=True)
class AcceptPreview:
    """What accepting all suggestions of at least so much confidence would do; only pairs nobody answered are in it.

    `expected_error`: the share likely to be wrong by the model's own confidence, 0 to 1; `expected_wrong`: that many.
    `differing`: suggestions that are not what the phrase says. `examples`: some of the least certain.
    """

    count: int
    by_label: Mapping[Label, int]
    expected_error: float
    expected_wrong: float
    differing: int
    examples: tuple[ReviewItem, ...]


def queue(project: Project, filter: PairFilter, annotator: str, limit: int = 200) -> Job[list[Doubted]]:
    """The filter's pairs that wait for the annotator and have a doubt, most doubtful first."""
    raise NotImplementedError


def count_doubted(project: Project, filter: PairFilter | None = None) -> Job[int]:
    """Pairs with a doubt of `DOUBTED` percent and more that nobody has answered."""
    raise NotImplementedError


def settle(project: Project, doubted: Doubted, annotator: str, answer: Answer) -> Job[Judged]:
    """Answer a pair of the queue; recorded with what was seen (not blind: phrase, suggestion and probabilities)."""
    raise NotImplementedError


def keep(project: Project, doubted: Doubted, annotator: str) -> Job[Judged]:
    """Answer with the distant label."""
    raise NotImplementedError


def accept(project: Project, items: list[ReviewItem], annotator: str) -> Job[Judged]:
    """Accept the suggestions shown with these pairs, recorded as such, never as blind answers; one action.

    Suggestions that changed since they were shown are left out.
    """
    raise NotImplementedError


def accept_preview(project: Project, filter: PairFilter, at_least: int) -> Job[AcceptPreview]:
    """What `accept_all` would do; `at_least` in percent."""
    raise NotImplementedError


def accept_all(
    project: Project, filter: PairFilter, annotator: str, at_least: int, *, expected: int | None = None
) -> Job[Judged]:
    """Accept all suggestions of a filter with a confidence of `at_least` percent, on pairs that nobody has answered.

    One action, undone as one. `expected` is the preview's count; when it is another by now, a `UserError` and no change.
    """
    raise NotImplementedError
