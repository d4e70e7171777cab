"""What the table of pairs reads, a piece at a time: each job ends soon after it is cancelled."""

from __future__ import annotations

import json
from array import array
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import TypeVar

from miner.progress import Job, Progress
from storage.annotation.answers import AnswerEvent, AnswerSource
from storage.annotation.marks import MarkKind
from storage.pairs.filters import PairFilter, PairOrder
from storage.pairs.table import FacetCount, PairTableRow, Provenance
from storage.project import Project
from storage.settings import PAIR_FILTERS

R = TypeVar("R")

FIRST = 200  # pairs of `first`
_FEW = 8  # ids that are searched for one by one
_TOGETHER = 5_000  # pairs written or looked up at a time


@dataclass(frozen=True, slots=True)
class First:
    """The first pairs of a filter and the lines of some of them; `whole`: there are no more."""

    ids: array[int]
    lines: list[PairTableRow]
    whole: bool


@dataclass(frozen=True, slots=True)
class Listed:
    """All pairs of a filter, and where in the list those asked for stand now."""

    ids: array[int]
    places: dict[int, int]


@dataclass(frozen=True, slots=True)
class Said:
    """What somebody answered or marked: `now` for what holds, else it was said once."""

    who: str
    at: datetime
    what: str
    now: bool


@dataclass(frozen=True, slots=True)
class Details:
    line: PairTableRow
    provenance: Provenance
    said: list[Said]


class Form(StrEnum):
    TSV = "tsv"
    JSON = "json"


def first(project: Project, filter: PairFilter, order: PairOrder, lines: int) -> Job[First]:
    def work(progress: Progress) -> First:
        with project.reading() as stores, stores.cancellable(progress):
            ids = stores.pair_table.ids(filter, order, FIRST)
            return First(ids, stores.pair_table.rows(ids[:lines]), len(ids) < FIRST)

    return Job("Filtering pairs", work)


def listed(project: Project, filter: PairFilter, order: PairOrder, keep: frozenset[int] = frozenset()) -> Job[Listed]:
    """All ids, and the places of those of `keep` that are among them."""

    def work(progress: Progress) -> Listed:
        with project.reading() as stores, stores.cancellable(progress):
            ids = stores.pair_table.ids(filter, order)
        return Listed(ids, _places(ids, keep))

    return Job("Listing pairs", work)


def lines(project: Project, ids: Sequence[int]) -> Job[list[PairTableRow]]:
    def work(progress: Progress) -> list[PairTableRow]:
        with project.reading() as stores:
            return stores.pair_table.rows(ids)

    return Job("Reading pairs", work)


def total(project: Project) -> Job[int]:
    """How many pairs are still mined."""

    def work(progress: Progress) -> int:
        with project.reading() as stores, stores.cancellable(progress):
            return stores.pair_table.count(PairFilter())

    return Job("Counting pairs", work)


def facet_counts(project: Project, filter: PairFilter, field: str) -> Job[list[FacetCount]]:
    """How many pairs the filter would leave for each value of `field`."""

    def work(progress: Progress) -> list[FacetCount]:
        with project.reading() as stores, stores.cancellable(progress):
            return stores.pair_table.facet_counts(filter, field)

    return Job("Counting pairs by kind", work)


def details(project: Project, key: str) -> Job[Details | None]:
    """All that is known of a pair; None when it is gone."""

    def work(progress: Progress) -> Details | None:
        with project.reading() as stores:
            found = stores.pair_table.rows(stores.pair_table.ids_of([key]))
            if not found:
                return None
            said: list[tuple[str, datetime, str]] = []
            answers: dict[str, int] = {}
            for event in stores.answers.history(key):
                answers[event.annotator] = len(said)
                said.append((event.annotator, event.at, _answered(event)))
            marks: dict[tuple[str, MarkKind], int] = {}
            for mark in stores.marks.history(key):
                marks[mark.annotator, mark.kind] = len(said)
                said.append((mark.annotator, mark.at, _marked(mark.kind, mark.new)))
            hold = {*answers.values(), *marks.values()}
            history = [Said(*what, now=place in hold) for place, what in enumerate(said)]
            return Details(found[0], stores.pair_table.provenance(found[0].id), sorted(history, key=lambda one: one.at))

    return Job("Reading a pair", work)


