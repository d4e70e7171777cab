"""How far annotators agree on the kinds of reasoning of pairs (TaxiNLI, section 3.2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from miner.agreement import MISSING, Coefficient, agreement
from miner.kinds.majority import UNCLEAR
from miner.libraries import np
from miner.statistics import Interval, wilson

if TYPE_CHECKING:
    from miner.kinds.questionnaire import PairKinds


class CategoryAgreement(NamedTuple):
    """Agreement on one category, over the pairs that two annotators or more have answered.

    raw: share of pairs of votes that are the same. prevalence: share of the votes that tick it. differing: how many
    of the pairs some annotators tick it for and others do not.
    """

    category: str
    kappa: Coefficient
    raw: Coefficient
    prevalence: float
    pairs: int
    differing: int


class Share(NamedTuple):
    """A share of a number of items, with its 95 % interval (Wilson)."""

    value: float
    interval: Interval
    of: int


class KindsAgreement(NamedTuple):
    """categories: in the taxonomy's order. annotators: with complete answers; single: how many pairs only one answered.
    average_kappa: of the categories whose kappa is defined; None without one.

    iou: mean over pairs of annotators and their common pairs of what both tick, of what either ticks; 1 where neither
    ticks anything. iou_ticked: without those. iou_pairs, ticked_pairs: over how many. inference: the share of answers
    that are the pair's label; None where no answered pair has one.
    """

    categories: tuple[CategoryAgreement, ...]
    annotators: tuple[str, ...]
    single: int
    average_kappa: float | None
    iou: float | None
    iou_pairs: int
    iou_ticked: float | None
    ticked_pairs: int
    inference: Share | None


def kinds_agreement(
    answers: Mapping[str, Mapping[str, PairKinds]], categories: Sequence[str], labels: Mapping[str, str]
) -> KindsAgreement:
    """Measure the agreement of complete answers, by pair and annotator. labels: the pairs' relations, where known.

    Who finds a relation unclear is asked for no category, so that this is no answer about any.
    """

    complete = {
        pair: {
            who: given.categories for who, given in sorted(by.items()) if given.complete and given.relation != UNCLEAR
        }
        for pair, by in sorted(answers.items())
    }
    complete = {pair: by for pair, by in complete.items() if by}
    annotators = sorted({who for by in complete.values() for who in by})
    overlap = [by for by in complete.values() if len(by) > 1]
    found = []
    for category in categories:
        votes = np.full((len(overlap), len(annotators)), MISSING)
        for row, by in enumerate(overlap):
            for column, who in enumerate(annotators):
                if who in by:
                    votes[row, column] = category in by[who]
        measured = agreement(votes, 2, by_category=False)
        prevalence = measured.shares[1] if measured.shares else 0.0
        differing = sum(len({category in ticked for ticked in by.values()}) > 1 for by in overlap)
        found.append(CategoryAgreement(category, measured.fleiss, measured.raw, prevalence, len(overlap), differing))
    kappas = [one.kappa.value for one in found if one.kappa.value is not None]
    ious = [_iou(first, second) for by in overlap for first, second in combinations(by.values(), 2)]
    ticked_ious = [iou for iou in ious if iou is not None]
    return KindsAgreement(
        tuple(found),
        tuple(annotators),
        len(complete) - len(overlap),
        _mean(kappas),
        _mean([1.0 if iou is None else iou for iou in ious]),
        len(ious),
        _mean(ticked_ious),
        len(ticked_ious),
        _inference(answers, labels),
    )


def _iou(first: frozenset[str], second: frozenset[str]) -> float | None:
    either = first | second
    return len(first & second) / len(either) if either else None


def _inference(answers: Mapping[str, Mapping[str, PairKinds]], labels: Mapping[str, str]) -> Share | None:
    given = [(one.relation, labels[pair]) for pair, by in answers.items() if pair in labels for one in by.values()]
    given = [(relation, label) for relation, label in given if relation is not None]
    if not given:
        return None
    right = sum(relation == label for relation, label in given)
    return Share(right / len(given), wilson(right, len(given)), len(given))


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None
