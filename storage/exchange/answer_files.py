"""Answer files: one annotator's assignment as a small project of its own, sent to them and merged when it comes back.

The file is a Pairwright project, so the same program opens it and the same checks guard against a hostile or damaged
one. It holds the pairs under one stand-in paper without a title, with nothing that could tell what a phrase or a model
says of them, and nothing else of the project that it comes from.
"""

from __future__ import annotations

import json
import sqlite3
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, insert

from miner.atomic_files import atomic_file
from miner.errors import UserError
from miner.kinds.taxonomy import Taxonomy
from miner.mining.pair_values import pair_values
from miner.paths import exists, write_hint
from miner.records import Pair, PaperPosition, Strategy
from storage.annotation.annotation_rounds import AnnotationRound, Assignment, RoundAsks
from storage.annotation.annotators import ANNOTATORS, Annotator, Role
from storage.annotation.answer_context import AnswerContext
from storage.annotation.answers import AnswerSource
from storage.annotation.kinds import identify_taxonomy
from storage.annotation.merging import ReturnedAnswer, ReturnedMark
from storage.annotation.rounds import Round, RoundOrder
from storage.annotation.sent_assignments import SentAssignment, pairs_digest
from storage.connections import connect, copy_database
from storage.errors import DamagedProject, UndecodableValue, translate_decoding_errors, translate_errors
from storage.exchange.event_checks import EventCheck
from storage.exchange.sent_pairs import SentFile, SentPair, assigned_pairs
from storage.file_checks import check_project_file, claimed_to_read, reading_mode
from storage.pairs.filters import PairFilter
from storage.pairs.store import insert_pairs
from storage.papers.metadata import PAPERS
from storage.project import Project
from storage.schema import DATA_SET
from storage.settings import ASSIGNMENT, BLIND, GUIDELINES
from storage.stores import Stores

_PAGE_BYTES = 1024  # of an answer file: most of its tables are empty, and an empty table takes a page
_MAX_FILE_BYTES = 512_000_000  # 100,000 pairs of 1,000 characters, answered several times
_MAX_EVENTS = 2_000_000
_SEND_AGAIN = "Ask {} to send the file again."

_PAIRS_IN_FILE = "SELECT key, premise, hypothesis FROM pairs ORDER BY ordinal, id"
_ANSWERS = "SELECT pair_key, annotator, at, seen, new, via FROM label_events ORDER BY id LIMIT ?"
_KINDS = "SELECT pair_key, annotator, at, new, taxonomy FROM kind_events ORDER BY id LIMIT ?"
_OTHER_ANSWERS = "SELECT EXISTS (SELECT 1 FROM kind_events), EXISTS (SELECT 1 FROM label_events)"
_MARKS = "SELECT pair_key, annotator, at, kind, new FROM mark_events ORDER BY id LIMIT ?"


@dataclass(frozen=True, slots=True)
class AnswerFile:
    """The checked contents of a returned answer file.

    texts: premise and hypothesis by the pair's key, in order. answers, marks: all of the annotator's, the oldest first,
    with times that grow for each pair, even where the clock of their computer was set back.
    """

    path: Path
    assignment: SentAssignment
    texts: Mapping[str, tuple[str, str]]
    answers: tuple[ReturnedAnswer, ...]
    marks: tuple[ReturnedMark, ...]

    def with_keys(self, new_keys: Mapping[str, str]) -> AnswerFile:
        """The same of pairs that have other keys now, as after a merge of papers."""
        if new_keys.keys().isdisjoint(self.texts):
            return self
        return replace(
            self,
            texts={new_keys.get(key, key): texts for key, texts in self.texts.items()},
            answers=tuple(one._replace(pair_key=new_keys.get(one.pair_key, one.pair_key)) for one in self.answers),
            marks=tuple(one._replace(pair_key=new_keys.get(one.pair_key, one.pair_key)) for one in self.marks),
        )


def write_answer_file(
    stores: Stores, round: AnnotationRound, assignment: Assignment, annotator: Annotator, path: Path
) -> SentFile:
    """Write an assignment of this project as an answer file, in place of a file that is there.

    It appears whole or not at all. Raises `UserError` if no pair is left or the file cannot be written.
    """
    sent, pairs = assigned_pairs(stores, round, assignment, annotator)
    guidelines = stores.settings.get(GUIDELINES)
    taxonomy = stores.kinds.taxonomy_text(round.taxonomy) if round.taxonomy else ""
    try:
        with atomic_file(path, shared=True) as part:
            with Project.create(part) as file, file.transaction() as its_stores:
                _fill(its_stores, sent, pairs, guidelines)
                if taxonomy:
                    its_stores.kinds.put_taxonomy(taxonomy)
                    its_stores.annotation_rounds.add_part(round, annotator.key, [key for key, _, _ in pairs])
            with translate_errors(path), closing(sqlite3.connect(part, isolation_level=None)) as compacting:
                for statement in ("journal_mode = DELETE", f"page_size = {_PAGE_BYTES}"):
                    compacting.execute(f"PRAGMA {statement}")
                compacting.execute("VACUUM")
            size = part.stat().st_size
    except OSError as exc:
        raise UserError(f"{path} cannot be written: {exc.strerror or exc}.", hint=write_hint(exc)) from exc
    return SentFile(path, sent, assignment.size - len(pairs), size)


