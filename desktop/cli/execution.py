"""What all commands share: opening the project, running jobs, and the command's result."""

from __future__ import annotations

import argparse
import logging
import re
import shlex
from collections.abc import Iterable
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any, TypeVar

from desktop.cli.output import ProgressBar
from desktop.jobs.backups import back_up
from desktop.jobs.descriptions.result_text import ResultProblem, ResultText
from desktop.jobs.overview import overview
from desktop.jobs.pairs.filter_text import read_filter
from desktop.jobs.pairs.lists import require_lists
from desktop.jobs.review.annotator import annotator, register_annotator, set_annotator
from desktop.jobs.review.people import find_person
from desktop.text import one_line
from miner.errors import UserError
from miner.paths import ANSWERS_SUFFIX, PROJECT_SUFFIX, exists
from miner.progress import Cancelled, Job, Progress
from storage.file_checks import can_write
from storage.pairs.filters import PairFilter
from storage.project import Project
from storage.settings import ASSIGNMENT

log = logging.getLogger(__name__)

R = TypeVar("R")
Options = argparse.Namespace

# Answer files, and the copies that are kept when an older project is updated, are projects too, but not meant here.
_EXTRA_FILE = re.compile(rf"({re.escape(ANSWERS_SUFFIX)}|\.before-\d+{re.escape(PROJECT_SUFFIX)})$")
_MAX_NAMES_LISTED = 12  # in an error message


@dataclass(frozen=True, slots=True)
class CommandResult:
    """`text` is printed, or `data` with --json; `notes` go to stderr. Not `ok` if the command failed as a whole."""

    text: str
    data: Any
    ok: bool = True
    notes: tuple[str, ...] = ()


def full_text(text: ResultText) -> str:
    """The sentence and the notes, one per line."""
    return "\n".join([text.sentence, *text.notes])


def problem_lines(problems: Iterable[ResultProblem]) -> tuple[str, ...]:
    """Each problem and its hint in one line."""
    return tuple(one_line(f"{problem.text} {problem.hint}").rstrip() for problem in problems)


def run_job(job: Job[R], options: Options) -> R:
    """Run a job with a progress bar, and return its result. Signals cancel it, see `desktop.cli.interrupts`."""
    bar = ProgressBar(job.title, quiet=options.quiet)
    progress = Progress(bar)
    with options.interrupts.stopping(progress):
        try:
            return job.work(progress)
        except Cancelled as exc:
            raise Cancelled(job.if_stopped) from exc
        finally:
            bar.close()


def open_project(options: Options, *, for_reading: bool = False, answers_alone: bool = False) -> Project:
    """Open the project of the options. `for_reading`: read-only if the file cannot be written, and without a backup.

    Raises `UserError` for an answer file unless it is only read, or the command changes `answers_alone`: with other
    pairs in it, it could not be merged.
    """
    path = project_path(options)
    project = Project.open(path, read_only=for_reading and exists(path) and not can_write(path))
    if for_reading:
        return project
    try:
        with project.read_transaction() as stores:
            sent = stores.settings.get(ASSIGNMENT)
        if sent is None:
            _back_up(project, options)
        elif not answers_alone:
            raise UserError(
                f"{path} is an answer file, for the answers of {sent.name} alone.",
                hint="Open the project that it was sent from.",
            )
    except BaseException:
        project.close()
        raise
    return project


def project_path(options: Options) -> Path:
    """The project file of the options, whether or not it exists."""
    path: Path = options.project or _only_project(vars(options).get("paths") or ())
    return path


def _back_up(project: Project, options: Options) -> None:
    """Back up once a day before a change. If that fails, only a warning is logged."""
    try:
        run_job(back_up(project.path, daily=True), options)
    except UserError as exc:
        log.warning("%s %s", exc, exc.hint)


