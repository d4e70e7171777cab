"""Labelled pairs that a training does not learn from, because a split keeps them; and what is said of that."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any


@dataclass(frozen=True, slots=True)
class Kept:
    """Pairs `by` which the best epoch is chosen, and those left out: `test` and `dev` of such a split, `shared` with a
    sentence of these.

    `dev`: too few to choose by, no person's or phrase's labels, or learned before by the model to start from.
    """

    by: int = 0
    test: int = 0
    dev: int = 0
    shared: int = 0

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Kept:
        """As a run's `data` holds it; nothing of an older run."""
        known = data.get("kept") or {}
        return cls(*(int(known.get(field.name, 0)) for field in fields(cls)))

    def __str__(self) -> str:
        """In sentences; "" where nothing is kept."""
        said = []
        if self.by:
            chooses = "chooses" if self.by == 1 else "choose"
            said.append(f"{_pairs(self.by)} of the dev split {chooses} the best epoch.")
        left_out = []
        if self.test:
            left_out.append(f"{_pairs(self.test)} of the test split")
        if self.dev:
            left_out.append(f"{_pairs(self.dev)} of the dev split (too few to choose by, or known to the model before)")
        if self.shared:
            left_out.append(f"{_pairs(self.shared)} with a sentence of dev or test")
        if left_out:
            *most, last = left_out
            said.append(f"Left out: {', '.join(most)} and {last}." if most else f"Left out: {last}.")
        return " ".join(said)


def _pairs(count: int) -> str:
    return f"{count:,} pair" if count == 1 else f"{count:,} pairs"
