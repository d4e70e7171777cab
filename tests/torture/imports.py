"""Ten thousand files in one import: memory, open files, threads and processes stay as they were after the first ones.

Made-up papers as TEI, as publishers' XML and as JSON lines, some of them damaged, are imported by one job in a process
of its own, which counts what it and its workers hold after so many files. SQLite's cache may fill, and what is known of
each paper, so that its other forms are found, may take some memory; nothing else may grow. The short form has 60 files
and no process.
"""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from hashlib import md5
from pathlib import Path
from typing import Any

import psutil

from desktop.jobs.papers.import_session import ImportOptions
from desktop.jobs.papers.imports import import_papers
from miner.progress import Progress, Tick
from storage.project import Project
from tests.article_xml import article_xml
from tests.sample_papers import SAMPLES
from tests.storage.factories import paper
from tests.torture.budget import Budget, Row

ROOT = Path(__file__).resolve().parents[2]
_FILES, _FEW_FILES = 10_000, 60
_LONG_S = 60.0
_COUNTS = 10  # how often it is counted
_WARM_UP = 2  # counts before which caches fill
_MAX_BYTES_PER_FILE = 1_000  # of the main process: what is known of a paper
_CACHE_MB = 32.0  # of the connection that writes, which fills with the first thousands of papers (`storage.project`)
_MAX_WORKER_MB = 20.0
_NOISE_MB = 8.0  # by which memory differs from one moment to another
_DAMAGED_EVERY = 50


def run(budget: Budget) -> Iterator[Row]:
    is_long = budget.seconds >= _LONG_S
    files = _FILES if is_long else _FEW_FILES
    with tempfile.TemporaryDirectory() as name:
        damaged = write_papers(Path(name) / "papers", files, budget.draw)
        if is_long:
            command = [sys.executable, "-m", "tests.torture.imports", name, str(files)]
            done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
            result = json.loads(done.stdout.splitlines()[-1])
        else:
            result = import_all(Path(name), files)
    counts = result["counts"][_WARM_UP:]
    first, last = counts[0], counts[-1]
    read = last["done"] - first["done"]
    yield Row("files; seconds", f"{files:,}; {result['seconds']:.0f}")
    found = f"{result['new']:,} papers, {result['failed']:,} failed"
    is_met = (result["new"], result["failed"]) == (files - damaged, damaged)
    yield Row("what came of them", found, f"{files - damaged:,}, {damaged:,}", is_met)
    grown = last["megabytes"] - first["megabytes"]
    most = _NOISE_MB + _CACHE_MB + read * _MAX_BYTES_PER_FILE / 1e6
    measured = f"{first['megabytes']:.0f} MB after {first['done']:,}, {last['megabytes']:.0f} MB after {last['done']:,}"
    yield Row("memory of the job", measured, f"<= +{most:.0f} MB", grown <= most)
    grown = max(one["worker"] for one in counts) - first["worker"]
    yield Row("memory of a worker", f"{grown:+.0f} MB at most", f"<= +{_MAX_WORKER_MB:.0f} MB", grown <= _MAX_WORKER_MB)
    for what in ("open files", "threads", "processes"):
        numbers = [one[what] for one in counts]
        yield Row(what, f"{numbers[0]} to {max(numbers)}", "no more", max(numbers) <= numbers[0])


def write_papers(folder: Path, count: int, draw: random.Random) -> int:
    """Write so many papers, a file each; how many of them are damaged."""
    folder.mkdir()
    tei = (ROOT / "tests" / "data" / "tei" / "kelp.sentences.tei.xml").read_bytes()
    line = json.loads((SAMPLES / "ecology" / "late-mowing.jsonl").read_text(encoding="utf-8").splitlines()[0])
    for number in range(count):
        name = f"{number:05}"
        if number % 3 == 0:
            content = _as_tei(tei, name)
            path = folder / f"{name}.tei.xml"
        elif number % 3 == 1:
            content = article_xml(paper(name), doi=f"10.5555/{name}")
            path = folder / f"{name}.nxml"
        else:
            content = json.dumps({**line, "id": name, "title": f"Paper {name}", "doi": f"10.5555/{name}"}).encode()
            path = folder / f"{name}.jsonl"
        if number % _DAMAGED_EVERY == _DAMAGED_EVERY - 1:
            content = content[: draw.randrange(20, len(content) // 2)]
        path.write_bytes(content)
    return count // _DAMAGED_EVERY


def _as_tei(tei: bytes, name: str) -> bytes:
    """The same paper as another one: with its own identity, title and words."""
    mine = name.encode()
    tei = re.sub(rb'(<idno type="MD5">)\w+', rb"\g<1>" + md5(mine).hexdigest().upper().encode(), tei)
    tei = tei.replace(b"10.5555/kelp.2021.7", b"10.5555/" + mine).replace(b"kelp", b"kelp" + mine)
    return tei.replace(b"Shade, heat", b"Shade " + mine + b", heat")


class _Counter:
    """Counts what the job holds, so many times until its end."""

    def __init__(self, files: int) -> None:
        self.counts: list[dict[str, float]] = []
        self._every = max(1, files // _COUNTS)
        self._process = psutil.Process()

    def tick(self, tick: Tick) -> None:
        if tick.done // self._every > len(self.counts):
            self.counts.append(self._count(tick.done))

    def _count(self, done: int) -> dict[str, float]:
        workers = self._process.children(recursive=True)
        files = self._process.num_handles() if sys.platform == "win32" else self._process.num_fds()
        return {
            "done": done,
            "megabytes": self._process.memory_info().rss / 1e6,
            "worker": max((worker.memory_info().rss / 1e6 for worker in workers), default=0.0),
            "open files": files,
            "threads": self._process.num_threads(),
            "processes": len(workers),
        }


def import_all(folder: Path, files: int) -> dict[str, Any]:
    """Import the papers in a folder; what was counted meanwhile, and what came of them."""
    counter = _Counter(files)
    start = time.monotonic()
    with Project.create(folder / "project.pairwright") as project:
        job = import_papers(project, [folder / "papers"], ImportOptions(workers=1))
        result = job.work(Progress(counter.tick))
    seconds = time.monotonic() - start
    return {"counts": counter.counts, "new": result.new, "failed": len(result.failed), "seconds": seconds}


if __name__ == "__main__":
    print(json.dumps(import_all(Path(sys.argv[1]), int(sys.argv[2]))))
