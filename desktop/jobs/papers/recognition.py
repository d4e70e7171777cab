"""The job that recognises the text of scans by the user's `ocrmypdf`, and adds what it makes of them as papers."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from desktop.jobs.papers.import_session import FileListener, FileProgress, ImportOptions, ImportResult, ImportSession
from desktop.jobs.papers.imports import PAPERS_ARE_READ, on_other_computer, parsed_files
from desktop.jobs.papers.recognition_state import SCAN, RecognitionOptions, scans_among
from desktop.translation import tr
from miner.atomic_files import sync_handle
from miner.errors import UnreadableFile, UserError
from miner.parsing.files import FileContent, FileKind, Hashes, hash_content, read_file
from miner.parsing.recognition import find_ocrmypdf, recognise_text
from miner.progress import Job, Progress
from storage.project import Project
from storage.untrusted import is_safe_to_access


def recognise(
    project: Project,
    ids: Sequence[int] | None,
    options: RecognitionOptions,
    import_options: ImportOptions,
    on_file: FileListener = lambda progress: None,
) -> Job[ImportResult]:
    """Recognise the text of the scans among these failed files (None: all), and add the resulting PDFs as papers.

    The scans are not changed, and become files of the papers. A scan that cannot be recognised counts as failed, with
    the reason. The built-in parser reads the new PDFs. A stopped job keeps the scans recognised so far.
    """

    def work(progress: Progress) -> ImportResult:
        find_ocrmypdf()
        scans = scans_among(project, ids)
        if not scans:
            raise UserError(tr("There are no scans: no file is without a text layer."))
        session = ImportSession(project, import_options, progress, on_file, files=len(scans))
        for path in scans:
            on_file(FileProgress(path, "recognising"))
            try:
                _recognise_one(session, path, options)
            except UnreadableFile as exc:
                session.fail(path, exc, _hashes(path))
            session.finish_file(path)
        return session.result

    return Job(
        tr("Recognising text"),
        work,
        tr("What was recognised is kept. Recognise the others next time."),
        PAPERS_ARE_READ,
    )


def _recognise_one(session: ImportSession, path: Path, options: RecognitionOptions) -> None:
    """Recognise one scan, store its PDF and its paper; `UnreadableFile` where that fails."""
    if not is_safe_to_access(path, session.project.path):
        raise on_other_computer(path)
    scan = read_file(path, FileKind.PDF)
    with session.project.read_transaction() as stores:
        known = stores.files.known_sha256(path, 0)
    if known not in (None, scan.hashes.sha256):
        raise UnreadableFile(
            "changed", tr("{name} has changed since it was added.", name=path.name), hint=tr("Add it again.")
        )
    pdf = recognise_text(
        scan.content, options.languages, limits=options.limits, on_poll=lambda: session.tick(path.name)
    )
    file = FileContent(path, FileKind.PDF, pdf, hash_content(pdf))
    [(_, parsed)] = parsed_files(session, [file])
    if parsed.failed:
        problem = parsed.failed[0][1]
        raise UnreadableFile(
            SCAN, tr("Its text was recognised, and then: {problem}", problem=problem), hint=problem.hint
        )
    made = _write_beside(path, options.folder or path.parent, pdf)
    session.take_over(path, made)
    session.store(made, FileKind.PDF, parsed, file.hashes)
    with session.project.transaction() as stores:
        stores.files.settle(path, file.hashes.md5)


def _write_beside(scan: Path, folder: Path, pdf: bytes) -> Path:
    """Write the PDF to a new file named after the scan, without replacing a file; `UserError` if it fails."""
    for number in range(1, 1_000):
        path = folder / f"{scan.stem}.ocr{f'-{number}' if number > 1 else ''}.pdf"
        try:
            with path.open("xb") as file:
                try:
                    file.write(pdf)
                    file.flush()
                    sync_handle(file.fileno())
                except OSError:
                    with suppress(OSError):
                        path.unlink()
                    raise
        except FileExistsError:
            continue
        except OSError as exc:
            hint = tr("Choose another folder for the recognised PDFs; on the command line: --into FOLDER")
            raise UserError(
                tr("{path} cannot be written: {strerror}.", path=path, strerror=exc.strerror), hint=hint
            ) from exc
        return path
    raise UserError(
        tr("{folder} has too many PDFs named after {name}.", folder=folder, name=scan.name),
        hint=tr("Choose another folder for them."),
    )


def _hashes(path: Path) -> Hashes | None:
    with suppress(UnreadableFile):
        return read_file(path, FileKind.PDF).hashes
    return None
