"""Files of others: whatever a file holds, the program reads it, or refuses it in a sentence.

Files that can be read are changed at random: bit by bit, word by word, and along their structure, with extreme values,
deep nesting, wrong encodings and bombs. Each is read as the program reads it, in a worker. Anything but the result or a
`UserError` is a broken promise: a traceback, the end of the process, a hang, or too much memory.
"""

from __future__ import annotations

import random
import shutil
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from miner.errors import UserError
from miner.processes.child import Failure, ProcessLimits
from miner.processes.pool import Pool
from tests.torture.budget import Budget, Row
from tests.torture.hostile_readers import READERS, Seed, hostile_file

SLOW_SECONDS = 10.0  # for a file of at most a megabyte
_LIMITS = ProcessLimits(seconds=60, megabytes=2_000)
_BATCH_SECONDS = 1.0
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
    pool: Pool[Trials, Tried] = Pool(worker, limits=_LIMITS)
    try:
        for trials, result in pool.run(_batches(budget, names)):
            found = _alone(pool, trials) if isinstance(result, Failure) else result
            tried[trials.reader] += found.count
            refused[trials.reader] += found.refused
            defects += found.defects
    finally:
        pool.close()
    kinds = _by_place(defects)
    for place, (defect, count) in list(kinds.items())[:40]:
        print(f"{defect.reader}: {place}, {count} times; {_keep(defect)}")
    for name in names:
        yield Row(f"{name}: files read", f"{tried[name]:,}, of these {refused[name]:,} refused in a sentence")
    yield Row("places that crash, hang, fill the memory or show a traceback", str(len(kinds)), "0", not kinds)


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
    single: Pool[Trials, Tried] = Pool(worker, limits=_LIMITS)
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
    begin = time.monotonic()
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
    if (spent := time.monotonic() - begin) > SLOW_SECONDS:
        return f"slow: {spent:.0f} s"
    return result


def _is_sentence(error: UserError) -> bool:
    text = f"{error} {error.hint}"
    with suppress(UnicodeEncodeError):
        text.encode()
        return bool(text.strip()) and len(text) < 5_000 and "\0" not in text
    return False


def _by_place(defects: Sequence[Defect]) -> dict[str, tuple[Defect, int]]:
    """The smallest defect for each kind of error and line of ours that it comes from, and how many there were."""
    found: dict[str, tuple[Defect, int]] = {}
    for defect in defects:
        lines = [line.strip() for line in defect.what.splitlines() if line.strip()]
        ours = [
            line for line in lines if line.startswith("File") and "site-packages" not in line and "/tests/" not in line
        ]
        place = f"{lines[-1][:160]} at {ours[-1] if ours else '?'}"
        key = f"{defect.reader}: {lines[-1].partition(':')[0]} at {ours[-1] if ours else '?'}"
        known, count = found.get(key, (defect, 0))
        smaller = min(known, defect, key=lambda one: len(one.file.content))
        found[key] = smaller, count + 1
        del place
    return found


def _keep(defect: Defect) -> Path:
    """The file of a defect, made smaller as long as it stays one, beside its traceback, outside of the project."""
    _KEPT.mkdir(exist_ok=True)
    kept = _KEPT / f"{defect.reader.replace(' ', '-')}-{defect.number}{defect.file.suffix}"
    kept.write_bytes(defect.file.content)
    kept.with_name(f"{kept.name}.txt").write_text(defect.what, encoding="utf-8", errors="replace")
    return kept


def smaller(content: bytes, is_defect: Callable[[bytes], bool], seconds: float = 20.0) -> bytes:
    """The content without what its defect does not need; pieces are cut out, from large to small."""
    end, size = time.monotonic() + seconds, max(1, len(content) // 2)
    while size and time.monotonic() < end:
        at = 0
        while at < len(content) and time.monotonic() < end:
            shorter = content[:at] + content[at + size :]
            if is_defect(shorter):
                content = shorter
            else:
                at += size
        size //= 2
    return content
