"""Pairs of dev that share a sentence with test are not drawn, and count for no target: a release has none of them."""

from __future__ import annotations

import pytest

from miner.splits import PaperSplit
from miner.year_ranges import read_year_ranges
from storage.annotation.annotation_rounds import RoundPlan, Targets
from storage.dataset.candidates import count_candidates, select_candidates
from storage.dataset.export_options import ExportOptions, SplitOptions
from storage.project import Project
from storage.stores import Stores
from tests.split_factory import split_papers
from tests.storage.annotation.round_factory import AT, C, add_pairs, answer, keys

_SHARE = "UPDATE pairs SET (premise, premise_hash) = (SELECT premise, premise_hash FROM pairs WHERE key = ?)"


@pytest.fixture
def shared(project: Project) -> list[tuple[str, str]]:
    """Two pairs of dev, each with the pair of test whose premise it has; dev and test have six pairs."""
    pairs = add_pairs(project, {"dev": {C: 6}, "test": {C: 6}})
    with project.transaction() as stores:
        split_papers(stores, PaperSplit(read_year_ranges(["dev: dev", "test: test"])))
        found = list(zip(keys(pairs["dev"])[:2], keys(pairs["test"])[:2], strict=True))
        for of_dev, of_test in found:
            stores._connection.exec_driver_sql(f"{_SHARE} WHERE key = ?", (of_test, of_dev))
    return found


def test_rounds_draw_no_pair_of_dev_that_a_release_would_leave_out(
    project: Project, shared: list[tuple[str, str]]
) -> None:
    with project.read_transaction() as stores:
        drawn = stores.round_draws.draw(RoundPlan(dev=6, test=6))
        of_test = {key for _, key in shared}
        assert {pair.key for pair in drawn.pairs} & {key for pair in shared for key in pair} == of_test
        [short] = [one for one in drawn.shortages if one.label == C and one.split == one.domain]
        assert (short.domain, short.available, short.wanted, len(drawn.pairs)) == ("dev", 4, 6, 10)
        counted = stores.round_draws.find_shortages(Targets(6, 6), stores.round_draws.progress())
        assert [one._replace(drawn=0) for one in drawn.shortages] == counted


def test_gold_pairs_that_a_release_leaves_out_count_for_no_target(
    project: Project, shared: list[tuple[str, str]]
) -> None:
    (left_out, of_test), _ = shared
    with project.transaction() as stores:
        other = next(pair.key for pair in stores.round_draws.draw(RoundPlan(dev=1, test=0)).pairs)
        for key in (left_out, other):
            answer(stores, key, C, C, C)
        assert gold(stores) == (2, 0)  # a release has both, as long as the pair of test has no gold label
        answer(stores, of_test, C, C, C)
        assert gold(stores) == (1, 1)
        [counted] = [one for one in stores.split_counts.pairs() if (one.split, one.label) == ("dev", C)]
        assert (counted.pairs, counted.gold, counted.left_out) == (6, 1, 1)
        select_candidates(stores._connection, ExportOptions(split=SplitOptions()))
        assert count_candidates(stores._connection).rows["dev", C, "linked"] == 1


def gold(stores: Stores) -> tuple[int, int]:
    """The gold pairs of dev that count, and the others."""
    [found] = [one for one in stores.round_draws.progress(["dev"]) if (one.split, one.label) == ("dev", C)]
    return found.gold, found.left_out


def test_an_open_round_waits_for_no_pair_that_a_release_would_leave_out(
    project: Project, shared: list[tuple[str, str]]
) -> None:
    (left_out, of_test), _ = shared
    with project.transaction() as stores:
        pairs = [pair for pair in stores.round_draws.draw(RoundPlan(dev=6, test=6)).pairs if pair.key == of_test]
        early = [pair._replace(key=left_out, domain="dev") for pair in pairs]
        stores.annotation_rounds.add(RoundPlan(dev=6, test=6), [*pairs, *early], ["ada"], AT)
        assert waiting(stores) == {"dev": 1, "test": 1}
        answer(stores, of_test, C, C, C)
        assert waiting(stores) == {"dev": 0, "test": 0}
        assert not any(one.lacking_votes for one in stores.round_draws.progress(["dev"]))
        assert left_out not in {pair.key for pair in stores.round_draws.draw(RoundPlan(size=6), ("ben",)).pairs}


def waiting(stores: Stores) -> dict[str, int]:
    return {
        one.split: one.waiting for one in stores.round_draws.progress() if one.domain == one.split and one.label == C
    }
