"""Splits by year, as imported and after a release; near-duplicates over splits; and the report that finds leaks."""

from __future__ import annotations

import json
import random
from collections import Counter, defaultdict
from collections.abc import Iterable
from datetime import UTC, datetime
from hashlib import md5
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from miner.near_duplicates import SIMILARITY, NearDuplicateFinder, similarity
from miner.progress import Progress
from miner.year_ranges import read_year_ranges
from storage.connections import driver_connection
from storage.dataset.candidates import count_candidates, select_candidates
from storage.dataset.export_options import ExportOptions
from storage.dataset.leaks import LeakReport, find_leaks
from storage.dataset.released_splits import candidate_splits, store_released_splits
from storage.exchange.file_leaks import find_file_leaks
from storage.exchange.pair_import import import_pairs
from storage.project import Project

SHARES = (("train", 60.0), ("dev", 20.0), ("test", 20.0))
YEARS = read_year_ranges(["nlp: train 2000-2018, dev 36% + test 64% 2019", "train -2014, test 2017-"])
Row = dict[str, Any]
DRAWS = ("both_random", "first_random", "second_random")


def row(paper: str, number: int = 0, **fields: Any) -> Row:
    return {
        "sentence1": premise(paper, number),
        "sentence2": hypothesis(paper, number),
        "label": "contrasting",
        "paper_id": paper,
        "domain": "nlp",
        **fields,
    }


def premise(paper: str, number: int = 0) -> str:
    """A sentence like no other."""
    return f"It is {md5(f'{paper} {number}'.encode()).hexdigest()} that we found."


def hypothesis(paper: str, number: int = 0) -> str:
    return f"{paper} says {md5(f'{paper} {number} too'.encode()).hexdigest()} of it."


def read(project: Project, rows: Iterable[Row], name: str = "pairs") -> None:
    path = project.path.with_name(f"{name}.jsonl")
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    import_pairs(project, path, domain="", progress=Progress(), at=datetime.now(UTC))


def selected(project: Project, options: ExportOptions) -> tuple[dict[str, tuple[str | None, str | None]], LeakReport]:
    """(split, reason) of each pair by its hypothesis; and the leaks that are left."""
    with project.read_transaction() as stores:
        driver = driver_connection(stores._connection)
        select_candidates(stores._connection, options)
        rows = driver.execute("SELECT hypothesis, split, reason FROM candidates").fetchall()
        return {text: tuple(rest) for text, *rest in rows}, find_leaks(driver, Progress(), near_duplicates=True)


def release(project: Project, options: ExportOptions, number: int) -> None:
    with project.transaction() as stores:
        driver = driver_connection(stores._connection)
        driver.execute("INSERT INTO releases VALUES (?, ?, '2026', '1', '{}', '{}', '', NULL)", (number, f"v{number}"))
        select_candidates(stores._connection, options)
        store_released_splits(driver, number, list(candidate_splits(driver)))


def of_papers(found: dict[str, tuple[str | None, str | None]]) -> dict[str, str]:
    return {text.split()[0]: split for text, (split, reason) in found.items() if split and not reason}


def test_a_column_with_the_paper_gives_papers_to_split_by(project: Project) -> None:
    read(project, [row(f"P{paper}", number) for paper in range(10) for number in range(5)])
    found, leaks = selected(project, ExportOptions(shares=SHARES))
    splits = defaultdict(set)
    for text, (split, _) in found.items():
        splits[text.split()[0]].add(split)
    assert all(len(one) == 1 for one in splits.values())
    assert Counter(split for one in splits.values() for split in one) == {"train": 6, "dev": 2, "test": 2}
    assert (leaks.papers, leaks.sentences, leaks.is_clean) == (0, 0, True)


