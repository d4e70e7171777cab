"""Jobs that read the table of pairs: its rows, the details of one pair, copies as text, and saved filters.

Each ends soon after it is cancelled.
"""

from __future__ import annotations

import json
import re
from array import array
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple, TypeVar

from desktop.jobs.transactions import read_job, write_job
from desktop.text import DIRECTIONS, shortened
from desktop.translation import tr
from miner.mining.identity import text_hash
from miner.progress import Job, Progress
from storage.annotation.answers import AnswerEvent, AnswerSource
from storage.annotation.kinds import KindEvent
from storage.annotation.marks import MarkKind, reason_text
from storage.annotation.texts import TextEvent
from storage.models.predictions import PairPrediction
from storage.pairs.filters import PairFilter, PairOrder
from storage.pairs.mended_texts import SentenceField
from storage.pairs.table import FacetCount, PairTableRow, Provenance
from storage.project import Project
from storage.settings import PAIR_FILTERS
from storage.stores import Stores

R = TypeVar("R")

_SEED = re.compile(r", seed \d+")  # in the title of a run
_FIRST_COUNT = 200  # pairs of `load_first`
_MAX_SEARCHED_IDS = 8  # searched for one by one; more in one pass over the list
_BATCH_SIZE = 5_000  # pairs copied at a time
_MAX_OLD_TEXT = 300  # characters of a sentence in the history


@dataclass(frozen=True, slots=True)
class FirstPairs:
    """The first pairs of a filter, and the lines of some of them. `is_complete`: the filter has no more."""

    ids: array[int]
    lines: list[PairTableRow]
    is_complete: bool


@dataclass(frozen=True, slots=True)
class PairList:
    """All pairs of a filter, in order, and the positions of the selected pairs in this list, by id."""

    ids: array[int]
    positions: dict[int, int]


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """An answer, mark or mended sentence of an annotator, in words; `is_current`: no later one has replaced it."""

    annotator: str
    at: datetime
    text: str
    is_current: bool


@dataclass(frozen=True, slots=True)
class SystemPrediction:
    """The prediction of an experiment's system for a pair: the mean of its runs.

    predicted: "" if there is no answer.
    """

    system: str
    predicted: str
    probability: float
    runs: int


@dataclass(frozen=True, slots=True)
class PairDetails:
    """All details of a pair; `history` is in order of time. predictions: of the systems of kept experiments."""

    line: PairTableRow
    provenance: Provenance
    history: list[HistoryEntry]
    predictions: tuple[SystemPrediction, ...] = ()


class CopyFormat(StrEnum):
    """How pairs are copied to the clipboard."""

    TSV = "tsv"
    JSON = "json"


class CopiedPairs(NamedTuple):
    """Pairs as text, and how many: those that still exist."""

    text: str
    pairs: int
    format: CopyFormat


@read_job("Filtering pairs")
def load_first(stores: Stores, filter: PairFilter, order: PairOrder, lines: int) -> FirstPairs:
    """The first pairs of a filter, and the table's rows for the first `lines` of them; fast even in large projects."""
    ids = stores.pair_table.ids(filter, order, _FIRST_COUNT)
    return FirstPairs(ids, stores.pair_table.rows(ids[:lines]), len(ids) < _FIRST_COUNT)


@read_job("Listing pairs")
def load_all(stores: Stores, filter: PairFilter, order: PairOrder, selected: frozenset[int] = frozenset()) -> PairList:
    """All ids of a filter, and the positions of the `selected` ones that are among them."""
    ids = stores.pair_table.ids(filter, order)
    return PairList(ids, _positions(ids, selected))


@read_job("Reading pairs")
def load_lines(stores: Stores, ids: Sequence[int]) -> list[PairTableRow]:
    """The table's rows for these pairs; removed pairs are left out."""
    return stores.pair_table.rows(ids)


@read_job("Counting pairs")
def count_pairs(stores: Stores) -> int:
    """How many pairs the project has, without those that are no longer mined."""
    return stores.pair_table.count(PairFilter())


