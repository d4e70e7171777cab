"""What an import of a data set stores: each pair once, with its answers, its split and all else that the file says."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from miner.progress import Progress
from miner.records import Answer
from storage.dataset.export_options import ExportOptions, Preset
from storage.exchange.pair_export import export_pairs
from storage.project import Project
from storage.schema import DATA_SET
from tests.storage.exchange.data_set_files import SCINLI, SNLI, TAXINLI, import_file, stored_pairs
from tests.storage.factories import add, mine, remove

SHARED = Path(__file__).parents[4] / "shared" / "data" / "scinli"


def test_a_value_nested_too_deep_for_the_project_is_left_out(project: Project, tmp_path: Path) -> None:
    deep = '{"sentence1": "A.", "sentence2": "B.", "label": "neutral", "x": ' + "[" * 900 + "]" * 900 + "}"
    imported = import_file(project, tmp_path / "a.jsonl", deep)
    assert (imported.new, len(imported.remarks)) == (1, 1)
    assert export_pairs(project, tmp_path / "out", ExportOptions(Preset.FULL), Progress()).rows == 1


def test_the_same_content_again_adds_nothing(project: Project, tmp_path: Path) -> None:
    import_file(project, tmp_path / "dev.csv", SCINLI)
    again = import_file(project, tmp_path / "copy.csv", SCINLI)
    assert (again.new, again.known) == (0, 2)
    assert len(stored_pairs(project)) == 2
    assert project.check() == []


def test_imported_pairs_are_exported_in_their_own_split(project: Project, tmp_path: Path) -> None:
    import_file(project, tmp_path / "dev.csv", SCINLI)
    import_file(project, tmp_path / "a.jsonl", SNLI)
    options = ExportOptions(Preset.FULL, shares=(("train", 100.0),))
    export_pairs(project, tmp_path / "out", options, Progress())
    written = {
        split: [json.loads(line) for line in (tmp_path / "out" / f"{split}.jsonl").read_bytes().splitlines()]
        for split in ("train", "dev")
    }
    assert [row["source_id"] for row in written["dev"]] == ["dev_0", "dev_1"]
    assert [row["source_label"] for row in written["train"]] == ["contradiction", "neutral"]


@pytest.mark.skipif(not SHARED.is_dir(), reason="the shared test data are not here")
def test_all_of_scinli_is_imported(project: Project) -> None:
    for name, rows in (("dev.csv", 2000), ("train_1.tsv", 1000), ("train_2.tsv", 1000)):
        imported = import_file(project, SHARED / name)
        assert (imported.new, imported.bad) == (rows, 0)
    with project.read_transaction() as stores:
        assert set(stores.pairs.counts().values()) == {1000}


def test_a_data_set_in_three_formats_is_imported_once(project: Project, tmp_path: Path) -> None:
    rows = [{"id": str(n), "sentence1": f"Premise {n}.", "sentence2": f"so {n}.", "label": "neutral"} for n in range(9)]
    import_file(project, tmp_path / "train.jsonl", "".join(f"{json.dumps(row)}\n" for row in rows))
    for preset in (Preset.FULL, Preset.INTEGERS):
        export_pairs(project, tmp_path / preset, ExportOptions(preset), Progress())
    capital = [row | {"sentence2": f"So {n}."} for n, row in enumerate(rows)]
    again = import_file(project, tmp_path / "test.jsonl", "".join(f"{json.dumps(row)}\n" for row in capital))
    assert (again.new, again.known, again.duplicates, again.moved, again.other_split) == (0, 0, 9, 9, 0)
    train = import_file(project, tmp_path / "train.jsonl")
    assert (train.new, train.known, train.moved, train.other_split) == (0, 9, 0, 9)
    full = import_file(project, tmp_path / Preset.FULL / "pairs.jsonl")
    integers = import_file(project, tmp_path / Preset.INTEGERS / "pairs.jsonl")
    assert (full.new, full.known, full.duplicates) == (0, 9, 0)
    assert (integers.new, integers.known, integers.duplicates) == (0, 0, 9)
    assert len(stored_pairs(project)) == 9


def test_another_label_for_a_pair_is_reported_and_changes_nothing(project: Project, tmp_path: Path) -> None:
    import_file(project, tmp_path / "a.csv", "sentence1,sentence2,label\nOne.,Two.,neutral\nThree.,Four.,entailment\n")
    content = (
        "sentence1,sentence2,label\nOne.,two.,contrasting\nThree.,Four.,entailment\nA.,B.,neutral\nA.,B.,reasoning\n"
    )
    imported = import_file(project, tmp_path / "b.csv", content)
    assert (imported.new, imported.duplicates, imported.conflicts) == (1, 3, 2)
    assert [(row.line, row.here, row.there) for row in imported.conflict_rows] == [
        (2, "contrasting", "neutral"),
        (5, "reasoning", "neutral"),
    ]
    assert [row[2] for row in stored_pairs(project)] == ["neutral", "entailment", "neutral"]


def test_a_pair_that_was_mined_is_not_imported_again(project: Project, tmp_path: Path) -> None:
    add(project, ["a"])
    mine(project)
    export_pairs(project, tmp_path / "out", ExportOptions(), Progress())
    imported = import_file(project, tmp_path / "out" / "pairs.jsonl")
    assert (imported.new, imported.duplicates) == (0, len(stored_pairs(project)))
    with project.read_transaction() as stores:
        assert stores.paper_table.totals().data_sets == 0  # nothing of it is needed


def test_other_answers_for_a_known_pair_are_reported(project: Project, tmp_path: Path) -> None:
    row = {"sentence1": "A.", "sentence2": "B.", "gold_label": "neutral", "annotator_labels": ["neutral"]}
    import_file(project, tmp_path / "a.jsonl", json.dumps(row))
    assert import_file(project, tmp_path / "a.jsonl").remarks == {}
    more = row | {"annotator_labels": ["neutral", "neutral", "entailment"]}
    imported = import_file(project, tmp_path / "b.jsonl", json.dumps(more))
    assert (imported.duplicates, imported.conflicts, len(imported.remarks)) == (1, 0, 1)


def test_annotator_labels_are_imported_as_answers(project: Project, tmp_path: Path) -> None:
    rows = [
        {"gold_label": "neutral", "annotator_labels": ["neutral", "contradiction", "neutral"]},
        {"gold_label": "-", "annotator_labels": ["neutral", "entailment"]},
        {"gold_label": "entailment", "annotator_labels": []},
        {"gold_label": "-", "annotator_labels": []},
        {"gold_label": "neutral", "annotator_labels": ["neutral", "entailment"]},
        {"gold_label": "neutral", "annotator_labels": ["neutral", "perhaps"]},
    ]
    content = "".join(f"{json.dumps(row | {'sentence1': f'{n}.', 'sentence2': 'B.'})}\n" for n, row in enumerate(rows))
    imported = import_file(project, tmp_path / "snli.jsonl", content)
    assert (imported.new, imported.answered, imported.answers, imported.unlabelled) == (6, 2, 5, 1)
    assert [(remark.line, remark.rows) for remark in imported.remarks.values()] == [(5, 1), (6, 1)]
    with project.read_transaction() as stores:
        found = stores._connection.exec_driver_sql(
            "SELECT key, status, gold, distant_label FROM pairs ORDER BY ordinal"
        )
        keys, *verdicts = zip(*found, strict=True)
        assert list(zip(*verdicts, strict=True)) == [
            ("settled", "neutral", None),
            ("unsettled", None, None),
            ("open", None, "entailment"),
            ("open", None, None),
            ("open", None, "neutral"),
            ("open", None, "neutral"),
        ]
        assert stores.answers.of_pair(keys[0]) == {
            "imported 01": Answer.NEUTRAL,
            "imported 02": Answer.CONTRASTING,
            "imported 03": Answer.NEUTRAL,
        }
    export_pairs(project, tmp_path / "out", ExportOptions(Preset.SNLI), Progress())
    written = [json.loads(line) for line in (tmp_path / "out" / "pairs.jsonl").read_bytes().splitlines()]
    assert [row["gold_label"] for row in written] == ["neutral", "entailment", "-", "neutral", "neutral"]


def test_answers_come_once_however_often_the_data_set_does(project: Project, tmp_path: Path) -> None:
    row = {"sentence1": "A.", "sentence2": "B.", "gold_label": "neutral", "annotator_labels": ["neutral"]}
    import_file(project, tmp_path / "a.jsonl", json.dumps(row))
    with project.transaction() as stores:
        [md5] = stores._connection.exec_driver_sql("SELECT md5 FROM papers").scalars()
        remove(stores, md5)
    assert import_file(project, tmp_path / "a.jsonl", json.dumps(row)).new == 1
    with project.read_transaction() as stores:
        assert stores._connection.exec_driver_sql("SELECT count(*) FROM label_events").scalar_one() == 1
        assert stores._connection.exec_driver_sql("SELECT status FROM pairs").scalar_one() == "settled"


def test_unknown_columns_are_kept(project: Project, tmp_path: Path) -> None:
    import_file(project, tmp_path / "taxinli.tsv", TAXINLI)
    odd = {"sentence1": "C.", "sentence2": "D.", "label": "neutral", "who": {"é": [1, None]}, "half": "\ud800", "n": 0}
    import_file(project, tmp_path / "odd.jsonl", json.dumps(odd))
    export_pairs(project, tmp_path / "out", ExportOptions(Preset.FULL), Progress())
    written = [json.loads(line) for line in (tmp_path / "out" / "pairs.jsonl").read_bytes().splitlines()]
    found = {row["sentence1"]: row for row in written}
    assert found["A."]["source_columns"] == {"annotated_label": "-", "factivity": "1"}
    assert (found["A."]["source_id"], found["A."]["source_label"]) == ("p", "contradiction")
    assert found["C."]["source_columns"] == {"who": {"é": [1, None]}, "half": "\ud800", "n": 0}


def test_invalid_fields_of_an_edited_export_are_ignored(project: Project, tmp_path: Path) -> None:
    """What a file claims of itself is checked: keys are made of what is read, and hashes, flags, pages must be some."""
    add(project, ["a"])
    mine(project)
    export_pairs(project, tmp_path / "out", ExportOptions(Preset.FULL), Progress())
    row = json.loads((tmp_path / "out" / "pairs.jsonl").read_bytes().splitlines()[0])
    forged = row | {"sentence1": "Forged.", "paper_md5": "../x", "split": "../../x", "page": -1, "flags": ["x"]}
    imported = import_file(
        project, tmp_path / "a.jsonl", json.dumps(forged | {"strategy": "by magic", "label": "neutral"})
    )
    assert (imported.new, len(imported.remarks)) == (1, 1)
    with project.read_transaction() as stores:
        query = (
            "SELECT pairs.key, source_id, pairs.split, page, flags, strategy, kind, source_md5 FROM pairs JOIN papers"
        )
        found = stores._connection.exec_driver_sql(f"{query} ON papers.id = paper_id WHERE premise = 'Forged.'").one()
    assert found.key != row["pairID"] == found.source_id
    assert (found.split, found.page, found.flags, found.strategy, found.kind) == (
        None,
        None,
        "[]",
        "imported",
        DATA_SET,
    )
    assert found.source_md5 != "../x"