def test_papers_go_where_their_year_says_and_those_without_are_named(project: Project) -> None:
    years = {"a": 2000, "b": 2018, "c": 2019, "d": 2020, "e": None}
    read(project, [row(name, year=year) for name, year in years.items()])
    read(project, [row("f", domain="law", year=2010), row("g", domain="law", year=2015)], "law")
    found, _ = selected(project, ExportOptions(years=YEARS))
    assert {text.split()[0]: reason for text, (_, reason) in found.items() if reason} == {
        "d": "other_years",
        "e": "no_year",
        "g": "other_years",
    }
    splits = of_papers(found)
    assert splits.pop("c") in ("dev", "test")
    assert splits == {"a": "train", "b": "train", "f": "train"}


def test_pairs_stay_in_the_splits_of_their_file_and_others_are_left_out(project: Project) -> None:
    read(project, [row("a", split="train"), row("b", split="test"), row("c")])
    found, _ = selected(project, ExportOptions(as_imported=True))
    assert [found[hypothesis(name)] for name in "abc"] == [
        ("train", None),
        ("test", None),
        (None, "no_split"),
    ]


def test_the_rest_of_a_paper_follows_the_pairs_that_came_with_a_split(project: Project) -> None:
    read(project, [row("a", 0, split="test"), row("a", 1), row("b", 0, split="train"), row("b", 1)])
    read(project, [row("a", 2, domain="law")], "more")  # so it is stored as another paper
    found, leaks = selected(project, ExportOptions(shares=(("dev", 1.0),)))
    assert of_papers(found) == {"a": "test", "b": "train"}
    assert leaks.papers == 0


def test_a_paper_that_came_in_two_splits_is_a_leak_that_is_told(project: Project) -> None:
    read(project, [row("a", 0, split="test"), row("a", 1, split="train"), row("b", 0)])
    _, leaks = selected(project, ExportOptions(shares=SHARES))
    assert (leaks.papers, leaks.is_clean) == (1, False)
    assert leaks.examples["papers"][0].splits == ("test", "train")


PAPERS = st.dictionaries(
    st.text("abcdefgh", min_size=2, max_size=3),
    st.tuples(st.sampled_from(["nlp", "law"]), st.none() | st.integers(2012, 2020), st.sampled_from(["", "p"])),
    min_size=1,
    max_size=12,
)


@settings(max_examples=6, deadline=None)
@given(PAPERS, PAPERS, st.sampled_from([{"shares": SHARES}, {"years": YEARS}]), st.integers(0, 3))
def test_what_was_released_stays_where_it_was_whatever_comes_later(
    earlier: dict[str, tuple[str, int | None, str]],
    later: dict[str, tuple[str, int | None, str]],
    way: dict[str, Any],
    seed: int,
) -> None:
    def rows(papers: dict[str, tuple[str, int | None, str]]) -> list[Row]:
        return [
            row(name, n, domain=domain, year=year, **({"paper_id": name} if kind else {"paper_id": None}))
            for name, (domain, year, kind) in papers.items()
            for n in range(2)
        ]

    with TemporaryDirectory() as folder, Project.create(Path(folder) / "p.pairwright") as project:
        read(project, rows(earlier), "earlier")
        first, _ = selected(project, ExportOptions(seed=seed, **way))
        release(project, ExportOptions(seed=seed, **way), 1)
        read(project, rows({name: values for name, values in later.items() if name not in earlier}), "later")
        second, leaks = selected(project, ExportOptions(seed=seed + 1, **way))
        for text, (split, reason) in first.items():
            if not reason:
                assert second[text] == (split, None)
        assert leaks.is_clean
        assert leaks.near_duplicates is not None


def test_papers_move_where_releases_do_not_count(project: Project) -> None:
    read(project, [row(f"P{paper}") for paper in range(20)])
    release(project, ExportOptions(shares=SHARES, seed=1), 1)
    kept, _ = selected(project, ExportOptions(shares=SHARES, seed=2))
    before, _ = selected(project, ExportOptions(shares=SHARES, seed=1, keep_released=False))
    moved, _ = selected(project, ExportOptions(shares=SHARES, seed=2, keep_released=False))
    assert kept == before != moved


