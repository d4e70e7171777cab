"""Bits that change on the disk: a damaged project is refused in a sentence, or gives what it should.

A bit is flipped, a byte overwritten, a page zeroed or exchanged, the file cut, or a stored value replaced behind
SQLite's back, in a project that has something of everything. Then the project is opened, exported in full with a data
card and a manifest, and as TaxiNLI, and its experiments are reported. A file that differs from that of the undamaged
project is a broken promise, and so is a traceback. The probabilities of suggestions, queues and kept answers of
parsers, which can all be made again, have no checksums, and are not changed.
"""

from __future__ import annotations

import random
import sqlite3
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from desktop.jobs.lab.experiments.report import save_report
from miner.errors import UserError
from miner.progress import Progress
from storage.dataset.export_options import ExportOptions, Preset
from storage.exchange.pair_export import export_pairs
from storage.integrity.checked_tables import CHECKED
from storage.integrity.history_chain import HISTORIES
from storage.project import Project
from tests.torture.budget import Budget, Row
from tests.torture.full_project import full_project

_PAGE = 4096
_KINDS = ("bit", "byte", "page of zeros", "other page", "cut", "stored value")
_TABLES = (*CHECKED, *HISTORIES, "pair_kinds", "sections", "paragraphs")
_NAME = "name.pairwright"  # in each folder: exports name the project after it

_Files = dict[str, bytes]
_Outputs = dict[str, _Files | None]  # None: refused


def run(budget: Budget) -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        content = full_project()
        (folder / _NAME).write_bytes(content)
        whole = outputs(folder / _NAME, folder / "whole")
        assert all(whole.values())
        results: Counter[tuple[str, str]] = Counter()
        failures: list[str] = []
        trial = 0
        while not budget.is_over:
            trial += 1
            kind = _KINDS[trial % len(_KINDS)]
            result = try_damage(folder, content, whole, kind, budget.draw)
            results[kind, result.partition(":")[0]] += 1
            if result.startswith("broken"):
                failures.append(f"trial {trial}, {kind}: {result}")
        for failure in failures[:20]:
            print(failure)
        for kind in _KINDS:
            refused, same = results[kind, "refused"], results[kind, "same"]
            tried = sum(count for (of, _), count in results.items() if of == kind)
            yield Row(
                f"{kind}: tried", f"{tried}, of these {refused} refused in a sentence, {same} gave the same files"
            )
        yield Row("exports or reports that differ, or tracebacks", str(len(failures)), "0", not failures)


def outputs(path: Path, out: Path) -> _Outputs:
    """What a project exports and reports, by file name; None for what is refused."""

    def export(options: ExportOptions) -> Callable[[Project, Path], object]:
        return lambda project, folder: export_pairs(project, folder, options, Progress(), overwrite=True)

    makers: dict[str, Callable[[Project, Path], object]] = {
        "full": export(ExportOptions(Preset.FULL, card=True)),
        "taxinli": export(ExportOptions(Preset.TAXINLI)),
        "report": _report,
    }
    found: _Outputs = {}
    for name, make in makers.items():
        found[name] = None
        folder = out / name
        with suppress(UserError):
            with Project.open(path) as project:
                make(project, folder)
            files = (file for file in folder.rglob("*") if file.is_file())
            found[name] = {str(file.relative_to(folder)): file.read_bytes() for file in files}
    return found


def _report(project: Project, folder: Path) -> None:
    """The reports of all experiments."""
    with project.read_transaction() as stores:
        experiments = stores.experiments.all()
    for experiment in experiments:
        save_report(project, experiment.id, folder / str(experiment.id)).work(Progress())


def try_damage(folder: Path, content: bytes, whole: _Outputs, kind: str, draw: random.Random) -> str:
    """Damage a copy and export it: "refused" in part at least, "same", or "broken: " with what happened."""
    with tempfile.TemporaryDirectory(dir=folder) as name:
        path = Path(name) / _NAME
        path.write_bytes(content)
        if kind == "stored value":
            what = replace_value(path, draw)
        else:
            path.write_bytes(damaged(content, kind, draw))
            what = kind
        try:
            result = outputs(path, Path(name) / "out")
        except Exception as exc:  # noqa: BLE001  whatever it is, it is counted
            return f"broken: {what}: {type(exc).__name__}: {exc}"
    if others := [one for one, files in result.items() if files is not None and files != whole[one]]:
        return f"broken: {what}: another {others[0]}"
    return "refused" if None in result.values() else "same"


def damaged(content: bytes, kind: str, draw: random.Random) -> bytes:
    """The content of a file after an accident."""
    changed = bytearray(content)
    at = draw.randrange(len(content))
    page = at // _PAGE * _PAGE
    match kind:
        case "bit":
            changed[at] ^= 1 << draw.randrange(8)
        case "byte":
            changed[at] = draw.randrange(256)
        case "page of zeros":
            changed[page : page + _PAGE] = bytes(_PAGE)
        case "other page":
            other = draw.randrange(len(content) // _PAGE) * _PAGE
            changed[page : page + _PAGE] = content[other : other + _PAGE]
        case _:
            del changed[at:]
    return bytes(changed)


def replace_value(path: Path, draw: random.Random) -> str:
    """Change a bit of a stored value as rot in a page does: no trigger runs, and no index is written; what changed."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
        connection.execute("PRAGMA writable_schema = ON")
        own = "type = 'trigger' OR (type = 'index' AND sql IS NOT NULL)"
        hidden = connection.execute(f"SELECT type, name, tbl_name, rootpage, sql FROM sqlite_master WHERE {own}")
        rows = hidden.fetchall()
        connection.execute(f"DELETE FROM sqlite_master WHERE {own}")
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA ignore_check_constraints = ON")
        what = _change_value(connection, draw)
        connection.execute("PRAGMA writable_schema = ON")
        connection.executemany("INSERT INTO sqlite_master VALUES (?, ?, ?, ?, ?)", rows)
    return what


def _change_value(connection: sqlite3.Connection, draw: random.Random) -> str:
    table = draw.choice(_TABLES)
    columns = connection.execute(f"PRAGMA table_info ({table})").fetchall()
    _, column, *_ = draw.choice(columns)
    key = [f'"{name}"' for _, name, _, _, _, place in columns if place]
    query = f'SELECT "{column}", {", ".join(key)} FROM {table} WHERE length("{column}") > 0'
    values = connection.execute(query).fetchall()
    if not values:
        return "nothing"
    value, *place = draw.choice(values)
    new = _with_other_bit(value, draw)
    here = " AND ".join(f"{name} = ?" for name in key)
    try:
        connection.execute(f'UPDATE {table} SET "{column}" = ? WHERE {here}', (new, *place))
    except sqlite3.IntegrityError:  # another row has this key
        return "nothing"
    return f"{table}.{column} {str(value)[:40]!r} to {str(new)[:40]!r}"


def _with_other_bit(value: Any, draw: random.Random) -> Any:
    match value:
        case int():
            return value ^ (1 << draw.randrange(3))
        case float():
            return value * 2 or 1.0
        case bytes():
            place = draw.randrange(len(value))
            return value[:place] + bytes([value[place] ^ (1 << draw.randrange(8))]) + value[place + 1 :]
    place = draw.randrange(len(value))
    return value[:place] + chr(ord(value[place]) ^ 1) + value[place + 1 :]
