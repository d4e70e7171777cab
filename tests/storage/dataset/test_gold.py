"""The one definition of gold: exports, evaluation, training and counts follow the rule alike."""

from __future__ import annotations

from pathlib import Path

import pytest

from miner.records import Answer
from storage.dataset.candidates import count_candidates, select_candidates
from storage.dataset.gold import GoldDifference, GoldRule
from storage.dataset.options import ExportOptions
from storage.project import Project
from tests.storage.annotation.round_factory import C, E, N, R, add_pairs, answer, answer_as, keys, set_rules


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
        assert [pair.label.value for pair in stores.labelled_pairs.answered()] == ["neutral"]
        answer(stores, key, Answer.UNCLEAR)
        assert stores.gold.count() == 0
