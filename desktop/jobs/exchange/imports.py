"""Data sets into the project: their files read in a process of its own, and what became of their rows."""

from __future__ import annotations

import itertools
import logging
from collections import Counter
from collections.abc import Callable, Generator, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import NamedTuple

from miner.errors import UserError
from miner.processes.child import Failure, Limits
from miner.processes.pool import run
from miner.progress import Job, Progress
from miner.records import Label
from storage.exchange.imports import ImportedPairs, import_pairs
from storage.exchange.labelled import read_labelled
from storage.exchange.rows import BadRow, Labelled
from storage.project import Project

log = logging.getLogger(__name__)

_LIMITS = Limits(seconds=120, megabytes=1_000)  # for so many rows; a file made to fill the memory ends here
_TOGETHER = 2000  # rows
_SAID = 10  # line by line, of each reason some; the others are summed up
_OF_A_REASON = 3
_STOPPED = "reading was given up here: {}"
_WHY = {
    "timeout": f"the next rows took more than {_LIMITS.seconds:.0f} seconds",
    "memory": f"the next rows took more than {_LIMITS.megabytes:,} MB of memory",
}

_Read = list[tuple[int, Labelled | BadRow]]


class Refused(NamedTuple):
    """A file that is no data set, and why."""

    path: Path
    reason: str
    hint: str


def import_data_sets(
    project: Project, paths: Sequence[Path], domain: str, numbers: Sequence[Label] = ()
) -> Job[list[ImportedPairs | Refused]]:
    """Read labelled pairs from each file: see `import_pairs`. A file that is none is answered for; the others go on."""

    def work(progress: Progress) -> list[ImportedPairs | Refused]:
        found: list[ImportedPairs | Refused] = []
        for path in paths:
            now = datetime.now(UTC)
            rows = _rows(path, domain, numbers, progress)
            try:
                found.append(import_pairs(project, path, domain=domain, progress=progress, at=now, rows=rows))
            except UserError as exc:
                found.append(Refused(path, str(exc), exc.hint))
            finally:
                rows.close()
        return found

    return Job(
        f"Importing into {project.path.name}",
        work,
        "Rows that are read are kept. Import the files again for the others.",
    )


def notes(file: ImportedPairs) -> list[str]:
    """What there is to say of the file's rows, some by their line."""
    told: Counter[str] = Counter()
    listed: list[BadRow] = []
    for row in file.bad_rows:
        told[row.reason] += 1
        if told[row.reason] <= _OF_A_REASON and len(listed) < _SAID:
            listed.append(row)
    lines = [f"line {row.line:,}: {row.reason}" for row in listed]
    if more := file.bad - len(listed):
        others = Counter(file.reasons) - Counter(row.reason for row in listed)
        why = ", ".join(f"{reason} ({number:,})" for reason, number in others.most_common(3))
        lines.append(f"{more:,} more bad {'row' if more == 1 else 'rows'}: {why}")
    for line, _, here, there in file.conflict_rows[:_SAID]:
        lines.append(f"line {line:,}: the pair is {here} here and {there} in the project, where it stays so")
    if (more := file.conflicts - _SAID) > 0:
        lines.append(f"{more:,} more {'pair has' if more == 1 else 'pairs have'} another label in the project")
    if some := file.other_split:
        verb = "pair stands" if some == 1 else "pairs stand"
        lines.append(f"{some:,} {verb} in another split of the project already, and stay there")
    if some := file.moved:
        verb = "pair that was there is" if some == 1 else "pairs that were there are"
        lines.append(f"{some:,} {verb} in the split that this file says now")
    for text, rows, line in file.remarks.values():
        lines.append(f"line {line:,}{f' and {rows - 1:,} more' if rows > 1 else ''}: {text}")
    lines = lines if file.rows else ["it has no rows"]
    return [line if line.endswith("?") else f"{line}." for line in lines]


def _rows(
    path: Path, domain: str, numbers: Sequence[Label], progress: Progress
) -> Generator[tuple[int, Labelled | BadRow]]:
    """The file's rows, read elsewhere; where that is given up, a last bad one that says why."""
    line = done = 0

    def look() -> None:
        progress.tick(done, None, path.name)

    setup = partial(_reader, path, domain, tuple(numbers))
    pieces = itertools.repeat(_TOGETHER)
    for _, read in run(setup, pieces, workers=1, limits=_LIMITS, look=look):
        if isinstance(read, Failure):
            if read.refusal is not None:
                raise read.refusal
            log.warning("reading %s failed (%s)\n%s", path, read.kind, read.detail)
            yield line + 1, BadRow(line + 1, _STOPPED.format(_WHY.get(read.kind, "the process that read it ended")))
            return
        if not read:
            return
        yield from read
        line, done = read[-1][0], done + len(read)


def _reader(path: Path, domain: str, numbers: Sequence[Label]) -> Callable[[int], _Read]:
    """A function that gives the next rows, none at the end."""
    rows = read_labelled(path, domain=domain, numbers=numbers)
    return lambda count: list(itertools.islice(rows, count))
