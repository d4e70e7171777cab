"""Conditions are declared once: what is said of them is so, and every one of them is tested."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

from storage.pairs.filters import CONDITIONS, ChangedBy, ConditionKind, PairFilter, with_value
from storage.project import Project
from tests.bench import synthetic
from tests.storage.pairs.test_query import FILTER_VALUES, annotate

PAIRS = 120
_MADE_TOO = {"rounds", "lists", "outside_lists", "cells", "misread", "predicted"}  # by what annotates in the test


def test_conditions_say_what_changes_their_pairs(tmp_path: Path) -> None:
    bare, annotated, suggested = (tmp_path / f"{name}.pairwright" for name in ("bare", "annotated", "suggested"))
    synthetic.build(bare, pairs=PAIRS, papers=4, seed=1)
    shutil.copy(bare, annotated)
    with Project.open(annotated) as project, project.transaction() as stores:
        annotate(stores, random.Random(1))
    shutil.copy(annotated, suggested)
    synthetic.suggest(suggested, share=0.5)

    values = _values(suggested)
    before, then, now = (_found(path, values) for path in (bare, annotated, suggested))
    by_people = {field for field, _ in values if any(before[key] != then[key] for key in values if key[0] == field)}
    by_model = {field for field, _ in values if any(then[key] != now[key] for key in values if key[0] == field)}
    said = {kind: {name for name, one in CONDITIONS.items() if kind in one.changed_by} for kind in ChangedBy}
    unseen = {"suggestion_agrees"}  # which needs suggestions, too
    assert by_people - _MADE_TOO | unseen == said[ChangedBy.ANNOTATIONS]
    assert by_model == said[ChangedBy.SUGGESTIONS]


def _values(path: Path) -> list[tuple[str, object]]:
    """The fields, each with the values that its menu would offer."""
    found: list[tuple[str, object]] = []
    with Project.open(path) as project, project.read_transaction() as stores:
        for field, condition in CONDITIONS.items():
            match condition.kind:
                case ConditionKind.TEXT:
                    found.append((field, "the"))
                case ConditionKind.RANGE:
                    found += [(field, (low, None)) for low in (1, 30, 60, 2010)]
                case ConditionKind.YES_NO:
                    found += [(field, wanted) for wanted in (True, False)]
                case ConditionKind.ONE_OF:
                    counts = stores.pair_table.facet_counts(PairFilter(), field)
                    found += [(field, frozenset([count.value])) for count in counts]
                    found.append((field, frozenset(count.value for count in counts)))  # `differing` takes two
    assert {field for field, _ in found} == CONDITIONS.keys()
    return found


def _found(path: Path, values: list[tuple[str, object]]) -> dict[tuple[str, object], list[int]]:
    with Project.open(path) as project, project.read_transaction() as stores:
        table = stores.pair_table
        return {(field, value): sorted(table.ids(with_value(PairFilter(), field, value))) for field, value in values}


def test_queries_are_tested_with_every_condition() -> None:
    assert FILTER_VALUES.keys() == CONDITIONS.keys()
