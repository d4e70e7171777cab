"""What Windows and macOS do otherwise than Linux, as far as it can be simulated here: one test for each difference."""

from __future__ import annotations

import ast
import errno
import io
import os
import re
import signal
import sys
import time
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path, PurePosixPath, PureWindowsPath

import pytest

from desktop.cli.interrupts import Interrupts
from desktop.cli.main import main
from desktop.jobs.review.annotator import account
from miner import atomic_files, paths
from miner.atomic_files import atomic_file, rename, replace_file, sync_folder
from miner.corpus import inputs
from miner.errors import UserError
from miner.parsing.files import find_files
from miner.processes.locks import ProgramLock
from miner.progress import Progress
from storage.connections import uri_of
from storage.papers.table import _FILE_NAME
from storage.project import Project
from tests.storage.factories import add, paper, pdf

if sys.platform != "win32":
    import fcntl

ROOT = Path(__file__).parents[1]


# Signals: Windows has Ctrl-Break, and no hangup.


@pytest.fixture
def _handlers_are_kept() -> Iterator[None]:
    """A command that was told to end ignores what it is told afterwards."""
    kinds = (signal.SIGINT, signal.SIGTERM, signal.SIGUSR1)
    before = [signal.getsignal(kind) for kind in kinds]
    yield
    for kind, handler in zip(kinds, before, strict=True):
        signal.signal(kind, handler)


