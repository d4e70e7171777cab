"""Workers that are forked off a process which has imported what they need, in place of spawned ones."""

from __future__ import annotations

import multiprocessing
from multiprocessing.context import BaseContext

IMPORTED = (
    "desktop.jobs.models.training",
    "miner.classifier.predictor",
    "miner.classifier.training",
    "miner.mining.paper_mining",
    "miner.parsing.file_parser",
    "miner.processes.isolated",
    "miner.processes.pool",
    "spacy.lang.en",
    "transformers.models.bert.modeling_bert",
)
_get_context = multiprocessing.get_context


def context_of_tests(method: str | None = None) -> BaseContext:
    """What `multiprocessing.get_context` gives, but for spawned processes."""
    return _get_context("forkserver" if method == "spawn" else method)
