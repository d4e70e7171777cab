"""Splitting and balancing a million pairs, beside reading them; near-duplicates among a million real sentences."""

from __future__ import annotations

import gzip
import json
import random
import re
import resource
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from itertools import islice
from pathlib import Path

from miner.mining.identity import normalise_text
from miner.near_duplicates import NearDuplicateFinder, similarity
from storage.connections import driver_connection
from storage.dataset.candidates import select_candidates
from storage.dataset.export_options import ExportOptions
from storage.project import Project
from tests.bench.synthetic import PAIRS, project_at

Figure = tuple[str, str, str, str, bool | None]

SENTENCES = 1_000_000
COPIES = 50_000  # of these, edited copies of others
_SHARES = (("train", 80.0), ("dev", 10.0), ("test", 10.0))
_WAYS = {
    "splitting": ExportOptions(shares=_SHARES),
    "balancing": ExportOptions(balance=True),
    "splitting and balancing": ExportOptions(shares=_SHARES, balance=True),
}
_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z])")
_SECONDS, _MB, _RECALL = 600, 1_500, 0.95  # goals
_HIGH = 0.9  # the similarity that the goal of recall is for


def measure(shared: Path) -> Iterator[Figure]:
    """(figure, measured, goal, peer, met)."""
    kept = Path(tempfile.gettempdir()) / "pairwright-bench"  # as in `tests.bench.window`
    kept.mkdir(exist_ok=True)
    yield from _split(project_at(kept / "million.pairwright"))
    papers = sorted((shared / "data" / "papers").glob("*.jsonl.gz"))
    if papers:
        yield from _near_duplicates(papers)


def _split(path: Path) -> Iterator[Figure]:
    with Project.open(path) as project:
        seconds = min(_read(project) for _ in range(2))
        for name, options in _WAYS.items():
            with project.read_transaction() as stores:
                started = time.perf_counter()
                select_candidates(stores._connection, options)
                ratio = (time.perf_counter() - started) / seconds
            peer = f"one SELECT of them {seconds:.1f} s"
            yield f"{name} {PAIRS:,} pairs", f"{ratio:.1f} x", "≤ 10 x", peer, ratio <= 10


def _read(project: Project) -> float:
    with project.read_transaction() as stores:
        started = time.perf_counter()
        for _ in driver_connection(stores._connection).execute("SELECT * FROM pairs"):
            pass
        return time.perf_counter() - started


def _near_duplicates(papers: Sequence[Path]) -> Iterator[Figure]:
    """In a process of its own, whose memory is measured."""
    command = [sys.executable, "-m", "tests.bench.splits", str(SENTENCES), *map(str, papers)]
    found = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    what, about = f"near-duplicates of {found['sentences']:,} sentences", f"{found['groups']:,} groups"
    yield what, f"{found['seconds']:.0f} s", f"≤ {_SECONDS} s", about, found["seconds"] <= _SECONDS
    yield "their memory", f"{found['megabytes']:,} MB", f"≤ {_MB:,} MB", "whole process", found["megabytes"] <= _MB
    for bound, goal in ((_HIGH, f"≥ {_RECALL}"), (0.8, "-")):
        near, recall = found["recall"][str(bound)]
        met = recall >= _RECALL if bound == _HIGH else None
        yield f"their recall at a similarity ≥ {bound}", f"{recall:.4f}", goal, f"{near:,} edited copies", met


def _sentences(papers: Sequence[Path]) -> Iterator[str]:
    for path in papers:
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for line in lines:
                for section in json.loads(line)["sections"]:
                    for paragraph in section["paragraphs"]:
                        yield from (one for one in _END.split(paragraph) if 8 <= len(one.split()) <= 80)


def _edit(sentence: str, draw: random.Random) -> str:
    """A word changed, left out or added."""
    words = sentence.split()
    place = draw.randrange(len(words))
    kind = draw.randrange(3)
    if kind < 2:
        words[place : place + 1] = [words[place][:-1]] if kind else []
    else:
        words.insert(place, str(draw.randrange(100)))
    return " ".join(words)


def _measure_near_duplicates(size: int, papers: Sequence[Path]) -> dict[str, object]:
    """The texts are in a temporary database, as an export's are."""
    draw = random.Random(1)
    with closing(sqlite3.connect("")) as driver:
        driver.execute("CREATE TABLE texts (number INTEGER PRIMARY KEY, text TEXT UNIQUE)")
        insert = "INSERT OR IGNORE INTO texts (text) VALUES (?)"
        driver.executemany(insert, ((normalise_text(one),) for one in islice(_sentences(papers), 2 * size)))
        drawn = "SELECT number FROM texts ORDER BY number * 2654435761 % 4294967296 LIMIT ?"
        query = f"DELETE FROM texts WHERE number NOT IN ({drawn})"
        driver.execute(query, (size - COPIES * size // SENTENCES,))
        driver.execute("CREATE TABLE sentences AS SELECT row_number() OVER (ORDER BY number) - 1 AS n, text FROM texts")
        [kept] = driver.execute("SELECT count(*) FROM sentences").fetchone()
        originals = draw.sample(range(kept), COPIES * size // SENTENCES)
        copies = []
        for number, original in enumerate(originals, start=kept):
            [text] = driver.execute("SELECT text FROM sentences WHERE rowid = ?", (original + 1,)).fetchone()
            copies.append((original, number, text, _edit(text, draw)))
        driver.executemany("INSERT INTO sentences VALUES (?, ?)", [(number, copy) for _, number, _, copy in copies])
        driver.execute("CREATE UNIQUE INDEX by_number ON sentences (n)")

        def read(numbers: Sequence[int]) -> dict[int, str]:
            query = "SELECT n, text FROM sentences WHERE n IN (SELECT value FROM json_each(?))"
            return dict(driver.execute(query, (json.dumps(numbers),)))

        started = time.perf_counter()
        finder = NearDuplicateFinder()
        finder.add(text for (text,) in driver.execute("SELECT text FROM sentences ORDER BY n"))
        groups = finder.find_groups(read)
        seconds = time.perf_counter() - started
        recall = {}
        for bound in (_HIGH, 0.8):
            near = [(one, other) for one, other, text, copy in copies if similarity(text, copy) >= bound]
            found = sum(groups.get(one, -1) == groups.get(other, -2) for one, other in near)
            recall[str(bound)] = len(near), found / max(1, len(near))
        return {
            "sentences": kept + len(copies),
            "seconds": seconds,
            "groups": len(set(groups.values())),
            "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
            "recall": recall,
        }


if __name__ == "__main__":
    print(json.dumps(_measure_near_duplicates(int(sys.argv[1]), [Path(name) for name in sys.argv[2:]])))
