"""How precise the distant labels are: of all pairs, and by class, domain and phrase."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple

from miner.precision.estimates import PrecisionEstimate, SampledAnswer, estimate_precision
from miner.precision.sampling import PrecisionPair, answered_part
from miner.precision.strata import LABELS, LabelGroup
from miner.records import Label


class PredictionUse(StrEnum):
    """Whether a model's predictions help the estimates. LEARNED: it has learned answers that they would be compared to.

    MISSING: no pair has a prediction by a model that has not learned its label.
    """

    USED = "used"
    MISSING = "missing"
    LEARNED = "learned"


class PrecisionScope(NamedTuple):
    """Which pairs: of a class, a domain, a phrase; None stands for all."""

    label: Label | None = None
    domain: str | None = None
    phrase: str | None = None


@dataclass(frozen=True, slots=True)
class PrecisionReport:
    """The estimates, all pairs first, then classes, domains, classes of domains, and phrases with the most pairs first.

    domains: which the sample is drawn from; empty for all. sampled: how many pairs it has; waiting: those without an
    answer; behind: those with an answer that does not count yet, because a pair before them waits. added: how many
    pairs have come since the last draw. model: the name of what made the suggestions; "" without any. repeated: how
    many pairs of the project several people answered; unanimous: how many of these have the same answers.
    """

    estimates: dict[PrecisionScope, PrecisionEstimate]
    domains: tuple[str, ...]
    sampled: int
    waiting: int
    behind: int
    added: int
    use: PredictionUse
    model: str
    repeated: int = 0
    unanimous: int = 0

    @property
    def overall(self) -> PrecisionEstimate:
        return self.estimates[PrecisionScope()]

    def to_data(self) -> dict[str, Any]:
        """Data for JSON; shares from 0 to 1, null where there are too few answers."""
        return {
            "domains": self.domains,
            "sampled": self.sampled,
            "waiting": self.waiting,
            "behind_waiting": self.behind,
            "added_since": self.added,
            "predictions": self.use,
            "model": self.model,
            "answered_by_several": self.repeated,
            "unanimous": self.unanimous,
            "estimates": [scope._asdict() | estimate_data(one) for scope, one in self.estimates.items()],
        }


def estimate_data(estimate: PrecisionEstimate) -> dict[str, Any]:
    """An estimate as JSON data."""
    low, high = estimate.interval or (None, None)
    return {
        "pairs": estimate.pairs,
        "answers": estimate.answers,
        "right": estimate.right,
        "share": estimate.share,
        "low": low,
        "high": high,
        "as_many_random_answers": round(estimate.effective, 1),
        "more_for_3_points": estimate.more_answers(0.03),
        "more_for_5_points": estimate.more_answers(0.05),
    }


def report_precision(
    groups: Sequence[LabelGroup],
    sample: Sequence[PrecisionPair],
    *,
    domains: Sequence[str],
    added: int,
    has_learned: bool,
    model: str,
    repeated: int = 0,
    unanimous: int = 0,
) -> PrecisionReport:
    """The report on pairs, from what people answered of the sample.

    has_learned: the model has learned answers of the sample. Its predictions are better for these pairs than for
    others, so that none of them is used.
    """
    part = answered_part(sample)
    answers = [
        SampledAnswer(
            *(one.label, one.domain, one.phrase, one.percent),
            place=one.number / probability,
            probability=probability,
            is_right=bool(one.is_right),
        )
        for one, probability in part
    ]
    use = PredictionUse.LEARNED if has_learned else PredictionUse.USED
    if all(group.percent is None for group in groups):
        use = PredictionUse.MISSING
    if use is PredictionUse.LEARNED:
        groups = [group._replace(percent=None) for group in groups]
        answers = [answer._replace(percent=None) for answer in answers]
    answered = sum(one.is_right is not None for one in sample)
    return PrecisionReport(
        _estimate_scopes(groups, answers),
        tuple(domains),
        len(sample),
        len(sample) - answered,
        answered - len(part),
        added,
        use,
        model,
        repeated,
        unanimous,
    )


def _estimate_scopes(
    groups: Sequence[LabelGroup], answers: Sequence[SampledAnswer]
) -> dict[PrecisionScope, PrecisionEstimate]:
    scopes: dict[PrecisionScope, tuple[list[LabelGroup], list[SampledAnswer]]] = {PrecisionScope(): ([], [])}
    for kind in (_of_class, _of_domain, _of_both, _of_phrase):
        found: dict[PrecisionScope, tuple[list[LabelGroup], list[SampledAnswer]]] = {}
        for group in groups:
            found.setdefault(kind(group), ([], []))[0].append(group)
        for answer in answers:
            found.setdefault(kind(answer), ([], []))[1].append(answer)
        by_phrase = kind is _of_phrase
        scopes |= {
            scope: found[scope]
            for scope in sorted(found, key=lambda scope: _order(scope, found[scope][0], by_size=by_phrase))
            if scope.phrase != "" and found[scope][0]
        }
    scopes[PrecisionScope()] = (list(groups), list(answers))
    return {scope: estimate_precision(*parts) for scope, parts in scopes.items()}


_Counted = LabelGroup | SampledAnswer


def _of_class(one: _Counted) -> PrecisionScope:
    return PrecisionScope(one.label)


def _of_domain(one: _Counted) -> PrecisionScope:
    return PrecisionScope(domain=one.domain)


def _of_both(one: _Counted) -> PrecisionScope:
    return PrecisionScope(one.label, one.domain)


def _of_phrase(one: _Counted) -> PrecisionScope:
    return PrecisionScope(one.label, phrase=one.phrase)


def _order(scope: PrecisionScope, groups: Sequence[LabelGroup], *, by_size: bool) -> tuple[int, str, int, str]:
    pairs = sum(group.pairs for group in groups)
    label = -1 if scope.label is None else LABELS.index(scope.label)
    return -pairs if by_size else 0, scope.domain or "", label, scope.phrase or ""
