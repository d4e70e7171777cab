"""Dataclasses as JSON and back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest

from miner import codec
from miner.records import Label, PairFlag


@dataclass(frozen=True, slots=True)
class Inner:
    count: int
    label: Label = Label.NEUTRAL


@dataclass(frozen=True, slots=True)
class Outer:
    text: str = ""
    share: float = 0.5
    inner: tuple[Inner, ...] = ()
    flags: frozenset[PairFlag] = frozenset()
    limits: tuple[int | None, int | None] | None = None
    card: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.share > 1:
            raise ValueError("a share is at most 1")


FULL = Outer(
    "ä \ud800", 1.0, (Inner(1), Inner(2, Label.REASONING)), frozenset(PairFlag), (None, 3), {"b": [1], "a": None}
)


@pytest.mark.parametrize("value", [Outer(), FULL])
def test_a_value_survives(value: Outer) -> None:
    assert codec.decode(Outer, codec.encode(value)) == value
    assert codec.from_data(Outer, codec.to_data(value)) == value


def test_equal_values_are_the_same_text_and_missing_fields_get_their_defaults() -> None:
    one = Outer(flags=frozenset((PairFlag.NO_COMMA, PairFlag.CROSSES_PARAGRAPH)), card={"b": 1, "a": 2})
    other = Outer(flags=frozenset((PairFlag.CROSSES_PARAGRAPH, PairFlag.NO_COMMA)), card={"a": 2, "b": 1})
    assert codec.encode(one) == codec.encode(other)
    assert codec.decode(Outer, "{}") == Outer()
    assert list(codec.to_data(one)) == ["text", "share", "inner", "flags", "limits", "card"]
    assert codec.encode(FULL, ascii_only=True).isascii()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "null",
        "[" * 100_000,
        '{"text": 1}',
        '{"share": "0.5"}',
        '{"share": 2}',
        '{"inner": [{}]}',
        '{"inner": [{"count": 1.5}]}',
        '{"inner": [{"count": true}]}',
        '{"inner": [{"count": 1, "label": "odd"}]}',
        '{"flags": "no_comma"}',
        '{"flags": ["\\ud800"]}',
        '{"limits": [1]}',
    ],
)
def test_what_is_no_such_value_is_refused(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011
        codec.decode(Outer, text)


def test_data_that_is_nested_too_deeply_is_refused() -> None:
    card: dict[str, object] = {}
    for _ in range(5_000):
        card = {"a": card}
    with pytest.raises(ValueError, match="nested too deeply"):
        codec.from_data(Outer, {"card": card})


@pytest.mark.parametrize("text", ['{"colour": 1}', '{"inner": [{"count": 1}, {"count": 2, "colour": 1}]}'])
def test_a_field_that_there_is_not_is_named(text: str) -> None:
    with pytest.raises(codec.UnknownField) as caught:
        codec.decode(Outer, text)
    assert caught.value.name == "colour"


@pytest.mark.parametrize(
    "text",
    [
        "a = " + "[" * 20_000,
        "a" + ".a" * 100_000 + " = 1",
        "[" + '"a b" . ' * 50_000 + "a]",
        'x = { "\\"a"' + '."\\"a"' * 50_000 + " = 1 }",
        "'a b'.\"c d\"." * 50_000 + "e = 1",
    ],
)
def test_toml_that_is_nested_too_deeply_is_refused_at_once(text: str) -> None:
    with pytest.raises(ValueError, match="too"):
        codec.parse_toml(text)


def test_other_toml_is_read() -> None:
    prose = "One. Two " + "and more. " * 2_000 + "x" * 500_000
    text = f'a.b."c d" = 1\nurl = "https://a.b.c/d.e.f?g.h"\ntext = "{prose}"\n'
    assert codec.parse_toml(text) == {"a": {"b": {"c d": 1}}, "url": "https://a.b.c/d.e.f?g.h", "text": prose}
    with pytest.raises(ValueError, match="Invalid value"):
        codec.parse_toml("a = ")
