"""A filter of system calls on Linux: a process can no longer make sockets, start programs, or change files.

It also holds where the kernel has no landlock. What it forbids fails with "Permission denied".
https://docs.kernel.org/userspace-api/seccomp_filter.html
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import struct
import sys
from typing import NamedTuple

from miner.processes.landlock import drop_privileges


class _Machine(NamedTuple):
    """A kind of processor: its name in a filter, and its numbers of `seccomp`, `open` (None: it has none), `openat`."""

    architecture: int
    seccomp: int
    open: int | None
    openat: int
    forbidden: tuple[int, ...]


_ON_ALL = (
    424,
    425,
    434,
    437,
    438,
    452,
)  # pidfd_send_signal, io_uring_setup, pidfd_open, openat2, pidfd_getfd, fchmodat2
_MACHINES = {
    "x86_64": _Machine(
        0xC000003E,
        317,
        2,
        257,
        (
            *(41, 42, 49, 50),  # socket, connect, bind, listen
            *(59, 322, 101, 310, 311, 62, 200),  # execve, execveat, ptrace, process_vm_readv, _writev, kill, tkill
            *(76, 77, 82, 83, 84, 85, 86, 87, 88),  # truncate, ftruncate, rename to symlink
            *(133, 258, 259, 263, 264, 265, 266, 316),  # mknod and the same with a folder, renameat2
            *(90, 91, 268, 92, 93, 94, 260),  # chmod, chown
            *(132, 235, 261, 280),  # times
            *(188, 189, 190, 197, 198, 199),  # further attributes
            *(161, 165, 272, 298, 308, 321, 323),  # chroot, mount, unshare, perf_event_open, setns, bpf, userfaultfd
            *(248, 249, 250, 304),  # keys, open_by_handle_at
        ),
    ),
    "aarch64": _Machine(
        0xC00000B7,
        277,
        None,
        56,
        (
            *(198, 200, 201, 203),  # socket, bind, listen, connect
            *(221, 281, 117, 270, 271, 129, 130),  # execve, execveat, ptrace, process_vm_*, kill, tkill
            *(33, 34, 35, 36, 37, 38, 45, 46, 276),  # mknodat to renameat, truncate, ftruncate, renameat2
            *(52, 53, 54, 55, 88),  # fchmod, fchmodat, fchownat, fchown, utimensat
            *(5, 6, 7, 14, 15, 16),  # further attributes
            *(40, 51, 97, 241, 268, 280, 282),  # mount, chroot, unshare, perf_event_open, setns, bpf, userfaultfd
            *(217, 218, 219, 265),  # keys, open_by_handle_at
        ),
    ),
}
_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC
_LOAD, _IS_EQUAL, _IS_AT_LEAST, _HAS_BITS, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16  # where they are in what a filter sees; an argument has 8 bytes
_ALLOW, _REFUSE = 0x7FFF0000, 0x00050000 | errno.EACCES
_OTHER_NUMBERS = 0x40000000  # from here on they are those of the x32 interface
_SET_FILTER, _IS_AVAILABLE, _ALL_THREADS = 1, 2, 1


def has_seccomp() -> bool:
    """Whether this kernel takes filters of system calls."""
    machine = _machine()
    if machine is None:
        return False
    action = ctypes.c_uint32(0x00050000)
    return bool(_libc().syscall(ctypes.c_long(machine.seccomp), _IS_AVAILABLE, 0, ctypes.byref(action)) == 0)


def forbid_calls() -> bool:
    """Forbid this process what the module's docstring says, in all its threads; whether the kernel does so."""
    machine = _machine()
    if machine is None or not has_seccomp():
        return False
    program = _program(machine)
    code = ctypes.create_string_buffer(program, len(program))
    filter = struct.pack("HP", len(program) // 8, ctypes.addressof(code))
    call = ctypes.c_long(machine.seccomp)
    return drop_privileges() and bool(_libc().syscall(call, _SET_FILTER, _ALL_THREADS, filter) == 0)


def _machine() -> _Machine | None:
    if sys.platform != "linux" or sys.maxsize < 2**32:
        return None
    return _MACHINES.get(platform.machine())


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _program(machine: _Machine) -> bytes:
    """The filter: steps of 8 bytes, each with a code, how many steps to skip if it holds, and if not, and a value."""
    openings = [(machine.openat, 2), *([(machine.open, 1)] if machine.open is not None else [])]
    numbers = (*machine.forbidden, *_ON_ALL)
    steps: list[tuple[int, str, str, int]] = [  # where to go on: "" the next step, else the name of a place
        (_LOAD, "", "", _ARCHITECTURE),
        (_IS_EQUAL, "", "refuse", machine.architecture),
        (_LOAD, "", "", _NUMBER),
        (_IS_AT_LEAST, "refuse", "", _OTHER_NUMBERS),
        *((_IS_EQUAL, "refuse", "", number) for number in numbers),
        *((_IS_EQUAL, f"open {argument}", "", number) for number, argument in openings),
        (_RETURN, "", "", _ALLOW),
    ]
    places = {}
    for _, argument in openings:
        places[f"open {argument}"] = len(steps)
        steps.append((_LOAD, "", "", _ARGUMENTS + 8 * argument))
        steps.append((_HAS_BITS, "refuse", "", _WRITES))
        steps.append((_RETURN, "", "", _ALLOW))
    places["refuse"] = len(steps)
    steps.append((_RETURN, "", "", _REFUSE))

    def skip(place: str, at: int) -> int:
        return places[place] - at - 1 if place else 0

    return b"".join(
        struct.pack("=HBBI", code, skip(yes, at), skip(no, at), value)
        for at, (code, yes, no, value) in enumerate(steps)
    )