@pytest.mark.posix
@pytest.mark.usefixtures("_handlers_are_kept")
def test_ctrl_break_cancels_the_job_where_there_is_no_hangup(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(signal, "SIGBREAK", signal.SIGUSR1, raising=False)
    monkeypatch.delattr(signal, "SIGHUP")
    interrupts, progress = Interrupts(), Progress()
    with interrupts.listening(), interrupts.stopping(progress):
        os.kill(os.getpid(), signal.SIGUSR1)
    assert progress.cancelled
    assert interrupts.exit_code == 128 + signal.SIGUSR1


# Files: on Windows an open file can be neither renamed nor replaced, and folders cannot be opened.


class _OpenFile:
    """Makes the first tries to rename fail, as a virus scanner does that has the file open."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, tries: int) -> None:
        self.tries = tries
        self.waited: list[float] = []
        monkeypatch.setattr(atomic_files, "_ON_WINDOWS", True)
        monkeypatch.setattr(time, "sleep", self.waited.append)
        for name in ("replace", "rename"):
            monkeypatch.setattr(Path, name, self._failing(getattr(Path, name)))

    def _failing(self, action: Callable[[Path, Path], Path]) -> Callable[[Path, Path], Path]:
        def function(source: Path, target: Path) -> Path:
            self.tries -= 1
            if self.tries >= 0:
                raise PermissionError(errno.EACCES, "The process cannot access the file", str(source))
            return action(source, target)

        return function


def test_a_file_that_is_open_for_a_moment_is_replaced_then(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a").write_text("before")
    scanner = _OpenFile(monkeypatch, 2)
    with atomic_file(tmp_path / "a") as part:
        part.write_text("after")
    assert (tmp_path / "a").read_text() == "after"
    assert len(scanner.waited) == 2
    scanner.tries = 1
    rename(tmp_path / "a", tmp_path / "b")
    assert [path.name for path in tmp_path.iterdir()] == ["b"]


def test_a_file_that_stays_open_is_an_error_soon(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a").write_text("before")
    scanner = _OpenFile(monkeypatch, 1_000)
    with pytest.raises(PermissionError), atomic_file(tmp_path / "a") as part:
        part.write_text("after")
    assert (tmp_path / "a").read_text() == "before"
    assert 1 < sum(scanner.waited) < 2


def test_elsewhere_what_is_forbidden_is_forbidden_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scanner = _OpenFile(monkeypatch, 1)
    monkeypatch.setattr(atomic_files, "_ON_WINDOWS", False)
    with pytest.raises(PermissionError):
        replace_file(tmp_path / "a", tmp_path / "b")
    assert scanner.waited == []


def test_windows_opens_no_folder_to_flush_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(atomic_files, "_ON_WINDOWS", True)
    sync_folder(tmp_path / "there is none")


@pytest.mark.posix
def test_a_lock_that_windows_does_not_delete_while_it_is_held_is_released(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lock, other = ProgramLock(tmp_path / "lock"), ProgramLock(tmp_path / "lock")
    unlink = Path.unlink

    def unlink_unless_held(path: Path, missing_ok: bool = False) -> None:
        if path == lock.path:
            raise PermissionError(errno.EACCES, "The process cannot access the file", str(path))
        unlink(path, missing_ok)

    monkeypatch.setattr(Path, "unlink", unlink_unless_held)
    assert lock.acquire("mine")
    assert not other.acquire()
    assert other.note() == "mine"
    lock.release()
    assert other.acquire()
    assert other.note() == ""
    other.release()


@pytest.mark.parametrize("knows_it", [True, False], ids=["a disk", "a share"])
def test_macos_flushes_the_cache_of_the_drive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, knows_it: bool) -> None:
    flushed: list[object] = []

    def control(handle: int, command: int) -> int:
        flushed.append(command)
        if not knows_it:
            raise OSError(errno.ENOTSUP, "Operation not supported")
        return 0

    monkeypatch.setattr(atomic_files, "_CACHED_BY_DRIVE", True)
    monkeypatch.setattr(fcntl, "fcntl", control)
    monkeypatch.setattr(os, "fsync", lambda handle: flushed.append("fsync"))
    with atomic_file(tmp_path / "a") as part:
        part.write_text("a")
    one = [51] if knows_it else [51, "fsync"]
    assert flushed == [*one, *one]  # the file, and its folder


def test_macos_flushes_the_cache_of_the_drive_for_a_project_too(tmp_path: Path) -> None:
    with Project.create(tmp_path / "a.pairwright") as project, project.transaction() as stores:
        assert stores._connection.exec_driver_sql("PRAGMA fullfsync").scalar_one() == 1


# Names and paths.


@pytest.mark.parametrize(
    ("path", "uri"),
    [
        (PureWindowsPath(r"\\server\share\a b\x.pairwright"), "file:////server/share/a%20b/x.pairwright"),
        (PureWindowsPath(r"C:\a b\x#1.pairwright"), "file:///C:/a%20b/x%231.pairwright"),
        (PurePosixPath("/home/ä/x?.pairwright"), "file:///home/%C3%A4/x%3F.pairwright"),
    ],
)
def test_sqlite_is_told_of_no_server(path: PureWindowsPath, uri: str) -> None:
    assert uri_of(path) == uri


@pytest.mark.parametrize(
    "name", ["nul", "CON.pairwright", "com1 .pairwright", "psy: 2026.pairwright", "a?", "a.", "a "]
)
def test_names_that_windows_would_take_for_something_else_are_refused(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert paths.name_problem(name) == ""
    monkeypatch.setattr(paths, "_ON_WINDOWS", True)
    with pytest.raises(UserError, match="Windows"):
        Project.create(tmp_path / name)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["console.pairwright", "a.b.pairwright", "übung 1.pairwright", "com.pairwright"])
def test_windows_takes_other_names(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paths, "_ON_WINDOWS", True)
    assert paths.name_problem(name) == ""


def _windows_error(code: int, path: str) -> OSError:
    error = FileNotFoundError if code in (3, 206) else PermissionError
    exc = error(errno.ENOENT, "as Windows says", path)
    exc.winerror = code  # type: ignore[attr-defined]  # there it is set from the code
    return exc


def test_hints_are_those_for_windows() -> None:
    assert "Close the file in other programs" in paths.write_hint(_windows_error(32, "C:/a.csv"))
    assert "259 characters" in paths.write_hint(_windows_error(3, "C:/" + 300 * "a"))
    assert "259" not in paths.write_hint(_windows_error(3, "C:/a.csv"))


def test_accents_of_macos_are_parts_of_their_letters(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    composed, decomposed = (tmp_path / unicodedata.normalize(form, "Müller.pdf") for form in ("NFC", "NFD"))
    decomposed.write_bytes(b"%PDF-1.4")
    found = [find_files([tmp_path]).files]
    monkeypatch.setattr(paths, "_ON_MACOS", True)
    found.append(find_files([tmp_path]).files)  # as on a share that tells the names apart
    composed.hardlink_to(decomposed)
    found.append(find_files([tmp_path]).files)
    assert [[str(path) for path, _ in files] for files in found] == [*2 * [[str(decomposed)]], [str(composed)]]


def test_wildcards_are_expanded_below_folders_of_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inputs, "_ON_WINDOWS", True)
    assert inputs._split_pattern(r"C:\papers\2026\*.pdf") == ("C:/papers/2026", "*.pdf")
    assert inputs._split_pattern(r"C:\*.pdf") == ("C:/", "*.pdf")
    assert inputs._split_pattern("s3://bucket/a/*.pdf") == ("s3://bucket/a", "*.pdf")


def test_a_paper_of_a_project_made_on_windows_is_sorted_by_its_file_s_name(tmp_path: Path) -> None:
    with Project.create(tmp_path / "a.pairwright") as project:
        add(project, ["a"])
        with project.transaction() as stores:
            stores._connection.exec_driver_sql(r"UPDATE files SET path = 'C:\papers\b.pdf'")
            names = stores._connection.exec_driver_sql(f"SELECT {_FILE_NAME} FROM files f").scalars().all()
    assert names == ["b.pdf"]


# Consoles: outside of its own console Windows encodes what is printed by a code page.


@pytest.mark.parametrize("code_page", ["cp1252", "cp932"])
def test_what_a_code_page_lacks_is_printed_escaped(
    code_page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.pairwright"
    with Project.create(path) as project, project.transaction() as stores:
        stores.papers.save(replace(paper("a"), title="β-catenin 数 – a “study”"), pdf("a"))
    printed, said = (io.TextIOWrapper(io.BytesIO(), encoding=code_page) for _ in range(2))
    monkeypatch.setattr(sys, "stdout", printed)
    monkeypatch.setattr(sys, "stderr", said)
    assert main(["--project", str(path), "papers", "list"]) == 0
    assert main(["--project", str(tmp_path / "β数.pairwright"), "stats"]) == 1
    texts = [stream.buffer.getvalue().decode(code_page) for stream in (printed, said)]  # type: ignore[attr-defined]
    assert "catenin" in texts[0]
    assert "There is no" in texts[1]


def test_an_account_of_windows_without_a_name_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LOGNAME", "USER", "LNAME", "USERNAME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setitem(sys.modules, "pwd", None)
    assert len(account()) == 16


# What the source itself may not do.

NOT_EVERYWHERE = {  # what a system lacks, or does otherwise
    "os": {
        *("fsync", "replace", "rename", "renames"),
        *(
            "fork",
            "forkpty",
            "getuid",
            "geteuid",
            "getgid",
            "getgroups",
            "setsid",
            "getpgid",
            "killpg",
            "mkfifo",
            "nice",
        ),
        *(
            "statvfs",
            "uname",
            "sysconf",
            "getloadavg",
            "pread",
            "pwrite",
            "sendfile",
            "sched_getaffinity",
            "O_NOFOLLOW",
        ),
        *(
            "O_NONBLOCK",
            "O_CLOEXEC",
            "O_DIRECTORY",
            "chown",
            "fchmod",
            "fchown",
            "chroot",
            "wait",
            "wait4",
            "WIFEXITED",
        ),
    },
    "signal": {"SIGKILL", "SIGHUP", "SIGUSR1", "SIGUSR2", "SIGALRM", "alarm", "setitimer", "pthread_kill", "pause"},
    "time": {"tzset", "clock_gettime"},
    "socket": {"AF_UNIX"},
    "select": {"poll", "epoll", "kqueue"},
}
ASKED_FOR = {  # by the file that looks which system it is
    "miner/processes/program.py": {"killpg", "SIGKILL"},
    "miner/processes/pool.py": {"sched_getaffinity"},
    "miner/classifier/device.py": {"sched_getaffinity"},
    "desktop/cli/interrupts.py": {"SIGHUP"},
    "miner/atomic_files.py": {"fcntl", "fsync"},
    "miner/processes/computer_locks.py": {"fchmod", "fcntl"},
    "miner/processes/landlock.py": {"O_CLOEXEC"},
    "miner/processes/sandbox.py": {"resource"},
}
POSIX_MODULES = {"fcntl", "grp", "pty", "pwd", "resource", "syslog", "termios", "tty"}


def calls_and_names(pattern: str) -> Iterator[tuple[str, ast.AST]]:
    """Each node of the program's sources in which the pattern is found, with the file's name."""
    for path in sorted(path for room in ("desktop", "miner", "storage") for path in (ROOT / room).rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if re.search(pattern, text):
            for node in ast.walk(ast.parse(text)):
                yield path.relative_to(ROOT).as_posix(), node


def test_what_only_some_systems_have_is_used_where_it_was_asked_for() -> None:
    uses = "|".join(rf"\b{module}\.(?:{'|'.join(names)})\b" for module, names in NOT_EVERYWHERE.items())
    found: dict[str, set[str]] = {}
    for file, node in calls_and_names(rf"{uses}|import (?:{'|'.join(POSIX_MODULES)})\b"):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            if node.attr in NOT_EVERYWHERE.get(node.value.id, ()):
                found.setdefault(file, set()).add(node.attr)
        elif isinstance(node, ast.Import):
            found.setdefault(file, set()).update({alias.name for alias in node.names} & POSIX_MODULES)
    assert {file: names for file, names in found.items() if names} == ASKED_FOR


def test_text_files_have_the_same_bytes_on_all_systems() -> None:
    """Without `newline` Windows writes two bytes for the end of a line, and without `encoding` a code page."""
    faults = []
    for file, node in calls_and_names(r"write_text\(|open\([^)]*\"[wax]"):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
            continue
        modes = {argument.value for argument in node.args if isinstance(argument, ast.Constant)}
        writes = node.func.attr == "open" and bool(modes & {"w", "a", "x", "w+", "r+"})
        keywords = {keyword.arg for keyword in node.keywords}
        if (writes or node.func.attr == "write_text") and not keywords >= {"encoding", "newline"}:
            faults.append(f"{file}:{node.lineno}")
    assert faults == []
