"""The confidence from which on suggestions can be accepted, with at most a given share of wrong ones."""

from __future__ import annotations

from dataclasses import dataclass

from desktop.jobs.models.calibration import held_out_answers
from desktop.translation import tr
from miner.classifier.examples import LABELS
from miner.classifier.selective_risk import SafeConfidence, least_pairs, safe_confidence
from miner.libraries import np
from miner.progress import Job, Progress
from storage.project import Project


@dataclass(frozen=True, slots=True)
class SafeAccept:
    """What people's answers say of accepting with at most `most_wrong` percent wrong.

    answers: how many there are to pairs that the model has not learned; without test pairs. needed: with fewer, nothing
    can be promised. found: the confidence; None if there is none that keeps the promise. has_suggestions: whether the
    project has any.
    """

    most_wrong: int
    answers: int
    needed: int
    found: SafeConfidence | None
    has_suggestions: bool = True


def find_safe_confidence(project: Project, most_wrong: int) -> Job[SafeAccept]:
    """The lowest confidence that keeps a promise, by people's answers. most_wrong: in percent, 1 to 99."""

    def work(progress: Progress) -> SafeAccept:
        share = most_wrong / 100
        with project.read_transaction() as stores:
            run = stores.suggestions.current_run()
            pairs = [] if run is None else held_out_answers(project, stores, run)
        found = None
        if pairs:
            rows = np.array([pair.probabilities for pair in pairs])
            gold = np.array([LABELS.index(pair.gold) for pair in pairs])
            found = safe_confidence(rows.max(1), rows.argmax(1) == gold, share)
        return SafeAccept(most_wrong, len(pairs), least_pairs(share), found, run is not None)

    return Job(tr("Looking for a safe confidence"), work)
