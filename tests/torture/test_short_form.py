"""The short form of `make torture`: each promise is tried to be broken for a few seconds, with a fixed seed."""

from __future__ import annotations

from importlib import import_module

import pytest

from tests.torture.__main__ import PARTS
from tests.torture.budget import Budget

SECONDS = 1.5


@pytest.mark.parametrize("part", PARTS)
def test_each_promise_holds_for_a_while(part: str) -> None:
    rows = list(import_module(f"tests.torture.{part}").run(Budget(SECONDS, 1)))
    assert rows
    assert [row for row in rows if row.met is False] == []
