"""People, mining and files do anything in any order: what the project then says follows from what was done, and no more.

A state machine of Hypothesis draws actions of several people with roles (answers, marks, corrections, kinds, accepted
suggestions, undo and redo, roles, rules of gold, splits, lists, rounds, answer files, imports, releases, mining again,
papers removed and restored) over a real project, and compares with a model in plain Python after each step. Histories
only grow, by the rows foretold; the stored status is what the model says, and a recomputation; facets count what the
table shows; an export has what the table shows; undo after do leaves an export as it was; merging answer files is
idempotent and commutes; a release is written again byte for byte.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.torture.budget import Budget, Row
from tests.torture.project_machine import ProjectMachine
from tests.unflushed import flush_nothing

STEPS = 50
"""Of a machine."""
MACHINES = 20
"""Of a call to Hypothesis."""
LONG_FORM = 60.0  # seconds: with less, a failure is not made smaller


def run(budget: Budget) -> Iterator[Row]:
    failures: list[str] = []
    counts: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        flush_nothing(patch)
        ProjectMachine.make_template(Path(folder))
        ProjectMachine.steps, ProjectMachine.rules = 0, counts
        while not budget.is_over:
            drawn = seed(budget.draw.randrange(2**32))
            try:
                run_state_machine_as_test(drawn(type("Drawn", (ProjectMachine,), {})), settings=_settings(budget))
            except Exception as exc:  # noqa: BLE001  whatever it is, it is counted
                failures.append(f"{type(exc).__name__}: {exc}\n" + "\n".join(getattr(exc, "__notes__", ())))
                print(failures[-1])
    yield Row("steps", f"{ProjectMachine.steps:,}", "100,000 in the long form")
    yield Row("kinds of steps", ", ".join(f"{name} {count:,}" for name, count in counts.most_common()))
    yield Row("broken promises", str(len(failures)), "0", not failures)


def _settings(budget: Budget) -> settings:
    phases = [Phase.generate, Phase.shrink] if budget.seconds > LONG_FORM else [Phase.generate]
    return settings(
        max_examples=MACHINES if budget.seconds > LONG_FORM else 2,
        stateful_step_count=STEPS,
        database=None,
        deadline=None,
        phases=phases,
        suppress_health_check=list(HealthCheck),
        print_blob=False,
    )
