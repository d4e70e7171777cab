"""The command that counts kinds of reasoning, and says which of them models get wrong."""

from __future__ import annotations

from desktop.cli.execution import CommandResult, Options, open_project, run_job
from desktop.cli.output import table
from desktop.jobs.kinds import KindsReport, report_of_file, report_of_project
from desktop.text import count
from miner.kinds.agreement import KindsAgreement
from miner.kinds.figures import KindsFigures, ModelKinds

_FEW = 0.1  # correlations below this say little and are not listed


def kinds(options: Options) -> CommandResult:
    if options.file is not None:
        report = run_job(report_of_file(options.file, options.taxonomy), options)
    else:
        with open_project(options, for_reading=True) as project:
            report = run_job(report_of_project(project), options)
    parts = [f"{report.taxonomy.name}: {count(report.figures.pairs, 'pair')}", _counts(report), _correlations(report)]
    if report.agreement is not None:
        parts.append(_agreement(report.agreement))
    for model in report.figures.models:
        parts += _model(report.figures, model)
    return CommandResult("\n\n".join(part for part in parts if part), report.to_data(), notes=report.notes)


def _counts(report: KindsReport) -> str:
    figures = report.figures
    rows = [
        (report.taxonomy.category[name].name, *(f"{number:,}" for number in row), f"{sum(row):,}")
        for name, row in zip(figures.categories, figures.counts, strict=True)
    ]
    rows.append(("None", *(f"{number:,}" for number in figures.without), f"{sum(figures.without):,}"))
    rows.append(("Pairs", *(f"{number:,}" for number in figures.class_pairs), f"{figures.pairs:,}"))
    return table(("category", *figures.classes, "all"), rows)


def _correlations(report: KindsReport) -> str:
    figures = report.figures
    found = [
        (abs(phi), figures.categories[one], figures.categories[other], phi)
        for one, row in enumerate(figures.correlations)
        for other, phi in enumerate(row[:one])
        if phi is not None and abs(phi) >= _FEW
    ]
    if not found:
        return ""
    rows = [(one, other, _signed(phi, 2)) for _, one, other, phi in sorted(found, key=lambda one: (-one[0], one[1]))]
    return "Categories that occur together (+) or apart (−):\n" + table(("category", "category", "φ"), rows)


def _agreement(agreement: KindsAgreement) -> str:
    rows = []
    for one in agreement.categories:
        interval = one.kappa.interval
        shown = "" if interval is None else f"[{interval.low:.2f}, {interval.high:.2f}]"
        raw = "" if one.raw.value is None else f"{100 * one.raw.value:.1f}"
        kappa = "–" if one.kappa.value is None else f"{one.kappa.value:.2f}"
        rows.append((one.category, kappa, shown, raw, f"{100 * one.prevalence:.1f}", f"{one.pairs:,}"))
    text = table(("category", "κ", "95 %", "votes agree", "ticked", "pairs"), rows)
    remarks = []
    if agreement.average_kappa is not None:
        remarks.append(f"Average κ {agreement.average_kappa:.3f}.")
    if agreement.iou is not None:
        without = "" if agreement.iou_ticked is None else f", {agreement.iou_ticked:.3f} without pairs nobody ticks"
        remarks.append(f"IOU {agreement.iou:.3f}{without}.")
    else:
        remarks.append("No pair has answers of two annotators, so agreement cannot be measured.")
    if agreement.inference is not None:
        share = agreement.inference
        remarks.append(f"Annotators give the pair's label in {100 * share.value:.1f} % of {share.of:,} answers.")
    return f"Agreement:\n{text}\n{' '.join(remarks)}"


def _model(figures: KindsFigures, model: ModelKinds) -> list[str]:
    rows = []
    for one in model.scores:
        if one.share is not None and one.interval is not None:
            interval = f"[{100 * one.interval.low:.1f}, {100 * one.interval.high:.1f}]"
            rows.append((one.category, f"{100 * one.share:.1f}", interval, f"{one.pairs:,}"))
    accuracy = 100 * model.right / max(1, model.pairs)
    head = f"{model.model}: right on {accuracy:.1f} % of {count(model.pairs, 'pair')}"
    parts = [f"{head}\n{table(('category', 'right in %', '95 %', 'pairs'), rows)}"]
    if model.factors.problem:
        return [*parts, f"What explains its errors cannot be said: {model.factors.problem}."]
    factors = [
        (one.name, f"{_signed(one.coefficient, 3)}{one.stars}", f"{one.error:.3f}", _signed(one.discriminant, 3))
        for one in model.factors.factors
    ]
    text = table(("factor", "log odds", "error", "discriminant"), factors)
    parts.append(f"What makes it right (+) or wrong (−): * p < .05, ** p < .01, *** p < .001, Wald's test\n{text}")
    if model.factors.left_out:
        parts.append(f"Left out, as no pair or every pair has them: {', '.join(model.factors.left_out)}.")
    return parts


def _signed(value: float, digits: int) -> str:
    return f"{value:+.{digits}f}".replace("-", "−")
