"""The figures of a data card that take long to measure: annotators' agreement, complete sentences, vocabularies."""

from __future__ import annotations

from dataclasses import replace

from desktop.jobs.pairs.data_set_statistics import measure
from desktop.jobs.review.agreement import measure_agreement
from desktop.jobs.review.agreement_report import AgreementOptions
from miner.agreement import Coefficient
from miner.progress import Progress
from miner.splits import HELD_OUT
from storage.dataset.export_options import ExportOptions
from storage.exchange.card_facts import NO_MEASURES, CardMeasures
from storage.pairs.filters import PairFilter
from storage.project import Project


def measure_for_card(project: Project, options: ExportOptions, progress: Progress) -> CardMeasures:
    """The figures for the card of an export with these options; empty for an export without a card."""
    if not options.card:
        return NO_MEASURES
    # The search for near-duplicates would take minutes more, and these are samples.
    measured = measure(project, options=replace(options, drop_near_duplicates=False)).work(progress)
    return CardMeasures(_agreement_text(project, options, progress), measured.complete, measured.similarity)


def _agreement_text(project: Project, options: ExportOptions, progress: Progress) -> str:
    """The agreement of the votes and human performance, as Markdown; "" where no two annotators share a pair."""
    voted = _voted(options)
    if voted is None:
        return ""
    report = measure_agreement(project, AgreementOptions(voted)).work(progress)
    found = report.overall.agreement
    parts = []
    if found.refusal is None and found.pairs:
        lines = ["| agreement of the annotators | value | 95 % interval |", "| --- | --- | --- |"]
        for name, one in (
            ("raw agreement", found.raw),
            ("Fleiss' κ", found.fleiss),
            ("Krippendorff's α", found.alpha),
            ("Gwet's AC1", found.ac1),
        ):
            lines.append(f"| {name} | {_value(one)} | {_interval(one)} |")
        parts.append("\n".join(lines))
        which = ", of papers with any licence" if options.redistributable_only else ""
        parts.append(f"Of {found.annotators:,} annotators, with {found.votes:,} votes on {found.pairs:,} pairs{which}.")
    for role in report.roles:
        parts.append(
            f"Human performance ({role.role.value}, {role.people:,} people): macro F1 {100 * role.macro_f1.mean:.2f}, "
            f"accuracy {100 * role.accuracy.mean:.2f}."
        )
    return "\n\n".join(parts)


def _voted(options: ExportOptions) -> PairFilter | None:
    """The pairs of an export's filter and splits that people vote on; None where it has neither dev nor test."""
    if options.split is None:
        return options.scope
    voted = frozenset(options.split.names) & frozenset(HELD_OUT) & (options.scope.splits or frozenset(HELD_OUT))
    return replace(options.scope, splits=voted) if voted else None


def _value(found: Coefficient) -> str:
    return "–" if found.value is None else f"{found.value:.4f}"


def _interval(found: Coefficient) -> str:
    return "–" if found.interval is None else f"{found.interval[0]:.4f} to {found.interval[1]:.4f}"
