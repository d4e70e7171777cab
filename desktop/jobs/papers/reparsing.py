"""Jobs that parse papers again: papers that a person chose, or all that an earlier version of the program parsed."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import groupby, islice
from operator import attrgetter
from pathlib import Path

from desktop.jobs.papers.import_session import FileListener, FileProgress, ImportOptions, ImportResult, ImportSession
from desktop.jobs.papers.imports import (
    LINES_PER_BATCH,
    PAPERS_ARE_READ,
    on_other_computer,
    parse_pdfs,
    parsed_files,
    tei_file_key,
)
from desktop.jobs.papers.outdated import (
    COMMAND_LINE,
    WINDOW,
    has_older_parser,
    has_older_splitter,
    store_closed_offer,
)
from desktop.jobs.papers.pdf_licences import read_missing_licences
from desktop.jobs.papers.sentences import split_again
from desktop.text import count
from desktop.translation import tr
from miner.errors import UnreadableFile, UserError
from miner.parsing.archives import read_members
from miner.parsing.file_parser import ParsedFile, parse_json_lines, unzipped_xml
from miner.parsing.files import FileContent, FileKind, Hashes, hash_content, read_bytes, read_file, unreadable_error
from miner.parsing.formats import XML_KINDS, kind_by_name
from miner.parsing.grobid import kept_answer_keys
from miner.parsing.json_lines import read_json_lines
from miner.parsing.parse_ranks import GROBID
from miner.parsing.sentences import split_paper
from miner.progress import Job, Progress
from miner.references.same_paper import XML_PARSER
from storage.papers.files import FileOfPaper, PaperPdf
from storage.project import Project
from storage.untrusted import is_safe_to_access

_SPLIT_PER_BATCH = 64  # papers, stored in one transaction


def parse_again(
    project: Project, ids: Sequence[int], options: ImportOptions, on_file: FileListener = lambda progress: None
) -> Job[ImportResult]:
    """Parse the PDFs of these papers by the parser in `options`, which is used for them from then on.

    A paper whose PDF is missing stays as it is, and counts as failed.
    """

    def work(progress: Progress) -> ImportResult:
        with project.read_transaction() as stores:
            pdfs = [pdf for pdf in stores.files.pdfs([number for number in ids if number > 0]) if pdf.paths]
        if not pdfs:
            raise UserError(
                tr("These papers came without a PDF."), hint=tr("Add their PDFs; then they can be parsed again.")
            )
        session = ImportSession(project, replace(options, reparse=True), progress, on_file, files=len(pdfs))
        parse_pdfs(session, _unchanged_pdfs(session, pdfs))
        return session.result

    return Job(tr("Parsing papers again"), work, awaited=PAPERS_ARE_READ)


def parse_outdated(
    project: Project, options: ImportOptions, on_file: FileListener = lambda progress: None
) -> Job[ImportResult]:
    """Parse the papers again that an earlier version of their parser made; split the others that are outdated.

    For papers that GROBID parsed, the TEI kept in the project is read again; no server is used. Publishers' XML is read
    from its files or archives. Papers whose file is missing keep their text, which is split into sentences again. In
    the result, papers with other sentences count as replaced. Unless it is cancelled, nothing is offered after it.
    """

    def work(progress: Progress) -> ImportResult:
        with project.read_transaction() as stores:
            older = [made_by for made_by in stores.papers.parses() if has_older_parser(made_by)]
            by_grobid = stores.papers.ids_of_parses([made_by for made_by in older if made_by.parser == GROBID])
            files = [list(files) for _, files in groupby(stores.files.of_papers(by_grobid), attrgetter("md5"))]
            by_xml = stores.papers.ids_of_parses([made_by for made_by in older if made_by.parser == XML_PARSER])
            of_xml = stores.files.of_papers(by_xml, with_linked=True)
            xml = [list(files) for _, files in groupby(of_xml, attrgetter("md5"))]
            others = [made_by for made_by in older if made_by.parser not in (GROBID, XML_PARSER)]
            ids = stores.papers.ids_of_parses(others)
            pdfs = [pdf for pdf in stores.files.pdfs(ids) if pdf.paths]
            paths, md5s = stores.files.line_paths(ids), frozenset(stores.paper_table.md5s(ids))
            archives = stores.files.archive_paths([*by_xml, *ids])
            archived = md5s.union(stores.paper_table.md5s(by_xml))
        number = len(pdfs) + len(paths) + len(files) + len(xml) + len(archives)
        session = ImportSession(project, replace(options, grobid=None, renew=True), progress, on_file, files=number)
        parse_pdfs(session, _unchanged_pdfs(session, pdfs))
        _read_tei_again(session, files)
        _read_xml_again(session, xml)
        done: set[str] = set()
        for path in archives:
            _read_archive_again(session, path, archived, done)
        for path in paths:
            _parse_lines_again(session, path, md5s)
        _split_outdated(session)
        with project.transaction() as stores:
            for place in (WINDOW, COMMAND_LINE):
                store_closed_offer(stores, place)
        return session.result

    return Job(tr("Parsing papers of earlier versions again"), work, awaited=PAPERS_ARE_READ)


def _read_tei_again(session: ImportSession, papers: Iterable[Sequence[FileOfPaper]]) -> None:
    """Read the TEI of papers again, each with its files; a missing TEI counts as failed."""
    for file, parsed in parsed_files(session, _kept_tei(session, papers)):
        found = tuple((line, replace(paper, md5=file.hashes.md5)) for line, paper in parsed.papers)
        session.store(file.path, FileKind.TEI, parsed._replace(papers=found), file.hashes)
        session.finish_file(file.path)
    read_missing_licences(session)


def _kept_tei(session: ImportSession, papers: Iterable[Sequence[FileOfPaper]]) -> Iterator[FileContent]:
    """The TEI of each paper, as the project keeps it, else from its file; with the hashes of the paper."""
    for files in papers:
        session.on_file(FileProgress(files[0].path, "parsing"))
        for file in files:
            if file.is_pdf and not file.licence and is_safe_to_access(file.path, session.project.path):
                session.pdfs_to_ask[file.md5] = file.path, file.sha256
        for file in files:
            if (tei := _tei_of(session, file)) is not None:
                yield FileContent(file.path, FileKind.TEI, tei, Hashes(file.md5, file.sha256))
                break
        else:
            path = files[0].path
            hint = tr("Its text stays as it was. With the PDF, a GROBID server can parse it again.")
            error = UnreadableFile(
                "missing", tr("What GROBID made of {path} is no longer there.", path=path), hint=hint
            )
            session.count_unavailable(path, error)
            session.finish_file(path)


def _tei_of(session: ImportSession, file: FileOfPaper) -> bytes | None:
    """The TEI that GROBID made of a PDF, or a TEI file as it was added; None if it is no longer there."""
    grobid = file.parser_version.partition(",")[0]
    keys = kept_answer_keys(file.sha256, grobid) if file.is_pdf else [tei_file_key(file.sha256)]
    with session.project.read_transaction() as stores:
        kept = next(filter(None, map(stores.parser_cache.get, keys)), None)
    if kept is not None or file.is_pdf or not is_safe_to_access(file.path, session.project.path):
        return kept
    with suppress(UnreadableFile):
        tei = unzipped_xml(file.path, read_bytes(file.path, FileKind.TEI))
        return tei if hash_content(tei).sha256 == file.sha256 else None
    return None


def _read_xml_again(session: ImportSession, papers: Iterable[Sequence[FileOfPaper]]) -> None:
    """Read the publisher's XML of papers again, each with its files; a paper with a missing file counts as failed.

    If a paper has several different files, all are read, as the longest text is kept.
    """

    def contents() -> Iterator[FileContent]:
        for files in papers:
            xml = [file for file in files if not file.is_pdf and kind_by_name(file.path) in XML_KINDS]
            found: dict[str, FileContent] = {}
            for file in xml:
                if file.sha256 not in found and is_safe_to_access(file.path, session.project.path):
                    content = _read_unchanged(file.path, file.sha256, FileKind.JATS)
                    if isinstance(content, FileContent):
                        found[file.sha256] = content
            if missing := next((file.path for file in xml if file.sha256 not in found), None):
                hint = tr("Its text stays as it was. Add the file again where it is now.")
                error = UnreadableFile(
                    "missing", tr("{missing} is no longer there, or has changed.", missing=missing), hint=hint
                )
                session.count_unavailable(missing, error)
            else:
                session.on_file(FileProgress(files[0].path, "parsing"))
                yield from found.values()
            session.finish_file(files[0].path)

    for file, parsed in parsed_files(session, contents()):
        session.store(file.path, FileKind.JATS, parsed, file.hashes)


def _read_archive_again(session: ImportSession, path: Path, md5s: Collection[str], done: set[str]) -> None:
    """Read those members of an archive again that are papers with these MD5s.

    done: the SHA-256s of members that were read, in other archives too.
    """
    session.on_file(FileProgress(path, "reading"))
    if not is_safe_to_access(path, session.project.path):
        session.count_unavailable(path, on_other_computer(path))
        session.finish_file(path)
        return

    def contents() -> Iterator[FileContent]:
        for member in read_members(path):
            hashes = hash_content(member.content)
            paper = session.known_paper(hashes.sha256) if member.failed is None else None
            if paper is not None and paper.md5 in md5s and hashes.sha256 not in done:
                done.add(hashes.sha256)
                yield FileContent(path, FileKind.ARCHIVE, member.content, hashes, member.number, member.name)

    try:
        for file, parsed in parsed_files(session, contents()):
            session.store(path, FileKind.ARCHIVE, parsed, file.hashes)
            session.tick(path.name)
    except UnreadableFile as exc:
        session.count_unavailable(path, exc)
    except OSError as exc:
        session.count_unavailable(path, unreadable_error(path, exc))
    session.finish_file(path)


def _parse_lines_again(session: ImportSession, path: Path, md5s: Collection[str]) -> None:
    """Parse those lines of a file that are papers with these MD5s; a file that is missing counts as failed."""
    session.on_file(FileProgress(path, "reading"))
    if not is_safe_to_access(path, session.project.path):
        session.count_unavailable(path, on_other_computer(path))
        session.finish_file(path)
        return
    try:
        lines = read_json_lines(path)
        while batch := tuple(islice(lines, LINES_PER_BATCH)):
            wanted = [(line, paper) for line, paper in parse_json_lines(batch).papers if paper.md5 in md5s]
            papers = tuple((line, split_paper(paper, session.splitter)) for line, paper in wanted)
            session.store(path, FileKind.PAPERS, ParsedFile(papers))
            session.tick(path.name)
    except UnreadableFile as exc:
        session.count_unavailable(path, exc)
    except OSError as exc:
        session.count_unavailable(path, unreadable_error(path, exc))
    session.finish_file(path)


def _split_outdated(session: ImportSession) -> None:
    """Split the stored text of papers whose sentences an earlier splitter found."""
    with session.project.read_transaction() as stores:
        older = [made_by for made_by in stores.papers.parses() if has_older_splitter(made_by)]
        md5s = stores.paper_table.md5s(stores.papers.ids_of_parses(older))
    for start in range(0, len(md5s), _SPLIT_PER_BATCH):
        session.tick(tr("sentences of {papers}", papers=count(len(md5s) - start, "paper")))
        is_changed = split_again(session.project, md5s[start : start + _SPLIT_PER_BATCH], session.splitter).values()
        session.result.replaced += sum(is_changed)
        session.result.known += len(is_changed) - sum(is_changed)


def _unchanged_pdfs(session: ImportSession, pdfs: Iterable[PaperPdf]) -> Iterator[FileContent]:
    """Each paper's PDF, from the first path where it still is as it was added; missing ones count as failed."""
    for pdf in pdfs:
        problems: list[tuple[Path, UnreadableFile]] = []
        for path in pdf.paths:
            if not is_safe_to_access(path, session.project.path):
                continue
            file = _read_unchanged(path, pdf.sha256)
            if isinstance(file, FileContent):
                yield file
                break
            problems.append((path, file))
        else:
            path, error = problems[0] if problems else (pdf.paths[0], on_other_computer(pdf.paths[0]))
            session.count_unavailable(path, error)
            session.finish_file(path)


def _read_unchanged(path: Path, sha256: str, kind: FileKind = FileKind.PDF) -> FileContent | UnreadableFile:
    """The file if it has this SHA-256, else why it cannot be parsed again."""
    try:
        file = read_file(path, kind)
    except UnreadableFile as exc:
        if exc.code != "missing":
            return exc
        return UnreadableFile(
            "missing",
            tr("{path} is no longer there.", path=path),
            hint=tr("If it was moved, use Papers > Locate file."),
        )
    if file.hashes.sha256 == sha256:
        return file
    return UnreadableFile(
        "changed", tr("{name} has changed since it was added.", name=path.name), hint=tr("Add it as a new paper.")
    )
