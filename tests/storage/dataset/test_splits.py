"""Which split a pair is exported into, and that no sentence is in two."""

from __future__ import annotations

import csv
import json
import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import pytest

from desktop.jobs.results import describe
from miner.mining.identity import sentence_hash
from miner.progress import Progress
from storage.dataset.options import ExportOptions, Preset
from storage.exchange.pair_export import ExportReceipt, export_pairs
from storage.exchange.pair_import import ImportedPairs, import_pairs
from storage.project import Project
from tests.storage.factories import add, as_many, mined, next_papers, pair, paper, start_run

SHARES = (("train", 80.0), ("dev", 10.0), ("test", 10.0))
Rows = list[dict[str, Any]]


def export(project: Project, out: Path, **options: Any) -> tuple[ExportReceipt, dict[str, Rows]]:
    """The receipt, and the rows by split."""
    receipt = export_pairs(project, out, ExportOptions(Preset.FULL, **{"shares": SHARES, **options}), Progress())
    names = [file.name for file in receipt.files]
    return receipt, {name[:-6]: [json.loads(line) for line in (out / name).read_bytes().splitlines()] for name in names}


def read(project: Project, path: Path, rows: Iterable[Sequence[str]], domain: str = "") -> ImportedPairs:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("sentence1", "sentence2", "label"), *rows])
    return import_pairs(project, path, domain=domain, progress=Progress(), at=datetime.now(UTC))


def hashes(rows: Rows) -> set[int]:
    return {sentence_hash(row[side]) for row in rows for side in ("sentence1", "sentence2")}


def no_sentence_is_in_two(splits: dict[str, Rows]) -> bool:
    return not any(hashes(one) & hashes(other) for one, other in combinations(splits.values(), 2))


def triples(groups: int) -> list[tuple[str, str, str]]:
    """Groups of three pairs, in a chain: A-B, B-C, C-D."""
    found = []
    for number in range(groups):
        sentences = [f"Sentence {letter} of group {number} says so." for letter in "ABCD"]
        found += [(one, other, "neutral") for one, other in pairwise(sentences)]
    return found


def test_a_sentence_of_two_papers_is_in_one_split_and_the_other_pair_is_dropped(
    project: Project, tmp_path: Path
) -> None:
    add(project, "abcdefghij")
    for number, pending in enumerate(next_papers(project, start_run(project))):
        own = pair(pending.md5, f"We thank {number}.", f"However, paper {number}.", number=1)
        with project.transaction() as stores:
            stores.pairs.replace_for(
                pending, mined([pair(pending.md5, "We thank all.", f"However, {number}."), own]), as_many
            )
    receipt, splits = export(project, tmp_path / "out")
    assert no_sentence_is_in_two(splits)
    assert [row["sentence1"] for row in splits["test"]] == [
        "We thank all.",
        *[r["sentence1"] for r in splits["test"][1:]],
    ]
    assert receipt.left_out == {"other_split": 9}
    told = json.loads((tmp_path / "out" / "receipt.json").read_text())
    assert told["left_out"] == {"other_split": 9}
    assert receipt.rows == 11


def test_a_hypothesis_counts_as_it_is_written(project: Project, tmp_path: Path) -> None:
    """What the paper has is "However, it ends."; the row has "it ends.", which an imported pair has too."""
    add(project, "a")
    [pending] = next_papers(project, start_run(project))
    with project.transaction() as stores:
        stores.pairs.replace_for(pending, mined([pair(pending.md5, "A premise.", "However, it ends.")]), as_many)
    read(project, tmp_path / "test.csv", [("Nobody said so.", "It ends.", "neutral")])
    receipt, splits = export(project, tmp_path / "out", shares=(("train", 1.0),))
    assert (receipt.left_out, receipt.split_by) == (
        {"other_split": 1},
        {"paper": 0, "shared_sentences": 0, "own_split": 1},
    )
    assert [row["sentence1"] for row in splits["test"]] == ["Nobody said so."]


