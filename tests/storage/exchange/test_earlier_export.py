"""An export over an earlier one: what is replaced, and what is not without a question."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from miner.errors import UserError
from miner.progress import Progress
from storage.dataset.export_options import ExportOptions
from storage.exchange.earlier_export import FilesChanged, find_earlier_export
from storage.exchange.pair_export import ExportReceipt, export_pairs
from storage.project import Project
from tests.storage.factories import add, mine

ONE_FILE = ExportOptions()
SPLIT = ExportOptions(shares=(("train", 50.0), ("test", 50.0)))


@pytest.fixture
def out(project: Project, tmp_path: Path) -> Path:
    """With an export of two files."""
    add(project, "ab")
    mine(project)
    export(project, tmp_path / "out", SPLIT)
    return tmp_path / "out"


def export(project: Project, out: Path, options: ExportOptions = ONE_FILE, **more: Any) -> ExportReceipt:
    return export_pairs(project, out, options, Progress(), **more)


def content(out: Path) -> dict[str, str]:
    return {file.name: file.read_text("utf-8") for file in out.iterdir()}


@pytest.mark.parametrize("name", ["train.jsonl", "test.jsonl"])
@pytest.mark.parametrize("options", [SPLIT, ExportOptions(seed=2), ExportOptions(shares=(("train", 1.0),))])
def test_a_file_that_somebody_edited_is_not_replaced_unasked(
    project: Project, out: Path, name: str, options: ExportOptions
) -> None:
    with (out / name).open("a") as file:
        file.write("my own line\n")
    before = content(out)
    with pytest.raises(FilesChanged, match=rf"^{name} in .* was changed after it was exported; nothing was replaced.$"):
        export(project, out, options)
    assert content(out) == before
    receipt = export(project, out, options, overwrite=True)
    assert "my own line" not in "".join(content(out).values())
    assert name in receipt.replaced + receipt.removed


def test_replaced_and_removed_files_are_reported(project: Project, out: Path) -> None:
    receipt = export(project, out)
    assert (receipt.replaced, receipt.removed) == (("receipt.json",), ("test.jsonl", "train.jsonl"))
    assert set(content(out)) == {"pairs.jsonl", "receipt.json"}
    again = export(project, out)
    assert (again.replaced, again.removed) == (("pairs.jsonl", "receipt.json"), ())


def test_several_edited_files_are_named_together(project: Project, out: Path) -> None:
    for name in ("train.jsonl", "test.jsonl"):
        (out / name).write_text("")
    with pytest.raises(FilesChanged, match=r"^test.jsonl and train.jsonl in .* were changed after they were exported"):
        export(project, out)


def test_a_note_in_the_receipt_is_not_lost_unasked(project: Project, out: Path) -> None:
    told = json.loads((out / "receipt.json").read_text())
    (out / "receipt.json").write_text(json.dumps({**told, "note": "sent to Ada"}))
    with pytest.raises(FilesChanged, match=r"receipt\.json"):
        export(project, out)
    assert "sent to Ada" in content(out)["receipt.json"]


def test_the_receipt_of_an_earlier_version_is_known(project: Project, out: Path) -> None:
    told = json.loads((out / "receipt.json").read_text())
    del told["split_by"]
    (out / "receipt.json").write_text(json.dumps({**told, "sentences_in_several_splits": 0}))
    assert export(project, out).removed == ("test.jsonl", "train.jsonl")


def test_a_killed_export_can_be_repeated_without_overwrite(project: Project, out: Path, tmp_path: Path) -> None:
    export(project, tmp_path / "other", ExportOptions(shares=SPLIT.shares, seed=2))
    (out / "train.jsonl").write_bytes((tmp_path / "other" / "train.jsonl").read_bytes())
    export(project, out, ExportOptions(shares=SPLIT.shares, seed=2))
    assert content(out) == content(tmp_path / "other")


def test_a_missing_file_is_not_a_changed_file(project: Project, out: Path) -> None:
    (out / "train.jsonl").unlink()
    assert export(project, out).removed == ("test.jsonl",)


@pytest.mark.parametrize("name", ["../elsewhere.jsonl", "/etc/x.jsonl", "notes.txt", ""])
def test_a_receipt_that_names_other_files_is_not_ours(project: Project, out: Path, name: str) -> None:
    told = json.loads((out / "receipt.json").read_text())
    told["files"].append({"name": name, "sha256": "0" * 64})
    (out / "receipt.json").write_text(json.dumps(told))
    assert find_earlier_export(out) is None
    with pytest.raises(UserError, match="no export of Pairwright wrote"):
        export(project, out)


def test_a_stored_split_never_names_a_file_outside_the_folder(project: Project, tmp_path: Path, out: Path) -> None:
    with project.transaction() as stores:
        outside = "UPDATE pairs SET split = '../outside', own_split = '../outside' WHERE ordinal = 0"
        stores._connection.exec_driver_sql(outside)
    export(project, out, SPLIT)
    assert set(content(out)) == {"train.jsonl", "test.jsonl", "receipt.json"}
    assert not (tmp_path / "outside.jsonl").exists()
