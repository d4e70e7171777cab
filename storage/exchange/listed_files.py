"""Files that a job writes into a folder of somebody's, with a list by which the next run knows them again."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path

from miner.errors import UserError
from miner.paths import exists, is_file
from storage.exchange.export_files import NewFile, locked_export_folder, publish

LIST_SUFFIX = ".sha256"
_LINE = re.compile(r"([0-9a-f]{64})  ([^/\\]+)")
_MAX_LIST_BYTES = 1_000_000


def write_listed(folder: Path, name: str, contents: Mapping[str, str], removable: str = "") -> tuple[Path, ...]:
    """Write texts by file name into a folder, as `publish_listed` does. Returns the paths of the files."""
    with locked_export_folder(folder), ExitStack() as stack:
        files = [stack.enter_context(NewFile(folder, one)) for one in contents]
        for file, text in zip(files, contents.values(), strict=True):
            file.write(text.encode(), text.count("\n"))
        publish_listed(folder, name, files, removable)
    return tuple(folder / one for one in contents)


def publish_listed(folder: Path, name: str, files: Sequence[NewFile], removable: str = "") -> None:
    """Finish files and give them their names, in place of those of an earlier run, and list them in `name`.sha256.

    removable: a regular expression of names; what the list of the earlier run has of these, and this run has not, is
    removed. Raises `UserError` if a file that would be replaced or removed is somebody else's, or was changed since;
    then nothing has changed. The caller has locked the folder.
    """
    written = {file.name: file for file in (one.finish() for one in files)}
    earlier = _read_list(folder / f"{name}{LIST_SUFFIX}")
    superfluous = [one for one in earlier if one not in written and re.fullmatch(removable, one)]
    for one in (*written, *superfluous):
        _check_ours(folder / one, {earlier.get(one), written[one].sha256 if one in written else None})
    with NewFile(folder, f"{name}{LIST_SUFFIX}") as listed:
        listed.write_lines([f"{file.sha256}  {file.name}".encode() for file in written.values()])
        listed.finish()
        publish(folder, [*files, listed])  # killed in between, the next run knows them by what it writes itself
    for one in superfluous:
        (folder / one).unlink(missing_ok=True)


def _read_list(path: Path) -> dict[str, str]:
    """SHA-256 by file name of an earlier run; {} if there is none, or it cannot be read."""
    with suppress(OSError, UnicodeDecodeError):
        if is_file(path) and path.stat().st_size <= _MAX_LIST_BYTES:
            lines = map(_LINE.fullmatch, path.read_text(encoding="utf-8").splitlines())
            return {line[2]: line[1] for line in lines if line is not None}
    return {}


def _check_ours(path: Path, digests: set[str | None]) -> None:
    """Raise `UserError` if there is a file with another digest."""
    if not exists(path):
        return
    if is_file(path):
        with path.open("rb") as file:
            if hashlib.file_digest(file, "sha256").hexdigest() in digests:
                return
    raise UserError(
        f"{path} would be replaced, but Pairwright did not write it, or it was changed since. Nothing was written.",
        hint="Choose another folder, or move that file away.",
    )
