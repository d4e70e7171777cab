"""The rows of the page's tables: groups of pairs, annotators, and people who were measured on gold labels."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

from desktop.jobs.review.agreement_report import ONE_CLASS_GROUPS, AgreementGroup, AgreementReport, GroupKind
from desktop.jobs.review.agreement_text import (
    alpha_of,
    coefficient_text,
    kappa_of,
    proportion_text,
    raw_text,
    seconds_text,
    share_text,
)
from desktop.text import count, points
from desktop.translation import tr
from desktop.ui.services.display_names import NO_DOMAIN, NO_LABEL, STRATEGIES, capitalized
from miner.agreement import Coefficient
from miner.statistics import Interval
from storage.pairs.filters import PairFilter

Value = str | int | float | None

KIND_NAMES = {
    GroupKind.CLASS: tr("By class"),
    GroupKind.DOMAIN: tr("By domain"),
    GroupKind.ROUND: tr("By annotation round"),
    GroupKind.STRATEGY: tr("By neutral strategy"),
    GroupKind.PHRASE: tr("By phrase"),
    GroupKind.PILOT: tr("Pilot rounds (not counted as votes)"),
}


class Column(NamedTuple):
    """A column of a table: its title, and the tooltip of its header.

    hides: a narrow table hides the columns with numbers here, the lowest first. is_copied: False if another column has
    the same values.
    """

    title: str
    tip: str = ""
    is_left_aligned: bool = False
    hides: int | None = None
    is_copied: bool = True


class Cell(NamedTuple):
    """A cell.

    text: on screen. value: to sort by and to copy; None is empty. interval: of the value, copied after it.
    """

    text: str
    value: Value
    interval: Interval | None = None


class FigureRow(NamedTuple):
    """A row of a table.

    note: a sentence about it. opens: the pairs that activating it shows; None if it shows nothing.
    """

    key: str
    cells: tuple[Cell, ...]
    note: str
    opens: PairFilter | None = None


GROUP_COLUMNS = (
    Column(tr("Group"), is_left_aligned=True),
    Column(tr("Pairs"), tr("Pairs with two votes or more.")),
    Column(tr("Votes agree"), tr("Raw agreement: of every two votes on a pair, the share that are the same.")),
    Column(
        tr("Range"),
        tr("95 % confidence interval of this share (bootstrap)."),
        is_left_aligned=True,
        hides=3,
        is_copied=False,
    ),
    Column(
        "κ",
        tr("Fleiss’ kappa: agreement beyond chance; 1 is perfect, 0 is chance. For a class: it against all others."),
    ),
    Column("α", tr("Krippendorff’s alpha: like kappa, corrected for few pairs and missing votes."), hides=2),
    Column(
        "AC1", tr("Gwet’s AC1: agreement beyond chance that stays meaningful where nearly all votes are for one class.")
    ),
    Column(
        tr("Label confirmed"),
        tr("Of the pairs with a distant label and enough votes, the share whose majority is that label."),
    ),
    Column(tr("No majority"), tr("Of these pairs, the share without a majority for any class.")),
    Column(tr("Time"), tr("The median time of a vote."), hides=1),
)
RANGE = 3
VOTER_COLUMNS = (
    Column(tr("Annotator"), is_left_aligned=True),
    Column(tr("Votes")),
    Column(tr("Unclear"), tr("Votes that the two sentences alone do not show how they are related.")),
    Column(tr("Time"), tr("The median time of a vote.")),
)
PEOPLE_COLUMNS = (
    Column(tr("Person"), is_left_aligned=True),
    Column(tr("Role"), is_left_aligned=True),
    Column(tr("Pairs"), tr("Answered pairs that have a gold label."), hides=3),
    Column(
        tr("Macro F1"),
        tr("Mean of the classes’ F1 scores against the gold labels, in percent; “unclear” counts as wrong."),
    ),
    Column(tr("Accuracy"), tr("Share of the answers that are the gold label, in percent.")),
    Column(tr("Unclear"), hides=1),
    Column(tr("Time"), tr("The median time of an answer."), hides=2),
)


def group_rows(report: AgreementReport, kind: GroupKind) -> list[FigureRow]:
    """A row for each group of a kind, in the report's order."""
    return [_group_row(report, group) for group in report.of_kind(kind)]


def group_name(group: AgreementGroup) -> str:
    """The name of a group on screen."""
    match group.kind:
        case GroupKind.CLASS:
            return group.name or NO_LABEL
        case GroupKind.DOMAIN:
            return group.name or NO_DOMAIN
        case GroupKind.ROUND:
            return tr("Round {name}", name=group.name)
        case GroupKind.STRATEGY:
            return capitalized(STRATEGIES[group.name])
    return group.name


