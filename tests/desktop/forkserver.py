"""Forks workers from a server that has imported their modules, instead of spawning them."""

from __future__ import annotations

import multiprocessing
from multiprocessing.context import BaseContext

IMPORTED = (
    "desktop.jobs.models.training",
    "miner.audit.analysis",
    "miner.classifier.predictor",
    "miner.classifier.training",
    "miner.mining.paper_mining",
    "miner.parsing.file_parser",
    "miner.processes.isolated",
    "miner.processes.pool",
    "sklearn.feature_extraction.text",
    "sklearn.linear_model",
    "spacy.lang.en",
    "transformers.models.bert.modeling_bert",
)
_get_context = multiprocessing.get_context


def context_of_tests(method: str | None = None) -> BaseContext:
    """Like `multiprocessing.get_context`, with "forkserver" in place of "spawn"."""
    return _get_context("forkserver" if method == "spawn" else method)
