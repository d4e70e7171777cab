"""The command that tests models with probes made of the project's own pairs."""

from __future__ import annotations

from dataclasses import asdict

from desktop.cli.execution import CommandResult, Options, chosen_pairs, open_project, run_job, with_known_names
from desktop.cli.output import table
from desktop.jobs.probes import MeshFiles, SwapReport, make_mesh, measure_swap
from miner.probes.triples import ProbeGroup

MESH, SWAP = "mesh", "swap"


def probe(options: Options) -> CommandResult:
    if options.kind == SWAP:
        with open_project(options) as project:
            report = run_job(measure_swap(project, options.model, options.device), options)
        return CommandResult(_swap_text(report), asdict(report))
    filter = chosen_pairs(options)
    with open_project(options, for_reading=True) as project:
        filter = with_known_names(project, filter, options)
        found = run_job(make_mesh(project, filter, options.out, options.seed), options)
    data = {"counts": {split: dict(by) for split, by in found.counts.items()}, "files": list(map(str, found.files))}
    return CommandResult(_mesh_text(found), data)


def _mesh_text(found: MeshFiles) -> str:
    rows = [(split, *(f"{by.get(group, 0):,}" for group in ProbeGroup)) for split, by in found.counts.items()]
    parts = [table(("split", *(str(group) for group in ProbeGroup)), rows)]
    if found.files:
        parts.append("\n".join(f"Wrote {path}." for path in found.files))
    parts.append("Next: pairwright experiment direction")
    return "\n\n".join(parts)


def _swap_text(report: SwapReport) -> str:
    rows = [
        (
            one.label,
            f"{one.pairs:,}",
            f"{100 * one.changed:.1f} % [{100 * one.interval.low:.1f}, {100 * one.interval.high:.1f}]",
            f"{one.moved:.3f}",
            f"{one.confidence[0]:.3f}",
            f"{one.confidence[1]:.3f}",
        )
        for one in report.effects
    ]
    head = ("class", "pairs", "predictions that change", "mean |Δp|", "p as they are", "p exchanged")
    about = "p: the model's probability of the pair's own class."
    return f"{report.model}, premise and hypothesis exchanged\n{table(head, rows)}\n{about}"
