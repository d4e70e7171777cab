"""Size: ten times the pairs take at most ten times the time, and memory does not grow with them.

Made-up projects have 10,000 pairs, then ten times as many for as long as the time allows. Each job runs in a process of
its own; its processor time and its largest memory are set beside those at a tenth of the size. The window keeps its
goals at each size: a key in Review, and a filter or search in the table of pairs.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from desktop.jobs import backups
from desktop.jobs.exchange.project_split import set_split
from desktop.jobs.exchange.releases import release
from desktop.jobs.review import answers
from miner.errors import UserError
from miner.progress import Progress
from miner.records import Answer, Label, PairFlag
from miner.splits import shares_split
from storage.dataset.export_options import ExportOptions, Preset
from storage.exchange.pair_export import export_pairs
from storage.pairs.filters import PairFilter, PairOrder, SortColumn
from storage.pairs.ordered_query import DEFAULT_ORDER
from storage.project import Project
from storage.verification import find_changed_rows
from tests.bench import synthetic
from tests.bench.window import Children, percentile_95, screen
from tests.torture.budget import Budget, Row

ROOT = Path(__file__).parents[2]
_SMALLEST, _LARGEST = 10_000, 10_000_000
_SHORT = 1_000  # pairs of the short form, which has no process for each job
_PAIRS_PER_PAPER = 25
_MAX_FACTOR = 13.0  # ten, and what caches of the processor no longer hold
_MAX_GROWTH_MB = 150.0  # from one size to the next
_SMALL_SECONDS = 0.2  # of less, factors say nothing
_KEY_SECONDS, _FILTER_SECONDS = 0.05, 0.1  # to what the window shows, 95th percentile; goals
_LEAST_SECONDS = 30.0  # a part that has less does without the window and without processes


def run(budget: Budget) -> Iterator[Row]:
    before: dict[str, tuple[float, float]] = {}
    is_long = budget.seconds >= _LEAST_SECONDS
    pairs, measure = (_SMALLEST, _measure_in_process) if is_long else (_SHORT, _measure)
    with tempfile.TemporaryDirectory() as name:
        while pairs <= _LARGEST and not (before and budget.is_over):
            project = Path(name) / f"{pairs}.pairwright"
            synthetic.build(project, pairs=pairs, papers=max(1, pairs // _PAIRS_PER_PAPER))
            for job in _JOBS:
                try:
                    seconds, megabytes = measure(project, job)
                except UserError as exc:  # such as a release that is too large to be kept
                    yield Row(f"{job}, {pairs:,} pairs", f"refused: {exc}")
                    continue
                row = Row(f"{job}, {pairs:,} pairs", f"{seconds:.2f} s of processor, {megabytes:,.0f} MB")
                if job in before:
                    factor, growth = seconds / max(before[job][0], _SMALL_SECONDS), megabytes - before[job][1]
                    measured = f"{row.measured}; {factor:.1f} x the time, {growth:+,.0f} MB"
                    goal = f"<= {_MAX_FACTOR:g} x, <= +{_MAX_GROWTH_MB:g} MB"
                    row = Row(row.figure, measured, goal, factor <= _MAX_FACTOR and growth <= _MAX_GROWTH_MB)
                before[job] = seconds, megabytes
                yield row
            if is_long:
                yield from _window(project, Path(name), f"{pairs:,} pairs")
            project.unlink()
            pairs *= 10


def _measure_in_process(project: Path, job: str) -> tuple[float, float]:
    """As `_measure`, in a process of its own."""
    command = [sys.executable, "-m", "tests.torture.size", project, job]
    output = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout
    found = json.loads(output)
    if isinstance(found, str):
        raise UserError(found)
    seconds, megabytes = found
    return seconds, megabytes


def _window(project: Path, folder: Path, size: str) -> Iterator[Row]:
    with screen(folder) as environment:
        child = Children(environment, folder)
        table, keys = child("table", project), child("keys", project)
    for what, times, goal in (
        ("a filter or search in the window", table["filters"], _FILTER_SECONDS),
        ("a key in Review", keys["times"], _KEY_SECONDS),
    ):
        seconds = percentile_95(times)
        measured = f"{1000 * seconds:.0f} ms, 95th percentile of {len(times)}"
        yield Row(f"{what}, {size}", measured, f"<= {1000 * goal:.0f} ms", seconds <= goal)


def _find(project: Project, filter: PairFilter, order: PairOrder = DEFAULT_ORDER) -> None:
    with project.read_transaction() as stores:
        stores.pair_table.ids(filter, order)
        stores.pair_table.facet_counts(filter, "domains")


def _answer(project: Project) -> None:
    with project.read_transaction() as stores:
        keys = stores.pair_table.keys(stores.pair_table.ids(PairFilter(), limit=100))
    for key in keys:
        answers.answer(project, [key], "mk", Answer.NEUTRAL).work(Progress())


def _answer_many(project: Project) -> None:
    twentieth = PairFilter(flags=frozenset({PairFlag.PREMISE_HAS_PHRASE}))  # of each size; no class has the same share
    answers.answer_all(project, twentieth, "ada", Answer.NEUTRAL).work(Progress())
    answers.undo(project, "ada").work(Progress())


def _split(project: Project) -> None:
    set_split(project, shares_split(80, 10, 10), confirmed=True).work(Progress())


def _release(project: Project) -> None:
    with tempfile.TemporaryDirectory() as name:
        release(project, "v1", Path(name) / "v1", ExportOptions(Preset.SCINLI)).work(Progress())


def _export(project: Project) -> None:
    with tempfile.TemporaryDirectory() as name:
        export_pairs(project, Path(name) / "out", ExportOptions(Preset.FULL), Progress())


_JOBS: dict[str, Callable[[Project], object]] = {
    "filter and count": lambda project: _find(project, PairFilter(labels=frozenset({Label.REASONING}))),
    "search": lambda project: _find(project, PairFilter(text="energy surface")),
    "sort": lambda project: _find(project, PairFilter(), PairOrder(SortColumn.YEAR, descending=True)),
    "100 answers": _answer,
    "answer a twentieth at once, and undo": _answer_many,
    "split the papers": _split,
    "verify all": find_changed_rows,
    "export": _export,
    "release": _release,
    "back up": lambda project: backups.back_up(project.path).work(Progress()),
}


def _measure(path: Path, job: str) -> tuple[float, float]:
    """Seconds of processor time of a job, with its processes, and the largest memory of this process in MB."""
    with Project.open(path) as project:
        start = os.times()[:4]
        _JOBS[job](project)
        return sum(os.times()[:4]) - sum(start), _largest_memory()


def main() -> None:
    path, job = sys.argv[1:]
    try:
        print(json.dumps(_measure(Path(path), job)))
    except UserError as exc:
        print(json.dumps(str(exc)))


def _largest_memory() -> float:
    """In MB. `getrusage` also knows what the process had before it became this program."""
    status = Path("/proc/self/status")
    if status.exists():
        [line] = (line for line in status.read_text().splitlines() if line.startswith("VmHWM:"))
        return int(line.split()[1]) / 1_000
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1_000


if __name__ == "__main__":
    main()
