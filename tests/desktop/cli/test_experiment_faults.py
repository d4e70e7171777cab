"""What is missing when an experiment runs as a program: packages, room on the disk."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from desktop.cli.main import main
from desktop.jobs.lab.experiments.report import TIMED_FILES
from storage.project import Project
from tests.desktop.cli.conftest import python_command
from tests.desktop.jobs.lab.experiments.test_run import write_rows

ROOT = Path(__file__).parents[3]
EXPERIMENT = """
name = "words"
seeds = [1]
[data.all]
files = { train = "train.csv", test = "test.csv" }
train = {}
test = {}
[[system]]
kind = "naive_bayes"
[[system]]
kind = "naive_bayes"
input = "hypothesis"
"""
HIDING = """
import sys
from importlib.machinery import PathFinder

class Hiding(PathFinder):
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        return None if name.partition(".")[0] in {hidden} else PathFinder.find_spec(name, path, target)

sys.meta_path = [Hiding if one is PathFinder else one for one in sys.meta_path]
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for number, split in enumerate(("train", "test")):
        write_rows(tmp_path / f"{split}.csv", number, 12)
    Project.create(tmp_path / "demo.pairwright").close()
    return tmp_path / "demo.pairwright"


def experiment(project: Path, text: str) -> list[str]:
    file = project.parent / "faults.toml"
    file.write_text(text, encoding="utf-8")
    out = project.with_suffix("")
    return python_command("--project", project, "experiment", file, "--device", "cpu", "--out", out, "--quiet")


def test_packages_that_are_missing_are_named_with_their_install_lines(project: Path, tmp_path: Path) -> None:
    hidden = ("sklearn", "nltk")
    (tmp_path / "hiding").mkdir()
    (tmp_path / "hiding" / "sitecustomize.py").write_text(HIDING.format(hidden=hidden))
    text = EXPERIMENT.replace('"naive_bayes"\ninput = "hypothesis"', '"lexical"\n[[system]]\nkind = "cbow"\nepochs = 1')
    environment = {**os.environ, "PYTHONPATH": f"{tmp_path / 'hiding'}{os.pathsep}{ROOT}"}
    done = subprocess.run(experiment(project, text), capture_output=True, text=True, env=environment)
    assert done.returncode == 1, done.stderr
    assert "Traceback" not in done.stderr
    named = re.findall(
        r"^(?:error: )?(.*?)[:,].* needs (\S+), .*Install it again: .* --force-reinstall (\S+)", done.stderr, re.M
    )
    assert named == [
        ("Naive Bayes", *["scikit-learn"] * 2),
        ("Lexicalized", *["scikit-learn"] * 2),
        ("CBOW", *["nltk"] * 2),
    ]


@pytest.mark.slow  # tests/desktop/jobs/papers/test_bad_input.py has a full disk while papers are added
@pytest.mark.skipif(not shutil.which("bash"), reason="needs bash's ulimit")
def test_a_full_disk_is_said_and_what_is_missing_is_computed_when_there_is_room(project: Path, tmp_path: Path) -> None:
    whole = Path(shutil.copy(project, tmp_path / "whole.pairwright"))
    assert main(experiment(whole, EXPERIMENT)[3:]) == 0
    report = {path.name: path.read_bytes() for path in (tmp_path / "whole").iterdir() if path.name not in TIMED_FILES}
    words = " ".join(experiment(project, EXPERIMENT))
    size = project.stat().st_size // 1024
    said = []
    # A limit on file size is what a full disk is to SQLite: a write that comes back short.
    for room in (24, size + 8):
        command = f"trap '' XFSZ; ulimit -f {room}; exec {words}"
        full = subprocess.run(["bash", "-c", command], capture_output=True, text=True)
        assert "Traceback" not in full.stderr, (room, full.stderr)
        if full.returncode:
            said.append(full.stderr)
        with Project.open(project) as opened:
            assert opened.check() == []
    assert said
    assert all("disk" in one or "Free some space" in one for one in said), said
    assert main(experiment(project, EXPERIMENT)[3:]) == 0
    assert {
        path.name: path.read_bytes() for path in (tmp_path / "demo").iterdir() if path.name not in TIMED_FILES
    } == report
