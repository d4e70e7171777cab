"""Checks of paths that users typed, what the systems differ in about names, and hints for paths that cannot be written.

`exists`, `is_file` and `is_folder` return False where access is denied or the name is too long; the methods of `Path`
raise. To learn the reason, open the path, after `check_ordinary`.
"""

from __future__ import annotations

import errno
import os
import re
import stat
import sys
import unicodedata
from contextlib import suppress
from pathlib import Path

from miner.errors import UserError

PROJECT_SUFFIX = ".pairwright"
ANSWERS_SUFFIX = f".answers{PROJECT_SUFFIX}"  # of answer files, which are projects too
ANSWER_TABLE_SUFFIXES = (
    ".csv",
    ".tsv",
    ".txt",
    ".json",
    ".jsonl",
    ".ndjson",
)  # of what spreadsheets and tools send back
_ON_WINDOWS = os.name == "nt"
_ON_MACOS = sys.platform == "darwin"
_MAX_PATH = 259  # characters, on Windows unless the registry allows longer ones
_TOO_MANY = (errno.EMFILE, errno.ENFILE, errno.ENOMEM)
_DISK = (errno.EIO, errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.ENODEV, errno.ENXIO, errno.ESTALE)
_OPEN_ELSEWHERE = (5, 32, 33)  # codes of Windows: access denied, sharing violation, lock violation
_TOO_LONG = (3, 206)  # path not found, file name too long
_WINDOWS_DEVICE = re.compile(r"(con|prn|aux|nul|conin\$|conout\$|com[\d¹²³]|lpt[\d¹²³])\s*(\..*)?", re.IGNORECASE)
_NOT_ON_WINDOWS = re.compile(r'[<>:"/\\|?*\x00-\x1f]')


def exists(path: Path) -> bool:
    return os.path.exists(path)  # noqa: PTH110


def is_file(path: Path) -> bool:
    return os.path.isfile(path)  # noqa: PTH113


def is_folder(path: Path) -> bool:
    return os.path.isdir(path)  # noqa: PTH112


def check_ordinary(path: Path, max_bytes: int | None = None) -> None:
    """Raise `OSError` for a pipe, socket or device, whose reading may never end, and for a file with more bytes.

    For files that somebody names, before they are opened. A folder passes: opening it says what it is.
    """
    status = path.stat()
    if not stat.S_ISREG(status.st_mode) and not stat.S_ISDIR(status.st_mode):
        raise OSError(errno.EINVAL, "it is no ordinary file (a pipe, socket or device)", str(path))
    if max_bytes is not None and status.st_size > max_bytes:
        raise OSError(errno.EFBIG, f"it has more than {max_bytes / 1e6:,.0f} MB", str(path))


def is_same_file(path: Path, other: Path) -> bool:
    """Whether both name one file, by whatever way; False if one of them is not there."""
    try:
        return path.samefile(other)
    except OSError:
        return False


def expand_home(text: str) -> Path:
    """The path with `~` replaced by the home folder; unchanged for an unknown user."""
    return Path(os.path.expanduser(text))  # noqa: PTH111


def last_part(path: str) -> str:
    """The last part of a path of any system, or of an address.

    >>> last_part("https://example.org/models/small/"), last_part(r"C:\\models\\small")
    ('small', 'small')
    """
    return path.replace("\\", "/").rstrip("/").rpartition("/")[2]


def composed(path: Path) -> Path:
    """The path with accents as parts of their letters (NFC), as the other systems write it, if it is the same file.

    macOS lists names as they were made, often with accents of their own (NFD), and takes both for one name.
    """
    if _ON_MACOS and (text := unicodedata.normalize("NFC", str(path))) != str(path):
        with suppress(OSError):  # a share that tells them apart, and has no such file
            if os.path.samefile(text, path):  # noqa: PTH121
                return Path(text)
    return path


def name_problem(name: str) -> str:
    """Why this system takes no new file of this name, as a sentence; "" where it takes it.

    Windows does not refuse all of them: "nul.txt" is the null device, and "a: b" a hidden part of the file "a".
    """
    if not _ON_WINDOWS:
        return ""
    if found := _NOT_ON_WINDOWS.search(name):
        return f"Windows takes no file names with {found[0]!r}."
    if _WINDOWS_DEVICE.fullmatch(name):
        return f"{name} is the name of a device of Windows."
    return "Windows takes no file names that end in a space or full stop." if name.endswith((" ", ".")) else ""


def is_disk_full(exc: OSError) -> bool:
    """Whether there was no room for what was to be written."""
    return exc.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def system_error(exc: BaseException) -> UserError | None:
    """The error to show where the system is why a file could not be used: its disk, its limits. None for all others."""
    if not isinstance(exc, OSError) or exc.errno not in (*_TOO_MANY, *_DISK):
        return None
    what = f"{exc.filename} could not be read or written" if exc.filename else "A file could not be read or written"
    hint = "Close other programs, then try again." if exc.errno in _TOO_MANY else write_hint(exc)
    return UserError(f"{what}: {exc.strerror or exc}.", hint=hint)


def write_hint(exc: OSError) -> str:
    """What the user can do about a folder or file that cannot be written."""
    windows_code = getattr(exc, "winerror", None)
    if windows_code in _TOO_LONG and len(str(exc.filename or "")) > _MAX_PATH:
        return "Choose a shorter name, or a folder with a shorter path: Windows takes 259 characters in all."
    if windows_code in _OPEN_ELSEWHERE:
        return "Close the file in other programs, or choose a folder that you may write to."
    match exc.errno:
        case errno.ENOSPC | errno.EDQUOT | errno.EFBIG:
            return "Free some space, then try again."
        case errno.EACCES | errno.EPERM | errno.EROFS:
            return "Choose a folder that you may write to."
        case errno.EEXIST | errno.ENOTDIR | errno.EISDIR:
            return "Something else has that name: choose another folder."
        case errno.ENAMETOOLONG:
            return "Choose a shorter name."
    return "Choose another folder, or check the disk, then try again."
