"""System calls that fail once: the program ends with a sentence, the project opens whole, the same again completes it.

A small library, compiled with the system's C compiler and loaded before all others, lets the N-th open, read, write,
sync, rename, mmap, truncate or unlink of a job fail: a full disk or quota, a failing disk, too many open files, an
interrupted call, no memory. Jobs that add, mine, answer, mend, undo, export, release, back up, restore and update an
older project are tried at every N in turn, or at random ones where there are many. Worker processes are not disturbed.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import gzip
import io
import json
import multiprocessing
import os
import random
import shutil
import subprocess
import sys
import tempfile
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from multiprocessing import forkserver
from pathlib import Path
from typing import Any

from desktop.cli.main import main as run_command
from desktop.jobs import backups
from desktop.jobs.review import answers, mending
from miner.errors import UserError
from miner.progress import Progress
from miner.records import Answer
from storage.pairs.filters import PairFilter
from storage.pairs.mended_texts import SentenceField
from storage.project import Project
from storage.verification import find_changed_rows
from tests.desktop.forkserver import context_of_tests
from tests.storage.factories import add, mine
from tests.torture.budget import Budget, Row

ROOT = Path(__file__).parents[2]
_SOURCE = Path(__file__).with_name("_failing_calls.c")
_OLD_PROJECT = ROOT / "tests" / "storage" / "data" / "schema-0004.pairwright.gz"
_KINDS = ("open", "read", "write", "sync", "rename", "mmap", "truncate", "unlink")
_ERRORS = {
    "open": ("EMFILE", "EIO", "ENOSPC", "EACCES"),
    "read": ("EIO", "EINTR"),
    "write": ("ENOSPC", "EIO", "EDQUOT", "EINTR"),
    "sync": ("EIO", "ENOSPC"),
    "rename": ("EIO", "ENOSPC", "EACCES"),
    "mmap": ("ENOMEM",),
    "truncate": ("EIO",),
    "unlink": ("EIO", "EACCES"),
}


def run(budget: Budget) -> Iterator[Row]:
    if not sys.platform.startswith("linux") or shutil.which("cc") is None:
        yield Row("not run: this needs Linux and a C compiler", "-")
        return
    with tempfile.TemporaryDirectory() as name, _server(Path(name)) as ask:
        folder = Path(name)
        base = folder / "base.pairwright"
        ask(job="make", project=base)
        calls = {job: ask(job=job, project=_copy(base, folder, job))["calls"] for job in _JOBS}
        budget = budget.part(1.0)  # what comes before takes some seconds
        tried: Counter[str] = Counter()
        said = done = 0
        faults: list[str] = []
        for job, kind, nth, error in _trials(calls, budget.draw):
            if budget.is_over:
                break
            project = _copy(base, folder, job)
            result = ask(job=job, project=project, kind=_KINDS.index(kind), nth=nth, error=getattr(errno, error))
            tried[job] += 1
            said += result["code"] == 1
            done += result["code"] == 0
            after = ask(job="check", project=project, answered=result["answered"])
            again = ask(job=job, project=project)
            is_done = again["code"] == 0 or "There is a release 1 already" in again["text"]
            for what in (_fault(result), _fault(after), after["text"], _fault(again), not is_done and again["text"]):
                if what:
                    faults.append(f"{job}, {kind} {nth} of {calls[job][_KINDS.index(kind)]}, {error}: {what[-400:]}")
                    break
        for fault in faults[:20]:
            print(fault)
        counted = ", ".join(f"{job} {count}" for job, count in sorted(tried.items()))
        yield Row("calls that failed once", f"{tried.total()} ({counted})")
        yield Row("ended with a sentence; completed all the same", f"{said}; {done}")
        yield Row("faults", str(len(faults)), "0", not faults)


def _trials(calls: dict[str, list[int]], draw: random.Random) -> Iterator[tuple[str, str, int, str]]:
    """Each call of each job with each error once, in random order."""
    trials = [
        (job, kind, nth, error)
        for job, counts in calls.items()
        for kind, count in zip(_KINDS, counts, strict=True)
        for nth in range(1, count + 1)
        for error in _ERRORS[kind]
    ]
    draw.shuffle(trials)
    return iter(trials)


def _copy(base: Path, folder: Path, job: str) -> Path:
    """A fresh folder with the project that a job begins with, which may not be there yet."""
    trial = Path(tempfile.mkdtemp(dir=folder))
    project = trial / "project.pairwright"
    if job == "update":
        project.write_bytes(gzip.decompress(_OLD_PROJECT.read_bytes()))
    else:
        shutil.copy(base, project)
    return project


def _fault(result: dict[str, Any]) -> str:
    """What no job may end with; "" for a good end."""
    if result["code"] not in (0, 1) or "Traceback" in result["text"] or (result["code"] == 1 and not result["text"]):
        return f"ended with {result['code']}: {result['text']}"
    return ""


@contextlib.contextmanager
def _server(folder: Path) -> Iterator[Callable[..., dict[str, Any]]]:
    """A process with the library, which has run each job once and forks for each request."""
    library = folder / "failing_calls.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", library, _SOURCE, "-ldl"], check=True)
    server = subprocess.Popen(
        [sys.executable, "-m", __name__ if __name__ != "__main__" else "tests.torture.faults"],
        cwd=ROOT,
        env=os.environ | {"LD_PRELOAD": str(library)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert server.stdin is not None
    assert server.stdout is not None

    def ask(**request: Any) -> dict[str, Any]:
        assert server.stdin is not None
        assert server.stdout is not None
        print(json.dumps(request, default=str), file=server.stdin, flush=True)
        answer: dict[str, Any] = json.loads(server.stdout.readline())
        return answer

    try:
        yield ask
    finally:
        server.communicate()


# In the server


def _make(project: Path, answered: list[str]) -> None:
    with Project.create(project) as made:
        add(made, [f"paper {number}" for number in range(6)])
        mine(made)


def _keys(project: Project) -> list[str]:
    with project.read_transaction() as stores:
        return stores.pair_table.keys(stores.pair_table.ids(PairFilter()))


def _answer(project: Path, answered: list[str]) -> None:
    with Project.open(project) as opened:
        for key in _keys(opened)[:3]:
            answers.answer(opened, [key], "anna", Answer.NEUTRAL).work(Progress())
            answered.append(key)


def _mend(project: Path, answered: list[str]) -> None:
    with Project.open(project) as opened:
        key = _keys(opened)[0]
        mending.mend(opened, key, "anna", {SentenceField.PREMISE: "It was mended."}).work(Progress())
        answers.undo(opened, "anna").work(Progress())


def _back_up(project: Path, answered: list[str]) -> None:
    backups.back_up(project).work(Progress())


def _restore(project: Path, answered: list[str]) -> None:
    backups.back_up(project).work(Progress())
    [backup, *_] = backups.backups(project).work(Progress()).found
    backups.restore(project, backup.path).work(Progress())


def _update(project: Path, answered: list[str]) -> None:
    Project.open(project).close()


def _check(project: Path, answered: list[str]) -> None:
    with Project.open(project) as opened:
        problems = [*opened.check(), *map(str, find_changed_rows(opened))]
        with opened.read_transaction() as stores:
            problems += [f"{key} is not answered" for key in answered if not stores.answers.of_pair(key)]
    if problems:
        raise UserError(" ".join(problems))


def _command(words: str) -> Callable[[Path, list[str]], int]:
    def work(project: Path, answered: list[str]) -> int:
        return run_command(["--project", str(project), *words.format(folder=project.parent).split()])

    return work


_JOBS: dict[str, Callable[[Path, list[str]], int | None]] = {
    "answer": _answer,
    "mend": _mend,
    "back up": _back_up,
    "restore": _restore,
    "update": _update,
    "add": _command(f"add {ROOT}/desktop/samples/ecology/late-mowing.jsonl --jobs 1"),
    "mine": _command("mine --jobs 1 --model none --seed 3"),
    "export": _command("export {folder}/out --preset full --overwrite"),
    "release": _command("release 1 --out {folder}/released"),
}


def _serve() -> None:
    multiprocessing.get_context = context_of_tests  # type: ignore[assignment]
    forkserver.ensure_running()  # once, for the workers of all jobs
    forkserver.ensure_running = forkserver._forkserver.ensure_running = lambda: None  # type: ignore[method-assign]
    codes = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    with tempfile.TemporaryDirectory() as name:  # what is imported later is not what is tried here
        base = Path(name) / "warm.pairwright"
        _make(base, [])
        for job in _JOBS:
            _run({"job": job, "project": str(_copy(base, Path(name), job))})
    for line in sys.stdin:
        reading, writing = os.pipe()
        if not (child := os.fork()):
            os.write(writing, json.dumps(_run(json.loads(line))).encode())
            os._exit(0)
        os.close(writing)
        with os.fdopen(reading, "rb") as pipe:
            content = pipe.read()
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        died = {"code": status, "text": "it died", "answered": [], "calls": []}
        print(content.decode() or json.dumps(died), file=codes, flush=True)


def _run(request: dict[str, Any]) -> dict[str, Any]:
    """Run a job with a fault, if one is asked for: its exit code, what it said, what it acknowledged, and its calls."""
    library = ctypes.CDLL(None)
    library.fault_count.restype = ctypes.c_long
    library.arm_fault.argtypes = (ctypes.c_int, ctypes.c_long, ctypes.c_int)
    job = {"make": _make, "check": _check, **_JOBS}[request["job"]]
    answered: list[str] = request.get("answered", [])
    errors = io.StringIO()
    code: int | None = 1
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(errors):
        try:
            library.arm_fault(request.get("kind", -1), request.get("nth", 0), request.get("error", 0))
            code = job(Path(request["project"]), answered) or 0
        except UserError as exc:
            errors.write(f"{exc} {exc.hint}")
        except BaseException:  # noqa: BLE001  whatever it is, it is a fault
            errors.write(traceback.format_exc())
        calls = [library.fault_count(kind) for kind in range(len(_KINDS))]
        library.arm_fault(-1, 0, 0)
    return {"code": code, "text": errors.getvalue(), "answered": answered, "calls": calls}


if __name__ == "__main__":
    _serve()