@read_job("Reading the names of systems")
def load_cell_names(stores: Stores) -> dict[str, str]:
    """The display name of each cell of the project's experiments, by the cell's key."""
    return stores.pair_table.cell_names()


@read_job("Counting pairs by value")
def count_by_value(stores: Stores, filter: PairFilter, field: str) -> list[FacetCount]:
    """How many pairs match the filter for each value of one of its fields."""
    return stores.pair_table.facet_counts(filter, field)


@read_job("Reading a pair")
def load_details(stores: Stores, key: str) -> PairDetails | None:
    """All details of a pair; None if it was removed."""
    lines = stores.pair_table.rows(stores.pair_table.ids_of([key]))
    if not lines:
        return None
    names = stores.annotators.names()
    entries: list[tuple[str, datetime, str]] = []
    last_answers: dict[str, int] = {}
    for event in stores.answers.history(key):
        last_answers[event.annotator] = len(entries)
        entries.append((names.get(event.annotator, event.annotator), event.at, _answer_text(event)))
    last_marks: dict[tuple[str, MarkKind], int] = {}
    for mark in stores.marks.history(key):
        last_marks[mark.annotator, mark.kind] = len(entries)
        entries.append((names.get(mark.annotator, mark.annotator), mark.at, _mark_text(mark.kind, mark.new)))
    last_texts: dict[SentenceField, int] = {}
    for change in stores.texts.history(key):
        last_texts[change.field] = len(entries)
        who = names.get(change.annotator, change.annotator) or "imported"
        entries.append((who, change.at, _text_change(change)))
    last_kinds: dict[str, int] = {}
    for answered in stores.kinds.history(key):
        last_kinds[answered.annotator] = len(entries)
        who = names.get(answered.annotator, answered.annotator)
        entries.append((who, answered.at, _kinds_text(answered)))
    current = {*last_answers.values(), *last_marks.values(), *last_texts.values(), *last_kinds.values()}
    history = [HistoryEntry(*entry, is_current=index in current) for index, entry in enumerate(entries)]
    provenance = stores.pair_table.provenance(lines[0].id)
    hash = text_hash(lines[0].premise, lines[0].hypothesis)
    predictions = _by_system(stores.predictions.of_pair(hash))
    return PairDetails(lines[0], provenance, sorted(history, key=lambda entry: entry.at), predictions)


def copy_pairs(project: Project, ids: Sequence[int], format: CopyFormat) -> Job[CopiedPairs]:
    """Pairs as text: tab-separated lines with a header, or a JSON array."""

    def work(progress: Progress) -> CopiedPairs:
        parts: list[str] = []
        for low in range(0, len(ids), _BATCH_SIZE):
            progress.tick(low, len(ids))
            with project.read_transaction() as stores:
                lines = stores.pair_table.rows(ids[low : low + _BATCH_SIZE])
            parts += map(_tsv_line if format is CopyFormat.TSV else _json_object, lines)
        progress.tick(len(ids), len(ids))
        if format is CopyFormat.TSV:
            text = "\n".join(["\t".join(COPIED_FIELDS), *parts]) + "\n"
        else:
            text = "[\n" + ",\n".join(parts) + "\n]\n"
        return CopiedPairs(text, len(parts), format)

    return Job(tr("Copying pairs"), work)


@read_job("Reading pairs")
def load_keys(stores: Stores, ids: Sequence[int]) -> list[str]:
    """The keys of these pairs, in their order."""
    return stores.pair_table.keys(ids)


def run_with_keys(
    title: str, project: Project, ids: Sequence[int], create_job: Callable[[list[str]], Job[R]]
) -> Job[R]:
    """Read the pairs' keys, then run the job that `create_job` returns for them."""

    def work(progress: Progress) -> R:
        return create_job(load_keys(project, ids).work(progress)).work(progress)

    return Job(title, work)


@read_job("Reading saved filters")
def load_filters(stores: Stores) -> dict[str, PairFilter]:
    """The filters saved in the project, by name."""
    return stores.settings.get(PAIR_FILTERS)


