"""Writes an assignment as an answer table, with what belongs to it."""

from __future__ import annotations

from pathlib import Path

from miner.atomic_files import atomic_file
from miner.errors import UserError
from miner.paths import exists, is_file, write_hint
from storage.annotation.annotation_rounds import AnnotationRound, Assignment
from storage.annotation.annotators import Annotator
from storage.annotation.sent_assignments import AssignmentForm, SentAssignment
from storage.exchange.answer_tables.forms import ENDINGS, table_contents
from storage.exchange.sent_pairs import SentFile, assigned_pairs
from storage.settings import GUIDELINES
from storage.stores import Stores


def form_paths(form: AssignmentForm, folder: Path, stem: str) -> tuple[Path, ...]:
    """The files of an assignment in this form: first the file with the pairs, then the accompanying files."""
    return tuple(folder / f"{stem}{ending}" for ending in ENDINGS[form])


def check_can_be_table(round: AnnotationRound) -> None:
    """Raise `UserError` for a round that a table cannot hold."""
    if round.plan.asks_kinds:
        raise UserError(
            f"Round {round.number:,} asks for kinds of reasoning, a questionnaire that no table can hold.",
            hint="Send it as an answer file, which is answered in Pairwright.",
        )


def changed_files(
    stores: Stores,
    round: AnnotationRound,
    assignment: Assignment,
    annotator: Annotator,
    form: AssignmentForm,
    paths: tuple[Path, ...],
) -> list[Path]:
    """Those of the files that are there, and are not as `write_answer_table` would write them."""
    if not any(map(exists, paths)):
        return []
    _, _, files = _contents(stores, round, assignment, annotator, form, paths)
    return [path for path, content in files if exists(path) and not _holds(path, content)]


def write_answer_table(
    stores: Stores,
    round: AnnotationRound,
    assignment: Assignment,
    annotator: Annotator,
    form: AssignmentForm,
    paths: tuple[Path, ...],
) -> SentFile:
    """Write an assignment in another form than an answer file, replacing files with other contents.

    paths: as from `form_paths`. `UserError` if no pair is left, for a round that asks for kinds, and if a file cannot
    be written. Each file is written completely or not at all, the file with the pairs last.
    """
    check_can_be_table(round)
    sent, pairs, files = _contents(stores, round, assignment, annotator, form, paths)
    to_write = [(path, content) for path, content in files if not _holds(path, content)]
    for path, content in reversed(to_write):
        try:
            with atomic_file(path, shared=True) as part:
                part.write_bytes(content)
        except OSError as exc:
            raise UserError(f"{path} cannot be written: {exc.strerror or exc}.", hint=write_hint(exc)) from exc
    size = len(files[0][1])
    return SentFile(paths[0], sent, assignment.size - pairs, size, paths[1:], is_left=not to_write)


def _holds(path: Path, content: bytes) -> bool:
    """Whether a file is there and holds exactly this."""
    try:
        return is_file(path) and path.stat().st_size == len(content) and path.read_bytes() == content
    except OSError:  # it cannot be read
        return False


def _contents(
    stores: Stores,
    round: AnnotationRound,
    assignment: Assignment,
    annotator: Annotator,
    form: AssignmentForm,
    paths: tuple[Path, ...],
) -> tuple[SentAssignment, int, list[tuple[Path, bytes]]]:
    """What is sent, of how many pairs, and each file with its content."""
    sent, pairs = assigned_pairs(stores, round, assignment, annotator)
    contents = table_contents(form, sent, pairs, stores.settings.get(GUIDELINES))
    return sent, len(pairs), list(zip(paths, [content.encode() for content in contents], strict=True))