def test_a_hypothesis_counts_with_its_phrase_too(project: Project, tmp_path: Path) -> None:
    """A row of train says "it ends."; its sentence, "However, it ends.", is the premise of a pair in test."""
    add(project, "a")
    [pending] = next_papers(project, start_run(project))
    with project.transaction() as stores:
        stores.pairs.replace_for(pending, mined([pair(pending.md5, "A premise.", "However, it ends.")]), as_many)
    read(project, tmp_path / "test.csv", [("However, it ends.", "Nobody said so.", "neutral")])
    receipt, _ = export(project, tmp_path / "out", shares=(("train", 1.0),))
    assert receipt.left_out == {"other_split": 1}


def test_an_imported_split_is_kept(project: Project, tmp_path: Path) -> None:
    shared = [(f"Shared {n}.", f"Other {n}.", "neutral") for n in range(30)]
    read(project, tmp_path / "test.csv", shared)
    read(project, tmp_path / "dev.csv", [(f"In dev {n}.", f"Dev {n}.", "neutral") for n in range(5)])
    read(
        project, tmp_path / "more.csv", [(one, f"Something else {n}.", "neutral") for n, (one, *_) in enumerate(shared)]
    )
    receipt, splits = export(project, tmp_path / "out")
    assert no_sentence_is_in_two(splits)
    assert {row["sentence2"] for row in splits["test"]} >= {other for _, other, _ in shared}
    assert {row["sentence2"] for row in splits["dev"]} >= {f"Dev {n}." for n in range(5)}
    assert receipt.split_by["own_split"] == 35


@pytest.mark.parametrize("order", [("pairs", "train", "test"), ("test", "train", "pairs"), ("train", "pairs", "test")])
def test_a_pair_of_several_files_is_held_out_if_one_of_them_says_so(
    project: Project, tmp_path: Path, order: Sequence[str]
) -> None:
    shared = [(f"Both {n}.", f"Too {n}.", "neutral") for n in range(9)]
    for name in order:
        own = [(f"In {name} {n}.", f"Of {name} {n}.", "neutral") for n in range(9)]
        read(project, tmp_path / f"{name}.csv", [*own, *shared])
    receipt, splits = export(project, tmp_path / "out", shares=(("train", 1.0),))
    assert {row["sentence1"] for row in splits["test"]} == {f"In test {n}." for n in range(9)} | {
        one for one, *_ in shared
    }
    assert receipt.split_by == {"paper": 0, "shared_sentences": 9, "own_split": 27}


@pytest.mark.parametrize("is_first", [True, False])
@pytest.mark.parametrize("name", ["train", "dev", "test"])
def test_a_mined_pair_is_held_out_if_a_file_says_so_or_else_with_its_paper(
    project: Project, tmp_path: Path, name: str, is_first: bool
) -> None:
    rows = [("A premise.", "so it is.", "contrasting")]
    if is_first:
        read(project, tmp_path / f"{name}.csv", rows)
    add(project, "a")
    [pending] = next_papers(project, start_run(project))
    with project.transaction() as stores:
        stores.pairs.replace_for(pending, mined([pair(pending.md5, "A premise.", "However, so it is.")]), as_many)
    if not is_first:
        found = read(project, tmp_path / f"{name}.csv", rows)
        assert (found.moved, found.other_split) == (int(name != "train"), 0)
    receipt, splits = export(project, tmp_path / "out", shares=(("train", 1.0),))
    assert {split for split, rows in splits.items() if rows} == {name}
    assert receipt.split_by["own_split"] == int(is_first or name != "train")