def _only_project(given: Iterable[Path]) -> Path:
    """The only project in this folder, apart from files given to the command.

    `UserError` unless there is exactly one.
    """
    others = {path.absolute() for path in given}
    found = (path for path in Path().glob(f"*{PROJECT_SUFFIX}") if not _EXTRA_FILE.search(path.name))
    files = sorted(path for path in found if path.absolute() not in others)
    if len(files) == 1:
        return files[0]
    if files:
        names = ", ".join(path.name for path in files)
        raise UserError(f"There are several projects here: {names}.", hint="Name one: --project FILE")
    raise UserError(
        "There is no project in this folder.",
        hint="Create one: pairwright new NAME.pairwright, or name one: --project FILE",
    )


def unknown_name_error(kind: str, name: str, known: Iterable[str]) -> UserError:
    """The error for a domain, phrase or the like that does not exist, with a similar name or the existing ones."""
    names = sorted(filter(None, known))
    if similar := get_close_matches(name, names, 1):
        hint = f"Did you mean “{similar[0]}”?"
    else:
        hint = (
            f"There are: {', '.join(names[:_MAX_NAMES_LISTED])}{', …' if len(names) > _MAX_NAMES_LISTED else ''}."
            if names
            else ""
        )
    return UserError(f"No {kind} here is called “{name}”.", hint=hint)


def acting_annotator(project: Project, options: Options, *, by: str = "--annotator") -> str:
    """The key of the annotator that a command acts for: the one named by the option `by`, else that of this account.

    The first annotator named here becomes the annotator of this account. `UserError` if none is known, or if the
    project has annotators and none of this name.
    """
    name: str | None = getattr(options, by.removeprefix("--"))
    known = run_job(annotator(project), options)
    if name:
        with project.read_transaction() as stores:
            if stores.annotators.names():
                try:
                    find_person(stores, name)
                except UserError as exc:
                    hint = f"{exc.hint} To add somebody: pairwright people add NAME".strip()
                    raise UserError(str(exc), hint=hint) from exc
        named = register_annotator if known else set_annotator
        return run_job(named(project, name), options).key
    if not known:
        raise UserError("No annotator is set on this computer.", hint=f"Name the annotator: {by} NAME")
    return known


def undo_hint(options: Options) -> str:
    """How to take back what a command did for its annotator."""
    whose = f" --annotator {shlex.quote(options.annotator)}" if options.annotator else ""
    return f"To take this back: pairwright undo{whose}"


def chosen_pairs(options: Options) -> PairFilter:
    """The filter of --where and --domain."""
    filter = read_filter(options.where)
    if options.domain and filter.domains:
        raise UserError("The domain is given twice.", hint="Use --domain or --where domain=…, not both.")
    return replace(filter, domains=frozenset(options.domain)) if options.domain else filter


def with_known_names(project: Project, filter: PairFilter, options: Options) -> PairFilter:
    """The filter with the keys of the annotators that it names.

    Raises `UserError` if it names an annotator, a list, a domain or a phrase that the project does not have.
    """
    if filter.lists or filter.outside_lists:
        with project.read_transaction() as stores:
            require_lists(stores, filter)
    if filter.annotators or filter.differing:
        with project.read_transaction() as stores:
            keys = {name: find_person(stores, name).key for name in filter.annotators | filter.differing if name}
        annotators, differing = (
            frozenset(keys.get(name, name) for name in names) for names in (filter.annotators, filter.differing)
        )
        filter = replace(filter, annotators=annotators, differing=differing)
    if not (filter.domains or filter.phrases):
        return filter
    summary = run_job(overview(project), options)
    domains = {*summary.domains, *(domain for domain, _, _ in summary.counts)}  # of papers, and of imported pairs
    phrases = {phrase for phrase, _, _ in summary.phrases}
    for kind, requested, known in (
        ("domain", filter.domains, domains),
        ("phrase with pairs", filter.phrases, phrases),
    ):
        for name in sorted(requested - known - {""}):
            raise unknown_name_error(kind, name, known)
    return filter
