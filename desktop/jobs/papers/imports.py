"""Jobs that import papers: find the files, parse them, store and count the papers; also retry those that failed."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import assert_never

from desktop.jobs.papers.grobid import parse_with_server
from desktop.jobs.papers.import_session import (
    FileListener,
    FileProgress,
    ImportOptions,
    ImportResult,
    ImportSession,
    ImportStopped,
)
from desktop.jobs.papers.pdf_licences import read_missing_licences
from desktop.translation import tr
from miner.errors import UnreadableFile, UserError
from miner.parsing.archives import read_members
from miner.parsing.failures import parser_failure
from miner.parsing.file_parser import ParsedFile, file_parser, parse_json_lines
from miner.parsing.files import (
    FileContent,
    FileKind,
    FoundFiles,
    find_files,
    hash_content,
    read_file,
    unreadable_error,
)
from miner.parsing.formats import ACCEPTED, IMPORT_ORDER, XML_START, xml_kind
from miner.parsing.grobid import GrobidPaused
from miner.parsing.json_lines import read_json_lines
from miner.parsing.parse_ranks import EMBEDDED
from miner.parsing.sentences import split_paper
from miner.processes.child import Failure
from miner.processes.pool import run, worker_count
from miner.processes.sandbox import Confinement
from miner.progress import Job, Progress
from storage.project import Project
from storage.untrusted import is_safe_to_access

log = logging.getLogger(__name__)

LINES_PER_BATCH = 50  # of a JSON lines file, stored in one transaction
_LINES_TO_TRY = 100  # if none of a file's first lines is a paper, the file is not one of papers
_MAX_LISTED_LINES = 100  # bad lines of a file that are stored one by one; the others are counted

PAPERS_ARE_READ = tr("Papers are being read. Once they are mined, the pairs found in them come here.")


def import_papers(
    project: Project,
    given: Sequence[Path] | FoundFiles,
    options: ImportOptions | None = None,
    on_file: FileListener = lambda progress: None,
) -> Job[ImportResult]:
    """Import the papers among these files and folders; each is stored as soon as it is parsed."""

    def work(progress: Progress) -> ImportResult:
        found = given if isinstance(given, FoundFiles) else _scan(given)
        return _import(
            ImportSession(project, options or ImportOptions(), progress, on_file, files=len(found.files)), found
        )

    return Job(tr("Adding papers to {name}", name=project.path.name), work, awaited=PAPERS_ARE_READ)


def retry_failed_files(
    project: Project, ids: Sequence[int] | None, options: ImportOptions, on_file: FileListener = lambda progress: None
) -> Job[ImportResult]:
    """Import failed files again: the files of these rows of the table, or all for None."""

    def work(progress: Progress) -> ImportResult:
        with project.read_transaction() as stores:
            paths = stores.files.failed_paths(None if ids is None else [-number for number in ids if number < 0])
        local = [path for path in paths if is_safe_to_access(path, project.path)]
        found = find_files(local)
        session = ImportSession(project, replace(options, retry=True), progress, on_file, files=len(found.files))
        for path in paths:
            if path not in local:
                session.count_unavailable(path, on_other_computer(path))
        return _import(session, found)

    return Job(tr("Retrying failed files"), work, awaited=PAPERS_ARE_READ)


def _scan(given: Sequence[Path]) -> FoundFiles:
    found = find_files([path.absolute() for path in given])  # the project stores absolute paths
    if not found.files and not found.failed:
        paths = ", ".join(str(path) for path in given)
        hint = tr("Papers are {accepted}.", accepted=ACCEPTED)
        hint += tr(" Links that lead out of the folder were passed over.") if found.links else ""
        hint += tr(" For labelled pairs there is: pairwright import") if found.tables else ""
        raise UserError(tr("There are no papers in {paths}.", paths=paths), hint=hint)
    return found


def _import(session: ImportSession, found: FoundFiles) -> ImportResult:
    """Import the files that were found, in `IMPORT_ORDER`."""
    session.result.ignored += found.ignored
    session.result.links += found.links
    for path, error in found.failed:
        session.fail(path, error)
    try:
        for kind in IMPORT_ORDER:
            paths = [path for path, its_kind in found.files if its_kind is kind]
            if paths:
                _import_kind(session, kind, paths)
    except BaseException:  # an import that goes on does not come to these papers again
        with suppress(UserError):  # it would hide why the import has ended
            session.change_known_papers()
        raise
    session.change_known_papers()
    return session.result


def _import_kind(session: ImportSession, kind: FileKind, paths: Sequence[Path]) -> None:
    match kind:
        case FileKind.PDF:
            parse_pdfs(session, _read_files(session, paths, kind))
        case FileKind.JATS | FileKind.TEI:
            _parse_files(session, _read_files(session, paths, kind))
        case FileKind.ARCHIVE:
            for path in paths:
                import_archive(session, path)
        case FileKind.PAPERS:
            for path in paths:
                import_lines(session, path)
        case _:
            assert_never(kind)


def _read_files(session: ImportSession, paths: Iterable[Path], kind: FileKind) -> Iterator[FileContent]:
    """The files, each read and hashed just before it is needed; unreadable ones are stored as failed."""
    for path in paths:
        try:
            file = read_file(path, kind)
        except UnreadableFile as exc:
            session.fail(path, exc)
            session.finish_file(path)
        else:
            yield file


def parse_pdfs(session: ImportSession, files: Iterator[FileContent]) -> None:
    if session.options.grobid is None:
        _parse_files(session, files)
        read_missing_licences(session)
        return
    try:
        parse_with_server(session, files, session.options.grobid)
    except GrobidPaused as exc:
        read_missing_licences(session)
        raise ImportStopped(exc, session.result) from exc
    read_missing_licences(session)


def _parse_files(session: ImportSession, files: Iterator[FileContent]) -> None:
    """Parse files of one paper each; known ones are only counted."""
    for file, parsed in parsed_files(session, _unknown_files(session, files)):
        cache_key = "" if parsed.tei is None else tei_file_key(hash_content(parsed.tei).sha256)
        session.store(file.path, file.kind, parsed, file.hashes, cache_key)
        session.finish_file(file.path)


def parsed_files(session: ImportSession, files: Iterable[FileContent]) -> Iterator[tuple[FileContent, ParsedFile]]:
    """Each file without its content, and the result of parsing it in a worker process."""
    options = session.options
    results = run(
        partial(file_parser, session.parameters),
        files,
        workers=worker_count(options.workers),
        limits=options.limits,
        on_poll=session.tick,
        compact=FileContent.without_content,
        confinement=Confinement(),
    )
    for file, parsed in results:
        if isinstance(parsed, Failure):
            if parsed.refusal is not None:
                raise parsed.refusal
            parsed = ParsedFile(
                failed=((file.line, parser_failure(parsed, file.member or file.path.name, options.limits)),)
            )
        yield file, parsed


def _unknown_files(session: ImportSession, files: Iterable[FileContent]) -> Iterator[FileContent]:
    """The files that must be parsed; the others are counted as known."""
    for file in files:
        paper = session.known_paper(file.hashes.sha256)
        from_archive = paper is not None and file.kind is FileKind.PDF and paper.kind != FileKind.PDF
        if paper and not from_archive and session.is_current(paper, EMBEDDED if file.kind is FileKind.PDF else ""):
            session.count_known(file, paper)
            session.finish_file(file.path)
        else:
            session.on_file(FileProgress(file.path, "parsing"))
            yield file


def tei_file_key(sha256: str) -> str:
    """The key under which the TEI of a file is kept; `sha256`: of the TEI, unzipped."""
    return f"file {sha256}"


def import_lines(session: ImportSession, path: Path) -> None:
    """Import a file with one paper a line; bad lines do not affect the others."""
    session.on_file(FileProgress(path, "reading"))
    with session.project.transaction(bulk=True) as stores:
        stores.files.forget_failures(path)
        before = stores.files.md5s_by_line(path)
    count = _LineCount()
    try:
        _store_lines(session, path, before, count)
    except UnreadableFile as exc:
        session.fail(path, exc)
    except OSError as exc:
        session.fail(path, unreadable_error(path, exc))
    if count.bad > _MAX_LISTED_LINES:
        session.fail_unlisted(path, count.bad - _MAX_LISTED_LINES)
    session.finish_file(path)


def import_archive(session: ImportSession, path: Path) -> None:
    """Import the papers in an archive, one member after the other; bad ones do not affect the others."""
    session.on_file(FileProgress(path, "reading"))
    with session.project.transaction(bulk=True) as stores:
        stores.files.forget_failures(path)
    count = _LineCount()
    try:
        for file, parsed in parsed_files(session, _unknown_members(session, path, count)):
            if parsed.failed:
                count.bad += 1
                if count.bad > _MAX_LISTED_LINES:
                    continue
            session.store(path, FileKind.ARCHIVE, parsed, file.hashes)
            session.tick(tr("{name}, {seen:,} papers", name=path.name, seen=count.seen))
        if not count.seen:
            raise UnreadableFile(
                "not_a_paper",
                tr("{name} holds no papers.", name=path.name),
                hint=tr("Papers are {accepted}.", accepted=ACCEPTED),
            )
    except UnreadableFile as exc:
        session.fail(path, exc)
    except OSError as exc:
        session.fail(path, unreadable_error(path, exc))
    if count.bad > _MAX_LISTED_LINES:
        session.fail_unlisted(
            path, count.bad - _MAX_LISTED_LINES, tr("file of it is no paper"), tr("files of it are no papers")
        )
    session.finish_file(path)


def _unknown_members(session: ImportSession, path: Path, count: _LineCount) -> Iterator[FileContent]:
    """The members of an archive that must be parsed; the others are counted, as known, failed or other XML."""
    for member in read_members(path):
        if member.failed is None and not member.is_pdf and xml_kind(member.content[:XML_START]) is not FileKind.JATS:
            session.result.ignored += 1
            continue
        count.seen += 1
        if member.failed is not None:
            count.bad += 1
            if count.bad <= _MAX_LISTED_LINES:
                session.store(path, FileKind.ARCHIVE, ParsedFile(failed=((member.number, member.failed),)))
            continue
        hashes = hash_content(member.content)
        file = FileContent(path, FileKind.ARCHIVE, member.content, hashes, member.number, member.name)
        paper = session.known_paper(hashes.sha256)
        if paper and session.is_current(paper):
            session.count_known(file, paper)
        else:
            yield file


@dataclass(slots=True)
class _LineCount:
    seen: int = 0
    bad: int = 0


def _store_lines(session: ImportSession, path: Path, before: Mapping[int, str], count: _LineCount) -> None:
    """Parse, store and count the lines in batches; `UnreadableFile` if it is not a file of papers."""
    lines = read_json_lines(path)
    while batch := tuple(islice(lines, LINES_PER_BATCH if count.seen else _LINES_TO_TRY)):
        parsed = parse_json_lines(batch)
        if not (parsed.papers or count.seen) and len(batch) == _LINES_TO_TRY:
            raise _no_papers(path, parsed)
        listed = parsed.failed[: max(0, _MAX_LISTED_LINES - count.bad)]
        count.bad += len(parsed.failed)
        known = session.count_known_lines(parsed.papers, before)
        new = tuple((line, split_paper(paper, session.splitter)) for line, paper in parsed.papers if line not in known)
        session.store(path, FileKind.PAPERS, ParsedFile(new, listed))
        count.seen += len(batch)
        session.tick(tr("{name}, {seen:,} papers", name=path.name, seen=count.seen))
    if not count.seen:
        raise UnreadableFile("empty", tr("{name} has no lines.", name=path.name), hint=tr("Fetch the file again."))


def _no_papers(path: Path, found: ParsedFile) -> UnreadableFile:
    reason = found.failed[0][1]
    text = tr(
        "None of the first {lines_to_try} lines of {name} is a paper ({reason}).",
        lines_to_try=_LINES_TO_TRY,
        name=path.name,
        reason=reason,
    )
    return UnreadableFile("not_a_paper", text, hint=tr("Each line should be one paper, as JSON with its sections."))


def on_other_computer(path: Path) -> UnreadableFile:
    """The error for a file that is not looked for, because its path leads to another computer."""
    hint = tr("If you know it and trust it, add the file from there.")
    return UnreadableFile("missing", tr("{path} is on another computer, and was not looked for.", path=path), hint=hint)