def test_kept_and_changed_splits_are_reported(project: Project, tmp_path: Path) -> None:
    rows = [(f"Both {n}.", f"Too {n}.", "neutral") for n in range(3)]
    read(project, tmp_path / "dev.csv", rows)
    for name, moved, stay in (("pairs", 0, 0), ("train", 0, 3), ("test", 3, 0), ("dev", 0, 3)):
        found = read(project, tmp_path / f"{name}.csv", rows)
        assert (found.moved, found.other_split) == (moved, stay), name
    [problem] = describe(found).problems
    assert problem.text.endswith("dev.csv, 3 pairs are in another split of the project already, which is kept.")


def test_a_file_without_papers_and_splits_is_split_by_shared_sentences(project: Project, tmp_path: Path) -> None:
    read(project, tmp_path / "pairs.csv", triples(100))
    receipt, splits = export(project, tmp_path / "out")
    assert {name: len(rows) for name, rows in splits.items()} == pytest.approx(
        {"train": 240, "dev": 30, "test": 30}, abs=3
    )
    assert no_sentence_is_in_two(splits)
    assert receipt.left_out == {}
    assert receipt.split_by == {"paper": 0, "shared_sentences": 300, "own_split": 0}
    for rows in splits.values():
        sizes = Counter(row["sentence1"].split()[4] for row in rows)
        assert set(sizes.values()) == {3}, "a group of pairs that share sentences stays together"


def test_groups_are_connected_over_files_and_any_number_of_sentences(project: Project, tmp_path: Path) -> None:
    chain = [(f"Link {n}.", f"Link {n + 1}.", "neutral") for n in range(50)]
    random.Random(3).shuffle(chain)
    read(project, tmp_path / "one.csv", chain[:25], "x")
    read(project, tmp_path / "other.csv", [*chain[25:], *triples(50)], "y")
    receipt, splits = export(project, tmp_path / "out")
    with_chain = {name: sum(row["sentence1"].startswith("Link") for row in rows) for name, rows in splits.items()}
    assert with_chain == {"train": 50, "dev": 0, "test": 0}, "a large group goes where there is room for it"
    assert {name: len(rows) for name, rows in splits.items()} == pytest.approx(
        {"train": 160, "dev": 20, "test": 20}, abs=3
    )
    assert receipt.left_out == {}


def test_domains_are_split_alike_when_split_by_shared_sentences(project: Project, tmp_path: Path) -> None:
    for domain in ("x", "y"):
        rows = [(f"{domain} {n}.", f"{domain} {n} too.", "neutral") for n in range(100)]
        read(project, tmp_path / f"{domain}.csv", rows, domain)
    _, splits = export(project, tmp_path / "out")
    for rows, size in ((splits["train"], 80), (splits["dev"], 10), (splits["test"], 10)):
        assert Counter(row["domain"] for row in rows) == pytest.approx({"x": size, "y": size}, abs=1)


def test_the_order_of_import_does_not_affect_the_split(tmp_path: Path) -> None:
    rows = [*triples(40), ("Said in paper a.", "Said elsewhere.", "neutral")]
    written = []
    for number in range(3):
        random.Random(number).shuffle(rows)
        with Project.create(tmp_path / f"{number}.pairwright") as project:
            if number == 1:
                read(project, tmp_path / "test.csv", [("Sentence A of group 1 says so.", "Tested.", "neutral")])
            read(project, tmp_path / "pairs.csv", rows)
            if number != 1:
                read(project, tmp_path / "test.csv", [("Sentence A of group 1 says so.", "Tested.", "neutral")])
            _, splits = export(project, tmp_path / str(number))
            written.append(
                {split: sorted(row["sentence1"] + row["sentence2"] for row in splits[split]) for split in splits}
            )
            assert no_sentence_is_in_two(splits)
    assert written[0] == written[1] == written[2]


def test_another_seed_is_another_split_by_shared_sentences(project: Project, tmp_path: Path) -> None:
    read(project, tmp_path / "pairs.csv", triples(100))
    _, one = export(project, tmp_path / "one")
    _, other = export(project, tmp_path / "other", seed=2)
    assert {row["pairID"] for row in one["test"]} != {row["pairID"] for row in other["test"]}


