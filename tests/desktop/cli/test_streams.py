"""A command whose output is closed, full or in another encoding, and one that is told to end."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import psutil
import pytest

from desktop.cli.main import main
from desktop.text import one_line, visible
from storage.project import Project
from tests import hostile_files
from tests.desktop.cli.conftest import python_command

ROOT = Path(__file__).parents[3]
FULL = Path("/dev/full")
needs_full = pytest.mark.skipif(not FULL.exists(), reason="needs a device that is always full")
posix = pytest.mark.skipif(os.name != "posix", reason="signals and shells are another matter there")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    path = tmp_path / "demo.pairwright"
    Project.create(path).close()
    return path


def in_shell(line: str, project: Path) -> subprocess.CompletedProcess[str]:
    command = f"{sys.executable} -m desktop --project '{project}' {line}"
    return subprocess.run(["sh", "-c", command], capture_output=True, text=True, cwd=ROOT)


def test_json_is_json_in_any_encoding(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "Café “ü”.pairwright"
    Project.create(path).close()
    assert main(["--project", str(path), "info", "--json"]) == 0
    out = capsys.readouterr().out
    assert out.isascii()
    assert json.loads(out)["project"] == str(path)
    assert main(["--project", str(path / "ü"), "info", "--json"]) == 1
    out = capsys.readouterr().out
    assert out.isascii()
    assert "ü" in json.loads(out)["error"]


@posix
@needs_full
@pytest.mark.parametrize(
    ("line", "code", "said"),
    [
        ("stats >/dev/full", 1, "The result cannot be written: No space left on device."),
        ("stats 2>&-", 0, "0 papers"),
        ("stats <&- >&- 2>&-", 0, ""),
        ("add nowhere.pdf --json 2>/dev/full", 1, '"failed"'),
        ("stats | head -c 1", 0, "0"),
    ],
)
def test_a_closed_or_full_stream_is_no_bug(project: Path, line: str, code: int, said: str) -> None:
    done = in_shell(line, project)
    assert done.returncode == code
    assert said in done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    assert "bug" not in done.stderr
    with Project.open(project) as opened:
        assert opened.check() == []


def test_a_name_the_terminal_cannot_show_is_no_error(project: Path, tmp_path: Path) -> None:
    odd = os.fsencode(tmp_path) + b"/bad\xff\n.pdf"
    Path(os.fsdecode(odd)).write_bytes(b"no pdf")
    for options in ((), ("--json",)):
        command = [*map(os.fsencode, python_command("--project", project, "add", *options)), odd]
        done = subprocess.run(command, capture_output=True, cwd=ROOT)
        assert done.returncode == 1
        assert b"Traceback" not in done.stderr
        assert b"not a PDF" in done.stderr


def test_names_send_no_commands_to_the_terminal(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    odd = tmp_path / "\x1b]0;title\x07\x1b[2J\u202efdp.txt.pdf"
    odd.write_bytes(b"no pdf")
    assert main(["--project", str(project), "add", str(odd)]) == 1
    assert main(["--project", str(project), "stats"]) == 0
    out, err = capsys.readouterr()
    assert not set("\x1b\x07\u202e").intersection(out + err)
    assert "\\x1b]0;title\\x07" in err
    assert (visible("a\tb\nc\x9b"), one_line("a\tb\nc")) == ("a\tb\nc\\x9b", "a\\tb\\nc")


INTERRUPTED = """
import builtins, os, signal, sys
from desktop.__main__ import main

def interrupted(name, *rest):
    if name == "desktop.cli.main":  # imported last, by what starts the program
        os.kill(os.getpid(), signal.SIGINT)
    return imported(name, *rest)

imported, builtins.__import__ = builtins.__import__, interrupted
sys.exit(main())
"""


@posix
def test_what_is_interrupted_while_it_starts_says_so(project: Path) -> None:
    command = [sys.executable, "-c", INTERRUPTED, "--project", str(project), "stats"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (130, "Cancelled.\n")


@posix
@pytest.mark.parametrize(
    ("signals", "to_all", "code"),
    [
        ([signal.SIGINT] * 6, True, 130),
        ([signal.SIGTERM], False, 143),
        pytest.param([signal.SIGTERM], True, 143, marks=pytest.mark.slow),
    ],
    ids=["Ctrl-C in anger", "SIGTERM", "SIGTERM to all its processes"],
)
def test_what_is_told_to_end_ends_soon_and_leaves_nothing_lying(
    project: Path, tmp_path: Path, signals: Sequence[signal.Signals], to_all: bool, code: int
) -> None:
    (tmp_path / "papers").mkdir()
    slow = hostile_files.looping_pdf(tmp_path / "papers")
    pdf = hostile_files.plain_pdf(tmp_path / "papers").read_bytes()
    for number in range(1_500):  # more than are read before the signal
        (tmp_path / "papers" / f"{number}.pdf").write_bytes(pdf + b"\n%%%d" % number)
    command = python_command("--project", project, "add", slow.parent, "--jobs", "2")
    process = subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True, start_new_session=True)
    while not (workers := psutil.Process(process.pid).children(recursive=True)):
        time.sleep(0.1)
    time.sleep(0.5)
    for number in signals:
        (os.killpg if to_all else os.kill)(process.pid, number)
        time.sleep(0.02)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == code
    assert "Traceback" not in errors
    psutil.wait_procs(workers, timeout=10)
    assert not [worker for worker in workers if worker.is_running() and worker.status() != psutil.STATUS_ZOMBIE]
    assert {path.name for path in tmp_path.iterdir()} == {"demo.pairwright", "papers"}
    with Project.open(project) as opened, opened.read_transaction() as stores:
        assert opened.check() == []
        assert stores.files.failures() == []  # no paper is blamed for it