def copied(project: Project, ids: Sequence[int], form: Form) -> Job[str]:
    """Pairs as text: lines with tabs between the cells, a head first; or a JSON array."""

    def work(progress: Progress) -> str:
        parts: list[str] = []
        for low in range(0, len(ids), _TOGETHER):
            progress.tick(low, len(ids))
            with project.reading() as stores:
                found = stores.pair_table.rows(ids[low : low + _TOGETHER])
            parts += map(_tabbed if form is Form.TSV else _object, found)
        progress.tick(len(ids), len(ids))
        if form is Form.TSV:
            return "\n".join(["\t".join(_COPIED), *parts]) + "\n"
        return "[\n" + ",\n".join(parts) + "\n]\n"

    return Job("Copying pairs", work)


def keys(project: Project, ids: Sequence[int]) -> Job[list[str]]:
    def work(progress: Progress) -> list[str]:
        with project.reading() as stores:
            return stores.pair_table.keys(ids)

    return Job("Reading pairs", work)


def with_keys(title: str, project: Project, ids: Sequence[int], make: Callable[[list[str]], Job[R]]) -> Job[R]:
    """The job that `make` makes of the pairs' keys, the keys being read first."""

    def work(progress: Progress) -> R:
        return make(keys(project, ids).work(progress)).work(progress)

    return Job(title, work)


def saved_filters(project: Project) -> Job[dict[str, PairFilter]]:
    def work(progress: Progress) -> dict[str, PairFilter]:
        with project.reading() as stores:
            return stores.settings.get(PAIR_FILTERS)

    return Job("Reading saved filters", work)


def save_filter(project: Project, name: str, filter: PairFilter | None) -> Job[dict[str, PairFilter]]:
    """Keep a filter in the project under a name, None forgets it; all that there are then."""

    def work(progress: Progress) -> dict[str, PairFilter]:
        with project.transaction() as stores:
            known = stores.settings.get(PAIR_FILTERS).copy()
            known.pop(name, None)
            if filter is not None:
                known[name] = filter
            stores.settings.put(PAIR_FILTERS, known)
            return dict(sorted(known.items()))

    return Job("Saving a filter", work)


def _places(ids: array[int], keep: frozenset[int]) -> dict[int, int]:
    if len(keep) > _FEW:
        return {id: place for place, id in enumerate(ids) if id in keep}
    places = {}
    for id in keep:
        with suppress(ValueError):  # it is not among them any more
            places[id] = ids.index(id)
    return places


def _answered(event: AnswerEvent) -> str:
    if event.new is None:
        return "answer withdrawn"
    return f"accepted {event.new}" if event.source is AnswerSource.ACCEPTED else event.new.value


def _marked(kind: MarkKind, value: str | None) -> str:
    match kind:
        case MarkKind.FLAG:
            return "flagged" if value else "flag taken back"
        case MarkKind.NOTE:
            return f"note: {value}" if value else "note deleted"
        case MarkKind.BAD:
            return f"bad pair: {value.replace('_', ' ')}" if value else "bad pair taken back"


_COPIED = {
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


def _tabbed(line: PairTableRow) -> str:
    values = (getattr(line, name) for name in _COPIED.values())
    return "\t".join("" if value is None else " ".join(str(value).split()) for value in values)


def _object(line: PairTableRow) -> str:
    values = {name: getattr(line, field) for name, field in _COPIED.items()}
    return json.dumps({name: value if value != "" else None for name, value in values.items()}, ensure_ascii=False)
