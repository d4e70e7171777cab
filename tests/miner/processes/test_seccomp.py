"""The filter of system calls, run step by step as the kernel would, also for processors that are not here."""

from __future__ import annotations

import os
import struct

import pytest

from miner.processes.seccomp import _MACHINES, _program

ALLOWED, REFUSED = 0x7FFF0000, 0x0005000D
READ = {"x86_64": 0, "aarch64": 63}


def answer(machine: str, number: int, arguments: tuple[int, ...] = (0,) * 6, architecture: int | None = None) -> int:
    """What the filter says to a call."""
    data = struct.pack("<IIQ6Q", number, architecture or _MACHINES[machine].architecture, 0, *arguments)
    program = _program(_MACHINES[machine])
    value = at = 0
    while True:
        code, yes, no, operand = struct.unpack_from("=HBBI", program, 8 * at)
        at += 1
        match code:
            case 0x20:
                [value] = struct.unpack_from("<I", data, operand)
            case 0x06:
                return int(operand)
            case _:
                holds = {0x15: value == operand, 0x35: value >= operand, 0x45: bool(value & operand)}[code]
                at += yes if holds else no


@pytest.mark.parametrize("machine", list(_MACHINES))
def test_what_is_forbidden_is_refused_and_the_rest_allowed(machine: str) -> None:
    numbers = _MACHINES[machine]
    assert {answer(machine, number) for number in numbers.forbidden} == {REFUSED}
    assert answer(machine, READ[machine]) == ALLOWED
    assert answer(machine, READ[machine], architecture=0x40000003) == REFUSED  # the interface of 32 bits
    assert answer(machine, 0x40000000 + READ[machine]) == REFUSED


@pytest.mark.parametrize("machine", list(_MACHINES))
def test_files_are_opened_to_read_alone(machine: str) -> None:
    numbers = _MACHINES[machine]
    for flags, expected in (
        (os.O_RDONLY, ALLOWED),
        (os.O_WRONLY, REFUSED),
        (os.O_RDWR, REFUSED),
        (os.O_CREAT, REFUSED),
    ):
        assert answer(machine, numbers.openat, (0, 0, flags, 0, 0, 0)) == expected
        if numbers.open is not None:
            assert answer(machine, numbers.open, (0, flags, 0, 0, 0, 0)) == expected
