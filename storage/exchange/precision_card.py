"""What a data card says of the distant labels' precision."""

from __future__ import annotations

from collections.abc import Iterator

from miner.precision.report import PrecisionReport, PrecisionScope, PredictionUse
from miner.text_tables import escape_markdown, markdown_table

_MAX_PHRASES = 20  # those with the most pairs
_COLUMNS = ("domain", "distant label", "pairs", "answers", "right", "95 % interval")


def precision_parts(report: PrecisionReport | None) -> Iterator[str]:
    """Paragraphs with the estimates and how they were made; none as long as there are too few answers."""
    if report is None or report.overall.share is None:
        return
    *_, share, interval = _row(report, PrecisionScope())
    domains = ", ".join(escape_markdown(domain) or "no domain" for domain in report.domains)
    labels = f"Of the project's distant labels{f' in {domains}' if domains else ''}, {share} are right"
    wrong = "A pair that they call bad or unclear counts as wrong."
    if report.overall.is_complete:
        yield f"{labels}: people answered all {_pairs(report.overall.pairs)}, exported or not. {wrong}"
    else:
        yield (
            f"{labels} (95 % interval: {interval}). People answered {report.overall.answers:,} pairs of a random "
            f"sample of these {report.overall.pairs:,} pairs, exported or not. {wrong}"
        )
        yield _method(report)
    scopes = [scope for scope in report.estimates if scope.phrase is None]
    yield markdown_table(_COLUMNS, (_row(report, scope) for scope in scopes), texts=2).rstrip("\n")
    phrases = [scope for scope, one in report.estimates.items() if scope.phrase and one.share is not None]
    if phrases:
        rows = ((scope.phrase or "", *_row(report, scope)[1:]) for scope in phrases[:_MAX_PHRASES])
        yield markdown_table(("phrase", *_COLUMNS[1:]), rows, texts=2).rstrip("\n")
    if report.overall.is_complete:
        yield f"Answers may be wrong: {_agreement(report)}."
    else:
        yield (
            "The intervals cover the chance of which pairs were drawn. They do not cover answers that are wrong: "
            f"{_agreement(report)}."
        )
    if report.added:
        came = f"{_pairs(report.added)} came, or came back, after the sample was drawn"
        yield f"{came}, and are taken to be like the others."


def _method(report: PrecisionReport) -> str:
    by_model = " and a model's probability of the label" if report.use is PredictionUse.USED else ""
    use = ", and use that probability for all pairs (prediction-powered inference)" if by_model else ""
    return (
        f"The sample is a sequential Poisson sample, stratified by class{by_model}: pairs whose label is hard to "
        f"predict are drawn more often. The estimates allow for this{use}."
    )


def _pairs(number: int) -> str:
    return f"{number:,} pair{'' if number == 1 else 's'}"


def _row(report: PrecisionReport, scope: PrecisionScope) -> tuple[str, ...]:
    one = report.estimates[scope]
    domain = "all" if scope.domain is None else scope.domain or "no domain"
    counts = (domain, scope.label or "all", f"{one.pairs:,}", f"{one.answers:,}")
    if one.share is None or one.interval is None:
        return (*counts, "–", "–")
    if one.is_complete:
        return (*counts, f"{100 * one.share:.1f} %", "exact")
    low, high = one.interval
    return (*counts, f"{100 * one.share:.1f} %", f"{100 * low:.1f}–{100 * high:.1f} %")


def _agreement(report: PrecisionReport) -> str:
    if not report.repeated:
        return "no pair has answers of several people"
    share = 100 * report.unanimous / report.repeated
    return (
        f"of {_pairs(report.repeated)} that several people answered, {report.unanimous:,} ({share:.0f} %) have the "
        "same answers"
    )
