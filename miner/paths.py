"""Checks of paths that users typed, and hints for paths that cannot be written.

`exists`, `is_file` and `is_folder` return False where access is denied or the name is too long; the methods of `Path`
raise. To learn the reason, open the path.
"""

from __future__ import annotations

import errno
import os
from pathlib import Path

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


def exists(path: Path) -> bool:
    return os.path.exists(path)  # noqa: PTH110


def is_file(path: Path) -> bool:
    return os.path.isfile(path)  # noqa: PTH113


def is_folder(path: Path) -> bool:
    return os.path.isdir(path)  # noqa: PTH112


def expand_home(text: str) -> Path:
    """The path with `~` replaced by the home folder; unchanged for an unknown user."""
    return Path(os.path.expanduser(text))  # noqa: PTH111


def is_disk_full(exc: OSError) -> bool:
    """Whether there was no room for what was to be written."""
    return exc.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def write_hint(exc: OSError) -> str:
    """What the user can do about a folder or file that cannot be written."""
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
