"""Mended sentences: what holds, what is kept, and what follows them."""

from __future__ import annotations

import itertools
import random
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from miner.errors import UserError
from miner.mining.identity import sentence_hash
from miner.mining.pair_values import pair_values
from miner.records import Label, Pair, Strategy
from storage.annotation.history import ReversalResult
from storage.annotation.texts import MAX_SENTENCE_LENGTH, PairTexts, read_sentence
from storage.models.registry import ModelKind
from storage.models.suggestions import NewSuggestion
from storage.pairs.filters import PairFilter, PairStatus
from storage.pairs.mended_texts import SentenceField
from storage.project import Project
from tests.storage.factories import add, as_many, mine, mined, next_papers, paper, remove, search, some_pairs, start_run

PREMISE, HYPOTHESIS = SentenceField.PREMISE, SentenceField.HYPOTHESIS
A = paper("a").md5
PAIR = some_pairs(A).pairs[0]
KEY = PAIR.key
MINED = PairTexts(PAIR.premise, PAIR.hypothesis, PAIR.premise, PAIR.hypothesis)
_ticks = itertools.count()


def now() -> datetime:
    return datetime(2026, 1, 2, tzinfo=UTC) + timedelta(seconds=next(_ticks))


@pytest.fixture
def mined_project(project: Project) -> Project:
    add(project, ["a"])
    mine(project)
    return project


def mend(project: Project, key: str = KEY, who: str = "anna", **texts: str | None) -> int:
    with project.transaction() as stores:
        action = stores.actions.begin(who, "Mend", now())
        given = {SentenceField(field): text for field, text in texts.items()}
        return stores.texts.mend(key, who, given, now(), action=action)


def undo(project: Project, who: str = "anna") -> ReversalResult:
    with project.transaction() as stores:
        done = stores.actions.undo(who, now())
    assert done is not None
    return done


def redo(project: Project, who: str = "anna") -> ReversalResult:
    with project.transaction() as stores:
        done = stores.actions.redo(who, now())
    assert done is not None
    return done


def texts(project: Project, key: str = KEY) -> PairTexts:
    with project.read_transaction() as stores:
        return stores.texts.of_pair(key)


def column(project: Project, name: str, key: str = KEY) -> object:
    with project.read_transaction() as stores:
        return stores._connection.exec_driver_sql(f"SELECT {name} FROM pairs WHERE key = ?", (key,)).scalar_one()


def mine_again(project: Project, *pairs: Pair) -> None:
    """Have the paper mined with other settings, which give these pairs."""
    with project.transaction() as stores:
        stores._connection.exec_driver_sql("UPDATE mining_runs SET mined_to = ''")
    for pending in next_papers(project, start_run(project, f"run {next(_ticks)}")):
        with project.transaction() as stores:
            assert stores.pairs.replace_for(pending, mined(pairs), as_many) is not None


def test_a_mended_sentence_holds_and_the_mined_one_stays(mined_project: Project) -> None:
    assert texts(mined_project) == MINED
    assert not MINED.is_mended
    assert column(mined_project, "edited") == 0
    assert mend(mined_project, premise="The premise is whole now.") == 1
    found = texts(mined_project)
    assert found == replace(MINED, premise="The premise is whole now.")
    assert found.is_mended
    assert column(mined_project, "edited") == 1
    with mined_project.read_transaction() as stores:
        [event] = stores.texts.history(KEY)
        assert (event.field, event.old, event.new) == (PREMISE, PAIR.premise, "The premise is whole now.")
        assert stores.pairs.get(KEY).premise == "The premise is whole now."


def test_the_same_text_is_no_change(mined_project: Project) -> None:
    assert mend(mined_project, premise=PAIR.premise, hypothesis=None) == 0
    with mined_project.read_transaction() as stores:
        assert stores.texts.history(KEY) == []


