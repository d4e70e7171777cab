"""What every command uses: its project, its jobs and its result."""

from __future__ import annotations

import argparse
import logging
import os
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any, TypeVar

from desktop.cli.output import Bar
from desktop.jobs.backups import back_up
from desktop.jobs.overview import overview
from desktop.jobs.results import ResultProblem, ResultText
from desktop.text import one_line
from miner.errors import UserError
from miner.paths import PROJECT_SUFFIX, exists
from miner.progress import Job, Progress
from storage.pairs.filters import PairFilter
from storage.project import Project

log = logging.getLogger(__name__)

R = TypeVar("R")
Options = argparse.Namespace

_NAMED = 12  # of what there is, where something is asked for that is not


@dataclass(frozen=True, slots=True)
class CommandResult:
    """`text` for people and `data` for programs, on standard output; `notes` for people beside either, on stderr.

    Not `ok` when the command failed at its whole task.
    """

    text: str
    data: Any
    ok: bool = True
    notes: tuple[str, ...] = ()


def full_text(text: ResultText) -> str:
    """The sentence and the notes, a line each."""
    return "\n".join([text.sentence, *text.notes])


def problem_lines(problems: Iterable[ResultProblem]) -> tuple[str, ...]:
    """Each problem with its hint in a line."""
    return tuple(one_line(f"{problem.text} {problem.hint}").rstrip() for problem in problems)


def run_job(job: Job[R], options: Options) -> R:
    """The job's result; what `desktop.cli.interrupts` hears asks it to stop at a good place."""
    bar = Bar(job.title, quiet=options.quiet)
    progress = Progress(bar)
    with options.interrupts.stopping(progress):
        try:
            return job.work(progress)
        finally:
            bar.close()


def open_project(options: Options, *, to_look: bool = False) -> Project:
    """The project meant; `to_look`: also where nothing can be written."""
    path = project_path(options)
    closed = not (os.access(path.parent, os.W_OK) and os.access(path, os.W_OK))
    project = Project.open(path, read_only=to_look and closed and exists(path))
    if not to_look:
        _back_up(project, options)
    return project


def project_path(options: Options) -> Path:
    """The file meant, whether or not it can be opened."""
    path: Path = options.project or _only_project()
    return path


def _back_up(project: Project, options: Options) -> None:
    """Once a day, before something is changed; that it cannot be keeps nobody from working."""
    try:
        run_job(back_up(project.path, daily=True), options)
    except UserError as exc:
        log.warning("%s %s", exc, exc.hint)
    except BaseException:
        project.close()
        raise


def _only_project() -> Path:
    found = sorted(Path().glob(f"*{PROJECT_SUFFIX}"))
    if len(found) == 1:
        return found[0]
    if found:
        names = ", ".join(path.name for path in found)
        raise UserError(f"There are several projects here: {names}.", hint="Say which: --project FILE")
    raise UserError("There is no project here.", hint="Make one: pairwright new NAME.pairwright, or say --project FILE")


def unknown(kind: str, name: str, known: Iterable[str]) -> UserError:
    """No domain, phrase or the like is called so; perhaps another was meant."""
    names = sorted(filter(None, known))
    if near := get_close_matches(name, names, 1):
        hint = f"Did you mean “{near[0]}”?"
    else:
        hint = f"There are: {', '.join(names[:_NAMED])}{', …' if len(names) > _NAMED else ''}." if names else ""
    return UserError(f"No {kind} here is called “{name}”.", hint=hint)


def refuse_unknown(project: Project, filter: PairFilter, options: Options) -> None:
    """`UserError` where the filter asks for a domain or a phrase that nothing here has."""
    if not (filter.domains or filter.phrases):
        return
    seen = run_job(overview(project), options)
    domains = {*seen.domains, *(domain for domain, _, _ in seen.counts)}  # of papers, and of imported pairs
    phrases = {phrase for phrase, _, _ in seen.phrases}
    for kind, wanted, known in (
        ("domain", filter.domains, domains),
        ("phrase with pairs", filter.phrases, phrases),
    ):
        for name in sorted(wanted - known - {""}):
            raise unknown(kind, name, known)
