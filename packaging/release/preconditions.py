"""What is checked before anything is made: the folder that a release goes to, and the programs that making it takes."""

from __future__ import annotations

import shutil
from pathlib import Path

from source import Refused

MARK = "release.json"  # every folder of a release has it, from the beginning
TOOLS = ("dpkg-deb", "zstd", "objdump", "strip")  # without one of these there are neither bundle nor installers


def check_folder(folder: Path, *kept: Path) -> None:
    """Refuse a folder that may not be emptied: one with files of somebody else, or with one of the folders `kept`."""
    for path in kept:
        if path.resolve().is_relative_to(folder.resolve()):
            raise Refused(f"{folder} would be emptied, and {path} lies in it. Name another folder.")
    if folder.exists() and not folder.is_dir():
        raise Refused(f"{folder} is no folder. Name another one.")
    if folder.is_dir() and any(folder.iterdir()) and not (folder / MARK).is_file():
        raise Refused(f"{folder} would be emptied, and has files of no release. Name another folder, or remove them.")


def missing_tools(*, draft: bool) -> list[str]:
    """Those of TOOLS that this machine lacks. A release is refused without them; a draft goes without bundles."""
    missing = [tool for tool in TOOLS if not shutil.which(tool)]
    if missing and not draft:
        raise Refused(
            f"this machine has no {', '.join(missing)}, which bundles and installers take. On Debian: apt install "
            "binutils zstd; a draft without: make release DRAFT=1"
        )
    return missing
