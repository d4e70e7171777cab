"""Landlock, a lock of Linux that a process closes behind itself: files and TCP connections it can no longer open.

https://docs.kernel.org/userspace-api/landlock.html
"""

from __future__ import annotations

import ctypes
import os
import platform
import struct
import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446  # system calls, the same on all processors we run on
_VERSION = 1  # a flag of the first
_PATH_BENEATH = 1  # a kind of rule
_READ_FILE, _READ_DIR = 1 << 2, 1 << 3
_RIGHTS_BY_VERSION = ((1, 13), (2, 14), (3, 15), (5, 16))
"""How many rights on files there are from a version on: to run, write, read, remove, make, move, cut, control."""
_NETWORK_VERSION, _SCOPE_VERSION = 4, 6
_BIND_AND_CONNECT = 0b11
_SOCKETS_AND_SIGNALS = 0b11  # to processes outside: abstract Unix sockets, and signals
_NO_NEW_PRIVILEGES = 38


def landlock_version() -> int:
    """The version of the kernel's interface; 0 where there is none, or it is off."""
    if sys.platform != "linux" or platform.machine() not in ("x86_64", "aarch64"):
        return 0
    return max(0, _call(_CREATE_RULESET, None, ctypes.c_size_t(0), ctypes.c_uint32(_VERSION)))


def restrict_files(readable: Iterable[Path]) -> bool:
    """Let this thread and those it starts read files beneath these paths, and nothing else; whether the kernel does so.

    Paths that do not exist are passed over. No new connection by TCP is possible from then on, nor a signal to another
    process, where the kernel can forbid them.
    """
    version = landlock_version()
    if not version:
        return False
    handled = (1 << max(count for since, count in _RIGHTS_BY_VERSION if since <= version)) - 1
    attributes = struct.pack("=Q", handled)
    if version >= _NETWORK_VERSION:
        attributes += struct.pack("=Q", _BIND_AND_CONNECT)
    if version >= _SCOPE_VERSION:
        attributes += struct.pack("=Q", _SOCKETS_AND_SIGNALS)
    ruleset = _call(_CREATE_RULESET, attributes, ctypes.c_size_t(len(attributes)), ctypes.c_uint32(0))
    if ruleset < 0:
        return False
    try:
        for path in readable:
            _allow(ruleset, path)
        return drop_privileges() and _call(_RESTRICT_SELF, ctypes.c_int(ruleset), ctypes.c_uint32(0)) == 0
    finally:
        os.close(ruleset)


def drop_privileges() -> bool:
    """Give up what set-user-ID programs would give, as Linux asks of a process that restricts itself."""
    one, zero = ctypes.c_ulong(1), ctypes.c_ulong(0)
    return bool(ctypes.CDLL(None).prctl(_NO_NEW_PRIVILEGES, one, zero, zero, zero) == 0)


def _allow(ruleset: int, path: Path) -> None:
    with suppress(OSError):  # there is no such file
        opened = os.open(path, os.O_PATH | os.O_CLOEXEC)
        try:
            rights = _READ_FILE | _READ_DIR if path.is_dir() else _READ_FILE
            rule = struct.pack("=Qi", rights, opened)
            _call(_ADD_RULE, ctypes.c_int(ruleset), ctypes.c_int(_PATH_BENEATH), rule, ctypes.c_uint32(0))
        finally:
            os.close(opened)


def _call(number: int, *arguments: object) -> int:
    """What the system call returns; -1 where it fails."""
    return int(ctypes.CDLL(None, use_errno=True).syscall(ctypes.c_long(number), *arguments))
