"""Power cuts: what was acknowledged is on the disk, and every file is whole or absent.

A process answers pairs, exports over an earlier export and into a new folder, backs up, answers on, restores the
backup, makes a new project and updates one of an older schema, while strace records every call that changes a file,
with what it writes. Then the folder is made again as it may be after a power cut between any two calls: unflushed
content is there, gone, reordered, or torn at pages or sectors; unflushed names are there or not. There are two disks: a
strict one, and ext4 as it is mounted by default (`tests/torture/disk_model.py` says what each may do). SQLite's shared
memory is always gone; that a sector is torn within, or changes others, is not tried. In each folder the projects are
opened and checked in full, and compared with what had been said when the power was cut.
"""

from __future__ import annotations

import os
import sqlite3
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import NamedTuple

from desktop.jobs.review import answers
from miner.errors import UserError
from miner.progress import Progress
from storage import backups, migrations
from storage.exchange.pair_export import export_pairs
from storage.project import Project
from storage.settings import GUIDELINES
from storage.verification import find_changed_rows
from tests.storage.factories import add, mine
from tests.storage.stored_schemas import write_project
from tests.torture.answering import ANNOTATOR, answer_of, pair_keys
from tests.torture.budget import Budget, Row
from tests.torture.disk_model import Disk, Loss, Model
from tests.torture.recorded_work import NEW, OLD, OPTIONS, PROJECT, WRITTEN
from tests.torture.recording import STRACE, Event, Said, record

_ROOT = Path(__file__).resolve().parents[2]
_MEMORY = next((folder for folder in ("/dev/shm",) if os.access(folder, os.W_OK)), None)
_CUTS_PER_PASS = 20
_SECONDS_OF_COMPARISON = 60.0  # a part that has as long also tries what must fail
_OLD_SCHEMA = "0009"


class _Recording(NamedTuple):
    """files: the folder before; None for a folder. out: an export before and after."""

    root: Path
    files: dict[str, bytes | None]
    events: list[Event]
    out: tuple[dict[str, bytes], dict[str, bytes]]


def run(budget: Budget) -> Iterator[Row]:
    full, normal = _measure_keys(5 if budget.seconds < _SECONDS_OF_COMPARISON else 100)
    yield Row("an answer, with synchronous FULL: median", f"{full:.1f} ms; with NORMAL {normal:.1f} ms")
    if STRACE is None:
        yield Row("states of the disk", "not run: strace is not installed")
        return
    if budget.seconds >= _SECONDS_OF_COMPARISON:
        with tempfile.TemporaryDirectory(dir=_MEMORY) as name:
            lost, compared = _count_lost_answers(_record(Path(name), "--normal"), budget.part(0.05))
        yield Row(
            "with NORMAL: states that lack acknowledged answers", f"{lost} of {compared}", "more than 0", lost > 0
        )
    with tempfile.TemporaryDirectory(dir=_MEMORY) as name:
        recording = _record(Path(name))
        tried = Counter[Model]()
        failures = []
        for model, loss, problems in _try_cuts(recording, budget):
            tried[model] += 1
            failures += [f"{model}, {loss} lost: {problem}" for problem in problems]
    for failure in failures[:20]:
        print(failure)
    said = sum(isinstance(event, Said) for event in recording.events)
    yield Row("calls recorded, and lines said", f"{len(recording.events) - said:,}, {said}")
    for model in Model:
        yield Row(f"states of the {model} disk", f"{tried[model]:,}")
    yield Row("lost answers, damaged projects, half files", str(len(failures)), "0", not failures)


