"""Answer tables as annotators send them back: of spreadsheets, of Label Studio and of Prodigy.

The exports have the fields of Label Studio 1.x (`label_studio_sdk.converter`) and of Prodigy's `db-out`.
"""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from desktop.jobs.review.answer_files import send_assignments
from miner.progress import Progress
from miner.records import Answer
from storage.annotation.annotators import Annotator
from storage.annotation.sent_assignments import AssignmentForm
from storage.exchange.answer_tables.row_ids import row_id
from storage.project import Project
from tests.answer_file_factory import ANNA, keys_in, minute, owner_project

Row = dict[str, str]
ID, LABEL = "pairwright_id", "label"

PREMISES = (
    "We set α to 0.5; the “naïve” baseline – see Table 2 – is worse…",
    '=SUM of all "parts" isn’t defined, e.g. in [3].',
    "A line\nbreak, with\ttabs, is in this sentence.",
    "The p-value (p < 0.05) of Müller's test → significant; x ≤ y.",
    "-5 °C was the lowest temperature 𝛼 of the ½ series (c) 2019.",
)


def table_project(path: Path, papers: str = "a") -> Project:
    """A project with a round for Anna and Ben, whose sentences have what spreadsheets damage."""
    project = owner_project(path, papers)
    with project.transaction() as stores:
        for number, key in enumerate(stores.annotation_rounds.keys(1)):
            premise = f"{PREMISES[number % len(PREMISES)]} ({number})"
            hypothesis = f"Sentence number {number} is “the – hypothesis”."
            stores._connection.exec_driver_sql(
                "UPDATE pairs SET premise = ?, mined_premise = ?, hypothesis = ?, mined_hypothesis = ? WHERE key = ?",
                (premise, premise, hypothesis, hypothesis, key),
            )
    return project


def send_as(project: Project, form: AssignmentForm, folder: Path, name: str = "Anna") -> Path:
    """The file with the pairs of an annotator."""
    [file] = send_assignments(project, 1, folder, [name], form).work(Progress())
    return file.path


def id_of(project: Project, key: str, annotator: Annotator = ANNA) -> str:
    """The id of a pair's row."""
    with project.read_transaction() as stores:
        [uid] = [one.uid for one in stores.annotation_rounds.assignments(1) if one.annotator == annotator.key]
    return row_id(uid, key)


def labels_by_id(project: Project, answers: Mapping[str, Answer], annotator: Annotator = ANNA) -> dict[str, Answer]:
    return {id_of(project, key, annotator): answer for key, answer in answers.items()}


def some_answers(project: Project) -> dict[str, Answer]:
    """An answer to each pair, by key; each of the five is given."""
    return {key: list(Answer)[number % 5] for number, key in enumerate(keys_in(project))}


def read_csv(path: Path) -> list[Row]:
    return list(csv.DictReader(io.StringIO(path.read_bytes().decode("utf-8-sig"), newline="")))


def write_csv(
    path: Path, rows: Sequence[Mapping[str, object]], *, encoding: str = "utf-8-sig", delimiter: str = ","
) -> Path:
    """Write rows as a table, in place of the file."""
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, list(rows[0]), delimiter=delimiter, lineterminator="\r\n")
    writer.writeheader()
    writer.writerows(rows)
    path.write_bytes(text.getvalue().encode(encoding, "replace"))
    return path


def fill_csv(path: Path, labels: Mapping[str, object]) -> Path:
    """Type labels, by the row's id, into a table."""
    return write_csv(path, [{**row, LABEL: str(labels.get(row[ID], ""))} for row in read_csv(path)])


def read_lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def write_lines(path: Path, objects: Sequence[object]) -> Path:
    path.write_text("".join(f"{json.dumps(one)}\n" for one in objects), encoding="utf-8")
    return path


def saved_at(path: Path, number: float) -> Path:
    """The file, last changed in this minute."""
    at = minute(number).timestamp()
    os.utime(path, (at, at))
    return path


def label_studio_json(tasks: Path, labels: Mapping[str, str], at: float = 5) -> list[dict[str, Any]]:
    """What Label Studio exports as JSON of these tasks. Those without a label have no annotation."""
    return [
        {
            "id": 100 + number,
            "data": task["data"],
            "annotations": [
                {
                    "id": 500 + number,
                    "completed_by": 1,
                    "result": [
                        {
                            "value": {"choices": [labels[task["data"][ID]]]},
                            "id": f"Dx_{number}",
                            "from_name": "label",
                            "to_name": "hypothesis",
                            "type": "choices",
                            "origin": "manual",
                        }
                    ],
                    "was_cancelled": False,
                    "ground_truth": False,
                    "created_at": _time(at - 1),
                    "updated_at": _time(at),
                    "lead_time": 12.5,
                }
            ]
            if task["data"][ID] in labels
            else [],
            "predictions": [],
            "created_at": _time(0),
            "updated_at": _time(at),
            "project": 83,
        }
        for number, task in enumerate(json.loads(tasks.read_text(encoding="utf-8")))
    ]


def label_studio_rows(tasks: Path, labels: Mapping[str, str], at: float = 5) -> list[dict[str, Any]]:
    """What Label Studio exports as JSON-MIN, and with the same columns as CSV; only what is annotated."""
    return [
        {
            **task["data"],
            "id": 100 + number,
            "label": labels[task["data"][ID]],
            "annotator": 1,
            "annotation_id": 500 + number,
            "created_at": _time(at - 1),
            "updated_at": _time(at),
            "lead_time": 12.5,
        }
        for number, task in enumerate(json.loads(tasks.read_text(encoding="utf-8")))
        if task["data"][ID] in labels
    ]


def prodigy_lines(tasks: Path, labels: Mapping[str, str], at: float = 5) -> list[dict[str, Any]]:
    """What Prodigy's `db-out` writes. Those without a label are ignored."""
    return [
        {
            **task,
            "_input_hash": number,
            "_task_hash": -number,
            "_is_binary": False,
            "_view_id": "choice",
            "accept": [labels[task[ID]]] if task[ID] in labels else [],
            "config": {"choice_style": "single"},
            "answer": "accept" if task[ID] in labels else "ignore",
            "_timestamp": int(minute(at).timestamp()),
            "_annotator_id": "anna-2026",
            "_session_id": "anna-2026",
        }
        for number, task in enumerate(read_lines(tasks))
    ]


def _time(number: float) -> str:
    return minute(number).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
