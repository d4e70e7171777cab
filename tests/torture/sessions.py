"""Whatever keys are pressed in Review, the page shows the pair that is next, with what the annotator said of it.

A state machine of Hypothesis presses keys on the real page, without a screen: answers, also two at once, skipping,
going back and forth, flags, notes, bad pairs, undo and redo, while the same person answers elsewhere. A model in plain
Python says which pair is shown, what of it is shown, which pairs wait, and which wait after a restart.
"""

from __future__ import annotations

import gc
import os
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.torture.budget import Budget, Row
from tests.torture.machines import run_machines
from tests.unflushed import flush_nothing

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")


def run(budget: Budget) -> Iterator[Row]:
    from tests.torture.session_machine import SessionMachine  # Qt, only where this part runs

    SessionMachine.steps, SessionMachine.counts = 0, Counter()
    was_collecting = gc.isenabled()
    gc.disable()  # widgets in reference cycles must not be collected in the thread of a job
    try:
        with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
            flush_nothing(patch)
            SessionMachine.prepare(Path(folder))
            failures = run_machines(SessionMachine, budget, at_once=10)
    finally:
        if was_collecting:
            gc.enable()
    yield Row("steps", f"{SessionMachine.steps:,}")
    yield Row("of these", ", ".join(f"{name} {count:,}" for name, count in SessionMachine.counts.most_common()))
    yield Row("machines that differ from the model", str(len(failures)), "0", not failures)
