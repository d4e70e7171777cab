"""The one definition of gold: exports, evaluation, training and counts follow the rule alike."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from miner.records import Answer, Label
from storage.annotation.annotation_rounds import RoundKind, RoundPair, RoundPlan
from storage.annotation.annotators import Role
from storage.dataset.candidates import count_candidates, select_candidates
from storage.dataset.export_options import ExportOptions, Preset
from storage.dataset.gold_rule import GoldDifference, GoldRule
from storage.exchange.annotations_file import annotation_lines, read_annotations, store_annotations
from storage.exchange.export_rows import JSON, REASON, read_batches
from storage.pairs import judgement
from storage.pairs.filters import NOT_BAD, PairFilter, PairStatus
from storage.project import Project
from storage.stores import Stores
from tests.storage.annotation.round_factory import (
    AT,
    C,
    E,
    N,
    R,
    add_pairs,
    add_people,
    answer,
    answer_as,
    keys,
    set_rules,
)
from tests.storage.factories import mined, start_run


@pytest.fixture
def answered(project: Project) -> tuple[Project, list[str]]:
    """Pairs with the distant label contrasting: gold agrees, gold differs, no majority, accepted, open."""
    found = keys(add_pairs(project, {"ecology": {C: 5}})["ecology"])
    with project.transaction() as stores:
        answer(stores, found[0], C, C, R)
        answer(stores, found[1], N, C, N)
        answer(stores, found[2], C, R, E)
        answer_as(stores, "anna", found[3], R, accepted=True)
    return project, found


@pytest.mark.parametrize("rule", GoldRule)
def test_every_reader_of_gold_follows_the_rule(answered: tuple[Project, list[str]], rule: GoldRule) -> None:
    project, found = answered
    set_rules(project, rule, votes=3)
    agreeing = rule is GoldRule.AGREEING
    with project.read_transaction() as stores:
        evaluated = {pair.key: pair.label.value for pair in stores.labelled_pairs.answered()}
        trained = {pair.key: pair.label.value for pair in stores.training_runs.examples(distant=False, answers=True)}
        count = stores.gold.count()
        differences = stores.gold.differences()
    kept = {found[0]: "contrasting"} | ({} if agreeing else {found[1]: "neutral"})
    assert evaluated == kept
    assert trained == kept | ({} if agreeing else {found[3]: "reasoning"})
    assert count == len(kept)
    assert differences == [GoldDifference("ecology", "contrasting", "neutral", 1)]
    with project.transaction() as stores:
        select_candidates(stores._connection, ExportOptions(settled=True))
        left_out = count_candidates(stores._connection).left_out
    assert left_out == {"no_majority": 1, "not_settled": 1} | ({"gold_differs": 2} if agreeing else {})


def test_training_reads_no_distant_label_that_people_have_rejected(answered: tuple[Project, list[str]]) -> None:
    project, found = answered
    set_rules(project, GoldRule.AGREEING, votes=3)
    with project.read_transaction() as stores:
        trained = {pair.key: pair.source for pair in stores.training_runs.examples(distant=True, answers=True)}
    assert trained == {found[0]: "answer", found[4]: "distant"}


def test_the_gold_label_of_a_file_counts_until_somebody_answers(project: Project, tmp_path: Path) -> None:
    [key] = keys(add_pairs(project, {"ecology": {C: 1}})["ecology"])
    with project.transaction() as stores:
        stores._connection.exec_driver_sql('UPDATE pairs SET source = \'{"gold_label": "neutral"}\'')
        judgement.refresh(stores._connection, [key])
        assert [pair.label.value for pair in stores.labelled_pairs.answered()] == ["neutral"]
        answer(stores, key, Answer.UNCLEAR)
        assert stores.gold.count() == 0


def exported(stores: Stores) -> tuple[dict[str, dict[str, str]], dict[str, str]]:
    """The rows of a full export by key, and why the other pairs are left out."""
    options = ExportOptions(preset=Preset.FULL)
    select_candidates(stores._connection, options)
    everything = [row for batch in read_batches(stores._connection, options) for row in batch]
    rows = [json.loads(row[JSON]) for row in everything if row[REASON] is None]
    reasons = stores._connection.exec_driver_sql("SELECT key, reason FROM candidates WHERE reason IS NOT NULL")
    return {row["pairID"]: row for row in rows}, dict(map(tuple, reasons))


def found(stores: Stores, **conditions: object) -> set[str]:
    return set(stores.pair_table.keys(stores.pair_table.ids(PairFilter(**conditions))))  # type: ignore[arg-type]


def assert_one_definition(stores: Stores) -> None:
    """Every reader of gold labels says the same of every pair."""
    gold = {pair.key: str(pair.label) for pair in stores.labelled_pairs.answered()}
    rows, reasons = exported(stores)
    accepted = found(stores, accepted=True)
    in_file = {key: row["gold_label"] for key, row in rows.items() if row.get("gold_label") and key not in accepted}
    assert gold == in_file
    assert stores.gold.count() == len(gold)
    assert set(gold) == found(stores, statuses=frozenset({PairStatus.SETTLED})) - accepted
    for label in Label:
        assert found(stores, labels=frozenset({label}), statuses=NOT_BAD) == {
            key
            for key in (*rows, *reasons)
            if rows.get(key, {}).get("label") == label
            or (reasons.get(key) == "pilot" and key in found(stores, distant=frozenset({label})))
        }
        assert found(stores, gold=frozenset({label}), accepted=False, statuses=NOT_BAD) == {
            key for key, value in gold.items() if value == label
        }
    discarded = found(stores, statuses=frozenset({PairStatus.DISCARDED}))
    assert discarded == {key for key, reason in reasons.items() if reason == "gold_differs"}
    assert discarded.isdisjoint(gold)
    assert discarded <= found(stores, disagrees=True)
    voted = {pair.key: pair.gold and str(pair.gold) for pair in stores.votes.answered(PairFilter())}
    assert {key: label for key, label in voted.items() if label} == {key: gold[key] for key in voted if key in gold}
    counts = stores.statistics.counts()
    assert sum(row.pairs for row in counts if row.status == "settled" and not row.accepted) == len(gold)
    assert sum(row.pairs for row in counts if row.status == "discarded") == len(discarded)
    trained = {pair.key: pair.label for pair in stores.training_runs.examples(distant=False, answers=True)}
    assert {key: label for key, label in trained.items() if key not in accepted} == gold


VOTES = st.lists(st.sampled_from(list(Answer)), max_size=4)


@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    votes=st.lists(VOTES, min_size=6, max_size=6),
    accepted=st.sets(st.integers(0, 5)),
    pilot=st.sets(st.integers(0, 5)),
    first=st.sampled_from(GoldRule),
    second=st.sampled_from(GoldRule),
    needed=st.integers(1, 3),
)
def test_whatever_people_answer_every_page_export_and_training_has_the_same_gold(
    tmp_path_factory: pytest.TempPathFactory,
    votes: list[list[Answer]],
    accepted: set[int],
    pilot: set[int],
    first: GoldRule,
    second: GoldRule,
    needed: int,
) -> None:
    with Project.create(tmp_path_factory.mktemp("gold") / "p.pairwright") as project:
        pairs = keys(add_pairs(project, {"ecology": {C: 3, N: 3}})["ecology"])
        add_people(project, {"annotator 4": Role.EXPERT})
        set_rules(project, first, votes=needed)
        with project.transaction() as stores:
            for number, (key, given_answers) in enumerate(zip(pairs, votes, strict=True)):
                answer(stores, key, *given_answers)
                if number in accepted:
                    answer_as(stores, "ada", key, R, accepted=True)
            drawn = [RoundPair(pairs[number], "ecology", None) for number in sorted(pilot)]
            stores.annotation_rounds.add(RoundPlan(kind=RoundKind.PILOT), drawn, ["annotator 1"], AT)
        for rule in (first, second):
            set_rules(project, rule, votes=needed)
            with project.transaction() as stores:
                assert_one_definition(stores)
                settled = found(stores, statuses=frozenset({PairStatus.SETTLED, PairStatus.DISCARDED}))
                assert settled.isdisjoint(pairs[number] for number in pilot)


def test_what_the_rule_discards_is_counted_filtered_and_kept(answered: tuple[Project, list[str]]) -> None:
    project, pairs = answered
    set_rules(project, GoldRule.AGREEING, votes=3)
    with project.transaction() as stores:
        assert found(stores, statuses=frozenset({PairStatus.DISCARDED})) == {pairs[1], pairs[3]}
        assert found(stores, labels=frozenset({"neutral"})) == found(stores, gold=frozenset({"neutral"})) == set()
        [row] = stores.pair_table.rows(stores.pair_table.ids_of([pairs[1]]))
        assert (row.label, row.gold, row.status) == ("", "", PairStatus.DISCARDED)
        assert len(stores.answers.of_pair(pairs[1])) == 3
    set_rules(project, GoldRule.MAJORITY, votes=3)
    with project.read_transaction() as stores:
        [row] = stores.pair_table.rows(stores.pair_table.ids_of([pairs[1]]))
        assert (row.label, row.gold, row.status) == ("neutral", "neutral", PairStatus.SETTLED)


def test_the_gold_label_of_a_file_is_discarded_by_the_same_rule(project: Project) -> None:
    [key] = keys(add_pairs(project, {"ecology": {C: 1}})["ecology"])
    with project.transaction() as stores:
        stores._connection.exec_driver_sql('UPDATE pairs SET source = \'{"gold_label": "neutral"}\'')
        judgement.refresh(stores._connection, [key])
    for rule, label in ((GoldRule.MAJORITY, "neutral"), (GoldRule.AGREEING, ""), (GoldRule.MAJORITY, "neutral")):
        set_rules(project, rule)
        with project.read_transaction() as stores:
            [row] = stores.pair_table.rows(stores.pair_table.ids_of([key]))
            assert (row.label, row.gold) == (label, label)


def test_answers_to_a_pilot_round_are_no_votes_and_its_pairs_are_in_no_export(project: Project) -> None:
    pairs = keys(add_pairs(project, {"ecology": {C: 2}})["ecology"])
    set_rules(project, votes=3)
    with project.transaction() as stores:
        answer(stores, pairs[0], C, C)
        stores.annotation_rounds.add(
            RoundPlan(kind=RoundKind.PILOT), [RoundPair(pairs[0], "ecology", "contrasting")], ["annotator 1"], AT
        )
        answer(stores, pairs[0], C, C, C)
        answer(stores, pairs[1], C, C, C)
        assert stores.gold.count() == 1
        assert found(stores, statuses=frozenset({PairStatus.SETTLED})) == {pairs[1]}
        assert [pair.key for pair in stores.votes.answered(PairFilter())] == [pairs[1]]
        rows, reasons = exported(stores)
        assert (set(rows), reasons) == ({pairs[1]}, {pairs[0]: "pilot"})


def test_a_distant_label_that_changes_when_pairs_are_mined_again_is_held_against_the_gold_label(
    project: Project,
) -> None:
    [one] = add_pairs(project, {"ecology": {C: 1}})["ecology"]
    set_rules(project, GoldRule.AGREEING, votes=3)
    with project.transaction() as stores:
        answer(stores, one.key, C, C, C)
    for label, expected in ((R, PairStatus.DISCARDED), (C, PairStatus.SETTLED)):
        run = start_run(project, f"run as {label}")
        with project.transaction() as stores:
            [pending] = stores.mining_runs.next_papers(run, limit=9)
            stores.pairs.replace_for(pending, mined([replace(one, distant_label=label)]), lambda linked: 1000)
            [row] = stores.pair_table.rows(stores.pair_table.ids_of([one.key]))
            assert (row.distant, row.status) == (str(label), expected)


def test_pilots_and_their_answers_travel_with_a_data_set(project: Project, tmp_path: Path) -> None:
    pairs = keys(add_pairs(project, {"ecology": {C: 3}})["ecology"])
    with project.transaction() as stores:
        drawn = [RoundPair(key, "ecology", None) for key in pairs[:2]]
        stores.annotation_rounds.add(RoundPlan(kind=RoundKind.PILOT), drawn, ["annotator 1"], AT)
        for key in pairs:
            answer(stores, key, C, C)
        before = exported(stores)
        lines = list(annotation_lines(stores._connection, ExportOptions()))
    file = tmp_path / "annotations.json"
    file.write_bytes(b"[\n" + b",\n".join(lines) + b"\n]\n")
    with Project.create(tmp_path / "rebuilt.pairwright") as rebuilt:
        with rebuilt.transaction() as stores:
            store_annotations(stores._connection, read_annotations(file))
        add_pairs(rebuilt, {"ecology": {C: 3}})
        with rebuilt.transaction() as stores:
            assert exported(stores)[1] == before[1] == dict.fromkeys(pairs[:2], "pilot")
            assert stores.gold.count() == 1
            assert stores.annotation_rounds.all()[0].plan.kind is RoundKind.PILOT
