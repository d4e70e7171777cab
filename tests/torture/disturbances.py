"""Clocks that are set, copies that synchronising programs make, folders that vanish: nothing acknowledged is lost.

A clock goes back an hour or jumps a year between what people do to a project, back it up, add an earlier copy of it and
export it: at the end it says what a project says to which the same was done with a steady clock, each backup that was
made is there, and the export is the same byte for byte. Beside a project appear files as synchronising programs leave
them: conflicted copies, half copies, copies of its backups, the WAL of another computer, another project or folder of
models in the place of its own.
And while a project is open its folder is renamed, moved, deleted, or replaced by a file. All that is done meanwhile
ends well or with a sentence; then the project opens whole, or says which file is to be moved away first, with every
answer that was acknowledged. A USB stick that is pulled is the faults' part: each call fails.
"""

from __future__ import annotations

import os
import random
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path
from typing import Any

from desktop.jobs import backups
from desktop.jobs.exchange.project_addition import add_project
from desktop.jobs.models.registry import find_model
from desktop.jobs.models.training_runs import delete_run, load_runs
from desktop.jobs.open_project import open_project
from desktop.jobs.papers.imports import import_papers
from desktop.jobs.review import answers, mending
from miner.errors import UserError
from miner.progress import Job, Progress
from miner.records import Answer
from storage.annotation.marks import MarkKind
from storage.backups import backup_folder
from storage.dataset.export_options import ExportOptions, Preset
from storage.exchange.pair_export import export_pairs
from storage.pairs.filters import PairFilter
from storage.pairs.mended_texts import SentenceField
from storage.project import Project
from storage.verification import find_changed_rows
from tests.sample_papers import SAMPLES
from tests.storage.factories import add, mine
from tests.torture.budget import Budget, Row
from tests.training_factory import train

_NAME = "papers.pairwright"
_PEOPLE = ("anna", "ben")
_STEPS = (timedelta(hours=-1), timedelta(days=365), timedelta(days=-365), timedelta(days=-2), timedelta(minutes=3))
_ACTS = 12  # in a row
_CONFLICTS = (
    "papers (conflicted copy 2026-11-29).pairwright",
    "papers (Ada's conflicted copy 2026-11-29).pairwright",
    "papers.sync-conflict-20261129-091500-ABCDEFG.pairwright",
    "papers-ADAS-LAPTOP.pairwright",
    "papers.pairwright.part",
    ".papers.pairwright.swp",
    "papers.before-0012.pairwright",
)


class Disturbed:
    """A project, what was acknowledged of it, and what is wrong."""

    def __init__(self, base: Path, folder: Path, draw: random.Random) -> None:
        self.draw, self.faults = draw, list[str]()
        self.folder = folder / "mine"
        self.folder.mkdir()
        self.path = Path(shutil.copy(base, self.folder / _NAME))
        with Project.open(self.path) as project:
            self.keys = keys_of(project)
        self.acknowledged: dict[tuple[str, str], str | None] = {}
        self.refused = 0

    def answer(self, project: Project) -> None:
        """Answer a pair, as the window does; an answer that was not refused is acknowledged."""
        who, key = self.draw.choice(_PEOPLE), self.draw.choice(self.keys)
        value = self.draw.choice([*Answer, None])
        if self.works(answers.answer(project, [key], who, value)):
            self.acknowledged[key, who] = value and value.value

    def act(self, project: Project) -> None:
        """Do something that is no answer."""
        key = self.draw.choice(self.keys)
        jobs: list[Callable[[], Job[Any]]] = [
            lambda: answers.mark(project, [key], "anna", MarkKind.NOTE, "Look again."),
            lambda: mending.mend(project, key, "anna", {SentenceField.PREMISE: "It was mended."}),
            lambda: backups.back_up(self.path),
            lambda: backups.backups(self.path),
            lambda: import_papers(project, [SAMPLES / "ecology" / "late-mowing.jsonl"]),
            lambda: Job("Export", lambda progress: self._export(project, progress)),
            lambda: Job("Read", lambda _: keys_of(project)),
            lambda: Job("Look", lambda _: project.stamp()),
            lambda: Job("Close", lambda _: backups.back_up_at_close(self.path)),
            lambda: load_runs(project),
            lambda: Job("Find a model", lambda _: find_model(project, "coastal and friends, seed 0")),
            lambda: delete_run(project, self.draw.randint(1, 4)),
        ]
        self.works(self.draw.choice(jobs)())

    def _export(self, project: Project, progress: Progress) -> None:
        out = self.folder.parent / "exported"
        export_pairs(project, out, ExportOptions(Preset.FULL), progress, overwrite=True)

    def works(self, job: Job[Any]) -> bool:
        """Whether a job ended well, and not with a sentence."""
        try:
            job.work(Progress())
        except UserError as exc:
            self.refused += 1
            if not str(exc).strip():
                self.faults.append(f"{job.title} ended without a sentence")
            return False
        except Exception as exc:  # noqa: BLE001  whatever it is, it is a fault
            self.faults.append(f"{job.title} ended with {exc!r}")
            return False
        return True

    def check(self, path: Path) -> None:
        """The project at this path is whole and has every acknowledged answer."""
        try:
            with Project.open(path) as project:
                problems = [*project.check(), *map(str, find_changed_rows(project))]
                problems += lost_answers(project, self.acknowledged)
        except UserError as exc:
            problems = [f"{exc} {exc.hint}"]
        self.faults += [f"{path.name}: {problem}" for problem in problems[:3]]


