"""The examples in docstrings run and give the results shown."""

from __future__ import annotations

import doctest
import linecache
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def modules_with_examples() -> list[str]:
    files = (path for folder in ("desktop", "miner", "storage") for path in sorted((ROOT / folder).rglob("*.py")))
    return [
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        for path in files
        if ">>> " in path.read_text(encoding="utf-8")
    ]


@pytest.mark.parametrize("name", modules_with_examples())
def test_examples_in_docstrings_give_the_results_shown(name: str) -> None:
    module = import_module(name)
    linecache.clearcache()  # doctest looks before each example whether any file in it has changed
    results = doctest.testmod(module)
    assert results.attempted
    assert not results.failed
