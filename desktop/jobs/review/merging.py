"""The job that merges answer files which came back into the project."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from desktop.text import count
from miner.errors import UserError
from miner.kinds.questionnaire import PairKinds
from miner.progress import Job, Progress
from storage.annotation.history import MAX_LISTED_KEYS
from storage.annotation.marks import MarkKind
from storage.annotation.merge_ledger import MergedAnswers
from storage.annotation.merging import MergeConflict, MergeCounts
from storage.changes import Changes
from storage.exchange.answer_files import AnswerFile, read_answer_file
from storage.project import Project, Stores
from storage.settings import ASSIGNMENT

_CLOCK_TOLERANCE = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class MergedFile:
    """What merging one answer file came to: pairs = `new` + `known` + `bad` + `unanswered`.

    name: of the annotator, in this project. called: their name in the file, if it is another one. new: answers that the
    project did not know, `agreeing` of them the same as one given elsewhere. known: answers that were merged before.
    bad: pairs without an answer that were marked as bad. marks: flags, notes and bad pairs that changed. gone: pairs
    that the project no longer has; their answers wait until it has them again. ahead: answers with a time to come, by a
    wrong clock. conflicts: pairs that were answered differently in two places, with their hypotheses by pair.
    """

    path: Path
    round: int
    name: str
    called: str
    pairs: int
    new: int
    known: int
    agreeing: int
    bad: int
    unanswered: int
    marks: int
    gone: int
    ahead: int
    conflicts: tuple[MergeConflict, ...]
    hypotheses: Mapping[str, str]


class RefusedAnswerFile(NamedTuple):
    """An answer file of which nothing was merged, and why."""

    path: Path
    reason: str
    hint: str


@dataclass(frozen=True, slots=True)
class MergeResult:
    """What was merged, as one action; `title` is the action's, "" if nothing was new."""

    files: tuple[MergedFile | RefusedAnswerFile, ...]
    title: str
    changes: Changes

    @property
    def merged(self) -> tuple[MergedFile, ...]:
        """The files that were merged, also those with nothing new."""
        return tuple(file for file in self.files if isinstance(file, MergedFile))

    @property
    def refused(self) -> tuple[RefusedAnswerFile, ...]:
        """The files of which nothing was merged."""
        return tuple(file for file in self.files if isinstance(file, RefusedAnswerFile))

    def conflict_keys(self, *, of_kinds: bool) -> tuple[str, ...]:
        """The pairs with conflicts about their relation, or about kinds; in order of the files, each once."""
        found = [conflict for file in self.merged for conflict in file.conflicts]
        wanted = [one for one in found if isinstance(one.here.answer, PairKinds) is of_kinds]
        return tuple(dict.fromkeys(conflict.pair_key for conflict in wanted))


def merge_answer_files(project: Project, paths: Sequence[Path]) -> Job[MergeResult]:
    """Merge answer files as one action, which one undo takes back. A file that is refused does not stop the others.

    Raises `UserError` if the project is an answer file itself.
    """

    def work(progress: Progress) -> MergeResult:
        with project.read_transaction() as stores:
            if (own := stores.settings.get(ASSIGNMENT)) is not None:
                raise UserError(
                    f"{project.path.name} is an answer file itself: the answers of {own.name} to round {own.round:,}.",
                    hint="Open the project that it was sent from, and merge it there.",
                )
        read: list[AnswerFile | RefusedAnswerFile] = []
        for path in dict.fromkeys(paths):
            progress.tick(len(read), len(paths), path.name)
            try:
                read.append(read_answer_file(path))
            except UserError as exc:
                read.append(RefusedAnswerFile(path, str(exc), exc.hint))
        with project.transaction() as stores:
            return _merge(stores, read, datetime.now(UTC))

    return Job("Merging answer files", work, "Nothing was merged.")


def load_merges(project: Project) -> Job[list[MergedAnswers]]:
    """What was merged and not undone, the latest first."""

    def work(progress: Progress) -> list[MergedAnswers]:
        with project.read_transaction() as stores:
            return stores.merge_ledger.merges()

    return Job("Reading what was merged", work)


class _Accepted(NamedTuple):
    """An answer file of this project. name: of its annotator here; present: how many of its pairs the project has."""

    file: AnswerFile
    name: str
    present: int


