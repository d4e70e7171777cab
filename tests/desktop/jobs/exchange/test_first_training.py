"""How to go on with an export: a line and a notebook that are sound Python about the files that are there."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from desktop.jobs.exchange.first_training import NOTEBOOK, loading_line, save_notebook
from storage.dataset.export_options import ExportOptions, FileFormat, Preset
from storage.exchange.export_files import WrittenFile
from storage.exchange.pair_export import ExportReceipt


def receipt_of(options: ExportOptions, *names: str) -> ExportReceipt:
    files = tuple(WrittenFile(name, 1, 1, "") for name in names)
    return ExportReceipt(files, 1, {}, {}, {}, 0, None, options)


def test_the_line_names_each_file_by_its_split_or_the_folder_with_its_card(tmp_path: Path) -> None:
    folder = tmp_path / "o'clock"
    plain = receipt_of(ExportOptions(format=FileFormat.TSV), "train.tsv", "dev.tsv")
    found: dict[str, object] = {}
    exec(loading_line(plain, folder), {"load_dataset": lambda *a, **k: (a, k)}, found)
    data_files = {"train": str(folder / "train.tsv"), "validation": str(folder / "dev.tsv")}
    assert found["pairs"] == (("csv",), {"data_files": data_files, "sep": "\t"})
    exec(
        loading_line(receipt_of(ExportOptions(card=True), "pairs.jsonl", "README.md"), folder),
        {"load_dataset": lambda *a: a},
        found,
    )
    assert found["pairs"] == (str(folder),)


@pytest.mark.parametrize("preset", list(Preset))
def test_the_notebook_is_python_and_asks_for_the_columns_that_the_files_have(tmp_path: Path, preset: Preset) -> None:
    path = save_notebook(receipt_of(ExportOptions(preset=preset), "pairs.jsonl"), tmp_path)
    assert path == tmp_path / NOTEBOOK
    cells = json.loads(path.read_text("utf-8"))["cells"]
    for cell in cells[1:]:
        compile(cell["source"], "cell", "exec")
    assert "train_test_split" in cells[1]["source"]
    first = "prem" if preset is Preset.TAXINLI else "sentence1" if preset is not Preset.INTEGERS else "premise"
    assert f'row["{first}"]' in cells[2]["source"]
