"""Columns of somebody's predictions in imported files: kept by text, and gone with their file."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest

from miner.errors import UserError
from miner.mining.identity import text_hash
from miner.progress import Progress
from miner.records import Label
from storage.exchange.labelled_files import read_labelled_rows
from storage.exchange.pair_import import ImportedPairs, import_pairs
from storage.project import Project

HEADER = "sentence1,sentence2,label,prediction,BERT\n"
ROWS = (
    "Kelp grew.,Reefs did too.,neutral,neutral,entails\n"
    "Kelp grew fast.,Reefs did not.,contrasting,contradiction,-\n"
    "Kelp grew slowly.,So it was cold.,reasoning,maybe,reasoning\n"
    "Kelp grew.,Reefs did too.,neutral,reasoning,\n"
)


def imported(project: Project, path: Path, text: str = HEADER + ROWS, predictions: Sequence[str] = ()) -> ImportedPairs:
    path.write_text(text, encoding="utf-8")
    rows = read_labelled_rows(path, predictions=predictions)
    return import_pairs(project, path, domain="", progress=Progress(), at=datetime.now(UTC), rows=rows)


def kept(project: Project, column: str) -> list[tuple[bytes, object]]:
    """What is kept as predictions, without the columns as they are."""
    with project.transaction() as stores:
        stores._connection.exec_driver_sql("UPDATE pairs SET source = NULL")
        return list(stores.predictions.of_column(column))


def test_a_column_of_predictions_is_kept_by_text_with_its_first_value(project: Project, tmp_path: Path) -> None:
    found = imported(project, tmp_path / "a.csv", predictions=["bert"])
    assert found.predictions == {"prediction": 2, "BERT": 2}
    assert [(remark.line, remark.text) for remark in found.remarks.values()] == [
        (4, "prediction is none of the four relations; kept as it is, not as a prediction"),
        (5, "another prediction of prediction for a pair that the file has twice; the first one is kept"),
    ]
    with project.read_transaction() as stores:
        assert stores.predictions.columns() == ["BERT", "prediction"]
        said = dict(reversed(list(stores.predictions.of_column("Prediction"))))
    assert said[text_hash("Kelp grew slowly.", "So it was cold.")] == "maybe"
    assert dict(kept(project, "prediction")) == {
        text_hash("Kelp grew.", "Reefs did too."): Label.NEUTRAL,
        text_hash("Kelp grew fast.", "Reefs did not."): Label.CONTRASTING,
    }
    assert len(kept(project, "bert")) == 2


def test_predictions_for_pairs_that_the_project_has_are_kept_and_the_same_file_adds_none(
    project: Project, tmp_path: Path
) -> None:
    imported(project, tmp_path / "a.csv", "sentence1,sentence2,label\nKelp grew.,Reefs did too.,neutral\n")
    text = "premise,hypothesis,label,pred\nKelp grew.,Reefs did too.,neutral,entailment\n"
    for _ in range(2):
        assert imported(project, tmp_path / "b.csv", text).predictions == {"pred": 1}
        assert kept(project, "pred") == [(text_hash("Kelp grew.", "Reefs did too."), Label.ENTAILMENT)]
    for _ in range(2):  # the import of the same file again is no action
        with project.transaction() as stores:
            undone = stores.actions.undo("mk", datetime.now(UTC))
            assert undone is not None
            assert undone.title == "Import predictions of b.csv"
            assert stores.actions.undo_title("mk") is None
        assert kept(project, "pred") == []
        with project.transaction() as stores:
            assert stores.actions.redo("mk", datetime.now(UTC)) is not None
        assert len(kept(project, "pred")) == 1


def test_removing_a_files_papers_removes_its_predictions_and_undo_brings_them_back(
    project: Project, tmp_path: Path
) -> None:
    imported(project, tmp_path / "a.csv")
    imported(project, tmp_path / "b.csv", HEADER + "Moss grew.,Ferns too.,neutral,reasoning,\n")
    before = kept(project, "prediction")
    assert len(before) == 3
    with project.transaction() as stores:
        [md5] = [row[0] for row in stores._connection.exec_driver_sql("SELECT md5 FROM papers ORDER BY id LIMIT 1")]
        action = stores.actions.begin("", "Remove papers", datetime.now(UTC))
        stores.paper_removals.remove(action, [md5])
    assert len(kept(project, "prediction")) == 1
    with project.transaction() as stores:
        stores.paper_edits.undo(action, stores.actions.begin("", "Undo", datetime.now(UTC)))
    assert dict(kept(project, "prediction")) == dict(before)


def test_a_named_column_that_a_file_lacks_is_refused(project: Project, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="has no column esim"):
        imported(project, tmp_path / "a.csv", predictions=["ESIM"])
