"""The forms in which an assignment can be sent: names, and content of their files."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Mapping
from html import escape
from typing import NamedTuple, assert_never
from xml.sax.saxutils import quoteattr

from miner.paths import ANSWERS_SUFFIX
from miner.records import ANSWER_DEFINITIONS, Answer
from storage.annotation.sent_assignments import AssignmentForm, SentAssignment
from storage.exchange.answer_tables.instructions import TASK, instructions_html, instructions_text
from storage.exchange.answer_tables.reading import HYPOTHESIS, LABEL, PREMISE
from storage.exchange.answer_tables.row_ids import ID, by_row_id
from storage.exchange.data_files import safe_cell
from storage.exchange.sent_pairs import SentPair

_LABELS_HELP = (
    f"Write what holds into {LABEL}: the word, its letter or its number, in capitals or not. Leave it empty where you "
    "have not decided yet."
)
_KEEP = (
    f"You may sort the rows and add columns of your own. Please leave {ID}, {PREMISE} and {HYPOTHESIS} as they are: a "
    "row counts only if its sentences are those that were sent."
)


ENDINGS: Mapping[AssignmentForm, tuple[str, ...]] = {
    AssignmentForm.ANSWER_FILE: (ANSWERS_SUFFIX,),
    AssignmentForm.CSV: (".csv", ".instructions.txt"),
    AssignmentForm.JSONL: (".jsonl", ".jsonl.instructions.txt"),
    AssignmentForm.LABEL_STUDIO: (".label-studio.json", ".label-studio.xml", ".label-studio.html"),
    AssignmentForm.PRODIGY: (".prodigy.jsonl", ".prodigy.html"),
}
"""How the names of a form's files end: the one with the pairs first, then those beside it."""


def table_contents(
    form: AssignmentForm, sent: SentAssignment, pairs: Iterable[SentPair], guidelines: str
) -> tuple[str, ...]:
    """The contents of the files, in the order of `ENDINGS`. The same assignment gives the same."""
    texts = {pair.key: pair for pair in pairs}
    rows = [_SentRow(id, texts[key].premise, texts[key].hypothesis) for id, key in by_row_id(sent.uid, texts).items()]
    match form:
        case AssignmentForm.CSV:
            steps = [_LABELS_HELP, _KEEP, _CSV_HELP]
            return _csv(rows), instructions_text(sent, steps, guidelines)
        case AssignmentForm.JSONL:
            steps = [_LABELS_HELP, _KEEP, "Save the file as UTF-8, one object a line, and send it back."]
            return _json_lines(rows), instructions_text(sent, steps, guidelines)
        case AssignmentForm.LABEL_STUDIO:
            return _label_studio_tasks(rows), LABELING_CONFIG, instructions_html(sent, _LABEL_STUDIO_HELP, guidelines)
        case AssignmentForm.PRODIGY:
            return _prodigy_tasks(rows), instructions_html(sent, _PRODIGY_HELP, guidelines)
        case AssignmentForm.ANSWER_FILE:
            raise ValueError(f"{form} is no table")
    assert_never(form)


class _SentRow(NamedTuple):
    id: str
    premise: str
    hypothesis: str


_CSV_HELP = (
    "Open the file in a spreadsheet, such as Excel or LibreOffice: it is UTF-8 with commas. If all of a row is in one "
    "cell, open it by “Data > From text” instead and choose the comma. Save it as CSV, best as “CSV UTF-8”, and send "
    "it back."
)
_LABEL_STUDIO_HELP = [
    "Who sets this up: make a project for this annotator alone, paste the .xml under Settings > Labeling Interface > "
    "Code and this text under Instructions, and import the .json. In the end export as JSON, JSON-MIN or CSV."
]
_PRODIGY_HELP = [
    "Who sets this up: use a data set for this annotator alone, and start `prodigy mark DATASET FILE.prodigy.jsonl "
    "--loader jsonl --view-id choice`; this file can be named as “instructions” in prodigy.json. In the end write "
    "`prodigy db-out DATASET > FILE.jsonl`."
]


def _csv(rows: Iterable[_SentRow]) -> str:
    """A table with a byte order mark, without which Excel does not read UTF-8."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow((ID, PREMISE, HYPOTHESIS, LABEL))
    writer.writerows((id, safe_cell(premise), safe_cell(hypothesis), "") for id, premise, hypothesis in rows)
    return f"\ufeff{text.getvalue()}"


def _json_lines(rows: Iterable[_SentRow]) -> str:
    return _lines({**_fields(row), LABEL: ""} for row in rows)


def _label_studio_tasks(rows: Iterable[_SentRow]) -> str:
    tasks = ",\n".join(_json({"data": _fields(row)}) for row in rows)
    return f"[\n{tasks}\n]\n"


def _prodigy_tasks(rows: Iterable[_SentRow]) -> str:
    options = [{"id": answer.value, "text": answer.value} for answer in ANSWER_DEFINITIONS]
    return _lines({**_fields(row), "html": _html(row), "options": options} for row in rows)


def _html(row: _SentRow) -> str:
    parts = (("Premise", row.premise), ("Hypothesis", row.hypothesis))
    style = 'style="text-align: left"'
    return "".join(f"<p {style}><strong>{name}</strong><br>{escape(text)}</p>" for name, text in parts)


def _fields(row: _SentRow) -> dict[str, object]:
    return dict(zip((ID, PREMISE, HYPOTHESIS), row, strict=True))


def _lines(objects: Iterable[Mapping[str, object]]) -> str:
    return "".join(f"{_json(one)}\n" for one in objects)


def _json(value: object) -> str:
    # A sentence of a paper may hold line separators that some programs take for the end of a line.
    text = json.dumps(value, ensure_ascii=False)
    return text.replace("\u2028", "\\u2028").replace("\u2029", "\\u2029").replace("\x85", "\\u0085")


def _choice(number: int, answer: Answer, definition: str) -> str:
    return f'    <Choice value="{answer.value}" hotkey="{number}" hint={quoteattr(definition)}/>'


LABELING_CONFIG = "\n".join(
    [
        "<View>",
        '  <Header value="Premise" size="5"/>',
        f'  <Text name="{PREMISE}" value="${PREMISE}" valueType="text"/>',
        '  <Header value="Hypothesis" size="5"/>',
        f'  <Text name="{HYPOTHESIS}" value="${HYPOTHESIS}" valueType="text"/>',
        f'  <Header value={quoteattr(TASK)} size="6"/>',
        f'  <Choices name="{LABEL}" toName="{HYPOTHESIS}" choice="single" showInline="true" required="true"',
        '           requiredMessage="Choose a relation, or unclear.">',
        *(_choice(number, *one) for number, one in enumerate(ANSWER_DEFINITIONS.items(), 1)),
        "  </Choices>",
        *(
            f'  <Header value={quoteattr(f"{one.value}: {text}")} size="6"/>'
            for one, text in ANSWER_DEFINITIONS.items()
        ),
        "</View>",
        "",
    ]
)
"""The labelling interface of Label Studio (https://labelstud.io/tags/choices), the same for all assignments."""
