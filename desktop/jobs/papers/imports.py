"""Adding papers: files and folders in, papers in the project, and a reason for each file that is none; and again."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path

from desktop.jobs.papers.grobid import parse_with_server
from desktop.jobs.papers.import_session import (
    FileProgress,
    ImportOptions,
    ImportResult,
    ImportSession,
    ImportStopped,
    Watch,
)
from miner.errors import Unreadable, UserError
from miner.parsing.embedded import PARSER as EMBEDDED
from miner.parsing.files import FoundFiles, Kind, collect, hashes, read_bytes, unreadable
from miner.parsing.grobid import GrobidPaused
from miner.parsing.reading import Read, Unit, read_unsplit, reader
from miner.parsing.sentences import split_paper
from miner.parsing.structured import read_lines
from miner.processes.child import Failure, Limits
from miner.processes.pool import run, worker_count
from miner.progress import Job, Progress
from storage.project import Project
from storage.untrusted import may_be_looked_at

log = logging.getLogger(__name__)

_LINES = 50  # papers of a JSON lines file that are read and stored together
_TRIED = 100  # lines of a file, of which one at least must be a paper
_LISTED = 100  # lines of a file that are no papers, one by one; what is beyond is summed up

__all__ = ["FileProgress", "ImportOptions", "ImportResult", "add", "parse_again", "retry"]


def add(
    project: Project,
    given: Sequence[Path] | FoundFiles,
    options: ImportOptions | None = None,
    watch: Watch = lambda step: None,
) -> Job[ImportResult]:
    """Parse the papers among the given files and folders into the project; each is kept as soon as it is done.

    `watch` hears of each file as it goes on, on the job's own thread.
    """

    def work(progress: Progress) -> ImportResult:
        if isinstance(given, FoundFiles):
            found = given
        else:
            found = collect([path.absolute() for path in given])  # whoever opens the project next may be elsewhere
            if not found.files and not found.failed:
                places = ", ".join(str(path) for path in given)
                hint = "Papers are PDFs, GROBID's TEI (.xml) or JSON lines (.jsonl)."
                hint += " Links that lead out of the folder were passed over." if found.links else ""
                hint += " For labelled pairs there is: pairwright import" if found.tables else ""
                raise UserError(f"There are no papers in {places}.", hint=hint)
        return take_in(ImportSession(project, options or ImportOptions(), progress, len(found.files), watch), found)

    return Job(f"Adding papers to {project.path.name}", work)


def retry(
    project: Project, ids: Sequence[int] | None, options: ImportOptions, watch: Watch = lambda step: None
) -> Job[ImportResult]:
    """Read failed files once more: those of these rows of the list, None for all."""

    def work(progress: Progress) -> ImportResult:
        with project.reading() as stores:
            paths = stores.files.failed_paths(None if ids is None else [-number for number in ids if number < 0])
        near = [path for path in paths if may_be_looked_at(path, project.path)]
        found = collect(near)
        intake = ImportSession(project, replace(options, retry=True), progress, len(found.files), watch)
        intake.tell([(path, _elsewhere(path)) for path in paths if path not in near])
        return take_in(intake, found)

    return Job("Retrying failed files", work)


def parse_again(
    project: Project, ids: Sequence[int], options: ImportOptions, watch: Watch = lambda step: None
) -> Job[ImportResult]:
    """Read the PDFs of these papers by the parser that `options` name, and from now on by that alone.

    A paper whose PDF is not there keeps the prose it has, and is told of among the failed.
    """

    def work(progress: Progress) -> ImportResult:
        found, missing = FoundFiles(), []
        with project.reading() as stores:
            papers = stores.files.pdfs([number for number in ids if number > 0])
        if not any(paths for _, _, paths in papers):
            raise UserError("These papers came without a PDF.", hint="Add their PDFs; then they can be parsed again.")
        for done, (_, sha256, paths) in enumerate(papers):
            progress.tick(done, None, "looking for the PDFs")
            near = (path for path in paths if may_be_looked_at(path, project.path))
            if path := next((path for path in near if _is_still(path, sha256)), None):
                found.files.append((path, Kind.PDF))
            elif paths:
                missing.append((paths[0], _gone(paths[0])))
        intake = ImportSession(project, replace(options, again=True), progress, len(found.files), watch)
        intake.tell(missing)
        return take_in(intake, found)

    return Job("Parsing papers again", work)


def take_in(intake: ImportSession, found: FoundFiles) -> ImportResult:
    """Make papers of the files that were found; PDFs last, since a server may be in trouble."""
    intake.added.ignored += found.ignored
    intake.added.links += found.links
    for path, why in found.failed:
        intake.fail(path, why)
    of_kind = {kind: [path for path, its in found.files if its is kind] for kind in Kind}
    _parse(intake, of_kind[Kind.TEI], Kind.TEI)  # first, so that a PDF whose TEI is here is no news
    for path in of_kind[Kind.PAPERS]:
        _read_papers(intake, path)
    if not intake.options.grobid:
        _parse(intake, of_kind[Kind.PDF], Kind.PDF)
        return intake.added
    try:
        parse_with_server(intake, of_kind[Kind.PDF], intake.options.grobid)
    except GrobidPaused as exc:
        raise ImportStopped(exc, intake.added) from exc
    return intake.added


def _parse(intake: ImportSession, paths: Sequence[Path], kind: Kind) -> None:
    """Files that are one paper each, in worker processes; known ones are not parsed again."""
    hashed: dict[Path, tuple[str, str]] = {}

    def units() -> Iterator[Unit]:
        for path in paths:
            try:
                hashed[path] = hashes(read_bytes(path, kind))
            except Unreadable as exc:
                intake.fail(path, exc)
                intake.file_done(path)
                continue
            sha256 = hashed[path][1]
            paper = intake.known(sha256)
            if paper and intake.is_current(paper, EMBEDDED if kind is Kind.PDF else ""):
                intake.count_known(path, kind, paper, sha256)
                intake.file_done(path)
            else:
                intake.watch(FileProgress(path, "parsing"))
                yield Unit(path, kind)

    options = intake.options
    results = run(
        partial(reader, intake.parameters),
        units(),
        workers=worker_count(options.workers),
        limits=options.limits,
        look=intake.look,
    )
    for unit, result in results:
        md5, sha256 = hashed.pop(unit.path)
        if isinstance(result, Failure):
            if result.refusal is not None:
                raise result.refusal
            result = Read(failed=((0, _explained(result, unit.path, options.limits)),))
        output = f"file {sha256}" if result.output is not None else None
        intake.take(unit.path, kind, result, md5=md5, sha256=sha256, output=output)
        intake.file_done(unit.path)


def _read_papers(intake: ImportSession, path: Path) -> None:
    """A file of papers, one a line; its good lines count whatever the others hold."""
    intake.watch(FileProgress(path, "reading"))
    with intake.project.transaction(bulk=True) as stores:
        stores.files.forget_failures(path)
        before = stores.files.lines(path)
    lines = read_lines(path)
    seen = bad = 0
    try:
        while batch := tuple(islice(lines, _LINES if seen else _TRIED)):
            found = read_unsplit(batch)
            if not (found.papers or seen) and len(batch) == _TRIED:
                raise _no_papers(path, found)
            listed = max(0, _LISTED - bad)
            bad += len(found.failed)
            known = intake.settle_known(found.papers, before)
            news = ((line, paper) for line, paper in found.papers if line not in known)
            split = tuple((line, split_paper(paper, intake.splitter)) for line, paper in news)
            intake.take(path, Kind.PAPERS, Read(split, found.failed[:listed]))
            seen += len(batch)
            intake.look(f"{path.name}, {seen:,} papers")
        if not seen:
            raise Unreadable("empty", f"{path.name} has no lines.", hint="Fetch the file again.")
    except Unreadable as exc:
        intake.fail(path, exc)
    except OSError as exc:
        intake.fail(path, unreadable(path, exc))
    if bad > _LISTED:
        intake.sum_up(path, bad - _LISTED)
    intake.file_done(path)


def _no_papers(path: Path, found: Read) -> Unreadable:
    why = found.failed[0][1]
    what = f"None of the first {_TRIED} lines of {path.name} is a paper ({why})."
    return Unreadable("not_a_paper", what, hint="A paper is a line of JSON with its sections.")


def _explained(failure: Failure, path: Path, limits: Limits) -> Unreadable:
    """What a worker's end means for its file."""
    match failure.kind:
        case "timeout":
            what, hint = f"took longer than {limits.seconds:,.0f} s", "Print it to a new PDF, or try GROBID."
        case "memory":
            what, hint = f"needed more than {limits.megabytes:,} MB of memory", "Split it, or try GROBID."
        case "crash":
            what, hint = "ended the parser", "The file is damaged: print it to a new PDF, or try GROBID."
        case "error":
            log.error("parsing %s failed:\n%s", path, failure.detail)
            what, hint = "met a bug of Pairwright", "Please report it with the text above; the other papers are done."
    return Unreadable(failure.kind, f"{path.name} {what}.", hint=hint)


def _is_still(path: Path, sha256: str) -> bool:
    with suppress(Unreadable):  # it is not there, then
        return hashes(read_bytes(path, Kind.PDF))[1] == sha256
    return False


def _elsewhere(path: Path) -> Unreadable:
    hint = "If you know it and trust it, add the file from there."
    return Unreadable("missing", f"{path} is on another computer, and was not looked for.", hint=hint)


def _gone(path: Path) -> Unreadable:
    try:
        read_bytes(path, Kind.PDF)
    except Unreadable as exc:
        if exc.code != "missing":
            return exc
        return Unreadable("missing", f"{path} is no longer there.", hint="If it was moved, use Papers > Locate file.")
    return Unreadable("changed", f"{path.name} is not what was added: it was changed.", hint="Add it anew.")
