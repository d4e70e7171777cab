"""The figures of a data card that take long to measure: annotators' agreement, complete sentences, vocabularies."""

from __future__ import annotations

from dataclasses import replace

from desktop.jobs.pairs.data_set_statistics import measure
from desktop.jobs.review.agreement import measure_agreement
from miner.agreement import Coefficient
from miner.progress import Progress
from storage.dataset.options import ExportOptions
from storage.exchange.card_facts import NO_MEASURES, CardMeasures
from storage.project import Project


def measure_for_card(project: Project, options: ExportOptions, progress: Progress) -> CardMeasures:
    """The figures for the card of an export with these options; empty for an export without a card."""
    if not options.card:
        return NO_MEASURES
    # The search for near-duplicates would take minutes more, and these are samples.
    measured = measure(project, options=replace(options, drop_near_duplicates=False)).work(progress)
    return CardMeasures(_agreement_text(project, progress), measured.complete, measured.similarity)


def _agreement_text(project: Project, progress: Progress) -> str:
    """The agreement of all votes and human performance, as Markdown; "" where no two annotators share a pair."""
    report = measure_agreement(project).work(progress)
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
        parts.append(f"Of {found.annotators:,} annotators, with {found.votes:,} votes on {found.pairs:,} pairs.")
    for role in report.roles:
        parts.append(
            f"Human performance ({role.role.value}, {role.people:,} people): macro F1 {100 * role.macro_f1.mean:.2f}, "
            f"accuracy {100 * role.accuracy.mean:.2f}."
        )
    return "\n\n".join(parts)


def _value(found: Coefficient) -> str:
    return "–" if found.value is None else f"{found.value:.4f}"


def _interval(found: Coefficient) -> str:
    return "–" if found.interval is None else f"{found.interval[0]:.4f} to {found.interval[1]:.4f}"
