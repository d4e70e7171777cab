"""The job that merges returned answer files and answer tables into the project."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from desktop.jobs.review.merge_results import CLOCK_TOLERANCE, MergedFile, MergeResult, RefusedAnswerFile, RefusedRows
from desktop.jobs.review.table_merging import count_train_answers, merge_table
from desktop.jobs.transactions import read_job
from desktop.text import count
from desktop.translation import tr
from miner.errors import UserError
from miner.paths import ANSWER_TABLE_SUFFIXES
from miner.progress import Job, Progress
from storage.annotation.history import MAX_LISTED_KEYS
from storage.annotation.marks import MarkKind
from storage.annotation.merge_ledger import MergedAnswers
from storage.annotation.merging import MergeCounts
from storage.changes import Changes
from storage.exchange.answer_files import AnswerFile, read_answer_file
from storage.exchange.answer_tables.checking import AnswerTable, read_answer_table
from storage.exchange.answer_tables.row_ids import RowIds
from storage.project import Project
from storage.settings import ASSIGNMENT
from storage.stores import Stores

_Read = AnswerFile | AnswerTable | RefusedAnswerFile


def merge_answer_files(project: Project, paths: Sequence[Path]) -> Job[MergeResult]:
    """Merge answer files and answer tables as one action, which one undo takes back.

    A refused file, or a refused row of a table, does not stop the others. The suffix tells a file from a table. Raises
    `UserError` if the project is an answer file itself.
    """

    def work(progress: Progress) -> MergeResult:
        with project.read_transaction() as stores:
            if (own := stores.settings.get(ASSIGNMENT)) is not None:
                raise UserError(
                    tr(
                        "{name} is an answer file itself: the answers of {name_2} to round {round:,}.",
                        name=project.path.name,
                        name_2=own.name,
                        round=own.round,
                    ),
                    hint=tr("Open the project that it was sent from, and merge it there."),
                )
        read: list[_Read] = []
        ids: list[RowIds] = []  # once they are needed
        for path in dict.fromkeys(paths):
            progress.tick(len(read), len(paths), path.name)
            try:
                read.append(_read(project, path, ids))
            except UserError as exc:
                read.append(RefusedAnswerFile(path, str(exc), exc.hint))
        with project.transaction() as stores:
            return _merge(stores, read, datetime.now(UTC))

    return Job(tr("Merging answer files"), work, tr("Nothing was merged."))


def _read(project: Project, path: Path, ids: list[RowIds]) -> _Read:
    if path.suffix.lower() not in ANSWER_TABLE_SUFFIXES:
        return read_answer_file(path)
    with project.read_transaction() as stores:
        if not ids:
            ids.append(RowIds(stores))
        return read_answer_table(stores, ids[0], path)


@read_job("Reading what was merged")
def load_merges(stores: Stores) -> list[MergedAnswers]:
    """The merged answers that were not undone, the latest first."""
    return stores.merge_ledger.merges()


class _Accepted(NamedTuple):
    """An accepted answer file.

    name: of its annotator in this project; present: how many of its pairs the project has.
    """

    file: AnswerFile
    name: str
    present: int


def _merge(stores: Stores, read: Sequence[_Read], at: datetime) -> MergeResult:
    new_keys = stores.paper_removals.successors()
    checked = [_check(stores, file.with_keys(new_keys)) if isinstance(file, AnswerFile) else file for file in read]
    tables = [one for one in checked if isinstance(one, AnswerTable)]
    rows = tuple(RefusedRows(one.path, one.refused, tuple(one.refusals)) for one in tables if one.refused)
    if all(isinstance(one, RefusedAnswerFile) for one in checked):
        refused = tuple(one for one in checked if isinstance(one, RefusedAnswerFile))
        return MergeResult(refused, "", Changes())
    title = _title(stores, checked)
    action = stores.actions.begin("", title, at)
    changed: dict[str, None] = {}
    files: list[MergedFile | RefusedAnswerFile] = []
    for one in checked:
        if isinstance(one, RefusedAnswerFile):
            files.append(one)
            continue
        if isinstance(one, AnswerTable):
            merged, keys = merge_table(stores, one, action=action, now=at)
            files += merged
        else:
            sent = one.file.assignment
            counts = stores.merging.merge(sent.uid, sent.annotator, one.file.answers, one.file.marks, action=action)
            answered = [answer.pair_key for answer in one.file.answers if answer.answer]
            in_train = count_train_answers(stores, sent.round, answered)
            files.append(replace(_merged_file(one, counts, at), in_train=in_train))
            keys = list(counts.changed)
        changed |= dict.fromkeys(stores.pairs.present(keys))
    if stores.actions.discard_if_empty(action):
        return MergeResult(tuple(files), "", Changes(), rows)
    many = len(changed) > MAX_LISTED_KEYS
    shown = frozenset[str]() if many else frozenset(changed)
    return MergeResult(tuple(files), title, Changes(annotated_keys=shown, many_annotated=many, settings=True), rows)


def _title(stores: Stores, checked: Sequence[_Accepted | AnswerTable | RefusedAnswerFile]) -> str:
    whose: list[tuple[str, int]] = []
    for one in checked:
        if isinstance(one, _Accepted):
            whose.append((one.name, one.file.assignment.round))
        elif isinstance(one, AnswerTable):
            parts = [part.assignment for part in one.parts.values()]
            whose += [(stores.annotators.get(part.annotator).name, part.round) for part in parts]
    if len(whose) == 1:
        return tr("Merge the answers of {whose} to round {whose_2:,}", whose=whose[0][0], whose_2=whose[0][1])
    return tr("Merge {whose:,} answer files", whose=len(whose))


def _merged_file(accepted: _Accepted, counts: MergeCounts, at: datetime) -> MergedFile:
    file, name, present = accepted
    sent = file.assignment
    bad = _bad_without_answer(file)
    return MergedFile(
        file.path,
        sent.round,
        name,
        sent.name if sent.name != name else "",
        sent.pairs,
        counts.new,
        counts.known,
        counts.agreeing,
        bad,
        sent.pairs - counts.answered - bad,
        counts.marks,
        sent.pairs - present,
        sum(answer.at > at + CLOCK_TOLERANCE for answer in file.answers),
        counts.conflicts,
        {one.pair_key: file.texts[one.pair_key][1] for one in counts.conflicts if one.pair_key in file.texts},
    )


def _check(stores: Stores, file: AnswerFile) -> _Accepted | RefusedAnswerFile:
    try:
        name = _check_origin(stores, file)
        return _Accepted(file, name, _check_texts(stores, file))
    except UserError as exc:
        return RefusedAnswerFile(file.path, str(exc), exc.hint)


def _check_origin(stores: Stores, file: AnswerFile) -> str:
    """The name of the file's annotator in this project. `UserError` if the file was not sent from this project."""
    sent = file.assignment
    assignment = stores.annotation_rounds.assignment(sent.uid)
    round = stores.annotation_rounds.find(sent.round_uid)
    if assignment is None:
        what = tr(
            "{path} holds the answers of {name} to round {round:,} of another project.",
            path=file.path,
            name=sent.name,
            round=sent.round,
        )
        raise UserError(what, hint=tr("Open the project that it was sent from, and merge it there."))
    numbers = {sent.round, assignment.round, round.number if round else 0}
    if round is None or len(numbers) > 1 or assignment.annotator != sent.annotator:
        raise UserError(
            tr(
                "{path} says that it is of another annotator or round than the one it was sent for: somebody "
                "has changed it.",
                path=file.path,
            ),
            hint=tr("Ask {name} to send the file again.", name=sent.name),
        )
    if sent.taxonomy != (round.taxonomy or ""):
        raise UserError(
            tr(
                "{path} asks other questions than round {number:,}: somebody has changed it.",
                path=file.path,
                number=round.number,
            ),
            hint=tr("Ask {name} to send the file again.", name=sent.name),
        )
    if foreign := set(file.texts) - set(stores.annotation_rounds.keys(round.number, sent.annotator)):
        raise UserError(
            tr(
                "{path} holds {pairs} that round {number:,} does not have: somebody has changed it.",
                path=file.path,
                pairs=count(len(foreign), "pair"),
                number=round.number,
            ),
            hint=tr("Ask {name} to send the file again.", name=sent.name),
        )
    names = {annotator.key: annotator.name for annotator in stores.annotators.all()}
    return names.get(sent.annotator, sent.name)


def _check_texts(stores: Stores, file: AnswerFile) -> int:
    """How many of the file's pairs the project has. `UserError` if their sentences differ from the sent sentences.

    The digest is that of the file sent last; sentences may have been mended or mined again since.
    """
    present = stores.pairs.present(list(file.texts))
    if stores.sent_assignments.digest(file.assignment.uid) == file.assignment.digest:
        return len(present)
    if changed := stores.sent_assignments.count_foreign_texts(file.texts):
        raise UserError(
            tr(
                "{path} has other sentences than the project in {changed:,} of {pairs}: somebody has changed it.",
                path=file.path,
                changed=changed,
                pairs=count(len(file.texts), "pair"),
            ),
            hint=tr("Ask {name} to send the file again.", name=file.assignment.name),
        )
    return len(present)


def _bad_without_answer(file: AnswerFile) -> int:
    answers = {answer.pair_key: answer.answer if answer.complete else None for answer in file.answers}
    bad = {mark.pair_key: mark.value for mark in file.marks if mark.kind is MarkKind.BAD}
    return sum(value is not None and not answers.get(key) for key, value in bad.items())
