"""Reads the rows of an answer table: CSV and TSV, JSON lines, the exports of Label Studio and of Prodigy.

Which of these a file is follows from its content, not its name. Formats:
Label Studio: https://labelstud.io/guide/task_format and `label_studio_sdk.converter` (CSV and JSON-MIN).
Prodigy: https://prodi.gy/docs/api-interfaces#choice and `db-out`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from miner.errors import UserError
from miner.parsing.files import unreadable_error
from storage.exchange.answer_tables.json_arrays import read_json_array
from storage.exchange.answer_tables.row_ids import ID
from storage.exchange.table_files import check_is_text, read_delimited, read_json_lines, text_of
from storage.exchange.table_rows import TableRow, TableUse

PREMISE, HYPOTHESIS, LABEL = "premise", "hypothesis", "label"
MAX_ROWS = 1_000_000  # ten times the pairs of a round
_MAX_FILE_BYTES = 512_000_000
_USE = TableUse("an answer table", f"{ID}, {PREMISE}, {HYPOTHESIS} and {LABEL}, as it was sent")
_IDS = ID, "pairwright id", "pairwrightid", "id", f"ï»¿{ID}"  # the last: a mark of UTF-8 that was read as cp1252
_NEEDED = _IDS, (PREMISE,), (HYPOTHESIS,), (LABEL,)
_YEARS = range(2000, 2100)  # of an answer
_MAX_SECONDS = 86_400.0  # that a pair was on the screen
_SEEN_CHARACTERS = 4096


class ReturnedRow(NamedTuple):
    """A row as it came back. place: where it is in the file. by: who has answered it, as the other program knows them.

    at: when it was answered; None if the file does not say. problem: why it cannot be read, or is no answer; else "".
    """

    place: str
    id: object
    premise: object
    hypothesis: object
    label: object
    at: datetime | None = None
    by: str = ""
    seconds: float | None = None
    problem: str = ""


def read_rows(path: Path) -> Iterator[ReturnedRow]:
    """The rows in order, but for empty ones. `UserError` if the file cannot be read, or has not the columns."""
    try:
        if path.stat().st_size > _MAX_FILE_BYTES:
            raise UserError(f"{path} is too large for answers.", hint="Choose the file that was sent back.")
        check_is_text(path, _USE)
        with path.open("rb") as file:
            if file.read(2) == b"\x1f\x8b":
                raise UserError(f"{path} is compressed.", hint="Unpack it, then merge what is in it.")
            file.seek(0)
            with text_of(file) as text:
                first = text.read(_SEEN_CHARACTERS).lstrip()[:1]
    except OSError as exc:
        raise unreadable_error(path, exc) from exc
    if first == "[":
        return _limited(path, _entries(read_json_array(path), "entry"))
    if first == "{":
        return _limited(path, _entries(read_json_lines(path), "line"))
    return _limited(path, _entries(read_delimited(path, _NEEDED, _USE), "line"))


def _limited(path: Path, rows: Iterable[ReturnedRow]) -> Iterator[ReturnedRow]:
    for number, row in enumerate(rows):
        if number >= MAX_ROWS:
            raise UserError(f"{path} has more than {MAX_ROWS:,} rows.", hint="Choose the file that was sent back.")
        yield row


def _entries(rows: Iterable[TableRow], unit: str) -> Iterator[ReturnedRow]:
    for row in rows:
        place = f"{unit} {row.line:,}"
        if row.problem:
            yield ReturnedRow(place, None, None, None, None, problem=row.problem)
        elif isinstance(row.fields.get("data"), dict):
            yield from _task(place, row.fields)
        elif any(value not in (None, "") for value in row.fields.values()):
            yield _flat(place, row.fields)


def _flat(place: str, given: Mapping[str, object]) -> ReturnedRow:
    """A row whose fields are named as they were sent: of a table, of Label Studio's JSON-MIN, or of Prodigy."""
    fields = {name.strip().casefold(): value for name, value in given.items() if isinstance(name, str)}
    id = next((fields[name] for name in _IDS if fields.get(name) not in (None, "")), None)
    row = ReturnedRow(place, id, fields.get(PREMISE), fields.get(HYPOTHESIS), fields.get(LABEL))
    if "answer" in fields and ("options" in fields or "accept" in fields):
        return _of_prodigy(row, fields)
    at = _time(fields.get("updated_at")) or _time(fields.get("created_at"))
    return row._replace(at=at, by=_name(fields.get("annotator")), seconds=_seconds(fields.get("lead_time")))


def _of_prodigy(row: ReturnedRow, fields: Mapping[str, object]) -> ReturnedRow:
    accepted, answer = fields.get("accept"), fields.get("answer")
    row = row._replace(at=_time(fields.get("_timestamp")), by=_name(fields.get("_annotator_id")), label=None)
    if answer == "ignore" or not accepted:
        return row
    if answer != "accept":
        return row._replace(problem="it was rejected, so it is no answer")
    return _chosen(row, accepted)


def _task(place: str, task: Mapping[str, object]) -> Iterator[ReturnedRow]:
    """A task of Label Studio: a row for each annotation, one without a label if there is none."""
    data: Any = task["data"]
    row = _flat(place, data)._replace(label=None)
    annotations = task.get("annotations", task.get("completions"))
    given = [one for one in annotations if isinstance(one, dict)] if isinstance(annotations, list) else []
    given = [one for one in given if one.get("was_cancelled") is not True]
    for annotation in given:
        at = _time(annotation.get("updated_at")) or _time(annotation.get("created_at"))
        by, seconds = _name(annotation.get("completed_by")), _seconds(annotation.get("lead_time"))
        yield _chosen(row._replace(at=at, by=by, seconds=seconds), _choices(annotation.get("result")))
    if not given:
        yield row


def _choices(result: object) -> list[object]:
    found: list[object] = []
    for region in result if isinstance(result, list) else []:
        if isinstance(region, dict) and region.get("from_name") == LABEL and isinstance(region.get("value"), dict):
            choices = region["value"].get("choices")
            found += choices if isinstance(choices, list) else []
    return found


def _chosen(row: ReturnedRow, chosen: object) -> ReturnedRow:
    if not isinstance(chosen, list):
        return row._replace(label=chosen)
    if len(chosen) > 1:
        return row._replace(problem="it has more than one label")
    return row._replace(label=chosen[0] if chosen else None)


def _time(value: object) -> datetime | None:
    """A time as ISO text or in seconds since 1970; None for anything else."""
    try:
        if isinstance(value, str):
            at = datetime.fromisoformat(value.strip())
            at = at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)
        elif isinstance(value, int | float) and not isinstance(value, bool):
            at = datetime.fromtimestamp(value, UTC)
        else:
            return None
    except (ValueError, OverflowError, OSError):
        return None
    return at if at.year in _YEARS else None


def _seconds(value: object) -> float | None:
    try:
        seconds = float(value) if isinstance(value, str | int | float) and not isinstance(value, bool) else math.nan
    except (ValueError, OverflowError):
        return None
    return seconds if 0 <= seconds <= _MAX_SECONDS else None


def _name(value: object) -> str:
    if isinstance(value, dict):
        value = value.get("email", value.get("id"))
    return str(value)[:200] if isinstance(value, str | int) else ""
