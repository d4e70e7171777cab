"""The command that lists a project's backups and puts one back."""

from __future__ import annotations

import argparse
from pathlib import Path

from desktop.cli.commands import Said, project_path, run_job
from desktop.cli.output import table
from desktop.jobs.backups import backups
from desktop.jobs.backups import restore as restore_job
from desktop.text import count
from miner.errors import UserError
from storage.backups import Backup


def restore(options: argparse.Namespace) -> Said:
    path = project_path(options)
    found = run_job(backups(path), options).found
    if options.backup is None:
        return _listed(path, found)
    chosen = _chosen(path, found, options.backup)
    done = run_job(restore_job(path, chosen), options)
    text = f"{path} is as it was on {_when(done.backup)}."
    if done.kept is not None:
        text += f"\nWhat was there before is kept: {done.kept}"
    kept = None if done.kept is None else str(done.kept)
    return Said(text, {"project": str(path), "restored": _plain(done.backup), "kept": kept})


def _chosen(path: Path, found: tuple[Backup, ...], typed: str) -> Path:
    """A backup by its number in the list, or a file."""
    if not typed.isdecimal():
        return Path(typed)
    if not 1 <= int(typed) <= len(found):
        raise UserError(f"{path} has no backup {typed}.", hint="See: pairwright restore")
    return found[int(typed) - 1].path


def _listed(path: Path, found: tuple[Backup, ...]) -> Said:
    if not found:
        what = "Backups are made when the window closes a project, and once a day by commands that change it."
        return Said(f"{path} has no backup yet. {what}", [])
    rows = [(number, _when(one), f"{one.size / 1e6:,.1f} MB", one.note) for number, one in enumerate(found, start=1)]
    text = table(("backup", "of", "size", ""), rows)
    say = f"{count(len(found), 'backup')} of {path}. Restore one: pairwright restore NUMBER"
    return Said(f"{text}\n\n{say}", [_plain(one) for one in found])


def _when(backup: Backup) -> str:
    return backup.at.astimezone().strftime("%Y-%m-%d %H:%M")


def _plain(backup: Backup) -> dict[str, object]:
    at = backup.at.isoformat()
    return {"file": str(backup.path), "at": at, "bytes": backup.size, "note": backup.note}
