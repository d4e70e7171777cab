"""A corpus that is pulled from, and answers pushed to."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.corpus_factory import make_corpus, write_papers


@pytest.fixture(scope="module")
def papers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("papers")
    write_papers(folder)
    return folder


@pytest.fixture(scope="module")
def settled(papers: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("corpora") / "corpus"
    make_corpus(papers, out)
    return out


@pytest.fixture
def corpus(settled: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(settled, tmp_path / "corpus"))
