"""Data sets into the project: their files read in a process of its own, and what became of their rows."""

from __future__ import annotations

import itertools
import logging
from collections.abc import Callable, Generator, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import NamedTuple

from miner.errors import UserError
from miner.processes.child import Failure, ProcessLimits
from miner.processes.pool import run
from miner.progress import Job, Progress
from miner.records import Label
from storage.exchange.import_rows import BadRow, LabelledRow
from storage.exchange.labelled_files import read_labelled_rows
from storage.exchange.pair_import import ImportedPairs, import_pairs
from storage.project import Project

log = logging.getLogger(__name__)

_LIMITS = ProcessLimits(seconds=120, megabytes=1_000)  # for so many rows; a file made to fill the memory ends here
_TOGETHER = 2000  # rows
_STOPPED = "reading was given up here: {}"
_WHY = {
    "timeout": f"the next rows took more than {_LIMITS.seconds:.0f} seconds",
    "memory": f"the next rows took more than {_LIMITS.megabytes:,} MB of memory",
}

_Read = list[tuple[int, LabelledRow | BadRow]]


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


def _rows(
    path: Path, domain: str, numbers: Sequence[Label], progress: Progress
) -> Generator[tuple[int, LabelledRow | BadRow]]:
    """The file's rows, read elsewhere; where that is given up, a last bad one that says why."""
    line = done = 0

    def look() -> None:
        progress.tick(done, None, path.name)

    setup = partial(_reader, path, domain, tuple(numbers))
    pieces = itertools.repeat(_TOGETHER)
    for _, read in run(setup, pieces, workers=1, limits=_LIMITS, on_poll=look):
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
    rows = read_labelled_rows(path, domain=domain, numbers=numbers)
    return lambda count: list(itertools.islice(rows, count))
