"""Dataclasses as JSON, and JSON of a file or a project, which may be anybody's, as dataclasses."""

from __future__ import annotations

import json
from typing import Any, TypeVar

T = TypeVar("T")


class UnknownField(ValueError):
    """There is a field, `name`, that the type has not: of a newer program, or a mistake."""

    def __init__(self, name: str) -> None:
        super().__init__(f"there is no field {name}")
        self.name = name


def to_data(value: object) -> Any:
    """A dataclass, a collection or a plain value as dicts, lists, text and numbers.

    Fields stay in their order; members of sets and keys of mappings are sorted.
    """
    import msgspec  # here, for most starts of the program need none

    return msgspec.to_builtins(value, order="deterministic")


def from_data(kind: type[T], data: Any) -> T:
    """The value of type `kind` that `to_data` gave; a missing field gets its default.

    `ValueError` says what is of another type, and where; no value is converted to fit. `UnknownField` of fields that
    there are not. What `__post_init__` raises is raised here too.
    """
    import msgspec

    value = msgspec.convert(data, kind)
    _refuse_unknown(data, msgspec.to_builtins(value))
    return value


def encode(value: object, *, indent: int | None = None, ascii_only: bool = False) -> str:
    """`to_data` as JSON, all keys sorted: equal values give equal text.

    `ascii_only`: for text of others that may hold half a surrogate pair, which cannot be written as UTF-8.
    """
    return json.dumps(to_data(value), ensure_ascii=ascii_only, indent=indent, sort_keys=True)


def decode(kind: type[T], text: str | bytes) -> T:
    """What `encode` wrote, see `from_data`; `ValueError` also where it is no JSON."""
    try:
        data = json.loads(text)
    except RecursionError as exc:
        raise ValueError("it is nested too deeply") from exc
    return from_data(kind, data)


def _refuse_unknown(data: Any, known: Any) -> None:
    if isinstance(data, dict) and isinstance(known, dict):
        for name, value in data.items():
            if name not in known:
                raise UnknownField(name)
            _refuse_unknown(value, known[name])
    elif isinstance(data, list) and isinstance(known, (list, tuple)):
        for one, other in zip(data, known, strict=False):  # a set's members may be fewer; they are plain values
            _refuse_unknown(one, other)
