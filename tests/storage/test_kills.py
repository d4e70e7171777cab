"""Processes that are killed, and two at once: the project opens, nothing is doubled, the same again completes it."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from miner.progress import Progress
from storage.dataset.options import ExportOptions, Preset
from storage.exchange.pair_export import export_pairs
from storage.project import Project
from tests.storage.factories import add, mine, paper
from tests.storage.pairs.test_store import everything

pytestmark = pytest.mark.posix
NAMES = [f"paper {number}" for number in range(40)]
ROOT = Path(__file__).parents[2]
_START = (
    "import sys\nfrom pathlib import Path\nfrom storage.project import Project\nfrom tests.storage.factories import *\n"
)
_WORK = "with Project.open(Path(sys.argv[1])) as project:\n    print('go', flush=True)\n"
ADD_AND_MINE = _START + _WORK + f"    add(project, {NAMES!r})\n    mine(project)\n"
EXPORT = (
    _START
    + "from miner.progress import Progress\nfrom storage.dataset.options import ExportOptions, Preset\n"
    + "from storage.exchange.pair_export import export_pairs\n"
    + _WORK
    + "    while True:\n        export_pairs(project, Path(sys.argv[2]), ExportOptions(Preset.FULL), Progress())\n"
)


def start(script: str, *arguments: Path) -> subprocess.Popen[bytes]:
    """The script in a process of its own, with the project open."""
    command = [sys.executable, "-c", script, *map(str, arguments)]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdout.readline() == b"go\n"
    return process


def kill_after(process: subprocess.Popen[bytes], seconds: float) -> None:
    time.sleep(seconds)
    process.send_signal(signal.SIGKILL)
    process.communicate()


@pytest.fixture
def finished(tmp_path: Path) -> list[tuple[object, ...]]:
    """What adding and mining gives when nobody disturbs it."""
    with Project.create(tmp_path / "calm.pairwright") as project:
        add(project, NAMES)
        mine(project)
        return everything(project)


def test_mining_that_is_killed_often_gives_the_same_result(
    project: Project, path: Path, finished: list[tuple[object, ...]]
) -> None:
    project.close()
    for seconds in (0, 0.05, 0.12):
        kill_after(start(ADD_AND_MINE, path), seconds)
        with Project.open(path) as survivor:
            assert survivor.check() == []
    process = start(ADD_AND_MINE, path)
    process.communicate()
    assert process.returncode == 0
    with Project.open(path) as survivor:
        assert everything(survivor) == finished
    assert [file.name for file in path.parent.iterdir() if file.name.startswith(path.name)] == [path.name]


def test_an_export_that_is_killed_leaves_whole_files(project: Project, path: Path, tmp_path: Path) -> None:
    add(project, NAMES)
    mine(project)
    calm, out = tmp_path / "calm", tmp_path / "out"
    export_pairs(project, calm, ExportOptions(Preset.FULL), Progress())
    whole = (calm / "pairs.jsonl").read_bytes()
    for seconds in (0.05, 0.1):
        kill_after(start(EXPORT, path, out), seconds)
        if (out / "pairs.jsonl").exists():
            assert (out / "pairs.jsonl").read_bytes() == whole
    export_pairs(project, out, ExportOptions(Preset.FULL), Progress())
    assert {file.name: file.read_bytes() for file in out.iterdir()} == {
        file.name: file.read_bytes() for file in calm.iterdir()
    }


def test_two_processes_that_add_at_once_both_finish(project: Project, path: Path) -> None:
    adding = _START + _WORK + f"    add(project, {NAMES!r})\n"
    processes = [start(adding, path) for _ in range(2)]
    for process in processes:
        process.communicate()
        assert process.returncode == 0
    with project.read_transaction() as stores:
        assert stores.papers.md5s() == sorted(paper(name).md5 for name in NAMES)
    assert project.check() == []
