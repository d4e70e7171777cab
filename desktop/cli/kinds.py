"""The command that counts kinds of reasoning, and shows on which kinds models err."""

from __future__ import annotations

from desktop.cli.execution import CommandResult, Options, open_project, run_job
from desktop.cli.kinds_layers import layers
from desktop.cli.options.annotation import kinds as kinds_command
from desktop.cli.options.shared import given_options
from desktop.cli.output import table
from desktop.jobs.kinds.report import KindsReport, report_of_file, report_of_project
from desktop.jobs.kinds.text import (
    STARS,
    agreement_sentences,
    direction_sentences,
    factor_name,
    factors_problem,
    left_out_text,
)
from desktop.text import DIRECTIONS, count, listed
from miner.errors import UserError
from miner.kinds.agreement import KindsAgreement
from miner.kinds.direction_agreement import CLEAR, DirectionAgreement
from miner.kinds.figures import ModelKinds
from miner.kinds.taxonomy import Direction
from miner.statistics import Interval

_OF_LAYERS = ("--out", "--by", "--pairs", "--seed")
_FEW = 0.1  # correlations below this say little and are not listed


def kinds(options: Options) -> CommandResult:
    if options.layers:
        return layers(options)
    if idle := [one for one in given_options(kinds_command.add_options, options) if one in _OF_LAYERS]:
        needs = "needs" if len(idle) == 1 else "need"
        raise UserError(f"{listed(idle)} {needs} --layers.", hint="Add --layers --model MODEL, or use --json.")
    if options.file is not None and options.model:
        hint = "Leave out --model: columns of the file whose values are labels are models' predictions."
        raise UserError("--model is for the project's pairs, not for those of a file.", hint=hint)
    if options.file is not None:
        report = run_job(report_of_file(options.file, options.taxonomy), options)
    else:
        with open_project(options, for_reading=True) as project:
            job = report_of_project(project, options.model, taxonomy=options.taxonomy, device=options.device)
            report = run_job(job, options)
    names = {key: one.name for key, one in report.taxonomy.category.items()}
    parts = [
        f"{report.taxonomy.name}: {count(report.figures.pairs, 'pair')}",
        _counts(report, names),
        _correlations(report, names),
    ]
    if report.agreement is not None:
        parts.append(_agreement(report.agreement, names))
    if report.directions is not None:
        parts.append(_directions(report.directions))
    for model in report.figures.models:
        parts += _model(model, names)
    return CommandResult("\n\n".join(part for part in parts if part), report.to_data(), notes=report.notes)


def _counts(report: KindsReport, names: dict[str, str]) -> str:
    figures = report.figures
    rows = [
        (names[name], *(f"{number:,}" for number in row), f"{sum(row):,}")
        for name, row in zip(figures.categories, figures.counts, strict=True)
    ]
    rows.append(("No category", *(f"{number:,}" for number in figures.without), f"{sum(figures.without):,}"))
    rows.append(("All pairs", *(f"{number:,}" for number in figures.class_pairs), f"{figures.pairs:,}"))
    return table(("category", *figures.classes, "all"), rows)


def _correlations(report: KindsReport, names: dict[str, str]) -> str:
    figures = report.figures
    found = [
        (abs(phi), names[figures.categories[one]], names[figures.categories[other]], phi)
        for one, row in enumerate(figures.correlations)
        for other, phi in enumerate(row[:one])
        if phi is not None and abs(phi) >= _FEW
    ]
    if not found:
        return ""
    rows = [(one, other, _signed(phi, 2)) for _, one, other, phi in sorted(found, key=lambda one: (-one[0], one[1]))]
    return "Categories that occur together (+) or exclude each other (−):\n" + table(
        ("category", "category", "φ"), rows
    )


def _agreement(agreement: KindsAgreement, names: dict[str, str]) -> str:
    rows = []
    for one in agreement.categories:
        interval = one.kappa.interval
        shown = "" if interval is None else f"[{_plain(interval.low, 2)}, {_plain(interval.high, 2)}]"
        raw = "" if one.raw.value is None else f"{100 * one.raw.value:.1f}"
        kappa = "–" if one.kappa.value is None else _plain(one.kappa.value, 2)
        rows.append((names[one.category], kappa, shown, raw, f"{100 * one.prevalence:.1f}", f"{one.pairs:,}"))
    text = table(("category", "κ", "95 %", "votes agree", "ticked", "pairs"), rows)
    return f"Inter-annotator agreement:\n{text}\n{' '.join(agreement_sentences(agreement))}"


def _directions(found: DirectionAgreement) -> str:
    rows = []
    for one in found.phrases:
        share = one.agreeing
        values = ("–", "") if share is None else (f"{100 * share.value:.1f}", _interval(share.interval))
        phrase = one.phrase or "(neutral)"
        said = (f"{number:,}" for number in (*one.said, one.unclear))
        rows.append((phrase, DIRECTIONS[one.distant], *values, f"{sum(one.said):,}", *said))
    if not rows:
        return ""
    header = ("phrase", "announced direction", "annotators agree in %", "95 %", "pairs", *CLEAR, Direction.UNCLEAR)
    title = "Direction announced by linking phrases, and given by annotators:"
    return f"{title}\n{table(header, rows)}\n{' '.join(direction_sentences(found))}"


def _interval(interval: Interval) -> str:
    return f"[{100 * interval.low:.1f}, {100 * interval.high:.1f}]"


def _model(model: ModelKinds, names: dict[str, str]) -> list[str]:
    rows = []
    for one in model.scores:
        if one.share is not None and one.interval is not None:
            interval = f"[{100 * one.interval.low:.1f}, {100 * one.interval.high:.1f}]"
            rows.append((names[one.category], f"{100 * one.share:.1f}", interval, f"{one.pairs:,}"))
    accuracy = 100 * model.right / max(1, model.pairs)
    head = f"{model.model}: accuracy {accuracy:.1f} % on {count(model.pairs, 'pair')}"
    parts = [f"{head}\n{table(('category', 'accuracy in %', '95 %', 'pairs'), rows)}"]
    if problem := factors_problem(model.factors):
        return [*parts, problem]
    factors = [
        (
            factor_name(one.name, names),
            f"{_signed(one.coefficient, 3)}{one.stars}",
            f"{one.error:.3f}",
            _signed(one.effect, 3),
            _signed(one.discriminant, 3),
        )
        for one in model.factors.factors
    ]
    text = table(("factor", "log odds", "error", "effect", "discriminant"), factors)
    parts.append(f"Factors that make predictions right (+) or wrong (−): {STARS}\n{text}")
    return [*parts, left_out_text(model.factors, names)]


def _signed(value: float, digits: int) -> str:
    return f"{value:+.{digits}f}".replace("-", "−")


def _plain(value: float, digits: int) -> str:
    return f"{value:.{digits}f}".replace("-", "−")
