"""Places for papers and corpora: local folders, s3://, gs:// and what fsspec knows, as one kind of object.

Every error of a file system leaves this module as a `UserError`, but that a file is missing.
"""

from __future__ import annotations

import errno
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pyarrow import fs

from miner.errors import UserError
from miner.paths import expand_home, write_hint

_REGION_HINT = "Check the name, and the region or address (AWS_REGION, AWS_ENDPOINT_URL)."
_CREDENTIALS_HINT = (
    "Set credentials: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or a profile, for s3://; "
    "GOOGLE_APPLICATION_CREDENTIALS for gs://."
)
_CREDENTIALS = ("ACCESS_DENIED", "credential", "InvalidAccessKeyId", "SignatureDoesNotMatch", "HTTP status 403", "403")
_NO_BUCKET = ("NO_SUCH_BUCKET", "NoSuchBucket", "Bucket", "bucket")
AGAIN = "What was finished is kept: run the command again to go on."


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A file: its path below the location, its size in bytes, and a text that changes with its content."""

    path: str
    size: int
    stamp: str


@dataclass(frozen=True, slots=True)
class Location:
    """A folder, or a file, in a file system. `shown`: its address as people write it."""

    system: Any  # a pyarrow file system
    path: str
    shown: str

    @classmethod
    def of(cls, address: str) -> Location:
        """The location of a path or a URL. `UserError` where no library knows such a URL."""
        scheme, separator, rest = address.partition("://")
        if not separator or scheme == "file":
            path = str(expand_home(rest if separator else address).absolute())
            return cls(fs.LocalFileSystem(), path, path)
        shown = address.rstrip("/")
        with translated(shown):
            if scheme in ("s3", "gs", "gcs"):
                system, path = fs.FileSystem.from_uri(shown)
                return cls(system, path, shown)
            try:
                import fsspec

                found, path = fsspec.core.url_to_fs(shown)
            except (ImportError, ValueError) as exc:
                what = f"{shown} cannot be opened: {exc}."
                raise UserError(what, hint="Use a folder, s3:// or gs://, or install fsspec's library for it.") from exc
            return cls(fs.PyFileSystem(fs.FSSpecHandler(found)), path, shown)

    @property
    def is_local(self) -> bool:
        return isinstance(self.system, fs.LocalFileSystem)

    def child(self, name: str) -> Location:
        """What has this name, or path, below."""
        return Location(self.system, f"{self.path.rstrip('/')}/{name}", f"{self.shown.rstrip('/')}/{name}")

    def files(self) -> list[FoundFile]:
        """All files below, by path; none where there is no such folder."""
        with translated(self.shown):
            found = self.system.get_file_info(fs.FileSelector(self.path, recursive=True, allow_not_found=True))
        start = len(self.path.rstrip("/")) + 1
        files = [FoundFile(info.path[start:], info.size or 0, _stamp(info)) for info in found if info.is_file]
        return sorted(files, key=lambda file: file.path)

    def found(self) -> FoundFile | None:
        """The location as a file; None where it is none."""
        with translated(self.shown):
            info = self.system.get_file_info(self.path)
        return FoundFile(self.path, info.size or 0, _stamp(info)) if info.is_file else None

    def read(self) -> bytes:
        """The content of a file; `FileNotFoundError` where there is none."""
        with translated(self.shown), self.system.open_input_stream(self.path) as stream:
            return bytes(stream.read())

    @contextmanager
    def opened(self) -> Iterator[Any]:
        """The file as a stream to read at any place; `FileNotFoundError` where there is none."""
        with translated(self.shown), self.system.open_input_file(self.path) as stream:
            yield stream

    def write(self, content: bytes) -> None:
        """Make the file; it is complete or not there."""
        with self.writing() as stream:
            stream.write(content)

    @contextmanager
    def writing(self) -> Iterator[Any]:
        """A stream whose content becomes the file when the block ends, complete or not at all."""
        with translated(self.shown):
            if not self.is_local:  # object stores show a file when it is closed
                stream = self.system.open_output_stream(self.path)
                yield stream
                stream.close()
                return
            path = Path(self.path)
            path.parent.mkdir(parents=True, exist_ok=True)
            part = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
            try:
                with self.system.open_output_stream(str(part)) as stream:
                    yield stream
                os.replace(part, path)  # noqa: PTH105
            finally:
                with suppress(OSError):  # it has become the file
                    part.unlink()

    def delete(self) -> None:
        """Remove the file, if it is there."""
        with translated(self.shown), suppress(FileNotFoundError):
            self.system.delete_file(self.path)


@contextmanager
def translated(shown: str) -> Iterator[None]:
    """Turns an error of a file system into a `UserError` that says what to do; a missing file stays that error."""
    try:
        yield
    except FileNotFoundError as exc:
        if any(word in str(exc) for word in _NO_BUCKET):
            raise UserError(f"{shown} does not exist: {_short(exc)}", hint=f"{_REGION_HINT} {AGAIN}") from exc
        raise
    except OSError as exc:
        text = str(exc)
        if any(word in text for word in _CREDENTIALS):
            raise UserError(f"{shown} may not be used: {_short(exc)}", hint=_CREDENTIALS_HINT) from exc
        if exc.errno in (errno.ENOSPC, errno.EDQUOT) or "No space left" in text:
            hint = f"{write_hint(OSError(errno.ENOSPC, ''))} {AGAIN}"
            raise UserError(f"There is no room left for {shown}.", hint=hint) from exc
        if exc.errno is not None and exc.strerror:
            raise UserError(f"{shown} cannot be used: {exc.strerror}.", hint=f"{write_hint(exc)} {AGAIN}") from exc
        raise UserError(f"{shown} cannot be reached: {_short(exc)}", hint=f"{_REGION_HINT} {AGAIN}") from exc


def _short(exc: OSError) -> str:
    """The first sentence or so of an error by a library."""
    text = " ".join(str(exc).split())
    return text if len(text) <= 300 else f"{text[:299]}…"


def _stamp(info: Any) -> str:
    return f"{info.size} {info.mtime_ns or 0}"
