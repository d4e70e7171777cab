"""Statistics of data sets, of small projects that were counted by hand."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from miner.dataset_statistics import MEASURED_PAIRS, DataSetPart, GoldAgreement, measure_pair
from miner.records import Label, Strategy
from miner.splits import random_order
from storage.dataset.export_options import ExportOptions
from storage.dataset.gold_rule import GoldRules
from storage.pairs.filters import PairFilter
from storage.pairs.judgement import refresh
from storage.project import Project
from storage.settings import GOLD, GOLD_EVERYWHERE
from tests.storage.factories import as_many, mined, pair, paper, pdf, start_run

SPLIT = ExportOptions(shares=(("train", 50), ("test", 50)))


def _mine(project: Project, domains: dict[str, str], count: int = 2) -> dict[str, list[str]]:
    """Papers by name with their domains, each with `count` contrasting and neutral pairs; the pairs' keys by name."""
    papers = {name: paper(name, domain=domain) for name, domain in domains.items()}
    with project.transaction() as stores:
        for name, one in papers.items():
            stores.papers.save(one, pdf(name))
    run = start_run(project)
    names = {one.md5: name for name, one in papers.items()}
    keys: dict[str, list[str]] = {}
    with project.transaction() as stores:
        for pending in stores.mining_runs.next_papers(run, limit=1000):
            name = names[pending.md5]
            pairs = []
            for number in range(count):
                premise = f"The {name} cell {number} grows."
                pairs.append(pair(pending.md5, premise, f"However, the {name} {number} dies.", number=2 * number))
                other = f"The {name} {number} sleeps well here."
                pairs.append(pair(pending.md5, premise, other, Strategy.SECOND_RANDOM, Label.NEUTRAL, 2 * number))
            assert stores.pairs.replace_for(pending, mined(pairs), as_many) is not None
            keys[name] = [one.key for one in pairs]
    return keys


def _answer(project: Project, key: str, *answers: str, via: str = "answer") -> None:
    with project.transaction() as stores:
        for number, answer in enumerate(answers):
            stores._connection.exec_driver_sql(
                "INSERT INTO label_events (pair_key, annotator, at, seen, new, via) VALUES (?, ?, '', '{}', ?, ?)",
                (key, f"annotator {number}", answer, via),
            )
        refresh(stores._connection, [key])


def test_an_empty_project_has_no_statistics(project: Project) -> None:
    with project.read_transaction() as stores:
        found = stores.data_set_statistics.measure(ExportOptions())
    assert (found.count(), found.domains, found.splits, found.means()) == (0, (), (), None)
    assert found.agreement()[""] == GoldAgreement()


def test_lengths_and_overlap_are_means_over_pairs(project: Project) -> None:
    # Premises "The a cell 0 grows ." have 6 tokens. "the a 0 dies ." has 5, of which the, a, 0 and . are in the
    # premise: 4/5. "The a 0 sleeps well here ." has 7, of which the same 4 are: 4/7.
    _mine(project, {"a": "biology", "b": ""})
    with project.read_transaction() as stores:
        found = stores.data_set_statistics.measure(ExportOptions())
    assert found.pairs[DataSetPart("biology", "", "contrasting")] == 2
    assert found.domains == ("biology", "")
    means = found.means()
    assert means is not None
    assert [value.mean for value in means] == pytest.approx([6.0, 6.0, (4 / 5 + 4 / 7) / 2])
    assert [value.error for value in means] == [0.0, 0.0, 0.0]
    neutral = found.means("biology", label="neutral")
    assert neutral is not None
    assert neutral[1].mean == 7.0


def test_pairs_have_the_split_of_the_export_that_the_options_describe(project: Project) -> None:
    _mine(project, {name: "biology" if name < "e" else "physics" for name in "abcdefgh"})
    with project.read_transaction() as stores:
        found = stores.data_set_statistics.measure(SPLIT)
    assert found.splits == ("train", "test")
    for domain in ("biology", "physics"):
        for split in ("train", "test"):
            assert found.count(domain, split) == 2 * 4  # two of four papers
    assert {part: len(drawn) for part, drawn in found.drawn.items()}["physics", "test"] == 8


def test_bad_pairs_and_those_without_a_majority_are_not_in_the_data_set(project: Project) -> None:
    keys = _mine(project, {"a": "biology"})["a"]
    _answer(project, keys[0], "unclear")
    with project.read_transaction() as stores:
        found = stores.data_set_statistics.measure(ExportOptions())
    assert found.count() == 3


