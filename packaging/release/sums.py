"""SHA-256 sums of files, as `sha256sum --check` reads them, and what differs between two builds."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path

NAME = "SHA256SUMS"


def sums(folder: Path) -> dict[str, str]:
    """The sum of each file directly in the folder but the list of sums, by name, in order of the names."""
    return {path.name: _sum(path) for path in sorted(folder.iterdir()) if path.is_file() and path.name != NAME}


def write_sums(folder: Path) -> Path:
    """Write the folder's list of sums."""
    path = folder / NAME
    path.write_text("".join(f"{digest}  {name}\n" for name, digest in sums(folder).items()), encoding="utf-8")
    return path


def differences(first: Mapping[str, str], second: Mapping[str, str]) -> list[str]:
    """The names that only one has, or both with other sums, in order."""
    return sorted(name for name in first.keys() | second.keys() if first.get(name) != second.get(name))


def _sum(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
