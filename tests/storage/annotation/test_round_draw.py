"""Drawing the pairs of annotation rounds: balance, no replacement, what is missing, and short pools."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from miner.records import Answer, Label
from storage.annotation.annotation_rounds import RoundKind, RoundPlan, Targets
from storage.annotation.annotators import Role
from storage.annotation.answers import NewAnswer
from storage.annotation.lacking_votes import LackingVotes
from storage.annotation.round_draw import RoundDraw, RoundStratum
from storage.dataset.gold_rule import GoldRule
from storage.pairs.filters import PairFilter
from storage.project import Project
from storage.stores import Stores
from tests.storage.annotation.round_factory import (
    AT,
    C,
    E,
    N,
    R,
    add_pairs,
    answer,
    answer_as,
    keys,
    set_rules,
)

SIZES = st.dictionaries(
    st.sampled_from(["ecology", "nlp", ""]),
    st.fixed_dictionaries({label: st.integers(0, 9) for label in Label}),
    min_size=1,
)


def draw(stores: Stores, plan: RoundPlan, *annotators: str) -> RoundDraw:
    """Draw a round and store it."""
    drawn = stores.round_draws.draw(plan)
    stores.annotation_rounds.add(plan, drawn.pairs, annotators, AT)
    return drawn


def stratum(stores: Stores, domain: str, label: Label) -> RoundStratum:
    return next(one for one in stores.round_draws.progress() if (one.domain, one.label) == (domain, label))


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(pool=SIZES, sizes=st.lists(st.integers(1, 6), min_size=1, max_size=4), seed=st.integers(0, 99))
def test_rounds_are_balanced_and_never_draw_a_pair_twice(
    tmp_path_factory: pytest.TempPathFactory, pool: dict[str, dict[Label, int]], sizes: list[int], seed: int
) -> None:
    with Project.create(tmp_path_factory.mktemp("draw") / "p.pairwright") as project:
        pairs = {
            pair.key: (domain, pair.distant_label) for domain, of in add_pairs(project, pool).items() for pair in of
        }
        left = Counter(pairs.values())
        seen: set[str] = set()
        with project.transaction() as stores:
            for size in sizes:
                drawn = draw(stores, RoundPlan(size=size, seed=seed))
                found = Counter((pair.domain, pair.label) for pair in drawn.pairs)
                expected = {stratum: min(size, number) for stratum, number in left.items() if number}
                assert found == expected
                assert all(pairs[pair.key] == (pair.domain, pair.label) for pair in drawn.pairs)
                assert not seen & {pair.key for pair in drawn.pairs}
                seen |= {pair.key for pair in drawn.pairs}
                for one in drawn.strata:
                    assert one.available == left[one.domain, Label(one.label)]
                    assert one.drawn == min(one.wanted, one.available)
                assert drawn.shortages == [one for one in drawn.strata if one.available < size]
                left -= Counter({(domain, Label(str(label))): number for (domain, label), number in found.items()})


def test_the_draw_depends_on_the_seed_and_not_on_the_order_of_import(tmp_path: Path) -> None:
    drawn: dict[int, list[RoundDraw]] = {1: [], 2: []}
    for order in (("ecology", "nlp"), ("nlp", "ecology")):
        with Project.create(tmp_path / f"{order[0]}.pairwright") as project:
            add_pairs(project, {domain: dict.fromkeys(Label, 30) for domain in order})
            with project.read_transaction() as stores:
                for seed, draws in drawn.items():
                    draws.append(stores.round_draws.draw(RoundPlan(size=5, seed=seed)))
    assert drawn[1][0] == drawn[1][1]
    assert drawn[2][0] == drawn[2][1]
    assert set(drawn[1][0].pairs) != set(drawn[2][0].pairs)
    assert [pair.label for pair in drawn[1][0].pairs[:8]] != sorted(str(pair.label) for pair in drawn[1][0].pairs[:8])


def test_the_next_round_draws_what_is_missing_at_the_acceptance_measured_so_far(project: Project) -> None:
    add_pairs(project, {"ecology": dict.fromkeys(Label, 100)})
    set_rules(project, GoldRule.AGREEING, votes=1)
    plan = RoundPlan(dev=0, test=20)
    with project.transaction() as stores:
        first = draw(stores, plan)
        assert {one.drawn for one in first.strata} == {20}
        assert draw(stores, plan).pairs == ()  # the first round's may all become gold
        for number, pair in enumerate(one for one in first.pairs if one.label == C):
            answer(stores, pair.key, C if number < 10 else R)
        found = stratum(stores, "ecology", C)
        assert (found.gold, found.finished, found.kept, found.waiting) == (10, 20, 10, 0)
        second = draw(stores, plan)
        assert {Label(one.label): one.drawn for one in second.strata} == {C: 20, R: 0, E: 0, N: 0}  # ceil(10 / (11/21))


def test_pairs_that_wait_count_as_far_as_they_are_expected_to_be_kept(project: Project) -> None:
    assert RoundStratum("x", "neutral", gold=5, finished=9, kept=4, waiting=10).missing(20) == 20  # (20 - 5 - 10/2) * 2
    assert RoundStratum("x", "neutral", gold=30).missing(20) == 0
    assert RoundStratum("x", "neutral", finished=9, kept=0).missing(2) == 20


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    answers=st.lists(st.sampled_from(["anna", "ben", "somebody else", "withdrawn", ""]), min_size=10, max_size=10),
    kind=st.sampled_from([RoundKind.BENCHMARK, RoundKind.PILOT]),
)
def test_closing_a_round_frees_the_pairs_that_nobody_who_was_asked_has_answered(
    tmp_path_factory: pytest.TempPathFactory, answers: list[str], kind: RoundKind
) -> None:
    with Project.create(tmp_path_factory.mktemp("closed") / "p.pairwright") as project:
        add_pairs(project, {"ecology": {C: 12}})
        set_rules(project, votes=3)
        with project.transaction() as stores:
            first = draw(stores, RoundPlan(kind, size=10), "anna", "ben")
            for pair, who in zip(first.pairs, answers, strict=True):
                if who in ("anna", "ben", "somebody else"):
                    answer_as(stores, who, pair.key, C)
                elif who == "withdrawn":
                    stores.answers.append([NewAnswer(pair.key, "anna", AT, given) for given in (Answer.NEUTRAL, None)])
            every = RoundPlan(size=12)
            assert len(stores.round_draws.draw(every).pairs) == 2  # as long as it is open
            stores.annotation_rounds.set_open(1, False)
            used = {pair.key for pair, who in zip(first.pairs, answers, strict=True) if who in ("anna", "ben")}
            if kind is RoundKind.PILOT:
                used = {pair.key for pair in first.pairs}
            again = {pair.key for pair in draw(stores, every, "anna", "ben").pairs}
            assert again.isdisjoint(used)
            assert len(again) == 12 - len(used)
            if kind is RoundKind.BENCHMARK:
                found = stratum(stores, "ecology", C)
                assert found.waiting == len(again)
            stores.annotation_rounds.set_open(1, True)  # pairs of both rounds are counted once
            assert stratum(stores, "ecology", C).waiting <= 12
            assert stores.round_draws.draw(every).pairs == ()


def test_what_is_left_to_draw_is_counted_as_a_draw_would_find_it(project: Project) -> None:
    add_pairs(project, {"ecology": {C: 4, R: 9}, "nlp": {C: 2, N: 30}})
    with project.transaction() as stores:
        draw(stores, RoundPlan(size=2))
        found = stores.round_draws.find_shortages(Targets(0, 8), stores.round_draws.progress())
        drawn = stores.round_draws.draw(RoundPlan(dev=0, test=8))
        assert [(one.domain, one.label, one.wanted, one.available) for one in found] == [
            (one.domain, one.label, one.wanted, one.available) for one in drawn.shortages
        ]
        assert ("ecology", "contrasting", 6, 2) in [(*one[:2], one.wanted, one.available) for one in found]


def test_answered_bad_and_imported_gold_pairs_are_not_drawn(project: Project) -> None:
    found = keys(add_pairs(project, {"ecology": {C: 6}})["ecology"])
    set_rules(project, votes=2)
    with project.transaction() as stores:
        answer(stores, found[0], C, C)
        answer(stores, found[1], C, R)
        answer(stores, found[2], C)  # waits for a second vote
        answer_as(stores, "anna", found[3], C, accepted=True)
        stores._connection.exec_driver_sql("UPDATE pairs SET status = 'bad' WHERE key = ?", (found[4],))
        stores._connection.exec_driver_sql(
            'UPDATE pairs SET source = \'{"gold_label": "neutral"}\' WHERE key = ?', (found[5],)
        )
        assert {pair.key for pair in stores.round_draws.draw(RoundPlan(size=9)).pairs} == {found[2], found[3]}


def test_a_round_is_drawn_from_the_filter_and_the_domains_alone(project: Project) -> None:
    add_pairs(project, {"ecology": dict.fromkeys(Label, 5), "nlp": dict.fromkeys(Label, 5)})
    with project.read_transaction() as stores:
        drawn = stores.round_draws.draw(RoundPlan(size=9, domains=("nlp",)))
        assert Counter(pair.domain for pair in drawn.pairs) == {"nlp": 20}
        assert {one.domain for one in drawn.strata} == {"nlp"}
        drawn = stores.round_draws.draw(RoundPlan(filter=PairFilter(distant=frozenset({"neutral"})), size=2))
        assert Counter(pair.label for pair in drawn.pairs) == {"neutral": 4}
        nothing = stores.round_draws.draw(RoundPlan(size=2, domains=("physics",)))
        assert (nothing.pairs, len(nothing.shortages)) == ((), 4)


def test_an_estimate_round_draws_gold_pairs_by_their_gold_label(project: Project) -> None:
    found = keys(add_pairs(project, {"ecology": {C: 8}})["ecology"])
    with project.transaction() as stores:
        draw(stores, RoundPlan(size=8))
        for number, key in enumerate(found[:6]):
            answer(stores, key, C if number < 4 else N)
        answer_as(stores, "anna", found[6], R, accepted=True)
        plan = RoundPlan(RoundKind.ESTIMATE, size=3)
        first = draw(stores, plan)
        assert Counter(pair.label for pair in first.pairs) == {"contrasting": 3, "neutral": 2}
        second = draw(stores, plan)
        assert Counter(pair.label for pair in second.pairs) == {"contrasting": 1}


def test_an_estimate_round_takes_the_test_split_if_there_is_one(project: Project) -> None:
    found = keys(add_pairs(project, {"ecology": {C: 3}})["ecology"])
    with project.transaction() as stores:
        for key in found:
            answer(stores, key, C)
        for key, split in zip(found, ("train", "dev", "test"), strict=True):
            stores._connection.exec_driver_sql("UPDATE pairs SET split = ? WHERE key = ?", (split, key))
        drawn = stores.round_draws.draw(RoundPlan(RoundKind.ESTIMATE, size=9))
        assert [pair.key for pair in drawn.pairs] == [found[2]]
        assert stratum(stores, "ecology", C).gold == 2  # not that of the train split


def test_the_pairs_of_a_pilot_do_not_count_for_the_targets(project: Project) -> None:
    add_pairs(project, {"ecology": {C: 4}})
    with project.transaction() as stores:
        pilot = draw(stores, RoundPlan(RoundKind.PILOT, size=2))
        for pair in pilot.pairs:
            answer(stores, pair.key, C)
        found = stratum(stores, "ecology", C)
        assert (found.gold, found.finished, found.kept, found.waiting) == (0, 0, 0, 0)
        assert not set(pilot.pairs) & set(stores.round_draws.draw(RoundPlan(size=9)).pairs)


def test_votes_for_unclear_finish_a_pair_without_gold(project: Project) -> None:
    add_pairs(project, {"ecology": {C: 2}})
    set_rules(project, votes=2)
    with project.transaction() as stores:
        for pair in draw(stores, RoundPlan(size=2)).pairs:
            answer(stores, pair.key, Answer.UNCLEAR, Answer.UNCLEAR)
        found = stratum(stores, "ecology", C)
        assert (found.gold, found.finished, found.kept, found.waiting) == (0, 2, 0, 0)


def held_by(stores: Stores, *annotators: str) -> list[int]:
    """How many pairs lack votes, and how many of a sized draw for these annotators are of those."""
    drawn = stores.round_draws.draw(RoundPlan(size=9), annotators)
    return [stratum(stores, "ecology", C).lacking, drawn.lacking]


def test_pairs_of_a_round_that_asked_too_few_lack_votes_until_others_are_asked(project: Project) -> None:
    add_pairs(project, {"ecology": {C: 9}})
    set_rules(project, votes=3)
    plan = RoundPlan(dev=0, test=4, domains=("ecology",))
    with project.transaction() as stores:
        first = stores.round_draws.draw(plan, ("ada", "ben"))
        stores.annotation_rounds.add(plan, first.pairs, ("ada", "ben"), AT)
        drawn = {pair.key for pair in first.pairs}
        assert held_by(stores, "cy") == [4, 4]  # also before the two have answered
        for key in sorted(drawn):
            answer_as(stores, "ada", key, C)
            answer_as(stores, "ben", key, R)
        assert held_by(stores, "cy", "ben") == [4, 0]  # who knows them is not asked again
        assert stores.round_draws.draw(plan, ("ada", "ben")).pairs == ()
        second = stores.round_draws.draw(plan, ("cy",))
        assert ({pair.key for pair in second.pairs}, second.lacking) == (drawn, 4)
        assert [(one.wanted, one.available) for one in second.strata if one.label == C] == [(4, 9)]
        stores.annotation_rounds.add(plan, second.pairs, ("cy",), AT)
        assert held_by(stores, "dora") == [0, 0]  # cy is asked now
        answer_as(stores, "cy", sorted(drawn)[0], C)
        found = stratum(stores, "ecology", C)
        assert (found.gold, found.finished, found.waiting, found.lacking) == (1, 1, 3, 0)


def test_pairs_that_lack_votes_of_different_people_do_not_wait_for_each_other(project: Project) -> None:
    add_pairs(project, {"ecology": {C: 20}})
    set_rules(project, votes=3)
    plan = RoundPlan(dev=0, test=4, domains=("ecology",))
    with project.transaction() as stores:
        for people in (("ada", "ben"), ("ada", "cy")):
            drawn = stores.round_draws.draw(replace(plan, size=4), people).pairs
            drawn = [pair for pair in drawn if pair.label == C]
            stores.annotation_rounds.add(plan, drawn, people, AT)
            for pair in drawn:
                for who in people:
                    answer_as(stores, who, pair.key, C if who == "ada" else R)
        assert stratum(stores, "ecology", C).lacking == 8
        for_ben = stores.round_draws.draw(plan, ("ben",))
        assert (len(for_ben.pairs), for_ben.lacking) == (4, 4)  # those of cy
        stores.annotation_rounds.add(plan, for_ben.pairs, ("ben",), AT)
        assert stores.round_draws.draw(plan, ("cy",)).pairs == ()  # the target is reached without those of ben


def test_pairs_of_a_closed_round_come_first_for_others_and_are_no_longer_expected(project: Project) -> None:
    add_pairs(project, {"ecology": {C: 9}})
    set_rules(project, votes=3)
    plan = RoundPlan(dev=0, test=4, domains=("ecology",))
    with project.transaction() as stores:
        first = stores.round_draws.draw(plan, ("ada", "ben", "cy"))
        stores.annotation_rounds.add(plan, first.pairs, ("ada", "ben", "cy"), AT)
        drawn = sorted(pair.key for pair in first.pairs)
        for key in drawn[:3]:
            answer_as(stores, "ada", key, C)
            answer_as(stores, "ben", key, R)
        assert held_by(stores, "dora") == [0, 0]  # cy may still answer
        stores.annotation_rounds.set_open(1, False)
        assert stratum(stores, "ecology", C).lacking_closed == 3
        others = stores.round_draws.draw(plan, ("ada", "ben", "dora"))
        assert (len(others.pairs), others.lacking) == (4, 0)
        assert not {pair.key for pair in others.pairs} & set(drawn[:3])
        completed = stores.round_draws.draw(plan, ("dora",))
        assert (len(completed.pairs), completed.lacking) == (4, 3)
        assert {pair.key for pair in completed.pairs} > set(drawn[:3])
        shortages = stores.round_draws.find_shortages(Targets(0, 9), stores.round_draws.progress())
        assert C not in {one.label for one in shortages}  # all nine can be drawn, by those who know none of them


def test_a_vote_that_is_none_any_more_leaves_a_pair_without_its_votes(project: Project) -> None:
    add_pairs(project, {"ecology": {C: 2}})
    set_rules(project, votes=2)
    with project.transaction() as stores:
        add = stores.annotators.ensure
        ada, ben = add("Ada").key, add("Ben").key
        first = stores.round_draws.draw(RoundPlan(size=2), (ada, ben))
        stores.annotation_rounds.add(RoundPlan(size=2), first.pairs, (ada, ben), AT)
        for pair in first.pairs:
            answer_as(stores, ada, pair.key, C)
            answer_as(stores, ben, pair.key, R)
        assert held_by(stores, "cy") == [0, 0]
        stores.annotators.set_role(ben, Role.ADJUDICATOR, lambda done, total: None)
        assert held_by(stores, "cy") == [2, 2]
        found = [votes for one in stores.round_draws.progress() for votes in one.lacking_votes]
        assert found == [LackingVotes(1, frozenset({ada, ben}), frozenset({ada, ben}), True, 2)]
        assert stores.lacking_votes.within(1) == 2
