"""The artefact audit as a job: it counts, draws pairs, analyses them in a worker process, and keeps the report.

Only the worker process imports scikit-learn.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from desktop.jobs.pairs.data_set_statistics import split_options
from desktop.jobs.transactions import read_job
from desktop.translation import tr
from miner.audit.analysis import AuditData, analyse
from miner.audit.report import AuditedLabels, AuditReport
from miner.errors import UserError
from miner.processes.isolated import run_isolated
from miner.progress import Cancelled, Job, Progress
from storage.project import Project
from storage.settings import AUDIT
from storage.stores import Stores

DEFAULT_SEED = 1
_IF_STOPPED = tr("The audit before it is kept.")


@dataclass(frozen=True, slots=True)
class AuditOptions:
    """What to audit.

    source: which labels. domain: None for all domains. seed: of the draw, the folds and the intervals.
    """

    source: AuditedLabels = AuditedLabels.EXPORTED
    domain: str | None = None
    seed: int = DEFAULT_SEED


@dataclass(frozen=True, slots=True)
class KeptAudit:
    """The last audit, if there is one. is_current: nothing has changed since. pairs: how many the project has now."""

    report: AuditReport | None
    is_current: bool
    pairs: int
    domains: tuple[str, ...]


def audit(project: Project, options: AuditOptions | None = None, *, keep: bool = True) -> Job[AuditReport]:
    """Audit the project's labelled pairs. `keep`: store the report, for the page.

    `UserError` if there are no labelled pairs, or a single class.
    """
    chosen = options or AuditOptions()

    def work(progress: Progress) -> AuditReport:
        data = _read(project, chosen, progress)
        totals = data.counts.totals()
        if not totals:
            raise _no_labels(chosen)
        if len(totals) == 1:
            (label,) = totals
            hint = tr("An audit compares classes: mine or import pairs of others too, or audit other labels.")
            raise UserError(tr("All {total:,} pairs are {label}.", total=totals.total(), label=label), hint=hint)

        def on_event(step: tuple[int, int]) -> None:
            with suppress(Cancelled):  # `run_isolated` ends the process
                progress.tick(*step, tr("guessing labels"), may_wait=False)

        report = run_isolated(analyse, data, progress, on_event, subject=tr("The audit"))
        if keep:
            with project.transaction(bulk=True) as stores:
                stores.settings.put(AUDIT, report)
        return report

    return Job(tr("Auditing the pairs"), work, _IF_STOPPED)


@read_job("Reading the last audit")
def load_audit(stores: Stores) -> KeptAudit:
    """The last audit, and whether it is still current."""
    report, state = stores.settings.get(AUDIT), stores.audit.state()
    counts = stores.statistics.counts()
    is_current = report is not None and report.state == state
    domains = tuple(sorted({count.domain for count in counts}))
    return KeptAudit(report, is_current, sum(count.pairs for count in counts), domains)


def _read(project: Project, options: AuditOptions, progress: Progress) -> AuditData:
    def report(note: str) -> Callable[[int], None]:
        return lambda number: progress.tick(number, None, note, may_wait=False)

    progress.tick(0, None, "counting")
    with project.read_transaction() as stores, stores.cancellable(progress):
        state = stores.audit.state()
        if options.source is AuditedLabels.EXPORTED:
            stores.audit.select_exported(split_options(stores), progress)
        counts = stores.audit.surface_counts(options.source, options.domain, report("counting"))
        drawn, has_papers = stores.audit.draw(options.source, options.domain, options.seed, report(tr("drawing pairs")))
    return AuditData(options.source, options.domain, options.seed, counts, drawn, has_papers, state)


def _no_labels(options: AuditOptions) -> UserError:
    where = (
        ""
        if options.domain is None
        else tr(" of the domain “{domain}”", domain=options.domain)
        if options.domain
        else tr(" of no domain")
    )
    if options.source is AuditedLabels.GOLD:
        hint = tr("Answer pairs under Review first, or audit the distant labels.")
        return UserError(tr("No pairs{where} have a gold label.", where=where), hint=hint)
    return UserError(
        tr("There are no labelled pairs{where}.", where=where), hint=tr("Mine the papers, or import a data set, first.")
    )