def test_a_released_pair_keeps_its_sentence_before_a_new_paper(project: Project) -> None:
    read(project, [row("old")])
    release(project, ExportOptions(shares=(("train", 1.0),)), 1)
    read(project, [row("new", sentence1=premise("old"))], "more")
    found, _ = selected(project, ExportOptions(shares=(("test", 1.0),)))
    assert found[hypothesis("old")] == ("train", None)
    assert found[hypothesis("new")] == ("test", "other_split")


LONG = "The {} of the method was measured on nine corpora of several languages with a fixed random seed{}."


def test_nearly_the_same_sentence_is_in_one_split(project: Project) -> None:
    read(project, [row(f"P{n}", sentence1=LONG.format("quality", f" [{n}]")) for n in range(20)])
    options = ExportOptions(shares=SHARES)
    found, leaks = selected(project, options)
    assert not any(reason for _, reason in found.values())
    assert (leaks.sentences, leaks.near_duplicates) == (0, 1)
    assert leaks.examples["near_duplicates"][0].splits == ("dev", "test", "train")
    found, leaks = selected(project, ExportOptions(shares=SHARES, drop_near_duplicates=True))
    assert Counter(found.values()) == {
        ("test", None): 4,
        ("dev", "near_duplicate"): 4,
        ("train", "near_duplicate"): 12,
    }
    assert leaks.near_duplicates == 0


def test_pairs_without_a_paper_are_grouped_by_nearly_the_same_sentences(project: Project) -> None:
    rows = [row(f"P{n}", paper_id=None, sentence1=LONG.format(f"aspect {n % 5}{n % 5}", "")) for n in range(30)]
    rows = [{**one, "sentence1": f"{one['sentence1']} {number}"} for number, one in enumerate(rows)]
    read(project, rows)
    found, leaks = selected(project, ExportOptions(shares=SHARES, drop_near_duplicates=True))
    assert leaks.near_duplicates == 0
    assert not any(reason for _, reason in found.values())


def test_the_order_of_import_does_not_matter_to_near_duplicates(tmp_path: Path) -> None:
    rows = [row(f"P{n}", sentence1=LONG.format("quality", f" [{n % 7}]")) for n in range(40)]
    found = []
    for number, order in enumerate((rows, rows[::-1])):
        with Project.create(tmp_path / f"{number}.pairwright") as project:
            read(project, order)
            found.append(selected(project, ExportOptions(shares=SHARES, drop_near_duplicates=True))[0])
    assert found[0] == found[1]


WORDS = [f"{one}{two}" for one in ("cor", "mit", "sal", "ven", "pro", "tan") for two in ("pus", "tion", "ic", "al")]


def edited(sentence: str, draw: random.Random) -> str:
    """The sentence with another number, a word more or less, or a typing error."""
    words = sentence.split()
    place = draw.randrange(len(words))
    kind = draw.randrange(3)
    if kind == 0:
        words[place] = words[place][:-1] or "x"
    elif kind == 1:
        del words[place]
    else:
        words.insert(place, str(draw.randrange(100)))
    return " ".join(words)


def test_nearly_all_near_duplicates_are_found_and_nothing_else() -> None:
    draw = random.Random(1)
    texts = [" ".join(draw.choices(WORDS, k=draw.randint(15, 40))) for _ in range(400)]
    pairs = [(number, len(texts) + number) for number in range(400)]
    texts += [edited(text, draw) for text in texts]
    finder = NearDuplicateFinder()
    finder.add(texts[:300])
    finder.add(texts[300:])
    groups = finder.find_groups(lambda numbers: {number: texts[number] for number in numbers})
    near = [(one, other) for one, other in pairs if similarity(texts[one], texts[other]) >= SIMILARITY]
    found = [(one, other) for one, other in near if groups.get(one, -1) == groups.get(other, -2)]
    assert len(near) > 300
    assert len(found) >= 0.97 * len(near)
    members: dict[int, list[int]] = defaultdict(list)
    for number, group in groups.items():
        members[group].append(number)
    for group in members.values():
        for one in group:
            assert any(similarity(texts[one], texts[other]) >= SIMILARITY for other in group if other != one)


