"""Files of an earlier export in a folder, and whether they were changed since."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from miner.errors import UserError
from miner.paths import exists, is_file
from storage.dataset.options import FileFormat
from storage.exchange.card_files import CARD_FILES
from storage.exchange.export_files import NewFile, publish

RECEIPT = "receipt.json"
_RECEIPT_KEYS = {"files", "rows", "counts", "left_out", "split_by", "papers_not_mined", "mining_run", "options"}
_SPLIT_KEYS = {"papers_left_out", "leaks"}  # where these are known
_OLD_RECEIPT_KEYS = {"sentences_in_several_splits"}  # of earlier versions
_MAX_RECEIPT_BYTES = 10_000_000


class FilesChanged(UserError):
    """Somebody has changed files of an earlier export."""


@dataclass(frozen=True, slots=True)
class EarlierExport:
    """An export that is in a folder. files: SHA-256 by name, "" for the receipt itself.

    noted: somebody has added notes to the receipt.
    """

    rows: int
    files: Mapping[str, str]
    noted: bool

    def changed_files(self, folder: Path, now: Mapping[str, str] | None = None) -> list[str]:
        """The files that differ from the receipt, without files that equal the new ones (`now`: SHA-256 by name)."""
        new = now or {}
        known = {name: (sha256, new.get(name), None) for name, sha256 in self.files.items() if sha256}
        changed = [name for name, digests in known.items() if _digest(folder / name) not in digests]
        return sorted([*changed, RECEIPT] if self.noted else changed)

    def present_files(self, folder: Path) -> list[str]:
        """The files that still exist."""
        return sorted(name for name in self.files if is_file(folder / name))


def find_earlier_export(folder: Path) -> EarlierExport | None:
    """The export in a folder, by its receipt; None if there is no receipt of ours."""
    try:
        if not is_file(folder / RECEIPT):
            return None
        with (folder / RECEIPT).open("rb") as file:
            receipt = json.loads(file.read(_MAX_RECEIPT_BYTES))
        files = {file["name"]: file["sha256"] for file in receipt["files"]}
        rows = int(receipt["rows"])
    except (OSError, ValueError, KeyError, TypeError, OverflowError, RecursionError):
        return None
    if "mining_run" not in receipt or not all(_is_ours(name, sha256) for name, sha256 in files.items()):
        return None
    return EarlierExport(
        rows, {**files, RECEIPT: ""}, not receipt.keys() <= _RECEIPT_KEYS | _SPLIT_KEYS | _OLD_RECEIPT_KEYS
    )


def publish_export(
    folder: Path, files: Sequence[NewFile], digests: Mapping[str, str], *, overwrite: bool = False
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Give an export's finished files their names, in place of an earlier export; the names of what was replaced, and
    of what was removed.

    digests: SHA-256 by name. Raises `FilesChanged` if somebody changed the earlier files, unless `overwrite`, and
    `UserError` if a foreign file has one of the names; then nothing has changed.
    """
    earlier = find_earlier_export(folder)
    before = earlier.present_files(folder) if earlier else []
    _check_nothing_foreign(folder, {name: sha256 for name, sha256 in digests.items() if name not in before})
    if earlier and not overwrite:
        _check_unchanged(folder, earlier.changed_files(folder, digests))
    publish(folder, files)
    removed = tuple(name for name in before if name not in digests)
    for name in removed:
        (folder / name).unlink(missing_ok=True)
    return tuple(name for name in before if name in digests), removed


def _check_unchanged(folder: Path, names: list[str]) -> None:
    """Raise `FilesChanged` if there are names of changed files."""
    if names:
        listed = " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
        were = "was changed after it was" if len(names) == 1 else "were changed after they were"
        raise FilesChanged(
            f"{listed} in {folder} {were} exported; nothing was replaced.",
            hint="Choose another folder, or replace it: --overwrite.",
        )


def _check_nothing_foreign(folder: Path, files: Mapping[str, str]) -> None:
    """Raise `UserError` if another file has one of these names; not if it has the same bytes, after a killed export."""
    for name, sha256 in files.items():
        if _digest(folder / name) not in (sha256, None):
            raise UserError(
                f"{folder} has a {name} that no export of Pairwright wrote; nothing was changed.",
                hint="Choose another folder, or move that file away.",
            )


def _is_ours(name: Any, sha256: Any) -> bool:
    is_plain = isinstance(name, str) and Path(name).name == name
    is_name = is_plain and (name in CARD_FILES or Path(name).suffix[1:] in list(FileFormat))
    return is_name and isinstance(sha256, str) and len(sha256) == 64


def _digest(path: Path) -> str | None:
    """SHA-256; None if nothing is there, "" if it is not a file."""
    if not is_file(path):
        return "" if exists(path) else None
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
