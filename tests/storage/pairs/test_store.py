"""Mining into the project: in order, without duplicates, again and again, and never at the cost of an answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime

import pytest
from sqlalchemy.exc import IntegrityError

from miner.errors import UserError
from miner.records import Answer, DropReason, Label, Pair, Strategy
from storage.annotation.answer_context import AnswerContext
from storage.annotation.answers import NewAnswer, gold_label
from storage.project import Project
from tests.storage.factories import (
    add,
    as_many,
    mine,
    mined,
    next_papers,
    pair,
    paper,
    pdf,
    remove,
    search,
    some_pairs,
    start_run,
)

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


def answer(project: Project, key: str, answer: Answer | None, who: str = "anna") -> None:
    with project.transaction() as stores:
        stores.answers.append([NewAnswer(key, who, NOW, answer, seen=AnswerContext(blind=True))])


def pairs_of(project: Project, md5: str) -> list[Pair]:
    with project.read_transaction() as stores:
        return stores.pairs.of_paper(md5)


def everything(project: Project) -> list[tuple[object, ...]]:
    """All pairs and the funnel, without the numbers that only the file knows."""
    with project.read_transaction() as stores:
        run = stores._connection.exec_driver_sql
        columns = "key, md5, current, pairs.ordinal, premise, hypothesis, strategy, distant_label"
        rows = list(run(f"SELECT {columns} FROM pairs JOIN papers ON papers.id = paper_id ORDER BY md5, key"))
        counts = "md5, strategy, outcome, reason, count"
        rows += run(f"SELECT {counts} FROM funnel JOIN papers ON papers.id = paper_id ORDER BY 1, 2, 3, 4")
        return [tuple(row) for row in rows]


def keys_by_id(project: Project) -> dict[int, str]:
    with project.read_transaction() as stores:
        return dict(stores._connection.exec_driver_sql("SELECT id, key FROM pairs").all())


def test_pairs_come_back_as_they_were_mined(project: Project) -> None:
    add(project, ["a"])
    mine(project)
    md5 = paper("a").md5
    assert pairs_of(project, md5) == list(some_pairs(md5).pairs)


def test_a_pair_of_two_papers_stays_with_the_first_and_the_funnel_says_so(project: Project) -> None:
    add(project, "abc")
    run = mine(project)
    with project.read_transaction() as stores:
        funnel = stores.mining_runs.funnel(run)
        kept = [
            sum(pair.premise == "Copyright holds." for pair in stores.pairs.of_paper(md5))
            for md5 in stores.papers.md5s()
        ]
    assert kept == [1, 0, 0]
    assert funnel.dropped == {DropReason(Strategy.LINKED, "duplicate"): 2, DropReason(Strategy.LINKED, "too_short"): 3}
    for strategy, candidates in funnel.candidates.items():
        dropped = sum(count for drop, count in funnel.dropped.items() if drop.strategy is strategy)
        assert candidates - dropped == funnel.kept[strategy]


def test_neutral_pairs_beyond_the_quota_go_evenly_the_last_first(project: Project) -> None:
    add(project, ["a"])
    [pending] = next_papers(project, start_run(project))
    neutral = (Strategy.BOTH_RANDOM, Strategy.FIRST_RANDOM, Strategy.SECOND_RANDOM)
    many = [pair(pending.md5, f"{kind} {n}.", "x.", kind, Label.NEUTRAL) for kind in neutral for n in range(4)]
    with project.transaction() as stores:
        funnel = stores.pairs.replace_for(pending, mined(many), lambda _: 5)
    left = pairs_of(project, pending.md5)
    assert Counter(pair.strategy for pair in left) == {neutral[0]: 2, neutral[1]: 2, neutral[2]: 1}
    assert [pair.premise[-2] for pair in left] == ["0", "1", "0", "1", "0"]
    assert funnel is not None
    assert funnel.dropped[DropReason(neutral[2], "over_quota")] == 3


@pytest.mark.parametrize("order", ["abcdef", "fedcba", "cafebd"])
def test_the_result_does_not_depend_on_the_order_of_arrival(project: Project, order: str) -> None:
    add(project, order[:3])
    mine(project)
    add(project, order[3:])
    mine(project)
    result = everything(project)
    with project.transaction() as stores:
        remove(stores, *stores.papers.md5s())
    add(project, "abcdef")
    mine(project)
    assert everything(project) == result
    assert project.check() == []


def test_only_papers_behind_a_change_are_mined_again(project: Project) -> None:
    names = sorted("abcdef", key=lambda name: paper(name).md5)
    add(project, [*names[:2], *names[3:]])
    run = mine(project)
    assert next_papers(project, run) == []
    add(project, [names[2]])
    assert [pending.md5 for pending in next_papers(project, run)] == [paper(name).md5 for name in names[2:]]


def test_what_is_not_a_papers_turn_any_more_is_not_stored(project: Project) -> None:
    names = sorted("abcd", key=lambda name: paper(name).md5)
    add(project, [names[0], names[2]])
    run = start_run(project)
    first, second = next_papers(project, run)
    add(project, [names[1]])
    better = paper(names[0], parser="grobid", text="GROBID reads. However, better.")
    with project.transaction() as stores:
        stores.papers.save(better, pdf(names[0]))
        assert stores.pairs.replace_for(first, some_pairs(first.md5), as_many) is None
        assert stores.pairs.replace_for(second, some_pairs(second.md5), as_many) is None
        assert stores.pairs.count() == 0
        assert not stores.mining_runs.finish(run)


def test_a_run_with_other_settings_mines_everything_again(project: Project) -> None:
    add(project, "ab")
    first = mine(project, "one")
    second = start_run(project, "two")
    assert len(next_papers(project, second)) == 2
    with pytest.raises(UserError, match="other settings"):
        next_papers(project, first)
    start_run(project, "one")
    assert len(next_papers(project, first)) == 2


def test_mining_twice_changes_nothing(project: Project) -> None:
    add(project, "abc")
    mine(project, "one")
    before = everything(project)
    mine(project, "two")
    assert everything(project) == before
    assert project.check() == []


def store(project: Project, md5: str, found: Sequence[Pair], id: str) -> None:
    run = start_run(project, id)
    with project.transaction() as stores:
        [pending] = stores.mining_runs.next_papers(run)
        assert stores.pairs.replace_for(pending, mined(found), as_many) is not None


def test_the_id_of_a_pair_that_is_gone_is_given_to_no_other(project: Project) -> None:
    add(project, "ab")
    mine(project)
    ids = keys_by_id(project)
    with project.transaction() as stores:
        remove(stores, *stores.papers.md5s())
    add(project, "cd")
    mine(project)
    assert ids
    assert not ids.keys() & keys_by_id(project).keys()


def test_an_answered_pair_outlives_settings_that_do_not_find_it_and_comes_back(project: Project) -> None:
    add(project, ["a"])
    md5 = paper("a").md5
    found = some_pairs(md5).pairs
    store(project, md5, found, "one")
    answer(project, found[0].key, Answer.NEUTRAL)
    store(project, md5, found[1:2], "two")
    assert pairs_of(project, md5) == [found[1]]
    with project.read_transaction() as stores:
        assert stores.pairs.get(found[0].key) == found[0]
        with pytest.raises(KeyError):
            stores.pairs.get(found[2].key)
    store(project, md5, found, "three")
    assert pairs_of(project, md5) == list(found)
    with project.read_transaction() as stores:
        assert stores.answers.of_pair(found[0].key) == {"anna": Answer.NEUTRAL}
    assert project.check() == []


def test_a_better_parse_takes_the_pairs_of_the_old_prose_but_no_answered_one(project: Project) -> None:
    add(project, ["a"])
    mine(project)
    md5 = paper("a").md5
    key = pairs_of(project, md5)[0].key
    answer(project, key, Answer.REASONING)
    with project.transaction() as stores:
        stores.papers.save(paper("a", parser="grobid", text="GROBID reads. However, better."), pdf("a"))
        assert stores.pairs.of_paper(md5) == []
        assert stores.pairs.get(key).key == key


def test_search_finds_words_of_either_sentence_and_follows_every_change(project: Project) -> None:
    add(project, ["a"])
    md5 = paper("a").md5
    store(project, md5, [pair(md5, "Müller grows kelp.", "However, it dies.")], "one")
    with project.read_transaction() as stores:
        assert len(search(stores, "muller DIES")) == 1
        assert search(stores, '" OR *') == []
    store(project, md5, [pair(md5, "Moss grows.", "However, it dies.")], "two")
    with project.read_transaction() as stores:
        assert [len(search(stores, word)) for word in ("kelp", "moss")] == [0, 1]
    with project.transaction() as stores:
        remove(stores, md5)
        assert search(stores, "moss") == []
    assert project.check() == []


def test_mining_the_same_pairs_by_another_run_leaves_the_full_text_index_alone(project: Project) -> None:
    add(project, "ab")
    indexes = []
    for run in ("one", "two"):
        mine(project, run)
        with project.read_transaction() as stores:
            indexes.append(
                stores._connection.exec_driver_sql("SELECT id, block FROM pairs_text_data ORDER BY id").all()
            )
    assert indexes[0] == indexes[1]
    assert project.check() == []


def test_phrases_are_counted(project: Project) -> None:
    add(project, "ab")
    mine(project)
    with project.read_transaction() as stores:
        assert stores.pairs.phrase_counts() == [
            ("However", "contrasting", 3),
            ("However", "entailment", 2),
            ("However", "reasoning", 2),
        ]


def test_the_history_keeps_every_answer_with_what_was_there_before(project: Project) -> None:
    for given in (Answer.NEUTRAL, Answer.UNCLEAR, None):
        answer(project, "k", given)
    answer(project, "k", Answer.REASONING, "ben")
    with project.read_transaction() as stores:
        history = stores.answers.history("k")
        assert [(event.old, event.new) for event in history[:3]] == [
            (None, Answer.NEUTRAL),
            (Answer.NEUTRAL, Answer.UNCLEAR),
            (Answer.UNCLEAR, None),
        ]
        assert history[0].at == NOW
        assert history[0].seen == AnswerContext(blind=True)
        assert stores.answers.of_pair("k") == {"ben": Answer.REASONING}


@pytest.mark.parametrize("statement", ["DELETE FROM label_events", "UPDATE label_events SET new = 'neutral'"])
def test_no_answer_can_be_changed_or_deleted(project: Project, statement: str) -> None:
    answer(project, "k", Answer.REASONING)
    with pytest.raises(IntegrityError, match="append-only"), project.transaction() as stores:
        stores._connection.exec_driver_sql(statement)
    with project.read_transaction() as stores:
        assert len(stores.answers.history("k")) == 1


@pytest.mark.parametrize(
    ("answers", "gold"),
    [
        ("", None),
        ("n", Label.NEUTRAL),
        ("nr", None),
        ("nnr", Label.NEUTRAL),
        ("nnrr", None),
        ("uun", None),
        ("unn", Label.NEUTRAL),
        ("nrc", None),
    ],
)
def test_gold_is_what_more_than_half_say(answers: str, gold: Label | None) -> None:
    words = {"n": Answer.NEUTRAL, "r": Answer.REASONING, "c": Answer.CONTRASTING, "u": Answer.UNCLEAR}
    assert gold_label([words[letter] for letter in answers]) is gold
