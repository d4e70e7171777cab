"""Chooses the device and number format for torch: a graphics card if one works, otherwise the processor."""

from __future__ import annotations

import contextlib
import os
import warnings
from dataclasses import dataclass
from typing import Any

# Otherwise waiting threads spin: with another busy program everything is 4 to 10 times as slow.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
os.environ.setdefault("TOKENIZERS_PARALLELISM", "true")

import torch

from miner.classifier.recipe import Precision
from miner.errors import UserError
from miner.options import DEVICES

_OUT_OF_MEMORY_TEXTS = ("out of memory", "not enough memory", "t allocate memory", "CUBLAS_STATUS_ALLOC_FAILED")


@dataclass(frozen=True, slots=True)
class Device:
    """A device for computing. `name`: for users. `note`: why it is not the requested device; "" if it is."""

    kind: str
    name: str
    precision: Precision
    note: str = ""

    @property
    def dtype(self) -> torch.dtype:
        return {Precision.BF16: torch.bfloat16, Precision.FP16: torch.float16}.get(self.precision, torch.float32)

    @property
    def arithmetic(self) -> str:
        """The kind of device and its number format, such as "cpu fp32": results differ between them by rounding."""
        return f"{self.kind} {self.precision.value}"

    def autocast(self) -> contextlib.AbstractContextManager[Any]:
        if self.precision is Precision.FP32:
            return contextlib.nullcontext()
        return torch.autocast(self.kind, dtype=self.dtype)


def choose_device(requested: str = "auto", precision: Precision = Precision.AUTO) -> Device:
    """The requested device ("auto", "cpu", "cuda", "mps"), if it works; otherwise the processor, with a note."""
    if requested not in DEVICES:
        raise UserError(f"There is no device {requested}.", hint=f"Take one of {', '.join(DEVICES)}.")
    note = ""
    for kind in ("cuda", "mps"):
        if requested not in ("auto", kind):
            continue
        try:
            available, warning = _is_available(kind)
            if available:
                torch.ones(8, 8, device=kind).matmul(torch.ones(8, 8, device=kind)).sum().item()
                return Device(kind, _card_name(kind), _precision(kind, precision))
            if warning:
                note = f"The graphics card cannot be used ({warning}): the processor is used."
            elif requested == kind:
                note = "There is no such graphics card, or its driver is not suitable: the processor is used."
        except (RuntimeError, AssertionError) as exc:  # a driver of another version, or another program uses the card
            note = f"The graphics card cannot be used ({_first_line(exc)}): the processor is used."
    return processor(precision, note)


def processor(precision: Precision = Precision.AUTO, note: str = "") -> Device:
    return Device("cpu", f"processor, {torch.get_num_threads()} threads", _precision("cpu", precision), note)


def set_threads(requested: int | None = None) -> None:
    """Set the number of torch's threads; by default one for each processor that this process may use."""
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    torch.set_num_threads(requested or allowed)


def is_out_of_memory(exc: BaseException) -> bool:
    """Whether a batch was too large for the device."""
    return isinstance(exc, torch.OutOfMemoryError | MemoryError) or (
        isinstance(exc, RuntimeError) and any(words in str(exc) for words in _OUT_OF_MEMORY_TEXTS)
    )


def _is_available(kind: str) -> tuple[bool, str]:
    """Whether there is such a card, and torch's first warning, which is all it gives for an old driver."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        available = torch.cuda.is_available() if kind == "cuda" else torch.backends.mps.is_available()
    return available, _first_line(caught[0].message) if caught else ""


def _card_name(kind: str) -> str:
    return torch.cuda.get_device_name() if kind == "cuda" else "Apple GPU"


def _precision(kind: str, requested: Precision) -> Precision:
    if requested is Precision.FP16 and kind == "cpu":
        return Precision.FP32
    if requested is not Precision.AUTO:
        return requested
    if kind == "cuda":
        return Precision.BF16 if torch.cuda.is_bf16_supported(including_emulation=False) else Precision.FP16
    return Precision.BF16 if kind == "cpu" and _multiplies_bf16() else Precision.FP32


def _multiplies_bf16() -> bool:
    """Whether the processor has instructions for bfloat16; without them it is slower than float32."""
    checks = ("_is_avx512_bf16_supported", "_is_amx_tile_supported")
    return any(getattr(torch.cpu, check, lambda: False)() for check in checks)


def _first_line(exc: Warning | BaseException | str) -> str:
    return (str(exc).strip().splitlines() or [type(exc).__name__])[0][:200]