@pytest.mark.parametrize("back", [None, PAIR.premise])
def test_back_to_the_mined_text_clears_the_mark(mined_project: Project, back: str | None) -> None:
    mend(mined_project, premise="Other.")
    assert mend(mined_project, premise=back) == 1
    assert texts(mined_project) == MINED
    assert column(mined_project, "edited") == 0
    with mined_project.read_transaction() as stores:
        assert [event.new for event in stores.texts.history(KEY)] == ["Other.", None]


def test_an_unknown_pair_cannot_be_mended(mined_project: Project) -> None:
    with pytest.raises(KeyError):
        mend(mined_project, "0" * 32, premise="Other.")


def test_counts_and_search_follow_the_mended_text_but_the_hashes_do_not(mined_project: Project) -> None:
    before = column(mined_project, "premise_hash")
    mend(mined_project, premise="zebra four five words", hypothesis="five zebra")
    assert [column(mined_project, name) for name in ("premise_words", "hypothesis_words", "overlap")] == [4, 2, 100]
    with mined_project.read_transaction() as stores:
        assert [row.key for row in search(stores, "zebra five")] == [KEY]
    assert column(mined_project, "premise_hash") == before == sentence_hash(PAIR.premise)
    assert mined_project.check() == []
    mend(mined_project, premise=None, hypothesis=None)
    assert column(mined_project, "premise_words") == 3
    with mined_project.read_transaction() as stores:
        assert search(stores, "zebra five") == []
    assert mined_project.check() == []


def test_undo_and_redo_go_through_all_texts(mined_project: Project) -> None:
    mend(mined_project, premise="One.", hypothesis="first")
    mend(mined_project, premise="Two.")
    mend(mined_project, premise=None)
    expected = [("Two.", "first"), ("One.", "first"), (PAIR.premise, PAIR.hypothesis)]
    for wanted in expected:
        done = undo(mined_project)
        assert (done.count, done.keys, done.texts) == (1, (KEY,), True)
        assert (texts(mined_project).premise, texts(mined_project).hypothesis) == wanted
    assert column(mined_project, "edited") == 0
    for wanted in [*reversed(expected[:-1]), (PAIR.premise, "first")]:
        assert redo(mined_project).texts
        assert (texts(mined_project).premise, texts(mined_project).hypothesis) == wanted


def test_what_somebody_else_mended_since_is_not_undone(mined_project: Project) -> None:
    mend(mined_project, premise="Anna's.", hypothesis="anna's")
    mend(mined_project, who="ben", premise="Ben's.")
    done = undo(mined_project)
    assert done.title == "Mend. A sentence was mended again meanwhile and stayed as now."
    assert done.count == 1
    assert (texts(mined_project).premise, texts(mined_project).hypothesis) == ("Ben's.", PAIR.hypothesis)
    undo(mined_project, "ben")
    assert texts(mined_project).premise == "Anna's."


def test_a_mended_pair_has_no_suggestion_until_the_next_run(mined_project: Project) -> None:
    with mined_project.transaction() as stores:
        model = stores.models.enter("d1", "small", ModelKind.FOLDER, "/models/small", {}, None)
        run = stores.suggestions.begin(model, 1.0, arithmetic="cpu fp32", program="1", at=now())
        found = stores.suggestions.missing(run)
        stores.suggestions.put(run, [NewSuggestion(one, (0.1, 0.2, 0.3, 0.4)) for one in found])
        stores.suggestions.complete(run, now())
        assert stores.suggestions.count_missing(run) == 0
    mend(mined_project, premise="Another.")
    with mined_project.read_transaction() as stores:
        assert [one.premise for one in stores.suggestions.missing(run)] == ["Another."]
        assert stores.suggestions.count_missing(run) == 1


def test_a_mended_sentence_survives_mining_again(mined_project: Project) -> None:
    mend(mined_project, hypothesis="whole")
    pairs = some_pairs(A).pairs
    mine_again(mined_project, *pairs)
    assert texts(mined_project) == replace(MINED, hypothesis="whole")
    # Mined with another casing: the mended text holds, and the mined text is the new one.
    mine_again(mined_project, replace(PAIR, hypothesis="ZERO."), *pairs[1:])
    assert texts(mined_project) == replace(MINED, hypothesis="whole", mined_hypothesis="ZERO.")
    mend(mined_project, hypothesis=None)
    assert texts(mined_project).hypothesis == "ZERO."
    mine_again(mined_project, *pairs)
    assert texts(mined_project) == MINED
    assert mined_project.check() == []


