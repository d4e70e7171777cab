"""The whole way by commands on real papers of three domains, with annotators of known confusion; checked apart."""

from __future__ import annotations

import gzip
import itertools
import json
import random
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from miner.records import Answer, Label
from storage.annotation.answer_context import AnswerContext
from storage.annotation.answers import NewAnswer
from storage.project import Project
from storage.settings import ASSIGNMENT
from tests.data_set_reader import opened
from tests.desktop.cli.conftest import Run, run
from tests.release_check import faults, read_splits

SHARED = Path(__file__).parents[3] / "shared" / "data" / "papers"
DOMAINS = ("nlp", "biomedicine", "agriculture")
RIGHT = {Label.CONTRASTING: 0.93, Label.REASONING: 0.85, Label.ENTAILMENT: 0.8, Label.NEUTRAL: 0.95}
DEV, TEST = 2, 4
FIRST = datetime(2026, 5, 1, tzinfo=UTC)

__all__ = ["run"]  # the fixture


def write_papers(folder: Path, first: int, number: int) -> Path:
    folder.mkdir()
    for domain in DOMAINS:
        with gzip.open(SHARED / f"papers-{domain}.jsonl.gz", "rt", encoding="utf-8") as lines:
            papers = itertools.islice(lines, first, first + number)
            (folder / f"{domain}.jsonl").write_text("".join(papers), encoding="utf-8")
    return folder


def answer_file(path: Path, truth: dict[str, str]) -> None:
    with Project.open(path) as file, file.transaction() as stores:
        sent = stores.settings.get(ASSIGNMENT)
        assert sent is not None
        generator = random.Random(f"{sent.name} {sent.round}")
        keys = stores._connection.exec_driver_sql("SELECT key FROM pairs ORDER BY ordinal").scalars().all()
        for number, key in enumerate(keys):
            right = Label(truth[key])
            wrong = [Answer.UNCLEAR, *(Answer(label.value) for label in Label if label is not right)]
            given = Answer(right.value) if generator.random() < RIGHT[right] else generator.choice(wrong)
            at = FIRST + timedelta(days=sent.round, seconds=7 * number)
            stores.answers.append([NewAnswer(key, sent.annotator, at, given, seen=AnswerContext(blind=True))])


@pytest.mark.slow
@pytest.mark.timeout(400)
@pytest.mark.skipif(not SHARED.is_dir(), reason="the shared papers are not beside the checkout")
def test_a_benchmark_of_real_papers_is_what_it_says(run: Run, tmp_path: Path) -> None:
    def data(*command: str) -> Any:
        done = run(*command, "--json")
        assert done.code == 0, done.err
        return done.data

    papers, path = write_papers(tmp_path / "papers", 0, 110), tmp_path / "psy.pairwright"
    data("new", str(path))
    for domain in DOMAINS:
        data("add", str(papers / f"{domain}.jsonl"), "--domain", domain)
    data("mine")
    wanted = data("split", "suggest", "--dev", str(DEV), "--test", str(TEST))
    shares = [
        f"{one['domain']}: {'/'.join(str(one['shares'][split]) for split in ('train', 'dev', 'test'))}"
        for one in wanted
    ]
    data("split", "set", *itertools.chain.from_iterable(("--shares", text) for text in shares))
    data("people", "add", "Ada", "Ben", "Cy")
    with Project.open(path) as project, project.read_transaction() as stores:
        truth = dict(map(tuple, stores._connection.exec_driver_sql("SELECT key, distant_label FROM pairs")))
    for number in range(1, 6):
        if not data("round", "new", "--dev", str(DEV), "--test", str(TEST))["pairs"]:
            break
        sent = data("round", "send", str(number), "--out", str(tmp_path / f"round {number}"))
        for one in sent:
            answer_file(Path(one["path"]), truth)
        data("merge", *(one["path"] for one in reversed(sent)))
        state = data("round")
        if not any(one["missing"] for one in state["classes"]):
            break
    assert all(one["gold"] >= one["target"] for one in state["classes"])

    released = data("release", "1.0", "--out", str(tmp_path / "release"), "--preset", "full")
    assert faults(tmp_path / "release", votes=3, targets={"dev": DEV, "test": TEST}) == []
    rows = read_splits(tmp_path / "release")
    assert (len(rows["dev"]), len(rows["test"])) == (3 * 4 * DEV, 3 * 4 * TEST)
    assert len(rows["train"]) > 500
    found = opened(tmp_path / "release")
    assert (found["errors"], {name: len(split) for name, split in found["hub"].items()}) == (
        [],
        {"train": len(rows["train"]), "validation": len(rows["dev"]), "test": len(rows["test"])},
    )
    again = data(
        "rebuild",
        str(tmp_path / "release" / "manifest.json"),
        "--papers",
        str(papers),
        "--out",
        str(tmp_path / "again"),
    )
    assert again["rows"] == released["rows"]

    data("add", str(write_papers(tmp_path / "more", 110, 35)))
    data("mine")
    data("export", str(tmp_path / "later"), "--preset", "full", "--card")
    later = read_splits(tmp_path / "later")
    places = {row["paper_md5"]: split for split, of in later.items() for row in of}
    assert all(places.get(row["paper_md5"], split) == split for split, of in rows.items() for row in of)
    for split in ("dev", "test"):
        assert [row["pairID"] for row in later[split]] == [row["pairID"] for row in rows[split]]
    assert faults(tmp_path / "later", votes=3, targets={"dev": DEV, "test": TEST}) == []


def test_the_check_finds_what_is_wrong(tmp_path: Path) -> None:
    def row(key: str, paper: str, first: str, second: str, label: str = "neutral") -> dict[str, str]:
        names = ("pairID", "paper_md5", "sentence1", "sentence2", "label")
        return {**dict(zip(names, (key, paper, first, second, label), strict=True)), "domain": "x"}

    long = "The waves that came in were high, and the beach was narrow in that year"
    splits = {
        "train": [row("a", "p1", "One is here.", "Two are not."), row("b", "p2", f"{long}s.", "It is so.")],
        "dev": [row("c", "p1", "Other words stand here.", "So they do.")],
        "test": [row("d", "p3", "One is HERE", "None.", "reasoning"), row("e", "p4", f"{long}.", "Not so.")],
    }
    for name, rows in splits.items():
        (tmp_path / f"{name}.jsonl").write_text("".join(f"{json.dumps(one)}\n" for one in rows), encoding="utf-8")
    answers = [[who, label, "answer"] for who, label in (("1", "neutral"), ("2", "neutral"), ("3", "reasoning"))]
    lines = [{"annotators": {"1": "annotator"}}, {"pair": "d", "answers": answers}, {"pair": "e", "answers": answers}]
    (tmp_path / "annotations.json").write_text(json.dumps(lines), encoding="utf-8")
    found = "\n".join(faults(tmp_path, votes=3, targets={"test": 0}))
    for said in (
        "c has 0 votes",
        "d is reasoning, and people say neutral",
        "the target is 0",
        "paper p1",
        "is in train",
        "nearly in train",
    ):
        assert said in found
