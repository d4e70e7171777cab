"""Readers of people's work: answer tables and files, and projects."""

from __future__ import annotations

import csv
import gzip
import io
import json
import random
import sqlite3
import tempfile
from collections.abc import Sequence
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any

from miner.progress import Progress
from tests.torture.hostile_seed import JSON, ROOT, TEXT, Reader, Seed
from tests.torture.mutators import NUMBERS, TEXTS, any_of, change_bytes, change_json


def csv_content(rows: Sequence[Any], delimiter: str = ",") -> bytes:
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, list(rows[0]), delimiter=delimiter)
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue().encode()


@cache
def _owner() -> Any:
    from tests.answer_table_factory import table_project

    return table_project(Path(tempfile.mkdtemp(prefix="pairwright-torture-")) / "owner.pairwright")


@cache
def _answer_forms() -> tuple[Seed, ...]:
    from desktop.jobs.review.answer_files import send_assignments
    from storage.annotation.sent_assignments import AssignmentForm

    project, found = _owner(), []
    for form in AssignmentForm:
        folder = project.path.with_name(f"sent-{form.name}")
        folder.mkdir()
        send_assignments(project, 1, folder, form=form).work(Progress())
        files = [path for path in folder.iterdir() if path.suffix in (".csv", ".jsonl", ".json", ".pairwright")]
        found += [Seed(path.suffix, path.read_bytes()) for path in files]
    return tuple(dict.fromkeys(found))


def _answer_tables() -> list[Seed]:
    found = [seed for seed in _answer_forms() if seed.suffix != ".pairwright"]
    answered = []
    for seed in found:
        if seed.suffix == ".csv":
            rows = list(csv.DictReader(io.StringIO(seed.content.decode("utf-8-sig"), newline="")))
            answered.append(Seed(".csv", csv_content([{**row, "label": "entailment"} for row in rows])))
        elif seed.suffix == ".json":
            answered.append(Seed(".json", _labelled(seed.content)))
    return [*found, *answered]


def _labelled(tasks: bytes) -> bytes:
    from tests.answer_table_factory import label_studio_json

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "tasks.json"
        path.write_bytes(tasks)
        ids = [task["data"]["pairwright_id"] for task in json.loads(tasks)]
        return json.dumps(label_studio_json(path, dict.fromkeys(ids, "entailment"))).encode()


def _read_answers(path: Path) -> None:
    from desktop.jobs.review.merging import merge_answer_files

    merge_answer_files(_owner(), [path]).work(Progress())


def _answer_files() -> list[Seed]:
    return [seed for seed in _answer_forms() if seed.suffix == ".pairwright"]


@cache
def project_content() -> bytes:
    from tests.torture.bit_rot import make_project

    with tempfile.TemporaryDirectory() as folder:
        return make_project(Path(folder))[0]


def _projects() -> list[Seed]:
    old = gzip.decompress((ROOT / "tests" / "data" / "projects" / "rules-1.pairwright.gz").read_bytes())
    return [Seed(".pairwright", project_content())] * 2 + [Seed(".pairwright", old)]


def change_database(data: bytes, draw: random.Random) -> bytes:
    """Values of a project's rows, or of its schema, replaced by SQL, as a person with a tool for databases could."""
    if draw.random() < 0.15:
        return change_bytes(data, draw)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "changed.pairwright"
        path.write_bytes(data)
        try:
            with closing(sqlite3.connect(path, isolation_level=None)) as connection:
                connection.execute("PRAGMA foreign_keys = OFF")
                for _ in range(draw.choice((1, 1, 2, 5))):
                    change_rows(connection, draw)
        except (sqlite3.Error, UnicodeError):
            pass  # SQLite itself does not store it
        return path.read_bytes()


def change_rows(connection: sqlite3.Connection, draw: random.Random) -> None:
    tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    filled = [one for one in tables if not one.startswith("sqlite_") and "_words" not in one]
    if not filled:
        raise sqlite3.DatabaseError("nothing to change")
    table = draw.choice(filled)
    columns = [row[1] for row in connection.execute(f'PRAGMA table_info("{table}")')]
    column = draw.choice(columns)
    match draw.randrange(12):
        case 0:
            connection.execute(f'DELETE FROM "{table}"')
        case 1:
            statement = draw.choice(
                (
                    f'ALTER TABLE "{table}" DROP COLUMN "{column}"',
                    f'ALTER TABLE "{table}" RENAME TO other',
                    "CREATE TABLE more (x)",
                    f'CREATE TRIGGER evil AFTER INSERT ON "{table}" BEGIN DELETE FROM pairs; END',
                    "PRAGMA user_version = 99",
                    "PRAGMA application_id = 1",
                    "DROP TABLE papers",
                )
            )
            connection.execute(statement)
        case _:
            rows = [row for (row,) in connection.execute(f'SELECT rowid FROM "{table}"')]
            stored = [row[0] for row in connection.execute(f'SELECT "{column}" FROM "{table}" LIMIT 20')]
            text = next((one for one in stored if isinstance(one, str) and one[:1] in "[{"), None)
            value: Any = draw.choice((None, *TEXTS, b"\xff\x00", 2**63 - 1, -1, 1e308, float("inf"), 0, "2026-99-99"))
            if text is not None and draw.random() < 0.6:
                value = change_json(text.encode(), draw).decode("utf-8", "replace")
            elif draw.random() < 0.3:
                value = draw.choice(NUMBERS)
            if rows:
                where = "" if draw.random() < 0.3 else f"WHERE rowid = {draw.choice(rows)}"
                connection.execute(f'UPDATE OR IGNORE "{table}" SET "{column}" = ? {where}', (value,))


def _read_project(path: Path) -> None:
    from desktop.jobs.papers.evidence import load_evidence
    from storage.dataset.export_options import ExportOptions, Preset
    from storage.exchange.pair_export import export_pairs
    from storage.pairs.filters import PairFilter
    from storage.project import Project
    from storage.verification import find_changed_rows

    with Project.open(path) as project:
        project.check()
        find_changed_rows(project)
        with project.read_transaction() as stores:
            keys = stores.pair_table.keys(stores.pair_table.ids(PairFilter()))[:5]
        for key in keys:
            load_evidence(project, key).work(Progress())
        export_pairs(project, path.with_name("out"), ExportOptions(Preset.FULL), Progress(), overwrite=True)


def _read_other_project(path: Path) -> None:
    from storage.exchange.other_project import opened_project

    with opened_project(path, Progress()) as other:
        other.check(Progress(), frozenset())
        _ = other.taxonomies, other.staying()
        for md5 in other.papers:
            for _ in other.imported_pairs(md5):
                pass


PROJECT_READERS = {
    "answer tables": Reader(_answer_tables, any_of(TEXT, JSON, JSON, again=0.1), _read_answers),
    "answer files": Reader(_answer_files, change_database, _read_answers),
    "projects": Reader(_projects, change_database, _read_project),
    "projects to add": Reader(_projects, change_database, _read_other_project),
}
