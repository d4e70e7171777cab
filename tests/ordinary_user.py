"""Drops the privileges of root, who may read and write every file, so that permissions apply in tests."""

from __future__ import annotations

import ctypes
import os
import sys

import pytest

_DAC_OVERRIDE, _DAC_READ_SEARCH, _FOWNER = 1, 2, 3  # capabilities of linux/capability.h
_WITHOUT_FILE_CAPABILITIES = ~(1 << _DAC_OVERRIDE | 1 << _DAC_READ_SEARCH | 1 << _FOWNER)
_VERSION_3 = 0x20080522
_BOUNDING_SET_DROP = 24  # of linux/prctl.h
_EFFECTIVE = 0


def drop_root_privileges() -> list[int] | None:
    """Make file permissions apply to this thread; the value for `restore_privileges`, None for an ordinary user.

    Skips the test if the privileges cannot be dropped.
    """
    if not hasattr(os, "geteuid"):
        pytest.skip("permissions are another matter there")
    if os.geteuid() != 0:
        return None
    if sys.platform != "linux":
        pytest.skip("root may read everything")
    before = (ctypes.c_uint32 * 6)()  # effective, permitted, inheritable; then the high halves
    _call("capget", before)
    without = (ctypes.c_uint32 * 6)(*before)
    without[_EFFECTIVE] &= _WITHOUT_FILE_CAPABILITIES
    _call("capset", without)
    return list(before)


def restore_privileges(before: list[int] | None) -> None:
    if before is not None:
        _call("capset", (ctypes.c_uint32 * 6)(*before))


def _call(name: str, data: ctypes.Array[ctypes.c_uint32]) -> None:
    library = ctypes.CDLL(None, use_errno=True)
    head = (ctypes.c_uint32 * 2)(_VERSION_3, 0)
    if getattr(library, name)(head, data):
        pytest.skip(f"root's rights cannot be given up: {os.strerror(ctypes.get_errno())}")


if __name__ == "__main__":  # python tests/ordinary_user.py PROGRAM ARGUMENT...: it and all it starts
    if drop_root_privileges() is not None:
        for capability in (_DAC_OVERRIDE, _DAC_READ_SEARCH, _FOWNER):
            ctypes.CDLL(None).prctl(_BOUNDING_SET_DROP, capability, 0, 0, 0)
    os.execv(sys.argv[1], sys.argv[1:])