def keys_of(project: Project) -> list[str]:
    with project.read_transaction() as stores:
        return sorted(stores.pair_table.keys(stores.pair_table.ids(PairFilter())))


def lost_answers(project: Project, acknowledged: dict[tuple[str, str], str | None]) -> list[str]:
    """The acknowledged answers that do not hold, in sentences."""
    with project.read_transaction() as stores:
        held = {key: stores.answers.of_pair(key) for key, _ in acknowledged}
    return [
        f"{who} answered {value} to {key}, and {held[key].get(who)} holds"
        for (key, who), value in acknowledged.items()
        if held[key].get(who) != value
    ]


# The clock


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
    steady = folder / "steady" / _NAME
    steady.parent.mkdir()
    shutil.copy(base, steady)
    offset = timedelta()
    made = {path: backups.back_up(path).work(Progress()) for path in (disturbed.path, steady)}
    for _ in range(_ACTS):
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
    who, key, kind = draw.choice(_PEOPLE), draw.choice(keys), draw.randrange(10)
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


# Programs that synchronise folders


def try_conflicts(base: Path, folder: Path, draw: random.Random) -> Disturbed:
    """Files appear beside a project, open or closed, and the project is exchanged."""
    disturbed = Disturbed(base, folder, draw)
    with _elsewhere(disturbed, folder) as (project_there, wal_there):
        opened = open_project(disturbed.path).work(Progress())
        for _ in range(_ACTS):
            disturbed.answer(opened.project)
            if draw.random() < 0.3:
                _leave_file(disturbed, project_there, draw)
            if draw.random() < 0.2:
                _exchange_models(disturbed, draw)
            if draw.random() < 0.3:
                disturbed.act(opened.project)
        kept = disturbed.path
        if draw.random() < 0.3:  # as synchronising programs do with a file that was changed in two places
            kept = disturbed.path.rename(disturbed.folder / _CONFLICTS[0])
            shutil.copy(project_there, disturbed.path)
            before = {**disturbed.acknowledged}
            disturbed.answer(opened.project)
            if disturbed.acknowledged != before:
                disturbed.faults.append("a project that was exchanged is written to")
        opened.close(back_up=draw.random() < 0.5)
        disturbed.check(kept)
        if kept != disturbed.path:
            return disturbed
        for end in ("-wal", "-shm", "-journal"):
            if draw.random() < 0.5:
                content = wal_there if end == "-wal" and draw.random() < 0.7 else draw.randbytes(5_000)
                Path(f"{disturbed.path}{end}").write_bytes(content)
        _open_again(disturbed)
        for copy in sorted(disturbed.folder.glob("*.pairwright")):
            if copy != disturbed.path:
                disturbed.works(Job("Open a copy", lambda _, copy=copy: Project.open(copy).close()))  # type: ignore[misc]
        disturbed.check(disturbed.path)
    return disturbed


@contextmanager
def _elsewhere(disturbed: Disturbed, folder: Path) -> Iterator[tuple[Path, bytes]]:
    """A copy of the project on another computer, where people answer too, and its WAL."""
    there = folder / "there" / _NAME
    there.parent.mkdir()
    shutil.copy(disturbed.path, there)
    with Project.open(there) as project:
        for number in range(disturbed.draw.randint(1, 6)):
            key = disturbed.keys[number % len(disturbed.keys)]
            answers.answer(project, [key], "cleo", Answer.NEUTRAL).work(Progress())
        wal = Path(f"{there}-wal").read_bytes()
    yield there, wal


