"""Lets worker processes start fast: they are forked from a server that has imported their modules.

The program spawns them; so do tests/miner, tests of whole commands and of the real window, and tests marked `spawn`.
"""

from __future__ import annotations

import multiprocessing
import multiprocessing.util
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop.cli.arguments import build_parser
from desktop.cli.parser import Parser
from storage.project import Project
from tests.desktop.forkserver import IMPORTED, context_of_tests, get_context
from tests.storage.factories import add


@pytest.fixture(scope="module", autouse=sys.platform == "linux")
def _fork_workers() -> Iterator[None]:
    """Of a module, so that it comes before the module's own fixtures, and not undone with what a test patches."""
    multiprocessing.util.get_temp_dir()  # chosen once: where a test moves temporary files, a socket's path is too long
    multiprocessing.set_forkserver_preload(list(IMPORTED))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(multiprocessing, "get_context", context_of_tests)
        yield


@pytest.fixture(autouse=True)
def _spawn_workers(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.node.get_closest_marker("spawn"):
        monkeypatch.setattr(multiprocessing, "get_context", get_context)


@pytest.fixture(scope="session")
def _parser() -> Parser:
    return build_parser()


@pytest.fixture(scope="module", autouse=True)
def _done_once(_parser: Parser) -> Iterator[None]:
    """What takes long and is the same each time: the parser of commands; how fast this computer is, nearly."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("desktop.cli.main.build_parser", lambda: _parser)
        patch.setattr("desktop.jobs.lab.experiments.estimates._PROBE_ROUNDS", 3)
        yield


@pytest.fixture
def project_file(tmp_path: Path) -> Path:
    """A project of one paper, closed."""
    path = tmp_path / "mine.pairwright"
    with Project.create(path) as project:
        add(project, ["a"])
    return path
