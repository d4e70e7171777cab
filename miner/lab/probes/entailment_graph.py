"""Entailment graphs as files: lines of a predicate, one that it entails, and a score, tab-separated."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

MAX_LINE = 10_000
"""Characters of a line; a longer one cannot be an edge."""


class EntailmentGraph(NamedTuple):
    """The edges between predicates that are asked for: (premise's, hypothesis's) -> score, 0.0 to 1.0, the largest one.

    edges: how many lines are edges. bad: how many are not. problem: the first of these, and why; "" for none.
    """

    scores: Mapping[tuple[str, str], float]
    edges: int
    bad: int
    problem: str


def read_graph(lines: Iterable[str], premises: Collection[str], hypotheses: Collection[str]) -> EntailmentGraph:
    """The graph of a file's lines, which may come from anywhere; empty ones are skipped."""
    scores: dict[tuple[str, str], float] = {}
    edges = bad = 0
    problem = ""
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        found = _edge(line)
        if isinstance(found, str):
            bad += 1
            problem = problem or f"line {number:,}: {found}"
            continue
        edges += 1
        premise, hypothesis, score = found
        if premise in premises and hypothesis in hypotheses:
            scores[premise, hypothesis] = max(score, scores.get((premise, hypothesis), 0.0))
    return EntailmentGraph(scores, edges, bad, problem)


def _edge(line: str) -> tuple[str, str, float] | str:
    """The edge in a line, or why the line is not an edge."""
    if len(line) >= MAX_LINE:
        return "it is too long"
    fields = line.rstrip("\r\n").split("\t")
    if len(fields) != 3:
        return f"there are {len(fields)} columns, not 3"
    try:
        score = float(fields[2])
    except ValueError:
        return f"“{fields[2][:40]}” is no number"
    if not (math.isfinite(score) and 0 <= score <= 1):
        return f"{fields[2][:40]} is not between 0 and 1"
    premise, hypothesis = (" ".join(field.lower().split()) for field in fields[:2])
    return (premise, hypothesis, score) if premise and hypothesis else "a predicate is empty"