def test_mining_the_text_that_a_person_wrote_makes_it_the_mined_one(mined_project: Project) -> None:
    mend(mined_project, hypothesis="ZERO.")
    mine_again(mined_project, replace(PAIR, hypothesis="ZERO."))
    assert texts(mined_project) == replace(MINED, hypothesis="ZERO.", mined_hypothesis="ZERO.")
    assert column(mined_project, "edited") == 0


def test_mining_the_same_again_writes_nothing_of_a_mended_pair(mined_project: Project) -> None:
    mend(mined_project, hypothesis="whole")
    with mined_project.transaction() as stores:
        connection = stores._connection
        paper_id, run = connection.exec_driver_sql("SELECT paper_id, run FROM pairs LIMIT 1").one()
        rows = [
            pair_values(one) | {"paper_id": paper_id, "run": run, "current": True, "ordinal": ordinal}
            for ordinal, one in enumerate(some_pairs(A).pairs)
        ]
        before = connection.exec_driver_sql("SELECT total_changes()").scalar_one()
        stores.pairs._replace(paper_id, rows)
        assert connection.exec_driver_sql("SELECT total_changes()").scalar_one() == before


def test_a_mended_pair_that_is_no_longer_mined_is_kept_and_comes_back_mended(mined_project: Project) -> None:
    mend(mined_project, premise="Whole.")
    mine_again(mined_project, *some_pairs(A).pairs[1:])
    with mined_project.read_transaction() as stores:
        [row] = stores.pair_table.rows(stores.pair_table.ids(PairFilter(statuses=frozenset([PairStatus.GONE]))))
    assert (row.key, row.premise) == (KEY, "Whole.")
    mine_again(mined_project, *some_pairs(A).pairs)
    assert column(mined_project, "current") == 1
    assert texts(mined_project) == replace(MINED, premise="Whole.")


def test_a_mended_pair_comes_back_with_its_paper(mined_project: Project) -> None:
    mend(mined_project, premise="Whole.")
    with mined_project.transaction() as stores:
        stores.paper_removals.remove(stores.actions.begin("anna", "Remove", now()), [A])
    with mined_project.read_transaction() as stores, pytest.raises(KeyError):
        stores.texts.of_pair(KEY)
    undo(mined_project)
    assert texts(mined_project) == replace(MINED, premise="Whole.")
    assert column(mined_project, "edited") == 1
    undo(mined_project)
    assert texts(mined_project) == MINED
    assert mined_project.check() == []


def test_a_mended_pair_comes_back_when_its_paper_is_added_and_mined_again(mined_project: Project) -> None:
    mend(mined_project, premise="Whole.")
    with mined_project.transaction() as stores:
        remove(stores, A)
    undo(mined_project)  # the mend, while the pair is not there
    redo(mined_project)
    add(mined_project, ["a"])
    mine(mined_project, "again")
    assert texts(mined_project) == replace(MINED, premise="Whole.")
    assert column(mined_project, "premise_words") == 1


def test_mending_does_not_change_what_is_mined_from_other_papers(project: Project) -> None:
    add(project, "ab")
    mine(project)
    shared = next(pair for pair in some_pairs(min(A, paper("b").md5)).pairs if pair.premise == "Copyright holds.")
    with project.read_transaction() as stores:
        before = stores.pairs.counts()
    mend(project, shared.key, premise="Another.")
    mine(project, "again")
    with project.read_transaction() as stores:
        assert stores.pairs.counts() == before


