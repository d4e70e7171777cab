"""Experiments that train again on parts of a data map."""

from __future__ import annotations

import pytest

from miner.errors import UserError
from miner.lab.experiments.experiment import Subset
from miner.lab.experiments.experiment_file import experiment_of, parse_experiment, ready_text, to_data
from miner.lab.experiments.retraining import SubsetShares, trained_on_shares, trained_without_list

CARTOGRAPHY = parse_experiment(ready_text("cartography"))


def test_the_default_shares_are_those_of_mscinlis_table_7() -> None:
    made = trained_on_shares(CARTOGRAPHY, "all", SubsetShares())
    assert made.data["all"] == CARTOGRAPHY.data["all"]
    ready = [(one.subset, one.share) for one in CARTOGRAPHY.data.values() if one.of]
    assert sorted((one.subset, one.share) for one in made.data.values() if one.of) == sorted(ready)
    assert experiment_of(to_data(made)) == made


def test_shares_are_named_by_their_percent() -> None:
    made = trained_on_shares(CARTOGRAPHY, "all", SubsetShares(0.1, 0.2, 0.125, (0.5,)))
    assert list(made.data) == ["all", "10 % easy", "20 % hard", "12.5 % ambiguous", "without 50 % hard"]
    assert made.data["20 % hard"].subset is Subset.HARD


def test_a_list_is_left_out_of_the_training_alone() -> None:
    made = trained_without_list(CARTOGRAPHY, "all", "noise")
    assert list(made.data) == ["all", "all without noise"]
    less = made.data["all without noise"]
    assert (less.where, less.test, less.train) == ({"outside_lists": ["noise"]}, None, made.data["all"].train)
    assert made.cartography is None
    assert experiment_of(to_data(made)) == made
    again = trained_without_list(made, "all without noise", "more")
    assert again.data["all without noise without more"].where == {"outside_lists": ["more", "noise"]}


def test_every_set_of_a_union_loses_the_list_and_files_cannot() -> None:
    text = """
name = "both"
[data.a]
where = { domains = ["a"] }
train = {}
test = {}
[data.b]
where = { domains = ["b"] }
[data.together]
union = ["a", "b"]
train = {}
test = {}
[data.filed]
files = { train = "x.csv", test = "y.csv" }
train = {}
test = {}
[[system]]
kind = "lexical"
"""
    made = trained_without_list(parse_experiment(text), "together", "noise")
    assert made.data["together without noise"].union == ("a without noise", "b without noise")
    assert made.data["b without noise"].where == {"domains": ["b"], "outside_lists": ["noise"]}
    assert experiment_of(to_data(made)) == made
    with pytest.raises(UserError, match="read from files"):
        trained_without_list(parse_experiment(text), "filed", "noise")
