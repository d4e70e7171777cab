"""Takes what people pushed to a corpus into a project that has its papers; the corpus may come from anybody."""

from __future__ import annotations

import itertools
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from miner.corpus.answers import read_answers, read_taxonomy
from miner.corpus.locations import Location
from miner.errors import UserError
from miner.progress import Progress
from storage.annotation.annotators import Role, clean_name
from storage.annotation.answers import IMPORTED_ANNOTATOR
from storage.annotation.kinds import identify_taxonomy
from storage.annotation.marks import MarkKind
from storage.annotation.merging import ReturnedAnswer, ReturnedMark
from storage.annotation.setup import SetupStore
from storage.annotation.texts import MAX_SENTENCE_LENGTH
from storage.errors import UndecodableValue, translate_decoding_errors
from storage.exchange.added_project import LISTED, AddedProject
from storage.exchange.corpus_events import ANSWER, KINDS, Event, events_of, find_conflicts, last_undone, subject
from storage.exchange.other_project import Events, OtherEventCheck, OtherProject, OtherText, Work
from storage.exchange.work_merging import WorkMerging
from storage.pairs.mended_texts import SentenceField
from storage.project import Project
from storage.stores import Stores

_KEY = re.compile("[0-9a-f]{32}")
_BATCH_KEYS = 1000
_MARKS, _FIELDS = frozenset(MarkKind), frozenset(SentenceField)


def pull_answers(
    project: Project, out: Location, md5s: Sequence[str], at: datetime, progress: Progress
) -> AddedProject:
    """Merge all that was pushed about the pairs of papers which the project has, as one action.

    `UserError` for what Pairwright never writes: nothing is stored then.
    """
    result = AddedProject(Path(out.path))
    table = read_answers(out, md5s)
    if not table.num_rows:
        return result
    title = f"Pull answers from {out.shown}"
    with project.read_transaction() as stores:
        here, undone = list[Event](), list[Event]()
        for _, held, taken_back in events_of(OtherProject(project.path, stores)):
            here += held
            undone += taken_back
    try:
        with translate_decoding_errors():
            rows = table.to_pylist()
            ends = last_undone(undone, rows)
            rows = [row for row in rows if (end := ends.get(subject(row))) is None or row["at"] > end["at"]]
            texts = {one: read_taxonomy(out, one) for one in {row["taxonomy"] for row in rows} - {None}}
            check = OtherEventCheck({digest: _taxonomy(digest, text) for digest, text in texts.items()})
            works = list(_works(rows, check))
            for row in rows:
                Role(row["role"])
    except UndecodableValue as exc:
        what = f"The answers in {out.shown} have what Pairwright never writes: {exc}."
        raise UserError(
            what, hint="Ask who pushed them; without the folder “answers” the corpus can be pulled."
        ) from exc
    conflicts = find_conflicts(here, rows)
    with project.transaction() as stores:
        action = stores.actions.begin("", title, at)
        people = _people(stores, rows, result, action)
        for text in texts.values():
            stores.kinds.put_taxonomy(text)
        merging = WorkMerging(people, result)
        for work in works:
            progress.tick(result.answers, None, "answers", may_wait=False)
            _merge(stores, merging, work, action)
        # Merging counts as conflicts what a person changed in one place, too.
        result.conflicts, result.conflict_count = conflicts[:LISTED], len(conflicts)
        if not stores.actions.discard_if_empty(action):
            result.title = title
    return result


def _merge(stores: Stores, merging: WorkMerging, work: Work, action: int) -> None:
    present = set(stores.pairs.present(work.keys))
    merging.merge_texts(
        stores,
        [text for text in work.held.last_texts if text.pair_key in present],
        {key: key for key in present},
        action,
    )
    for annotator in sorted({*work.held.answers, *work.held.marks}):
        marks = [one for one in work.held.marks.get(annotator, ()) if one.pair_key in present]
        merging.merge(stores, annotator, [], marks, {}, None, action)
        for answers in _in_turn(work.held.answers.get(annotator, ()), present):
            merging.merge(stores, annotator, answers, [], {}, None, action)
    for (annotator, taxonomy), given in sorted(work.held.kinds.items()):
        for answers in _in_turn(given, present):
            merging.merge(stores, annotator, answers, [], {}, taxonomy, action)


