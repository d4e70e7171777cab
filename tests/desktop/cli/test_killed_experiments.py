"""`kill -9` at any step of an experiment: running it again computes what is missing and ends with the same bytes."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from desktop.cli.main import main
from desktop.jobs.lab.experiments.report import TIMED_FILES
from storage.project import Project
from tests.chat_server import chat_server
from tests.desktop.jobs.lab.experiments.test_run import write_rows
from tests.killable_calls import KillableCalls

EXPERIMENT = """
name = "words"
[data.all]
train = {}
test = {}
[[system]]
kind = "naive_bayes"
[[system]]
kind = "naive_bayes"
input = "hypothesis"
"""


def command(project: Path, out: Path) -> list[str]:
    return ["--project", str(project), "experiment", str(project.parent / "words.toml"), "--out", str(out)]


def report(out: Path) -> dict[str, bytes]:
    """Its files, but for those that tell how long runs took."""
    return {path.name: path.read_bytes() for path in sorted(out.iterdir()) if path.name not in TIMED_FILES}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    Project.create(tmp_path / "demo.pairwright").close()
    files = [str(write_rows(tmp_path / f"{split}.csv", n, 20)) for n, split in enumerate(("train", "test"))]
    (tmp_path / "words.toml").write_text(EXPERIMENT, encoding="utf-8")
    assert main(["--project", str(tmp_path / "demo.pairwright"), "import", *files]) == 0
    return tmp_path / "demo.pairwright"


@pytest.mark.slow  # stopped it goes on in tests/desktop/jobs/lab/experiments/test_run.py, killed while it asks below
def test_a_killed_experiment_goes_on_and_ends_with_the_same_bytes(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = shutil.copy(project, tmp_path / "whole.pairwright")
    assert main(command(whole, tmp_path / "whole")) == 0
    expected = report(tmp_path / "whole")
    ended, step = False, 0
    imported = ("miner.lab.experiments.systems.system_run", "sklearn.naive_bayes")
    with KillableCalls(["desktop.cli.experiments"], imported, tmp_path / "data", ["replace"]) as calls:
        while not ended:
            step += 9
            killed, out = tmp_path / f"{step}.pairwright", tmp_path / f"out{step}"
            shutil.copy(project, killed)
            ended = calls.ends_before(step, command(killed, out))
            if not ended:
                assert main(command(killed, out)) == 0
            assert report(out) == expected
            with Project.open(killed) as opened:
                assert opened.check() == []
            assert not [path for path in (tmp_path / f"{step}.models").rglob("*") if path.is_file()]
    assert step > 18  # it was killed more than once


PROMPT = """
name = "prompt"
seeds = [1]
[data.all]
files = {{ test = "test.csv" }}
test = {{ sample = 16 }}
[[system]]
kind = "prompt"
model = "llama"
endpoint = "{}"
template = 1
"""


@pytest.mark.posix
def test_a_prompt_that_is_killed_while_it_asks_goes_on_with_what_was_said(project: Path, tmp_path: Path) -> None:
    running: list[subprocess.Popen[bytes]] = []

    def answer(question: str) -> str:
        if len(server.asked) == 7 and running:
            running[0].kill()
            running[0].wait()
        return "The answer is 1."

    with chat_server(answer) as server:
        (tmp_path / "words.toml").write_text(PROMPT.format(server.address), encoding="utf-8")
        whole = shutil.copy(project, tmp_path / "whole.pairwright")
        started = subprocess.Popen([sys.executable, "-m", "desktop", *command(project, tmp_path / "out")])
        running.append(started)
        assert started.wait() == -signal.SIGKILL
        assert 7 <= len(server.asked) < 16  # what asks has ended with its program
        running.clear()
        assert main(command(project, tmp_path / "out")) == 0
        assert len(server.asked) <= 16 + 2  # the answer that came while it was killed is not kept
        assert main(command(whole, tmp_path / "whole")) == 0
    assert report(tmp_path / "out") == report(tmp_path / "whole")
    with Project.open(project) as opened:
        assert opened.check() == []
