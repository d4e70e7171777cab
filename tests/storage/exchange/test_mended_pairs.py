"""Mended sentences in exports and imports: the mended text goes out, and what was mined goes with it and comes back."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import UTC, datetime
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from miner.mining.identity import sentence_hash
from miner.progress import Progress
from storage.dataset.export_options import ExportOptions, Preset
from storage.exchange.pair_export import export_pairs
from storage.exchange.pair_import import import_pairs
from storage.models.training_parts import assign_parts
from storage.pairs.mended_texts import SentenceField
from storage.project import Project
from tests.storage.exchange.data_set_files import import_file
from tests.storage.factories import add, as_many, mine, mined, next_papers, pair, paper, some_pairs, start_run

AT = datetime(2026, 1, 1, tzinfo=UTC)
PAIR = some_pairs(paper("a").md5).pairs[0]
SHARES = (("train", 60.0), ("dev", 20.0), ("test", 20.0))


@pytest.fixture
def mended(project: Project) -> Project:
    add(project, ["a"])
    mine(project)
    mend(project, PAIR.key, premise="The whole premise.", hypothesis="the whole hypothesis.")
    return project


def mend(project: Project, key: str, **texts: str | None) -> None:
    with project.transaction() as stores:
        stores.texts.mend(key, "anna", {SentenceField(field): text for field, text in texts.items()}, AT, action=None)


def written(project: Project, folder: Path, preset: Preset) -> list[dict[str, Any]]:
    export_pairs(project, folder, ExportOptions(preset), Progress())
    return [json.loads(line) for line in (folder / "pairs.jsonl").read_bytes().splitlines()]


def state(project: Project, key: str = PAIR.key) -> tuple[object, ...]:
    query = "SELECT premise, hypothesis, mined_premise, mined_hypothesis, edited FROM pairs WHERE key = ?"
    with project.read_transaction() as stores:
        return tuple(stores._connection.exec_driver_sql(query, (key,)).one())


def test_all_presets_export_the_mended_text(mended: Project, tmp_path: Path) -> None:
    for preset in sorted(frozenset(Preset) - {Preset.TAXINLI}):  # whose pairs somebody has answered
        row = written(mended, tmp_path / preset, preset)[0]
        sentences = (row.get("sentence1") or row["premise"], row.get("sentence2") or row["hypothesis"])
        assert sentences == ("The whole premise.", "the whole hypothesis.")


def test_a_full_export_says_what_was_mined(mended: Project, tmp_path: Path) -> None:
    first, second, *_ = written(mended, tmp_path / "out", Preset.FULL)
    assert (first["edited"], first["sentence1_mined"], first["sentence2_mined"]) == (
        True,
        PAIR.premise,
        PAIR.hypothesis,
    )
    assert first["pairID"] == PAIR.key
    assert (second["edited"], second["sentence1_mined"], second["sentence2_mined"]) == (False, None, None)


def test_a_full_export_brings_back_the_same_pair(mended: Project, tmp_path: Path) -> None:
    written(mended, tmp_path / "out", Preset.FULL)
    with Project.create(tmp_path / "again.pairwright") as again:
        import_file(again, tmp_path / "out" / "pairs.jsonl")
        assert state(again) == state(mended)
        with again.read_transaction() as stores:
            history = stores.texts.history(PAIR.key)
        assert [(event.annotator, event.old, event.new) for event in history] == [
            ("", PAIR.premise, "The whole premise."),
            ("", PAIR.hypothesis, "the whole hypothesis."),
        ]
        mend(again, PAIR.key, premise=None, hypothesis=None)
        assert state(again) == (PAIR.premise, PAIR.hypothesis, None, None, 0)


@pytest.mark.parametrize("preset", list(Preset))
def test_an_export_of_a_mended_pair_is_known_where_it_comes_from(
    mended: Project, tmp_path: Path, preset: Preset
) -> None:
    rows = written(mended, tmp_path / "out", preset)
    found = import_file(mended, tmp_path / "out" / "pairs.jsonl")
    assert (found.new, found.known + found.duplicates, found.remarks) == (0, len(rows), {})


def test_an_export_from_before_the_mend_is_known_and_its_text_is_not_imported(mended: Project, tmp_path: Path) -> None:
    mend(mended, PAIR.key, premise=None, hypothesis=None)
    written(mended, tmp_path / "before", Preset.SCINLI)
    mend(mended, PAIR.key, premise="Mended again.")
    found = import_file(mended, tmp_path / "before" / "pairs.jsonl")
    assert found.new == 0
    assert list(found.remarks) == ["the project has another text of this pair; that of this file is not imported"]
    assert state(mended)[0] == "Mended again."


def test_a_file_with_mended_sentences_does_not_change_a_pair_of_the_project(mended: Project, tmp_path: Path) -> None:
    written(mended, tmp_path / "out", Preset.FULL)
    mend(mended, PAIR.key, premise="Another text.", hypothesis=None)
    found = import_file(mended, tmp_path / "out" / "pairs.jsonl")
    assert (found.new, [remark.rows for remark in found.remarks.values()]) == (0, [1])
    assert state(mended) == ("Another text.", PAIR.hypothesis, PAIR.premise, None, 1)


def test_a_mark_without_a_mined_text_is_kept_as_it_is(project: Project, tmp_path: Path) -> None:
    row = {"sentence1": "One.", "sentence2": "Two.", "label": "neutral", "edited": True}
    import_file(project, tmp_path / "a.jsonl", json.dumps(row))
    [told] = written(project, tmp_path / "out", Preset.FULL)
    assert (told["edited"], told["source_columns"]) == (False, {"edited": True})


def import_rows(project: Project, path: Path, rows: Iterable[tuple[str, str]]) -> None:
    lines = (json.dumps({"sentence1": one, "sentence2": other, "label": "neutral"}) for one, other in rows)
    path.write_text("\n".join(lines))
    import_pairs(project, path, domain="", progress=Progress(), at=AT)


def split_sentences(project: Project, folder: Path) -> dict[str, set[int]]:
    export_pairs(project, folder, ExportOptions(Preset.FULL, shares=SHARES), Progress())
    return {
        path.stem: {
            sentence_hash(row[side])
            for row in map(json.loads, path.read_bytes().splitlines())
            for side in ("sentence1", "sentence2", "sentence1_mined", "sentence2_mined")
            if row[side] is not None
        }
        for path in folder.glob("*.jsonl")
    }


@pytest.mark.parametrize("field", list(SentenceField))
def test_a_sentence_that_mending_made_the_same_is_in_one_split(
    project: Project, tmp_path: Path, field: SentenceField
) -> None:
    import_rows(project, tmp_path / "all.jsonl", [(f"Premise {n}.", f"Hypothesis {n}.") for n in range(40)])
    with project.read_transaction() as stores:
        keys = [row.key for row in stores._connection.exec_driver_sql("SELECT key FROM pairs ORDER BY ordinal")]
    for key in keys[:20:2]:
        mend(project, key, **{field.value: "Both say this now."})
    found = split_sentences(project, tmp_path / "out")
    assert not any(one & other for one, other in combinations(found.values(), 2))
    assert sum(sentence_hash("Both say this now.") in sentences for sentences in found.values()) == 1


def test_a_mended_sentence_of_another_paper_is_dropped_from_the_other_split(project: Project, tmp_path: Path) -> None:
    add(project, "abcdefghij")
    run = start_run(project)
    for number, pending in enumerate(next_papers(project, run)):
        made = pair(pending.md5, f"Premise {number}.", f"However, paper {number}.")
        with project.transaction() as stores:
            stores.pairs.replace_for(pending, mined([made]), as_many)
        mend(project, made.key, premise="We thank all.")
    found = split_sentences(project, tmp_path / "out")
    assert not any(one & other for one, other in combinations(found.values(), 2))


def test_no_training_example_has_a_mended_sentence_of_the_test_split(project: Project, tmp_path: Path) -> None:
    import_rows(project, tmp_path / "test.jsonl", [("Test premise.", "Test hypothesis.")])
    import_rows(project, tmp_path / "train.jsonl", [("Train premise.", "Train hypothesis."), ("Other.", "Else.")])
    with project.read_transaction() as stores:
        query = "SELECT premise, key FROM pairs"
        keys = {row.premise: row.key for row in stores._connection.exec_driver_sql(query)}
    mend(project, keys["Test premise."], hypothesis="A shared sentence.")
    mend(project, keys["Train premise."], premise="A shared sentence.")
    with project.transaction() as stores:
        assign_parts(stores._connection, None)
        query = "SELECT key, part FROM temp.parts JOIN pairs ON pairs.id = pair_id"
        parts = dict(stores._connection.exec_driver_sql(query).all())
    assert parts == {keys["Test premise."]: "test", keys["Train premise."]: "shared"}
