"""Fields of options, declared once: what bounds a number has, and what the command line calls and says of the field.

Also choices that several of them have.
"""

from __future__ import annotations

from dataclasses import field, fields
from typing import Any, NamedTuple, TypeVar

T = TypeVar("T")
DEVICES = ("auto", "cpu", "cuda", "mps")
"""What a model can be told to compute on; auto: a graphics card if one works, else the processor."""
MAX_SEED = 2**32 - 1
"""The largest seed that numpy and scikit-learn take."""
_KEY = "declared"


class DeclaredField(NamedTuple):
    """What is declared of a field of a dataclass.

    least, most: the bounds of a number, included; None for no bound. help: of the option that commands have for it;
    "" if they have none. flag: the name of that option, metavar: what stands for its value there; "" for the usual
    ones. unit: how many of the field's units one is that people type.
    """

    default: Any
    least: float | None = None
    most: float | None = None
    help: str = ""
    flag: str = ""
    metavar: str = ""
    unit: int = 1

    @property
    def limits(self) -> tuple[int, int]:
        """The bounds of a whole number, in the units that people type; `ValueError` if it has none."""
        if self.least is None or self.most is None:
            raise ValueError("a number without bounds")
        return int(self.least) // self.unit, int(self.most) // self.unit


def declared(
    default: T,
    help: str = "",
    *,
    flag: str = "",
    metavar: str = "",
    unit: int = 1,
    least: float | None = None,
    most: float | None = None,
) -> T:
    """For a field of a dataclass: this default, with what is declared of it."""
    return field(default=default, metadata={_KEY: DeclaredField(default, least, most, help, flag, metavar, unit)})


def declared_fields(kind: type) -> dict[str, DeclaredField]:
    """What is declared of the fields of a dataclass, in their order; fields of which nothing is are left out."""
    return {one.name: one.metadata[_KEY] for one in fields(kind) if _KEY in one.metadata}


def option_names(kind: type) -> list[str]:
    """The fields that commands have an option for."""
    return [name for name, one in declared_fields(kind).items() if one.help]


def bound_problem(value: Any) -> str | None:
    """Why a number of a dataclass is not within its bounds, or is none; None if all are."""
    for name, one in declared_fields(type(value)).items():
        number = getattr(value, name)
        if one.least is None or one.most is None:
            continue
        if type(one.default) is int:
            if type(number) is not int or not one.least <= number <= one.most:
                return f"{name} must be a whole number from {one.least:,} to {one.most:,}"
        elif not isinstance(number, int | float) or not one.least <= number <= one.most:
            return f"{name} must be a number from {one.least:g} to {one.most:g}"
    return None
