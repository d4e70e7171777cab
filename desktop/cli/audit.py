"""The command that audits a data set for artefacts."""

from __future__ import annotations

from collections.abc import Iterable

from desktop.cli.execution import CommandResult, Options, open_project, run_job, with_known_names
from desktop.cli.output import table
from desktop.jobs.pairs.audit import AuditOptions
from desktop.jobs.pairs.audit import audit as audit_job
from desktop.jobs.pairs.audit_text import describe_finding, scope_text, share_text, summary_text
from desktop.text import one_line
from miner import codec
from miner.audit.report import AuditedLabels, AuditReport, Finding
from miner.records import Label
from storage.pairs.filters import PairFilter

_WORDS_SHOWN = 5


def audit(options: Options) -> CommandResult:
    """The report is printed and not kept, since the command only reads."""
    chosen = AuditOptions(AuditedLabels(options.labels), options.domain, options.seed)
    with open_project(options, for_reading=True) as project:
        if options.domain:
            with_known_names(project, PairFilter(domains=frozenset((options.domain,))), options)
        report = run_job(audit_job(project, chosen, keep=False), options)
    parts = [f"{scope_text(report)}\n{summary_text(report)}", *_finding_texts(report.findings)]
    return CommandResult("\n\n".join(filter(None, (*parts, _words_text(report)))), _data(report))


def _finding_texts(findings: Iterable[Finding]) -> list[str]:
    """Each finding in words; findings with the same words appear once, under all their titles."""
    titles: dict[tuple[str, str, str], list[str]] = {}
    for text in map(describe_finding, findings):
        titles.setdefault((text.verdict, text.found, text.advice), []).append(text.title)
    return [
        f"{verdict.upper()}: {'; '.join(of)}\n  {one_line(found)}\n  {advice}"
        for (verdict, found, advice), of in titles.items()
    ]


def _words_text(report: AuditReport) -> str:
    """The words that are most typical of each class."""
    rows = []
    for label in Label:
        of_class = [figure for finding in report.findings for figure in finding.words if figure.label == label]
        for figure in of_class[:_WORDS_SHOWN]:
            share = share_text(figure.hits / figure.pairs)
            rows.append((figure.word, label, figure.pairs, share, f"{figure.pmi:.2f}"))
    return table(("word", "class", "pairs with it", "of the class", "PMI"), rows)


def _data(report: AuditReport) -> dict[str, object]:
    data: dict[str, object] = codec.to_data(report)
    findings = []
    for finding in report.findings:
        text = describe_finding(finding)
        findings.append({**codec.to_data(finding), "found": text.found, "to_do": text.advice})
    return {**data, "findings": findings}