def test_classes_are_balanced_after_sentences_are_kept_apart(project: Project, tmp_path: Path) -> None:
    labels = ("contrasting", "reasoning", "entailment", "neutral")
    rows = [(f"Premise {n}.", f"Hypothesis {n}.", labels[n % 4]) for n in range(400)]
    read(project, tmp_path / "pairs.csv", rows)
    read(project, tmp_path / "test.csv", [(f"Premise {n}.", f"New {n}.", "neutral") for n in range(0, 400, 4)])
    receipt, splits = export(project, tmp_path / "out", balance=True)
    assert no_sentence_is_in_two(splits)
    for rows_of_split in splits.values():
        assert len(set(Counter(row["label"] for row in rows_of_split).values())) == 1
    assert set(receipt.left_out) == {"balance", "other_split"}


@pytest.mark.parametrize("seed", range(5))
def test_no_sentence_is_in_two_splits_whatever_is_shared(project: Project, tmp_path: Path, seed: int) -> None:
    """Papers, released splits and imported files that share sentences at random."""
    random_numbers = random.Random(seed)
    add(project, "abcdefghijkl")
    for pending in next_papers(project, start_run(project)):
        pairs = [
            pair(
                pending.md5,
                f"Sentence {random_numbers.randrange(60)}.",
                f"However, sentence {random_numbers.randrange(60)}.",
                number=n,
            )
            for n in range(6)
        ]
        with project.transaction() as stores:
            stores.pairs.replace_for(pending, mined({one.key: one for one in pairs}.values()), as_many)
    for name in ("train", "dev", "test", "more", "others"):
        rows = [
            (f"Sentence {random_numbers.randrange(90)}.", f"Sentence {random_numbers.randrange(90)}.", "neutral")
            for _ in range(20)
        ]
        read(project, tmp_path / f"{name}.csv", rows)
    receipt, splits = export(project, tmp_path / "out", seed=seed)
    assert no_sentence_is_in_two(splits)
    with project.read_transaction() as stores:
        assert receipt.rows + sum(receipt.left_out.values()) == stores.pairs.count()
    assert sum(receipt.split_by.values()) == receipt.rows


def test_a_paper_of_a_data_set_is_in_one_split_whatever_its_domains(project: Project, tmp_path: Path) -> None:
    rows = [
        {
            "sentence1": f"One {n}.",
            "sentence2": f"Two {n}.",
            "label": "neutral",
            "domain": "xy"[n % 2],
            "paper_md5": f"{n // 4:032x}",
        }
        for n in range(80)
    ]
    path = tmp_path / "pairs.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    import_pairs(project, path, domain="", progress=Progress(), at=datetime.now(UTC))
    receipt, splits = export(project, tmp_path / "out")
    owners = [{row["paper_md5"] for row in rows_of_split} for rows_of_split in splits.values()]
    assert [len(papers) for papers in owners] == [16, 2, 2]
    assert not any(one & other for one, other in combinations(owners, 2))
    assert receipt.split_by == {"paper": 80, "shared_sentences": 0, "own_split": 0}


def test_papers_are_still_whole(project: Project, tmp_path: Path) -> None:
    add(project, "abcdefghij")
    for pending in next_papers(project, start_run(project)):
        with project.transaction() as stores:
            pairs = [
                pair(pending.md5, f"{pending.md5} {n}.", f"However, {pending.md5} {n}.", number=n) for n in range(4)
            ]
            stores.pairs.replace_for(pending, mined(pairs), as_many)
    receipt, splits = export(project, tmp_path / "out")
    of_paper = defaultdict(set)
    for name, rows in splits.items():
        for row in rows:
            of_paper[row["paper_md5"]].add(name)
    assert all(len(names) == 1 for names in of_paper.values())
    assert of_paper.keys() == {paper(name).md5 for name in "abcdefghij"}
    assert receipt.split_by == {"paper": 40, "shared_sentences": 0, "own_split": 0}
