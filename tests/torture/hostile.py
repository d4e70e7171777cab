"""Files of others: whatever a file holds, the program reads it, or refuses it in a sentence.

Files that can be read are changed at random: bit by bit, word by word, and along their structure, with extreme values,
deep nesting, wrong encodings and bombs. Each is read as the program reads it, in a worker. Anything but the result or a
`UserError` is a broken promise: a traceback, the end of the process, a hang, or too much memory. Half of the time is
led by coverage where atheris 3 is installed (`tests/torture/guided.py`); half an hour for each reader is `--seconds
36000`. Files of defects are kept in the system's folder for temporary files, under `pairwright-crashers`.
"""

from __future__ import annotations

import os
import random
import re
import shutil
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from miner.errors import UserError
from miner.processes.child import Failure, ProcessLimits
from miner.processes.pool import Pool
from miner.processes.program import run_program
from tests.torture.budget import Budget, Row
from tests.torture.hostile_readers import READERS, hostile_file
from tests.torture.hostile_seed import ROOT, Seed

SLOW_SECONDS = 60.0  # of processor: half of what the program allows a paper
_LIMITS = ProcessLimits(seconds=120, megabytes=2_000)
_BATCH_SECONDS = 1.0
_GUIDED_SHARE = 0.5  # of the time of the long form, for what coverage leads to
_KEPT = Path(tempfile.gettempdir()) / "pairwright-crashers"


class Trials(NamedTuple):
    """Numbered trials of a reader: each draws its file from the seed and its number. Ends after so many seconds."""

    reader: str
    seed: int
    first: int
    count: int
    seconds: float


class Defect(NamedTuple):
    """What a trial came to that it should not."""

    reader: str
    number: int
    what: str
    file: Seed


class Tried(NamedTuple):
    """How many trials were made, how many files of them were refused, and what went wrong."""

    count: int
    refused: int
    defects: tuple[Defect, ...] = ()


def run(budget: Budget) -> Iterator[Row]:
    tried: Counter[str] = Counter()
    refused: Counter[str] = Counter()
    defects: list[Defect] = []
    names = list(READERS) if budget.seconds >= 60 else ["TEI", "JSON lines", "experiments", "taxonomies", "references"]
    guided = 0
    if budget.seconds >= 60 and find_spec("atheris"):
        guided, found_by_coverage = _run_guided(budget.part(_GUIDED_SHARE))
        defects += found_by_coverage
    pool: Pool[Trials, Tried] = Pool(worker, limits=_LIMITS, is_awaited=True)
    try:
        for trials, result in pool.run(_batches(budget, names)):
            found = _alone(pool, trials) if isinstance(result, Failure) else result
            tried[trials.reader] += found.count
            refused[trials.reader] += found.refused
            defects += found.defects
    finally:
        pool.close()
    kinds = by_place(defects)
    for place, (defect, count) in list(kinds.items())[:40]:
        print(f"{defect.reader}: {place}, {count} times; {_keep(defect)}")
    for name in names:
        yield Row(f"{name}: files read", f"{tried[name]:,}, of these {refused[name]:,} refused in a sentence")
    yield Row("files read, led by coverage", f"{guided:,}" if guided else "none: there is no atheris, or no time")
    yield Row("places that crash, hang, fill the memory or show a traceback", str(len(kinds)), "0", not kinds)


def _run_guided(budget: Budget) -> tuple[int, list[Defect]]:
    """Let atheris find files for each reader; how many were read, and their defects."""
    count, defects = 0, []
    with tempfile.TemporaryDirectory(prefix="pairwright-guided-") as name:
        for reader in READERS:
            folder = Path(name) / reader.replace(" ", "-")
            folder.mkdir()
            seconds = max(5, int(budget.seconds / len(READERS)))
            command = [sys.executable, "-m", "tests.torture.guided", reader, folder, f"--seconds={seconds}"]
            paths = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))  # atheris may be there
            environment = {"PYTHONPATH": paths, "PYTHONWARNINGS": "ignore"}
            limits = ProcessLimits(seconds=3 * seconds + 300, megabytes=4_000)
            ended = run_program(
                [*command, f"--seed={budget.draw.randrange(2**31)}"],
                folder=folder,
                limits=limits,
                environment=environment,
            )
            if isinstance(ended, Failure):
                defects.append(Defect(reader, 0, f"{ended.kind} of atheris", Seed("", b"")))
                continue
            if said := re.search(r"number_of_executed_units: (\d+)", ended.output):
                count += int(said[1])
            else:
                defects.append(Defect(reader, 0, f"atheris did not run: {ended.output[-300:]}", Seed("", b"")))
            for text in sorted(folder.glob("defect-*.txt")):
                content = text.with_name(text.name.removesuffix(".txt")).read_bytes()
                suffix = re.sub(r"^defect-\d+", "", text.name.removesuffix(".txt"))
                defects.append(Defect(reader, 0, text.read_text(encoding="utf-8"), Seed(suffix, content)))
            for crash in sorted([*folder.glob("crash-*"), *folder.glob("timeout-*"), *folder.glob("oom-*")]):
                defects.append(Defect(reader, 0, crash.name.partition("-")[0], Seed("", crash.read_bytes()[1:])))
    return count, defects


