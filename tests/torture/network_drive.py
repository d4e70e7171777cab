"""A project on a network drive whose locks lie: nothing acknowledged is lost, and who comes second is told.

Programs as of two or more computers, some of them two on one, start together on a copy of a project, in a folder that
says that it is mounted over NFS (`tests/torture/lying_drive.py`). Its locks hold, or hold within each computer alone,
or hold while memory is shared with nobody or not at all, or are granted and lock nothing, or fail. Sometimes a program
is killed. Each other one must end well or with a sentence, soon; then the project is whole, with every acknowledged
answer once, and each finished export is whole. Nobody is left outside: at last a program of the computer on which one
was killed does its work. Where that cannot go well, it is told to copy the project, and can read it.
"""

from __future__ import annotations

import random
import shutil
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from miner.errors import UserError
from tests.torture.budget import Budget, Row
from tests.torture.lying_drive import DRIVES, Actor, Computers, Drive, Lie, computers, reason_to_skip
from tests.torture.two_programs import ANNOTATOR, BACKUP, COMMANDS, Ended, find_faults, make_project

_SOON_SECONDS = 30.0
_IN_TURN = (*DRIVES[:3], *DRIVES)  # of those that lock, twice as many


def run(budget: Budget) -> Iterator[Row]:
    if why := reason_to_skip():
        yield Row(f"not run: {why}", "-")
        return
    trials: Counter[str] = Counter()
    told: Counter[str] = Counter()
    acknowledged: Counter[str] = Counter()
    kills = 0
    faults: list[str] = []
    with tempfile.TemporaryDirectory() as name, computers(Path(name)) as programs:
        base = make_project(Path(name))
        budget = budget.part(1.0)  # what comes before takes some seconds
        while not budget.is_over:
            drive = _IN_TURN[trials.total() % len(_IN_TURN)]
            project = Path(shutil.copy(base, Path(tempfile.mkdtemp(dir=name)) / "project.pairwright"))
            actors = list(_draw(drive, budget.draw))
            start = time.monotonic()
            ended = programs.run(project, drive, *actors)
            seconds = time.monotonic() - start
            trials[drive.name] += 1
            told[drive.name] += sum(end.code == 1 for end in ended)
            acknowledged[drive.name] += sum(len(end.answered) for end in ended)
            kills += sum(end.code == -9 for end in ended)
            who = (
                f"{drive.name}, trial {trials.total()} ({', '.join(f'{one.name} on {one.computer}' for one in actors)})"
            )
            ended = [
                end._replace(code=0, text="") if actor.killed_after else end
                for actor, end in zip(actors, ended, strict=True)
            ]
            faults += [f"{who}: {fault}" for fault in _faults(project, drive, ended, programs)]
            if seconds > _SOON_SECONDS:
                faults.append(f"{who}: took {seconds:.0f} s")
            shutil.rmtree(project.parent)
    for fault in faults[:20]:
        print(fault)
    for drive in DRIVES:
        name = drive.name
        said = f"{acknowledged[name]} answers acknowledged, {told[name]} programs ended with a sentence"
        yield Row(f"{name}: trials", f"{trials[name]}; {said}")
    yield Row("programs killed", str(kills))
    yield Row("lost answers, damage, torn exports, tracebacks, or left outside", str(len(faults)), "0", not faults)


def _draw(drive: Drive, draw: random.Random) -> Iterator[Actor]:
    """Two to four programs; one on each computer where those of one would need locks as well."""
    names = [ANNOTATOR, *draw.choices([*COMMANDS, ANNOTATOR, ANNOTATOR, BACKUP], k=draw.randint(1, 3))]
    alone = drive.lie in (Lie.ALWAYS, Lie.MEMORY)
    killed_after = draw.uniform(0.05, 0.6) if draw.random() < 0.4 else 0.0
    yield Actor(names[0], 0, draw.random() * 0.1, killed_after)
    for number, name in enumerate(names[1:], 1):
        yield Actor(name, number if alone else draw.randrange(2), draw.random() * 0.1)


def _faults(project: Path, drive: Drive, ended: list[Ended], programs: Computers) -> Iterator[str]:
    claim = project.with_name(f"{project.name}.in-use")
    if claim.exists():  # the killed one's
        [elsewhere] = programs.run(project, drive, Actor("stats", 9))
        if elsewhere.code != 1 or "in use by" not in elsewhere.text:
            yield f"another computer ended with {elsewhere.code}: {elsewhere.text[-300:]}"
    [writes] = programs.run(project, drive, Actor(ANNOTATOR, 0), first=len(ended))
    [reads] = programs.run(project, drive, Actor("stats", 0))
    can_write = drive.lie not in (Lie.ALWAYS, Lie.NEVER, Lie.NO_MEMORY)
    if writes.code != (0 if can_write else 1) or (not can_write and "cannot lock" not in writes.text):
        yield f"who writes alone ends with {writes.code}: {writes.text[-300:]}"
    if reads.code:
        yield f"who reads alone ends with {reads.code}: {reads.text[-300:]}"
    if claim.exists():
        yield f"{claim.name} is left over"
    try:
        yield from find_faults(project, ended)
    except UserError as exc:
        yield f"the project does not open: {exc}"
