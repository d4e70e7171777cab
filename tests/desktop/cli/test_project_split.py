"""The command `split`, and releases by the project's split."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from miner.records import Answer, Label
from storage.annotation.answers import NewAnswer
from storage.project import Project
from tests.desktop.cli.conftest import Run
from tests.storage.annotation.round_factory import AT, C, add_pairs, answer


@pytest.fixture(autouse=True)
def project(run: Run, tmp_path: Path) -> Path:
    path = tmp_path / "demo.pairwright"
    with Project.create(path) as project:
        add_pairs(project, {name: dict.fromkeys(Label, 6) for name in ("ecology", "nlp", "law")})
    return path


def read(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


BY_DOMAIN = ("--years", "ecology: train", "--years", "nlp: dev", "--years", "law: test")


def test_the_way_from_a_split_to_a_release(run: Run, project: Path, tmp_path: Path) -> None:
    assert "The papers are not split" in run("split").out
    refused = run("round", "new", "--annotator", "Ada", "--annotator", "Ben", "--annotator", "Cy")
    assert (refused.code, "not split yet" in refused.err) == (1, True)
    assert "nlp: train; law" not in run("split", "set", *BY_DOMAIN).out
    run("people", "add", "Ada", "Ben", "Cy")
    drawn = run("round", "new", "--dev", "1", "--test", "2", "--json").data
    assert {(one["split"], one["domain"]): one["drawn"] for one in drawn["strata"] if one["drawn"]} == {
        ("dev", "nlp"): 1,
        ("test", "law"): 2,
    }
    preview = run("round", "new", "--dev", "9", "--test", "9", "--domain", "nlp", "--preview").out
    assert "in nlp (test) has 0 of 9" in preview
    assert "it takes about 2 papers more in test, or" not in preview  # no share can be told of a split without papers
    assert "it takes about 2 papers more in test." in preview
    with Project.open(project) as opened, opened.transaction() as stores:
        for pair in stores.annotation_rounds.pairs(1):
            for who in ("Ada", "Ben", "Cy"):
                stores.answers.append([NewAnswer(pair.key, who, AT, Answer(str(pair.label)))])
    out = tmp_path / "out"
    said = run("release", "1.0", "--out", str(out), "--preset", "full").out
    assert "no paper and no sentence is in two splits" in said
    rows = {split: read(out / f"{split}.jsonl") for split in ("train", "dev", "test")}
    assert {split: len(of) for split, of in rows.items()} == {"train": 24, "dev": 4, "test": 8}
    assert Counter(row["label"] for row in rows["test"]) == dict.fromkeys(map(str, Label), 2)
    assert {len(row["annotator_labels"]) for row in rows["dev"] + rows["test"]} == {3}
    assert {row["gold_label"] for row in rows["train"]} == {None}
    assert "gold alone" in (out / "README.md").read_text(encoding="utf-8")
    one = run("export", str(tmp_path / "one"), "--one-file", "--json").data
    assert [file["name"] for file in one["files"]] == ["pairs.jsonl"]
    only = run("export", str(tmp_path / "only"), "--only", "dev,test", "--json").data
    assert sorted(file["name"] for file in only["files"]) == ["dev.jsonl", "test.jsonl"]
    other = run("export", str(tmp_path / "other"), "--split", "80/10/10")
    assert (other.code, "split already" in other.err) == (1, True)


def test_a_change_that_moves_answered_papers_asks_first(run: Run, project: Path) -> None:
    run("split", "set", *BY_DOMAIN)
    with Project.open(project) as opened, opened.transaction() as stores:
        [key] = [
            key
            for (key,) in stores._connection.exec_driver_sql(
                "SELECT key FROM pairs JOIN papers ON papers.id = paper_id WHERE domain = 'law' LIMIT 1"
            )
        ]
        answer(stores, key, C, C, C)
    asked = run("split", "set", "--shares", "100/0/0")
    assert asked.code == 1
    assert "1 paper with 1 answered pair would leave" in asked.out
    assert "law: test" in run("split").out
    assert run("split", "set", "--shares", "100/0/0", "--yes").code == 0
    assert {one["split"] for one in run("split", "--json").data["papers"]} == {"train"}
    run("undo")
    assert {one["split"] for one in run("split", "--json").data["papers"]} == {"train", "dev", "test"}
    assert run("split", "clear", "--yes").code == 0
    assert "The papers are not split" in run("split").out


def test_a_suggestion_says_what_dev_and_test_want(run: Run) -> None:
    found = run("split", "suggest", "--dev", "1", "--test", "2").out
    assert "To split them so: pairwright split set" in found
    assert "What helps" in found  # one paper a domain is too few


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ((), "Say one way"),
        (("--shares", "70/10"), "are no shares"),
        (("--shares", "1/1/1", "--from-gold"), "Say one way"),
        (("--years", "train -2018, test 2018-"), "overlap"),
        (("--from-gold",), "No paper has a gold label"),
        (("--test-where", "domain=physics"), "physics"),
    ],
)
def test_what_cannot_be_meant_is_said(run: Run, options: tuple[str, ...], said: str) -> None:
    refused = run("split", "set", *options)
    assert refused.code == 1
    assert said in refused.err.replace("\n", " ")


def test_filters_choose_papers_once_and_for_all(run: Run) -> None:
    said = run("split", "set", "--test-where", "domain=law", "--dev-where", "domain=nlp").out
    assert "2 papers by name, all others train" in said
    papers = run("split", "--json").data["papers"]
    assert {(one["domain"], one["split"]) for one in papers} == {("law", "test"), ("nlp", "dev"), ("ecology", "train")}