def _group_row(report: AgreementReport, group: AgreementGroup) -> FigureRow:
    found, distant = group.agreement, group.distant
    name, low_high, right = group_name(group), found.raw.interval, distant.agreement
    cells = (
        Cell(name, name),
        Cell(f"{found.pairs:,}", found.pairs),
        Cell(share_text(found.raw.value), found.raw.value, low_high),
        Cell("" if low_high is None else f"{points(low_high.low)}–{points(low_high.high)}", found.raw.value, low_high),
        _coefficient_cell(kappa_of(report, group)),
        _coefficient_cell(alpha_of(group)),
        _coefficient_cell(found.ac1),
        Cell(share_text(right.share), right.share, right.interval if right.trials else None),
        Cell(share_text(distant.undecided.share), distant.undecided.share),
        Cell(seconds_text(group.seconds), group.seconds),
    )
    return FigureRow(group.name, cells, _group_note(report, group), replace(group.filter, contested=True))


def _coefficient_cell(found: Coefficient) -> Cell:
    return Cell(coefficient_text(Coefficient(found.value)), found.value, found.interval)


def _group_note(report: AgreementReport, group: AgreementGroup) -> str:
    """The row's figures with their intervals."""
    found, distant = group.agreement, group.distant
    if not found.pairs:
        return tr("{group_name}: no pair was answered by two people.", group_name=group_name(group))
    texts = [
        tr("{raw_text} of the votes on {pairs} agree", raw_text=raw_text(found.raw), pairs=count(found.pairs, "pair"))
    ]
    kappa = kappa_of(report, group)
    if kappa.value is not None:
        texts.append(f"κ {coefficient_text(kappa)}")
    texts.append(tr("AC1 {coefficient_text}", coefficient_text=coefficient_text(found.ac1)))
    if distant.annotated:
        share = proportion_text(distant.agreement)
        texts.append(
            tr(
                "the distant label is confirmed for {agreeing:,} of {annotated:,}: {share}",
                agreeing=distant.agreeing,
                annotated=distant.annotated,
                share=share,
            )
        )
    if group.kind in ONE_CLASS_GROUPS and group.kind is not GroupKind.CLASS:
        texts.append(tr("no κ, because all pairs have one label, so that agreement by chance is high"))
    return f"{group_name(group)}: {'; '.join(texts)}."


def voter_rows(report: AgreementReport) -> list[FigureRow]:
    """A row for each annotator, the one with the most votes first."""
    return [
        FigureRow(
            voter.key,
            (
                Cell(voter.name, voter.name),
                Cell(f"{voter.votes:,}", voter.votes),
                Cell(f"{voter.unclear:,}", voter.unclear),
                Cell(seconds_text(voter.seconds), voter.seconds),
            ),
            tr(
                "{name}: {votes}, {unclear:,} of them “unclear”.",
                name=voter.name,
                votes=count(voter.votes, "vote"),
                unclear=voter.unclear,
            ),
            replace(report.overall.filter, annotators=frozenset({voter.key})),
        )
        for voter in report.voters
    ]


def people_rows(report: AgreementReport) -> list[FigureRow]:
    """A row for each expert, then for each layperson."""
    return [
        FigureRow(
            person.key,
            (
                Cell(person.name, person.name),
                Cell(person.role.value, person.role.value),
                Cell(f"{person.pairs:,}", person.pairs),
                Cell(points(person.macro_f1), person.macro_f1),
                Cell(points(person.accuracy), person.accuracy),
                Cell(f"{person.unclear:,}", person.unclear),
                Cell(seconds_text(person.seconds), person.seconds),
            ),
            tr(
                "{name} gave the gold label to {accuracy} % of {pairs}.",
                name=person.name,
                accuracy=points(person.accuracy),
                pairs=count(person.pairs, "pair"),
            ),
            PairFilter(annotators=frozenset({person.key})),
        )
        for person in report.people
    ]


def tsv(columns: Iterable[Column], rows: Iterable[FigureRow]) -> str:
    """The rows as tab-separated text: shares and coefficients from 0 to 1, intervals as two columns behind them."""
    given = list(rows)
    found: list[list[str]] = [[] for _ in range(len(given) + 1)]
    for number, column in enumerate(columns):
        if not column.is_copied:
            continue
        cells = [row.cells[number] for row in given]
        has_intervals = any(cell.interval is not None for cell in cells)
        found[0] += [
            column.title,
            *((tr("{title} low", title=column.title), tr("{title} high", title=column.title)) if has_intervals else ()),
        ]
        for line, cell in zip(found[1:], cells, strict=True):
            line += [_plain(cell.value), *(map(_plain, cell.interval or (None, None)) if has_intervals else ())]
    return "".join("\t".join(line) + "\n" for line in found)


def _plain(value: Value) -> str:
    if value is None:
        return ""
    text = f"{value:.4f}" if isinstance(value, float) else str(value)
    return " ".join(text.split())
