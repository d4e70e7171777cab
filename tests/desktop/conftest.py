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

from storage.project import Project
from tests.desktop.forkserver import IMPORTED, context_of_tests
from tests.storage.factories import add


@pytest.fixture(autouse=sys.platform == "linux")
def _fork_workers(request: pytest.FixtureRequest) -> Iterator[None]:
    if request.node.get_closest_marker("spawn"):
        yield
        return
    multiprocessing.util.get_temp_dir()  # chosen once: where a test moves temporary files, a socket's path is too long
    multiprocessing.set_forkserver_preload(list(IMPORTED))
    with pytest.MonkeyPatch.context() as patch:  # not the test's own, which the test may undo
        patch.setattr(multiprocessing, "get_context", context_of_tests)
        yield


@pytest.fixture
def project_file(tmp_path: Path) -> Path:
    """A project of one paper, closed."""
    path = tmp_path / "mine.pairwright"
    with Project.create(path) as project:
        add(project, ["a"])
    return path
