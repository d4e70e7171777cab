"""What a job's result looks like, in words for people and as data for programs."""

from __future__ import annotations

from collections import Counter
from typing import Any

from desktop.console import count, table
from desktop.jobs.intake import Added, Problem
from desktop.jobs.overview import Overview
from miner.mining.pairs import REASONS
from miner.records import Funnel, Strategy

_NONE = "(none)"


def problem_text(problem: Problem) -> str:
    line = f", line {problem.line:,}" if problem.line else ""
    return f"{problem.path}{line}: {problem.reason} {problem.hint}".rstrip()


def added_text(added: Added) -> str:
    parts = [f"{count(added.new, 'new paper')}"]
    parts += [f"{added.known:,} already there"] if added.known else []
    parts += [f"{added.replaced:,} replaced by a better parse"] if added.replaced else []
    reasons = Counter(problem.code for problem in added.failed)
    why = ", ".join(f"{code} {number:,}" for code, number in reasons.most_common())
    parts += [f"{len(added.failed):,} could not be read ({why})"] if added.failed else []
    text = f"Given {count(added.given, 'paper')}: {', '.join(parts)}."
    return text + (f" Passed over {count(added.ignored, 'other file')}." if added.ignored else "")


def pairs_text(seen: Overview) -> str:
    """Pairs by class and strategy; where there are several domains, by domain and class too."""
    by_strategy: Counter[tuple[str, str]] = Counter()
    by_domain: Counter[tuple[str, str]] = Counter()
    for (domain, strategy, label), number in seen.counts.items():
        by_strategy[label or _NONE, strategy] += number
        by_domain[domain or _NONE, label or _NONE] += number
    parts = [table(("label", "strategy", "pairs"), [(*names, n) for names, n in sorted(by_strategy.items())])]
    if len(domains := sorted({domain for domain, _ in by_domain})) > 1:
        labels = sorted({label for _, label in by_domain})
        rows = [(domain, *(by_domain[domain, label] for label in labels)) for domain in domains]
        parts.append(table(("domain", *labels), rows))
    return "\n\n".join(parts)


def funnel_text(funnel: Funnel) -> str:
    rows = [(name, number, funnel.kept.get(name, 0)) for name, number in funnel.candidates.items()]
    head = table(("candidates", "in", "kept", "dropped"), [(*row, row[1] - row[2]) for row in rows])
    reasons: Counter[str] = Counter()
    for drop, number in funnel.dropped.items():
        if drop.strategy in (Strategy.LINKED, Strategy.IMPLICIT):
            reasons[drop.reason] += number
    meaning = {**REASONS, "duplicate": "An earlier paper of the project has the same two sentences."}
    dropped = table(
        ("dropped of the linked", "pairs", "because"),
        [(reason, number, meaning.get(reason, "")) for reason, number in reasons.most_common()],
    )
    return "\n\n".join(filter(None, (head, dropped)))


def phrases_text(seen: Overview) -> str:
    return table(("phrase", "label", "pairs"), seen.phrases)


def counts_data(seen: Overview) -> list[dict[str, Any]]:
    return [dict(zip(("domain", "strategy", "label"), key, strict=True), pairs=n) for key, n in seen.counts.items()]


def funnel_data(funnel: Funnel) -> dict[str, Any]:
    dropped = [{"strategy": drop.strategy, "reason": drop.reason, "pairs": n} for drop, n in funnel.dropped.items()]
    return {"candidates": dict(funnel.candidates), "kept": dict(funnel.kept), "dropped": dropped}
