"""Confines a worker process that parses files of others: it computes, and can neither read, write nor send elsewhere.

On Linux a process restricts itself by landlock and seccomp. Elsewhere only the limits of POSIX hold, and on Windows
nothing: there a parser's process is apart from the program, and no more.
"""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from miner.processes.landlock import landlock_version, restrict_files
from miner.processes.seccomp import forbid_calls, has_seccomp

log = logging.getLogger(__name__)

_SYSTEM = ("/usr", "/lib", "/lib64", "/etc", "/sys", "/nix/store", "/gnu/store")
_DEVICES = ("/dev/null", "/dev/zero", "/dev/random", "/dev/urandom")
_PROCESSES = ("/proc/self", "/proc/cpuinfo", "/proc/meminfo", "/proc/stat", "/proc/sys", "/proc/filesystems")
_PACKAGES = ("miner", "storage", "desktop")
_MEGABYTES_PER_PROCESSOR = 64  # that the threads of numpy's libraries reserve, and hardly use


@dataclass(frozen=True, slots=True)
class Confinement:
    """What a worker needs besides the program's own files: `reads`, files and folders."""

    reads: tuple[Path, ...] = ()


class Holds(NamedTuple):
    """What the system enforces on a confined process: the reading of the program's files alone; no file is created,
    changed or removed; no connection and no other program; no more memory than a limit."""

    reads: bool
    writes: bool
    connections: bool
    memory: bool


def what_holds() -> Holds:
    """What this system can enforce; nothing is confined by asking."""
    has_filter, version = has_seccomp(), landlock_version()
    return Holds(bool(version), has_filter or bool(version), has_filter, sys.platform == "linux")


def confine(confinement: Confinement, megabytes: int) -> None:
    """Confine this process, for good; never the program's own. Where the system cannot, nothing changes.

    megabytes: the memory that it may use; at twice as much the system itself refuses more. Call it before there are
    other threads.
    """
    _set_limits(megabytes)
    reads = restrict_files(dict.fromkeys((*_program_files(), *confinement.reads)))
    calls = forbid_calls()
    log.debug("confined: files %s, calls %s", reads, calls)


def _set_limits(megabytes: int) -> None:
    """No file of its memory when it crashes, no byte in any file, and an end to its memory."""
    if sys.platform == "win32":
        return
    import resource  # only POSIX has it

    limits = {resource.RLIMIT_CORE: 0, resource.RLIMIT_FSIZE: 0}
    if sys.platform == "linux":
        reserved = _MEGABYTES_PER_PROCESSOR * (os.cpu_count() or 1)
        limits[resource.RLIMIT_DATA] = (2 * megabytes + reserved) * 1_000_000
    for limit, value in limits.items():
        with suppress(ValueError, OSError):  # the user's own limit is lower
            resource.setrlimit(limit, (value, value))


def _program_files() -> Iterator[Path]:
    """Where Python, its packages, the program and the system's libraries and fonts are."""
    yield from map(Path, (*_SYSTEM, *_DEVICES, *_PROCESSES))
    yield from (Path(prefix) for prefix in (sys.prefix, sys.base_prefix, sys.exec_prefix))
    root = Path(__file__).parents[2]
    yield from (root / name for name in _PACKAGES)
    for entry in map(Path, sys.path):
        if entry.is_absolute() and any(entry.glob("*.dist-info")):
            yield entry
    libraries = os.environ.get("LD_LIBRARY_PATH", "").split(os.pathsep)
    yield from (Path(folder) for folder in libraries if folder)
