"""Paths that somebody gave: what lies there, and what to do where nothing can be written.

Where one may not look, and where a name is too long, there is nothing; `Path.exists` and its like raise there. Opening
the path says why it cannot be.
"""

from __future__ import annotations

import errno
import os
from pathlib import Path

PROJECT_SUFFIX = ".pairwright"


def exists(path: Path) -> bool:
    return os.path.exists(path)  # noqa: PTH110


def is_file(path: Path) -> bool:
    return os.path.isfile(path)  # noqa: PTH113


def is_folder(path: Path) -> bool:
    return os.path.isdir(path)  # noqa: PTH112


def expanded(text: str) -> Path:
    """With the home folder for `~`; as it is where nobody has that name."""
    return Path(os.path.expanduser(text))  # noqa: PTH111


def write_hint(exc: OSError) -> str:
    """What a person can do about a folder or file that cannot be written."""
    match exc.errno:
        case errno.ENOSPC | errno.EDQUOT | errno.EFBIG:
            return "Free some space, then try again."
        case errno.EACCES | errno.EPERM | errno.EROFS:
            return "Choose a folder that you may write to."
        case errno.EEXIST | errno.ENOTDIR | errno.EISDIR:
            return "Something else has that name: choose another folder."
        case errno.ENAMETOOLONG:
            return "Choose a shorter name."
    return "Choose another folder, or see to the disk, then try again."
