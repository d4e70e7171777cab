"""What `pairwright split`, `leaks` and `export --years` say of splits."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.desktop.cli.conftest import Run

YEARS = {"a": 2000, "b": 2018, "c": 2019, "d": 2017, "e": None}


@pytest.fixture
def project(run: Run, tmp_path: Path) -> Path:
    rows = [
        {
            "sentence1": f"The {name} premise is number {hash_of(name)}.",
            "sentence2": f"Of {hash_of(name, 7)} it is said in {name}.",
            "label": "contrasting",
            "paper_id": name,
            "domain": "nlp",
            "year": year,
            "title": f"On {name}",
        }
        for name, year in YEARS.items()
    ]
    run("new", "demo.pairwright")
    (tmp_path / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    run("import", "rows.jsonl")
    return tmp_path / "demo.pairwright"


def hash_of(name: str, by: int = 1) -> str:
    return str(ord(name) ** (9 + by))


def test_years_left_out_are_named(run: Run, project: Path) -> None:
    text = "nlp: train 2000-2016, dev+test 2018-2019"
    found = run("split", "--years", text, "--check", "--json")
    assert {paper["title"]: paper["year"] for paper in found.data["papers_left_out"]} == {"On d": 2017, "On e": None}
    assert found.data["left_out"] == {"no_year": 1, "other_years": 1}
    assert (found.code, found.data["leaks"]["papers"], found.data["leaks"]["sentences"]) == (0, 0, 0)
    said = run("split", "--years", text).out
    assert "1 without a year and 1 of years that are in no split. They are “On e” (no year), “On d” (2017)." in said
    assert "Years that are in no split: 2017 of nlp." in said


def test_papers_of_domains_without_years_are_told_apart(run: Run, project: Path) -> None:
    said = run("split", "--years", "law: train 2000-2020").out
    assert "1 without a year and 4 of domains for which no years are given (nlp). They are “On e” (no year), " in said
    both = run("split", "--years", "law: train 2000-2020", "--years", "train 2000-2018, dev 2019").out
    assert "Papers left out: 1 without a year. It is “On e” (no year)." in both


def test_a_long_list_of_papers_left_out_says_where_all_are_named(run: Run, project: Path, tmp_path: Path) -> None:
    rows = [{**json.loads(line), "year": None} for line in (tmp_path / "rows.jsonl").read_text().splitlines()]
    more = [
        {**row, "paper_id": f"{row['paper_id']}{n}", "sentence1": f"{row['sentence1']} {n}."}
        for row in rows
        for n in "12"
    ]
    (tmp_path / "more.jsonl").write_text("".join(json.dumps(row) + "\n" for row in more))
    run("import", "more.jsonl")
    years = ("--years", "train 2000-2018, test 2019")
    assert "and 6 more (--json names all)." in run("split", *years).out
    assert "and 6 more (receipt.json names all)." in run("export", "out", *years).out
    receipt = json.loads((tmp_path / "out" / "receipt.json").read_text())
    assert len(receipt["papers_left_out"]) == len(run("split", *years, "--json").data["papers_left_out"]) == 11


def test_a_balanced_export_names_the_domain_that_has_none_of_a_class(run: Run, project: Path, tmp_path: Path) -> None:
    rows = [
        {"sentence1": f"In law {n}.", "sentence2": f"Of law {n}.", "label": label, "domain": "law"}
        for n, label in enumerate(["contrasting", "reasoning", "reasoning"])
    ]
    (tmp_path / "law.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    run("import", "law.jsonl")
    said = run("export", "out", "--balance").out
    assert "Balanced classes: 7 of 8 pairs, balanced in each split and domain; reasoning has the fewest, 2. " in said
    assert "Where a class has no pairs, only the others are balanced: reasoning in nlp has 0 of 5." in said
    [absent] = run("export", "out", "--balance", "--json").data["balance"]["absent"]
    assert absent == {"label": "reasoning", "domain": "nlp", "split": "", "pairs": 5}


def test_years_are_read_from_a_file_and_the_export_says_what_it_left_out(
    run: Run, project: Path, tmp_path: Path
) -> None:
    (tmp_path / "years.txt").write_text("# MSciNLI\nnlp: train 2000-2018\n\nnlp: test 2019\n")
    found = run("export", "out", "--years", "years.txt", "--json").data
    assert [file["name"] for file in found["files"]] == ["train.jsonl", "test.jsonl"]
    assert found["papers_left_out"][0]["title"] == "On e"
    assert found["leaks"]["papers"] == 0
    assert run("split").out.startswith("Split by year, seed 1.")
    again = run("export", "out", "--years", "years.txt")
    assert (again.code, "Papers left out: 1 without a year" in again.out) == (0, True)


@pytest.mark.parametrize(
    ("years", "said"),
    [
        (["train 2000-2018, test 2018"], "overlap"),
        (["dev 36% + test 60% 2019"], "add up to 96 %"),
        (["years.toml"], "does not say which splits"),
    ],
)
def test_years_that_cannot_be_meant_are_refused(run: Run, project: Path, years: list[str], said: str) -> None:
    found = run("export", "out", "--years", *years)
    assert (found.code, said in found.err) == (1, True)


def test_shares_that_do_not_sum_to_100_are_explained(run: Run, project: Path) -> None:
    assert "The shares add up to 110, not to 100" in run("split", "--split", "80/10/20").out
    assert "add up" not in run("split", "--split", "80/10/10").out


@pytest.mark.parametrize(
    "asked", [["--only", "test"], ["--all-gold"], ["--distant-test"], ["--train-labels", "distant"]]
)
def test_what_is_for_the_projects_split_is_refused_elsewhere(run: Run, project: Path, asked: list[str]) -> None:
    unsplit = run("export", "out", *asked)
    assert (unsplit.code, "are for files by the project's split" in unsplit.err) == (1, True)
    assert "pairwright split set" in unsplit.err
    assert run("release", "1", "--split", "70/10/20", "--out", "out", *asked).code == 1
    run("split", "set", "--shares", "60/20/20")
    assert "--one-file" in run("export", "out", "--one-file", *asked).err
    assert "are for files" not in run("export", "out", *asked).err


def test_without_an_earlier_export_it_says_that_nothing_is_split(run: Run, project: Path) -> None:
    found = run("split")
    assert (found.code, "pairwright split suggest" in found.out.replace("\n", " ")) == (0, True)


def test_files_with_leaks_are_told_with_examples(run: Run, project: Path, tmp_path: Path) -> None:
    run("export", "out", "--preset", "full", "--split", "60/20/20")
    files = sorted((tmp_path / "out").glob("t*.jsonl"))
    clean = run("leaks", tmp_path / "out")
    assert (clean.code, "no paper and no sentence is in two splits" in clean.out) == (0, True)
    train, test = files[1], files[0]
    train.write_bytes(train.read_bytes() + test.read_bytes().replace(b'"test"', b'"train"'))
    leaky = run("leaks", train, test)
    assert (leaky.code, "Leaks: 1 paper and 2 sentences" in leaky.out) == (1, True)
    assert "sentence in test, train: The " in leaky.out
    assert run("leaks", train, test, "--json").data["papers"] == 1


def test_a_file_that_names_no_split_is_refused(run: Run, tmp_path: Path) -> None:
    (tmp_path / "rows.csv").write_text("sentence1,sentence2,label\nOne.,Two.,neutral\n")
    found = run("leaks", "rows.csv")
    assert (found.code, "which split it is in" in found.err) == (1, True)


def test_sentences_that_the_projects_splits_share_are_said_though_exports_leave_them_out(
    run: Run, project: Path, tmp_path: Path
) -> None:
    years = ("split", "set", "--years", "train 2000-2017, dev 2018, test 2019", "--rest", "train")
    assert run(*years).code == 0
    assert "share" not in run("split", "--check").out
    rows = [json.loads(line) for line in (tmp_path / "rows.jsonl").read_text().splitlines()]
    of_dev, of_test = rows[1], rows[2]
    of_dev["sentence1"] = of_test["sentence1"]
    (tmp_path / "version.jsonl").write_text(json.dumps(of_dev) + "\n")
    assert run("import", "version.jsonl").code == 0
    found = run("split", "--check", "--json")
    shared = found.data["shared"]
    assert (shared["papers"], shared["sentences"], shared["left_out"]) == (0, 1, {"dev": {"other_split": 1}})
    assert [leak["splits"] for leak in shared["examples"]["sentences"]] == [["dev", "test"]]
    assert (found.code, found.data["leaks"]["sentences"]) == (0, 0)
    said = run("split", "--check").out
    assert "share 1 sentence. " in said
    assert "with and without a gold label, 1 of 2 pairs of dev." in said
    assert f"sentence in dev, test: {of_test['sentence1']}\nWithout these pairs:\nNo leaks: " in said


def test_gold_pairs_of_dev_that_releases_leave_out_are_said_beside_the_targets(
    run: Run, project: Path, tmp_path: Path
) -> None:
    rows = [json.loads(line) for line in (tmp_path / "rows.jsonl").read_text().splitlines()]
    [of_dev, of_test] = rows[1:3]
    of_dev |= {"sentence1": of_test["sentence1"], "gold_label": "contrasting"}
    of_test |= {"sentence2": "It is another one.", "gold_label": "contrasting"}
    (tmp_path / "gold.jsonl").write_text(json.dumps(of_dev) + "\n" + json.dumps(of_test) + "\n")
    assert run("import", "gold.jsonl").code == 0
    assert run("split", "set", "--years", "train 2000-2017, dev 2018, test 2019", "--rest", "train").code == 0
    note = "Not counted: 1 gold pair of dev with a sentence of test, which releases leave out."
    assert note in run("split").out
    assert note in run("round").out
    [found] = [one for one in run("split", "--json").data["pairs"] if one["split"] == "dev"]
    assert (found["gold"], found["left_out"]) == (0, 1)
    assert {one["split"]: one["left_out"] for one in run("round", "--json").data["classes"] if one["left_out"]} == {
        "dev": 1
    }
