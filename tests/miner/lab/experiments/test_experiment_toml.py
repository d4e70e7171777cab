"""Experiments written as files."""

from __future__ import annotations

import pytest

from miner.lab.experiments.experiment_file import parse_experiment, ready_names, ready_text
from miner.lab.experiments.experiment_toml import toml_text
from miner.lab.experiments.retraining import SubsetShares, trained_on_shares


@pytest.mark.parametrize("name", ready_names())
def test_a_written_experiment_is_read_as_the_same(name: str) -> None:
    experiment = parse_experiment(ready_text(name))
    assert parse_experiment(toml_text(experiment)) == experiment


def test_defaults_are_not_written() -> None:
    experiment = parse_experiment(ready_text("cartography"))
    text = toml_text(trained_on_shares(experiment, "all", SubsetShares()))
    assert "input" not in text
    assert "classes" not in text
    assert "[data.all.test]" in text
