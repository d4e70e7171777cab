"""What people do to a project while the clock is set, beside the same with a steady clock."""

from __future__ import annotations

import os
import random
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path
from typing import Any

from desktop.jobs import backups
from desktop.jobs.exchange.project_addition import add_project
from desktop.jobs.review import answers, mending
from miner.progress import Progress
from miner.records import Answer
from storage.annotation.marks import MarkKind
from storage.dataset.export_options import ExportOptions, Preset
from storage.exchange.pair_export import export_pairs
from storage.pairs.mended_texts import SentenceField
from storage.project import Project
from tests.torture.disturbed import ACTS, NAME, PEOPLE, Disturbed

_STEPS = (timedelta(hours=-1), timedelta(days=365), timedelta(days=-365), timedelta(days=-2), timedelta(minutes=3))


@contextmanager
def moved_clock(offset: timedelta) -> Iterator[None]:
    """Let the program believe that it is earlier or later than it is."""

    class MovedDatetime(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> Any:
            return datetime.now(tz) + offset

    # Jobs ask the clock. Elsewhere the name is also the type by which stored times are decoded, once and for all.
    modules = [module for name, module in [*sys.modules.items()] if name.startswith("desktop.jobs.")]
    reading = [module for module in modules if getattr(module, "datetime", None) is datetime]
    for module in reading:
        module.datetime = MovedDatetime  # type: ignore[attr-defined]
    try:
        yield
    finally:
        for module in reading:
            module.datetime = datetime  # type: ignore[attr-defined]


def try_clock(base: Path, folder: Path, draw: random.Random) -> Disturbed:
    """The same is done to two copies of a project, one of them under a clock that is set again and again."""
    disturbed = Disturbed(base, folder, draw)
    steady = folder / "steady" / NAME
    steady.parent.mkdir()
    shutil.copy(base, steady)
    offset = timedelta()
    made = {path: backups.back_up(path).work(Progress()) for path in (disturbed.path, steady)}
    for _ in range(ACTS):
        offset += draw.choice(_STEPS) if draw.random() < 0.6 else timedelta()
        act = _clock_act(draw, disturbed.keys)
        came_to = []
        for path in (disturbed.path, steady):
            before = path.stat().st_mtime_ns
            with moved_clock(offset if path == disturbed.path else timedelta()):
                came_to.append(act(path, made))
            if path == disturbed.path and path.stat().st_mtime_ns != before:
                at = (datetime.now(UTC) + offset).timestamp()
                os.utime(path, (at, at))
        if came_to[0] != came_to[1]:
            disturbed.faults.append(f"at {offset}: {came_to[0]} in place of {came_to[1]}")
    found = [_outcome(path, folder / "out") for path in (disturbed.path, steady)]
    if found[0] != found[1]:
        differ = [name for name in found[0] if found[0][name] != found[1].get(name)]
        disturbed.faults.append(f"{differ} are others than with a steady clock")
    disturbed.check(disturbed.path)
    return disturbed


_Act = Callable[[Path, dict[Path, Any]], object]


def _clock_act(draw: random.Random, keys: Sequence[str]) -> _Act:
    """Something that is done to a project (a path, and the last backup of each); what it came to."""
    who, key, kind = draw.choice(PEOPLE), draw.choice(keys), draw.randrange(10)
    value, text = draw.choice([*Answer, None]), draw.choice(("One text.", "Another text.", None))

    def act(path: Path, made: dict[Path, Any]) -> object:
        with Project.open(path) as project:
            match kind:
                case 0 | 1 | 2 | 3:
                    return answers.answer(project, [key], who, value).work(Progress()).count
                case 4:
                    return answers.mark(project, [key], who, MarkKind.NOTE, text).work(Progress()).count
                case 5:
                    return mending.mend(project, key, who, {SentenceField.PREMISE: text}).work(Progress()).count
                case 6:
                    return getattr(answers.undo(project, who).work(Progress()), "title", None)
                case 7:
                    return getattr(answers.redo(project, who).work(Progress()), "title", None)
                case 8:
                    added = add_project(project, made[path].path).work(Progress())
                    return added.answers, added.marks, added.texts, len(added.conflicts), added.text_conflicts
        there = len(backups.backups(path).work(Progress()).found)
        backup = backups.back_up(path).work(Progress())
        made[path] = backup or made[path]
        after = len(backups.backups(path).work(Progress()).found)
        return backup is None, made[path].path.exists(), after - there

    return act


def _outcome(path: Path, out: Path) -> dict[str, object]:
    """What an export of a project has, and what holds of its pairs, which no export says."""
    with Project.open(path) as project:
        shutil.rmtree(out, ignore_errors=True)
        export_pairs(project, out, ExportOptions(Preset.FULL, card=True, name="Pairs"), Progress())
        with project.read_transaction() as stores:
            run = stores._connection.exec_driver_sql
            held = run("SELECT pair_key, annotator, answer, via FROM answers ORDER BY 1, 2").fetchall()
            columns = "key, premise, hypothesis, status, gold, label, votes, noted, edited"
            pairs = run(f"SELECT {columns} FROM pairs ORDER BY key").fetchall()
    files = {file.name: file.read_bytes() for file in sorted(out.iterdir()) if file.name != "receipt.json"}
    return {**files, "answers": [*map(tuple, held)], "pairs": [*map(tuple, pairs)]}
