"""ARCHITECTURE.md names files that are there, and in them what it says is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
PATH = re.compile(r"`((?:desktop|storage|miner|packaging|tests)/[\w./]*)`")
RECIPES = TEXT.split("## How to add\n")[1].split("\n## ")[0]


def test_every_path_named_is_there() -> None:
    paths = {path for path in PATH.findall(TEXT) if "NAME" not in path}
    assert len(paths) > 40
    assert not [path for path in sorted(paths) if not (ROOT / path).exists()]


def test_the_tree_names_what_is_there() -> None:
    tree = TEXT.split("```\n")[1]
    folders: list[str] = []
    missing = []
    for line in tree.splitlines():
        depth = (len(line) - len(line.lstrip())) // 2
        names = re.split(r"\s{2,}", line.strip())[0].split()
        for name in names:
            path = "/".join([*folders[:depth], name])
            if not (ROOT / path).exists():
                missing.append(path)
        if names[0].endswith("/"):
            folders[depth:] = [names[0].rstrip("/")]
    assert not missing


@pytest.mark.parametrize("recipe", re.findall(r"\*\*an? [\w ]+\*\*\n(?:\d\. .*\n(?:   .*\n)*)+", RECIPES))
def test_a_recipe_has_five_steps_whose_files_hold_what_is_named(recipe: str) -> None:
    steps = re.findall(r"\d\. (.*\n(?:   .*\n)*)", recipe)
    assert len(steps) == 5
    for step in steps:
        files = [ROOT / path for path in PATH.findall(step) if path.endswith(".py") and "NAME" not in path]
        named = re.findall(r"`@?([A-Za-z_]+)(?:\(…\))?`", step)
        if files:
            text = "".join(file.read_text(encoding="utf-8") for file in files)
            assert not [name for name in named if not re.search(rf"\b{name}\b", text)], step


def test_there_are_five_recipes() -> None:
    assert re.findall(r"^\*\*(an? [\w ]+)\*\*$", RECIPES, re.MULTILINE) == [
        "a page", "a command", "a filter", "an export preset", "a parser",
    ]  # fmt: skip
