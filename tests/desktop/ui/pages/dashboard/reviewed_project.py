"""Answers and marks for the project of sample papers."""

from __future__ import annotations

from storage.pairs.judgement import refresh
from storage.project import Project

ANSWER = "INSERT INTO label_events (pair_key, annotator, at, seen, new) VALUES (?, 'mk', '', '{}', ?)"
BAD = "INSERT INTO mark_events (pair_key, annotator, at, kind, new) VALUES (?, 'mk', '', 'bad', 'not prose')"


def add_answers(project: Project) -> None:
    """Answer every third pair, mostly as its phrase says, some differently or "unclear"; mark a few pairs as bad."""
    with project.transaction() as stores:
        rows = stores._connection.exec_driver_sql("SELECT key, distant_label FROM pairs ORDER BY id").all()
        keys = [key for key, _ in rows]
        for number, (key, label) in enumerate(rows):
            if number % 3 == 0:
                answer = ("unclear", "neutral", label, label, label)[number // 3 % 5]
                stores._connection.exec_driver_sql(ANSWER, (key, answer))
            elif number % 7 == 0:
                stores._connection.exec_driver_sql(BAD, (key,))
        refresh(stores._connection, keys)
