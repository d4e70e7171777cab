"""A project with a round of annotation, its answer files, and answers in them at given times."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from pathlib import Path

from sqlalchemy import insert

from desktop.jobs.review.answer_files import send_assignments
from desktop.jobs.review.merge_results import MergeResult
from desktop.jobs.review.merging import merge_answer_files
from miner.progress import Progress
from miner.records import Answer
from storage.annotation.annotation_rounds import AnnotationRound, RoundPair, RoundPlan
from storage.annotation.annotators import ANNOTATORS, Annotator, Role
from storage.annotation.answer_context import AnswerContext
from storage.annotation.answers import NewAnswer
from storage.annotation.marks import MarkKind
from storage.connections import connect
from storage.pairs.judgement import keys_scope
from storage.project import Project
from storage.settings import ASSIGNMENT, GUIDELINES
from tests.storage.factories import add, mine

START = datetime(2026, 3, 2, 9, tzinfo=UTC)
ANNA, BEN = Annotator("key of anna", "Anna", Role.ANNOTATOR), Annotator("key of ben", "Ben Čech", Role.ANNOTATOR)


def minute(number: float) -> datetime:
    return START + timedelta(minutes=number)


def owner_project(path: Path, papers: Iterable[str] = "abc", annotators: Sequence[Annotator] = (ANNA, BEN)) -> Project:
    """A project of mined papers, with guidelines and a round of all its pairs for these annotators."""
    project = Project.create(path, busy_timeout_s=0.2)
    add(project, papers)
    mine(project)
    add_round(project, annotators)
    return project


def add_round(project: Project, annotators: Sequence[Annotator]) -> AnnotationRound:
    """A round of all pairs, for annotators whom the project did not know."""
    with project.transaction() as stores:
        for one in annotators:
            stores._connection.execute(insert(ANNOTATORS).values(asdict(one)))
        stores.settings.put(GUIDELINES, "Unclear is an answer, too.")
        rows = stores._connection.exec_driver_sql("SELECT key, distant_label FROM pairs ORDER BY key")
        pairs = [RoundPair(key, "biology", label) for key, label in rows]
        return stores.annotation_rounds.add(RoundPlan(), pairs, [one.key for one in annotators], START)


def send(project: Project, folder: Path, number: int = 1) -> list[Path]:
    """The answer files of a round, by annotator's key."""
    return [file.path for file in send_assignments(project, number, folder).work(Progress())]


def answer_in(path: Path, answers: Mapping[str, Sequence[tuple[float, Answer | None]]]) -> None:
    """Answer pairs in an answer file: by key, the minute and the answer."""
    with Project.open(path) as file, file.transaction() as stores:
        sent = stores.settings.get(ASSIGNMENT)
        assert sent is not None
        action = stores.actions.begin(sent.annotator, "Answer", START)
        seen = AnswerContext(blind=True, seconds=4.5, round=sent.round)
        stores.answers.append(
            [
                NewAnswer(key, sent.annotator, minute(at), answer, seen=seen)
                for key, given in answers.items()
                for at, answer in given
            ],
            action=action,
        )


def mark_in(path: Path, key: str, kind: MarkKind, value: str | None, at: float) -> None:
    """Mark a pair in an answer file."""
    with Project.open(path) as file, file.transaction() as stores:
        sent = stores.settings.get(ASSIGNMENT)
        assert sent is not None
        action = stores.actions.begin(sent.annotator, "Mark", START)
        stores.marks.put(keys_scope([key]), sent.annotator, kind, value, minute(at), action=action)


def merge(project: Project, *paths: Path) -> MergeResult:
    return merge_answer_files(project, paths).work(Progress())


def keys_in(project: Project) -> list[str]:
    with project.read_transaction() as stores:
        return list(stores.annotation_rounds.keys(1))


def answers_of(project: Project, annotator: Annotator = ANNA) -> dict[str, Answer]:
    """The annotator's present answers by pair."""
    with project.read_transaction() as stores:
        given = {key: stores.answers.of_pair(key).get(annotator.key) for key in stores.annotation_rounds.keys(1)}
    return {key: answer for key, answer in given.items() if answer is not None}


def edit(path: Path, *statements: str) -> None:
    """Change a file by SQL, as somebody with a tool for databases could; histories can be changed, too."""
    with closing(connect(path)) as connection:
        triggers = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for name, _ in triggers:
            connection.execute(f"DROP TRIGGER {name}")
        for statement in statements:
            connection.execute(statement)
        for _, sql in triggers:
            connection.execute(sql)
