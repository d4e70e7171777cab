"""Forks workers from a server that has imported their modules, instead of spawning them."""

from __future__ import annotations

import multiprocessing
from contextlib import chdir
from multiprocessing import forkserver
from multiprocessing.context import BaseContext
from pathlib import Path

ROOT = Path(__file__).parents[2]
IMPORTED = (
    "desktop.jobs.models.training",
    "miner.audit.analysis",
    "miner.classifier.predictor",
    "miner.classifier.training",
    "miner.lab.experiments.systems.system_run",
    "miner.mining.paper_mining",
    "miner.parsing.file_parser",
    "miner.parsing.page_reading",
    "miner.processes.isolated",
    "miner.processes.pool",
    "pyarrow.parquet",
    "sklearn.feature_extraction.text",
    "sklearn.linear_model",
    "sklearn.naive_bayes",
    "spacy.lang.en",
    "storage.exchange.parquet_rows",
    "tests.desktop.warm_language_model",
    "tests.desktop.warm_parser",
    "transformers.models.bert.modeling_bert",
)
get_context = multiprocessing.get_context  # the program's own


def context_of_tests(method: str | None = None) -> BaseContext:
    """Like `multiprocessing.get_context`, with "forkserver" in place of "spawn"."""
    if method != "spawn":
        return get_context(method)
    with chdir(ROOT):  # where the server finds `tests`
        forkserver.ensure_running()
    return get_context("forkserver")
