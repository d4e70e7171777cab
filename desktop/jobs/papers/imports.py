"""Importing papers: files and folders -> scan -> parse -> store -> count; and reading failed files or papers again."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
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
from miner.parsing.file_parser import ParsedFile, file_parser, parse_json_lines
from miner.parsing.files import FileContent, FileKind, FoundFiles, find_files, read_file, unreadable_error
from miner.parsing.grobid import GrobidPaused
from miner.parsing.json_lines import read_json_lines
from miner.parsing.sentences import split_paper
from miner.processes.child import Failure, ProcessLimits
from miner.processes.pool import run, worker_count
from miner.progress import Job, Progress
from storage.papers.files import PaperPdf
from storage.project import Project
from storage.untrusted import is_safe_to_access

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
        found = given if isinstance(given, FoundFiles) else _scan(given)
        return _import(
            ImportSession(project, options or ImportOptions(), progress, watch, files=len(found.files)), found
        )

    return Job(f"Adding papers to {project.path.name}", work)


def retry(
    project: Project, ids: Sequence[int] | None, options: ImportOptions, watch: Watch = lambda step: None
) -> Job[ImportResult]:
    """Read failed files once more: those of these rows of the list, None for all."""

    def work(progress: Progress) -> ImportResult:
        with project.reading() as stores:
            paths = stores.files.failed_paths(None if ids is None else [-number for number in ids if number < 0])
        near = [path for path in paths if is_safe_to_access(path, project.path)]
        found = find_files(near)
        session = ImportSession(project, replace(options, retry=True), progress, watch, files=len(found.files))
        for path in paths:
            if path not in near:
                session.count_untried(path, _elsewhere(path))
        return _import(session, found)

    return Job("Retrying failed files", work)


def parse_again(
    project: Project, ids: Sequence[int], options: ImportOptions, watch: Watch = lambda step: None
) -> Job[ImportResult]:
    """Read the PDFs of these papers by the parser that `options` name, and from now on by that alone.

    A paper whose PDF is not there keeps the prose it has, and is counted among the failed.
    """

    def work(progress: Progress) -> ImportResult:
        with project.reading() as stores:
            pdfs = [pdf for pdf in stores.files.pdfs([number for number in ids if number > 0]) if pdf.paths]
        if not pdfs:
            raise UserError("These papers came without a PDF.", hint="Add their PDFs; then they can be parsed again.")
        session = ImportSession(project, replace(options, again=True), progress, watch, files=len(pdfs))
        _parse_pdfs(session, _unchanged_pdfs(session, pdfs))
        return session.result

    return Job("Parsing papers again", work)


def _scan(given: Sequence[Path]) -> FoundFiles:
    found = find_files([path.absolute() for path in given])  # whoever opens the project next may be elsewhere
    if not found.files and not found.failed:
        places = ", ".join(str(path) for path in given)
        hint = "Papers are PDFs, GROBID's TEI (.xml) or JSON lines (.jsonl)."
        hint += " Links that lead out of the folder were passed over." if found.links else ""
        hint += " For labelled pairs there is: pairwright import" if found.tables else ""
        raise UserError(f"There are no papers in {places}.", hint=hint)
    return found


def _import(session: ImportSession, found: FoundFiles) -> ImportResult:
    """Make papers of the files that were found; PDFs last, since a server may be in trouble."""
    session.result.ignored += found.ignored
    session.result.links += found.links
    for path, why in found.failed:
        session.fail(path, why)
    of_kind = {kind: [path for path, its in found.files if its is kind] for kind in FileKind}
    if of_kind[FileKind.TEI]:  # first: a PDF whose TEI is here is known
        _parse_files(session, _read(session, of_kind[FileKind.TEI], FileKind.TEI))
    for path in of_kind[FileKind.PAPERS]:
        import_lines(session, path)
    if of_kind[FileKind.PDF]:
        _parse_pdfs(session, _read(session, of_kind[FileKind.PDF], FileKind.PDF))
    return session.result


def _read(session: ImportSession, paths: Iterable[Path], kind: FileKind) -> Iterator[FileContent]:
    """The files, each read and hashed when it is asked for; those that cannot be are stored as failed."""
    for path in paths:
        try:
            file = read_file(path, kind)
        except Unreadable as exc:
            session.fail(path, exc)
            session.finish_file(path)
        else:
            yield file


def _unchanged_pdfs(session: ImportSession, pdfs: Iterable[PaperPdf]) -> Iterator[FileContent]:
    """Each paper's PDF as it was added, from the first place where it still lies; one that is gone is counted."""
    for pdf in pdfs:
        problems: list[tuple[Path, Unreadable]] = []
        for path in pdf.paths:
            if not is_safe_to_access(path, session.project.path):
                continue
            file = _read_unchanged(path, pdf.sha256)
            if isinstance(file, FileContent):
                yield file
                break
            problems.append((path, file))
        else:
            path, why = problems[0] if problems else (pdf.paths[0], _elsewhere(pdf.paths[0]))
            session.count_untried(path, why)
            session.finish_file(path)


