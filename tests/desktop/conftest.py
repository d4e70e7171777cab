"""Workers of tests start fast: forked off a process that has imported what they need, which takes longer than they do.

In the program they are spawned; so they are in tests/miner, in tests of whole
commands and of the real window, and where a test is marked `spawn`.
"""

from __future__ import annotations

import multiprocessing
import sys

import pytest

from tests.desktop.forking import IMPORTED, context_of_tests


@pytest.fixture(autouse=sys.platform == "linux")
def _fork_workers(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.node.get_closest_marker("spawn"):
        return
    multiprocessing.set_forkserver_preload(list(IMPORTED))
    monkeypatch.setattr(multiprocessing, "get_context", context_of_tests)
