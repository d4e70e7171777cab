"""The job that imports data sets of labelled pairs; their files are read in a process of its own."""

from __future__ import annotations

import itertools
import logging
from collections.abc import Callable, Generator, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import NamedTuple

from desktop.translation import tr
from miner.errors import UserError
from miner.parsing.files import FileKind, find_files
from miner.paths import is_folder
from miner.processes.child import Failure, ProcessLimits
from miner.processes.pool import run
from miner.processes.sandbox import Confinement
from miner.progress import Job, Progress
from miner.records import Label
from storage.exchange.labelled_files import is_labelled_file, is_triples_file, read_labelled_rows
from storage.exchange.labelled_rows import BadRow, LabelledRow
from storage.exchange.pair_import import ImportedPairs, import_pairs
from storage.project import Project

log = logging.getLogger(__name__)

_LIMITS = ProcessLimits(seconds=120, megabytes=1_000)  # for each batch of rows; a malicious file cannot fill the memory
_ROWS_PER_BATCH = 2_000
_STOPPED_TEXT = tr("reading stopped here: {}")
_FAILURE_TEXTS = {
    "timeout": tr("the next rows took more than {seconds:.0f} seconds", seconds=_LIMITS.seconds),
    "memory": tr("the next rows took more than {megabytes:,} MB of memory", megabytes=_LIMITS.megabytes),
}

_NumberedRows = list[tuple[int, LabelledRow | BadRow]]


class RejectedFile(NamedTuple):
    """A file that is not a data set, and why."""

    path: Path
    reason: str
    hint: str


def import_data_sets(
    project: Project,
    paths: Sequence[Path],
    domain: str,
    numbers: Sequence[Label] = (),
    predictions: Sequence[str] = (),
) -> Job[list[ImportedPairs | RejectedFile]]:
    """Import the labelled pairs of each file: see `import_pairs`. Other files do not stop the import.

    A folder, such as an export or a data set of the hub, stands for its data set files, in order of their names.
    predictions: columns with predictions, besides the columns that are recognised by their names.
    """

    def work(progress: Progress) -> list[ImportedPairs | RejectedFile]:
        found: list[ImportedPairs | RejectedFile] = []
        for path in data_set_files(paths):
            now = datetime.now(UTC)
            rows = _rows(path, partial(_reader, path, domain, tuple(numbers), tuple(predictions)), progress)
            try:
                found.append(import_pairs(project, path, domain=domain, progress=progress, at=now, rows=rows))
            except UserError as exc:
                found.append(RejectedFile(path, str(exc), exc.hint))
            finally:
                rows.close()
        return found

    return Job(
        tr("Importing into {name}", name=project.path.name),
        work,
        tr("The rows read so far are kept. Import the files again for the others."),
    )


def data_set_files(paths: Sequence[Path]) -> list[Path]:
    """The paths, a folder replaced by its data set files in order of their names; `UserError` if it has none."""
    found: list[Path] = []
    for path in paths:
        if not is_folder(path):
            found.append(path)
            continue
        files = find_files([path])
        candidates = [file for file, kind in files.files if kind is FileKind.PAPERS] + files.tables
        data_sets = sorted(filter(is_labelled_file, candidates))
        data_sets = data_sets or sorted(filter(is_triples_file, candidates))[:1]  # which is rejected, saying why
        if not data_sets:
            hint = tr(
                "Name the files of a data set, or their folder. A folder of papers is added: pairwright add FOLDER"
            )
            raise UserError(tr("There is no data set in {path}.", path=path), hint=hint)
        found += data_sets
    return found


def _rows(
    path: Path, setup: Callable[[], Callable[[int], _NumberedRows]], progress: Progress
) -> Generator[tuple[int, LabelledRow | BadRow]]:
    """The file's rows, read by a worker process; if that fails, the last row is a bad one with the reason."""
    line = done = 0

    def look() -> None:
        progress.tick(done, None, path.name)

    pieces = itertools.repeat(_ROWS_PER_BATCH)
    confinement = Confinement(reads=(path,))
    for _, read in run(setup, pieces, workers=1, limits=_LIMITS, on_poll=look, confinement=confinement):
        if isinstance(read, Failure):
            if read.refusal is not None:
                raise read.refusal
            log.warning("reading %s failed (%s)\n%s", path, read.kind, read.detail)
            yield (
                line + 1,
                BadRow(
                    line + 1, _STOPPED_TEXT.format(_FAILURE_TEXTS.get(read.kind, tr("the process that read it ended")))
                ),
            )
            return
        if not read:
            return
        yield from read
        line, done = read[-1][0], done + len(read)


def _reader(
    path: Path, domain: str, numbers: Sequence[Label], predictions: Sequence[str]
) -> Callable[[int], _NumberedRows]:
    """A function that returns the next rows, at most as many as requested; no rows at the end."""
    rows = read_labelled_rows(path, domain=domain, numbers=numbers, predictions=predictions)
    return lambda count: list(itertools.islice(rows, count))
