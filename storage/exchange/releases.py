"""Releases: data sets that were exported under a name, kept byte for byte; a release never changes."""

from __future__ import annotations

import hashlib
import json
import sqlite3
import zlib
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import datetime
from importlib.metadata import version
from os import SEEK_END
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, BinaryIO, NamedTuple

from sqlalchemy import Connection, func, insert, select

from miner.errors import UserError
from miner.progress import Progress
from storage.connections import driver_connection
from storage.convert import read_part, utc_text
from storage.dataset.export_options import ExportOptions
from storage.dataset.released_splits import candidate_splits, present_splits, store_released_splits
from storage.errors import translate_decoding_errors
from storage.exchange.card_facts import NO_MEASURES, CardMeasures
from storage.exchange.earlier_export import RECEIPT, publish_export
from storage.exchange.export_files import NewFile, locked_export_folder
from storage.exchange.manifest import FILE_NAME, MANIFEST, MAX_BYTES
from storage.exchange.pair_export import ExportReceipt, preview_pairs, write_export
from storage.exchange.release_size import COMPRESSION, MAX_FILE_BYTES, PARTS_HINT
from storage.integrity.history_chain import last_seal
from storage.project import Project
from storage.schema import ReleaseRow, columns_of, table_of
from storage.stores import Stores
from storage.verification import verifying

MAX_NAME = 100  # characters
_CHUNK_BYTES = 1 << 20
_SELECT_ROW = "SELECT rowid FROM release_files WHERE release = ? AND name = ?"


class ReleaseFile(NamedTuple):
    """A file of a release. size: in bytes."""

    name: str
    rows: int
    size: int
    sha256: str


RELEASE_FILES = table_of("release_files", ReleaseFile, release=int, content=bytes, checksum=int | None)
"""content: the file compressed, so that it can be written again byte for byte; `sha256` is of the plain file."""


@dataclass(frozen=True, slots=True)
class Release:
    """A released data set. counts: rows by (split, label, strategy). options: None if a newer program wrote them."""

    id: int
    name: str
    at: datetime
    program: str
    options: ExportOptions | None
    counts: dict[tuple[str, str, str], int]
    files: tuple[ReleaseFile, ...]

    @property
    def rows(self) -> int:
        return sum(self.counts.values())


class NewSince(NamedTuple):
    """What has changed in a project since a release: how many rows the same export would have now, and had then.

    now: None if its options cannot be read. papers: how many the project has beyond those of the release's manifest;
    None if it was released without a card.
    """

    then: int
    now: int | None
    papers: int | None


def read_name(text: str) -> str:
    """The name of a release; `UserError` if it cannot be one."""
    name = " ".join(text.split())
    if unseen := [character for character in name if not character.isprintable()]:
        raise UserError(
            f"The name of a release holds a character that cannot be seen: U+{ord(unseen[0]):04X}.",
            hint="Delete the name, and type it anew.",
        )
    if not name or len(name) > MAX_NAME:
        raise UserError(
            f"A release needs a name of 1 to {MAX_NAME} characters.", hint="For example: 1.0, or 2026-11 dev and test."
        )
    return name


