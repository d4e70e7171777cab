"""What commands, card and receipt say of one rich project: whoever counts the same thing comes to the same number."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from desktop.jobs.review.annotate_overview import load_annotate
from miner.progress import Progress
from miner.records import Answer, Label
from storage.project import Project
from tests.desktop.cli.conftest import Run
from tests.storage.annotation.round_factory import add_pairs, answer_as

LABELS = list(Label)
VOTERS = ("Ada", "Ben", "Cy")
BY_DOMAIN = ("--years", "ecology: train", "--years", "coast: train", "--years", "nlp: dev", "--years", "law: test")


@pytest.fixture
def project(run: Run, tmp_path: Path) -> Path:
    """A pilot, a benchmark round of which every pair went another way, ties, single answers, and human performance."""
    path = tmp_path / "demo.pairwright"
    with Project.create(path) as project:
        add_pairs(project, {name: dict.fromkeys(Label, 40) for name in ("ecology", "coast", "nlp", "law")})
    for command in (
        ("split", "set", *BY_DOMAIN),
        ("people", "add", *VOTERS),
        ("people", "add", "Dee", "--role", "adjudicator"),
        ("people", "add", "Eve", "--role", "expert"),
        ("round", "new", "--kind", "pilot", "--size", "3", "--domain", "ecology"),
        ("round", "new", "--dev", "10", "--test", "12"),
    ):
        assert run(*command).code == 0
    with Project.open(path) as project, project.transaction() as stores:
        keys = {one.name: one.key for one in stores.annotators.all()}
        for pair in stores.annotation_rounds.pairs(1):
            for who in VOTERS:
                answer_as(stores, keys[who], pair.key, Answer(str(pair.label)))
        drawn = stores.annotation_rounds.pairs(2)
        for number, pair in enumerate(drawn):
            right = Label(str(pair.label))
            for who, given in zip(VOTERS, _votes(right, number % 10), strict=False):
                answer_as(stores, keys[who], pair.key, given)
            if number % 20 == 2:
                answer_as(stores, keys["Dee"], pair.key, right)
        others = stores._connection.exec_driver_sql(
            "SELECT key, distant_label FROM pairs WHERE status = 'open' AND votes = 0 ORDER BY key LIMIT 60"
        ).all()
        for number, (key, label) in enumerate(others):
            given = Label(label) if number % 3 else _other(Label(label), 1)
            answer_as(stores, keys["Ada"], key, given, accepted=number % 7 == 0)
    assert run("round", "new", "--kind", "estimate", "--size", "2").code == 0
    with Project.open(path) as project, project.transaction() as stores:
        for pair in stores.annotation_rounds.pairs(3):
            answer_as(stores, keys["Eve"], pair.key, Answer(str(pair.label)))
    return path


def _other(label: Label, by: int) -> Label:
    return LABELS[(LABELS.index(label) + by) % len(LABELS)]


def _votes(right: Label, kind: int) -> tuple[Answer | Label, ...]:
    wrong, other = _other(right, 1), _other(right, 2)
    unclear = Answer.UNCLEAR
    return (
        (right, right, right),
        (right, right, wrong),
        (right, wrong, other),
        (wrong, wrong, right),
        (unclear, unclear, right),
        (right, right),
        (right, wrong),
        (right,),
        (),
        (right, right, right),
    )[kind]


def test_one_thing_has_one_figure_wherever_it_is_said(run: Run, project: Path, tmp_path: Path) -> None:
    def ask(*command: str) -> Any:
        done = run(*command, "--json")
        assert done.code == 0
        return done.data

    stats, agreed, split, gold = ask("stats"), ask("agree", "--bootstrap", "0"), ask("split"), ask("gold")
    rounds, audited = ask("round"), ask("audit")
    table_3, table_12 = ask("stats", "--table", "3"), ask("stats", "--table", "12")
    exported = ask("export", str(tmp_path / "export"), "--preset", "full", "--card")
    released = ask("release", "1", "--out", str(tmp_path / "release"), "--preset", "full")
    card = (tmp_path / "release" / "README.md").read_text(encoding="utf-8")
    with Project.open(project, read_only=True) as opened:
        page = load_annotate(opened, "ada").work(Progress())
    files = {name: _rows(tmp_path / "release" / f"{name}.jsonl") for name in ("train", "dev", "test")}
    written = sum(map(len, files.values()))

    # How many pairs a data set has.
    assert exported["rows"] == released["rows"] == written == table_3["pairs"] == sum(audited["counts"].values())
    assert f"{written:,} sentence pairs" in card
    assert {name: len(rows) for name, rows in files.items()} == {
        file["name"].removesuffix(".jsonl"): file["rows"] for file in released["files"] if file["name"][-6:] == ".jsonl"
    }

    # Pairs whose votes came to nothing, and those that wait.
    undecided = agreed["overall"]["against_distant"]["no_consensus"]
    assert stats["answers"]["unsettled"] == undecided == released["left_out"]["no_majority"]
    assert stats["answers"]["waiting"] == released["left_out"]["waiting"]
    assert table_12["classes"]["overall"]["no_consensus"] == undecided

    # Gold labels, and how far they are the distant ones.
    by_class = Counter({(one["split"], one["domain"], one["class"]): one["gold"] for one in rounds["classes"]})
    assert +by_class == Counter(
        {(one["split"], one["domain"], one["label"]): one["gold"] for one in split["pairs"] if one["split"] != "train"}
    )
    assert gold["gold"] == by_class.total()
    against = agreed["overall"]["against_distant"]
    for name in ("annotated", "agreeing"):
        assert table_12["classes"]["overall"][name] == against[name]
    assert f"| all | {against['annotated']} | {against['agreeing']} |" in card
    [pilot] = [one for one in agreed["groups"] if one["kind"] == "pilot"]
    assert (pilot["name"], pilot["agreement"]["votes"]) == ("1", 36)
    assert [one["name"] for one in agreed["groups"] if one["kind"] == "round"] == ["2"]

    # What each person has answered.
    people = {one["name"]: one["answers"] for one in ask("people")}
    assert stats["answers"]["annotators"] == people
    assert {one.name: one.answers for one in page.people} == people
    votes = {one["name"]: one["votes"] for one in agreed["annotators"]}
    assert votes["Ben"] == people["Ben"] - 12  # those of the pilot are none


def _rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