def _in_turn(answers: Iterable[ReturnedAnswer], present: Collection[str]) -> Iterator[list[ReturnedAnswer]]:
    """The first answers to pairs, then the second ones, and so on: of those that are merged at once, only the last one
    of a pair enters the history."""
    turns: list[list[ReturnedAnswer]] = []
    seen = Counter[str]()
    for one in answers:
        if one.pair_key in present:
            if seen[one.pair_key] == len(turns):
                turns.append([])
            turns[seen[one.pair_key]].append(one)
            seen[one.pair_key] += 1
    yield from turns


def _taxonomy(digest: str, text: str) -> Any:
    try:
        stored = identify_taxonomy(text)
    except UserError as exc:
        raise ValueError(str(exc)) from exc
    if stored.digest != digest:
        raise ValueError("a taxonomy is not the one that answers were given by")
    return stored.taxonomy


def _works(rows: Sequence[dict[str, Any]], check: OtherEventCheck) -> Iterator[Work]:
    """The events, checked, of some pairs after the others."""
    by_key = itertools.groupby(rows, key=lambda row: row["pair_key"])
    groups = ((key, list(group)) for key, group in by_key)
    while some := list(itertools.islice(groups, _BATCH_KEYS)):
        answers: defaultdict[str, list[ReturnedAnswer]] = defaultdict(list)
        kinds: defaultdict[tuple[str, str], list[ReturnedAnswer]] = defaultdict(list)
        marks: defaultdict[str, list[ReturnedMark]] = defaultdict(list)
        texts: list[OtherText] = []
        for row in (row for _, group in some for row in group):
            name, what = row["annotator"], row["what"]
            event = _event(row)
            if what == ANSWER:
                answers[name].append(check.answer(event))
            elif what == KINDS:
                kinds[name, row["taxonomy"]].append(check.kinds(event))
            elif what in _MARKS:
                marks[name].append(check.mark(event))
            elif what in _FIELDS:
                for text in (row["old"], row["value"] or row["old"]):
                    if not text or len(text) > 2 * MAX_SENTENCE_LENGTH:
                        raise ValueError("a sentence is empty or too long")
                at = check.time(event, what)
                texts.append(OtherText(row["pair_key"], SentenceField(what), name, at, row["old"], row["value"]))
            else:
                raise ValueError("an event of an unknown kind")
        yield Work(tuple(key for key, _ in some), Events(answers, kinds, marks, texts))
        check.forget()


def _event(row: dict[str, Any]) -> Any:
    """A row as one of a project's histories."""
    if not _KEY.fullmatch(row["pair_key"]):
        raise ValueError("the key of a pair is not one")
    try:
        is_name = clean_name(row["annotator"]) == row["annotator"] and not IMPORTED_ANNOTATOR.fullmatch(
            row["annotator"]
        )
    except UserError:
        is_name = False
    if not is_name:
        raise ValueError("the name of an annotator is not one")
    return SimpleNamespace(**row, new=row["value"], kind=row["what"], is_own=False)


def _people(stores: Stores, rows: Sequence[dict[str, Any]], result: AddedProject, action: int) -> dict[str, str]:
    """The keys that annotators have here, by name; those who are new are added, with the role of their last event."""
    setup = SetupStore(stores._connection)
    found = {}
    for name, role in sorted({row["annotator"]: Role(row["role"]) for row in rows}.items()):
        if (here := stores.annotators.find(name)) is None:
            here = stores.annotators.ensure(name, role)
            setup.note_person(action, here)
            result.people.append(name)
        elif here.role is not role:
            result.roles.append(name)
        found[name] = here.key
    return found
