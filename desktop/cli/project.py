"""Commands for the project file: new, undo, redo, restore, doctor."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from desktop.cli.execution import CommandResult, Options, full_text, open_project, project_path, run_job
from desktop.cli.output import table
from desktop.jobs.backups import backups, is_own_backup
from desktop.jobs.backups import restore as restore_job
from desktop.jobs.doctor import doctor as doctor_job
from desktop.jobs.results import describe
from desktop.jobs.review import answers
from desktop.jobs.review.annotator import annotator
from desktop.jobs.review.answers import ActionResult
from desktop.jobs.review.people import find_person
from desktop.text import count, size
from miner.errors import UserError
from miner.parsing.grobid import GrobidSettings
from miner.paths import PROJECT_SUFFIX, exists
from miner.progress import Job
from storage.backups import Backup
from storage.project import Project

_Reversal = Callable[[Project, str], Job[ActionResult | None]]


def new(options: Options) -> CommandResult:
    path: Path = options.file
    if path.suffix != PROJECT_SUFFIX:
        raise UserError(
            f"A project's name ends in {PROJECT_SUFFIX}.",
            hint=f"Try: pairwright new {path.with_suffix(PROJECT_SUFFIX)}",
        )
    Project.create(path).close()
    return CommandResult(f"Created {path}. To add papers: pairwright add FOLDER --domain NAME", {"project": str(path)})


def undo(options: Options) -> CommandResult:
    return _reverse(options, answers.undo, "Undone", "There is nothing to undo.")


def redo(options: Options) -> CommandResult:
    return _reverse(options, answers.redo, "Redone", "There is nothing to redo.")


def _reverse(options: Options, job: _Reversal, verb: str, nothing: str) -> CommandResult:
    with open_project(options, answers_alone=True) as project:
        if options.annotator:
            with project.read_transaction() as stores:
                whose = find_person(stores, options.annotator).key
        else:
            whose = run_job(annotator(project), options)
        done = run_job(job(project, whose), options)
    if done is None:
        return CommandResult(nothing, {"done": None, "count": 0}, ok=False)
    return CommandResult(f"{verb}: {describe(done).sentence}", {"done": done.title, "count": done.count})


def restore(options: Options) -> CommandResult:
    path = project_path(options)
    found = run_job(backups(path), options).found
    if options.backup is None:
        return _list_backups(path, found)
    chosen = _find_backup(path, found, options.backup)
    if exists(path) and not options.yes and not run_job(is_own_backup(path, chosen), options):
        hint = f"To make {path} a copy of it anyway, add --yes; the former file is kept."
        raise UserError(f"{chosen} is not a backup of {path}, as far as can be told.", hint=hint)
    done = run_job(restore_job(path, chosen), options)
    kept = None if done.previous is None else str(done.previous)
    return CommandResult(
        full_text(describe(done)), {"project": str(path), "restored": _backup_data(done.backup), "kept": kept}
    )


def _find_backup(path: Path, found: tuple[Backup, ...], typed: str) -> Path:
    """The file of the backup that was typed: its number in the list, or a path."""
    if not typed.isdecimal():
        return Path(typed)
    if not 1 <= int(typed) <= len(found):
        raise UserError(f"{path} has no backup {typed}.", hint="See: pairwright restore")
    return found[int(typed) - 1].path


def _list_backups(path: Path, found: tuple[Backup, ...]) -> CommandResult:
    if not found:
        what = "Backups are made when the window closes a project, and before a day's first change by a command."
        return CommandResult(f"{path} has no backup yet. {what}", [])
    rows = [(number, _backup_time(one), size(one.size), one.note) for number, one in enumerate(found, start=1)]
    text = table(("backup", "of", "size", ""), rows)
    total = f"{count(len(found), 'backup')} of {path}. To restore one: pairwright restore NUMBER"
    return CommandResult(f"{text}\n\n{total}", [_backup_data(one) for one in found])


def doctor(options: Options) -> CommandResult:
    found = [options.project] if options.project else sorted(Path().glob(f"*{PROJECT_SUFFIX}"))
    project = found[0] if len(found) == 1 else None
    checks = run_job(doctor_job(project, GrobidSettings(options.grobid), Path.cwd()), options)
    marks = {True: "ok", False: "WRONG", None: "-"}
    lines = [f"{marks[check.sound]:5}  {check.name:20}  {check.finding}" for check in checks]
    lines += [f"{check.name}: {check.hint}" for check in checks if check.hint]
    ok = all(check.sound is not False for check in checks)
    return CommandResult("\n".join(lines), [check._asdict() for check in checks], ok)


def _backup_time(backup: Backup) -> str:
    return backup.at.astimezone().strftime("%Y-%m-%d %H:%M")


def _backup_data(backup: Backup) -> dict[str, object]:
    at = backup.at.isoformat()
    return {"file": str(backup.path), "at": at, "bytes": backup.size, "note": backup.note}
