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

import random
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from desktop.jobs.open_project import open_project
from desktop.jobs.review import answers
from miner.errors import UserError
from miner.progress import Job, Progress
from miner.records import Answer
from storage.backups import backup_folder
from storage.project import Project
from tests.storage.factories import add, mine
from tests.torture.budget import Budget, Row
from tests.torture.disturbed import ACTS, NAME, Disturbed
from tests.torture.disturbed_clocks import try_clock
from tests.training_factory import train

_CONFLICTS = (
    "papers (conflicted copy 2026-11-29).pairwright",
    "papers (Ada's conflicted copy 2026-11-29).pairwright",
    "papers.sync-conflict-20261129-091500-ABCDEFG.pairwright",
    "papers-ADAS-LAPTOP.pairwright",
    "papers.pairwright.part",
    ".papers.pairwright.swp",
    "papers.before-0012.pairwright",
)

# Programs that synchronise folders


def try_conflicts(base: Path, folder: Path, draw: random.Random) -> Disturbed:
    """Files appear beside a project, open or closed, and the project is exchanged."""
    disturbed = Disturbed(base, folder, draw)
    with _elsewhere(disturbed, folder) as (project_there, wal_there):
        opened = open_project(disturbed.path).work(Progress())
        for _ in range(ACTS):
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
    there = folder / "there" / NAME
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
    for _ in range(ACTS // 2):
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
        for _ in range(ACTS // 2):
            disturbed.answer(opened.project)
    try:
        opened.close(back_up=draw.random() < 0.5)
    except UserError as exc:
        disturbed.faults.append(f"closing says {exc}")
    if how == "deleted":
        disturbed.works(open_project(disturbed.path))
    else:
        disturbed.check((disturbed.folder if comes_back else elsewhere) / NAME)
    return disturbed


_TRIALS = {"clocks": try_clock, "synchronised folders": try_conflicts, "folders that go": try_folder}


def run(budget: Budget) -> Iterator[Row]:
    tried: Counter[str] = Counter()
    acknowledged = refused = 0
    faults: list[str] = []
    with tempfile.TemporaryDirectory() as name:
        base = Path(name) / NAME
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
