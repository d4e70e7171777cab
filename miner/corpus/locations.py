"""Places for papers and corpora: local folders, s3://, gs:// and what fsspec knows, as one kind of object.

Every error of a file system leaves this module as a `UserError`, except for a missing file.
"""

from __future__ import annotations

import os
import re
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import Any

from pyarrow import fs

from miner.atomic_files import replace_file
from miner.errors import UserError
from miner.libraries import pa
from miner.paths import expand_home, is_disk_full, write_hint

_BUCKETS = ("s3", "gs", "gcs")  # schemes whose addresses begin with a bucket
_REGION_HINT = "Check the name, and the region or address (AWS_REGION, AWS_ENDPOINT_URL)."
_NETWORK_HINT = "Check the connection, and the region or address (AWS_REGION, AWS_ENDPOINT_URL)."
_CREDENTIALS_HINT = (
    "Set credentials that may use it: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or a profile, for s3://; "
    "GOOGLE_APPLICATION_CREDENTIALS for gs://."
)
_REFUSED = re.compile(
    r"access.?denied|access.?key|signature|credential|token|unauthenticated|permission.?denied|unrecognized.?client"
    r"|HTTP status 40[13]|\b403\b",
    re.IGNORECASE,
)
_NO_BUCKET = re.compile(r"NO_SUCH_BUCKET|NoSuchBucket|bucket\b.*(does not exist|not found)", re.IGNORECASE)
_SAID_BY_AWS = re.compile(r"AWS Error (.*?)(: No response body\.|\(Request ID.*)?$")
_RETRIED_SECONDS = 20  # of Google's storage
_COPIED = 8 << 20  # bytes at once
_IN_MEMORY = 64 << 20  # bytes of a file that is written; more go to the system's temporary folder
_KEPT = "What was finished is kept."
AGAIN = "Then try again: what was finished is kept."


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
            path = expand_home(rest if separator else address).absolute().as_posix()
            return cls(fs.LocalFileSystem(), path, path)
        shown = address.rstrip("/")
        if scheme in _BUCKETS:
            bucket = rest.partition("/")[0]
            if "@" in bucket:
                raise UserError("The address of a bucket has no credentials in it.", hint=_CREDENTIALS_HINT)
            if not bucket:
                raise UserError(f"{address} names no bucket.", hint="Write s3://BUCKET/… or gs://BUCKET/…")
            with translated(shown):
                system = _bucket_system(scheme, bucket)
            return cls(system, rest.rstrip("/"), shown)  # the key is meant as it is written
        with translated(shown):
            try:
                import fsspec

                found, path = fsspec.core.url_to_fs(shown)
            except (ImportError, ValueError) as exc:
                raise _unknown_system(shown, exc) from exc
            return cls(fs.PyFileSystem(fs.FSSpecHandler(found)), path, shown)

    @property
    def is_local(self) -> bool:
        return isinstance(self.system, fs.LocalFileSystem)

    def child(self, name: str) -> Location:
        """The location with this name or path within this location."""
        return Location(self.system, f"{self.path.rstrip('/')}/{name}", f"{self.shown.rstrip('/')}/{name}")

    def files(self) -> list[FoundFile]:
        """All files below, by path; none where there is no such folder."""
        with translated(self.shown):
            found = self.system.get_file_info(fs.FileSelector(self.path, recursive=True, allow_not_found=True))
        start = len(self.path.rstrip("/")) + 1
        files = [FoundFile(info.path[start:], info.size or 0, _stamp(info)) for info in found if info.is_file]
        return sorted(files, key=lambda file: file.path)

    def found(self) -> FoundFile | None:
        """The location as a file; None if it is not a file."""
        with translated(self.shown):
            info = self.system.get_file_info(self.path)
        return FoundFile(self.path, info.size or 0, _stamp(info)) if info.is_file else None

    def check_exists(self) -> None:
        """Raises `UserError` where there is neither a file nor a folder."""
        with translated(self.shown):
            info = self.system.get_file_info(self.path)
        if info.type is fs.FileType.NotFound:
            self.check_above()
            raise UserError(f"{self.shown} does not exist.", hint="Check the address.")

    def check_above(self) -> None:
        """Raise `UserError` if the bucket or, on a disk, the parent folder does not exist."""
        bucket = _bucket_of(self.shown)
        path = self.path.partition("/")[0] if bucket else self.path.rstrip("/").rpartition("/")[0]
        with translated(self.shown):
            info = self.system.get_file_info(path or self.path)
        if info.type is fs.FileType.NotFound:
            what = f"There is no bucket {bucket}." if bucket else f"There is no folder {path}."
            raise UserError(what, hint=f"{_REGION_HINT if bucket else 'Check the address.'} {AGAIN}")

    def read(self) -> bytes:
        """The content of a file; `FileNotFoundError` where there is none."""
        with self.opened() as stream:
            return bytes(stream.read())

    @contextmanager
    def opened(self) -> Iterator[Any]:
        """The file as a stream to read at any place; `FileNotFoundError` where there is none.

        `pa.ArrowInvalid` from the block if pyarrow cannot decode the file.
        """
        with translated(self.shown), self.system.open_input_file(self.path) as stream:
            try:
                yield stream
            except OSError as exc:
                if exc.errno is None and not is_of_service(str(exc)):
                    raise pa.ArrowInvalid(str(exc)) from exc
                raise

    def write(self, content: bytes) -> None:
        """Write the file, completely or not at all."""
        with self.writing() as stream:
            stream.write(content)

    @contextmanager
    def writing(self) -> Iterator[Any]:
        """A stream whose content becomes the file when the block ends, complete or not at all."""
        with translated(self.shown):
            if not self.is_local:  # a stream of pyarrow's makes the file even when it is given up
                with SpooledTemporaryFile(max_size=_IN_MEMORY) as waiting:
                    yield waiting
                    waiting.seek(0)
                    with self.system.open_output_stream(self.path, compression=None) as stream:
                        shutil.copyfileobj(waiting, stream, _COPIED)
                return
            path = Path(self.path)
            path.parent.mkdir(parents=True, exist_ok=True)
            part = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
            try:
                with self.system.open_output_stream(str(part), compression=None) as stream:
                    yield stream
                replace_file(part, path)
            finally:
                with suppress(OSError):  # it has become the file
                    part.unlink()

    def delete(self) -> None:
        """Remove the file, if it is there."""
        with translated(self.shown), suppress(FileNotFoundError):
            self.system.delete_file(self.path)


