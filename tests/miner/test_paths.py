"""What the system is the cause of is told from a bug."""

from __future__ import annotations

import errno

from miner.paths import system_error


def test_what_the_system_is_the_cause_of_is_no_bug() -> None:
    full = system_error(OSError(errno.ENOSPC, "No space left on device", "a.jsonl"))
    assert full is not None
    assert str(full) == "a.jsonl could not be read or written: No space left on device."
    assert full.hint == "Free some space, then try again."
    many = system_error(OSError(errno.EMFILE, "Too many open files"))
    assert many is not None
    assert many.hint == "Close other programs, then try again."
    assert system_error(FileNotFoundError(errno.ENOENT, "No such file or directory", "x")) is None
    assert system_error(ValueError("x")) is None
