"""The whole audit: from counts and drawn pairs to a report."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from miner.audit.drawn_pairs import AuditPair
from miner.audit.linear_model import count_ticks, model_findings
from miner.audit.report import AuditedLabels, AuditReport, worst_first
from miner.audit.surface import SurfaceCounts, surface_findings
from miner.audit.words import words_finding
from miner.progress import Progress
from miner.records import Label


@dataclass(frozen=True, slots=True)
class AuditData:
    """What an audit is made from. has_papers: the groups of the drawn pairs are papers. state: see `AuditReport`."""

    source: AuditedLabels
    domain: str | None
    seed: int
    counts: SurfaceCounts
    drawn: tuple[AuditPair, ...]
    has_papers: bool
    state: str = ""


def analyse(data: AuditData, emit: Callable[[tuple[int, int]], None], progress: Progress) -> AuditReport:
    """The report; to be run in a process of its own. Emits (steps done, all steps)."""
    total = count_ticks(len(data.drawn)) + 2
    done = 0

    def tick() -> None:
        nonlocal done
        done += 1
        progress.tick(min(done, total), total)
        emit((min(done, total), total))

    findings = surface_findings(data.counts)
    tick()
    findings.append(words_finding(data.drawn))
    tick()
    findings += model_findings(data.drawn, data.seed, tick, has_papers=data.has_papers)
    totals = data.counts.totals()
    counts = {str(label): totals[label] for label in Label if totals[label]}
    return AuditReport(data.source, data.domain, data.seed, counts, len(data.drawn), worst_first(findings), data.state)
