"""Scores of negatives by an entailment graph and by frequencies of predicates, computed without a worker process."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from desktop.jobs.lab.experiments.data import ExperimentData
from desktop.text import count
from desktop.translation import tr
from miner.errors import UserError
from miner.lab.probes.entailment_graph import MAX_LINE, read_graph
from miner.lab.probes.negatives import predicate_of
from miner.paths import check_ordinary
from miner.progress import Progress

_TICK_EVERY = 10_000  # lines
_NO_PREDICATES = tr('Only a set with probe = "negatives" has predicates.')


class PredicateScores(NamedTuple):
    """Scores by premise and hypothesis, 0.0 to 1.0. source, notes: as in `GivenAnswers`."""

    by_pair: Mapping[tuple[str, str], float]
    source: str
    notes: tuple[str, ...] = ()


def graph_scores(path: Path, data: ExperimentData, progress: Progress) -> PredicateScores:
    """For each test pair, the highest edge score from a piece of evidence to the hypothesis; 0 without an edge.

    `UserError` where the file cannot be read or has no edge, or no set has predicates.
    """
    tested = _tested(data)
    premises = {predicate for evidence, _ in tested.values() for predicate in evidence}
    hypotheses = {predicate for _, predicate in tested.values()}

    def lines() -> Iterator[str]:
        check_ordinary(path)
        with path.open(encoding="utf-8", errors="replace") as file:
            number = 0
            while line := file.readline(MAX_LINE):
                number += 1
                if number % _TICK_EVERY == 0:
                    progress.tick(0, None, tr("reading {name}", name=path.name))
                yield line

    try:
        graph = read_graph(lines(), premises, hypotheses)
    except OSError as exc:
        raise UserError(
            tr("{path} cannot be read: {strerror}.", path=path, strerror=exc.strerror),
            hint=tr("Name the file of the graph."),
        ) from exc
    if not graph.edges:
        hint = tr("A line is a predicate, one that it entails, and a score from 0 to 1, with tabs between them.")
        raise UserError(
            tr("{name} has no edge ({problem}).", name=path.name, problem=graph.problem or tr("it is empty")), hint=hint
        )
    notes = []
    if graph.bad:
        notes.append(
            tr(
                "{lines} of {name} could not be used ({problem}).",
                lines=count(graph.bad, "line"),
                name=path.name,
                problem=graph.problem,
            )
        )
    scores = {
        pair: max((graph.scores.get((one, predicate), 0.0) for one in evidence), default=0.0)
        for pair, (evidence, predicate) in tested.items()
    }
    known = sum(score > 0 for score in scores.values())
    notes.append(
        tr(
            "{name} has an edge for {known:,} of {pairs}.",
            name=path.name,
            known=known,
            pairs=count(len(scores), "test pair"),
        )
    )
    return PredicateScores(scores, path.name, tuple(notes))


def frequency_scores(data: ExperimentData) -> PredicateScores:
    """The frequency of the hypothesis's predicate, in argument pairs, as a share of the most frequent predicate's.

    `UserError` where no set has predicates.
    """
    tested = _tested(data)
    most = max(data.frequencies.values(), default=1)
    scores = {pair: data.frequencies.get(predicate, 0) / most for pair, (_, predicate) in tested.items()}
    return PredicateScores(scores, tr("the project's papers"))


def _tested(data: ExperimentData) -> dict[tuple[str, str], tuple[list[str], str]]:
    """The test pairs that are propositions: the predicates of the evidence, and the hypothesis's."""
    found = {}
    for parts in data.parts.values():
        for pair in parts.get("test", ()):
            if (predicate := predicate_of(pair.hypothesis)) is not None:
                evidence = [one for line in pair.premise.split("\n") if (one := predicate_of(line)) is not None]
                found[pair.premise, pair.hypothesis] = evidence, predicate
    if not found:
        raise UserError(tr("The test pairs have no predicates."), hint=_NO_PREDICATES)
    return found