@write_job("Saving a filter")
def save_filter(stores: Stores, name: str, filter: PairFilter | None) -> dict[str, PairFilter]:
    """Save a filter in the project under a name; None deletes it. Returns all saved filters after the change."""
    known = stores.settings.get(PAIR_FILTERS).copy()
    known.pop(name, None)
    if filter is not None:
        known[name] = filter
    stores.settings.put(PAIR_FILTERS, known)
    return dict(sorted(known.items()))


def _by_system(predictions: Sequence[PairPrediction]) -> tuple[SystemPrediction, ...]:
    """The mean over the runs that differ only in their seeds, in the order of their first runs."""
    runs: dict[tuple[str, tuple[str, ...]], list[tuple[float, ...]]] = {}
    for one in predictions:
        runs.setdefault((_SEED.sub("", one.title), one.classes), []).append(one.probabilities)
    found = []
    for (system, classes), values in runs.items():
        means = [sum(column) / len(values) for column in zip(*values, strict=True)]
        best = max(range(len(means)), key=means.__getitem__)
        found.append(SystemPrediction(system, classes[best] if means[best] else "", means[best], len(values)))
    return tuple(found)


def _positions(ids: array[int], selected: frozenset[int]) -> dict[int, int]:
    if len(selected) > _MAX_SEARCHED_IDS:
        return {id: position for position, id in enumerate(ids) if id in selected}
    positions = {}
    for id in selected:
        with suppress(ValueError):  # it no longer matches the filter
            positions[id] = ids.index(id)
    return positions


def _answer_text(event: AnswerEvent) -> str:
    if event.new is None:
        return tr("answer withdrawn")
    return tr("accepted {new}", new=event.new) if event.source is AnswerSource.ACCEPTED else event.new.value


def _mark_text(kind: MarkKind, value: str | None) -> str:
    match kind:
        case MarkKind.FLAG:
            return "flagged" if value else tr("flag removed")
        case MarkKind.NOTE:
            return tr("note: {value}", value=value) if value else tr("note deleted")
        case MarkKind.BAD:
            return tr("bad pair: {reason_text}", reason_text=reason_text(value)) if value else tr("bad pair removed")
        case MarkKind.TAG:
            return tr("error: {value}", value=value) if value else tr("tags removed")


def _text_change(event: TextEvent) -> str:
    before = tr("before: “{old}”", old=shortened(event.old, _MAX_OLD_TEXT))
    if event.new is None:
        return tr("{field} back to the mined text; {before}", field=event.field, before=before)
    return tr("{field} corrected; {before}", field=event.field, before=before)


def _kinds_text(event: KindEvent) -> str:
    """The relation, the categories and the direction that an annotator gives."""
    if event.new is None:
        return tr("answers about kinds withdrawn")
    found = event.kinds
    parts = [found.relation or tr("no relation"), ", ".join(sorted(found.categories)) or tr("no kind of reasoning")]
    parts += [DIRECTIONS[found.direction]] if found.direction else []
    return tr("kinds: {parts}", parts="; ".join(parts)) + ("" if found.complete else tr(" (not finished)"))


COPIED_FIELDS = {
    "id": "key",
    "premise": "premise",
    "hypothesis": "hypothesis",
    "label": "label",
    "distant_label": "distant",
    "gold_label": "gold",
    "status": "status",
    "phrase": "phrase",
    "strategy": "strategy",
    "domain": "domain",
    "year": "year",
    "title": "title",
    "paper_md5": "paper",
    "page": "page",
    "split": "split",
}


def copied_values(line: PairTableRow) -> list[str]:
    """The copied values of a pair, in the order of `COPIED_FIELDS`, without line breaks."""
    values = (getattr(line, name) for name in COPIED_FIELDS.values())
    return ["" if value is None else " ".join(str(value).split()) for value in values]


def _tsv_line(line: PairTableRow) -> str:
    return "\t".join(copied_values(line))


def _json_object(line: PairTableRow) -> str:
    values = {name: getattr(line, field) for name, field in COPIED_FIELDS.items()}
    return json.dumps({name: value if value != "" else None for name, value in values.items()}, ensure_ascii=False)
