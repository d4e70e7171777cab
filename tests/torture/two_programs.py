"""Several programs on one project at once: nothing is torn or lost, and who comes second is told in a sentence.

Two to four programs start together on a copy of a project: commands that add, mine, export, count and back up, and an
annotator whose answers are acknowledged one by one as the window acknowledges them. Each must end well or with a
sentence; then the project is whole, every acknowledged answer is in it once, and each finished export is a whole one.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import multiprocessing
import random
import shutil
import sqlite3
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import NamedTuple, NoReturn, Protocol

from desktop.cli.main import main as run_command
from desktop.jobs import backups
from desktop.jobs.review import answers
from miner.errors import UserError
from miner.progress import Progress
from miner.records import Answer
from storage.pairs.filters import PairFilter
from storage.project import Project
from storage.verification import find_changed_rows
from tests.desktop.forkserver import context_of_tests
from tests.storage.factories import add, mine
from tests.torture.budget import Budget, Row

SAMPLES = Path(__file__).parents[2] / "desktop" / "samples"
COMMANDS = {
    "add": f"add {SAMPLES}/ecology/late-mowing.jsonl --jobs 1",
    "mine": "mine --jobs 1 --model none --seed {number}",
    "export": "export {folder}/out{number} --preset full",
    "stats": "stats",
    "split": "split set --shares 60/20/20 --seed {number}",
}
ANNOTATOR, BACKUP = "annotator", "back up"
_ANSWERS = 12
LIMIT_SECONDS = 120.0


class Sender(Protocol):
    """What a program sends its messages to."""

    def send(self, message: tuple[str, str], /) -> None: ...


class Ended(NamedTuple):
    """How a program ended. text: what it printed as errors; answered: keys of acknowledged answers, in order."""

    actor: str
    code: int
    text: str
    answered: tuple[str, ...]


def run(budget: Budget) -> Iterator[Row]:
    multiprocessing.set_forkserver_preload([__name__, "tests.desktop.warm_parser", "miner.mining.paper_mining"])
    actors: Counter[str] = Counter()
    told: Counter[str] = Counter()
    faults: list[str] = []
    trials = acknowledged = exports = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        base = make_project(folder)
        while not budget.is_over:
            trials += 1
            trial = Path(tempfile.mkdtemp(dir=folder))
            project = Path(shutil.copy(base, trial / "project.pairwright"))
            chosen = [ANNOTATOR, *budget.draw.choices([*COMMANDS, ANNOTATOR, BACKUP], k=budget.draw.randint(1, 3))]
            ended = run_together(project, chosen, budget.draw)
            for end in ended:
                actors[end.actor] += 1
                acknowledged += len(end.answered)
                told[end.actor] += end.code == 1
            exports += sum(end.actor == "export" and end.code == 0 for end in ended)
            faults += [f"trial {trials} ({', '.join(chosen)}): {fault}" for fault in find_faults(project, ended)]
            shutil.rmtree(trial)
    for fault in faults[:20]:
        print(fault)
    counted = ", ".join(f"{actor} {count}" for actor, count in sorted(actors.items()))
    yield Row("trials, each with two to four programs", f"{trials} ({counted})")
    yield Row("ended with a sentence in place of a result", str(told.total()))
    yield Row("answers acknowledged, all in the file once", str(acknowledged))
    yield Row("exports finished, all of them whole", str(exports))
    yield Row("faults", str(len(faults)), "0", not faults)


def make_project(folder: Path) -> Path:
    """A project of thirty mined papers."""
    path = folder / "base.pairwright"
    with Project.create(path) as project:
        add(project, [f"paper {number}" for number in range(30)])
        mine(project)
    return path


def run_together(project: Path, actors: list[str], draw: random.Random) -> list[Ended]:
    """Start the programs within a few milliseconds of each other, and wait for all."""
    context = multiprocessing.get_context("forkserver")
    started = []
    for number, actor in enumerate(actors):
        ours, theirs = context.Pipe()
        process = context.Process(target=act, args=(actor, project, number, draw.random() * 0.1, theirs))
        process.start()
        theirs.close()
        started.append((actor, process, ours))
    ended = []
    end = time.monotonic() + LIMIT_SECONDS
    for actor, process, pipe in started:
        process.join(max(0.0, end - time.monotonic()))
        if process.is_alive():
            process.kill()
            process.join()
        messages = []
        with contextlib.suppress(EOFError):
            while pipe.poll():
                messages.append(pipe.recv())
        text = next((message[1] for message in messages if message[0] == "ended"), "Traceback: no message")
        answered = tuple(message[1] for message in messages if message[0] == "answered")
        ended.append(Ended(actor, process.exitcode if process.exitcode is not None else -9, text, answered))
    return ended


def find_faults(project: Path, ended: list[Ended]) -> Iterator[str]:
    """What is not as promised after the programs have ended."""
    for end in ended:
        if end.code not in (0, 1) or "Traceback" in end.text or "locked" in end.text or (end.code and not end.text):
            yield f"{end.actor} ended with {end.code}: {end.text[-300:]}"
    with Project.open(project) as opened:
        yield from opened.check()
        yield from map(str, find_changed_rows(opened))
    with closing(sqlite3.connect(project)) as connection:
        stored = Counter(connection.execute("SELECT annotator, pair_key FROM label_events").fetchall())
    for number, end in enumerate(ended):
        for key in end.answered:
            if stored[f"{ANNOTATOR} {number}", key] != 1:
                yield f"the answer of {number} to {key} is there {stored[f'{ANNOTATOR} {number}', key]} times"
        out = project.parent / f"out{number}"
        if end.actor == "export" and end.code == 0:
            receipt = json.loads((out / "receipt.json").read_text(encoding="utf-8"))
            for file in receipt["files"]:
                if hashlib.sha256((out / file["name"]).read_bytes()).hexdigest() != file["sha256"]:
                    yield f"{file['name']} is not what its receipt says"


def act(actor: str, project: Path, number: int, delay: float, pipe: Sender) -> NoReturn:
    """Be a program: work, send what is acknowledged and how it ended, and end the process."""
    multiprocessing.get_context = context_of_tests  # type: ignore[assignment]
    time.sleep(delay)
    out, errors = io.StringIO(), io.StringIO()
    code = 1
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(errors):
        try:
            if actor == ANNOTATOR:
                _annotate(project, f"{ANNOTATOR} {number}", pipe)
                code = 0
            elif actor == BACKUP:
                backups.back_up(project).work(Progress())
                code = 0
            else:
                words = COMMANDS[actor].format(folder=project.parent, number=number).split()
                code = run_command(["--project", str(project), *words])
        except UserError as exc:
            errors.write(str(exc))
        except Exception:  # noqa: BLE001  whatever it is, it is a fault
            errors.write(traceback.format_exc())
    pipe.send(("ended", errors.getvalue() or out.getvalue()))
    raise SystemExit(code)


def _annotate(project: Path, annotator: str, pipe: Sender) -> None:
    """Answer as the window does, each time by the job of an answer, and say when it is done."""
    with Project.open(project) as opened:
        with opened.read_transaction() as stores:
            keys = stores.pair_table.keys(stores.pair_table.ids(PairFilter()))
        for key in random.Random(annotator).sample(keys, min(_ANSWERS, len(keys))):
            if answers.answer(opened, [key], annotator, Answer.NEUTRAL).work(Progress()).count:  # not removed by then
                pipe.send(("answered", key))