def test_agreement_counts_answered_pairs_with_distant_label(project: Project) -> None:
    keys = _mine(project, {"a": "biology", "b": "physics"})
    with project.transaction() as stores:
        stores.settings.put(GOLD, GoldRules(votes=3))
        stores.settings.put(GOLD_EVERYWHERE, True)
    first, second, third, fourth = keys["a"]  # contrasting, neutral, contrasting, neutral
    _answer(project, first, "contrasting", "contrasting", "neutral")  # agrees
    _answer(project, second, "neutral", "reasoning", "entailment")  # no consensus
    _answer(project, third, "reasoning", "reasoning", "unclear")  # another gold label
    _answer(project, fourth, "reasoning")  # waits for two more answers
    _answer(project, keys["b"][0], "contrasting", via="accepted")  # a model's, not a person's
    with project.read_transaction() as stores:
        found = stores.data_set_statistics.measure(ExportOptions())
    agreement = found.agreement()
    assert agreement["contrasting"] == GoldAgreement(annotated=2, agreeing=1, no_consensus=0)
    assert agreement["neutral"] == GoldAgreement(annotated=1, agreeing=0, no_consensus=1)
    assert agreement[""] == GoldAgreement(3, 1, 1)
    assert found.agreement("physics")[""] == GoldAgreement()


def test_a_filter_restricts_pairs_answers_and_samples(project: Project) -> None:
    keys = _mine(project, {"a": "biology", "b": "physics"})
    _answer(project, keys["a"][0], "contrasting")
    _answer(project, keys["b"][0], "contrasting")
    only = PairFilter(domains=frozenset({"physics"}), labels=frozenset({"contrasting"}))
    with project.read_transaction() as stores:
        found = stores.data_set_statistics.measure(ExportOptions(), only)
        texts = list(stores.data_set_statistics.texts(ExportOptions(), only, limits={"physics": (9, 2)}))
    assert dict(found.pairs) == {DataSetPart("physics", "", "contrasting"): 2}
    assert found.agreement()[""] == GoldAgreement(1, 1, 0)
    assert {(domain, premise.split()[1]) for domain, premise, _ in texts} == {("physics", "b")}
    assert len(texts) == 2


def test_a_sample_is_the_first_pairs_in_random_order(project: Project) -> None:
    keys = [key for each in _mine(project, {"a": "biology", "b": "biology"}, 10).values() for key in each]
    with project.read_transaction() as stores:
        store = stores.data_set_statistics
        found = store.measure(ExportOptions(), sample=5, seed=4)
        again = store.measure(ExportOptions(), sample=5, seed=4)
        other = store.measure(ExportOptions(), sample=5, seed=5)
        sentences = {id: (premise, hypothesis) for id, premise, hypothesis in store.sentences(range(1000))}
        by_key = {row.key: row.id for row in stores._connection.exec_driver_sql("SELECT key, id FROM pairs")}
    expected = [by_key[key] for key in sorted(keys, key=lambda key: random_order(key, seed=4))]
    drawn = [one.id for one in found.drawn["biology", ""]]
    assert drawn == expected[:5]
    assert found == again
    assert found.drawn != other.drawn
    assert found.measured_pairs == 5
    measured = [measure_pair(*sentences[id]) for id in drawn]
    assert sum(one.hypothesis_words for one in measured) == sum(sums.sums[1] for sums in found.measured.values())
    assert found.count() == 40


def test_about_as_many_texts_come_as_were_wanted(project: Project) -> None:
    _mine(project, {"a": "biology"}, 400)
    with project.read_transaction() as stores:
        store = stores.data_set_statistics
        some = list(store.texts(ExportOptions(), limits={"biology": (100, 800)}))
        every = list(store.texts(ExportOptions(), limits={"biology": (MEASURED_PAIRS, 800)}))
        none = list(store.texts(ExportOptions(), limits={}))
    assert 60 < len(some) < 140  # a binomial with a standard deviation of 9.4
    assert len(every) == 800
    assert none == []
    assert set(some) < set(every)


def test_texts_of_one_split_alone(project: Project) -> None:
    _mine(project, dict.fromkeys("abcd", "biology"))
    with project.read_transaction() as stores:
        store = stores.data_set_statistics
        limits = {"biology": (100, 8)}
        train, test = (list(store.texts(SPLIT, split=split, limits=limits)) for split in ("train", "test"))
        every = list(store.texts(SPLIT, limits=limits))
    assert len(train) == len(test) == 8
    assert sorted(train + test) == sorted(every)


def test_balanced_data_sets_are_counted_as_exported(project: Project) -> None:
    keys = _mine(project, {"a": "biology"}, 6)["a"]
    for key in random.Random(1).sample(keys[::2], 3):
        _answer(project, key, "neutral")  # now 3 contrasting, 9 neutral
    with project.read_transaction() as stores:
        found = stores.data_set_statistics.measure(replace(ExportOptions(), balance=True))
    assert (found.count(label="contrasting"), found.count(label="neutral")) == (3, 3)
    assert found.agreement()["contrasting"] == GoldAgreement(3, 0, 0)  # also those that balancing leaves out
