"""The formats of an export: the same rows in each, columns with types, cells that are no formulas."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from miner.errors import UserError
from miner.parsing.licences import ARXIV
from miner.progress import Progress
from miner.records import Strategy
from storage.dataset.export_options import ExportOptions, FileFormat, Preset
from storage.exchange import data_files
from storage.exchange.data_files import unescape_cell
from storage.exchange.export_fields import EXPORT_FIELDS, FieldKind
from storage.exchange.labelled_files import is_labelled_file, read_labelled_rows
from storage.exchange.pair_export import ExportReceipt, export_pairs
from storage.project import Project
from tests.storage.factories import add, mine, mined, next_papers, pair, paper, pdf, say_kinds, start_run


def export(project: Project, folder: Path, **options: Any) -> ExportReceipt:
    return export_pairs(project, folder, ExportOptions(**options), Progress(), overwrite=True)


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "out"


def read(path: Path) -> Iterator[dict[str, Any]]:
    if path.suffix == ".jsonl":
        return map(json.loads, path.read_text().splitlines())
    if path.suffix == ".parquet":
        return iter(pq.read_table(path).to_pylist())
    with path.open(newline="") as file:
        return iter(list(csv.DictReader(file, delimiter="," if path.suffix == ".csv" else "\t")))


@pytest.mark.parametrize("preset", Preset)
def test_all_formats_have_the_same_rows(project: Project, out: Path, preset: Preset) -> None:
    add(project, "abc")
    mine(project)
    say_kinds(project)
    for one in FileFormat:
        export(project, out / one, preset=preset, format=one)
    lines, table, tabs, parquet = (list(read(out / one / f"pairs.{one.value}")) for one in FileFormat)
    assert lines
    lists = [name for name, field in EXPORT_FIELDS[preset].items() if field.kind in (FieldKind.TEXTS, FieldKind.JSON)]
    as_text = [
        {name: json.dumps(value, separators=(",", ":")) if name in lists else value for name, value in row.items()}
        for row in lines
    ]
    assert parquet == lines
    assert table == tabs
    assert [list(row) for row in table] == [list(row) for row in lines]
    for cells, row in zip(table, as_text, strict=True):
        expected = {name: _cell(value) for name, value in row.items()}
        assert cells == expected


def _cell(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return "" if value in (None, "null") else str(value)


def test_a_parquet_file_has_typed_columns_also_without_rows(project: Project, out: Path) -> None:
    add(project, "a")
    mine(project)
    shares = (("train", 100.0), ("test", 0.0))
    export(project, out, preset=Preset.FULL, format=FileFormat.PARQUET, shares=shares)
    schema = pq.read_schema(out / "test.parquet")
    assert schema.equals(pq.read_schema(out / "train.parquet"))
    assert str(schema.field("annotator_labels").type).startswith("list<")
    assert (schema.field("year").type, schema.field("crosses_paragraph").type) == ("int64", "bool")


def test_the_groups_of_a_parquet_file_have_a_fixed_number_of_rows(
    project: Project, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(data_files, "_ROWS_PER_GROUP", 2)
    add(project, "abcd")
    mine(project)
    rows = export(project, out, format=FileFormat.PARQUET).rows
    metadata = pq.read_metadata(out / "pairs.parquet")
    sizes = [metadata.row_group(number).num_rows for number in range(metadata.num_row_groups)]
    assert sum(sizes) == rows
    assert all(one == 2 >= next_one for one, next_one in pairwise(sizes))


def with_sentences(project: Project, *texts: str) -> None:
    with project.transaction() as stores:
        stores.papers.save(paper("a"), pdf("a"))
    run = start_run(project)
    for pending in next_papers(project, run):
        found = [
            pair(pending.md5, text, f"{text} too.", Strategy.BOTH_RANDOM, number=n) for n, text in enumerate(texts)
        ]
        with project.transaction() as stores:
            stores.pairs.replace_for(pending, mined(found), lambda linked: 1000)


FORMULAS = ('=HYPERLINK("x")', "+1 of 2.", "-5 °C.", "@home.", "'=1", "''-two")


@pytest.mark.parametrize("kind", [FileFormat.CSV, FileFormat.TSV])
@pytest.mark.parametrize("safe", [False, True])
def test_cells_that_look_like_formulas_come_back_as_they_were(
    project: Project, out: Path, kind: FileFormat, safe: bool
) -> None:
    with_sentences(project, *FORMULAS, "'Tis so.", "Plain.")
    export(project, out, format=kind, safe_cells=safe, strategies=frozenset(Strategy))
    path = out / f"pairs.{kind.value}"
    cells = [row["sentence1"] for row in read(path)]
    assert [unescape_cell(cell) for cell in cells] == [*FORMULAS, "'Tis so.", "Plain."]
    assert {cell[:1] in "=+-@" for cell in cells} == ({False} if safe else {False, True})
    assert [row.premise for _, row in read_labelled_rows(path)] == [*FORMULAS, "'Tis so.", "Plain."]  # type: ignore[union-attr]


def test_snlis_dash_for_no_label_is_no_formula(project: Project, out: Path) -> None:
    add(project, ["a"])
    mine(project)
    with project.transaction() as stores:
        stores._connection.exec_driver_sql("UPDATE pairs SET distant_label = NULL")
    export(project, out, preset=Preset.SNLI, format=FileFormat.CSV, safe_cells=True)
    assert {row["gold_label"] for row in read(out / "pairs.csv")} == {"-"}


def test_pairs_of_papers_that_may_not_be_passed_on_are_left_out(project: Project, out: Path) -> None:
    licences = {"a": "CC-BY-4.0", "b": ARXIV, "c": "", "d": "CC0-1.0", "e": "CC-BY-NC-ND-4.0"}
    with project.transaction() as stores:
        for name, licence in licences.items():
            stores.papers.save(replace(paper(name), licence=licence), pdf(name))
    mine(project)
    everything = export(project, out, preset=Preset.FULL)
    receipt = export(project, out, preset=Preset.FULL, redistributable_only=True)
    assert {row["licence"] for row in read(out / "pairs.jsonl")} == {"CC-BY-4.0", "CC0-1.0"}
    assert receipt.left_out.keys() >= {"licence"}
    assert receipt.rows + sum(receipt.left_out.values()) == everything.rows + sum(everything.left_out.values())


def test_a_parquet_file_is_read_by_a_process_of_its_own(tmp_path: Path) -> None:
    texts = {name: ["One is here."] * 3_000 for name in ("premise", "hypothesis")}
    pq.write_table(pa.table({**texts, "label": ["neutral"] * 3_000}), tmp_path / "rows.parquet")
    read = (
        "from storage.exchange.labelled_files import read_labelled_rows as read\nfrom pathlib import Path\nimport sys\n"
    )
    read += f"assert [line for line, _ in read(Path({str(tmp_path / 'rows.parquet')!r}))] == [*range(1, 3_001)]\n"
    subprocess.run([sys.executable, "-c", f"{read}assert 'pyarrow' not in sys.modules"], check=True)


def test_a_damaged_parquet_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "rows.parquet"
    for content in (b"", b"PAR1", b"PAR1" + bytes(40) + b"PAR1", b"id,label\n"):
        path.write_bytes(content)
        with pytest.raises(UserError, match="not a Parquet file, or it is damaged"):
            next(read_labelled_rows(path))
    assert not is_labelled_file(path)


def test_a_parquet_file_that_breaks_off_in_its_rows_gives_those_before(project: Project, out: Path) -> None:
    with_sentences(project, *(f"Sentence {n} is here." for n in range(200)))
    export(project, out, format=FileFormat.PARQUET, strategies=frozenset(Strategy))
    path = out / "pairs.parquet"
    content = bytearray(path.read_bytes())
    content[4:400] = bytes(396)
    path.write_bytes(content)
    assert is_labelled_file(path)
    *_, (_, last) = read_labelled_rows(path)
    assert "damaged" in str(last)


@pytest.mark.parametrize(
    ("column", "problem"),
    [
        (pa.array([2**62, 1], pa.timestamp("ms")), "a value cannot be read"),  # after the year 9999
        (pa.array([2**31 - 1, 1], pa.date32()), "a value cannot be read"),
        (pa.array(["x" * 21_000_000, ""]), "longer than 1,000,000 characters"),
        (pa.array(["x" * 11_000_000, "x"]).dictionary_encode(), "longer than 1,000,000 characters"),
    ],
    ids=["time", "date", "text", "dictionary"],
)
def test_a_row_of_a_parquet_file_that_cannot_be_used_leaves_the_others(
    tmp_path: Path, column: pa.Array, problem: str
) -> None:
    texts = {
        "premise": ["One is here.", "Two are here."],
        "hypothesis": ["It is.", "They are."],
        "label": ["neutral"] * 2,
    }
    pq.write_table(pa.table({**texts, "other": column}), tmp_path / "rows.parquet")
    (_, first), (_, second) = read_labelled_rows(tmp_path / "rows.parquet")
    assert problem in str(first)
    if not pa.types.is_dictionary(column.type):
        assert second.premise == "Two are here."
