"""Workers of tests start fast: forked off a process that has imported what they need, which takes longer than they do.

In the program they are spawned; so they are in tests/miner, in tests of whole
commands and of the real window, and where a test is marked `spawn`.
"""

from __future__ import annotations

import multiprocessing
import sys
from multiprocessing.context import BaseContext

import pytest

_IMPORTED = (
    "desktop.jobs.training",
    "miner.apart",
    "miner.classifier.predictor",
    "miner.classifier.training",
    "miner.mining.pairs",
    "miner.parsing.reading",
    "miner.workers",
    "spacy.lang.en",
    "transformers.models.bert.modeling_bert",
)


@pytest.fixture(autouse=sys.platform == "linux")
def _fork_workers(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.node.get_closest_marker("spawn"):
        return
    multiprocessing.set_forkserver_preload(list(_IMPORTED))
    get_context = multiprocessing.get_context

    def of_tests(method: str | None = None) -> BaseContext:
        return get_context("forkserver" if method == "spawn" else method)

    monkeypatch.setattr(multiprocessing, "get_context", of_tests)
