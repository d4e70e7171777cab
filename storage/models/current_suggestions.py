"""SQL about the suggestions that are shown: those of the complete run, else of the first while it is running."""

from __future__ import annotations

from collections.abc import Set

from miner.records import Label

UNITS = 10_000  # a probability of 1, as it is stored
_PERCENT = UNITS // 100

RUN = """(
    SELECT id FROM suggestion_runs WHERE state IN ('running', 'complete') ORDER BY state = 'running' LIMIT 1
)"""
_CASES = [(f"WHEN {number} THEN '{label}'", f"WHEN '{label}' THEN {number}") for number, label in enumerate(Label)]
NAME = f"CASE suggestions.label {' '.join(case for case, _ in _CASES)} END"
NUMBER = f"CASE pairs.label {' '.join(case for _, case in _CASES)} END"  # of what an export would say
_OF_PAIR = f"suggestions.pair = pairs.id AND suggestions.run = {RUN}"
JOINED = f"suggestions ON {_OF_PAIR}"  # after a JOIN of any kind
FOR_PAIR = f"suggestions WHERE {_OF_PAIR}"  # after FROM


def asked(
    labels: Set[str], confidence: tuple[int | None, int | None] | None, doubt: tuple[int | None, int | None] | None
) -> str:
    """A condition over `suggestions`, "" for none; `labels` without "".

    Limits are whole percents, included: up to 29 goes on to just below 30, so that nothing falls between two ranges.
    """
    found = []
    if labels:
        found.append(f"suggestions.label IN ({', '.join(str(n) for n, label in enumerate(Label) if label in labels)})")
    for column, (low, high) in (("confidence", confidence or (None, None)), ("doubt", doubt or (None, None))):
        found += [f"suggestions.{column} >= {low * _PERCENT}"] if low is not None else []
        found += [f"suggestions.{column} < {(high + 1) * _PERCENT}"] if high is not None else []
    return " AND ".join(found)