def _read_unchanged(path: Path, sha256: str) -> FileContent | Unreadable:
    """The PDF if it has this SHA-256, else why it cannot be parsed again."""
    try:
        file = read_file(path, FileKind.PDF)
    except Unreadable as exc:
        if exc.code != "missing":
            return exc
        return Unreadable("missing", f"{path} is no longer there.", hint="If it was moved, use Papers > Locate file.")
    if file.hashes.sha256 == sha256:
        return file
    return Unreadable("changed", f"{path.name} is not what was added: it was changed.", hint="Add it anew.")


def _parse_pdfs(session: ImportSession, files: Iterator[FileContent]) -> None:
    if session.options.grobid is None:
        _parse_files(session, files)
        return
    try:
        parse_with_server(session, files, session.options.grobid)
    except GrobidPaused as exc:
        raise ImportStopped(exc, session.result) from exc


def _parse_files(session: ImportSession, files: Iterator[FileContent]) -> None:
    """Files that are one paper each, in worker processes; known ones are not parsed again."""
    options = session.options
    results = run(
        partial(file_parser, session.parameters),
        _unknown(session, files),
        workers=worker_count(options.workers),
        limits=options.limits,
        on_poll=session.tick,
        compact=FileContent.without_content,
    )
    for file, parsed in results:
        if isinstance(parsed, Failure):
            if parsed.refusal is not None:
                raise parsed.refusal
            parsed = ParsedFile(failed=((0, _explained(parsed, file.path, options.limits)),))
        cache_key = f"file {file.hashes.sha256}" if parsed.tei is not None else ""
        session.store(file.path, file.kind, parsed, file.hashes, cache_key)
        session.finish_file(file.path)


def _unknown(session: ImportSession, files: Iterable[FileContent]) -> Iterator[FileContent]:
    """The files that must be parsed; the others are counted as known."""
    for file in files:
        paper = session.known_paper(file.hashes.sha256)
        if paper and session.is_current(paper, EMBEDDED if file.kind is FileKind.PDF else ""):
            session.count_known(file, paper)
            session.finish_file(file.path)
        else:
            session.watch(FileProgress(file.path, "parsing"))
            yield file


def import_lines(session: ImportSession, path: Path) -> None:
    """Store a file of papers, one a line; its good lines count whatever the others hold."""
    session.watch(FileProgress(path, "reading"))
    with session.project.transaction(bulk=True) as stores:
        stores.files.forget_failures(path)
        before = stores.files.md5s_by_line(path)
    count = _LineCount()
    try:
        _store_lines(session, path, before, count)
    except Unreadable as exc:
        session.fail(path, exc)
    except OSError as exc:
        session.fail(path, unreadable_error(path, exc))
    if count.bad > _LISTED:
        session.fail_unlisted(path, count.bad - _LISTED)
    session.finish_file(path)


@dataclass(slots=True)
class _LineCount:
    seen: int = 0
    bad: int = 0


def _store_lines(session: ImportSession, path: Path, before: Mapping[int, str], count: _LineCount) -> None:
    """Parse and store the lines batch by batch, counting them; `Unreadable` where the file is none of papers."""
    lines = read_json_lines(path)
    while batch := tuple(islice(lines, _LINES if count.seen else _TRIED)):
        parsed = parse_json_lines(batch)
        if not (parsed.papers or count.seen) and len(batch) == _TRIED:
            raise _no_papers(path, parsed)
        listed = parsed.failed[: max(0, _LISTED - count.bad)]
        count.bad += len(parsed.failed)
        known = session.count_known_lines(parsed.papers, before)
        new = tuple((line, split_paper(paper, session.splitter)) for line, paper in parsed.papers if line not in known)
        session.store(path, FileKind.PAPERS, ParsedFile(new, listed))
        count.seen += len(batch)
        session.tick(f"{path.name}, {count.seen:,} papers")
    if not count.seen:
        raise Unreadable("empty", f"{path.name} has no lines.", hint="Fetch the file again.")


def _no_papers(path: Path, found: ParsedFile) -> Unreadable:
    why = found.failed[0][1]
    what = f"None of the first {_TRIED} lines of {path.name} is a paper ({why})."
    return Unreadable("not_a_paper", what, hint="A paper is a line of JSON with its sections.")


def _explained(failure: Failure, path: Path, limits: ProcessLimits) -> Unreadable:
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


def _elsewhere(path: Path) -> Unreadable:
    hint = "If you know it and trust it, add the file from there."
    return Unreadable("missing", f"{path} is on another computer, and was not looked for.", hint=hint)
