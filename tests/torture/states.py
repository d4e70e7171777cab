"""People, mining and files do anything to a project, in any order: all that it says then follows from what was done.

A state machine of Hypothesis draws what several people with roles do (answers, marks, corrections, kinds of reasoning,
accepted suggestions, undo and redo, roles, rules of gold, splits, lists, rounds, answer files, imports, releases), and
mining again, and papers that are edited, removed and restored. After each step the project is compared with a model in
plain Python: histories only grow, by the rows foretold; sentences, labels, status, splits and what can be undone are
those of the model. Facets count what the table shows, an export has it, undo after do leaves an export as it was,
merging answer files is idempotent and commutes, and a release is written again byte for byte.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.torture.budget import Budget, Row
from tests.torture.machines import run_machines
from tests.torture.project_machine import ProjectMachine
from tests.torture.project_state import ProjectState
from tests.unflushed import flush_nothing


def run(budget: Budget) -> Iterator[Row]:
    ProjectState.steps, ProjectState.counts = 0, Counter()
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        flush_nothing(patch)
        ProjectMachine.make_template(Path(folder))
        failures = run_machines(ProjectMachine, budget, at_once=20)
    yield Row("steps", f"{ProjectState.steps:,}")
    yield Row("of these", ", ".join(f"{name} {count:,}" for name, count in ProjectState.counts.most_common()))
    yield Row("machines that differ from the model", str(len(failures)), "0", not failures)
