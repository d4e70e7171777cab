"""The report on annotators' agreement: overall, by class, domain, round, phrase and neutral strategy, and by person."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, NamedTuple

from miner.agreement import BOOTSTRAP_SAMPLES, Agreement, Coefficient, CohenAgreement, Refusal
from miner.dataset_statistics import GoldAgreement
from miner.records import Answer
from storage.annotation.annotators import Role
from storage.pairs.filters import PairFilter

if TYPE_CHECKING:
    from miner.classifier.metrics import ScoreSummary

MAX_COMPARED = 12
"""Annotators in the pairwise comparison: those with the most votes."""


TOO_FEW_VOTES = (Refusal.NO_VOTES, Refusal.ONE_ANNOTATOR, Refusal.NO_OVERLAP)
"""Agreement cannot be measured before more people have answered."""


@dataclass(frozen=True, slots=True)
class AgreementOptions:
    """What to measure.

    filter: which pairs. round: only pairs of this annotation round. samples, seed: of the bootstrap.
    """

    filter: PairFilter = field(default_factory=PairFilter)
    round: int | None = None
    samples: int = BOOTSTRAP_SAMPLES
    seed: int = 1


class GroupKind(StrEnum):
    """What the pairs of a group have in common.

    CLASS: the distant label. ROUND: the benchmark round. STRATEGY: how neutral pairs were drawn. PILOT: the pilot
    round, whose answers are not votes and count in no other group.
    """

    CLASS = "class"
    DOMAIN = "domain"
    ROUND = "round"
    STRATEGY = "strategy"
    PHRASE = "phrase"
    PILOT = "pilot"


ONE_CLASS_GROUPS = (GroupKind.CLASS, GroupKind.STRATEGY, GroupKind.PHRASE)
"""Groups of pairs with one distant label. Nearly all of their votes are for one class, so that agreement by chance is
high and the kappas are low however well people agree: raw agreement and AC1 tell more."""


@dataclass(frozen=True, slots=True)
class AgreementGroup:
    """Pairs with something in common, and how far people agree on them.

    kind: None for all pairs. name: the class, domain, phrase or strategy, or the round's number; "" for all pairs.
    distant: the votes' majorities compared with the distant labels, over pairs that have all votes or a majority;
    waiting: how many other pairs have a distant label. seconds: the median time of a vote; None if no time is known.
    filter: the filter that shows these pairs.
    """

    kind: GroupKind | None
    name: str
    agreement: Agreement
    distant: GoldAgreement
    waiting: int
    seconds: float | None
    filter: PairFilter


class VoterSummary(NamedTuple):
    """An annotator: how many votes they gave, their median time in seconds, and how many of the votes are unclear."""

    key: str
    name: str
    votes: int
    unclear: int
    seconds: float | None


class Comparison(NamedTuple):
    """Two annotators (keys) compared with each other. filter: the filter that shows the pairs on which they differ."""

    first: str
    second: str
    cohen: CohenAgreement
    filter: PairFilter


class PersonPerformance(NamedTuple):
    """The answers of an expert or a layperson against gold labels; “unclear” is wrong. Scores are 0.0 to 1.0.

    confusion: gold label by row, answer by column.
    """

    key: str
    name: str
    role: Role
    pairs: int
    unclear: int
    macro_f1: float
    accuracy: float
    seconds: float | None
    confusion: tuple[tuple[int, ...], ...]


class RolePerformance(NamedTuple):
    """The mean and sample standard deviation of the scores over the people of a role."""

    role: Role
    people: int
    macro_f1: ScoreSummary
    accuracy: ScoreSummary


@dataclass(frozen=True, slots=True)
class AgreementReport:
    """The results of the job.

    groups: by kind, in the order of `GroupKind`. voters: by number of votes, the most first. comparisons: between the
    first `MAX_COMPARED` voters. needed: how many votes a pair is to have. without_gold: pairs that an expert or
    layperson answered, but that have no gold label. waiting: whom the open rounds wait for, as a sentence, where there
    are too few votes; else "".
    """

    options: AgreementOptions
    needed: int
    overall: AgreementGroup
    groups: tuple[AgreementGroup, ...]
    voters: tuple[VoterSummary, ...]
    comparisons: tuple[Comparison, ...]
    people: tuple[PersonPerformance, ...]
    roles: tuple[RolePerformance, ...]
    without_gold: int
    waiting: str = ""

    def of_kind(self, kind: GroupKind) -> tuple[AgreementGroup, ...]:
        return tuple(group for group in self.groups if group.kind is kind)

    def name(self, key: str) -> str:
        """The name of an annotator."""
        return next((voter.name for voter in self.voters if voter.key == key), key)

    def to_data(self) -> dict[str, Any]:
        """Data for JSON; shares and coefficients from 0 to 1, null where undefined."""
        return {
            "needed": self.needed,
            "bootstrap": {"samples": self.options.samples, "seed": self.options.seed},
            "overall": _group_data(self.overall),
            "groups": [_group_data(group) for group in self.groups],
            "annotators": [voter._asdict() for voter in self.voters],
            "pairwise": [
                {
                    "first": self.name(one.first),
                    "second": self.name(one.second),
                    "pairs": one.cohen.pairs,
                    "raw": _coefficient_data(one.cohen.raw),
                    "kappa": _coefficient_data(one.cohen.kappa),
                    "table": one.cohen.table,
                    "filter": one.filter.to_data(),
                }
                for one in self.comparisons
            ],
            "human_performance": {
                "people": [person._asdict() for person in self.people],
                "roles": [
                    {**role._asdict(), "macro_f1": role.macro_f1._asdict(), "accuracy": role.accuracy._asdict()}
                    for role in self.roles
                ],
                "without_gold": self.without_gold,
            },
        }


def _coefficient_data(found: Coefficient) -> dict[str, float | None]:
    low, high = found.interval or (None, None)
    return {"value": found.value, "low": low, "high": high}


def _agreement_data(found: Agreement) -> dict[str, Any]:
    counts = ("pairs", "votes", "single", "missing", "annotators", "refusal")
    coefficients = ("raw", "unanimous", "fleiss", "alpha", "ac1")
    by_answer = zip(Answer, found.categories, strict=False)
    return {
        **{name: getattr(found, name) for name in counts},
        **{name: _coefficient_data(getattr(found, name)) for name in coefficients},
        "fleiss_by_answer": {answer.value: _coefficient_data(one) for answer, one in by_answer},
        "share_by_answer": {answer.value: share for answer, share in zip(Answer, found.shares, strict=False)},
    }


def _group_data(group: AgreementGroup) -> dict[str, Any]:
    return {
        "kind": group.kind or "all",
        "name": group.name,
        "agreement": _agreement_data(group.agreement),
        "against_distant": group.distant.to_data() | {"waiting": group.waiting},
        "seconds": group.seconds,
        "filter": group.filter.to_data(),
    }
