"""Changing an experiment file value by value: the value is there, everything else is as it was written."""

from __future__ import annotations

import copy
import tomllib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from miner.errors import UserError
from miner.lab.experiments.experiment_file import parse_experiment, ready_names, ready_text
from miner.lab.experiments.file_editing import (
    add_set,
    add_table,
    error_line,
    file_values,
    rename_set,
    set_value,
)

READY = {name: ready_text(name) for name in ready_names()}
FILE = """# about this
name = "Mine"  # of mine
seeds = [1, 2]

# the data
[data.project]
labels = "gold"
train = { balanced = true }  # balanced
test = {}

[[system]]
kind = "lexical"   # the first

[[system]]
kind = "model"
model = "starter"

[[table]]
rows = "system"
"""


def test_a_value_is_set_and_the_comments_stay() -> None:
    new = set_value(FILE, ("system", 0, "input"), "hypothesis")
    assert tomllib.loads(new)["system"][0] == {"kind": "lexical", "input": "hypothesis"}
    assert [line for line in new.splitlines() if line not in FILE.splitlines()] == ['input = "hypothesis"']
    new = set_value(new, ("data", "project", "train", "sample"), 400)
    assert tomllib.loads(new)["data"]["project"]["train"] == {"balanced": True, "sample": 400}
    assert "# balanced" in new
    assert tomllib.loads(set_value(new, ("data", "project", "dev"), {"sample": 3}))["data"]["project"]["dev"] == {
        "sample": 3
    }


def test_none_removes_a_value_or_a_whole_system() -> None:
    assert "test" not in tomllib.loads(set_value(FILE, ("data", "project", "test"), None))["data"]["project"]
    assert [one["kind"] for one in tomllib.loads(set_value(FILE, ("system", 0), None))["system"]] == ["model"]
    assert set_value(FILE, ("question",), None) == FILE


def test_systems_tables_and_sets_are_added_behind_the_others() -> None:
    new = add_table(FILE, "system", {"kind": "cnn", "name": "My CNN"})
    assert [one["kind"] for one in tomllib.loads(new)["system"]] == ["lexical", "model", "cnn"]
    new = add_set(new, "my files", {"files": {"test": "a.csv"}, "test": {}})
    assert list(tomllib.loads(new)["data"]) == ["project", "my files"]
    assert "# the first" in new
    assert parse_experiment(new).data["my files"].files == {"test": "a.csv"}


def test_a_set_is_renamed_wherever_it_is_named() -> None:
    text = READY["cartography"]
    new = tomllib.loads(rename_set(text, "all", "every pair"))
    assert next(iter(new["data"])) == "every pair"
    assert {one["of"] for one in new["data"].values() if "of" in one} == {"every pair"}
    parse_experiment(rename_set(text, "all", "every pair"))
    assert rename_set(text, "all", "easy") == text  # the name is taken


PATHS = [
    ("name",),
    ("seeds",),
    ("system", 0, "name"),
    ("system", 0, "input"),
    ("allow_overlap",),
    ("table", 0, "title"),
]
VALUES = st.one_of(st.booleans(), st.integers(-(2**40), 2**40), st.text(max_size=20), st.lists(st.integers(0, 9)))


@given(st.sampled_from(sorted(READY)), st.lists(st.tuples(st.sampled_from(PATHS), VALUES), max_size=4))
def test_only_what_is_set_changes(name: str, changes: list[tuple[tuple[str | int, ...], Any]]) -> None:
    text = READY[name]
    wanted = copy.deepcopy(tomllib.loads(text))
    for path, value in changes:
        text = set_value(text, path, value)
        at: Any = wanted
        for key in path[:-1]:
            at = at[key]
        at[path[-1]] = value
    assert tomllib.loads(text) == wanted


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ('kind = "lexical"   #', 'kind = "lexicl"   #', 12),
        ("balanced = true", "balancd = true", 8),
        ('model = "starter"', 'modle = "starter"', 16),
        ('labels = "gold"', 'labels = "gould"', 7),
        ('rows = "system"', 'rows = "systems"', 19),
        ("seeds = [1, 2]", "seeds = [1, 1]", 3),
        ("seeds = [1, 2]", "sedes = [1, 2]", 3),
        ("test = {}", "test = {", 9),
    ],
)
def test_a_problem_has_its_line(old: str, new: str, line: int) -> None:
    assert old in FILE
    text = FILE.replace(old, new)
    with pytest.raises(UserError) as found:
        parse_experiment(text)
    assert error_line(text, str(found.value)) == line, found.value


def test_what_is_not_toml_is_refused_with_its_line() -> None:
    with pytest.raises(UserError, match="not TOML") as found:
        file_values("name = \n")
    assert error_line("name = \n", str(found.value)) == 1
    assert error_line("a = 1\nb = ", "This experiment file is not TOML: Invalid value (at end of document).") == 2
