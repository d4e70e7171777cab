"""Reads licences from the PDFs of papers whose TEI states none: GROBID leaves them out."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from desktop.jobs.papers.import_session import ImportSession
from miner.errors import UnreadableFile
from miner.parsing.embedded import read_licence
from miner.parsing.files import FileContent, FileKind, read_file
from miner.processes.pool import run, worker_count
from miner.processes.sandbox import Confinement


def read_missing_licences(session: ImportSession) -> None:
    """Store the licences that the PDFs of the session state; licences given by a person or another file stay."""
    pdfs, session.pdfs_to_ask = session.pdfs_to_ask, {}
    if not pdfs:
        return
    wanted = {sha256: md5 for md5, (_, sha256) in pdfs.items()}

    def contents() -> Iterator[FileContent]:
        for path, sha256 in pdfs.values():
            try:
                file = read_file(path, FileKind.PDF)
            except UnreadableFile:
                continue
            if file.hashes.sha256 == sha256:
                yield file

    results = run(
        _licence_reader,
        contents(),
        workers=worker_count(session.options.workers),
        limits=session.options.limits,
        on_poll=lambda: session.tick("licences"),
        compact=FileContent.without_content,
        confinement=Confinement(),
    )
    for file, licence in results:
        if isinstance(licence, str) and licence:
            with session.project.transaction(bulk=True) as stores:
                stores.papers.set_stated_licence(wanted[file.hashes.sha256], licence)


def _licence_reader() -> Callable[[FileContent], str]:
    return lambda file: read_licence(file.content)