def find_unanswered(
    stores: Stores, round: AnnotationRound, assignment: Assignment, annotator: Annotator, path: Path
) -> SentFile | None:
    """The file at `path`, if it is an answer file of this assignment as it would be written now, without an answer."""
    sent, pairs = assigned_pairs(stores, round, assignment, annotator)
    try:
        with _opened_copy(path) as (its_stores, found):
            file = _read(its_stores, path, found)
            guidelines = its_stores.settings.get(GUIDELINES)
        size = path.stat().st_size
    except (UserError, OSError):
        return None
    if file.assignment != sent or file.answers or file.marks or guidelines != stores.settings.get(GUIDELINES):
        return None
    return SentFile(path, sent, assignment.size - len(pairs), size, is_left=True)


def _fill(stores: Stores, sent: SentAssignment, pairs: Sequence[SentPair], guidelines: str) -> None:
    connection = stores._connection
    paper = _stand_in(connection, sent)
    insert_pairs(connection, [_values(paper, number, *pair) for number, pair in enumerate(pairs)])
    keys = tuple(key for key, _, _ in pairs)
    if sent.asks is RoundAsks.RELATION:
        stores.queues.start(sent.annotator, Round(sent.round, RoundOrder.ASSIGNED, PairFilter(), len(keys), keys, 0))
    connection.execute(insert(ANNOTATORS).values(key=sent.annotator, name=sent.name, role=Role.ANNOTATOR))
    stores.settings.put(ASSIGNMENT, sent)
    stores.settings.put(BLIND, True)
    stores.settings.put(GUIDELINES, guidelines)


def _stand_in(connection: Connection, sent: SentAssignment) -> int:
    """The id of the paper that stands for all papers of the pairs."""
    values = {
        "md5": sent.digest[:32],
        "sha256": sent.digest,
        "kind": DATA_SET,
        "title": "",
        "authors": "[]",
        "domain": "",
        "parser": "answer file",
        "parser_version": "1",
        "splitter": "",
        "digest": sent.digest,
        "edited": "[]",
    }
    return int(connection.execute(insert(PAPERS).values(**values).returning(PAPERS.c.id)).scalar_one())


def _values(paper: int, number: int, key: str, premise: str, hypothesis: str) -> dict[str, Any]:
    place = PaperPosition(0, 0, number)
    pair = Pair(
        key=key,
        premise=premise,
        hypothesis=hypothesis,
        hypothesis_original=hypothesis,
        strategy=Strategy.IMPORTED,
        distant_label=None,
        phrase=None,
        premise_at=place,
        hypothesis_at=place,
        page=None,
    )
    return pair_values(pair) | {"paper_id": paper, "run": None, "current": True, "ordinal": number}


def assignment_in(path: Path) -> SentAssignment | None:
    """The assignment of an answer file, without a look at its answers; None for another project.

    Raises `UserError` if it cannot be opened as a project: see `Project.open`.
    """
    with claimed_to_read(path), translate_errors(path):
        check_project_file(path)
        with closing(connect(path, mode=reading_mode(path))) as connection:
            row = connection.execute("SELECT value FROM settings WHERE key = ?", (ASSIGNMENT.key,)).fetchone()
        with translate_decoding_errors():
            return None if row is None else ASSIGNMENT.load(json.loads(row[0]))


def read_answer_file(path: Path) -> AnswerFile:
    """Read and check an answer file that came back; the file itself is only copied.

    Raises `UserError` if it is missing, damaged, newer than this program, not an answer file, or if anything in it is
    not as Pairwright writes it: such a file is refused as a whole.
    """
    with _opened_copy(path) as (stores, sent):
        return _read(stores, path, sent)