def make_release(
    project: Project,
    name: str,
    folder: Path,
    options: ExportOptions,
    progress: Progress,
    at: datetime,
    measures: CardMeasures = NO_MEASURES,
) -> ExportReceipt:
    """Export into `folder` as `export_pairs` does, and keep the files and splits in the project as a release.

    People may answer meanwhile: the project is written to when all files are there. Raises `UserError` if the name is
    taken, no pair is exported, a file is too large to be kept, or the folder has other files of these names.
    """
    name = read_name(name)
    with (
        verifying(project, progress) as require_verified,
        locked_export_folder(folder),
        ExitStack() as stack,
    ):
        with project.transaction() as stores:  # before the long work, also because a project may be read-only
            _require_free(stores, name)
        stores = stack.enter_context(project.read_transaction())

        def check(receipt: ExportReceipt) -> None:
            _require_rows(receipt)
            require_verified()

        receipt = write_export(stores, folder, options, progress, measures=measures, check=check)
        content = (folder / RECEIPT).read_bytes()
        files = [ReleaseFile(file.name, file.rows, file.size, file.sha256) for file in receipt.files]
        files.append(ReleaseFile(RECEIPT, 0, len(content), hashlib.sha256(content).hexdigest()))
        packed: list[Any] = []  # files, of another class on Windows
        for number, file in enumerate(files):
            progress.tick(number, len(files), file.name)
            packed.append(stack.enter_context(TemporaryFile(dir=folder)))
            _compress(folder / file.name, file, packed[-1])
        read_splits = present_splits if options.split else candidate_splits
        splits = read_splits(driver_connection(stores._connection)) if options.in_splits else ()
        _keep(project, name, receipt, zip(files, packed, strict=True), splits, at)
    return receipt


def _require_free(stores: Stores, name: str) -> None:
    if stores._connection.scalar(select(ReleaseRow.id).where(ReleaseRow.name == name)) is not None:
        raise UserError(
            f"There is a release {name} already, and releases never change.",
            hint="Choose another name, or write it again: pairwright release NAME --again OUT",
        )


def _keep(
    project: Project,
    name: str,
    receipt: ExportReceipt,
    files: Iterable[tuple[ReleaseFile, BinaryIO]],
    splits: Iterable[tuple[str, str, str]],
    at: datetime,
) -> None:
    """Store the release. files: with their compressed content."""
    with project.transaction() as stores:
        _require_free(stores, name)
        connection = stores._connection
        counts = [[*key, rows] for key, rows in receipt.counts.items()]
        values = {
            "name": name,
            "created_at": utc_text(at),
            "program": f"pairwright {version('pairwright')}",
            "options": json.dumps(receipt.options.to_data(), ensure_ascii=False, sort_keys=True),
            "counts": json.dumps(counts, ensure_ascii=False),
            "history": str(last_seal(driver_connection(connection)) or ""),
        }
        release = connection.execute(insert(ReleaseRow).values(**values).returning(ReleaseRow.id)).scalar_one()
        for file, content in files:
            _keep_file(connection, release, file, content)
        store_released_splits(driver_connection(connection), release, splits)


def _keep_file(connection: Connection, release: int, file: ReleaseFile, content: BinaryIO) -> None:
    """Store a file of a release piece by piece: whole, it would be in memory several times."""
    space = func.zeroblob(content.seek(0, SEEK_END))
    row = connection.execute(insert(RELEASE_FILES).values(release=release, content=space, **file._asdict())).lastrowid
    content.seek(0)
    with driver_connection(connection).blobopen("release_files", "content", row) as blob:
        while chunk := content.read(_CHUNK_BYTES):
            blob.write(chunk)


def _require_rows(receipt: ExportReceipt) -> None:
    if not receipt.rows:
        raise UserError("No pair would be released.", hint="Look at what the options leave out.")


def _compress(path: Path, file: ReleaseFile, packed: BinaryIO) -> None:
    """Write the compressed content of an exported file into `packed`."""
    packer, digest = zlib.compressobj(COMPRESSION), hashlib.sha256()
    with path.open("rb") as content:
        while chunk := content.read(_CHUNK_BYTES):
            digest.update(chunk)
            packed.write(packer.compress(chunk))
    packed.write(packer.flush())
    if digest.hexdigest() != file.sha256:
        raise UserError(f"{path} was changed while it was released.", hint="Release it again into another folder.")
    if packed.tell() > MAX_FILE_BYTES:
        raise UserError(
            f"{file.name} is too large to be kept in the project: the data set is exported, but not released.",
            hint=PARTS_HINT,
        )


