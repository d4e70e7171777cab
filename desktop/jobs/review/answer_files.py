"""Jobs that send assignments as answer files or answer tables, and find such files."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from desktop.jobs.review.annotation_rounds import get_round
from desktop.text import listed
from desktop.translation import tr
from miner.atomic_files import delete_abandoned, make_folder
from miner.errors import UserError
from miner.paths import ANSWER_TABLE_SUFFIXES, exists, is_file, write_hint
from miner.progress import Job, Progress
from storage.annotation.annotation_rounds import AnnotationRound, Assignment
from storage.annotation.annotators import Annotator, Role
from storage.annotation.sent_assignments import AssignmentForm, SentAssignment
from storage.exchange.answer_files import assignment_in, find_unanswered, write_answer_file
from storage.exchange.answer_tables.row_ids import holds_row_ids
from storage.exchange.answer_tables.writing import changed_files, check_can_be_table, form_paths, write_answer_table
from storage.exchange.sent_pairs import SentFile, file_stem
from storage.project import Project
from storage.stores import Stores

_Given = tuple[Assignment, Annotator]


class FoundAnswers(NamedTuple):
    """Files with answers. own: sent from the project, and tables of any project. foreign: sent from another project."""

    own: list[Path]
    foreign: dict[Path, SentAssignment]


def send_assignments(
    project: Project,
    number: int,
    folder: Path,
    annotators: Sequence[str] = (),
    form: AssignmentForm = AssignmentForm.ANSWER_FILE,
) -> Job[list[SentFile]]:
    """Write a round's assignments into a folder, and note that they were sent.

    A file that is there as it would be written is left, so that sending again completes what was stopped.

    annotators: keys or names; empty for all that the round was given to. Raises `UserError`, and writes nothing, for an
    unknown round or annotator, for a file that is there with other contents, such as answers, and for a table of a
    round that asks for kinds.
    """

    def work(progress: Progress) -> list[SentFile]:
        with project.read_transaction() as stores:
            round, assignments = _assignments(stores, number, annotators)
        if form is not AssignmentForm.ANSWER_FILE:
            check_can_be_table(round)
        paths = _paths(folder, number, assignments, form)
        with project.read_transaction() as stores:
            left = _unanswered_files(stores, round, assignments, form, paths)
        try:
            make_folder(folder)
            delete_abandoned(folder)
        except OSError as exc:
            raise UserError(
                tr("{folder} cannot be made: {strerror}.", folder=folder, strerror=exc.strerror), hint=write_hint(exc)
            ) from exc
        sent: list[SentFile] = []
        for path, (assignment, annotator) in zip(paths, assignments, strict=True):
            progress.tick(len(sent), len(paths), path[0].name)
            with project.read_transaction() as stores:
                if path[0] in left:
                    written = left[path[0]]
                elif form is AssignmentForm.ANSWER_FILE:
                    written = write_answer_file(stores, round, assignment, annotator, path[0])
                else:
                    written = write_answer_table(stores, round, assignment, annotator, form, path)
            with project.transaction() as stores:
                if not written.is_left or stores.sent_assignments.digest(assignment.uid) != written.assignment.digest:
                    stores.sent_assignments.record(written.assignment, datetime.now(UTC))
            sent.append(written)
        return sent

    return Job(tr("Writing files of round {number}", number=number), work, tr("The files written so far are complete."))


def find_answer_files(project: Project, paths: Sequence[Path]) -> Job[FoundAnswers]:
    """Which of these files hold answers. Only the beginning of a table is read."""

    def work(progress: Progress) -> FoundAnswers:
        found = FoundAnswers([], {})
        for path in paths:
            with suppress(UserError, OSError):
                if path.suffix.lower() in ANSWER_TABLE_SUFFIXES:
                    if is_file(path) and holds_row_ids(path):
                        found.own.append(path)
                elif sent := assignment_in(path):
                    with project.read_transaction() as stores:
                        is_own = stores.annotation_rounds.assignment(sent.uid) is not None
                    if is_own:
                        found.own.append(path)
                    else:
                        found.foreign[path] = sent
        return found

    return Job(tr("Looking at the files"), work)


def _assignments(stores: Stores, number: int, wanted: Sequence[str]) -> tuple[AnnotationRound, list[_Given]]:
    round = get_round(stores, number)
    annotators = {annotator.key: annotator for annotator in stores.annotators.all()}
    given = [
        (one, annotators.get(one.annotator, Annotator(one.annotator, one.annotator, Role.ANNOTATOR)))
        for one in stores.annotation_rounds.assignments(number)
    ]
    names = ", ".join(annotator.name for _, annotator in given)
    chosen = []
    for name in wanted:
        found = [one for one in given if one[1].key == name or one[1].name.casefold() == name.casefold()]
        if not found:
            hint = tr("It was given to: {names}.", names=names) if names else tr("Give the round to somebody first.")
            raise UserError(tr("Round {number:,} was not given to “{name}”.", number=number, name=name), hint=hint)
        chosen += found
    if not given:
        raise UserError(
            tr("Round {number:,} was given to nobody.", number=number), hint=tr("Give it to somebody first.")
        )
    return round, chosen or given


def _paths(folder: Path, number: int, assignments: Sequence[_Given], form: AssignmentForm) -> list[tuple[Path, ...]]:
    """The files of each assignment.

    They are distinct even if two names differ only in characters that file names cannot have.
    """
    paths: list[tuple[Path, ...]] = []
    for assignment, annotator in assignments:
        files = form_paths(form, folder, file_stem(number, annotator.name))
        if files in paths:
            files = form_paths(form, folder, file_stem(number, f"{annotator.name}-{assignment.uid[:8]}"))
        paths.append(files)
    return paths


def _unanswered_files(
    stores: Stores,
    round: AnnotationRound,
    assignments: Sequence[_Given],
    form: AssignmentForm,
    paths: Sequence[tuple[Path, ...]],
) -> dict[Path, SentFile]:
    """The answer files that are there and can be left as they are. `UserError` if a file has other contents."""
    left: dict[Path, SentFile] = {}
    changed: list[Path] = []
    for files, (assignment, annotator) in zip(paths, assignments, strict=True):
        if form is not AssignmentForm.ANSWER_FILE:
            changed += changed_files(stores, round, assignment, annotator, form, files)
        elif exists(files[0]):
            if found := find_unanswered(stores, round, assignment, annotator, files[0]):
                left[files[0]] = found
            else:
                changed += files
    if changed:
        raise UserError(
            tr("{found} exists already, perhaps with answers in it. Nothing was written.", found=changed[0])
            if len(changed) == 1
            else tr(
                "{found} exist already, perhaps with answers in them. Nothing was written.",
                found=listed(list(map(str, changed))),
            ),
            hint=tr(
                "Choose another folder, send only to the others, or delete what nobody has answered in: it is not what "
                "would be sent now."
            ),
        )
    return left