def _merge(stores: Stores, read: Sequence[AnswerFile | RefusedAnswerFile], at: datetime) -> MergeResult:
    checked = [file if isinstance(file, RefusedAnswerFile) else _check(stores, file) for file in read]
    accepted = [one for one in checked if isinstance(one, _Accepted)]
    if not accepted:
        return MergeResult(tuple(file for file in checked if isinstance(file, RefusedAnswerFile)), "", Changes())
    title = _title(accepted)
    action = stores.actions.begin("", title, at)
    changed: dict[str, None] = {}
    files: list[MergedFile | RefusedAnswerFile] = []
    for one in checked:
        if isinstance(one, RefusedAnswerFile):
            files.append(one)
            continue
        sent, file = one.file.assignment, one.file
        counts = stores.merging.merge(sent.uid, sent.annotator, file.answers, file.marks, action=action)
        files.append(_merged_file(one, counts, at))
        changed |= dict.fromkeys(stores.pairs.present(counts.changed))
    if not stores.merging.has_events(action):
        stores.actions.discard(action)
        return MergeResult(tuple(files), "", Changes())
    many = len(changed) > MAX_LISTED_KEYS
    keys = frozenset() if many else frozenset(changed)
    changes = Changes(annotated_keys=keys, many_annotated=many, settings=True)
    return MergeResult(tuple(files), title, changes)


def _title(accepted: Sequence[_Accepted]) -> str:
    if len(accepted) == 1:
        return f"Merge the answers of {accepted[0].name} to round {accepted[0].file.assignment.round:,}"
    return f"Merge {len(accepted):,} answer files"


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
        sum(answer.at > at + _CLOCK_TOLERANCE for answer in file.answers),
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
    """The name that the annotator of a file has here. `UserError` if the file is not of this project."""
    sent = file.assignment
    assignment = stores.annotation_rounds.assignment(sent.uid)
    round = stores.annotation_rounds.find(sent.round_uid)
    if assignment is None:
        what = f"{file.path} holds the answers of {sent.name} to round {sent.round:,} of another project."
        raise UserError(what, hint="Open the project that it was sent from, and merge it there.")
    numbers = {sent.round, assignment.round, round.number if round else 0}
    if round is None or len(numbers) > 1 or assignment.annotator != sent.annotator:
        raise UserError(
            f"{file.path} says that it is of another annotator or round than the one it was sent for: somebody has "
            "changed it.",
            hint=f"Ask {sent.name} to send the file again.",
        )
    if sent.taxonomy != (round.taxonomy or ""):
        raise UserError(
            f"{file.path} asks other questions than round {round.number:,}: somebody has changed it.",
            hint=f"Ask {sent.name} to send the file again.",
        )
    if foreign := set(file.texts) - set(stores.annotation_rounds.keys(round.number, sent.annotator)):
        raise UserError(
            f"{file.path} holds {count(len(foreign), 'pair')} that round {round.number:,} does not have: somebody has "
            "changed it.",
            hint=f"Ask {sent.name} to send the file again.",
        )
    names = {annotator.key: annotator.name for annotator in stores.annotators.all()}
    return names.get(sent.annotator, sent.name)


def _check_texts(stores: Stores, file: AnswerFile) -> int:
    """How many of the file's pairs the project has. `UserError` if their sentences are not those that were sent.

    The digest knows the file that was sent last; sentences may have been mended or mined again since.
    """
    present = stores.pairs.present(list(file.texts))
    if stores.sent_assignments.digest(file.assignment.uid) == file.assignment.digest:
        return len(present)
    if changed := stores.sent_assignments.count_foreign_texts(file.texts):
        raise UserError(
            f"{file.path} has other sentences than the project in {changed:,} of {count(len(file.texts), 'pair')}: "
            "somebody has changed it.",
            hint=f"Ask {file.assignment.name} to send the file again.",
        )
    return len(present)


def _bad_without_answer(file: AnswerFile) -> int:
    answers = {answer.pair_key: answer.answer if answer.complete else None for answer in file.answers}
    bad = {mark.pair_key: mark.value for mark in file.marks if mark.kind is MarkKind.BAD}
    return sum(value is not None and not answers.get(key) for key, value in bad.items())
