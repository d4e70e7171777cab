"""Mining all the sample papers, text to stored pairs, against splitting the same text with nupunkt."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

MEMORY = 400  # megabytes


def measure(shared: Path) -> Iterator[tuple[str, str, str, str, bool | None]]:
    """Each in a process of its own: time of the work, and the process's peak of resident memory."""
    folder = shared / "data" / "papers"
    ours, peer = (_child(part, folder) for part in ("ours", "peer"))
    small = _child("ours", folder / "papers-nlp.jsonl.gz")
    ratio = ours["seconds"] / peer["seconds"]
    stored = f"{ours['papers']:,} papers, {ours['pairs']:,} pairs"
    yield (
        "mining all papers, text to stored pairs, time",
        f"{ratio:.2f} x",
        "<= 3.2 x",
        f"nupunkt splitting; {stored}",
        ratio <= 3.2,
    )
    peak = ours["megabytes"]
    note = f"{small['megabytes']:,} MB for {small['papers']:,} papers"
    yield "mining all papers, peak memory", f"{peak:,} MB", f"< {MEMORY} MB", note, peak < MEMORY


def _child(part: str, folder: Path) -> dict[str, int | float]:
    done = subprocess.run(
        [sys.executable, "-m", "tests.bench.mining", part, str(folder)], capture_output=True, text=True, check=True
    )
    found: dict[str, int | float] = json.loads(done.stdout)
    return found


def ours(folder: Path) -> dict[str, int]:
    from desktop.jobs.mining.run import NO_MODEL, mine
    from desktop.jobs.papers.import_session import ImportOptions
    from desktop.jobs.papers.imports import import_papers
    from miner.progress import Progress
    from storage.project import Project

    with tempfile.TemporaryDirectory() as scratch, Project.create(Path(scratch) / "bench.pairwright") as project:
        added = import_papers(project, [folder], ImportOptions(workers=1)).work(Progress())
        mined = mine(project, workers=1, model=NO_MODEL).work(Progress())
        return {"papers": added.new, "pairs": sum(mined.funnel.kept.values())}


def peer(folder: Path) -> dict[str, int]:
    import gzip

    import nupunkt

    sentences = 0
    for file in sorted(folder.glob("*.jsonl.gz")):
        with gzip.open(file) as lines:
            for line in lines:
                for section in json.loads(line)["sections"]:
                    for paragraph in section["paragraphs"]:
                        sentences += len(nupunkt.sent_tokenize(paragraph))
    return {"sentences": sentences}


if __name__ == "__main__":
    start = time.perf_counter()
    found = {"ours": ours, "peer": peer}[sys.argv[1]](Path(sys.argv[2]))
    seconds = time.perf_counter() - start
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1000
    json.dump({**found, "seconds": seconds, "megabytes": megabytes}, sys.stdout)
