"""Pulls papers of a corpus, and looks into a project, for the tests."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from desktop.jobs.corpus.pull import PulledCorpus, pull_corpus
from miner.progress import Progress
from storage.project import Project


def pull(corpus: Path, project: Path, *where: str, papers: int | None = None, seed: int = 0) -> PulledCorpus:
    return pull_corpus(str(corpus), project, where, papers, seed).work(Progress())


def table(project: Project, query: str) -> list[Any]:
    with project.read_transaction() as stores:
        return [tuple(row) for row in stores._connection.exec_driver_sql(query)]
