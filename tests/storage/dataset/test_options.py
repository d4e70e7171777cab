"""Options of an export come back from JSON, and invalid ones are refused."""

from __future__ import annotations

import json

import pytest

from storage.dataset.options import ExportOptions, Preset
from storage.pairs.filters import PairFilter

FULL = ExportOptions(Preset.FULL)
OPTIONS = [
    ExportOptions(),
    ExportOptions(Preset.FULL, shares=(("train", 50.0), ("test", 50.0)), balance=True, seed=3),
    ExportOptions(Preset.SNLI, scope=PairFilter(text="premise", labels=frozenset({"contrasting"}))),
]


@pytest.mark.parametrize("options", OPTIONS)
def test_options_come_back_from_json(options: ExportOptions) -> None:
    for is_sorted in (False, True):  # as the project's settings have it
        assert ExportOptions.from_data(json.loads(json.dumps(options.to_data(), sort_keys=is_sorted))) == options


@pytest.mark.parametrize("shares", [{"train": float("nan")}, {"dev": float("inf")}, {"test": -1}, {"../x": 1}])
def test_shares_of_a_project_file_are_finite_and_name_splits(shares: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="shares"):
        ExportOptions.from_data({**FULL.to_data(), "shares": shares})


@pytest.mark.parametrize("data", [None, {}, [], {**FULL.to_data(), "preset": "none"}, {**FULL.to_data(), "scope": 5}])
def test_invalid_options_are_refused(data: object) -> None:
    with pytest.raises(ValueError, match=r"."):
        ExportOptions.from_data(data)