def _leave_file(disturbed: Disturbed, project_there: Path, draw: random.Random) -> None:
    folder, name = disturbed.folder, draw.choice(_CONFLICTS)
    if draw.random() < 0.2:
        folder = backup_folder(disturbed.path)
        folder.mkdir(exist_ok=True)
        name = draw.choice(("2026-03-14T15-09-26Z (conflicted copy).pairwright", "2026-03-14T15-09-26Z.pairwright"))
    content = draw.choice((disturbed.path, project_there)).read_bytes()
    content = draw.choice((content, content[: len(content) // 2], b"", draw.randbytes(10_000)))
    (folder / name).write_bytes(content)


def _exchange_models(disturbed: Disturbed, draw: random.Random) -> None:
    """The folder of models appears with half of a model, or is given another name."""
    models = disturbed.path.with_name("papers.models")
    if models.exists():
        models.rename(disturbed.folder / f"papers (conflicted copy {draw.randrange(2**32)}).models")
        return
    (models / "1-coastal-and-friends").mkdir(parents=True)
    for name in draw.sample(("config.json", "pairwright.json", "model.safetensors", "examples.jsonl.gz"), 2):
        (models / "1-coastal-and-friends" / name).write_bytes(draw.randbytes(draw.randrange(300)))


def _open_again(disturbed: Disturbed) -> None:
    """Open the project; where files beside it are named as not its own, without them."""
    for _ in ("-journal", "-wal", ""):
        try:
            Project.open(disturbed.path).close()
        except UserError as exc:
            disturbed.refused += 1
            beside = (Path(f"{disturbed.path}{end}") for end in ("-journal", "-wal"))
            named = next((path for path in beside if str(exc).startswith(f"{path} is ")), None)
            if named is None:
                disturbed.faults.append(f"the project does not open: {exc}")
                return
            named.unlink()
        else:
            return


# Folders that vanish


def try_folder(base: Path, folder: Path, draw: random.Random) -> Disturbed:
    """The folder of an open project goes, and comes back unless it was deleted."""
    disturbed = Disturbed(base, folder, draw)
    opened = open_project(disturbed.path).work(Progress())
    for _ in range(draw.randint(1, 5)):
        disturbed.answer(opened.project)
    elsewhere = folder / "elsewhere"
    how = draw.choice(("renamed", "moved below", "deleted", "replaced by a file", "emptied"))
    match how:
        case "deleted":
            shutil.rmtree(disturbed.folder)
        case "emptied":
            elsewhere.mkdir()
            for path in [*disturbed.folder.iterdir()]:
                path.rename(elsewhere / path.name)
        case "moved below":
            (folder / "below").mkdir()
            elsewhere = folder / "below" / "elsewhere"
            disturbed.folder.rename(elsewhere)
        case _:
            disturbed.folder.rename(elsewhere)
            if how == "replaced by a file":
                disturbed.folder.touch()
    before = {**disturbed.acknowledged}
    for _ in range(_ACTS // 2):
        disturbed.act(opened.project)
        disturbed.answer(opened.project)
    if how != "emptied" and disturbed.acknowledged != before:
        disturbed.faults.append(f"answers are acknowledged while the folder is {how}")
    comes_back = how != "deleted" and draw.random() < 0.5
    if comes_back:
        with suppress(FileNotFoundError, IsADirectoryError):
            disturbed.folder.unlink()
        if disturbed.folder.exists():
            shutil.rmtree(disturbed.folder)
        elsewhere.rename(disturbed.folder)
        for _ in range(_ACTS // 2):
            disturbed.answer(opened.project)
    try:
        opened.close(back_up=draw.random() < 0.5)
    except UserError as exc:
        disturbed.faults.append(f"closing says {exc}")
    if how == "deleted":
        disturbed.works(open_project(disturbed.path))
    else:
        disturbed.check((disturbed.folder if comes_back else elsewhere) / _NAME)
    return disturbed


_TRIALS = {"clocks": try_clock, "synchronised folders": try_conflicts, "folders that go": try_folder}


def run(budget: Budget) -> Iterator[Row]:
    tried: Counter[str] = Counter()
    acknowledged = refused = 0
    faults: list[str] = []
    with tempfile.TemporaryDirectory() as name:
        base = Path(name) / _NAME
        with Project.create(base) as project:
            add(project, ["a", "b"])
            mine(project)
            train(project)
        while tried.total() < len(_TRIALS) or not budget.is_over:
            kind = [*_TRIALS][tried.total() % len(_TRIALS)]
            seed = budget.draw.randrange(2**32)
            folder = Path(tempfile.mkdtemp(dir=name))
            disturbed = _TRIALS[kind](base, folder, random.Random(seed))
            tried[kind] += 1
            acknowledged += len(disturbed.acknowledged)
            refused += disturbed.refused
            faults += [f"{kind}, seed {seed}: {fault}" for fault in disturbed.faults]
            shutil.rmtree(folder, ignore_errors=True)
    for fault in faults[:20]:
        print(fault)
    yield Row("projects that were disturbed", ", ".join(f"{kind} {count}" for kind, count in tried.items()))
    yield Row("answers acknowledged, all of them held; jobs that ended with a sentence", f"{acknowledged}; {refused}")
    yield Row("tracebacks, lost answers, other exports, damage", str(len(faults)), "0", not faults)
