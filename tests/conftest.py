"""Fixtures that tests of several packages share."""

import gc
import os
import shutil
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

# Before NumPy and torch come: with a worker on each core, threads that wait for each other take most of the time.
os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"

import hypothesis
import pytest

sys.path.insert(0, str(Path(__file__).parent / "miner" / "parsing" / "grobid"))

from replay import Recordings, ReplayServer

from storage import migrations
from tests import ordinary_user as rights
from tests.unflushed import flush_nothing

# No deadline: a busy machine is no failure. Examples are other ones in each run.
hypothesis.settings.register_profile("pairwright", deadline=None, max_examples=50)
hypothesis.settings.register_profile("without what is slow", deadline=None, max_examples=12)


def pytest_configure(config: pytest.Config) -> None:
    hypothesis.settings.load_profile("without what is slow" if config.option.markexpr == "not slow" else "pairwright")


def pytest_sessionstart() -> None:
    gc.disable()  # until the tests are collected: modules are no garbage, and looking through them takes seconds


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.enable()


def pytest_runtest_setup(item: pytest.Item) -> None:
    if os.name != "posix" and item.get_closest_marker("posix"):
        pytest.skip("Windows has no such signals, pipes or limits")


@pytest.fixture(scope="session", autouse=True)
def _nothing_waits_for_the_disk() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        flush_nothing(patch)
        yield


@pytest.fixture(scope="session", autouse=True)
def _new_projects_are_copies(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The migrations make one empty project; a thousand tests begin with a copy of it."""
    template = tmp_path_factory.mktemp("empty") / "empty.pairwright"
    with closing(sqlite3.connect(template)) as connection:
        connection.execute(f"PRAGMA application_id = {migrations.APPLICATION_ID}")
    upgrade, today = migrations.upgrade, (migrations.HEAD, migrations.SCRIPTS)
    upgrade(template)

    def copy_or_upgrade(path: Path, scripts: str | None = None) -> None:
        with closing(sqlite3.connect(path)) as connection:
            is_new = connection.execute("SELECT 1 FROM sqlite_master").fetchone() is None
        if is_new and scripts is None and today == (migrations.HEAD, migrations.SCRIPTS):
            shutil.copyfile(template, path)
        else:
            upgrade(path, scripts)

    migrations.upgrade = copy_or_upgrade
    yield
    migrations.upgrade = upgrade


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
    """File permissions apply to the test's thread, even if it runs as root."""
    before = rights.drop_root_privileges()
    yield
    rights.restore_privileges(before)
