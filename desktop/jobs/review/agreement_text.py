"""Agreement as sentences and table cells, the same for the window and the command line."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from desktop.jobs.review.agreement_report import (
    ONE_CLASS_GROUPS,
    TOO_FEW_VOTES,
    AgreementGroup,
    AgreementReport,
    GroupKind,
    RolePerformance,
)
from desktop.text import count, points
from desktop.translation import tr
from miner.agreement import UNDEFINED, Coefficient, Refusal
from miner.dataset_statistics import Proportion
from miner.records import Answer
from miner.splits import HELD_OUT
from miner.statistics import Interval
from storage.annotation.annotators import Role
from storage.pairs.filters import PairFilter, PairStatus

NO_VALUE = "–"
PUBLISHED = tr("Fleiss’ κ was 0.62 for SciNLI, 0.71 for MSciNLI and 0.72 for MisMatched.")
_LEAST_PUBLISHED = 0.6
_DEGREES = (
    (0.8, tr("almost perfect")),
    (0.6, tr("substantial")),
    (0.4, tr("moderate")),
    (0.2, tr("fair")),
    (0.0, tr("slight")),
)
_MIN_PAIRS = 50  # with fewer, the interval of kappa is some 0.2 wide or more
_ROLE_NOUNS = {Role.EXPERT: ("expert", "experts"), Role.LAYPERSON: ("layperson", "laypeople")}


class NextStep(NamedTuple):
    """What to do next. filter: the pairs it is about; page: where to do it; both None where nothing is to be opened.

    button: the text of the button that opens them. topic: the subject, if `notes` has a sentence on it too.
    """

    text: str
    button: str = ""
    filter: PairFilter | None = None
    page: str | None = None
    topic: str = ""


def headline(report: AgreementReport) -> str:
    """How far people agree, or why it cannot be measured, in a sentence."""
    found = report.overall.agreement
    if found.refusal is Refusal.NO_VOTES:
        pilots = [_pilot_text(group) for group in report.of_kind(GroupKind.PILOT) if group.agreement.pairs]
        nobody = tr("Nobody has voted yet: answers to pilot rounds do not count as votes.")
        if pilots:
            return " ".join([nobody, *pilots])
        if report.overall.filter.splits == frozenset(HELD_OUT):
            return tr("Nobody has answered pairs of dev or test yet. In train, answers are no votes.")
        return tr("Nobody has answered these pairs yet.")
    if found.refusal is Refusal.ONE_ANNOTATOR:
        return tr(
            "Only one person has answered ({pairs}), so agreement cannot be measured.",
            pairs=count(found.single, "pair"),
        )
    if found.refusal is Refusal.NO_OVERLAP:
        return tr(
            "{people} have answered, but no pair was answered by two of them.",
            people=count(found.annotators, "person", "people"),
        )
    people, pairs = count(found.annotators, "person", "people"), count(found.pairs, "pair")
    if found.refusal is Refusal.ONE_CATEGORY:
        return tr(
            "All votes of {people} on {pairs} are “{only_answer}”.",
            people=people,
            pairs=pairs,
            only_answer=_only_answer(report),
        )
    return tr(
        "{people} agree on {percent} of their votes on {pairs}.",
        people=people,
        percent=_percent(found.raw),
        pairs=pairs,
    )


def verdict(report: AgreementReport) -> str:
    """What the coefficients mean, as a sentence; "" if they are not defined."""
    found = report.overall.agreement
    if found.fleiss.value is None:
        if found.refusal is Refusal.ONE_CATEGORY:
            return tr("Kappa and alpha are not defined, because everybody always gave the same answer.")
        return ""
    return tr(
        "{degree} agreement: Fleiss’ κ {coefficient_text}.",
        degree=degree(found.fleiss.value).capitalize(),
        coefficient_text=coefficient_text(found.fleiss),
    )


def degree(kappa: float) -> str:
    """The usual word for the size of a kappa. Source: Landis and Koch, Biometrics 33 (1977), 159-174."""
    return next((word for limit, word in _DEGREES if kappa >= limit), "poor")


def notes(report: AgreementReport) -> list[str]:
    """Sentences on the basis of the figures: missing votes, pairs left out, and limitations."""
    found, distant = report.overall.agreement, report.overall.distant
    wanted, topic = report.needed, next_step(report).topic
    lines = []
    if found.pairs and found.single:
        lines.append(
            tr(
                "{pairs} with one vote {is_or_are} left out.",
                pairs=count(found.single, "pair"),
                is_or_are=_is_or_are(found.single),
            )
        )
    if found.missing and topic != "missing":
        lines.append(
            tr(
                "{are} missing until all pairs have {wanted}.",
                are=count(found.missing, "vote is", "votes are"),
                wanted=wanted,
            )
        )
    if 0 < found.pairs < _MIN_PAIRS:
        lines.append(tr("With so few pairs the confidence intervals are wide: rely on them, not on the figures alone."))
    if distant.no_consensus and topic != "undecided":
        lines.append(
            tr(
                "{have} all votes, but no majority for a class.",
                have=count(distant.no_consensus, "pair has", "pairs have"),
            )
        )
    if distant.no_consensus and distant.other:
        of_gold = share_text(distant.agreeing / (distant.agreeing + distant.other))
        of_all = distant_text(report.overall)
        lines.append(
            tr(
                "{of_gold} of the gold labels are the distant label; that is {of_all} of all pairs annotated.",
                of_gold=of_gold,
                of_all=of_all,
            )
        )
    if report.without_gold:
        what = count(report.without_gold, "pair that", "pairs that")
        lines.append(
            tr(
                "{what} experts or laypeople answered {has_or_have} no gold label.",
                what=what,
                has_or_have=_has_or_have(report.without_gold),
            )
        )
    return lines


def next_step(report: AgreementReport) -> NextStep:
    """What helps most now."""
    found, distant, pairs = report.overall.agreement, report.overall.distant, report.overall.filter
    wanted = report.needed
    contested = replace(pairs, contested=True)
    if found.refusal in TOO_FEW_VOTES:
        text = tr(
            "Draw a round for two or more people: agreement is measured on pairs that at least two of them answer."
        )
        if report.waiting:
            text = tr("{waiting} Agreement is measured on pairs that two people answer.", waiting=report.waiting)
        return NextStep(text, tr("Open rounds"), page="annotate")
    if found.fleiss.value is not None and found.fleiss.value < _LEAST_PUBLISHED:
        weakest = _weakest_class(report)
        most = tr(", {name} most", name=weakest.name) if weakest else ""
        text = tr(
            "Lower than in published data sets. See where people differ{most}, and make the guidelines clearer.",
            most=most,
        )
        return NextStep(text, tr("Show pairs they differ on"), contested)
    if found.missing:
        text = tr(
            "{are} still missing: each pair is to have {wanted}.",
            are=count(found.missing, "vote is", "votes are"),
            wanted=wanted,
        )
        return NextStep(text, tr("Open rounds"), page="annotate", topic="missing")
    if distant.no_consensus:
        text = tr(
            "{have} no majority for a class, because votes differ or are unclear. An adjudicator can decide ties.",
            have=count(distant.no_consensus, "pair has", "pairs have"),
        )
        ties = replace(pairs, statuses=frozenset({PairStatus.UNSETTLED}))
        return NextStep(text, tr("Show them"), ties, topic="undecided")
    weakest = _weakest_class(report)
    if weakest is None:
        return NextStep("")
    text = tr("In line with published data sets. People differ most on {name}.", name=weakest.name)
    return NextStep(text, tr("Show pairs they differ on"), replace(weakest.filter, contested=True))


def kappa_of(report: AgreementReport, group: AgreementGroup) -> Coefficient:
    """The kappa to show for a group.

    The kappa of a class compares it with all others together, over all pairs. Other groups with only one distant label
    have no kappa, see `ONE_CLASS_GROUPS`.
    """
    if group.kind is GroupKind.CLASS:
        by_answer = dict(zip(Answer, report.overall.agreement.categories, strict=False))
        return by_answer.get(Answer(group.name), UNDEFINED) if group.name else UNDEFINED
    return UNDEFINED if group.kind in ONE_CLASS_GROUPS else group.agreement.fleiss


def alpha_of(group: AgreementGroup) -> Coefficient:
    """The alpha to show for a group; undefined for groups with only one distant label."""
    return UNDEFINED if group.kind in ONE_CLASS_GROUPS else group.agreement.alpha


def coefficient_text(found: Coefficient) -> str:
    """ "0.71 (0.68 to 0.74)": the value and its interval, where they are defined."""
    if found.value is None:
        return NO_VALUE
    return f"{_two(found.value)}{_interval(found.interval)}"


def share_text(share: float | None, interval: Interval | None = None) -> str:
    """The share and its interval in percent, such as "84.2 % (81.0 to 87.1)"."""
    if share is None:
        return NO_VALUE
    bounds = "" if interval is None else tr(" ({low} to {high})", low=points(interval.low), high=points(interval.high))
    return f"{points(share)} %{bounds}"


def proportion_text(share: Proportion) -> str:
    return share_text(share.share, share.interval)


def raw_text(found: Coefficient) -> str:
    return share_text(found.value, found.interval)


def distant_text(group: AgreementGroup) -> str:
    """The share of pairs whose gold label is the distant label, with its interval."""
    return proportion_text(group.distant.agreement)


def seconds_text(seconds: float | None) -> str:
    return NO_VALUE if seconds is None else f"{seconds:.1f} s"


def role_text(role: RolePerformance) -> str:
    """ "3 experts: macro F1 89.3 ± 1.2, accuracy 89.1 ± 1.1."."""
    scores = ((tr("macro F1"), role.macro_f1), (tr("accuracy"), role.accuracy))
    texts = [f"{word} {points(one.mean)}{'' if one.sd is None else f' ± {points(one.sd)}'}" for word, one in scores]
    return f"{count(role.people, *_ROLE_NOUNS[role.role])}: {', '.join(texts)}."


def _weakest_class(report: AgreementReport) -> AgreementGroup | None:
    """The class with the least raw agreement; None where all votes agree."""
    measured = [
        (group.agreement.raw.value, group)
        for group in report.of_kind(GroupKind.CLASS)
        if group.name and group.agreement.raw.value is not None and group.agreement.raw.value < 1
    ]
    return min(measured, key=lambda pair: pair[0])[1] if measured else None


def _pilot_text(group: AgreementGroup) -> str:
    found = group.agreement
    people, pairs = count(found.annotators, "person", "people"), count(found.pairs, "pair")
    return tr(
        "In pilot round {name} {people} agree on {percent} of their answers to {pairs}.",
        name=group.name,
        people=people,
        percent=_percent(found.raw),
        pairs=pairs,
    )


def _only_answer(report: AgreementReport) -> str:
    shares = report.overall.agreement.shares
    return tuple(Answer)[shares.index(max(shares))].value


def _percent(found: Coefficient) -> str:
    return f"{points(found.value or 0.0)} %"


def _two(value: float) -> str:
    return f"{value:.2f}".replace("-", "−")


def _interval(interval: Interval | None) -> str:
    return "" if interval is None else tr(" ({two} to {two_2})", two=_two(interval.low), two_2=_two(interval.high))


def _is_or_are(number: int) -> str:
    return "is" if number == 1 else "are"


def _has_or_have(number: int) -> str:
    return "has" if number == 1 else "have"
