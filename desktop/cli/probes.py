"""The command that tests models with probes made of the project's own pairs."""

from __future__ import annotations

from dataclasses import asdict

from desktop.cli.execution import CommandResult, Options, chosen_pairs, open_project, run_job, with_known_names
from desktop.cli.options.experiments import probe as probe_command
from desktop.cli.options.shared import given_options
from desktop.cli.output import table
from desktop.jobs.lab.experiments.negatives import Negatives
from desktop.jobs.lab.negatives import NegativesReport, judge_felicity, make_negatives
from desktop.jobs.lab.probes import MeshFiles, SwapReport, make_mesh, measure_swap
from desktop.text import listed
from miner.errors import UserError
from miner.lab.probes.felicity import Felicity, FelicityReport
from miner.lab.probes.negatives import NegativeOptions, WindowKind
from miner.lab.probes.triples import ProbeGroup

MESH, SWAP, NEGATIVES = "mesh", "swap", "negatives"
_OPTIONS = {
    MESH: {"--out", "--seed", "--domain", "--where"},
    SWAP: {"--model", "--device"},  # of all test pairs
}
"""Of the kinds of probes. All options but those of SWAP are for NEGATIVES."""


def probe(options: Options) -> CommandResult:
    _refuse_other_options(options)
    if options.kind == SWAP:
        with open_project(options) as project:
            report = run_job(measure_swap(project, options.model, options.device), options)
        return CommandResult(_swap_text(report), asdict(report))
    if options.kind == NEGATIVES:
        return _negatives(options)
    filter = chosen_pairs(options)
    with open_project(options, for_reading=True) as project:
        filter = with_known_names(project, filter, options)
        found = run_job(make_mesh(project, filter, options.out, options.seed), options)
    data = {"counts": {split: dict(by) for split, by in found.counts.items()}, "files": list(map(str, found.files))}
    return CommandResult(_mesh_text(found), data)


def _refuse_other_options(options: Options) -> None:
    given = given_options(probe_command.add_options, options)
    if options.kind == NEGATIVES:
        others = [flag for flag in given if flag in _OPTIONS[SWAP]]
    else:
        others = [flag for flag in given if flag not in _OPTIONS[options.kind]]
    if others:
        raise UserError(f"The probe {options.kind} does not use {listed(others)}.", hint="See: pairwright probe --help")


def _mesh_text(found: MeshFiles) -> str:
    rows = [(split, *(f"{by.get(group, 0):,}" for group in ProbeGroup)) for split, by in found.counts.items()]
    parts = [table(("split", *(str(group) for group in ProbeGroup)), rows)]
    if found.files:
        parts.append("\n".join(f"Wrote {path}." for path in found.files))
    parts.append(
        "Next: pairwright experiment direction\n"
        "It trains and tests on these pairs, and says how far a model tells direction from mere similarity."
    )
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
    head = ("class", "pairs", "changed predictions", "mean |Δp|", "p in order", "p exchanged")
    about = "p: the probability that the model gives to the label of the pair."
    return f"{report.model}, premise and hypothesis exchanged\n{table(head, rows)}\n{about}"


def _negatives(options: Options) -> CommandResult:
    if options.felicity is not None:
        judged = run_job(judge_felicity(options.felicity), options)
        return CommandResult(_felicity_text(judged), {name: _plain(one) for name, one in judged._asdict().items()})
    try:
        wanted = NegativeOptions(
            options.predicates, options.pairs, options.quota, WindowKind(options.window), options.seed
        )
    except ValueError as exc:
        raise UserError(f"{exc}.", hint="See: pairwright probe --help") from exc
    filter = chosen_pairs(options)
    with open_project(options, for_reading=True) as project:
        filter = with_known_names(project, filter, options)
        job = make_negatives(project, filter, options.out, wanted, wordnet=options.wordnet, workers=options.jobs)
        report = run_job(job, options)
    found = report.found
    data = {
        "funnel": asdict(found.probe.funnel),
        "windows": {name: {"papers": found.papers[name], **asdict(one)} for name, one in found.probe.windows.items()},
        "argument_pairs_with": dict(found.probe.starring_at),
        "predicates_with": dict(found.probe.usable_at),
        "papers": sum(found.papers.values()),
        "parsed": found.parsed,
        "without_year": found.without_year,
        "unread": found.unread,
        "felicity": report.felicity,
        "files": list(map(str, report.files)),
    }
    return CommandResult(_negatives_text(report), data, notes=tuple(found.notes()))