def test_pairs_are_filtered_and_counted_by_whether_they_are_mended(mined_project: Project) -> None:
    mend(mined_project, premise="Whole.")
    with mined_project.read_transaction() as stores:
        table = stores.pair_table
        [row] = table.rows(table.ids(PairFilter(edited=True)))
        assert (row.key, row.edited) == (KEY, True)
        assert {row.edited for row in table.rows(table.ids(PairFilter(edited=False)))} == {False}
        counts = {count.value: count.pairs for count in table.facet_counts(PairFilter(), "edited")}
    assert counts == {True: 1, False: len(some_pairs(A).pairs) - 1}


@pytest.mark.parametrize(
    ("given", "read"),
    [
        ("  copied\n from\ttwo lines ", "copied from two lines"),
        ("e\u0301tude\u200b \x07bell", "étude bell"),
        ("x" * MAX_SENTENCE_LENGTH, "x" * MAX_SENTENCE_LENGTH),
    ],
)
def test_a_sentence_is_one_line_of_plain_text(given: str, read: str) -> None:
    assert read_sentence(given, PREMISE) == read


@pytest.mark.parametrize("given", ["", " \n\u200b", "\x00", "x" * (MAX_SENTENCE_LENGTH + 1)])
def test_no_text_or_too_much_is_refused(given: str) -> None:
    with pytest.raises(UserError, match="The hypothesis"):
        read_sentence(given, HYPOTHESIS)


@given(st.text(max_size=40))
def test_reading_a_sentence_twice_changes_nothing(text: str) -> None:
    try:
        read = read_sentence(text, PREMISE)
    except UserError:
        return
    assert read_sentence(read, PREMISE) == read
    assert "\n" not in read


@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 2**32), steps=st.integers(1, 12))
def test_what_holds_is_what_was_done_and_not_undone(
    tmp_path_factory: pytest.TempPathFactory, seed: int, steps: int
) -> None:
    """One person mends, undoes, redoes and mines again, against a list of states in plain Python."""
    draw = random.Random(seed)
    path: Path = tmp_path_factory.mktemp("texts") / "x.pairwright"
    with Project.create(path) as project:
        add(project, ["a"])
        mine(project)
        states: list[dict[SentenceField, str | None]] = [{PREMISE: None, HYPOTHESIS: None}]
        at, mined_hypothesis = 0, PAIR.hypothesis
        for _ in range(steps):
            match draw.choice(["mend", "mend", "undo", "redo", "mine"]):
                case "mend":
                    field, text = draw.choice(list(SentenceField)), draw.choice([None, "One.", "Two."])
                    if mend_or_discard(project, field, text):
                        states[at + 1 :] = [{**states[at], field: text}]
                        at += 1
                case "undo" if at:
                    undo(project)
                    at -= 1
                case "redo" if at + 1 < len(states):
                    redo(project)
                    at += 1
                case "mine":
                    mined_hypothesis = draw.choice(["zero", "Zero"])
                    mine_again(project, replace(PAIR, hypothesis=mined_hypothesis))
            wanted = states[at]
            expected = PairTexts(
                wanted[PREMISE] or PAIR.premise, wanted[HYPOTHESIS] or mined_hypothesis, PAIR.premise, mined_hypothesis
            )
            assert texts(project) == expected
            assert column(project, "edited") == expected.is_mended


def mend_or_discard(project: Project, field: SentenceField, text: str | None) -> bool:
    with project.transaction() as stores:
        action = stores.actions.begin("anna", "Mend", now())
        changed = stores.texts.mend(KEY, "anna", {field: text}, now(), action=action)
        if not changed:
            stores.actions.discard(action)
    return bool(changed)


def test_the_pair_is_still_what_it_was(mined_project: Project) -> None:
    """Its key, label, phrase and place are not touched."""
    mend(mined_project, premise="Whole.", hypothesis="whole too")
    with mined_project.read_transaction() as stores:
        found = stores.pairs.get(KEY)
    assert found == replace(PAIR, premise="Whole.", hypothesis="whole too")
    assert (found.distant_label, found.strategy) == (Label.CONTRASTING, Strategy.LINKED)
