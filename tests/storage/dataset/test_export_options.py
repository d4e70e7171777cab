"""Options of an export come back from JSON, and invalid ones are refused."""

from __future__ import annotations

import json

import pytest

from miner.year_ranges import read_year_ranges
from storage.dataset.export_options import ExportOptions, Preset
from storage.pairs.filters import PairFilter

FULL = ExportOptions(Preset.FULL)
OPTIONS = [
    ExportOptions(),
    ExportOptions(Preset.FULL, shares=(("train", 50.0), ("test", 50.0)), balance=True, seed=3),
    ExportOptions(years=read_year_ranges(["nlp: train -2018, dev 36% + test 64% 2019", "test 2020-"]), seed=2),
    ExportOptions(as_imported=True, keep_released=False, drop_near_duplicates=True),
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


def test_options_of_an_earlier_version_split_as_before() -> None:
    later = ("years", "as_imported", "keep_released", "drop_near_duplicates")
    data = {name: value for name, value in OPTIONS[1].to_data().items() if name not in later}
    assert ExportOptions.from_data(data) == OPTIONS[1]


@pytest.mark.parametrize(
    "changes",
    [
        {"years": [{"domain": "x", "shares": {"train": 1}, "first": 2019, "last": 2000}]},
        {"years": [{"domain": "x", "shares": {}, "first": 2000, "last": 2019}]},
        {"years": [{"domain": "x", "shares": {"../x": 1}, "first": None, "last": None}]},
        {"years": "2000-2019"},
        {"shares": {"train": 1}, "as_imported": True},
    ],
)
def test_ways_to_split_that_make_no_sense_are_refused(changes: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"."):
        ExportOptions.from_data({**FULL.to_data(), **changes})


@pytest.mark.parametrize("data", [None, {}, [], {**FULL.to_data(), "preset": "none"}, {**FULL.to_data(), "scope": 5}])
def test_invalid_options_are_refused(data: object) -> None:
    with pytest.raises(ValueError, match=r"."):
        ExportOptions.from_data(data)