def _negatives_text(report: NegativesReport) -> str:
    found = report.found
    funnel, options = found.probe.funnel, found.options
    usable = sum(count >= options.argument_pairs for count in found.probe.frequencies.values())
    steps = (
        ("propositions", funnel.propositions, f"subject, predicate, object, in {sum(found.papers.values()):,} papers"),
        ("argument pairs", funnel.argument_pairs, "a subject with an object"),
        ("starring pairs", funnel.starring, f"with {options.predicates} predicates or more ({_levels(found, True)})"),
        ("predicates", len(found.probe.frequencies), f"{usable:,} usable: with {options.argument_pairs} argument pairs "
         f"or more ({_levels(found, False)})"),
        ("positives", funnel.positives, "a starring pair with a usable predicate"),
        ("candidates", funnel.candidates, "narrower predicates, by WordNet"),
        ("felicitous", funnel.usable, "usable, so that one can say them"),
        ("absent", funnel.absent, "never said of the same two, nor a synonym"),
        ("sampled", funnel.negatives, f"negatives, with {funnel.bundles:,} positives and their evidence"),
    )  # fmt: skip
    parts = [table(("step", "left", "what"), [(name, f"{number:,}", what) for name, number, what in steps])]
    if len(found.papers) > 1:
        head = ("window", "papers", "propositions", "starring pairs", "positives", "negatives")
        windows = ((name, found.papers[name], one) for name, one in found.probe.windows.items())
        rows = [
            (name, *(f"{number:,}" for number in (papers, one.propositions, one.starring, one.bundles, one.negatives)))
            for name, papers, one in windows
        ]
        parts.append(table(head, rows))
    if report.files:
        parts.append("\n".join(f"Wrote {path}." for path in report.files))
        if report.felicity:
            parts.append(
                f"To see whether the {report.felicity:,} drawn items can be said: write yes or no into the third "
                f"column of {report.files[1].name}, then\npairwright probe negatives --felicity {report.files[1]}"
            )
    if funnel.bundles:
        parts.append("Next: pairwright experiment negatives")
    return "\n\n".join(parts)


def _levels(found: Negatives, of_pairs: bool) -> str:
    """How many items other thresholds would leave, such as "5: 12, 10: 3"."""
    levels, chosen = (
        (found.probe.starring_at, found.options.predicates)
        if of_pairs
        else (found.probe.usable_at, found.options.argument_pairs)
    )
    return ", ".join(f"{level}: {number:,}" for level, number in levels.items() if level != chosen)


def _felicity_text(report: FelicityReport) -> str:
    rows = [
        (
            name,
            f"{one.felicitous:,} of {one.judged:,}",
            f"{100 * one.felicitous / max(1, one.judged):.1f} %",
            _bounds(one),
        )
        for name, one in (("positives", report.positives), ("negatives", report.negatives))
    ]
    parts = [table(("", "can be said", "share", "95 % interval"), rows)]
    parts.append(f"Fisher's exact test: p = {report.p:.3f} that positives and negatives differ so much by chance.")
    parts.append("The paper has 86 of 100 and 87 of 100 (Directional inference, appendix E.2).")
    if report.unjudged:
        parts.append(f"{report.unjudged:,} items are not judged yet.")
    return "\n".join(parts)


def _bounds(one: Felicity) -> str:
    return f"{100 * one.interval.low:.1f} to {100 * one.interval.high:.1f}"


def _plain(value: object) -> object:
    return value._asdict() if isinstance(value, Felicity) else value
