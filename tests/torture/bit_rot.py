"""Bits that change on the disk: a damaged project is refused in a sentence, or gives what it should.

A bit is flipped, a byte overwritten, a page zeroed or exchanged, the file cut, or a stored letter, label or answer
replaced behind SQLite's back. Then the project is opened, checked as an export checks it, and exported. An export that
differs from that of the undamaged project is a broken promise, and so is a traceback.
"""

from __future__ import annotations

import random
import sqlite3
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from miner.errors import UserError
from miner.progress import Progress
from miner.records import Answer
from storage.annotation.answers import NewAnswer
from storage.dataset.export_options import ExportOptions, Preset
from storage.exchange.pair_export import export_pairs
from storage.pairs.filters import PairFilter
from storage.pairs.mended_texts import SentenceField
from storage.project import Project
from tests.storage.factories import add, mine
from tests.torture.budget import Budget, Row

_PAGE = 4096
_KINDS = ("bit", "byte", "page of zeros", "other page", "cut", "stored value")
_TEXT_COLUMNS = {
    "pairs": ("premise", "hypothesis", "hypothesis_original", "distant_label", "phrase", "status", "gold"),
    "label_events": ("pair_key", "annotator", "old", "new", "seen", "at"),
    "text_events": ("new",),
    "settings": ("value",),
}


def run(budget: Budget) -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        content, whole = make_project(folder)
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
                f"{kind}: tried", f"{tried}, of these {refused} refused in a sentence, {same} gave the same export"
            )
        yield Row("exports that differ, or tracebacks", str(len(failures)), "0", not failures)


def make_project(folder: Path) -> tuple[bytes, dict[str, bytes]]:
    """A project's file with papers, pairs, answers and a mended sentence, and what it exports."""
    path = folder / "whole.pairwright"
    with Project.create(path) as project:
        add(project, [f"paper {number}" for number in range(12)])
        mine(project)
        _answer(project)
    content = path.read_bytes()
    return content, export(path, folder / "whole")


def _answer(project: Project) -> None:
    """Two annotators answer, one of them marks and mends."""
    at = datetime(2026, 7, 1, tzinfo=UTC)
    with project.read_transaction() as stores:
        keys = stores.pair_table.keys(stores.pair_table.ids(PairFilter()))
    for number, key in enumerate(keys):
        with project.transaction() as stores:
            action = stores.actions.begin("anna", "Answer", at)
            given = [("anna", Answer.NEUTRAL if number % 3 else Answer.ENTAILMENT), ("ben", Answer.NEUTRAL)]
            answers = [NewAnswer(key, who, at, answer) for who, answer in given[: number % 3]]
            stores.answers.append(answers, action=action)
            if number % 7 == 0:
                stores.texts.mend(key, "anna", {SentenceField.PREMISE: f"Mended {number}."}, at, action=action)


def export(path: Path, out: Path) -> dict[str, bytes]:
    """What a project exports, by file name, without the receipt and its sums."""
    with Project.open(path) as project:
        export_pairs(project, out, ExportOptions(Preset.FULL), Progress(), overwrite=True)
    return {file.name: file.read_bytes() for file in out.iterdir()}


def try_damage(folder: Path, content: bytes, whole: dict[str, bytes], kind: str, draw: random.Random) -> str:
    """Damage a copy and export it: "refused", "same", or "broken: " with what happened."""
    path = folder / "damaged.pairwright"
    for left in folder.glob("damaged.*"):
        if left.is_file():
            left.unlink()
    path.write_bytes(content)
    if kind == "stored value":
        what = _replace_value(path, draw)
    else:
        path.write_bytes(damaged(content, kind, draw))
        what = kind
    out = Path(tempfile.mkdtemp(dir=folder))
    try:
        result = export(path, out)
    except UserError:
        return "refused"
    except Exception as exc:  # noqa: BLE001  whatever it is, it is counted
        return f"broken: {what}: {type(exc).__name__}: {exc}"
    return "same" if result == whole else f"broken: {what}: another export"


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


def _replace_value(path: Path, draw: random.Random) -> str:
    """Change a letter of a stored text, as a flipped bit in a page would, past triggers and the full-text index."""
    table = draw.choice(list(_TEXT_COLUMNS))
    column = draw.choice(_TEXT_COLUMNS[table])
    with closing(sqlite3.connect(path)) as connection:
        rows = connection.execute(f"SELECT rowid, {column} FROM {table} WHERE length({column}) > 0").fetchall()
        if not rows:
            return "nothing"
        row, text = draw.choice(rows)
        place = draw.randrange(len(text))
        new = text[:place] + chr(ord(text[place]) ^ 1) + text[place + 1 :]
        triggers = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for name, _ in triggers:
            connection.execute(f"DROP TRIGGER {name}")
        connection.execute(f"UPDATE {table} SET {column} = ? WHERE rowid = ?", (new, row))
        for _, sql in triggers:
            connection.execute(sql)
        connection.commit()
    return f"{table}.{column} {text[:40]!r} to {new[:40]!r}"
