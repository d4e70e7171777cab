"""Files that can be read, and how a reader of files of others is tried with changed ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from tests.torture.mutators import (
    Mutator,
    any_of,
    change_bytes,
    change_encoding,
    change_json,
    change_tokens,
    change_xml,
    compress,
    nest,
)

ROOT = Path(__file__).resolve().parents[2]


class Seed(NamedTuple):
    """A file that can be read, and what its name ends with."""

    suffix: str
    content: bytes


class Reader(NamedTuple):
    """`read` gets the path of a file in an empty folder of its own."""

    seeds: Callable[[], Sequence[Seed]]
    mutate: Mutator
    read: Callable[[Path], object]


NESTED_JSON = any_of(nest(b"[", b"]"), nest(b'{"a":', b"}"), again=0.0)
NESTED_TOML = any_of(nest(b"[", b"]"), nest(b"{a=", b"}"), nest(b"a.", b""), nest(b"[[", b"]]\n"), again=0.0)
NESTED_XML = any_of(nest(b"<div>", b"</div>"), nest(b"<p>", b"</p>"), nest(b"<!--", b"-->"), again=0.0)
JSON = any_of(change_json, change_json, change_json, change_tokens, change_bytes, change_encoding, NESTED_JSON)
TOML = any_of(change_tokens, change_tokens, change_bytes, change_encoding, NESTED_TOML)
XML = any_of(change_xml, change_xml, change_xml, change_tokens, change_bytes, change_encoding, NESTED_XML, compress)
TEXT = any_of(change_tokens, change_tokens, change_bytes, change_encoding, compress)
