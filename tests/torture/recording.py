"""The calls by which a process changed the files of a folder, recorded by strace, with what was written."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

STRACE = shutil.which("strace")
_FLUSHES = "fsync", "fdatasync"
_UNKNOWN = "writev", "pwritev", "pwritev2", "copy_file_range", "sendfile", "fallocate", "truncate", "sync_file_range"
_CALLS = (
    *("open", "creat", "openat", "write", "pwrite64", "lseek", "ftruncate", "rename", "renameat", "renameat2"),
    *("link", "linkat", "unlink", "unlinkat", "mkdir", "mkdirat", "rmdir", *_FLUSHES, *_UNKNOWN),
)
_LINE = re.compile(r"(\d+) +(\w+)\((.*)\) += (-?\d+)(.*)", re.DOTALL)
_UNFINISHED = re.compile(r"(\d+) +(.*) <unfinished \.\.\.>")
_RESUMED = re.compile(r"(\d+) +<\.\.\. \w+ resumed>(.*)")
_PLACE = re.compile(r'(?:(\w+)<((?:\\x[0-9a-f]{2})*)>(\(deleted\))?)|"((?:\\x[0-9a-f]{2})*)"')


class Write(NamedTuple):
    path: str
    offset: int
    content: bytes


class Resize(NamedTuple):
    path: str
    size: int


class Create(NamedTuple):
    """A new, empty file."""

    path: str


class MakeFolder(NamedTuple):
    path: str


class Rename(NamedTuple):
    path: str
    to: str


class Link(NamedTuple):
    path: str
    to: str


class Delete(NamedTuple):
    path: str


class Flush(NamedTuple):
    """A file or a folder is flushed to disk."""

    path: str


class Said(NamedTuple):
    """A line on standard output."""

    words: tuple[str, ...]


Event = Write | Resize | Create | MakeFolder | Rename | Link | Delete | Flush | Said


def record(command: Sequence[str], folder: Path, log: Path, cwd: Path) -> list[Event]:
    """Run a command and list what it did in a folder, in order; its standard output is in the list.

    What SQLite shares among programs by memory (`-shm`) is left out: it does not outlive a power cut. Raises
    `AssertionError` if the command fails or changes files by calls that are not known here.
    """
    assert STRACE is not None
    options = ["--seccomp-bpf", "-f", "-y", "-xx", "-s", "100000000", "-e", f"trace={','.join(_CALLS)}", "-o", str(log)]
    subprocess.run([STRACE, *options, *command], stdout=subprocess.DEVNULL, check=True, cwd=cwd)
    return list(_Reader(f"{folder}/").read(log))


class _Reader:
    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._names = {str(path) for path in Path(folder).rglob("*")}
        self._positions: dict[str, int] = {}  # by the number of an open file
        self._sizes: dict[str, int] = {}

    def read(self, log: Path) -> Iterator[Event]:
        begun: dict[str, str] = {}
        with log.open(encoding="ascii") as lines:
            for line in lines:
                if unfinished := _UNFINISHED.match(line):
                    begun[unfinished[1]] = f"{unfinished[1]} {unfinished[2]}"
                    continue
                if resumed := _RESUMED.match(line):
                    line = begun.pop(resumed[1]) + resumed[2]
                if (parts := _LINE.match(line)) and not parts[4].startswith("-"):
                    yield from self._events(parts[2], parts[3], parts[4])

    def _events(self, call: str, arguments: str, result: str) -> Iterator[Event]:
        places = list(_PLACE.finditer(arguments))
        if call == "write" and places[0][1] == "1":
            yield Said(tuple(_decoded(places[1][4]).decode().split()))
            return
        if not places:
            return
        if places[0][1] and call not in ("openat", "renameat", "renameat2", "linkat", "unlinkat", "mkdirat"):
            path = _decoded(places[0][2]).decode()
            if self._is_ours(path) and not places[0][3]:
                yield from self._events_of_file(call, path, places[0][1], arguments, places, result)
            return
        paths = list(_paths(places))
        if any(map(self._is_ours, paths)):
            yield from self._events_of_names(call, paths, arguments, result)

    def _events_of_file(
        self, call: str, path: str, number: str, arguments: str, places: list[re.Match[str]], result: str
    ) -> Iterator[Event]:
        assert call not in _UNKNOWN, f"{call} of {path} is not known here"
        if call in _FLUSHES:
            yield Flush(path)
        elif call == "lseek":
            self._positions[number] = int(result)
        elif call == "ftruncate":
            yield Resize(path, int(arguments.rpartition(",")[2]))
        else:
            content = _decoded(places[1][4])[: int(result)]
            is_placed = call == "pwrite64"
            offset = int(arguments.rpartition(",")[2]) if is_placed else self._positions.get(number, 0)
            if not is_placed:
                self._positions[number] = offset + len(content)
            yield Write(path, offset, content)

    def _events_of_names(self, call: str, paths: list[str], arguments: str, result: str) -> Iterator[Event]:
        [path, *others] = paths
        if call in ("open", "openat", "creat"):
            assert "O_APPEND" not in arguments, f"{path} is appended to, which is not known here"
            self._positions[result] = 0
            if path not in self._names and ("O_CREAT" in arguments or call == "creat"):
                self._names.add(path)
                yield Create(path)
            elif "O_TRUNC" in arguments or call == "creat":
                yield Resize(path, 0)
        elif call.startswith("mkdir"):
            self._names.add(path)
            yield MakeFolder(path)
        elif call.startswith(("unlink", "rmdir")):
            self._names.discard(path)
            yield Delete(path)
        elif call.startswith("link"):
            self._names.add(others[0])
            yield Link(path, others[0])
        else:
            self._names.discard(path)
            self._names.add(others[0])
            yield Rename(path, others[0])

    def _is_ours(self, path: str) -> bool:
        return path.startswith(self._folder) or path == self._folder[:-1]


def _paths(places: list[re.Match[str]]) -> Iterator[str]:
    """The absolute paths among the arguments; some are relative to an open folder."""
    folder = ""
    for place in places:
        if place[1]:
            folder = _decoded(place[2]).decode()
        else:
            yield str(Path(folder, _decoded(place[4]).decode()))


def _decoded(text: str) -> bytes:
    return bytes.fromhex(text.replace("\\x", ""))
