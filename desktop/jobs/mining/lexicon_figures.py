"""The job that counts the project's pairs by linking phrase and by class, for the lexicon."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from desktop.translation import tr
from miner.mining.linking_phrases import phrase_key
from miner.progress import Job, Progress
from miner.records import Label, Strategy
from storage.pairs.statistics import PairCount
from storage.project import Project


class PhraseFigures(NamedTuple):
    """How many pairs a phrase made, how many have a majority answer, and in how many that is the phrase's label.

    Answers count even if the pair is no longer mined because the phrase is switched off now.
    """

    pairs: int = 0
    answered: int = 0
    agreed: int = 0


class LexiconFigures(NamedTuple):
    """The figures of each phrase by `phrase_key`, and the number of mined pairs by distant label, neutral included."""

    phrases: Mapping[str, PhraseFigures]
    classes: Mapping[Label, int]


def load_lexicon_figures(project: Project) -> Job[LexiconFigures]:
    """Pairs and answers of each linking phrase, and pairs of each class."""

    def work(progress: Progress) -> LexiconFigures:
        progress.tick(0, 1)
        with project.read_transaction() as stores:
            counts, gone = stores.statistics.counts(), stores.statistics.counts_of_gone()
        classes = Counter[Label]()
        for row in counts:
            if row.distant and row.strategy is not Strategy.IMPORTED:
                classes[Label(row.distant)] += row.pairs
        return LexiconFigures(_sum_by_phrase(counts, gone), dict(classes))

    return Job(tr("Counting pairs by phrase"), work)


def _sum_by_phrase(counts: Iterable[PairCount], gone: Iterable[PairCount]) -> dict[str, PhraseFigures]:
    figures: dict[str, PhraseFigures] = {}
    for rows, is_current in ((counts, True), (gone, False)):
        for row in rows:
            if row.phrase:
                key = phrase_key(row.phrase)
                pairs, answered, agreed = figures.get(key, PhraseFigures())
                settled = row.pairs if row.has_majority and not row.accepted else 0
                same = settled if row.gold == row.distant else 0
                figures[key] = PhraseFigures(pairs + row.pairs * is_current, answered + settled, agreed + same)
    return figures