def _measure_keys(count: int) -> tuple[float, float]:
    """The milliseconds of an answer, where it is waited for until it is on disk, and where it is not: medians."""
    with tempfile.TemporaryDirectory() as name, Project.create(Path(name) / PROJECT) as project:
        add(project, [f"paper {number}" for number in range(count // 2 + 1)])
        mine(project)
        keys = pair_keys(project)
        waiting = _median_ms(project, keys[:count])
        project.transaction = partial(project.transaction, bulk=True)  # type: ignore[method-assign]
        return waiting, _median_ms(project, keys[count : 2 * count])


def _median_ms(project: Project, keys: Sequence[str]) -> float:
    times = []
    for key in keys:
        start = time.perf_counter()
        answers.answer(project, [key], ANNOTATOR, answer_of(key)).work(Progress())
        times.append(time.perf_counter() - start)
    return 1000 * statistics.median(times)


def _record(folder: Path, *options: str) -> _Recording:
    root = folder.resolve() / "work"
    root.mkdir()
    with Project.create(root / PROJECT) as project:
        add(project, [f"paper {number}" for number in range(4)])
        mine(project)
        export_pairs(project, root / "out", OPTIONS, Progress())
    write_project(_OLD_SCHEMA, root / OLD)
    before = {path.name: path.read_bytes() for path in (root / "out").iterdir()}
    files = {str(path): path.read_bytes() if path.is_file() else None for path in (root, *root.rglob("*"))}
    command = [sys.executable, "-m", "tests.torture.recorded_work", str(root), *options]
    events = record(command, root, folder / "log", _ROOT)
    after = {path.name: path.read_bytes() for path in (root / "out").iterdir()}
    return _Recording(root, files, events, (before, after))


def _try_cuts(recording: _Recording, budget: Budget) -> Iterator[tuple[Model, Loss, list[str]]]:
    """What is wrong after each of many power cuts."""
    draw = budget.draw
    while not budget.is_over:
        model = draw.choice(list(Model))
        disk = Disk(recording.files, model)
        cuts = Counter(draw.choices(range(1, len(recording.events) + 1), k=_CUTS_PER_PASS))
        said: list[Said] = []
        for number, event in enumerate(recording.events, 1):
            disk.apply(event)
            if isinstance(event, Said):
                said.append(event)
            for _ in range(cuts[number]):
                loss = draw.choice(list(Loss))
                state = disk.after_cut(loss, draw.choice((0.0, 0.5, 0.5, 1.0)), draw)
                with tempfile.TemporaryDirectory(dir=_MEMORY) as name:
                    folder = Path(name)
                    _write(state, recording.root, folder)
                    problems = _Check(folder, said, recording.out).problems()
                yield model, loss, [f"after call {number} of {len(recording.events)}: {one}" for one in problems]
                if budget.is_over:
                    return


def _count_lost_answers(recording: _Recording, budget: Budget) -> tuple[int, int]:
    """How many states lack acknowledged answers, and how many were tried."""
    results = [problems for _, _, problems in _try_cuts(recording, budget)]
    return sum(any("was acknowledged" in problem for problem in problems) for problems in results), len(results)


def _write(state: dict[str, bytes | None], root: Path, folder: Path) -> None:
    for path, content in state.items():
        target = folder / Path(path).relative_to(root)
        if content is None:
            target.mkdir(exist_ok=True)
        elif not path.endswith("-shm"):
            target.write_bytes(content)


class _Check:
    """Compares a folder with what was said before the power was cut."""

    def __init__(self, folder: Path, said: Sequence[Said], out: tuple[dict[str, bytes], dict[str, bytes]]) -> None:
        self._folder = folder
        self._out = out
        self._done = {words for (words,) in said}
        self._phases = [words[1] for (words,) in said if words[0] == "begin"]
        self._answered = [words[1:] for (words,) in said if words[0] == "answered"]
        backup = next((number for number, (words,) in enumerate(said) if words == ("begin", "backup")), len(said))
        self._backed_up = [words[1:] for (words,) in said[:backup] if words[0] == "answered"]

    def problems(self) -> list[str]:
        """What is wrong, in sentences."""
        phase = self._phases[-1] if self._phases else "answers"
        problems = []
        if phase not in ("new", "update"):
            problems += self._of_project()
            problems += self._of_exports()
        if phase in ("backup", "answers", "restore", "new"):
            problems += self._of_backups()
        if phase in ("new", "update"):
            problems += self._of_new()
        if phase == "update":
            problems += self._of_old()
        return problems

    def _of_project(self) -> list[str]:
        path = self._folder / PROJECT
        problems, found = _read(path)
        if problems:
            return problems
        if "restore" in self._phases and found == self._backed_up:
            return []
        if ("restored",) in self._done:
            return ["the backup was restored and is not the project"]
        problems = [
            f"{key} {value} was acknowledged and is not there"
            for key, value in self._answered
            if (key, value) not in found
        ]
        if len(found) > len(self._answered) + 1 or len({*found}) < len(found):
            problems.append("answers are there twice, or were not given")
        return problems

    def _of_exports(self) -> list[str]:
        problems = []
        before, after = self._out
        for name, earlier in (("out", before), ("new out", {})):
            out = self._folder / name
            found = {path.name: path.read_bytes() for path in out.iterdir()} if out.exists() else {}
            for file, content in found.items():
                if not file.startswith(".") and content not in (earlier.get(file), after.get(file)):
                    problems.append(f"{name}/{file} is not whole")
            if ("exported", name) in self._done:
                problems += [
                    f"{name}/{file} was exported and is not there"
                    for file, content in after.items()
                    if not file.startswith(".") and found.get(file) != content
                ]
        return problems

    def _of_backups(self) -> list[str]:
        listed = backups.list_backups(self._folder / PROJECT)
        problems = []
        contents = {}
        for backup in listed:
            faults, contents[backup.path.name] = _read(backup.path)
            problems += faults
        for words in self._done:
            if words[0] == "backed-up" and contents.get(words[1]) != self._backed_up:
                problems.append(f"the backup {words[1]} was made and is not there")
        if ("restored",) in self._done and [*map(tuple, self._answered)] not in contents.values():
            problems.append("the replaced project was kept and is not there")
        return problems

    def _of_new(self) -> list[str]:
        path = self._folder / NEW
        if not path.exists():
            return ["the new project was made and is not there"] if ("created",) in self._done else []
        problems, _ = _read(path)
        if ("created",) in self._done and not problems:
            with Project.open(path) as project, project.read_transaction() as stores:
                if stores.settings.get(GUIDELINES) != WRITTEN:
                    problems.append("what was written into the new project is not there")
        return problems

    def _of_old(self) -> list[str]:
        path = self._folder / OLD
        with closing(sqlite3.connect(path)) as connection:
            version = migrations.version(connection)
        problems = (
            ["the project was updated and is as before"]
            if (("updated",) in self._done and version != migrations.HEAD)
            else []
        )
        for file in (path, *self._folder.glob(f"{path.stem}.before-*{path.suffix}")):
            faults, found = _read(file)
            problems += faults or ([] if found else [f"{file.name} has no answers"])
        return problems


def _read(path: Path) -> tuple[list[str], list[tuple[str, str]]]:
    """What is wrong with a project, in sentences, and its answers in order."""
    try:
        with Project.open(path) as project:
            problems = [*project.check(), *map(str, find_changed_rows(project))]
            with project.read_transaction() as stores:
                rows = stores._connection.exec_driver_sql("SELECT pair_key, new FROM label_events ORDER BY id")
                return [f"{path.name}: {problem}" for problem in problems], [(key, new) for key, new in rows]
    except UserError as exc:
        return [f"{path.name} cannot be opened: {exc}"], []