@cache
def _bucket_system(scheme: str, bucket: str) -> Any:
    """The file system that a bucket is in; to find its region takes a request."""
    limit = "" if scheme == "s3" else f"?retry_limit_seconds={_RETRIED_SECONDS}"  # else a quarter of an hour
    try:
        return fs.FileSystem.from_uri(f"{scheme}://{bucket}{limit}")[0]
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as exc:
        raise _unknown_system(f"{scheme}://{bucket}", exc) from exc


def _unknown_system(shown: str, exc: Exception) -> UserError:
    what = f"{shown} cannot be opened: {_short(exc)}."
    return UserError(what, hint="Use a folder, s3://BUCKET/… or gs://BUCKET/…, or install fsspec's library for it.")


def _bucket_of(shown: str) -> str:
    """The address of the bucket of an address; "" where it has none."""
    scheme, _, rest = shown.partition("://")
    return f"{scheme}://{rest.partition('/')[0]}" if scheme in _BUCKETS else ""


@contextmanager
def translated(shown: str) -> Iterator[None]:
    """Turns an error of a file system into a `UserError` that says what to do; a missing file stays that error."""
    try:
        yield
    except FileNotFoundError as exc:
        if _NO_BUCKET.search(str(exc)):
            raise _no_bucket(shown) from exc
        raise
    except OSError as exc:
        if exc.errno is not None:
            raise _disk_error(shown, exc) from exc
        if _NO_BUCKET.search(str(exc)):
            raise _no_bucket(shown) from exc
        if _REFUSED.search(str(exc)):
            hint = f"{_CREDENTIALS_HINT} {AGAIN}"
            raise UserError(f"{shown} may not be used: {_short(exc)}.", hint=hint) from exc
        raise UserError(f"{shown} cannot be reached: {_short(exc)}.", hint=f"{_NETWORK_HINT} {AGAIN}") from exc


def is_of_service(text: str) -> bool:
    """Whether an error's text is about the object store rather than a file's content."""
    return "AWS Error" in text or "google::cloud" in text


def _no_bucket(shown: str) -> UserError:
    return UserError(f"There is no bucket {_bucket_of(shown) or shown}.", hint=f"{_REGION_HINT} {AGAIN}")


def _disk_error(shown: str, exc: OSError) -> UserError:
    if is_disk_full(exc):
        return UserError(f"There is no room left for {shown}.", hint=f"{write_hint(exc)} {_KEPT}")
    reason = os.strerror(exc.errno or 0)
    return UserError(f"{shown} cannot be used: {reason}.", hint=f"{write_hint(exc)} {_KEPT}")


def _short(exc: Exception) -> str:
    """The first sentence or so of an error by a library, without its end."""
    text = " ".join(str(exc).split())
    if said := _SAID_BY_AWS.search(text):
        text = said[1].strip()
    return (text if len(text) <= 300 else f"{text[:299]}…").rstrip(".: ")


def _stamp(info: Any) -> str:
    return f"{info.size} {info.mtime_ns or 0}"
