"""The device and precision to compute with: a graphics card where one works, the processor otherwise."""

from __future__ import annotations

import contextlib
import os
import warnings
from dataclasses import dataclass
from typing import Any

# Else threads that wait for each other spin: beside a busy neighbour that makes everything 4 to 10 times as slow.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
os.environ.setdefault("TOKENIZERS_PARALLELISM", "true")

import torch

from miner.classifier.recipe import Precision
from miner.errors import UserError

DEVICES = ("auto", "cpu", "cuda", "mps")
_NO_MEMORY = ("out of memory", "not enough memory", "t allocate memory", "CUBLAS_STATUS_ALLOC_FAILED")


@dataclass(frozen=True, slots=True)
class Device:
    """`name` is for people; `note` says why it is not what was asked for, "" where it is."""

    kind: str
    name: str
    precision: Precision
    note: str = ""

    @property
    def dtype(self) -> torch.dtype:
        return {Precision.BF16: torch.bfloat16, Precision.FP16: torch.float16}.get(self.precision, torch.float32)

    def autocast(self) -> contextlib.AbstractContextManager[Any]:
        if self.precision is Precision.FP32:
            return contextlib.nullcontext()
        return torch.autocast(self.kind, dtype=self.dtype)


def choose_device(wanted: str = "auto", precision: Precision = Precision.AUTO) -> Device:
    """The device `wanted` ("auto", "cpu", "cuda", "mps"), tried out; the processor, with a note, where it fails."""
    if wanted not in DEVICES:
        raise UserError(f"There is no device {wanted}.", hint=f"Take one of {', '.join(DEVICES)}.")
    note = ""
    for kind in ("cuda", "mps"):
        if wanted not in ("auto", kind):
            continue
        try:
            there, warning = _is_there(kind)
            if there:
                torch.ones(8, 8, device=kind).matmul(torch.ones(8, 8, device=kind)).sum().item()
                return Device(kind, _card(kind), _precision(kind, precision))
            if warning:
                note = f"The graphics card cannot be used ({warning}): the processor is used."
            elif wanted == kind:
                note = "There is no such graphics card, or its driver does not suit: the processor is used."
        except (RuntimeError, AssertionError) as exc:  # a driver of another version, a card that is taken
            note = f"The graphics card cannot be used ({_first_line(exc)}): the processor is used."
    return processor(precision, note)


def processor(precision: Precision = Precision.AUTO, note: str = "") -> Device:
    return Device("cpu", f"processor, {torch.get_num_threads()} threads", _precision("cpu", precision), note)


def set_threads(wanted: int | None = None) -> None:
    """Let torch use a thread for each processor that this process may use."""
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    torch.set_num_threads(wanted or allowed)


def is_out_of_memory(exc: BaseException) -> bool:
    """Whether a batch was too large for the device."""
    return isinstance(exc, torch.OutOfMemoryError | MemoryError) or (
        isinstance(exc, RuntimeError) and any(words in str(exc) for words in _NO_MEMORY)
    )


def _is_there(kind: str) -> tuple[bool, str]:
    """Whether there is such a card, and torch's warnings: of a driver that is too old it gives nothing else."""
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        there = torch.cuda.is_available() if kind == "cuda" else torch.backends.mps.is_available()
    return there, _first_line(heard[0].message) if heard else ""


def _card(kind: str) -> str:
    return torch.cuda.get_device_name() if kind == "cuda" else "Apple GPU"


def _precision(kind: str, wanted: Precision) -> Precision:
    if wanted is Precision.FP16 and kind == "cpu":
        return Precision.FP32
    if wanted is not Precision.AUTO:
        return wanted
    if kind == "cuda":
        return Precision.BF16 if torch.cuda.is_bf16_supported(including_emulation=False) else Precision.FP16
    return Precision.BF16 if kind == "cpu" and _multiplies_bf16() else Precision.FP32


def _multiplies_bf16() -> bool:
    """Without an instruction for it, bfloat16 is slower than float32 on a processor."""
    asks = ("_is_avx512_bf16_supported", "_is_amx_tile_supported")
    return any(getattr(torch.cpu, ask, lambda: False)() for ask in asks)


def _first_line(exc: Warning | BaseException | str) -> str:
    return (str(exc).strip().splitlines() or [type(exc).__name__])[0][:200]