@translate_decoding_errors()
def list_releases(stores: Stores) -> list[Release]:
    """All releases, the latest first."""
    connection = stores._connection
    files: dict[int, list[ReleaseFile]] = {}
    query = select(RELEASE_FILES.c.release, *columns_of(RELEASE_FILES, ReleaseFile))
    for row in connection.execute(query.order_by(RELEASE_FILES.c.release, RELEASE_FILES.c.name)).mappings():
        file = read_part(ReleaseFile, row)
        if not FILE_NAME.fullmatch(file.name):
            raise ValueError("not the name of a file")
        files.setdefault(row["release"], []).append(file)
    return [
        Release(
            row.id,
            row.name,
            datetime.fromisoformat(row.created_at),
            row.program,
            _options(row.options),
            {(split, label, strategy): rows for split, label, strategy, rows in json.loads(row.counts)},
            tuple(files.get(row.id, ())),
        )
        for row in connection.execute(select(ReleaseRow.__table__).order_by(ReleaseRow.id.desc()))
        if files.get(row.id)
    ]


def find_release(stores: Stores, name: str) -> Release:
    """The release with this name, or `UserError`."""
    for release in list_releases(stores):
        if release.name == name:
            return release
    raise UserError(f"There is no release {name}.", hint="See: pairwright releases")


def write_again(project: Project, name: str, folder: Path, progress: Progress) -> Release:
    """Write a release into `folder` as it was, byte for byte.

    Raises `UserError` if what is kept is damaged, or the folder has other files of these names; then nothing changes.
    """
    with locked_export_folder(folder), project.read_transaction() as stores:
        release = find_release(stores, name)
        written: list[NewFile] = []
        with ExitStack() as stack:
            for number, file in enumerate(release.files):
                progress.tick(number, len(release.files), file.name)
                written.append(stack.enter_context(NewFile(folder, file.name)))
                for chunk in _unpacked(stores._connection, release.id, file):
                    written[-1].write(chunk, 0)
                if written[-1].finish().sha256 != file.sha256:
                    raise _damaged(name)
            publish_export(folder, written, {file.name: file.sha256 for file in release.files})
    return release


def _unpacked(connection: Connection, release: int, file: ReleaseFile) -> Iterator[bytes]:
    """The file's content in pieces, never more than its size."""
    row = connection.exec_driver_sql(_SELECT_ROW, (release, file.name)).scalar_one()
    left, unpacker = file.size, zlib.decompressobj()
    try:
        with driver_connection(connection).blobopen("release_files", "content", row, readonly=True) as content:
            while not unpacker.eof:
                packed = unpacker.unconsumed_tail or content.read(_CHUNK_BYTES)
                chunk = unpacker.decompress(packed, _CHUNK_BYTES)
                left -= len(chunk)
                if left < 0 or not packed:
                    raise _damaged(file.name)
                yield chunk
    except (zlib.error, sqlite3.OperationalError) as exc:  # the latter for a value of another type
        raise _damaged(file.name) from exc


def count_new_since(project: Project, name: str, progress: Progress) -> NewSince:
    """What has changed in the project since a release."""
    with project.read_transaction() as stores:
        release = find_release(stores, name)
        known = _released_papers(stores._connection, release)
        papers = None if known is None else len(set(stores.papers.md5s()) - known)
    if release.options is None:
        return NewSince(release.rows, None, papers)
    return NewSince(release.rows, preview_pairs(project, release.options, progress, lines=0).rows, papers)


@translate_decoding_errors()
def _released_papers(connection: Connection, release: Release) -> set[str] | None:
    """The MD5s of the papers in a release's manifest; None if it has none."""
    for file in release.files:
        if file.name == MANIFEST:
            if file.size > MAX_BYTES:
                raise _damaged(release.name)
            return {paper["md5"] for paper in json.loads(b"".join(_unpacked(connection, release.id, file)))["papers"]}
    return None


def _options(text: str) -> ExportOptions | None:
    try:
        return ExportOptions.from_data(json.loads(text))
    except ValueError:
        return None


def _damaged(what: str) -> UserError:
    return UserError(f"What the project keeps of {what} is damaged.", hint="Restore a backup: pairwright restore")
