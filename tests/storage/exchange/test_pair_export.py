"""What an export writes: which rows, with which fields, in which order, and that a preview says so."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from miner.progress import Cancelled, Progress
from miner.records import Answer, Label, PairFlag, Strategy
from storage.annotation.answers import AnswerSource, NewAnswer
from storage.annotation.marks import MarkKind, RejectReason
from storage.dataset.export_options import ExportOptions, Preset
from storage.exchange import export_rows
from storage.exchange.pair_export import ExportReceipt, export_pairs, preview_pairs
from storage.exchange.pair_import import import_pairs
from storage.models.registry import ModelKind
from storage.models.suggestions import NewSuggestion
from storage.pairs.filters import PairFilter, PairStatus
from storage.pairs.judgement import keys_scope
from storage.project import Project
from tests.storage.factories import (
    LABELS,
    add,
    as_many,
    mine,
    mined,
    next_papers,
    pair,
    paper,
    pdf,
    say_kinds,
    search,
    some_pairs,
    start_run,
)

FULL = ExportOptions(Preset.FULL)
SPLIT = (("train", 50.0), ("test", 50.0))


def export(project: Project, folder: Path, options: ExportOptions = FULL) -> ExportReceipt:
    return export_pairs(project, folder, options, Progress())


def rows(folder: Path, name: str = "pairs") -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / f"{name}.jsonl").read_bytes().splitlines()]


def answer(project: Project, key: str, *answers: Answer) -> None:
    with project.transaction() as stores:
        now = datetime.now(UTC)
        stores.answers.append(NewAnswer(key, f"annotator {n}", now, given) for n, given in enumerate(answers))


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "out"


def test_a_full_row_says_where_the_pair_came_from(project: Project, out: Path) -> None:
    add(project, ["ä"])
    mine(project, "the run")
    md5 = paper("ä").md5
    first = some_pairs(md5).pairs[0]
    export(project, out)
    assert rows(out)[0] == {
        "pairID": first.key,
        "sentence1": first.premise,
        "sentence2": "0.",
        "label": "contrasting",
        "distant_label": "contrasting",
        "gold_label": None,
        "annotator_labels": [],
        "accepted_suggestion": False,
        "suggested_label": None,
        "suggestion_confidence": None,
        "suggestion_model": None,
        "strategy": "linked",
        "linking_phrase": "However",
        "sentence2_original": "However, 0.",
        "edited": False,
        "sentence1_mined": None,
        "sentence2_mined": None,
        "crosses_paragraph": False,
        "flags": [],
        "domain": "biology",
        "split": None,
        "paper_sha256": paper("ä").sha256,
        "paper_md5": md5,
        "title": "On ä",
        "doi": None,
        "year": 2019,
        "licence": None,
        "journal": None,
        "section": "Introduction",
        "page": 1,
        "parser": "embedded",
        "parser_version": "1",
        "direction": "neither",
        "distant_direction": "neither",
        "annotated_direction": None,
        "kinds": [],
        "annotator_kinds": [],
        "tags": [],
        "mining_run": "the run",
        "source_id": None,
        "source_label": None,
        "source_columns": None,
    }
    assert "On ä" in (out / "pairs.jsonl").read_text("utf-8")


def test_accepted_suggestions_and_answers_are_distinguished(project: Project, out: Path) -> None:
    add(project, ["a"])
    mine(project)
    with project.transaction() as stores:
        now = datetime.now(UTC)
        model = stores.models.enter("d1", "small", ModelKind.FOLDER, "/models/small", {}, None)
        run = stores.suggestions.begin(model, 1.0, arithmetic="cpu fp32", program="1", at=now)
        first, second, *_ = stores.suggestions.missing(run)
        stores.suggestions.put(
            run, [NewSuggestion(first, (0.05, 0.8, 0.1, 0.05)), NewSuggestion(second, (0.05, 0.8, 0.1, 0.05))]
        )
        stores.answers.append([NewAnswer(first.key, "anna", now, Answer.REASONING, AnswerSource.ACCEPTED)])
    answer(project, second.key, Answer.REASONING)
    export(project, out)
    by_key = {row["pairID"]: row for row in rows(out)}
    fields = ("label", "gold_label", "annotator_labels", "accepted_suggestion", "suggested_label")
    assert [by_key[first.key][name] for name in fields] == ["reasoning", "reasoning", [], True, "reasoning"]
    assert [by_key[second.key][name] for name in fields] == [
        "reasoning",
        "reasoning",
        ["reasoning"],
        False,
        "reasoning",
    ]
    assert (by_key[first.key]["suggestion_confidence"], by_key[first.key]["suggestion_model"]) == (0.8, "d1")
    export(project, out, ExportOptions(Preset.SNLI))
    assert {row["pairID"]: row["annotator_labels"] for row in rows(out)}[first.key] == []


def test_the_scinli_preset_has_its_four_fields(project: Project, out: Path) -> None:
    add(project, ["a"])
    mine(project)
    export(project, out, ExportOptions())
    assert list(rows(out)[0]) == ["id", "sentence1", "sentence2", "label"]


@pytest.mark.parametrize("options", [FULL, ExportOptions(Preset.FULL, shares=SPLIT, balance=True, seed=7)])
def test_the_bytes_do_not_depend_on_the_order_of_import(tmp_path: Path, options: ExportOptions) -> None:
    written = []
    for order in ("abcdefgh", "hgfedcba", "dahcgbfe"):
        with Project.create(tmp_path / f"{order}.pairwright") as project:
            add(project, order[:5])
            mine(project)
            add(project, order[5:])
            mine(project)
            export(project, tmp_path / order, options)
        written.append({file.name: file.read_bytes() for file in (tmp_path / order).iterdir()})
    assert written[0] == written[1] == written[2]


def test_rows_are_in_order_of_papers_then_of_reading(project: Project, out: Path) -> None:
    add(project, "abc")
    mine(project)
    export(project, out)
    with project.read_transaction() as stores:
        expected = [pair.key for md5 in stores.papers.md5s() for pair in stores.pairs.of_paper(md5)]
    assert [row["pairID"] for row in rows(out)] == expected


def test_the_receipt_accounts_for_every_pair_and_byte(project: Project, out: Path) -> None:
    add(project, "abcd")
    mine(project)
    receipt = export(project, out, ExportOptions(shares=SPLIT, balance=True))
    with project.read_transaction() as stores:
        assert receipt.rows + sum(receipt.left_out.values()) == stores.pairs.count()
    assert receipt.rows == sum(receipt.counts.values()) == sum(file.rows for file in receipt.files)
    for file in receipt.files:
        content = (out / file.name).read_bytes()
        assert (file.size, file.sha256) == (len(content), hashlib.sha256(content).hexdigest())
    told = json.loads((out / "receipt.json").read_text())
    assert told["rows"] == receipt.rows
    assert {file["name"] for file in told["files"]} == {"train.jsonl", "test.jsonl"}


def test_people_outvote_the_distant_label_and_a_tie_is_left_out(project: Project, out: Path) -> None:
    add(project, ["a"])
    mine(project)
    first, second, third, *_ = some_pairs(paper("a").md5).pairs
    answer(project, first.key, Answer.NEUTRAL, Answer.CONTRASTING, Answer.NEUTRAL)
    answer(project, second.key, Answer.NEUTRAL, Answer.CONTRASTING)
    answer(project, third.key, Answer.UNCLEAR)
    receipt = export(project, out)
    found = {row["pairID"]: row for row in rows(out)}
    row = found[first.key]
    assert (row["label"], row["gold_label"], row["distant_label"]) == ("neutral", "neutral", "contrasting")
    assert row["annotator_labels"] == ["neutral", "contrasting", "neutral"]
    assert receipt.left_out == {"no_majority": 2}
    assert not {second.key, third.key} & found.keys()


def test_implicit_pairs_and_flagged_ones_come_only_when_wanted(project: Project, out: Path) -> None:
    add(project, ["a"])
    [pending] = next_papers(project, start_run(project))
    linked = pair(pending.md5, "One.", "However, two.")
    crossing = pair(pending.md5, "Three.", "However, four.")
    object.__setattr__(crossing, "flags", (PairFlag.CROSSES_PARAGRAPH,))
    implicit = pair(pending.md5, "Five.", "Six.", Strategy.IMPLICIT, None)
    with project.transaction() as stores:
        stores.pairs.replace_for(pending, mined([linked, crossing, implicit]), as_many)
    assert export(project, out).left_out == {"strategy": 1}
    assert [row["crosses_paragraph"] for row in rows(out)] == [False, True]
    wanted = ExportOptions(Preset.FULL, strategies=frozenset(Strategy), without=frozenset({PairFlag.CROSSES_PARAGRAPH}))
    assert export(project, out, wanted).left_out == {"crosses_paragraph": 1}
    assert [row["label"] for row in rows(out)] == ["contrasting", None]


def test_no_paper_is_in_two_splits_and_classes_are_balanced(project: Project, out: Path) -> None:
    add(project, "abcdefgh")
    for number, pending in enumerate(next_papers(project, start_run(project))):
        names = [(label, f"{pending.md5} {place}") for place, label in enumerate([*LABELS, *LABELS[: number % 3]])]
        pairs = [pair(pending.md5, f"On {name}.", f"However, {name}.", label=label) for label, name in names]
        with project.transaction() as stores:
            stores.pairs.replace_for(pending, mined(pairs), as_many)
    export(project, out, ExportOptions(Preset.FULL, shares=SPLIT, balance=True))
    train, test = (rows(out, name) for name in ("train", "test"))
    owners = [{row["paper_md5"] for row in part} for part in (train, test)]
    assert [len(papers) for papers in owners] == [4, 4]
    assert not owners[0] & owners[1]
    for part in (train, test):
        sizes = Counter(row["label"] for row in part)
        assert sizes.keys() == {*map(str, LABELS)}
        assert len(set(sizes.values())) == 1


@pytest.mark.parametrize("shares", [(), SPLIT])
def test_what_balance_costs_is_known_before_and_after(
    project: Project, out: Path, shares: tuple[tuple[str, float], ...]
) -> None:
    for name, domain in (("a", "biology"), ("b", "biology"), ("c", "physics"), ("d", "physics"), ("e", "botany")):
        with project.transaction() as stores:
            stores.papers.save(paper(name, domain=domain), pdf(name))
    for number, pending in enumerate(next_papers(project, start_run(project))):
        labels = [*LABELS, *LABELS[:1] * number, *LABELS[1:2] * 2][: 3 + number]
        pairs = [pair(pending.md5, f"On {place}.", f"However, {place}.", label=one) for place, one in enumerate(labels)]
        with project.transaction() as stores:
            stores.pairs.replace_for(pending, mined(pairs), as_many, duplicates=True)
    options = ExportOptions(Preset.FULL, shares=shares)
    open_cost = preview_pairs(project, options, Progress(), lines=1).balance
    balanced = replace(options, balance=True)
    receipt, preview = export(project, out, balanced), preview_pairs(project, balanced, Progress(), lines=1)
    assert open_cost is not None
    assert receipt.balance == preview.balance == open_cost
    assert open_cost.kept == receipt.rows == preview.rows
    assert open_cost.pairs == receipt.rows + receipt.left_out["balance"]
    assert (open_cost.rarest, open_cost.parts) == ("entailment", 3 if not shares else open_cost.parts)
    assert export(project, out / "all", options).balance is None, "nobody asked for it"


def test_a_set_without_labels_has_no_balance(project: Project) -> None:
    assert preview_pairs(project, ExportOptions(), Progress(), lines=1).balance is None


def test_papers_that_are_not_mined_yet_are_counted(project: Project, out: Path) -> None:
    add(project, "ab")
    mine(project)
    add(project, "c")
    assert export(project, out).unmined >= 1


CONTRASTS = PairFilter(labels=frozenset({"contrasting"}))
OPTIONS = [
    FULL,
    ExportOptions(),
    ExportOptions(Preset.FULL, shares=SPLIT, balance=True, seed=3),
    ExportOptions(Preset.SNLI, scope=CONTRASTS),
    ExportOptions(Preset.INTEGERS, shares=SPLIT, scope=PairFilter(text="premise")),
    ExportOptions(Preset.MISMATCHED, shares=(("train", 1.0),), scope=PairFilter(labels=frozenset({"none such"}))),
]


def make_bad(project: Project, key: str) -> None:
    with project.transaction() as stores:
        action = stores.actions.begin("anna", "Mark as bad", datetime.now(UTC))
        stores.marks.put(keys_scope([key]), "anna", MarkKind.BAD, RejectReason.OTHER, datetime.now(UTC), action=action)


@pytest.mark.parametrize("options", OPTIONS)
def test_a_preview_says_what_the_export_writes(project: Project, out: Path, options: ExportOptions) -> None:
    add(project, "abcdef")
    mine(project)
    with project.transaction() as stores:
        stores._connection.exec_driver_sql(
            "UPDATE pairs SET premise_hash = 5 WHERE ordinal = 0"
        )  # one sentence everywhere
    seen = preview_pairs(project, options, Progress(), lines=3)
    receipt = export(project, out, options)
    assert (seen.rows, seen.counts, seen.left_out) == (receipt.rows, receipt.counts, receipt.left_out)
    assert list(seen.lines) == [file.name for file in receipt.files]
    for name, lines in seen.lines.items():
        assert list(lines) == (out / name).read_text("utf-8").splitlines()[:3]
    assert seen.split_by == receipt.split_by


def test_a_preview_can_be_cancelled(project: Project) -> None:
    add(project, "abcdefgh")
    mine(project)
    progress = Progress()
    progress.cancel()
    with pytest.raises(Cancelled):
        preview_pairs(project, FULL, progress, lines=3)
    assert preview_pairs(project, FULL, Progress(), lines=3).rows


def test_what_is_shown_is_what_is_exported(project: Project, out: Path) -> None:
    add(project, "abc")
    mine(project)
    receipt = export(project, out, ExportOptions(Preset.FULL, scope=CONTRASTS))
    with project.read_transaction() as stores:
        expected = [
            pair.key
            for md5 in stores.papers.md5s()
            for pair in stores.pairs.of_paper(md5)
            if pair.distant_label is Label.CONTRASTING
        ]
        assert receipt.rows + receipt.left_out["not_shown"] == stores.pairs.count()
    assert [row["pairID"] for row in rows(out)] == expected
    told = json.loads((out / "receipt.json").read_text())
    assert told["options"]["scope"] == {"labels": ["contrasting"]}


def test_an_export_can_be_limited_to_settled_pairs(project: Project, out: Path) -> None:
    add(project, ["a"])
    mine(project)
    first, second, third = (pair.key for pair in some_pairs(paper("a").md5).pairs[:3])
    answer(project, first, Answer.REASONING)
    answer(project, second, Answer.NEUTRAL, Answer.REASONING)
    receipt = export(project, out, replace(FULL, settled=True))
    assert [(row["pairID"], row["label"], row["gold_label"]) for row in rows(out)] == [
        (first, "reasoning", "reasoning")
    ]
    assert receipt.left_out["no_majority"] == 1
    assert receipt.left_out["not_settled"] == len(some_pairs(paper("a").md5).pairs) - 2
    assert third not in {row["pairID"] for row in rows(out)}
    assert ExportOptions.from_data(receipt.options.to_data()) == receipt.options


def test_pairs_that_are_left_out_leave_no_empty_line(
    project: Project, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(export_rows, "_BATCH_ROWS", 1)
    add(project, "ab")
    mine(project)
    shown = PairFilter(labels=frozenset({"reasoning"}))
    receipt = export(project, out, ExportOptions(scope=shown))
    lines = (out / "pairs.jsonl").read_bytes().split(b"\n")
    assert (len(lines), lines[-1], receipt.rows) == (3, b"", 2)
    assert all(json.loads(line)["label"] == "reasoning" for line in lines[:-1])


def test_bad_pairs_are_left_out_even_when_they_are_shown(project: Project, out: Path) -> None:
    add(project, "a")
    mine(project)
    bad = some_pairs(paper("a").md5).pairs[1]
    make_bad(project, bad.key)
    assert export(project, out).left_out == {"bad": 1}
    assert bad.key not in {row["pairID"] for row in rows(out)}
    shown = ExportOptions(Preset.FULL, scope=PairFilter(statuses=frozenset({PairStatus.BAD})))
    receipt = export(project, out, shown)
    assert (receipt.rows, receipt.left_out["bad"]) == (0, 1)


def test_a_query_can_be_cancelled(project: Project) -> None:
    progress = Progress()
    progress.cancel()
    endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
    with project.read_transaction() as stores, pytest.raises(Cancelled), stores.cancellable(progress):
        stores._connection.exec_driver_sql(endless)
    assert preview_pairs(project, FULL, Progress(), lines=3).rows == 0


@pytest.mark.parametrize("preset", Preset)
def test_what_is_exported_can_be_imported_again(project: Project, tmp_path: Path, out: Path, preset: Preset) -> None:
    add(project, "ab")
    mine(project)
    say_kinds(project)
    receipt = export(project, out, ExportOptions(preset))
    with Project.create(tmp_path / "again.pairwright") as again:
        found = import_pairs(again, out / "pairs.jsonl", domain="other", progress=Progress(), at=datetime.now(UTC))
        assert (found.new, found.bad) == (receipt.rows, 0)
        with project.read_transaction() as ours, again.read_transaction() as theirs:
            kept = {(row.premise, row.hypothesis, row.distant) for row in search(ours, "premise")}
            got = {(row.premise, row.hypothesis, row.distant) for row in search(theirs, "premise")}
            named = preset in (Preset.MISMATCHED, Preset.SNLI, Preset.TAXINLI, Preset.FULL)
            assert {domain for domain, *_ in theirs.pairs.counts()} == ({"biology"} if named else {"other"})
    others = {Preset.TAXINLI: "entailment"}  # two said which kinds they see
    assert got == ({(*texts, others[preset]) for *texts, _ in kept} if preset in others else kept)


def test_pairs_without_a_label_have_none_in_any_preset(project: Project, out: Path) -> None:
    add(project, ["a"])
    [pending] = next_papers(project, start_run(project))
    with project.transaction() as stores:
        implicit = pair(pending.md5, "Five.", "Six.", Strategy.IMPLICIT, None)
        stores.pairs.replace_for(pending, mined([implicit]), as_many)
    found = {}
    for preset in sorted(frozenset(Preset) - {Preset.TAXINLI}):  # whose pairs somebody has answered
        export(project, out, ExportOptions(preset, strategies=frozenset(Strategy)))
        [row] = rows(out)
        found[preset] = row.get("label", row.get("gold_label"))
    assert found == {"scinli": None, "mismatched": None, "snli": "-", "integers": -1, "full": None}