@contextmanager
def _opened_copy(path: Path) -> Iterator[tuple[Stores, SentAssignment]]:
    if not exists(path):
        raise UserError(f"There is no {path}.", hint="Check the path.")
    whom = "its annotator"
    try:
        with claimed_to_read(path):
            check_project_file(path)
        if path.stat().st_size > _MAX_FILE_BYTES:
            raise UserError(f"{path} is too large for an answer file.", hint="Ask who sent it for the right file.")
        with tempfile.TemporaryDirectory(prefix="pairwright-") as folder:
            copy = Path(folder) / path.name
            with claimed_to_read(path), translate_errors(path):
                copy_database(path, copy, mode=reading_mode(path))
            with Project.open(copy) as file, file.read_transaction() as stores:
                if (sent := stores.settings.get(ASSIGNMENT)) is None:
                    raise UserError(
                        f"{path} is a project, but not an answer file.",
                        hint="Answer files are made by “Send…” on the Rounds page, or `pairwright round send`. To add "
                        "the papers and answers of a project, drop it on the window, or use `pairwright add`.",
                    )
                whom = sent.name
                yield stores, sent
    except DamagedProject as exc:
        raise UserError(
            f"{path} is damaged: not all of it can be read. Nothing was merged.", hint=_SEND_AGAIN.format(whom)
        ) from exc
    except OSError as exc:
        raise UserError(f"{path} cannot be copied: {exc.strerror or exc}.", hint=write_hint(exc)) from exc


def _read(stores: Stores, path: Path, sent: SentAssignment) -> AnswerFile:
    connection = stores._connection
    pairs = [tuple(row) for row in connection.exec_driver_sql(_PAIRS_IN_FILE)]
    with translate_decoding_errors():
        digest = pairs_digest(pairs)
    if len(pairs) != sent.pairs or digest != sent.digest:
        raise UserError(
            f"The sentences in {path} are not those that were sent: somebody has changed the file.",
            hint=f"{_SEND_AGAIN.format(sent.name)} The answers were given to other sentences, so they are not merged.",
        )
    texts = {key: (premise, hypothesis) for key, premise, hypothesis in pairs}
    try:
        with translate_decoding_errors():
            check = _EventCheck(sent, frozenset(texts), _taxonomy(stores, sent))
            has_kinds, has_relations = connection.exec_driver_sql(_OTHER_ANSWERS).one()
            if has_relations if sent.taxonomy else has_kinds:
                raise ValueError("answers to questions that were not asked")
            if sent.taxonomy:
                answers = tuple(map(check.kinds, _limited(connection, _KINDS)))
            else:
                answers = tuple(map(check.answer, _limited(connection, _ANSWERS)))
            marks = tuple(map(check.mark, _limited(connection, _MARKS)))
    except UndecodableValue as exc:
        raise UserError(
            f"{path} holds answers that Pairwright did not write: {exc}. Nothing was merged.",
            hint=_SEND_AGAIN.format(sent.name),
        ) from exc
    return AnswerFile(path, sent, texts, answers, marks)


def _taxonomy(stores: Stores, sent: SentAssignment) -> Taxonomy | None:
    """The taxonomy of a file that asks for kinds. `ValueError` if it is not the one that was sent."""
    if not sent.taxonomy:
        return None
    try:
        text = stores.kinds.taxonomy_text(sent.taxonomy)
        stored = identify_taxonomy(text)
    except UserError as exc:
        raise ValueError("its questions cannot be read") from exc
    if stored.digest != sent.taxonomy:
        raise ValueError("its questions are not those that were sent")
    return stored.taxonomy


def _limited(connection: Connection, statement: str) -> list[Any]:
    rows = connection.exec_driver_sql(statement, (_MAX_EVENTS + 1,)).all()
    if len(rows) > _MAX_EVENTS:
        raise ValueError(f"more than {_MAX_EVENTS:,} of them")
    return list(rows)


class _EventCheck(EventCheck):
    """Checks the events of a file, which are all of its annotator and about its pairs."""

    years = range(2000, 2100)

    def __init__(self, sent: SentAssignment, keys: frozenset[str], taxonomy: Taxonomy | None) -> None:
        super().__init__({sent.taxonomy: taxonomy} if taxonomy else {})
        self._annotator, self._keys = sent.annotator, keys

    def answer(self, row: Any) -> ReturnedAnswer:
        if row.via != AnswerSource.ANSWER:
            raise ValueError("an answer that is no answer of a person")
        return super().answer(row)

    def context(self, text: str) -> AnswerContext:
        seen = super().context(text)
        return AnswerContext(blind=seen.blind, seconds=seen.seconds, round=seen.round, origin="answer file")

    def time(self, row: Any, what: str) -> datetime:
        if row.annotator != self._annotator:
            raise ValueError("answers of another annotator")
        if row.pair_key not in self._keys:
            raise ValueError("an answer to a pair that is not in the file")
        return super().time(row, what)
