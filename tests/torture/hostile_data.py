"""Readers of data sets: tables, Parquet, manifests, triples and data maps."""

from __future__ import annotations

import gzip
import io
import json
import shutil
import tempfile
from functools import cache
from pathlib import Path

from miner.progress import Progress
from tests.torture.hostile_projects import csv_content, project_content
from tests.torture.hostile_seed import JSON, NESTED_JSON, TEXT, Reader, Seed
from tests.torture.mutators import any_of, change_archive, change_bytes, change_json

_ROWS = [
    {
        "id": str(number),
        "premise": f"It is {number}.",
        "hypothesis": f"It is not {number}.",
        "label": label,
        "split": "dev",
    }
    for number, label in enumerate(("entailment", "neutral", "contrasting", "reasoning") * 3)
]


def _tables() -> list[Seed]:
    lines = "".join(json.dumps({**row, "probabilities": [0.1, 0.9], "year": 2001}) + "\n" for row in _ROWS).encode()
    return [
        Seed(".csv", csv_content(_ROWS)),
        Seed(".tsv", csv_content(_ROWS, "\t")),
        Seed(".jsonl", lines),
        Seed(".csv.gz", gzip.compress(csv_content(_ROWS))),
    ]


def _read_table(path: Path) -> None:
    from miner.errors import UserError
    from miner.kinds.taxonomy import released_taxonomy
    from storage.exchange.kinds_files import read_kinds_file
    from storage.exchange.labelled_files import is_labelled_file, read_labelled_rows
    from storage.exchange.prediction_files import read_prediction_file

    for read in (
        lambda: is_labelled_file(path),
        lambda: sum(1 for _ in read_labelled_rows(path, domain="x", predictions=("id",))),
        lambda: sum(1 for _ in read_prediction_file(path, "label", ("entailment", "neutral"))),
        lambda: read_kinds_file(path, released_taxonomy()),
    ):
        try:
            read()
        except UserError:
            continue


def _parquets() -> list[Seed]:
    import datetime
    import decimal

    import pyarrow as pa
    import pyarrow.parquet as pq

    count = len(_ROWS)
    strange = {
        "year": pa.array([2001] * count),
        "at": pa.array([2**62] * count, pa.timestamp("us")),
        "day": pa.array([datetime.date(2001, 1, 1)] * count),
        "money": pa.array([decimal.Decimal("1.10")] * count),
        "raw": pa.array([b"\xff"] * count),
        "list": pa.array([[1, None]] * count),
        "record": pa.array([{"a": "x"}] * count),
        "word": pa.array(["x"] * count).dictionary_encode(),
        "map": pa.array([[("a", 1)]] * count, pa.map_(pa.string(), pa.int64())),
    }
    found = []
    for options in ({}, {"compression": "none", "use_dictionary": False}, {"compression": "gzip", "version": "1.0"}):
        for more in ({}, strange):
            made = io.BytesIO()
            pq.write_table(pa.Table.from_pylist(_ROWS).from_pydict({**_columns(), **more}), made, **options)
            found.append(Seed(".parquet", made.getvalue()))
    return found


def _columns() -> dict[str, list[str]]:
    return {name: [row[name] for row in _ROWS] for name in _ROWS[0]}


def _read_labelled(path: Path) -> None:
    from storage.exchange.labelled_files import is_labelled_file, read_labelled_rows

    is_labelled_file(path)
    for _ in read_labelled_rows(path, domain="x"):
        pass


@cache
def _exported() -> dict[str, bytes]:
    from storage.dataset.export_options import ExportOptions, Preset
    from storage.exchange.pair_export import export_pairs
    from storage.project import Project

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "p.pairwright"
        path.write_bytes(project_content())
        with Project.open(path) as project:
            export_pairs(
                project, Path(folder) / "out", ExportOptions(Preset.SCINLI, card=True, name="Pairs"), Progress()
            )
        return {file.name: file.read_bytes() for file in (Path(folder) / "out").iterdir() if file.is_file()}


def _manifests() -> list[Seed]:
    found = _exported()
    return [Seed("-manifest.json", found["manifest.json"])] + [
        Seed(f"-{name}", content) for name, content in found.items() if name.startswith("annotations")
    ]


def _read_manifest(path: Path) -> None:
    from storage.exchange.annotations_file import annotated_by_paper, read_annotations
    from storage.exchange.manifest import load_manifest

    if "annotations" in path.name:
        annotated_by_paper(read_annotations(path))
        return
    manifest = load_manifest(path)
    _ = manifest.export_options, manifest.splitter


def _triples() -> list[Seed]:
    return [
        Seed(".txt", b"ferry,cross,sound\tferry,pass,sound\tTrue\nferry,pass,sound\tferry,cross,sound\tFalse\n" * 3)
    ]


def _read_triples(path: Path) -> None:
    from miner.lab.probes.triples import read_triples_folder

    folder = path.with_name("triples")
    folder.mkdir()
    shutil.copyfile(path, folder / "train.txt")
    read_triples_folder(folder)


def _maps() -> list[Seed]:
    from desktop.jobs.array_files import texts_array, write_arrays
    from miner.libraries import np

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "map"
        write_arrays(
            path,
            {
                "probabilities": np.full((2, 3), 0.5, np.float32),
                "correct": np.zeros((2, 3), np.bool_),
                "keys": texts_array(("a", "b", "c")),
                "classes": np.zeros(3, np.int64),
            },
        )
        return [Seed(".map", path.read_bytes())]


def _read_map(path: Path) -> None:
    from desktop.jobs.lab.experiments.map_files import is_map

    is_map(path)


DATA_READERS = {
    "tables": Reader(_tables, any_of(TEXT, TEXT, change_json, NESTED_JSON, again=0.1), _read_table),
    "Parquet": Reader(_parquets, any_of(change_bytes, again=0.3), _read_labelled),
    "manifests": Reader(_manifests, JSON, _read_manifest),
    "triples": Reader(_triples, TEXT, _read_triples),
    "data maps": Reader(_maps, any_of(change_bytes, change_archive, again=0.1), _read_map),
}
