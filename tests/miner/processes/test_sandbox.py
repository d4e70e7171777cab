"""A confined worker parses papers, and can do nothing else that a file of others could make it do."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from miner.parsing.file_parser import file_parser
from miner.parsing.files import FileContent, FileKind, read_file
from miner.parsing.sentences import SplitterParameters
from miner.processes.child import Failure, ProcessLimits
from miner.processes.pool import run
from miner.processes.sandbox import Confinement, confine, what_holds
from tests.sample_papers import SAMPLES

linux = pytest.mark.skipif(sys.platform != "linux", reason="landlock and seccomp are Linux's")


class Attempt(NamedTuple):
    """What a worker is told to try, in a folder of the test."""

    what: str
    folder: Path


def attempts() -> Callable[[Attempt], str]:
    def function(attempt: Attempt) -> str:
        try:
            return str(TRIED[attempt.what](attempt.folder / "file"))
        except OSError as exc:
            return type(exc).__name__

    return function


def connect(family: socket.AddressFamily, kind: socket.SocketKind) -> str:
    with socket.socket(family, kind) as made:
        made.settimeout(1)
        made.connect("/run/dbus" if family is socket.AF_UNIX else ("127.0.0.1", 9))
    return "connected"


TRIED: dict[str, Callable[[Path], object]] = {
    "read": lambda file: file.read_text(),
    "list": lambda file: list(file.parent.iterdir()),
    "write": lambda file: file.write_text("changed"),
    "append": lambda file: file.open("a"),
    "create": lambda file: file.with_name("new").touch(),
    "remove": lambda file: file.unlink(),
    "rename": lambda file: file.rename(file.with_name("renamed")),
    "link": lambda file: file.with_name("link").symlink_to(file),
    "make a folder": lambda file: file.with_name("folder").mkdir(),
    "change the mode": lambda file: file.chmod(0o777),
    "change the time": lambda file: os.utime(file, (0, 0)),
    "temporary": lambda file: Path("/tmp/of-a-confined-worker").write_text("x"),
    "home": lambda file: list(Path.home().iterdir()),
    "connect": lambda file: connect(socket.AF_INET, socket.SOCK_STREAM),
    "send": lambda file: connect(socket.AF_INET, socket.SOCK_DGRAM),
    "local socket": lambda file: connect(socket.AF_UNIX, socket.SOCK_STREAM),
    "run": lambda file: subprocess.run(["/bin/true"], check=True),
    "kill": lambda file: os.kill(os.getppid(), 0),
}


@linux
def test_a_confined_worker_reaches_nothing_outside(tmp_path: Path) -> None:
    if not all(what_holds()):
        pytest.skip(f"this kernel cannot enforce all of it: {what_holds()}")
    file = tmp_path / "file"
    file.write_text("as it was")
    before = file.stat()
    given = [Attempt(what, tmp_path) for what in TRIED]
    done = {attempt.what: result for attempt, result in run(attempts, given, workers=1, confinement=Confinement())}
    assert done == dict.fromkeys(TRIED, "PermissionError")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
    assert (file.read_text(), file.stat().st_mtime, file.stat().st_mode) == (
        "as it was",
        before.st_mtime,
        before.st_mode,
    )


def test_a_file_that_is_named_can_be_read(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("as it was")
    reads = Confinement(reads=(file,))
    [(_, found)] = run(attempts, [Attempt("read", tmp_path)], workers=1, confinement=reads)
    assert found == "as it was"


def parser() -> Callable[[FileContent], object]:
    return file_parser(SplitterParameters.bundled())


def test_a_confined_worker_parses_as_any_other() -> None:
    kinds = {".pdf": FileKind.PDF, ".xml": FileKind.TEI}
    paths = [SAMPLES / "coastal" / "wrack-lines.pdf", SAMPLES / "reading" / "whispering.tei.xml"]
    files = [read_file(path, kinds[path.suffix]) for path in paths]
    confined = [result for _, result in run(parser, files, workers=1, confinement=Confinement())]
    assert confined == [parser()(file) for file in files]


def imports_late() -> Callable[[str], str]:
    return lambda module: __import__(module).__name__


def test_a_confined_worker_imports_what_it_needs_late() -> None:
    modules = ["colorsys", "lxml", "pyarrow", "storage"]
    assert [name for _, name in run(imports_late, modules, workers=1, confinement=Confinement())] == modules


def hoards() -> Callable[[int], str]:
    return lambda size: str(len(bytearray(size)))


@linux
def test_the_system_itself_refuses_far_too_much_memory() -> None:
    limits = ProcessLimits(megabytes=500)
    size = 200_000_000_000
    [(_, found)] = run(hoards, [size], workers=1, limits=limits, confinement=Confinement())
    assert found == Failure("memory")


@linux
def test_nothing_changes_where_the_kernel_has_no_locks(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("restrict_files", "forbid_calls"):
        monkeypatch.setattr(f"miner.processes.sandbox.{name}", lambda *_: False)
    monkeypatch.setattr("miner.processes.sandbox._set_limits", lambda _: None)
    confine(Confinement(), 1_000)
    assert Path(__file__).read_text()
