"""An encoder's experiment is killed in a cell, and with its predictions written; it goes on."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest

from desktop.jobs.lab.experiments.report import TIMED_FILES
from storage.project import Project
from tests.desktop.cli.conftest import python_command
from tests.desktop.jobs.lab.experiments.test_run import write_rows
from tests.desktop.model_factory import make_model

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(os.name != "posix", reason="SIGKILL"),
    pytest.mark.usefixtures("one_thread"),
]
EXPERIMENT = """
name = "encoder"
seeds = [1]
[data.all]
files = {{ train = "train.csv", test = "test.csv" }}
train = {{}}
dev = {{ of = "train", sample = 20 }}
test = {{}}
[[system]]
kind = "encoder"
start = "{start}"
settings = {{ epochs = {epochs}, layers = 0, patience = 0, learning_rate = 1e-3 }}
[[system]]
kind = "naive_bayes"
"""


@pytest.fixture
def one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", "1")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with an experiment, and the report of it unkilled in `whole`."""
    folder = tmp_path_factory.mktemp("killed")
    for number, split in enumerate(("train", "test")):
        write_rows(folder / f"{split}.csv", number, 25)
    start = make_model(folder / "tiny")
    (folder / "encoder.toml").write_text(EXPERIMENT.format(start=start, epochs=20), encoding="utf-8")
    Project.create(folder / "new.pairwright").close()
    shutil.copy(folder / "new.pairwright", folder / "whole.pairwright")
    done = subprocess.run(command(folder, "whole"), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "2 of 2 cells computed, 2 of them now" in done.stdout
    return folder


def command(folder: Path, name: str) -> list[str]:
    words = ["experiment", folder / "encoder.toml", "--device", "cpu", "--out", folder / name, "--quiet"]
    return python_command("--project", folder / f"{name}.pairwright", *words)


def report(folder: Path, name: str) -> dict[str, bytes]:
    """All files of the report but those that tell how long the runs took."""
    return {path.name: path.read_bytes() for path in sorted((folder / name).iterdir()) if path.name not in TIMED_FILES}


def runs(folder: Path, name: str, pattern: str) -> list[Path]:
    return list((folder / f"{name}.models" / "experiments").glob(f"*/{pattern}"))


CASES = {
    "in a cell": "state.safetensors",
    "with its predictions written": "*.predictions.npy",
}


@pytest.mark.parametrize("case", CASES)
def test_a_killed_encoder_goes_on_and_ends_with_the_same_bytes(case: str, folder: Path) -> None:
    name = case.replace(" ", "-")
    shutil.copy(folder / "new.pairwright", folder / f"{name}.pairwright")
    process = subprocess.Popen(command(folder, name), stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    try:
        while not runs(folder, name, CASES[case]):
            assert process.poll() is None, "it ended before it could be killed"
            time.sleep(0.002)
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
    again = subprocess.run(command(folder, name), capture_output=True, text=True)
    assert again.returncode == 0, again.stderr
    assert report(folder, name) == report(folder, "whole")
    with Project.open(folder / f"{name}.pairwright") as project:
        assert project.check() == []
    assert runs(folder, name, "*") == []