def _batches(budget: Budget, names: Sequence[str]) -> Iterator[Trials]:
    numbers: Counter[str] = Counter()
    seconds = min(_BATCH_SECONDS, budget.seconds / (2 * len(names)))
    while True:
        for name in names:
            if budget.is_over:
                return
            yield Trials(name, budget.seed, numbers[name], 1_000_000, seconds)
            numbers[name] += 1_000_000


def _alone(pool: Pool[Trials, Tried], trials: Trials) -> Tried:
    """The trials of a batch that ended its worker, one by one: which of them it was."""
    del pool  # it waits for this batch
    single: Pool[Trials, Tried] = Pool(worker, limits=_LIMITS, is_awaited=True)
    count = refused = 0
    end = time.monotonic() + 3 * trials.seconds + 2 * _LIMITS.seconds
    numbers = range(trials.first, trials.first + trials.count)
    try:
        for trial, result in single.run(trials._replace(first=number, count=1) for number in numbers):
            count += 1
            if isinstance(result, Failure):
                file = _file_of(trial.reader, trial.seed, trial.first)
                return Tried(count, refused, (Defect(trial.reader, trial.first, _described(result), file),))
            refused += result.refused
            if result.defects or time.monotonic() > end:
                return result._replace(count=count)
    finally:
        single.close()
    return Tried(count, refused)


def _described(failure: Failure) -> str:
    return f"{failure.kind} of the worker\n{failure.detail}"


def worker() -> Callable[[Trials], Tried]:
    """A function that makes trials; what is temporary of it is deleted."""
    return try_files


def try_files(trials: Trials) -> Tried:
    """Make the trials, as long as there is time."""
    end = time.monotonic() + trials.seconds
    count, refused, defects = 0, 0, []
    for number in range(trials.first, trials.first + trials.count):
        if count and time.monotonic() >= end:
            break
        count += 1
        file = _file_of(trials.reader, trials.seed, number)
        what = try_file(trials.reader, file)
        refused += what == "refused"
        if what not in ("read", "refused"):
            defects.append(Defect(trials.reader, number, what, file))
    return Tried(count, refused, tuple(defects[:20]))


def _file_of(reader: str, seed: int, number: int) -> Seed:
    return hostile_file(reader, random.Random(f"{seed} {reader} {number}"))


def try_file(reader: str, file: Seed) -> str:
    """What reading a file comes to: "read", "refused", or a traceback."""
    folder = Path(tempfile.mkdtemp(prefix="pairwright-hostile-"))
    begin = _processor_seconds()
    try:
        path = folder / f"hostile{file.suffix}"
        path.write_bytes(file.content)
        READERS[reader].read(path)
    except UserError as exc:
        result = "refused" if _is_sentence(exc) else f"UserError without a sentence: {exc!s:.300}"
    except BaseException:  # noqa: BLE001  whatever it is, it is counted
        result = traceback.format_exc()
    else:
        result = "read"
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    if (spent := _processor_seconds() - begin) > SLOW_SECONDS:
        return f"slow: {spent:.0f} s"
    return result


def _processor_seconds() -> float:
    """Of this process and those that it has waited for; other programs on the computer change nothing in it."""
    return sum(os.times()[:4])


def _is_sentence(error: UserError) -> bool:
    text = f"{error} {error.hint}"
    with suppress(UnicodeEncodeError):
        text.encode()
        return bool(text.strip()) and len(text) < 9_000 and "\0" not in text
    return False


def by_place(defects: Sequence[Defect]) -> dict[str, tuple[Defect, int]]:
    """The smallest defect for each kind of error and line of ours that it comes from, and how many there were."""
    found: dict[str, tuple[Defect, int]] = {}
    for defect in defects:
        lines = [line.strip() for line in defect.what.splitlines() if line.strip()]
        places = [line.partition(f"{ROOT}/")[2] for line in lines if line.startswith(f'File "{ROOT}/')]
        ours = [place for place in places if not place.startswith("tests/")] or places or ["?"]
        key = f"{defect.reader}: {lines[-1].partition(':')[0][:160]} at {ours[-1]}"
        known, count = found.get(key, (defect, 0))
        found[key] = min(known, defect, key=lambda one: len(one.file.content)), count + 1
    return found


def _keep(defect: Defect) -> Path:
    """The file of a defect beside its traceback, outside of the project."""
    _KEPT.mkdir(exist_ok=True)
    kept = _KEPT / f"{defect.reader.replace(' ', '-')}-{defect.number}{defect.file.suffix}"
    kept.write_bytes(defect.file.content)
    kept.with_name(f"{kept.name}.txt").write_text(defect.what, encoding="utf-8", errors="replace")
    return kept
