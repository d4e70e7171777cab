"""A project on a network drive whose locks lie: nothing acknowledged is lost, and who comes second is told.

Programs as of two or three computers, some of them two on one, start together on a copy of a project, in a folder that
says that it is mounted over NFS (`tests/torture/lying_drive.py`). Its locks hold, or hold within each computer alone,
or hold while memory is shared with nobody, or are granted and lock nothing, or fail. Each program must end well or with
a sentence, soon; then the project is whole, with every acknowledged answer once, and each finished export is whole. At
last one program alone does its work, so that nobody is left outside; where there are no locks, it is told to copy.
"""

from __future__ import annotations

import random
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from miner.errors import UserError
from tests.torture.budget import Budget, Row
from tests.torture.lying_drive import DRIVES, Actor, Drive, Lie, computers, reason_to_skip
from tests.torture.two_programs import ANNOTATOR, BACKUP, COMMANDS, Ended, find_faults, make_project


def run(budget: Budget) -> Iterator[Row]:
    if why := reason_to_skip():
        yield Row(f"not run: {why}", "-")
        return
    trials: Counter[str] = Counter()
    told: Counter[str] = Counter()
    acknowledged: Counter[str] = Counter()
    faults: list[str] = []
    with tempfile.TemporaryDirectory() as name, computers(Path(name)) as programs:
        base = make_project(Path(name))
        budget = budget.part(1.0)  # what comes before takes some seconds
        while not budget.is_over:
            drive = DRIVES[trials.total() % len(DRIVES)]
            project = Path(shutil.copy(base, Path(tempfile.mkdtemp(dir=name)) / "project.pairwright"))
            actors = list(_draw(drive, budget.draw))
            ended = programs.run(project, drive, actors)
            trials[drive.name] += 1
            told[drive.name] += sum(end.code == 1 for end in ended)
            acknowledged[drive.name] += sum(len(end.answered) for end in ended)
            who = ", ".join(f"{actor.name} on {actor.computer}" for actor in actors)
            faults += [f"{drive.name}, trial {trials.total()} ({who}): {fault}" for fault in _faults(project, ended)]
            shutil.rmtree(project.parent)
    for fault in faults[:20]:
        print(fault)
    for drive in DRIVES:
        name = drive.name
        said = f"{trials[name]}; {acknowledged[name]} answers acknowledged; {told[name]} programs ended with a sentence"
        yield Row(f"{name}: trials", said)
    yield Row("lost answers, damage, torn exports, tracebacks", str(len(faults)), "0", not faults)


def _draw(drive: Drive, draw: random.Random) -> Iterator[Actor]:
    """Two to four programs; one on each computer where those of one would need locks as well."""
    names = [ANNOTATOR, *draw.choices([*COMMANDS, ANNOTATOR, ANNOTATOR, BACKUP], k=draw.randint(1, 3))]
    alone = drive.lie in (Lie.ALWAYS, Lie.MEMORY)
    for number, name in enumerate(names):
        yield Actor(name, number if alone else draw.randrange(2) if number > 1 else number, draw.random() * 0.1)


def _faults(project: Path, ended: list[Ended]) -> Iterator[str]:
    try:
        yield from find_faults(project, ended)
    except UserError as exc:
        yield f"the project does not open: {exc}"
