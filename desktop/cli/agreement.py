"""The command that measures how far annotators agree."""

from __future__ import annotations

from desktop.cli.execution import (
    CommandResult,
    Options,
    chosen_pairs,
    full_text,
    open_project,
    run_job,
    with_known_names,
)
from desktop.cli.output import table
from desktop.jobs.results import describe
from desktop.jobs.review.agreement import measure_agreement
from desktop.jobs.review.agreement_report import (
    ONE_CLASS_GROUPS,
    AgreementGroup,
    AgreementOptions,
    AgreementReport,
    GroupKind,
)
from desktop.jobs.review.agreement_text import (
    alpha_of,
    coefficient_text,
    distant_text,
    kappa_of,
    raw_text,
    role_text,
    seconds_text,
    share_text,
)
from desktop.text import one_line, points, shortened

_MAX_NAME_LENGTH = 28
_TITLES = {
    GroupKind.CLASS: "class",
    GroupKind.DOMAIN: "domain",
    GroupKind.ROUND: "round",
    GroupKind.STRATEGY: "neutral strategy",
    GroupKind.PHRASE: "phrase",
    GroupKind.PILOT: "pilot round",
}
_ONE_CLASS_HEAD: tuple[str, ...] = ("pairs", "votes agree", "AC1")
_CLASS_HEAD = ("pairs", "votes agree", "κ (one against the others)", "AC1")
_HEAD = ("pairs", "votes agree", "Fleiss’ κ", "α", "AC1")
_DISTANT_HEAD = ("annotated", "gold = distant label", "no majority", "time")


def agree(options: Options) -> CommandResult:
    filter = chosen_pairs(options)
    with open_project(options, for_reading=True) as project:
        filter = with_known_names(project, filter, options)
        chosen = AgreementOptions(filter, options.round, options.bootstrap, options.seed)
        report = run_job(measure_agreement(project, chosen), options)
    parts = [full_text(describe(report))]
    has_votes = report.overall.agreement.pairs or report.overall.distant.annotated
    parts += [_groups(report, kind) for kind in GroupKind if has_votes or kind is GroupKind.PILOT]
    parts += [_voters(report), _pairwise(report), _people(report)]
    return CommandResult("\n\n".join(part for part in parts if part), report.to_data())


def _groups(report: AgreementReport, kind: GroupKind) -> str:
    groups = report.of_kind(kind)
    head = _ONE_CLASS_HEAD
    if kind not in ONE_CLASS_GROUPS:
        head = _HEAD
    elif kind is GroupKind.CLASS:
        head = _CLASS_HEAD
    return table((_TITLES[kind], *head, *_DISTANT_HEAD), [_row(report, group) for group in groups])


def _row(report: AgreementReport, group: AgreementGroup) -> tuple[object, ...]:
    found, distant = group.agreement, group.distant
    kappas = [coefficient_text(kappa_of(report, group)), coefficient_text(alpha_of(group))]
    if group.kind in ONE_CLASS_GROUPS:
        kappas = kappas[: group.kind is GroupKind.CLASS]
    return (
        shortened(one_line(group.name) or "(none)", _MAX_NAME_LENGTH),
        found.pairs,
        raw_text(found.raw),
        *kappas,
        coefficient_text(found.ac1),
        distant.annotated,
        distant_text(group),
        share_text(distant.undecided.share),
        seconds_text(group.seconds),
    )


def _voters(report: AgreementReport) -> str:
    rows = [
        (one_line(voter.name) or "no name", voter.votes, voter.unclear, seconds_text(voter.seconds))
        for voter in report.voters
    ]
    return table(("annotator", "votes", "unclear", "time"), rows)


def _pairwise(report: AgreementReport) -> str:
    rows = [
        (
            one_line(report.name(one.first)),
            one_line(report.name(one.second)),
            one.cohen.pairs,
            raw_text(one.cohen.raw),
            coefficient_text(one.cohen.kappa),
        )
        for one in report.comparisons
    ]
    return table(("annotator", "annotator", "pairs", "votes agree", "Cohen’s κ"), rows)


def _people(report: AgreementReport) -> str:
    rows = [
        (
            one_line(person.name),
            person.role.value,
            person.pairs,
            points(person.macro_f1),
            points(person.accuracy),
            person.unclear,
            seconds_text(person.seconds),
        )
        for person in report.people
    ]
    found = table(("compared with gold", "role", "pairs", "macro F1", "accuracy", "unclear", "time"), rows)
    return "\n".join([found, *map(role_text, report.roles)]) if found else ""
