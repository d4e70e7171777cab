"""Conditions as they are typed become a filter, or a sentence that helps."""

from __future__ import annotations

import pytest

from desktop.jobs.pairs.filter_text import read_filter
from miner.errors import UserError
from miner.records import Strategy
from storage.pairs.filters import PairFilter, PairStatus


def test_conditions_become_a_filter() -> None:
    found = read_filter(
        ["domain=psychology, nlp", "label=reasoning", "year=2015..2020", "doubt=80..", "overlap=7", "flagged=yes"]
    )
    assert found == PairFilter(
        domains=frozenset({"psychology", "nlp"}),
        labels=frozenset({"reasoning"}),
        years=(2015, 2020),
        doubt=(80, None),
        overlap=(7, 7),
        flagged=True,
    )


def test_what_is_empty_asks_for_none_given_and_text_stays_as_it_is() -> None:
    assert read_filter(["split=", "text=a, b = c"]) == PairFilter(splits=frozenset({""}), text="a, b = c")
    found = read_filter(["status=open,settled", "strategy=linked"])
    assert found.statuses == {PairStatus.OPEN, PairStatus.SETTLED}
    assert found.strategies == {Strategy.LINKED}
    assert read_filter([]) == PairFilter()


@pytest.mark.parametrize(
    ("typed", "hint"),
    [
        ("psychology", "domain=psychology"),
        ("domian=nlp", "Did you mean domain?"),
        ("label=reason", "contrasting, reasoning"),
        ("year=new", "year=80.."),
        ("year=..", "year=80.."),
        ("year=99999999999999999999..", "year=80.."),
        ("flagged=maybe", "flagged=yes"),
        ("status=", "open, settled"),
    ],
)
def test_what_cannot_be_understood_is_said_with_a_way_out(typed: str, hint: str) -> None:
    with pytest.raises(UserError) as refused:
        read_filter([typed])
    assert hint in refused.value.hint


def test_one_thing_is_asked_for_once() -> None:
    with pytest.raises(UserError, match="twice"):
        read_filter(["domain=a", "domain=b"])
