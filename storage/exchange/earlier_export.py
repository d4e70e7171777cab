"""What an earlier export left in a folder, and what was changed there since."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from miner.errors import UserError
from miner.paths import exists, is_file

RECEIPT = "receipt.json"
_KEYS = {"files", "rows", "counts", "left_out", "split_by", "papers_not_mined", "mining_run", "options"}
_KEYS_BEFORE = {"sentences_in_several_splits"}  # of earlier versions
_LARGEST = 10_000_000  # bytes of a receipt; more is none


class FilesChanged(UserError):
    """Files of an earlier export differ from its receipt: somebody worked on them."""


@dataclass(frozen=True, slots=True)
class EarlierExport:
    """`rows` of an export that is in a folder; SHA-256 by file, "" for the receipt, which says so of the others.

    `noted`: somebody wrote into the receipt.
    """

    rows: int
    files: Mapping[str, str]
    noted: bool

    def changed(self, folder: Path, now: Mapping[str, str] | None = None) -> list[str]:
        """Which of its files are neither as it wrote them nor, by name, as `now` says that they shall be."""
        new = now or {}
        known = {name: (sha256, new.get(name), None) for name, sha256 in self.files.items() if sha256}
        found = [name for name, digests in known.items() if _digest(folder / name) not in digests]
        return sorted([*found, RECEIPT] if self.noted else found)

    def present(self, folder: Path) -> list[str]:
        """Those of its files that are still there."""
        return sorted(name for name in self.files if is_file(folder / name))


def find_earlier_export(folder: Path) -> EarlierExport | None:
    """The export that lies in a folder, by its receipt; None where there is none, or it is not one of ours."""
    try:
        if not is_file(folder / RECEIPT):
            return None
        with (folder / RECEIPT).open("rb") as file:
            told = json.loads(file.read(_LARGEST))
        files = {file["name"]: file["sha256"] for file in told["files"]}
        rows = int(told["rows"])
    except (OSError, ValueError, KeyError, TypeError, OverflowError, RecursionError):
        return None
    if "mining_run" not in told or not all(_is_ours(name, sha256) for name, sha256 in files.items()):
        return None
    return EarlierExport(rows, {**files, RECEIPT: ""}, not told.keys() <= _KEYS | _KEYS_BEFORE)


def check_unchanged(folder: Path, names: list[str]) -> None:
    """`FilesChanged` where there are any."""
    if names:
        listed = " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
        were = "was changed after it was" if len(names) == 1 else "were changed after they were"
        raise FilesChanged(
            f"{listed} in {folder} {were} exported; nothing was replaced.",
            hint="Choose another folder, or replace it: --overwrite.",
        )


def check_nothing_foreign(folder: Path, files: Mapping[str, str]) -> None:
    """`UserError` where a place is taken by another file; the same bytes are what a killed export had put there."""
    for name, sha256 in files.items():
        if _digest(folder / name) not in (sha256, None):
            raise UserError(
                f"{folder} has a {name} that no export of Pairwright wrote; nothing was changed.",
                hint="Choose another folder, or move that file away.",
            )


def _is_ours(name: Any, sha256: Any) -> bool:
    is_name = isinstance(name, str) and name.endswith(".jsonl") and Path(name).name == name
    return is_name and isinstance(sha256, str) and len(sha256) == 64


def _digest(path: Path) -> str | None:
    """SHA-256; None where there is nothing, "" for what is no file."""
    if not is_file(path):
        return "" if exists(path) else None
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
