"""Fixtures that tests of several packages share."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent / "miner" / "parsing" / "grobid"))

from replay import Recordings, ReplayServer

from tests import ordinary_user as rights


@pytest.fixture
def start_replay() -> Iterator[Callable[..., ReplayServer]]:
    """`start_replay(**options of ReplayServer)` starts a server that answers for any PDF with our kelp sample.

    Give `recordings` for others. All servers stop with the test, and fail it when they saw what must not happen.
    """
    running: list[ReplayServer] = []

    def start(recordings: Recordings | None = None, **options: object) -> ReplayServer:
        if recordings is None:
            recordings = Recordings()
            recordings.for_any(Path(__file__).parent / "data" / "tei")
        running.append(ReplayServer(recordings, **options))  # type: ignore[arg-type]
        running[-1].listen()
        return running[-1]

    yield start
    for server in running:
        server.close()
    assert [problem for server in running for problem in server.log.problems] == []


@pytest.fixture
def ordinary_user() -> Iterator[None]:
    """What permissions forbid is forbidden to the test's own thread, also where it runs as root."""
    before = rights.give_up_roots_rights()
    yield
    rights.take_back(before)
