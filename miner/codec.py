"""Converts dataclasses to JSON, and JSON from untrusted files and projects to dataclasses. Reads untrusted TOML."""

from __future__ import annotations

import json
import re
import tomllib
from typing import Any, TypeVar

T = TypeVar("T")

_LONG_KEY = re.compile(r"""(?<![\w-])(?:(?:[\w-]++|"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){30}""")


class UnknownField(ValueError):
    """The data has a field that the type does not have: it is from a newer version of the program, or wrong."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name

    def __str__(self) -> str:
        return f"there is no field {self.name}"


def to_data(value: object) -> Any:
    """A dataclass, a collection or a plain value as dicts, lists, text and numbers.

    Fields stay in their order; members of sets and keys of mappings are sorted.
    """
    import msgspec  # imported here, because most starts of the program do not need it

    return msgspec.to_builtins(value, order="deterministic")


def from_data(kind: type[T], data: Any) -> T:
    """The value of type `kind` whose `to_data` is `data`. Missing fields get their defaults.

    `ValueError` says which value has a wrong type; values are not converted. `UnknownField` for a field that the type
    does not have. Exceptions of `__post_init__` are raised here too.
    """
    import msgspec

    try:
        value = msgspec.convert(data, kind)
        _refuse_unknown(data, msgspec.to_builtins(value))
    except RecursionError as exc:
        raise ValueError("it is nested too deeply") from exc
    return value


def encode(value: object, *, indent: int | None = None, ascii_only: bool = False) -> str:
    """`to_data` as JSON with sorted keys: equal values give equal text.

    `ascii_only`: for untrusted text, which may contain lone surrogates; UTF-8 cannot encode them.
    """
    return json.dumps(to_data(value), ensure_ascii=ascii_only, indent=indent, sort_keys=True)


def decode(kind: type[T], text: str | bytes) -> T:
    """The value that `encode` wrote, as `from_data`; `ValueError` also for text that is not JSON."""
    try:
        data = json.loads(text)
    except RecursionError as exc:
        raise ValueError("it is nested too deeply") from exc
    return from_data(kind, data)


def parse_toml(text: str) -> dict[str, Any]:
    """The values of a TOML text; `ValueError` for text that is not TOML or is nested too deeply.

    A key of some ten thousand parts would take gigabytes, since `tomllib` stores every prefix of it.
    """
    if _LONG_KEY.search(text):
        raise ValueError("a key has too many parts")
    try:
        return tomllib.loads(text)
    except RecursionError as exc:
        raise ValueError("it is nested too deeply") from exc


def _refuse_unknown(data: Any, known: Any) -> None:
    if isinstance(data, dict) and isinstance(known, dict):
        for name, value in data.items():
            if name not in known:
                raise UnknownField(name)
            _refuse_unknown(value, known[name])
    elif isinstance(data, list) and isinstance(known, (list, tuple)):
        for one, other in zip(data, known, strict=False):  # a set's members may be fewer; they are plain values
            _refuse_unknown(one, other)
