"""The project's split: papers are assigned one by one, and everything follows from it."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from miner.journals import journal_stem
from miner.records import Answer
from miner.split_suggestion import PaperYield, suggest_split, wanted_pairs
from miner.splits import PaperSplit, PaperSplitter, shares_split
from miner.year_ranges import read_year_ranges
from storage.annotation.annotation_rounds import RoundKind, RoundPlan
from storage.dataset.candidates import count_candidates, select_candidates
from storage.dataset.export_options import ExportOptions, SplitOptions
from storage.dataset.gold_rule import GoldRule, GoldRules
from storage.dataset.split_counts import SplitCountStore
from storage.models.training_parts import TrainingPart
from storage.pairs import paper_splits
from storage.project import Project
from storage.settings import GOLD, GOLD_EVERYWHERE
from storage.stores import Stores
from tests.split_factory import hold_out_all, split_papers
from tests.storage.annotation.round_factory import C, E, N, R, add_pairs, answer, answer_as, keys, set_rules
from tests.storage.factories import mine, paper, pdf

MD5S = st.text("0123456789abcdef", min_size=8, max_size=8)


@given(md5=MD5S, seed=st.integers(0, 9), dev=st.integers(0, 40), test=st.integers(0, 40), more=st.integers(0, 19))
def test_a_larger_share_takes_papers_from_train_alone(md5: str, seed: int, dev: int, test: int, more: int) -> None:
    def split_of(dev: int, test: int) -> str | None:
        return PaperSplitter(shares_split(100 - dev - test, dev, test, seed=seed)).split_of(md5, "x", None)

    before = split_of(dev, test)
    assert split_of(dev + more, test) in (before, "dev")
    assert split_of(dev, test + more) in (before, "test")
    if before in ("dev", "test"):
        assert split_of(dev + more, test) == split_of(dev, test + more) == before


def test_shares_are_met_by_many_papers() -> None:
    splitter = PaperSplitter(shares_split(70, 10, 20))
    found = Counter(splitter.split_of(f"{number:032x}", "x", None) for number in range(10_000))
    for split, share in {"train": 0.7, "dev": 0.1, "test": 0.2}.items():
        assert found[split] / 10_000 == pytest.approx(share, abs=0.01)


def test_years_and_domains_have_ranges_of_their_own() -> None:
    ranges = read_year_ranges(["nlp: train -2018, test 2019-", "law: dev", "train"])
    splitter = PaperSplitter(PaperSplit(ranges))
    found = [splitter.split_of("a", *one) for one in (("NLP", 2018), ("nlp", 2019), ("nlp", None), ("law", None))]
    assert found == ["train", "test", None, "dev"]
    assert splitter.split_of("a", "other", None) == "train"
    assert PaperSplitter(PaperSplit(ranges, rest="train")).split_of("a", "nlp", None) == "train"
    with pytest.raises(ValueError, match="overlap"):
        PaperSplit((*ranges, *read_year_ranges(["nlp: test"])))


def test_the_papers_of_a_journal_stay_together_where_that_is_asked(project: Project) -> None:
    with project.transaction() as stores:
        for number in range(40):
            journal = ("", "Acta", " ACTA ", "J. Exp. Bot.", "The Journal of Experimental Botany")[number % 5]
            stores.papers.save(replace(paper(f"p{number}"), journal=journal), pdf(f"p{number}"))
        split_papers(stores, replace(shares_split(1, 1, 1), whole_journals=True))
        rows = stores._connection.exec_driver_sql("SELECT journal, split FROM papers").all()
        found: dict[str, set[str]] = {}
        for journal, split in rows:
            found.setdefault(journal_stem(journal), set()).add(split)
        assert len(found.pop("")) > 1
        assert {stem: len(splits) for stem, splits in found.items()} == {"acta": 1, "j ex bo": 1}
        stores.paper_edits.edit(
            stores.actions.begin("a", "b", datetime.now(UTC)), stores.papers.md5s(), {"journal": "X"}
        )
        assert len({place.new for place in stores.split_counts.places(stores.papers.md5s()).values()}) == 1


def splits(stores: Stores) -> dict[str, str | None]:
    rows = stores._connection.exec_driver_sql(
        "SELECT pairs.key, pairs.split FROM pairs JOIN papers ON papers.id = paper_id WHERE pairs.split IS papers.split"
    )
    return dict(map(tuple, rows))


def test_papers_that_come_later_move_no_other(tmp_path: Path) -> None:
    found: list[dict[str, str | None]] = []
    for papers in (30, 60):
        with Project.create(tmp_path / f"{papers}.pairwright") as project:
            with project.transaction() as stores:
                split_papers(stores, shares_split(40, 30, 30))
            add_pairs(project, {f"d{number}": {C: 1} for number in range(papers)})
            with project.read_transaction() as stores:
                found.append(splits(stores))
    before, after = found
    assert (len(before), len(after)) == (30, 60)
    assert set(before.values()) == {"train", "dev", "test"}
    assert before.items() <= after.items()


def test_votes_decide_in_test_and_one_answer_corrects_in_train(project: Project) -> None:
    pairs = add_pairs(project, {"train": {C: 2}, "test": {C: 4}})
    train, test = (keys(pairs[name]) for name in ("train", "test"))
    with project.transaction() as stores:
        split_papers(stores, PaperSplit(read_year_ranges(["train: train", "test: test"])))
        stores.settings.put(GOLD, GoldRules(GoldRule.AGREEING, 3))
        answer(stores, train[0], R)
        answer(stores, test[0], C, C)  # waits for the third vote
        answer(stores, test[1], C, C, R)
        answer(stores, test[2], R, R, C)  # discarded: not the distant label
        answer_as(stores, "anna", test[3], C, accepted=True)  # no label that a model gave is gold
        answer_as(stores, "anna", train[1], R, accepted=True)
        rows = stores._connection.exec_driver_sql("SELECT key, status, gold FROM pairs")
        found = {key: (status, gold) for key, status, gold in rows}
        assert found[train[0]] == found[train[1]] == ("settled", "reasoning")
        assert found[test[0]] == ("unsettled", None)
        assert found[test[1]] == ("settled", "contrasting")
        assert found[test[2]] == ("discarded", None)
        assert found[test[3]] == ("open", None)
        assert stores.gold.count() == 1


def test_older_rules_hold_until_the_papers_are_split(project: Project) -> None:
    [key] = keys(add_pairs(project, {"nlp": {C: 1}})["nlp"])
    set_rules(project, votes=3)
    with project.transaction() as stores:
        answer(stores, key, R)
        assert stores.gold.count() == 0
        stores.settings.put(GOLD_EVERYWHERE, None)
        split_papers(stores, shares_split(1, 0, 0))
        assert stores._connection.exec_driver_sql("SELECT status, gold FROM pairs").one() == ("settled", "reasoning")


def test_rounds_draw_for_dev_and_test_and_pilots_leave_these_alone(project: Project) -> None:
    pairs = add_pairs(project, {name: {C: 9} for name in ("train", "dev", "test")})
    with project.transaction() as stores:
        split_papers(stores, PaperSplit(read_year_ranges(["train: train", "dev: dev", "test: test"])))
        drawn = stores.round_draws.draw(RoundPlan(dev=2, test=4))
        assert Counter(pair.domain for pair in drawn.pairs) == {"dev": 2, "test": 4}
        assert {one.split for one in drawn.strata} == {"dev", "test"}
        pilot = stores.round_draws.draw(RoundPlan(RoundKind.PILOT, size=5))
        assert {pair.key for pair in pilot.pairs} <= set(keys(pairs["train"]))


def test_training_and_calibration_keep_out_of_test(project: Project) -> None:
    pairs = add_pairs(project, {"train": {C: 2}, "test": {C: 2}})
    with project.transaction() as stores:
        split_papers(stores, PaperSplit(read_year_ranges(["train: train", "test: test"])))
        before = [one for one in stores.training_runs.examples(distant=True, answers=True) if one.part == "train"]
        for key in keys(pairs["test"]):
            answer(stores, key, R, R, R)
        after = list(stores.training_runs.examples(distant=True, answers=True))
        assert [one for one in after if one.part is TrainingPart.TRAIN] == before
        assert stores.suggestion_statistics.calibration_pairs() == []
        assert stores.suggestions.new_answers(datetime(1970, 1, 1, tzinfo=UTC)) == 0


def export_counts(stores: Stores, options: ExportOptions) -> Counter[tuple[str, str]]:
    select_candidates(stores._connection, options)
    found: Counter[tuple[str, str]] = Counter()
    for (split, label, _), number in count_candidates(stores._connection).rows.items():
        found[split, label] += number
    return found


def test_a_release_has_gold_alone_in_dev_and_test_up_to_the_targets(project: Project) -> None:
    pairs = add_pairs(project, {"train": {E: 3, N: 2}, "test": {C: 5, R: 3}})
    labels = {pair.key: pair.distant_label for of in pairs.values() for pair in of}
    with project.transaction() as stores:
        split_papers(stores, PaperSplit(read_year_ranges(["train: train", "test: test"])))
        for key in keys(pairs["test"])[:-1]:
            label = labels[key]
            assert label is not None
            answer(stores, key, *[label] * 3)
        [first, *_] = keys(pairs["train"])
        answer(stores, first, R)
        every = export_counts(stores, ExportOptions(split=SplitOptions()))
        assert every.total() == 5 + 7
        assert every["train", "reasoning"] == 1
        limited = export_counts(stores, ExportOptions(split=SplitOptions(dev=2, test=2)))
        assert [limited["test", label] for label in ("contrasting", "reasoning")] == [2, 2]
        distant = export_counts(stores, ExportOptions(split=SplitOptions(gold=False)))
        assert sum(number for (split, _), number in distant.items() if split == "test") == 8
        only = export_counts(stores, ExportOptions(split=SplitOptions(("dev", "test"))))
        assert {split for split, _ in only} == {"test"}


def test_all_pairs_of_moved_papers_are_judged_again(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paper_splits, "_BATCH_SIZE", 1)
    answered = keys(add_pairs(project, {"nlp": {C: 4}})["nlp"])[:3]
    with project.transaction() as stores:
        for key in answered:
            answer_as(stores, "anna", key, Answer.NEUTRAL)
        assert {status(stores, key) for key in answered} == {"settled"}
        hold_out_all(stores)
        assert {status(stores, key) for key in answered} == {"unsettled"}  # in test one vote is not enough


def status(stores: Stores, key: str) -> str:
    query = "SELECT status FROM pairs WHERE key = ?"
    return str(stores._connection.exec_driver_sql(query, (key,)).scalar_one())


def test_what_would_move_is_said_before(project: Project) -> None:
    [key, *_] = keys(add_pairs(project, {"nlp": {C: 2}})["nlp"])
    with project.transaction() as stores:
        hold_out_all(stores)
        answer_as(stores, "anna", key, Answer.CONTRASTING)
        [moved] = paper_splits.moved_papers(stores._connection, shares_split(1, 0, 0))
        assert (moved.old, moved.new, moved.pairs, moved.answered) == ("test", "train", 2, 1)
        assert paper_splits.moved_papers(stores._connection, PaperSplit(rest="test")) == []
        assert set(splits(stores).values()) == {"test"}


def test_the_suggested_split_has_enough_pairs_of_the_rarest_class() -> None:
    papers = [PaperYield(f"{n:032x}", "nlp", {"entailment": 1, "contrasting": 9}) for n in range(300)]
    usual = {("nlp", label): 1.0 for label in ("reasoning", "neutral")}
    enough = [paper._replace(pairs={**paper.pairs, "reasoning": 5, "neutral": 5}) for paper in papers]
    [found] = suggest_split(enough, 10, 40, usual, seed=3)
    assert not found.shortages
    assert found.papers["test"] >= wanted_pairs(40, 0.792) > 40
    shares = PaperSplitter(shares_split(*(share for _, share in found.shares), seed=3))
    assigned = Counter(shares.split_of(paper.md5, "nlp", None) for paper in papers)
    assert assigned == Counter(found.papers)
    [short] = suggest_split(papers[:20], 10, 40, usual, seed=3)
    assert {(one.split, one.label) for one in short.shortages} >= {("test", "entailment"), ("dev", "reasoning")}


def test_papers_without_a_split_are_listed(project: Project) -> None:
    add_pairs(project, {"nlp": {C: 1}})
    with project.transaction() as stores:
        split_papers(stores, PaperSplit(read_year_ranges(["train 1900-1950, test 1951"])))
        [left_out] = SplitCountStore(stores._connection).without_split()
        assert (left_out.domain, left_out.pairs) == ("nlp", 1)
        parts = {one.part for one in stores.training_runs.examples(distant=True, answers=True)}
        assert parts == {TrainingPart.NONE}


@pytest.mark.parametrize("ways", [("embedded", "grobid"), ("grobid", "embedded")])
def test_a_paper_that_another_parser_reads_stays_in_its_split_with_its_answers(
    project: Project, ways: tuple[str, str]
) -> None:
    names = [f"p{number}" for number in range(6)]
    with project.transaction() as stores:
        split_papers(stores, shares_split(40, 30, 30))
    for parser in ways:
        for name in names:
            with project.transaction() as stores:
                stores.papers.save(paper(name, parser=parser), pdf(name))
        mine(project, parser)
        with project.transaction() as stores:
            now = splits(stores)
            if parser == ways[0]:
                before, [key, *_] = now, sorted(now)
                answer(stores, key, R, R, R)
            assert now == before
            assert {"train", "test"} <= set(now.values())
            query = "SELECT votes FROM pairs WHERE key = ? AND current"
            assert stores._connection.exec_driver_sql(query, (key,)).scalar_one() == 3