def test_files_are_checked_for_leaks(tmp_path: Path) -> None:
    def write(name: str, rows: list[Row]) -> Path:
        path = tmp_path / name
        path.write_text("".join(json.dumps(one) + "\n" for one in rows), encoding="utf-8")
        return path

    clean = [write("train.jsonl", [row("a")]), write("test.jsonl", [row("b")])]
    assert find_file_leaks(clean, Progress()).is_clean
    leaky = [row("b", 7), row("c", sentence1=premise("a").replace(".", "!")), row("d", sentence1=LONG.format("x", ""))]
    near = write("dev.jsonl", [row("e", sentence1=LONG.format("x", " 5"))])
    report = find_file_leaks([*clean, write("train-2.jsonl", leaky), near], Progress())
    assert (report.papers, report.sentences, report.near_duplicates) == (1, 0, 1)
    report = find_file_leaks([clean[0], write("dev-2.jsonl", leaky)], Progress())
    assert (report.papers, report.sentences) == (0, 1)
    assert report.examples["sentences"][0].what == premise("a")
    assert report.to_data()["pairs"] == {"dev": 3, "train": 1}


@settings(max_examples=10, deadline=None)
@given(
    st.dictionaries(
        st.tuples(st.sampled_from(["nlp", "law"]), st.sampled_from(["contrasting", "reasoning", *DRAWS])),
        st.integers(1, 12),
        min_size=2,
    ),
    st.integers(0, 5),
)
def test_classes_are_balanced_and_neutral_draws_keep_their_shares(sizes: dict[tuple[str, str], int], seed: int) -> None:
    with TemporaryDirectory() as folder, Project.create(Path(folder) / "p.pairwright") as project:
        rows = []
        for (domain, kind), size in sizes.items():
            label, strategy = ("neutral", kind) if kind in DRAWS else (kind, "linked")
            rows += [
                row(f"{domain}{kind}{n}", domain=domain, label=label, strategy=strategy, kind=kind) for n in range(size)
            ]
        read(project, rows)
        with project.read_transaction() as stores:
            select_candidates(stores._connection, ExportOptions(balance=True, seed=seed))
            counts = count_candidates(stores._connection)
            query = "SELECT domain, label, strategy, count(*) FROM candidates WHERE reason IS NULL GROUP BY 1, 2, 3"
            kept = {tuple(key): n for *key, n in driver_connection(stores._connection).execute(query)}
    for domain in ("nlp", "law"):
        before: Counter[str] = Counter()
        for (of, kind), size in sizes.items():
            if of == domain:
                before["neutral" if kind in DRAWS else kind] += size
        smallest = min(before.values(), default=0)
        for label in before:
            assert sum(n for (of, name, _), n in kept.items() if (of, name) == (domain, label)) == smallest
        for draw in DRAWS:
            share = sizes.get((domain, draw), 0) * smallest / max(1, before["neutral"])
            assert abs(kept.get((domain, "neutral", draw), 0) - share) < 1
    assert counts.balance is not None
    assert counts.balance.kept == sum(kept.values())
    labels = {"neutral" if kind in DRAWS else kind for (_, kind), size in sizes.items() if size}
    here = {domain: {label for of, label, _ in kept if of == domain} for domain, _, _ in kept}
    assert {(one.domain, one.label) for one in counts.balance.absent} == {
        (domain, label) for domain, present in here.items() for label in labels - present
    }


@pytest.mark.parametrize("text", ["", "a", "abcd"])
def test_short_texts_have_a_similarity(text: str) -> None:
    assert similarity(text, text) == 1
